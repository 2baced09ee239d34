//! Does everything to the project that is known to break such programs, and prints a table.
//!
//! `battery [small|full] [--times FACTOR] [--seed S] [--program PATH] [--section NAME].. [--case N]`
//!
//! `small` takes some minutes, `full` some hours. Without `--program` the program of this repository is built and tried.
//! A failure is told with the number of its case: with `--section` and `--case` that case is tried alone. Ends with an
//! error if anything failed.

use std::path::PathBuf;
use std::process::ExitCode;
use tridex_fuzz::battery::program::Program;
use tridex_fuzz::battery::{Bench, Row, Size, Table, corruptions, faults, mutants, shapes, trips};

/// What is done to the project, by name.
const SECTIONS: [&str; 7] = [
    "targets",
    "mutants",
    "shapes",
    "faults",
    "corruptions",
    "questions",
    "trips",
];

struct Wish {
    size: Size,
    seed: u64,
    program: Option<PathBuf>,
    sections: Vec<String>,
    case: Option<u64>,
}

fn wish() -> Option<Wish> {
    let mut wish = Wish {
        size: Size::small(),
        seed: 1,
        program: None,
        sections: Vec::new(),
        case: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "small" => wish.size = Size::small(),
            "full" => wish.size = Size::full(),
            "--times" => wish.size = wish.size.times(args.next()?.parse().ok()?),
            "--seed" => wish.seed = args.next()?.parse().ok()?,
            "--program" => wish.program = Some(PathBuf::from(args.next()?).canonicalize().ok()?),
            "--section" => {
                let name = args.next()?;
                SECTIONS
                    .contains(&name.as_str())
                    .then(|| wish.sections.push(name))?;
            }
            "--case" => wish.case = Some(args.next()?.parse().ok()?),
            _ => return None,
        }
    }
    Some(wish)
}

fn main() -> ExitCode {
    let Some(wish) = wish() else {
        eprintln!(
            "usage: battery [small|full] [--times FACTOR] [--seed S] [--program PATH] [--section NAME] [--case N]"
        );
        eprintln!("sections: {}", SECTIONS.join(", "));
        return ExitCode::from(2);
    };
    match run(&wish) {
        Ok(table) => {
            println!("{table}");
            if table.is_sound() {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            }
        }
        Err(fault) => {
            eprintln!("battery: {fault}");
            ExitCode::from(2)
        }
    }
}

fn run(wish: &Wish) -> std::io::Result<Table> {
    let program = match &wish.program {
        Some(path) => Program::new(path),
        None => Program::built()?,
    };
    let folder = tempfile::tempdir()?;
    let bench = Bench {
        program: &program,
        size: wish.size,
        seed: wish.seed,
        folder: folder.path(),
        case: wish.case,
    };
    let mut table = Table::default();
    for section in SECTIONS {
        if !wish.sections.is_empty() && !wish.sections.iter().any(|wanted| wanted == section) {
            continue;
        }
        let rows: Vec<Row> = match section {
            "targets" => mutants::targets(&bench),
            "mutants" => vec![mutants::program(&bench)],
            "shapes" => shapes::rows(&bench),
            "faults" => faults::rows(&bench),
            "corruptions" => corruptions::rows(&bench),
            "questions" => questions(&bench),
            _ => trips::rows(&bench),
        };
        for row in rows {
            eprintln!(
                "{}: {} cases, {} failures, {:.1?} {}",
                row.name,
                row.cases,
                row.failures.len(),
                row.took,
                row.note
            );
            table.0.push(row);
        }
    }
    Ok(table)
}

#[cfg(feature = "index")]
fn questions(bench: &Bench<'_>) -> Vec<Row> {
    tridex_fuzz::battery::questions::rows(bench)
}

#[cfg(not(feature = "index"))]
fn questions(_bench: &Bench<'_>) -> Vec<Row> {
    vec![Row::of("questions", [], |_| None).noting("not asked: needs --features index")]
}
