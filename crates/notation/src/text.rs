//! Parsed tokens, before they are looked up in a position, and other types that all notations share.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use tridex_geometry::stair::Pin;
pub use tridex_rules::{BoardPattern, Coordinates, Departure, Level, MovePattern, PiecePattern};
use tridex_rules::{PlayedMove, Position, Role, RuleSystem, WrittenMove};
use tridex_text::UnknownName;

/// A way to spell moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Notation {
    /// Meder's algebraic notation, stair board.
    Meder,
    /// The notation of the "manual" rules, stair board.
    Manual,
    /// Short algebraic notation with levels, cube board.
    Millennium,
    /// Coordinates, cube board.
    Chess3,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 4] = [Self::Meder, Self::Manual, Self::Millennium, Self::Chess3];

    /// The name used in options and tags.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Meder => "meder",
            Self::Manual => "manual",
            Self::Millennium => "millennium",
            Self::Chess3 => "chess3",
        }
    }

    /// The notation of a name, without regard to case.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// assert_eq!(Notation::from_name("Meder"), Some(Notation::Meder));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|notation| notation.name().eq_ignore_ascii_case(name.trim()))
    }

    /// Returns the notation in which games of a rule system are written unless they state another.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_rules::RuleSystem;
    ///
    /// assert_eq!(Notation::of(RuleSystem::Chess3), Notation::Chess3);
    /// // The federation's text has no notation of its own.
    /// assert_eq!(Notation::of(RuleSystem::Federation), Notation::Meder);
    /// ```
    pub fn of(rules: RuleSystem) -> Self {
        let facts = rules.facts();
        let is_named = |notation: &Self| notation.name() == facts.notation;
        let is_of_board = |notation: &Self| notation.family() == facts.family;
        let mut fitting = Self::ALL.into_iter().filter(is_of_board);
        // A test checks that every system names a notation of its own board.
        let own = fitting.clone().find(is_named).or_else(|| fitting.next());
        own.unwrap_or(Self::Meder)
    }

    /// Whether check and mate marks are customary in the notation.
    ///
    /// ```
    /// use tridex_notation::Notation;
    ///
    /// assert!(Notation::Meder.has_marks() && !Notation::Manual.has_marks());
    /// assert_eq!(Notation::Chess3.family(), tridex_geometry::Family::Cube);
    /// ```
    pub const fn has_marks(self) -> bool {
        matches!(self, Self::Meder | Self::Millennium)
    }

    /// Whether the notation writes letters for pieces, which differ between languages.
    pub const fn has_letters(self) -> bool {
        matches!(self, Self::Meder | Self::Millennium)
    }

    /// The board family that the notation can describe.
    pub const fn family(self) -> tridex_geometry::Family {
        match self {
            Self::Meder | Self::Manual => tridex_geometry::Family::Stair,
            Self::Millennium | Self::Chess3 => tridex_geometry::Family::Cube,
        }
    }
}

impl Display for Notation {
    /// Writes [`Notation::name`].
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Notation {
    type Err = UnknownName;

    /// Same as [`Notation::from_name`], but the error lists the known names.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let names = Self::ALL.map(Self::name);
        Self::from_name(name).ok_or_else(|| UnknownName::new("notation", name, &names))
    }
}

/// The language whose letters a score sheet uses for pieces, levels and pins (Meder, Article E6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Locale {
    /// `K Q R B N`, levels `W N B`, pins `QL KL`.
    English,
    /// `K D T L S`, levels `W N S`, pins `DP KP` (also `DL KL`).
    German,
    /// `R D T F C`.
    French,
    /// `K D T L P`.
    Dutch,
    /// `K D V S J`.
    Czech,
    /// `R D T A C`, Spanish and Italian alike.
    Spanish,
}

impl Locale {
    /// All locales, English first.
    pub const ALL: [Self; 6] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Dutch,
        Self::Czech,
        Self::Spanish,
    ];

    /// Its code, its English name, and its piece letters in the order of [`Role::ALL`], with a blank for the pawn.
    const fn row(self) -> (&'static str, &'static str, &'static [u8; 6]) {
        match self {
            Self::English => ("en", "English", b" NBRQK"),
            Self::German => ("de", "German", b" SLTDK"),
            Self::French => ("fr", "French", b" CFTDR"),
            Self::Dutch => ("nl", "Dutch", b" PLTDK"),
            Self::Czech => ("cs", "Czech", b" JSVDK"),
            Self::Spanish => ("es", "Spanish or Italian", b" CATDR"),
        }
    }

    /// The two-letter code: `en de fr nl cs es`.
    pub const fn code(self) -> &'static str {
        self.row().0
    }

    /// The English name of the language.
    pub const fn name(self) -> &'static str {
        self.row().1
    }

    /// The letters of the pieces.
    pub(crate) const fn letters(self) -> &'static [u8; 6] {
        self.row().2
    }

    /// The locale of a code, without regard to case; `it` is read as `es`.
    ///
    /// ```
    /// use tridex_notation::Locale;
    /// assert_eq!(Locale::from_code("DE"), Some(Locale::German));
    /// assert_eq!(Locale::German.name(), "German");
    /// ```
    pub fn from_code(code: &str) -> Option<Self> {
        let code = code.trim();
        if code.eq_ignore_ascii_case("it") {
            return Some(Self::Spanish);
        }
        Self::ALL
            .into_iter()
            .find(|locale| locale.code().eq_ignore_ascii_case(code))
    }
}

impl Display for Locale {
    /// Writes [`Locale::code`].
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl FromStr for Locale {
    type Err = UnknownName;

    /// Same as [`Locale::from_code`], but the error lists the known codes.
    ///
    /// ```
    /// use tridex_notation::{Locale, Notation};
    /// assert_eq!("it".parse(), Ok(Locale::Spanish));
    /// assert_eq!("millenium".parse::<Notation>().unwrap_err().near(), ["millennium"]);
    /// ```
    fn from_str(code: &str) -> Result<Self, UnknownName> {
        let codes = Self::ALL.map(Self::code);
        Self::from_code(code).ok_or_else(|| UnknownName::new("language", code, &codes))
    }
}

/// A check or mate mark after a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum CheckMark {
    /// No mark. This does not mean that there is no check.
    #[default]
    None,
    /// `+`.
    Check,
    /// `#` or `++`.
    Mate,
}

impl CheckMark {
    /// Whether the mark is true of a move that was played; no mark is always true. `after` is the position after the
    /// move.
    #[must_use]
    #[inline]
    pub fn is_true(self, played: &PlayedMove, after: &Position) -> bool {
        match self {
            Self::None => true,
            Self::Check => played.check,
            Self::Mate => after.is_checkmate(),
        }
    }
}

/// A deviation that the reader accepted, to be reported with the token.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum TokenNote {
    /// A letter is from another language than that of the score sheet.
    ForeignLetter,
    /// A likely misread character was read as another (`O` for `0`, `l` or `I` for `1`, `S` for `5`, `B` for `8`).
    Ocr,
    /// The token is in another notation of the board family.
    OtherNotation,
    /// The level was omitted.
    MissingLevel,
    /// The notation uses the other case.
    Case,
    /// The spelling belongs to no notation but is unambiguous: `00`, `b4(N)`, `QL6=Q`, `mate`.
    Spelling,
    /// A pawn is named by a letter, `P`, which the notation does not use.
    PawnLetter,
}

/// A set of [`TokenNote`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct TokenNotes(u8);

impl TokenNotes {
    /// No note.
    pub const NONE: Self = Self(0);

    /// The set with one more note.
    pub const fn with(self, note: TokenNote) -> Self {
        Self(self.0 | 1 << note as u8)
    }

    /// The set without a note.
    pub const fn without(self, note: TokenNote) -> Self {
        Self(self.0 & !(1 << note as u8))
    }

    /// The notes of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set contains the note.
    pub const fn has(self, note: TokenNote) -> bool {
        self.0 >> note as u8 & 1 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl From<TokenNote> for TokenNotes {
    fn from(note: TokenNote) -> Self {
        Self::NONE.with(note)
    }
}

impl tridex_grammar::Notes for TokenNotes {
    fn and(self, other: Self) -> Self {
        Self::and(self, other)
    }
}

/// Something read from a token, with notes of what was unusual in it.
pub(crate) type Noted<T> = tridex_grammar::Noted<T, TokenNotes>;

/// A parsed token that has not yet been looked up in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveText {
    /// What moves, where, and whether a capture is written (`x` or `:`).
    pub written: WrittenMove,
    /// Whether en passant is written.
    pub en_passant: bool,
    /// The check or mate mark.
    pub mark: CheckMark,
    /// Whether a draw was offered in the same token (`(=)`).
    pub draw_offer: bool,
    /// How many bytes at the end of the token are comment marks (`!`, `?` and the like), 255 if there are more.
    pub suffix: u8,
    /// The deviations that were accepted.
    pub notes: TokenNotes,
}

impl MoveText {
    /// What moves, and where.
    #[must_use]
    pub const fn pattern(&self) -> &MovePattern {
        self.written.pattern()
    }

    /// Whether a capture is written.
    #[must_use]
    pub const fn captures(&self) -> bool {
        self.written.captures()
    }

    /// Whether the token has no notes, no `e.p.` and no draw offer. If so, and [`Position::find`] returns one move for
    /// [`MoveText::written`], that move is the only one of the [`candidates`](crate::resolve::candidates).
    ///
    /// ```
    /// use tridex_notation::{Notation, parse};
    /// use tridex_rules::{Position, RuleSystem};
    /// let text = parse(Notation::Meder, b"Nb3W", None)?;
    /// assert!(text.is_plain());
    /// assert!(Position::start(RuleSystem::Meder).find(&text.written).one().is_some());
    /// // The level is missing.
    /// assert!(!parse(Notation::Meder, b"Nb3", None)?.is_plain());
    /// # Ok::<(), tridex_notation::SyntaxError>(())
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_plain(&self) -> bool {
        self.notes.is_empty() && !self.en_passant && !self.draw_offer
    }

    /// Replaces the pattern and keeps the marks.
    pub(crate) fn with_pattern(self, pattern: MovePattern) -> Self {
        let written = WrittenMove::new(pattern, self.captures());
        Self { written, ..self }
    }
}

/// The pattern of a piece that goes from a square to a square; without a role, any piece fits.
pub(crate) const fn piece_between(
    role: Option<Role>,
    from: Coordinates,
    to: Coordinates,
    promotion: Option<Role>,
) -> MovePattern {
    let from = Departure {
        file: Some(from.file),
        rank: Some(from.rank),
        level: from.level,
    };
    MovePattern::Piece(PiecePattern {
        role,
        from,
        to,
        promotion,
    })
}

/// The pattern of a board that goes from a pin to a pin, optionally with a promotion whose square is not written.
pub(crate) fn board_between(
    from: Pin,
    to: Pin,
    turned: bool,
    promotion: Option<Role>,
) -> MovePattern {
    MovePattern::Board(BoardPattern {
        from: Some(from),
        to,
        either_surface: false,
        turned,
        promotion: promotion.map(|role| (None, role)),
    })
}

/// Splits off the longest end of a token that consists only of the bytes `of`.
///
/// ```
/// assert_eq!(tridex_notation::split_end(b"Nc2W+!?", b"!?"), (&b"Nc2W+"[..], &b"!?"[..]));
/// ```
#[inline]
pub fn split_end<'t>(token: &'t [u8], of: &[u8]) -> (&'t [u8], &'t [u8]) {
    let last = token.iter().rposition(|byte| !of.contains(byte));
    token.split_at(last.map_or(0, |last| last + 1))
}

/// The evaluation marks (`!`, `?`) at the end of a move's token. A token of marks alone, such as `???`, replaces a move
/// and has none.
///
/// ```
/// assert_eq!(tridex_notation::judgement(b"Nc2W+!?"), b"!?");
/// assert_eq!(tridex_notation::judgement(b"???"), b"");
/// ```
#[inline]
pub fn judgement(token: &[u8]) -> &[u8] {
    match split_end(token, b"!?") {
        ([], _) => &[],
        (_, judgement) => judgement,
    }
}

/// The marks that follow a move and belong to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Tail {
    /// Whether en passant is written.
    pub en_passant: bool,
    /// The check or mate mark.
    pub mark: CheckMark,
    /// Whether a draw was offered.
    pub draw_offer: bool,
    /// How many bytes at the end are comment marks (`!`, `?` and the like), 255 if there are more.
    pub suffix: u8,
    /// What was unusual in the marks.
    pub notes: TokenNotes,
}

impl Tail {
    /// A move with these marks.
    pub(crate) fn on(self, pattern: MovePattern, captures: bool, notes: TokenNotes) -> MoveText {
        MoveText {
            written: WrittenMove::new(pattern, captures),
            en_passant: self.en_passant,
            mark: self.mark,
            draw_offer: self.draw_offer,
            suffix: self.suffix,
            notes: notes.and(self.notes),
        }
    }
}

/// How to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The language of the letters.
    pub locale: Locale,
    /// Write the level of a capturing pawn even where the file is enough (`aWxb4W`, Article E10), or only where it is
    /// needed (`axb4W`, Article E12). Meder's notation only.
    pub full_pawn_captures: bool,
    /// Write check and mate marks. `None` follows the custom of the notation: Meder's and Millennium's have marks, the
    /// manual's and Chess3's do not.
    pub marks: Option<bool>,
}

tridex_text::setters! {
    impl[] WriteOptions {
        locale: Locale,
        full_pawn_captures: bool,
        marks: Option<bool>,
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            locale: Locale::English,
            full_pawn_captures: true,
            marks: None,
        }
    }
}

/// An error: the notation cannot describe the board of the position. A notation of the stair board cannot name squares
/// of the cube, and a notation of the cube cannot name squares of the stair board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrongFamily {
    /// The notation.
    pub notation: Notation,
}

impl Display for WrongFamily {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let board = match self.notation.family() {
            tridex_geometry::Family::Stair => "stair board",
            tridex_geometry::Family::Cube => "cube board",
        };
        let name = self.notation.name();
        write!(f, "{name} is a notation for the {board}")
    }
}

impl std::error::Error for WrongFamily {}

#[cfg(test)]
mod tests;
