//! `tridex reconcile`: score sheets as club players write them.

use crate::program::fed;
use std::fs;
use std::path::Path;
use std::process::Output;

/// White's sheet: English, a line for each move.
const ANNA: &str = "\
Club championship, round 4        May 3, 2024
White: Anna Bell
Black: Jörg Grünwaldt
rules: meder

1. b4N    b5B
2. c3W    a6N
3. Nc2W   c6B
4. a3N    a6B
5. a3W    Bd6N
6. Ba2W   Nc7B
7. Qb1W   Qb8B
8. Nb2W   Ra9QL6
9. Ra0QL1 0-0
10. Ra1W  Nb7B
11. Nd4W  aNa5B
12. Nd3N  d6B
13. Nxc6B Qa8B
14. Na5N  Nxa5N
15. bNxa5N a4W
16. Nb4N  a5B
17. Nd3N  1/2
";

/// Black's sheet: German, two moves in a line, with a wrong level in White's eighth move.
const JOERG: &str = "\
Vereinsmeisterschaft, 4. Runde
Weiß: Bell, Anna
Schwarz: Jörg Grünwaldt
Datum: 3.5.2024

 1. b4N  b5S     2. c3W  a6N
 3. Sc2W c6S     4. a3N  a6S
 5. a3W  Ld6N    6. La2W Sc7S
 7. Db1W Db8S    8. Sb2N Ta9DP6
 9. Ta0DP1 0-0  10. Ta1W Sb7S
11. Sd4W aNa5S  12. Sd3N d6S
13. Sxc6S Da8S  14. Sa5N Sxa5N
15. bNxa5N a4W  16. Sb4N a5S
17. Sd3N remis
";

/// Black's sheet in the manual's notation. It stops in time trouble, and has a wrong file in Black's eleventh move.
const MANUAL: &str = "\
White: Anna Bell
Black: Joerg Gruenwaldt

1 c3,WB-c5,NB c8,BB-c6,BB
2 d3,WB-d4,WB b8,BB-b7,NB
3 b2,WB-d3,WB d8,BB-d7,BB
4 b3,WB-b4,NB b9,ql-b7,BB
5 b2,QL-b4,WB c9,BB-e7,NB
6 c2,WB-b3,WB b9,BB-d8,BB
7 b1,QL-c2,WB b10,ql-c9,BB
8 e2,WB-c3,WB a10,ql-b10,ql
9 a1,QL-b1,QL 0-0
10 b1,QL-b2,WB e9,BB-c8,BB
11 d3,WB-e5,WB b7,NB-c6,BB
12 c3,WB-e4,NB e8,BB-e7,BB
13 e5,WBxd7,BB c9,BB-b9,BB
14 d7,BB-b6,NB
";

/// A printed form in two blocks, as it is read from a photo: `5c7S` is a knight.
const PHOTO: &str = "\
+------------------------------------------------+
| PARTIEFORMULAR   Runde 4        Datum 3.5.2024  |
| Weiss: Bell          Schwarz: Gruenwaldt       |
+----+---------+---------++----+---------+--------+
|  1 | b4N     | b5S     || 10 | Ta1W    | Sb7S   |
|  2 | c3W     | a6N     || 11 | Sd4W    | aNa5S  |
|  3 | Sc2W    | c6S     || 12 | Sd3N    | d6S    |
|  4 | a3N     | a6S     || 13 | Sxc6S   | Da8S   |
|  5 | a3W     | Ld6N    || 14 | Sa5N    | Sxa5N  |
|  6 | La2W    | 5c7S    || 15 | bNxa5N  | a4W    |
|  7 | Db1W    | Db8S    || 16 | Sb4N    | a5S    |
|  8 | Sb2W    | Ta9DP6  || 17 | Sd3N    |        |
|  9 | Ta0DP1  | O-O     ||    |         |        |
+----+---------+---------++----+---------+--------+
  Ergebnis: 1/2 - 1/2
";

/// The arbiter's sheet: a table of the first moves.
const ARBITER: &str = "no,white,black\n1,b4N,b5B\n2,c3W,a6N\n3,Nc2W,c6B\n4,a3N,a6B\n5,a3W,Bd6N\n6,Ba2W,Nc7B\n\
                       7,Qb1W,Qb8B\n8,Nb2W,Ra9QL6\n";

/// Another game.
const OTHER: &str = "\
White: Joost van der Wolk
Black: Siv Manedal

1. c3N c6B
2. 0-0 d5N
3. a3N 0-0
4. a3W Nc6N
5. b4N b5N
6. aNa4N Ba6N
7. aNxb5N Nb6N
";

/// All moves of the game.
const MOVES: [&str; 33] = [
    "b4N", "b5B", "c3W", "a6N", "Nc2W", "c6B", "a3N", "a6B", "a3W", "Bd6N", "Ba2W", "Nc7B", "Qb1W",
    "Qb8B", "Nb2W", "Ra9QL6", "Ra0QL1", "0-0", "Ra1W", "Nb7B", "Nd4W", "aNa5B", "Nd3N", "d6B",
    "Nxc6B", "Qa8B", "Na5N", "Nxa5N", "bNxa5N", "a4W", "Nb4N", "a5B", "Nd3N",
];

/// A folder with sheets.
fn folder(sheets: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in sheets {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn reconcile(folder: &Path, arguments: &[&str]) -> Output {
    fed(folder, &[&["reconcile"], arguments].concat(), b"")
}

/// The exit code, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = reconcile(folder, arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// The moves of a game in PGN, without numbers, comments and the result.
fn moves(pgn: &str) -> Vec<&str> {
    let (_, movetext) = pgn.split_once("\n\n").unwrap();
    let mut depth = 0;
    let words = movetext.split_whitespace().filter(move |word| {
        let is_move = depth == 0 && !word.starts_with('{');
        depth += word.matches('{').count();
        depth -= word.matches('}').count();
        is_move
    });
    let is_move = |word: &&str| !word.ends_with('.') && !matches!(*word, "*" | "1/2-1/2");
    words.filter(is_move).collect()
}

/// A text on one line.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn has(text: &str, part: &str) {
    assert!(on_one_line(text).contains(part), "{part}\n{text}");
}

#[test]
fn an_english_and_a_german_sheet_give_one_game() {
    let at = folder(&[("anna.txt", ANNA), ("joerg.txt", JOERG)]);
    let (code, game, said) = run(at.path(), &["anna.txt", "joerg.txt"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(moves(&game), MOVES);
    for part in [
        "[White \"Anna Bell\"]",
        "[Date \"2024.05.03\"]",
        "[Result \"1/2-1/2\"]",
        "{White: A has Anna Bell, B has Bell, Anna}",
        "8. Nb2W {A has Nb2W, B has Sb2N (another level); Nb2W needs the fewest slips in the whole game}",
        "{A: Club championship, round 4 May 3, 2024}",
        "{B: Vereinsmeisterschaft, 4. Runde}",
    ] {
        has(&game, part);
    }
    assert_eq!(
        said,
        "tridex: anna.txt:1:1: game 1: 2 differences, 0 undecided\n"
    );
    // In the other order, and as other formats: the same game.
    let (code, turned, _) = run(at.path(), &["joerg.txt", "anna.txt", "-q"]);
    assert_eq!((code, moves(&turned)), (Some(0), MOVES.to_vec()));
    let (code, row, _) = run(at.path(), &["anna.txt", "joerg.txt", "-f", "ndjson", "-q"]);
    assert_eq!(code, Some(0));
    let row: serde_json::Value = serde_json::from_str(&row).unwrap();
    assert_eq!(row["moves"], serde_json::json!(&MOVES[..]));
    assert_eq!(row["tags"]["Result"], "1/2-1/2");
    let german = ["joerg.txt", "anna.txt", "--to-locale", "de", "-q"];
    let (_, german, _) = run(at.path(), &german);
    assert_eq!(moves(&german)[4..8], ["Sc2W", "c6S", "a3N", "a6S"]);
}

/// The comments name moves as the game has them, and not as the first sheet.
#[test]
fn comments_name_moves_in_the_notation_of_the_output() {
    let at = folder(&[("joerg.txt", JOERG), ("anna.txt", ANNA)]);
    let sheets = ["joerg.txt", "anna.txt", "-q", "--problems", "d.csv"];
    for (arguments, text) in [
        (&[][..], "Nb2W"),
        (&["-f", "ndjson"], "Nb2W"),
        (&["-f", "csv"], "Nb2W"),
        (&["--to-locale", "de"], "Sb2W"),
        (&["--to", "manual"], "e2,WB-c3,WB"),
    ] {
        let (code, game, said) = run(at.path(), &[&sheets[..], arguments].concat());
        assert_eq!(code, Some(0), "{said}");
        let message =
            format!("A has Sb2N (another level), B has Nb2W; {text} needs the fewest slips");
        has(&game, &message);
        let table = fs::read_to_string(at.path().join("d.csv")).unwrap();
        has(&table, &message);
        assert!(
            table.contains(&format!(",move,{text},")) || text.contains(','),
            "{table}"
        );
    }
}

#[test]
fn a_sheet_in_another_notation_may_stop_early() {
    let at = folder(&[("joerg.txt", JOERG), ("manual.txt", MANUAL)]);
    let differences = ["joerg.txt", "manual.txt", "--problems", "d.ndjson", "-q"];
    let (code, game, _) = run(at.path(), &differences);
    // Black's sheet has the last moves alone, and a slip may turn one legal move into another.
    assert_eq!(code, Some(1));
    assert_eq!(moves(&game), MOVES);
    let rows = fs::read_to_string(at.path().join("d.ndjson")).unwrap();
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |kind: &str| {
        let of_kind = rows.iter().filter(|row| row["kind"] == kind);
        let plies: Vec<u64> = of_kind.filter_map(|row| row["ply"].as_u64()).collect();
        plies
    };
    assert_eq!(of("move"), [15, 22]);
    assert_eq!(of("end"), [28]);
    assert_eq!(of("ambiguous"), [30, 31, 32, 33]);
    let [eighth, eleventh] = [15, 22].map(|ply| {
        let is_it = |row: &&serde_json::Value| row["ply"] == ply;
        rows.iter().find(is_it).unwrap()
    });
    assert_eq!(
        eighth["written"],
        serde_json::json!(["Sb2N", "e2,WB-c3,WB"])
    );
    assert_eq!(
        eleventh["written"],
        serde_json::json!(["aNa5S", "b7,NB-c6,BB"])
    );
    assert_eq!(eleventh["read_as"][0], "as written");
    for row in &rows {
        let readings = row["readings"].as_array().unwrap().len();
        assert_eq!(readings > 1, row["kind"] == "ambiguous", "{row}");
    }
    // The game says which plies are undecided, unless this is not wanted.
    has(
        &game,
        "15. bNxa5N a4W {A has a4W, B has ended; undecided: a4W or a4N [%tridex read",
    );
    let plain = ["joerg.txt", "manual.txt", "--no-trace", "-q"];
    let (_, plain, _) = run(at.path(), &plain);
    assert!(!plain.contains("[%tridex"), "{plain}");
    let to = ["joerg.txt", "manual.txt", "--to", "manual", "-q"];
    let (_, manual, _) = run(at.path(), &to);
    assert_eq!(moves(&manual)[..2], ["c3,WB-c5,NB", "c8,BB-c6,BB"]);
}

#[test]
fn a_photo_of_a_form_is_reconciled_with_a_typed_sheet() {
    let at = folder(&[("anna.txt", ANNA), ("photo.txt", PHOTO)]);
    let (code, game, said) = run(at.path(), &["anna.txt", "photo.txt"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(moves(&game), MOVES);
    has(&game, "Nc7B {A has Nc7B, B has 5c7S (a misread character)");
    has(&game, "[Result \"1/2-1/2\"]");
}

#[test]
fn three_sheets_vote() {
    let wrong = ANNA.replace("7. Qb1W   Qb8B", "7. Qb1W   Qa8B");
    let at = folder(&[
        ("anna.txt", &wrong),
        ("joerg.txt", JOERG),
        ("arbiter.csv", ARBITER),
    ]);
    let sheets = ["anna.txt", "joerg.txt", "arbiter.csv", "-q"];
    let (code, game, _) = run(at.path(), &sheets);
    assert_eq!((code, moves(&game)), (Some(0), MOVES.to_vec()));
    has(
        &game,
        "7. Qb1W Qb8B {A has Qa8B (a wrong character), B has Db8S, C has Qb8B;",
    );
    has(&game, "C ends before this move");
    let four = ["anna.txt", "joerg.txt", "arbiter.csv", "anna.txt"];
    assert_eq!(
        run(at.path(), &four).0,
        Some(0),
        "a file that is named twice counts once"
    );
}

#[test]
fn different_results_are_reported_and_none_is_chosen() {
    let won = ANNA.replace("1/2\n", "1-0\n");
    let at = folder(&[("anna.txt", &won), ("joerg.txt", JOERG)]);
    let sheets = ["anna.txt", "joerg.txt", "--problems", "d.csv", "-q"];
    let (code, game, _) = run(at.path(), &sheets);
    assert_eq!((code, moves(&game)), (Some(1), MOVES.to_vec()));
    has(&game, "[Result \"*\"]");
    has(&game, "{result: A has 1-0, B has 1/2-1/2; undecided}");
    let table = fs::read_to_string(at.path().join("d.csv")).unwrap();
    let kinds = table.lines().map(|row| row.split(',').nth(3).unwrap());
    assert_eq!(kinds.collect::<Vec<_>>(), ["kind", "tag", "result", "move"]);
}

#[test]
fn moves_that_the_sheets_have_in_another_order_are_undecided() {
    let turned = JOERG
        .replace("4. a3N  a6S", "4. a3W  a6S")
        .replace("5. a3W  Ld6N", "5. a3N  Ld6N");
    let at = folder(&[("anna.txt", ANNA), ("joerg.txt", &turned)]);
    let (code, game, said) = run(at.path(), &["anna.txt", "joerg.txt"]);
    assert_eq!(code, Some(1), "{said}");
    has(&game, "undecided: a3N or a3W");
    has(&said, "4 differences, 2 undecided");
}

#[test]
fn a_folder_is_paired_by_players_date_and_moves() {
    let other = OTHER
        .replace("Siv Manedal", "S. Manedal")
        .replace("b5N", "b5B");
    let at = folder(&[
        ("evening/a-black.txt", JOERG),
        ("evening/b-siv.txt", OTHER),
        ("evening/c-white.txt", ANNA),
        ("evening/d-joost.txt", &other),
    ]);
    let (code, list, said) = run(at.path(), &["evening", "--dry-run"]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert_eq!(
        list.replace('\\', "/"),
        "1 = evening/a-black.txt:1:1: game 1 = evening/c-white.txt:1:1: game 1\n\
         2 = evening/b-siv.txt:1:1: game 1 = evening/d-joost.txt:1:1: game 1\n"
    );
    assert!(
        fs::read_dir(at.path()).unwrap().count() == 1,
        "nothing is written"
    );
    let csv = ["evening", "--dry-run", "-f", "csv"];
    let (_, table, _) = run(at.path(), &csv);
    assert!(
        table.starts_with("pair,record,source,game,line,white,black\n1,A,"),
        "{table}"
    );
    assert_eq!(table.lines().count(), 5);
    // A sheet whose opponent's is missing is reported.
    fs::remove_file(at.path().join("evening/b-siv.txt")).unwrap();
    let arguments = ["evening", "--output", "games.pgn", "--problems", "d.csv"];
    let (code, out, said) = run(at.path(), &arguments);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    has(
        &said,
        "d-joost.txt:1:1: game 1: no other record of this game",
    );
    let games = fs::read_to_string(at.path().join("games.pgn")).unwrap();
    assert_eq!(moves(&games), MOVES);
    let table = fs::read_to_string(at.path().join("d.csv")).unwrap();
    assert!(
        table.lines().skip(1).all(|row| row.starts_with("1,")),
        "{table}"
    );
}

#[test]
fn input_that_cannot_be_reconciled_is_refused_with_its_reason() {
    let at = folder(&[
        ("anna.txt", ANNA),
        ("other.txt", OTHER),
        ("empty.txt", ""),
        ("names.txt", "White: Anna Bell\n"),
        (
            "chess3.txt",
            "[Variant \"chess3\"]\n\n1. 1E2-1E4 3E7-3E5\n2. 1D2-1D4\n",
        ),
    ]);
    fs::write(
        at.path().join("photo.jpg"),
        b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01",
    )
    .unwrap();
    for (other, code, why) in [
        (
            "other.txt",
            1,
            "they are probably records of different games",
        ),
        (
            "chess3.txt",
            1,
            "the records are of different rule systems: meder and chess3",
        ),
        (
            "empty.txt",
            2,
            "empty.txt: the file is empty; expected games",
        ),
        ("names.txt", 2, "names.txt: no games found in this file"),
        (
            "photo.jpg",
            2,
            "photo.jpg: this is a picture, not a game record",
        ),
        ("missing.txt", 2, "missing.txt: cannot be opened"),
    ] {
        let (found, out, said) = run(at.path(), &["anna.txt", other]);
        assert_eq!((found, out.as_str()), (Some(code), ""), "{other}: {said}");
        has(&said, why);
    }
    let (code, _, said) = run(at.path(), &["anna.txt"]);
    assert_eq!(code, Some(2));
    has(
        &said,
        "expected two or three records of a game, not 1; name a file for each player, or a folder",
    );
    let (code, _, _) = run(at.path(), &["anna.txt", "anna.txt", "--output", "g.pgn"]);
    assert_eq!(code, Some(2));
    // A file that is there is not replaced by nothing.
    fs::write(at.path().join("g.pgn"), "earlier").unwrap();
    let refused = [
        "anna.txt",
        "other.txt",
        "--output",
        "g.pgn",
        "--problems",
        "d.csv",
    ];
    let (code, _, said) = run(at.path(), &refused);
    assert_eq!(code, Some(1), "{said}");
    has(&said, "no game was reconciled, so no file is written");
    assert_eq!(fs::read(at.path().join("g.pgn")).unwrap(), b"earlier");
    assert!(!at.path().join("d.csv").exists());
    // Neither output may replace the other.
    let same = [
        "anna.txt",
        "other.txt",
        "--output",
        "g.csv",
        "--problems",
        "g.csv",
    ];
    let (code, _, said) = run(at.path(), &same);
    assert_eq!(code, Some(2));
    has(&said, "--problems and --output name the same file");
}
