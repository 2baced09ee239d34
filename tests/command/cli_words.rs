//! One name for one thing: the words of the command line, and what its help says of them.

use crate::program::fed;
use std::fs;
use std::path::Path;
use std::process::Output;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    fed(folder, arguments, b"")
}

fn asked(arguments: &str) -> Output {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    run(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The contract: scripts rely on these names. They are in the help of their command. Names of before are read too: see
/// [`either_name_of_a_thing_does_the_same`].
const CONTRACT: [(&str, &str); 17] = [
    (
        "convert",
        "--from --from-locale --to --to-locale --pawn-captures --marks --figurines --output --format --repair --no-trace --invalid --rejects --problems \
         --source --dialect own",
    ),
    (
        "validate",
        "--strict --rules --from --from-locale --errors-only --problems --max-errors --fail-fast \
         --format --csv-delimiter --bom",
    ),
    ("position", "--game --ply --index"),
    (
        "show",
        "--game --ply --svg --png --view --size --orientation --theme --highlight --moves-of --fen --index --no-clobber",
    ),
    ("moves", "--rules --fen --to --to-locale"),
    ("perft", "--rules --fen --divide"),
    ("index", "--index --prune --format"),
    (
        "search",
        "--index --player --white --black --event --site --date --result --rules --text --position --pattern --sequence --material \
         --opening --loose --format",
    ),
    ("openings", "--index --moves --fen --rules --format"),
    ("serve", "--index --port --open --listen --host"),
    ("stats", "--format --by --index --query"),
    ("dedupe", "--format --output"),
    ("generate", "--rules --games --seed"),
    // What every command has.
    (
        "validate",
        "--quiet --threads --progress --no-progress --color",
    ),
    (
        "convert",
        "-q -j -f -o -n --quiet --threads --progress --no-clobber",
    ),
    ("search", "-q -f -o -n"),
    ("generate", "-q -j -f -o -n"),
];

#[test]
fn every_word_of_the_contract_is_in_the_help() {
    for (command, options) in CONTRACT {
        let help = stdout(&asked(&format!("{command} --help")));
        let words: Vec<&str> = help
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'))
            .collect();
        for option in options.split_whitespace() {
            // Not every command has a number to be asked for.
            let has = command != "convert" || option != "-n";
            assert_eq!(words.contains(&option), has, "tridex {command} {option}");
        }
    }
}

#[test]
fn help_names_the_values_of_an_option() {
    for command in [
        "validate", "convert", "moves", "generate", "search", "openings", "stats",
    ] {
        let help = stdout(&asked(&format!("{command} --help")));
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let systems = "meder, manual, federation, millennium, chess3";
        assert!(help.contains(systems), "{command}: {help}");
        assert!(
            help.contains("meder, manual, millennium, chess3]"),
            "{command}"
        );
    }
    // The examples of help mean what they say.
    let help = stdout(&asked("convert --help"));
    assert!(help.contains("--from-locale de --to meder"));
    let help = stdout(&asked("search --help"));
    assert!(help.contains("single quotes"));
}

#[test]
fn either_name_of_a_thing_does_the_same() {
    let fen = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1";
    let at = Path::new(env!("CARGO_MANIFEST_DIR"));
    let same = |one: &[&str], other: &[&str]| {
        let (one, other) = (run(at, one), run(at, other));
        assert_eq!(one.status.code(), Some(0), "{}", stderr(&one));
        assert_eq!(stdout(&one), stdout(&other), "{}", stderr(&other));
        assert!(!stdout(&one).is_empty());
    };
    for command in [&["moves"][..], &["perft", "1"], &["show"]] {
        let with = |name| [command, &["--rules", "meder", name, fen]].concat();
        same(&with("--fen"), &with("--position"));
    }
    let sample = "corpus/games/meder/sample-game/as-printed.txt";
    same(
        &["moves", "--rules", "meder", "--notation", "manual"],
        &["moves", "--rules", "meder", "--to", "manual"],
    );
    same(
        &["moves", "--rules", "meder", "--locale", "de"],
        &["moves", "--rules", "meder", "--to-locale", "de"],
    );
    same(
        &[
            "convert",
            sample,
            "--to",
            "meder",
            "--locale",
            "de",
            "--notation",
            "meder",
        ],
        &[
            "convert",
            sample,
            "--to",
            "meder",
            "--to-locale",
            "de",
            "--from",
            "meder",
        ],
    );
    let german = "corpus/games/meder/german";
    same(
        &["dedupe", german, "--players", "-f", "csv"],
        &["dedupe", german, "--names", "-f", "csv"],
    );
    same(
        &[
            "show",
            "--rules",
            "meder",
            "--svg",
            "-",
            "--orientation",
            "black",
        ],
        &["show", "--rules", "meder", "--svg", "-", "--side", "black"],
    );
    same(&["convert", sample, "--to", "own"], &["convert", sample]);
    same(
        &["validate", german, "--locale", "de", "-f", "csv"],
        &["validate", german, "--from-locale", "de", "-f", "csv"],
    );
    let made = [
        "generate", "--rules", "meder", "--games", "2", "--seed", "1",
    ];
    same(
        &[&made[..], &["--notation", "manual"]].concat(),
        &[&made[..], &["--to", "manual"]].concat(),
    );
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    let db = db.to_str().unwrap();
    assert_eq!(
        run(at, &["index", "corpus/games", "--index", db])
            .status
            .code(),
        Some(0)
    );
    let search = ["search", "--index", db, "-f", "ndjson"];
    same(
        &[&search[..], &["--position", fen]].concat(),
        &[&search[..], &["--fen", fen]].concat(),
    );
    same(
        &[
            &search[..],
            &["--material", "KQ*R*B*N*P*:KQ*R*B*N*P*", "--lasting", "90"],
        ]
        .concat(),
        &[
            &search[..],
            &["--material", "KQ*R*B*N*P*:KQ*R*B*N*P*", "--min-plies", "90"],
        ]
        .concat(),
    );
    let openings = [
        "openings", "--index", db, "--rules", "meder", "--player", "jarosz", "-f", "csv",
    ];
    same(
        &[&openings[..], &["--to", "manual"]].concat(),
        &[&openings[..], &["--notation", "manual"]].concat(),
    );
}

#[test]
fn what_contradicts_itself_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), "[Variant \"meder\"]\n\n1. b4N *\n").unwrap();
    assert_eq!(
        run(at, &["index", "a.pgn", "--index", "db"]).status.code(),
        Some(0)
    );
    for ask in [
        "convert a.pgn --to meder --marks --no-marks -o out",
        "convert a.pgn --to manual --rules millennium -o out",
        "convert a.pgn --to meder --notation chess3 --rules meder -o out",
        "convert a.pgn --to meder --bom -o out",
        "convert a.pgn --to meder --no-clobber",
        "validate a.pgn --rules chess3 --notation meder -o out",
        "validate a.pgn --verbose --errors-only -o out",
        "validate a.pgn --verbose --problems -o out",
        "validate a.pgn --verbose --quiet -o out",
        "validate a.pgn --problems --format text -o out",
        "validate a.pgn --fail-fast --max-errors 3 -o out",
        "validate a.pgn --max-errors 0 -o out",
        "moves --rules meder --to chess3 -o out",
        "generate --rules chess3 --games 1 --seed 1 --to meder -o out",
        "search --index db --rules chess3 --format pgn --to manual -o out",
        "search --index db --count --limit 3 -o out",
        "search --index db --count --format pgn -o out",
        "openings --index db --rules meder --to chess3 -o out",
        "show --rules meder --svg - --png -",
        "show --rules meder --ply 3",
        "show a.pgn --fen x",
        "show --rules meder --animate --png out",
        "show a.pgn --animate",
        "show a.pgn --animate --png out --moves-of b1W",
        "show a.pgn --animate --png out --ply 999",
        "show a.pgn --animate --png out --delay 0",
        "stats a.pgn --names book.csv -o out",
    ] {
        let output = run(at, &ask.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{ask}");
        assert_eq!(stdout(&output), "", "{ask}");
        let told = stderr(&output);
        assert!(
            !told.is_empty() && !told.contains("non-zero"),
            "{ask}: {told}"
        );
        assert!(!at.join("out").exists(), "{ask}");
    }
}

#[test]
fn quotation_marks_are_told_where_a_shell_needs_them() {
    let open = asked("moves --rules meder --fen 4/4 w - - 0 1");
    assert_eq!(open.status.code(), Some(2));
    let complaint = stderr(&open);
    assert!(complaint.contains("unexpected argument 'w'"), "{complaint}");
    assert!(complaint.contains("in quotation marks"), "{complaint}");
    // Nothing of it where that is not the fault.
    assert!(!stderr(&asked("moves --rules meder --what")).contains("quotation"));
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), "[Variant \"meder\"]\n\n1. b4N *\n").unwrap();
    assert_eq!(
        run(at, &["index", "a.pgn", "--index", "db"]).status.code(),
        Some(0)
    );
    let cut = run(at, &["search", "--index", "db", "--pattern", "p"]);
    assert_eq!(cut.status.code(), Some(2));
    assert!(
        stderr(&cut).contains("in single quotes"),
        "{}",
        stderr(&cut)
    );
}

#[test]
fn the_version_names_the_format_of_the_index() {
    let long = stdout(&asked("--version"));
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[0], format!("tridex {}", env!("CARGO_PKG_VERSION")));
    let format = tridex_index::INDEX_VERSION;
    assert_eq!(lines[1], format!("index format {format}"));
    assert_eq!(stdout(&asked("-V")), format!("{}\n", lines[0]));
}
