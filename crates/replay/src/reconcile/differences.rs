//! What differs between records, and why the game has what it has.

use super::merge::{MergedTags, letter};
use super::{ReadAs, ReconciledPly, RecordReading, Superfluous};
use crate::finding::wording::{number, ply_number};
use serde::Serialize;
use tridex_archive::GameResult;
use tridex_text::printable;

tridex_text::enum_table! {
    /// What a difference between records is about.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum DifferenceKind(
        /// The kind as machines see it.
        as_str: &'static str
    ) {
        /// A tag has different values. The game has the first.
        Tag("tag"),
        /// The results differ, so the game has none.
        Result("result"),
        /// A move was chosen although a record has something else, or nothing.
        Move("move"),
        /// Several moves are likely. The game has the likeliest.
        Ambiguous("ambiguous"),
        /// A token of a record is no move of the game.
        Superfluous("superfluous"),
        /// A record ends before the move.
        End("end"),
    }
}

impl DifferenceKind {
    /// Whether the records leave it undecided.
    #[must_use]
    pub const fn is_undecided(self) -> bool {
        matches!(self, Self::Ambiguous | Self::Result)
    }
}

/// A difference between records of a game. Fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The ply it is about, from 1; `None` if it is about the game as a whole.
    pub ply: Option<u32>,
    /// The number of the move, such as `12...`; empty if it is about no move.
    pub number: String,
    /// What it is about.
    pub kind: DifferenceKind,
    /// What the game has: the move, the value of the tag, or the result.
    pub text: String,
    /// What each record has, as written; empty if it has nothing.
    pub written: Vec<String>,
    /// How each record agrees with the game, in a few words; empty for tags and results.
    pub read_as: Vec<String>,
    /// All likely moves if the ply is undecided, the likeliest first.
    pub readings: Vec<String>,
    /// What differs, and why the game has what it has.
    pub message: String,
}

impl Difference {
    fn column(texts: &[String], record: usize) -> &str {
        texts.get(record).map_or("", String::as_str)
    }
}

// Readings are separated by semicolons, since a move may contain a comma.
tridex_archive::columns! { Difference, row:
    "ply" => row.ply.map_or_else(String::new, |ply| ply.to_string()),
    "number" => row.number,
    "kind" => row.kind.as_str(),
    "text" => row.text,
    "a" => Self::column(&row.written, 0),
    "a_read_as" => Self::column(&row.read_as, 0),
    "b" => Self::column(&row.written, 1),
    "b_read_as" => Self::column(&row.read_as, 1),
    "c" => Self::column(&row.written, 2),
    "c_read_as" => Self::column(&row.read_as, 2),
    "readings" => row.readings.join("; "),
    "message" => row.message,
}

impl ReadAs {
    /// A description to be put in brackets.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Written => "as written",
            Self::OtherMarks => "other marks",
            Self::Foreign => "another language or notation",
            Self::Slip(slip) => slip.name(),
            Self::Unreadable => "not readable",
            Self::NotRecorded => "not recorded",
            Self::Omitted => "omitted",
            Self::Ended => "ended",
        }
    }
}

impl RecordReading {
    /// Whether the record has the move as it is, in its place, or has ended.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        matches!(self.read_as, ReadAs::Written | ReadAs::Ended) && !self.is_exchanged
    }

    fn words(&self) -> String {
        match (self.is_exchanged, self.read_as) {
            (false, read_as) => read_as.words().to_owned(),
            (true, ReadAs::Written) => "exchanged".to_owned(),
            (true, read_as) => format!("exchanged, {}", read_as.words()),
        }
    }

    /// What the record has, as part of a sentence.
    fn said(&self, record: usize) -> String {
        let name = letter(record);
        match self.read_as {
            ReadAs::Omitted => format!("{name} omits it"),
            ReadAs::Ended => format!("{name} has ended"),
            _ if self.is_plain() => format!("{name} has {}", self.token),
            _ => format!("{name} has {} ({})", self.token, self.words()),
        }
    }
}

/// The sentence about a ply, if its records differ or it is undecided.
fn of_ply(index: usize, ply: &ReconciledPly, first_half: usize) -> Option<Difference> {
    if ply.is_decided() && ply.records.iter().all(RecordReading::is_plain) {
        return None;
    }
    let said = ply.records.iter().enumerate();
    let said: Vec<String> = said.map(|(record, own)| own.said(record)).collect();
    let readings: Vec<String> = match ply.is_decided() {
        true => Vec::new(),
        false => ply
            .readings
            .iter()
            .map(|reading| reading.text.clone())
            .collect(),
    };
    let text = &ply.text;
    let why = if !ply.is_decided() {
        format!("undecided: {}", readings.join(" or "))
    } else if ply.records.iter().any(RecordReading::is_plain) {
        format!("{text} needs the fewest slips in the whole game")
    } else {
        format!("{text} is the only likely move")
    };
    Some(Difference {
        ply: Some(ply_number(index)),
        number: number(first_half + index),
        kind: match ply.is_decided() {
            true => DifferenceKind::Move,
            false => DifferenceKind::Ambiguous,
        },
        text: text.clone(),
        written: ply.records.iter().map(|own| own.token.clone()).collect(),
        read_as: ply.records.iter().map(RecordReading::words).collect(),
        readings,
        message: printable(&format!("{}; {why}", said.join(", "))).into_owned(),
    })
}

/// What records differ in: tags and results, then moves in order, then superfluous tokens.
pub(super) fn differences(
    tags: &MergedTags,
    results: &[Option<GameResult>],
    result: Option<GameResult>,
    plies: &[ReconciledPly],
    superfluous: &[Superfluous],
    first_half: usize,
) -> Vec<Difference> {
    let mut all = Vec::new();
    let named = |values: &[String]| {
        let values = values
            .iter()
            .enumerate()
            .filter(|(_, value)| !value.is_empty());
        let values = values.map(|(record, value)| format!("{} has {value}", letter(record)));
        printable(&values.collect::<Vec<_>>().join(", ")).into_owned()
    };
    let whole = |kind, text: &str, written: Vec<String>, message: String| Difference {
        ply: None,
        number: String::new(),
        kind,
        text: text.to_owned(),
        written,
        read_as: Vec::new(),
        readings: Vec::new(),
        message,
    };
    for tag in &tags.differences {
        let written: Vec<String> = tag
            .values
            .iter()
            .map(|value| value.clone().unwrap_or_default())
            .collect();
        let text = written
            .iter()
            .find(|value| !value.is_empty())
            .cloned()
            .unwrap_or_default();
        let message = format!("{}: {}", tag.name, named(&written));
        all.push(whole(DifferenceKind::Tag, &text, written, message));
    }
    if result.is_none() && results.iter().flatten().count() > 1 {
        let written = results
            .iter()
            .map(|result| result.map_or("", |result| result.as_str()).to_owned());
        let written: Vec<String> = written.collect();
        let message = format!("result: {}; undecided", named(&written));
        all.push(whole(DifferenceKind::Result, "*", written, message));
    }
    for (index, ply) in plies.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| plies.get(before));
        let ended = |ply: &ReconciledPly, record: usize| {
            ply.records
                .get(record)
                .is_some_and(|own| own.read_as == ReadAs::Ended)
        };
        for record in 0..ply.records.len() {
            if ended(ply, record) && !before.is_some_and(|before| ended(before, record)) {
                all.push(Difference {
                    ply: Some(ply_number(index)),
                    number: number(first_half + index),
                    message: format!("{} ends before this move", letter(record)),
                    read_as: ply.records.iter().map(RecordReading::words).collect(),
                    ..whole(
                        DifferenceKind::End,
                        &ply.text,
                        ply.records.iter().map(|own| own.token.clone()).collect(),
                        String::new(),
                    )
                });
            }
        }
        all.extend(of_ply(index, ply, first_half));
    }
    for token in superfluous {
        let mut written = vec![String::new(); token.record + 1];
        if let Some(own) = written.get_mut(token.record) {
            own.clone_from(&token.token);
        }
        let message = format!(
            "{} has {}, which is no move of the game",
            letter(token.record),
            token.token
        );
        let message = printable(&message).into_owned();
        all.push(whole(DifferenceKind::Superfluous, "", written, message));
    }
    all
}
