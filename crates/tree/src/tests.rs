//! Trees of the corpus, of damaged records and of edited games.

use crate::{GameTree, NodeId, Step};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::write;
use tridex_notation::Notation;
use tridex_replay::{Converter, Options, OutputStyle, each};
use tridex_rules::{CastlingSide, Move, RuleSystem};

/// Every file of the corpus that has games. The notes about its sources are prose, which has no moves.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.file_name().is_some_and(|name| name != "SOURCE.txt")
            && path
                .extension()
                .is_some_and(|end| end == "pgn" || end == "txt")
        {
            found.push(path);
        }
    }
}

/// The games of a text as PGN, with moves and without: by its tree, and by a converter.
fn both_ways(text: &[u8]) -> Vec<(String, String)> {
    let input = Source::Stdin.open_reader(
        Box::new(std::io::Cursor::new(text.to_vec())),
        &OpenOptions::default(),
    );
    let mut pairs = Vec::new();
    let Ok(input) = input else { return pairs };
    for batch in input.flatten() {
        each(&batch, &Options::default(), |played| {
            for notation in Notation::ALL {
                let style = OutputStyle::of(notation);
                let converted =
                    Converter::to_games(style).convert(played.game(), &Options::default());
                let Ok(converted) = converted else {
                    assert!(GameTree::of(played).to_pgn(notation).is_err());
                    continue;
                };
                let mut pgn = Vec::new();
                write::pgn(&converted, &mut pgn).unwrap();
                let tree = GameTree::of(played);
                check(&tree);
                pairs.push((
                    tree.to_pgn(notation).unwrap(),
                    String::from_utf8(pgn).unwrap(),
                ));
            }
        });
    }
    pairs
}

/// What holds of every tree: parents and children agree, every child is written once, positions follow from moves.
fn check(tree: &GameTree) {
    let mut written = Vec::new();
    let mut depth = 0_usize;
    for step in tree.steps() {
        match step {
            Step::Move(id) => written.push(id),
            Step::VariationStart(_) => depth += 1,
            Step::VariationEnd => depth -= 1,
            Step::Item(_) => {}
        }
    }
    assert_eq!(depth, 0);
    let mut reached = Vec::new();
    let mut open = vec![tree.root()];
    while let Some(id) = open.pop() {
        let node = tree.node(id).unwrap();
        for child in node.children() {
            let below = tree.node(child).unwrap();
            assert_eq!((below.parent(), below.ply()), (Some(id), node.ply() + 1));
            let mut position = node.position().clone();
            position.play(below.played().unwrap()).unwrap();
            assert!(position == *below.position());
            open.push(child);
            reached.push(child);
        }
    }
    written.sort();
    reached.sort();
    assert_eq!(written, reached);
    let main: Vec<_> = tree.main_line().collect();
    assert!(main.iter().all(|id| tree.is_main(*id)));
    assert_eq!(tree.path(tree.end()), main);
}

#[test]
fn a_tree_is_written_as_its_record_is_converted() {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"),
        &mut paths,
    );
    let mut games = 0;
    for path in paths {
        for (tree, converted) in both_ways(&fs::read(&path).unwrap()) {
            assert_eq!(tree, converted, "{}", path.display());
            games += 1;
        }
    }
    assert!(games > 150, "{games} games");
}

#[test]
fn brackets_in_any_order_are_written_again() {
    for movetext in [
        "1. b4N (1. c3W) b5B",
        "1. b4N (1. c3W (1. c3N {a} $1) a6N {b}) {c} b5B (1... b6B) (1... a6N) 2. c3W",
        "(1. c3W) 1. b4N",
        "1. b4N ((1. c3W) 1. c3N) b5B",
        "1. b4N ({only words}) ($3) () b5B",
        "1. b4N (1. nonsense a5B (1. c3W) {x}) b5B",
        "1. b4N b5B 2. nonsense (2. c3W) c3W (2. d2W) {rest}",
        "1. b4N ({before} 1. c3W) ({before} 1. nonsense) b5B 1-0",
        "1. b4N (1. c3W (1. c3N",
        "1. b4N!? (1. c3W?? -- a5B) b5B $1 (=)",
        "1. -- b5B 2. c3W",
        ") 1. b4N ) b5B",
    ] {
        let text = format!("[Variant \"meder\"]\n[White \"A\"]\n\n{movetext} *\n");
        let pairs = both_ways(text.as_bytes());
        assert!(!pairs.is_empty(), "{movetext}");
        for (tree, converted) in pairs {
            assert_eq!(tree, converted, "{movetext}");
        }
    }
}

#[test]
fn variations_are_promoted_and_removed() {
    let mut tree = GameTree::new(RuleSystem::Meder);
    let main = tree.read(tree.root(), "b4N b5B c3W").unwrap();
    let first = tree.read(main[0], "b6B Nb3W").unwrap();
    let second = tree.read(main[0], "a6N").unwrap();
    let text = |tree: &GameTree| tree.movetext(Notation::Meder).unwrap();
    assert_eq!(
        text(&tree),
        "1. b4N b5B (1... b6B 2. Nb3W) (1... a6N) 2. c3W"
    );
    tree.promote(second[0]);
    assert_eq!(
        text(&tree),
        "1. b4N a6N (1... b5B 2. c3W) (1... b6B 2. Nb3W)"
    );
    check(&tree);
    let inner = tree.read(first[0], "c3W").unwrap();
    tree.promote_to_main(inner[0]);
    assert_eq!(
        text(&tree),
        "1. b4N b6B (1... a6N) (1... b5B 2. c3W) 2. c3W (2. Nb3W)"
    );
    check(&tree);
    tree.remove(first[0]);
    assert_eq!(text(&tree), "1. b4N a6N (1... b5B 2. c3W)");
    assert!(tree.node(inner[0]).is_none());
    assert_eq!(tree.path(inner[0]), []);
    // The root stays, and a node that was removed takes no move.
    tree.remove(tree.root());
    let mv = tree.position(tree.root()).legal_moves()[0];
    assert!(tree.play(first[0], mv).is_err());
    check(&tree);
}

#[test]
fn illegal_moves_do_not_change_a_tree() {
    let mut tree = GameTree::new(RuleSystem::Chess3);
    let before = tree.to_pgn(Notation::Chess3).unwrap();
    assert!(
        tree.play(tree.root(), Move::Castle(CastlingSide::King))
            .is_err()
    );
    assert_eq!(
        tree.read(tree.root(), "1B2-1B3 nonsense").unwrap_err().ply,
        1
    );
    assert_eq!(tree.to_pgn(Notation::Chess3).unwrap(), before);
    assert!(tree.to_pgn(Notation::Meder).is_err());
}

#[test]
fn comments_and_nags_are_replaced() {
    let text = b"[Variant \"meder\"]\n\n1. b4N!? $14 {one} ;two\n (1. c3W) b5B *\n";
    let mut tree = None;
    let input = Source::Stdin.open_reader(Box::new(&text[..]), &OpenOptions::default());
    for batch in input.unwrap().flatten() {
        each(&batch, &Options::default(), |played| {
            tree = Some(GameTree::of(played))
        });
    }
    let mut tree = tree.unwrap();
    let first = tree.main_line().next().unwrap();
    let node = tree.node(first).unwrap();
    assert_eq!(
        (node.token(), node.judgement(), node.nags()),
        ("b4N!?", "!?", vec![5, 14])
    );
    assert_eq!(node.comments().collect::<Vec<_>>(), ["one", "two"]);
    tree.set_comment(first, "three");
    tree.set_nags(first, &[2]);
    assert_eq!(
        tree.movetext(Notation::Meder).unwrap(),
        "1. b4N $2 {three} (1. c3W) 1... b5B"
    );
    tree.set_comment(first, "");
    tree.set_nags(first, &[]);
    assert_eq!(
        tree.movetext(Notation::Meder).unwrap(),
        "1. b4N (1. c3W) 1... b5B"
    );
    tree.set_tag("white", "Spock");
    assert_eq!(tree.tag("White"), Some("Spock"));
}

/// A change of a tree, at one of its nodes.
#[derive(Clone, Debug)]
enum Change {
    Play(usize, usize),
    Promote(usize),
    Main(usize),
    Remove(usize),
    Comment(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || 0..200_usize;
    prop_oneof![
        6 => (at(), at()).prop_map(|(node, mv)| Change::Play(node, mv)),
        1 => at().prop_map(Change::Promote),
        1 => at().prop_map(Change::Main),
        1 => at().prop_map(Change::Remove),
        1 => at().prop_map(Change::Comment),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: proptest::test_runner::RngSeed::Fixed(24), ..ProptestConfig::default() })]

    #[test]
    fn edited_trees_are_read_again_as_they_were(
        system in 0..RuleSystem::ALL.len(),
        changes in prop::collection::vec(change(), 1..60),
    ) {
        let rules = RuleSystem::ALL[system];
        let mut tree = GameTree::new(rules);
        for change in changes {
            let ids: Vec<NodeId> = std::iter::once(tree.root())
                .chain(tree.steps().filter_map(|step| match step {
                    Step::Move(id) => Some(id),
                    _ => None,
                }))
                .collect();
            let id = |n: usize| ids[n % ids.len()];
            match change {
                Change::Play(n, mv) => {
                    let moves = tree.position(id(n)).legal_moves();
                    if !moves.is_empty() {
                        tree.play(id(n), moves[mv % moves.len()]).unwrap();
                    }
                }
                Change::Promote(n) => tree.promote(id(n)),
                Change::Main(n) => tree.promote_to_main(id(n)),
                Change::Remove(n) => tree.remove(id(n)),
                Change::Comment(n) => tree.set_comment(id(n), "said"),
            }
            check(&tree);
        }
        // What is written is read again as the same tree.
        let notation = Notation::of(rules);
        let pgn = tree.to_pgn(notation).unwrap();
        let input = Source::Stdin.open_reader(Box::new(std::io::Cursor::new(pgn.clone())), &OpenOptions::default());
        let mut again = Vec::new();
        for batch in input.unwrap().flatten() {
            each(&batch, &Options::default(), |played| {
                assert!(played.is_whole(), "{pgn}");
                again.push(GameTree::of(played).to_pgn(notation).unwrap());
            });
        }
        prop_assert_eq!(again, [pgn]);
    }
}
