//! A replayed game written in another notation, with everything that stands between its moves.

use super::{Report, walk};
use crate::record::{Game, Item, folded};
use crate::swift::Clean;
use crate::write::{self, PlainMoves};
use tridex_notation::{
    Letters, Locale, Notation, WriteOptions, WrongFamily, position_string, write_plain,
};
use tridex_rules::{Move, Position, RuleSystem};

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

/// Converts games in which nothing is found while they are read: see [`swift`](crate::swift).
#[derive(Debug)]
pub struct Converter {
    wording: Wording,
    marks: bool,
    unmarked: WriteOptions,
    fits: bool,
    text: String,
    /// The move instead of `text`, if it is of the plainest.
    word: Option<Letters>,
    moves: PlainMoves,
    /// The moves as items, if the game is wanted and not its text.
    game: Option<Game>,
}

impl Converter {
    /// A converter to a notation that gives text, with [`Converter::write_pgn`].
    #[must_use]
    pub fn new(wording: Wording) -> Self {
        let marks = wording
            .options
            .marks
            .unwrap_or_else(|| wording.notation.has_marks());
        Self {
            wording,
            marks,
            unmarked: WriteOptions {
                marks: Some(false),
                ..wording.options
            },
            fits: false,
            text: String::new(),
            word: None,
            moves: PlainMoves::default(),
            game: None,
        }
    }

    /// A converter to a notation that gives games, with [`Converter::finish`].
    #[must_use]
    pub fn to_games(wording: Wording) -> Self {
        Self {
            game: Some(Game::new()),
            ..Self::new(wording)
        }
    }

    /// A game of a rule system begins; what is left of another one is dropped.
    pub fn begin(&mut self, rules: RuleSystem) {
        self.moves.clear();
        if let Some(game) = &mut self.game {
            game.clear();
        }
        self.fits = self.wording.notation.family() == rules.family();
    }

    /// A move is about to be played.
    #[inline]
    pub fn before(&mut self, position: &Position, mv: Move) {
        let notation = self.wording.notation;
        self.word = write_plain(notation, position, mv, position.is_capture(mv));
        if self.word.is_some() {
            return;
        }
        self.text.clear();
        // A game of the other family is refused at its end.
        let _ = tridex_notation::write(notation, position, mv, &self.unmarked, &mut self.text);
    }

    /// It has been played.
    #[inline]
    pub fn after(&mut self, position: &Position) {
        if let (Some(word), None, false) = (&self.word, &self.game, self.marks) {
            self.moves.push_letters(word);
            return;
        }
        if let Some(word) = self.word.take() {
            self.text.clear();
            self.text.push_str(word.as_str());
        }
        if self.marks {
            tridex_notation::write_mark(position, &mut self.text);
        }
        match &mut self.game {
            None => self.moves.push(&self.text),
            Some(game) => game.push(Item::Move {
                text: &self.text,
                at: 0,
            }),
        }
    }

    fn check(&self) -> Result<(), WrongFamily> {
        if self.fits {
            return Ok(());
        }
        Err(WrongFamily {
            notation: self.wording.notation,
        })
    }

    /// The game is over: writes it as PGN behind what is in `out`.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn write_pgn(&mut self, clean: &Clean<'_>, out: &mut Vec<u8>) -> Result<(), WrongFamily> {
        self.check()?;
        let tags: Vec<(&[u8], &[u8])> = clean
            .tags
            .iter()
            .filter(|(name, _, _)| !is_steering(name))
            .map(|(name, value, _)| (*name, *value))
            .collect();
        let rules = clean.start.rules();
        write::plain_pgn(
            &tags,
            &steering(rules, self.wording),
            &mut self.moves,
            clean.result,
            out,
        );
        Ok(())
    }

    /// The game is over: the converted one, of a converter [to games](Self::to_games).
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn finish(&mut self, clean: &Clean<'_>) -> Result<&Game, WrongFamily> {
        self.check()?;
        let game = self.game.get_or_insert_with(Game::new);
        for (name, value, _) in clean.tags {
            let name = crate::decode(name);
            if !is_steering(name.as_bytes()) {
                let value = folded(&crate::unescape(value));
                game.tags.push((name.into_owned(), value));
            }
        }
        steer(clean.start.rules(), self.wording, game);
        game.result = Some(clean.result);
        Ok(game)
    }
}

/// Whether a tag says how a game is to be read.
fn is_steering(name: &[u8]) -> bool {
    [
        b"Variant".as_slice(),
        b"Notation",
        b"Locale",
        b"SetUp",
        b"FEN",
    ]
    .iter()
    .any(|known| known.eq_ignore_ascii_case(name))
}

/// The tags that say how the converted game is to be read.
fn steering(rules: RuleSystem, wording: Wording) -> Vec<(&'static str, &'static str)> {
    let mut tags = vec![
        ("Variant", rules.name()),
        ("Notation", wording.notation.name()),
    ];
    let locale = wording.options.locale;
    if locale != Locale::English && wording.notation == Notation::Meder {
        tags.push(("Locale", locale.code()));
    }
    tags
}

fn steer(rules: RuleSystem, wording: Wording, out: &mut Game) {
    for (name, value) in steering(rules, wording) {
        out.set_tag(name, value);
    }
}

/// The tags, with those that say how the game is to be read brought up to date.
fn retag(game: &Game, report: &Report, wording: Wording, out: &mut Game) {
    let others = game
        .tags
        .iter()
        .filter(|(name, _)| !is_steering(name.as_bytes()));
    out.tags.extend(others.cloned());
    steer(report.rules, wording, out);
    if report.set_up {
        out.set_tag("SetUp", "1");
        out.set_tag("FEN", &position_string::to_string(&report.start.to_setup()));
    }
}
