//! Everything on a page that games share: starts, and the boards on their pins, seen from everywhere.
//!
//! A board on a pin looks the same in every layout and every game that has it there, so each part is kept once for the
//! whole page; a layout is a list of parts.

use crate::data::json;
use crate::game::{is_same_layout, labels, man_on, rights};
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard};
use tridex_geometry::{Family, Square, cube};
use tridex_notation::{Notation, position_string};
use tridex_picture::{
    Arrangement, Backdrop, MAN, Room, SQUARE, Slab, Stage, View, men_of_a_page, square_name,
};
use tridex_rules::{Color, Position, RuleSystem};

/// How many boards of the stair board do not move; those that move are counted behind them.
pub(crate) const FIXED: usize = MainBoard::ALL.len();

/// The views a page has, each from both sides: in a row, the stand, in a column for narrow screens.
const VIEWS: [(View, Arrangement); 3] = [
    (View::Flat, Arrangement::Row),
    (View::Stand, Arrangement::Row),
    (View::Flat, Arrangement::Column),
];

/// How the boards of a game lie on each stage.
#[derive(Debug, Serialize)]
struct Shape {
    /// The first square of every board, and how many files each has.
    boards: Vec<u8>,
    sizes: Vec<u8>,
    views: Vec<ViewData>,
}

#[derive(Debug, Serialize)]
struct ViewData {
    size: [f64; 2],
    /// One rank away from the viewer.
    rank: [f64; 2],
    /// How far behind the edge of its square a man stands.
    foot: f64,
    stand: bool,
}

/// Boards on their pins.
#[derive(Debug, Serialize)]
struct LayoutData {
    /// The column of every square.
    columns: Vec<usize>,
    /// What the squares are called, in every notation.
    squares: Vec<String>,
    /// The movable boards on their pins, as in a position string.
    pins: Vec<String>,
    stages: Vec<Place>,
}

/// All that the picture of a layout depends on.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Key {
    layout: Option<Layout>,
    rules: RuleSystem,
    room: Room,
    notation: Option<Notation>,
}

/// A layout on one stage.
#[derive(Debug, Serialize)]
struct Place {
    /// The near left corner of every board.
    corners: Vec<f64>,
    /// Parts, and for every notation those with its names.
    parts: Vec<usize>,
    names: Vec<Vec<usize>>,
}

/// The squares of a position's family.
pub(crate) fn squares(position: &Position) -> impl Iterator<Item = Square> + use<> {
    (0..position.family().squares() as u8).filter_map(Square::try_new)
}

/// The men on all squares.
fn men(position: &Position) -> Vec<u8> {
    squares(position)
        .map(|square| man_on(position, square))
        .collect()
}

/// The place of a position's layout among those that are known; it is added if it is new.
pub(crate) fn layout_of(known: &mut Vec<Position>, position: &Position) -> usize {
    let found = known
        .iter()
        .rposition(|other| is_same_layout(other.layout(), position.layout()));
    found.unwrap_or_else(|| {
        known.push(position.clone());
        known.len() - 1
    })
}

/// The boards of a family, in the order of their squares.
fn slabs(family: Family) -> Vec<Slab> {
    match family {
        Family::Cube => (0..cube::LEVELS).map(Slab::Level).collect(),
        Family::Stair => MainBoard::ALL
            .into_iter()
            .map(Slab::Main)
            .chain(AttackBoard::ALL.into_iter().map(Slab::Attack))
            .collect(),
    }
}

/// The stages of a family: every view from both sides.
fn stages(family: Family, room: Room) -> impl Iterator<Item = Stage> {
    VIEWS.into_iter().flat_map(move |(view, arrangement)| {
        Color::ALL
            .into_iter()
            .map(move |side| Stage::new(family, view, arrangement, side, room, true))
    })
}

fn shape(family: Family, room: Room) -> Shape {
    let slabs = slabs(family);
    let mut first = 0u8;
    let boards = slabs.iter().map(|slab| {
        let here = first;
        first = first.saturating_add(slab.size() * slab.size());
        here
    });
    Shape {
        boards: boards.collect(),
        sizes: slabs.iter().map(|slab| slab.size()).collect(),
        views: stages(family, room)
            .map(|stage| {
                let (size, rank) = (stage.size(), stage.rank_step());
                ViewData {
                    size: [size.x, size.y].map(rounded),
                    rank: [rank.x, rank.y],
                    foot: stage.foot_depth(),
                    stand: stage.view() == View::Stand,
                }
            })
            .collect(),
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// A position that games start from.
#[derive(Debug, Serialize)]
struct Start {
    rules: &'static str,
    /// The pieces on all squares.
    men: Vec<u8>,
    white: bool,
    /// Castling rights, the en passant square and moved pawns, as in a position string.
    rights: String,
    halfmoves: u32,
    fullmoves: u32,
}

/// Values, each kept once, and found again by what it depends on.
#[derive(Debug)]
struct Table<K, V> {
    known: HashMap<K, usize>,
    values: Vec<V>,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
            values: Vec::new(),
        }
    }
}

impl<K: Eq + Hash, V> Table<K, V> {
    /// The number of a value, which is made if it is new.
    fn number(&mut self, key: K, make: impl FnOnce() -> V) -> usize {
        *self.known.entry(key).or_insert_with(|| {
            self.values.push(make());
            self.values.len() - 1
        })
    }

    /// What the values depend on, in the order of their numbers.
    fn keys(&self) -> Vec<&K> {
        let mut keys: Vec<_> = self.known.iter().collect();
        keys.sort_unstable_by_key(|(_, number)| **number);
        keys.into_iter().map(|(key, _)| key).collect()
    }
}

/// What games share, each thing kept once.
#[derive(Default, Debug)]
pub(crate) struct Scenery {
    parts: Table<String, ()>,
    moves: Table<String, ()>,
    rights: Table<String, ()>,
    tags: Table<(String, String), ()>,
    shapes: Table<(Family, Room), Shape>,
    layouts: Table<Key, LayoutData>,
    starts: Table<(RuleSystem, String), Start>,
}

#[derive(Serialize)]
struct Shared<'a> {
    /// The side of a square in the units of the pictures, and how large a piece is drawn.
    unit: f64,
    man: f64,
    /// Markup: of the pieces, and of the parts of boards.
    men: String,
    parts: Vec<&'a String>,
    /// Two squares, each as two hexadecimal digits, and the move in every notation of its game.
    moves: Vec<&'a String>,
    rights: Vec<&'a String>,
    tags: Vec<&'a (String, String)>,
    shapes: &'a [Shape],
    layouts: &'a [LayoutData],
    starts: &'a [Start],
}

impl Scenery {
    /// Everything as JSON.
    pub(crate) fn json(&self) -> String {
        json(&Shared {
            unit: SQUARE,
            man: MAN,
            men: men_of_a_page(),
            parts: self.parts.keys(),
            moves: self.moves.keys(),
            rights: self.rights.keys(),
            tags: self.tags.keys(),
            shapes: &self.shapes.values,
            layouts: &self.layouts.values,
            starts: &self.starts.values,
        })
    }

    fn parts(&mut self, parts: Vec<String>) -> Vec<usize> {
        let number = |part| self.parts.number(part, || ());
        parts.into_iter().map(number).collect()
    }

    /// The number of a move: its squares and its words.
    pub(crate) fn played(&mut self, played: String) -> usize {
        self.moves.number(played, || ())
    }

    /// The number of rights.
    pub(crate) fn rights(&mut self, rights: &str) -> usize {
        self.rights.number(rights.to_owned(), || ())
    }

    /// The number of a tag with its value.
    pub(crate) fn tag(&mut self, tag: &(String, String)) -> usize {
        self.tags.number(tag.clone(), || ())
    }

    /// The number of the boards of a family.
    pub(crate) fn shape(&mut self, family: Family, room: Room) -> usize {
        self.shapes.number((family, room), || shape(family, room))
    }

    /// The number of a position that a game starts from.
    pub(crate) fn start(&mut self, position: &Position) -> usize {
        let key = (
            position.rules(),
            position_string::to_string(&position.to_setup()),
        );
        self.starts.number(key, || Start {
            rules: position.rules().name(),
            men: men(position),
            white: position.turn().is_white(),
            rights: rights(position),
            halfmoves: position.halfmoves(),
            fullmoves: position.fullmoves(),
        })
    }

    /// The number of a layout, seen on every stage.
    pub(crate) fn layout(
        &mut self,
        position: &Position,
        room: Room,
        notations: &[Notation],
    ) -> usize {
        let key = Key {
            layout: position.layout().copied(),
            // Free pins below the boards are shown or not.
            rules: position.rules(),
            room,
            notation: notations.first().copied(),
        };
        if let Some(known) = self.layouts.known.get(&key) {
            return *known;
        }
        let drawn = self.drawn(position, room, notations);
        self.layouts.number(key, || drawn)
    }

    fn drawn(&mut self, position: &Position, room: Room, notations: &[Notation]) -> LayoutData {
        let words: Vec<_> = notations.iter().map(|notation| labels(*notation)).collect();
        let family = position.family();
        let layout = position.layout();
        let stages = stages(family, room)
            .map(|stage| {
                let corners = slabs(family)
                    .into_iter()
                    .flat_map(|slab| {
                        let corner = stage.corner(slab, layout);
                        [rounded(corner.x), rounded(corner.y)]
                    })
                    .collect();
                let backdrop = Backdrop::of(position, stage, &words);
                Place {
                    corners,
                    parts: self.parts(backdrop.shapes),
                    names: backdrop
                        .names
                        .into_iter()
                        .map(|names| self.parts(names))
                        .collect(),
                }
            })
            .collect();
        LayoutData {
            columns: squares(position)
                .map(|square| match layout {
                    Some(layout) => layout.column(square).index(),
                    None => square.index() % 64,
                })
                .collect(),
            squares: notations
                .iter()
                .map(|notation| {
                    let names: Vec<String> = squares(position)
                        .map(|square| square_name(position, labels(*notation), square))
                        .collect();
                    names.join(" ")
                })
                .collect(),
            pins: position_string::to_string(&position.to_setup())
                .split('|')
                .filter_map(|board| Some(board.split_once(':')?.0.to_owned()))
                .collect(),
            stages,
        }
    }
}
