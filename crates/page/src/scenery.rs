//! Everything that the games on a page share: start positions, and the boards on their pins in every view.
//!
//! A board on a pin looks the same in every layout and every game, so each is stored once for the whole page. A layout
//! is a list of their numbers.

use crate::boards::{man_on, rights};
use crate::packing::{self, listed};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_notation::names::{self, pin_in_strings};
use tridex_notation::{Fen, Notation};
use tridex_picture::{
    ARROW, Arrangement, Backdrop, Fragment, PIECE_SCALE, SQUARE, Slab, Space, Stage, View,
    all_squares, mark_definitions, piece_definitions,
};
use tridex_rules::{Color, Position, RuleSystem};

/// The views of a page, each from both sides: in a row, in space, and in a column for narrow screens.
const VIEWS: [(View, Arrangement); 3] = [
    (View::Flat, Arrangement::Row),
    (View::Stand, Arrangement::Row),
    (View::Flat, Arrangement::Column),
];

/// A board at its place, for example an attack board on a pin.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
struct Place {
    /// The columns of its squares.
    columns: Vec<usize>,
    /// The names of its squares, in every notation.
    names: Vec<String>,
    /// For a movable board, the board and its pin as in a position string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pin: Option<String>,
}

/// A part of the picture of a layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
struct Mount {
    /// The number of its board; -1 for posts and free pins.
    board: i8,
    /// The near left corner of the board, in thousandths of a square.
    x: i32,
    y: i32,
    /// The numbers of its shapes.
    parts: Vec<usize>,
    /// The numbers of its names, in every notation.
    names: Vec<Vec<usize>>,
}

/// The pieces on all squares.
fn pieces_of(position: &Position) -> Vec<u8> {
    all_squares(position.family())
        .map(|square| man_on(position, square))
        .collect()
}

/// The stages of a family: every view from both sides.
fn stages(family: Family, space: Space) -> impl Iterator<Item = Stage> {
    VIEWS.into_iter().flat_map(move |(view, arrangement)| {
        Color::ALL.map(|side| Stage {
            family,
            view,
            arrangement,
            side,
            space,
            named: true,
        })
    })
}

/// Where the boards of a game are on each stage.
fn shape(family: Family, space: Space) -> Value {
    let slabs = Slab::all(family);
    let mut first = 0u8;
    let boards = slabs.iter().map(|slab| {
        let here = first;
        first = first.saturating_add(slab.size() * slab.size());
        here
    });
    let views = stages(family, space).map(|stage| {
        let (size, rank) = (stage.size(), stage.rank_step());
        let size = [size.x, size.y].map(rounded);
        json!({
            "size": size,
            // One rank away from the viewer.
            "rank": [rank.x, rank.y],
            // How far from the edge of its square the foot of a piece and the middle of a mark are.
            "foot": stage.foot_depth(),
            "middle": stage.middle_depth(),
            "space": stage.view == View::Stand,
            "pins": pins(family, &stage),
        })
    });
    // The first square of every board, and how many files each has.
    let boards: Vec<u8> = boards.collect();
    let sizes: Vec<u8> = slabs.iter().map(|slab| slab.size()).collect();
    let views: Vec<Value> = views.collect();
    json!({ "boards": boards, "sizes": sizes, "views": views })
}

/// The near left corner that a board has on each pin, if the other boards are where they start.
fn pins(family: Family, stage: &Stage) -> BTreeMap<String, [f64; 2]> {
    let start = Layout::start(Surface::Over);
    let corner = |pin| {
        let on = |board: AttackBoard| Some((board, start.moved(board, pin).ok()?));
        let here = start.board_on(pin).map(|board| (board, start));
        let (board, layout) = here.or_else(|| AttackBoard::ALL.into_iter().find_map(on))?;
        let at = stage.corner(Slab::Attack(board), Some(&layout));
        Some((pin_in_strings(pin), [at.x, at.y].map(rounded)))
    };
    match family {
        Family::Cube => BTreeMap::new(),
        Family::Stair => Pin::all().filter_map(corner).collect(),
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Values that are stored once each. A key that includes everything a value depends on finds it again.
#[derive(Debug, Serialize)]
#[serde(transparent, bound = "V: Serialize")]
pub(crate) struct Table<K, V = K> {
    #[serde(skip)]
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
    /// The number of the value for a key. `make` creates the value if the key is new.
    pub(crate) fn number(&mut self, key: K, make: impl FnOnce(&K) -> V) -> usize {
        let values = &mut self.values;
        *self.known.entry(key).or_insert_with_key(|key| {
            values.push(make(key));
            values.len() - 1
        })
    }
}

/// What games share, each thing stored once.
#[derive(Default, Debug, Serialize)]
pub(crate) struct Scenery {
    parts: Table<String>,
    mounts: Table<Mount>,
    places: Table<Place>,
    /// Two squares, each as two hexadecimal digits, and the move in every notation of its game.
    pub(crate) moves: Table<String>,
    pub(crate) rights: Table<String>,
    /// Tags with their values.
    pub(crate) tags: Table<(String, String)>,
    shapes: Table<(Family, Space), Value>,
    /// By everything that their pictures depend on. The rules decide whether free pins below the boards are shown.
    layouts: Table<(Option<Layout>, RuleSystem, Space, Option<Notation>), Value>,
    starts: Table<(RuleSystem, String), Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shared<'a> {
    /// The side of a square in the units of the pictures.
    unit: f64,
    /// The factor by which a piece is scaled for a square.
    piece_scale: f64,
    /// The length of the arrows in `mark_shapes`, in squares.
    arrow_length: f64,
    /// Markup of the pieces, and of marks and arrows.
    piece_shapes: String,
    mark_shapes: String,
    #[serde(flatten)]
    scenery: &'a Scenery,
}

impl Scenery {
    /// Everything as JSON.
    pub(crate) fn json(&self) -> String {
        packing::json(&Shared {
            unit: SQUARE,
            piece_scale: PIECE_SCALE,
            arrow_length: ARROW,
            piece_shapes: piece_definitions(),
            mark_shapes: mark_definitions(),
            scenery: self,
        })
    }

    /// The numbers of the parts of one board.
    fn parts(&mut self, parts: &[Fragment], slab: Slab) -> Vec<usize> {
        let own = parts.iter().filter(|(other, _)| *other == Some(slab));
        own.map(|(_, part)| self.parts.number(part.clone(), String::clone))
            .collect()
    }

    /// The number of the shape of a family's boards.
    pub(crate) fn shape(&mut self, family: Family, space: Space) -> usize {
        self.shapes
            .number((family, space), |_| shape(family, space))
    }

    /// The number of a start position.
    pub(crate) fn start(&mut self, position: &Position) -> usize {
        let key = (position.rules(), Fen::of(position).to_string());
        self.starts.number(key, |_| {
            json!({
                "rules": position.rules().name(),
                "pieces": pieces_of(position),
                "white": position.turn().is_white(),
                "rights": rights(position),
                "halfmoves": position.halfmoves(),
                "fullmoves": position.fullmoves(),
            })
        })
    }

    /// The number of a layout, drawn on every stage.
    pub(crate) fn layout(
        &mut self,
        position: &Position,
        space: Space,
        notations: &[Notation],
    ) -> usize {
        let (layout, first) = (position.layout().copied(), notations.first().copied());
        let key = (layout, position.rules(), space, first);
        if let Some(known) = self.layouts.known.get(&key) {
            return *known;
        }
        let drawn = self.drawn(position, space, notations);
        self.layouts.number(key, |_| drawn)
    }

    /// A layout as numbers in base 36: those of the [`Place`]s of its boards, and for each stage those of the
    /// [`Mount`]s in the order in which they are painted.
    fn drawn(&mut self, position: &Position, space: Space, notations: &[Notation]) -> Value {
        let family = position.family();
        let line = Fen::of(position).to_string();
        let pins = line.split('|').filter_map(|board| board.split_once(':'));
        let mut pins = pins.map(|(pin, _)| pin.to_owned());
        let mut squares = all_squares(position.family());
        let mut places = String::new();
        for slab in Slab::all(family) {
            let own = squares.by_ref().take(usize::from(slab.size().pow(2)));
            let own: Vec<Square> = own.collect();
            let name = |notation: &Notation| {
                let layout = position.layout();
                let name = |square: &Square| names::square(*notation, layout, *square);
                own.iter().map(name).collect::<Vec<_>>().join(" ")
            };
            let column = |square: &Square| match position.layout() {
                Some(layout) => layout.column(*square).index(),
                None => square.index() % 64,
            };
            let place = Place {
                columns: own.iter().map(column).collect(),
                names: notations.iter().map(name).collect(),
                pin: matches!(slab, Slab::Attack(_))
                    .then(|| pins.next())
                    .flatten(),
            };
            listed(self.places.number(place, Place::clone), &mut places);
        }
        let stages = stages(family, space).map(|stage| self.stage(position, stage, notations));
        json!({ "places": places, "stages": stages.collect::<Vec<_>>() })
    }

    /// The mounts of a layout on one stage.
    fn stage(&mut self, position: &Position, stage: Stage, words: &[Notation]) -> String {
        let backdrop = Backdrop::of(position, stage, words);
        let all = Slab::all(position.family());
        let mut numbers = String::new();
        let mut done = Vec::new();
        for (slab, part) in &backdrop.shapes {
            let Some(slab) = *slab else {
                let part = self.parts.number(part.clone(), String::clone);
                let mount = Mount {
                    board: -1,
                    x: 0,
                    y: 0,
                    parts: vec![part],
                    names: Vec::new(),
                };
                listed(self.mounts.number(mount, Mount::clone), &mut numbers);
                continue;
            };
            if done.contains(&slab) {
                continue;
            }
            done.push(slab);
            let corner = stage.corner(slab, position.layout());
            let thousandths = |value: f64| (value * 1000.0).round() as i32;
            let number = all.iter().position(|other| *other == slab);
            let names = backdrop.names.iter();
            let mount = Mount {
                board: number.map_or(-1, |number| number as i8),
                x: thousandths(corner.x),
                y: thousandths(corner.y),
                parts: self.parts(&backdrop.shapes, slab),
                names: names.map(|names| self.parts(names, slab)).collect(),
            };
            listed(self.mounts.number(mount, Mount::clone), &mut numbers);
        }
        numbers
    }
}
