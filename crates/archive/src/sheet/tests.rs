use proptest::prelude::*;

use super::lacks_moves as lacks_moves_of;
use super::rows::Rows;
use super::*;
use crate::testing::{cases, plain_script, script};

fn read(text: &str) -> String {
    let layout = SheetLayout::detect(text.as_bytes(), 0);
    plain_script(|v| read_games(text.as_bytes(), 0, &layout, &Limits::default(), v))
}

const TWO_MOVES: &str = "game | no 1 | <b4N> | <b5B> | no 2 | <c3W> | end";

#[test]
fn headers_separators_and_orders() {
    for text in [
        "no,white,black\n1,b4N,b5B\n2,c3W,\n",
        "NO;WHITE;BLACK\r\n1;b4N;b5B\r\n2;c3W;\r\n",
        "Nr.\tWeiß\tSchwarz\n1\tb4N\tb5B\n2\tc3W",
        "move,w,b\n\n1,b4N,b5B\n\n2,c3W\n",
        "1,b4N,b5B\n2,c3W,\n",
        "\u{feff}\"no\",\"white\",\"black\"\r1,\"b4N\",b5B\r2, c3W ,-",
    ] {
        assert_eq!(read(text), TWO_MOVES, "reading {text:?}");
    }
    assert_eq!(read("black,white\nb5B,b4N\n"), "game | <b4N> | <b5B> | end");
    assert_eq!(read("b4N,b5B\n"), "game | <b4N> | <b5B> | end");
    assert_eq!(read("no,white,black\n"), "");
    assert_eq!(read(""), "");
}

/// A sheet is read in the same way after any other sheet.
#[test]
fn one_sheet_after_another_is_read_alike() {
    let sheets = [
        "no,white,black\n1,\"b4N\",b5B\n2,c3W,\n",
        "no;white;black\n1;\"b4N\";b5B\n2;c3W;\n",
        "no\twhite\tblack\n1\t\"b4N\"\tb5B\n2\tc3W\t\n",
    ];
    for first in sheets {
        for second in sheets {
            // An unclosed quote ends inside a cell.
            read("no,white,black\n1,\"b4N");
            assert_eq!(read(first), TWO_MOVES, "{first:?}");
            assert_eq!(read(second), TWO_MOVES, "{second:?} after {first:?}");
        }
    }
}

#[test]
fn cells_are_movetext_and_may_hold_commas() {
    let text = "no,white,black\n1,\"b3, WB-b5,NB!? (=)\",\"b8,BB-b7,BB {he wrote \"\"no\"\"} (b9,BB-b8,BB $2)\"\n2,1-0,\n";
    assert_eq!(
        read(text),
        "game | no 1 | <b3, WB-b5,NB!?> | draw? | <b8,BB-b7,BB> | {he wrote \"no\"} | ( | \
         <b9,BB-b8,BB> | $2 | ) | no 2 | = 1-0 | end"
    );
    // Damage ends with its cell.
    assert_eq!(
        read("no,white,black\n1,b4N {a,b5B (c5B\n2,[c3W],d5B\n"),
        "game | no 1 | <b4N> | !unclosed-comment 1 | <b5B> | ( | <c5B> | !unclosed-variation 1 | ) \
         | no 2 | {c3W} | !sheet-row 3 | <d5B> | end"
    );
}

#[test]
fn offsets_are_those_of_the_cells() {
    let text = "no,white,black\n1,\"b4, WB\",  b5B\n";
    let layout = SheetLayout::detect(text.as_bytes(), 10);
    let lines = script(|v| read_games(text.as_bytes(), 10, &layout, &Limits::default(), v));
    assert_eq!(
        lines,
        ["25 game", "25 no 1", "28 <b4, WB>", "38 <b5B>", "42 end"]
    );
}

#[test]
fn games_are_told_apart() {
    let game = |moves: &str| format!("game | {moves} | end");
    let both = [game("no 1 | <a> | <b> | no 2 | <c>"), game("no 1 | <d>")].join(" | ");
    for text in [
        "game,no,white,black\nx,1,a,b\nx,2,c,\ny,1,d,\n",
        // Stated once.
        "game,no,white,black\nx,1,a,b\n,2,c,\ny,1,d,\n",
        // Not stated, but the numbers begin again.
        "no,white,black\n1,a,b\n2,c,\n1,d,\n",
        "1,1,a,b\n1,2,c,\n2,1,d,\n",
    ] {
        assert_eq!(read(text), both, "reading {text:?}");
    }
    // A half-move a row is one game.
    assert_eq!(
        read("no,white,black\n1,a,\n1,,b\n2,c,\n2,,d\n"),
        "game | no 1 | <a> | no 1 | <b> | no 2 | <c> | no 2 | <d> | end"
    );
    // The same number under the same name, too.
    assert_eq!(
        read("game,no,white,black\nx,1,a,b\nx,1,c,d\n"),
        "game | no 1 | <a> | <b> | no 1 | <c> | <d> | end"
    );
}

#[test]
fn further_columns() {
    assert_eq!(
        read(
            "no,white,black,Event,white elo,whiteplayer,rules,clock,result,remark,fen\n\
             1,a,b,Cup,1800,\"O\"\"N, B\",meder,0:10,,,x w 1\n2,c,,Cup,,,,0:20,1-0,good,\n"
        ),
        "game | tag Event=Cup | tag WhiteElo=1800 | tag White=O\\\"N, B | tag Variant=meder | \
         tag FEN=x w 1 | tag SetUp=1 | no 1 | <a> | <b> | {Clock: 0:10} | no 2 | <c> | \
         {Clock: 0:20} | {good} | = 1-0 | end"
    );
    assert_eq!(
        read(
            "no,white,black,tags,result\n1,a,b,\"[A \"\"b\"\"] [C \"\"d\"\"\",won\n2,c,1-0,,0-1\n"
        ),
        "game | tag A=b | tag C=d | !tag-bracket 6 | no 1 | <a> | <b> | !bad-result 3 | no 2 | <c> | \
         !stray-result 3 | = 1-0 | end"
    );
}

/// What people and their spreadsheets write besides rows.
#[test]
fn sheets_as_people_write_them() {
    for (text, expected) in [
        // The delimiter on a line of its own.
        ("sep=;\nno;white;black\n1;b4N;b5B\n2;c3W;\n", TWO_MOVES),
        (
            "\"SEP=|\"\r\nno|white|black\r\n1|b4N|b5B\r\n2|c3W|\r\n",
            TWO_MOVES,
        ),
        ("\u{feff}sep=,\n1,b4N,b5B\n2,c3W,\n", TWO_MOVES),
        // Lines above the header.
        (
            "Club evening, 3 May;;\n\n\"Round 2\";;\nno;white;black\n1;b4N;b5B\n2;c3W;\n1;d4N;\n",
            "game | {Club evening, 3 May} | tag Round=2 | no 1 | <b4N> | <b5B> | no 2 | <c3W> | end | \
             game | no 1 | <d4N> | end",
        ),
        // A row with another delimiter.
        ("no;white;black\n1,b4N,b5B\n2;c3W;\n", TWO_MOVES),
        ("1\tb4N\tb5B\n2;c3W;\n", TWO_MOVES),
        // A game in each row.
        (
            "White,Black,Result,Moves\nA,B,1-0,1. b4N b5B 2. c3W\n,C,,\"1. d4N resigns {a, b}\"\n",
            "game | tag White=A | tag Black=B | no 1. | <b4N> | <b5B> | no 2. | <c3W> | = 1-0 | end | \
             game | tag Black=C | no 1. | <d4N> | {resigns} | {a, b} | = 1-0 | end",
        ),
        (
            "No;Wei\u{df};Schwarz;Z\u{fc}ge;Ergebnis\n1;A;B;b4N 0-1;1-0\n2;C;D;;\n",
            "game | tag White=A | tag Black=B | <b4N> | !stray-result 3 | = 0-1 | end | \
             game | tag White=C | tag Black=D | end",
        ),
        // A half-move in each row.
        (
            "ply,move\n1,b4N\n2,b5B\n3,c3W\n1,d4N\n",
            "game | no 1 | <b4N> | no 2 (half-move 3) | <b5B> | no 3 (half-move 4) | <c3W> | end | \
             game | no 1 | <d4N> | end",
        ),
        (
            "Move;Ply;Comment;Game\nb4N;0;;a\nb5B;1;why;a\n;2;;a\nd4N;0;;b\n",
            "game | no 0 (half-move 2) | <b4N> | no 1 (half-move 3) | <b5B> | {why} | no 2 | end | \
             game | no 0 (half-move 2) | <d4N> | end",
        ),
        ("ply,move\nx,b4N\n", "game | !sheet-row 1 | <b4N> | end"),
        // Empty cells keep their column.
        (
            ",no,,white,black\n,1,,b4N,b5B\n,2,,,d5B\n",
            "game | no 1 | <b4N> | <b5B> | no 2 | !sheet-row 3 | <d5B> | end",
        ),
    ] {
        assert_eq!(read(text), expected, "reading {text:?}");
    }
}

#[test]
fn damaged_rows_are_reported_once_and_the_next_is_read() {
    let head = "no,white,black\n";
    for (text, expected) in [
        (
            "1,\"a,b\n2,c,d\n3,e,f\n",
            "game | !sheet-quote 6 | no 2 | <c> | <d> | no 3 | <e> | <f> | end",
        ),
        (
            "1,a,b\n2,\"c,d\n3,\"e\",f\n",
            "game | no 1 | <a> | <b> | !sheet-quote 6 | no 3 | <e> | <f> | end",
        ),
        (
            "1,a,b\n2,\"c,d",
            "game | no 1 | <a> | <b> | !sheet-quote 6 | end",
        ),
        // A line end in a cell is valid.
        (
            "1,\"a {two\nlines}\",b\n",
            "game | no 1 | <a> | {two\\nlines} | <b> | end",
        ),
        (
            "1,a,b\n2,,d\n3,e,f\n",
            "game | no 1 | <a> | <b> | no 2 | !sheet-row 1 | <d> | no 3 | <e> | <f> | end",
        ),
        (
            "1,,b\n2,c,d\n",
            "game | no 1 | <b> | no 2 | <c> | <d> | end",
        ),
        ("1,\"a", "!sheet-quote 4"),
    ] {
        assert_eq!(read(&format!("{head}{text}")), expected, "reading {text:?}");
    }
}

#[test]
fn a_layout_is_recognised() {
    for (text, is_sheet) in [
        ("no,white,black\n", true),
        ("1;b4N;b5B\n", true),
        ("1,b4N\n", true),
        ("1. b4N b5B\n", false),
        ("b3,WB-b5,NB b8,BB-b7,BB\n", false),
        ("{a,b}\n", false),
        ("", false),
        // The moves are not named.
        ("game,no,white\n1,1,b4N\n", true),
        ("White, Anna\nBlack, Bert\n1. b4N\n", false),
        ("sep=;\nno;white;black\n", true),
        ("White,Black,Moves\n", true),
        ("ply,move\n", true),
        ("moves, more\n", false),
    ] {
        assert_eq!(looks_like_sheet(text.as_bytes()), is_sheet, "{text:?}");
    }
}

#[test]
fn a_header_that_does_not_name_the_moves_is_found() {
    for (text, lacks_moves) in [
        ("game,no,white\n1,1,b4N\n", true),
        ("Club\nno,white,black\n1,b4N,b5B\n", false),
        ("sep=;\nno;white;black", false),
        ("ply,move\n1,b4N\n", false),
        ("Nr;Zug von Anna;Zug von Bert\n1;b4N;b5B\n", true),
        ("no,weisser,schwarzer", true),
        ("no,white,black\n", false),
        ("1,b4N,b5B\n", false),
        ("b4N,b5B\n", false),
        ("O-O,O-O-O\n", false),
        ("anna,bert\n", false),
        ("no\n", false),
        ("", false),
    ] {
        assert_eq!(lacks_moves_of(text.as_bytes()), lacks_moves, "{text:?}");
    }
}

fn csv_text() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        b",",
        b",",
        b"\"",
        b"\"\"",
        b"\n",
        b"\r\n",
        b"\r",
        b"a",
        b"b4",
        b" ",
        b"1",
        b"2,",
        b"\n3,",
        b"1-0",
        b"\"x\"",
        b":",
        b"{",
        b"\xff",
        b"\"a,b\"",
        b"\"a\nb\"",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(cases(3_000))]

    /// Undamaged rows are those that the csv crate reads; blanks alone are an empty cell.
    #[test]
    fn rows_are_those_of_the_csv_crate(text in csv_text()) {
        let mut rows = Rows::new(&text, b',');
        let mut ours: Vec<Vec<Vec<u8>>> = Vec::new();
        while let Some(row) = rows.next_row() {
            if row.damage.is_some() {
                return Ok(());
            }
            let is_empty_line = text[row.start..row.end].iter().all(|b| lex::is_newline(*b));
            if !is_empty_line {
                let mut cells = vec![Vec::new(); row.columns];
                for cell in rows.cells(&row) {
                    cells[cell.column] = cell.text.to_vec();
                }
                ours.push(cells);
            }
        }
        let text_of = |cell: &[u8]| {
            let is_blank = cell.trim_ascii().is_empty();
            if is_blank { Vec::new() } else { cell.to_vec() }
        };
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_slice());
        let theirs: Vec<Vec<Vec<u8>>> = reader
            .byte_records()
            .map(|record| record.unwrap().iter().map(text_of).collect())
            .collect();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn any_bytes_are_a_sheet(text in csv_text()) {
        let layout = SheetLayout::detect(&text, 0);
        let lines = script(|v| read_games(&text, 0, &layout, &Limits::new(50, 50, 3), v));
        let mut in_game = false;
        for line in &lines {
            match crate::testing::event(line) {
                "game" => {
                    prop_assert!(!in_game);
                    in_game = true;
                }
                "end" => in_game = false,
                event => prop_assert!(in_game || event.starts_with('!'), "{}", event),
            }
        }
    }
}

/// Reading takes no time for columns of the header that a row does not have.
#[test]
fn thousands_of_columns_cost_nothing_where_rows_are_short() {
    let mut text = String::from("game,no,white,black");
    for i in 0..15_000 {
        text.push_str(&format!(",{i}"));
    }
    text.push_str(",white,FEN\n");
    for i in 0..60_000 {
        text.push_str(&format!("{},{},a\n", i / 30_000, i % 30_000 + 1));
    }
    let since = std::time::Instant::now();
    let layout = SheetLayout::detect(text.as_bytes(), 0);
    let mut moves = Moves(0);
    read_games(text.as_bytes(), 0, &layout, &Limits::default(), &mut moves);
    assert_eq!(moves.0, 60_000);
    assert!(since.elapsed().as_secs() < 3, "{:?}", since.elapsed());
}

struct Moves(usize);

impl crate::Visitor for Moves {
    fn move_token(&mut self, _token: &[u8], _at: u64, _id: crate::TokenId) {
        self.0 += 1;
    }
}
