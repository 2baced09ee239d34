//! Where every board is on the sheet, in each view.
//!
//! Lengths are in squares. Internally `y` grows upwards from the viewer's edge of the plan. Points that are returned
//! are measured from the upper left corner of the sheet, with `y` downwards.
//!
//! A viewer's files and ranks are counted from the viewer's left and near edges. White's are those of the plan; Black's
//! are turned by 180 degrees.

mod flat;
mod stand;

pub(crate) use flat::GAP;
pub(crate) use stand::{DEPTH, SHEAR, THICK};
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Family, Square, cube};
use tridex_rules::Color;

/// How the boards are shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum View {
    /// All boards side by side, none over another; each attack board next to the corner it is on.
    #[default]
    Flat,
    /// The board in space, from the front and above. Heights are chosen so that no board hides a square.
    Stand,
}

/// In which direction the boards of the flat view follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Arrangement {
    /// Side by side, the viewer's own board at the left; on the stair board every rank is one line through all boards.
    #[default]
    Row,
    /// One above the other, the viewer's own board below: for narrow screens.
    Column,
}

/// A point or a distance on the sheet, in squares, `x` to the right and `y` downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) const fn plus(self, x: f64, y: f64) -> Self {
        Self {
            x: self.x + x,
            y: self.y + y,
        }
    }
}

/// One board, of either family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slab {
    /// A level of the cube, from 0.
    Level(u8),
    /// A fixed board of the stair board.
    Main(MainBoard),
    /// A movable board.
    Attack(AttackBoard),
}

impl Slab {
    /// The boards of a family, in the order of their squares.
    #[must_use]
    pub fn all(family: Family) -> Vec<Self> {
        match family {
            Family::Cube => (0..cube::LEVELS).map(Self::Level).collect(),
            Family::Stair => {
                let fixed = MainBoard::ALL.into_iter().map(Self::Main);
                let moving = AttackBoard::ALL.into_iter().map(Self::Attack);
                fixed.chain(moving).collect()
            }
        }
    }

    /// How many files the board has, and as many ranks.
    #[must_use]
    pub const fn size(self) -> u8 {
        match self {
            Self::Level(_) => 8,
            Self::Main(_) => 4,
            Self::Attack(_) => 2,
        }
    }

    /// The index of the board's first square; the others follow, rank after rank.
    const fn first(self) -> usize {
        match self {
            Self::Level(level) => 64 * level as usize,
            Self::Main(main) => 16 * main as usize,
            Self::Attack(attack) => 48 + 4 * attack as usize,
        }
    }

    /// The square at the viewer's `file` and `rank`, counted on the board from 0; `None` beyond its edge.
    #[must_use]
    pub fn square(self, side: Color, file: u8, rank: u8) -> Option<Square> {
        let last = self.size() - 1;
        if file > last || rank > last {
            return None;
        }
        let (file, rank) = self.turned(side, file, rank);
        let index = self.first() + usize::from(rank * self.size() + file);
        u8::try_from(index).ok().and_then(Square::try_new)
    }

    /// Converts White's file and rank to those that a side sees, and back.
    const fn turned(self, side: Color, file: u8, rank: u8) -> (u8, u8) {
        let last = self.size() - 1;
        match side {
            Color::White => (file, rank),
            Color::Black => (last - file, last - rank),
        }
    }
}

/// How much space the attack boards of one or more layouts need, so that all pictures of a game have the same frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Space {
    /// The most attack boards on one side of each gap: below White's board, between the storeys, above Black's board.
    slots: [u8; 4],
    /// Whether there are boards above and below one corner.
    pairs: bool,
}

impl Default for Space {
    fn default() -> Self {
        Self {
            slots: [0, 1, 1, 1],
            pairs: false,
        }
    }
}

impl Space {
    /// Space for every one of some layouts, with at least one slot in every gap but the lowest, for boards that move
    /// later.
    #[must_use]
    pub fn of<'a>(layouts: impl IntoIterator<Item = &'a Layout>) -> Self {
        Self::default().and(layouts)
    }

    /// The least space for every one of some layouts. Posts are shorter where no board is.
    #[must_use]
    pub fn least<'a>(layouts: impl IntoIterator<Item = &'a Layout>) -> Self {
        let none = Self {
            slots: [0; 4],
            pairs: false,
        };
        none.and(layouts)
    }

    /// The same with space for a board above and another below each corner. The flat view would otherwise draw both at
    /// one place.
    #[must_use]
    pub const fn with_pairs(mut self) -> Self {
        self.pairs = true;
        self
    }

    fn and<'a>(mut self, layouts: impl IntoIterator<Item = &'a Layout>) -> Self {
        for layout in layouts {
            let pins = layout.pins();
            for pin in pins {
                let here = || {
                    pins.into_iter()
                        .filter(move |other| gap(*other) == gap(pin))
                };
                // In the 3-D view ranks lean to the right, so two boards on opposite sides can overlap.
                let leaning = here().any(|other| lean_together(pin, other));
                let beside = here()
                    .filter(|other| leaning || other.wing() == pin.wing())
                    .count() as u8;
                let slots = &mut self.slots[usize::from(gap(pin))];
                *slots = beside.max(*slots);
                self.pairs |= layout.board_on(pin.other_surface()).is_some();
            }
        }
        self
    }
}

/// The gap between storeys in which a board on this pin hangs: 0 below White's board, 3 above Black's.
fn gap(pin: Pin) -> u8 {
    let tier = pin.corner().main_board().tier();
    match pin.surface() {
        Surface::Under => tier,
        Surface::Over => tier + 1,
    }
}

/// Whether two boards in one gap are six ranks apart, the farther one at the left.
fn lean_together(far: Pin, near: Pin) -> bool {
    let (a, b) = (far.origin(), near.origin());
    a.file() == 0 && b.file() != 0 && a.rank() == b.rank() + 6
}

/// The edges of the sheet, `y` upwards.
#[derive(Clone, Copy, Debug)]
struct Edges {
    left: f64,
    right: f64,
    bottom: f64,
    top: f64,
}

/// A view of a family of boards from one side.
///
/// ```
/// use tridex_geometry::Family;
/// use tridex_geometry::stair::{Layout, Surface};
/// use tridex_picture::{Arrangement, Space, Stage, View};
/// use tridex_rules::Color;
///
/// let layout = Layout::start(Surface::Over);
/// let stage = Stage {
///     family: Family::Stair,
///     view: View::Flat,
///     arrangement: Arrangement::Row,
///     side: Color::White,
///     space: Space::of([&layout]),
///     named: true,
/// };
/// let size = stage.size();
/// for slab in stage.slabs(Some(&layout)) {
///     let at = stage.point(slab, Some(&layout), 0.0, 0.0);
///     assert!((0.0..size.x).contains(&at.x) && (0.0..size.y).contains(&at.y));
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The family of the boards.
    pub family: Family,
    /// The view.
    pub view: View,
    /// In which direction the boards of the flat view follow each other.
    pub arrangement: Arrangement,
    /// The side from which the boards are seen.
    pub side: Color,
    /// The space for attack boards; the cube needs none.
    pub space: Space,
    /// Whether space is left for names and coordinates.
    pub named: bool,
}

impl Stage {
    /// The board of a square, with the viewer's file and rank on it.
    #[must_use]
    pub fn cell_of(&self, square: Square) -> (Slab, u8, u8) {
        let slabs = Slab::all(self.family);
        let own = |slab: &&Slab| slab.first() <= square.index();
        let slab = *slabs.iter().rfind(own).unwrap_or(&slabs[0]);
        let index = (square.index() - slab.first()) as u8;
        let (file, rank) = (index % slab.size(), index / slab.size() % slab.size());
        let (file, rank) = slab.turned(self.side, file, rank);
        (slab, file, rank)
    }

    /// Width and height of the sheet.
    #[must_use]
    pub fn size(&self) -> Point {
        let edges = self.edges();
        Point::new(edges.right - edges.left, edges.top - edges.bottom)
    }

    /// The step on the sheet to the next rank away from the viewer.
    #[must_use]
    pub const fn rank_step(&self) -> Point {
        match self.view {
            View::Flat => Point::new(0.0, -1.0),
            View::Stand => Point::new(stand::SHEAR, -stand::DEPTH),
        }
    }

    /// Where a board's near left corner is, as the viewer sees it. Without a layout, attack boards are where they
    /// start.
    #[must_use]
    pub fn corner(&self, slab: Slab, layout: Option<&Layout>) -> Point {
        let start = Layout::start(Surface::Over);
        let layout = layout.unwrap_or(&start);
        let at = match self.view {
            View::Flat => self.flat_corner(slab, layout),
            View::Stand => self.stand_corner(slab, layout),
        };
        self.on_sheet(at)
    }

    /// Where the point (`file`, `rank`) of a board is, counted from its near left corner.
    #[must_use]
    pub fn point(&self, slab: Slab, layout: Option<&Layout>, file: f64, rank: f64) -> Point {
        let step = self.rank_step();
        self.corner(slab, layout)
            .plus(file + step.x * rank, step.y * rank)
    }

    /// How far from the near edge of its square the foot of a piece is, in ranks.
    #[must_use]
    pub const fn foot_depth(&self) -> f64 {
        match self.view {
            View::Flat => 0.09,
            View::Stand => stand::FOOT,
        }
    }

    /// How far from the near edge of its square the middle of a mark is, in ranks.
    #[must_use]
    pub const fn middle_depth(&self) -> f64 {
        match self.view {
            View::Flat => 0.5,
            View::Stand => 0.45,
        }
    }

    /// The foot of a piece on a square.
    #[must_use]
    pub fn foot(&self, square: Square, layout: Option<&Layout>) -> Point {
        self.in_square(square, layout, self.foot_depth())
    }

    /// The point in the middle of a square's file, `depth` ranks from its near edge.
    pub(crate) fn in_square(&self, square: Square, layout: Option<&Layout>, depth: f64) -> Point {
        let (slab, file, rank) = self.cell_of(square);
        self.point(slab, layout, f64::from(file) + 0.5, f64::from(rank) + depth)
    }

    /// The boards in the order in which they are painted: lower and farther ones come first.
    #[must_use]
    pub fn slabs(&self, layout: Option<&Layout>) -> Vec<Slab> {
        let start = Layout::start(Surface::Over);
        let layout = layout.unwrap_or(&start);
        let mut slabs = Slab::all(self.family);
        slabs.sort_by_key(|slab| match slab {
            Slab::Level(level) => (2 * level, 0),
            Slab::Main(main) => (2 * main.tier() + 1, 0),
            // From the far edge of the plan.
            Slab::Attack(attack) => {
                let pin = layout.pin(*attack);
                (2 * gap(pin), 10 - self.viewed(pin).rank)
            }
        });
        slabs
    }

    /// The pin as the viewer sees it.
    fn viewed(&self, pin: Pin) -> Viewed {
        let origin = pin.origin();
        let tier = pin.corner().main_board().tier();
        let (left, rank) = match self.side {
            Color::White => (origin.file() == 0, origin.rank()),
            Color::Black => (origin.file() != 0, 8 - origin.rank()),
        };
        Viewed {
            left,
            rank,
            near: rank < self.near_rank(tier),
            tier,
            over: pin.surface() == Surface::Over,
        }
    }

    /// The viewer's rank of a main board's near edge.
    const fn near_rank(&self, tier: u8) -> u8 {
        match self.side {
            Color::White => 2 * tier + 1,
            Color::Black => 5 - 2 * tier,
        }
    }

    fn edges(&self) -> Edges {
        match self.view {
            View::Flat => self.flat_edges(),
            View::Stand => self.stand_edges(),
        }
    }

    fn on_sheet(&self, at: Point) -> Point {
        let edges = self.edges();
        Point::new(at.x - edges.left, edges.top - at.y)
    }
}

/// A pin, seen by the viewer.
#[derive(Clone, Copy, Debug)]
struct Viewed {
    /// Whether it is at the viewer's left.
    left: bool,
    /// The viewer's rank of the near edge of a board on it.
    rank: u8,
    /// Whether it is at the viewer's near edge of its main board.
    near: bool,
    /// The tier of its main board.
    tier: u8,
    /// Whether it is above its main board.
    over: bool,
}
