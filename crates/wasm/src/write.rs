//! Games written in another notation.

use crate::choices::{Language, Target};
use crate::json;
use crate::read::{Reading, plainly};
use serde::{Deserialize, Serialize};
use tridex_archive::Game;
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle};
use tridex_notation::{Locale, WriteOptions, WrongFamily, position_string};
use tridex_page::{PageGame, PageWriter, Spelling};
use tridex_replay::{
    Converter, Converts, Options, Played, Wording, read_converting, repair_game, replay_with,
};
use tridex_rules::{Position, RuleSystem};

/// The games of a text in a notation, as `tridex convert` writes them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Write {
    to: Target,
    #[serde(default)]
    format: Format,
    locale: Option<Language>,
    marks: Option<bool>,
    #[serde(default)]
    short_pawn_captures: bool,
    #[serde(default)]
    figurines: bool,
    #[serde(default)]
    repair: bool,
    #[serde(default)]
    no_trace: bool,
    #[serde(default = "plainly")]
    options: Reading,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Pgn,
    Ndjson,
    Csv,
    Html,
}

#[derive(Serialize, Default)]
struct Written {
    games: u64,
    /// Why games are missing.
    refused: Vec<String>,
}

impl Write {
    pub(crate) fn answer(&self, text: Vec<u8>) -> Result<(String, Vec<u8>), String> {
        let options = self.options.options();
        let locale = self.locale.map_or(Locale::English, |locale| locale.0);
        let wording = Wording {
            notation: self.to.of(RuleSystem::Meder),
            options: WriteOptions {
                locale,
                full_pawn_captures: !self.short_pawn_captures,
                marks: self.marks,
            },
        };
        let finish = |converter: Converter| {
            let converter = match self.to.0 {
                None => converter.in_own(),
                Some(_) => converter,
            };
            let converter = match self.no_trace {
                true => converter.without_traces(),
                false => converter,
            };
            match self.figurines {
                true => converter.with_figurines(),
                false => converter,
            }
        };
        let mut pass = Pass {
            wanted: self,
            options: &options,
            wording,
            converter: finish(match self.format {
                Format::Pgn => Converter::new(wording),
                _ => Converter::to_games(wording),
            }),
            again: finish(Converter::to_games(wording)),
            text: Vec::new(),
            games: Vec::new(),
            written: Written::default(),
        };
        if self.format == Format::Csv {
            let heading = SheetWriter::styled(&mut pass.text, TableStyle::default());
            // Writing to memory does not fail.
            let _ = heading.and_then(SheetWriter::finish);
        }
        self.options.batches(text, |part| {
            if let Ok(batch) = part {
                read_converting(batch, &options, &mut pass);
            }
            true
        })?;
        let mut text = pass.text;
        if self.format == Format::Html {
            let fault = |fault: std::io::Error| fault.to_string();
            let mut page = PageWriter::new(text, &self.options.name).map_err(fault)?;
            for game in &pass.games {
                page.add(game).map_err(fault)?;
            }
            text = page.finish().map_err(fault)?;
        }
        Ok((json(&pass.written), text))
    }
}

/// Goes through the games of a batch.
struct Pass<'a> {
    wanted: &'a Write,
    options: &'a Options,
    wording: Wording,
    /// For games that are written while they are followed, and for those that were repaired.
    converter: Converter,
    again: Converter,
    text: Vec<u8>,
    games: Vec<PageGame>,
    written: Written,
}

impl Converts for Pass<'_> {
    fn converter(&mut self) -> &mut Converter {
        &mut self.converter
    }

    fn game(&mut self, played: &Played<'_>) {
        self.written.games += 1;
        if let Err(fault) = self.finish(played) {
            let (number, rules) = (played.number(), played.rules().name());
            self.written.refused.push(format!(
                "game {number} is played under {rules} and cannot be written so: {fault}"
            ));
        }
    }
}

impl Pass<'_> {
    fn finish(&mut self, played: &Played<'_>) -> Result<(), WrongFamily> {
        let spelling = |rules| Spelling {
            wording: Wording {
                notation: self.wanted.to.of(rules),
                ..self.wording
            },
            figurines: self.wanted.figurines,
            traces: !self.wanted.no_trace,
        };
        let found = match self.wanted.repair && !played.says_nothing() {
            true => played.diagnostics(),
            false => Vec::new(),
        };
        let is_sure = found.iter().any(|found| found.is_sure);
        let repaired = is_sure.then(|| repair_game(played.game(), &found, self.options));
        match (repaired.flatten(), self.wanted.format) {
            (Some((game, report)), Format::Html) => {
                let shown = replay_with(&game, self.options, |played| {
                    PageGame::new(played, spelling(report.rules))
                })?;
                self.games.push(shown);
            }
            (Some((game, report)), _) => {
                let game = self.again.convert(&game, self.options)?;
                put(
                    self.wanted,
                    &game,
                    (played.number(), report.rules, &report.start),
                    &mut self.text,
                );
            }
            (None, Format::Html) => {
                let shown = PageGame::new(played, spelling(played.rules()))?;
                self.games.push(shown);
            }
            (None, Format::Pgn) => self.converter.finish_pgn(played, &mut self.text)?,
            (None, _) => {
                let game = self.converter.finish_game(played)?;
                put(
                    self.wanted,
                    game,
                    (played.number(), played.rules(), played.start()),
                    &mut self.text,
                );
            }
        }
        Ok(())
    }
}

/// Writes a game that is stored in memory: its number, its rules, its start.
fn put(
    wanted: &Write,
    game: &Game<'_>,
    (number, rules, start): (u64, RuleSystem, &Position),
    out: &mut Vec<u8>,
) {
    // Writing to memory does not fail.
    let _ = match wanted.format {
        Format::Pgn | Format::Html => write::pgn(game, out),
        Format::Csv => {
            let mut sheet = SheetWriter::styled_rows(out, TableStyle::default());
            let written = sheet.write(number, game);
            written.and_then(|()| sheet.finish().map(drop))
        }
        Format::Ndjson => {
            let head = JsonHead {
                source: &wanted.options.name,
                game: number,
                rules: rules.name(),
                notation: wanted.to.of(rules).name(),
                start: &position_string::to_string(&start.to_setup()),
            };
            write::ndjson(game, &head, out)
        }
    };
}
