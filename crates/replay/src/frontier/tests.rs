use super::{Evidence, Meant, Way, expand};
use crate::style::Style;
use tridex_notation::resolve::Mismatches;
use tridex_notation::{Locale, Notation};
use tridex_rules::random::{Dice, game};
use tridex_rules::{Move, PlayedMove, Position, RuleSystem};

/// A move that a record omits.
const OMITTED: u32 = 5;

/// Another token than that of the move.
const OTHER: u32 = 8;

/// The score sheets of both players; [`Way::progress`] has how many tokens of each were read.
struct BothSheets<'s> {
    style: Style,
    sheets: [&'s [String]; 2],
}

impl Evidence<[usize; 2]> for BothSheets<'_> {
    fn moves(&mut self, way: &Way<[usize; 2]>) -> Vec<Meant<[usize; 2]>> {
        let mut moves = Vec::new();
        for mv in way.position.legal_moves() {
            let spelled = self.style.spelled(&way.position, mv, true).unwrap();
            let said = [0, 1].map(|sheet| {
                let at = way.progress[sheet];
                match self.sheets[sheet].get(at) {
                    Some(token) if *token == spelled => vec![(0, at + 1)],
                    Some(_) => vec![(OMITTED, at), (OTHER, at + 1)],
                    None => vec![(0, at)],
                }
            });
            for (first, white) in &said[0] {
                for (second, black) in &said[1] {
                    // One of them has the move, or all moves would have to be tried.
                    if *first == 0 || *second == 0 {
                        moves.push(Meant {
                            mv,
                            reading: 0,
                            cost: first + second,
                            progress: [*white, *black],
                        });
                    }
                }
            }
        }
        moves
    }

    fn disagreement(
        &self,
        _: &Meant<[usize; 2]>,
        _: &PlayedMove,
        _: &Position,
    ) -> (Mismatches, u32) {
        (Mismatches::default(), 0)
    }
}

/// The cheapest ways on which both sheets are read to their ends.
fn reconciled(start: &Position, style: Style, sheets: [&[String]; 2]) -> Vec<Position> {
    let ends = sheets.map(<[String]>::len);
    let mut ways = vec![Way {
        position: start.clone(),
        cost: 0,
        progress: [0, 0],
    }];
    let (mut next, mut whole) = (Vec::new(), Vec::<(u32, Position)>::new());
    let mut evidence = BothSheets { style, sheets };
    for _ in 0..ends[0].max(ends[1]) + 1 {
        expand(&ways, &mut evidence, 4096, &mut next, None).unwrap();
        next.retain(|way| way.cost <= 2 * OTHER);
        std::mem::swap(&mut ways, &mut next);
        let ended = ways.iter().filter(|way| way.progress == ends);
        whole.extend(ended.map(|way| (way.cost, way.position.clone())));
    }
    let least = whole.iter().map(|(cost, _)| *cost).min();
    whole.retain(|(cost, _)| Some(*cost) == least);
    whole.into_iter().map(|(_, position)| position).collect()
}

#[test]
fn two_records_of_a_game_are_weighed_together() {
    let mut settled = 0;
    for rules in RuleSystem::ALL {
        let style = Style::of(Notation::of(*rules), Locale::English);
        for number in 0..3 {
            let moves: Vec<Move> = game(*rules, &mut Dice::nth(29, number), 14);
            let start = Position::start(*rules);
            let mut last = start.clone();
            let mut tokens = Vec::new();
            for mv in &moves {
                tokens.push(style.spelled(&last, *mv, true).unwrap());
                last.play_unchecked(*mv);
            }
            // White omits a move; Black writes one that was not played, and stops a ply early.
            let (omitted, slipped) = (1 + number as usize, 7 + number as usize);
            let mut white = tokens.clone();
            white.remove(omitted);
            let mut black = tokens.clone();
            black[slipped] = "0-0".to_owned();
            black.pop();
            let found = reconciled(&start, style, [&white, &black]);
            assert!(found.contains(&last), "{rules:?} {number} {tokens:?}");
            settled += usize::from(found.len() == 1);
        }
    }
    // A move after which the others are the same may be exchanged for another.
    assert!(settled > 10, "{settled}");
}

#[test]
fn ways_that_meet_are_joined_at_the_lower_cost() {
    // Every legal move, each dearer than the one before.
    struct Any(u32);
    impl Evidence for Any {
        fn moves(&mut self, way: &Way) -> Vec<Meant> {
            let moves = way.position.legal_moves().into_iter().take(8);
            let meant = moves.map(|mv| {
                self.0 += 1;
                Meant {
                    mv,
                    reading: 0,
                    cost: self.0,
                    progress: (),
                }
            });
            meant.collect()
        }

        fn disagreement(&self, _: &Meant, _: &PlayedMove, _: &Position) -> (Mismatches, u32) {
            (Mismatches::default(), 0)
        }
    }
    let start = Position::start(RuleSystem::Meder);
    let mut ways = vec![Way::new(start, 0)];
    let mut next = Vec::new();
    for _ in 0..3 {
        expand(&ways, &mut Any(0), 1_000, &mut next, None).unwrap();
        std::mem::swap(&mut ways, &mut next);
    }
    for (at, way) in ways.iter().enumerate() {
        let same = ways.iter().filter(|other| other.position == way.position);
        assert_eq!(same.count(), 1, "{at}");
    }
    // White's two moves in either order lead to one position.
    assert!(ways.len() < 8 * 8 * 8, "{}", ways.len());
    let all = ways.len();
    let mut nodes = Vec::new();
    let too_many = expand(&ways, &mut Any(0), all, &mut next, Some(&mut nodes));
    assert!(too_many.is_err() && next.len() == all);
    expand(&ways, &mut Any(0), all, &mut next, None).unwrap();
    assert_eq!(next.len(), all);
}
