//! Answers as rows, in the machine forms. Fields are added, never renamed or dropped.

use crate::game::book::OpeningBook;
use crate::questions::openings::{BoardRow, LayoutRow, MoveRow};
use crate::questions::score::Score;
use crate::questions::search::Hit;
use crate::store::reader::GameSummary;
use serde::Serialize;
use tridex_geometry::stair::{AttackBoard, Layout};
use tridex_notation::names::{manual_board as board_name, pin_in_strings as pin_name};
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};
use tridex_rules::{Color, Position};

/// A hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HitRow {
    /// What the game is known by: 16 hexadecimal digits.
    pub id: String,
    /// Where it is from.
    pub source: String,
    /// Its number there, from 1.
    pub game: u32,
    /// White's name; `?` if unknown, here and below.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The event.
    pub event: String,
    /// The site.
    pub site: String,
    /// The date, `????.??.??` if unknown.
    pub date: String,
    /// The round.
    pub round: String,
    /// The result.
    pub result: &'static str,
    /// The rule system.
    pub rules: &'static str,
    /// How many plies the game has.
    pub plies: u32,
    /// First ply at which what was asked of the board occurs; none if nothing was.
    pub ply: Option<u32>,
    /// The name of the opening.
    pub opening: Option<String>,
    /// Whether that ply is one of a variation.
    pub variation: bool,
}

impl HitRow {
    /// The row of a hit and its game.
    #[must_use]
    pub fn new(hit: &Hit, game: GameSummary) -> Self {
        let tag = |name| game.tag(name).unwrap_or("?").to_owned();
        Self {
            id: format!("{:016x}", game.id),
            game: game.number,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            site: tag("Site"),
            date: game.tag("Date").unwrap_or("????.??.??").to_owned(),
            round: tag("Round"),
            result: game.result.as_str(),
            rules: game.rules.name(),
            plies: game.plies,
            ply: hit.ply,
            variation: hit.variation.is_some(),
            opening: game.opening,
            source: game.source,
        }
    }

    /// The names of [`HitRow::cells`].
    pub const COLUMNS: [&'static str; 15] = [
        "id",
        "source",
        "game",
        "white",
        "black",
        "event",
        "site",
        "date",
        "round",
        "result",
        "rules",
        "plies",
        "ply",
        "opening",
        "variation",
    ];

    /// The row as cells of a table.
    #[must_use]
    pub fn cells(&self) -> [String; 15] {
        let text = |text: &str| text.to_owned();
        [
            text(&self.id),
            text(&self.source),
            self.game.to_string(),
            text(&self.white),
            text(&self.black),
            text(&self.event),
            text(&self.site),
            text(&self.date),
            text(&self.round),
            text(self.result),
            text(self.rules),
            self.plies.to_string(),
            self.ply.map(|ply| ply.to_string()).unwrap_or_default(),
            self.opening.clone().unwrap_or_default(),
            self.variation.to_string(),
        ]
    }
}

/// What came of some games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Came {
    /// How many games.
    pub games: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by Black.
    pub black: u64,
    /// White's share of the points, 0 to 1, with four decimals.
    pub score: Option<f64>,
    /// The average rating of those who moved so.
    pub average: Option<u64>,
    /// The year of the last of them.
    pub last_year: Option<u16>,
    /// Whether there are too few results to say anything.
    pub small: bool,
}

impl Came {
    /// What a score says.
    #[must_use]
    pub fn new(score: &Score) -> Self {
        let share = score.of(Color::White);
        Self {
            games: score.games,
            white: score.white,
            draws: score.draws,
            black: score.black,
            score: share.map(|share| (share * 1e4).round() / 1e4),
            average: score.average_rating(),
            last_year: score.last_year,
            small: score.is_small(),
        }
    }
}

/// A move of a table of openings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpeningRow {
    /// The move, as it is written.
    #[serde(rename = "move")]
    pub played: String,
    /// What came of it.
    #[serde(flatten)]
    pub came: Came,
    /// The position after the move.
    pub fen: String,
    /// The name of that position, if it has one.
    pub name: Option<String>,
}

impl OpeningRow {
    /// The row of a move that was played from `position`.
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn new(
        row: &MoveRow,
        position: &Position,
        notation: Notation,
        book: &OpeningBook,
    ) -> Result<Self, WrongFamily> {
        let mut played = String::new();
        let options = WriteOptions::default();
        tridex_notation::write(notation, position, row.played, &options, &mut played)?;
        Ok(Self {
            played,
            came: Came::new(&row.score),
            fen: position_string::to_string(&row.after.to_setup()),
            name: book.name(&row.after).map(str::to_owned),
        })
    }

    /// The names of [`OpeningRow::cells`].
    pub const COLUMNS: [&'static str; 11] = [
        "move",
        "games",
        "white",
        "draws",
        "black",
        "fen",
        "score",
        "average",
        "last_year",
        "small",
        "name",
    ];

    /// The row as cells of a table.
    #[must_use]
    pub fn cells(&self) -> [String; 11] {
        let came = &self.came;
        [
            self.played.clone(),
            came.games.to_string(),
            came.white.to_string(),
            came.draws.to_string(),
            came.black.to_string(),
            self.fen.clone(),
            came.score
                .map(|score| score.to_string())
                .unwrap_or_default(),
            came.average
                .map(|rating| rating.to_string())
                .unwrap_or_default(),
            came.last_year
                .map(|year| year.to_string())
                .unwrap_or_default(),
            came.small.to_string(),
            self.name.clone().unwrap_or_default(),
        ]
    }
}

/// An attack board's first move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FirstBoardRow {
    /// The board, as position strings name it.
    pub board: &'static str,
    /// The pin it left.
    pub from: String,
    /// The pin it went to.
    pub to: String,
    /// What came of it.
    #[serde(flatten)]
    pub came: Came,
}

impl FirstBoardRow {
    /// The row of a board.
    #[must_use]
    pub fn new(row: &BoardRow) -> Self {
        Self {
            board: board_name(row.board),
            from: pin_name(row.from),
            to: pin_name(row.to),
            came: Came::new(&row.score),
        }
    }
}

/// A layout of the attack boards.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReachedRow {
    /// The layout, such as `QL@Q1 KL@K1 ql@Q6 kl@K6`.
    pub layout: String,
    /// What came of the games that reached it.
    #[serde(flatten)]
    pub came: Came,
}

impl ReachedRow {
    /// The row of a layout.
    #[must_use]
    pub fn new(row: &LayoutRow) -> Self {
        Self {
            layout: spelled(&row.layout),
            came: Came::new(&row.score),
        }
    }
}

/// `QL@Q1 KL@K1 ql@Q6 kl@K6`, as position strings name boards and pins.
fn spelled(layout: &Layout) -> String {
    let boards = AttackBoard::ALL.into_iter();
    let boards =
        boards.map(|board| format!("{}@{}", board_name(board), pin_name(layout.pin(board))));
    boards.collect::<Vec<String>>().join(" ")
}
