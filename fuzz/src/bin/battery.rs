//! Does everything to the project that is known to break such programs, and prints a table.
//!
//! `battery [small|full] [--times FACTOR] [--seed S] [--program PATH] [--section NAME].. [--case N] [--keep FILE]`
//!
//! `small` takes some minutes, `full` some hours. Without `--program` the program of this repository is built and tried.
//! A failure is told with the number of its case: with `--section` and `--case` that case is tried alone. With `--keep`
//! each row is kept in a file as soon as it is done, and what is there already is not done again, so that a long run may
//! be broken off and go on. Ends with an error if anything failed.

use std::path::PathBuf;
use std::process::ExitCode;
use tridex_fuzz::battery::program::{self, Program};
use tridex_fuzz::battery::{
    Bench, Kept, Row, Size, Table, corruptions, faults, mutants, shapes, trips,
};

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
    keep: Option<PathBuf>,
}

fn wish() -> Option<Wish> {
    let mut wish = Wish {
        size: Size::small(),
        seed: 1,
        program: None,
        sections: Vec::new(),
        case: None,
        keep: None,
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
            "--keep" => wish.keep = Some(PathBuf::from(args.next()?)),
            "--case" => wish.case = Some(args.next()?.parse().ok()?),
            _ => return None,
        }
    }
    Some(wish)
}

fn main() -> ExitCode {
    match program::measurer() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("battery: {fault}");
            return ExitCode::from(2);
        }
    }
    let Some(wish) = wish() else {
        eprintln!(
            "usage: battery [small|full] [--times FACTOR] [--seed S] [--program PATH] [--section NAME] [--case N] [--keep FILE]"
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
        kept: match &wish.keep {
            Some(file) => Kept::new(file.clone())?,
            None => Kept::default(),
        },
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
        table.0.extend(rows);
    }
    Ok(table)
}

#[cfg(feature = "index")]
fn questions(bench: &Bench<'_>) -> Vec<Row> {
    tridex_fuzz::battery::questions::rows(bench)
}

#[cfg(not(feature = "index"))]
fn questions(bench: &Bench<'_>) -> Vec<Row> {
    vec![bench.row("questions", || {
        Row::of("questions", [], |_| None).noting("not asked: needs --features index")
    })]
}
