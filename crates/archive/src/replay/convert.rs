//! A replayed game written in another notation, with everything that stands between its moves.

use super::{Report, walk};
use crate::record::{Game, Item};
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};

/// How a game is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The notation.
    pub notation: Notation,
    /// The choices the notation leaves.
    pub options: WriteOptions,
}

/// The game with every move that was read written anew. What could not be read from a broken token on stands in a
/// comment, as it was written; nothing is lost.
///
/// # Errors
/// If the notation cannot describe the board of the game.
pub fn convert(game: &Game, report: &Report, wording: Wording) -> Result<Game, WrongFamily> {
    let notation = wording.notation;
    if notation.family() != report.start.family() {
        return Err(WrongFamily { notation });
    }
    let mut out = Game::new();
    retag(game, report, wording, &mut out);
    let mut text = String::new();
    let mut unread = Unread::default();
    walk(game, &report.start, &report.read, |item, step| {
        match (item, step) {
            (Item::Move { text: written, at }, Some(step)) => {
                text.clear();
                // The family was compared above, so this cannot fail.
                let _ = tridex_notation::write(
                    notation,
                    step.before,
                    step.mv,
                    &wording.options,
                    &mut text,
                );
                text.push_str(annotation(written));
                out.push(Item::Move { text: &text, at });
            }
            (Item::Move { text: written, .. }, None) => unread.add(written),
            (Item::VariationStart, _) => {
                unread.open(&mut out);
                out.push(item);
            }
            (Item::VariationEnd, _) => {
                unread.close(&mut out);
                out.push(item);
            }
            _ => out.push(item),
        }
    });
    unread.flush(&mut out);
    out.result = game.result.or(Some(report.result));
    Ok(out)
}

/// The marks of judgement at the end of a token: `!`, `?` and what else is no part of the move.
fn annotation(token: &str) -> &str {
    let end = token.trim_end_matches(['!', '?']).len();
    token.get(end..).unwrap_or_default()
}

/// Tokens that could not be read, until the line they stand in ends.
#[derive(Default)]
struct Unread {
    lines: Vec<String>,
    here: String,
}

impl Unread {
    fn add(&mut self, token: &str) {
        if !self.here.is_empty() {
            self.here.push(' ');
        }
        self.here.push_str(token);
    }

    fn open(&mut self, out: &mut Game) {
        self.flush(out);
        self.lines.push(std::mem::take(&mut self.here));
    }

    fn close(&mut self, out: &mut Game) {
        self.flush(out);
        self.here = self.lines.pop().unwrap_or_default();
    }

    fn flush(&mut self, out: &mut Game) {
        if !self.here.is_empty() {
            let comment = format!("not read: {}", self.here.replace('}', ")"));
            out.push(Item::Comment(&comment));
            self.here.clear();
        }
    }
}

/// The tags, with those that say how the game is to be read brought up to date.
fn retag(game: &Game, report: &Report, wording: Wording, out: &mut Game) {
    let steering = ["Variant", "Notation", "Locale", "SetUp", "FEN"];
    let others = game
        .tags
        .iter()
        .filter(|(name, _)| !steering.iter().any(|known| known.eq_ignore_ascii_case(name)));
    out.tags.extend(others.cloned());
    out.set_tag("Variant", report.rules.name());
    out.set_tag("Notation", wording.notation.name());
    if wording.options.locale != tridex_notation::Locale::English && wording.notation == Notation::Meder {
        out.set_tag("Locale", wording.options.locale.code());
    }
    if report.set_up {
        out.set_tag("SetUp", "1");
        out.set_tag("FEN", &position_string::to_string(&report.start.to_setup()));
    }
}
