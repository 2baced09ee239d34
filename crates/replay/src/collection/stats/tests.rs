use super::*;
use crate::Options;
use crate::collection::generate::Recipe;
use tridex_archive::Limits;
use tridex_archive::container::Container;
use tridex_archive::split::Splitter;
use tridex_archive::write::{self, TableRow};

fn counted(text: &str, batch_bytes: usize) -> Stats {
    let mut all = Stats::default();
    let limits = Limits::default();
    let batches = Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, limits, batch_bytes);
    for batch in batches {
        let mut part = Stats::default();
        crate::each(&batch.unwrap(), &Options::default(), |game| part.add(game));
        all.join(&part);
    }
    all
}

/// The counts of a kind, `key count`.
fn of(stats: &Stats, kind: &str) -> Vec<String> {
    let rows = stats.rows(None);
    let rows = rows.iter().filter(|row| row.kind == kind);
    rows.map(|row| format!("{} {}", row.key, row.count))
        .collect()
}

fn sum(stats: &Stats, kind: &str) -> u64 {
    let rows = stats.rows(None);
    let counts = rows.iter().filter(|row| row.kind == kind);
    counts
        .map(|row| match row.count {
            Count::Whole(count) => count,
            Count::Mean(_) => 0,
        })
        .sum()
}

fn written(recipe: Recipe, games: u64) -> String {
    let mut out = Vec::new();
    for index in 0..games {
        write::pgn(&recipe.game(index), &mut out).unwrap();
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn a_small_collection_is_counted_to_the_last_row() {
    let text = "[Variant \"meder\"]\n\n1. b4N b5B 2. 0-0 0-0 1-0\n\n\
                [Variant \"meder\"]\n[Notation \"manual\"]\n\n1. c3,WB-c5,NB *\n\n\
                [Variant \"meder\"]\n\n1. b4N b5B 2. rubbish *\n\n";
    let rows: Vec<String> = counted(text, 1 << 20)
        .rows(None)
        .iter()
        .map(|row| row.cells().concat().join(" "))
        .collect();
    let expected = [
        "games meder all 3",
        "status meder valid 2",
        "status meder invalid 1",
        "whole meder yes 2",
        "whole meder no 1",
        "notation meder meder 1",
        "notation meder manual 1",
        "locale meder en 2",
        "result meder 1-0 1",
        "result meder * 1",
        "outcome meder * 2",
        "start meder own 2",
        "start meder set-up 0",
        "plies meder all 5",
        "length meder 1 1",
        "length meder 4 1",
        "length-summary meder min 1",
        "length-summary meder median 1",
        "length-summary meder mean 2.50",
        "length-summary meder max 4",
        "first-move meder b4N 2",
        "first-reply meder b4N b5B 1",
        "castling meder white 0-0 1",
        "castling meder black 0-0 1",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn boards_turns_layouts_and_promotions_are_counted() {
    let text = "[Variant \"manual\"]\n\n1. QP1r b8,BB-b7,BB 2. QP1r *\n\n";
    let stats = counted(text, 1 << 20);
    assert_eq!(of(&stats, "board-move"), ["QL@Q1v-Q1vr 2"]);
    assert_eq!(of(&stats, "board-turn"), ["in place 2"]);
    assert!(of(&stats, "board-arrival").is_empty() && of(&stats, "layout").is_empty());

    // The board there and back and there again, which is one layout reached, and the start's.
    let empty = "4/4/4/4|4/4/4/4|4/4/4/4";
    let text = format!(
        "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{empty}|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 1\"]\n\n\
         1. QL2 Kd8KL6 2. QL1 Kd9KL6 3. QL2 Kd8KL6 *\n\n"
    );
    let stats = counted(&text, 1 << 20);
    assert_eq!(of(&stats, "start"), ["own 0", "set-up 1"]);
    assert_eq!(of(&stats, "board-move"), ["QL@Q1-Q2 2", "QL@Q2-Q1 1"]);
    assert_eq!(of(&stats, "board-arrival"), ["QL@Q1 1", "QL@Q2 2"]);
    assert_eq!(
        of(&stats, "layout"),
        ["QL@Q1 KL@K1 ql@Q6 kl@K6 1", "QL@Q2 KL@K1 ql@Q6 kl@K6 1"]
    );
    assert!(of(&stats, "first-move").is_empty());

    // A pawn that waits on a8B is promoted by the board that leaves its pin (3.4(e)(iii)).
    let text = "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"P3/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 1\"]\n\n\
         1... QL5/a8BN *\n\n";
    let stats = counted(text, 1 << 20);
    assert_eq!(of(&stats, "promotion"), ["knight 1"]);
    assert_eq!(of(&stats, "board-promotion"), ["knight 1"]);
}

#[test]
fn the_counts_are_those_of_the_signs_in_the_text() {
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Federation,
        RuleSystem::Millennium,
    ] {
        let recipe = Recipe {
            plies: 150,
            ..Recipe::new(rules, 12)
        };
        let text = written(recipe, 30);
        let stats = counted(&text, 1 << 20);
        let body: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with('['))
            .flat_map(str::split_whitespace)
            .filter(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()) != ".")
            .collect();
        let signs = |sign: &str| body.iter().filter(|word| word.contains(sign)).count() as u64;
        let castled = body.iter().filter(|word| word.starts_with("0-0")).count() as u64;
        assert_eq!(sum(&stats, "castling"), castled);
        assert_eq!(sum(&stats, "capture"), signs("x"));
        assert_eq!(sum(&stats, "check"), signs("+") + signs("#"));
        assert_eq!(sum(&stats, "mate"), signs("#"));
        assert_eq!(
            sum(&stats, "plies"),
            body.len() as u64 - 30,
            "results are no moves"
        );
        if rules == RuleSystem::Millennium {
            assert_eq!(sum(&stats, "promotion"), signs("="));
        } else {
            assert_eq!(sum(&stats, "en-passant"), signs("e.p."));
            let boards = body
                .iter()
                .filter(|word| word.starts_with("QL") || word.starts_with("KL"));
            assert_eq!(sum(&stats, "board-move"), boards.count() as u64);
        }
        for kind in [
            "status", "whole", "notation", "locale", "result", "outcome", "length",
        ] {
            assert_eq!(sum(&stats, kind), 30, "{kind}");
        }
    }
}

#[test]
fn parts_add_up_to_the_whole_and_only_the_most_frequent_are_told() {
    let mut text = String::new();
    for rules in RuleSystem::ALL {
        text.push_str(&written(Recipe::new(*rules, 2), 20));
    }
    let whole = counted(&text, 1 << 20);
    assert_eq!(counted(&text, 2_000), whole);
    let all = whole.rows(None);
    let systems = all.iter().filter(|row| row.kind == "games").count();
    assert_eq!((whole.games(), systems), (100, 5));
    let mut statuses = all.iter().filter(|row| row.kind == "status");
    assert!(statuses.all(|row| row.key != "invalid"));
    for row in whole.rows(Some(2)) {
        assert!(all.contains(&row));
    }
    let first = whole.rows(Some(2));
    let first = first.iter().filter(|row| row.kind == "first-move");
    let best: Vec<&StatsRow> = first.filter(|row| row.rules == "chess3").collect();
    let most = all
        .iter()
        .filter(|row| row.kind == "first-move" && row.rules == "chess3");
    let most = most
        .map(|row| row.count.to_string().parse::<u64>().unwrap())
        .max();
    assert_eq!(best.len(), 2);
    assert_eq!(best[0].count, Count::Whole(most.unwrap()));
}
