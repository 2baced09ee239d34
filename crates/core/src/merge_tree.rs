//! Games merged into a tree, and a tree split into games.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use tridex_archive::{Game, GameResult, Item};
use tridex_notation::{Fen, Notation, WriteOptions, WrongFamily};
use tridex_replay::Played;
use tridex_rules::{Move, Position, RuleSystem};
use tridex_tree::{GameTree, NodeId};

/// Tags that the tree has for all of its games, or that a marker has in another form.
const OF_TREE: [&str; 6] = ["FEN", "SetUp", "Variant", "Notation", "Locale", "Result"];

/// The beginning of the command that marks the end of a game in a tree.
const MARKER: &str = "[%game ";

/// A game for a [`TreeMerger`].
#[derive(Clone, Debug)]
pub struct MergedGame {
    start: Position,
    moves: Vec<Move>,
    result: GameResult,
    /// The command that marks its end.
    marker: String,
    is_annotated: bool,
}

impl MergedGame {
    /// The main line of a game, its result and its tags.
    #[must_use]
    pub fn of(game: &Played<'_>) -> Self {
        let mut marker = MARKER.trim_end().to_owned();
        let mut put = |text: &str| {
            marker.push(' ');
            marker.push_str(&quoted(text));
        };
        for (name, value) in game.game().tags() {
            if !OF_TREE.contains(&&*name) {
                put(&name);
                put(&value);
            }
        }
        put("Result");
        put(game.result().as_str());
        marker.push(']');
        Self {
            start: game.start().clone(),
            moves: game.moves().to_vec(),
            result: game.result(),
            marker,
            is_annotated: game.game().is_annotated(),
        }
    }
}

/// A text in quotation marks, without signs that end a command or a comment.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '[' | ']' | '{' | '}' => quoted.push_str(&escape(c)),
            // Blanks at which a line might be broken stay single.
            c if c.is_control() => quoted.push_str(&escape(c)),
            c => quoted.push(c),
        }
    }
    // Two blanks in a row would become one.
    quoted.replace("  ", " \\u0020") + "\""
}

fn escape(c: char) -> String {
    format!("\\u{:04x}", u32::from(c))
}

/// The texts in quotation marks of a command.
fn unquoted(command: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    for part in command.split('"').skip(1).step_by(2) {
        let mut text = String::new();
        let mut parts = part.split("\\u");
        text.push_str(parts.next()?);
        for part in parts {
            let (code, rest) = part.split_at_checked(4)?;
            text.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
            text.push_str(rest);
        }
        texts.push(text);
    }
    Some(texts)
}

/// A move of a line in a tree. The first node has the start position instead. Trees of many games have millions of them, so
/// they are small.
#[derive(Clone, Copy, Debug)]
struct MergedNode {
    played: Option<Move>,
    /// How many games have this line.
    games: u32,
    /// The first move that follows, and the next move of the same position; 0 if there is none.
    child: u32,
    sibling: u32,
}

impl MergedNode {
    const fn new(played: Option<Move>) -> Self {
        Self {
            played,
            games: 0,
            child: 0,
            sibling: 0,
        }
    }
}

/// Games won by White, drawn and won by Black, and all games.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct PositionCounts {
    games: u32,
    white: u32,
    draws: u32,
    black: u32,
}

impl PositionCounts {
    fn add(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::White => self.white += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black += 1,
            _ => {}
        }
    }

    /// The counts in words. [`is_counts`] recognises them.
    fn words(self) -> String {
        let Self {
            games,
            white,
            draws,
            black,
        } = self;
        let known = white + draws + black;
        let unit = if games == 1 { "game" } else { "games" };
        let score = match known {
            0 => "no result".to_owned(),
            _ => {
                let points = f64::from(white) + f64::from(draws) / 2.0;
                format!("White {:.1}%", points / f64::from(known) * 100.0)
            }
        };
        format!("{games} {unit}, {score} (+{white} ={draws} -{black})")
    }
}

/// Whether a comment has the counts of a tree.
fn is_counts(comment: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = || {
        let (games, rest) = comment.trim().split_once(' ')?;
        let rest = rest
            .strip_prefix("games, ")
            .or_else(|| rest.strip_prefix("game, "))?;
        let (_, counts) = rest.split_once(" (+")?;
        let (white, counts) = counts.split_once(" =")?;
        let (draws, counts) = counts.split_once(" -")?;
        Some([games, white, draws, counts.strip_suffix(')')?])
    };
    parts().is_some_and(|parts| parts.into_iter().all(is_number))
}

/// The games of one rule system with one start position.
#[derive(Clone, Debug)]
struct Merged {
    start: Position,
    nodes: Vec<MergedNode>,
    /// The markers of the games that end at a node.
    ends: HashMap<u32, Vec<String>>,
    positions: HashMap<u64, PositionCounts>,
    games: u64,
}

/// Merges games into trees, one for each rule system and start position. Lines are those that were played, so that the
/// tree can be split into its games again. The counts are those of positions: of all games of the tree that reach a
/// position, by any order of moves.
///
/// Memory grows with the number of different positions, and each game needs the size of its tags.
///
/// ```
/// use tridex_core::archive::{Limits, game, pgn};
/// use tridex_core::{Games, MergedGame, TreeMerger, replay::{Options, replay_with}, split_tree};
///
/// let text = b"[White \"Ada\"]\n[Variant \"meder\"]\n\n1. b4N b5B 1-0\n\n[White \"Bo\"]\n[Variant \"meder\"]\n\n1. b4N a5N 0-1\n";
/// let mut merger = TreeMerger::default();
/// for record in game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader)) {
///     merger.add(replay_with(&record, &Options::default(), MergedGame::of));
/// }
/// let [tree] = &merger.trees(None)?[..] else { panic!() };
/// let mut pgn = Vec::new();
/// tridex_core::archive::write::pgn(tree, &mut pgn)?;
/// let text = String::from_utf8_lossy(&pgn).into_owned();
/// assert!(text.contains("1. b4N {2 games, White 50.0% (+1 =0 -1)}"));
/// let tree = Games::of_text(text, Options::default())?.next().ok_or("no game")??;
/// let games = split_tree(&tree.tree());
/// assert_eq!(games.iter().map(|game| game.tag("White")).collect::<Vec<_>>(), [Some("Ada"), Some("Bo")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct TreeMerger {
    trees: BTreeMap<(RuleSystem, String), Merged>,
    annotated: u64,
}

impl TreeMerger {
    /// Adds a game.
    pub fn add(&mut self, game: MergedGame) {
        self.annotated += u64::from(game.is_annotated);
        let key = (game.start.rules(), Fen::of(&game.start).to_string());
        let tree = self.trees.entry(key).or_insert_with(|| Merged {
            start: game.start.clone(),
            nodes: vec![MergedNode::new(None)],
            ends: HashMap::new(),
            positions: HashMap::new(),
            games: 0,
        });
        tree.add(game);
    }

    /// How many games have comments, variations or other remarks, which a tree does not have.
    #[must_use]
    pub const fn annotated(&self) -> u64 {
        self.annotated
    }

    /// Returns each tree as a game with variations: at each position the move of most games is the main line. Comments
    /// have the counts of a position if they differ from those of the position before, and a command `[%game ...]` with
    /// the tags of each game that ends there.
    ///
    /// Readers skip the rest of a very long game, so a large tree is divided into several games. Each begins with the moves
    /// that lead to its lines, and has a tag `Part`. The counts are still those of all games.
    ///
    /// # Errors
    /// If the notation is that of another board than a tree's. Without a notation, that of the rule system is used.
    pub fn trees(&self, notation: Option<Notation>) -> Result<Vec<Game<'static>>, WrongFamily> {
        let mut games = Vec::new();
        for tree in self.trees.values() {
            let portions = tree.portions();
            let count = portions.len();
            for (number, portion) in (1..).zip(&portions) {
                let name = (count > 1).then(|| format!("{number}/{count}"));
                games.push(tree.record(portion, name.as_deref(), notation)?);
            }
        }
        Ok(games)
    }
}

impl Merged {
    /// The moves that follow a node, in the order in which they were met.
    fn next(&self, at: u32) -> impl Iterator<Item = u32> {
        let some = |node: u32| (node != 0).then_some(node);
        let first = self
            .nodes
            .get(at as usize)
            .and_then(|node| some(node.child));
        std::iter::successors(first, move |node| {
            some(self.nodes.get(*node as usize)?.sibling)
        })
    }

    /// The node of a move that follows another node. It is added if it is not there.
    fn follow(&mut self, at: u32, played: Move) -> u32 {
        let mut last = None;
        for next in self.next(at) {
            if self.nodes[next as usize].played == Some(played) {
                return next;
            }
            last = Some(next);
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(MergedNode::new(Some(played)));
        match last {
            Some(last) => self.nodes[last as usize].sibling = new,
            None => self.nodes[at as usize].child = new,
        }
        new
    }

    fn add(&mut self, game: MergedGame) {
        self.games += 1;
        let mut position = self.start.clone();
        let mut seen = HashSet::new();
        let mut at = 0;
        for played in [None]
            .into_iter()
            .chain(game.moves.iter().copied().map(Some))
        {
            if let Some(played) = played {
                position.play_unchecked(played);
                at = self.follow(at, played);
            }
            self.nodes[at as usize].games += 1;
            // A game that repeats a position counts once.
            if seen.insert(position.key()) {
                let counts = self.positions.entry(position.key()).or_default();
                counts.add(game.result);
            }
        }
        self.ends.entry(at).or_default().push(game.marker);
    }

    /// Divides the tree so that no portion is too long to be read as one game.
    fn portions(&self) -> Vec<Portion> {
        // Children have greater numbers than their parents.
        let mut sizes = vec![0_usize; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let games = self.nodes[at].games;
            let following = self.next(at as u32).map(|next| {
                let next = next as usize;
                // Most moves after which the counts differ follow a branch.
                let has_counts = at == 0 || self.nodes[next].games != games;
                sizes[next] + if has_counts { COUNT_BYTES } else { 0 }
            });
            let following: usize = following.sum();
            let markers = self.markers(at as u32).iter();
            sizes[at] = following + MOVE_BYTES + markers.map(|marker| bytes(marker)).sum::<usize>();
        }
        let (mut portions, mut rest) = (Vec::new(), vec![Vec::new()]);
        while let Some(path) = rest.pop() {
            let at = path.last().copied().unwrap_or(0);
            let mut portion = Portion::new(&path);
            let mut size = 0;
            // A portion with the lines before it is closed if it would become too long.
            let mut close = |portion: &mut Portion, size: &mut usize, more: usize| {
                if *size > 0 && *size + more > LONGEST {
                    portions.push(std::mem::replace(portion, Portion::new(&path)));
                    *size = 0;
                }
                *size += more;
            };
            for (number, marker) in self.markers(at).iter().enumerate() {
                close(&mut portion, &mut size, bytes(marker));
                portion.ends.get_or_insert(number..number).end = number + 1;
            }
            for next in self.next(at) {
                let more = sizes[next as usize];
                if more > LONGEST {
                    rest.push([&path[..], &[next]].concat());
                } else {
                    close(&mut portion, &mut size, more);
                    portion.next.push(next);
                }
            }
            if size > 0 {
                portions.push(portion);
            }
        }
        portions
    }

    fn markers(&self, at: u32) -> &[String] {
        self.ends.get(&at).map_or(&[], Vec::as_slice)
    }

    fn record(
        &self,
        portion: &Portion,
        name: Option<&str>,
        notation: Option<Notation>,
    ) -> Result<Game<'static>, WrongFamily> {
        let rules = self.start.rules();
        let notation = notation.unwrap_or(Notation::of(rules));
        let mut game = Game::new();
        let games = if self.games == 1 { "game" } else { "games" };
        game.push_tag("Event", &format!("{} {games}", self.games));
        if let Some(name) = name {
            game.push_tag("Part", name);
        }
        game.push_tag("Variant", rules.name());
        game.push_tag("Notation", notation.name());
        if self.start != Position::start(rules) {
            game.push_tag("SetUp", "1");
            game.push_tag("FEN", &Fen::of(&self.start).to_string());
        }
        game.result = Some(GameResult::Unknown);
        let (mut position, mut at) = (self.start.clone(), 0);
        for next in &portion.path {
            position = self
                .play(at, *next, &position, notation, &mut game)?
                .unwrap_or(position);
            at = *next;
        }
        let ends = portion.ends.clone().unwrap_or_default();
        for marker in &self.markers(at)[ends] {
            game.push(Item::Comment(marker));
        }
        self.line(at, portion.next.clone(), position, notation, &mut game)?;
        Ok(game)
    }

    /// Adds a move with its counts, and returns the position after it.
    fn play(
        &self,
        at: u32,
        next: u32,
        position: &Position,
        notation: Notation,
        game: &mut Game<'static>,
    ) -> Result<Option<Position>, WrongFamily> {
        let Some(played) = self.nodes[next as usize].played else {
            return Ok(None);
        };
        let mut after = position.clone();
        after.play_unchecked(played);
        let mut text = String::new();
        let options = WriteOptions::default();
        tridex_notation::write(notation, position, played, &options, &mut text)?;
        game.push(Item::Move(&text));
        let counts = |position: &Position| self.positions.get(&position.key()).copied();
        if let Some(now) = counts(&after)
            && (counts(position) != Some(now) || at == 0)
        {
            game.push(Item::Comment(&now.words()));
        }
        Ok(Some(after))
    }

    /// Adds the moves that follow a node. Variations have at most half of the games of their line, so that they are not
    /// nested deeply.
    fn line(
        &self,
        mut at: u32,
        mut next: Vec<u32>,
        mut position: Position,
        notation: Notation,
        game: &mut Game<'static>,
    ) -> Result<(), WrongFamily> {
        loop {
            // The sort is stable.
            next.sort_by_key(|next| Reverse(self.nodes[*next as usize].games));
            let mut main = None;
            for (number, next) in next.iter().copied().enumerate() {
                if number > 0 {
                    game.push(Item::VariationStart);
                }
                let after = self.play(at, next, &position, notation, game)?;
                for marker in self.markers(next) {
                    game.push(Item::Comment(marker));
                }
                let Some(after) = after else {
                    continue;
                };
                if number > 0 {
                    self.line(next, self.next(next).collect(), after, notation, game)?;
                    game.push(Item::VariationEnd);
                } else {
                    main = Some((next, after));
                }
            }
            match main {
                Some(main) => (at, position) = main,
                None => return Ok(()),
            }
            next = self.next(at).collect();
        }
    }
}

/// The most bytes that a move usually needs, with its number and brackets.
const MOVE_BYTES: usize = 32;

/// The most bytes that counts usually need.
const COUNT_BYTES: usize = 64;

/// The most bytes of the lines of a portion. It is far below the 1 MiB that readers accept, because the size of the text is
/// not known exactly.
const LONGEST: usize = 400 << 10;

/// The bytes that a marker needs.
fn bytes(marker: &str) -> usize {
    marker.len() + 3
}

/// A part of a tree: some of the lines that follow a position.
struct Portion {
    /// The nodes of the moves that lead to the position.
    path: Vec<u32>,
    /// The games that end at the position, as numbers of their markers.
    ends: Option<Range<usize>>,
    /// The nodes that follow.
    next: Vec<u32>,
}

impl Portion {
    fn new(path: &[u32]) -> Self {
        Self {
            path: path.to_vec(),
            ends: None,
            next: Vec::new(),
        }
    }
}

/// Splits a tree into games. If a [`TreeMerger`] has made the tree, these are the games that were merged, without their
/// remarks. Otherwise each line of the tree becomes a game, with the tags of the tree and the comments and NAGs of its
/// moves; the main line has the result of the tree, and other lines have none.
#[must_use]
pub fn split_tree(tree: &GameTree) -> Vec<GameTree> {
    let (mut games, mut leaves) = (Vec::new(), Vec::new());
    let mut rest = vec![tree.root()];
    while let Some(id) = rest.pop() {
        let Some(node) = tree.node(id) else {
            continue;
        };
        for comment in node.comments() {
            for marker in comment.split(MARKER).skip(1) {
                let command = marker.split(']').next().unwrap_or_default();
                if let Some(tags) = unquoted(command) {
                    games.push(marked(tree, id, &tags));
                }
            }
        }
        let children: Vec<NodeId> = node.children().collect();
        if children.is_empty() {
            leaves.push(id);
        }
        rest.extend(children.into_iter().rev());
    }
    match games.is_empty() {
        true => leaves.into_iter().map(|leaf| line_to(tree, leaf)).collect(),
        false => games,
    }
}

/// A game with the moves to a node.
fn moves_to(
    tree: &GameTree,
    id: NodeId,
    mut each: impl FnMut(&mut GameTree, NodeId, NodeId),
) -> GameTree {
    let start = tree.position(tree.root());
    let mut game = match *start == Position::start(start.rules()) {
        true => GameTree::new(start.rules()),
        false => GameTree::from_position(start.clone()),
    };
    let mut at = game.root();
    each(&mut game, at, tree.root());
    for old in tree.path(id) {
        let played = tree.node(old).and_then(|node| node.played());
        // The moves of a tree are legal.
        let Some(next) = played.and_then(|played| game.play(at, played).ok()) else {
            break;
        };
        at = next;
        each(&mut game, at, old);
    }
    game
}

/// A game that was merged into a tree, with the tags of its marker.
fn marked(tree: &GameTree, id: NodeId, tags: &[String]) -> GameTree {
    let mut game = moves_to(tree, id, |_, _, _| ());
    for tag in tags.chunks_exact(2) {
        match tag[0].as_str() {
            "Result" => game.result = GameResult::from_name(&tag[1]).unwrap_or(GameResult::Unknown),
            name => game.tags.push((name.to_owned(), tag[1].clone())),
        }
    }
    game
}

/// A line of a tree as a game.
fn line_to(tree: &GameTree, leaf: NodeId) -> GameTree {
    let mut game = moves_to(tree, leaf, |game, new, old| {
        if let Some(node) = tree.node(old) {
            let comments: Vec<&str> = node.comments().filter(|text| !is_counts(text)).collect();
            game.set_comment(new, &comments.join(" "));
            game.set_nags(new, &node.nags());
        }
    });
    for (name, value) in &tree.tags {
        if !OF_TREE.contains(&name.as_str()) {
            game.set_tag(name, value);
        }
    }
    if tree.is_main(leaf) {
        game.result = tree.result;
    }
    game
}
