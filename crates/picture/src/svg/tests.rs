use super::*;
use crate::marks::all_squares;
use crate::stage::{Point, Slab};
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Family, cube};
use tridex_rules::{Move, RuleSystem};

fn every_choice() -> impl Iterator<Item = PictureOptions<'static>> {
    let views = [
        (View::Flat, Arrangement::Row),
        (View::Flat, Arrangement::Column),
        (View::Stand, Arrangement::Row),
    ];
    views.into_iter().flat_map(|(view, arrangement)| {
        Color::ALL.into_iter().flat_map(move |side| {
            [false, true].map(|named| PictureOptions {
                view,
                arrangement: Some(arrangement),
                side,
                names: Some(named),
                ..PictureOptions::default()
            })
        })
    })
}

/// A game of this many moves, the same for ever.
fn played(rules: RuleSystem, plies: usize) -> Vec<(Position, Move)> {
    let mut position = Position::start(rules);
    let mut played = Vec::new();
    for i in 0..plies {
        // Boards are moved whenever it is possible.
        let moves = position.legal_moves();
        let board = moves.iter().filter(|mv| matches!(mv, Move::Board { .. }));
        let boards: Vec<_> = board.collect();
        let Some(mv) = (if boards.is_empty() || i % 3 == 0 {
            moves.get(i * 7919 % moves.len().max(1))
        } else {
            boards.get(i % boards.len()).copied()
        }) else {
            break;
        };
        played.push((position.clone(), *mv));
        position.play_unchecked(*mv);
    }
    played
}

#[test]
fn every_picture_is_well_formed_and_holds_every_man_whatever_the_names() {
    let hostile = "</title><script>alert(1)</script>\u{0}\u{202e}&\"'<!--]]>";
    for rules in RuleSystem::ALL {
        for (i, (before, mv)) in played(*rules, 12).into_iter().enumerate() {
            let mut position = before.clone();
            position.play_unchecked(mv);
            for options in every_choice() {
                let mut marks = Marks::after(&before, mv);
                marks.moves_of(&position, position.king(position.turn()));
                marks.moves_of_board(&position, AttackBoard::ALL[i % 4]);
                let options = PictureOptions {
                    caption: Some(hostile),
                    marks,
                    ..options
                };
                let drawn = svg(&position, &options);
                assert_eq!(drawn, svg(&position, &options));
                let tree = roxmltree::Document::parse(&drawn).expect("well-formed XML");
                let count = |name: &str| {
                    tree.descendants()
                        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
                        .count()
                };
                let pieces = all_squares(position.family())
                    .filter(|square| position.piece_at(*square).is_some());
                // Those of the boards are a group; the plan has others.
                let is_use = |node: &roxmltree::Node<'_, '_>| node.tag_name().name() == "use";
                let group = tree
                    .descendants()
                    .find(|node| {
                        node.tag_name().name() == "g" && node.children().any(|n| is_use(&n))
                    })
                    .expect("the pieces");
                let drawn = || group.children().filter(is_use);
                assert_eq!(drawn().count(), pieces.count());
                assert_eq!(count("script"), 0);
                assert_eq!(count("title"), 1);
                let size = tree
                    .root_element()
                    .attribute("viewBox")
                    .expect("a frame")
                    .to_owned();
                let edges: Vec<f64> = size
                    .split(' ')
                    .map(|edge| edge.parse().expect("a number"))
                    .collect();
                // No taller than a page.
                if options.view == View::Stand {
                    assert!(edges[3] <= 1.2 * edges[2] + 0.1, "{size}");
                }
                // Every piece is inside the frame.
                for node in drawn() {
                    let place = node.attribute("transform").expect("a place");
                    let place = place
                        .trim_start_matches("translate(")
                        .split(')')
                        .next()
                        .unwrap_or_default();
                    let at: Vec<f64> = place
                        .split(' ')
                        .map(|edge| edge.parse().expect("a number"))
                        .collect();
                    assert!(
                        at[0] > 10.0 && at[0] < edges[2] - 10.0 && at[1] > 30.0 && at[1] < edges[3],
                        "{place}"
                    );
                }
            }
        }
    }
}

/// What a board takes up on the sheet, with the pieces on it: a convex shape.
fn taken(stage: &Stage, slab: Slab, layout: &Layout) -> Vec<Point> {
    let size = f64::from(slab.size());
    let at = |file: f64, rank: f64| stage.point(slab, Some(layout), file, rank);
    match stage.view {
        View::Flat => {
            let rim = if matches!(slab, Slab::Attack(_)) {
                0.1
            } else {
                0.0
            };
            vec![
                at(-rim, -rim),
                at(size + rim, -rim),
                at(size + rim, size + rim),
                at(-rim, size + rim),
            ]
        }
        View::Stand => {
            let thick = crate::stage::THICK;
            vec![
                at(0.0, 0.0).plus(0.0, thick),
                at(size, 0.0).plus(0.0, thick),
                at(size, size).plus(0.0, thick),
                at(size, size).plus(0.0, -0.555),
                at(0.0, size).plus(0.0, -0.555),
                at(0.0, 0.0),
            ]
        }
    }
}

/// Whether two convex shapes share more than an edge: no line parallel to a side of either parts them.
fn overlap(a: &[Point], b: &[Point]) -> bool {
    let sides = |shape: &[Point]| -> Vec<(f64, f64)> {
        (0..shape.len())
            .map(|i| {
                let (p, q) = (shape[i], shape[(i + 1) % shape.len()]);
                (q.y - p.y, p.x - q.x)
            })
            .collect()
    };
    let span = |shape: &[Point], (x, y): (f64, f64)| {
        let along = shape.iter().map(|p| p.x * x + p.y * y);
        (
            along.clone().fold(f64::MAX, f64::min),
            along.fold(f64::MIN, f64::max),
        )
    };
    sides(a).into_iter().chain(sides(b)).all(|axis| {
        let ((a0, a1), (b0, b1)) = (span(a, axis), span(b, axis));
        a1 > b0 + 1e-6 && b1 > a0 + 1e-6
    })
}

fn assert_nothing_hidden(layout: &Layout) {
    let views = [
        (View::Flat, Arrangement::Row),
        (View::Flat, Arrangement::Column),
        (View::Stand, Arrangement::Row),
    ];
    for (view, arrangement) in views {
        let spaces = [Space::of([layout]), Space::least([layout])];
        for (side, space) in Color::ALL
            .into_iter()
            .flat_map(|side| spaces.map(|space| (side, space)))
        {
            let stage = Stage {
                family: Family::Stair,
                view,
                arrangement,
                side,
                space,
                named: true,
            };
            let slabs = stage.slabs(Some(layout));
            assert_eq!(slabs.len(), 7);
            let shapes: Vec<_> = slabs
                .iter()
                .map(|slab| taken(&stage, *slab, layout))
                .collect();
            for (i, a) in shapes.iter().enumerate() {
                for (j, b) in shapes.iter().enumerate().take(i) {
                    assert!(
                        !overlap(a, b),
                        "{view:?} {arrangement:?} from {side}: {:?} and {:?} of {:?}",
                        slabs[i],
                        slabs[j],
                        layout.pins()
                    );
                }
                let size = stage.size();
                for point in a {
                    assert!(point.x > 0.0 && point.x < size.x && point.y > 0.0 && point.y < size.y);
                }
            }
        }
    }
}

#[test]
fn no_board_and_no_man_ever_hides_a_square() {
    // Every 37th of all ways to put four boards on twenty-four pins, a step that meets every pin of every board.
    let pins: Vec<Pin> = Pin::all().collect();
    let mut seen = 0;
    for n in (0..24usize.pow(4)).step_by(37) {
        let chosen = [n % 24, n / 24 % 24, n / 576 % 24, n / 13824].map(|i| pins[i]);
        if let Ok(layout) = Layout::try_new(chosen) {
            assert_nothing_hidden(&layout);
            seen += 1;
        }
    }
    assert!(seen > 6000);
}

#[test]
fn what_is_in_one_place_of_the_plan_is_one_above_the_other_in_the_stand() {
    let layout = Layout::start(tridex_geometry::stair::Surface::Over);
    let stage = Stage {
        family: Family::Stair,
        view: View::Stand,
        arrangement: Arrangement::Row,
        side: Color::White,
        space: Space::of([&layout]),
        named: true,
    };
    for column in tridex_geometry::stair::Column::all() {
        let feet: Vec<_> = layout
            .stack(column)
            .into_iter()
            .map(|square| stage.foot(square, Some(&layout)).x)
            .collect();
        assert!(
            feet.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 1e-9),
            "{feet:?}"
        );
    }
}

#[test]
fn squares_and_cells_are_each_others_inverse() {
    for family in [Family::Stair, Family::Cube] {
        for side in Color::ALL {
            let stage = Stage {
                family,
                view: View::Flat,
                arrangement: Arrangement::Row,
                side,
                space: Space::default(),
                named: true,
            };
            for square in all_squares(family) {
                let (slab, file, rank) = stage.cell_of(square);
                assert_eq!(slab.square(side, file, rank), Some(square));
            }
        }
    }
}

#[test]
fn the_moves_of_a_man_are_marked_once_each() {
    let start = Position::start(RuleSystem::Millennium);
    // Millennium 2.2: the knight on 1b1 can go to 1a3, 1c3, 2b3, 2d1, 3a1, 3b2, 3c1, as 1d2 holds a pawn.
    let knight = cube::try_square(0, 1, 0).expect("1b1");
    let mut marks = Marks::default();
    marks.moves_of(&start, knight);
    assert_eq!(marks.reached.len(), 7);
    assert!(marks.reached.iter().all(|(_, capture)| !capture));
    let drawn = svg(
        &start,
        &PictureOptions {
            marks,
            ..PictureOptions::default()
        },
    );
    let plain = svg(&start, &PictureOptions::default());
    assert_eq!(
        drawn.matches("<ellipse").count(),
        plain.matches("<ellipse").count() + 7
    );
}

/// The parts of a backdrop, put together, are the picture without pieces, marks, status and plan.
#[test]
fn a_backdrop_is_the_picture_without_what_moves() {
    for rules in RuleSystem::ALL {
        for (position, _) in played(*rules, 12) {
            for options in every_choice().filter(|options| options.names == Some(true)) {
                let space = Space::of(position.layout());
                let arrangement = options.arrangement.unwrap_or_default();
                let stage = Stage {
                    family: position.family(),
                    view: options.view,
                    arrangement,
                    side: options.side,
                    space,
                    named: true,
                };
                let words = Notation::of(*rules);
                let backdrop = Backdrop::of(&position, stage, &[words]);
                let picture = svg(
                    &position,
                    &PictureOptions {
                        theme: Theme::Page,
                        space: Some(space),
                        ..options.clone()
                    },
                );
                let names = &backdrop.names[0];
                let whole = [&backdrop.shapes, names];
                for (_, part) in whole.into_iter().flatten() {
                    for line in part.lines() {
                        assert!(picture.contains(line), "{line} is not on the picture");
                    }
                    let alone = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{part}</svg>");
                    assert!(roxmltree::Document::parse(&alone).is_ok(), "{part}");
                }
                let shapes: usize = backdrop
                    .shapes
                    .iter()
                    .map(|(_, part)| part.lines().count())
                    .sum();
                let words: usize = names.iter().map(|(_, part)| part.lines().count()).sum();
                assert!(
                    names
                        .iter()
                        .all(|(_, part)| part.lines().all(|line| line.starts_with("<text")))
                );
                // Every board has two shades and an outline, and every file and rank a name.
                let boards = stage.slabs(position.layout());
                let named: usize = boards.iter().map(|slab| usize::from(slab.size())).sum();
                assert!(
                    shapes >= 3 * boards.len() && words >= named,
                    "{shapes} {words}"
                );
            }
        }
    }
}

#[test]
fn whose_turn_it_is_stands_on_no_board() {
    for rules in RuleSystem::ALL {
        for (position, _) in played(*rules, 6) {
            for options in every_choice().filter(|options| options.view == View::Flat) {
                let stage = Stage {
                    family: position.family(),
                    view: options.view,
                    arrangement: options.arrangement.unwrap_or_default(),
                    side: options.side,
                    space: Space::of(position.layout()),
                    named: options.names == Some(true),
                };
                let picture = svg(&position, &options);
                let document = roxmltree::Document::parse(&picture).unwrap();
                let disc = document
                    .descendants()
                    .find(|node| node.has_tag_name("circle"))
                    .unwrap();
                let number =
                    |name: &str| disc.attribute(name).unwrap().parse::<f64>().unwrap() / UNIT;
                let (x, y, r) = (number("cx"), number("cy"), number("r"));
                for slab in stage.slabs(position.layout()) {
                    let n = f64::from(slab.size());
                    let near = stage.point(slab, position.layout(), 0.0, 0.0);
                    let far = stage.point(slab, position.layout(), n, n);
                    let covers = x + r > near.x && x - r < far.x && y - r < near.y && y + r > far.y;
                    assert!(!covers, "{slab:?} {options:?}");
                }
            }
        }
    }
}

/// A piece of the 3-D view is transparent where it is one rank before a mark, and only there.
#[test]
fn men_in_front_of_marks_are_transparent() {
    let start = Position::start(RuleSystem::Millennium);
    let at = |rank| cube::try_square(0, 4, rank).expect("a square of file e");
    for (view, side, marked, ghosts) in [
        // White's pawn on 1e2 is before 1e3, its king on 1e1 before 1e2.
        (View::Stand, Color::White, vec![at(2)], 1),
        (View::Stand, Color::White, vec![at(2), at(1)], 2),
        (View::Stand, Color::White, vec![at(0), at(3)], 0),
        // From the other side the pawn is before the king.
        (View::Stand, Color::Black, vec![at(0)], 1),
        (View::Flat, Color::White, vec![at(2), at(1)], 0),
    ] {
        let marks = Marks {
            squares: marked
                .iter()
                .map(|square| (*square, crate::Ink::Red))
                .collect(),
            ..Marks::default()
        };
        let options = PictureOptions {
            view,
            side,
            marks,
            ..PictureOptions::default()
        };
        let drawn = svg(&start, &options);
        let transparent = format!("opacity=\"{GHOST}\"");
        let found = drawn
            .lines()
            .filter(|line| line.contains("<use") && line.contains(&transparent));
        assert_eq!(found.count(), ghosts, "{view:?} {side} {marked:?}");
    }
}

#[test]
fn every_word_on_a_picture_can_be_drawn_by_strokes() {
    for rules in RuleSystem::ALL {
        for (position, _) in played(*rules, 8) {
            for options in every_choice() {
                for labels in [None].into_iter().chain(Notation::ALL.map(Some)) {
                    let drawn = svg(
                        &position,
                        &PictureOptions {
                            labels,
                            ..options.clone()
                        },
                    );
                    let tree = roxmltree::Document::parse(&drawn).unwrap();
                    let texts = tree
                        .descendants()
                        .filter(|node| node.tag_name().name() == "text");
                    for sign in texts.filter_map(|node| node.text()).flat_map(str::chars) {
                        assert!(crate::letters::is_known(sign), "{sign:?} in {drawn}");
                    }
                }
            }
        }
    }
}
