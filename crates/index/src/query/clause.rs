//! What a field's value means.

use crate::query::expression::{PositionMatch, Query};
use crate::query::material::Material;
use crate::query::pattern::Pattern;
use crate::query::query_language::Tree;
use crate::query::sequence::Sequence;
use crate::query::wanted::Wanted;
use tridex_rules::{Color, RuleSystem, Setup};

/// The meaning of a field's value: a part of the query, or a change to other fields of its group.
#[derive(Clone, Debug)]
pub(crate) enum Clause {
    Query(Query),
    /// A query in the query language.
    Words(Tree),
    Player(Wanted),
    Position(Box<Setup>, PositionMatch),
    /// The position after the moves in the value.
    Moves,
    /// The position of the game named in the value.
    Game,
    Pattern(Pattern),
    Sequence(Sequence),
    Material(Material),
    /// Nothing on its own: it changes other fields.
    Change,
    /// A switch that is off.
    Nothing,
}

/// How the other fields of a group are changed.
#[derive(Default)]
pub(crate) struct Modifiers {
    /// Empty for all.
    pub(crate) rules: Vec<RuleSystem>,
    pub(crate) side: Option<Color>,
    pub(crate) ply: Option<u32>,
    pub(crate) lasting: Option<u32>,
    pub(crate) loose: bool,
    pub(crate) mirrored: bool,
    pub(crate) swapped: bool,
    pub(crate) variations: bool,
}
