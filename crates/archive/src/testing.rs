//! Events as text, for tests.

use std::collections::HashMap;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

use crate::interner::TokenId;
use crate::lex::decode;
use crate::visit::{Damage, GameResult, Visitor};

/// A fixed number of cases of a law, the same in each run, so that a failure can be repeated; `PROPTEST_CASES` asks for
/// other, random ones.
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
    /// Without offsets.
    pub(crate) plain: bool,
    /// The known words by their numbers.
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

    fn begin_moves(&mut self, at: u64) {
        self.say(at, "moves");
    }

    fn move_number(&mut self, text: &[u8], at: u64) {
        self.say(at, &format!("no {}", decode(text)));
    }

    fn move_token(&mut self, token: &[u8], at: u64) {
        self.say(at, &format!("<{}>", decode(token)));
    }

    fn known_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        let expected = match half_moves % 2 {
            0 => format!("{}.", half_moves / 2),
            _ => format!("{}...", half_moves / 2),
        };
        // In a sheet the number is alone in its cell.
        let digits = (half_moves / 2).to_string();
        assert!(text == expected.as_bytes() || text == digits.as_bytes());
        self.move_number(text, at);
    }

    fn known_move(&mut self, token: &[u8], at: u64, id: TokenId) {
        if id != TokenId::NONE {
            let known = self
                .words
                .entry(id.index())
                .or_insert_with(|| token.to_vec());
            assert_eq!(token, known.as_slice(), "two words have one number");
        }
        self.move_token(token, at);
    }

    fn comment(&mut self, text: &[u8], at: u64) {
        self.say(at, &format!("{{{}}}", decode(text)));
    }

    fn line_comment(&mut self, text: &[u8], at: u64) {
        self.say(at, &format!(";{}", decode(text)));
    }

    fn escape_line(&mut self, text: &[u8], at: u64) {
        self.say(at, &format!("%{}", decode(text)));
    }

    fn nag(&mut self, nag: u8, at: u64) {
        self.say(at, &format!("${nag}"));
    }

    fn suffix_mark(&mut self, text: &[u8], at: u64) {
        self.say(at, &format!("mark {}", decode(text)));
    }

    fn draw_offer(&mut self, at: u64) {
        self.say(at, "draw?");
    }

    fn begin_variation(&mut self, at: u64) {
        self.say(at, "(");
    }

    fn end_variation(&mut self, at: u64) {
        self.say(at, ")");
    }

    fn trailing_word(&mut self, text: &[u8], at: u64) {
        self.say(at, &format!("word {}", decode(text)));
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
