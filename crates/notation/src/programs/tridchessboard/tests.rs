use super::*;
use crate::position_string::{self, ranks::cell};
use crate::programs::{Program, testing::a_thousand_games};
use crate::testing::random_games;
use tridex_geometry::stair::Surface;
use tridex_grammar::examples::{self, takes};
use tridex_rules::{Color, RuleSystem};

#[test]
fn the_grammar_and_the_functions_agree() {
    const START: Layout = Layout::start(Surface::Over);
    examples::check::<str>(
        include_str!("../../../../../grammars/tridchessboard.ebnf"),
        &[
            ("move", |t| parse_move(t.as_bytes()).is_ok()),
            ("piece_move", |t| takes(t.as_bytes(), piece_move)),
            ("tower_move", |t| takes(t.as_bytes(), tower_move)),
            ("square", |t| takes(t.as_bytes(), square)),
            ("tower", |t| takes(t.as_bytes(), tower)),
            ("hyphen", |t| takes(t.as_bytes(), hyphen)),
            ("new_role", |t| takes(t.as_bytes(), new_role)),
            ("position", |t| takes(t, position)),
            ("towers", |t| takes(t, towers)),
            ("tower_digit", |t| takes(t, tower_digit)),
            ("placement", |t| takes(t, placement(START))),
            ("cell", |t| takes(t, cell(piece))),
            ("en_passant", |t| takes(t, en_passant(START))),
        ],
    );
}

#[test]
fn a_thousand_games_come_back() {
    a_thousand_games(Program::Tridchessboard, |before, mv, _| {
        write_move(before, mv)
    });
}

#[test]
fn squares_and_towers_are_where_the_page_has_them() {
    let place = |name: &str| square(name.as_bytes()).unwrap().1;
    let pin = |name: &str| tower(name.as_bytes()).unwrap().1;
    for (name, first) in [
        ("T1", "a1_2"),
        ("T2", "e1_2"),
        ("T3", "a5_2"),
        ("T6", "e3_4"),
        ("T7", "a7_4"),
        ("T10", "e5_6"),
        ("T11", "a9_6"),
        ("T12", "e9_6"),
    ] {
        let near_left = place(first);
        assert_eq!(near_left.level, Some(Level::Pin(pin(name))), "{name}");
        let origin = pin(name).origin();
        assert_eq!(
            (near_left.file, near_left.rank),
            (origin.file(), origin.rank())
        );
        assert_eq!(tower_name(pin(name)), name);
    }
    assert_eq!(place("b2_1").level, Some(Level::Main(MainBoard::White)));
    assert_eq!(place("e7_3").level, Some(Level::Main(MainBoard::Neutral)));
    assert_eq!(place("b9_5").level, Some(Level::Main(MainBoard::Black)));
    for square_of_no_board in ["a1_1", "c1_2", "b6_1", "b3_2", "b7_6", "a10_4"] {
        assert!(
            square(square_of_no_board.as_bytes()).is_err(),
            "{square_of_no_board}"
        );
    }
}

#[test]
fn positions_of_games_come_back_in_every_order() {
    let (mut all, mut alike) = (0, 0);
    random_games(RuleSystem::Meder, 40, 120, |position, _| {
        let ours = position.to_setup();
        let levels = write(&ours).unwrap();
        accepted(&levels).unwrap_or_else(|fault| panic!("{levels}: {fault}"));
        assert!(!is_older(&levels));
        let rows = rows_of(&levels);
        assert!(is_older(&rows));
        assert_eq!(parse(&rows), parse(&levels));
        for (theirs, write) in [
            (levels, write as fn(&Setup) -> Option<String>),
            (write_columns(&ours).unwrap(), write_columns),
        ] {
            assert_eq!(
                Program::of_position(&theirs),
                Some(Program::Tridchessboard),
                "{theirs}"
            );
            let back = parse(&theirs).unwrap_or_else(|e| panic!("{theirs}: {e}"));
            assert_eq!(write(&back).as_ref(), Some(&theirs));
            all += 1;
            // Else a tower has crossed one of the other side's: the text does not say whose it is. Nor does it say which
            // pawns have come back to where they began.
            let mut said = ours.clone();
            said.moved = back.moved;
            if back.layout == ours.layout {
                alike += 1;
                assert_eq!(
                    position_string::to_string(&back),
                    position_string::to_string(&said)
                );
            }
        }
    });
    assert!(alike * 2 > all, "{alike} of {all}");
}

/// A position by levels as older versions have it, by rows.
fn rows_of(levels: &str) -> String {
    let mut fields = levels.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let ranks = fields[1].split(['/', '|']).filter(|rank| !rank.is_empty());
    fields[1] = ranks.collect::<Vec<_>>().join("/");
    fields.join(" ")
}

/// Whether the newest version of the board takes a position, by what is known of it and without our reader: from the six
/// levels, each with the ranks it has there, and the towers `T1` to `T12`, each with its level and its nearer rank.
fn accepted(text: &str) -> Result<(), String> {
    const LEVELS: [(u32, [u32; 4]); 6] = [
        (6, [10, 9, 6, 5]),
        (5, [9, 8, 7, 6]),
        (4, [8, 7, 4, 3]),
        (3, [7, 6, 5, 4]),
        (2, [6, 5, 2, 1]),
        (1, [5, 4, 3, 2]),
    ];
    const TOWERS: [(u32, u32); 6] = [(2, 1), (2, 5), (4, 3), (4, 7), (6, 5), (6, 9)];
    let (towers, rest) = text.split_once(' ').ok_or("no blank after the towers")?;
    let mut known = Vec::new();
    for digit in towers.chars() {
        let number = digit
            .to_digit(16)
            .filter(|number| (1..=12).contains(number));
        let number = number.ok_or(format!("tower {digit}"))? as usize;
        known.push(TOWERS[(number - 1) / 2]);
    }
    let placement = rest.split(' ').next().unwrap_or_default();
    let levels: Vec<&str> = placement.split('|').collect();
    if levels.len() != 6 {
        return Err(format!("{} levels", levels.len()));
    }
    for (text, (level, ranks)) in levels.into_iter().zip(LEVELS) {
        let texts: Vec<&str> = text.split('/').collect();
        if texts.len() != 4 {
            return Err(format!("{} ranks on level {level}", texts.len()));
        }
        for (text, rank) in texts.into_iter().zip(ranks) {
            let squares = match level % 2 {
                1 => 4,
                _ => {
                    let towers = known
                        .iter()
                        .filter(|(on, near)| *on == level && (*near..near + 2).contains(&rank));
                    2 * towers.count() as u32
                }
            };
            let mut count = 0;
            for cell in text.chars() {
                count += match cell.to_digit(5) {
                    Some(empty) if empty > 0 => empty,
                    None if "PNBRQKpnbrqk".contains(cell) => 1,
                    _ => return Err(format!("{cell} on rank {rank} of level {level}")),
                };
            }
            if count != squares {
                return Err(format!("{count} squares on rank {rank} of level {level}"));
            }
        }
    }
    Ok(())
}

#[test]
fn the_start_is_written_as_the_newest_version_takes_it() {
    let start = "12bc rqkr/pppp//|nbbn/pppp/4/4|///|4/4/4/4|//PPPP/RQKR|4/4/PPPP/NBBN w KQkq - 0 1";
    assert_eq!(write(&RuleSystem::Meder.start()).as_deref(), Some(start));
    assert_eq!(accepted(start), Ok(()));
    // Towers on all three levels, and one in the midst of each.
    let spread = "1649 2//2/|4/4/4/4|//2/2|4/4/4/4|2/2/2/2|4/4/4/4";
    assert!(accepted(spread).is_err());
    let spread = "1649 //2/2|4/4/4/4|//2/2|4/4/4/4|2/2/2/2|4/4/4/4 w - - 0 1";
    assert_eq!(accepted(spread), Ok(()));
    let read = parse(spread).unwrap();
    assert!(!is_older(spread));
    let again = write(&read).unwrap();
    assert_eq!(again, spread.replacen("1649", "1469", 1));
    // The same by rows, with bars, is as many levels.
    let rows = "1469 2/2|4/4/4/4|2/2|4/4/4/4|2/2/2/2|4/4/4/4 w - - 0 1";
    assert!(is_older(rows));
    assert_eq!(parse(rows), Ok(read));
    for older in [
        rows,
        "12bc rqkr/pppp/nbbn/pppp/4/4/4/4/4/4/PPPP/RQKR/4/4/PPPP/NBBN w KQkq - 0 1",
        &write_columns(&RuleSystem::Meder.start()).unwrap(),
        "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN",
    ] {
        assert!(accepted(older).is_err(), "{older}");
    }
    for (text, offset, expected) in [
        (start.replacen("//|", "/|", 1), 15, "`/` and the next rank"),
        (
            start.replacen("//|", "///|", 1),
            16,
            "`|` and the next level",
        ),
        (
            start.replacen("|///|", "|4///|", 1),
            31,
            "`/` and the next rank",
        ),
        (start.replacen("RQKR|", "RQK|", 1), 53, "a piece letter"),
        (
            start.replacen("NBBN ", "NBBN| ", 1),
            68,
            "the end of the position",
        ),
        (
            start.replacen(" w ", " x ", 1),
            69,
            "the side to move, w or b",
        ),
        (
            start.replacen(" - ", " b4 ", 1),
            78,
            "a low line and a level",
        ),
    ] {
        let error = parse(&text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
}

#[test]
fn the_page_s_own_start_is_read() {
    // Where all fields but the first two are omitted, as the page does.
    let rows = "12bc rnnr/pbbp/pqkp/pppp/4/4/4/4/4/4/PBBP/RNNR/4/4/PPPP/PQKP";
    let columns = "12bc R/P///////p/r/N/PB/P/2/2/2/2/p/pb/n//Q/P/2/2/2/2/p/q///K/P/2/2/2/2/p/k//N/PB/P/2/2/2/2/p/pb/n/R/P///////p/r w KQkq - 0 1";
    let (by_rows, by_columns) = (parse(rows).unwrap(), parse(columns).unwrap());
    assert_eq!(by_rows.turn, Color::White);
    assert!(by_rows.castling.is_empty());
    assert!(by_rows.pieces().eq(by_columns.pieces()));
    assert_eq!(by_rows.layout, by_columns.layout);
    let bars = "12bc rnnr/pbbp|pqkp/pppp/4/4|4/4/4/4|PBBP/RNNR|4/4/PPPP/PQKP";
    assert!(parse(bars).unwrap().pieces().eq(by_rows.pieces()));

    for (text, offset, expected) in [
        ("12b rnnr/pbbp", 0, "four towers"),
        ("1122 rnnr/pbbp", 0, "four towers"),
        ("12bc rnnr/pbb", 13, "a piece letter"),
        ("12bc rnnr/pbb4/pqkp", 13, "that fits the rank"),
        ("12bc rnnrr", 9, "`/` and the next"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.offset, offset, "{text}: {error}");
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
    assert_eq!(write(&RuleSystem::Manual.start()), None);
    assert_eq!(write_columns(&RuleSystem::Chess3.start()), None);
}
