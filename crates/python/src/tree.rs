//! A game as a tree of positions.

use crate::errors;
use crate::moves::Move;
use crate::names;
use crate::position::Position;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tridex_core::archive::GameResult;
use tridex_core::tree::Node as TreeNode;
use tridex_core::{Notation, Play};

/// A tree that Python objects share: the tree itself and its nodes.
#[derive(Clone)]
struct Shared(Arc<Mutex<tridex_core::GameTree>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, tridex_core::GameTree> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn node(&self, id: tridex_core::NodeId) -> GameNode {
        GameNode {
            tree: self.clone(),
            id,
        }
    }

    fn notation(&self, name: Option<&str>) -> PyResult<Notation> {
        name.map_or_else(|| Ok(self.lock().notation()), names::notation)
    }
}

/// A game as a tree of positions: `Game.tree()` returns that of a game, `GameTree("meder")` is empty.
///
/// >>> import tridex
/// >>> tree = tridex.GameTree("meder")
/// >>> last = tree.root.add_line("b4N b5B c3W")
/// >>> reply = tree.main_line()[0].add("b6B")
/// >>> reply.comment = "quieter"
/// >>> tree.movetext()
/// '1. b4N b5B (1... b6B {quieter}) 2. c3W'
#[pyclass(frozen, module = "tridex")]
pub(crate) struct GameTree {
    tree: Shared,
}

impl GameTree {
    pub(crate) fn of(tree: tridex_core::GameTree) -> Self {
        Self {
            tree: Shared(Arc::new(Mutex::new(tree))),
        }
    }
}

#[pymethods]
impl GameTree {
    #[new]
    #[pyo3(signature = (rules = None, fen = None))]
    fn new(py: Python<'_>, rules: Option<&str>, fen: Option<&str>) -> PyResult<Self> {
        let start = Position::new(py, rules, fen)?;
        let rules = start.now.rules();
        Ok(Self::of(match fen {
            Some(_) => tridex_core::GameTree::from_position(start.now),
            None => tridex_core::GameTree::new(rules),
        }))
    }

    /// The rule system of the game.
    #[getter]
    fn rules(&self) -> &'static str {
        self.tree.lock().rules().name()
    }

    /// The start of the game.
    #[getter]
    fn root(&self) -> GameNode {
        let root = self.tree.lock().root();
        self.tree.node(root)
    }

    /// The last node of the main line.
    #[getter]
    fn end(&self) -> GameNode {
        let end = self.tree.lock().end();
        self.tree.node(end)
    }

    /// The nodes of the main line, without the root.
    fn main_line(&self) -> Vec<GameNode> {
        let ids: Vec<_> = self.tree.lock().main_line().collect();
        ids.into_iter().map(|id| self.tree.node(id)).collect()
    }

    /// The tags, in their order. Change them with `set_tag` and `remove_tag`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.tree.lock().tags {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// Sets a tag, or adds it.
    fn set_tag(&self, name: &str, value: &str) {
        self.tree.lock().set_tag(name, value);
    }

    /// Removes a tag. Raises KeyError if no tag has this name.
    fn remove_tag(&self, name: &str) -> PyResult<()> {
        let tags = &mut self.tree.lock().tags;
        let count = tags.len();
        tags.retain(|(tag, _)| !tag.eq_ignore_ascii_case(name));
        match tags.len() < count {
            true => Ok(()),
            false => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn get_result(&self) -> &'static str {
        self.tree.lock().result.as_str()
    }

    #[setter]
    fn set_result(&self, result: &str) -> PyResult<()> {
        use GameResult::{Black, Draw, Unknown, White};
        let all = [White, Black, Draw, Unknown];
        let known = all.into_iter().find(|known| known.as_str() == result);
        let known =
            known.ok_or_else(|| names::unknown("result", result, &all.map(GameResult::as_str)))?;
        self.tree.lock().result = known;
        Ok(())
    }

    /// The game as PGN in a notation of its board; without a name in that of its rules.
    #[pyo3(signature = (notation = None))]
    fn to_pgn(&self, notation: Option<&str>) -> PyResult<String> {
        let notation = self.tree.notation(notation)?;
        let pgn = self.tree.lock().to_pgn(notation);
        pgn.map_err(names::of_other_board)
    }

    /// The moves, variations, comments and NAGs on one line, without the result.
    #[pyo3(signature = (notation = None))]
    fn movetext(&self, notation: Option<&str>) -> PyResult<String> {
        let notation = self.tree.notation(notation)?;
        let text = self.tree.lock().movetext(notation);
        text.map_err(names::of_other_board)
    }

    /// A copy that changes independently.
    fn copy(&self) -> Self {
        Self::of(self.tree.lock().clone())
    }

    fn __str__(&self) -> PyResult<String> {
        self.to_pgn(None)
    }

    fn __repr__(&self) -> String {
        let tree = self.tree.lock();
        let (rules, plies) = (tree.rules().name(), tree.main_line().count());
        format!("<GameTree: {rules}, {plies} plies, {}>", tree.result)
    }
}

/// A move of a tree with the position after it; the root has no move.
#[pyclass(frozen, eq, hash, module = "tridex")]
pub(crate) struct GameNode {
    tree: Shared,
    id: tridex_core::NodeId,
}

impl PartialEq for GameNode {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.tree.0, &other.tree.0)
    }
}

impl std::hash::Hash for GameNode {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
        Arc::as_ptr(&self.tree.0).hash(state);
    }
}

impl GameNode {
    /// Reads the node. Fails if it was removed from its tree.
    fn with<T>(&self, read: impl FnOnce(&TreeNode) -> T) -> PyResult<T> {
        let tree = self.tree.lock();
        let node = tree.node(self.id);
        node.map(read)
            .ok_or_else(|| PyValueError::new_err("the node was removed from its tree"))
    }

    fn nodes(&self, ids: impl IntoIterator<Item = tridex_core::NodeId>) -> Vec<Self> {
        ids.into_iter().map(|id| self.tree.node(id)).collect()
    }
}

#[pymethods]
impl GameNode {
    /// The node before this one; None for the root.
    #[getter]
    fn parent(&self) -> PyResult<Option<Self>> {
        let parent = self.with(TreeNode::parent)?;
        Ok(parent.map(|id| self.tree.node(id)))
    }

    /// The next node of this line; None at its end.
    #[getter]
    fn next(&self) -> PyResult<Option<Self>> {
        let next = self.with(TreeNode::next)?;
        Ok(next.map(|id| self.tree.node(id)))
    }

    /// The moves that continue from here: that of this line first, then the variations.
    #[getter]
    fn children(&self) -> PyResult<Vec<Self>> {
        let children = self.with(|node| node.children().collect::<Vec<_>>())?;
        Ok(self.nodes(children))
    }

    /// The nodes from the first move of the game to this one.
    #[getter]
    fn path(&self) -> PyResult<Vec<Self>> {
        self.with(|_| ())?;
        let path = self.tree.lock().path(self.id);
        Ok(self.nodes(path))
    }

    /// The move that leads here; None for the root.
    #[getter]
    fn r#move(&self) -> PyResult<Option<Move>> {
        let (parent, played) = self.with(|node| (node.parent(), node.played()))?;
        let tree = self.tree.lock();
        Ok(parent
            .zip(played)
            .map(|(parent, played)| Move::of(tree.position(parent), played)))
    }

    /// The move as its record writes it; empty for a move that was added to the tree.
    #[getter]
    fn token(&self) -> PyResult<String> {
        self.with(|node| node.token().to_owned())
    }

    /// The number of moves from the root.
    #[getter]
    fn ply(&self) -> PyResult<usize> {
        self.with(TreeNode::ply)
    }

    /// Whether the node belongs to the main line.
    #[getter]
    fn is_main(&self) -> PyResult<bool> {
        self.with(|_| ())?;
        Ok(self.tree.lock().is_main(self.id))
    }

    /// The comments after the move, joined by blanks.
    #[getter]
    fn get_comment(&self) -> PyResult<String> {
        self.with(|node| node.comments().collect::<Vec<_>>().join(" "))
    }

    #[setter]
    fn set_comment(&self, text: &str) -> PyResult<()> {
        self.with(|_| ())?;
        self.tree.lock().set_comment(self.id, text);
        Ok(())
    }

    /// The NAGs of the move. `!`, `?`, `!!`, `??`, `!?` and `?!` are 1 to 6.
    #[getter]
    fn get_nags(&self) -> PyResult<Vec<u16>> {
        self.with(|node| node.nags().into_iter().map(u16::from).collect())
    }

    #[setter]
    fn set_nags(&self, nags: Vec<u8>) -> PyResult<()> {
        self.with(|_| ())?;
        self.tree.lock().set_nags(self.id, &nags);
        Ok(())
    }

    /// The position here, without a move stack.
    fn position(&self) -> PyResult<Position> {
        self.with(|node| Position::of(node.position().clone()))
    }

    /// The move as a notation writes it, with the marks that are customary there; empty for the root.
    #[pyo3(signature = (notation = None))]
    fn notation(&self, notation: Option<&str>) -> PyResult<String> {
        self.with(|_| ())?;
        let notation = self.tree.notation(notation)?;
        let text = self.tree.lock().write(self.id, notation);
        text.map_err(names::of_other_board)
    }

    /// Plays a move here, or a token that means one, and returns its node. The first move continues the line, every other
    /// one begins a variation. Raises MoveError if it is not legal; the tree does not change then.
    fn add(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Self> {
        let now = self.position()?;
        let played = now.meant(py, r#move)?;
        let id = self.tree.lock().play(self.id, played);
        let id = id.map_err(|_| errors::of_illegal(py, &now.now, played, ""))?;
        Ok(self.tree.node(id))
    }

    /// Plays the moves of a line one after the other, in any notation of the board, and returns the last node.
    fn add_line(&self, py: Python<'_>, moves: &str) -> PyResult<Self> {
        self.with(|_| ())?;
        let nodes = self.tree.lock().read(self.id, moves);
        let nodes = nodes.map_err(|fault| errors::of_token(py, &fault))?;
        Ok(self.tree.node(nodes.last().copied().unwrap_or(self.id)))
    }

    /// Makes this move the first choice at its parent.
    fn promote(&self) -> PyResult<()> {
        self.with(|_| ())?;
        self.tree.lock().promote(self.id);
        Ok(())
    }

    /// Makes the line that leads here the main line.
    fn promote_to_main(&self) -> PyResult<()> {
        self.with(|_| ())?;
        self.tree.lock().promote_to_main(self.id);
        Ok(())
    }

    /// Removes this move and everything that follows it. The root stays.
    fn remove(&self) -> PyResult<()> {
        self.with(|_| ())?;
        self.tree.lock().remove(self.id);
        Ok(())
    }

    fn __repr__(&self) -> String {
        let text = self.notation(None).unwrap_or_default();
        match self.with(|node| (node.ply(), node.position().fen())) {
            Ok((0, _)) => "<GameNode: the start>".to_owned(),
            Ok((ply, _)) => format!("<GameNode: {text}, ply {ply}>"),
            Err(_) => "<GameNode: removed>".to_owned(),
        }
    }
}
