//! A game as a tree of positions, each given by its difference from the one before.

use crate::boards::{FIXED, layout_of, man_on, rights};
use crate::marks;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::RangeFrom;
use tridex_archive::Item;
use tridex_geometry::Square;
use tridex_notation::{Locale, Notation, WrongFamily, write_played};
use tridex_picture::{Marks, all_squares};
use tridex_replay::{OutputStyle, Played, Trace, UNREADABLE, figurines};
use tridex_rules::{Move, Position};
use tridex_text::names::game_title;
use tridex_tree::{GameTree, NodeId, Step};

/// The name by which readers choose an output style.
fn name(wording: &OutputStyle) -> String {
    let (notation, locale) = (wording.notation, wording.options.locale);
    if wording.figurines && notation.has_letters() {
        format!("{}, figurines", notation.name())
    } else if locale != Locale::English && notation.has_letters() {
        format!("{}, {}", notation.name(), locale.code())
    } else {
        notation.name().to_owned()
    }
}

/// A game prepared for display.
#[derive(Clone, Debug)]
pub struct PageGame {
    /// Names and values, unchanged.
    pub(crate) tags: Vec<(String, String)>,
    /// The result, as PGN writes it.
    pub(crate) result: &'static str,
    /// Where it starts.
    pub(crate) start: Position,
    /// The notations in which its moves are written: the requested one first, then the other notations of the board in
    /// their default style, among which readers can choose.
    pub(crate) spellings: Vec<OutputStyle>,
    /// The start, and then every move with its effect, in the order of the text.
    pub(crate) nodes: Vec<Node>,
    /// One position for each layout, in the order in which the layouts first occur.
    pub(crate) layouts: Vec<Position>,
    /// The text of the game, in order.
    pub(crate) text: Vec<Piece>,
    /// The position at the end of the main line, and what is marked on it.
    pub(crate) last: (Position, Marks),
}

/// A position of the game and the move that led to it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Node {
    /// The node before it; itself for the first.
    pub(crate) parent: usize,
    /// Its variation, numbered in the order of first moves, or `None` for the main line; and its ply from the start of
    /// the game.
    pub(crate) place: (Option<usize>, usize),
    /// The number in front of the move: `12.` or `12...`.
    pub(crate) number: String,
    /// The move, in every notation of the page.
    pub(crate) words: Vec<String>,
    /// The squares that a piece left and reached, if nothing else changed.
    pub(crate) step: [u8; 2],
    /// Everything that not every move has.
    pub(crate) more: More,
}

/// What a move has besides the two squares of its step. Absent values follow from the step and from the parent node.
#[derive(Clone, Default, PartialEq, Debug, Serialize)]
pub(crate) struct More {
    /// The layout, by its number among those of the game, if it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) layout: Option<usize>,
    /// The squares that changed, each followed by the piece there now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changes: Option<Vec<u8>>,
    /// The squares of the move, if they are not the two of its step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) squares: Option<Vec<u8>>,
    /// The halfmove clock, if it does not follow from the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) halfmoves: Option<u32>,
    /// Castling rights, the en passant square and moved pawns, as in a position string, if they change.
    #[serde(skip)]
    pub(crate) rights: Option<String>,
    /// The board that moved, counted after the boards that do not move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) board: Option<usize>,
    /// The king in check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check: Option<u8>,
    /// How the rules have ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<String>,
    /// Judgements after the move: `!`, `?!`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) judgement: String,
    /// The judgements as PGN writes them, if that is different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nags: Option<String>,
    /// Squares that a comment marks, and the letters of their inks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) marked: Vec<(u8, char)>,
    /// Arrows of a comment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arrows: Vec<(u8, u8, char)>,
}

/// A piece of the text of a game.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// A move: its node, and whether its number is written before it.
    Move {
        node: usize,
        numbered: bool,
    },
    /// A comment.
    Comment(String),
    /// An evaluation in pawns, or the number of moves to a mate: `0.35`, `#-3`.
    Score(String),
    /// The time on a clock.
    Clock(String),
    /// A token that is not a move or could not be read.
    Word(String),
    /// A variation begins, or ends.
    Open,
    Close,
}

impl PageGame {
    /// Prepares a replayed game for display. A move that could not be read ends its line. The rest of the line is shown
    /// as text.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn new(played: &Played<'_>, spelling: OutputStyle) -> Result<Self, WrongFamily> {
        // Squares and arrows in comments are written in the notation of the record.
        let notation = played.style().notation;
        let mut game = Self::of_tree(&GameTree::of(played), notation, spelling)?;
        game.tags = played.tags();
        if let Some(why) = played.unreadable() {
            game.tags.push((UNREADABLE.to_owned(), why));
        }
        Ok(game)
    }

    /// Prepares the game of a tree for display. Squares and arrows in its comments are read in `notation`.
    ///
    /// # Errors
    /// If the notation of `spelling` cannot describe the board of the game.
    pub fn of_tree(
        tree: &GameTree,
        notation: Notation,
        spelling: OutputStyle,
    ) -> Result<Self, WrongFamily> {
        let start = tree.position(tree.root());
        if spelling.notation.family() != start.family() {
            return Err(WrongFamily {
                notation: spelling.notation,
            });
        }
        let others = Notation::ALL
            .into_iter()
            .filter(|other| *other != spelling.notation && other.family() == start.family())
            .map(OutputStyle::of);
        let mut reader = Reader {
            tree,
            variations: 0..,
            traces: spelling.traces,
            notation,
            at: tree.root(),
            outer: Vec::new(),
            branches: false,
            numbered: true,
            numbers: HashMap::from([(tree.root(), 0)]),
            game: Self {
                tags: tree.tags.clone(),
                result: tree.result.as_str(),
                start: start.clone(),
                spellings: std::iter::once(spelling).chain(others).collect(),
                nodes: vec![Node::default()],
                layouts: vec![start.clone()],
                text: Vec::new(),
                last: (start.clone(), Marks::default()),
            },
        };
        for step in tree.steps() {
            reader.take(step);
        }
        Ok(reader.game)
    }

    /// Sets the first tag of this name, or adds one.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The title in one line, not escaped: the players, or the event if neither is known, with date and result.
    #[must_use]
    pub fn title(&self) -> String {
        let [white, black, event] =
            ["White", "Black", "Event"].map(|name| self.tag(name).unwrap_or_default());
        let title = game_title(white, black, event);
        let mut said = title.unwrap_or_else(|| "Game without names".to_owned());
        if let Some(date) = self.tag("Date").filter(|date| !date.starts_with('?')) {
            said.push_str(&format!(", {}", date.trim_end_matches(".??")));
        }
        if self.result != "*" {
            said.push_str(&format!(", {}", self.result.replace('-', "\u{2013}")));
        }
        said
    }

    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        let found = self
            .tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name));
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty() && *value != "?")
    }

    /// The place of a node.
    pub(crate) fn place(&self, node: usize) -> (Option<usize>, usize) {
        self.nodes.get(node).map_or((None, 0), |node| node.place)
    }

    /// The node of a line after some plies from the start of the game; the last of the line if it is shorter.
    pub(crate) fn node(&self, line: Option<usize>, ply: usize) -> usize {
        let of = |line| (0..self.nodes.len()).rfind(|at| self.place(*at).0 == line);
        let mut at = of(line).or(of(None)).unwrap_or_default();
        while self.place(at).1 > ply {
            at = self.nodes.get(at).map_or(0, |node| node.parent);
        }
        at
    }

    /// The last ply of a line, counted from the start of the game.
    #[must_use]
    pub fn length(&self, line: Option<usize>) -> usize {
        self.place(self.node(line, usize::MAX)).1
    }

    /// The move that leads to a place, with its number, and the place before it; `None` for the start. A place is a
    /// line, as in [`PlayerOptions::line`](crate::PlayerOptions::line), and a ply counted from the start of the game.
    #[must_use]
    pub fn move_to(
        &self,
        line: Option<usize>,
        ply: usize,
    ) -> Option<(String, (Option<usize>, usize))> {
        let node = self.nodes.get(self.node(line, ply))?;
        let said = format!("{} {}", node.number, node.words.first()?);
        Some((said, self.place(node.parent)))
    }

    /// The names of the styles among which readers can choose.
    pub(crate) fn notations(&self) -> Vec<String> {
        self.spellings.iter().map(name).collect()
    }
}

/// Reads a tree in the order of its text.
struct Reader<'t> {
    tree: &'t GameTree,
    /// The number of the next variation.
    variations: RangeFrom<usize>,
    traces: bool,
    notation: Notation,
    /// The last move of the current line, or the node from which the line branches off.
    at: NodeId,
    /// The same for the lines around it, the main line first.
    outer: Vec<NodeId>,
    /// Whether the next move is the first of a variation.
    branches: bool,
    /// Whether the next move has its number even if it is Black's: at the beginning, and after a comment or a
    /// variation.
    numbered: bool,
    /// The numbers of the tree's nodes in the game, which are in the order of the text.
    numbers: HashMap<NodeId, usize>,
    game: PageGame,
}

impl Reader<'_> {
    fn take(&mut self, step: Step<'_>) {
        match step {
            Step::Move(id) => self.play(id),
            Step::VariationStart(first) => {
                self.open(self.parent(first));
                self.branches = true;
            }
            Step::VariationEnd | Step::Item(Item::VariationEnd) => {
                self.at = self.outer.pop().unwrap_or(self.at);
                self.numbered = true;
                self.game.text.push(Piece::Close);
            }
            // A variation in which no move could be read.
            Step::Item(Item::VariationStart) => self.open(self.parent(self.at)),
            Step::Item(Item::Comment(said) | Item::LineComment(said)) => self.comment(said),
            Step::Item(Item::Word(said) | Item::Move(said)) => {
                self.game.text.push(Piece::Word(said.clone()));
            }
            Step::Item(Item::Nag(code)) => {
                let number = self.number(self.at);
                if let Some(node) = self.game.nodes.get_mut(number) {
                    let more = &mut node.more;
                    let nags = more.nags.get_or_insert_with(|| more.judgement.clone());
                    nags.push_str(&format!(" ${code}"));
                    more.judgement.push_str(&nag_sign(*code));
                }
            }
            Step::Item(Item::DrawOffer) => self.game.text.push(Piece::Word("(=)".to_owned())),
            Step::Item(Item::Escape(_)) => {}
        }
    }

    fn parent(&self, id: NodeId) -> NodeId {
        let parent = self.tree.node(id).and_then(|node| node.parent());
        parent.unwrap_or(id)
    }

    fn number(&self, id: NodeId) -> usize {
        self.numbers.get(&id).copied().unwrap_or_default()
    }

    fn open(&mut self, from: NodeId) {
        self.outer.push(self.at);
        self.at = from;
        self.numbered = true;
        self.game.text.push(Piece::Open);
    }

    fn play(&mut self, id: NodeId) {
        let Some((read, mv)) = self
            .tree
            .node(id)
            .and_then(|node| Some((node, node.played()?)))
        else {
            return;
        };
        let parent = self.parent(id);
        let (before, now) = (self.tree.position(parent), read.position());
        let number = if before.turn().is_white() {
            format!("{}.", before.fullmoves())
        } else {
            format!("{}...", before.fullmoves())
        };
        let words = self
            .game
            .spellings
            .iter()
            .map(|spelling| spelled(spelling, before, mv, now))
            .collect();
        let marks = Marks::after(before, mv);
        let last = marks.last.as_ref();
        let at = self.game.nodes.len();
        let parent = self.number(parent);
        let (variation, ply) = self.game.place(parent);
        let squares = last.map_or(Vec::new(), |last| {
            let index = |square: &Square| square.index() as u8;
            last.squares.iter().map(index).collect()
        });
        let mut node = Node {
            parent,
            place: match self.branches {
                true => (self.variations.next(), ply + 1),
                false => (variation, ply + 1),
            },
            number,
            words,
            more: More {
                layout: (before.layout() != now.layout())
                    .then(|| layout_of(&mut self.game.layouts, now)),
                rights: Some(rights(now)).filter(|now| *now != rights(before)),
                board: last
                    .and_then(|last| last.board)
                    .map(|board| FIXED + board as usize),
                check: now.is_check().then(|| now.king(now.turn()).index() as u8),
                outcome: now.outcome().map(|outcome| outcome.to_string()),
                judgement: read.judgement().to_owned(),
                ..More::default()
            },
            ..Node::default()
        };
        let changes = changes(before, now);
        match step(before, &changes) {
            Some((step, halfmoves)) => {
                node.step = step;
                let is_other = squares.len() != 2 || step.iter().any(|at| !squares.contains(at));
                node.more.squares = is_other.then_some(squares);
                node.more.halfmoves = (halfmoves != now.halfmoves()).then(|| now.halfmoves());
            }
            None => {
                node.more.changes = Some(changes);
                node.more.squares = Some(squares);
                node.more.halfmoves = Some(now.halfmoves());
            }
        }
        self.game.text.push(Piece::Move {
            node: at,
            numbered: self.numbered || before.turn().is_white(),
        });
        if self.outer.is_empty() {
            self.game.last = (now.clone(), marks);
        }
        self.at = id;
        self.branches = false;
        self.numbered = false;
        self.numbers.insert(id, at);
        self.game.nodes.push(node);
    }

    fn comment(&mut self, said: &str) {
        let now = self.tree.position(self.at);
        let mut traces = Vec::new();
        let said = Trace::take(said, |trace| traces.push(trace));
        let mut marks = Marks::default();
        let text = &mut self.game.text;
        let said = marks::take(&said, |name, said| {
            let piece = match name {
                "clk" if marks::is_time(said) => Piece::Clock(said.to_owned()),
                "eval" if marks::is_score(said) => Piece::Score(said.to_owned()),
                _ => return marks::read(name, said, now, self.notation, &mut marks).is_some(),
            };
            text.push(piece);
            true
        });
        let number = self.number(self.at);
        if let Some(node) = self.game.nodes.get_mut(number) {
            let squares = now.family().squares();
            let index = |square: Square| square.index() as u8;
            let marked = marks
                .squares
                .iter()
                .filter(|(square, _)| square.index() < squares)
                .map(|(square, ink)| (index(*square), ink.letter()));
            node.more.marked.extend(marked);
            let arrows = marks
                .arrows
                .iter()
                .map(|(from, to, ink)| (index(*from), index(*to), ink.letter()));
            node.more.arrows.extend(arrows);
        }
        if self.outer.is_empty() {
            self.game.last.1.squares.extend(marks.squares);
            self.game.last.1.arrows.extend(marks.arrows);
        }
        let traces = traces.iter().filter(|_| self.traces).map(Trace::message);
        for said in traces.chain(Some(said).filter(|said| !said.is_empty())) {
            self.game.text.push(Piece::Comment(said));
            self.numbered = true;
        }
    }
}

pub(crate) fn spelled(
    spelling: &OutputStyle,
    before: &Position,
    mv: Move,
    after: &Position,
) -> String {
    let notation = spelling.notation;
    let mut text = String::new();
    // Every notation here is of the board's family, so this does not fail.
    let _ = write_played(notation, before, mv, after, &spelling.options, &mut text);
    if spelling.figurines {
        text = figurines(notation, before, mv, &text);
    }
    text
}

/// The squares that a piece left and reached, if nothing else changed, and the halfmove clock that follows from that.
fn step(before: &Position, changes: &[u8]) -> Option<([u8; 2], u32)> {
    let (from, to, now) = match *changes {
        [from, 0, to, now] | [to, now, from, 0] => (from, to, now),
        _ => return None,
    };
    let was = |at| Square::try_new(at).map(|square| man_on(before, square));
    if was(from) != Some(now) {
        return None;
    }
    let is_quiet = !matches!(now, 1 | 7) && was(to) == Some(0);
    let halfmoves = if is_quiet { before.halfmoves() + 1 } else { 0 };
    Some(([from, to], halfmoves))
}

/// Squares whose contents have changed, and their contents.
fn changes(before: &Position, now: &Position) -> Vec<u8> {
    let mut changes = Vec::new();
    for square in all_squares(now.family()) {
        let man = man_on(now, square);
        if man != man_on(before, square) {
            changes.extend([square.index() as u8, man]);
        }
    }
    changes
}

/// The sign of a numeric annotation glyph (PGN standard, 10), with a blank before those that are written apart from the
/// move.
fn nag_sign(code: u8) -> String {
    let sign = match code {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 | 8 => " \u{25a1}",
        10 => " =",
        13 => " \u{221e}",
        14 => " \u{2a72}",
        15 => " \u{2a71}",
        16 => " \u{b1}",
        17 => " \u{2213}",
        18 => " +\u{2212}",
        19 => " \u{2212}+",
        22 | 23 => " \u{2a00}",
        32 | 33 => " \u{27f3}",
        36 | 37 => " \u{2192}",
        40 | 41 => " \u{2191}",
        132 | 133 => " \u{21c6}",
        138 | 139 => " \u{2295}",
        146 => " N",
        _ => return format!(" ${code}"),
    };
    sign.to_owned()
}
