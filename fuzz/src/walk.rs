//! Inputs that are deep because they are made of legal moves: bytes choose among them.

use std::io::Write;
use tridex_archive::write::{self, JsonHead, TableStyle};
use tridex_archive::{Game, Limits, game, pgn};
use tridex_notation::{Notation, WriteOptions, write_played};
use tridex_rules::random::{self, Dice};
use tridex_rules::{Move, Position, RuleSystem};

/// Plies of a game that bytes lead through.
const PLIES: usize = 120;

/// A game that bytes choose: the first the rule system, each further one a move. Without more bytes it is over.
#[must_use]
pub fn game(data: &[u8]) -> (Position, Vec<Move>) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let rules = RuleSystem::ALL[usize::from(*first) % RuleSystem::ALL.len()];
    let start = Position::start(rules);
    let mut position = start.clone();
    let mut played = Vec::new();
    for byte in rest.iter().take(PLIES) {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        moves.sort_unstable();
        // Spread over the whole list, which holds pieces one after the other.
        let m = moves[usize::from(*byte) * 151 % moves.len()];
        position.play_unchecked(m);
        played.push(m);
    }
    (start, played)
}

/// An archive of about so many bytes: games of every rule system, in every notation of its family, with marks,
/// comments, variations, clocks and results.
#[must_use]
pub fn archive(seed: u64, bytes: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes + 10_000);
    let mut number = 0;
    while text.len() < bytes {
        written(seed, number, &mut text);
        number += 1;
    }
    text
}

/// A game of [`archive`].
#[derive(Clone, Debug)]
pub struct Made {
    /// The rules it is played under.
    pub rules: RuleSystem,
    /// The notation it is written in.
    pub notation: Notation,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The player of the white men.
    pub white: String,
    /// The player of the black men.
    pub black: String,
    dice: Dice,
}

/// The game of a number, from 0, of the archive of a seed.
#[must_use]
pub fn made(seed: u64, number: u64) -> Made {
    let mut dice = Dice::nth(seed, number);
    let rules = RuleSystem::ALL[dice.below(RuleSystem::ALL.len() as u32) as usize];
    let mut notations = Notation::ALL
        .into_iter()
        .filter(|n| n.family() == rules.family());
    let nth = dice.below(2) as usize;
    let notation = notations.nth(nth).unwrap_or(Notation::Meder);
    let plies = 10 + dice.below(120) as usize;
    Made {
        rules,
        notation,
        moves: random::game(rules, &mut Dice::nth(!seed, number), plies),
        white: format!("W{}", dice.below(50)),
        black: format!("B{}", dice.below(50)),
        dice,
    }
}

impl Made {
    /// All its positions, the start first.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = Position::start(self.rules);
        let start = position.clone();
        let played = self.moves.iter().map(move |m| {
            position.play_unchecked(*m);
            position.clone()
        });
        std::iter::once(start).chain(played)
    }
}

/// Writes the game of a number behind what is there.
fn written(seed: u64, number: u64, out: &mut Vec<u8>) {
    let mut made = made(seed, number);
    let dice = &mut made.dice;
    let mut game = format!(
        "[Event \"walk {number}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Variant \"{}\"]\n[Notation \"{}\"]\n\n",
        made.white,
        made.black,
        made.rules.name(),
        made.notation.name()
    );
    let mut before = Position::start(made.rules);
    let options = WriteOptions::default();
    for (ply, m) in made.moves.iter().enumerate() {
        let mut after = before.clone();
        after.play_unchecked(*m);
        if ply % 2 == 0 {
            game.push_str(&format!("{}. ", ply / 2 + 1));
        }
        let mut token = String::new();
        // Notations are those of the family, so this cannot fail.
        let _ = write_played(made.notation, &before, *m, &after, &options, &mut token);
        game.push_str(&token);
        match dice.below(24) {
            0 => game.push_str(" {[%clk 0:12:34]}"),
            1 => game.push_str(" $6"),
            2 => game.push_str(" (=)"),
            3 => game.push_str(&format!(" ({token} {{why not}})")),
            4 => game.push_str("!?"),
            _ => {}
        }
        game.push(if dice.one_in(8) { '\n' } else { ' ' });
        before = after;
    }
    game.push_str("*\n\n");
    out.extend_from_slice(game.as_bytes());
}

/// Pieces that are told apart by their numbers, up to about so many bytes.
pub fn numbered(bytes: usize, piece: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes);
    let mut number = 0;
    while text.len() < bytes {
        text.extend_from_slice(piece(number).as_bytes());
        number += 1;
    }
    text
}

/// The games of an archive.
fn games(archive: &[u8]) -> Vec<Game<'static>> {
    game::collect(|v| pgn::read_games(archive, 0, &Limits::default(), v))
}

/// An archive as a scoresheet.
#[must_use]
pub fn sheet(archive: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let style = TableStyle::default();
    // Writing to memory does not fail.
    let _ = write::sheet_heading(style, &mut out);
    for (number, game) in (1..).zip(games(archive)) {
        let _ = write::sheet(number, &game, style, &mut out);
    }
    out
}

/// An archive as NDJSON.
#[must_use]
pub fn lines(archive: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for game in games(archive) {
        let rules = game.tag("Variant").unwrap_or_default();
        let notation = game.tag("Notation").unwrap_or_default();
        let head = JsonHead {
            rules: &rules,
            notation: &notation,
            ..JsonHead::default()
        };
        // Writing to memory does not fail.
        let _ = write::ndjson(&game, &head, &mut out);
    }
    out
}

/// Packed with gzip.
#[must_use]
pub fn gzip(text: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let done = out.write_all(text).and_then(|()| out.finish());
    done.unwrap_or_default()
}

/// Packed with Zstandard.
#[must_use]
pub fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(text, 3).unwrap_or_default()
}

/// The games of an archive whose `Variant` tag is wanted.
#[must_use]
pub fn only(archive: &[u8], wanted: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut out = Vec::new();
    for game in games(archive) {
        if wanted(&game.tag("Variant").unwrap_or_default()) {
            // Writing to memory does not fail.
            let _ = write::pgn(&game, &mut out);
        }
    }
    out
}
