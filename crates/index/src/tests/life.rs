//! What was committed stays, what was not was never there, and nothing is there twice.

use super::{add, entries, small, total};
use crate::testing::{Dice, random_game};
use crate::*;
use tridex_archive::Item;
use tridex_rules::{Position, RuleSystem};

#[test]
fn the_same_again_adds_nothing_and_a_changed_source_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let mut games = entries(RuleSystem::Meder, 80, 40, 1);
    let first = add(folder.path(), &small(), "a.pgn", &games);
    assert_eq!((first.added, first.games), (80, 80));
    let before = GameIndex::open(folder.path()).unwrap();
    let again = add(folder.path(), &small(), "a.pgn", &games);
    assert_eq!(
        (again.added, again.updated, again.unchanged, again.games),
        (0, 0, 80, 80)
    );

    games[3]
        .tags
        .push(("Annotator".to_owned(), "Spock".to_owned()));
    games[70].moves.pop();
    games[70].notes.clear();
    games.truncate(75);
    games.push(entries(RuleSystem::Chess3, 1, 20, 9).remove(0));
    games[75].number = 76;
    let changed = add(folder.path(), &small(), "a.pgn", &games);
    assert_eq!(
        (
            changed.added,
            changed.updated,
            changed.unchanged,
            changed.removed
        ),
        (0, 3, 73, 4)
    );
    assert_eq!(changed.games, 76);
    let positions: usize = games.iter().map(|game| game.moves.len() + 1).sum();
    assert_eq!(changed.positions, positions as u64);
    let index = GameIndex::open(folder.path()).unwrap();
    assert_eq!(
        verify(folder.path(), |_| {}).unwrap(),
        Verification {
            games: 76,
            faults: vec![]
        }
    );
    for (id, entry) in index.ids().zip(0..).filter_map(|(id, _)| {
        let game = index.game(id).unwrap();
        let entry = games.iter().find(|e| e.number == game.entry.number)?;
        Some((game, entry))
    }) {
        assert_eq!(&id.entry, entry);
    }
    // Who had the index open still sees it as it was.
    assert_eq!(before.games(), 80);
    assert_eq!(
        before.ids().filter(|id| before.game(*id).is_ok()).count(),
        80
    );

    let mut writer = Writer::open(folder.path(), small()).unwrap();
    assert_eq!(writer.sources().unwrap(), ["a.pgn"]);
    assert_eq!(writer.remove_source("a.pgn").unwrap(), 76);
    assert_eq!(writer.finish().unwrap().games, 0);
    assert_eq!(total(folder.path(), ""), 0);
}

#[test]
fn what_was_not_committed_was_never_there_and_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let games = entries(RuleSystem::Manual, 200, 40, 2);
    let mut writer = Writer::open(folder.path(), small()).unwrap();
    writer.begin_source("a.pgn").unwrap();
    writer.add_all(&games[..130]).unwrap();
    // As a kill does, but for the files that are open.
    drop(writer);
    let stored = GameIndex::open(folder.path()).unwrap().games();
    assert!(stored > 0 && stored < 130, "{stored}");
    let rest = add(folder.path(), &small(), "a.pgn", &games);
    assert_eq!(
        (rest.unchanged, rest.added, rest.games),
        (stored, 200 - stored, 200)
    );
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
}

#[test]
fn leftovers_of_killed_writers_are_swept_away() {
    let folder = tempfile::tempdir().unwrap();
    let games = entries(RuleSystem::Meder, 50, 40, 3);
    add(folder.path(), &small(), "a.pgn", &games);
    let files = || {
        let files = std::fs::read_dir(folder.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let before = files();
    // As a kill does: what was not committed stays on the disk, and tantivy has noted that it made it.
    let mut writer = Writer::open(folder.path(), small()).unwrap();
    writer.begin_source("b.pgn").unwrap();
    writer
        .add_all(&entries(RuleSystem::Meder, 10, 40, 4))
        .unwrap();
    drop(writer);
    std::fs::write(folder.path().join(".tmpAbCdEf"), b"half").unwrap();
    assert_ne!(files(), before);
    assert_eq!(total(folder.path(), ""), 50);
    drop(Writer::open(folder.path(), small()).unwrap());
    assert_eq!(files(), before);
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
}

#[test]
fn there_is_one_writer_at_a_time_and_other_folders_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("index");
    assert!(matches!(
        GameIndex::open(&root),
        Err(IndexError::NotAnIndex(_))
    ));
    let writer = Writer::open(&root, small()).unwrap();
    assert!(matches!(
        Writer::open(&root, small()),
        Err(IndexError::Locked(_))
    ));
    assert_eq!(GameIndex::open(&root).unwrap().games(), 0);
    drop(writer);
    std::fs::write(folder.path().join("letter.txt"), b"dear").unwrap();
    assert!(matches!(
        Writer::open(folder.path(), small()),
        Err(IndexError::NotEmpty(_))
    ));
}

#[test]
fn several_indices_are_searched_as_one_and_can_be_made_one() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c) = (
        folder.path().join("a"),
        folder.path().join("b"),
        folder.path().join("c"),
    );
    let (one, two) = (
        entries(RuleSystem::Meder, 40, 30, 7),
        entries(RuleSystem::Meder, 30, 30, 8),
    );
    add(&a, &small(), "one.pgn", &one);
    add(&b, &small(), "two.pgn", &two);
    let open_both = || GameIndex::open_all(&[&a, &b]).unwrap();
    let both = open_both();
    let sources = MergeSource::from(open_both());
    let mut writer = Writer::open(&c, small()).unwrap();
    writer.merge_from(&sources, |_| true).unwrap();
    assert_eq!(writer.finish().unwrap().games, 70);
    let merged = GameIndex::open(&c).unwrap();
    assert_eq!(verify(&c, |_| {}).unwrap().faults, []);
    for text in [
        "player:kirk",
        "date:2001",
        "pattern:\"Q=0\"",
        "moves:\"\"",
        "-result:1-0",
    ] {
        let query = Query::parse(text).unwrap();
        let answer = |index: &GameIndex, options: &SearchOptions| {
            let hits = index.search(&query, options).unwrap();
            let mut games: Vec<_> = hits
                .hits
                .iter()
                .map(|hit| {
                    (
                        index.source(hit.id).unwrap(),
                        index.game(hit.id).unwrap().entry.number,
                        hit.ply,
                    )
                })
                .collect();
            games.sort();
            (hits.total, games)
        };
        let all = SearchOptions::default();
        assert_eq!(answer(&both, &all), answer(&merged, &all), "{text}");
        let page = SearchOptions {
            offset: 5,
            limit: 7,
            ..all
        };
        let (total, games) = answer(&both, &page);
        assert_eq!(games.len() as u64, total.saturating_sub(5).min(7), "{text}");
    }
    let start = Position::start(RuleSystem::Meder);
    let tables = [&both, &merged].map(|index| index.openings(&start, &Query::All).unwrap());
    assert_eq!(tables[0], tables[1]);
    // Merging again changes nothing.
    let mut writer = Writer::open(&c, small()).unwrap();
    writer.merge_from(&sources, |_| true).unwrap();
    let again = writer.finish().unwrap();
    assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 70));
}

#[test]
fn variations_and_own_starts_are_kept_and_found_if_wanted() {
    let mut dice = Dice::new(9);
    let rules = RuleSystem::Meder;
    let main = random_game(rules, 30, &mut dice);
    // A game that starts where another is after ten plies.
    let mut start = Position::start(rules);
    for m in main.iter().take(10) {
        start.play_unchecked(*m);
    }
    let mut late = GameEntry::new(2, rules, main[10..].to_vec());
    late.start = Some(start.to_setup());
    // A game with a variation that leaves at ply 4, and one that leaves that at ply 6.
    let branch = |from: &[tridex_rules::Move], plies: usize, dice: &mut Dice| {
        let mut position = Position::start(rules);
        for m in from.iter() {
            position.play_unchecked(*m);
        }
        let mut line = Vec::new();
        for _ in 0..plies {
            let mut legal = position.legal_moves();
            legal.sort_unstable();
            let m = legal[dice.roll(legal.len())];
            position.play_unchecked(m);
            line.push(m);
        }
        (line, position)
    };
    let (first, _) = branch(&main[..4], 5, &mut dice);
    let before: Vec<_> = main[..4].iter().chain(&first[..2]).copied().collect();
    let (second, wanted) = branch(&before, 4, &mut dice);
    let mut builder = GameEntryBuilder::default();
    let play = |builder: &mut GameEntryBuilder, moves: &[tridex_rules::Move]| {
        moves.iter().for_each(|m| builder.play("", Some(*m)));
    };
    builder.note(Item::Comment("so it begins".to_owned()));
    play(&mut builder, &main[..5]);
    builder.note(Item::VariationStart);
    play(&mut builder, &first[..3]);
    builder.note(Item::VariationStart);
    play(&mut builder, &second);
    builder.note(Item::VariationEnd);
    play(&mut builder, &first[3..]);
    builder.note(Item::VariationEnd);
    play(&mut builder, &main[5..]);
    let varied = builder.finish(1, rules);
    let lines = varied.variations.iter();
    let lines: Vec<_> = lines.map(|line| (line.parent, line.ply)).collect();
    assert_eq!(lines, [(None, 4), (Some(0), 6)]);
    let mut bad = varied.clone();
    bad.number = 3;
    bad.variations[0].parent = Some(1);
    // Notes that do not go through the lines.
    let mut unfit = varied.clone();
    unfit.number = 4;
    unfit.notes.pop();

    for variations in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let options = IndexOptions {
            variations,
            ..small()
        };
        let mut writer = Writer::open(folder.path(), options).unwrap();
        writer.begin_source("x").unwrap();
        let changes = writer
            .add_all(&[varied.clone(), late.clone(), bad.clone(), unfit.clone()])
            .unwrap();
        assert_eq!(
            changes,
            [
                Ok(SourceChange::Added),
                Ok(SourceChange::Added),
                Err(Rejection::Variation),
                Err(Rejection::Variation)
            ]
        );
        writer.end_source(Some(5));
        assert_eq!(writer.stamp("x"), Some(5));
        writer.finish().unwrap();
        let index = GameIndex::open(folder.path()).unwrap();
        assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
        let kept: Vec<_> = index
            .ids()
            .map(|id| index.game(id).unwrap().entry)
            .collect();
        assert_eq!(kept, [varied.clone(), late.clone()]);
        let query = Query::from(PositionQuery::of_position(&wanted, PositionMatch::Exact));
        let hits = index
            .search(&query, &SearchOptions::default())
            .unwrap()
            .hits;
        assert_eq!(hits.len(), usize::from(variations));
        if let Some(hit) = hits.first() {
            assert_eq!(
                (hit.id.game, hit.ply, hit.variation),
                (0, Some(10), Some(1))
            );
        }
        // Ply 10 of the one game is the start of the other.
        let query = Query::from(PositionQuery::of_position(&start, PositionMatch::Exact));
        let hits = index
            .search(&query, &SearchOptions::default())
            .unwrap()
            .hits;
        let plies: Vec<_> = hits.iter().map(|hit| hit.ply).collect();
        assert_eq!(plies, [Some(10), Some(0)]);
        let writer = Writer::open(folder.path(), IndexOptions::default()).unwrap();
        assert_eq!(writer.stamp("x"), Some(5));
    }
}

#[test]
fn games_are_named_after_their_deepest_opening() {
    let folder = tempfile::tempdir().unwrap();
    let (book, errors) =
        OpeningBook::from_csv("Pawn,b4N\nReply,b4N b5B\nJoined,c3W b5B b4N\n".as_bytes());
    assert_eq!(errors, []);
    let options = IndexOptions {
        book: Some(book.into()),
        ..small()
    };
    let game = |number, moves| {
        GameEntry::new(
            number,
            RuleSystem::Meder,
            read_moves(RuleSystem::Meder, moves).unwrap(),
        )
    };
    let games = [
        game(1, "b4N"),
        game(2, "b4N b5B a3W"),
        game(3, "b4N b5B c3W"),
        game(4, "a3W"),
    ];
    add(folder.path(), &options, "x", &games);
    let index = GameIndex::open(folder.path()).unwrap();
    let names: Vec<_> = index
        .ids()
        .map(|id| index.summary(id).unwrap().opening)
        .collect();
    let names: Vec<_> = names.iter().map(Option::as_deref).collect();
    assert_eq!(names, [Some("Pawn"), Some("Reply"), Some("Joined"), None]);
    assert_eq!(total(folder.path(), "opening:reply"), 1);
    assert_eq!(total(folder.path(), "moves:\"b4N b5B c3W\""), 1);
    assert_eq!(total(folder.path(), "moves:\"c3W b5B b4N\""), 1);
}

#[test]
fn too_long_games_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path(), small()).unwrap();
    let m = Position::start(RuleSystem::Meder).legal_moves()[0];
    let game = GameEntry::new(1, RuleSystem::Meder, vec![m; MAX_PLIES + 1]);
    writer.begin_source("x").unwrap();
    assert_eq!(writer.add_all(&[game]).unwrap(), [Err(Rejection::TooLong)]);
}

/// A reader sees a whole commit while another process writes, and later commits later.
#[test]
fn readers_see_whole_commits_while_a_writer_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    Writer::open(root, small()).unwrap().finish().unwrap();
    let games = entries(RuleSystem::Millennium, 400, 30, 12);
    let done = std::sync::atomic::AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let (games, done) = (&games, &done);
        scope.spawn(move || {
            let mut writer = Writer::open(root, small()).unwrap();
            writer.begin_source("a").unwrap();
            for games in games.chunks(10) {
                writer.add_all(games).unwrap();
                writer.commit().unwrap();
            }
            writer.finish().unwrap();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let mut seen = Vec::new();
        while !done.load(std::sync::atomic::Ordering::Relaxed) {
            let index = GameIndex::open(root).unwrap();
            let found = |text: &str| {
                let query = Query::parse(text).unwrap();
                index
                    .search(&query, &SearchOptions::default())
                    .unwrap()
                    .total
            };
            assert_eq!(index.damage(), []);
            let there = index.games();
            assert_eq!(there % 10, 0);
            assert_eq!((found(""), found("moves:\"\"")), (there, there));
            let start = Position::start(RuleSystem::Millennium);
            let table = index.openings(&start, &Query::All).unwrap();
            assert_eq!(table.total.games, there);
            let numbers = index.ids().map(|id| index.summary(id).unwrap().number);
            assert!(numbers.eq(1..=there as u32));
            seen.push(there);
        }
        seen
    });
    assert!(seen.is_sorted());
    assert_eq!(total(root, ""), 400);
    assert_eq!(verify(root, |_| {}).unwrap().faults, []);
}

/// What a writer has created is there from its first commit on.
#[test]
fn a_writer_without_a_commit_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = &folder.path().join("a/b");
    let is_there = || folder.path().join("a").exists();
    let games = entries(RuleSystem::Meder, 3, 20, 5);
    // Nothing, games in memory, and a segment that is written and not committed.
    for (games, commit_positions) in [(&games[..0], 1_000), (&games, 1_000), (&games[..1], 1)] {
        let options = IndexOptions {
            commit_positions,
            ..small()
        };
        let mut writer = Writer::open(root, options).unwrap();
        assert!(writer.is_new() && is_there());
        writer.begin_source("a").unwrap();
        writer.add_all(games).unwrap();
        assert!(writer.is_new());
        drop(writer);
        assert!(!is_there());
    }
    Writer::open(root, small()).unwrap().stop().unwrap();
    assert!(!is_there());
    // A folder that was there stays, empty as it was.
    std::fs::create_dir_all(root).unwrap();
    drop(Writer::open(root, small()).unwrap());
    assert_eq!(std::fs::read_dir(root).unwrap().count(), 0);
    // An index without games may be wanted.
    Writer::open(root, small()).unwrap().finish().unwrap();
    assert_eq!(total(root, ""), 0);
    let mut writer = Writer::open(root, small()).unwrap();
    assert!(!writer.is_new());
    writer.begin_source("a").unwrap();
    writer.add_all(&games).unwrap();
    drop(writer);
    assert_eq!(total(root, ""), 0);
}

#[test]
fn of_several_that_make_an_index_at_once_one_writes() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let root = &folder.path().join("new");
        let opened = std::thread::scope(|scope| {
            let open = |_| scope.spawn(move || Writer::open(root, small()));
            let all: Vec<_> = (0..4).map(open).collect();
            let all = all.into_iter().map(|thread| thread.join().unwrap());
            all.collect::<Vec<_>>()
        });
        let written = opened.iter().filter(|writer| writer.is_ok()).count();
        assert!(written >= 1);
        let others = opened.into_iter().filter_map(Result::err);
        assert!(
            others
                .into_iter()
                .all(|error| matches!(error, IndexError::Locked(_)))
        );
        assert_eq!(
            add(root, &small(), "a", &entries(RuleSystem::Manual, 3, 9, 1)).games,
            3
        );
    }
}
