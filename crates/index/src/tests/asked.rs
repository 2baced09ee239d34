//! Searches of people, besides the law: names as they are spelled, positions from the other chair, marks, new names of
//! openings.

use super::{add, small, total};
use crate::query::symmetry::Symmetry;
use crate::testing::{Dice, random_game};
use crate::*;
use std::path::Path;
use tridex_archive::Item;
use tridex_rules::{Position, RuleSystem, Setup};

fn game(number: u32, moves: &str) -> GameEntry {
    let rules = RuleSystem::Meder;
    GameEntry::new(number, rules, read_moves(rules, moves).unwrap())
}

/// The numbers of the games that match a query.
fn numbers(root: &Path, query: &Query) -> Vec<u32> {
    let index = GameIndex::open(root).unwrap();
    let found = index.search(query, &SearchOptions::default()).unwrap();
    let number = |hit: &Hit| index.summary(hit.id).unwrap().number;
    found.hits.iter().map(number).collect()
}

#[test]
fn names_are_found_by_initials_and_however_umlauts_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "Müller, Jörg",
        "Mueller, Joerg",
        "Muller, J.",
        "Kirk, James T.",
        "Kirk, George",
        "Samuel, Joe",
        "Kjær, Søren",
    ];
    let mut games = Vec::new();
    for (number, name) in (1..).zip(names) {
        let mut game = game(number, "b4N");
        game.tags.push(("White".to_owned(), name.to_owned()));
        game.notes.push(Annotation::Moves(1));
        game.notes
            .push(Annotation::Item(Item::Comment("he does well".to_owned())));
        games.push(game);
    }
    add(folder.path(), &small(), "a", &games);
    let found = |text: &str| numbers(folder.path(), &Query::text(TextField::Player, text));
    for spelled in ["Müller", "mueller", "MU\u{308}LLER", "muller", "muell*"] {
        assert_eq!(found(spelled), [1, 2, 3], "{spelled}");
    }
    assert_eq!(found("Mueller Jörg"), [1, 2]);
    assert_eq!(found("=Mueller, Joerg"), [1, 2]);
    assert_eq!(found("=Müller, Jörg"), [1, 2]);
    assert_eq!(found("J. Müller"), [1, 2, 3]);
    assert_eq!(found("J. Kirk"), [4]);
    assert_eq!(found("J T Kirk"), [4]);
    assert_eq!(found("g kirk"), [5]);
    // Who is not sure of a name means its initial too.
    assert_eq!(found("muller jorg~"), [1, 2, 3]);
    assert_eq!(found("samuel"), [6]);
    assert_eq!(found("kjaer soeren"), [7]);
    let phrase = Query::Text(TextField::White, Words::phrase("mueller joerg"));
    assert_eq!(numbers(folder.path(), &phrase), [1, 2]);
    // Comments are no names.
    assert_eq!(total(folder.path(), "text:dos"), 0);
    assert_eq!(total(folder.path(), "text:does"), 7);
    assert_eq!(total(folder.path(), "text:d"), 0);
}

#[test]
fn judgements_and_draw_offers_come_back_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let moves = |text| read_moves(RuleSystem::Meder, text).unwrap();
    let (main, other) = (moves("b4N b5B c3W a6N"), moves("b4N a6N")[1]);
    let of = |number, marks: [Option<Item<String>>; 3]| {
        let mut builder = GameEntryBuilder::default();
        let mut marks = marks.into_iter();
        let mut mark = |builder: &mut GameEntryBuilder| {
            if let Some(mark) = marks.next().flatten() {
                builder.note(mark);
            }
        };
        for (ply, m) in (1..).zip(&main) {
            builder.play("", Some(*m));
            if ply <= 2 {
                mark(&mut builder);
            }
            if ply == 2 {
                builder.note(Item::VariationStart);
                builder.play("", Some(other));
                mark(&mut builder);
                builder.note(Item::VariationEnd);
            }
        }
        builder.finish(number, RuleSystem::Meder)
    };
    let marks = [Item::Nag(1), Item::DrawOffer, Item::Nag(146)];
    let games = [of(1, [None, None, None]), of(2, marks.map(Some))];
    add(folder.path(), &small(), "a", &games);
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
    let index = GameIndex::open(folder.path()).unwrap();
    let kept: Vec<_> = index.ids().map(|id| index.game(id).unwrap()).collect();
    assert_eq!([&kept[0].entry, &kept[1].entry], [&games[0], &games[1]]);
    assert_ne!(kept[0].id, kept[1].id);
    // What changed is noticed.
    let mut changed = games.clone();
    changed[1]
        .notes
        .retain(|note| *note != Annotation::Item(Item::Nag(146)));
    assert_eq!(add(folder.path(), &small(), "a", &changed).updated, 1);
}

#[test]
fn positions_are_found_from_the_other_chair_and_in_the_mirror() {
    let folder = tempfile::tempdir().unwrap();
    let rules = RuleSystem::Meder;
    let mut games = vec![game(1, "b4N b5B c3W a6N"), game(2, "a3W b5B b4N")];
    games.push(GameEntry::new(
        3,
        rules,
        random_game(rules, 200, &mut Dice::new(21)),
    ));
    add(folder.path(), &small(), "a", &games);
    let asked = |setup: &Setup, mirrored, swapped| {
        let query = PositionQuery::new(setup.clone(), PositionMatch::Exact).unwrap();
        numbers(folder.path(), &query.or_seen(mirrored, swapped))
    };
    let after = |game: &GameEntry, plies: usize| {
        let mut position = Position::start(rules);
        let moves = game.moves.iter().take(plies);
        for m in moves {
            position.play_unchecked(*m);
        }
        position.to_setup()
    };
    let here = after(&games[1], 3);
    let there = Symmetry::Swap.setup(&here, rules).unwrap();
    assert_eq!(asked(&here, false, false), [2]);
    assert_eq!(asked(&there, false, false), Vec::<u32>::new());
    assert_eq!(asked(&here, false, true), [2]);
    assert_eq!(asked(&there, false, true), [2]);
    // Where someone may still castle there is no mirror image.
    assert_eq!(Symmetry::Mirror.setup(&here, rules), None);
    assert_eq!(asked(&here, true, false), [2]);
    let last = after(&games[2], usize::MAX);
    let image = Symmetry::Mirror.setup(&last, rules).unwrap();
    assert_eq!(asked(&image, false, false), Vec::<u32>::new());
    assert_eq!(asked(&image, true, false), [3]);
    let far = Symmetry::Swap.setup(&image, rules).unwrap();
    assert_eq!(asked(&far, true, false), Vec::<u32>::new());
    assert_eq!(asked(&far, false, true), Vec::<u32>::new());
    assert_eq!(asked(&far, true, true), [3]);
}

/// A level of the cube has as many squares as the stair board, and is not the whole board for that.
#[test]
fn bounds_on_a_level_of_the_cube_find_the_games_without_replay_too() {
    let folder = tempfile::tempdir().unwrap();
    for rules in [RuleSystem::Chess3, RuleSystem::Millennium] {
        let game = |number| GameEntry::new(number, rules, random_game(rules, 6, &mut Dice::new(1)));
        add(folder.path(), &small(), rules.name(), &[game(1)]);
    }
    // Each with what it is counted of at the start: of 32 pieces 16 are on the levels 1 and 3.
    for (what, at_start) in [("N", 2), ("P", 8), ("K", 1), ("A", 16), ("*", 16)] {
        for bound in ["=0", "<1", "<=0", "!=1"] {
            for place in ["2", "3"] {
                let query = format!("pattern:\"ply 0 and {what}@{place}{bound}\"");
                let is_met = match (what, place) {
                    ("*", "3") => bound == "!=1",
                    _ => true,
                };
                let expected = if is_met { 2 } else { 0 };
                assert_eq!(total(folder.path(), &query), expected, "{query}");
                let sequence =
                    format!("sequence:\"pattern(ply 0 and {what}@{place}{bound}) then move\"");
                assert_eq!(total(folder.path(), &sequence), expected, "{sequence}");
                let index = GameIndex::open(folder.path()).unwrap();
                let filter = Query::parse(&query).unwrap();
                let statistics = index.statistics(&filter).unwrap();
                assert_eq!(
                    statistics.iter().map(|s| s.total.games).sum::<u64>(),
                    expected
                );
                let start = Position::start(RuleSystem::Chess3);
                let table = index.openings(&start, &filter).unwrap();
                assert_eq!(table.total.games, expected / 2, "{query}");
            }
        }
        let query = format!("pattern:\"ply 0 and {what}@1={at_start}\"");
        assert_eq!(total(folder.path(), &query), 2, "{query}");
    }
}

/// Under the manual's rules White's boards hang below and Black's are above: from the other side Q1v is Q6.
#[test]
fn from_the_other_side_pins_are_turned_where_the_rules_turn_them() {
    let folder = tempfile::tempdir().unwrap();
    for rules in RuleSystem::ALL {
        add(
            folder.path(),
            &small(),
            rules.name(),
            &[GameEntry::new(1, *rules, Vec::new())],
        );
    }
    let start = "black to move and ply 0";
    for (text, systems) in [
        ("pattern:\"QL@Q1v and ql@Q6", "manual"),
        (
            "pattern:\"QL@QL1v and KL@KL1v and ql@QL6 and kl@KL6",
            "manual",
        ),
        ("pattern:\"R@z0QL1v and *@Q1v=4 and _@Q1v=0", "manual"),
        ("pattern:\"r@z9QL6 and *@Q6>=4", "meder manual federation"),
        ("pattern:\"QL@Q1v and ql@Q6v", ""),
        ("pattern:\"QL@Q1 and ql@Q6v", ""),
        ("pattern:\"QL@Q1 and ql@Q6", "meder federation"),
        // The manual's numbers: under rules without lower pins both mean the upper.
        ("pattern:\"QL@QP1 and ql@QP12", "meder manual federation"),
        ("pattern:\"QL@QP2 and ql@QP11", "meder federation"),
    ] {
        for rules in RuleSystem::ALL {
            let query = format!("{text} and {start}\" swapped:yes rules:{}", rules.name());
            let expected = u64::from(systems.split(' ').any(|name| name == rules.name()));
            assert_eq!(total(folder.path(), &query), expected, "{query}");
            let mirrored = format!("{query} mirrored:yes");
            assert_eq!(total(folder.path(), &mirrored), expected, "{mirrored}");
        }
    }
    let found = |query: &str| total(folder.path(), query);
    assert_eq!(found("layout:\"QL@Q1v KL@K1v ql@Q6 kl@K6\" swapped:yes"), 1);
    assert_eq!(found("layout:\"QL@Q1 KL@K1 ql@Q6v kl@K6v\" swapped:yes"), 0);
}

/// A move of a board on its pins, in words and as it is written.
#[test]
fn moves_of_boards_are_found_from_the_other_side() {
    let folder = tempfile::tempdir().unwrap();
    let rules = RuleSystem::Manual;
    let (mut games, mut dice) = (Vec::new(), Dice::new(4));
    let mut moved = Vec::new();
    for number in 1..=20 {
        let moves = random_game(rules, 60, &mut dice);
        let mut position = Position::start(rules);
        for m in &moves {
            if let (tridex_rules::Move::Board { board, to, .. }, Some(layout)) =
                (m, position.layout())
            {
                moved.push((number, *board, layout.pin(*board), *to));
            }
            position.play_unchecked(*m);
        }
        games.push(GameEntry::new(number, rules, moves));
    }
    add(folder.path(), &small(), "a", &games);
    assert!(moved.len() > 20);
    for (_, board, from, to) in &moved {
        // The other player's board, and the pins as that player counts them.
        let other = tridex_geometry::stair::AttackBoard::of(!board.is_white(), board.wing());
        let pin = |pin: &tridex_geometry::stair::Pin| {
            let number = 13 - pin.manual_number();
            let side = if pin.wing() == tridex_geometry::Wing::King {
                "KP"
            } else {
                "QP"
            };
            format!("{side}{number}")
        };
        let text = format!(
            "{} from {} to {}",
            tridex_notation::names::manual_board(other),
            pin(from),
            pin(to)
        );
        let is_it = |m: &&(u32, _, _, _)| (m.1, m.2, m.3) == (*board, *from, *to);
        let expected: std::collections::BTreeSet<u32> =
            moved.iter().filter(is_it).map(|m| m.0).collect();
        let sequence = Sequence::parse(&text).unwrap().seen(Symmetry::Swap);
        let found = numbers(folder.path(), &Query::Sequence(sequence));
        assert!(found.iter().eq(&expected), "{text}: {found:?} {expected:?}");
    }
}

/// A balance that lasts, as a sequence does, has the moves that lead to a variation too, and its place is in the line that has it.
#[test]
fn what_leads_to_a_variation_belongs_to_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let (main, other) = ("b4N b5B c3W a6N", "b4N b5B c3W c6B a3W");
    let moves = |text| read_moves(RuleSystem::Meder, text).unwrap();
    let mut varied = game(1, main);
    varied.variations.push(Variation {
        parent: None,
        ply: 3,
        moves: moves(other).split_off(3),
    });
    varied.notes = {
        let mut builder = GameEntryBuilder::default();
        moves(main)[..4]
            .iter()
            .for_each(|m| builder.play("", Some(*m)));
        builder.note(Item::VariationStart);
        moves(other)[3..]
            .iter()
            .for_each(|m| builder.play("", Some(*m)));
        builder.note(Item::VariationEnd);
        moves(main)[4..]
            .iter()
            .for_each(|m| builder.play("", Some(*m)));
        builder.finish(1, RuleSystem::Meder).notes
    };
    add(folder.path(), &small(), "a", &[varied]);
    let index = GameIndex::open(folder.path()).unwrap();
    let hit = |text: &str| {
        let found = index
            .search(&Query::parse(text).unwrap(), &SearchOptions::default())
            .unwrap();
        let hit = found.hits.first()?.clone();
        let row = HitRow::new(&hit, index.summary(hit.id).unwrap());
        Some((hit.ply, hit.variation, hit.line, row.variation, row.steps))
    };
    let all = "KQR*B*N*P*:KQR*B*N*P*";
    // The main line has 5 positions, the line of the variation 6, of which 2 are its own.
    let lasting = |plies| format!("material:\"{all}\" lasting:{plies}");
    assert_eq!(
        hit(&format!("{} variations:yes", lasting(5))),
        Some((Some(0), None, None, false, vec![]))
    );
    assert_eq!(hit(&lasting(6)), None);
    assert_eq!(
        hit(&format!("{} variations:yes", lasting(6))),
        Some((Some(0), None, Some(0), true, vec![]))
    );
    assert_eq!(hit(&format!("{} variations:yes", lasting(7))), None);
    let sequence = "sequence:\"P to c3W then P to c6B then pattern(N@c2W=0 and P@a3W)\"";
    assert_eq!(hit(sequence), None);
    assert_eq!(
        hit(&format!("{sequence} variations:yes")),
        Some((Some(3), None, Some(0), true, vec![3, 4, 5]))
    );
}

#[test]
fn openings_get_the_names_of_a_new_book() {
    let folder = tempfile::tempdir().unwrap();
    let with = |text: &str| {
        let (book, errors) = OpeningBook::from_csv(text.as_bytes());
        assert_eq!(errors, []);
        IndexOptions {
            book: Some(book.into()),
            ..small()
        }
    };
    let mut games: Vec<GameEntry> = (1..=60).map(|n| game(n, "b4N b5B c3W")).collect();
    games.extend((61..=70).map(|n| game(n, "a3W")));
    games[3]
        .notes
        .extend([Annotation::Moves(1), Annotation::Item(Item::Nag(3))]);
    add(folder.path(), &with("Pawn,b4N\n"), "a", &games);
    let rename = |options: IndexOptions| {
        let mut writer = Writer::open(folder.path(), options).unwrap();
        let mut looked_at = 0;
        let progress = |games| {
            looked_at = games;
            true
        };
        writer.name_openings(progress).unwrap();
        assert_eq!(looked_at, 70);
        writer.finish().unwrap()
    };
    let options = with("Pawn,b4N\nReply,b4N b5B\n");
    let done = rename(options.clone());
    assert_eq!((done.updated, done.games), (60, 70));
    assert_eq!(total(folder.path(), "opening:reply"), 60);
    assert_eq!(total(folder.path(), "opening:pawn"), 0);
    assert_eq!(rename(options.clone()).updated, 0);
    // They are the same games of the same source as before.
    let again = add(folder.path(), &options, "a", &games);
    assert_eq!((again.unchanged, again.games), (70, 70));
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
    assert_eq!(rename(with("")).updated, 60);
    assert_eq!(total(folder.path(), "opening:reply"), 0);
}

/// Equal hits stay in their order, and those of which the value is not known are last in both directions.
#[test]
fn hits_are_ordered_as_their_records_are() {
    let folder = tempfile::tempdir().unwrap();
    let games = super::entries(RuleSystem::Meder, 120, 30, 41);
    add(folder.path(), &small(), "a", &games);
    let index = GameIndex::open(folder.path()).unwrap();
    let query = Query::pattern(Pattern::parse("p<8").unwrap(), false, false);
    let query = Query::Or(vec![query, Query::Result(GameResult::White)]);
    for key in SortKey::ALL {
        let value = |hit: &Hit| {
            let game = index.summary(hit.id).unwrap();
            let tag = |name| {
                let text = game.tag(name)?;
                Some(tridex_text::names::fold(text) + "\0" + &text.to_lowercase())
            };
            let elo = |name| game.tag(name)?.parse::<u16>().ok();
            let number = |number: u16| format!("{number:05}");
            match key {
                SortKey::Date => {
                    let date = Date::parse(game.tag("Date")?).ok();
                    date.map(|date| date.to_string())
                }
                SortKey::WhiteElo => elo("WhiteElo").map(number),
                SortKey::BlackElo => elo("BlackElo").map(number),
                SortKey::Elo => Some(number(elo("WhiteElo")? + elo("BlackElo")?)),
                SortKey::Plies => Some(format!("{:05}", game.plies)),
                SortKey::Ply => hit.ply.map(|ply| format!("{ply:05}")),
                other => tag(other.name()),
            }
        };
        for reverse in [false, true] {
            let all = SearchOptions {
                sort: Some((key, reverse)),
                ..SearchOptions::default()
            };
            let found = index.search(&query, &all).unwrap();
            let known = found.hits.iter().filter(|hit| value(hit).is_some()).count();
            assert!(known > 20 && found.hits.len() > 40);
            assert!(found.hits[..known].iter().all(|hit| value(hit).is_some()));
            let in_order = |a: &Hit, b: &Hit| {
                let (first, second) = match reverse {
                    true => (value(b), value(a)),
                    false => (value(a), value(b)),
                };
                first < second || first == second && a.id < b.id
            };
            let (known, unknown) = found.hits.split_at(known);
            assert!(known.is_sorted_by(in_order), "{key:?} {reverse}");
            assert!(unknown.is_sorted_by_key(|hit| hit.id));
            let options = SearchOptions {
                offset: 7,
                limit: 9,
                ..all
            };
            let page = index.search(&query, &options).unwrap();
            assert_eq!(page.hits, found.hits[7..16]);
        }
    }
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let games = super::entries(RuleSystem::Meder, 120, 30, 41);
    let sampled = |root: &Path, options: SearchOptions| {
        let index = GameIndex::open(root).unwrap();
        let query = Query::parse("not result:1-0").unwrap();
        let found = index.search(&query, &options).unwrap();
        let ids = found.hits.iter().map(|hit| index.game(hit.id).unwrap().id);
        (found.total, ids.collect::<Vec<_>>())
    };
    let sample = |seed| SearchOptions::default().sample(Some((20, seed)));
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    add(one.path(), &small(), "a", &games);
    for (source, games) in ["b", "c"].into_iter().zip(games.chunks(70)).rev() {
        add(other.path(), &small(), source, games);
    }
    let (total, first) = sampled(one.path(), sample(1));
    assert_eq!((total, first.len()), (20, 20));
    let as_set = |ids: &[u64]| {
        ids.iter()
            .copied()
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (_, elsewhere) = sampled(other.path(), sample(1));
    assert_eq!(as_set(&elsewhere), as_set(&first));
    assert_ne!(as_set(&sampled(one.path(), sample(2)).1), as_set(&first));
    for key in SortKey::ALL {
        let (_, sorted) = sampled(one.path(), sample(1).sort(Some((key, true))));
        assert_eq!(as_set(&sorted), as_set(&first), "{key:?}");
        let page = sample(1).sort(Some((key, true))).offset(3).limit(5);
        assert_eq!(sampled(one.path(), page), (20, sorted[3..8].to_vec()));
    }
    assert_eq!(sampled(one.path(), sample(1).offset(18)).1, first[18..]);
    let all = sampled(one.path(), SearchOptions::default());
    let many = SearchOptions::default().sample(Some((1_000, 1)));
    assert_eq!(sampled(one.path(), many), all);
    let none = SearchOptions::default().sample(Some((0, 1)));
    assert_eq!(sampled(one.path(), none), (0, vec![]));
}

#[test]
fn a_question_of_too_many_patterns_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    add(folder.path(), &small(), "a", &[game(1, "b4N")]);
    let index = GameIndex::open(folder.path()).unwrap();
    let part = Query::pattern(Pattern::parse("N@c6").unwrap(), false, false);
    let asked = |count| {
        let query = Query::Or(vec![part.clone(); count]);
        let found = index.search(&query, &SearchOptions::default());
        (
            found,
            index.openings(&Position::start(RuleSystem::Meder), &query),
        )
    };
    assert!(matches!(asked(MAX_REPLAYS), (Ok(_), Ok(_))));
    let (found, table) = asked(MAX_REPLAYS + 1);
    for message in [
        found.unwrap_err().to_string(),
        table.unwrap_err().to_string(),
    ] {
        assert!(
            message.contains("at most 16 patterns") && message.contains("has 17"),
            "{message}"
        );
    }
}

/// Who may read the files of the user may read the index, as far as the user lets them.
#[cfg(unix)]
#[test]
fn all_files_may_be_read_by_the_same_people() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    add(folder.path(), &small(), "a", &[game(1, "b4N")]);
    let plain = folder.path().join("plain");
    std::fs::write(&plain, b"").unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
    let usual = mode(&plain);
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), usual, "{}", path.display());
    }
}
