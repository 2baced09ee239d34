//! Merges the tags and annotations of several records of one game.

use std::collections::BTreeMap;
use tridex_archive::game::Event;
use tridex_archive::{Game, GameResult, Item, result_text};

/// The letter by which comments and tables name a record: A for the first.
pub(crate) fn letter(record: usize) -> char {
    (b'A'..=b'Z').nth(record).map_or('?', char::from)
}

/// The tags that describe the record and not the game. They are written again.
const OF_THE_RECORD: [&str; 7] = [
    "Variant", "Notation", "Locale", "SetUp", "FEN", "Result", "PlyCount",
];

/// Whether a value states nothing.
fn is_unknown(value: &str) -> bool {
    let value = value.trim();
    value.is_empty() || value.bytes().all(|sign| b"?.-*".contains(&sign))
}

/// A tag whose values differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TagDifference {
    pub(crate) name: String,
    /// The value of each record that has one.
    pub(crate) values: Vec<Option<String>>,
}

/// The tags of a merged game.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergedTags {
    /// Names and values: the first value that is known.
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) differences: Vec<TagDifference>,
}

/// Merges the tags of several records, except those that describe a record. Values that differ in case and blanks only
/// do not differ.
pub(crate) fn tags(games: &[&Game<'_>]) -> MergedTags {
    let mut names: Vec<String> = Vec::new();
    let mut values: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for (record, game) in games.iter().enumerate() {
        for (name, value) in game.tags() {
            if OF_THE_RECORD
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known))
            {
                continue;
            }
            let of = values.entry(name.to_lowercase()).or_insert_with(|| {
                names.push(name.clone().into_owned());
                vec![None; games.len()]
            });
            // Of several tags with the same name, the first counts.
            if let Some(own) = of.get_mut(record).filter(|own| own.is_none()) {
                *own = Some(value.into_owned());
            }
        }
    }
    let mut merged = MergedTags::default();
    for name in names {
        let of = values.remove(&name.to_lowercase()).unwrap_or_default();
        let known: Vec<&String> = of
            .iter()
            .flatten()
            .filter(|value| !is_unknown(value))
            .collect();
        let same = |value: &str| {
            value
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .to_lowercase()
        };
        let differs = known.windows(2).any(|pair| same(pair[0]) != same(pair[1]));
        let value = known
            .first()
            .copied()
            .or_else(|| of.iter().flatten().next());
        merged
            .tags
            .push((name.clone(), value.cloned().unwrap_or_default()));
        if differs {
            let values = of
                .into_iter()
                .map(|value| value.filter(|value| !is_unknown(value)));
            merged.differences.push(TagDifference {
                name,
                values: values.collect(),
            });
        }
    }
    merged
}

/// The result that each record states, at the end of its moves or in its tag.
pub(crate) fn results(games: &[&Game<'_>]) -> Vec<Option<GameResult>> {
    let of = |game: &&Game<'_>| {
        let tag = game
            .tag("Result")
            .and_then(|value| result_text(value.as_bytes()));
        let known = |result: &GameResult| *result != GameResult::Unknown;
        game.result.filter(known).or(tag.filter(known))
    };
    games.iter().map(of).collect()
}

/// The items of a record that belong to each token of its main line: those after it, up to the next. The first are
/// those before the first token.
pub(crate) fn annotations<'g>(game: &'g Game<'_>) -> Vec<Vec<&'g Event>> {
    let mut all = vec![Vec::new()];
    let mut depth = 0_usize;
    for event in game.events() {
        match event.kind {
            Item::Move(_) if depth == 0 => all.push(Vec::new()),
            kind => {
                match kind {
                    Item::VariationStart => depth += 1,
                    Item::VariationEnd => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if let Some(last) = all.last_mut() {
                    last.push(event);
                }
            }
        }
    }
    all
}

/// What one record has after a move: its items, and whether its variations can be written as they are.
pub(crate) struct Annotated<'g> {
    pub(crate) record: usize,
    pub(crate) game: &'g Game<'g>,
    pub(crate) items: Vec<&'g Event>,
    /// Whether the record is in the style of the merged game.
    pub(crate) has_style: bool,
}

/// Appends the annotations that several records have for a move. An annotation that an earlier record has too is
/// written once. If the records have different comments, each comment begins with the letter of its record. A second
/// time on the clock becomes text, so that the move has one time.
pub(crate) fn push(out: &mut Game<'_>, all: &[Annotated<'_>]) {
    let comments = |own: &Annotated<'_>| -> Vec<String> {
        let mut depth = 0_usize;
        let mut texts = Vec::new();
        for event in &own.items {
            match own.game.item(event) {
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                Item::Comment(text) | Item::LineComment(text) if depth == 0 => {
                    texts.push(text.trim().to_owned());
                }
                _ => {}
            }
        }
        texts
    };
    let texts: Vec<Vec<String>> = all.iter().map(comments).collect();
    let mut known: Vec<&Vec<String>> = texts.iter().filter(|texts| !texts.is_empty()).collect();
    known.dedup();
    let differ = known.len() > 1;
    let mut written: Vec<String> = Vec::new();
    let mut has_clock = false;
    for own in all {
        let mut items = own.items.iter().peekable();
        while let Some(event) = items.next() {
            let item = own.game.item(event);
            let key = format!("{:?}", item.as_deref());
            match item {
                Item::VariationStart => {
                    let mut inside = vec![item];
                    let mut depth = 1_usize;
                    for event in items.by_ref() {
                        let item = own.game.item(event);
                        match item {
                            Item::VariationStart => depth += 1,
                            Item::VariationEnd => depth -= 1,
                            _ => {}
                        }
                        inside.push(item);
                        if depth == 0 {
                            break;
                        }
                    }
                    let key = format!("{inside:?}");
                    if written.contains(&key) {
                        continue;
                    }
                    written.push(key);
                    if own.has_style {
                        inside.iter().for_each(|item| out.push(item.as_deref()));
                    } else {
                        let words = inside.iter().filter_map(|item| match item {
                            Item::VariationStart => Some("(".to_owned()),
                            Item::VariationEnd => Some(")".to_owned()),
                            Item::Move(text) => Some(text.clone().into_owned()),
                            Item::Comment(text) | Item::LineComment(text) => {
                                Some(format!("- {text} -"))
                            }
                            Item::Word(text) => Some(text.clone().into_owned()),
                            Item::Nag(number) => Some(format!("${number}")),
                            Item::DrawOffer => Some("(=)".to_owned()),
                            Item::Escape(_) => None,
                        });
                        let words = words.collect::<Vec<_>>().join(" ");
                        let text =
                            format!("{}: {}", letter(own.record), words.replace(['{', '}'], ""));
                        out.push(Item::Comment(&text));
                    }
                }
                Item::Comment(text) | Item::LineComment(text) => {
                    let bare = text.trim();
                    if written.iter().any(|known| known == bare) {
                        continue;
                    }
                    written.push(bare.to_owned());
                    let is_clock = bare.contains("[%clk");
                    let text = match is_clock && has_clock {
                        true => bare.replace("[%", "(%").replace(']', ")"),
                        false => bare.to_owned(),
                    };
                    has_clock |= is_clock;
                    let text = match differ {
                        true => format!("{}: {text}", letter(own.record)),
                        false => text,
                    };
                    out.push(Item::Comment(&text));
                }
                Item::Nag(_) | Item::DrawOffer | Item::Word(_) | Item::Escape(_) => {
                    if !written.contains(&key) {
                        written.push(key);
                        out.push(item.as_deref());
                    }
                }
                Item::Move(_) | Item::VariationEnd => {}
            }
        }
    }
}
