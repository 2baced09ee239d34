//! Questions about the board, answered the slow and obvious way: games are replayed by the rules, and pieces are found by
//! files, ranks, boards, pins and levels as `tridex_geometry` names them. Nothing here calls what the engine answers with.
//!
//! A mirrored or swapped question is answered by changing the position instead of the question: what the other player sees,
//! or what a mirror shows, has to satisfy the question as it is written.

use super::questions::{Found, Match, Place, Question, Scanned};
use crate::testing::Dice;
use crate::{GameEntry, PositionMatch, PositionQuery, Query};
use std::fmt::Write;
use tridex_geometry::stair::{self, AttackBoard, Board, Pin, Surface};
use tridex_geometry::{Family, Square, Wing, cube};
use tridex_rules::{Castling, CastlingSide, Color, Move, Piece, Position, Role, RuleSystem};

/// A pin.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Peg {
    is_kings: bool,
    corner: u8,
    is_over: bool,
}

/// What a square belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum On {
    /// White's board, the Neutral board, Black's board.
    Main(u8),
    Attack(Attack, Peg),
    /// A level of the cube, from 0.
    Level(u8),
}

/// An attack board: its owner and its home side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Attack {
    is_white: bool,
    is_kings: bool,
}

/// A square. Files and ranks are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Spot {
    file: u8,
    rank: u8,
    on: On,
}

/// The move that led to a position.
#[derive(Clone, Copy, Debug)]
struct Played {
    by: Color,
    /// The piece that moves on its own; in castling there is none.
    piece: Option<(Piece, Spot, Spot)>,
    is_capture: bool,
    board: Option<(Attack, Peg, Peg)>,
}

/// A position as somebody sees it.
#[derive(Clone, Debug)]
struct View {
    rules: RuleSystem,
    ply: u32,
    turn: Color,
    is_check: bool,
    is_mate: bool,
    pieces: Vec<(Spot, Piece)>,
    empty: Vec<Spot>,
    boards: Vec<(Attack, Peg)>,
    played: Option<Played>,
}

/// A line of a game: the main line or a variation, from the start of the game.
pub(super) struct Line {
    variation: Option<u32>,
    /// The first ply that no earlier line has.
    own: u32,
    pub(super) positions: Vec<Position>,
    /// The positions as they are, in the mirror, from the other side, and both.
    seen: [Vec<View>; 4],
}

/// In which ways a question is evaluated.
#[derive(Clone, Copy, Debug)]
struct Asked {
    mirrored: bool,
    swapped: bool,
    variations: bool,
}

impl Line {
    /// The first of its own positions of which something is true.
    pub(super) fn first(&self, holds: impl Fn(&Position) -> bool) -> Option<Place> {
        let mut plies = (0..).zip(&self.positions).skip(self.own as usize);
        let found = plies.find(|(_, position)| holds(position));
        found.map(|(ply, _)| (self.variation, ply))
    }
}

impl Peg {
    fn of(pin: Pin) -> Self {
        Self {
            is_kings: pin.wing() == Wing::King,
            corner: pin.corner().number(),
            is_over: pin.surface() == Surface::Over,
        }
    }

    /// The manual numbers the pins of a side from 1 to 12: the lower pin of a corner first.
    fn number(self) -> u8 {
        2 * self.corner - u8::from(!self.is_over)
    }
}

impl Attack {
    fn of(board: AttackBoard) -> Self {
        Self {
            is_white: board.is_white(),
            is_kings: board.wing() == Wing::King,
        }
    }

    fn name(self) -> &'static str {
        match (self.is_white, self.is_kings) {
            (true, false) => "QL",
            (true, true) => "KL",
            (false, false) => "ql",
            (false, true) => "kl",
        }
    }
}

/// How a rule system's board changes.
struct Change {
    family: Family,
    mirrored: bool,
    swapped: bool,
    /// Whether one player's boards hang below and the other's are above, so that from the other side what is below is above.
    is_two_faced: bool,
}

impl Change {
    fn peg(&self, peg: Peg) -> Peg {
        let corner = if self.swapped {
            7 - peg.corner
        } else {
            peg.corner
        };
        Peg {
            is_kings: peg.is_kings != self.mirrored,
            corner,
            is_over: peg.is_over != (self.swapped && self.is_two_faced),
        }
    }

    fn attack(&self, board: Attack) -> Attack {
        Attack {
            is_white: board.is_white != self.swapped,
            is_kings: board.is_kings != self.mirrored,
        }
    }

    fn color(&self, color: Color) -> Color {
        match (self.swapped, color) {
            (false, color) => color,
            (true, Color::White) => Color::Black,
            (true, Color::Black) => Color::White,
        }
    }

    fn piece(&self, piece: Piece) -> Piece {
        Piece::new(self.color(piece.color), piece.role)
    }

    fn spot(&self, spot: Spot) -> Spot {
        let (files, ranks) = match self.family {
            Family::Stair => (6, 10),
            Family::Cube => (8, 8),
        };
        let far = |is_far: bool, count: u8, number: u8| match is_far {
            true => count - 1 - number,
            false => number,
        };
        Spot {
            file: far(self.mirrored, files, spot.file),
            rank: far(self.swapped, ranks, spot.rank),
            on: match spot.on {
                On::Main(board) => On::Main(far(self.swapped, 3, board)),
                On::Level(level) => On::Level(far(self.swapped, 3, level)),
                On::Attack(board, peg) => On::Attack(self.attack(board), self.peg(peg)),
            },
        }
    }
}

impl View {
    fn of(position: &Position, ply: u32, played: Option<(&Position, Move)>) -> Self {
        let spot = |square| spot_of(position, square);
        let squares = (0..position.family().squares()).map(|index| Square::new(index as u8));
        let (mut pieces, mut empty) = (Vec::new(), Vec::new());
        for square in squares {
            match position.piece_at(square) {
                Some(piece) => pieces.push((spot(square), piece)),
                None => empty.push(spot(square)),
            }
        }
        let boards = position.layout().into_iter().flat_map(|layout| {
            let board = |board| (Attack::of(board), Peg::of(layout.pin(board)));
            AttackBoard::ALL.map(board)
        });
        Self {
            rules: position.rules(),
            ply,
            turn: position.turn(),
            is_check: position.is_check(),
            is_mate: position.is_checkmate(),
            pieces,
            empty,
            boards: boards.collect(),
            played: played.map(|(before, m)| Played::of(before, position, m)),
        }
    }

    fn changed(&self, mirrored: bool, swapped: bool) -> Self {
        let change = Change {
            family: self.rules.family(),
            mirrored,
            swapped,
            is_two_faced: self.rules == RuleSystem::Manual,
        };
        let piece = |(spot, piece): &(Spot, Piece)| (change.spot(*spot), change.piece(*piece));
        let board = |(board, peg): &(Attack, Peg)| (change.attack(*board), change.peg(*peg));
        let played = |played: Played| Played {
            by: change.color(played.by),
            piece: played
                .piece
                .map(|(piece, from, to)| (change.piece(piece), change.spot(from), change.spot(to))),
            is_capture: played.is_capture,
            board: played
                .board
                .map(|(board, from, to)| (change.attack(board), change.peg(from), change.peg(to))),
        };
        Self {
            rules: self.rules,
            ply: self.ply,
            turn: change.color(self.turn),
            is_check: self.is_check,
            is_mate: self.is_mate,
            pieces: self.pieces.iter().map(piece).collect(),
            empty: self.empty.iter().map(|spot| change.spot(*spot)).collect(),
            boards: self.boards.iter().map(board).collect(),
            played: self.played.map(played),
        }
    }

    fn count(&self, color: Color, role: Role) -> u32 {
        let piece = Piece::new(color, role);
        let found = self.pieces.iter().filter(|(_, there)| *there == piece);
        found.count() as u32
    }
}

fn spot_of(position: &Position, square: Square) -> Spot {
    let Some(layout) = position.layout() else {
        return Spot {
            file: cube::file(square),
            rank: cube::rank(square),
            on: On::Level(cube::level(square)),
        };
    };
    let column = layout.column(square);
    Spot {
        file: column.file(),
        rank: column.rank(),
        on: match stair::board(square) {
            Board::Main(board) => On::Main(board as u8),
            Board::Attack(board) => On::Attack(Attack::of(board), Peg::of(layout.pin(board))),
        },
    }
}

impl Played {
    fn of(before: &Position, after: &Position, m: Move) -> Self {
        let occupied = |position: &Position| position.occupied().count();
        let piece = match m {
            Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                let piece = before.piece_at(from).unwrap();
                Some((piece, spot_of(before, from), spot_of(after, to)))
            }
            Move::Castle(_) | Move::Board { .. } | Move::Pass => None,
        };
        let board = match m {
            Move::Board { board, to, .. } => {
                let from = before.layout().unwrap().pin(board);
                Some((Attack::of(board), Peg::of(from), Peg::of(to)))
            }
            _ => None,
        };
        Self {
            by: before.turn(),
            piece,
            is_capture: occupied(after) < occupied(before),
            board,
        }
    }
}

/// The lines of a game, the main line first.
pub(super) fn lines(entry: &GameEntry) -> Vec<Line> {
    // The moves of each line from the start of the game.
    let mut all: Vec<Vec<Move>> = vec![entry.moves.clone()];
    for variation in &entry.variations {
        let parent = variation.parent.map_or(0, |parent| parent as usize + 1);
        let before = &all[parent][..variation.ply as usize];
        all.push([before, &variation.moves].concat());
    }
    let line = |(place, moves): (usize, Vec<Move>)| {
        let mut position = entry.start_position().unwrap();
        let mut positions = vec![position.clone()];
        let mut views = vec![View::of(&position, 0, None)];
        for (ply, m) in (1..).zip(moves) {
            let before = position.clone();
            position.play(m).unwrap();
            views.push(View::of(&position, ply, Some((&before, m))));
            positions.push(position.clone());
        }
        let changed = |mirrored, swapped| {
            let changed = views.iter().map(|view| view.changed(mirrored, swapped));
            changed.collect()
        };
        let variation = place.checked_sub(1);
        Line {
            variation: variation.map(|variation| variation as u32),
            own: variation.map_or(0, |variation| entry.variations[variation].ply + 1),
            positions,
            seen: [
                changed(false, false),
                changed(true, false),
                changed(false, true),
                changed(true, true),
            ],
        }
    };
    all.into_iter().enumerate().map(line).collect()
}

/// The line in which a ply of a line was played.
fn place(game: &Scanned, line: &Line, ply: u32) -> Place {
    let mut line = line;
    while ply < line.own {
        let variation = line.variation.unwrap() as usize;
        let parent = game.entry.variations[variation].parent;
        line = &game.lines[parent.map_or(0, |parent| parent as usize + 1)];
    }
    (line.variation, ply)
}

/// A part of the board, by a name.
#[derive(Clone, Copy, Debug)]
enum Part {
    Everywhere,
    Level(u8),
    /// Level, file and rank of the cube.
    CubeSquare(u8, u8, u8),
    /// The letter of a file, in either case, and the rank as it is written: each family has its own.
    Column(char, u8),
    /// File and rank, by the manual's names.
    ManualColumn(u8, u8),
    /// File, rank and board by Meder's names, or by the manual's.
    Main(Option<(u8, u8)>, u8, bool),
    Attack(Attack),
    ManualSquare(u8, u8, Attack),
    MederSquare(u8, u8, Peg),
    /// A pin, by a name.
    Peg(Peg, PegName),
    /// Only in sequences: the letter of a file, or a rank as it is written.
    File(char),
    Rank(u8),
}

/// How a pin is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PegName {
    Meder,
    Short,
    /// Under rules without lower pins both numbers of a corner are those of the upper pin.
    Manual,
}

const MEDER_FILES: &str = "zabcde";
const MANUAL_FILES: &str = "abcdef";
const CUBE_FILES: &str = "abcdefgh";

fn letter(files: &str, file: u8) -> char {
    files.as_bytes()[usize::from(file)].into()
}

fn peg_name(peg: Peg, name: PegName) -> String {
    let side = if peg.is_kings { 'K' } else { 'Q' };
    let below = if peg.is_over { "" } else { "v" };
    match name {
        PegName::Meder => format!("{side}L{}{below}", peg.corner),
        PegName::Short => format!("{side}{}{below}", peg.corner),
        PegName::Manual => format!("{side}P{}", peg.number()),
    }
}

/// Whether a name of a pin means the one that is there.
fn is_peg(asked: Peg, name: PegName, there: Peg, rules: RuleSystem) -> bool {
    let is_any = name == PegName::Manual && rules != RuleSystem::Manual;
    let is_corner = (asked.is_kings, asked.corner) == (there.is_kings, there.corner);
    is_corner && (is_any || asked.is_over == there.is_over)
}

impl Part {
    fn name(self) -> String {
        match self {
            Self::Everywhere => String::new(),
            Self::Level(level) => format!("{}", level + 1),
            Self::CubeSquare(level, file, rank) => {
                format!("{}{}{}", level + 1, letter(CUBE_FILES, file), rank + 1)
            }
            Self::Column(file, rank) => format!("{file}{rank}"),
            Self::ManualColumn(file, rank) => {
                format!("{}{},*", letter(MANUAL_FILES, file), rank + 1)
            }
            Self::Main(square, board, is_meder) => {
                let board = ["W", "N", "B"][usize::from(board)];
                match (square, is_meder) {
                    (None, true) => board.to_owned(),
                    (None, false) => format!("{board}B"),
                    (Some((file, rank)), true) => {
                        format!("{}{rank}{board}", letter(MEDER_FILES, file))
                    }
                    (Some((file, rank)), false) => {
                        format!("{}{},{board}B", letter(MANUAL_FILES, file), rank + 1)
                    }
                }
            }
            Self::Attack(board) => board.name().to_owned(),
            Self::ManualSquare(file, rank, board) => {
                format!(
                    "{}{},{}",
                    letter(MANUAL_FILES, file),
                    rank + 1,
                    board.name()
                )
            }
            Self::MederSquare(file, rank, peg) => {
                let pin = peg_name(peg, PegName::Meder);
                format!("{}{rank}{pin}", letter(MEDER_FILES, file))
            }
            Self::Peg(peg, name) => peg_name(peg, name),
            Self::File(file) => format!("file {file}"),
            Self::Rank(rank) => format!("rank {rank}"),
        }
    }

    /// Whether there is such a part of the board of a family. What is not there has no pieces, and no number of them either.
    fn is_of(self, family: Family) -> bool {
        let is_stair = family == Family::Stair;
        match self {
            Self::Everywhere => true,
            Self::Level(_) | Self::CubeSquare(..) => !is_stair,
            Self::Column(file, rank) => match is_stair {
                true => MEDER_FILES.contains(file) && rank < 10,
                false => CUBE_FILES.contains(file.to_ascii_lowercase()) && (1..9).contains(&rank),
            },
            Self::File(file) => match is_stair {
                true => MEDER_FILES.contains(file),
                false => CUBE_FILES.contains(file),
            },
            Self::Rank(rank) => is_stair || (1..9).contains(&rank),
            _ => is_stair,
        }
    }

    /// Whether a square is in it.
    fn has(self, spot: Spot, rules: RuleSystem) -> bool {
        let is_stair = rules.family() == Family::Stair;
        let (files, first) = if is_stair {
            (MEDER_FILES, 0)
        } else {
            (CUBE_FILES, 1)
        };
        let is_file = |file: char| letter(files, spot.file) == file.to_ascii_lowercase();
        let is_rank = |rank: u8| spot.rank + first == rank;
        let is_at = |file, rank| (spot.file, spot.rank) == (file, rank);
        self.is_of(rules.family())
            && match self {
                Self::Everywhere => true,
                Self::Level(level) => spot.on == On::Level(level),
                Self::CubeSquare(level, file, rank) => {
                    spot.on == On::Level(level) && is_at(file, rank)
                }
                Self::Column(file, rank) => is_file(file) && is_rank(rank),
                Self::File(file) => is_file(file),
                Self::Rank(rank) => is_rank(rank),
                Self::ManualColumn(file, rank) => is_at(file, rank),
                Self::Main(square, board, _) => {
                    let is_square = |(file, rank)| is_at(file, rank);
                    spot.on == On::Main(board) && square.is_none_or(is_square)
                }
                Self::Attack(asked) => matches!(spot.on, On::Attack(board, _) if board == asked),
                Self::ManualSquare(file, rank, asked) => {
                    is_at(file, rank) && matches!(spot.on, On::Attack(board, _) if board == asked)
                }
                Self::MederSquare(file, rank, asked) => {
                    is_at(file, rank) && matches!(spot.on, On::Attack(_, peg) if peg == asked)
                }
                Self::Peg(asked, name) => match spot.on {
                    On::Attack(_, peg) => is_peg(asked, name, peg, rules),
                    _ => false,
                },
            }
    }

    /// A part of the board that has a square.
    fn around(spot: Spot, dice: &mut Dice) -> Self {
        let Spot { file, rank, on } = spot;
        match (on, dice.roll(9)) {
            (On::Level(level), 0..3) => Self::Level(level),
            (On::Level(level), 3..6) => Self::CubeSquare(level, file, rank),
            (On::Level(_), n) => {
                let letter = letter(CUBE_FILES, file);
                let letter = match n {
                    6 => letter.to_ascii_uppercase(),
                    _ => letter,
                };
                Self::Column(letter, rank + 1)
            }
            (_, 0) => Self::Column(letter(MEDER_FILES, file), rank),
            (_, 1) => Self::ManualColumn(file, rank),
            (On::Main(board), n) if n < 6 => Self::Main(None, board, n % 2 == 0),
            (On::Main(board), n) => Self::Main(Some((file, rank)), board, n % 2 == 0),
            (On::Attack(board, _), 2) => Self::Attack(board),
            (On::Attack(board, _), 3) => Self::ManualSquare(file, rank, board),
            (On::Attack(_, peg), 4 | 5) => Self::MederSquare(file, rank, peg),
            (On::Attack(_, peg), n) => Self::Peg(peg, peg_names(n)),
        }
    }

    /// The same, or its file or rank, which only sequences have words for.
    fn of_move(spot: Spot, dice: &mut Dice) -> Self {
        let (files, first) = match spot.on {
            On::Level(_) => (CUBE_FILES, 1),
            _ => (MEDER_FILES, 0),
        };
        match dice.roll(4) {
            0 => Self::File(letter(files, spot.file)),
            1 => Self::Rank(spot.rank + first),
            _ => Self::around(spot, dice),
        }
    }
}

fn peg_names(number: usize) -> PegName {
    [PegName::Meder, PegName::Short, PegName::Manual][number % 3]
}

/// What is counted.
#[derive(Clone, Copy, Debug)]
enum What {
    Nothing,
    Any,
    Of(Color),
    Piece(Piece),
}

/// A test of a position.
#[derive(Clone, Debug)]
enum Test {
    /// How many squares hold that, compared with a number; without a comparison at least one.
    Count(What, Part, Option<(&'static str, u32)>),
    BoardOn(Attack, Peg, PegName),
    Check,
    Mate,
    Turn(Color),
    Ply(u32, u32),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

impl Test {
    fn text(&self) -> String {
        match self {
            Self::Count(what, part, comparison) => {
                let mut text = match what {
                    What::Nothing => "_".to_owned(),
                    What::Any => "*".to_owned(),
                    What::Of(Color::White) => "A".to_owned(),
                    What::Of(Color::Black) => "a".to_owned(),
                    What::Piece(piece) => piece.letter().to_string(),
                };
                if !matches!(part, Part::Everywhere) {
                    let _ = write!(text, "@{}", part.name());
                }
                if let Some((sign, number)) = comparison {
                    let _ = write!(text, "{sign}{number}");
                }
                text
            }
            Self::BoardOn(board, peg, name) => {
                format!("{}@{}", board.name(), peg_name(*peg, *name))
            }
            Self::Check => "check".to_owned(),
            Self::Mate => "mate".to_owned(),
            Self::Turn(Color::White) => "white to move".to_owned(),
            Self::Turn(Color::Black) => "black to move".to_owned(),
            Self::Ply(from, to) => format!("ply {from}..{to}"),
            Self::Not(test) => format!("not ({})", test.text()),
            Self::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Self::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, at: &View) -> bool {
        match self {
            Self::Count(what, part, comparison) => {
                let is_there = part.is_of(at.rules.family());
                let number = counted(*what, *part, at);
                is_there
                    && match comparison {
                        None => number >= 1,
                        Some(("=", asked)) => number == *asked,
                        Some(("!=", asked)) => number != *asked,
                        Some(("<", asked)) => number < *asked,
                        Some(("<=", asked)) => number <= *asked,
                        Some((">", asked)) => number > *asked,
                        Some((_, asked)) => number >= *asked,
                    }
            }
            Self::BoardOn(board, peg, name) => {
                let mut boards = at.boards.iter();
                boards.any(|(there, on)| there == board && is_peg(*peg, *name, *on, at.rules))
            }
            Self::Check => at.is_check,
            Self::Mate => at.is_mate,
            Self::Turn(color) => at.turn == *color,
            Self::Ply(from, to) => (*from..=*to).contains(&at.ply),
            Self::Not(test) => !test.holds(at),
            Self::And(a, b) => a.holds(at) && b.holds(at),
            Self::Or(a, b) => a.holds(at) || b.holds(at),
        }
    }

    /// A test that a position passes, or nearly.
    fn about(at: &View, dice: &mut Dice, depth: usize) -> Self {
        match dice.roll(if depth == 0 { 14 } else { 20 }) {
            0 => Self::Ply(at.ply.saturating_sub(dice.roll(9) as u32), at.ply + 2),
            1 => [Self::Check, Self::Mate, Self::Turn(at.turn)][dice.roll(3)].clone(),
            2..5 if !at.boards.is_empty() => {
                let (board, peg) = at.boards[dice.roll(at.boards.len())];
                Self::BoardOn(board, peg, peg_names(dice.roll(3)))
            }
            5 if !at.empty.is_empty() => {
                let spot = at.empty[dice.roll(at.empty.len())];
                Self::compared(What::Nothing, Part::around(spot, dice), at, dice)
            }
            14 | 15 => Self::Not(Box::new(Self::about(at, dice, depth - 1))),
            n @ 16.. => {
                let [a, b] = [0, 1].map(|_| Box::new(Self::about(at, dice, depth - 1)));
                if n < 19 {
                    Self::And(a, b)
                } else {
                    Self::Or(a, b)
                }
            }
            n => {
                let (spot, piece) = at.pieces[dice.roll(at.pieces.len())];
                let what = match dice.roll(8) {
                    0 => What::Any,
                    1 => What::Of(piece.color),
                    _ => What::Piece(piece),
                };
                let part = match n {
                    6 => Part::Everywhere,
                    _ => Part::around(spot, dice),
                };
                Self::compared(what, part, at, dice)
            }
        }
    }

    fn compared(what: What, part: Part, at: &View, dice: &mut Dice) -> Self {
        let near = (counted(what, part, at) + dice.roll(3) as u32).saturating_sub(1);
        let signs = ["=", "=", "!=", "<", "<=", ">", ">="];
        let must = matches!(part, Part::Everywhere);
        let comparison = match dice.roll(10) {
            0..3 if !must => None,
            n => Some((signs[n % signs.len()], near)),
        };
        Self::Count(what, part, comparison)
    }
}

fn counted(what: What, part: Part, at: &View) -> u32 {
    let is_in = |spot: &Spot| part.has(*spot, at.rules);
    let fits = |piece: &Piece| match what {
        What::Nothing => false,
        What::Any => true,
        What::Of(color) => piece.color == color,
        What::Piece(asked) => *piece == asked,
    };
    let found = match what {
        What::Nothing => at.empty.iter().filter(|spot| is_in(spot)).count(),
        _ => {
            let pieces = at.pieces.iter();
            pieces
                .filter(|(spot, piece)| fits(piece) && is_in(spot))
                .count()
        }
    };
    found as u32
}

/// A test of a ply in a sequence.
#[derive(Clone, Debug)]
enum Step {
    Position(Test),
    /// A move of a piece: by whom, of which kind, whether it captures, from where and to where.
    Piece(Option<Color>, Role, bool, Option<Part>, Option<Part>),
    /// A move of an attack board.
    Board(
        Option<Attack>,
        Option<(Peg, PegName)>,
        Option<(Peg, PegName)>,
    ),
}

impl Step {
    fn text(&self) -> String {
        match self {
            Self::Position(test) => format!("pattern({})", test.text()),
            Self::Piece(by, role, takes, from, to) => {
                let mut text = match by {
                    None => String::new(),
                    Some(Color::White) => "white ".to_owned(),
                    Some(Color::Black) => "black ".to_owned(),
                };
                text.push(role.letter());
                text.push_str(if *takes { " takes" } else { "" });
                for (word, part) in [("from", from), ("to", to)] {
                    if let Some(part) = part {
                        let _ = write!(text, " {word} {}", part.name());
                    }
                }
                text
            }
            Self::Board(board, from, to) => {
                let mut text = board.map_or("board", Attack::name).to_owned();
                for (word, pin) in [("from", from), ("to", to)] {
                    if let Some((peg, name)) = pin {
                        let _ = write!(text, " {word} {}", peg_name(*peg, *name));
                    }
                }
                text
            }
        }
    }

    fn holds(&self, at: &View) -> bool {
        match self {
            Self::Position(test) => test.holds(at),
            Self::Piece(by, role, takes, from, to) => at.played.is_some_and(|played| {
                let is_in =
                    |part: &Option<Part>, spot| part.is_none_or(|part| part.has(spot, at.rules));
                played.piece.is_some_and(|(piece, left, reached)| {
                    by.is_none_or(|by| by == played.by)
                        && piece.role == *role
                        && (!takes || played.is_capture)
                        && is_in(from, left)
                        && is_in(to, reached)
                })
            }),
            Self::Board(board, from, to) => at.played.is_some_and(|played| {
                let is_on = |asked: &Option<(Peg, PegName)>, there| {
                    asked.is_none_or(|(peg, name)| is_peg(peg, name, there, at.rules))
                };
                played.board.is_some_and(|(moved, left, reached)| {
                    board.is_none_or(|board| board == moved)
                        && is_on(from, left)
                        && is_on(to, reached)
                })
            }),
        }
    }

    /// A step that a ply passes, or nearly.
    fn about(at: &View, dice: &mut Dice) -> Self {
        let some = |dice: &mut Dice| dice.roll(2) == 0;
        match at.played {
            Some(Played {
                board: Some((board, from, to)),
                ..
            }) if dice.roll(5) > 0 => {
                let mut pin = |peg| some(dice).then(|| (peg, peg_names(dice.roll(3))));
                let (from, to) = (pin(from), pin(to));
                Self::Board(some(dice).then_some(board), from, to)
            }
            Some(Played {
                piece: Some((piece, from, to)),
                is_capture,
                by,
                ..
            }) if dice.roll(5) > 0 => {
                let by = some(dice).then_some(by);
                let is_capture = is_capture && some(dice);
                let mut part = |spot| some(dice).then(|| Part::of_move(spot, dice));
                let (from, to) = (part(from), part(to));
                Self::Piece(by, piece.role, is_capture, from, to)
            }
            _ => Self::Position(Test::about(at, dice, 1)),
        }
    }
}

impl Asked {
    fn roll(dice: &mut Dice) -> Self {
        Self {
            mirrored: dice.roll(3) == 0,
            swapped: dice.roll(2) == 0,
            variations: dice.roll(2) == 0,
        }
    }

    /// What is seen of a line, in each way that the question names.
    fn views(self, line: &Line) -> Vec<&[View]> {
        let ways = [
            true,
            self.mirrored,
            self.swapped,
            self.mirrored && self.swapped,
        ];
        let seen = line.seen.iter().zip(ways).filter(|(_, is_asked)| *is_asked);
        seen.map(|(views, _)| views.as_slice()).collect()
    }

    /// The first answer of a line.
    fn first(
        self,
        game: &Scanned,
        answer: impl Fn(&Line, &[&[View]]) -> Option<Vec<u32>>,
    ) -> Found {
        let lines = if self.variations {
            &game.lines[..]
        } else {
            &game.lines[..1]
        };
        lines.iter().find_map(|line| {
            let plies = answer(line, &self.views(line))?;
            let places = plies.into_iter().map(|ply| place(game, line, ply));
            // What an earlier line has was found there.
            Some(Match {
                places: places.collect(),
                line: line.variation,
            })
        })
    }

    fn fields(self, mut text: String) -> (Query, String) {
        for (name, is_set) in [
            ("mirrored", self.mirrored),
            ("swapped", self.swapped),
            ("variations", self.variations),
        ] {
            if is_set {
                let _ = write!(text, " {name}:yes");
            }
        }
        let query = Query::parse(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        (query, text)
    }
}

/// A position of a game, seen in some way.
fn view<'g>(games: &'g [Scanned], dice: &mut Dice) -> (&'g [View], usize) {
    let game = &games[dice.roll(games.len())];
    let line = &game.lines[dice.roll(game.lines.len())];
    let views = &line.seen[dice.roll(4)];
    (views, dice.roll(views.len()))
}

pub(super) fn pattern_question(games: &[Scanned], dice: &mut Dice) -> Question {
    let asked = Asked::roll(dice);
    let (views, ply) = view(games, dice);
    let test = Test::about(&views[ply], dice, 2);
    let (query, text) = asked.fields(format!("pattern:\"{}\"", test.text()));
    let scan = move |game: &Scanned| {
        asked.first(game, |line, views| {
            let mut plies = line.own..line.positions.len() as u32;
            let holds = |ply: &u32| views.iter().any(|views| test.holds(&views[*ply as usize]));
            plies.find(holds).map(|ply| vec![ply])
        })
    };
    (query, text, Box::new(scan))
}

pub(super) fn sequence_question(games: &[Scanned], dice: &mut Dice) -> Question {
    let asked = Asked::roll(dice);
    let (views, ply) = view(games, dice);
    let first = Step::about(&views[ply], dice);
    let later = (ply + 1 + dice.roll(6)).min(views.len() - 1);
    let second = (dice.roll(4) > 0).then(|| Step::about(&views[later], dice));
    // At most how many plies later the second step follows.
    let (link, within) = match dice.roll(3) {
        0 => ("then".to_owned(), u32::MAX),
        1 => ("next".to_owned(), 1),
        _ => {
            let within = 1 + dice.roll(6) as u32;
            (format!("then within {within} plies"), within)
        }
    };
    let text = match &second {
        Some(second) => format!("{} {link} {}", first.text(), second.text()),
        None => first.text(),
    };
    let (query, text) = asked.fields(format!("sequence:\"{text}\""));
    let scan = move |game: &Scanned| {
        asked.first(game, |line, views| {
            let holds = |views: &[View], step: &Step, ply: u32| step.holds(&views[ply as usize]);
            (0..line.positions.len() as u32).find_map(|last| {
                let Some(second) = &second else {
                    let mut views = views.iter();
                    return views
                        .any(|views| holds(views, &first, last))
                        .then(|| vec![last]);
                };
                // The closest: the latest first step before it.
                let starts = views.iter().filter(|views| holds(views, second, last));
                let starts = starts.filter_map(|views| {
                    let mut before = (last.saturating_sub(within)..last).rev();
                    before.find(|ply| holds(views, &first, *ply))
                });
                starts.max().map(|start| vec![start, last])
            })
        })
    };
    (query, text, Box::new(scan))
}

const KINDS: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

pub(super) fn material_question(games: &[Scanned], dice: &mut Dice) -> Question {
    // A balance has no sides to be mirrored.
    let asked = Asked {
        mirrored: false,
        ..Asked::roll(dice)
    };
    let (views, ply) = view(games, dice);
    let wide = dice.roll(3) as u32;
    let side = |color| {
        KINDS.map(|role| {
            let number = views[ply].count(color, role);
            (role, number.saturating_sub(wide), number + wide)
        })
    };
    let sides = [side(Color::White), side(Color::Black)];
    let write = |side: &[(Role, u32, u32); 5]| {
        let kinds = side
            .iter()
            .map(|(role, least, most)| format!("{}{least}..{most}", role.letter()));
        kinds.collect::<String>()
    };
    let lasting = 1 + dice.roll(12) as u32;
    let balance = format!("K{}:K{}", write(&sides[0]), write(&sides[1]));
    let (query, text) = asked.fields(match dice.roll(2) {
        0 => format!("material:\"{balance} for {lasting}\""),
        _ => format!("material:\"{balance}\" lasting:{lasting}"),
    });
    let holds = move |at: &View| {
        Color::ALL.into_iter().zip(&sides).all(|(color, side)| {
            let mut side = side.iter();
            side.all(|(role, least, most)| (*least..=*most).contains(&at.count(color, *role)))
        })
    };
    let scan = move |game: &Scanned| {
        asked.first(game, |_, views| {
            // Where it begins in the line, whether that is before the line leaves another or not.
            let begins = |views: &&[View]| {
                let mut windows = views.windows(lasting as usize);
                windows.position(|views| views.iter().all(&holds))
            };
            let first = views.iter().filter_map(begins).min();
            first.map(|ply| vec![ply as u32])
        })
    };
    (query, text, Box::new(scan))
}

/// A placement and whose turn it is, as it is or as it is seen otherwise.
pub(super) fn placement_question(games: &[Scanned], dice: &mut Dice) -> Question {
    let game = &games[dice.roll(games.len())];
    let line = &game.lines[dice.roll(game.lines.len())];
    let ply = match dice.roll(3) {
        0 => dice.roll(3).min(line.positions.len() - 1),
        _ => dice.roll(line.positions.len()),
    };
    let mut setup = line.positions[ply].to_setup();
    let (mirrored, swapped) = (dice.roll(3) == 0, dice.roll(2) == 0);
    // Who may castle is not compared, but makes that a position has no mirror image, or cannot be played.
    match dice.roll(3) {
        _ if mirrored => setup.castling = Castling::NONE,
        0 => setup.castling = Castling::NONE,
        1 => {
            let sides = Color::ALL.map(|color| CastlingSide::ALL.map(|side| (color, side)));
            let all = sides.as_flattened().iter();
            let with = |rights: Castling, (color, side): &_| rights.with(*color, *side);
            setup.castling = all.fold(Castling::NONE, with);
        }
        _ => {}
    }
    let ways = Asked {
        mirrored,
        swapped,
        variations: true,
    };
    let query = PositionQuery::new(setup, PositionMatch::Loose).unwrap();
    let sorted = |view: &View| {
        let (mut pieces, mut boards) = (view.pieces.clone(), view.boards.clone());
        pieces.sort_unstable_by_key(|(spot, _)| *spot);
        boards.sort_unstable();
        (view.turn, boards, pieces)
    };
    let (family, wanted) = (game.entry.rules.family(), sorted(&line.seen[0][ply]));
    let text = format!("placement {ways:?} {wanted:?}");
    let scan = move |game: &Scanned| {
        ways.first(game, |line, views| {
            let mut plies = line.own..line.positions.len() as u32;
            let is_it = |ply: &u32| {
                let mut views = views.iter().map(|views| &views[*ply as usize]);
                views.any(|view| {
                    view.rules.family() == family
                        && view.turn == wanted.0
                        && view.pieces.len() == wanted.2.len()
                        && sorted(view) == wanted
                })
            };
            plies.find(is_it).map(|ply| vec![ply])
        })
    };
    (query.or_seen(mirrored, swapped), text, Box::new(scan))
}
