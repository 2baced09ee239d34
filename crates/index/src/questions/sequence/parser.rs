//! Reads sequences. Every rule of `grammars/sequence.ebnf` has a function of its name here, but for those that
//! [`Boolean`] has for all languages.

use super::{
    Leaf, Load, MAX_NAMED_STEPS, MAX_NAMES, MAX_STEPS, MoveTest, Name, Node, Part, Subject, Who,
};
use crate::questions::material;
use crate::questions::parsing::{Boolean, Read, Reader, whole};
use crate::questions::pattern::parser::{self as places, CUBE_FILES, PIN, PLACE, STAIR_FILES};
use crate::questions::pattern::{Pattern, Place};
use crate::questions::query_error::QueryError;
use std::collections::BTreeSet;
use tridex_geometry::Family;
use tridex_notation::{CheckMark, MovePattern, MoveText, Notation, TokenNote, near};
use tridex_rules::{Color, Coordinates, Departure, Role};

const END: &str = "then, next, until, before, or, a number of times, or the end of the sequence";
const TEST: &str = "a move such as N takes Q, white 0-0-0 or board carries P, pattern(...), material(...), not or a bracket";
const ONE_PLY: &str = "a test of a single ply (and, not, until and before take no sequences)";

/// The words of the language: no names of pieces.
const WORDS: [&str; 45] = [
    "then", "next", "within", "plies", "ply", "until", "before", "not", "and", "or", "times", "in",
    "a", "row", "pattern", "material", "white", "black", "move", "castling", "castles", "board",
    "QL", "KL", "piece", "king", "queen", "rook", "bishop", "knight", "pawn", "as", "takes",
    "from", "to", "file", "rank", "check", "mate", "promotes", "passant", "carries", "empty",
    "turns", "en",
];

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
    let sequences = Sequences {
        names: names.into_iter().collect(),
    };
    let read = whole(text, |text| sequences.any_of(text), END);
    let root = read.map_err(with_hint)?;
    let fewer = |expected| Err(QueryError::at(text, 0, expected));
    let names = sequences.names.len();
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

/// The language of sequences in which some names are known.
pub(super) struct Sequences<'s> {
    /// The names that the text gives to pieces somewhere.
    pub(super) names: Vec<&'s str>,
}

impl Boolean for Sequences<'_> {
    type Test = Leaf;

    const CLOSING: &'static str =
        "then, next, until, before, or, a number of times, or a closing bracket";

    fn test(&self, text: &mut Reader<'_>) -> Read<Node> {
        if let Some(node) = pattern(text)? {
            return Ok(node);
        }
        if let Some(node) = material(text)? {
            return Ok(node);
        }
        self.description(text)
    }

    fn word(text: &mut Reader<'_>, word: &str) -> bool {
        self::word(text, word)
    }

    fn refused(node: &Node) -> Option<&'static str> {
        (!node.is_test()).then_some(ONE_PLY)
    }

    fn alternative(&self, text: &mut Reader<'_>) -> Read<Node> {
        self.chain(text)
    }
}

impl Sequences<'_> {
    /// `chain = guarded, { blanks, link, blanks, guarded }`.
    pub(super) fn chain(&self, text: &mut Reader<'_>) -> Read<Node> {
        let (guard, node) = self.guarded(text)?;
        let mut parts = vec![Part {
            limit: None,
            guard,
            node,
        }];
        loop {
            text.blanks();
            let start = *text;
            let Some(limit) = link(text)? else {
                break;
            };
            text.blanks();
            let (guard, node) = self.guarded(text)?;
            if guard.is_some() && limit == Some(1) {
                return Err(start.fault("then (until and before need plies in between)"));
            }
            parts.push(Part { limit, guard, node });
        }
        Ok(match parts.as_slice() {
            [Part { guard: None, .. }] => parts.remove(0).node,
            _ => Node::Leaf(Leaf::Chain(parts)),
        })
    }

    /// `guarded = [ conjunction, blanks, "until", blanks | "not", blanks, factor, blanks, "before", blanks ], part`.
    pub(super) fn guarded(&self, text: &mut Reader<'_>) -> Read<(Option<Node>, Node)> {
        let start = *text;
        let first = self.all_of(text)?;
        text.blanks();
        let is_before = word(text, "before");
        if !is_before && !word(text, "until") {
            return Ok((None, repeated(text, first)?));
        }
        if !first.is_test() {
            return Err(start.fault(ONE_PLY));
        }
        if is_before && !matches!(first, Node::Not(_)) {
            return Err(start.fault("not (before is used as in: not black 0-0 before white 0-0)"));
        }
        text.blanks();
        Ok((Some(first), self.part(text)?))
    }

    /// `part = conjunction, [ blanks, times ]`.
    pub(super) fn part(&self, text: &mut Reader<'_>) -> Read<Node> {
        let node = self.all_of(text)?;
        repeated(text, node)
    }

    /// `description = [ color, blanks ], written | [ color, blanks ], [ subject ], { blanks, detail }`, not empty.
    pub(super) fn description(&self, text: &mut Reader<'_>) -> Read<Node> {
        let start = *text;
        let by = color(text);
        text.blanks();
        if let Some(mut tests) = written(text) {
            tests.iter_mut().for_each(|test| test.by = by);
            let node = |test| Node::Leaf(Leaf::Move(Box::new(test)));
            return Ok(Node::joined(
                tests.into_iter().map(node).collect(),
                Node::Or,
            ));
        }
        let subject = self.subject(text)?;
        let is_empty = by.is_none() && subject.is_none();
        let (subject, moves) = subject.unwrap_or_default();
        let mut test = MoveTest {
            by,
            subject,
            moves,
            ..MoveTest::default()
        };
        let mut seen: Vec<&str> = Vec::new();
        loop {
            text.blanks();
            let place = *text;
            match self.detail(text, &mut test)? {
                Some(name) if seen.contains(&name) => {
                    return Err(place.fault("a detail that is not there already"));
                }
                Some(name) => seen.push(name),
                None if is_empty && seen.is_empty() => return Err(start.fault(TEST)),
                None => return Ok(Node::Leaf(Leaf::Move(Box::new(test)))),
            }
        }
    }

    /// `subject = "move" | "castling" | "castles" | "board" | attack_board | piece`.
    pub(super) fn subject(&self, text: &mut Reader<'_>) -> Read<Option<(Subject, Load)>> {
        let words = [
            ("move", Subject::Any),
            ("castling", Subject::Castling(None)),
            ("castles", Subject::Castling(None)),
            ("board", Subject::Board(None)),
        ];
        if let Some((_, subject)) = words.into_iter().find(|(name, _)| word(text, name)) {
            return Ok(Some((subject, Load::Any)));
        }
        if let Some(board) = token(text, places::attack_board) {
            return Ok(Some((Subject::Board(Some(board)), Load::Any)));
        }
        let piece = self.piece(text)?;
        Ok(piece.map(|who| (Subject::Any, Load::Piece(who))))
    }

    /// `who = [ color, blanks ], piece`.
    pub(super) fn who(&self, text: &mut Reader<'_>) -> Read<Option<Who>> {
        let color = color(text);
        if color.is_none() {
            return self.piece(text);
        }
        text.blanks();
        let piece = self.piece(text)?;
        let expected = "a piece: K Q R B N P, king to pawn, piece, or the name of one";
        let piece = piece.ok_or(text.fault(expected))?;
        Ok(Some(Who { color, ..piece }))
    }

    /// `piece = ( role | "piece" | name ), [ blanks, "as", blanks, name ]`.
    pub(super) fn piece(&self, text: &mut Reader<'_>) -> Read<Option<Who>> {
        let name = |text: &Reader<'_>, name: &str| {
            let id = self.names.iter().position(|known| *known == name)?;
            let left = text.rest.len();
            Some(Name { left, id })
        };
        let start = *text;
        let role = token(text, role);
        let known = token(text, |text| name(&start, text)).filter(|_| role.is_none());
        if role.is_none() && known.is_none() && !word(text, "piece") {
            return Ok(None);
        }
        let mut who = Who {
            role,
            known,
            ..Who::default()
        };
        let mut after = *text;
        after.blanks();
        if word(&mut after, "as") {
            after.blanks();
            let place = after;
            let Some(text_of_name) = self::name(&mut after) else {
                return Err(
                    place.fault("a name that is no word of the language and no move, such as x")
                );
            };
            who.named = name(&place, text_of_name);
            *text = after;
        }
        Ok(Some(who))
    }

    /// A detail of a move is put into its description; the word it begins with is returned.
    pub(super) fn detail(
        &self,
        text: &mut Reader<'_>,
        test: &mut MoveTest,
    ) -> Read<Option<&'static str>> {
        const DETAILS: [&str; 10] = [
            "takes", "en", "from", "to", "carries", "empty", "turns", "check", "mate", "promotes",
        ];
        let start = *text;
        let Some(detail) = DETAILS.into_iter().find(|detail| word(text, detail)) else {
            return Ok(None);
        };
        let is_board = matches!(test.subject, Subject::Board(_));
        let is_castling = matches!(test.subject, Subject::Castling(_));
        match detail {
            "check" | "mate" => {}
            _ if is_castling => {
                return Err(start.fault("check or mate (castling has no other details)"));
            }
            "takes" | "en" if is_board => {
                return Err(start.fault("from, to, carries, empty, turns, promotes, check or mate (a board captures nothing)"));
            }
            "carries" | "empty" | "turns" if !is_board => {
                return Err(start.fault("board, QL, KL, ql or kl before carries, empty and turns"));
            }
            _ => {}
        }
        text.blanks();
        match detail {
            "takes" => test.takes = Load::Piece(self.who(text)?.unwrap_or_default()),
            "carries" => test.carries = Load::Piece(self.who(text)?.unwrap_or_default()),
            "empty" => test.carries = Load::Nothing,
            "turns" => test.turned = Some(true),
            "check" => test.check = true,
            "mate" => test.mate = true,
            "en" => {
                expect(text, &["passant"], "passant")?;
                test.en_passant = true;
            }
            "promotes" => {
                let mut after = *text;
                word(&mut after, "to");
                after.blanks();
                let to = token(&mut after, role);
                text.take_if(to.is_some(), after);
                test.promotes = Some(to);
            }
            _ => {
                let place = match is_board {
                    true => pin(text)?,
                    false => spot(text)?,
                };
                match detail {
                    "from" => test.from = Some(place),
                    _ => test.to = Some(place),
                }
            }
        }
        Ok(Some(detail))
    }
}

/// `link = "next" | "then", [ blanks, "within", blanks, number, blanks, "plies" ]`.
pub(super) fn link(text: &mut Reader<'_>) -> Read<Option<Option<u32>>> {
    if word(text, "next") {
        return Ok(Some(Some(1)));
    }
    if !word(text, "then") {
        return Ok(None);
    }
    text.blanks();
    if !word(text, "within") {
        return Ok(Some(None));
    }
    text.blanks();
    let limit = text.positive("a number of plies, 1 at least")?;
    expect(text, &["plies", "ply"], "plies")?;
    Ok(Some(Some(limit)))
}

/// A part, perhaps several times: `A 3 times` is `A then A then A`.
fn repeated(text: &mut Reader<'_>, node: Node) -> Read<Node> {
    text.blanks();
    let (count, in_a_row) = match times(text)? {
        None | Some((1, _)) => return Ok(node),
        Some(many) => many,
    };
    // A chain that is too long is refused, however much longer it would be.
    let count = (count as usize).min(MAX_STEPS / node.steps() + 1);
    let part = |i| Part {
        limit: (in_a_row && i > 0).then_some(1),
        guard: None,
        node: node.clone(),
    };
    Ok(Node::Leaf(Leaf::Chain((0..count).map(part).collect())))
}

/// `times = number, blanks, "times", [ blanks, "in", blanks, "a", blanks, "row" ]`.
pub(super) fn times(text: &mut Reader<'_>) -> Read<Option<(u32, bool)>> {
    let start = *text;
    let Some(count) = text.number() else {
        return Ok(None);
    };
    expect(text, &["times"], "times")?;
    if count == 0 {
        return Err(start.fault("a number of times, 1 at least"));
    }
    text.blanks();
    let in_a_row = word(text, "in");
    if in_a_row {
        expect(text, &["a"], "a row")?;
        expect(text, &["row"], "a row")?;
    }
    Ok(Some((count, in_a_row)))
}

/// `pattern = "pattern", blanks, "(", blanks, pattern of pattern.ebnf, blanks, ")"`.
pub(super) fn pattern(text: &mut Reader<'_>) -> Read<Option<Node>> {
    let closing = "and, or, or a closing bracket";
    let read = enclosed(text, "pattern", closing, places::pattern)?;
    Ok(read.map(|pattern| Node::Leaf(Leaf::Pattern(Pattern(pattern)))))
}

/// `material = "material", blanks, "(", blanks, material of pattern.ebnf, blanks, ")"`.
pub(super) fn material(text: &mut Reader<'_>) -> Read<Option<Node>> {
    let one_ply = |text: &mut Reader<'_>| {
        let start = *text;
        let material = material::material(text)?;
        match material.plies() {
            1 => Ok(Node::Leaf(Leaf::Material(material))),
            _ => Err(start.fault("a balance of one ply (for is not used in sequences)")),
        }
    };
    enclosed(text, "material", "a piece or a closing bracket", one_ply)
}

/// A text of another language in brackets.
fn enclosed<'a, T>(
    text: &mut Reader<'a>,
    name: &str,
    closing: &'static str,
    inner: impl FnOnce(&mut Reader<'a>) -> Read<T>,
) -> Read<Option<T>> {
    if !word(text, name) {
        return Ok(None);
    }
    text.expect("(", "an opening bracket")?;
    text.blanks();
    let found = text.apart(inner)?;
    text.expect(")", closing)?;
    Ok(Some(found))
}

/// What is expected, and what the word that is there may be meant for.
fn with_hint(error: QueryError) -> QueryError {
    let rest = error.text.get(error.span.clone()).unwrap_or_default();
    let found = Reader::new(rest).take(is_part);
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

pub(super) fn color(text: &mut Reader<'_>) -> Option<Color> {
    let colors = [("white", Color::White), ("black", Color::Black)];
    let found = colors.into_iter().find(|(name, _)| word(text, name));
    found.map(|(_, color)| color)
}

/// A letter, then letters, digits and `_`; no word of the language and no move.
pub(super) fn name<'a>(text: &mut Reader<'a>) -> Option<&'a str> {
    token(text, |text| is_name(text).then_some(text))
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !is_word(text)
        && role(text).is_none()
        && written(&mut Reader::new(text)).is_none()
}

/// `role = "K" | "Q" | "R" | "B" | "N" | "P" | "king" | "queen" | "rook" | "bishop" | "knight" | "pawn"`.
pub(super) fn role(token: &str) -> Option<Role> {
    let is_it =
        |role: &Role| role.name().eq_ignore_ascii_case(token) || token.chars().eq([role.letter()]);
    Role::ALL.into_iter().find(is_it)
}

/// A pin of `pattern.ebnf`.
fn pin(text: &mut Reader<'_>) -> Read<Place> {
    token(text, places::pin).ok_or(text.fault(PIN))
}

/// `spot = "file", blanks, file | "rank", blanks, rank | place`.
pub(super) fn spot(text: &mut Reader<'_>) -> Read<Place> {
    let spot = |file, rank| Departure {
        file,
        rank,
        level: None,
    };
    if word(text, "file") {
        text.blanks();
        let file = |files: &str, name: &str| {
            let place = files.find(name).filter(|_| name.len() == 1)?;
            Some(spot(Some(place as u8), None))
        };
        let found = token(text, |name| {
            let cube = file(CUBE_FILES, &name.to_ascii_lowercase());
            Place::either(file(STAIR_FILES, name), cube)
        });
        let expected = "a file: z, a to e on the stair board, a to h on the cube";
        return found.ok_or(text.fault(expected));
    }
    if word(text, "rank") {
        text.blanks();
        let fault = text.fault("a rank: 0 to 9 on the stair board, 1 to 8 on the cube");
        let rank = text.number().and_then(|rank| u8::try_from(rank).ok());
        let rank = |first: u8, last: u8| {
            let rank = rank.filter(|rank| (first..=last).contains(rank))?;
            Some(spot(None, Some(rank - first)))
        };
        return Place::either(rank(0, 9), rank(1, 8)).ok_or(fault);
    }
    token(text, |name| places::place(name).ok()).ok_or(text.fault(PLACE))
}

/// A move in any notation, in each of the ways it can be read.
pub(super) fn written(text: &mut Reader<'_>) -> Option<Vec<MoveTest>> {
    token(text, |token| {
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
        (!tests.is_empty()).then_some(tests)
    })
}

fn of_text(text: &MoveText, family: Family) -> MoveTest {
    let place = |spot| (spot != Departure::default()).then(|| Place::of(family, spot));
    let square =
        |square: Coordinates| place(places::square((square.file, square.rank), square.level));
    let test = MoveTest {
        check: text.mark == CheckMark::Check,
        mate: text.mark == CheckMark::Mate,
        ..MoveTest::default()
    };
    match text.kind {
        MovePattern::Piece(piece) => MoveTest {
            moves: Load::Piece(Who {
                role: piece.role,
                ..Who::default()
            }),
            from: place(piece.from),
            to: square(piece.to),
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
            let pin = |pin| Place::pin(pin, board.either_surface);
            let (promoted_on, role) = board.promotion.unzip();
            MoveTest {
                subject: Subject::Board(None),
                from: board.from.map(pin),
                to: Some(pin(board.to)),
                turned: Some(board.turned),
                promotes: role.map(Some),
                promoted_on: promoted_on.flatten().and_then(square),
                ..test
            }
        }
    }
}

fn is_part(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')')
}

/// Takes a word up to a blank or bracket if it means something.
fn token<'a, T>(text: &mut Reader<'a>, meaning: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
    let mut after = *text;
    let meaning = meaning(after.take(is_part))?;
    *text = after;
    Some(meaning)
}

/// Takes a word of the language, in any case.
fn word(text: &mut Reader<'_>, word: &str) -> bool {
    let is_word = |token: &str| token.eq_ignore_ascii_case(word).then_some(());
    token(text, is_word).is_some()
}

/// Takes one of some words after blanks.
fn expect(text: &mut Reader<'_>, words: &[&str], expected: &'static str) -> Read<()> {
    text.blanks();
    let found = words.iter().find(|name| word(text, name));
    found.map(drop).ok_or(text.fault(expected))
}
