//! The jobs of `jobs.rs` done on ordinary chess with pgn-reader and shakmaty, so that the two can be timed in one run.
//!
//! ```text
//! peers generate GAMES SEED         random games as PGN on standard output
//! peers perft DEPTH                 how many sequences of legal moves there are from the start
//! peers JOB FILE THREADS            does a job, prints how many plies it took and a check sum
//! ```
//!
//! Jobs: `tokenise`, `validate`, `annotated` (validate, variations too), `long` (write long algebraic), `marks` (write SAN
//! with check and mate marks), `keys` (hash every position). What is written is an archive again, as on the other side:
//! tags, move numbers, lines under 80 columns, result. Without `annotated` variations are skipped.

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::san::SanPlus as Written;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Outcome, Position};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::ops::ControlFlow;

#[derive(Clone, Copy, PartialEq)]
enum Job {
    Tokenise,
    Validate,
    Annotated,
    Long,
    Marks,
    Keys,
}

/// The line that is being followed, and those it branched off from.
#[derive(Default)]
struct Lines {
    now: Chess,
    /// Before the last move: a variation replaces it.
    before: Chess,
    stack: Vec<(Chess, Chess)>,
}

struct Worker {
    job: Job,
    plies: u64,
    sum: u64,
    out: Vec<u8>,
    /// The move that is being written.
    word: Vec<u8>,
    column: usize,
    bytes: u64,
}

impl Worker {
    fn writes(&self) -> bool {
        matches!(self.job, Job::Long | Job::Marks)
    }

    /// Puts a word into the lines of the movetext.
    fn push(&mut self, word: &[u8]) {
        if self.column > 0 {
            let fits = self.column + 1 + word.len() < 80;
            self.out.push(if fits { b' ' } else { b'\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    /// Puts the move in `word` there, before it White's its number.
    fn push_move(&mut self, turn: Color, number: NonZeroU32) {
        if turn.is_white() {
            let mut digits = [b'.'; 11];
            let mut at = digits.len() - 1;
            let mut number = number.get();
            while number > 0 {
                at -= 1;
                digits[at] = b'0' + (number % 10) as u8;
                number /= 10;
            }
            self.push(&digits[at..]);
        }
        let word = std::mem::take(&mut self.word);
        self.push(&word);
        self.word = word;
        self.word.clear();
    }
}

impl Visitor for Worker {
    type Tags = ();
    type Movetext = Lines;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.bytes += self.out.len() as u64;
        self.out.clear();
        self.column = 0;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if self.writes() {
            self.out.push(b'[');
            self.out.extend_from_slice(name);
            self.out.extend_from_slice(b" \"");
            // It is escaped in the source.
            self.out.extend_from_slice(value.as_bytes());
            self.out.extend_from_slice(b"\"]\n");
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Lines> {
        if self.writes() {
            self.out.push(b'\n');
        }
        ControlFlow::Continue(Lines::default())
    }

    fn begin_variation(&mut self, lines: &mut Lines) -> ControlFlow<(), Skip> {
        if self.job == Job::Annotated {
            let branch = lines.before.clone();
            let now = std::mem::replace(&mut lines.now, branch.clone());
            let before = std::mem::replace(&mut lines.before, branch);
            lines.stack.push((before, now));
        }
        ControlFlow::Continue(Skip(self.job != Job::Annotated))
    }

    fn end_variation(&mut self, lines: &mut Lines) -> ControlFlow<()> {
        if let Some((before, now)) = lines.stack.pop() {
            (lines.before, lines.now) = (before, now);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut Lines, outcome: Outcome) -> ControlFlow<()> {
        if self.writes() {
            self.push(outcome.as_str().as_bytes());
            self.out.extend_from_slice(b"\n\n");
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, lines: &mut Lines, san: SanPlus) -> ControlFlow<()> {
        let position = &mut lines.now;
        self.plies += 1;
        if self.job == Job::Tokenise {
            return ControlFlow::Continue(());
        }
        let Ok(m) = san.san.to_move(position) else {
            return ControlFlow::Break(());
        };
        match self.job {
            Job::Long => {
                UciMove::from_move(m, CastlingMode::Standard).append_ascii_to(&mut self.word);
                self.push_move(position.turn(), position.fullmoves());
                position.play_unchecked(m);
            }
            Job::Marks => {
                let (turn, number) = (position.turn(), position.fullmoves());
                Written::from_move_and_play_unchecked(position, m).append_ascii_to(&mut self.word);
                self.push_move(turn, number);
            }
            Job::Keys => {
                position.play_unchecked(m);
                let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
                self.sum ^= key.0;
            }
            Job::Annotated => {
                lines.before.clone_from(position);
                position.play_unchecked(m);
            }
            Job::Tokenise | Job::Validate => position.play_unchecked(m),
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Lines) {}
}

fn work(job: Job, bytes: &[u8]) -> Worker {
    let mut worker = Worker {
        job,
        plies: 0,
        sum: 0,
        out: Vec::new(),
        word: Vec::new(),
        column: 0,
        bytes: 0,
    };
    let mut reader = Reader::new(io::Cursor::new(bytes));
    while let Ok(Some(())) = reader.read_game(&mut worker) {}
    worker.bytes += worker.out.len() as u64;
    worker
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let (job, file, threads) = match words.as_slice() {
        ["generate", games, seed] => return generate(number(games), number(seed)),
        ["perft", depth] => {
            let nodes = shakmaty::perft(&Chess::default(), number(depth) as u32);
            return println!("{nodes}");
        }
        [job, file, threads] => (*job, *file, number(threads)),
        _ => return eprintln!("usage: peers generate GAMES SEED | perft DEPTH | JOB FILE THREADS"),
    };
    let job = match job {
        "tokenise" => Job::Tokenise,
        "validate" => Job::Validate,
        "annotated" => Job::Annotated,
        "long" => Job::Long,
        "marks" => Job::Marks,
        "keys" => Job::Keys,
        _ => return eprintln!("unknown job {job}"),
    };
    let started = std::time::Instant::now();
    let text = std::fs::read(file).expect("the file of games can be read");
    // Parts of whole games, one for each thread.
    let parts = parts(&text, threads as usize);
    let workers: Vec<Worker> = std::thread::scope(|scope| {
        let handles: Vec<_> = parts
            .iter()
            .map(|part| scope.spawn(|| work(job, part)))
            .collect();
        handles
            .into_iter()
            .map(|h| h.join().expect("a worker"))
            .collect()
    });
    let seconds = started.elapsed().as_secs_f64();
    let plies: u64 = workers.iter().map(|w| w.plies).sum();
    let sum = workers.iter().fold(0, |all, w| all ^ w.sum ^ w.bytes);
    println!("{plies} {seconds} {sum}");
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

/// Cuts a text into parts of whole games.
fn parts(text: &[u8], count: usize) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut from = 0;
    for i in 1..=count {
        let mut to = text.len() * i / count;
        while to < text.len() && !text[to..].starts_with(b"\n[Event ") {
            to += 1;
        }
        parts.push(&text[from..to]);
        from = to;
    }
    parts
}

fn generate(games: u64, seed: u64) {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    for game in 1..=games {
        let mut text = String::new();
        let mut position = Chess::default();
        let plies = 60 + next() % 41;
        for ply in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Captures twice as likely: games that look a little like games.
            let captures: Vec<_> = moves.iter().filter(|m| m.is_capture()).copied().collect();
            let pool: &[_] = if !captures.is_empty() && next() % 3 == 0 {
                &captures
            } else {
                &moves
            };
            let m = pool[(next() % pool.len() as u64) as usize];
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(
                text,
                "{} ",
                Written::from_move_and_play_unchecked(&mut position, m)
            );
        }
        let mut lines = String::new();
        let mut width = 0;
        for word in text.split(' ').chain(["*"]).filter(|w| !w.is_empty()) {
            if width + word.len() + 1 > 79 {
                lines.push('\n');
                width = 0;
            } else if width > 0 {
                lines.push(' ');
                width += 1;
            }
            lines.push_str(word);
            width += word.len();
        }
        writeln!(
            out,
            // As many tags as the archives of the other side have, and as long.
            "[Event \"Generated for peers\"]\n[Site \"The \\\"Two Boards\\\" inn\"]\n[Date \"????.??.??\"]\n\
             [Round \"{game}\"]\n[White \"Dvornik, Ilja\"]\n[Black \"Grünwaldt, Jörg\"]\n[Result \"*\"]\n\
             [Variant \"standard\"]\n[Annotator \"standard\"]\n[Termination \"resignation\"]\n\
             [Seed \"1 {game}\"]\n\n{lines}\n"
        )
        .expect("standard output");
    }
}
