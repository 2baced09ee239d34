//! Files of other programs: what they write is read, what is written for them is what they write, and a thousand games go
//! there and come back.

use crate::program::fed;
use std::path::Path;
use std::process::Output;
use tridex_archive::container::Container;
use tridex_archive::split::Splitter;
use tridex_archive::{GameResult, Item, Limits, write};
use tridex_notation::Program;
use tridex_replay::finding::{Code, Finding, Severity, Status};
use tridex_replay::generate::Recipe;
use tridex_replay::{NotInDialect, Options, Played, Sink, read, write_dialect};
use tridex_rules::{Move, Position, RuleSystem};

/// What is kept of a game.
#[derive(Clone, PartialEq, Debug)]
struct Kept {
    start: Position,
    moves: Vec<Move>,
    result: GameResult,
    offers: usize,
}

/// Replays games, and writes each for a program.
struct Recorder {
    program: Program,
    kept: Vec<Kept>,
    found: Vec<(Status, Vec<Finding>)>,
    written: Vec<u8>,
    refused: Vec<NotInDialect>,
    left_out: usize,
}

impl Sink for Recorder {
    fn game(&mut self, played: &Played<'_>) {
        let mut offers = 0;
        played.each_item(|item, _| {
            offers += usize::from(match item {
                Item::DrawOffer => true,
                Item::Move(text) => text.contains("(=)"),
                _ => false,
            });
        });
        self.kept.push(Kept {
            start: played.start().clone(),
            moves: played.moves().to_vec(),
            result: played.result(),
            offers,
        });
        self.found.push((played.status(), played.findings()));
        match write_dialect(self.program, played, &mut self.written) {
            Ok(left_out) => self.left_out += left_out,
            Err(fault) => self.refused.push(fault),
        }
    }
}

fn replayed(program: Program, text: &[u8], container: Container, options: &Options) -> Recorder {
    let mut recorder = Recorder {
        program,
        kept: Vec::new(),
        found: Vec::new(),
        written: Vec::new(),
        refused: Vec::new(),
        left_out: 0,
    };
    for batch in Splitter::new(text, container, Limits::default()) {
        read(&batch.unwrap(), options, &mut recorder);
    }
    recorder
}

fn as_pgn(program: Program, text: &[u8]) -> Recorder {
    replayed(program, text, Container::Pgn, &Options::default())
}

fn tridex(arguments: &[&str], input: &[u8]) -> Output {
    fed(Path::new(env!("CARGO_MANIFEST_DIR")), arguments, input)
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const STAR_TREK: &str = "corpus/programs/star-trek-tri-dimensional/game.pgn";

#[test]
fn a_thousand_games_go_to_star_trek_and_come_back() {
    let mut ours = Vec::new();
    for index in 0..1_000 {
        let recipe = Recipe {
            annotated: index % 2 == 0,
            ..Recipe::new(RuleSystem::Meder, 20)
        };
        write::pgn(&recipe.game(index), &mut ours).unwrap();
    }
    let first = as_pgn(Program::StarTrek, &ours);
    assert_eq!(first.refused, []);
    assert_eq!(first.kept.len(), 1_000);
    assert!(first.left_out > 100);
    let theirs = said(&first.written);
    assert_eq!(theirs.matches("[FEN \"b6B6w1W1 nbbn/dddd").count(), 1_000);
    assert!(!theirs.contains("[SetUp") && !theirs.contains("0-0") && !theirs.contains('{'));
    // Tags, a blank line, the moves on one line, a blank line.
    let longest = theirs
        .lines()
        .filter(|line| line.starts_with("1. "))
        .count();
    assert_eq!(longest, 1_000);

    let second = as_pgn(Program::StarTrek, &first.written);
    let without_offers_in_variations = |kept: &[Kept]| -> Vec<Kept> {
        kept.iter()
            .map(|kept| Kept {
                offers: 0,
                ..kept.clone()
            })
            .collect()
    };
    assert_eq!(
        without_offers_in_variations(&second.kept),
        without_offers_in_variations(&first.kept)
    );
    assert!(second.kept.iter().any(|kept| kept.offers > 0));
    for (status, found) in &second.found {
        assert_eq!(*status, Status::Valid, "{found:?}");
        let note = found
            .iter()
            .find(|found| found.code == Code::NotationInferred)
            .unwrap();
        assert_eq!(
            note.message,
            "the game is read as Star Trek Tri-Dimensional writes it"
        );
    }
    // What they write is written again as it stands.
    assert_eq!(said(&second.written), theirs);
    assert_eq!(second.left_out, 0);
}

#[test]
fn a_file_of_star_trek_is_read_and_written_as_it_stands() {
    let file = std::fs::read(STAR_TREK).unwrap();
    let recorder = as_pgn(Program::StarTrek, &file);
    assert_eq!(recorder.refused, []);
    for (status, found) in &recorder.found {
        assert_eq!(*status, Status::Valid, "{found:?}");
    }
    assert_eq!(said(&recorder.written), said(&file));

    let long = std::fs::read("corpus/programs/star-trek-tri-dimensional/older.pgn").unwrap();
    let older = as_pgn(Program::StarTrek, &long);
    assert_eq!(older.found[0].0, Status::Valid, "{:?}", older.found);
    assert_eq!(said(&older.written).matches("(=)").count(), 2);
    // The same game in the long form and in the short one.
    assert_eq!(older.kept[0].moves, recorder.kept[0].moves);
}

#[test]
fn what_star_trek_has_and_meder_has_not_is_refused_by_name() {
    let game = |boards: &str, moves: &str| {
        let text = format!(
            "[Event \"x\"]\n[FEN \"{boards} nbbn/dddd/4/4|4/4/4/4|4/4/DDDD/NBBN|rq/dd|kr/dd|DD/RQ|DD/KR w KQkq - 0 1\"]\n\
             [Variant \"Star Trek Tri-Dimensional\"]\n\n{moves}"
        );
        as_pgn(Program::StarTrek, text.as_bytes())
    };
    let message = |recorder: &Recorder| {
        let errors = recorder.found[0].1.iter();
        let mut errors = errors.filter(|found| found.severity == Severity::Error);
        errors.next().unwrap().message.clone()
    };
    let neutral = game("b6B6n1W1", "1. b4N");
    assert!(
        message(&neutral).contains("no neutral boards"),
        "{}",
        message(&neutral)
    );
    let [why] = neutral.refused.as_slice() else {
        panic!("{:?}", neutral.refused);
    };
    assert!(why.to_string().contains("half a game"), "{why}");
    let claim = game("b6B6w1W1", "1. Nb3W Nb6B 2. Nc5N(QL3) b5N");
    assert!(
        message(&claim).contains("no claim of a board"),
        "{}",
        message(&claim)
    );
    let turn = game("b6B6w1W1", "1. \u{27F3}KL1");
    assert_eq!(turn.found[0].0, Status::Invalid);
    let sound = game("b6B6w1W1", "1. Nb3W Nb6B");
    assert_eq!(sound.found[0].0, Status::Valid, "{:?}", sound.found);
    // Under way: no result behind the moves.
    assert!(said(&sound.written).ends_with("\n\n1. Nb3W Nb6B\n\n"));
}

#[test]
fn positions_of_star_trek_are_read_and_written_by_the_commands() {
    let fen = "b6B5w2W1 1k2/4/4/4|4/4/4/4|4/4/4/2K1|2/2|2/2|2/2|2/2 b - - 12 40";
    let moves = tridex(&["moves", "--rules", "meder", "--fen", fen], b"");
    assert!(moves.status.success(), "{}", said(&moves.stderr));
    assert!(said(&moves.stdout).contains("Ka8B"));
    let game = format!("[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n40... Ka8B *\n");
    let style = "star-trek-tri-dimensional";
    let arguments = ["position", "-", "--ply", "0", "--fen-style", style];
    let written = tridex(&arguments, game.as_bytes());
    assert_eq!(
        said(&written.stdout),
        format!("{fen}\n"),
        "{}",
        said(&written.stderr)
    );
    let validated = tridex(&["validate", "-"], game.as_bytes());
    assert!(said(&validated.stdout).contains("is read as Star Trek Tri-Dimensional writes it"));
    let neutral = fen.replacen("w2", "n2", 1);
    let refused = tridex(&["moves", "--rules", "meder", "--fen", &neutral], b"");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said(&refused.stderr).contains("no neutral boards"),
        "{}",
        said(&refused.stderr)
    );
}

#[test]
fn only_what_star_trek_could_have_written_is_written() {
    let dialect = ["convert", "-", "--dialect", "star-trek-tri-dimensional"];
    let manual = tridex(&dialect, b"[Variant \"manual\"]\n\n1. b3,WB-b5,NB *\n");
    assert_eq!(manual.status.code(), Some(1));
    assert!(
        said(&manual.stderr).contains("plays by the meder rules"),
        "{}",
        said(&manual.stderr)
    );
    assert!(manual.stdout.is_empty());
    let broken = tridex(&dialect, b"[Variant \"meder\"]\n\n1. b4N b4N *\n");
    assert_eq!(broken.status.code(), Some(1));
    assert!(
        said(&broken.stderr).contains("breaks off after ply 1"),
        "{}",
        said(&broken.stderr)
    );
    assert!(broken.stdout.is_empty());
    let empty = tridex(&dialect, b"[Variant \"meder\"]\n\n1-0\n");
    assert!(
        said(&empty.stderr).contains("no games without moves"),
        "{}",
        said(&empty.stderr)
    );
    // What is left out is told.
    let remarks = tridex(
        &dialect,
        b"[Variant \"meder\"]\n[WhiteElo \"1900\"]\n\n1. b4N! {a plan} b5B (1... c5B) *\n",
    );
    assert!(remarks.status.success());
    assert!(said(&remarks.stderr).contains("3 comments, judgements and variations were omitted"));
    let written = said(&remarks.stdout);
    assert!(
        written.ends_with(
            "[Variant \"Star Trek Tri-Dimensional\"]\n[WhiteElo \"1900\"]\n\n1. b4N b5B\n\n"
        ),
        "{written}"
    );
    // One way at a time.
    let both = tridex(
        &[
            "convert",
            "-",
            "--dialect",
            "star-trek-tri-dimensional",
            "--to",
            "manual",
        ],
        b"",
    );
    assert_eq!(both.status.code(), Some(2));
    // Without either each game is written in the notation of its rules.
    let neither = tridex(
        &["convert", "-"],
        b"[Variant \"millennium\"]\n\n1. Na1b3 *\n",
    );
    assert!(said(&neither.stdout).contains("[Notation \"millennium\"]"));
}

/// The games of a file of the corpus, as the program that reads it finds its container.
fn of_corpus(file: &str) -> Recorder {
    let path = Path::new("corpus/programs").join(file);
    let text = std::fs::read(&path).unwrap();
    let container = Container::detect(Some(&path), &text);
    replayed(Program::StarTrek, &text, container, &Options::default())
}

#[test]
fn three_programs_tell_the_same_game() {
    let game = Recipe::new(RuleSystem::Meder, 6).game(0);
    let mut ours = Vec::new();
    write::pgn(&game, &mut ours).unwrap();
    let moves = as_pgn(Program::StarTrek, &ours).kept.remove(0).moves;
    assert!(moves.iter().any(|mv| matches!(mv, Move::Castle(_))));
    assert!(moves.iter().any(|mv| matches!(mv, Move::Board { .. })));
    assert!(moves.iter().any(|mv| mv.promotion().is_some()));
    for (file, title) in [
        ("tridchessboard/moves.txt", "tridchessboard.js"),
        (
            "commence/transcript.txt",
            "Commence's Tri-Dimensional Chess",
        ),
        ("web-trid/moves.txt", "Web TriD"),
    ] {
        let recorder = of_corpus(file);
        let [(status, found)] = recorder.found.as_slice() else {
            panic!("{file}: one game");
        };
        assert_eq!(*status, Status::Valid, "{file}: {found:?}");
        let notes: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(
            notes,
            [format!("the game is read as {title} writes it")],
            "{file}"
        );
        assert_eq!(recorder.kept[0].moves, moves, "{file}");
        // A program that is named needs not be guessed; a move that cannot be is told in the words of the board.
        let name = Program::from_name(title).unwrap().name();
        let tagged = format!("[Notation \"{name}\"]\n\n{}", first_lines(file, 2));
        let tagged = as_pgn(Program::StarTrek, tagged.as_bytes());
        assert_eq!(
            tagged.found[0].0,
            Status::Valid,
            "{file}: {:?}",
            tagged.found
        );
        assert!(moves.starts_with(&tagged.kept[0].moves));
    }
}

fn first_lines(file: &str, count: usize) -> String {
    let text = std::fs::read_to_string(Path::new("corpus/programs").join(file)).unwrap();
    let lines: Vec<&str> = text.lines().take(count).collect();
    lines.join("\n")
}

#[test]
fn what_cannot_be_played_is_told_in_the_words_of_the_board() {
    for (text, words) in [
        (
            "1. e3_1-e4_3 b9_5-c7_5 2. b2_1-b9_5",
            "the knight on a1W does not move to a8B",
        ),
        (
            "1. e3_1-e4_3 b9_5-c7_5 2. T1-T9",
            "pin QL5 is not next to QL1",
        ),
        (
            "1. P-e3B-e4D N-b9F-c7F 2. A-b2C-b9G",
            "pin QL6 is not next to QL1",
        ),
        (
            "W P d2W d3N\nB N a8B b6B\nW N c1W c1B",
            "Black's Board does not cover column c1",
        ),
    ] {
        let recorder = replayed(
            Program::StarTrek,
            text.as_bytes(),
            Container::Movetext,
            &Options::default(),
        );
        let mut errors = recorder.found[0]
            .1
            .iter()
            .filter(|found| found.severity == Severity::Error);
        let error = errors.next().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(recorder.kept[0].moves.len(), 2, "{text}");
        assert!(error.message.contains(words), "{text}: {}", error.message);
    }
}

#[test]
fn positions_of_tridchessboard_are_read_and_written_by_the_commands() {
    let game = "corpus/programs/tridchessboard/moves.txt";
    for (style, file) in [
        (Some("tridchessboard"), "levels.fen"),
        (Some("tridchessboard-columns"), "columns.fen"),
        (None, "rows.fen"),
    ] {
        let fen = std::fs::read_to_string(Path::new("corpus/programs/tridchessboard").join(file))
            .unwrap();
        if let Some(style) = style {
            let written = tridex(
                &["position", game, "--ply", "20", "--fen-style", style],
                b"",
            );
            assert_eq!(said(&written.stdout), fen, "{}", said(&written.stderr));
        }
        let shown = tridex(&["show", "--rules", "meder", "--fen", &fen], b"");
        let ours = tridex(&["position", game, "--ply", "20"], b"");
        let same = tridex(
            &["show", "--rules", "meder", "--fen", &said(&ours.stdout)],
            b"",
        );
        assert_eq!(said(&shown.stdout), said(&same.stdout));
        // What the newest version refuses is noted wherever it is read.
        let is_older = file != "levels.fen";
        let older = "older versions of tridchessboard.js";
        assert_eq!(said(&shown.stderr).contains(older), is_older, "{file}");
        let set_up = format!(
            "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n11. e5_1-e6_3 *\n",
            fen.trim()
        );
        let validated = tridex(&["validate", "-"], set_up.as_bytes());
        assert!(said(&validated.stdout).contains("the two nearer to White are read as White's"));
        assert_eq!(said(&validated.stdout).contains(older), is_older, "{file}");
    }
    let star_trek =
        std::fs::read_to_string("corpus/programs/star-trek-tri-dimensional/position.fen").unwrap();
    let style = "star-trek-tri-dimensional";
    let written = tridex(
        &["position", STAR_TREK, "--ply", "20", "--fen-style", style],
        b"",
    );
    assert_eq!(said(&written.stdout), star_trek);
    let web = tridex(&["position", STAR_TREK, "--fen-style", "web-trid"], b"");
    assert_eq!(web.status.code(), Some(2));
}
