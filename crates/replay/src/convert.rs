//! Writes a game in another notation while it is followed, with everything between its moves.

pub(crate) mod dialect;

use crate::declared::UNREADABLE;
use crate::finding::trace;
use crate::follow::Follower;
use crate::replay::tags::{AS_WRITTEN, DATE_AS_WRITTEN, again, standard_date, unused_name};
use crate::stored::replay_by;
use crate::{Options, Played, Sink, Trace};
use tridex_archive::write::{self, Movetext};
use tridex_archive::{Game, Item, Unread};
use tridex_notation::{
    Letters, Locale, Notation, WriteOptions, WrongFamily, judgement, position_string,
};
use tridex_rules::{Color, Move, Position, Role};

/// How a converter writes the moves of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputStyle {
    /// The notation.
    pub notation: Notation,
    /// Options within the notation.
    pub options: WriteOptions,
    /// Whether pieces are written as chess figures, in notations that have letters for them.
    pub figurines: bool,
    /// Whether to write a [`Trace`] after each move that was guessed or filled in. If not, existing traces are removed,
    /// too.
    pub traces: bool,
}

impl OutputStyle {
    /// Returns the customary style of a notation.
    #[must_use]
    pub fn of(notation: Notation) -> Self {
        Self {
            notation,
            options: WriteOptions::default(),
            figurines: false,
            traces: true,
        }
    }
}

/// A [`Sink`] that writes games in another notation while they are followed.
///
/// Nothing is lost: the tokens that could not be read, up to the end of their line, become a comment with the original
/// text, and a move that was not recorded stays `--`. A game that could not be read completely, or lost text because of
/// damage, gets the tag [`UNREADABLE`], which marks it as incomplete.
#[derive(Debug)]
pub struct Converter {
    wording: OutputStyle,
    /// Whether each game is written in the notation of its own rule system.
    is_own: bool,
    marks: bool,
    fits: bool,
    /// The text of the move that is about to be played; empty if the notation cannot express it.
    word: Letters,
    unread: Unread,
    /// Whether to make games instead of text.
    makes_games: bool,
    movetext: Movetext,
    game: Game<'static>,
    /// The piece and the promotion for which the text of the move has letters.
    letters: (Option<Role>, Option<Role>),
    /// Tags to add to the game.
    added: Vec<(String, String)>,
}

impl Converter {
    /// Returns a converter that writes text, with [`Converter::finish_pgn`].
    #[must_use]
    pub fn new(wording: OutputStyle) -> Self {
        Self {
            wording,
            is_own: false,
            marks: false,
            fits: false,
            word: Letters::default(),
            unread: Unread::default(),
            makes_games: false,
            movetext: Movetext::in_lines(),
            game: Game::new(),
            letters: (None, None),
            added: Vec::new(),
        }
    }

    /// Returns a converter that makes games, with [`Converter::finish_game`].
    #[must_use]
    pub fn to_games(wording: OutputStyle) -> Self {
        Self {
            makes_games: true,
            ..Self::new(wording)
        }
    }

    /// Makes the converter write each game in the notation of its own rule system, instead of the one in its style.
    ///
    /// ```
    /// use tridex_archive::{Game, Item};
    /// use tridex_notation::Notation;
    /// use tridex_replay::{Converter, Options, OutputStyle};
    ///
    /// let mut game = Game::new();
    /// game.push_tag("Variant", "meder");
    /// game.push(Item::Move("Nb3W"));
    /// let wording = OutputStyle { figurines: true, traces: false, ..OutputStyle::of(Notation::Manual) };
    /// let mut converter = Converter::to_games(wording).in_own();
    /// let converted = converter.convert(&game, &Options::default())?;
    /// let first = converted.main_line().next().map(|(token, _at)| token.into_owned());
    /// assert_eq!(first.as_deref(), Some("\u{2658}b3W"));
    /// # Ok::<(), tridex_notation::WrongFamily>(())
    /// ```
    #[must_use]
    pub const fn in_own(mut self) -> Self {
        self.is_own = true;
        self
    }

    /// Adds a tag to the game that is being followed, or replaces its value. Must be called before the game is
    /// finished.
    pub fn add_tag(&mut self, name: &str, value: &str) {
        self.added.push((name.to_owned(), value.to_owned()));
    }

    fn push(&mut self, item: Item<&str>) {
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

    /// Converts a game in memory. The converter must be one [to games](Self::to_games).
    ///
    /// ```
    /// use tridex_archive::{Game, Item};
    /// use tridex_notation::Notation;
    /// use tridex_replay::{Converter, Options, OutputStyle};
    ///
    /// let mut game = Game::new();
    /// game.push_tag("Variant", "meder");
    /// game.push(Item::Move("b4N"));
    /// let wording = OutputStyle::of(Notation::Manual);
    /// let converted = Converter::to_games(wording).convert(&game, &Options::default())?;
    /// let first = converted.main_line().next().map(|(token, _at)| token.into_owned());
    /// assert_eq!(first.as_deref(), Some("c3,WB-c5,NB"));
    /// # Ok::<(), tridex_notation::WrongFamily>(())
    /// ```
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn convert(
        &mut self,
        game: &Game<'_>,
        options: &Options,
    ) -> Result<Game<'static>, WrongFamily> {
        replay_by(&mut Follower::new(options), game, self, |to, played| {
            to.finish_game(played).cloned()
        })
    }

    /// Appends the game that was followed last to `out`, as PGN. If the converter is one [to games](Self::to_games),
    /// the movetext is empty.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn finish_pgn(
        &mut self,
        played: &Played<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), WrongFamily> {
        self.finish_game(played)?;
        let result = played.result().as_str();
        write::tags(&self.game, result, out);
        out.push(b'\n');
        out.extend_from_slice(self.movetext.finish(Some(result)));
        out.extend_from_slice(b"\n\n");
        Ok(())
    }

    /// Returns the game that was followed last, converted. If the converter is not one [to games](Self::to_games), the
    /// game has no moves.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn finish_game(&mut self, played: &Played<'_>) -> Result<&Game<'static>, WrongFamily> {
        let notation = self.wording.notation;
        self.fits.then_some(()).ok_or(WrongFamily { notation })?;
        self.tell_unread();
        let has_start = played.has_start();
        let game = &mut self.game;
        game.result = Some(played.result());
        if let Some(why) = played.unreadable() {
            self.added.push((UNREADABLE.to_owned(), why));
        }
        for tag in played.game().written_tags().filter_map(again) {
            if tag.name == AS_WRITTEN.as_bytes() && game.tag("Result").is_none() {
                game.push_tag("Result", played.result().as_str());
            }
            let is_notation_tag = NOTATION_TAGS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(tag.name));
            let mut added = self.added.iter();
            if let Some(name) = unused_name(&tag, has_start) {
                game.push_raw_tag(name.as_bytes(), tag.value, tag.at);
            } else if !is_notation_tag && !added.any(|(name, _)| name.as_bytes() == tag.name) {
                match standard_date(&tag) {
                    Some((date, is_part)) => {
                        if is_part {
                            game.push_raw_tag(DATE_AS_WRITTEN.as_bytes(), tag.value, tag.at);
                        }
                        game.push_raw_tag(tag.name, date.as_bytes(), tag.at);
                    }
                    None => game.push_raw_tag(tag.name, tag.value, tag.at),
                }
            }
        }
        game.push_tag("Variant", played.rules().name());
        game.push_tag("Notation", notation.name());
        let locale = self.wording.options.locale;
        if locale != Locale::English && notation.has_letters() {
            game.push_tag("Locale", locale.code());
        }
        if played.is_set_up() {
            let start = played.start().to_setup();
            game.push_tag("SetUp", "1");
            game.push_tag("FEN", &position_string::to_string(&start));
        }
        for (name, value) in &self.added {
            game.push_tag(name, value);
        }
        Ok(game)
    }
}

impl Sink for Converter {
    const STEPS: bool = true;

    fn begin(&mut self, start: &Position) {
        if self.is_own {
            self.wording.notation = Notation::of(start.rules());
        }
        let OutputStyle {
            notation, options, ..
        } = self.wording;
        self.marks = options.marks.unwrap_or_else(|| notation.has_marks());
        self.fits = notation.family() == start.family();
        self.unread = Unread::default();
        self.movetext
            .begin(start.fullmoves(), start.turn() == Color::Black);
        self.game.clear();
        self.added.clear();
    }

    #[inline]
    fn before(&mut self, position: &Position, mv: Move, _is_main: bool) {
        let OutputStyle {
            notation, options, ..
        } = &self.wording;
        // A game for the other board fails when it is finished.
        let _ = self.word.spell(*notation, position, mv, options);
        if self.wording.figurines {
            self.letters = lettered(position, *notation, mv);
        }
    }

    #[inline]
    fn after(&mut self, position: &Position, token: &[u8], _is_main: bool) {
        let judgement = judgement(token);
        let word = &mut self.word;
        if word.is_empty() {
            return;
        }
        if self.marks {
            word.push_mark(position);
        }
        if !self.makes_games && !self.wording.figurines {
            let movetext = &mut self.movetext;
            movetext.push_letters(word.buffer(), word.len(), judgement);
        } else if judgement.is_empty() && !self.wording.figurines {
            self.game.push_raw(Item::Move(word.letters()), 0);
        } else {
            let mut text = figured(word.as_str(), self.letters);
            text.extend(judgement.iter().map(|b| char::from(*b)));
            self.push(Item::Move(&text));
        }
    }

    fn guessed(&mut self, trace: &Trace) {
        if self.wording.traces {
            self.push(Item::Comment(&trace.to_string()));
        }
    }

    fn between(&mut self, item: Item<&str>) {
        match item {
            Item::Comment(text) | Item::LineComment(text)
                if !self.wording.traces && text.contains(trace::COMMAND) =>
            {
                let rest = Trace::take(text, drop);
                if !rest.is_empty() {
                    self.push(Item::Comment(&rest));
                }
                return;
            }
            // Write unread tokens first, so that a comment, a clock or a result stays after its token.
            Item::VariationStart
            | Item::VariationEnd
            | Item::Comment(_)
            | Item::LineComment(_)
            | Item::Word(_) => self.tell_unread(),
            _ => {}
        }
        self.push(item);
    }

    fn unread(&mut self, token: &[u8]) {
        if let Some(item) = self.unread.add(&String::from_utf8_lossy(token)) {
            self.push(item);
        }
    }

    fn game(&mut self, _game: &Played<'_>) {}
}

/// The piece and the promotion for which the text of a move has letters, if the notation has letters for pieces.
fn lettered(position: &Position, notation: Notation, mv: Move) -> (Option<Role>, Option<Role>) {
    if !notation.has_letters() {
        return (None, None);
    }
    let piece = match mv {
        Move::Piece { from, .. } => position.piece_at(from).map(|piece| piece.role),
        _ => None,
    };
    (piece.filter(|role| *role != Role::Pawn), mv.promotion())
}

/// Returns the text of a legal move with chess figures in place of the letters of pieces. In a notation without such
/// letters the text is unchanged. `position` is the one before the move.
///
/// ```
/// use tridex_notation::Notation;
/// use tridex_replay::figurines;
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let mv = start.legal_moves().into_iter().find(|mv| figurines(Notation::Meder, &start, *mv, "Nc2W") == "\u{2658}c2W");
/// assert!(mv.is_some());
/// ```
#[must_use]
pub fn figurines(notation: Notation, position: &Position, mv: Move, word: &str) -> String {
    figured(word, lettered(position, notation, mv))
}

/// The text of a move with figures in place of letters. The first letter is that of the piece, and the last one before
/// the marks that of the promotion. Both players' figures are the white ones, as is customary.
fn figured(word: &str, (piece, promotion): (Option<Role>, Option<Role>)) -> String {
    let body = word.trim_end_matches(['+', '#']);
    let body = body.strip_suffix("e.p.").unwrap_or(body);
    let figure = |role: Role| {
        [
            '\u{2659}', '\u{2658}', '\u{2657}', '\u{2656}', '\u{2655}', '\u{2654}',
        ][role as usize]
    };
    let letter = |(place, letter): (usize, char)| match (piece, promotion) {
        (Some(role), _) if place == 0 => figure(role),
        (_, Some(role)) if place + 1 == body.len() => figure(role),
        _ => letter,
    };
    word.char_indices().map(letter).collect()
}

/// The tags that determine how a game is read.
const NOTATION_TAGS: [&[u8]; 5] = [b"Variant", b"Notation", b"Locale", b"SetUp", b"FEN"];
