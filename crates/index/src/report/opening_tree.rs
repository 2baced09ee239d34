//! Opening trees: the moves played from a position, and those played after them.

use crate::model::opening_book::OpeningBook;
use crate::model::results::ResultCounts;
use crate::report::openings::{MoveRow, MoveTable};
use crate::report::rows::OpeningRow;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, VecDeque};
use tridex_notation::{Notation, WriteOptions, WrongFamily};
use tridex_rules::{Color, Position};

tridex_text::enum_table! {
    /// The order of the moves of a position.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum OpeningOrder(
        /// Its name.
        name: &'static str
    ) {
        /// Those of most games first.
        Games("games"),
        /// Those with the best score for the side that moves first.
        Score("score"),
        /// Those of the best players first, by the average rating of the side that moves.
        Rating("rating"),
        /// Those played most recently first, by year.
        Year("year"),
        /// In alphabetical order of the moves in the notation of the rule system.
        Move("move"),
    }
}

impl OpeningOrder {
    /// Returns the order of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

impl MoveTable {
    /// Sorts the moves. Moves that are equal in the order stay as they are; moves without a score, rating or year come
    /// last.
    ///
    /// ```
    /// # use tridex_index::{GameIndex, OpeningOrder};
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// # let index = GameIndex::open(folder.path())?;
    /// let start = tridex_rules::Position::start(tridex_rules::RuleSystem::Meder);
    /// let mut table = index.openings(&start, &tridex_index::Query::All)?;
    /// table.sort(OpeningOrder::Move, &start);
    /// assert_eq!(table.moves.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sort(&mut self, order: OpeningOrder, position: &Position) {
        let is_white = position.turn() == Color::White;
        let score = |row: &MoveRow| {
            let score = row.results.score()?;
            Some(if is_white { score } else { 1.0 - score })
        };
        let moves = &mut self.moves;
        match order {
            OpeningOrder::Games => moves.sort_by_key(|row| Reverse(row.results.games)),
            OpeningOrder::Score => moves.sort_by(|one, other| {
                let order = score(other).partial_cmp(&score(one));
                order.unwrap_or(Ordering::Equal)
            }),
            OpeningOrder::Rating => {
                moves.sort_by_key(|row| Reverse(row.results.average_rating()));
            }
            OpeningOrder::Year => moves.sort_by_key(|row| Reverse(row.results.last_year)),
            OpeningOrder::Move => {
                let notation = Notation::of(position.rules());
                // The notation is of the system's family, so this does not fail.
                moves.sort_by_cached_key(|row| written(row, position, notation).ok());
            }
        }
    }
}

fn written(row: &MoveRow, position: &Position, notation: Notation) -> Result<String, WrongFamily> {
    let mut text = String::new();
    let options = WriteOptions::default();
    tridex_notation::write(notation, position, row.played, &options, &mut text)?;
    Ok(text)
}

/// What an opening tree contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TreeOptions {
    /// How many plies deep it is, at least 1.
    pub depth: u32,
    /// The least number of games in which a move was played.
    pub min_games: u64,
    /// The most moves of each position.
    pub limit: usize,
    /// The order of the moves of each position.
    pub order: OpeningOrder,
    /// The most moves of the whole tree. Deeper moves are the first to be omitted.
    pub most: usize,
}

tridex_text::setters! {
    impl[] TreeOptions {
        depth: u32,
        min_games: u64,
        limit: usize,
        order: OpeningOrder,
        most: usize,
    }
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            depth: 1,
            min_games: 1,
            limit: usize::MAX,
            order: OpeningOrder::Games,
            most: 20_000,
        }
    }
}

/// A move of an opening tree, or its first position.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningNode {
    /// The node before, as an index into [`OpeningTree::nodes`]; `None` for the first position.
    pub parent: Option<usize>,
    /// The move and the results of the games in which it was played, each counted once; `None` for the first position.
    pub row: Option<MoveRow>,
    /// Another node with the same position, which has the moves that follow.
    pub transposes_to: Option<usize>,
    /// The moves that follow, in the requested order.
    pub children: Vec<usize>,
    /// The number of plies from the first position.
    pub depth: u32,
}

/// The moves played from a position, and those played after them.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct OpeningTree {
    /// The first position.
    pub position: Position,
    /// All games that reach the first position.
    pub total: ResultCounts,
    /// The first position, then the moves, those of a smaller depth first.
    pub nodes: Vec<OpeningNode>,
    /// Moves that were omitted because of [`TreeOptions::min_games`] and [`TreeOptions::limit`].
    pub omitted: usize,
    /// Whether positions were omitted because of [`TreeOptions::most`].
    pub is_cut: bool,
}

impl OpeningTree {
    /// Builds the tree from tables of positions, for example those of [`GameIndex::openings`]. Each position has a table
    /// of all games that reach it, by any order of moves. If several lines lead to a position, only the shortest is
    /// continued, and the others refer to it.
    ///
    /// [`GameIndex::openings`]: crate::GameIndex::openings
    ///
    /// ```
    /// # use tridex_index::{GameIndex, OpeningTree, Query, TreeOptions};
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// # let index = GameIndex::open(folder.path())?;
    /// let start = tridex_rules::Position::start(tridex_rules::RuleSystem::Meder);
    /// let options = TreeOptions::default().depth(3);
    /// let tree = OpeningTree::build(&start, &options, |position| index.openings(position, &Query::All))?;
    /// assert_eq!(tree.nodes.last().map(|node| node.depth), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of `table`.
    pub fn build<E>(
        position: &Position,
        options: &TreeOptions,
        mut table: impl FnMut(&Position) -> Result<MoveTable, E>,
    ) -> Result<Self, E> {
        let mut tree = Self {
            position: position.clone(),
            total: ResultCounts::default(),
            nodes: vec![OpeningNode {
                parent: None,
                row: None,
                transposes_to: None,
                children: Vec::new(),
                depth: 0,
            }],
            omitted: 0,
            is_cut: false,
        };
        let mut known = HashMap::from([(position.key(), 0)]);
        let mut waiting = VecDeque::from([0]);
        while let Some(at) = waiting.pop_front() {
            if tree.nodes.len() > options.most {
                tree.is_cut = true;
                break;
            }
            let here = tree.position(at).clone();
            let mut found = table(&here)?;
            if at == 0 {
                tree.total = found.total;
            }
            found.sort(options.order, &here);
            let depth = tree.nodes[at].depth + 1;
            let played = found.moves.len();
            let rows = found.moves.into_iter();
            let rows = rows.filter(|row| row.results.games >= options.min_games);
            let first = tree.nodes.len();
            for row in rows.take(options.limit) {
                let id = tree.nodes.len();
                let key = row.after.key();
                let transposes_to = known.get(&key).copied();
                if transposes_to.is_none() {
                    known.insert(key, id);
                    if depth < options.depth {
                        waiting.push_back(id);
                    }
                }
                tree.nodes.push(OpeningNode {
                    parent: Some(at),
                    row: Some(row),
                    transposes_to,
                    children: Vec::new(),
                    depth,
                });
            }
            tree.omitted += played - (tree.nodes.len() - first);
            tree.nodes[at].children = (first..tree.nodes.len()).collect();
        }
        Ok(tree)
    }

    /// The position at a node.
    #[must_use]
    pub fn position(&self, at: usize) -> &Position {
        let row = self.nodes.get(at).and_then(|node| node.row.as_ref());
        row.map_or(&self.position, |row| &row.after)
    }

    /// The nodes of the moves in the order of a text: each move, then what follows it.
    #[must_use]
    pub fn in_order(&self) -> Vec<usize> {
        let (mut order, mut rest) = (Vec::new(), vec![0]);
        while let Some(at) = rest.pop() {
            if at > 0 {
                order.push(at);
            }
            let node = self.nodes.get(at).into_iter();
            rest.extend(node.flat_map(|node| node.children.iter().rev().copied()));
        }
        order
    }

    /// The moves from the first position to a node in a notation.
    fn line(&self, at: usize, notation: Notation) -> Result<String, WrongFamily> {
        let mut words = Vec::new();
        let mut next = at;
        while let Some(OpeningNode {
            parent: Some(parent),
            row: Some(row),
            ..
        }) = self.nodes.get(next)
        {
            words.push(written(row, self.position(*parent), notation)?);
            next = *parent;
        }
        words.reverse();
        Ok(words.join(" "))
    }

    /// The rows of the moves, in the order of [`OpeningTree::in_order`].
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn rows(
        &self,
        notation: Notation,
        book: &OpeningBook,
    ) -> Result<Vec<TreeRow>, WrongFamily> {
        let mut rows = Vec::new();
        for at in self.in_order() {
            let node = &self.nodes[at];
            if let (Some(parent), Some(row)) = (node.parent, &node.row) {
                let other = node.transposes_to.map(|other| match other {
                    0 => Ok("start".to_owned()),
                    other => self.line(other, notation),
                });
                rows.push(TreeRow {
                    row: OpeningRow::new(row, self.position(parent), notation, book)?,
                    depth: node.depth,
                    line: self.line(at, notation)?,
                    transposes_to: other.transpose()?,
                });
            }
        }
        Ok(rows)
    }
}

/// A row of an opening tree. Fields may be added, but are never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "TreeMove")
)]
pub struct TreeRow {
    /// The move with its results.
    #[serde(flatten)]
    pub row: OpeningRow,
    /// The number of plies from the position of the request, from 1.
    pub depth: u32,
    /// The moves from the position of the request to this one.
    pub line: String,
    /// The line of the tree that leads to the same position and is continued there; `start` for the position of the
    /// request itself.
    pub transposes_to: Option<String>,
}

impl tridex_archive::write::TableRow for TreeRow {
    const COLUMNS: &'static [&'static str] = &[
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
        "depth",
        "line",
        "transposes_to",
    ];

    fn cells(&self) -> Vec<Vec<String>> {
        let mut rows = self.row.cells();
        for row in &mut rows {
            let other = self.transposes_to.clone().unwrap_or_default();
            row.extend([self.depth.to_string(), self.line.clone(), other]);
        }
        rows
    }
}
