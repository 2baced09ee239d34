//! Three-dimensional chess in one crate: positions, moves, notations, drawings and game records of Tri-D chess and of the
//! three-level games.
//!
//! A [`Position`] is played under a [`RuleSystem`]; [`Play`] adds the functions that read and write text:
//!
//! ```
//! use tridex_core::{Color, Notation, Play, Position, RuleSystem};
//!
//! let mut position = Position::start(RuleSystem::Meder);
//! position.play_all("1. b4N b5B 2. c3W a6N")?;
//! let knight = position.read("Nc2W")?;
//! assert_eq!(position.write(knight, Notation::Manual)?, "b2,WB-d3,WB");
//! position.play(knight)?;
//! assert_eq!(position.turn(), Color::Black);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A position is drawn as text ([`Play::draw`]), as SVG, and with the feature `png` of [`picture`] as PNG:
//!
//! ```
//! use tridex_core::{Position, RuleSystem, picture};
//!
//! let drawing = picture::svg(&Position::start(RuleSystem::Manual), &picture::PictureOptions::default());
//! assert!(drawing.starts_with("<svg"));
//! ```
//!
//! With the feature `records`, [`games()`] reads and replays a file of any kind, with the findings of each game, and
//! [`ReplayedGame::to_pgn`] writes a game in another notation:
//!
//! ```
//! # #[cfg(feature = "records")] {
//! use tridex_core::{Games, Notation, replay::Options};
//!
//! for game in Games::of_text("1. b4N b5B 2. c3W a6S", Options::default())? {
//!     let game = game?;
//!     println!("{:?}: {:?}", game.replay.status(), game.replay.findings());
//!     println!("{}", game.to_pgn(Notation::Manual)?);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ReplayedGame::tree`] gives a game as a tree of positions; [`GameTree::new`] starts one. Variations, comments and NAGs
//! can be added, changed and removed, and the game is written in any notation of its board.
//!
//! With the feature `search`, [`index`] finds games in an index that the command `tridex index` or the library has
//! built:
//!
//! ```
//! # #[cfg(feature = "search")] {
//! # use tridex_core::{RuleSystem, index::{GameEntry, IndexOptions, Writer, read_moves}};
//! # let folder = tempfile::tempdir()?;
//! # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
//! # writer.begin_source("games.pgn")?;
//! # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N Nc2W")?);
//! # game.tags.push(("White".into(), "Kirk, James".into()));
//! # writer.add_all(&[game])?;
//! # writer.end_source(None);
//! # writer.finish()?;
//! # let path = folder.path();
//! use tridex_core::index::{GameIndex, Query, SearchOptions};
//!
//! let index = GameIndex::open(path)?;
//! let query = Query::parse("player:kirk pattern:\"N@c2W\"")?;
//! let found = index.search(&query, &SearchOptions::default())?;
//! assert_eq!(found.hits[0].ply, Some(5));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything else is in the crates that are re-exported as modules: [`geometry`], [`rules`], [`notation`], [`picture`]
//! and `text`. The feature `records` adds `archive`, `replay` and `tree`; `search` adds `index`. The features
//! `compression`, `encodings`, `files` and `threads`, on by default, are for records alone: without them nothing here
//! opens a file or starts a thread, and records are read from bytes in memory.
#![forbid(unsafe_code)]

#[cfg(all(feature = "records", feature = "files"))]
mod archives;
#[cfg(all(feature = "search", feature = "files"))]
mod arrange;
#[cfg(all(feature = "records", feature = "files"))]
mod collection;
#[cfg(feature = "records")]
mod counts;
#[cfg(all(feature = "search", feature = "files"))]
mod cross_table;
#[cfg(feature = "records")]
mod edits;
#[cfg(all(feature = "search", feature = "files"))]
mod entries;
#[cfg(all(feature = "records", feature = "files"))]
mod file_fault;
#[cfg(feature = "records")]
mod games;
#[cfg(all(feature = "search", feature = "files"))]
mod groups;
#[cfg(all(feature = "search", feature = "files"))]
mod index_update;
#[cfg(all(feature = "search", feature = "files"))]
mod indexing;
#[cfg(all(feature = "search", feature = "files"))]
mod merge_tree;
#[cfg(all(feature = "search", feature = "files"))]
mod novelty;
#[cfg(all(feature = "search", feature = "files"))]
mod report;
#[cfg(feature = "records")]
mod rewriting;
#[cfg(all(feature = "records", feature = "files"))]
mod run;

#[cfg(all(feature = "records", feature = "files"))]
pub use archives::{Checked, CheckedGame, Detail, Rewritten};
#[cfg(all(feature = "search", feature = "files"))]
pub use arrange::{ArrangedGames, GameArrangement, GameKey, GameOrder, GamePart, Split, SplitBy};
#[cfg(all(feature = "records", feature = "files"))]
pub use collection::BatchCounts;
#[cfg(feature = "records")]
pub use counts::{Counts, DateCounts};
#[cfg(all(feature = "search", feature = "files"))]
pub use cross_table::{CrossResult, CrossTables, Standing};
#[cfg(feature = "records")]
pub use edits::{Edits, Strip};
#[cfg(all(feature = "search", feature = "files"))]
pub use entries::{Entries, SkippedGame};
#[cfg(all(feature = "records", feature = "files"))]
pub use file_fault::FileFault;
#[cfg(all(feature = "records", feature = "files"))]
pub use games::games;
#[cfg(feature = "records")]
pub use games::{Games, ReplayedGame};
#[cfg(all(feature = "search", feature = "files"))]
pub use groups::{GroupBy, GroupRow, Grouping, Groups};
#[cfg(all(feature = "search", feature = "files"))]
pub use index_update::{IndexUpdate, IndexUpdateError, STANDARD_INPUT, Unpruned, prune_index};
#[cfg(all(feature = "search", feature = "files"))]
pub use indexing::index_entry;
#[cfg(all(feature = "search", feature = "files"))]
pub use merge_tree::{MergedGame, TreeMerger, split_tree};
#[cfg(all(feature = "search", feature = "files"))]
pub use novelty::{Novelty, NoveltyFinder};
#[cfg(all(feature = "search", feature = "files"))]
pub use report::{EndingRow, Report, ReportOptions, ReportRow, Spread};
#[cfg(feature = "records")]
pub use rewriting::{GameFormat, HowWritten, Invalid, Rewriting, RewrittenGame, WrittenGames};
#[cfg(all(feature = "records", feature = "files"))]
pub use run::{Archives, Origin, RunEvent};

pub use tridex_geometry as geometry;
pub use tridex_notation as notation;
pub use tridex_picture as picture;
pub use tridex_rules as rules;
pub use tridex_text as text;

#[cfg(feature = "records")]
pub use tridex_archive as archive;
#[cfg(feature = "records")]
pub use tridex_archive::Cancel;
#[cfg(feature = "search")]
pub use tridex_index as index;
#[cfg(feature = "records")]
pub use tridex_replay as replay;
#[cfg(feature = "records")]
pub use tridex_tree as tree;
#[cfg(feature = "records")]
pub use tridex_tree::{GameTree, NodeId};

pub use tridex_geometry::{Family, Square, SquareSet};
pub use tridex_notation::{
    Fen, Locale, Notation, SyntaxError, UnreadMove, WhyUnread, WriteOptions, WrongFamily,
};
pub use tridex_rules::{
    Color, IllegalMove, Move, MoveList, Outcome, Piece, Position, Role, RuleSystem, Setup,
    SetupError,
};

/// Reading and writing a [`Position`] and its moves as text.
pub trait Play: Sized {
    /// The position of a position string under a rule system.
    ///
    /// ```
    /// use tridex_core::{Play, Position, RuleSystem};
    ///
    /// let line = "4/4/4/4|4/1K2/4/4|4/4/4/4|QL@Q2:2/2|KL@K1:2/2|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 1";
    /// let kings = Position::from_fen(RuleSystem::Meder, line)?;
    /// assert!(kings.outcome().is_some());
    /// assert_eq!(kings.fen(), line);
    /// # Ok::<(), tridex_core::PositionError>(())
    /// ```
    ///
    /// # Errors
    /// If the line is not a position string, or the position cannot be played.
    fn from_fen(rules: RuleSystem, line: &str) -> Result<Self, PositionError>;

    /// The position as a position string.
    fn fen(&self) -> String;

    /// Reads the moves of a line of text, in any notation of the board. Move numbers are skipped. The position does not
    /// change.
    ///
    /// # Errors
    /// The first token that is not a legal move.
    fn read_all(&self, moves: &str) -> Result<Vec<Move>, UnreadMove>;

    /// The one legal move that a token means, in any notation of the board.
    ///
    /// # Errors
    /// If it is not a move in any notation, or means no legal move here, or several.
    fn read(&self, token: &str) -> Result<Move, UnreadMove>;

    /// Plays the moves of a line of text, in any notation of the board; move numbers are skipped.
    ///
    /// ```
    /// use tridex_core::{Play, Position, RuleSystem};
    ///
    /// let mut position = Position::start(RuleSystem::Millennium);
    /// assert_eq!(position.play_all("1. 1e4 3e5")?.len(), 2);
    /// let unread = position.play_all("N1f3 Nz9").unwrap_err();
    /// assert_eq!(unread.to_string().split(':').next(), Some("`Nz9` (move 2 of the line)"));
    /// # Ok::<(), tridex_core::UnreadMove>(())
    /// ```
    ///
    /// # Errors
    /// The first token that is not a legal move. The position does not change then.
    fn play_all(&mut self, moves: &str) -> Result<Vec<Move>, UnreadMove>;

    /// Writes a legal move in a notation, with the marks that are customary there.
    ///
    /// # Errors
    /// If the notation is that of another board.
    fn write(&self, mv: Move, notation: Notation) -> Result<String, WrongFamily>;

    /// The position drawn in characters, with the names of its own rules.
    ///
    /// ```
    /// use tridex_core::{Play, Position, RuleSystem};
    ///
    /// let drawn = Position::start(RuleSystem::Chess3).draw();
    /// assert!(drawn.starts_with("chess3, move 1: White to move\n"));
    /// ```
    fn draw(&self) -> String;
}

impl Play for Position {
    fn from_fen(rules: RuleSystem, line: &str) -> Result<Self, PositionError> {
        let fen: Fen = line.trim().parse().map_err(PositionError::Words)?;
        fen.position(rules).map_err(PositionError::Setup)
    }

    fn fen(&self) -> String {
        Fen::of(self).to_string()
    }

    fn read_all(&self, moves: &str) -> Result<Vec<Move>, UnreadMove> {
        tridex_notation::read_moves(self, moves)
    }

    fn read(&self, token: &str) -> Result<Move, UnreadMove> {
        match self.read_all(token)?.as_slice() {
            [only] => Ok(*only),
            several => Err(UnreadMove {
                token: token.to_owned(),
                offset: 0,
                ply: several.len().min(1),
                why: WhyUnread::Syntax(SyntaxError::new(0, "one move")),
            }),
        }
    }

    fn play_all(&mut self, moves: &str) -> Result<Vec<Move>, UnreadMove> {
        let moves = self.read_all(moves)?;
        for mv in &moves {
            self.play_unchecked(*mv);
        }
        Ok(moves)
    }

    fn write(&self, mv: Move, notation: Notation) -> Result<String, WrongFamily> {
        let mut text = String::new();
        tridex_notation::write(notation, self, mv, &WriteOptions::default(), &mut text)?;
        Ok(text)
    }

    fn draw(&self) -> String {
        picture::text(self, &picture::TextOptions::default())
    }
}

/// Why a position string does not give a position.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PositionError {
    /// It is not a position string.
    #[error("the position cannot be read: {0}")]
    Words(SyntaxError),
    /// The position cannot be played.
    #[error("the position cannot be played: {0}")]
    Setup(SetupError),
}

/// The code of the README, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The same for the README of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct OwnReadme;
