//! A game written in another notation while it is followed, with everything between its moves.

use crate::diagnostic::Diagnostic;
use crate::memory::replay_into;
use crate::played::{AS_WRITTEN, again};
use crate::repaired::repair_into;
use crate::setting::UNREADABLE;
use crate::{Options, Played, Report, Sink, Trace, trace};
use tridex_archive::write::{Movetext, Tags};
use tridex_archive::{Game, Item, Unread};
use tridex_notation::{
    Letters, Locale, Notation, WriteOptions, WrongFamily, position_string, split_end,
};
use tridex_rules::{Color, Move, Position, Role};

/// How a game is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wording {
    /// The notation.
    pub notation: Notation,
    /// The choices the notation leaves.
    pub options: WriteOptions,
}

/// Writes games in another notation while they are followed: the part of a [`Sink`] that receives steps and remarks.
///
/// What could not be read, from a broken token to the end of its line, becomes a comment with the original text, and a
/// move that was not recorded stays `--`; nothing is lost. Such a game, and
/// one whose record was damaged, gets the tag [`UNREADABLE`], which marks it as incomplete.
#[derive(Debug)]
pub struct Converter {
    wording: Wording,
    /// Each game is written in the notation of its own rule system.
    is_own: bool,
    marks: bool,
    fits: bool,
    text: String,
    /// The move that is about to be played; no letters if there is none.
    word: Letters,
    unread: Unread,
    /// Whether games are made, and not text.
    makes_games: bool,
    movetext: Movetext,
    game: Game<'static>,
    tags: Tags,
    /// Whether pieces are written as chess figures.
    figurines: bool,
    /// What the move that is about to be played has letters for: a piece, a promotion.
    letters: (Option<Role>, Option<Role>),
    /// Tags to be added.
    added: Vec<(String, String)>,
    /// Whether a [`Trace`] is written where a move was guessed or corrected.
    traces: bool,
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

    /// The same, with each game in the notation of its own rule system instead of the one that was named.
    #[must_use]
    pub const fn in_own(mut self) -> Self {
        self.is_own = true;
        self
    }

    fn on(wording: Wording, makes_games: bool) -> Self {
        let notation = wording.notation;
        let marks = wording
            .options
            .marks
            .unwrap_or_else(|| notation.has_marks());
        Self {
            wording,
            is_own: false,
            marks,
            fits: false,
            text: String::new(),
            word: Letters::default(),
            unread: Unread::default(),
            makes_games,
            movetext: Movetext::in_lines(),
            game: Game::new(),
            tags: Tags::default(),
            figurines: false,
            letters: (None, None),
            added: Vec::new(),
            traces: true,
        }
    }

    /// The same, with chess figures for the letters of pieces in notations that have such letters.
    #[must_use]
    pub const fn with_figurines(mut self) -> Self {
        self.figurines = true;
        self
    }

    /// The same without any [`Trace`]: none is written, and existing ones are removed.
    ///
    /// ```
    /// use tridex_archive::{Game, Item};
    /// use tridex_notation::{Notation, WriteOptions};
    /// use tridex_replay::{Converter, Options, Wording};
    ///
    /// let mut game = Game::new();
    /// game.push_tag("Variant", "meder");
    /// game.push(Item::Move("Nb3W"));
    /// let wording = Wording { notation: Notation::Manual, options: WriteOptions::default() };
    /// let mut converter = Converter::to_games(wording).in_own().with_figurines().without_traces();
    /// let converted = converter.convert(&game, &Options::default())?;
    /// let first = converted.main_line().next().map(|(token, _at)| token.into_owned());
    /// assert_eq!(first.as_deref(), Some("\u{2658}b3W"));
    /// # Ok::<(), tridex_notation::WrongFamily>(())
    /// ```
    #[must_use]
    pub const fn without_traces(mut self) -> Self {
        self.traces = false;
        self
    }

    /// Adds a tag to the game that is being followed, or sets it: to be called before it is finished.
    pub fn add_tag(&mut self, name: &str, value: &str) {
        self.added.push((name.to_owned(), value.to_owned()));
    }

    /// See [`Sink::begin`]. What is left of another game is dropped.
    pub fn begin(&mut self, start: &Position) {
        if self.is_own {
            let notation = Notation::of(start.rules());
            self.wording.notation = notation;
            self.marks = self
                .wording
                .options
                .marks
                .unwrap_or_else(|| notation.has_marks());
        }
        self.fits = self.wording.notation.family() == start.family();
        self.unread.clear();
        self.movetext
            .begin(start.fullmoves(), start.turn() == Color::Black);
        self.game.clear();
        self.added.clear();
    }

    /// See [`Sink::before`].
    #[inline]
    pub fn before(&mut self, position: &Position, mv: Move) {
        let Wording { notation, options } = &self.wording;
        // A game of the other family is refused at its end.
        let _ = self.word.spell(*notation, position, mv, options);
        if self.figurines {
            self.letters = lettered(position, *notation, mv);
        }
    }

    /// See [`Sink::after`].
    #[inline]
    pub fn after(&mut self, position: &Position, token: &[u8]) {
        let (_, judgement) = split_end(token, b"!?");
        let word = &mut self.word;
        if word.is_empty() {
            return;
        }
        if self.marks {
            word.push_mark(position);
        }
        if !self.figurines {
            if !self.makes_games {
                self.movetext
                    .push_letters(word.room(), word.len(), judgement);
            } else if judgement.is_empty() {
                self.game.push_raw(Item::Move(word.letters()), 0);
            } else {
                let text = [word.letters(), judgement].concat();
                self.game.push_raw(Item::Move(&text), 0);
            }
            return;
        }
        self.text.clear();
        push_figurines(word.as_str(), self.letters, &mut self.text);
        self.text.extend(judgement.iter().map(|b| char::from(*b)));
        let item = Item::Move(self.text.as_str());
        if self.makes_games {
            self.game.push(item);
        } else {
            self.movetext.push(item);
        }
    }

    /// See [`Sink::guessed`].
    pub fn guessed(&mut self, trace: &Trace) {
        if self.traces {
            self.push(Item::Comment(&trace.to_string()));
        }
    }

    /// See [`Sink::between`].
    pub fn between(&mut self, item: Item<&str>) {
        match item {
            Item::Comment(text) | Item::LineComment(text)
                if !self.traces && text.contains(trace::COMMAND) =>
            {
                let rest = Trace::take(text, drop);
                if !rest.is_empty() {
                    self.push(Item::Comment(&rest));
                }
                return;
            }
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
        if let Some(item) = self.unread.add(&String::from_utf8_lossy(token)) {
            self.push(item);
        }
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

    /// A game in memory, with every move that was read in the new notation. To be called on a converter
    /// [to games](Self::to_games).
    ///
    /// ```
    /// use tridex_archive::{Game, Item};
    /// use tridex_notation::{Notation, WriteOptions};
    /// use tridex_replay::{Converter, Options, Wording};
    ///
    /// let mut game = Game::new();
    /// game.push_tag("Variant", "meder");
    /// game.push(Item::Move("b4N"));
    /// let wording = Wording { notation: Notation::Manual, options: WriteOptions::default() };
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
        replay_into(game, options, &mut Once(self), |once, played| {
            once.0.finish_game(played).cloned()
        })
    }

    /// [`repair_game`](crate::repair_game), with the corrected game converted while it is replayed.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    /// use tridex_notation::{Notation, WriteOptions};
    /// use tridex_replay::{Converter, Options, Wording, replay};
    ///
    /// let text = b"[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N *\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// let options = Options::default();
    /// let found = replay(&games[0], &options).diagnostics;
    /// let wording = Wording { notation: Notation::Manual, options: WriteOptions::default() };
    /// let mut converter = Converter::to_games(wording);
    /// let (repaired, _) = converter.repair(&games[0], &found, &options).ok_or("not repaired")?;
    /// assert_eq!(repaired?.main_line().count(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repair(
        &mut self,
        game: &Game<'_>,
        found: &[Diagnostic],
        options: &Options,
    ) -> Option<(Result<Game<'static>, WrongFamily>, Report)> {
        repair_into(game, found, options, &mut Once(self), |once, played| {
            once.0.finish_game(played).cloned()
        })
    }

    fn check(&self) -> Result<(), WrongFamily> {
        if self.fits {
            return Ok(());
        }
        Err(WrongFamily {
            notation: self.wording.notation,
        })
    }

    /// The game is over: writes it as PGN at the end of `out`. Of a converter [to games](Self::to_games) there is no
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
        if let Some(why) = played.unreadable() {
            self.added.push((UNREADABLE.to_owned(), why));
        }
        let added = &self.added;
        let is_added = |name: &[u8]| added.iter().any(|(known, _)| known.as_bytes() == name);
        for tag in played.game().written_tags() {
            if is_steering(tag.name) || is_added(tag.name) {
                continue;
            }
            if let Some(tag) = again(tag) {
                tags.push_raw(tag.name, &tag.raw());
            }
        }
        steer(played, self.wording, |name, value| tags.push(name, value));
        for (name, value) in &self.added {
            tags.push(name, value);
        }
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
    pub fn finish_game(&mut self, played: &Played<'_>) -> Result<&Game<'static>, WrongFamily> {
        self.check()?;
        self.tell_unread();
        let game = &mut self.game;
        let result = played.result();
        for tag in played.game().written_tags().filter_map(again) {
            if tag.name == AS_WRITTEN.as_bytes() && game.tag("Result").is_none() {
                game.set_tag("Result", result.as_str());
            }
            if !is_steering(tag.name) {
                game.push_raw_tag(tag.name, &tag.raw());
            }
        }
        steer(played, self.wording, |name, value| {
            game.set_tag(name, value)
        });
        for (name, value) in self.added.drain(..) {
            game.set_tag(&name, &value);
        }
        if let Some(why) = played.unreadable() {
            game.set_tag(UNREADABLE, &why);
        }
        game.result = Some(result);
        Ok(game)
    }
}

/// The piece and the promotion for which the text of a move has letters, if the notation has letters for pieces.
fn lettered(position: &Position, notation: Notation, mv: Move) -> (Option<Role>, Option<Role>) {
    if !matches!(notation, Notation::Meder | Notation::Millennium) {
        return (None, None);
    }
    let piece = match mv {
        Move::Piece { from, .. } => position.piece_at(from).map(|piece| piece.role),
        _ => None,
    };
    (piece.filter(|role| *role != Role::Pawn), mv.promotion())
}

/// The text of a legal move with chess figures for the letters of pieces; the same text in a notation that has none. The
/// position is that before the move.
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
    let mut out = String::new();
    push_figurines(word, lettered(position, notation, mv), &mut out);
    out
}

/// Writes a move with figures for its letters: the first is the piece's, the last before the marks the promotion's.
fn push_figurines(word: &str, (piece, promotion): (Option<Role>, Option<Role>), out: &mut String) {
    let rest = match piece {
        Some(role) => {
            out.push(figurine(role));
            word.get(1..).unwrap_or_default()
        }
        None => word,
    };
    let body = rest.trim_end_matches(['+', '#']);
    let marks = rest.get(body.len()..).unwrap_or_default();
    match promotion {
        Some(role) => {
            let passing = body.strip_suffix("e.p.").unwrap_or(body);
            let behind = body.get(passing.len()..).unwrap_or_default();
            out.push_str(
                passing
                    .get(..passing.len().saturating_sub(1))
                    .unwrap_or_default(),
            );
            out.push(figurine(role));
            out.push_str(behind);
        }
        None => out.push_str(body),
    }
    out.push_str(marks);
}

/// The figure of a piece, White's for both players, as is customary.
const fn figurine(role: Role) -> char {
    match role {
        Role::King => '\u{2654}',
        Role::Queen => '\u{2655}',
        Role::Rook => '\u{2656}',
        Role::Bishop => '\u{2657}',
        Role::Knight => '\u{2658}',
        Role::Pawn => '\u{2659}',
    }
}

/// Whether a tag determines how a game is read.
fn is_steering(name: &[u8]) -> bool {
    // Most names are rejected by their first letter.
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
pub(crate) struct Once<'c>(pub(crate) &'c mut Converter);

impl Sink for Once<'_> {
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

    fn guessed(&mut self, trace: &Trace) {
        self.0.guessed(trace);
    }

    fn between(&mut self, item: Item<&str>) {
        self.0.between(item);
    }

    fn unread(&mut self, token: &[u8]) {
        self.0.unread(token);
    }

    fn game(&mut self, _game: &Played<'_>) {}
}

/// A game with every move that was read in the new notation, and its findings.
///
/// ```
/// use tridex_archive::{Limits, game, pgn, write};
/// use tridex_notation::{Notation, WriteOptions};
/// use tridex_replay::{Options, Wording, convert};
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b5B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let wording = Wording { notation: Notation::Manual, options: WriteOptions::default() };
/// let (converted, report) = convert(&games[0], &Options::default(), wording)?;
/// let mut out = Vec::new();
/// write::pgn(&converted, &mut out)?;
/// assert_eq!(report.moves.len(), 2);
/// assert!(String::from_utf8(out)?.contains("1. "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the notation cannot describe the board of the game.
pub fn convert(
    game: &Game<'_>,
    options: &Options,
    wording: Wording,
) -> Result<(Game<'static>, Report), WrongFamily> {
    let mut converter = Converter::to_games(wording);
    replay_into(game, options, &mut Once(&mut converter), |once, played| {
        Ok((once.0.finish_game(played)?.clone(), played.report()))
    })
}
