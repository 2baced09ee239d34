//! Converts a tree to a record and to text.

use crate::steps::Step;
use crate::tree::GameTree;
use tridex_archive::{Game, Item, Unread, write};
use tridex_notation::{Locale, Notation, WrongFamily, position_string};
use tridex_replay::{OutputStyle, Trace, UNREADABLE, figurines};

/// Tags whose values are derived from the tree and the output style.
const OWN_TAGS: [&str; 6] = ["Variant", "Notation", "Locale", "SetUp", "FEN", UNREADABLE];

impl GameTree {
    /// Returns the game as a record.
    ///
    /// Tokens that could not be read are collected in a comment, which is written before the next comment or variation
    /// or at the end of the line, as by a [`Converter`](tridex_replay::Converter).
    ///
    /// # Errors
    /// If the notation cannot describe the board of the game.
    pub fn to_record(&self, style: &OutputStyle) -> Result<Game<'static>, WrongFamily> {
        let (notation, options) = (style.notation, style.options);
        if notation.family() != self.rules().family() {
            return Err(WrongFamily { notation });
        }
        let mut record = Game::new();
        record.result = Some(self.result);
        let is_own = |name: &str| OWN_TAGS.iter().any(|own| own.eq_ignore_ascii_case(name));
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_own(name)) {
            record.push_tag(name, value);
        }
        record.push_tag("Variant", self.rules().name());
        record.push_tag("Notation", notation.name());
        if options.locale != Locale::English && notation.has_letters() {
            record.push_tag("Locale", options.locale.code());
        }
        if self.is_set_up {
            let start = self.position(self.root()).to_setup();
            record.push_tag("SetUp", "1");
            record.push_tag("FEN", &position_string::to_string(&start));
        }
        if let Some(why) = self.tag(UNREADABLE) {
            record.push_tag(UNREADABLE, why);
        }
        let mut unread = Unread::default();
        for step in self.steps() {
            let ends_unread = matches!(
                step,
                Step::VariationStart(_)
                    | Step::VariationEnd
                    | Step::Item(
                        Item::VariationStart
                            | Item::VariationEnd
                            | Item::Comment(_)
                            | Item::LineComment(_)
                    )
            );
            if ends_unread && let Some(comment) = unread.take() {
                record.push(Item::Comment(&comment));
            }
            match step {
                Step::Move(id) => {
                    let node = self.at(id);
                    let mut text = self.write_with(id, notation, &options)?;
                    if let (true, Some(parent), Some(played)) =
                        (style.figurines, node.parent, node.played)
                    {
                        text = figurines(notation, self.position(parent), played, &text);
                    }
                    text.push_str(&node.judgement);
                    record.push(Item::Move(&text));
                }
                Step::VariationStart(_) => record.push(Item::VariationStart),
                Step::VariationEnd => record.push(Item::VariationEnd),
                Step::Item(Item::Move(token)) => {
                    if let Some(item) = unread.add(token) {
                        record.push(item);
                    }
                }
                Step::Item(Item::Comment(text) | Item::LineComment(text)) if !style.traces => {
                    let rest = Trace::take(text, drop);
                    if !rest.is_empty() {
                        record.push(Item::Comment(&rest));
                    }
                }
                Step::Item(item) => record.push(item.as_deref()),
            }
        }
        if let Some(comment) = unread.take() {
            record.push(Item::Comment(&comment));
        }
        Ok(record)
    }

    /// Returns the game as PGN in a notation of its board.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_rules::RuleSystem;
    /// use tridex_tree::GameTree;
    ///
    /// let mut tree = GameTree::new(RuleSystem::Meder);
    /// tree.set_tag("White", "Kirk, James");
    /// tree.read(tree.root(), "b4N b5B")?;
    /// let pgn = tree.to_pgn(Notation::Manual)?;
    /// assert!(pgn.contains("[White \"Kirk, James\"]\n"));
    /// assert!(pgn.ends_with("\n1. c3,WB-c5,NB c8,BB-c6,BB *\n\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the notation is for another board.
    pub fn to_pgn(&self, notation: Notation) -> Result<String, WrongFamily> {
        let record = self.to_record(&OutputStyle::of(notation))?;
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = write::pgn(&record, &mut text);
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Returns the moves, variations and annotations in a notation of the game's board, on one line and without the
    /// result.
    ///
    /// # Errors
    /// If the notation is for another board.
    pub fn movetext(&self, notation: Notation) -> Result<String, WrongFamily> {
        let record = self.to_record(&OutputStyle::of(notation))?;
        Ok(write::movetext(&record))
    }
}
