//! The swift reader and the careful one say the same of every game.

use std::path::Path;
use tridex_archive::Limits;
use tridex_archive::record::{Game, Recorder};
use tridex_archive::replay::Converter;
use tridex_archive::replay::{Options, Report, Wording, convert, replay};
use tridex_archive::source::{OpenOptions, walk};
use tridex_archive::split::Batch;
use tridex_archive::swift::{self, Clean, Witness};
use tridex_archive::write;
use tridex_geometry::Family;
use tridex_notation::{Notation, WriteOptions};
use tridex_rules::{Move, Position, RuleSystem};

/// What is compared of a game.
fn essence(report: &Report) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {} {} {:?}",
        report.status,
        report.rules,
        report.writing,
        report.moves,
        report.result,
        report.outcome,
        report.diagnostics
    )
}

struct Both<'b> {
    options: &'b Options,
    essences: Vec<String>,
    clean: usize,
}

impl Witness for Both<'_> {
    const NEEDS_REMARKS: bool = false;
    const WANTS_BEFORE: bool = false;

    fn clean(&mut self, game: Clean<'_>) {
        self.clean += 1;
        self.essences.push(essence(&game.report()));
    }

    fn careful(&mut self, game: &mut Game) {
        self.essences.push(essence(&replay(game, self.options)));
    }

    fn stray(&mut self, _rest: Game) {}
}

fn batches(path: &Path) -> Vec<Batch> {
    let mut all = Vec::new();
    for source in walk([path]) {
        let input = source.unwrap().open(&OpenOptions::default()).unwrap();
        all.extend(input.batches(Limits::default()).map(Result::unwrap));
    }
    all
}

fn generated(annotated: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for rules in RuleSystem::ALL {
        let path = folder.path().join(format!("{}.pgn", rules.name()));
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tridex"));
        command.args([
            "generate",
            "--games",
            "400",
            "--seed",
            "3",
            "--rules",
            rules.name(),
        ]);
        if annotated {
            command.arg("--annotated");
        }
        command.arg("--output").arg(&path);
        assert!(command.status().unwrap().success());
    }
    folder
}

fn compare(path: &Path) -> (usize, usize) {
    let (mut games, mut clean) = (0, 0);
    for options in [
        Options::default(),
        Options {
            strict: true,
            ..Options::default()
        },
    ] {
        for batch in batches(path) {
            let mut both = Both {
                options: &options,
                essences: Vec::new(),
                clean: 0,
            };
            swift::read(&batch, &options, &mut both);
            let mut slow = Vec::new();
            batch.read(&mut Recorder::new(|game: &mut Game| {
                slow.push(essence(&replay(game, &options)));
            }));
            assert_eq!(both.essences, slow);
            games += slow.len();
            clean += both.clean;
        }
    }
    (games, clean)
}

#[test]
fn the_swift_and_the_careful_reader_agree_on_the_corpus() {
    let (games, _) = compare(Path::new("corpus"));
    assert!(games > 200);
}

#[test]
fn the_swift_and_the_careful_reader_agree_on_generated_games() {
    let plain = generated(false);
    let (games, clean) = compare(plain.path());
    assert_eq!(games, 2 * 400 * 5);
    assert!(
        clean * 10 > games * 8,
        "{clean} of {games} were read swiftly"
    );
    compare(generated(true).path());
}

struct Texts {
    converter: Converter,
    wording: Wording,
    out: Vec<u8>,
    clean: usize,
}

impl Witness for Texts {
    const NEEDS_REMARKS: bool = true;
    const WANTS_BEFORE: bool = true;

    fn begin(&mut self, rules: RuleSystem) {
        self.converter.begin(rules);
    }

    fn before(&mut self, position: &Position, mv: Move, _token: &[u8]) {
        self.converter.before(position, mv);
    }

    fn after(&mut self, position: &Position) {
        self.converter.after(position);
    }

    fn clean(&mut self, game: Clean<'_>) {
        self.clean += 1;
        self.converter.write_pgn(&game, &mut self.out).unwrap();
    }

    fn careful(&mut self, game: &mut Game) {
        let report = replay(game, &Options::default());
        let converted = convert(game, &report, self.wording).unwrap();
        write::pgn(&converted, &mut self.out).unwrap();
    }

    fn stray(&mut self, _rest: Game) {}
}

#[test]
fn both_write_the_same_bytes() {
    let folder = generated(false);
    for rules in RuleSystem::ALL {
        let notations = match rules.family() {
            Family::Stair => [Notation::Meder, Notation::Manual],
            Family::Cube => [Notation::Millennium, Notation::Chess3],
        };
        for notation in notations {
            let wording = Wording {
                notation,
                options: WriteOptions::default(),
            };
            let mut clean = 0;
            for batch in batches(&folder.path().join(format!("{}.pgn", rules.name()))) {
                let mut texts = Texts {
                    converter: Converter::new(wording),
                    wording,
                    out: Vec::new(),
                    clean: 0,
                };
                swift::read(&batch, &Options::default(), &mut texts);
                clean += texts.clean;
                let mut slow = Vec::new();
                batch.read(&mut Recorder::new(|game: &mut Game| {
                    let report = replay(game, &Options::default());
                    let converted = convert(game, &report, wording).unwrap();
                    write::pgn(&converted, &mut slow).unwrap();
                }));
                assert!(texts.out == slow, "{} in {}", rules.name(), notation.name());
            }
            assert!(
                clean > 300,
                "{clean} games of {} were written swiftly",
                rules.name()
            );
        }
    }
}
