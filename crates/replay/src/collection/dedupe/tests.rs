use super::*;
use crate::collection::generate::Recipe;
use proptest::prelude::*;
use tridex_archive::container::Container;
use tridex_archive::split::Splitter;
use tridex_archive::{Limits, write};
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// The groups of some sources as text, `same a1: b1 b2`, and the texts that remain.
fn groups_of(sources: &[(&str, &str)], choice: Choice) -> (Vec<String>, String) {
    let mut collector = Collector::new(choice, true).unwrap();
    for (name, text) in sources {
        let container = if text.starts_with('{') {
            Container::Ndjson
        } else {
            Container::Pgn
        };
        let name: Arc<str> = (*name).into();
        let batches = Splitter::with_batch_bytes(
            text.as_bytes(),
            container,
            Limits::default(),
            // Small, so that there are many.
            300,
        );
        for batch in batches {
            let (part, rest) =
                RecordBatch::read(&batch.unwrap(), &Options::default(), true, |_| ());
            assert!(rest.is_empty());
            collector.add(&name, &part).unwrap();
        }
    }
    let mut found = collector.finish().unwrap();
    let mut kept = Vec::new();
    found.write_remaining(&mut kept).unwrap();
    (spelled(&found), String::from_utf8(kept).unwrap())
}

fn spelled(found: &Duplicates) -> Vec<String> {
    let groups = found.groups().map(|group| {
        let name = |place: &RecordPlace| format!("{}{}", place.source, place.game);
        let others: Vec<String> = group.others().map(name).collect();
        assert_eq!(group.drop.is_empty(), !group.kind.is_dropped());
        assert_eq!(
            group.differs.contains(&"rules"),
            group.kind == DuplicateKind::OtherRules
        );
        assert_eq!(group.plies, group.keep.plies);
        format!(
            "{} {}: {}",
            group.kind.as_str(),
            name(&group.keep),
            others.join(" ")
        )
    });
    groups.collect()
}

fn written(recipe: Recipe, games: u64) -> String {
    let mut out = Vec::new();
    for index in 0..games {
        write::pgn(&recipe.game(index), &mut out).unwrap();
    }
    String::from_utf8(out).unwrap()
}

const PREFIX: Choice = Choice {
    keep: Keep::First,
    prefix: true,
    least_plies: 1,
    ignore_result: false,
    near: None,
    merge: false,
};

#[test]
fn one_game_in_other_notations_languages_containers_and_with_other_names_is_the_same() {
    let plain = Recipe::new(RuleSystem::Meder, 3);
    let manual = Recipe {
        notation: Notation::Manual,
        annotated: true,
        ..plain
    };
    let german = Recipe {
        locale: Locale::German,
        ..plain
    };
    let mut json = Vec::new();
    for index in [2, 1] {
        let mut game = plain.game(index);
        game.set_tag("White", "Somebody else");
        let start = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp \
                     w KQkq - - 0 1";
        let head = write::JsonHead {
            rules: "meder",
            notation: "meder",
            start,
            ..write::JsonHead::default()
        };
        write::ndjson(&game, &head, &mut json).unwrap();
    }
    let json = String::from_utf8(json).unwrap();
    let texts = [
        ("a", written(plain, 3)),
        ("b", written(manual, 3)),
        ("c", written(german, 3)),
        ("d", json),
    ];
    let sources = texts.each_ref().map(|(name, text)| (*name, text.as_str()));
    let (groups, kept) = groups_of(&sources, Choice::default());
    assert_eq!(
        groups,
        ["same a1: b1 c1", "same a2: b2 c2 d2", "same a3: b3 c3 d1",]
    );
    assert_eq!(kept, texts[0].1);
    let annotated = Choice {
        keep: Keep::Annotated,
        ..Choice::default()
    };
    let (groups, kept) = groups_of(&sources, annotated);
    assert_eq!(
        groups,
        ["same b1: a1 c1", "same b2: a2 c2 d2", "same b3: a3 c3 d1",]
    );
    assert_eq!(kept, texts[1].1);
}

#[test]
fn games_under_other_rules_are_other_games() {
    let cube = "[Variant \"millennium\"]\n\n1. 1e4 3e5 2. 1e4-1e5 *\n\n\
                [Variant \"chess3\"]\n\n1. 1E2-1E4 3E7-3E5 2. 1E4-1E5 1/2-1/2\n\n\
                [Variant \"chess3\"]\n\n1. 1E2-1E4 3E7-3E5 2. 1E4-1E5 1/2-1/2\n\n\
                [Variant \"chess3\"]\n\n1. 1E2-1E4 3E7-3E5 *\n\n";
    let found = ["other-rules a1: a2", "same a2: a3"];
    let (groups, kept) = groups_of(&[("a", cube)], Choice::default());
    assert_eq!(groups, found);
    assert_eq!(kept.matches("[Event").count(), 3);
    // A beginning has the same rules.
    let (groups, kept) = groups_of(&[("a", cube)], PREFIX);
    assert_eq!(groups, [found[0], found[1], "prefix a2: a4"]);
    assert_eq!(kept.matches("[Event").count(), 2);
    let stair = |rules: &str| {
        let variant = match rules {
            "" => String::new(),
            rules => format!("[Variant \"{rules}\"]\n"),
        };
        format!("{variant}[Notation \"manual\"]\n\n1. b3,WB-b4,NB b8,BB-b7,NB *\n\n")
    };
    let rows: [(&[&str], &[&str]); 6] = [
        // Meder's pieces start elsewhere.
        (&["manual", "federation", "meder"], &["other-rules a1: a2"]),
        (
            &["manual", "federation", "manual"],
            &["other-rules a1: a2", "same a1: a3"],
        ),
        // A record that states no rules has those of the others, in any order.
        (&["federation", ""], &["same a1: a2"]),
        (&["", "federation", "federation"], &["same a1: a2 a3"]),
        (&["", ""], &["same a1: a2"]),
        // If the others differ, it has those it was replayed under.
        (
            &["federation", "", "manual"],
            &["other-rules a1: a2", "same a2: a3"],
        ),
    ];
    for (rules, expected) in rows {
        let text: String = rules.iter().map(|rules| stair(rules)).collect();
        let (mut groups, _) = groups_of(&[("a", &text)], Choice::default());
        groups.sort();
        assert_eq!(groups, expected, "{rules:?}");
    }
}

#[test]
fn set_up_positions_are_told_apart_by_placement_and_side_to_move() {
    let game = |fen: &str, moves: &str| {
        format!("[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n")
    };
    let empty = "4/4/4/4|4/4/4/4|4/4/4/4";
    let one =
        |boards: &str, rest: &str| game(&format!("{empty}|{boards} w - - - {rest}"), "1. Kd1KL1");
    let text = [
        one("QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2", "0 1"),
        // Counters and castling are no part of what is played.
        one("QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2", "7 30"),
        // A board elsewhere, a piece elsewhere.
        one("QL@Q2:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2", "0 1"),
        one("QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:1k/2", "0 1"),
    ]
    .concat();
    let (groups, _) = groups_of(&[("a", &text)], Choice::default());
    assert_eq!(groups, ["same a1: a2"]);
}

#[test]
fn a_beginning_is_dropped_for_a_game_that_goes_on_from_it_and_is_no_beginning_itself() {
    let text = "[Variant \"meder\"]\n\n1. b4N b5B *\n\n\
                [Variant \"meder\"]\n\n1. b4N b5B 2. c3W *\n\n\
                [Variant \"meder\"]\n\n1. b4N b5B 2. c3W c6B {x} {y} *\n\n\
                [Variant \"meder\"]\n\n1. b4N b5B {again} *\n\n\
                [Variant \"meder\"]\n\n1. b4N b5B 2. a3W c6B 3. c3W {z} *\n\n\
                [Variant \"meder\"]\n\n1. b4N b5B 2. a3W c6B 3. c3W *\n\n\
                [Variant \"meder\"]\n\n1. a3W *\n\n\
                [Variant \"meder\"]\n\n*\n\n";
    let all = |keep, least_plies| {
        let choice = Choice {
            keep,
            least_plies,
            ..PREFIX
        };
        groups_of(&[("g", text)], choice).0
    };
    let first = ["prefix g3: g1 g2 g4", "same g5: g6"];
    assert_eq!(all(Keep::First, 1), first);
    let longest = ["prefix g3: g2", "same g5: g6", "prefix g5: g1 g4"];
    assert_eq!(all(Keep::Longest, 1), longest);
    assert_eq!(all(Keep::Annotated, 1), first);
    assert_eq!(all(Keep::First, 3), ["prefix g3: g2", "same g5: g6"]);
    // Without moves a game is the beginning of every other.
    assert_eq!(
        all(Keep::First, 0),
        ["prefix g3: g1 g2 g4 g8", "same g5: g6"]
    );
    let (same, _) = groups_of(&[("g", text)], Choice::default());
    assert_eq!(same, ["same g1: g4", "same g5: g6"]);
}

#[test]
fn games_without_moves_are_not_equal_unless_asked_for() {
    let text = "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1-0\n\n";
    assert!(groups_of(&[("a", text)], PREFIX).0.is_empty());
    let all = Choice {
        least_plies: 0,
        ..PREFIX
    };
    assert_eq!(groups_of(&[("a", text)], all).0, ["same a1: a2"]);
}

#[test]
fn what_cannot_be_read_is_compared_with_nothing_and_kept() {
    let broken = "[Variant \"meder\"]\n\n1. b4N Qe9 2. rubbish *\n\n";
    let good = "[Variant \"meder\"]\n\n1. b4N b5B 0-1\n\n";
    let text = [broken, good, broken, good].concat();
    let (groups, kept) = groups_of(&[("a", &text)], PREFIX);
    assert_eq!(groups, ["same a2: a4"]);
    assert_eq!(kept.matches("[Event").count(), 3);
    assert_eq!(kept.matches("1. b4N Qe9 2. rubbish *").count(), 2);
}

#[test]
fn a_result_that_contradicts_the_board_does_not_hide_a_game() {
    let mated = |result: &str| {
        let mut game = Recipe::new(RuleSystem::Meder, 1).game(0);
        assert_eq!(game.tag("Termination").as_deref(), Some("checkmate"));
        game.set_tag("Result", result);
        game.result = None;
        let mut out = Vec::new();
        write::pgn(&game, &mut out).unwrap();
        String::from_utf8(out)
            .unwrap()
            .replace("# *", &format!("# {result}"))
    };
    let text = [mated("1-0"), mated("0-1")].concat();
    let (groups, kept) = groups_of(&[("a", &text)], PREFIX);
    assert_eq!(groups, ["conflicting-result a1: a2"]);
    assert_eq!(kept.matches("[Event").count(), 2);
}

#[test]
fn records_whose_results_conflict_are_kept_unless_results_are_ignored() {
    let record = |moves: &str, result: &str| {
        format!("[Variant \"meder\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let (short, long) = ("1. b4N b5B", "1. b4N b5B 2. c3W");
    // The records of a collection, the groups, and how many records remain.
    for (records, expected, left) in [
        // Opposite results, and a draw; what is not known conflicts with nothing.
        (
            vec![(short, "1-0"), (short, "0-1")],
            "conflicting-result a1: a2",
            2,
        ),
        (
            vec![(short, "1-0"), (short, "1/2-1/2")],
            "conflicting-result a1: a2",
            2,
        ),
        (vec![(short, "1-0"), (short, "1-0")], "same a1: a2", 1),
        (vec![(short, "1-0"), (short, "*")], "same a1: a2", 1),
        (vec![(short, "*"), (short, "1-0")], "same a1: a2", 1),
        // One of each result is left.
        (
            vec![
                (short, "1-0"),
                (short, "0-1"),
                (short, "*"),
                (short, "0-1"),
                (short, "1-0"),
            ],
            "same a1: a3 a5, conflicting-result a1: a2, same a2: a4",
            2,
        ),
        // Where the first states no result, the others conflict with one another.
        (
            vec![(short, "*"), (short, "1-0"), (short, "0-1"), (short, "*")],
            "same a1: a4, conflicting-result a1: a2 a3",
            3,
        ),
        // The beginning of a game too.
        (
            vec![(short, "1-0"), (long, "0-1")],
            "conflicting-result a2: a1",
            2,
        ),
        (vec![(short, "*"), (long, "0-1")], "prefix a2: a1", 1),
        (
            vec![
                (short, "1-0"),
                (long, "0-1"),
                (short, "1-0"),
                (short, "0-1"),
            ],
            "prefix a2: a4, conflicting-result a2: a1, same a1: a3",
            2,
        ),
    ] {
        let text: String = records
            .iter()
            .map(|(moves, result)| record(moves, result))
            .collect();
        let (groups, kept) = groups_of(&[("a", &text)], PREFIX);
        // In the order of the retained records.
        let mut expected: Vec<&str> = expected.split(", ").collect();
        expected.sort_by_key(|group| group.split_whitespace().nth(1));
        assert_eq!(groups, expected, "{records:?}");
        assert_eq!(kept.matches("[Event").count(), left, "{records:?}");
        let ignored = Choice {
            ignore_result: true,
            ..PREFIX
        };
        let (groups, kept) = groups_of(&[("a", &text)], ignored);
        assert!(!groups.concat().contains("conflicting"), "{groups:?}");
        assert_eq!(kept.matches("[Event").count(), 1, "{records:?}");
    }
}

#[test]
fn records_with_slips_of_one_game_are_near() {
    let near = |most| Choice {
        near: Some(most),
        ..Choice::default()
    };
    for rules in RuleSystem::ALL {
        let games = written(Recipe::new(*rules, 41), 6);
        // The game stops before its last moves in one record, and breaks in the middle of another.
        let (head, movetext) = games.split_once("\n\n").unwrap();
        let movetext = movetext.split("\n\n").next().unwrap();
        let words: Vec<&str> = movetext.split_whitespace().collect();
        let shorter = words[..words.len() - 3].join(" ");
        let half = words.len() / 2;
        let broken = [&words[..half], &["Zz99"], &words[half + 1..]]
            .concat()
            .join(" ");
        let sheet = |moves: &str| format!("{head}\n\n{moves} *\n\n");
        let others = sheet(&shorter) + &sheet(&broken);
        let sources = [("a", games.as_str()), ("b", others.as_str())];
        let (groups, kept) = groups_of(&sources, near(3));
        let of_first: Vec<&String> = groups
            .iter()
            .filter(|group| group.starts_with("near a1"))
            .collect();
        assert_eq!(
            of_first,
            ["near a1: b1", "near a1: b2"],
            "{rules:?} {groups:?}"
        );
        assert!(
            !groups.iter().any(|group| group.starts_with("near a2")),
            "{groups:?}"
        );
        assert_eq!(kept.matches("[Event ").count(), 8);
    }
}

#[test]
fn the_annotations_of_duplicates_are_merged() {
    let text = "[White \"Anna\"]\n[Variant \"meder\"]\n\n1. b4N b5B {good} 2. c3W *\n\n\
                [White \"Anna\"]\n[Round \"7\"]\n[Variant \"meder\"]\n\n1. b4N {[%clk 0:10:00]} b5B {bad} 2. c3W 1-0\n";
    let choice = Choice {
        merge: true,
        ..Choice::default()
    };
    let (groups, written) = groups_of(&[("a", text)], choice);
    assert_eq!(groups, ["same a1: a2"]);
    for part in [
        "[Round \"7\"]",
        "[%clk 0:10:00]",
        "A: good",
        "B: bad",
        "1-0",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(written.matches("[White ").count(), 1, "{written}");
    // Without the option, only what the retained record has remains.
    let (_, written) = groups_of(&[("a", text)], Choice::default());
    assert!(
        written.contains("{good}") && !written.contains("bad"),
        "{written}"
    );
}

/// What was played, how much is annotated, the result, and the rules, if they are stated.
type Compared = (Vec<u8>, u32, GameResult, Option<RuleSystem>);

/// The rules under which a record is replayed that states none.
const ASSUMED: RuleSystem = RuleSystem::Millennium;

/// Games that were played so.
fn part(games: &[Compared]) -> RecordBatch {
    let record = |(number, (moves, annotations, result, rules)): (usize, &Compared)| Record {
        number: number as u64 + 1,
        line: 1,
        annotations: *annotations,
        moves: moves.clone(),
        is_whole: true,
        text: Vec::new(),
        names: Default::default(),
        result: *result,
        rules: rules.unwrap_or(ASSUMED),
        states_rules: rules.is_some(),
    };
    RecordBatch(games.iter().enumerate().map(record).collect())
}

/// What [`Collector`] finds, found by comparing every game with every other.
fn slow(games: &[Compared], choice: Choice) -> Vec<(usize, DuplicateKind, usize)> {
    let plies = |game: usize| moves::plies(&games[game].0) as usize;
    let compared: Vec<usize> = (0..games.len())
        .filter(|game| plies(*game) >= choice.least_plies as usize)
        .collect();
    // The rules of each record take part in what was played.
    let rules_of = |game: usize| {
        let same = compared
            .iter()
            .filter(|other| games[**other].0 == games[game].0);
        let stated: BTreeSet<RuleSystem> = same.filter_map(|other| games[*other].3).collect();
        let only = stated.first().filter(|_| stated.len() == 1).copied();
        games[game].3.or(only).unwrap_or(ASSUMED)
    };
    let unruled = games;
    let games: Vec<Compared> = (0..games.len())
        .map(|game| {
            let (moves, annotations, result, _) = games[game].clone();
            let rules = rules_of(game);
            let moves = [&[rules as u8; 1], &*moves].concat();
            (moves, annotations, result, Some(rules))
        })
        .collect();
    let games = games.as_slice();
    let kept = |game: usize| {
        let same = compared
            .iter()
            .filter(|other| games[**other].0 == games[game].0);
        let same: Vec<usize> = same.copied().collect();
        match choice.keep {
            Keep::First | Keep::Longest => same[0],
            Keep::Annotated => *same
                .iter()
                .max_by_key(|other| (games[**other].1, std::cmp::Reverse(**other)))
                .unwrap(),
        }
    };
    let first = |game: usize| compared.iter().find(|o| games[**o].0 == games[game].0);
    let goes_on = |long: usize, short: usize| {
        let (long, short) = (&games[long].0, &games[short].0);
        long.len() > short.len() && long.starts_with(short)
    };
    let mut drops = Vec::new();
    for game in &compared {
        let ends = compared.iter().filter(|long| {
            choice.prefix
                && first(**long) == Some(*long)
                && goes_on(**long, *game)
                && !compared.iter().any(|longer| goes_on(*longer, **long))
        });
        let best = ends.max_by_key(|long| {
            let merit = match choice.keep {
                Keep::First => 0,
                Keep::Longest => plies(**long),
                Keep::Annotated => games[kept(**long)].1 as usize,
            };
            (merit, std::cmp::Reverse(**long))
        });
        match best {
            Some(best) => drops.push((kept(*best), DuplicateKind::Prefix, *game)),
            None if kept(*game) != *game => drops.push((kept(*game), DuplicateKind::Same, *game)),
            None => {}
        }
    }
    let is_dropped = |game: usize| drops.iter().any(|(_, _, other)| *other == game);
    let mut apart = Vec::new();
    for game in compared.iter().filter(|game| first(**game) == Some(*game)) {
        let mut all = compared.iter().filter(|other| {
            unruled[**other].0 == unruled[*game].0
                && first(**other) == Some(*other)
                && !is_dropped(kept(**other))
        });
        if let Some(other) = all.next()
            && all.any(|other| other == game)
        {
            apart.push((kept(*other), DuplicateKind::OtherRules, kept(*game)));
        }
    }
    if !choice.ignore_result {
        let all = drops.clone();
        drops = all
            .iter()
            .flat_map(|pair| by_result(games, choice, &all, *pair))
            .collect();
    }
    drops.extend(apart);
    drops.sort_unstable();
    drops
}

/// The kind of a pair where results count.
fn by_result(games: &[Compared], choice: Choice, all: &[Pair], pair: Pair) -> Option<Pair> {
    let (kept, _, game) = pair;
    let known = |game: usize| Some(games[game].2).filter(|result| *result != GameResult::Unknown);
    let others = || {
        all.iter()
            .filter(|other| other.0 == kept)
            .map(|other| other.2)
    };
    let agree = |one: usize, other: usize| match (known(one), known(other)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let in_doubt = |game: usize| match (known(game), known(kept)) {
        (None, _) => false,
        (_, None) => others().any(|one| others().any(|other| !agree(one, other))),
        _ => !agree(game, kept),
    };
    if !in_doubt(game) {
        return Some(pair);
    }
    // Of the same moves and result the best stays, the first of several.
    let same = others()
        .filter(|other| in_doubt(*other))
        .filter(|other| games[*other].0 == games[game].0 && games[*other].2 == games[game].2);
    let mut best: Option<usize> = None;
    for other in same {
        let better = |best: usize| choice.keep == Keep::Annotated && games[other].1 > games[best].1;
        if best.is_none_or(better) {
            best = Some(other);
        }
    }
    match best {
        Some(best) if best != game => Some((best, DuplicateKind::Same, game)),
        _ => Some((kept, DuplicateKind::ConflictingResult, game)),
    }
}

proptest! {
    #![proptest_config(crate::testing::cases(400))]

    #[test]
    fn it_finds_what_comparing_every_game_with_every_other_finds(
        games in prop::collection::vec(
            (0..2_u8, prop::collection::vec(0..2_u8, 0..6), 0..3_u32, 0..9_usize, 0..6_usize),
            0..24,
        ),
        keep in 0..3_usize,
        prefix: bool,
        least_plies in 0..3_u32,
        ignore_result: bool,
    ) {
        let games: Vec<Compared> = games
            .into_iter()
            .map(|(start, moves, annotations, result, rules)| {
                let start = if start == 0 { [0; 16] } else { [1; 16] };
                let moves = moves.into_iter().flat_map(|mv| [mv, 1, 0]);
                // The most have none.
                let result = GameResult::ALL.get(result % 4).filter(|_| result < 4);
                let result = result.copied().unwrap_or(GameResult::Unknown);
                // The most state some.
                let stated = Some(RuleSystem::Chess3);
                let rules = [None, stated, Some(RuleSystem::Millennium)].get(rules).copied();
                let rules = rules.unwrap_or(stated);
                (start.into_iter().chain(moves).collect(), annotations, result, rules)
            })
            .collect();
        let keep = [Keep::First, Keep::Longest, Keep::Annotated][keep];
        let choice = Choice { keep, prefix, least_plies, ignore_result, near: None, merge: false };
        let mut collector = Collector::new(choice, false).unwrap();
        for some in games.chunks(5) {
            collector.add(&"x".into(), &part(some)).unwrap();
        }
        let found = collector.finish().unwrap();
        let pairs: Vec<Pair> = found
            .pairs
            .iter()
            .map(|(keep, kind, game)| {
                let of = |game: usize| found.collected.entries[game].ordinal;
                (of(*keep), *kind, of(*game))
            })
            .collect();
        prop_assert_eq!(pairs, slow(&games, choice));
    }
}
