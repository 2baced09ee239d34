//! Texts of one shape, in two sizes: twice the text may take 2.2 times the time, and no more memory than there is for
//! any text.

use super::program::Run;
use super::{Bench, Row};
use crate::walk;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Twice the text takes at most so many times the time.
const GROWTH: f64 = 2.2;
/// Memory for every text, in bytes.
const MEMORY: u64 = 64 << 20;
/// Shorter times say nothing of growth: the text is made longer.
const TELLING: Duration = Duration::from_millis(80);
/// How often a text is doubled until its time is telling.
const DOUBLED: u32 = 6;
/// Tries before growth is called too fast: other processes take time too.
const TRIES: u32 = 4;

/// What the program is asked to do with each text.
const JOBS: [(&str, &[&str]); 3] = [
    ("validate", &["validate", "--threads", "8"]),
    (
        "validate ndjson",
        &["validate", "--threads", "8", "--format", "ndjson"],
    ),
    (
        "convert csv",
        &[
            "convert",
            "--to",
            "meder",
            "--threads",
            "8",
            "--format",
            "csv",
        ],
    ),
];

/// How a text of about so many bytes looks.
type Make = fn(usize) -> Vec<u8>;

/// `piece` over and over behind `head`.
fn run(head: &str, piece: &[u8], bytes: usize) -> Vec<u8> {
    let mut text = head.as_bytes().to_vec();
    text.extend(piece.repeat(bytes / piece.len().max(1)));
    text
}

const MOVES: &str = "1. b4N b5B ";
const TAGS: &str = "[Event \"x\"]\n[Variant \"meder\"]\n\n";

/// All shapes, with the names of their files.
const SHAPES: [(&str, &str, Make); 54] = [
    ("open brackets", "a.pgn", |n| run(MOVES, b"[", n)),
    ("closing brackets", "a.pgn", |n| run("", b"]\n", n)),
    ("closing brackets on one line", "a.pgn", |n| {
        run(MOVES, b"] ", n)
    }),
    ("results", "a.pgn", |n| run("", b"* ", n)),
    ("results behind a game", "a.pgn", |n| run(MOVES, b"1-0 ", n)),
    ("open braces", "a.pgn", |n| run(MOVES, b"{", n)),
    ("open braces on lines", "a.pgn", |n| run(MOVES, b"{\n", n)),
    ("closing braces", "a.pgn", |n| run(MOVES, b"}", n)),
    ("open parentheses", "a.pgn", |n| run(MOVES, b"(", n)),
    ("closing parentheses", "a.pgn", |n| run(MOVES, b")", n)),
    ("nested variations", "a.pgn", |n| {
        run(MOVES, b"(1... a6N ", n)
    }),
    ("many variations", "a.pgn", |n| {
        run(MOVES, b"(1... a6N 2. c3W) ", n)
    }),
    ("wrong variations", "a.pgn", |n| {
        run(MOVES, b"(1... z9Z) ", n)
    }),
    ("quotes", "a.pgn", |n| run(MOVES, b"\"", n)),
    ("numbers of judgement", "a.pgn", |n| run(MOVES, b"$1 ", n)),
    ("wrong numbers of judgement", "a.pgn", |n| {
        run(MOVES, b"$999 ", n)
    }),
    ("open squares", "a.pgn", |n| run(TAGS, b"b3, ", n)),
    ("one word", "a.pgn", |n| run(TAGS, b"a", n)),
    ("one word of marks", "a.pgn", |n| run(MOVES, b"!?", n)),
    ("wrong moves", "a.pgn", |n| run(TAGS, b"Nc2W ", n)),
    ("words that are no moves", "a.pgn", |n| {
        run(TAGS, b"xyz ", n)
    }),
    ("ambiguous moves", "a.pgn", |n| run(TAGS, b"b5 ", n)),
    ("to and fro", "a.pgn", |n| {
        run(TAGS, b"Nc2W Nc7B Na1W Na8B ", n)
    }),
    ("draw offers", "a.pgn", |n| run(MOVES, b"(=) ", n)),
    ("move numbers", "a.pgn", |n| run(MOVES, b"7. ", n)),
    ("comments", "a.pgn", |n| run(MOVES, b"{x} ", n)),
    ("one comment", "a.pgn", |n| run("1. b4N {", b"x ", n)),
    ("comments that are never closed", "a.pgn", |n| {
        run("", b"1. b4N {\n[A \"b\"]\n", n)
    }),
    ("line comments", "a.pgn", |n| run(MOVES, b";x\n", n)),
    ("escape lines", "a.pgn", |n| run(MOVES, b"\n%x", n)),
    ("games of one move", "a.pgn", |n| {
        run("", b"[Event \"x\"]\n\n1. b4N *\n\n", n)
    }),
    ("games of one wrong move", "a.pgn", |n| {
        run("", b"[Event \"x\"]\n\n1. b9N *\n\n", n)
    }),
    ("games with carriage returns", "a.pgn", |n| {
        run("", b"[Event \"x\"]\r\r1. b9N *\r\r", n)
    }),
    ("tags", "a.pgn", |n| run("", b"[A \"b\"]\n", n)),
    ("tags and empty lines", "a.pgn", |n| {
        run("", b"[A \"b\"]\n\n", n)
    }),
    ("tags of other names", "a.pgn", |n| {
        walk::numbered(n, |i| format!("[A{i} \"b\"]\n"))
    }),
    ("tags without quotes", "a.pgn", |n| run("", b"[A \"b\n", n)),
    ("tags on one line", "a.pgn", |n| run("", b"[A \"", n)),
    ("one long value", "a.pgn", |n| run("[A \"", b"x", n)),
    ("empty lines", "a.pgn", |n| run(MOVES, b"\r\n", n)),
    ("zeros", "a.pgn", |n| run(MOVES, b"\0", n)),
    ("bytes that are no characters", "a.pgn", |n| {
        run(MOVES, b"\x80", n)
    }),
    ("characters without width", "a.pgn", |n| {
        run(MOVES, "\u{301}".as_bytes(), n)
    }),
    ("lines that are no JSON", "a.ndjson", |n| run("", b"x\n", n)),
    ("empty objects", "a.ndjson", |n| run("", b"{}\n", n)),
    ("objects with wrong moves", "a.ndjson", |n| {
        run("", b"{\"moves\":[\"b9N\",\"\\u0007\"]}\n", n)
    }),
    ("one object", "a.ndjson", |n| {
        run("{\"moves\":[\"b4N\"", b",\"b9N\"", n)
    }),
    ("deep JSON", "a.ndjson", |n| run("{\"moves\":", b"[", n)),
    ("many columns", "a.csv", |n| {
        let mut text = run("no,white,black", b",x", (n / 2).min(60_000));
        text.extend(run("\n", b"1,b4N\n", n / 2));
        text
    }),
    ("open cells", "a.csv", |n| {
        run("no,white,black\n", b"1,\"b4N\n", n)
    }),
    ("rows without moves", "a.csv", |n| {
        run("no,white,black\n", b"1,,\n", n)
    }),
    ("packed brackets", "a.pgn.zst", |n| {
        walk::zstd(&run("", b"]\n", 40 * n))
    }),
    ("packed blanks", "a.pgn.gz", |n| {
        walk::gzip(&run(MOVES, b" ", 200 * n))
    }),
    ("games as they are played", "a.pgn", |n| walk::archive(7, n)),
];

/// All shapes, and folders.
pub fn rows(bench: &Bench<'_>) -> Vec<Row> {
    let jobs = JOBS.iter().map(|(job, arguments)| {
        let name = format!("shapes, {job}");
        bench.row(&name, || all_shapes(bench, &name, arguments))
    });
    jobs.chain([folders(bench)]).collect()
}

/// All shapes, given to the program with some arguments.
fn all_shapes(bench: &Bench<'_>, name: &str, arguments: &[&str]) -> Row {
    let (mut worst, mut largest) = ((0.0, ""), (0, ""));
    let row = Row::of(name, bench.cases(SHAPES.len() as u64), |case| {
        let (shape, file, make) = SHAPES.get(case as usize)?;
        let seen = match measured(bench, file, *make, arguments) {
            Ok(seen) => seen,
            Err(fault) => return Some(format!("{shape}: {fault}")),
        };
        if seen.growth > worst.0 {
            worst = (seen.growth, *shape);
        }
        if seen.memory > largest.0 {
            largest = (seen.memory, *shape);
        }
        seen.fault.map(|fault| format!("{shape}: {fault}"))
    });
    let (growth, slow) = worst;
    let (memory, large) = (largest.0 >> 20, largest.1);
    row.noting(format!(
        "fastest growth {growth:.2} ({slow}), most memory {memory} MiB ({large})"
    ))
}

struct Seen {
    growth: f64,
    memory: u64,
    fault: Option<String>,
}

fn measured(bench: &Bench<'_>, file: &str, make: Make, arguments: &[&str]) -> io::Result<Seen> {
    let path = bench.folder.join(file);
    let run = |bytes: usize| -> io::Result<Run> {
        fs::write(&path, make(bytes))?;
        let words = arguments.iter().copied().chain([file]);
        bench.program.measured(bench.folder, words)
    };
    let mut bytes = bench.size.shape;
    let mut seen = Seen {
        growth: 0.0,
        memory: 0,
        fault: None,
    };
    let mut first = run(bytes)?;
    for _ in 0..DOUBLED {
        if first.time >= TELLING || first.fault().is_some() {
            break;
        }
        bytes *= 2;
        first = run(bytes)?;
    }
    let mut second = run(2 * bytes)?;
    seen.fault = first.fault().or(second.fault());
    seen.memory = first.memory.max(second.memory);
    if seen.fault.is_some() {
        return Ok(seen);
    }
    if seen.memory > MEMORY {
        seen.fault = Some(format!(
            "{} MiB of memory for {bytes} bytes",
            seen.memory >> 20
        ));
    }
    for attempt in 0..TRIES {
        seen.growth = second.time.as_secs_f64() / first.time.as_secs_f64().max(0.001);
        if seen.growth <= GROWTH || first.time < TELLING {
            return Ok(seen);
        }
        if attempt + 1 < TRIES {
            first.time = first.time.max(run(bytes)?.time);
            second.time = second.time.min(run(2 * bytes)?.time);
        }
    }
    seen.fault = Some(format!(
        "{bytes} bytes take {:?}, twice as many {:?}",
        first.time, second.time
    ));
    Ok(seen)
}

/// Folders in folders, and many files in one.
fn folders(bench: &Bench<'_>) -> Row {
    bench.rows_of("folders, deep and wide", 2, |case| {
        let root = bench.folder.join(format!("folders-{case}"));
        let seen = made(&root, case == 0).and_then(|()| {
            bench
                .program
                .run(bench.folder, [Path::new("validate"), &root])
        });
        let fault = match seen {
            Ok(seen) => seen.fault().or_else(|| {
                (seen.time > Duration::from_secs(2)).then(|| format!("takes {:?}", seen.time))
            }),
            Err(fault) => Some(fault.to_string()),
        };
        let _ = fs::remove_dir_all(&root);
        fault
    })
}

fn made(root: &Path, deep: bool) -> io::Result<()> {
    let mut folder = root.to_owned();
    for _ in 0..if deep { 900 } else { 0 } {
        folder.push("d");
    }
    fs::create_dir_all(&folder)?;
    for file in 0..if deep { 1 } else { 5_000 } {
        fs::write(folder.join(format!("{file}.pgn")), "1. b4N *\n")?;
    }
    Ok(())
}
