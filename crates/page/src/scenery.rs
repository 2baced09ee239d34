//! Everything on a page that stays while men move: the boards on their pins, seen from everywhere.
//!
//! A board on a pin looks the same in every layout and every game that has it there, so each part is kept once for the
//! whole page; a layout is a list of parts.

use crate::game::{is_same_layout, labels, man_on};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard};
use tridex_geometry::{Family, Square, cube};
use tridex_notation::Notation;
use tridex_picture::{Arrangement, Backdrop, Room, Slab, Stage, View, square_name};
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
#[derive(Serialize)]
pub(crate) struct Shape {
    /// The first square of every board, and how many files each has.
    boards: Vec<u8>,
    sizes: Vec<u8>,
    views: Vec<ViewData>,
}

#[derive(Serialize)]
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
pub(crate) struct LayoutData {
    /// The column of every square.
    columns: Vec<usize>,
    /// What the squares are called, in every notation.
    squares: Vec<String>,
    stages: Vec<Place>,
}

/// The same, kept for the games that have it too: the start is in all of them.
#[derive(Clone, Debug)]
pub(crate) struct Shared(Arc<LayoutData>);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// All that the picture of a layout depends on.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Key {
    layout: Option<Layout>,
    rules: RuleSystem,
    room: Room,
    notation: Option<Notation>,
}

/// So many layouts are kept at most.
const KEPT: usize = 4096;

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
pub(crate) fn men(position: &Position) -> Vec<u8> {
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

pub(crate) fn shape(family: Family, room: Room) -> Shape {
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

/// The parts of a page, each kept once.
#[derive(Default, Debug)]
pub(crate) struct Scenery {
    /// Which part it is, by a hash of its text: two texts of one hash would have to agree in 128 bits.
    known: HashMap<u128, usize>,
    layouts: HashMap<Key, Shared>,
    /// The markup of parts that are new since it was taken last.
    new: String,
}

impl Scenery {
    /// The markup of the parts that are new since this was asked last.
    pub(crate) fn take_new(&mut self) -> String {
        std::mem::take(&mut self.new)
    }

    fn part(&mut self, part: &str) -> usize {
        let next = self.known.len();
        *self.known.entry(fingerprint(part)).or_insert_with(|| {
            let _ = write!(self.new, "<g id=\"tx-p{next}\">{part}</g>");
            next
        })
    }

    fn parts(&mut self, parts: &[String]) -> Vec<usize> {
        parts.iter().map(|part| self.part(part)).collect()
    }

    /// A layout, seen on every stage.
    pub(crate) fn layout(
        &mut self,
        position: &Position,
        room: Room,
        notations: &[Notation],
    ) -> Shared {
        let key = Key {
            layout: position.layout().copied(),
            // Free pins below the boards are shown or not.
            rules: position.rules(),
            room,
            notation: notations.first().copied(),
        };
        if let Some(known) = self.layouts.get(&key) {
            return known.clone();
        }
        let shared = Shared(Arc::new(self.drawn(position, room, notations)));
        if self.layouts.len() >= KEPT {
            self.layouts.clear();
        }
        self.layouts.insert(key, shared.clone());
        shared
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
                    parts: self.parts(&backdrop.shapes),
                    names: backdrop
                        .names
                        .iter()
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
            stages,
        }
    }
}

/// 128 bits of SHA-256.
fn fingerprint(text: &str) -> u128 {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(text);
    digest
        .iter()
        .take(16)
        .fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}
