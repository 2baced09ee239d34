//! Queries by chance about words, each with the obvious way to answer it.

use super::questions::{Question, Scanned, yes};
use super::{COMMENTS, EVENTS, NAMES};
use crate::testing::Dice;
use crate::*;

/// Words of a text by a rule of thumb that is good enough for the names of these tests.
pub(super) fn words(text: &str) -> Vec<String> {
    let plain = |c: char| match c {
        'ü' => 'u',
        'ö' => 'o',
        'ř' => 'r',
        'á' => 'a',
        'è' => 'e',
        c => c,
    };
    let folded: String = text.to_lowercase().chars().map(plain).collect();
    let parts = folded.split(|c: char| !c.is_alphanumeric());
    let parts = parts.filter(|w| !w.is_empty()).map(str::to_owned);
    // A word with an apostrophe is there as a whole too.
    let wholes = folded.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let wholes = wholes.filter(|w| w.contains('\''));
    parts.chain(wholes.map(|w| w.replace('\'', ""))).collect()
}

fn has_all(text: Option<&str>, wanted: &[String]) -> bool {
    let words = words(text.unwrap_or_default());
    !wanted.is_empty() && wanted.iter().all(|w| words.contains(w))
}

/// Modifiers of one letter, neighbours exchanged counting as one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

fn players(game: &Scanned) -> [Option<&str>; 2] {
    [game.entry.tag("White"), game.entry.tag("Black")]
}

pub(super) fn text_question(dice: &mut Dice) -> Question {
    let name = NAMES[dice.roll(NAMES.len())];
    match dice.roll(8) {
        0 => {
            let wanted = words(name);
            let query = Query::text(TextField::Player, name);
            (
                query,
                format!("player {name}"),
                Box::new(move |g| yes(players(g).into_iter().any(|p| has_all(p, &wanted)))),
            )
        }
        1 => {
            let query = Query::text(TextField::White, &format!("={}", name.to_uppercase()));
            let wanted = words(name);
            (
                query,
                format!("white is {name}"),
                Box::new(move |g| {
                    yes(!wanted.is_empty()
                        && g.entry.tag("White").is_some_and(|w| words(w) == wanted))
                }),
            )
        }
        2 => {
            let start: String = words(name)
                .concat()
                .chars()
                .take(1 + dice.roll(3))
                .collect();
            let query = Query::text(TextField::Black, &format!("{start}*"));
            (
                query,
                format!("black {start}*"),
                Box::new(move |g| {
                    let black = words(g.entry.tag("Black").unwrap_or_default());
                    yes(!start.is_empty() && black.iter().any(|w| w.starts_with(&start)))
                }),
            )
        }
        3 => {
            let word = ["spok", "sopck", "kirt", "muler", "uhuru", "kirk"][dice.roll(6)];
            let letters = 1 + dice.roll(2);
            let query = Query::text(TextField::Player, &format!("{word}~{letters}"));
            (
                query,
                format!("player {word}~{letters}"),
                Box::new(move |g| {
                    yes(players(g).into_iter().flatten().any(|p| {
                        let mut words = words(p).into_iter();
                        words.any(|w| distance(&w, word) <= letters || w == word[..1])
                    }))
                }),
            )
        }
        4 => {
            let event = EVENTS[dice.roll(EVENTS.len())];
            let phrase = Query::parse(&format!("event:\"{event}\"")).unwrap();
            let wanted = words(event);
            (
                phrase,
                format!("event {event}"),
                Box::new(move |g| {
                    let has = words(g.entry.tag("Event").unwrap_or_default());
                    yes(!wanted.is_empty() && has.windows(wanted.len()).any(|w| w == wanted))
                }),
            )
        }
        5 => {
            let comment = COMMENTS[dice.roll(COMMENTS.len())];
            let wanted = words(comment);
            let query = Query::text(TextField::Comments, comment);
            (
                query,
                format!("text {comment}"),
                Box::new(move |g| {
                    let all: Vec<&str> = g
                        .entry
                        .notes
                        .iter()
                        .filter_map(Annotation::comment)
                        .collect();
                    yes(has_all(Some(&all.join(" ")), &wanted))
                }),
            )
        }
        6 => {
            let word = ["vulcan", "starbase", "sealed", "12", "kirk", "james"][dice.roll(6)];
            let query = Query::parse(word).unwrap();
            (
                query,
                word.to_owned(),
                Box::new(move |g| {
                    let tags = ["White", "Black", "Event", "Site", "Round"];
                    let texts = tags.iter().filter_map(|t| g.entry.tag(t));
                    let comments = g.entry.notes.iter().filter_map(Annotation::comment);
                    yes(texts
                        .chain(comments)
                        .any(|t| words(t).contains(&word.to_owned())))
                }),
            )
        }
        _ => {
            let query = Query::Source("ONE".to_owned());
            (
                query,
                "source one".to_owned(),
                Box::new(|g| yes(g.source.contains("one"))),
            )
        }
    }
}
