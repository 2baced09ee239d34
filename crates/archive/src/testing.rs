//! Events as text, for tests.

use std::collections::HashMap;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

use crate::interner::TokenId;
use crate::item::Item;
use crate::lex::decode;
use crate::visit::{Damage, GameResult, Visitor};

/// The configuration of a property test: a fixed number of cases, the same in each run, so that a failure can be
/// repeated. If `PROPTEST_CASES` is set, the cases are random.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
        config.rng_seed = RngSeed::Fixed(24);
    }
    config
}

/// Records every event on a line.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) lines: Vec<String>,
    /// Whether offsets are omitted.
    pub(crate) plain: bool,
    /// The known words, by their numbers.
    pub(crate) words: HashMap<usize, Vec<u8>>,
}

impl Script {
    pub(crate) fn plain() -> Self {
        Self {
            plain: true,
            ..Self::default()
        }
    }

    fn say(&mut self, at: u64, what: &str) {
        let what = what
            .replace('\n', "\\n")
            .replace('\r', "\\r")
            .replace('\0', "\\0");
        self.lines.push(if self.plain {
            what
        } else {
            format!("{at} {what}")
        });
    }
}

/// An event without its offset.
pub(crate) fn event(line: &str) -> &str {
    line.split_once(' ').map_or(line, |(_, event)| event)
}

/// The events of a reader.
pub(crate) fn script(read: impl FnOnce(&mut Script)) -> Vec<String> {
    let mut script = Script::default();
    read(&mut script);
    script.lines
}

/// The events of a reader without offsets, on one line.
pub(crate) fn plain_script(read: impl FnOnce(&mut Script)) -> String {
    let mut script = Script::plain();
    read(&mut script);
    script.lines.join(" | ")
}

impl Visitor for Script {
    fn begin_game(&mut self, at: u64) {
        self.say(at, "game");
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        self.say(at, &format!("tag {}={}", decode(name), decode(raw_value)));
    }

    fn move_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        let written = decode(text);
        let digits = written.trim_end_matches('.');
        let is_black = written.len() > digits.len() + 1;
        let usual = |number: u32| 2 * number + u32::from(is_black) == half_moves;
        match digits.parse() {
            Ok(number @ ..1_000) if !usual(number) => {
                self.say(at, &format!("no {written} (half-move {half_moves})"));
            }
            _ => self.say(at, &format!("no {written}")),
        }
    }

    fn move_token(&mut self, token: &[u8], at: u64, id: TokenId) {
        if id != TokenId::NONE {
            let known = self
                .words
                .entry(id.index())
                .or_insert_with(|| token.to_vec());
            assert_eq!(token, known.as_slice(), "two words have one number");
        }
        self.say(at, &format!("<{}>", decode(token)));
    }

    fn item(&mut self, item: Item<&[u8]>, at: u64) {
        let what = match item {
            Item::Move(_) => unreachable!("moves are reported with their number"),
            Item::Comment(text) => format!("{{{}}}", decode(text)),
            Item::LineComment(text) => format!(";{}", decode(text)),
            Item::Escape(text) => format!("%{}", decode(text)),
            Item::Word(text) => format!("word {}", decode(text)),
            Item::Nag(nag) => format!("${nag}"),
            Item::DrawOffer => "draw?".to_owned(),
            Item::VariationStart => "(".to_owned(),
            Item::VariationEnd => ")".to_owned(),
        };
        self.say(at, &what);
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.say(at, &format!("= {result}"));
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.say(at, &format!("!{} {len}", damage.code()));
    }

    fn end_game(&mut self, at: u64) {
        self.say(at, "end");
    }
}
