//! Changes to the tags and remarks of games, before they are written again.

use std::collections::HashMap;
use tridex_archive::game::Event;
use tridex_archive::{Game, Item, is_unrecorded};

/// The tags whose values are names of players, events and places.
const NAMED: [&str; 4] = ["White", "Black", "Event", "Site"];

/// The command of comments that mark guesses and corrections.
const TRACE: &str = "tridex";

/// The commands in comments for times on clocks.
const CLOCKS: [&str; 5] = ["clk", "emt", "egt", "ect", "mct"];

/// Remarks to omit. Comments that mark guesses and corrections stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Strip {
    /// The texts of comments, and their arrows and marked squares.
    pub comments: bool,
    /// Variations.
    pub variations: bool,
    /// NAGs, also those written as marks after a move (`!?`).
    pub nags: bool,
    /// Times on clocks: `[%clk 0:05:00]`, `[%emt 12]`.
    pub clocks: bool,
    /// Evaluations: `[%eval 0.35]`.
    pub evals: bool,
}

/// Changes to the tags and remarks of games. Names are replaced first; then tags are renamed, removed and set.
///
/// ```
/// use tridex_archive::{Game, Item};
/// use tridex_core::Edits;
///
/// let mut game = Game::new();
/// game.push_tag("White", "kirk, j");
/// game.push_tag("Annotator", "Spock");
/// game.push(Item::Move("b4N!"));
/// game.push(Item::Comment("bold [%clk 0:05:00]"));
/// let mut edits = Edits::default();
/// edits.name("Kirk, J", "Kirk, James T.");
/// edits.remove.push("Annotator".to_owned());
/// edits.set.push(("Event".to_owned(), "Match".to_owned()));
/// edits.strip.comments = true;
/// edits.strip.nags = true;
/// edits.apply(&mut game);
/// assert_eq!(game.tag("White").as_deref(), Some("Kirk, James T."));
/// assert_eq!(game.tag("WhiteAsWritten").as_deref(), Some("kirk, j"));
/// assert_eq!((game.tag("Annotator"), game.tag("Event").as_deref()), (None, Some("Match")));
/// assert_eq!(tridex_archive::write::movetext(&game), "1. b4N {[%clk 0:05:00]}");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Edits {
    /// Remarks to omit.
    pub strip: Strip,
    /// Tags to set, with their values.
    pub set: Vec<(String, String)>,
    /// Tags to rename, with their new names.
    pub rename: Vec<(String, String)>,
    /// Tags to remove.
    pub remove: Vec<String>,
    /// Whether a replaced name stays in another tag, such as `WhiteAsWritten`.
    pub no_traces: bool,
    /// The standard forms of names.
    names: HashMap<String, String>,
}

/// A name as it is looked up: in lower case, with single blanks.
fn folded(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

impl Edits {
    /// Adds the standard form of a name of players, events or sites. Case and repeated blanks in the name as written do
    /// not matter. Returns false if the name already has another standard form.
    pub fn name(&mut self, written: &str, standard: &str) -> bool {
        let known = self.names.entry(folded(written));
        known.or_insert_with(|| standard.to_owned()) == standard
    }

    /// Makes the changes in a game.
    pub fn apply(&self, game: &mut Game<'_>) {
        if !self.names.is_empty() {
            self.standard_names(game);
        }
        if !self.rename.is_empty() || !self.remove.is_empty() {
            game.rename_tags(&mut |name| {
                let renamed = self.rename.iter().find(|(old, _)| old == name);
                let name = renamed.map_or(name, |(_, new)| new);
                (!self.remove.iter().any(|removed| removed == name)).then(|| name.to_owned())
            });
        }
        for (name, value) in &self.set {
            game.set_tag(name, value);
        }
        if self.strip != Strip::default() {
            self.strip.apply(game);
        }
    }

    fn standard_names(&self, game: &mut Game<'_>) {
        for tag in NAMED {
            let Some(written) = game.tag(tag).map(|value| value.into_owned()) else {
                continue;
            };
            let Some(standard) = self.names.get(&folded(&written)) else {
                continue;
            };
            if *standard == written {
                continue;
            }
            game.set_tag(tag, standard);
            let trace = format!("{tag}AsWritten");
            if !self.no_traces && game.tag(&trace).is_none() {
                game.push_tag(&trace, &written);
            }
        }
    }
}

impl Strip {
    fn apply(self, game: &mut Game<'_>) {
        let mut depth = 0_usize;
        game.rebuild(|game, event| {
            match event.kind {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => {
                    depth = depth.saturating_sub(1);
                    if self.variations {
                        return;
                    }
                }
                _ => {}
            }
            if !(self.variations && depth > 0) {
                self.put(game, event);
            }
        });
    }

    /// Puts an item back, or what remains of it.
    fn put(self, game: &mut Game<'_>, event: Event) {
        let at = game.place(&event);
        match event.kind {
            Item::Nag(_) if self.nags => {}
            Item::Move(_) if self.nags => {
                let text = game.text(&event);
                let marks = text.iter().rev().take_while(|b| matches!(b, b'!' | b'?'));
                let length = text.len() - marks.count();
                if length == text.len() || length == 0 || is_unrecorded(text) {
                    return game.put(event);
                }
                let text = text.get(..length).unwrap_or_default().to_vec();
                game.push_raw(Item::Move(&text), at);
            }
            Item::Comment(_) | Item::LineComment(_) => {
                let item = game.item(&event);
                let (Item::Comment(text) | Item::LineComment(text)) = &item else {
                    return;
                };
                let rest = self.comment(text);
                if rest == text.trim() {
                    game.put(event);
                } else if !rest.is_empty() {
                    game.push_raw(Item::Comment(rest.as_bytes()), at);
                }
            }
            _ => game.put(event),
        }
    }

    /// What remains of a comment.
    fn comment(self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        let mut take = |part: &str, is_stripped: bool| {
            if !is_stripped {
                out.push_str(part);
            }
        };
        while let Some(start) = rest.find("[%") {
            let (before, command) = rest.split_at(start);
            let end = command.find(']').map_or(command.len(), |end| end + 1);
            let (command, after) = command.split_at(end);
            let name = command.get(2..).unwrap_or_default();
            let name = name.split([' ', ']']).next().unwrap_or_default();
            let is_stripped = match name {
                TRACE => false,
                "eval" => self.evals,
                name if CLOCKS.contains(&name) => self.clocks,
                _ => self.comments,
            };
            take(before, self.comments);
            take(command, is_stripped);
            // Neither two blanks nor none are between what remains.
            rest = if is_stripped {
                after.trim_start()
            } else {
                after
            };
            take(" ", !self.comments || is_stripped);
        }
        take(rest, self.comments);
        out.trim().to_owned()
    }
}
