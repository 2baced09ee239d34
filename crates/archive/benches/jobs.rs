//! The jobs of an archive, one at a time, for timing against the peers: see `compare.py`.
//!
//! ```text
//! jobs JOB FILE THREADS
//! ```
//!
//! prints how many plies the job took, the seconds and a check sum of what came out. Jobs: `tokenise`, `validate`, `long`
//! (to the coordinates of the other notation), `marks` (to the short notation with check and mate marks), `keys`.

use std::io;
use std::sync::atomic::AtomicBool;
use tridex_archive::diagnostic::Status;
use tridex_archive::record::Game;
use tridex_archive::replay::{Converter, Options, Wording, replay};
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::split::Batch;
use tridex_archive::swift::{self, Clean, Witness};
use tridex_archive::{Flow, Limits, Visitor, pipeline};
use tridex_notation::{Notation, WriteOptions};
use tridex_rules::{Move, Position, RuleSystem};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [job, file, threads] = args.as_slice() else {
        // `cargo bench` and `cargo test` call every bench without a job.
        return println!("usage: jobs JOB FILE THREADS");
    };
    let threads = threads.parse().expect("a number of threads");
    let input = Source::File(file.into())
        .open(&OpenOptions::default())
        .expect("the file can be opened");
    let stop = AtomicBool::new(false);
    let started = std::time::Instant::now();
    let (mut plies, mut sum) = (0, 0);
    pipeline::run(
        input.batches(Limits::default()),
        threads,
        &stop,
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

fn work(job: &str, batch: &Batch) -> (u64, u64) {
    let options = Options::default();
    match job {
        "tokenise" => {
            let mut count = Count(0);
            batch.read(&mut count);
            (count.0, 0)
        }
        "validate" => {
            let mut plain = Plain::default();
            swift::read(batch, &options, &mut plain);
            (plain.0, 0)
        }
        "keys" => {
            let mut keys = Keys::default();
            swift::read(batch, &options, &mut keys);
            (keys.plies, keys.sum)
        }
        "long" | "marks" => {
            let mut writer = Writer {
                long: job == "long",
                plies: 0,
                converter: None,
                out: Vec::new(),
            };
            swift::read(batch, &options, &mut writer);
            (writer.plies, writer.out.len() as u64)
        }
        _ => panic!("unknown job {job}"),
    }
}

struct Count(u64);

impl Visitor for Count {
    fn move_token(&mut self, _token: &[u8], _at: u64) -> Flow {
        self.0 += 1;
        Flow::Go
    }
}

/// The few games in which a draw could have been claimed are read with care, as in any archive.
fn plies_of(game: &Game) -> u64 {
    let report = replay(game, &Options::default());
    assert_eq!(report.status, Status::Valid, "{:?}", report.diagnostics);
    report.moves.len() as u64
}

#[derive(Default)]
struct Plain(u64);

impl Witness for Plain {
    const NEEDS_REMARKS: bool = false;
    const WANTS_BEFORE: bool = false;

    fn clean(&mut self, game: Clean<'_>) {
        self.0 += game.moves.len() as u64;
    }

    fn careful(&mut self, game: &mut Game) {
        self.0 += plies_of(game);
    }

    fn stray(&mut self, _rest: Game) {}
}

#[derive(Default)]
struct Keys {
    plies: u64,
    sum: u64,
}

impl Witness for Keys {
    const NEEDS_REMARKS: bool = false;
    const WANTS_BEFORE: bool = false;

    fn after(&mut self, position: &Position) {
        self.sum ^= position.key();
    }

    fn clean(&mut self, game: Clean<'_>) {
        self.plies += game.moves.len() as u64;
    }

    fn careful(&mut self, game: &mut Game) {
        self.plies += plies_of(game);
    }

    fn stray(&mut self, _rest: Game) {}
}

struct Writer {
    long: bool,
    plies: u64,
    converter: Option<Converter>,
    out: Vec<u8>,
}

impl Writer {
    fn target(&self, rules: RuleSystem) -> Notation {
        match (rules.family(), self.long) {
            (tridex_geometry::Family::Stair, true) => Notation::Manual,
            (tridex_geometry::Family::Stair, false) => Notation::Meder,
            (tridex_geometry::Family::Cube, true) => Notation::Chess3,
            (tridex_geometry::Family::Cube, false) => Notation::Millennium,
        }
    }
}

impl Witness for Writer {
    const NEEDS_REMARKS: bool = true;
    const WANTS_BEFORE: bool = true;

    fn begin(&mut self, rules: RuleSystem) {
        let notation = self.target(rules);
        let converter = self.converter.get_or_insert_with(|| {
            Converter::new(Wording {
                notation,
                options: WriteOptions::default(),
            })
        });
        converter.begin(rules);
    }

    fn before(&mut self, position: &Position, mv: Move, _token: &[u8]) {
        if let Some(converter) = &mut self.converter {
            converter.before(position, mv);
        }
    }

    fn after(&mut self, position: &Position) {
        if let Some(converter) = &mut self.converter {
            converter.after(position);
        }
    }

    fn clean(&mut self, game: Clean<'_>) {
        self.plies += game.moves.len() as u64;
        if let Some(converter) = &mut self.converter {
            converter
                .write_pgn(&game, &mut self.out)
                .expect("one family");
        }
    }

    fn careful(&mut self, game: &mut Game) {
        self.plies += plies_of(game);
    }

    fn stray(&mut self, _rest: Game) {}
}
