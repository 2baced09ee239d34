//! The rules as tables: `tests/data/<system>.txt`, run by one runner.
//!
//! A table is a text of records. A record begins with `=`, its article and what it says, and holds one article to its
//! words: what has to be possible, and what has to be forbidden, with the article that forbids it. Lines that begin with
//! `#` are remarks; blank lines mean nothing. Squares, pins and tokens are spelled in the notation of the tables: Meder's
//! for `meder` and `federation`, the own one for the others. Men are a letter and a square, `Kd0KL1`, small for Black.
//!
//! Lines that set a position up:
//!
//! | line | the position now |
//! |---|---|
//! | `start` | the start of the system |
//! | `at POSITION` | that of a position string |
//! | `men MEN ; FIELDS` | on the cube: these men, and the other fields of a position string |
//! | `after TOKENS` | the one set up last with these moves played; `--` gives the turn to the other side; alone: that one again |
//!
//! Lines that say something of it:
//!
//! | line | what it says |
//! |---|---|
//! | `legal TOKENS` | each token means one legal move |
//! | `illegal TOKENS \| ARTICLE` | each is a word and no legal move, and the reason given ends with the article |
//! | `moves TOKENS` | these are all legal moves; none, if nothing follows |
//! | `goes FROM: SQUARES` | the piece there may go to these squares and no other, castling left out |
//! | `stays FROM: SQUARES \| ARTICLE` | it may go to none of these, and the article says so; `=K` behind a square: to become that; `e.p.`: by a capture en passant |
//! | `reason TOKENS \| WORDS` | as `illegal`, but the reason given has these words, for where no article speaks |
//! | `board PIN: PINS` | the board there may go to these pins and no other; `r` behind a pin: turned; `/a8BQ`: a pawn is promoted |
//! | `promotes FROM TO: LETTERS` | what may become of the pawn, in the order `QRBN-`; `-`: it stays a pawn |
//! | `passing FROMxTO ...` | these are all captures en passant |
//! | `holds MEN` | these men stand there; `-` instead of the letter: nobody does |
//! | `all MEN` | these are all men |
//! | `check yes`, `check no` | whether the side to move is in check |
//! | `ends HOW` | `checkmate White`, `checkmate Black`, `stalemate`, `material` or `not` |
//! | `count N`, `turn COLOUR`, `rights KQkq`, `advanced SQUARE` | count of moves without progress, side to move, castling rights, the pawn that has just advanced two |
//! | `reads TOKEN = TOKEN` | both mean the same one move |
//! | `writes TOKENS` | each is how its move is written |
//! | `same POSITION`, `differs POSITION` | whether repetition takes the two as one |
//! | `refused POSITION \| WORDS` | the position string cannot be played, with these words |
//!
//! Of every position that is set up or reached the laws are asked too, and the oracle.

use crate::rules::cube_support::try_placement;
use crate::support::{none_of, notation, unmarked};
use std::collections::BTreeSet;
use std::fmt::Write;
use tridex_geometry::{Square, stair::AttackBoard};
use tridex_notation::{
    Fen, MoveText, laws, messages, names, parse, position_string, resolve, write,
};
use tridex_rules::{Color, Move, Outcome, Piece, Position, Role, RuleSystem};

/// What is wrong with a line.
pub(crate) type Fault = String;
pub(crate) type Checked = Result<(), Fault>;

/// A table while it runs.
struct Run {
    rules: RuleSystem,
    /// The position set up last.
    base: Option<Position>,
    /// That with moves played.
    now: Option<Position>,
    /// The heading of the record, and whether it has said anything yet.
    title: Option<(usize, String)>,
    says_something: bool,
    titles: BTreeSet<String>,
}

/// Runs a table; each fault with file, line and record.
fn run(rules: RuleSystem, file: &str, text: &str) -> Vec<String> {
    let mut run = Run {
        rules,
        base: None,
        now: None,
        title: None,
        says_something: false,
        titles: BTreeSet::new(),
    };
    let mut faults = Vec::new();
    let mut last = 0;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        if let Err(fault) = run.line(number, line) {
            let title = run.title.as_ref().map_or("", |(_, title)| title);
            faults.push(format!("{file}:{number}: {title}\n    {line}\n    {fault}"));
        }
    }
    if let Err(fault) = run.end_record() {
        faults.push(format!("{file}:{last}: {fault}"));
    }
    if run.title.is_none() {
        faults.push(format!("{file}:{last}: the table has no record"));
    }
    faults
}

impl Run {
    fn line(&mut self, number: usize, line: &str) -> Checked {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        if word == "=" {
            return self.begin_record(number, rest);
        }
        if self.title.is_none() {
            return Err("a record begins with `=`".into());
        }
        match word {
            "start" => self.set_up(Position::start(self.rules)),
            "at" => self.set_up(self.position(rest)?),
            "men" => self.set_up(self.position(&men_line(rest)?)?),
            "after" => self.after(rest),
            "refused" => {
                self.says_something = true;
                self.refused(rest)
            }
            _ => {
                self.says_something = true;
                let now = self.now.as_ref().ok_or("no position is set up")?;
                says(now, word, rest)
            }
        }
    }

    fn begin_record(&mut self, number: usize, title: &str) -> Checked {
        let ended = self.end_record();
        (self.base, self.now, self.says_something) = (None, None, false);
        self.title = Some((number, title.to_owned()));
        if title.is_empty() {
            return Err("a record has an article and a title".into());
        }
        if !self.titles.insert(title.to_owned()) {
            return Err("another record has this title".into());
        }
        ended
    }

    /// A record says something.
    fn end_record(&self) -> Checked {
        match &self.title {
            Some((number, title)) if !self.says_something => Err(format!(
                "the record of line {number}, {title}, says nothing"
            )),
            _ => Ok(()),
        }
    }

    fn position(&self, line: &str) -> Result<Position, Fault> {
        let setup = position_string::parse(line).map_err(|fault| fault.to_string())?;
        Position::from_setup(self.rules, &setup).map_err(|fault| fault.to_string())
    }

    fn set_up(&mut self, position: Position) -> Checked {
        self.base = Some(position.clone());
        self.reach(position)
    }

    /// Laws and oracle hold of every position of a table.
    fn reach(&mut self, position: Position) -> Checked {
        let held =
            laws::every_ply(&position).and_then(|()| laws::fast_list_is_slow_list(&position));
        self.now = Some(position);
        held.map_err(|broken| broken.to_string())
    }

    fn after(&mut self, tokens: &str) -> Checked {
        let mut now = self.base.clone().ok_or("no position is set up")?;
        for token in tokens.split_whitespace() {
            if token == "--" {
                let mut setup = now.to_setup();
                setup.turn = setup.turn.other();
                setup.en_passant = None;
                now =
                    Position::from_setup(self.rules, &setup).map_err(|fault| fault.to_string())?;
                continue;
            }
            let m = read(&now, token)?;
            now.play(m)
                .map_err(|_| format!("{token} cannot be played"))?;
        }
        self.reach(now)
    }

    fn refused(&self, rest: &str) -> Checked {
        let (line, wanted) = halves(rest, " | ")?;
        match self.position(&men_line(line).unwrap_or_else(|_| line.to_owned())) {
            Ok(_) => Err("this can be played".into()),
            Err(fault) => contains(&fault, wanted),
        }
    }
}

/// Two parts of a line.
pub(crate) fn halves<'a>(rest: &'a str, between: &str) -> Result<(&'a str, &'a str), Fault> {
    let (left, right) = match rest.strip_suffix(between.trim_end()) {
        // Nothing behind the colon: an empty list.
        Some(left) => (left, ""),
        None => rest
            .split_once(between)
            .ok_or_else(|| format!("`{between}` is missing"))?,
    };
    Ok((left.trim(), right.trim()))
}

/// `K1a1 k3h8 ; w - - -` as a position string.
fn men_line(rest: &str) -> Result<String, Fault> {
    let (men, fields) = halves(rest, " ; ")?;
    Ok(format!("{} {fields}", try_placement(men)?))
}

pub(crate) fn equal<T: PartialEq + std::fmt::Debug>(found: T, wanted: T) -> Checked {
    if found == wanted {
        return Ok(());
    }
    Err(format!("found {found:?}, wanted {wanted:?}"))
}

fn contains(text: &str, wanted: &str) -> Checked {
    if !wanted.is_empty() && text.contains(wanted) {
        return Ok(());
    }
    Err(format!("wanted `{wanted}`, found: {text}"))
}

/// The words are the set that was found.
fn equal_sets(found: &BTreeSet<String>, wanted: &str) -> Checked {
    let wanted: BTreeSet<String> = wanted.split_whitespace().map(str::to_owned).collect();
    let missing: Vec<_> = wanted.difference(found).collect();
    let extra: Vec<_> = found.difference(&wanted).collect();
    if missing.is_empty() && extra.is_empty() {
        return Ok(());
    }
    Err(format!("missing {missing:?}, too many {extra:?}"))
}

/// The words, of which there has to be one at least.
pub(crate) fn some(words: &str) -> Result<impl Iterator<Item = &str>, Fault> {
    if words.trim().is_empty() {
        return Err("nothing is listed".into());
    }
    Ok(words.split_whitespace())
}

/// Checks one line of a table.
fn says(now: &Position, word: &str, rest: &str) -> Checked {
    match word {
        "legal" => some(rest)?.try_for_each(|token| {
            let m = read(now, token)?;
            if !now.is_legal(m) || !now.legal_moves().contains(&m) || now.explain(m).is_some() {
                return Err(format!(
                    "{token} is read as a move that is not legal: {m:?}"
                ));
            }
            Ok(())
        }),
        "illegal" => {
            let (tokens, article) = halves(rest, " | ")?;
            let article = format!("({article})");
            some(tokens)?.try_for_each(|token| {
                illegal(now, token, |reason| reason.ends_with(&article), &article)
            })
        }
        "reason" => {
            let (tokens, words) = halves(rest, " | ")?;
            let _ = some(words)?;
            some(tokens)?
                .try_for_each(|token| illegal(now, token, |reason| reason.contains(words), words))
        }
        "moves" => equal_sets(
            &now.legal_moves().iter().map(|m| written(now, *m)).collect(),
            rest,
        ),
        "goes" => {
            let (from, squares) = halves(rest, ": ")?;
            equal_sets(&goes(now, from)?, squares)
        }
        "stays" => {
            let (from, rest) = halves(rest, ": ")?;
            let (squares, article) = halves(rest, " | ")?;
            some(squares)?.try_for_each(|name| stays(now, from, name, article))
        }
        "board" => {
            let (pin, pins) = halves(rest, ": ")?;
            equal_sets(&board_goes(now, pin)?, pins)
        }
        "promotes" => {
            let (way, letters) = halves(rest, ": ")?;
            let (from, to) = way.split_once(' ').ok_or("two squares are wanted")?;
            equal(
                promotions(now, square(now, from)?, square(now, to)?).as_str(),
                letters,
            )
        }
        "passing" => equal_sets(&passing(now), rest),
        "holds" => some(rest)?.try_for_each(|man| {
            let (wanted, name) = man
                .split_at_checked(1)
                .ok_or("a man is a letter and a square")?;
            let found = now.piece_at(square(now, name)?).map_or('-', letter);
            equal(format!("{found}{name}"), format!("{wanted}{name}"))
        }),
        "all" => {
            let setup = now.to_setup();
            let men = setup.pieces();
            equal_sets(
                &men.map(|(at, piece)| format!("{}{}", letter(piece), name(now, at)))
                    .collect(),
                rest,
            )
        }
        "check" => equal(if now.is_check() { "yes" } else { "no" }, rest),
        "ends" => equal(outcome(now).as_str(), rest),
        "count" => equal(now.halfmoves().to_string().as_str(), rest),
        "turn" => equal(format!("{:?}", now.turn()).as_str(), rest),
        "rights" => {
            let line = Fen::of(now).to_string();
            equal(line.split(' ').nth(2), Some(rest))
        }
        "advanced" => equal(
            now.en_passant()
                .map_or("-".into(), |square| name(now, square))
                .as_str(),
            rest,
        ),
        "reads" => {
            let (one, other) = halves(rest, " = ")?;
            equal(read(now, one)?, read(now, other)?)
        }
        "writes" => {
            some(rest)?.try_for_each(|token| equal(written(now, read(now, token)?).as_str(), token))
        }
        "same" | "differs" => {
            let setup = position_string::parse(rest).map_err(|fault| fault.to_string())?;
            let other =
                Position::from_setup(now.rules(), &setup).map_err(|fault| fault.to_string())?;
            equal(other.key() == now.key(), word == "same")
        }
        _ => Err(format!("`{word}` is no word of the tables")),
    }
}

/// The one legal move of a token.
fn read(now: &Position, token: &str) -> Result<Move, Fault> {
    let text = text(now, token)?;
    resolve::resolve(&text, now).map_err(|fault| {
        format!(
            "{token}: {fault}: {}",
            messages::reason(&text, now, notation(now.rules()))
        )
    })
}

fn text(now: &Position, token: &str) -> Result<MoveText, Fault> {
    parse(notation(now.rules()), token.as_bytes(), None)
        .map_err(|fault| format!("{token}: {fault:?}"))
}

/// The token is a word and no legal move, and the reason given is as wanted.
fn illegal(now: &Position, token: &str, as_wanted: impl Fn(&str) -> bool, wanted: &str) -> Checked {
    let text = text(now, token)?;
    let found = resolve::candidates(&text, now);
    if !found.is_empty() {
        return Err(format!("{token} is legal: {found:?}"));
    }
    let reason = messages::reason(&text, now, notation(now.rules()));
    if as_wanted(&reason) {
        return Ok(());
    }
    Err(format!("{token}: wanted {wanted}, found: {reason}"))
}

fn written(now: &Position, m: Move) -> String {
    let mut out = String::new();
    match write(notation(now.rules()), now, m, &unmarked(), &mut out) {
        Ok(()) => out,
        Err(fault) => fault.to_string(),
    }
}

/// All squares of the board family.
fn squares(now: &Position) -> impl Iterator<Item = Square> + use<> {
    (0..now.family().squares()).filter_map(|index| Square::try_new(u8::try_from(index).ok()?))
}

fn name(now: &Position, square: Square) -> String {
    names::square(notation(now.rules()), now.layout(), square)
}

pub(crate) fn square(now: &Position, wanted: &str) -> Result<Square, Fault> {
    squares(now)
        .find(|square| name(now, *square) == wanted)
        .ok_or_else(|| format!("there is no square {wanted} now"))
}

pub(crate) fn letter(piece: Piece) -> char {
    match piece.color {
        Color::White => piece.role.letter(),
        Color::Black => piece.role.letter().to_ascii_lowercase(),
    }
}

fn goes(now: &Position, from: &str) -> Result<BTreeSet<String>, Fault> {
    let start = square(now, from)?;
    if now
        .piece_at(start)
        .is_none_or(|piece| piece.color != now.turn())
    {
        return Err(format!("no piece of the side to move stands on {from}"));
    }
    let moves = now.legal_moves();
    let arrivals = moves.iter().filter_map(|m| match m {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } if *from == start => {
            Some(name(now, *to))
        }
        _ => None,
    });
    Ok(arrivals.collect())
}

/// A piece may not go to a square, `b8B`, nor become something there, `b8B=K`, nor take en passant, `b3We.p.`.
fn stays(now: &Position, from: &str, way: &str, article: &str) -> Checked {
    let (to, passing) = match way.strip_suffix("e.p.") {
        Some(to) => (to, true),
        None => (way, false),
    };
    let (to, promotion) = match to.split_once('=') {
        Some((to, letter)) => {
            let role = Role::ALL
                .into_iter()
                .find(|role| role.letter().to_string() == letter);
            (
                to,
                Some(role.ok_or_else(|| format!("{letter} is no piece"))?),
            )
        }
        None => (to, None),
    };
    let (from, to) = (square(now, from)?, square(now, to)?);
    let m = if passing {
        Move::EnPassant {
            from,
            to,
            promotion,
        }
    } else {
        Move::Piece {
            from,
            to,
            promotion,
        }
    };
    if now.is_legal(m) || now.legal_moves().contains(&m) {
        return Err(format!("the way to {way} is legal"));
    }
    equal(
        now.explain(m).map(|explanation| explanation.article),
        Some(article),
    )
    .map_err(|fault| format!("{way}: {fault}"))
}

fn promotions(now: &Position, start: Square, end: Square) -> String {
    let moves = now.legal_moves();
    let mut roles: Vec<Option<Role>> = moves
        .into_iter()
        .filter_map(|m| match m {
            Move::Piece {
                from,
                to,
                promotion,
            }
            | Move::EnPassant {
                from,
                to,
                promotion,
            } => ((from, to) == (start, end)).then_some(promotion),
            _ => None,
        })
        .collect();
    roles.sort_by_key(|role| std::cmp::Reverse(*role));
    roles
        .iter()
        .map(|role| role.map_or('-', Role::letter))
        .collect()
}

fn board_goes(now: &Position, pin: &str) -> Result<BTreeSet<String>, Fault> {
    let layout = *now.layout().ok_or("there are no boards to move")?;
    let notation = notation(now.rules());
    let board = AttackBoard::ALL
        .into_iter()
        .find(|board| names::pin(notation, layout.pin(*board)) == pin)
        .ok_or_else(|| format!("no board stands on {pin}"))?;
    let spelled = now.legal_moves().into_iter().filter_map(|m| match m {
        Move::Board {
            board: moved,
            to,
            turned,
            promotion,
        } if moved == board => {
            let mut word = names::pin(notation, to);
            if turned {
                word.push('r');
            }
            if let Some(promotion) = promotion {
                let after = layout.moved_unchecked(board, to);
                let name = names::square(notation, Some(&after), promotion.square);
                let _ = write!(word, "/{name}{}", promotion.role.letter());
            }
            Some(word)
        }
        _ => None,
    });
    Ok(spelled.collect())
}

fn passing(now: &Position) -> BTreeSet<String> {
    let moves = now.legal_moves();
    let captures = moves.into_iter().filter_map(|m| match m {
        Move::EnPassant { from, to, .. } => Some(format!("{}x{}", name(now, from), name(now, to))),
        _ => None,
    });
    captures.collect()
}

fn outcome(now: &Position) -> String {
    match now.outcome() {
        Some(Outcome::Checkmate { winner }) => format!("checkmate {winner:?}"),
        Some(Outcome::Stalemate) => "stalemate".into(),
        Some(Outcome::Material) => "material".into(),
        Some(Outcome::Repetition) => "repetition".into(),
        None => "not".into(),
    }
}

/// The table of a system, from `tests/data`.
#[track_caller]
fn run_file(rules: RuleSystem) {
    let file = format!("tests/data/{}.txt", rules.name());
    let text = std::fs::read_to_string(&file).unwrap_or_else(|fault| panic!("{file}: {fault}"));
    let faults = run(rules, &file, &text);
    none_of(&faults);
}

#[test]
fn meder() {
    run_file(RuleSystem::Meder);
}

#[test]
fn manual() {
    run_file(RuleSystem::Manual);
}

#[test]
fn federation() {
    run_file(RuleSystem::Federation);
}

#[test]
fn millennium() {
    run_file(RuleSystem::Millennium);
}

#[test]
fn chess3() {
    run_file(RuleSystem::Chess3);
}

/// What a table of one record says is wrong with it.
fn faults_of(rules: RuleSystem, lines: &str) -> Vec<String> {
    run(rules, "table", &format!("= Article: title\n{lines}\n"))
}

/// A runner that finds nothing wrong says nothing: each word has a line that holds and one that does not.
#[test]
fn every_word_of_the_tables_can_fail() {
    let mate =
        "at 3Q/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p b - - - 0 10";
    let passes = "at 4/4/4/4|4/4/4/4|p3/4/1P2/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10\nafter b4W";
    let under = "4/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1v:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10";
    let cases = [
        ("start", "legal b4N", "legal b5N"),
        ("start", "legal b4N c3W", "legal b4N c5N"),
        (
            "start",
            "illegal b2W-b5N | Meder 3.4(b)",
            "illegal b2W-b5N | Meder 3.4(a)",
        ),
        (
            "start",
            "illegal b2W-b5N | Meder 3.4(b)",
            "illegal b4N | Meder 3.4(b)",
        ),
        (
            "start",
            "illegal b2W-b5N | Meder 3.4(b)",
            "illegal b2W-b5N |",
        ),
        (
            "start",
            "goes b2W: b3N b3W b4N b4W",
            "goes b2W: b3N b3W b4N",
        ),
        ("start", "goes b1W:", "goes b1W: b2W"),
        ("start", "goes b1W:", "goes b7B: b6B b6N b5B b5N"),
        (
            "start",
            "stays b2W: b5N | Meder 3.4(b)",
            "stays b2W: b5N | Meder 1.1",
        ),
        (
            "start",
            "stays b2W: b5N | Meder 3.4(b)",
            "stays b2W: b4N | Meder 3.4(b)",
        ),
        (
            "start",
            "stays b2W: b3W=Q | Meder 3.4(e)(ii)",
            "stays b2W: b3W=Q | Meder 3.4(e)(i)",
        ),
        (
            "start",
            "stays b2W: a3We.p. | Meder 3.4(d)",
            "stays b2W: a3We.p. | Meder 3.4(c)",
        ),
        (
            passes,
            "stays a4W: b3N | Meder 3.4(d)",
            "stays a4W: b3Ne.p. | Meder 3.4(d)",
        ),
        (
            "start",
            "reason Nz3QL3 | there is no attack board on pin QL3",
            "reason Nz3QL3 | is occupied",
        ),
        (
            "start",
            "reason Nz3QL3 | there is no attack board on pin QL3",
            "reason Nz3QL3 |",
        ),
        ("start", "board QL1:", "board QL1: QL2"),
        ("start", "board QL1:", "board QL2:"),
        ("start", "promotes b2W b3W: -", "promotes b2W b3W: QRBN"),
        ("start", "promotes b2W b5N:", "promotes b2W b3W:"),
        (passes, "passing a4Wxb3N a4Wxb3W", "passing a4Wxb3N"),
        (passes, "advanced b4W", "advanced -"),
        (passes, "all kd9KL6 Kc1W pa4W Pb4W", "all kd9KL6 Kc1W pa4W"),
        ("start", "holds Pb2W -b3W", "holds pb2W"),
        ("start", "holds Pb2W -b3W", "holds -b2W"),
        ("start", "check no", "check yes"),
        (mate, "check yes", "check no"),
        (mate, "moves", "moves KL5"),
        (mate, "ends checkmate White", "ends checkmate Black"),
        (mate, "ends checkmate White", "ends stalemate"),
        ("start", "ends not", "ends material"),
        ("start", "count 0", "count 1"),
        ("start", "turn White", "turn Black"),
        ("start", "rights KQkq", "rights Kkq"),
        ("start", "reads b4N = b2W-b4N", "reads b4N = b4W"),
        ("start", "writes b4N", "writes b2W-b4N"),
        (
            "start\nafter Nb3W Nb6B Na1W Na8B",
            "legal b4N",
            "legal Nb6B",
        ),
        ("start\nafter b4N --", "turn White", "turn Black"),
    ];
    for (set_up, right, wrong) in cases {
        let lines = |says: &str| format!("{set_up}\n{says}");
        assert_eq!(
            faults_of(RuleSystem::Meder, &lines(right)),
            [""; 0],
            "{right}"
        );
        let faults = faults_of(RuleSystem::Meder, &lines(wrong));
        assert_eq!(faults.len(), 1, "{wrong}: {faults:?}");
        let place = format!(
            "table:{}: Article: title\n    {wrong}\n",
            2 + set_up.lines().count()
        );
        assert!(faults.concat().starts_with(&place), "{faults:?}");
    }
    let line = position_string::to_string(&RuleSystem::Meder.start());
    let other = line.replace(" w ", " b ");
    let pairs = [
        (format!("same {line}"), format!("same {other}")),
        (format!("differs {other}"), format!("differs {line}")),
        (
            format!("refused {under} | pin"),
            format!("refused {line} | pin"),
        ),
        (
            format!("refused {under} | pin"),
            format!("refused {under} | castling"),
        ),
    ];
    for (right, wrong) in pairs {
        assert_eq!(
            faults_of(RuleSystem::Meder, &format!("start\n{right}")),
            [""; 0]
        );
        assert_eq!(
            faults_of(RuleSystem::Meder, &format!("start\n{wrong}")).len(),
            1,
            "{wrong}"
        );
    }
}

/// What is wrong with a table itself is said too: a misspelled line is not a line that holds.
#[test]
fn a_wrong_table_is_told_by_file_and_line() {
    for (text, place) in [
        ("", "table:0: "),
        ("start\n", "table:1: "),
        (
            "= A\nstart\nlegall b4N\n",
            "table:3: A\n    legall b4N\n    `legall` is no word",
        ),
        (
            "= A\nlegal b4N\n",
            "table:2: A\n    legal b4N\n    no position is set up",
        ),
        ("= A\nafter b4N\n", "table:2: "),
        ("= A\nstart\nafter b4\nlegal b5B\n", "table:3: "),
        ("= A\nstart\nlegal\n", "table:3: "),
        ("= A\nstart\nlegal b4\n", "table:3: "),
        ("= A\nstart\ngoes b2W b3N\n", "table:3: "),
        ("= A\nstart\nholds Pb9W\n", "table:3: "),
        ("= A\nat 8/8 w - -\ncheck no\n", "table:2: "),
        ("= A\nstart\n", "table:2: "),
        ("= A\nstart\n= B\nstart\ncheck no\n", "table:3: "),
        ("= A\nstart\ncheck no\n= A\nstart\ncheck no\n", "table:4: "),
        // Nothing of one record is known in the next.
        ("= A\nstart\ncheck no\n= B\ncheck no\n", "table:5: "),
    ] {
        let faults = run(RuleSystem::Meder, "table", text);
        assert!(!faults.is_empty(), "{text}");
        assert!(faults[0].starts_with(place), "{text}: {faults:?}");
    }
    assert_eq!(
        run(
            RuleSystem::Chess3,
            "t",
            "= A\nmen K1A1 k3H8 ; w - - -\ncheck no\n"
        ),
        [""; 0]
    );
    assert_eq!(
        run(
            RuleSystem::Chess3,
            "t",
            "= A\nmen K1A1 K1A1 ; w - - -\ncheck no\n"
        )
        .len(),
        2
    );
}
