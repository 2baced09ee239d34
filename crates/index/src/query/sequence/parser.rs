//! Parses sequences. Every rule of `grammars/sequence.ebnf` has a function of the same name here or in `tokens`.

use super::tokens::{
    WORDS, color, is_name, is_part, is_word, name, pin, role, spot, token, word, written,
};
use super::{
    Leaf, Load, MAX_NAMED_STEPS, MAX_NAMES, MAX_STEPS, MoveTest, Name, Node, Part, Subject, Who,
};
use crate::query::material;
use crate::query::parsing::{blanks, bracketed, either, more, number, positive, shallow, whole};
use crate::query::pattern::parser::{self as places};
use crate::query::pattern::{Pattern, Place};
use crate::query_error::QueryError;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::combinator::{cut, flat_map, map_opt, opt, rest_len, success, value};
use nom::sequence::{delimited, preceded, terminated};
use std::collections::BTreeSet;
use std::mem::discriminant;
use tridex_grammar::{ParseStop, Parsed, Text, distinct, expected, fail, given, require};
use tridex_rules::Role;
use tridex_text::near;

const END: &str = "then, next, until, before, or, a number of times, or the end of the sequence";
const TEST: &str = "a move such as N takes Q, white 0-0-0 or board carries P, pattern(...), material(...), not or a bracket";
pub(super) const ONE_PLY: &str =
    "a test of a single ply (and, not, until and before take no sequences)";

pub(super) fn parse(text: &str) -> Result<Node, QueryError> {
    let tokens = text
        .split(|c| !is_part(c))
        .filter(|token| !token.is_empty());
    let tokens: Vec<&str> = tokens.collect();
    let given = tokens.windows(2).filter_map(|pair| match pair {
        [before, name] if before.eq_ignore_ascii_case("as") => Some(*name),
        _ => None,
    });
    let names: BTreeSet<&str> = given.filter(|name| is_name(name)).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let sequences = Sequences {
        names: &names,
        depth: 0,
    };
    let read = whole(text, |text| sequences.sequence(text), END);
    let root = read.map_err(with_hint)?;
    let fewer = |expected| Err(QueryError::at(text, 0, expected));
    let names = names.len();
    if names > MAX_NAMES {
        return fewer(format!("fewer names ({MAX_NAMES} at most)"));
    }
    named(&root, 0, true)
        .map_err(|(left, expected)| QueryError::at(text, text.len() - left, expected))?;
    let (most, of) = match names {
        MAX_NAMES => (MAX_NAMED_STEPS, " of a sequence with two names"),
        _ => (MAX_STEPS, ""),
    };
    match root.steps() > most {
        true => fewer(format!(
            "fewer tests in a row ({most}{of} at most, repetitions counted)"
        )),
        false => Ok(root),
    }
}

/// The names that are known for certain after a part, one bit each: those in `before` and those that the part gives in
/// every case. Recurses as deep as the sequence is nested, which the parser limits.
///
/// # Errors
/// Returns the place of a name that is used before it is given, or given where it is not allowed.
fn named(node: &Node, before: u32, may_name: bool) -> Result<u32, (usize, &'static str)> {
    match node {
        Node::Leaf(Leaf::Move(test)) => {
            let mut after = before;
            for who in test.pieces() {
                if let Some(name) = &who.known
                    && before >> name.id & 1 == 0
                {
                    let expected = "a name that a test before it gives, in every case (as x)";
                    return Err((name.left, expected));
                }
                if let Some(name) = &who.named {
                    if !may_name {
                        let expected = "no name (after not, until and before no piece is named)";
                        return Err((name.left, expected));
                    }
                    after |= 1 << name.id;
                }
            }
            Ok(after)
        }
        Node::Leaf(Leaf::Pattern(_) | Leaf::Material(_)) => Ok(before),
        Node::Leaf(Leaf::Chain(parts)) => parts.iter().try_fold(before, |before, part| {
            if let Some(guard) = &part.guard {
                named(guard, before, false)?;
            }
            named(&part.node, before, may_name)
        }),
        Node::Not(part) => named(part, before, false),
        Node::And(parts) => {
            let mut parts = parts.iter();
            parts.try_fold(before, |before, part| named(part, before, may_name))
        }
        Node::Or(parts) => parts.iter().try_fold(u32::MAX, |everywhere, part| {
            Ok(everywhere & named(part, before, may_name)?)
        }),
    }
}

/// The language of sequences with a given list of names. Each method is a rule.
#[derive(Clone, Copy)]
pub(super) struct Sequences<'s> {
    /// The names that the text gives to pieces anywhere.
    pub(super) names: &'s [&'s str],
    /// How many brackets and nots are open.
    pub(super) depth: usize,
}

impl Sequences<'_> {
    /// The same language, one bracket or `not` deeper.
    fn deeper(self) -> Self {
        let depth = self.depth + 1;
        Self { depth, ..self }
    }

    pub(super) fn sequence(self, input: &str) -> Parsed<&str, Node> {
        either(word("or"), || move |input| self.chain(input)).parse(input)
    }

    pub(super) fn chain(self, input: &str) -> Parsed<&str, Node> {
        let (rest, (guard, node)) = self.guarded(input)?;
        let first = Part {
            limit: None,
            guard,
            node,
        };
        let link = |input| (rest_len, link).parse(input);
        let linked = |input, (left, limit)| match self.guarded(input)? {
            (_, (Some(_), _)) if limit == Some(1) => {
                let expected = "then (until and before need plies in between)";
                Err(nom::Err::Failure(ParseStop::before(left, expected)))
            }
            (rest, (guard, node)) => Ok((rest, Part { limit, guard, node })),
        };
        let (rest, mut parts) = more(first, rest, link, linked)?;
        let node = match parts.as_slice() {
            [Part { guard: None, .. }] => parts.remove(0).node,
            _ => Node::Leaf(Leaf::Chain(parts)),
        };
        Ok((rest, node))
    }

    pub(super) fn guarded(self, input: &str) -> Parsed<&str, (Option<Node>, Node)> {
        let (rest, first) = self.conjunction(input)?;
        let (rest, guard) = opt(guard).parse(rest)?;
        match guard {
            None => repeated(first).map(|node| (None, node)).parse(rest),
            Some(_) if !first.is_test() => fail(input, ONE_PLY),
            Some(Guard::Before) if !matches!(first, Node::Not(_)) => fail(
                input,
                "not (before is used as in: not black 0-0 before white 0-0)",
            ),
            Some(_) => {
                let (rest, node) = cut(|input| self.part(input)).parse(rest)?;
                Ok((rest, (Some(first), node)))
            }
        }
    }

    pub(super) fn part(self, input: &str) -> Parsed<&str, Node> {
        flat_map(|input| self.conjunction(input), repeated).parse(input)
    }

    pub(super) fn conjunction(self, input: &str) -> Parsed<&str, Node> {
        let (rest, first) = self.factor(input)?;
        if !first.is_test() {
            let and = preceded(blanks, word("and"));
            return match opt(and).parse(rest)? {
                (_, Some(())) => fail(input, ONE_PLY),
                (_, None) => Ok((rest, first)),
            };
        }
        let and = |input| word("and").parse(input);
        let (rest, tests) = more(first, rest, and, |input, ()| self.test(input))?;
        Ok((rest, Node::joined(tests, Node::And)))
    }

    /// A factor that must be a test of a single ply.
    fn test(self, input: &str) -> Parsed<&str, Node> {
        match self.factor(input)? {
            (_, part) if !part.is_test() => fail(input, ONE_PLY),
            found => Ok(found),
        }
    }

    pub(super) fn factor(self, input: &str) -> Parsed<&str, Node> {
        let inner = self.deeper();
        let test = move |input| inner.test(input);
        let negated = preceded((word("not"), blanks), cut(test)).map(Node::negated);
        let closing = "then, next, until, before, or, a number of times, or a closing bracket";
        let inside = bracketed(move |input| inner.sequence(input), closing);
        let description = |input| self.description(input);
        let (input, ()) = shallow(self.depth).parse(input)?;
        alt((negated, inside, pattern, material, description)).parse(input)
    }

    pub(super) fn description(self, input: &str) -> Parsed<&str, Node> {
        let leaf = |test| Node::Leaf(Leaf::Move(Box::new(test)));
        let (rest, by) = opt(terminated(color, blanks)).parse(input)?;
        let written = written.map(|tests| {
            let tests = tests.into_iter().map(|test| leaf(MoveTest { by, ..test }));
            Node::joined(tests.collect(), Node::Or)
        });
        let described = flat_map(opt(|input| self.subject(input)), |subject| {
            let is_empty = by.is_none() && subject.is_none();
            let (subject, moves) = subject.unwrap_or_default();
            let test = MoveTest {
                by,
                subject,
                moves,
                ..MoveTest::default()
            };
            self.details(test, is_empty)
        });
        alt((written, described.map(leaf))).parse(rest)
    }

    /// A description with its details, none of which may be repeated. If `needs_one` is set, there must be at least
    /// one.
    fn details<'a>(self, test: MoveTest, needs_one: bool) -> impl Text<'a, MoveTest> {
        move |input: &'a str| {
            let detail = terminated(|input| self.detail(input, &test.subject), blanks);
            let is_same = |a: &Detail, b: &Detail| discriminant(a) == discriminant(b);
            let once = "a detail that is not there already";
            let details = distinct(success(()), detail, is_same, once);
            let none = expected(TEST, given(!needs_one)).map(|()| Vec::new());
            let (rest, details) = alt((preceded(blanks, details), none)).parse(input)?;
            let details = details.into_iter();
            Ok((rest, details.fold(test.clone(), MoveTest::with)))
        }
    }

    pub(super) fn subject(self, input: &str) -> Parsed<&str, (Subject, Load)> {
        let subject = alt((
            value(Subject::Any, word("move")),
            value(
                Subject::Castling(None),
                alt((word("castling"), word("castles"))),
            ),
            value(Subject::Board(None), word("board")),
            token(places::attack_board).map(|board| Subject::Board(Some(board))),
        ));
        let piece = |input| self.piece(input);
        alt((
            subject.map(|subject| (subject, Load::Any)),
            piece.map(|who| (Subject::Any, Load::Piece(who))),
        ))
        .parse(input)
    }

    pub(super) fn who(self, input: &str) -> Parsed<&str, Who> {
        let piece = || move |input| self.piece(input);
        let what = "a piece: K Q R B N P, king to pawn, piece, or the name of one";
        let colored = (terminated(color, blanks), cut(expected(what, piece())));
        alt((
            colored.map(|(color, piece)| Who {
                color: Some(color),
                ..piece
            }),
            piece(),
        ))
        .parse(input)
    }

    pub(super) fn piece(self, input: &str) -> Parsed<&str, Who> {
        let role = role.map(|role| Who {
            role: Some(role),
            ..Who::default()
        });
        let known = self.known(take_while1(is_part)).map(|name| Who {
            known: Some(name),
            ..Who::default()
        });
        let any = value(Who::default(), word("piece"));
        let what = "a name that is no word of the language and no move, such as x";
        let named = preceded(
            (blanks, word("as"), blanks),
            cut(expected(what, self.known(name))),
        );
        (alt((role, known, any)), opt(named))
            .map(|(who, named)| Who { named, ..who })
            .parse(input)
    }

    /// A name that the text gives somewhere.
    fn known<'a>(self, name: impl Text<'a, &'a str>) -> impl Text<'a, Name> {
        map_opt((rest_len, name), move |(left, name)| {
            let id = self.names.iter().position(|known| *known == name)?;
            Some(Name { left, id })
        })
    }

    pub(super) fn detail<'a>(self, input: &'a str, subject: &Subject) -> Parsed<&'a str, Detail> {
        let is_board = matches!(subject, Subject::Board(_));
        let word = |name| {
            let refused = refused(name, subject);
            move |input| {
                let (rest, ()) = word(name).parse(input)?;
                match refused {
                    Some(expected) => fail(input, expected),
                    None => Ok((rest, ())),
                }
            }
        };
        let who = || opt(preceded(blanks, |input| self.who(input))).map(Option::unwrap_or_default);
        let place = || {
            let place = move |input| match is_board {
                true => pin(input),
                false => spot(input),
            };
            cut(preceded(blanks, place))
        };
        let after = |next| cut(preceded(blanks, expected(next, self::word(next))));
        let to = (blanks, opt(terminated(self::word("to"), blanks)));
        alt((
            preceded(word("takes"), who()).map(Detail::Takes),
            preceded(word("carries"), who()).map(Detail::Carries),
            value(Detail::Empty, word("empty")),
            value(Detail::Turns, word("turns")),
            value(Detail::EnPassant, (word("en"), after("passant"))),
            preceded(word("from"), place()).map(Detail::From),
            preceded(word("to"), place()).map(Detail::To),
            preceded(word("promotes"), opt(preceded(to, role))).map(Detail::Promotes),
            value(Detail::Check, word("check")),
            value(Detail::DoubleCheck, (word("double"), after("check"))),
            value(
                Detail::DiscoveredCheck,
                (word("discovered"), after("check")),
            ),
            value(Detail::Mate, word("mate")),
        ))
        .parse(input)
    }
}

/// A detail of a move.
#[derive(Clone)]
pub(super) enum Detail {
    Takes(Who),
    Carries(Who),
    Empty,
    Turns,
    EnPassant,
    From(Place),
    To(Place),
    Promotes(Option<Role>),
    Check,
    DoubleCheck,
    DiscoveredCheck,
    Mate,
}

impl MoveTest {
    /// The description with another detail.
    fn with(mut self, detail: Detail) -> Self {
        match detail {
            Detail::Takes(who) => self.takes = Load::Piece(who),
            Detail::Carries(who) => self.carries = Load::Piece(who),
            Detail::Empty => self.carries = Load::Nothing,
            Detail::Turns => self.turned = Some(true),
            Detail::EnPassant => self.en_passant = true,
            Detail::From(place) => self.from = Some(place),
            Detail::To(place) => self.to = Some(place),
            Detail::Promotes(role) => self.promotes = Some(role),
            Detail::Check => self.check = true,
            Detail::DoubleCheck => self.double_check = true,
            Detail::DiscoveredCheck => self.discovered_check = true,
            Detail::Mate => self.mate = true,
        }
        self
    }
}

/// What is expected instead of a detail that does not fit the subject; `None` if the detail fits.
fn refused(detail: &str, subject: &Subject) -> Option<&'static str> {
    match (subject, detail) {
        (_, "check" | "double" | "discovered" | "mate") => None,
        (Subject::Castling(_), _) => Some("check or mate (castling has no other details)"),
        (Subject::Board(_), "takes" | "en") => Some(
            "from, to, carries, empty, turns, promotes, check or mate (a board captures nothing)",
        ),
        (Subject::Any, "carries" | "empty" | "turns") => {
            Some("board, QL, KL, ql or kl before carries, empty and turns")
        }
        _ => None,
    }
}

/// A word that makes a test apply to all plies before the next part.
#[derive(Clone, Copy)]
enum Guard {
    Until,
    Before,
}

/// The word after the test of a guard, with the blanks around it.
fn guard(input: &str) -> Parsed<&str, Guard> {
    let until = value(Guard::Until, word("until"));
    let before = value(Guard::Before, word("before"));
    delimited(blanks, alt((until, before)), blanks).parse(input)
}

/// `link`: the greatest number of plies after the part before it at which the next part may begin.
pub(super) fn link(input: &str) -> Parsed<&str, Option<u32>> {
    let number = expected("a number of plies, 1 at least", positive);
    let plies = expected("plies", alt((word("plies"), word("ply"))));
    let limit = (blanks, word("within"), blanks);
    let limit = preceded(limit, cut(terminated(number, preceded(blanks, plies))));
    let then = preceded(word("then"), opt(limit));
    alt((value(Some(1), word("next")), then)).parse(input)
}

/// A part with an optional repetition: `A 3 times` is `A then A then A`.
fn repeated<'a>(node: Node) -> impl Text<'a, Node> {
    opt(preceded(blanks, times)).map(move |times| {
        let (count, in_a_row) = match times {
            None | Some((1, _)) => return node.clone(),
            Some(many) => many,
        };
        // A chain that is too long is rejected anyway, so there is no need to build all of it.
        let count = (count as usize).min(MAX_STEPS / node.steps() + 1);
        let part = |i| Part {
            limit: (in_a_row && i > 0).then_some(1),
            guard: None,
            node: node.clone(),
        };
        Node::Leaf(Leaf::Chain((0..count).map(part).collect()))
    })
}

/// `times`: the number of repetitions, and whether they are in a row.
pub(super) fn times(input: &str) -> Parsed<&str, (u32, bool)> {
    let row = |name| preceded(blanks, expected("a row", word(name)));
    let row = preceded((blanks, word("in")), cut((row("a"), row("row"))));
    let times = preceded(blanks, expected("times", word("times")));
    let count = require(
        terminated(number, cut(times)),
        "a number of times, 1 at least",
        |count| (count > 0).then_some(count),
    );
    (count, opt(row).map(|row| row.is_some())).parse(input)
}

pub(super) fn pattern(input: &str) -> Parsed<&str, Node> {
    let closing = "and, or, or a closing bracket";
    enclosed("pattern", places::pattern(0), closing)
        .map(|pattern| Node::Leaf(Leaf::Pattern(Pattern(pattern))))
        .parse(input)
}

pub(super) fn material(input: &str) -> Parsed<&str, Node> {
    let of_one_ply = require(
        material::material,
        "a balance of one ply (for is not used in sequences)",
        |material| (material.plies() == 1).then_some(material),
    );
    enclosed("material", of_one_ply, "a piece or a closing bracket")
        .map(|material| Node::Leaf(Leaf::Material(material)))
        .parse(input)
}

/// A text of another language in brackets. Its nesting is limited separately.
fn enclosed<'a, T>(
    name: &'static str,
    inner: impl Text<'a, T>,
    closing: &'static str,
) -> impl Text<'a, T> {
    let inner = expected("an opening bracket", bracketed(inner, closing));
    preceded((word(name), blanks), cut(inner))
}

/// Adds a hint to an error: the keyword that may have been meant, or how pieces are written.
fn with_hint(error: QueryError) -> QueryError {
    let rest = error.text.get(error.span.clone()).unwrap_or_default();
    let found = rest.split(|c| !is_part(c)).next().unwrap_or_default();
    if matches!(found, "k" | "q" | "r" | "b" | "n" | "p") {
        let hint = "; the letters of pieces are capitals, white and black name the colour";
        let expected = error.expected.clone() + hint;
        return QueryError { expected, ..error };
    }
    if found.len() < 4 || is_word(found) {
        return error;
    }
    let mut near = near(found, &WORDS);
    near.retain(|near| *near != error.expected);
    error.near(near)
}
