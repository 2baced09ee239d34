//! Dice, random games and the grammar runner for tests.

use tridex_rules::random;
use tridex_rules::{Move, RuleSystem};

/// Numbers by chance, always the same from the same seed.
pub(crate) struct Dice(random::Dice);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(random::Dice::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_number()
    }

    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides as u32) as usize
    }
}

/// A random game of `plies` moves at most, in which rare kinds of moves are not rare.
pub(crate) fn random_game(rules: RuleSystem, plies: usize, dice: &mut Dice) -> Vec<Move> {
    random::game(rules, &mut dice.0, plies)
}

/// A rule's function: whether it takes the whole text.
pub(crate) type Accepts = fn(&str) -> bool;

/// Runs the examples of a grammar through the functions of the same names: `(* + text *)` below a rule must be taken
/// whole, `(* - text *)` must not; `""` is the empty text. Every rule must have a function and examples of both kinds,
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
