//! Two or three records of one game, reconciled.

use crate::choices::Target;
use crate::json;
use crate::read::{Reading, plainly};
use serde::{Deserialize, Serialize};
use std::io::Cursor;
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::write::pgn;
use tridex_archive::{Game, Ordinal};
use tridex_core::{Invalid, Rewriting};
use tridex_notation::{Fen, Locale, Notation, WriteOptions, write_unmarked};
use tridex_replay::finding::Severity;
use tridex_replay::reconcile::{Difference, reconcile_in};
use tridex_replay::{Options, Style};

/// The game that explains two or three records best, as `tridex reconcile` writes it. The text has one record after the
/// other.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reconcile {
    /// The number of bytes of each record.
    lengths: Vec<usize>,
    /// The notation to write; without it, that of the rules.
    to: Option<Target>,
    #[serde(default = "plainly")]
    options: Reading,
}

#[derive(Serialize)]
struct Answer<'r> {
    decided: bool,
    result: Option<&'static str>,
    rules: &'static str,
    plies: usize,
    differences: &'r [Difference],
    /// For each difference, the position before its ply.
    positions: Vec<Option<String>>,
    /// For each difference, the likely moves that are legal in that position, in the notation of the rules.
    moves: Vec<Vec<String>>,
}

impl Reconcile {
    /// The one game of a text. `number` counts the records from 1.
    fn game(&self, text: Vec<u8>, number: usize) -> Result<Game<'static>, String> {
        let (mut games, mut count, mut faults) = (Vec::new(), 0_u64, Vec::new());
        self.options.batches(text, |part| {
            match part {
                Ok(batch) => {
                    count += u64::from(batch.games());
                    let first = batch.all_games().first().map(Game::to_owned_record);
                    games.extend(first);
                }
                Err(fault) => {
                    faults.extend((fault.severity == Severity::Error).then_some(fault.message));
                }
            }
            true
        })?;
        match games.pop() {
            Some(game) if count == 1 => Ok(game),
            _ => {
                faults.insert(
                    0,
                    format!("score sheet {number} has {count} games, not one"),
                );
                Err(faults.join(": "))
            }
        }
    }

    pub(crate) fn answer(&self, mut text: Vec<u8>) -> Result<(String, Vec<u8>), String> {
        let options = self.options.options();
        let mut games = Vec::new();
        for (number, length) in (1..).zip(&self.lengths) {
            if *length > text.len() {
                return Err("the lengths of the score sheets exceed the text".to_owned());
            }
            let rest = text.split_off(*length);
            games.push(self.game(std::mem::replace(&mut text, rest), number)?);
        }
        let records: Vec<_> = games.iter().map(|game| (game, options)).collect();
        let to = self.to.and_then(|to| to.0);
        let output = |rules| {
            let notation = to.unwrap_or_else(|| Notation::of(rules));
            Some(Style::of(notation, Locale::English))
        };
        let found = reconcile_in(&records, &output).map_err(|why| why.to_string())?;
        let count = found.differences().len();
        let (mut positions, mut moves) = (vec![None; count], vec![Vec::new(); count]);
        let mut position = found.start().clone();
        for (ply, has) in (1..).zip(found.plies()) {
            let places = positions.iter_mut().zip(&mut moves);
            let all = places.zip(found.differences());
            for ((before, moves), _) in all.filter(|(_, found)| found.ply == Some(ply)) {
                *before = Some(Fen::of(&position).to_string());
                let legal = has.readings.iter().map(|reading| reading.mv);
                let legal = legal.filter(|mv| position.is_legal(*mv));
                let written = legal.filter_map(|mv| {
                    let (own, options) = (Notation::of(position.rules()), WriteOptions::default());
                    write_unmarked(own, &position, mv, &options).ok()
                });
                moves.extend(written.map(|text| text.as_str().to_owned()));
            }
            position.play_unchecked(has.mv);
        }
        let head = json(&Answer {
            decided: found.is_decided(),
            result: found.result().map(|result| result.as_str()),
            rules: position.rules().name(),
            plies: found.moves().len(),
            differences: found.differences(),
            positions,
            moves,
        });
        let fault = |fault: std::io::Error| fault.to_string();
        let mut record = Vec::new();
        pgn(found.game(), &mut record).map_err(fault)?;
        let rewriting = Rewriting::default().to(to).invalid(Invalid::Keep);
        let source = Source::new(self.options.name.as_ref());
        let input = source.open_reader(Box::new(Cursor::new(record)), &OpenOptions::default());
        let mut out = Vec::new();
        for batch in input.map_err(|fault| fault.to_string())? {
            let batch = batch.map_err(|fault| fault.to_string())?;
            let (before, plain) = (Ordinal::known(0), Options::default());
            let name = &self.options.name;
            let mut refused = None;
            let written = rewriting.batch(name, &batch, &before, &plain, |game, _| {
                refused = game.refusal().map(|why| why.to_string());
            });
            if let Some(why) = refused {
                return Err(why);
            }
            out.extend(written.text);
        }
        Ok((head, out))
    }
}
