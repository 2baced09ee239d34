//! Reads sequences. Every rule of `grammars/sequence.ebnf` has a function of its name here.

use super::{
    Leaf, Load, MAX_NAMED_STEPS, MAX_NAMES, MAX_STEPS, MoveTest, Name, Node, Part, Subject, Who,
};
use crate::questions::material;
use crate::questions::parsing::{
    MAX_NESTING, Parsed, Stop, TOO_DEEP, blanks, expecting, fail, joined, number, stop, whole,
};
use crate::questions::pattern::parser::{self as places, PIN, PLACE};
use crate::questions::pattern::{Pattern, PinName, Place};
use crate::questions::query_error::QueryError;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::combinator::{cut, map, map_opt, opt, value, verify};
use nom::sequence::{delimited, preceded, terminated};
use std::collections::BTreeSet;
use tridex_geometry::Family;
use tridex_notation::{CheckMark, Level, MovePattern, MoveText, Notation, TokenNote, near};
use tridex_rules::{Color, Role};

const END: &str = "then, next, until, before, or, a number of times, or the end of the sequence";
const CLOSING: &str = "then, next, until, before, or, a number of times, or a closing bracket";
const TEST: &str = "a move such as N takes Q, white 0-0-0 or board carries P, pattern(...), material(...), not or a bracket";
const ONE_PLY: &str = "a test of a single ply (and, not, until and before take no sequences)";
const AS: &str = "a name that is no word of the language and no move, such as x";
const WHO: &str = "a piece: K Q R B N P, king to pawn, piece, or the name of one";

/// The words of the language: no names of pieces.
const WORDS: [&str; 45] = [
    "then", "next", "within", "plies", "ply", "until", "before", "not", "and", "or", "times", "in",
    "a", "row", "pattern", "material", "white", "black", "move", "castling", "castles", "board",
    "QL", "KL", "piece", "king", "queen", "rook", "bishop", "knight", "pawn", "as", "takes",
    "from", "to", "file", "rank", "check", "mate", "promotes", "passant", "carries", "empty",
    "turns", "en",
];

/// What a parser knows of the text around it.
#[derive(Clone, Copy)]
pub(super) struct Scope<'s> {
    /// The names that the text gives to pieces somewhere.
    pub(super) names: &'s [&'s str],
    pub(super) depth: usize,
}

impl Scope<'_> {
    fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }
}

pub(super) fn parse(text: &str) -> Result<Node, QueryError> {
    read(text).map_err(|error| error.of("the sequence"))
}

fn read(text: &str) -> Result<Node, QueryError> {
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
    let scope = Scope {
        names: &names,
        depth: 0,
    };
    let read = whole(text, |input| sequence(input, scope), END);
    let root = read.map_err(with_hint)?;
    let fewer = |expected| Err(QueryError::at(text, 0, expected));
    if names.len() > MAX_NAMES {
        return fewer(format!("fewer names ({MAX_NAMES} at most)"));
    }
    named(&root, 0, true)
        .map_err(|(left, expected)| QueryError::at(text, text.len() - left, expected))?;
    let (most, of) = match names.len() {
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

/// The names that a part gives in every case, and those given before it, one bit each. Goes as deep as the sequence is
/// nested, which the parser bounds.
///
/// # Errors
/// The place of a name that is used before it is given, or given where nothing is named.
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
        Node::Leaf(Leaf::Times { node, .. }) => named(node, before, may_name),
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

/// `sequence = chain, { blanks, "or", blanks, chain }`.
pub(super) fn sequence<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Node> {
    let or = |input| value((), (blanks, word("or"), blanks)).parse(input);
    joined(input, or, Node::Or, |input| chain(input, scope))
}

/// `chain = guarded, { blanks, link, blanks, guarded }`.
pub(super) fn chain<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Node> {
    let (mut rest, (guard, node)) = guarded(input, scope)?;
    let mut parts = vec![Part {
        limit: None,
        guard,
        node,
    }];
    while let Ok((at, _)) = blanks(rest)
        && let Some((after, limit)) = opened(link(at))?
    {
        let (after, _) = blanks(after)?;
        let (after, (guard, node)) = cut(|input| guarded(input, scope)).parse(after)?;
        if guard.is_some() && limit == Some(1) {
            return fail(at, "then (until and before need plies in between)");
        }
        parts.push(Part { limit, guard, node });
        rest = after;
    }
    let node = match parts.as_mut_slice() {
        [Part { guard: None, .. }] => parts.remove(0).node,
        _ => Node::Leaf(Leaf::Chain(parts)),
    };
    Ok((rest, node))
}

/// What an optional parser read, if it began to.
fn opened<T>(parsed: Parsed<'_, T>) -> Result<Option<(&str, T)>, nom::Err<Stop<'_>>> {
    match parsed {
        Ok(found) => Ok(Some(found)),
        Err(nom::Err::Error(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// `link = "next" | "then", [ blanks, "within", blanks, number, blanks, "plies" ]`.
pub(super) fn link(input: &str) -> Parsed<'_, Option<u32>> {
    let many = verify(number, |n| *n > 0);
    let many = cut(expecting("a number of plies, 1 at least", many));
    let plies = cut(expecting("plies", alt((word("plies"), word("ply")))));
    let within = (blanks, word("within"), blanks);
    let within = delimited(within, many, (blanks, plies));
    alt((
        value(Some(1), word("next")),
        preceded(word("then"), opt(within)),
    ))
    .parse(input)
}

/// `guarded = [ conjunction, blanks, "until", blanks | "not", blanks, factor, blanks, "before", blanks ], part`.
pub(super) fn guarded<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, (Option<Node>, Node)> {
    let (rest, first) = conjunction(input, scope)?;
    let until = |input| alt((word("until"), word("before"))).parse(input);
    let Some((after, word)) = opened(delimited(blanks, until, blanks).parse(rest))? else {
        let (rest, node) = repeated(rest, first)?;
        return Ok((rest, (None, node)));
    };
    if !first.is_test() {
        return fail(input, ONE_PLY);
    }
    if word.eq_ignore_ascii_case("before") && !matches!(first, Node::Not(_)) {
        return fail(
            input,
            "not (before is used as in: not black 0-0 before white 0-0)",
        );
    }
    let (rest, node) = cut(|input| part(input, scope)).parse(after)?;
    Ok((rest, (Some(first), node)))
}

/// `part = conjunction, [ blanks, times ]`.
pub(super) fn part<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Node> {
    let (rest, node) = conjunction(input, scope)?;
    repeated(rest, node)
}

fn repeated(rest: &str, node: Node) -> Parsed<'_, Node> {
    let (rest, many) = opt(preceded(blanks, times)).parse(rest)?;
    let node = match many {
        None | Some((1, _)) => node,
        Some((count, in_a_row)) => Node::Leaf(Leaf::Times {
            count,
            in_a_row,
            node: Box::new(node),
        }),
    };
    Ok((rest, node))
}

/// `times = number, blanks, "times", [ blanks, "in", blanks, "a", blanks, "row" ]`.
pub(super) fn times(input: &str) -> Parsed<'_, (u32, bool)> {
    let (rest, count) = number(input)?;
    let (rest, _) = blanks(rest)?;
    let (rest, _) = cut(expecting("times", word("times"))).parse(rest)?;
    if count == 0 {
        return fail(input, "a number of times, 1 at least");
    }
    let a_row = cut(expecting("a row", (word("a"), blanks, word("row"))));
    let in_a_row = opt((blanks, word("in"), blanks, a_row));
    map(in_a_row, |row| (count, row.is_some())).parse(rest)
}

/// `conjunction = factor, { blanks, "and", blanks, factor }`.
pub(super) fn conjunction<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Node> {
    let (mut rest, first) = factor(input, scope)?;
    let mut last = input;
    let mut parts = vec![first];
    while let Some((at, _)) = opened(delimited(blanks, word("and"), blanks).parse(rest))? {
        let (after, next) = cut(|input| factor(input, scope)).parse(at)?;
        for (node, place) in [(parts.last(), last), (Some(&next), at)] {
            if node.is_some_and(|node| !node.is_test()) {
                return fail(place, ONE_PLY);
            }
        }
        parts.push(next);
        (rest, last) = (after, at);
    }
    let node = match parts.len() {
        1 => parts.remove(0),
        _ => Node::And(parts),
    };
    Ok((rest, node))
}

/// `factor = "not", blanks, factor | "(", blanks, sequence, blanks, ")" | pattern | material | description`.
pub(super) fn factor<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Node> {
    if scope.depth > MAX_NESTING {
        return fail(input, TOO_DEEP);
    }
    if let Ok((rest, _)) = terminated(word("not"), blanks).parse(input) {
        let (after, inner) = cut(|input| factor(input, scope.deeper())).parse(rest)?;
        return match inner.is_test() {
            true => Ok((after, inner.negated())),
            false => fail(rest, ONE_PLY),
        };
    }
    let close = preceded(blanks, expecting(CLOSING, tag(")")));
    let inner = cut(|input| sequence(input, scope.deeper()));
    let bracket = delimited((tag("("), blanks), inner, cut(close));
    alt((bracket, pattern, material, |input| {
        description(input, scope)
    }))
    .parse(input)
}

/// `pattern = "pattern", blanks, "(", blanks, pattern of pattern.ebnf, blanks, ")"`.
pub(super) fn pattern(input: &str) -> Parsed<'_, Node> {
    let read = enclosed("pattern", "and, or, or a closing bracket", places::pattern);
    map(read, |pattern| Node::Leaf(Leaf::Pattern(Pattern(pattern)))).parse(input)
}

/// `material = "material", blanks, "(", blanks, material of pattern.ebnf, blanks, ")"`.
pub(super) fn material(input: &str) -> Parsed<'_, Node> {
    let one_ply = |input| match material::material(input)? {
        (rest, material) if material.plies() == 1 => Ok((rest, material)),
        _ => fail(input, "a balance of one ply (for is not used in sequences)"),
    };
    let read = enclosed("material", "a piece or a closing bracket", one_ply);
    map(read, |material| Node::Leaf(Leaf::Material(material))).parse(input)
}

/// A text of another language in brackets.
fn enclosed<'a, T>(
    name: &'static str,
    closing: &'static str,
    inner: impl Fn(&'a str) -> Parsed<'a, T>,
) -> impl Parser<&'a str, Output = T, Error = Stop<'a>> {
    let open = (
        blanks,
        cut(expecting("an opening bracket", tag("("))),
        blanks,
    );
    let close = (blanks, expecting(closing, tag(")")));
    delimited((word(name), open), cut(inner), cut(close))
}

/// `description = [ color, blanks ], written | [ color, blanks ], [ subject ], { blanks, detail }`, not empty.
pub(super) fn description<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Node> {
    let (rest, by) = opt(color).parse(input)?;
    let (at, _) = blanks(rest)?;
    if let Ok((rest, mut tests)) = written(at) {
        tests.iter_mut().for_each(|test| test.by = by);
        let node = |test| Node::Leaf(Leaf::Move(Box::new(test)));
        let tests = tests.into_iter().map(node);
        return Ok((rest, Node::one_of(tests.collect())));
    }
    let (rest, subject) = match opened(subject(at, scope))? {
        Some((rest, subject)) => (rest, Some(subject)),
        None => (rest, None),
    };
    let mut test = MoveTest {
        by,
        subject: subject.clone().unwrap_or_default(),
        ..MoveTest::default()
    };
    let mut rest = rest;
    let mut seen: Vec<String> = Vec::new();
    while let Some((at, _)) = opened(blanks(rest))?
        && let Some((after, name)) = opened(detail(at, scope, &mut test))?
    {
        if seen.contains(&name) {
            return fail(at, "a detail that is not there already");
        }
        seen.push(name);
        rest = after;
    }
    if by.is_none() && subject.is_none() && seen.is_empty() {
        return stop(input, TEST);
    }
    Ok((rest, Node::Leaf(Leaf::Move(Box::new(test)))))
}

/// What is expected, and what the word that is there may be meant for.
fn with_hint(error: QueryError) -> QueryError {
    let rest = error.text.get(error.span.clone()).unwrap_or_default();
    let found = token(rest).map_or("", |(_, token)| token);
    if matches!(found, "k" | "q" | "r" | "b" | "n" | "p") {
        let hint = "; the letters of pieces are capitals, white and black name the colour";
        let expected = error.expected.clone() + hint;
        return QueryError { expected, ..error };
    }
    if found.len() < 4 || is_word(found) {
        return error;
    }
    let near = near(found, &WORDS).into_iter();
    let near = near.filter(|near| *near != error.expected);
    let near = near.map(str::to_owned).collect();
    error.near(near)
}

pub(super) fn color(input: &str) -> Parsed<'_, Color> {
    alt((
        value(Color::White, word("white")),
        value(Color::Black, word("black")),
    ))
    .parse(input)
}

/// `subject = "move" | "castling" | "castles" | "board" | attack_board | piece`.
pub(super) fn subject<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Subject> {
    let board = map_opt(token, |token| match places::attack_board(token) {
        Ok(("", board)) => Some(Subject::Board(Some(board))),
        _ => None,
    });
    alt((
        value(Subject::Any, word("move")),
        value(
            Subject::Castling(None),
            alt((word("castling"), word("castles"))),
        ),
        value(Subject::Board(None), word("board")),
        board,
        map(|input| piece(input, scope), Subject::Piece),
    ))
    .parse(input)
}

/// `who = [ color, blanks ], piece`.
pub(super) fn who<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Who> {
    let Ok((rest, color)) = terminated(color, blanks).parse(input) else {
        return piece(input, scope);
    };
    let (rest, piece) = cut(expecting(WHO, |input| piece(input, scope))).parse(rest)?;
    let color = Some(color);
    Ok((rest, Who { color, ..piece }))
}

/// `piece = ( role | "piece" | name ), [ blanks, "as", blanks, name ]`.
pub(super) fn piece<'a>(input: &'a str, scope: Scope<'_>) -> Parsed<'a, Who> {
    let known = verify(token, |token: &str| scope.names.contains(&token));
    let known = map(known, |text: &str| Who {
        known: Some(name_of(text, input, scope)),
        ..Who::default()
    });
    let role = map(role, |role| Who {
        role: Some(role),
        ..Who::default()
    });
    let any = value(Who::default(), word("piece"));
    let (rest, mut who) = alt((role, any, known)).parse(input)?;
    let Ok((at, _)) = (blanks, word("as"), blanks).parse(rest) else {
        return Ok((rest, who));
    };
    let (rest, text) = cut(expecting(AS, name)).parse(at)?;
    who.named = Some(name_of(text, at, scope));
    Ok((rest, who))
}

fn name_of(text: &str, at: &str, scope: Scope<'_>) -> Name {
    let id = scope.names.iter().position(|name| *name == text);
    Name {
        left: at.len(),
        id: id.unwrap_or_default(),
    }
}

/// A letter, then letters, digits and `_`; no word of the language and no move.
pub(super) fn name(input: &str) -> Parsed<'_, &str> {
    verify(token, is_name).parse(input)
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !is_word(text)
        && role(text).is_err()
        && written(text).is_err()
}

/// `role = "K" | "Q" | "R" | "B" | "N" | "P" | "king" | "queen" | "rook" | "bishop" | "knight" | "pawn"`.
pub(super) fn role(input: &str) -> Parsed<'_, Role> {
    const NAMES: [(&str, Role); 6] = [
        ("king", Role::King),
        ("queen", Role::Queen),
        ("rook", Role::Rook),
        ("bishop", Role::Bishop),
        ("knight", Role::Knight),
        ("pawn", Role::Pawn),
    ];
    map_opt(token, |token| {
        let found = NAMES.iter().find(|(name, role)| {
            name.eq_ignore_ascii_case(token) || token.chars().eq([role.letter()])
        });
        found.map(|(_, role)| *role)
    })
    .parse(input)
}

/// A detail of a move is put into its description; the word it begins with is returned.
pub(super) fn detail<'a>(
    input: &'a str,
    scope: Scope<'_>,
    test: &mut MoveTest,
) -> Parsed<'a, String> {
    let (rest, first) = token(input)?;
    let first = first.to_ascii_lowercase();
    const OF_PIECES: [&str; 4] = ["takes", "en", "from", "to"];
    const OF_BOARDS: [&str; 5] = ["carries", "empty", "turns", "from", "to"];
    const OF_ALL: [&str; 3] = ["check", "mate", "promotes"];
    let word = first.as_str();
    let is_of = |details: &[&str]| details.contains(&word);
    if !is_of(&OF_PIECES) && !is_of(&OF_BOARDS) && !is_of(&OF_ALL) {
        return stop(input, "a detail of the move");
    }
    let expected = match &test.subject {
        Subject::Castling(_) if !matches!(word, "check" | "mate") => {
            "check or mate (castling has no other details)"
        }
        Subject::Board(_) if is_of(&["takes", "en"]) => {
            "from, to, carries, empty, turns, promotes, check or mate (a board captures nothing)"
        }
        Subject::Any | Subject::Piece(_) if is_of(&["carries", "empty", "turns"]) => {
            "board, QL, KL, ql or kl before carries, empty and turns"
        }
        _ => "",
    };
    if !expected.is_empty() {
        return fail(input, expected);
    }
    let is_board = matches!(test.subject, Subject::Board(_));
    let load = |rest: &'a str| {
        let who = opt(preceded(blanks, |input| who(input, scope)));
        map(who, |who| Load::Piece(who.unwrap_or_default())).parse(rest)
    };
    let pin = |rest: &'a str| preceded(blanks, pin).parse(rest);
    let spot = |rest: &'a str| map(preceded(blanks, spot), |spot| vec![spot]).parse(rest);
    let mut after = rest;
    match word {
        "takes" => (after, test.takes) = load(rest)?,
        "carries" => (after, test.carries) = load(rest)?,
        "empty" => test.carries = Load::Nothing,
        "turns" => test.turned = Some(true),
        "check" => test.check = true,
        "mate" => test.mate = true,
        "en" => {
            let passant = (blanks, cut(expecting("passant", self::word("passant"))));
            (after, _) = { passant }.parse(rest)?;
            test.en_passant = true;
        }
        "promotes" => {
            let to = opt((blanks, self::word("to")));
            let to_role = preceded((to, blanks), role);
            (after, test.promotes) = map(opt(to_role), Some).parse(rest)?;
        }
        "from" if is_board => (after, test.pins[0]) = map(pin, Some).parse(rest)?,
        "to" if is_board => (after, test.pins[1]) = map(pin, Some).parse(rest)?,
        "from" => (after, test.from) = spot(rest)?,
        _ => (after, test.to) = spot(rest)?,
    }
    Ok((after, first))
}

/// A pin of `pattern.ebnf`.
fn pin(input: &str) -> Parsed<'_, PinName> {
    match token(input).map(|(rest, token)| (rest, places::pin(token))) {
        Ok((rest, Ok(("", pin)))) => Ok((rest, pin)),
        _ => fail(input, PIN),
    }
}

/// `spot = "file", blanks, file | "rank", blanks, rank | place`.
pub(super) fn spot(input: &str) -> Parsed<'_, Place> {
    let file = (word("file"), blanks);
    if let Ok((at, _)) = { file }.parse(input) {
        let (rest, token) = cut(expecting("a file", token)).parse(at)?;
        let [stair, cube] = [places::stair_file(token), places::cube_file(token)]
            .map(|found| found.ok().filter(|(rest, _)| rest.is_empty()));
        let [stair, cube] = [stair, cube].map(|found| found.map(|(_, file)| file));
        return match (stair, cube) {
            (None, None) => fail(
                at,
                "a file: z, a to e on the stair board, a to h on the cube",
            ),
            _ => Ok((rest, Place::File { stair, cube })),
        };
    }
    let rank = (word("rank"), blanks);
    if let Ok((at, _)) = { rank }.parse(input) {
        let (rest, rank) = expecting(
            "a rank: 0 to 9 on the stair board, 1 to 8 on the cube",
            number,
        )(at)?;
        let rank = u8::try_from(rank).ok();
        let stair = rank.filter(|rank| *rank < 10);
        let cube = rank
            .filter(|rank| (1..=8).contains(rank))
            .map(|rank| rank - 1);
        return match (stair, cube) {
            (None, None) => fail(at, "a rank: 0 to 9 on the stair board, 1 to 8 on the cube"),
            _ => Ok((rest, Place::Rank { stair, cube })),
        };
    }
    match token(input).map(|(rest, token)| (rest, places::place(token))) {
        Ok((rest, Ok(("", place)))) => Ok((rest, place)),
        _ => fail(input, PLACE),
    }
}

/// A move in any notation, in each of the ways it can be read.
pub(super) fn written(input: &str) -> Parsed<'_, Vec<MoveTest>> {
    let (rest, token) = token(input)?;
    let mut tests: Vec<MoveTest> = Vec::new();
    for notation in Notation::ALL {
        let Ok(text) = tridex_notation::parse(notation, token.as_bytes(), None) else {
            continue;
        };
        // What people write; slips are none of a query.
        let forgiven = [
            TokenNote::MissingLevel,
            TokenNote::Spelling,
            TokenNote::PawnLetter,
        ];
        let notes = forgiven
            .into_iter()
            .fold(text.notes, |notes, note| notes.without(note));
        let test = of_text(&text, notation.family());
        if notes.is_empty() && !tests.contains(&test) {
            tests.push(test);
        }
    }
    match tests.is_empty() {
        true => stop(input, "a move in a notation"),
        false => Ok((rest, tests)),
    }
}

fn of_text(text: &MoveText, family: Family) -> MoveTest {
    let spots = |file: Option<u8>, rank: Option<u8>, level: Option<Level>| {
        let named = |number: u8| match family {
            Family::Stair => (Some(number), None),
            Family::Cube => (None, Some(number)),
        };
        let level = level.map(|level| match level {
            Level::Main(main) => Place::Main(main),
            Level::Attack(board) => Place::Attack(board),
            Level::Pin(pin) => Place::Pin(PinName {
                pin,
                either_surface: false,
            }),
            Level::Cube(level) => Place::Level(level),
        });
        let file = file
            .map(named)
            .map(|(stair, cube)| Place::File { stair, cube });
        let rank = rank
            .map(named)
            .map(|(stair, cube)| Place::Rank { stair, cube });
        let all = [file, rank, level];
        all.into_iter().flatten().collect::<Vec<Place>>()
    };
    let test = MoveTest {
        check: text.mark == CheckMark::Check,
        mate: text.mark == CheckMark::Mate,
        ..MoveTest::default()
    };
    match text.kind {
        MovePattern::Piece(piece) => MoveTest {
            subject: Subject::Piece(Who {
                role: piece.role,
                ..Who::default()
            }),
            from: spots(piece.from.file, piece.from.rank, piece.from.level),
            to: spots(Some(piece.to.file), Some(piece.to.rank), piece.to.level),
            takes: match text.capture || text.en_passant {
                true => Load::Piece(Who::default()),
                false => Load::Nothing,
            },
            promotes: piece.promotion.map(Some),
            en_passant: text.en_passant,
            ..test
        },
        MovePattern::Castle(side) => MoveTest {
            subject: Subject::Castling(Some(side)),
            ..test
        },
        MovePattern::Board(board) => {
            let name = |pin| PinName {
                pin,
                either_surface: board.either_surface,
            };
            let (square, role) = board.promotion.unzip();
            let square = square
                .flatten()
                .map(|at| spots(Some(at.file), Some(at.rank), at.level));
            MoveTest {
                subject: Subject::Board(None),
                pins: [board.from.map(name), Some(name(board.to))],
                turned: Some(board.turned),
                promotes: role.map(Some),
                promoted_on: square.unwrap_or_default(),
                ..test
            }
        }
    }
}

fn is_part(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')')
}

/// A word up to a blank or bracket.
fn token(input: &str) -> Parsed<'_, &str> {
    take_while1(is_part).parse(input)
}

/// A word of the language, in any case.
fn word<'a>(word: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    move |input| verify(token, |token: &str| token.eq_ignore_ascii_case(word)).parse(input)
}
