//! Writes PGN in export format, score sheets and NDJSON, and files that appear whole or not at all.
//!
//! A reader reads every written game as the same game. If a container cannot express an item, the nearest form is used:
//! an escape line in a cell becomes a comment.

use std::io::{self, Write};

use crate::game::{Game, in_a_line};
use crate::ndjson::Record;
use crate::visit::GameResult;
use serde::{Serialize, Serializer};
use tridex_text::json;

#[cfg(feature = "files")]
mod atomic;
#[cfg(feature = "files")]
mod folder;
mod movetext;
mod table;
mod tags;
#[cfg(feature = "files")]
mod text_store;
#[cfg(feature = "files")]
pub use atomic::AtomicFile;
#[cfg(feature = "files")]
pub use folder::NewFolder;
pub use movetext::Movetext;
pub use table::{TableRow, TableStyle};
pub use tags::{push_tag, second_names, tags};
#[cfg(feature = "files")]
pub use text_store::{StoredText, TextStore};

/// Writes a game in PGN's export format: the whole seven-tag roster first, then the other tags in order, movetext in
/// lines under 80 characters, and an empty line at the end.
///
/// Lines are broken only at blanks, so a longer word makes a longer line. A move is one word even if it contains
/// blanks. The first move number is that of the `FEN` tag.
///
/// ```
/// use tridex_archive::{Game, GameResult, Item, write};
///
/// let mut game = Game::new();
/// game.push_tag("White", "Anna");
/// game.push(Item::Move("b4N"));
/// game.result = Some(GameResult::White);
/// let mut out = Vec::new();
/// write::pgn(&game, &mut out)?;
/// let text = String::from_utf8_lossy(&out);
/// assert!(text.contains("[White \"Anna\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. b4N 1-0\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of `out`.
pub fn pgn(game: &Game<'_>, out: &mut dyn Write) -> io::Result<()> {
    let result = game.result.unwrap_or(GameResult::Unknown).as_str();
    let mut text = Vec::new();
    tags(game, result, &mut text);
    let mut movetext = Movetext::in_lines();
    movetext.game(game);
    text.push(b'\n');
    text.extend_from_slice(movetext.finish(Some(result)));
    text.extend_from_slice(b"\n\n");
    out.write_all(&text)
}

/// Returns the movetext of a game on one line, without its result, for the field `movetext` of
/// [`ndjson`](crate::ndjson).
///
/// ```
/// use tridex_archive::{Game, Item, write::movetext};
///
/// let mut game = Game::new();
/// game.push(Item::Move("b4N"));
/// game.push(Item::Comment("quiet"));
/// assert_eq!(movetext(&game), "1. b4N {quiet}");
/// ```
pub fn movetext(game: &Game<'_>) -> String {
    let mut movetext = Movetext::on_one_line();
    movetext.game(game);
    String::from_utf8_lossy(movetext.finish(None)).into_owned()
}

/// The columns for single tags, each with the name of its tag.
const SHEET_TAGS: [(&str, &str); 10] = [
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("whiteplayer", "White"),
    ("blackplayer", "Black"),
    ("variant", "Variant"),
    ("notation", "Notation"),
    ("locale", "Locale"),
    ("fen", "FEN"),
];

/// Writes the header of a score sheet. Readers read sheets of every style unchanged, except cells like formulas in a
/// style that does not escape them.
///
/// # Errors
///
/// Those of `out`.
pub fn sheet_heading(style: TableStyle, out: &mut dyn Write) -> io::Result<()> {
    let columns = ["game", "no", "white", "black", "result"];
    let tags = SHEET_TAGS.iter().map(|&(column, _)| column);
    style.heading(columns.into_iter().chain(tags).chain(["tags"]), out)
}

/// Writes a game, numbered `number`, into a score sheet, with a row for each move number. The first row has the result
/// and the tags. Tags without a column of their own are together in the last column, in the form of PGN.
///
/// ```
/// use tridex_archive::{Game, Item, write};
///
/// let mut game = Game::new();
/// game.push(Item::Move("b4N"));
/// game.push(Item::Move("b5B"));
/// let mut sheet = Vec::new();
/// write::sheet_heading(Default::default(), &mut sheet)?;
/// write::sheet(1, &game, Default::default(), &mut sheet)?;
/// let text = String::from_utf8(sheet).unwrap();
/// assert!(text.starts_with("game,no,white,black,result,"));
/// assert!(text.contains("\n1,1,b4N,b5B,"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of `out`.
pub fn sheet(
    number: u64,
    game: &Game<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let number = number.to_string();
    let first = first_row(game);
    let cells = Movetext::cells(game);
    let rows = cells.chunk_by(|one, other| one.0 / 2 == other.0 / 2);
    let rows: Vec<_> = rows
        .map(|row| {
            let cell = |side| row.iter().find(|(ply, _)| ply % 2 == side);
            let [white, black] = [0, 1].map(|side| cell(side).map_or("", |(_, text)| text));
            let place = row.first().map_or(0, |(ply, _)| ply / 2).to_string();
            (place, white, black)
        })
        .collect();
    let rows = rows.iter().enumerate().map(|(n, (place, white, black))| {
        let others = first.iter().map(move |cell| if n == 0 { cell } else { "" });
        [&number, place, *white, *black].into_iter().chain(others)
    });
    style.all(rows, out)
}

/// The cells of the first row only: the result, and the tags.
fn first_row(game: &Game<'_>) -> Vec<String> {
    let result = game.result.map_or("", GameResult::as_str);
    let mut cells = vec![result.to_owned()];
    let mut tags: Vec<_> = game.tags().collect();
    for (place, name) in second_names(game.written_tags().map(|tag| tag.name)) {
        if let Some(tag) = tags.get_mut(place) {
            tag.0 = name.into();
        }
    }
    for (_, name) in SHEET_TAGS {
        let at = tags.iter().position(|(tag, _)| tag == name);
        // Readers trim cells, so a value with blanks at its ends goes into the last column.
        let fits = |value: &str| value.trim() == value && !value.is_empty();
        let at = at.filter(|at| tags.get(*at).is_some_and(|(_, value)| fits(value)));
        let own = at.map(|at| tags.remove(at).1.into_owned());
        cells.push(own.unwrap_or_default());
    }
    // Readers add `SetUp` to every `FEN`.
    let has_start = game.tag("FEN").is_some();
    tags.retain(|(name, value)| !(has_start && name == "SetUp" && value == "1"));
    let mut others = Vec::new();
    for (name, value) in tags {
        push_tag(&name, &value, &mut others);
    }
    let others = String::from_utf8_lossy(&others);
    cells.push(others.trim_end().replace('\n', " "));
    cells
}

/// The fields of a line of NDJSON that are not in the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonHead<'a> {
    /// Name of the source.
    pub source: &'a str,
    /// Number of the game in it, from 1.
    pub game: u64,
    /// Name of the rule system.
    pub rules: &'a str,
    /// Name of the notation.
    pub notation: &'a str,
    /// The position at the start.
    pub start: &'a str,
}

/// Writes a game as a line of NDJSON. `moves` has the moves of the main line. If the game has other items, `movetext`
/// has all of them.
///
/// ```
/// use tridex_archive::{Game, Item, write};
///
/// let mut game = Game::new();
/// game.push(Item::Move("b4N"));
/// let mut out = Vec::new();
/// write::ndjson(&game, &write::JsonHead::default(), &mut out)?;
/// assert!(String::from_utf8_lossy(&out).contains(r#""moves":["b4N"],"result":"*""#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Those of `out`.
pub fn ndjson(game: &Game<'_>, head: &JsonHead<'_>, out: &mut dyn Write) -> io::Result<()> {
    let movetext = game.is_annotated().then(|| movetext(game));
    let result = game.result.unwrap_or(GameResult::Unknown);
    let record = Record {
        source: Some(head.source),
        game: Some(head.game),
        rules: Some(head.rules),
        notation: Some(head.notation),
        locale: None,
        start: Some(head.start),
        tags: Some(Tags(game)),
        moves: Some(Moves(game)),
        result: Some(result.as_str()),
        movetext: movetext.as_deref(),
    };
    json::write_line(out, &record)
}

/// The tags of a game as an object.
struct Tags<'g>(&'g Game<'g>);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(game) = self;
        let mut renamed = second_names(game.written_tags().map(|tag| tag.name))
            .into_iter()
            .peekable();
        let tags = game.written_tags().enumerate().map(|(n, tag)| {
            let renamed = renamed.next_if(|(place, _)| *place == n);
            let name = renamed.map(|(_, name)| name.into());
            (name.unwrap_or_else(|| in_a_line(tag.name)), tag.text())
        });
        serializer.collect_map(tags)
    }
}

/// The moves of a game as a list.
struct Moves<'g>(&'g Game<'g>);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(game) = self;
        let moves = game.main_events().map(|(_, event)| game.text(event));
        serializer.collect_seq(moves.map(in_a_line))
    }
}

#[cfg(test)]
mod tests;
