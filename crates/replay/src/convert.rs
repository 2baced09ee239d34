//! A game written in another notation while it is followed, with everything that stands between its moves.

use crate::played::replay_into;
use crate::{Options, Played, Report, Sink};
use tridex_archive::record::{Game, Item};
use tridex_archive::write::{Movetext, Tags};
use tridex_notation::{
    Letters, Locale, Notation, WriteOptions, WrongFamily, position_string, write_unmarked,
};
use tridex_rules::{Color, Move, Position};

/// How a game is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The notation.
    pub notation: Notation,
    /// The choices the notation leaves.
    pub options: WriteOptions,
}

/// Writes games anew while they are followed: a part of a [`Sink`] that asks for steps and remarks and passes them on.
///
/// What could not be read from a broken token on stands in a comment, as it was written; nothing is lost.
#[derive(Debug)]
pub struct Converter {
    wording: Wording,
    marks: bool,
    fits: bool,
    text: String,
    /// The move that is about to be played.
    word: Option<Letters>,
    unread: Unread,
    /// Whether games are made, and not text.
    makes_games: bool,
    movetext: Movetext,
    game: Game,
    tags: Tags,
}

impl Converter {
    /// A converter to a notation that gives text, with [`Converter::finish_pgn`].
    #[must_use]
    pub fn new(wording: Wording) -> Self {
        Self::on(wording, false)
    }

    /// A converter to a notation that gives games, with [`Converter::finish_game`].
    #[must_use]
    pub fn to_games(wording: Wording) -> Self {
        Self::on(wording, true)
    }

    fn on(wording: Wording, makes_games: bool) -> Self {
        let notation = wording.notation;
        let marks = wording
            .options
            .marks
            .unwrap_or_else(|| notation.has_marks());
        Self {
            wording,
            marks,
            fits: false,
            text: String::new(),
            word: None,
            unread: Unread::default(),
            makes_games,
            movetext: Movetext::in_lines(),
            game: Game::new(),
            tags: Tags::default(),
        }
    }

    /// See [`Sink::begin`]. What is left of another game is dropped.
    pub fn begin(&mut self, start: &Position) {
        self.fits = self.wording.notation.family() == start.family();
        self.unread.clear();
        self.movetext
            .begin(start.fullmoves(), start.turn() == Color::Black);
        self.game.clear();
    }

    /// See [`Sink::before`].
    #[inline]
    pub fn before(&mut self, position: &Position, mv: Move) {
        let notation = self.wording.notation;
        // A game of the other family is refused at its end.
        self.word = write_unmarked(notation, position, mv, &self.wording.options).ok();
    }

    /// See [`Sink::after`].
    #[inline]
    pub fn after(&mut self, position: &Position, token: &[u8]) {
        let judgement = judgement(token);
        let Some(mut word) = self.word.take() else {
            return;
        };
        if self.marks {
            word.push_mark(position);
        }
        if !self.makes_games {
            self.movetext
                .push_letters(word.room(), word.len(), judgement);
            return;
        }
        self.text.clear();
        self.text.push_str(word.as_str());
        self.text.extend(judgement.iter().map(|b| char::from(*b)));
        self.game.push(Item::Move {
            text: &self.text,
            at: 0,
        });
    }

    /// See [`Sink::between`].
    pub fn between(&mut self, item: Item<'_>) {
        match item {
            Item::VariationStart => {
                self.tell_unread();
                self.unread.open();
            }
            Item::VariationEnd => {
                self.tell_unread();
                self.unread.close();
            }
            _ => {}
        }
        self.push(item);
    }

    /// See [`Sink::unread`].
    pub fn unread(&mut self, token: &[u8]) {
        self.unread.add(&String::from_utf8_lossy(token));
    }

    fn push(&mut self, item: Item<'_>) {
        if self.makes_games {
            self.game.push(item);
        } else {
            self.movetext.push(item);
        }
    }

    fn tell_unread(&mut self) {
        if let Some(comment) = self.unread.take() {
            self.push(Item::Comment(&comment));
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

    /// The game is over: writes it as PGN behind what is in `out`. Of a converter [to games](Self::to_games) there is no
    /// movetext.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn finish_pgn(
        &mut self,
        played: &Played<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), WrongFamily> {
        self.check()?;
        self.tell_unread();
        self.tags.clear();
        let tags = &mut self.tags;
        played.each_raw_tag(|name, value| {
            if !is_steering(name) {
                tags.push_raw(name, value);
            }
        });
        steer(played, self.wording, |name, value| tags.push(name, value));
        let result = played.result().as_str();
        tags.write(result, out);
        out.push(b'\n');
        out.extend_from_slice(self.movetext.finish(Some(result)));
        out.extend_from_slice(b"\n\n");
        Ok(())
    }

    /// The game is over: the converted one. Of a converter that is not [to games](Self::to_games) it has no moves.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn finish_game(&mut self, played: &Played<'_>) -> Result<&Game, WrongFamily> {
        self.check()?;
        self.tell_unread();
        let game = &mut self.game;
        played.each_tag(|name, value| {
            if !is_steering(name.as_bytes()) {
                game.tags.push((name.to_owned(), value.to_owned()));
            }
        });
        steer(played, self.wording, |name, value| {
            game.set_tag(name, value)
        });
        game.result = Some(played.result());
        Ok(game)
    }
}

/// The marks of judgement at the end of a token: `!`, `?`.
#[inline]
fn judgement(token: &[u8]) -> &[u8] {
    let mut length = 0;
    for byte in token.iter().rev() {
        if !matches!(byte, b'!' | b'?') {
            break;
        }
        length += 1;
    }
    token.get(token.len() - length..).unwrap_or_default()
}

/// Tokens that could not be read, until the line they stand in ends.
#[derive(Debug, Default)]
struct Unread {
    lines: Vec<String>,
    here: String,
}

impl Unread {
    fn clear(&mut self) {
        self.lines.clear();
        self.here.clear();
    }

    fn add(&mut self, token: &str) {
        if !self.here.is_empty() {
            self.here.push(' ');
        }
        self.here.push_str(token);
    }

    fn open(&mut self) {
        self.lines.push(std::mem::take(&mut self.here));
    }

    fn close(&mut self) {
        self.here = self.lines.pop().unwrap_or_default();
    }

    /// The comment that holds them, if there are some.
    fn take(&mut self) -> Option<String> {
        if self.here.is_empty() {
            return None;
        }
        let comment = format!("not read: {}", self.here.replace('}', ")"));
        self.here.clear();
        Some(comment)
    }
}

/// Whether a tag says how a game is to be read.
fn is_steering(name: &[u8]) -> bool {
    // One look at most names: few begin with these letters.
    let known: &[&[u8]] = match name.first().map(|b| b | 0x20) {
        Some(b'v') => &[b"Variant"],
        Some(b'n') => &[b"Notation"],
        Some(b'l') => &[b"Locale"],
        Some(b's') => &[b"SetUp"],
        Some(b'f') => &[b"FEN"],
        _ => &[],
    };
    known.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The tags that say how the converted game is to be read.
fn steer(played: &Played<'_>, wording: Wording, mut set: impl FnMut(&str, &str)) {
    set("Variant", played.rules().name());
    set("Notation", wording.notation.name());
    let locale = wording.options.locale;
    if locale != Locale::English && wording.notation == Notation::Meder {
        set("Locale", locale.code());
    }
    if played.is_set_up() {
        set("SetUp", "1");
        set(
            "FEN",
            &position_string::to_string(&played.start().to_setup()),
        );
    }
}

/// A sink that converts one game.
struct Once(Converter);

impl Sink for Once {
    const REMARKS: bool = true;
    const STEPS: bool = true;

    fn begin(&mut self, start: &Position) {
        self.0.begin(start);
    }

    fn before(&mut self, position: &Position, mv: Move, _is_main: bool) {
        self.0.before(position, mv);
    }

    fn after(&mut self, position: &Position, token: &[u8], _is_main: bool) {
        self.0.after(position, token);
    }

    fn between(&mut self, item: Item<'_>) {
        self.0.between(item);
    }

    fn unread(&mut self, token: &[u8]) {
        self.0.unread(token);
    }

    fn game(&mut self, _game: &Played<'_>) {}
}

/// A game with every move that was read written anew, and what is to be said of it.
///
/// # Errors
/// If the notation cannot describe the board of the game.
pub fn convert(
    game: &Game,
    options: &Options,
    wording: Wording,
) -> Result<(Game, Report), WrongFamily> {
    let mut once = Once(Converter::to_games(wording));
    replay_into(game, options, &mut once, |once, played| {
        let converted = once.0.finish_game(played)?.clone();
        Ok((converted, played.report()))
    })
}
