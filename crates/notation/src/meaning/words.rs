//! The words for a parsed token.

use super::Meaning;
use crate::messages::main_board;
use crate::text::{
    BoardPattern, CheckMark, Coordinates, Departure, Level, Locale, MovePattern, Notation,
    PiecePattern, TokenNote,
};
use crate::{names, programs};
use tridex_geometry::stair::{AttackBoard, Column, MainBoard, Pin, Surface};
use tridex_geometry::{Family, Square, Wing};
use tridex_rules::{CastlingSide, Move, Position, Role};
use tridex_text::enumeration;

/// Something that a token names, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name: a square, a pin, a board or a mark.
    pub name: String,
    /// What it is.
    pub words: String,
}

impl Named {
    fn new(name: impl Into<String>, words: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            words: words.into(),
        }
    }
}

/// Where king and rook go in a castling that is legal in a position; `None` if it is not legal.
///
/// ```
/// use tridex_notation::{Notation, read_moves};
/// use tridex_notation::meaning::castling_way;
/// use tridex_rules::{CastlingSide, Position, RuleSystem};
///
/// let mut position = Position::start(RuleSystem::Meder);
/// for played in read_moves(&position, "b4N b5B")? {
///     position.play_unchecked(played);
/// }
/// assert_eq!(
///     castling_way(&position, CastlingSide::King, Notation::Meder).as_deref(),
///     Some("the king goes from d0KL1 to e0KL1, the rook from e0KL1 to d0KL1")
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn castling_way(position: &Position, side: CastlingSide, notation: Notation) -> Option<String> {
    let castle = Move::Castle(side);
    if !position.is_legal(castle) {
        return None;
    }
    let (king, to) = programs::castling_way(position, castle)?;
    let turn = position.turn();
    let mut after = position.clone();
    after.play_unchecked(castle);
    let rooks = |position: &Position| position.pieces(turn, Role::Rook);
    let (before, arrived) = (rooks(position), rooks(&after));
    let left = before.into_iter().find(|rook| !arrived.contains(*rook))?;
    let reached = arrived.into_iter().find(|rook| !before.contains(*rook))?;
    let name = |square: Square| names::square(notation, position.layout(), square);
    Some(format!(
        "the king goes from {} to {}, the rook from {} to {}",
        name(king),
        name(to),
        name(left),
        name(reached)
    ))
}

impl Meaning {
    /// What the token means, as a sentence without a full stop.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_notation::meaning::meanings;
    ///
    /// let found = meanings(b"b3,WBxc4,NB", &Notation::ALL, None);
    /// assert_eq!(found[0].words(), "the piece on b3,WB captures on c4,NB");
    /// ```
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = match self.text.pattern() {
            MovePattern::Piece(piece) => self.piece_words(piece),
            MovePattern::Board(board) => self.board_words(board),
            MovePattern::Castle(CastlingSide::King) => "the king castles on the king's side".into(),
            MovePattern::Castle(CastlingSide::Queen) => {
                "the king castles on the queen's side".into()
            }
        };
        words.push_str(match self.text.mark {
            CheckMark::None => "",
            CheckMark::Check => " and gives check",
            CheckMark::Mate => " and gives checkmate",
        });
        if self.text.draw_offer {
            words.push_str("; a draw is offered");
        }
        words
    }

    /// The name of the notation or program, and the languages if the token differs between them: `Meder's notation, in
    /// English, German, Dutch and Czech`.
    ///
    /// ```
    /// use tridex_notation::meaning::meanings;
    /// use tridex_notation::{Locale, Notation};
    ///
    /// let found = meanings(b"Sb3W", &Notation::ALL, None);
    /// assert_eq!(found[0].source(), "Meder's notation, in German");
    /// ```
    #[must_use]
    pub fn source(&self) -> String {
        if let Some(program) = self.program {
            return format!("as {} writes it", program.title());
        }
        let notation = match self.notation {
            Notation::Meder => "Meder's notation",
            Notation::Manual => "the manual's notation",
            Notation::Millennium => "Millennium's notation",
            Notation::Chess3 => "Chess3's notation",
        };
        if self.is_in_every_language() {
            return notation.to_owned();
        }
        let named: Vec<&str> = self
            .locales
            .iter()
            .flat_map(|l| languages(*l))
            .copied()
            .collect();
        format!("{notation}, in {}", enumeration(&named, "and"))
    }

    /// The squares, boards, pins and unusual spellings of the token, each with what it is.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_notation::meaning::meanings;
    ///
    /// let named = meanings(b"Rd0KL1", &Notation::ALL, None)[0].named();
    /// assert_eq!(named[0].words, "file d, rank 0, on the attack board on pin KL1");
    /// assert_eq!(named[1].words, "the pin above d1W, a corner of White's Board");
    /// ```
    #[must_use]
    pub fn named(&self) -> Vec<Named> {
        let mut found: Vec<Named> = Vec::new();
        match self.text.pattern() {
            MovePattern::Piece(piece) => {
                if let Some(from) = whole(&piece.from) {
                    self.name_square(&from, &mut found);
                }
                self.name_square(&piece.to, &mut found);
            }
            MovePattern::Board(board) => {
                for pin in board.from.into_iter().chain([board.to]) {
                    self.name_pin(pin, &mut found);
                }
                if let Some((Some(place), _)) = &board.promotion {
                    self.name_square(place, &mut found);
                }
            }
            MovePattern::Castle(_) => {}
        }
        if self.text.en_passant {
            found.push(Named::new(
                "e.p.",
                "en passant: the captured pawn has just advanced two squares",
            ));
        }
        let notes = [
            (
                TokenNote::MissingLevel,
                "the level of a square is omitted; the position decides",
            ),
            (
                TokenNote::Case,
                "the notation uses capitals and small letters differently",
            ),
            (
                TokenNote::PawnLetter,
                "the notation writes no letter for a pawn",
            ),
            (TokenNote::Spelling, "unusual, but it can mean nothing else"),
        ];
        let noted = notes
            .into_iter()
            .filter(|(note, _)| self.text.notes.has(*note));
        found.extend(noted.map(|(_, words)| Named::new("spelling", words)));
        found
    }

    /// Why a square of the token exists in no position, if this is so.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_notation::meaning::meanings;
    ///
    /// let found = meanings(b"Nb9W", &[Notation::Meder], None);
    /// assert_eq!(
    ///     found[0].missing_square().as_deref(),
    ///     Some("there is no square b9W: White's Board has the files a to d and the ranks 1 to 4")
    /// );
    /// ```
    #[must_use]
    pub fn missing_square(&self) -> Option<String> {
        let places: Vec<Coordinates> = match self.text.pattern() {
            MovePattern::Piece(piece) => whole(&piece.from).into_iter().chain([piece.to]).collect(),
            MovePattern::Board(board) => board
                .promotion
                .and_then(|(place, _)| place)
                .into_iter()
                .collect(),
            MovePattern::Castle(_) => Vec::new(),
        };
        places.iter().find_map(|place| {
            let why = self.why_missing(place)?;
            Some(format!("there is no square {}: {why}", self.square(place)))
        })
    }

    fn why_missing(&self, place: &Coordinates) -> Option<String> {
        if self.notation.family() == Family::Cube {
            return None;
        }
        let column = Column::try_new(place.file, place.rank)?;
        match place.level? {
            Level::Main(board) if board.square(column).is_none() => {
                let corner = |file, rank| Coordinates {
                    file,
                    rank,
                    level: None,
                };
                // The main boards have the second to the fifth file.
                let (near, far) = (
                    corner(1, board.near_rank()),
                    corner(4, board.near_rank() + 3),
                );
                Some(format!(
                    "{} has the files {} to {} and the ranks {} to {}",
                    main_board(board),
                    self.file(near.file),
                    self.file(far.file),
                    self.rank(near.rank),
                    self.rank(far.rank),
                ))
            }
            Level::Pin(pin) if !pin.covers(column) => {
                let covered: Vec<String> = pin
                    .columns()
                    .into_iter()
                    .map(|column| self.column(column))
                    .collect();
                Some(format!(
                    "the attack board on {} covers {}",
                    names::pin(self.notation, pin),
                    enumeration(&covered, "and")
                ))
            }
            Level::Attack(_) if !Pin::all().any(|pin| pin.covers(column)) => {
                let column = self.column(column);
                Some(format!("no attack board can cover {column}"))
            }
            _ => None,
        }
    }

    fn piece_words(&self, piece: &PiecePattern) -> String {
        let mut words = match piece.role {
            Some(role) => role.name(),
            None => "piece",
        }
        .to_owned();
        match self.departure(&piece.from) {
            Some(from) if whole(&piece.from).is_some() => {
                words = format!("the {words} {from}");
            }
            Some(from) => words = format!("the {words} {from}"),
            None => words = format!("a {words}"),
        }
        let is_capture = self.text.captures();
        words.push_str(if is_capture { " captures " } else { " moves " });
        if self.text.en_passant {
            words.push_str("en passant, arriving ");
        }
        let preposition = match (is_capture, self.text.en_passant) {
            (false, false) => "to",
            _ => "on",
        };
        words.push_str(preposition);
        words.push(' ');
        words.push_str(&self.square(&piece.to));
        if let Some(role) = piece.promotion {
            words.push_str(" and becomes ");
            words.push_str(with_article(role));
        }
        words
    }

    /// What is written of the square of departure: `on b3W`, `from file b`.
    fn departure(&self, from: &Departure) -> Option<String> {
        if let Some(from) = whole(from) {
            return Some(format!("on {}", self.square(&from)));
        }
        let mut parts = Vec::new();
        parts.extend(from.file.map(|file| format!("file {}", self.file(file))));
        parts.extend(from.rank.map(|rank| format!("rank {}", self.rank(rank))));
        let mut words = match parts.is_empty() {
            true => String::new(),
            false => format!("from {}", parts.join(", ")),
        };
        if let Some(level) = from.level {
            words.push_str(if words.is_empty() { "from " } else { " of " });
            words.push_str(&self.level(level));
        }
        Some(words).filter(|words| !words.is_empty())
    }

    fn board_words(&self, board: &BoardPattern) -> String {
        let to = names::pin(self.notation, board.to);
        let mut words = match board.from {
            Some(from) if from == board.to && board.turned => {
                format!("the attack board on {to} turns by 180 degrees in place")
            }
            Some(from) => {
                let from = names::pin(self.notation, from);
                format!("the attack board on {from} moves to {to}")
            }
            None if board.turned => format!("the attack board on {to} turns by 180 degrees"),
            None => format!("an attack board moves to {to}"),
        };
        if board.turned && board.from.is_some_and(|from| from != board.to) {
            words.push_str(" and turns by 180 degrees");
        }
        if let Some((place, role)) = &board.promotion {
            let place = place.map(|place| format!(" on {}", self.square(&place)));
            words.push_str(", and the pawn");
            words.push_str(&place.unwrap_or_default());
            words.push_str(" becomes ");
            words.push_str(with_article(*role));
        }
        words
    }

    fn name_square(&self, place: &Coordinates, found: &mut Vec<Named>) {
        let mut words = format!(
            "file {}, rank {}",
            self.file(place.file),
            self.rank(place.rank)
        );
        let column = Column::try_new(place.file, place.rank);
        match place.level {
            Some(level) => {
                words.push_str(", on ");
                words.push_str(&self.level(level));
                words.push_str(match level {
                    Level::Main(MainBoard::White) => " (the lowest)",
                    Level::Main(MainBoard::Neutral) => " (the middle one)",
                    Level::Main(MainBoard::Black) => " (the highest)",
                    _ => "",
                });
            }
            None => words.push_str(", on a level that is not written"),
        }
        push(found, Named::new(self.square(place), words));
        match place.level {
            Some(Level::Pin(pin)) => self.name_pin(pin, found),
            Some(Level::Attack(board)) => {
                let Some(column) = column else { return };
                let pins = Pin::all().filter(|pin| pin.covers(column));
                let pins: Vec<String> = pins.map(|pin| names::pin(self.notation, pin)).collect();
                if !pins.is_empty() {
                    let words =
                        format!("with this square it is on pin {}", enumeration(&pins, "or"));
                    push(found, Named::new(names::manual_board(board), words));
                }
            }
            _ => {}
        }
    }

    fn name_pin(&self, pin: Pin, found: &mut Vec<Named>) {
        let board = pin.corner().main_board();
        let corner = pin.corner().column(pin.wing());
        let corner = Coordinates {
            file: corner.file(),
            rank: corner.rank(),
            level: Some(Level::Main(board)),
        };
        let surface = match pin.surface() {
            Surface::Over => "above",
            Surface::Under => "below",
        };
        let words = format!(
            "the pin {surface} {}, a corner of {}",
            self.square(&corner),
            main_board(board)
        );
        push(found, Named::new(names::pin(self.notation, pin), words));
    }

    fn square(&self, place: &Coordinates) -> String {
        names::place(self.notation, place)
    }

    fn column(&self, column: Column) -> String {
        self.square(&Coordinates {
            file: column.file(),
            rank: column.rank(),
            level: None,
        })
    }

    /// The letter of a file.
    fn file(&self, file: u8) -> String {
        let of = Coordinates {
            file,
            rank: 0,
            level: None,
        };
        let name = self.square(&of);
        name.chars().filter(|c| !c.is_ascii_digit()).collect()
    }

    /// The number of a rank.
    fn rank(&self, rank: u8) -> String {
        let of = Coordinates {
            file: 0,
            rank,
            level: None,
        };
        let name = self.square(&of);
        name.chars().filter(char::is_ascii_digit).collect()
    }

    fn level(&self, level: Level) -> String {
        match level {
            Level::Main(board) => main_board(board).to_owned(),
            Level::Pin(pin) => {
                format!("the attack board on pin {}", names::pin(self.notation, pin))
            }
            Level::Attack(board) => attack_board(board),
            Level::Cube(level) => format!("level {}", level.saturating_add(1)),
        }
    }
}

/// Adds a name, unless it is there.
fn push(found: &mut Vec<Named>, named: Named) {
    if !found.contains(&named) {
        found.push(named);
    }
}

/// The square of departure, if its file and rank are written.
fn whole(from: &Departure) -> Option<Coordinates> {
    Some(Coordinates {
        file: from.file?,
        rank: from.rank?,
        level: from.level,
    })
}

const fn with_article(role: Role) -> &'static str {
    match role {
        Role::Pawn => "a pawn",
        Role::Knight => "a knight",
        Role::Bishop => "a bishop",
        Role::Rook => "a rook",
        Role::Queen => "a queen",
        Role::King => "a king",
    }
}

fn attack_board(board: AttackBoard) -> String {
    let owner = if board.is_white() {
        "White's"
    } else {
        "Black's"
    };
    let wing = match board.wing() {
        Wing::Queen => "queen's",
        Wing::King => "king's",
    };
    let name = names::manual_board(board);
    format!("{name}, {owner} attack board of the {wing} side")
}

/// The English names of the languages of a locale.
const fn languages(locale: Locale) -> &'static [&'static str] {
    match locale {
        Locale::English => &["English"],
        Locale::German => &["German"],
        Locale::French => &["French"],
        Locale::Dutch => &["Dutch"],
        Locale::Czech => &["Czech"],
        Locale::Spanish => &["Spanish", "Italian"],
    }
}
