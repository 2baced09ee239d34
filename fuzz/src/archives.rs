//! Files of games: split anyhow they are the same, and what is replayed is legal.

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::sync::Arc;
use tridex_archive::batch::Batch;
use tridex_archive::line_index::{LineColumn, LineIndex};
use tridex_archive::sheet::SheetLayout;
use tridex_archive::split::Splitter;
use tridex_archive::write::{JsonHead, TableStyle};
use tridex_archive::{
    Container, Damage, Game, GameResult, Interner, Item, Limits, TokenId, Visitor, decode, game,
    ndjson, pgn, sheet, write,
};
use tridex_notation::Notation;
use tridex_replay::GameRow;
use tridex_replay::finding::{Code, Finding, Severity, Status};
use tridex_replay::reconcile::reconcile;
use tridex_replay::{
    Converter, Options, OutputStyle, Played, Replay, RulesChoice, Sink, each, read, repair_game,
    replay,
};

/// Games of one input that are replayed.
const GAMES: usize = 20;

/// The batches of a text.
fn batches(text: &[u8], container: Container, limits: &Limits, bytes: usize) -> Vec<Arc<Batch>> {
    Splitter::with_batch_bytes(text, container, limits.clone(), bytes)
        .map(|batch| batch.expect("reading a slice never fails"))
        .collect()
}

/// The tokens of a record that are reconciled. The search takes longer with each.
const TOKENS: usize = 60;

/// The first two or three games of the file are reconciled: the game is legal, explains every token once, has the moves that it
/// reports when it is read again, and does not depend on the order of the records.
///
/// # Panics
/// If one of these is not so.
pub fn reconciled(data: &[u8]) {
    let container = Container::detect(None, data);
    let limits = Limits::new(64 << 10, 16 << 10, 60);
    let batches = batches(data, container, &limits, 1 << 20);
    let games: Vec<Game<'_>> = batches
        .iter()
        .flat_map(|batch| batch.all_games())
        .take(3)
        .collect();
    if games.iter().any(|game| game.main_events().count() > TOKENS) {
        return;
    }
    let records: Vec<&Game<'_>> = games.iter().collect();
    let turned: Vec<&Game<'_>> = games.iter().rev().collect();
    let (found, turned) = (
        reconcile(&records, &Options::default()),
        reconcile(&turned, &Options::default()),
    );
    let (Ok(found), Ok(turned)) = (&found, &turned) else {
        assert_eq!(found.is_ok(), turned.is_ok(), "one order is refused");
        return;
    };
    assert_eq!(
        found.moves(),
        turned.moves(),
        "the order makes a difference"
    );
    let mut position = found.start().clone();
    for mv in found.moves() {
        assert!(position.is_legal(*mv));
        position.play_unchecked(*mv);
    }
    for (record, game) in games.iter().enumerate() {
        let plies = found
            .plies()
            .iter()
            .filter_map(|ply| ply.records[record].index);
        let rest = found
            .superfluous()
            .iter()
            .filter(|token| token.record == record);
        let mut tokens: Vec<usize> = plies.chain(rest.map(|token| token.index)).collect();
        tokens.sort_unstable();
        let all: Vec<usize> = (0..game.main_events().count()).collect();
        assert_eq!(tokens, all, "a token is lost");
    }
    assert_eq!(
        found.replay().moves(),
        found.moves(),
        "the game is read otherwise"
    );
}

/// Every game of the file is replayed, with default and with strict options and under every rule system: nothing panics,
/// every move read is legal, and status, findings and final position agree. A game says the
/// same from its bytes and from its record. A game that can be replayed has the same moves when it is converted to another notation, written and read.
///
/// # Panics
/// If one of these is not so.
pub fn replay_all(data: &[u8]) {
    let container = Container::detect(None, data);
    let limits = Limits::new(64 << 10, 16 << 10, 60);
    for batch in batches(data, container, &limits, 1 << 20) {
        let games = batch.all_games();
        assert_eq!(
            games.len(),
            batch.games() as usize,
            "the batch knows its games"
        );
        let options = Options::default();
        let mut careful = Vec::new();
        for game in games.iter().take(GAMES) {
            let report = examined(game, &options, &batch);
            let strict = options.strict(true);
            let stern = examined(game, &strict, &batch);
            if stern.status() != Status::Invalid {
                assert_eq!(
                    stern.moves(),
                    report.moves(),
                    "strict reading reads what lenient does"
                );
                assert_ne!(
                    report.status(),
                    Status::Invalid,
                    "lenient reading forgives more"
                );
            }
            let any = options.rules(RulesChoice::Any);
            examined(game, &any, &batch);
            crosses(game, &options, &report);
            repaired(&game.to_owned_game(), &options, &batch);
            careful.push((game.at, game.events().len(), report));
        }
        same_from_bytes(&batch, &options, &careful);
    }
}

/// Replays a game and checks what is said of it.
fn examined(game: &Game<'_>, options: &Options, batch: &Batch) -> Replay {
    let mut report = replay(game, options);
    check(game, &mut report, batch);
    report
}

fn check(game: &Game<'_>, report: &mut Replay, batch: &Batch) {
    let mut position = report.start().clone();
    for m in report.moves() {
        assert!(
            position.is_legal(*m),
            "a move that was read is legal: {m:?} in {position:?}"
        );
        position.play_unchecked(*m);
    }
    assert_eq!(
        &position,
        report.last(),
        "the last position is the one the moves lead to"
    );
    assert_eq!(position.rules(), report.rules());
    assert_eq!(
        report.status(),
        Status::of(report.findings()),
        "{:?}",
        report.findings()
    );
    let tokens = game.main_line().count();
    let errors = report
        .findings()
        .iter()
        .filter(|d| d.severity == Severity::Error);
    let is_recorded = |found: &Finding| found.code != Code::NotRecorded;
    if errors.count() == 0 && report.findings().iter().all(is_recorded) {
        assert_eq!(
            report.moves().len(),
            tokens,
            "a game without errors, all of it recorded, is read to its end"
        );
        if let Some(outcome) = report.last().outcome() {
            assert_eq!(report.outcome(), Some(outcome));
        }
    }
    report.place(&mut batch.line_index());
    for found in report.findings() {
        assert!(!found.message.is_empty());
        assert!(
            (found.line, found.column) >= (batch.first_place.line, 1),
            "{found:?}"
        );
        assert!(found.ply as usize <= tokens, "{found:?}");
    }
    let at = |found: &Finding| (found.at, found.code);
    assert!(
        report.findings().is_sorted_by_key(at),
        "findings come in order of place: {:?}",
        report.findings()
    );
    let mut json = Vec::new();
    tridex_text::json::write_line(&mut json, &GameRow::new("-", 1, 1, report))
        .expect("writing to memory never fails");
    assert_eq!(json.iter().position(|b| *b == b'\n'), Some(json.len() - 1));
}

/// A game as text of every container, and the games that are read from it.
fn written(game: &Game<'_>) -> [(Vec<u8>, Vec<Game<'static>>); 3] {
    let limits = Limits::default();
    let never = "writing to memory never fails";
    let mut archive = Vec::new();
    write::pgn(game, &mut archive).expect(never);
    let from_archive = game::collect(|v| pgn::read_games(&archive, 0, &limits, v));
    let mut line = Vec::new();
    write::ndjson(game, &JsonHead::default(), &mut line).expect(never);
    let from_line = game::collect(|v| ndjson::read_games(&line, 0, &limits, v));
    let (style, mut rows) = (TableStyle::default(), Vec::new());
    write::sheet_heading(style, &mut rows).expect(never);
    write::sheet(1, game, style, &mut rows).expect(never);
    let layout = SheetLayout::detect(&rows, 0);
    let from_rows = game::collect(|v| sheet::read_games(&rows, 0, &layout, &limits, v));
    [
        (archive, from_archive),
        (line, from_line),
        (rows, from_rows),
    ]
}

/// The result, the letters and digits before the first move, and everything from there on.
///
/// A container without lines may store an escape line as a comment. Everything that belongs to a move, and comes before
/// the first one, is written as comments.
fn contents(game: &Game<'_>) -> (GameResult, String, Vec<String>) {
    let is_move = |item: &Item<_>| matches!(item, Item::Move(_));
    let before = game.items().take_while(|item| !is_move(item));
    let before = before.map(|item| match item {
        Item::Comment(text) | Item::LineComment(text) | Item::Word(text) => text.into_owned(),
        Item::Escape(text) => text.into_owned(),
        Item::Nag(code) => code.to_string(),
        _ => String::new(),
    });
    let before: String = before.collect();
    let before = before.chars().filter(|c| c.is_alphanumeric()).collect();
    let items = game.items().skip_while(|item| !is_move(item));
    let items = items.map(|item| match item {
        Item::Escape(text) => format!("comment %{text}"),
        Item::Comment(text) | Item::LineComment(text) => format!("comment {text}"),
        Item::Move(text) => format!("move {text}"),
        other => format!("{other:?}"),
    });
    let result = game.result.unwrap_or(GameResult::Unknown);
    (result, before, items.collect())
}

/// The tags that say something, with the names under which they are written.
fn tags(game: &Game<'_>) -> BTreeSet<(String, String)> {
    let mut tags: Vec<(String, String)> = game
        .tags()
        .map(|(name, value)| (name.into_owned(), value.trim().to_owned()))
        .collect();
    for (place, name) in write::second_names(game.written_tags().map(|tag| tag.name)) {
        tags[place].0 = name;
    }
    // The name as PGN can have it.
    let pgn_name = |name: String| {
        let mut out = Vec::new();
        write::push_tag(&name, "", &mut out);
        let out = decode(&out).into_owned();
        out.trim_start_matches('[')
            .split(' ')
            .next()
            .map(str::to_owned)
    };
    let tags = tags.into_iter().filter(|(_, value)| !value.is_empty());
    tags.filter_map(|(name, value)| Some((pgn_name(name)?, value)))
        .collect()
}

/// The game in every notation of its family, written to a file of every container and read again, is one game with the same
/// tags, comments, result and moves.
fn crosses(game: &Game<'_>, options: &Options, report: &Replay) {
    for notation in Notation::ALL {
        let converted = match Converter::to_games(OutputStyle::of(notation)).convert(game, options)
        {
            Ok(converted) => converted,
            Err(_) => {
                assert_ne!(notation.family(), report.start().family());
                continue;
            }
        };
        // What could not be read whole is written so, and is no whole game to who reads it.
        let is_whole = |found: &Finding| found.code != Code::NotRecorded;
        let is_whole = report.status() != Status::Invalid && report.findings().iter().all(is_whole);
        for (text, games) in written(&converted) {
            let shown = || String::from_utf8_lossy(&text).into_owned();
            assert_eq!(games.len(), 1, "one game is written as one: {}", shown());
            let Some(again) = games.first() else {
                continue;
            };
            assert_eq!(contents(again), contents(&converted), "{}", shown());
            let (found, expected) = (tags(again), tags(&converted));
            assert!(
                found.is_superset(&expected),
                "{found:?} {expected:?} {}",
                shown()
            );
            if !is_whole {
                continue;
            }
            let back = replay(again, &Options::default());
            assert_eq!(
                back.moves(),
                report.moves(),
                "{:?}: {}",
                back.findings(),
                shown()
            );
            assert_eq!(back.rules(), report.rules(), "{}", shown());
            assert_ne!(
                back.status(),
                Status::Invalid,
                "{:?}: {}",
                back.findings(),
                shown()
            );
        }
    }
}

/// A record without numbers: where these say that a line stands there twice, moves are left out.
fn repaired(game: &Game<'_>, options: &Options, batch: &Batch) {
    let report = replay(game, options);
    let Some((mended, mut after)) = repair_game(game, report.findings(), options) else {
        return;
    };
    check(&mended, &mut after, batch);
    assert!(
        after.moves().len() >= report.moves().len(),
        "a repair loses no move"
    );
}

/// Read from the bytes of the batch, with steps and without, a game is the same as from the record.
fn same_from_bytes(batch: &Batch, options: &Options, kept: &[(u64, usize, Replay)]) {
    let mut bare = Vec::new();
    each(batch, options, |played| {
        bare.push((
            played.at(),
            played.game().events().len(),
            played.to_replay(),
        ));
    });
    let mut full = Full::default();
    read(batch, options, &mut full);
    assert_eq!(
        bare.len(),
        batch.games() as usize,
        "every game is heard of once"
    );
    assert_eq!(full.0.len(), bare.len());
    for ((at, events, one), (_, other)) in bare.iter().zip(&full.0) {
        same(one, other);
        let Some((_, parts, kept)) = kept.iter().find(|(kept, ..)| kept == at) else {
            continue;
        };
        if one
            .findings()
            .iter()
            .any(|found| found.code == Code::Truncated)
        {
            // A record does not know that its source ends with it, so that its last word may be completed there: at
            // most one move more, and all before it is the same.
            assert_eq!(one.start(), kept.start());
            assert!(
                kept.moves().starts_with(one.moves()),
                "moves before the cut"
            );
            assert!(
                kept.moves().len() <= one.moves().len() + 1,
                "one word was cut"
            );
        } else if events == parts {
            same(one, kept);
        } else {
            same_but_for_numbers(one, kept);
        }
    }
}

#[derive(Default)]
struct Full(Vec<(u64, Replay)>);

impl Sink for Full {
    const STEPS: bool = true;

    fn game(&mut self, game: &Played<'_>) {
        self.0.push((game.at(), game.to_replay()));
    }
}

/// What is said of a slip that is looked for in vain when there are too many to be tried.
const NOT_ALL_TRIED: &str = " (not every slip that would explain it could be tried)";

/// Where several words of a record are one move, its numbers are those of the words, and nothing is said of them. Where
/// numbers say that all moves are there, more slips are supposed, and more of them may be too many to be tried.
fn same_but_for_numbers(one: &Replay, kept: &Replay) {
    let [one_found, kept_found] = [one, kept].map(|replay| {
        let mut found = replay.findings().to_vec();
        found.retain(|found| found.code != Code::MoveNumber);
        for found in &mut found {
            found.message = found.message.replace(NOT_ALL_TRIED, "");
        }
        found
    });
    assert_eq!(Status::of(&one_found), Status::of(&kept_found));
    same_moves(one, kept);
    same_messages(&one_found, &kept_found);
}

fn same(one: &Replay, other: &Replay) {
    assert_eq!(one.status(), other.status());
    same_moves(one, other);
    same_messages(one.findings(), other.findings());
}

fn same_moves(one: &Replay, other: &Replay) {
    assert_eq!(one.moves(), other.moves());
    assert_eq!(one.last(), other.last());
    assert_eq!(one.start(), other.start());
    assert_eq!(one.style(), other.style());
    assert_eq!(one.result(), other.result());
    assert_eq!(one.outcome(), other.outcome());
}

fn same_messages(one: &[Finding], other: &[Finding]) {
    let messages = |found: &[Finding]| -> Vec<String> {
        found.iter().map(|found| found.message.clone()).collect()
    };
    assert_eq!(messages(one), messages(other));
}

/// Whatever the size of batches and however the bytes trickle in, a text tells the same events, and batches know their
/// offsets, places and numbers of games. It is read as every kind of file, with ordinary and with small limits.
///
/// # Panics
/// If one of these is not so.
pub fn split_alike(data: &[u8]) {
    let containers = [
        Container::Pgn,
        Container::Movetext,
        Container::Csv,
        Container::Ndjson,
        Container::Json,
    ];
    let detected = Container::detect(None, data);
    assert!(containers.contains(&detected));
    for container in containers {
        for limits in [Limits::default(), Limits::new(90, 40, 2)] {
            let whole = told(data, container, &limits, usize::MAX >> 1, data.len().max(1));
            // Batches of one byte are looked at anew for each byte of a game.
            let smallest = if data.len() < 500 { 1 } else { 100 };
            for (bytes, at_once) in [(smallest, 1), (16, 5), (300, 1000)] {
                let parts = told(data, container, &limits, bytes, at_once);
                if parts != whole {
                    let differs = parts.iter().zip(&whole).position(|(a, b)| a != b);
                    let n = differs.unwrap_or(parts.len().min(whole.len()));
                    panic!(
                        "{container:?} in batches of {bytes}: event {n} is {:?}, as a whole {:?} ({limits:?})",
                        parts.get(n),
                        whole.get(n)
                    );
                }
            }
        }
    }
}

/// Gives out a few bytes at a time.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

/// What a text tells, read in batches of so many bytes.
fn told(
    text: &[u8],
    container: Container,
    limits: &Limits,
    bytes: usize,
    at_once: usize,
) -> Vec<String> {
    let mut teller = Teller::default();
    let (mut game, mut next) = (1, 0);
    let mut line_index = LineIndex::new(text, 0, LineColumn { line: 1, column: 1 });
    let reader = BufReader::new(Trickle(text, at_once));
    // No larger than the text, so that the whole is one batch without memory for more.
    let bytes = bytes.min(text.len() + 1);
    for batch in Splitter::with_batch_bytes(reader, container, limits.clone(), bytes) {
        let batch = batch.expect("reading a slice never fails");
        let before = teller.games;
        batch.read(&mut Interner::default(), &mut teller);
        let how = || format!("{container:?} in batches of {bytes}, {limits:?}");
        assert_eq!(
            u64::from(batch.games()),
            teller.games - before,
            "games of a batch, {}",
            how()
        );
        assert_eq!(
            batch.first_game.get(),
            game,
            "number of the first game, {}",
            how()
        );
        assert!(batch.base_offset >= next, "batches do not overlap");
        let at = usize::try_from(batch.base_offset).expect("inside the text");
        assert!(text[at..].starts_with(&batch.bytes), "bytes at {at}");
        if !text.starts_with(b"\xEF\xBB\xBF") {
            assert_eq!(
                batch.first_place,
                line_index.place(batch.base_offset),
                "place of {at}, {}",
                how()
            );
        }
        game += u64::from(batch.games());
        next = batch.base_offset + batch.bytes.len() as u64;
    }
    assert!(next <= text.len() as u64);
    without_open_ends(teller.events)
}

/// The events, without the places at the end of a game whose rest is left out: how much of that rest there is depends
/// on the batch.
fn without_open_ends(events: Vec<String>) -> Vec<String> {
    let mut open = false;
    let mut out = Vec::with_capacity(events.len());
    for event in events {
        let what = event.split_once(' ').map_or("", |(_, what)| what);
        open |= what.starts_with("damage too-long") || what.starts_with("damage unclosed-comment");
        let over = what == "over";
        out.push(if open && matches!(what, "over" | "VariationEnd") {
            what.to_owned()
        } else {
            event
        });
        open &= !over;
    }
    out
}

/// Writes down every event.
#[derive(Default)]
struct Teller {
    events: Vec<String>,
    games: u64,
    open: bool,
    depth: usize,
}

impl Teller {
    fn tell(&mut self, at: u64, what: String) {
        self.events.push(format!("{at} {what}"));
    }
}

impl Visitor for Teller {
    fn begin_game(&mut self, at: u64) {
        assert!(!self.open, "a game begins after the last is over");
        self.open = true;
        self.games += 1;
        self.tell(at, "game".to_owned());
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        self.tell(at, format!("tag {}={}", decode(name), decode(raw_value)));
    }

    fn move_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        self.tell(at, format!("number {} {half_moves}", decode(text)));
    }

    fn move_token(&mut self, token: &[u8], at: u64, _id: TokenId) {
        assert!(self.open && !token.is_empty());
        self.tell(at, format!("move {}", decode(token)));
    }

    fn item(&mut self, item: Item<&[u8]>, at: u64) {
        match item {
            Item::VariationStart => self.depth += 1,
            Item::VariationEnd => {
                assert!(self.depth > 0, "variations are balanced");
                self.depth -= 1;
            }
            _ => {}
        }
        self.tell(at, format!("{:?}", item.map(|text| decode(text))));
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.tell(at, format!("result {result}"));
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.tell(at, format!("damage {} {len}", damage.code()));
    }

    fn end_game(&mut self, at: u64) {
        assert!(
            self.open && self.depth == 0,
            "a game that ends has begun and is balanced"
        );
        self.open = false;
        self.tell(at, "over".to_owned());
    }
}
