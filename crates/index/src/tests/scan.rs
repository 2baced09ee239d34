//! Every answer equals that of a scan over all games that knows no index.

use super::{COMMENTS, DATES, EVENTS, NAMES, entries};
use crate::testing::Dice;
use crate::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tridex_geometry::Square;
use tridex_geometry::cube;
use tridex_notation::{Notation, names};
use tridex_rules::{Color, Move, Position, Role, RuleSystem};

/// A game with all positions of its main line.
struct Scanned {
    source: String,
    entry: GameEntry,
    positions: Vec<Position>,
}

fn scanned(source: &str, entry: &GameEntry) -> Scanned {
    let mut position = entry.start_position().unwrap();
    let mut positions = vec![position.clone()];
    for m in &entry.moves {
        position.play(*m).unwrap();
        positions.push(position.clone());
    }
    Scanned {
        source: source.to_owned(),
        entry: entry.clone(),
        positions,
    }
}

/// A question, and the obvious way to answer it: whether a game answers it, and from which ply.
type Question = (
    Query,
    String,
    Box<dyn Fn(&Scanned) -> Option<Option<u32>> + Send + Sync>,
);

fn yes(holds: bool) -> Option<Option<u32>> {
    holds.then_some(None)
}

fn first_ply(game: &Scanned, holds: impl Fn(&Position, u32) -> bool) -> Option<Option<u32>> {
    (0..)
        .zip(&game.positions)
        .find(|(ply, p)| holds(p, *ply))
        .map(|(ply, _)| Some(ply))
}

/// Words of a text by a rule of thumb that is good enough for the names of these tests.
fn words(text: &str) -> Vec<String> {
    let plain = |c: char| match c {
        'ü' => 'u',
        'ö' => 'o',
        'ř' => 'r',
        'á' => 'a',
        'è' => 'e',
        c => c,
    };
    let folded: String = text.to_lowercase().chars().map(plain).collect();
    folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect()
}

fn has_all(text: Option<&str>, wanted: &[String]) -> bool {
    let words = words(text.unwrap_or_default());
    !wanted.is_empty() && wanted.iter().all(|w| words.contains(w))
}

/// Changes of one letter, neighbours exchanged counting as one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

fn players(game: &Scanned) -> [Option<&str>; 2] {
    [game.entry.tag("White"), game.entry.tag("Black")]
}

fn text_question(dice: &mut Dice) -> Question {
    let name = NAMES[dice.roll(NAMES.len())];
    match dice.roll(8) {
        0 => {
            let wanted = words(name);
            let query = Query::text(TextField::Player, name);
            (
                query,
                format!("player {name}"),
                Box::new(move |g| yes(players(g).into_iter().any(|p| has_all(p, &wanted)))),
            )
        }
        1 => {
            let query = Query::text(TextField::White, &format!("={}", name.to_uppercase()));
            let wanted = words(name);
            (
                query,
                format!("white is {name}"),
                Box::new(move |g| {
                    yes(!wanted.is_empty()
                        && g.entry.tag("White").is_some_and(|w| words(w) == wanted))
                }),
            )
        }
        2 => {
            let start: String = words(name)
                .concat()
                .chars()
                .take(1 + dice.roll(3))
                .collect();
            let query = Query::text(TextField::Black, &format!("{start}*"));
            (
                query,
                format!("black {start}*"),
                Box::new(move |g| {
                    let black = words(g.entry.tag("Black").unwrap_or_default());
                    yes(!start.is_empty() && black.iter().any(|w| w.starts_with(&start)))
                }),
            )
        }
        3 => {
            let word = ["spok", "sopck", "kirt", "muler", "uhuru", "kirk"][dice.roll(6)];
            let letters = 1 + dice.roll(2);
            let query = Query::text(TextField::Player, &format!("{word}~{letters}"));
            (
                query,
                format!("player {word}~{letters}"),
                Box::new(move |g| {
                    yes(players(g)
                        .into_iter()
                        .flatten()
                        .any(|p| words(p).iter().any(|w| distance(w, word) <= letters)))
                }),
            )
        }
        4 => {
            let event = EVENTS[dice.roll(EVENTS.len())];
            let phrase = Query::parse(&format!("event:\"{event}\"")).unwrap();
            let wanted = words(event);
            (
                phrase,
                format!("event {event}"),
                Box::new(move |g| {
                    let has = words(g.entry.tag("Event").unwrap_or_default());
                    yes(!wanted.is_empty() && has.windows(wanted.len()).any(|w| w == wanted))
                }),
            )
        }
        5 => {
            let comment = COMMENTS[dice.roll(COMMENTS.len())];
            let wanted = words(comment);
            let query = Query::text(TextField::Comments, comment);
            (
                query,
                format!("text {comment}"),
                Box::new(move |g| {
                    let all: Vec<&str> = g.entry.comments.iter().map(|c| c.1.as_str()).collect();
                    yes(has_all(Some(&all.join(" ")), &wanted))
                }),
            )
        }
        6 => {
            let word = ["vulcan", "starbase", "sealed", "12", "kirk", "james"][dice.roll(6)];
            let query = Query::parse(word).unwrap();
            (
                query,
                word.to_owned(),
                Box::new(move |g| {
                    let tags = ["White", "Black", "Event", "Site", "Round"];
                    let texts = tags.iter().filter_map(|t| g.entry.tag(t));
                    let comments = g.entry.comments.iter().map(|c| c.1.as_str());
                    yes(texts
                        .chain(comments)
                        .any(|t| words(t).contains(&word.to_owned())))
                }),
            )
        }
        _ => {
            let query = Query::Source("ONE".to_owned());
            (
                query,
                "source one".to_owned(),
                Box::new(|g| yes(g.source.contains("one"))),
            )
        }
    }
}

fn number_question(dice: &mut Dice) -> Question {
    match dice.roll(6) {
        0 => {
            let date = DATES[dice.roll(3)];
            let range = [
                "2001.04",
                "2001",
                "..2001.04.25",
                "2001.04.27..",
                "1999..2006.02",
            ][dice.roll(5)];
            let _ = date;
            let parsed = DateRange::parse(range).unwrap();
            (
                Query::Date(parsed),
                format!("date {range}"),
                Box::new(move |g| {
                    // Day by day, as somebody with a calendar would.
                    let date = g.entry.tag("Date").and_then(Date::parse)?;
                    let possible =
                        (1..=12)
                            .flat_map(|m| (1..=31).map(move |d| (m, d)))
                            .filter(|(m, d)| {
                                date.month.is_none_or(|month| month == *m)
                                    && date.day.is_none_or(|day| day == *d)
                            });
                    let number = |(m, d): (u8, u8)| {
                        u32::from(date.year) * 10_000 + u32::from(m) * 100 + u32::from(d)
                    };
                    yes(possible.map(number).any(|day| {
                        parsed.from.is_none_or(|from| day >= from)
                            && parsed.to.is_none_or(|to| day <= to)
                    }))
                }),
            )
        }
        1 => {
            let result = GameResult::ALL[dice.roll(4)];
            (
                Query::Result(result),
                result.name().to_owned(),
                Box::new(move |g| yes(g.entry.result == result)),
            )
        }
        2 => {
            let rules = RuleSystem::ALL[dice.roll(5)];
            (
                Query::Rules(rules),
                rules.name().to_owned(),
                Box::new(move |g| yes(g.entry.rules == rules)),
            )
        }
        3 => {
            let (a, b) = (dice.roll(60) as u32, 20 + dice.roll(100) as u32);
            (
                Query::Plies(Some(a), Some(b)),
                format!("plies {a}..{b}"),
                Box::new(move |g| yes((a as usize..=b as usize).contains(&g.entry.moves.len()))),
            )
        }
        4 => {
            let least = [1_800, 2_000, 2_100][dice.roll(3)];
            (
                Query::Ratings(Some(least), None),
                format!("elo {least}.."),
                Box::new(move |g| {
                    let rating = |tag| g.entry.tag(tag).and_then(|t| t.parse::<u32>().ok());
                    yes(["WhiteElo", "BlackElo"]
                        .map(rating)
                        .iter()
                        .all(|r| r.is_some_and(|r| r >= least)))
                }),
            )
        }
        _ => {
            let query = Query::parse("result:1-0 or result:0-1").unwrap();
            (
                query,
                "decided".to_owned(),
                Box::new(|g| {
                    yes(matches!(
                        g.entry.result,
                        GameResult::White | GameResult::Black
                    ))
                }),
            )
        }
    }
}

/// What stands in each column, and whose turn it is.
fn plan(position: &Position) -> (Color, BTreeMap<(u8, u8), Vec<tridex_rules::Piece>>) {
    let mut columns: BTreeMap<(u8, u8), Vec<_>> = BTreeMap::new();
    for i in 0..position.family().squares() {
        let square = Square::new(i as u8);
        if let Some(piece) = position.piece_at(square) {
            let column = match position.layout() {
                Some(layout) => (layout.column(square).file(), layout.column(square).rank()),
                None => (cube::file(square), cube::rank(square)),
            };
            columns.entry(column).or_default().push(piece);
        }
    }
    for pieces in columns.values_mut() {
        pieces.sort_by_key(|p| p.letter());
    }
    (position.turn(), columns)
}

fn position_question(games: &[Scanned], dice: &mut Dice) -> Question {
    let game = &games[dice.roll(games.len())];
    let ply = match dice.roll(3) {
        0 => dice.roll(3).min(game.positions.len() - 1),
        _ => dice.roll(game.positions.len()),
    };
    let wanted = game.positions[ply].clone();
    let setup = wanted.to_setup();
    match dice.roll(4) {
        0 => {
            let query = PositionQuery::of_position(&wanted, Sameness::Exact);
            (
                query.into(),
                format!("position {setup:?}"),
                Box::new(move |g| {
                    if g.entry.rules != wanted.rules() {
                        return None;
                    }
                    first_ply(g, |p, _| p.key() == wanted.key())
                }),
            )
        }
        1 => {
            // Without the rules: any system in which the position can be played, each with its own key.
            let query = PositionQuery::new(setup.clone(), Sameness::Exact).unwrap();
            (
                query.into(),
                format!("any rules, {setup:?}"),
                Box::new(move |g| {
                    let here = Position::from_setup(g.entry.rules, &setup).ok()?;
                    first_ply(g, |p, _| p.key() == here.key())
                }),
            )
        }
        2 => {
            let query = PositionQuery::new(setup.clone(), Sameness::Loose).unwrap();
            (
                query.into(),
                format!("loose {setup:?}"),
                Box::new(move |g| {
                    first_ply(g, |p, _| {
                        p.family() == setup.family()
                            && p.placement().is_same(&p.rules().placement(&setup))
                    })
                }),
            )
        }
        _ => {
            let query = PositionQuery::new(setup, Sameness::Plan).unwrap();
            let (target, family) = (plan(&wanted), wanted.family());
            (
                query.into(),
                format!("plan {target:?}"),
                Box::new(move |g| {
                    if g.entry.rules.family() != family {
                        return None;
                    }
                    first_ply(g, |p, _| {
                        p.occupied().count() == wanted.occupied().count() && plan(p) == target
                    })
                }),
            )
        }
    }
}

/// A test that holds somewhere in a game, or nearly.
fn pattern_text(games: &[Scanned], dice: &mut Dice, depth: usize) -> String {
    let game = &games[dice.roll(games.len())];
    let position = &game.positions[dice.roll(game.positions.len())];
    let squares: Vec<Square> = position.occupied().into_iter().collect();
    let square = squares[dice.roll(squares.len())];
    let piece = position.piece_at(square).unwrap();
    let notation = match position.layout() {
        Some(_) => [Notation::Meder, Notation::Manual][dice.roll(2)],
        None => Notation::Millennium,
    };
    let name = names::square(notation, position.layout(), square);
    let letter = piece.letter();
    match dice.roll(if depth == 0 { 8 } else { 11 }) {
        0 | 1 => format!("{letter}@{name}"),
        2 if notation == Notation::Meder => format!("{letter}@{}", &name[..2]),
        2 if notation == Notation::Millennium => format!("{letter}@{}", &name[1..]),
        2 => format!("a@{}", name.split_once(',').map_or("W", |(_, board)| board)),
        3 => {
            let count = position.pieces(piece.color, piece.role).count();
            let compare = ["=", "!=", "<", "<=", ">", ">="][dice.roll(6)];
            format!("{letter}{compare}{count}")
        }
        4 => match position.layout() {
            Some(layout) => {
                let board = tridex_geometry::stair::AttackBoard::ALL[dice.roll(4)];
                let pin = names::pin(notation, layout.pin(board));
                format!("{}@{pin}", names::board(Notation::Manual, layout, board))
            }
            None => format!("{letter}@{}>={}", 1 + dice.roll(3), 1 + dice.roll(3)),
        },
        5 => "check".to_owned(),
        6 => ["white to move", "black to move", "mate"][dice.roll(3)].to_owned(),
        7 => {
            let from = dice.roll(60);
            format!("ply {from}..{}", from + dice.roll(20))
        }
        8 => format!("not ({})", pattern_text(games, dice, depth - 1)),
        n => {
            let join = ["and", "or"][n % 2];
            let (a, b) = (
                pattern_text(games, dice, depth - 1),
                pattern_text(games, dice, depth - 1),
            );
            format!("({a}) {join} ({b})")
        }
    }
}

fn board_question(games: &[Scanned], dice: &mut Dice) -> Question {
    if dice.roll(4) > 0 {
        let text = pattern_text(games, dice, 2);
        let (mirrored, swapped) = (dice.roll(6) == 0, dice.roll(6) == 0);
        let query = Query::pattern(&text, mirrored, swapped).unwrap();
        let Query::Pattern(pattern) = query.clone() else {
            panic!("a pattern");
        };
        return (
            query,
            format!("pattern {text} {mirrored} {swapped}"),
            Box::new(move |g| first_ply(g, |p, ply| pattern.matches(p, ply))),
        );
    }
    let game = &games[dice.roll(games.len())];
    let position = &game.positions[dice.roll(game.positions.len())];
    let count = |color, role| position.pieces(color, role).count();
    let kinds = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let wide = dice.roll(2) as u32;
    let side = |color| {
        kinds.map(|role| {
            let n: u32 = count(color, role);
            (role, n.saturating_sub(wide), n + wide)
        })
    };
    let sides = [side(Color::White), side(Color::Black)];
    let write = |side: &[(Role, u32, u32); 5]| {
        side.iter()
            .map(|(r, a, b)| format!("{}{a}..{b}", r.letter()))
            .collect::<String>()
    };
    let lasting = 1 + dice.roll(8);
    let either = dice.roll(2) == 0;
    let text = format!("K{}:K{} for {lasting}", write(&sides[0]), write(&sides[1]));
    let query = Query::material(&text, either).unwrap();
    (
        query,
        format!("material {text} {either}"),
        Box::new(move |g| {
            let holds = |p: &Position, swap: bool| {
                Color::ALL.into_iter().all(|color| {
                    let side = &sides[usize::from((color == Color::White) == swap)];
                    side.iter()
                        .all(|(role, a, b)| (*a..=*b).contains(&p.pieces(color, *role).count()))
                })
            };
            let lasts = |swap| {
                (0..)
                    .zip(g.positions.windows(lasting))
                    .find(|(_, w)| w.iter().all(|p| holds(p, swap)))
            };
            let plain = lasts(false).map(|(ply, _)| ply);
            let swapped = if either {
                lasts(true).map(|(ply, _)| ply)
            } else {
                None
            };
            // Whichever of the two comes first.
            plain.into_iter().chain(swapped).min().map(Some)
        }),
    )
}

fn question(games: &[Scanned], dice: &mut Dice, depth: usize) -> Question {
    match dice.roll(if depth == 0 { 8 } else { 12 }) {
        0 | 1 => text_question(dice),
        2 | 3 => number_question(dice),
        4 | 5 => position_question(games, dice),
        6 | 7 => board_question(games, dice),
        8 => {
            let (query, text, scan) = question(games, dice, depth - 1);
            (
                Query::Not(Box::new(query)),
                format!("not ({text})"),
                Box::new(move |g| yes(scan(g).is_none())),
            )
        }
        9 => {
            let (a, ta, sa) = question(games, dice, depth - 1);
            let (b, tb, sb) = question(games, dice, depth - 1);
            (
                Query::Or(vec![a, b]),
                format!("({ta}) or ({tb})"),
                Box::new(move |g| sa(g).or_else(|| sb(g))),
            )
        }
        _ => {
            let (a, ta, sa) = question(games, dice, depth - 1);
            let (b, tb, sb) = question(games, dice, depth - 1);
            (
                a.and(b),
                format!("({ta}) and ({tb})"),
                Box::new(move |g| {
                    let (a, b) = (sa(g)?, sb(g)?);
                    Some(a.or(b))
                }),
            )
        }
    }
}

/// Asks the index and the scan, and compares.
fn compare(index: &GameIndex, games: &[Scanned], questions: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    let mut answered = 0;
    for _ in 0..questions {
        let depth = dice.roll(3);
        let (query, text, scan) = question(games, &mut dice, depth);
        let expected: BTreeMap<(String, u32), Option<u32>> = games
            .par_iter()
            .filter_map(|g| Some(((g.source.clone(), g.entry.number), scan(g)?)))
            .collect();
        let hits = index.search(&query, &SearchOptions::default()).unwrap();
        assert_eq!(hits.total, expected.len() as u64, "{text}");
        let mut found = BTreeMap::new();
        for hit in &hits.hits {
            let summary = index.summary(hit.id).unwrap();
            found.insert((summary.source, summary.number), hit.ply);
        }
        let games_of =
            |m: &BTreeMap<(String, u32), Option<u32>>| m.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(games_of(&found), games_of(&expected), "{text}");
        // Which part of a question tells the ply is only settled where there is one part.
        if depth == 0 {
            let differ =
                |(game, ply): &(&(String, u32), &Option<u32>)| found.get(*game) != Some(*ply);
            let wrong: Vec<_> = expected.iter().filter(differ).take(5).collect();
            assert!(
                wrong.is_empty(),
                "{text}: expected {wrong:?} of {}",
                expected.len()
            );
        }
        answered += usize::from(!expected.is_empty());
    }
    assert!(
        answered * 4 > questions,
        "too many questions find nothing: {answered} of {questions}"
    );
}

fn compare_openings(index: &GameIndex, games: &[Scanned], questions: usize, seed: u64) {
    let mut dice = Dice::new(seed);
    for _ in 0..questions {
        let game = &games[dice.roll(games.len())];
        let position = &game.positions[dice.roll(4).min(game.positions.len() - 1)];
        let by_kirk = dice.roll(3) == 0;
        let filter = if by_kirk {
            Query::text(TextField::White, "kirk")
        } else {
            Query::All
        };
        let mut total = 0;
        let mut expected: BTreeMap<Move, [u64; 4]> = BTreeMap::new();
        for game in games {
            let kirk = game
                .entry
                .tag("White")
                .is_some_and(|w| words(w).contains(&"kirk".to_owned()));
            if game.entry.rules != position.rules() || (by_kirk && !kirk) {
                continue;
            }
            let places = (0..)
                .zip(&game.positions)
                .filter(|(_, p)| p.key() == position.key());
            let places: Vec<usize> = places.map(|(ply, _)| ply).collect();
            total += u64::from(!places.is_empty());
            let moves: BTreeSet<Move> = places
                .iter()
                .filter_map(|ply| game.entry.moves.get(*ply).copied())
                .collect();
            for m in moves {
                let row = expected.entry(m).or_default();
                row[0] += 1;
                match game.entry.result {
                    GameResult::White => row[1] += 1,
                    GameResult::Draw => row[2] += 1,
                    GameResult::Black => row[3] += 1,
                    GameResult::Unknown => {}
                }
            }
        }
        let table = index.openings(position, &filter).unwrap();
        assert_eq!(table.total.games, total);
        let found: BTreeMap<Move, [u64; 4]> = table
            .moves
            .iter()
            .map(|row| {
                let mut after = position.clone();
                after.play(row.played).unwrap();
                assert_eq!(after, row.after);
                let score = row.score;
                (
                    row.played,
                    [score.games, score.white, score.draws, score.black],
                )
            })
            .collect();
        assert_eq!(found, expected);
        assert!(
            table
                .moves
                .is_sorted_by_key(|row| std::cmp::Reverse(row.score.games))
        );
    }
}

/// Layouts and first moves of boards, counted game by game.
fn compare_boards(index: &GameIndex, games: &[Scanned]) {
    let mut layouts: BTreeMap<_, u64> = BTreeMap::new();
    let mut first: BTreeMap<_, u64> = BTreeMap::new();
    for game in games {
        let all: BTreeSet<_> = game
            .positions
            .iter()
            .filter_map(|p| Some(p.layout()?.pins()))
            .collect();
        for pins in all {
            *layouts.entry(pins).or_default() += 1;
        }
        let mut moved = BTreeSet::new();
        for (position, m) in game.positions.iter().zip(&game.entry.moves) {
            if let (Move::Board { board, to, .. }, Some(layout)) = (*m, position.layout())
                && moved.insert(board)
            {
                *first.entry((board, layout.pin(board), to)).or_default() += 1;
            }
        }
    }
    let found = index.layouts(&Query::All).unwrap();
    assert!(found.is_sorted_by_key(|row| std::cmp::Reverse(row.score.games)));
    let found: BTreeMap<_, u64> = found
        .iter()
        .map(|row| (row.layout.pins(), row.score.games))
        .collect();
    assert_eq!(found, layouts);
    let found = index.first_board_moves(&Query::All).unwrap();
    let found: BTreeMap<_, u64> = found
        .iter()
        .map(|row| ((row.board, row.from, row.to), row.score.games))
        .collect();
    assert_eq!(found, first);
}

/// Games of all systems in three sources, written in several commits, some games changed and some deleted since.
fn law(games: u32, plies: usize, questions: usize, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions {
        // Several segments, so that they are merged too.
        commit_positions: u64::from(games) * plies as u64 / 6,
        ..IndexOptions::default()
    };
    let mut all = Vec::new();
    for rules in RuleSystem::ALL {
        let name = |n: &str| format!("{}-{n}.pgn", rules.name());
        let mut one = entries(*rules, games / 2, plies, seed);
        let two = entries(*rules, games / 2, plies, seed + 1);
        let gone = entries(*rules, games / 8, plies, seed + 2);
        for (source, games) in [("one", &one), ("two", &two), ("gone", &gone)] {
            super::add(folder.path(), &options, &name(source), games);
        }
        // The first source loses its last games and has others in the place of some.
        let cut = one.len() - one.len() / 6;
        one.truncate(cut);
        let mut dice = Dice::new(seed + 3);
        for i in (0..one.len()).step_by(7) {
            one[i] = super::entry(*rules, i as u32 + 1, plies, &mut dice);
        }
        super::add(folder.path(), &options, &name("one"), &one);
        let mut writer = Writer::open(folder.path(), options.clone()).unwrap();
        assert_eq!(
            writer.remove_source(&name("gone")).unwrap(),
            gone.len() as u64
        );
        writer.finish().unwrap();
        all.extend(one.iter().map(|e| scanned(&name("one"), e)));
        all.extend(two.iter().map(|e| scanned(&name("two"), e)));
    }
    let index = GameIndex::open(folder.path()).unwrap();
    assert_eq!(index.games(), all.len() as u64);
    compare(&index, &all, questions, seed + 4);
    compare_openings(&index, &all, questions / 5 + 1, seed + 5);
    compare_boards(&index, &all);
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
}

#[test]
fn answers_equal_a_linear_scan() {
    law(60, 60, 400, 1);
}

/// 5,000 games of each system, 500 questions: a few minutes. Run with
/// `cargo test --release -p tridex-index -- --ignored full_size`.
#[test]
#[ignore = "takes minutes; the same law is tested at small size"]
fn answers_equal_a_linear_scan_at_full_size() {
    law(5_000, 80, 500, 2);
}
