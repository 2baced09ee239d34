//! Games written in another notation.

use crate::choices::{Language, Target};
use crate::json;
use crate::read::{Reading, plainly};
use serde::{Deserialize, Serialize};
use tridex_archive::Ordinal;
use tridex_archive::write::{TableStyle, sheet_heading};
use tridex_core::{GameFormat, Rewriting};
use tridex_notation::{Locale, WriteOptions};
use tridex_page::PageWriter;
use tridex_replay::finding::Severity;

/// The games of a text in a notation, as `tridex convert` writes them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Write {
    to: Target,
    #[serde(default)]
    format: Format,
    /// The text of the viewer's script, for a page. The module does not contain it, so that it stays small.
    script: Option<String>,
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

/// The format to write.
#[derive(Clone, Copy, Deserialize, Default)]
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
    /// Why the text was not read, or not to its end.
    problems: Vec<String>,
}

impl Write {
    pub(crate) fn answer(self, text: Vec<u8>) -> Result<(String, Vec<u8>), String> {
        let options = self.options.options();
        let style = TableStyle::default();
        let rewriting = Rewriting::default()
            .format(match self.format {
                Format::Pgn => GameFormat::Pgn,
                Format::Ndjson => GameFormat::Ndjson,
                Format::Csv => GameFormat::Csv(style),
                Format::Html => GameFormat::Page,
            })
            .to(self.to.0)
            .write(
                WriteOptions::default()
                    .locale(self.locale.map_or(Locale::English, |locale| locale.0))
                    .full_pawn_captures(!self.short_pawn_captures)
                    .marks(self.marks),
            )
            .figurines(self.figurines)
            .traces(!self.no_trace)
            .repair(self.repair);
        let (mut out, mut shown) = (Vec::new(), Vec::new());
        if let Format::Csv = self.format {
            // Writing to memory does not fail.
            let _ = sheet_heading(style, &mut out);
        }
        let name = &self.options.name;
        let mut written = Written::default();
        self.options.batches(text, |part| {
            let batch = match part {
                Ok(batch) => batch,
                Err(fault) => {
                    let is_error = fault.severity == Severity::Error;
                    written.problems.extend(is_error.then_some(fault.message));
                    return true;
                }
            };
            let before = Ordinal::known(batch.first_game.get() - 1);
            let made = rewriting.batch(name, batch, &before, &options, |game, _| {
                written.games += 1;
                let number = game.played.number();
                let refusal = game.refusal().map(|why| format!("game {number} {why}"));
                written.refused.extend(refusal);
            });
            out.extend(made.text);
            shown.extend(made.games);
            true
        })?;
        if let Format::Html = self.format {
            let script = self
                .script
                .ok_or("`html` needs `script`: the text of viewer.js")?;
            let fault = |fault: std::io::Error| fault.to_string();
            let mut page = PageWriter::with_script(out, name, script).map_err(fault)?;
            for game in &shown {
                page.add(game).map_err(fault)?;
            }
            out = page.finish().map_err(fault)?;
        }
        Ok((json(&written), out))
    }
}
