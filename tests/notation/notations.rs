//! The notations as tables: `tests/data/notation/<notation>.txt`, run by one runner.
//!
//! Records, remarks and blank lines are those of `tables.rs`. Nothing of one record is known in the next. Tokens are those
//! of the notation. Lines that set something up:
//!
//! | line | meaning |
//! |---|---|
//! | `rules SYSTEM` | positions are of this system; at first, of the first one that is written in the notation |
//! | `start`, `at POSITION` | the position now: the start, or that of a position string |
//! | `pins PINS: PIECES ; FIELDS` | the position now: the pins of QL KL ql kl, pieces as Meder names them, and the fields of a position string if they are not `w - -` |
//! | `after TOKENS` | the position set up last with these moves played |
//! | `as OPTIONS` | how tokens are written and read from here on: a language, `short` captures of pawns, `marks`, `unmarked`; alone: as usual |
//!
//! Lines that hold or not:
//!
//! | line | it holds if |
//! |---|---|
//! | `writes TOKEN = TOKEN` | the move of the first, which is in English, is written as the second, and that is read as the move, with true marks |
//! | `keeps TOKENS` | the same of each token with itself |
//! | `means TOKEN = TOKEN` | both mean the same legal move; the first is in English |
//! | `kind en-passant: TOKENS` | each means a capture en passant |
//! | `ambiguous N: TOKENS` | each fits N legal moves |
//! | `fits TOKEN: TOKENS` | the token fits the moves that are written so, in this order |
//! | `illegal TOKENS` | each can be read and fits no legal move |
//! | `reason TOKEN \| WORDS` | the same of one token, and this is the reason given |
//! | `mismatch NAME: TOKEN` | this is the one mark of the token that is not true |
//! | `text TOKEN = WORDS` | how the token is parsed |
//! | `refuses TOKENS` | none can be parsed |
//! | `unread OFFSET EXPECTED \| TOKEN` | where and why the token cannot be parsed |
//! | `holds PIECES` | as in `tables.rs` |

use crate::rules::tables::{Checked, Fault, equal, halves, letter, some, square};
use crate::support::none_of;
use tridex_geometry::Wing;
use tridex_geometry::stair::{Corner, Layout, Pin, Surface};
use tridex_notation::resolve::{self, ResolveError};
use tridex_notation::{
    CheckMark, Coordinates, Departure, Level, Locale, MovePattern, MoveText, Notation, TokenNote,
    WriteOptions, messages, names, parse, position_string, write,
};
use tridex_rules::{Move, Piece, Position, RuleSystem, Setup};

struct Run {
    notation: Notation,
    rules: RuleSystem,
    options: WriteOptions,
    base: Option<Position>,
    now: Option<Position>,
    has_record: bool,
    checks: usize,
}

impl Run {
    fn new(notation: Notation) -> Self {
        let mut systems = RuleSystem::ALL.iter().copied();
        Self {
            notation,
            rules: systems
                .find(|rules| Notation::of(*rules) == notation)
                .expect("a system with this notation"),
            options: WriteOptions::default(),
            base: None,
            now: None,
            has_record: false,
            checks: 0,
        }
    }

    fn line(&mut self, line: &str) -> Checked {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        if word == "=" {
            let checks = self.checks;
            *self = Self {
                has_record: true,
                checks,
                ..Self::new(self.notation)
            };
            return if rest.is_empty() {
                Err("a record has a title".into())
            } else {
                Ok(())
            };
        }
        if !self.has_record {
            return Err("a record begins with `=`".into());
        }
        match word {
            "rules" => {
                self.rules = RuleSystem::from_name(rest).ok_or("no such system")?;
                Ok(())
            }
            "start" => self.set_up(Position::start(self.rules)),
            "at" => self.set_up(position(self.rules, rest)?),
            "pins" => self.set_up(placed(self.rules, rest)?),
            "after" => self.after(rest),
            "as" => self.write_as(rest),
            _ => {
                self.checks += 1;
                self.check(word, rest)
            }
        }
    }

    fn set_up(&mut self, position: Position) -> Checked {
        self.base = Some(position.clone());
        self.now = Some(position);
        Ok(())
    }

    fn after(&mut self, tokens: &str) -> Checked {
        self.now.clone_from(&self.base);
        for token in some(tokens)? {
            let m = self.read(token)?;
            let now = self.now.as_mut().ok_or("no position is set up")?;
            now.play(m).map_err(|fault| fault.to_string())?;
        }
        Ok(())
    }

    fn write_as(&mut self, options: &str) -> Checked {
        self.options = WriteOptions::default();
        for option in options.split_whitespace() {
            match option {
                "short" => self.options.full_pawn_captures = false,
                "marks" => self.options.marks = Some(true),
                "unmarked" => self.options.marks = Some(false),
                code => self.options.locale = Locale::from_code(code).ok_or("no such option")?,
            }
        }
        Ok(())
    }

    fn now(&self) -> Result<&Position, Fault> {
        Ok(self.now.as_ref().ok_or("no position is set up")?)
    }

    fn parse(&self, token: &str) -> Result<MoveText, Fault> {
        parse(self.notation, token.as_bytes(), Some(self.options.locale))
            .map_err(|fault| format!("{token}: {fault}"))
    }

    fn resolve(&self, token: &str, text: &MoveText) -> Result<Move, Fault> {
        resolve::resolve(text, self.now()?).map_err(|fault| format!("{token}: {fault}"))
    }

    /// The move of a token in English.
    fn read(&self, token: &str) -> Result<Move, Fault> {
        let text = parse(self.notation, token.as_bytes(), None)
            .map_err(|fault| format!("{token}: {fault}"))?;
        self.resolve(token, &text)
    }

    fn written(&self, m: Move) -> Result<String, Fault> {
        let mut out = String::new();
        write(self.notation, self.now()?, m, &self.options, &mut out)
            .map_err(|fault| fault.to_string())?;
        Ok(out)
    }

    fn mismatches(&self, token: &str) -> Result<Vec<String>, Fault> {
        let (before, text) = (self.now()?, self.parse(token)?);
        let m = self.resolve(token, &text)?;
        let mut after = before.clone();
        after.play(m).map_err(|fault| fault.to_string())?;
        let found = resolve::marks(&text, before, m, &after);
        Ok(found.iter().map(|found| format!("{found:?}")).collect())
    }

    fn candidates(&self, token: &str) -> Result<Vec<Move>, Fault> {
        Ok(resolve::candidates(&self.parse(token)?, self.now()?))
    }

    fn writes(&self, token: &str, wanted: &str) -> Checked {
        let m = self.read(token)?;
        equal(self.written(m)?.as_str(), wanted)?;
        equal(self.resolve(wanted, &self.parse(wanted)?)?, m)?;
        equal(self.mismatches(wanted)?, Vec::new())
    }

    fn check(&self, word: &str, rest: &str) -> Checked {
        match word {
            "writes" => {
                let (token, wanted) = halves(rest, " = ")?;
                self.writes(token, wanted)
            }
            "keeps" => some(rest)?.try_for_each(|token| self.writes(token, token)),
            "means" => {
                let (token, other) = halves(rest, " = ")?;
                equal(self.resolve(other, &self.parse(other)?)?, self.read(token)?)
            }
            "kind" => {
                let (kind, tokens) = halves(rest, ": ")?;
                equal(kind, "en-passant")?;
                some(tokens)?.try_for_each(|token| {
                    let m = self.read(token)?;
                    equal(matches!(m, Move::EnPassant { .. }), true)
                })
            }
            "ambiguous" => {
                let (count, tokens) = halves(rest, ": ")?;
                some(tokens)?.try_for_each(|token| {
                    equal(self.candidates(token)?.len().to_string().as_str(), count)?;
                    match resolve::resolve(&self.parse(token)?, self.now()?) {
                        Err(ResolveError::Ambiguous(_)) => Ok(()),
                        other => Err(format!("{token}: {other:?}")),
                    }
                })
            }
            "fits" => {
                let (token, wanted) = halves(rest, ": ")?;
                let moves = self.candidates(token)?.into_iter();
                let found: Result<Vec<_>, _> = moves.map(|m| self.written(m)).collect();
                equal(found?.join(" ").as_str(), wanted)
            }
            "illegal" => some(rest)?.try_for_each(|token| equal(self.candidates(token)?, vec![])),
            "reason" => {
                let (token, wanted) = halves(rest, " | ")?;
                equal(self.candidates(token)?, vec![])?;
                let reason = messages::reason(&self.parse(token)?, self.now()?, self.notation);
                equal(reason.as_str(), wanted)
            }
            "mismatch" => {
                let (wanted, token) = halves(rest, ": ")?;
                equal(self.mismatches(token)?, vec![wanted.to_owned()])
            }
            "text" => {
                let (token, wanted) = rest.rsplit_once(" = ").ok_or("` = ` is missing")?;
                let (token, wanted) = (token.trim(), wanted.trim());
                equal(
                    described(self.notation, &self.parse(token)?).as_str(),
                    wanted,
                )
            }
            "refuses" => some(rest)?.try_for_each(|token| match self.parse(token) {
                Ok(text) => Err(format!("{token} is read: {text:?}")),
                Err(_) => Ok(()),
            }),
            "unread" => {
                let (wanted, token) = halves(rest, " | ")?;
                let locale = Some(self.options.locale);
                match parse(self.notation, token.as_bytes(), locale) {
                    Ok(text) => Err(format!("this is read: {text:?}")),
                    Err(fault) => {
                        let found = format!("{} {}", fault.offset, fault.expected);
                        equal(found.as_str(), wanted)
                    }
                }
            }
            "holds" => some(rest)?.try_for_each(|piece| {
                let (wanted, name) = piece.split_at_checked(1).ok_or("a letter is missing")?;
                let now = self.now()?;
                let found = now.piece_at(square(now, name)?).map_or('-', letter);
                equal(found.to_string().as_str(), wanted)
            }),
            _ => Err(format!("`{word}` is not a word of the tables")),
        }
    }
}

fn position(rules: RuleSystem, line: &str) -> Result<Position, Fault> {
    let setup = position_string::parse(line).map_err(|fault| fault.to_string())?;
    Position::from_setup(rules, &setup).map_err(|fault| fault.to_string())
}

/// `Q1 K1 Q6 K6: Kc1W kd8B ; b - a5N`.
fn placed(rules: RuleSystem, rest: &str) -> Result<Position, Fault> {
    let (pins, rest) = halves(rest, ": ")?;
    let (pieces, fields) = rest.split_once(" ; ").unwrap_or((rest, "w"));
    let pin = |word: &str| -> Option<Pin> {
        let wing = if word.starts_with('Q') {
            Wing::Queen
        } else {
            Wing::King
        };
        let surface = if word.ends_with('v') {
            Surface::Under
        } else {
            Surface::Over
        };
        let corner = Corner::try_new(word.get(1..2)?.parse().ok()?)?;
        Some(Pin::new(wing, corner, surface))
    };
    let pins: Option<Vec<Pin>> = pins.split(' ').map(pin).collect();
    let pins = pins.and_then(|pins| pins.try_into().ok());
    let pins = pins.ok_or("four pins are wanted")?;
    let layout = Layout::try_new(pins).map_err(|fault| fault.to_string())?;
    let mut setup = Setup::empty(Some(layout));
    for word in some(pieces)? {
        let piece = word.chars().next().and_then(Piece::from_letter);
        let text = parse(Notation::Meder, &word.as_bytes()[1..], None);
        let square = match text.map(|text| *text.pattern()) {
            Ok(MovePattern::Piece(piece)) => piece.to.squares(Some(&layout)).first(),
            _ => None,
        };
        let square = square.ok_or_else(|| format!("{word}: no such square"))?;
        setup.set_piece(square, Some(piece.ok_or("no such piece")?));
    }
    setup.fullmoves = 10;
    let line = position_string::to_string(&setup);
    let placement = line.split(' ').next().ok_or("no placement")?;
    let mut all = ["w", "-", "-", "-", "0", "10"];
    for (field, given) in all.iter_mut().zip(fields.split_whitespace()) {
        *field = given;
    }
    position(rules, &format!("{placement} {}", all.join(" ")))
}

/// A parsed token in words.
fn described(notation: Notation, text: &MoveText) -> String {
    let role = |role: tridex_rules::Role| role.name();
    let takes = if text.captures() { " takes" } else { "" };
    let promotion =
        |to: Option<tridex_rules::Role>| to.map_or(String::new(), |to| format!(" ={}", role(to)));
    let mut words = match text.pattern() {
        MovePattern::Piece(piece) => format!(
            "{}{}{takes} to {}{}",
            piece.role.map_or("any", role),
            from(notation, &piece.from),
            names::place(notation, &piece.to),
            promotion(piece.promotion),
        ),
        MovePattern::Castle(side) => format!("castles {side:?}"),
        MovePattern::Board(board) => {
            let pin = |pin| names::pin(notation, pin);
            let from = board
                .from
                .map_or(String::new(), |from| format!(" from {}", pin(from)));
            let turned = if board.turned { " turned" } else { "" };
            format!("board{from} to {}{turned}", pin(board.to))
        }
    };
    let flags = [
        (text.en_passant, "e.p."),
        (text.mark == CheckMark::Check, "check"),
        (text.mark == CheckMark::Mate, "mate"),
        (text.draw_offer, "draw"),
    ];
    for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
        words += ", ";
        words += flag;
    }
    if text.suffix > 0 {
        words += &format!(", suffix {}", text.suffix);
    }
    let notes = [
        TokenNote::ForeignLetter,
        TokenNote::Ocr,
        TokenNote::OtherNotation,
        TokenNote::MissingLevel,
        TokenNote::Case,
        TokenNote::PawnLetter,
    ];
    for note in notes.into_iter().filter(|note| text.notes.has(*note)) {
        words += &format!(", {note:?}");
    }
    words
}

/// What a token has of the square of departure.
fn from(notation: Notation, from: &Departure) -> String {
    if let (Some(file), Some(rank)) = (from.file, from.rank) {
        let level = from.level;
        let place = Coordinates { file, rank, level };
        return format!(" from {}", names::place(notation, &place));
    }
    let files = match notation {
        Notation::Meder => "zabcde",
        Notation::Manual | Notation::Millennium => "abcdefgh",
        Notation::Chess3 => "ABCDEFGH",
    };
    let mut words = String::new();
    if let Some(Level::Cube(level)) = from.level {
        words += &(level + 1).to_string();
    }
    words.extend(from.file.and_then(|file| files.chars().nth(file.into())));
    if let Some(rank) = from.rank {
        words += &rank.to_string();
    }
    if let Some(Level::Main(board)) = from.level {
        words.extend(format!("{board:?}").chars().next());
    }
    if words.is_empty() {
        words
    } else {
        format!(" from {words}")
    }
}

/// What is wrong with a table, each fault with file and line; and how many lines hold.
fn run(notation: Notation, file: &str, text: &str) -> (Vec<String>, usize) {
    let mut run = Run::new(notation);
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Err(fault) = run.line(line) {
            faults.push(format!("{file}:{number}: {line}\n    {fault}"));
        }
    }
    (faults, run.checks)
}

#[track_caller]
fn run_file(notation: Notation, least: usize) {
    let file = format!("tests/data/notation/{}.txt", notation.name());
    let text = std::fs::read_to_string(&file).unwrap_or_else(|fault| panic!("{file}: {fault}"));
    let (faults, checks) = run(notation, &file, &text);
    none_of(&faults);
    assert!(checks >= least, "{checks} lines");
}

#[test]
fn meder() {
    run_file(Notation::Meder, 250);
}

#[test]
fn manual() {
    run_file(Notation::Manual, 52);
}

#[test]
fn millennium() {
    run_file(Notation::Millennium, 90);
}

#[test]
fn chess3() {
    run_file(Notation::Chess3, 40);
}

/// Each word of the tables has a line that holds and one that does not.
#[test]
fn every_word_of_the_tables_can_fail() {
    let mate = "pins Q1 K1 Q2 K2: Kc1W ka8B Rd7B Rc6B";
    for (set_up, right, wrong) in [
        ("start", "writes b2W-b4N = b4N", "writes b2W-b4N = b2W-b4N"),
        ("start", "keeps b4N", "keeps b2W-b4N"),
        ("start", "means b4N = b2Wb4N", "means b4N = b4W"),
        ("start\nas de", "means Nb3W = Sb3W", "means Nb3W = Nb3W"),
        ("start", "ambiguous 2: b3", "ambiguous 2: b3W"),
        ("start", "fits b4N: b4N", "fits b4N: b4W"),
        ("start", "illegal b5N", "illegal b4N"),
        (
            "start",
            "reason QL3-QL4 | there is no attack board on pin QL3",
            "reason QL3-QL4 | there is no attack board on pin QL4",
        ),
        (mate, "keeps Rc8B#", "keeps Rc8B+"),
        (
            mate,
            "mismatch MateWritten: Kd1W#",
            "mismatch MateWritten: Rc8B#",
        ),
        (
            "start",
            "text Nb3W = knight to b3W",
            "text Nb3W = knight to b3N",
        ),
        ("start", "refuses Nf3W", "refuses Nb3W"),
        (
            "start",
            "unread 1 a file z, a, b, c, d or e | Nf2W",
            "unread 2 a file z, a, b, c, d or e | Nf2W",
        ),
        ("start", "holds Pb2W -b3W", "holds -b2W"),
        ("start", "holds Pb2W", "kind en-passant: b4N"),
    ] {
        let faults = |line: &str| run(Notation::Meder, "t", &format!("= A\n{set_up}\n{line}\n")).0;
        assert_eq!(faults(right), [""; 0], "{right}");
        assert_eq!(faults(wrong).len(), 1, "{wrong}");
    }
    for wrong in [
        "legal b4N",
        "= \n",
        "= A\nlegal b4N",
        "= A\nkeeps b4N",
        "= A\nas xx",
    ] {
        assert_eq!(run(Notation::Meder, "t", wrong).0.len(), 1, "{wrong}");
    }
}
