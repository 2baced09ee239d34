//! The command's contract: exit codes, machine forms, the same output for any number of threads.

use crate::program;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SAMPLE: &str = "corpus/games/meder/sample-game/as-printed.txt";

fn tridex(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tridex"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn fed(args: &[&str], input: &[u8]) -> Output {
    program::fed(Path::new(env!("CARGO_MANIFEST_DIR")), args, input)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn exit_codes() {
    assert_eq!(code(&tridex(&["validate", SAMPLE])), 0);
    assert_eq!(code(&tridex(&["validate", "corpus/invalid"])), 1);
    assert_eq!(code(&tridex(&["validate", "corpus/no-such-file.pgn"])), 2);
    assert_eq!(code(&tridex(&["validate"])), 2);
    assert_eq!(code(&tridex(&["perft", "x", "--rules", "meder"])), 2);
    assert_eq!(code(&tridex(&["moves", "--rules", "checkers"])), 2);
    assert_eq!(
        code(&tridex(&["moves", "--rules", "meder", "--fen", "nonsense"])),
        2
    );
    assert_eq!(code(&tridex(&["position", SAMPLE, "--ply", "99"])), 2);
    // A cube notation has no words for the stair board.
    let refused = tridex(&["convert", SAMPLE, "--to", "chess3"]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("chess3 is a notation for the cube board"));
    // A file that cannot be read stops none of the others.
    let mixed = tridex(&["validate", "corpus/no-such-file.pgn", SAMPLE]);
    assert_eq!(code(&mixed), 2);
    assert!(stdout(&mixed).contains("games                 1"));
}

#[test]
fn the_machine_form_of_validate() {
    let output = tridex(&["validate", SAMPLE, "--format", "ndjson"]);
    let row: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(row["status"], "ambiguous");
    assert_eq!((&row["game"], &row["line"]), (&1.into(), &1.into()));
    assert_eq!(row["plies"], 33);
    assert_eq!(row["outcome"], "*");
    assert_eq!(row["rules"], "meder");
    let found = row["diagnostics"].as_array().unwrap();
    let shape: Vec<_> = found
        .iter()
        .map(|d| {
            (
                d["code"].as_str(),
                d["ply"].as_u64(),
                d["line"].as_u64(),
                d["column"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        shape,
        [
            (Some("dialect"), Some(8), Some(4), Some(8)),
            (Some("ambiguous"), Some(22), Some(11), Some(10)),
        ]
    );
    let fields = [
        "source", "game", "line", "status", "rules", "notation", "plies", "result", "outcome",
        "fen", "key",
    ];
    for field in fields {
        assert!(row.get(field).is_some(), "{field}");
    }
}

#[test]
fn the_sample_game_there_and_back_is_the_clean_game() {
    // Without the trace of the one guess.
    let manual = tridex(&["convert", SAMPLE, "--to", "manual", "--no-trace"]);
    let there = fed(&["convert", "-", "--to", "meder"], &manual.stdout);
    let clean = std::fs::read_to_string("corpus/games/meder/sample-game/clean.pgn").unwrap();
    assert_eq!(stdout(&there), clean);
    assert_eq!(
        stdout(&manual),
        std::fs::read_to_string("corpus/games/meder/sample-game/manual.pgn").unwrap()
    );
    assert!(clean.contains("15. bNxa5N"));
    let short = tridex(&[
        "convert",
        SAMPLE,
        "--to",
        "meder",
        "--pawn-captures",
        "short",
    ]);
    assert!(stdout(&short).contains("15. bxa5N"));
    // The clean game has nothing left to report.
    let valid = tridex(&[
        "validate",
        "corpus/games/meder/sample-game/clean.pgn",
        "--verbose",
    ]);
    assert!(stdout(&valid).contains("game 1: valid, meder, 33 plies"));
}

#[test]
fn davis_dagostino_in_three_spellings_is_one_game() {
    let folder = "corpus/games/millennium/davis-dagostino";
    let moves = |file: &str, to: &str| {
        let path = format!("{folder}/{file}");
        let output = tridex(&["convert", &path, "--to", to, "--format", "ndjson"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
        let row: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        row["moves"].clone()
    };
    let written = moves("game.pgn", "millennium");
    assert_eq!(written.as_array().unwrap().len(), 56);
    assert_eq!(written[55], "Qx2f2#");
    assert_eq!(moves("figurines.txt", "millennium"), written);
    assert_eq!(moves("chess3.pgn", "millennium"), written);
    let report = tridex(&[
        "validate",
        &format!("{folder}/game.pgn"),
        "--format",
        "ndjson",
    ]);
    let row: serde_json::Value = serde_json::from_str(&stdout(&report)).unwrap();
    assert_eq!(row["status"], "valid");
    assert_eq!(row["outcome"], "0-1 checkmate");
}

#[test]
fn perft_ends_in_the_number_alone() {
    let output = tridex(&["perft", "2", "--rules", "meder", "--divide"]);
    let text = stdout(&output);
    assert_eq!(text.lines().last(), Some("400"));
    assert_eq!(text.lines().count(), 21);
    assert_eq!(stdout(&tridex(&["perft", "0", "--rules", "chess3"])), "1\n");
}

#[test]
fn moves_are_sorted_bytewise() {
    let text = stdout(&tridex(&["moves", "--rules", "millennium"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 100);
    assert!(lines.is_sorted());
}

#[test]
fn the_start_positions_are_the_written_ones() {
    let start = |rules: &str, fen: &str| {
        let listed = |args: &[&str]| stdout(&tridex(args));
        assert_eq!(
            listed(&["moves", "--rules", rules]),
            listed(&["moves", "--rules", rules, "--fen", fen]),
        );
    };
    start(
        "meder",
        "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1",
    );
    start(
        "manual",
        "bqkb/pppp/4/4|4/4/4/4|4/4/PPPP/BQKB|QL@Q1v:NP/RP|KL@K1v:PN/PR|ql@Q6:rp/np|kl@K6:pr/pn w - - - 0 1",
    );
    start(
        "federation",
        "bqkb/pppp/4/4|4/4/4/4|4/4/PPPP/BQKB|QL@Q1:NP/RP|KL@K1:PN/PR|ql@Q6:rp/np|kl@K6:pr/pn w KQkq - - 0 1",
    );
    let cube = "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1";
    start("millennium", cube);
    start("chess3", cube);
}

fn mixed_archive(folder: &Path) -> PathBuf {
    let path = folder.join("mixed.pgn");
    let mut text = Vec::new();
    for rules in ["meder", "manual", "federation", "millennium", "chess3"] {
        let made = tridex(&[
            "generate",
            "--rules",
            rules,
            "--games",
            "60",
            "--seed",
            "5",
            "--annotated",
        ]);
        text.extend(made.stdout);
        text.extend(std::fs::read("corpus/invalid/unclosed-comment.pgn").unwrap());
        text.extend(b"\n");
    }
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn output_is_the_same_for_any_number_of_threads_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = mixed_archive(folder.path());
    let text = std::fs::read(&path).unwrap();
    let name = path.to_str().unwrap();
    for args in [
        &["validate", "--format", "ndjson"][..],
        &["convert", "--to", "manual"],
        &["convert", "--to", "meder", "--format", "ndjson"],
    ] {
        let run = |threads: &str, source: &str| {
            let mut all = args.to_vec();
            all.extend(["--threads", threads, source]);
            let output = fed(&all, &text);
            stdout(&output).replace(name, "-")
        };
        let one = run("1", name);
        assert!(one.lines().count() > 150);
        assert_eq!(run("2", name), one);
        assert_eq!(run("3", "-"), one);
    }
}

#[test]
fn comments_variations_clocks_and_marks_survive_the_way_there_and_back() {
    for (rules, own, other) in [
        ("meder", "meder", "manual"),
        ("federation", "meder", "manual"),
        ("millennium", "millennium", "chess3"),
    ] {
        let made = tridex(&[
            "generate",
            "--rules",
            rules,
            "--games",
            "40",
            "--seed",
            "9",
            "--annotated",
            "--notation",
            own,
        ]);
        let there = fed(&["convert", "-", "--to", other], &made.stdout);
        let back = fed(&["convert", "-", "--to", own], &there.stdout);
        // Some records end with a move that nobody wrote down, which is all that is found.
        for run in [&there, &back] {
            let (told, code) = (stderr(run), "warning[not-recorded]");
            assert_eq!(
                told.matches("]: game ").count(),
                told.matches(code).count(),
                "{told}"
            );
        }
        let canonical = fed(&["convert", "-", "--to", own], &made.stdout);
        assert_eq!(stdout(&back), stdout(&canonical), "{rules}");
        for sign in ["{", "(", "$", "clk", "(=)"] {
            // What follows a move that was not recorded becomes a comment.
            let written = |text: &str| text.replace('\n', " ").replace("{not read: ", "");
            let count = |text: &str| written(text).matches(sign).count();
            assert!(count(&stdout(&made)) > 0, "{rules} {sign}");
            assert_eq!(
                count(&stdout(&made)),
                count(&stdout(&back)),
                "{rules} {sign}"
            );
        }
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = command(&[
        "generate", "--rules", "meder", "--games", "5000", "--seed", "1",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output), "");
}

#[test]
fn control_characters_of_a_file_are_never_printed_raw() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd\u{1b}[31mname.pgn");
    std::fs::write(
        &path,
        b"[Event \"\x1b[2J\"]\n[Variant \"meder\"]\n\n1. b4N N\x1b[1mc6B *\n",
    )
    .unwrap();
    for args in [&["validate"][..], &["convert", "--to", "manual"]] {
        let mut all = args.to_vec();
        all.push(path.to_str().unwrap());
        let output = tridex(&all);
        assert_eq!(code(&output), 1);
        assert!(!stderr(&output).contains('\u{1b}'));
        if args[0] == "validate" {
            assert!(!stdout(&output).contains('\u{1b}'), "{}", stdout(&output));
        }
    }
}

#[test]
fn a_sure_correction_is_made_only_when_asked_for() {
    let sheet = "corpus/invalid/wrong-level.txt";
    let plain = tridex(&["convert", sheet, "--to", "meder"]);
    assert_eq!(code(&plain), 1);
    assert!(stdout(&plain).contains("{not read: Nc2N c6B}"));
    // Two slips explain it, and nobody can know.
    let doubtful = tridex(&["convert", sheet, "--to", "meder", "--repair"]);
    assert_eq!(code(&doubtful), 1);
    assert_eq!(stdout(&doubtful), stdout(&plain));
    let sheet = b"1. b4N b5B 2. c3W a6N 3. Nc22W c6B\n";
    let repaired = fed(&["convert", "-", "--to", "meder", "--repair"], sheet);
    assert_eq!(code(&repaired), 0);
    let written = stdout(&repaired);
    assert!(
        written.contains("3. Nc2W {[%tridex repaired \"Nc22W\""),
        "{written}"
    );
    let bare = ["convert", "-", "--to", "meder", "--repair", "--no-trace"];
    assert!(stdout(&fed(&bare, sheet)).contains("3. Nc2W c6B"));
    assert!(stderr(&repaired).contains("warning[repaired]"));
}

#[test]
fn output_files_appear_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pgn");
    let output = tridex(&[
        "convert",
        SAMPLE,
        "--to",
        "manual",
        "--output",
        path.to_str().unwrap(),
    ]);
    assert_eq!(code(&output), 0);
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains("c3,WB-c5,NB")
    );
    let missing = folder.path().join("no/such/folder.pgn");
    let output = tridex(&[
        "convert",
        SAMPLE,
        "--to",
        "manual",
        "--output",
        missing.to_str().unwrap(),
    ]);
    assert_eq!(code(&output), 2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn tags_and_remarks_are_changed_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = crate::program::fed(folder.path(), arguments, b"");
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), texts)
    };
    let game = "[Event \"club  evening\"]\n[White \"kirk, j\"]\n[Black \"Spock\"]\n[Venue \"Vulcan\"]\n[Variant \"meder\"]\n\n\
                1. a4W! {bold [%clk 0:05:00] [%eval 0.3]} d6N $14 (1... b5B {[%clk 0:04:00]} 2. c4W) 2. 0-0 0-0 *\n";
    std::fs::write(folder.path().join("g.pgn"), game).unwrap();
    let names = "standard,written\n\"Kirk, James T.\",\"Kirk,  J\"\nClub Evening,club evening\n";
    std::fs::write(folder.path().join("names.csv"), names).unwrap();
    let last = |options: &str| {
        let arguments = ["convert", "g.pgn", "--to", "own", "-q"];
        let arguments: Vec<&str> = arguments.into_iter().chain(options.split(' ')).collect();
        let (code, [text, fault]) = run(&arguments);
        assert_eq!(code, Some(0), "{fault}");
        text.trim_end()
            .rsplit("\n\n")
            .next()
            .unwrap()
            .replace('\n', " ")
    };
    for (options, expected) in [
        (
            "--strip comments",
            "1. a4W! {[%clk 0:05:00] [%eval 0.3]} 1... d6N $14 (1... b5B {[%clk 0:04:00]} 2. c4W) 2. 0-0 0-0 *",
        ),
        (
            "--strip variations,nags",
            "1. a4W {bold [%clk 0:05:00] [%eval 0.3]} 1... d6N 2. 0-0 0-0 *",
        ),
        (
            "--strip clocks,evals",
            "1. a4W! {bold} 1... d6N $14 (1... b5B 2. c4W) 2. 0-0 0-0 *",
        ),
        (
            "--strip comments,variations,nags,clocks,evals",
            "1. a4W d6N 2. 0-0 0-0 *",
        ),
    ] {
        assert_eq!(last(options), expected, "{options}");
    }
    let tags = [
        "--names",
        "names.csv",
        "--set",
        "Annotator=Uhura=2",
        "--rename",
        "Venue=Site",
        "--remove",
        "Black",
    ];
    for format in ["pgn", "ndjson", "csv", "html"] {
        let arguments = [
            "convert", "g.pgn", "--to", "own", "-o", "-", "--format", format,
        ];
        let (code, [text, fault]) = run(&[&arguments[..], &tags[..]].concat());
        assert_eq!(code, Some(0), "{fault}");
        for there in [
            "Kirk, James T.",
            "kirk, j",
            "Club Evening",
            "Uhura=2",
            "Vulcan",
        ] {
            assert!(text.contains(there), "{format}: no {there} in {text}");
        }
        assert!(
            !text.contains("Spock") && !text.contains("Venue"),
            "{format}: {text}"
        );
    }
    let (_, [text, _]) = run(&[
        "convert",
        "g.pgn",
        "--to",
        "own",
        "--names",
        "names.csv",
        "--no-trace",
    ]);
    assert!(
        !text.contains("AsWritten") && text.contains("[White \"Kirk, James T.\"]"),
        "{text}"
    );
    // `--source` applied twice changes nothing.
    let (_, [once, _]) = run(&["convert", "g.pgn", "--to", "own", "--source"]);
    std::fs::write(folder.path().join("once.pgn"), &once).unwrap();
    let (_, [twice, _]) = run(&["convert", "once.pgn", "--to", "own", "--source"]);
    assert!(once.contains("[Source \"g.pgn:1\"]"), "{once}");
    assert_eq!(once, twice);
    for (option, value, expected) in [
        ("--set", "FEN=x", "decides how a game is read"),
        ("--set", "Event", "expected TAG=VALUE"),
        ("--remove", "a b", "expected the name of a tag"),
        ("--strip", "moves", "possible values"),
        (
            "--names",
            "g.pgn",
            "expected the columns `written` and `standard`",
        ),
        ("--names", "none.csv", "none.csv"),
    ] {
        let (code, [_, fault]) = run(&["convert", "g.pgn", "--to", "own", option, value]);
        assert_eq!(code, Some(2), "{option} {value}");
        assert!(fault.contains(expected), "{fault}");
    }
}

#[test]
fn other_dates_suggest_how_to_read_ambiguous_ones() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, dates: &[&str]| {
        let game =
            |date: &&str| format!("[Variant \"meder\"]\n[Date \"{date}\"]\n\n1. a4W d6N *\n\n");
        let games: String = dates.iter().map(game).collect();
        std::fs::write(folder.path().join(name), games).unwrap();
    };
    let said = |arguments: &[&str]| {
        let output = crate::program::fed(folder.path(), arguments, b"");
        let text = String::from_utf8(output.stderr).unwrap();
        let notes = text.lines().filter(|line| line.contains("ambiguous date"));
        notes.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    write("days.pgn", &["3/4/2019", "31/1/2019", "2019.05.06"]);
    write("plain.pgn", &["2019.05.06", "3/4/2019", "5/4/2019"]);
    assert_eq!(
        said(&["validate", "-f", "ndjson", "days.pgn"]),
        "tridex: 1 ambiguous date: only the year is used; other dates of the same files begin with the day, which --dates \
         dmy assumes"
    );
    // A file without such dates is read as the others of the run.
    assert!(
        said(&["convert", "--to", "own", "."])
            .contains("3 ambiguous dates: only the year is used; other dates of")
    );
    assert!(
        said(&["index", "plain.pgn", "--index", "db"])
            .ends_with("--dates dmy or --dates mdy decides")
    );
    write("months.pgn", &["1/31/2019"]);
    assert!(
        said(&["validate", "-f", "ndjson", "plain.pgn", "months.pgn"])
            .ends_with("dates in other files begin with the month, which --dates mdy assumes")
    );
    write("months.pgn", &["1/31/2019", "3/4/2018"]);
    assert!(
        said(&["validate", "-f", "ndjson", "."])
            .contains("the day in 1 file and with the month in 1 file")
    );
    write("both.pgn", &["1/31/2019", "3/4/2018", "31.1.2018"]);
    assert!(
        said(&["validate", "-f", "ndjson", "both.pgn"]).contains("other dates have either order")
    );
    assert_eq!(
        said(&["validate", "-f", "ndjson", "--dates", "dmy", "."]),
        ""
    );
    assert_eq!(said(&["validate", "-q", "both.pgn"]), "");
}

#[test]
fn every_help_page_has_an_example() {
    let help = stdout(&tridex(&["--help"]));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let mut seen = 0;
    // Descriptions that go on in the next line are indented deeper.
    let names = listed
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "));
    for line in names {
        let name = line.split_whitespace().next().unwrap();
        if ["help", "completions", "man"].contains(&name) {
            continue;
        }
        let page = stdout(&tridex(&[name, "--help"]));
        assert!(page.contains("tridex "), "{name}");
        assert!(page.contains("Example"), "{name}");
        seen += 1;
    }
    assert!(seen >= 7);
}
