//! Positions: legal moves, pictures, and setting up a position.

use crate::choices::{Named, Rules};
use crate::json;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use tridex_geometry::stair::{self, AttackBoard, Board as StairBoard, Column, MainBoard, Pin};
use tridex_geometry::{Shade, Square, cube};
use tridex_notation::names::{self, manual_board, manual_main_board, pin_in_strings};
use tridex_notation::programs::PositionFault;
use tridex_notation::{Fen, Notation, position_string, programs};
use tridex_page::{
    LegalMove, OutputStyle, PageGame, PlayerOptions, Spot, legal_moves, viewer_data,
};
use tridex_picture::{Arrangement, Marks, PictureOptions, Theme, View, setup_svg, svg};
use tridex_rules::{Color, Move, Piece, Position, RuleSystem, Setup};

/// A position: that of a position string, or the start of the rules.
#[derive(Deserialize)]
pub(crate) struct Place {
    rules: Rules,
    fen: Option<String>,
}

#[derive(Serialize)]
struct Described {
    rules: &'static str,
    fen: String,
    key: String,
    turn: &'static str,
    check: bool,
    outcome: Option<String>,
    legal: usize,
}

impl Place {
    pub(crate) fn answer(&self) -> Result<(String, Vec<u8>), String> {
        Ok((
            describe(&position(self.rules, self.fen.as_deref())?),
            Vec::new(),
        ))
    }
}

/// The position of a position string, playable or not, or the start of the rules.
fn setup(rules: Rules, fen: Option<&str>) -> Result<Setup, String> {
    let Some(fen) = fen else {
        return Ok(rules.0.start());
    };
    let read = programs::parse_any_position(fen);
    let (setup, _) = read.map_err(|fault| unread(&fault))?;
    Ok(setup)
}

fn unread(fault: &PositionFault) -> String {
    format!("the position cannot be read: {fault}")
}

fn position(rules: Rules, fen: Option<&str>) -> Result<Position, String> {
    playable(rules.0, &setup(rules, fen)?)
}

fn describe(position: &Position) -> String {
    json(&Described {
        rules: position.rules().name(),
        fen: Fen::of(position).to_string(),
        key: format!("{:016x}", position.key()),
        turn: color_name(position.turn()),
        check: position.is_check(),
        outcome: position.outcome().map(|outcome| outcome.to_string()),
        legal: position.legal_moves().len(),
    })
}

fn playable(rules: RuleSystem, setup: &Setup) -> Result<Position, String> {
    Position::from_setup(rules, setup).map_err(|fault| {
        let name = rules.name();
        format!("the position cannot be played under {name}: {fault}")
    })
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The legal moves of a position.
#[derive(Deserialize)]
pub(crate) struct Moves {
    rules: Rules,
    fen: Option<String>,
    /// If given, only the moves from this square, by its index or any of its names, or of this attack board.
    from: Option<From>,
}

enum From {
    Square(u8),
    Name(String),
}

impl<'de> Deserialize<'de> for From {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyFrom)
    }
}

struct AnyFrom;

impl Visitor<'_> for AnyFrom {
    type Value = From;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the index or the name of a square, or a board")
    }

    fn visit_u64<E: de::Error>(self, index: u64) -> Result<From, E> {
        let index = u8::try_from(index);
        let index = index.map_err(|_| E::custom("there is no such square"))?;
        Ok(From::Square(index))
    }

    fn visit_str<E>(self, name: &str) -> Result<From, E> {
        Ok(From::Name(name.to_owned()))
    }
}

impl Moves {
    pub(crate) fn answer(&self) -> Result<(String, Vec<u8>), String> {
        let position = position(self.rules, self.fen.as_deref())?;
        let mut moves = legal_moves(&position);
        if let Some(from) = &self.from {
            let spots = match from {
                From::Square(index) => vec![Spot::Square(*index)],
                From::Name(name) => {
                    let squares = squares_named(&position, name);
                    let squares = squares.map(Spot::from);
                    squares.chain([Spot::Name(name.clone())]).collect()
                }
            };
            moves.retain(|legal| spots.contains(&legal.from));
        }
        #[derive(Serialize)]
        struct Answer {
            moves: Vec<LegalMove>,
        }
        Ok((json(&Answer { moves }), Vec::new()))
    }
}

/// The squares with a name, in any notation of the board.
fn squares_named<'p>(position: &'p Position, name: &'p str) -> impl Iterator<Item = Square> + 'p {
    let family = position.family();
    let squares =
        (0..family.squares()).filter_map(|index| Square::try_new(u8::try_from(index).ok()?));
    squares.filter(move |square| {
        let mut known = Notation::ALL
            .into_iter()
            .filter(|notation| notation.family() == family);
        known.any(|notation| names::square(notation, position.layout(), *square) == name)
    })
}

/// A line of moves from a position, as the viewer shows it.
#[derive(Deserialize)]
pub(crate) struct Line {
    rules: Rules,
    fen: Option<String>,
    /// The moves, in any notation of the board.
    moves: Vec<String>,
    /// The notation to show first; without it, that of the rules.
    to: Option<Named>,
}

impl Line {
    pub(crate) fn answer(&self) -> Result<(String, Vec<u8>), String> {
        let start = position(self.rules, self.fen.as_deref())?;
        let moves = tridex_notation::read_moves(&start, &self.moves.join(" "));
        let moves: Vec<Move> = moves.map_err(|fault| fault.to_string())?;
        let own = Notation::of(start.rules());
        let spelling = OutputStyle::of(self.to.map_or(own, |to| to.0));
        let game =
            PageGame::of_line(&start, &moves, spelling).map_err(|fault| fault.to_string())?;
        let options = PlayerOptions::default().ply(moves.len());
        let mut last = start;
        for mv in moves {
            last.play_unchecked(mv);
        }
        Ok((describe(&last), viewer_data(&game, &options).into_bytes()))
    }
}

/// A position that is set up by hand, playable or not, and the changes to make.
#[derive(Deserialize)]
pub(crate) struct Edit {
    rules: Rules,
    fen: Option<String>,
    #[serde(default)]
    empty: bool,
    /// Squares, each with the letter of the piece to put on it, or without one to clear it.
    #[serde(default)]
    put: Vec<(u8, Option<char>)>,
    /// An attack board and the pin it is put on, as position strings name them.
    board: Option<(String, String)>,
    turn: Option<String>,
    #[serde(default)]
    theme: ThemeName,
}

/// The answer to a text that is not a position.
#[derive(Serialize)]
struct Unread {
    /// The error message.
    unread: String,
    /// How many characters of the text, as JavaScript counts them, could be read.
    at: usize,
    /// What was expected there.
    expected: String,
}

#[derive(Serialize)]
struct Edited {
    /// The rules: those of the request, or if they are for the other board, the first that allow the position.
    rules: &'static str,
    fen: String,
    turn: &'static str,
    /// Why the position cannot be played.
    fault: Option<String>,
    boards: Vec<Board>,
    /// All pins that the boards can be put on.
    pins: Vec<String>,
}

#[derive(Serialize)]
struct Board {
    name: String,
    /// The pin of an attack board.
    pin: Option<String>,
    /// Ranks from Black's side to White's, squares from the left.
    rows: Vec<Vec<Cell>>,
}

#[derive(Serialize)]
struct Cell {
    square: usize,
    name: String,
    /// Whether it is a light square.
    light: bool,
    piece: Option<char>,
}

impl Edit {
    /// The position after the changes, with its rules.
    fn changed(&self, mut setup: Setup) -> Result<(RuleSystem, Setup), String> {
        let rules = position_string::system_for(&setup, Some(self.rules.0));
        if self.empty {
            let mut empty = Setup::empty(setup.layout);
            empty.turn = setup.turn;
            setup = empty;
        }
        for (square, letter) in &self.put {
            let square = Square::try_new(*square).ok_or("there is no such square")?;
            let piece = letter.map(|letter| {
                Piece::from_letter(letter).ok_or_else(|| format!("`{letter}` is no piece"))
            });
            setup.set_piece(square, piece.transpose()?);
        }
        if let Some((board, pin)) = &self.board {
            let board = AttackBoard::ALL
                .into_iter()
                .find(|known| manual_board(*known) == board);
            let pin = Pin::all().find(|known| pin_in_strings(*known) == *pin);
            if let (Some(layout), Some(board), Some(pin)) = (setup.layout, board, pin) {
                setup.layout = Some(
                    layout
                        .moved(board, pin)
                        .map_err(|fault| fault.to_string())?,
                );
            }
        }
        match self.turn.as_deref() {
            Some("white") => setup.turn = Color::White,
            Some("black") => setup.turn = Color::Black,
            _ => {}
        }
        rules.drop_lost_rights(&mut setup);
        Ok((rules, setup))
    }

    pub(crate) fn answer(&self) -> Result<(String, Vec<u8>), String> {
        let read = match &self.fen {
            None => Ok(self.rules.0.start()),
            Some(fen) => programs::parse_any_position(fen).map(|(setup, _)| setup),
        };
        let setup = match (read, &self.fen) {
            (Ok(setup), _) => setup,
            (Err(fault), text) => {
                let before = text.as_deref().and_then(|text| text.get(..fault.offset()));
                let unread = Unread {
                    unread: unread(&fault),
                    at: before.unwrap_or_default().encode_utf16().count(),
                    expected: fault.expected(),
                };
                return Ok((json(&unread), Vec::new()));
            }
        };
        let (rules, setup) = self.changed(setup)?;
        let edited = Edited {
            rules: rules.name(),
            fen: position_string::to_string(&setup),
            turn: color_name(setup.turn),
            fault: playable(rules, &setup).err(),
            boards: boards(rules, &setup),
            pins: match setup.layout {
                Some(_) => Pin::all().map(pin_in_strings).collect(),
                None => Vec::new(),
            },
        };
        let options = PictureOptions::default().theme(self.theme.theme());
        Ok((
            json(&edited),
            setup_svg(rules, &setup, &options).into_bytes(),
        ))
    }
}

/// The boards with their squares, from Black's side to White's.
fn boards(rules: RuleSystem, setup: &Setup) -> Vec<Board> {
    let notation = Notation::of(rules);
    let cell = |square: Square| Cell {
        square: square.index(),
        name: names::square(notation, setup.layout.as_ref(), square),
        light: match &setup.layout {
            Some(layout) => stair::shade(layout.column(square)),
            None => cube::shade(square),
        } == Shade::Light,
        piece: setup.piece(square).map(Piece::letter),
    };
    let Some(layout) = &setup.layout else {
        let level = |level: u8| Board {
            name: format!("Level {}", level + 1),
            pin: None,
            rows: (0..8)
                .rev()
                .map(|rank| {
                    (0..8)
                        .filter_map(|file| cube::try_square(level, file, rank))
                        .map(cell)
                        .collect()
                })
                .collect(),
        };
        return (0..3).rev().map(level).collect();
    };
    let main = |board: MainBoard| Board {
        name: manual_main_board(board).to_owned(),
        pin: None,
        rows: (0..10)
            .rev()
            .map(|rank| {
                let columns = (0..6).filter_map(|file| Column::try_new(file, rank));
                columns
                    .filter_map(|column| board.square(column))
                    .map(cell)
                    .collect()
            })
            .filter(|row: &Vec<Cell>| !row.is_empty())
            .collect(),
    };
    let attack = |board: AttackBoard| {
        let pin = layout.pin(board);
        Board {
            name: manual_board(board).to_owned(),
            pin: Some(pin_in_strings(pin)),
            // The squares of a turned board are in other columns, so they are found by column.
            rows: (0..10)
                .rev()
                .map(|rank| {
                    let columns = (0..6).filter_map(|file| Column::try_new(file, rank));
                    let squares = columns
                        .filter_map(|column| layout.square(StairBoard::Attack(board), column));
                    squares.map(cell).collect()
                })
                .filter(|row: &Vec<Cell>| !row.is_empty())
                .collect(),
        }
    };
    let mains = MainBoard::ALL.into_iter().map(main);
    let mut all: Vec<Board> = mains
        .chain(AttackBoard::ALL.into_iter().map(attack))
        .collect();
    all.reverse();
    all
}

/// A position as SVG.
#[derive(Deserialize)]
pub(crate) struct Draw {
    rules: Rules,
    fen: Option<String>,
    #[serde(default)]
    view: ViewName,
    #[serde(default)]
    black: bool,
    #[serde(default)]
    theme: ThemeName,
    width: Option<u32>,
    /// Draws the boards in a column, even if there is room for a row.
    #[serde(default)]
    column: bool,
    labels: Option<Named>,
    /// A move to play. The picture shows the position after it, with the move marked as the last one.
    last: Option<String>,
    /// A square or a board whose moves are marked.
    moves: Option<String>,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum ViewName {
    #[default]
    Flat,
    Stand,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum ThemeName {
    #[default]
    Light,
    Dark,
    Page,
}

impl ThemeName {
    const fn theme(self) -> Theme {
        match self {
            Self::Light => Theme::Light,
            Self::Dark => Theme::Dark,
            Self::Page => Theme::Page,
        }
    }
}

impl Draw {
    pub(crate) fn answer(&self) -> Result<(String, Vec<u8>), String> {
        let mut position = position(self.rules, self.fen.as_deref())?;
        let mut marks = Marks::default();
        if let Some(last) = &self.last {
            let moves = tridex_notation::read_moves(&position, last);
            for mv in moves.map_err(|fault| fault.to_string())? {
                marks = Marks::after(&position, mv);
                position.play_unchecked(mv);
            }
        }
        if let Some(from) = &self.moves {
            for square in squares_named(&position, from) {
                marks.moves_of(&position, square);
            }
            if let Some(board) = AttackBoard::ALL
                .into_iter()
                .find(|board| manual_board(*board) == from)
            {
                marks.moves_of_board(&position, board);
            }
        }
        let default = PictureOptions::default();
        let width = default.width;
        let options = default
            .view(match self.view {
                ViewName::Flat => View::Flat,
                ViewName::Stand => View::Stand,
            })
            .arrangement(self.column.then_some(Arrangement::Column))
            .side(if self.black {
                Color::Black
            } else {
                Color::White
            })
            .theme(self.theme.theme())
            .width(self.width.unwrap_or(width))
            .labels(self.labels.map(|labels| labels.0))
            .marks(marks);
        Ok(("{}".to_owned(), svg(&position, &options).into_bytes()))
    }
}
