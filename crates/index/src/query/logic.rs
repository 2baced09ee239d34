//! Expressions of `and`, `or` and `not`, used in queries, patterns and sequences. Every function here recurses as deep
//! as the text was nested, which the parsers limit.

use std::slice;

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Logic<T> {
    Leaf(T),
    Not(Box<Logic<T>>),
    And(Vec<Logic<T>>),
    Or(Vec<Logic<T>>),
}

impl<T> Logic<T> {
    /// Joins parts. A single part is returned as it is.
    pub(crate) fn joined(mut parts: Vec<Self>, join: fn(Vec<Self>) -> Self) -> Self {
        match parts.len() {
            1 => parts.remove(0),
            _ => join(parts),
        }
    }

    pub(crate) fn negated(self) -> Self {
        Self::Not(Box::new(self))
    }

    /// The same expression with every leaf converted.
    pub(crate) fn map<U>(&self, leaf: &impl Fn(&T) -> U) -> Logic<U> {
        self.bind(&|one| Logic::Leaf(leaf(one)))
    }

    /// The same expression with every leaf replaced by an expression.
    pub(crate) fn bind<U>(&self, leaf: &impl Fn(&T) -> Logic<U>) -> Logic<U> {
        let all = |parts: &[Self]| parts.iter().map(|part| part.bind(leaf)).collect();
        match self {
            Self::Leaf(one) => leaf(one),
            Self::Not(part) => part.bind(leaf).negated(),
            Self::And(parts) => Logic::And(all(parts)),
            Self::Or(parts) => Logic::Or(all(parts)),
        }
    }

    /// Whether any leaf passes a test.
    pub(crate) fn has(&self, test: &impl Fn(&T) -> bool) -> bool {
        match self {
            Self::Leaf(one) => test(one),
            Self::Not(part) => part.has(test),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(|part| part.has(test)),
        }
    }

    /// Whether the expression holds. A leaf gives `None` if its value is unknown; the result is `None` if it depends on
    /// such a leaf.
    #[inline]
    pub(crate) fn holds(&self, leaf: &impl Fn(&T) -> Option<bool>) -> Option<bool> {
        match self {
            Self::Leaf(one) => leaf(one),
            Self::Not(part) => Self::decided(slice::from_ref(part), true, leaf).map(|held| !held),
            Self::And(parts) => Self::decided(parts, false, leaf),
            Self::Or(parts) => Self::decided(parts, true, leaf),
        }
    }

    /// Evaluates parts, one of which is enough to decide the result: the result is `decides` if any part is. Otherwise
    /// it is `None` if a part is unknown, else `!decides`.
    fn decided(parts: &[Self], decides: bool, leaf: &impl Fn(&T) -> Option<bool>) -> Option<bool> {
        let mut known = Some(!decides);
        for part in parts {
            match part.holds(leaf) {
                Some(held) if held == decides => return Some(decides),
                Some(_) => {}
                None => known = None,
            }
        }
        known
    }

    /// Whether the expression may hold. `leaf` returns false only if the leaf cannot hold, true if it may. Never
    /// wrongly false.
    pub(crate) fn may_hold(&self, leaf: &impl Fn(&T) -> bool) -> bool {
        let held = self.holds(&|one| (!leaf(one)).then_some(false));
        held != Some(false)
    }

    /// Bounds outside of which the expression cannot hold, given those of its leaves. Never too narrow.
    pub(crate) fn bounds(&self, leaf: &impl Fn(&T) -> (u32, u32)) -> (u32, u32) {
        match self {
            Self::Leaf(one) => leaf(one),
            Self::Not(_) => (0, u32::MAX),
            Self::And(parts) => parts.iter().fold((0, u32::MAX), |(from, to), part| {
                let (least, most) = part.bounds(leaf);
                (from.max(least), to.min(most))
            }),
            Self::Or(parts) => parts.iter().fold((u32::MAX, 0), |(from, to), part| {
                let (least, most) = part.bounds(leaf);
                (from.min(least), to.max(most))
            }),
        }
    }
}
