//! The jobs of an archive, one at a time, for timing against the peers: see `compare.py`.
//!
//! ```text
//! jobs JOB FILE THREADS
//! ```
//!
//! prints how many plies the job took, the seconds and a check sum of what came out. Jobs: `tokenise`, `validate`,
//! `validate-ndjson` (with the line that the command writes for each game), `long` (to the coordinates of the other
//! notation), `marks` (to the short notation with check and mate marks), `long-ndjson`, `keys`. Plies are those of the
//! main line and of variations.
//!
//! `jobs generate SYSTEM GAMES` makes games of a rule system, and writes them as an archive.

use std::io;
use tridex_archive::Item;
use tridex_archive::batch::Batch;
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::write::{self, JsonHead};
use tridex_archive::{Cancel, Interner, TokenId, Visitor, pipeline};
use tridex_geometry::Family;
use tridex_notation::{Fen, Notation};
use tridex_replay::GameRow;
use tridex_replay::generate::Recipe;
use tridex_replay::{Converter, Options, OutputStyle, Played, Sink, read};
use tridex_rules::{Move, Position, RuleSystem};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [job, file, threads] = args.as_slice() else {
        // `cargo bench` and `cargo test` call every bench without a job.
        return println!("usage: jobs JOB FILE THREADS");
    };
    if job == "generate" {
        return generate(file, threads.parse().expect("a number of games"));
    }
    let threads = threads.parse().expect("a number of threads");
    let input = Source::File(file.into())
        .open(&OpenOptions::default())
        .expect("the file can be opened");
    let started = std::time::Instant::now();
    let (mut plies, mut sum) = (0, 0);
    pipeline::run(
        input,
        |batch| batch.as_ref().map_or(0, |batch| batch.bytes.len()),
        threads,
        &Cancel::default(),
        |batch| work(job, &batch.expect("the file can be read")),
        |(more, part)| {
            plies += more;
            sum ^= part;
            io::Result::Ok(())
        },
    )
    .expect("the pipeline runs");
    println!("{plies} {} {sum}", started.elapsed().as_secs_f64());
}

fn generate(system: &str, games: u64) {
    let rules = RuleSystem::from_name(system).expect("a rule system");
    let recipe = Recipe::new(rules, 1);
    let started = std::time::Instant::now();
    let (mut plies, mut out) = (0, Vec::new());
    for index in 0..games {
        let game = recipe.game(index);
        plies += game.main_events().count();
        write::pgn(&game, &mut out).expect("memory can be written");
    }
    println!("{plies} {} {}", started.elapsed().as_secs_f64(), out.len());
}

fn work(job: &str, batch: &Batch) -> (u64, u64) {
    let options = Options::default();
    match job {
        "tokenise" => {
            let mut count = Count(0);
            batch.read(&mut Interner::default(), &mut count);
            (count.0, 0)
        }
        "validate" => {
            let mut plain = Plain::default();
            read(batch, &options, &mut plain);
            (plain.plies, plain.invalid)
        }
        "validate-ndjson" => {
            let mut rows = Rows::default();
            read(batch, &options, &mut rows);
            (rows.plies, rows.out.len() as u64)
        }
        "keys" => {
            let mut keys = Keys::default();
            read(batch, &options, &mut keys);
            (keys.plies, keys.sum)
        }
        "long" | "marks" | "long-ndjson" => {
            let mut writer = Writer {
                long: job != "marks",
                json: job == "long-ndjson",
                plies: 0,
                converter: None,
                out: Vec::new(),
            };
            read(batch, &options, &mut writer);
            (writer.plies, writer.out.len() as u64)
        }
        _ => panic!("unknown job {job}"),
    }
}

struct Count(u64);

impl Visitor for Count {
    fn move_token(&mut self, _token: &[u8], _at: u64, _id: TokenId) {
        self.0 += 1;
    }
}

#[derive(Default)]
struct Plain {
    plies: u64,
    invalid: u64,
}

impl Sink for Plain {
    fn game(&mut self, game: &Played<'_>) {
        self.plies += game.plies() as u64;
        self.invalid += u64::from(game.findings().len() as u64 > 0);
    }
}

#[derive(Default)]
struct Rows {
    plies: u64,
    out: Vec<u8>,
}

impl Sink for Rows {
    fn game(&mut self, game: &Played<'_>) {
        self.plies += game.plies() as u64;
        let report = game.to_replay();
        tridex_text::json::write_line(&mut self.out, &GameRow::new("-", 1, 1, &report))
            .expect("memory");
    }
}

#[derive(Default)]
struct Keys {
    plies: u64,
    sum: u64,
}

impl Sink for Keys {
    const STEPS: bool = true;

    fn after(&mut self, position: &Position, _token: &[u8], _is_main: bool) {
        self.sum ^= position.key();
    }

    fn game(&mut self, game: &Played<'_>) {
        self.plies += game.plies() as u64;
    }
}

struct Writer {
    long: bool,
    json: bool,
    plies: u64,
    converter: Option<Converter>,
    out: Vec<u8>,
}

impl Sink for Writer {
    const STEPS: bool = true;

    fn begin(&mut self, start: &Position) {
        let notation = match (start.family(), self.long) {
            (Family::Stair, true) => Notation::Manual,
            (Family::Stair, false) => Notation::Meder,
            (Family::Cube, true) => Notation::Chess3,
            (Family::Cube, false) => Notation::Millennium,
        };
        let json = self.json;
        let converter = self.converter.get_or_insert_with(|| {
            let wording = OutputStyle::of(notation);
            if json {
                Converter::to_games(wording)
            } else {
                Converter::new(wording)
            }
        });
        converter.begin(start);
    }

    #[inline]
    fn before(&mut self, position: &Position, mv: Move, is_main: bool) {
        if let Some(converter) = &mut self.converter {
            converter.before(position, mv, is_main);
        }
    }

    #[inline]
    fn after(&mut self, position: &Position, token: &[u8], is_main: bool) {
        if let Some(converter) = &mut self.converter {
            converter.after(position, token, is_main);
        }
    }

    fn between(&mut self, item: Item<&str>) {
        if let Some(converter) = &mut self.converter {
            converter.between(item);
        }
    }

    fn game(&mut self, game: &Played<'_>) {
        self.plies += game.plies() as u64;
        let Some(converter) = &mut self.converter else {
            return;
        };
        if !self.json {
            return converter
                .finish_pgn(game, &mut self.out)
                .expect("one family");
        }
        let head = JsonHead {
            source: "-",
            game: 1,
            rules: game.rules().name(),
            notation: game.style().notation.name(),
            start: &Fen::of(game.start()).to_string(),
        };
        let converted = converter.finish_game(game).expect("one family");
        write::ndjson(converted, &head, &mut self.out).expect("memory");
    }
}
