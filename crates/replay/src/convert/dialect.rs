//! Writes games as another program writes them.

use crate::Played;
use std::borrow::Cow;
use tridex_archive::GameResult;
use tridex_archive::Item;
use tridex_archive::write::push_tag;
use tridex_notation::Program;
use tridex_notation::programs::star_trek;
use tridex_rules::{Outcome, RuleSystem};

/// Why a game cannot be written in the format of a program: the program plays by other rules, tridex only reads its
/// format, or the game has no moves or cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotInDialect(String);

impl std::fmt::Display for NotInDialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotInDialect {}

/// Appends a game to `out` in the format of a program, with an empty line at its end.
///
/// Comments, judgements and variations are omitted, since the format cannot store them. Returns how many were omitted.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_notation::Program;
/// use tridex_replay::{NotInDialect, Options, replay_with, write_dialect};
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b5B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let mut out = Vec::new();
/// let dropped = replay_with(&games[0], &Options::default(), |played| write_dialect(Program::StarTrek, played, &mut out));
/// assert_eq!(dropped, Ok(0));
/// assert!(String::from_utf8(out).unwrap().contains("1."));
/// ```
///
/// # Errors
/// If the format cannot express the game. Then nothing is written.
pub fn write_dialect(
    program: Program,
    played: &Played<'_>,
    out: &mut Vec<u8>,
) -> Result<usize, NotInDialect> {
    let (title, plies) = (program.title(), played.moves().len());
    let refuse = |why| Err(NotInDialect(why));
    if program != Program::StarTrek {
        return refuse(format!("games of {title} can be read, but not written"));
    }
    let other_rules = || {
        let rules = played.rules().name();
        let why =
            format!("{title} plays by the meder rules, and this game is played under {rules}");
        NotInDialect(why)
    };
    if played.rules() != RuleSystem::Meder {
        return Err(other_rules());
    }
    if !played.is_whole() {
        let why = "half a game would look like a whole one";
        return refuse(format!("the game breaks off after ply {plies}, and {why}"));
    }
    if plies == 0 {
        return refuse(format!("{title} has no games without moves"));
    }
    let start = star_trek::write(&played.start().to_setup()).ok_or_else(other_rules)?;
    let (movetext, left_out) = star_trek_moves(played).ok_or_else(other_rules)?;
    star_trek_tags(played, &start, out);
    out.push(b'\n');
    out.extend_from_slice(movetext.as_bytes());
    out.extend_from_slice(b"\n\n");
    Ok(left_out)
}

/// The tags in the order in which Star Trek's program writes them. All other tags follow.
const STAR_TREK_ORDER: &str = "Event Site Date Round White Black Result Annotator PlyCount TimeControl Time Termination \
                               Mode FEN Variant Options";

fn star_trek_tags(played: &Played<'_>, start: &str, out: &mut Vec<u8>) {
    let given = |name: &str| played.game().tag(name).map(Cow::into_owned);
    let ours = || STAR_TREK_ORDER.split(' ');
    for name in ours() {
        let value = match name {
            "Event" | "Site" | "Round" | "White" | "Black" => given(name).or(Some("?".to_owned())),
            "Date" => given(name).or(Some("????.??.??".to_owned())),
            "Result" => Some(played.result().to_string()),
            "PlyCount" => Some(played.moves().len().to_string()),
            "Termination" => given(name).or_else(|| termination(played)),
            "FEN" => Some(start.to_owned()),
            "Variant" => Some(Program::StarTrek.title().to_owned()),
            _ => given(name),
        };
        if let Some(value) = value {
            push_tag(name, &value, out);
        }
    }
    played.each_written_tag(|name, value| {
        if !ours()
            .chain(["SetUp", "Notation", "Locale"])
            .any(|known| known == name)
        {
            push_tag(name, value, out);
        }
    });
}

/// Why the game is over, if the rules have ended it.
fn termination(played: &Played<'_>) -> Option<String> {
    let word = match played.outcome()? {
        Outcome::Checkmate { .. } => "Normal",
        Outcome::Stalemate => "Stalemate",
        Outcome::Material => "Dead Position",
        Outcome::Repetition => "Threefold Repetition",
    };
    let is_over = played.result() != GameResult::Unknown;
    is_over.then(|| word.to_owned())
}

/// The moves on one line, and the number of omitted remarks. `None` if Meder's notation cannot express a move.
fn star_trek_moves(played: &Played<'_>) -> Option<(String, usize)> {
    let (offers, left_out) = remarks(played);
    let mut position = played.start().clone();
    let mut line = String::new();
    for (ply, mv) in played.moves().iter().enumerate() {
        // The program counts moves from 1, regardless of who begins and of the move number of the start position.
        if ply.is_multiple_of(2) {
            line.push_str(&format!("{}. ", ply / 2 + 1));
        }
        let mut after = position.clone();
        after.play_unchecked(*mv);
        let offers_draw = offers.contains(&ply);
        line.push_str(&star_trek::write_move(&position, *mv, &after, offers_draw)?);
        line.push(' ');
        position = after;
    }
    match played.result() {
        GameResult::Unknown => line.truncate(line.trim_end().len()),
        result => line.push_str(result.as_str()),
    }
    Some((line, left_out))
}

/// The plies with which a draw was offered, and the number of other remarks: comments, judgements, variations, words.
fn remarks(played: &Played<'_>) -> (Vec<usize>, usize) {
    let style = played.style();
    let (mut offers, mut left_out) = (Vec::new(), 0);
    let (mut plies, mut depth) = (0_usize, 0_usize);
    played.each_item(|item, _| match item {
        Item::VariationStart => {
            left_out += usize::from(depth == 0);
            depth += 1;
        }
        Item::VariationEnd => depth = depth.saturating_sub(1),
        _ if depth > 0 => {}
        Item::Move(text) => {
            if let Ok(words) = style.parse(text.as_bytes()) {
                left_out += usize::from(words.suffix > 0);
                if words.draw_offer {
                    offers.push(plies);
                }
            }
            plies += 1;
        }
        Item::DrawOffer => offers.extend(plies.checked_sub(1)),
        // An escape line does not concern the game.
        Item::Escape(_) => {}
        Item::Comment(_) | Item::LineComment(_) | Item::Word(_) | Item::Nag(_) => left_out += 1,
    });
    (offers, left_out)
}
