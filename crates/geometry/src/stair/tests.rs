use super::*;

fn pin(wing: Wing, corner: u8) -> Pin {
    Pin::over(wing, Corner::new(corner))
}

/// Every layout a sequence of pins gives, four at a time: enough variety for the laws below.
fn layouts() -> impl Iterator<Item = Layout> {
    let pins: Vec<Pin> = Pin::all().collect();
    (0..24 * 23).filter_map(move |n| {
        let (a, b) = (n % 24, n / 24);
        Layout::try_new([
            pins[a],
            pins[(a + b + 1) % 24],
            pins[(a + 3 * b + 7) % 24],
            pins[(5 * a + b + 11) % 24],
        ])
        .ok()
    })
}

#[test]
fn the_start_has_the_gaps_of_the_printed_board() {
    let layout = Layout::start(Surface::Over);
    let gaps = ColumnSet::FULL.minus(layout.existing());
    // z2..z7, e2..e7 and b0 c0 b9 c9.
    assert_eq!(gaps.count(), 6 + 6 + 4);
    assert!(gaps.contains(Column::new(0, 2)) && gaps.contains(Column::new(2, 0)));
    assert!(gaps.contains(Column::new(3, 9)) && !gaps.contains(Column::new(0, 8)));
    let all: StairSet = SquareSet::FULL;
    assert_eq!(layout.columns_of(all), layout.existing());
}

#[test]
fn columns_and_stacks_agree_in_every_layout() {
    let mut tried = 0;
    for layout in layouts() {
        tried += 1;
        for index in 0..64 {
            let square = Square::new(index);
            let column = layout.column(square);
            assert!(layout.stack(column).contains(square));
            assert_eq!(layout.square(board(square), column), Some(square));
            assert_eq!(
                layout.columns_of(SquareSet::of(square)),
                ColumnSet::of(column)
            );
        }
        for column in Column::all() {
            let slow: StairSet = (0..64)
                .map(Square::new)
                .filter(|s| layout.column(*s) == column)
                .collect();
            assert_eq!(layout.stack(column), slow);
            assert_eq!(layout.squares_of(ColumnSet::of(column)), slow);
            assert_eq!(layout.existing().contains(column), !slow.is_empty());
        }
    }
    assert!(tried > 200);
}

#[test]
fn corners_cover_what_the_table_of_the_model_says() {
    // Corner, then file and rank of the near left square of a board there, queen's side.
    for (corner, rank) in [(1, 0), (2, 4), (3, 2), (4, 6), (5, 4), (6, 8)] {
        assert_eq!(pin(Wing::Queen, corner).origin(), Column::new(0, rank));
        assert_eq!(pin(Wing::King, corner).origin(), Column::new(4, rank));
    }
    let corner_squares: Vec<u8> = (1..=6).map(|n| Corner::new(n).rank()).collect();
    assert_eq!(corner_squares, [1, 4, 3, 6, 5, 8]);
    // The corner square of the main board lies in a column of the attack board.
    for p in Pin::all() {
        let column = p.corner().column(p.wing());
        let covered = ColumnSet(0b1100_0011 << p.origin().index());
        assert!(covered.contains(column), "{p:?}");
    }
}

/// Ruling adjacent-pins, after Meder 3.6.
#[test]
fn meder_3_6_counts_of_adjacent_pins() {
    for (corner, count) in [(1, 3), (2, 4), (3, 5), (4, 5), (5, 4), (6, 3)] {
        for wing in Wing::ALL {
            let from = pin(wing, corner);
            let adjacent = Pin::all().filter(|to| is_adjacent_over(from, *to)).count();
            assert_eq!(adjacent, count, "pin {corner}");
        }
    }
    let from = pin(Wing::Queen, 3);
    let neighbours: Vec<Pin> = Pin::all().filter(|p| is_adjacent_over(from, *p)).collect();
    let expected = [
        pin(Wing::Queen, 1),
        pin(Wing::Queen, 2),
        pin(Wing::Queen, 4),
        pin(Wing::Queen, 5),
        pin(Wing::King, 3),
    ];
    assert_eq!(neighbours, expected);
}

/// Ruling adjacent-pins, after Starfleet manual 7.1.
#[test]
fn manual_7_1_examples_of_adjacent_pins() {
    let pins = |list: &[(Wing, u8)]| -> Vec<Pin> {
        let mut pins: Vec<Pin> = list
            .iter()
            .map(|(w, n)| Pin::from_manual(*w, *n).unwrap())
            .collect();
        pins.sort();
        pins
    };
    let neighbours = |n| -> Vec<Pin> {
        let from = Pin::from_manual(Wing::King, n).unwrap();
        Pin::all()
            .filter(|to| is_adjacent_any_surface(from, *to))
            .collect()
    };
    use Wing::{King as K, Queen as Q};
    assert_eq!(
        neighbours(5),
        pins(&[(Q, 5), (K, 7), (K, 6), (K, 2), (K, 4)])
    );
    assert_eq!(neighbours(1), pins(&[(Q, 1), (K, 3), (K, 2)]));
}

#[test]
fn both_graphs_are_symmetric_and_never_join_a_pin_to_itself() {
    for a in Pin::all() {
        assert!(!is_adjacent_over(a, a) && !is_adjacent_any_surface(a, a));
        for b in Pin::all() {
            assert_eq!(is_adjacent_over(a, b), is_adjacent_over(b, a));
            assert_eq!(is_adjacent_any_surface(a, b), is_adjacent_any_surface(b, a));
            assert_eq!(
                is_adjacent_over(a, b),
                is_adjacent_over(a.mirrored(), b.mirrored())
            );
        }
    }
}

#[test]
fn a_turn_and_a_board_move_keep_the_colour_of_every_square() {
    let start = Layout::start(Surface::Over);
    for attack in AttackBoard::ALL {
        for square in attack.squares() {
            assert_eq!(attack.turned(attack.turned(square)), square);
            let here = shade(start.column(square));
            assert_eq!(shade(start.column(attack.turned(square))), here);
            for to in Pin::all() {
                if let Ok(moved) = start.moved(attack, to) {
                    assert_eq!(shade(moved.column(square)), here);
                }
            }
        }
    }
}

#[test]
fn rays_and_between_agree_with_walking() {
    for a in Column::all() {
        for direction in Direction::ALL {
            let (f, r) = direction.step();
            let (mut at, mut walked) = (a, ColumnSet::EMPTY);
            while let Some(next) = at.offset(f, r) {
                assert_eq!(between(a, next), Some(walked));
                let all = ColumnSet::FULL;
                assert!(!is_cut_off(a, next, all.minus(walked)));
                assert_eq!(is_cut_off(a, next, walked), !walked.is_empty());
                assert_eq!(Direction::from_to(a, next), Some(direction));
                walked = walked.or(ColumnSet::of(next));
                at = next;
            }
            assert_eq!(reach(a, direction, ColumnSet::EMPTY), walked);
        }
        for b in knight_steps(a) {
            assert_eq!(between(a, b), None);
            assert!(is_cut_off(a, b, ColumnSet::EMPTY));
            assert_eq!(Direction::from_to(a, b), None);
        }
    }
}

#[test]
fn two_boards_on_one_pin_are_refused() {
    let p = pin(Wing::Queen, 3);
    let other = pin(Wing::King, 1);
    assert_eq!(
        Layout::try_new([p, other, p, pin(Wing::King, 6)]),
        Err(LayoutError { pin: p })
    );
}
