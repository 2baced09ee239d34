//! Dice, random games and the grammar runner for tests.

use tridex_rules::{Move, MoveList, Position, RuleSystem};

/// SplitMix64.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        (self.next() % sides as u64) as usize
    }
}

/// A random game of `plies` moves at most.
pub(crate) fn random_game(rules: RuleSystem, plies: usize, dice: &mut Dice) -> Vec<Move> {
    let mut position = Position::start(rules);
    let (mut game, mut moves) = (Vec::new(), MoveList::new());
    for _ in 0..plies {
        position.legal_moves_into(&mut moves);
        if moves.is_empty() {
            break;
        }
        // So that the games do not depend on the order in which moves are listed.
        moves.sort_unstable();
        let m = moves[dice.roll(moves.len())];
        position.play_unchecked(m);
        game.push(m);
    }
    game
}

/// A rule's function: whether it takes the whole text.
pub(crate) type Accepts = fn(&str) -> bool;

/// Runs the examples of a grammar through the functions of the same names: `(* + text *)` below a rule must be taken
/// whole, `(* - text *)` must not; `""` stands for nothing. Every rule must have a function and examples of both kinds,
/// every function a rule.
pub(crate) fn check_grammar(text: &str, functions: &[(&str, Accepts)]) {
    let mut rules: Vec<(&str, Accepts, [usize; 2])> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(example) = trimmed
            .strip_prefix("(*")
            .and_then(|l| l.strip_suffix("*)"))
        {
            let example = example.trim();
            let (accepted, text) = match example.split_at_checked(1) {
                Some(("+", text)) => (true, text.trim()),
                Some(("-", text)) => (false, text.trim()),
                _ => continue,
            };
            let text = if text == "\"\"" { "" } else { text };
            let (name, function, counts) = rules.last_mut().expect("a rule before its examples");
            assert_eq!(function(text), accepted, "rule {name}, example {text:?}");
            counts[usize::from(!accepted)] += 1;
        } else if let Some((name, _)) = line.split_once(" =")
            && !line.starts_with(' ')
        {
            let found = functions.iter().find(|(known, _)| *known == name);
            let (_, function) = found.unwrap_or_else(|| panic!("rule {name} has no function"));
            assert!(
                rules.iter().all(|(known, ..)| *known != name),
                "{name} twice"
            );
            rules.push((name, *function, [0; 2]));
        }
    }
    for (name, _, counts) in &rules {
        assert!(counts[0] > 0 && counts[1] > 0, "rule {name} lacks examples");
    }
    for (name, _) in functions {
        assert!(
            rules.iter().any(|(known, ..)| known == name),
            "{name} has no rule"
        );
    }
}
