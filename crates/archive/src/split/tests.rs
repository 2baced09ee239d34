use std::io::{BufReader, Read};

use proptest::prelude::*;

use super::*;
use crate::line_index::LineIndex;
use crate::pgn::tests::random::nasty;
use crate::testing::{Script, cases, event, script};

/// Returns a few bytes at a time.
struct Trickle<'b>(&'b [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.by_ref().take(len as u64).read(buffer)
    }
}

/// The events of a text in batches of `batch_bytes` bytes. The properties of the batches are checked too.
fn in_batches(
    text: &[u8],
    container: Container,
    limits: &Limits,
    batch_bytes: usize,
    at_once: usize,
) -> Vec<String> {
    let mut heard = Script::default();
    let mut game = 1;
    let mut next = 0;
    let mut line_index = LineIndex::new(text, 0, LineColumn { line: 1, column: 1 });
    let reader = BufReader::new(Trickle(text, at_once));
    for batch in Splitter::with_batch_bytes(reader, container, limits.clone(), batch_bytes) {
        let batch = batch.unwrap();
        let before = heard.lines.len();
        heard.words.clear();
        batch.read(&mut Interner::default(), &mut heard);
        let games = heard.lines.get(before..).unwrap();
        let games = games.iter().filter(|line| event(line) == "game").count();
        assert_eq!(batch.games() as usize, games, "number of games");
        assert_eq!(batch.first_game.get(), game, "number of the first game");
        assert!(batch.base_offset >= next, "offset");
        let at = batch.base_offset;
        let slice = text.get(at as usize..).unwrap();
        assert!(slice.starts_with(&batch.bytes), "bytes at {at}");
        if !text.starts_with(pgn::BYTE_ORDER_MARK) {
            assert_eq!(batch.first_place, line_index.place(at), "place of {at}");
        }
        game += games as u64;
        next = at + batch.bytes.len() as u64;
    }
    heard.lines
}

/// The events, without the end of a game whose rest is skipped: the batch decides how much of that rest it has.
fn without_open_ends(lines: &[String]) -> Vec<&str> {
    let mut open = false;
    let mut out = Vec::new();
    for line in lines {
        let what = event(line);
        // Only a reader that knows the beginning and the end of a document reports this.
        if what.starts_with("!unclosed-array") {
            continue;
        }
        open |= what.starts_with("!too-long") || what.starts_with("!unclosed-comment");
        // Events missing at that point come with the end: the start of the moves, ends of variations.
        let end = open && ["end", ")"].contains(&what);
        out.push(if end { what } else { line });
        open &= what != "end";
    }
    out
}

/// For all sizes of batches and of reads. A read may end anywhere in the text, so every size is tested.
fn same_in_batches(
    text: &[u8],
    container: Container,
    limits: &Limits,
    whole: &[String],
    sizes: impl IntoIterator<Item = usize>,
) {
    for batch_bytes in sizes {
        let parts = in_batches(text, container, limits, batch_bytes, 1 + batch_bytes % 7);
        assert_eq!(
            without_open_ends(whole),
            without_open_ends(&parts),
            "batches of {batch_bytes} of {:?}",
            text.escape_ascii().to_string()
        );
    }
}

fn pgn_law(text: &[u8], limits: &Limits, sizes: impl IntoIterator<Item = usize>) {
    let whole = script(|v| pgn::read_games(text, 0, limits, v));
    same_in_batches(text, Container::Pgn, limits, &whole, sizes);
}

/// Archives with damage in a few places.
fn archive() -> impl Strategy<Value = Vec<u8>> {
    let games: &[&[u8]] = &[
        b"[Event \"a\"]\n[Site \"b\"]\n\n1. b4N b5B 2. c3W a6N 1-0\n\n",
        b"[Event \"a\"]\r\n\r\n1. b4N {c} b5B\r\n2. c3W ; [Event \"x\"]\r\na6N *\r\n\r\n",
        b"[Event \"a\"]\n\n1. b4,WB-b5,NB (1. c4,WB-c5,NB $1) b9,BB-b8,NB 0-1 {over}\n\n",
        b"[Event \"a\"]\n\n1. e4 e5 (1... c5 1-0\n\n",
        b"[Event \"a\"]\n\n1. e4 e5 1-0 1. d4 d5 0-1\n\n",
        b"[Event \"a\"]\n\n1. e4 e5\n\n2. d4\n\n1. c4\n\n",
        b"[Event \"a\"]\n\n1. e4 { never closed\n\n",
        b"[Event \"a\"]\n\n*\n\n",
        b"[Event \"a\"]\n[Event \"b\"]\n1. e4 ... etc.\n",
        b"1. e4 e5 2. d4 1/2-1/2\n",
        b"1. e4\n%x 1-0\n1... e5 *\n\n{of the next}\n",
        b"[Event \"a]\n[Site \"b\"]\n\n1. e4 \"e5\"\n[x y] 1-0\n",
        b"[Event \"a\"]\n\n1. b4N {[Event \"x\"]\n[Event \"y\"]\n} b5B {[%clk 0:1]} 2. c3W *\n",
    ];
    let game = prop_oneof![
        10 => prop::sample::select(games).prop_map(<[u8]>::to_vec),
        1 => nasty(),
    ];
    prop::collection::vec(game, 0..12).prop_map(|games| games.concat())
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn splitting_nasty_texts_changes_nothing(text in nasty(), size in 2_usize..200) {
        pgn_law(&text, &Limits::new(1000, 1000, 5), [1, size, 1 << 20]);
    }

    #[test]
    fn splitting_nasty_texts_changes_nothing_within_small_limits(text in nasty(), size in 2_usize..200) {
        pgn_law(&text, &Limits::new(50, 30, 2), [1, size, 1 << 20]);
    }

    #[test]
    fn splitting_archives_changes_nothing(
        text in archive(),
        size in 2_usize..200,
        max_game in 40_usize..400,
    ) {
        pgn_law(&text, &Limits::default(), [1, size, 1 << 20]);
        pgn_law(&text, &Limits::new(max_game, 30, 2), [1, size, 1 << 20]);
    }
}

#[test]
fn texts_that_once_were_read_differently() {
    for text in [
        &b"Event \"y\"][Event \"x\"]\0"[..],
        // The last line of a batch was a title, the whole line is not.
        b"x 1-0\n\n\" (Meder rules)e4",
        b"1. b4N 1-0\n\n!? (Meder rules)White: Anna  Black: Bert\n",
        b"[Event \"\n\\\"\"][Event \"x\"]",
        b"[Event \"\n1/2-1/2Event \"y\"][Event \"a\"]\n[Site \"b\"]\n\n1. b4N 1-0\n\n",
        b"[Event \"\n1-0\"]\xe2{",
        b"[Event \"\n\xe2}0-1\"]\xe2",
        b"[Event \"\n1-0\"]1.{",
        // A read ends in a comment, after a line that would end the comment if it were not closed.
        b"[Event \"a\"]\n\n1. b4N {[Event \"x\"]\n[Event \"y\"]\n} b5B {[%clk 0:1]} 2. c3W *\n",
        // Words whose meaning might depend on text after the game, or after its limit.
        b"[Event \"z\"]\n\n1. e4  1-0\n\nWe stopped here.\nep\"\xc2\xbd%\n\n\n[Event \"z\"]\n\n1. e4 ",
        b"[Event \"a\"]\n[Site \"b\"]\n\n1. b4N b5B 2. c3W a6N 1-0\n\n)\x0e *\n0-10-1 [EWhite: Anna  Black: Bert\n[Event \"x\"]",
        b"\n[Event \"z\"]\n\n1. e4  1-0\n\n12 July 2012\na\xdf1.[Event \"x\"]0,5-0,5 remis\n{[Event \"x\"]",
        b"[Site \"s\"]\n -  \n dis ch\xdf\t0-1 \" ...0-1 White: Anna  Black: Bert\n",
        b" resigns1.\n[Site \"s\"]\n\\\"\n[E QL6 z9QL6Q\r\nWhite: Anna\n\0 00 remis\n1 - 00,5-0,5 \n\nGame 3\n1. ",
        b"...... dis ch\n\n1.  1-0\n\n{n} ",
        // A line of words that is as long as a game may be.
        b"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"game\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"",
        // Too long at a blank of two bytes.
        b"{QL1-KL3[Event \"[E 1-0\n\n{n} [E[E[E\n(2...%Nc2Wb4, WB.\xc2\xa0{[%clk 1:0]}b4\n[Event \"x\"]",
        // Another game would follow the bracket after the result.
        b"\\\";1-0)e4[E[E",
        // A mark after a result, and a move on the same line.
        b".Anna (1850) - Bert (1900) 1-0\ne.p. (Meder rules)e4",
    ] {
        pgn_law(text, &Limits::default(), 1..100);
        for max_game in 30..60 {
            pgn_law(text, &Limits::new(max_game, 30, 2), 1..100);
        }
    }
}

#[test]
fn a_game_lost_among_blanks_ends_at_the_very_next_line() {
    // A line end among too many blanks still begins the line of a tag.
    let limits = Limits::new(40, 30, 2);
    for blanks in (64 << 10) + 35..(64 << 10) + 45 {
        let text = format!("e4{}[Event \"a\"]\n\nd4 *", "\n".repeat(blanks));
        pgn_law(text.as_bytes(), &limits, (blanks..blanks + 8).chain([1]));
    }
}

#[test]
fn comments_without_end_are_read_in_linear_time() {
    // Searching the `}` again for every `{` would take hours.
    let games = 40_000;
    let text = "[Event \"a\"]\n\n1. e4 { e5\n\n".repeat(games);
    let limits = Limits::default();
    let whole = script(|v| pgn::read_games(text.as_bytes(), 0, &limits, v));
    assert_eq!(
        whole.iter().filter(|line| event(line) == "game").count(),
        games
    );
    let found: u64 = Splitter::new(text.as_bytes(), Container::Pgn, limits)
        .map(|batch| u64::from(batch.unwrap().games()))
        .sum();
    assert_eq!(found, games as u64);
}

#[test]
fn a_stream_without_end_is_read_in_bounded_memory() {
    // Each of these would be one piece of text of 8 MiB.
    let limits = Limits::new(1 << 20, 1 << 17, 1000);
    for byte in *b"x{( \n\0[\";%1,\xe2" {
        for container in [
            Container::Pgn,
            Container::Csv,
            Container::Ndjson,
            Container::Json,
        ] {
            let start = &b"[Event \"a\"]\n\n1. e4 "[..];
            let end = &b"\n[Event \"b\"]\n\n1. e4 *\n"[..];
            let reader = start.chain(io::repeat(byte).take(8 << 20)).chain(end);
            let mut splitter = Splitter::new(BufReader::new(reader), container, limits.clone());
            let mut games = 0;
            while let Some(batch) = splitter.next() {
                let batch = batch.unwrap();
                games += batch.games();
                let held = batch.bytes.len().max(splitter.reader.text.capacity());
                assert!(
                    held < 6 << 20,
                    "{container:?} {}: {held}",
                    byte.escape_ascii()
                );
            }
            if container == Container::Pgn {
                assert!(games >= 2, "{}: {games}", byte.escape_ascii());
            }
        }
    }
}

/// The reports on games of a few bytes take hundreds of times as much memory as the games.
#[test]
fn a_batch_has_no_more_games_than_it_may() {
    const GAMES: usize = 5_000;
    for (container, head, game) in [
        (Container::Pgn, "", "[Event \"\"]\n\n*\n\n"),
        (Container::Ndjson, "", "x\n"),
        (Container::Json, "[", "{},\n"),
        (Container::Csv, "no,white,black\n", "1,b4N,b5B\n"),
    ] {
        let text = head.to_owned() + &game.repeat(GAMES);
        let limits = Limits::default();
        let whole = in_batches(text.as_bytes(), container, &limits, text.len(), text.len());
        let games = whole.iter().filter(|line| event(line) == "game").count();
        assert_eq!(games, GAMES, "{container:?}");
        let batches = Splitter::new(text.as_bytes(), container, limits);
        let most = batches.map(|batch| batch.unwrap().games()).max();
        // One that is open when the limit is reached is read to its end.
        assert!(most.is_some_and(|most| most <= BATCH_GAMES + 1), "{most:?}");
        let mut heard = Script::default();
        let limits = Limits::default();
        for batch in Splitter::new(text.as_bytes(), container, limits) {
            heard.words.clear();
            batch.unwrap().read(&mut Interner::default(), &mut heard);
        }
        assert_eq!(heard.lines.len(), whole.len());
    }
}

#[test]
fn an_error_comes_after_the_games_before_it() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    let text = &b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4 e5 2."[..];
    for batch_bytes in [1, 1000] {
        let mut splitter = Splitter::with_batch_bytes(
            BufReader::new(text.chain(Broken)),
            Container::Pgn,
            Limits::default(),
            batch_bytes,
        );
        let mut heard = Script::plain();
        let error = loop {
            match splitter.next().unwrap() {
                Ok(batch) => {
                    heard.words.clear();
                    batch.read(&mut Interner::default(), &mut heard);
                }
                Err(error) => break error,
            }
        };
        assert_eq!(error.to_string(), "broken");
        assert!(splitter.next().is_none());
        assert_eq!(
            heard.lines.join(" | "),
            "game | tag Event=a | no 1. | <e4> | = * | end | game | tag Event=b | \
             no 1. | <e4> | <e5> | no 2. | !cut-off 0 | end"
        );
    }
}

#[test]
fn long_sheets_say_the_same_in_batches() {
    // The layout is detected in the first 64 KiB; only after them reads may end anywhere.
    let mut sheet = String::from("no,white,black\n");
    for game in 0..2_000 {
        sheet.push_str("1,\"b4,WB-b5,NB {two\nlines}\",x\r\n2,c3W,\n");
        if game % 7 == 0 {
            sheet.push_str("3,\"broken,y\n4,u,v\n\n");
        }
    }
    let layout = sheet::SheetLayout::detect(sheet.as_bytes(), 0);
    for max_game in [1000, 60] {
        let limits = Limits::new(max_game, 100, 3);
        let whole = script(|v| sheet::read_games(sheet.as_bytes(), 0, &layout, &limits, v));
        assert!(whole.len() > 10_000);
        let sizes = [300, 4_001, 65_537, 65_551, 65_560, 65_570, 70_003];
        same_in_batches(sheet.as_bytes(), Container::Csv, &limits, &whole, sizes);
    }
}

#[test]
fn sheets_and_ndjson_say_the_same_in_batches() {
    let sheet = "game,no,white,black\n1,1,b4N,b5B\n,2,c3W,\n2,1,\"b4,WB-b5,NB\",x\n\n3,1,\"broken,y\n3,2,u,v\n";
    let layout = sheet::SheetLayout::detect(sheet.as_bytes(), 0);
    for max_game in [1000, 20] {
        let limits = Limits::new(max_game, 100, 3);
        let whole = script(|v| sheet::read_games(sheet.as_bytes(), 0, &layout, &limits, v));
        same_in_batches(sheet.as_bytes(), Container::Csv, &limits, &whole, 1..120);
    }
    let lines = "{\"moves\":[\"e4\"]}\n\nnot json\n{\"moves\":[\"e5\"],\"result\":\"1-0\"}\n{\"tags\":{\"a\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"}}\n{}";
    for max_game in [1000, 40, 5] {
        let limits = Limits::new(max_game, 100, 3);
        let whole = script(|v| ndjson::read_games(lines.as_bytes(), 0, &limits, v));
        same_in_batches(lines.as_bytes(), Container::Ndjson, &limits, &whole, 1..120);
        let document = lines.replace("}\n", "}\n,\n \n");
        let whole = script(|v| {
            let words = &mut Interner::default();
            ndjson::read_document(document.as_bytes(), 0, &limits, None, words, v);
        });
        same_in_batches(
            document.as_bytes(),
            Container::Json,
            &limits,
            &whole,
            1..120,
        );
    }
}

/// The events of a text that is cut at every boundary, with each piece read alone: with places and numbers of games.
fn in_pieces(
    text: &[u8],
    container: Container,
    limits: &Limits,
    batch_bytes: usize,
) -> Vec<String> {
    let mut splitter = Splitter::with_batch_bytes(text, container, limits.clone(), batch_bytes);
    let mut boundaries = vec![GameBoundary::START];
    while let Some(batch) = splitter.next() {
        batch.unwrap();
        boundaries.extend(splitter.boundary());
    }
    let head = text.get(..RESUME_HEAD).unwrap_or(text);
    let mut heard = Script::default();
    for (i, boundary) in boundaries.iter().enumerate() {
        let next = boundaries.get(i + 1).copied();
        let end = next.map_or(text.len(), |next| next.offset as usize);
        let piece = text.get(boundary.offset as usize..end).unwrap();
        let mut games = boundary.next_game;
        let mut place = boundary.place;
        for batch in Splitter::new(piece, container, limits.clone()).resume(head, *boundary) {
            let batch = batch.unwrap();
            assert_eq!(batch.first_game.get(), games, "number of the first game");
            assert!(batch.first_place >= place, "places go up");
            games += u64::from(batch.games());
            place = batch.first_place;
            heard.words.clear();
            batch.read(&mut Interner::default(), &mut heard);
        }
        if let Some(next) = next {
            assert_eq!(games, next.next_game, "number of the next game");
        }
    }
    heard.lines
}

fn same_in_pieces(text: &[u8], container: Container, limits: &Limits, whole: &[String]) {
    for batch_bytes in [1, 7, 60, 1 << 20] {
        let parts = in_pieces(text, container, limits, batch_bytes);
        assert_eq!(
            without_open_ends(whole),
            without_open_ends(&parts),
            "pieces of {batch_bytes} of {:?}",
            text.escape_ascii().to_string()
        );
    }
}

/// Documents with damage in a few places, some of them with blanks that reading after damage does not look across.
fn document() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        br#"{"moves":["e4"]}"#,
        br#"{"moves":["e4","e5"],"result":"1-0"}"#,
        b"{\n \"tags\": {\n  \"White\": \"a\"\n },\n \"moves\": \"1. e4\"\n}",
        br#"{"more":[{"a":1}, {"b":2}]}"#,
        b",",
        b",",
        b", ",
        b"\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"1",
        b"\\",
        b"\xc3\xa9",
        b"\xff",
        b"\n% {\n",
        &[b' '; 300],
        &[b'x'; 700],
    ];
    let weights: Vec<u32> = pieces
        .iter()
        .enumerate()
        .map(|(n, _)| if n < 7 { 4 } else { 1 })
        .collect();
    let piece = prop::strategy::Union::new_weighted(
        weights
            .into_iter()
            .zip(pieces.iter().map(|piece| Just(*piece)))
            .collect(),
    );
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn splitting_documents_changes_nothing(
        text in document(),
        size in 2_usize..400,
        max_game in 10_usize..400,
    ) {
        for limits in [Limits::default(), Limits::new(max_game, 30, 2)] {
            let whole = script(|v| {
                let words = &mut Interner::default();
                ndjson::read_document(&text, 0, &limits, None, words, v);
            });
            same_in_batches(&text, Container::Json, &limits, &whole, [1, size, 1 << 20]);
            same_in_pieces(&text, Container::Json, &limits, &whole);
        }
    }
}

proptest! {
    #![proptest_config(cases(700))]

    #[test]
    fn a_piece_is_read_as_it_is_within_the_whole(text in archive(), max_game in 40_usize..400) {
        for limits in [Limits::default(), Limits::new(max_game, 30, 2)] {
            let whole = script(|v| pgn::read_games(&text, 0, &limits, v));
            same_in_pieces(&text, Container::Pgn, &limits, &whole);
        }
    }

    #[test]
    fn a_piece_of_a_nasty_text_is_read_as_it_is_within_the_whole(text in nasty()) {
        for limits in [Limits::new(1000, 1000, 5), Limits::new(50, 30, 2)] {
            let whole = script(|v| pgn::read_games(&text, 0, &limits, v));
            same_in_pieces(&text, Container::Pgn, &limits, &whole);
        }
    }
}

#[test]
fn pieces_of_sheets_and_of_ndjson_say_what_the_whole_says() {
    let mut sheet = String::from("\u{feff}game;no;white;black;Event\n");
    for game in 0..3_000 {
        sheet.push_str(&format!(
            "{game};1;\"b4N {{two\nlines}}\";b5B;x\r\n;2;c3W;;\n"
        ));
        if game % 7 == 0 {
            sheet.push_str("x;3;\"broken;y\n\n");
        }
    }
    let rest = sheet.strip_prefix('\u{feff}').unwrap();
    let layout = sheet::SheetLayout::detect(rest.as_bytes(), 3);
    for max_game in [1000, 30] {
        let limits = Limits::new(max_game, 100, 3);
        let whole = script(|v| sheet::read_games(rest.as_bytes(), 3, &layout, &limits, v));
        let text = sheet.as_bytes();
        for batch_bytes in [1, 301, 70_000] {
            let parts = in_pieces(text, Container::Csv, &limits, batch_bytes);
            assert_eq!(without_open_ends(&whole), without_open_ends(&parts));
        }
    }
    let lines = "{\"moves\":[\"e4\"]}\n\nnot json\n{\"moves\":[\"e5\"],\"result\":\"1-0\"}\r\n{}\n{\"a\":0}";
    for max_game in [1000, 12] {
        let limits = Limits::new(max_game, 100, 3);
        let whole = script(|v| ndjson::read_games(lines.as_bytes(), 0, &limits, v));
        same_in_pieces(lines.as_bytes(), Container::Ndjson, &limits, &whole);
    }
}

#[test]
fn the_place_behind_a_seam_is_that_of_the_whole() {
    for line_end in ["\n", "\r\n", "\r"] {
        let game = "[Event \"a\"]\n\n1. b4N b5B *\n\n".replace('\n', line_end);
        let text = game.repeat(9);
        let mut line_index = LineIndex::new(text.as_bytes(), 0, LineColumn { line: 1, column: 1 });
        let mut splitter =
            Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, Limits::default(), 1);
        let mut boundaries = 0;
        while splitter.next().is_some() {
            if let Some(boundary) = splitter.boundary() {
                boundaries += 1;
                assert_eq!(
                    boundary.place,
                    line_index.place(boundary.offset),
                    "{line_end:?}"
                );
            }
        }
        assert!(boundaries >= 8, "{line_end:?}: {boundaries}");
    }
}

/// A quote that the end of a line closes is not open, for every end of a part of the sheet.
#[test]
fn a_sheet_with_broken_quotes_is_cut_as_it_is_read() {
    let head = "game,no,white,black,result\n1,1,Nc2W,N,c7B,\n1,2,QL2,\"b5N\",1-0\n";
    let limits = Limits::default();
    for rows in [
        "2,1,\"\"b\"\"\",\"nt \"y\"]\n} b5B {[%clk 0:1]} 2. d3W *\n\n[Event \"b\"]\n\n*\n",
        "2,1,\"QL2,\"b5N\",1-0\n2,1,\"QL2,\"b,N\",1-0\n2,1,\"a \"ob\"c\nd\",\n",
        "2,1,\"a \"ob\"c\nd\",\n3,1,b4N,b5B\n",
    ] {
        let text = [head, rows].concat();
        let text = text.as_bytes();
        let whole = in_batches(text, Container::Csv, &limits, text.len(), text.len());
        for size in [1, 40, 100] {
            let parts = in_batches(text, Container::Csv, &limits, size, text.len());
            assert_eq!(
                without_open_ends(&parts),
                without_open_ends(&whole),
                "{size}: {rows}"
            );
        }
    }
}

/// Sheets of every layout; some lack columns, have misplaced quotes, or an unclosed one.
fn sheet_text() -> impl Strategy<Value = Vec<u8>> {
    let heads: &[&str] = &[
        "game,no,white,black,result,event\n",
        "no,game,white,black,remark\r\n",
        "no,white,black\n",
        "white,black\n",
        "game,white,game,black,white clock\n",
        "",
    ];
    let cells: &[&str] = &[
        "",
        "",
        "",
        "b4N",
        "b5B",
        "1-0",
        "1",
        "2",
        "-",
        "x",
        "\"b4,WB-b5,NB\"",
        "\"x\"",
        "\"a \"\"b\"\"\"",
        "'=",
        "\"two\nlines\"",
        "\"open",
        "a\"b",
        "\"a\"b",
        "(c5N",
        "{c",
        "resigns",
    ];
    let line_ends: &[&str] = &["\n", "\n", "\n", "\r\n", "\r", "\n\n", ""];
    let row = (
        0..4_u8,
        0..5_u8,
        prop::collection::vec(prop::sample::select(cells), 0..5),
        prop::sample::select(line_ends),
        // Nearly all rows are valid.
        0..4_u8,
    );
    let row = row.prop_map(|(game, number, cells, end, kind)| match kind {
        0 => format!("{}{end}", cells.join(",")),
        1 => format!("{game},{number},{}{end}", cells.join(",")),
        _ => format!("{game},{number},b4N,\"b,5B\"\n"),
    });
    let rows = prop::collection::vec(row, 0..24);
    (prop::sample::select(heads), rows)
        .prop_map(|(head, rows)| (head.to_owned() + &rows.concat()).into_bytes())
}

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn splitting_sheets_changes_nothing(
        text in sheet_text(),
        size in 2_usize..300,
        max_game in 20_usize..200,
    ) {
        let layout = sheet::SheetLayout::detect(&text, 0);
        for limits in [Limits::default(), Limits::new(max_game, 30, 2)] {
            let whole = script(|v| sheet::read_games(&text, 0, &layout, &limits, v));
            let sizes = [1, size, 1 << 20];
            same_in_batches(&text, Container::Csv, &limits, &whole, sizes);
            same_in_pieces(&text, Container::Csv, &limits, &whole);
        }
    }
}

/// Only at the end of the source may a word be truncated.
#[test]
fn the_last_batch_and_no_other_ends_its_source() {
    let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(20);
    let last = |splitter: Splitter<&[u8]>| -> Vec<bool> {
        splitter.map(|batch| batch.unwrap().is_last).collect()
    };
    for size in [1, 64, text.len(), 1 << 20] {
        let splitter = || {
            let (text, limits) = (text.as_bytes(), Limits::default());
            Splitter::with_batch_bytes(text, Container::Pgn, limits, size)
        };
        let found = last(splitter());
        let (end, before) = found.split_last().unwrap();
        assert!(*end && !before.contains(&true), "{size}: {found:?}");
        let mut piece = splitter();
        piece.is_range = true;
        assert!(!last(piece).contains(&true), "{size}");
    }
}
