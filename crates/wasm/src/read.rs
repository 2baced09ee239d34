//! Reads the games of a text: their findings, or one game to show.

use crate::choices::{Dates, Language, Named, RequestedRules};
use serde::Deserialize;
use std::ffi::OsStr;
use std::io::Cursor;
use tridex_archive::batch::Batch;
use tridex_archive::encoding::Encoding;
use tridex_archive::source::{OpenOptions, Source};
use tridex_page::{OutputStyle, PageGame, PlayerOptions, viewer_data};
use tridex_replay::GameRow;
use tridex_replay::finding::Problem;
use tridex_replay::finding::Severity;
use tridex_replay::{Fault, Options, Part, Parts, RulesChoice, each, replay_with, strays};
use tridex_text::json;
use tridex_text::names::game_title;

/// How a text is read: the options of the command.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Reading {
    /// The name of the text; its extension determines the format, as with files.
    #[serde(default = "nameless")]
    pub(crate) name: String,
    rules: Option<RequestedRules>,
    notation: Option<Named>,
    locale: Option<Language>,
    encoding: Option<String>,
    dates: Option<Dates>,
    #[serde(default)]
    strict: bool,
}

fn nameless() -> String {
    "-".to_owned()
}

impl Reading {
    pub(crate) fn options(&self) -> Options {
        let rules = match self.rules {
            None => RulesChoice::AsTagged,
            Some(RequestedRules::Any) => RulesChoice::Any,
            Some(RequestedRules::Only(rules)) => RulesChoice::Only(rules),
        };
        Options::default()
            .rules(rules)
            .notation(self.notation.map(|notation| notation.0))
            .locale(self.locale.map(|locale| locale.0))
            .strict(self.strict)
            .dates(self.dates.map(|dates| dates.0))
    }

    /// Reads a text, batch after batch, until `take` returns false. Findings about the text come before the batch that
    /// they are about.
    pub(crate) fn batches(
        &self,
        text: Vec<u8>,
        mut take: impl FnMut(Result<&Batch, Fault>) -> bool,
    ) -> Result<(), String> {
        let mut options = OpenOptions::default();
        options.language = self.locale.map(|locale| locale.0.code());
        if let Some(name) = &self.encoding {
            let known = Encoding::from_name(name);
            options.encoding = Some(known.ok_or_else(|| {
                let names = Encoding::names().collect::<Vec<_>>().join(", ");
                format!("`{name}` is not an encoding that is supported here: {names}")
            })?);
        }
        let source = Source::new(OsStr::new(&self.name));
        let input = match source.open_reader(Box::new(Cursor::new(text)), &options) {
            Ok(input) => input,
            Err(fault) => {
                take(Err(Fault::of_source(&fault)));
                return Ok(());
            }
        };
        for part in Parts::new(input) {
            let goes_on = match part {
                Part::Games(batch) => take(Ok(&batch)),
                Part::Noted(fault) => take(Err(fault)),
                Part::Failed(error) => take(Err(Fault::of_source(&error))),
            };
            if !goes_on {
                break;
            }
        }
        Ok(())
    }
}

/// The games of a text with their findings, as `tridex validate --format ndjson` writes them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Read {
    /// Writes a row for each finding, as `--problems` does, instead of a row for each game.
    #[serde(default)]
    problems: bool,
    #[serde(default = "plainly")]
    options: Reading,
    /// Whether the head of the answer lists the players of every game, in order: `[["Anna","Boris"],...]`, and the
    /// title of each game: its players, or its event, or nothing.
    #[serde(default)]
    players: bool,
}

/// The default options.
pub(crate) fn plainly() -> Reading {
    Reading {
        name: nameless(),
        rules: None,
        notation: None,
        locale: None,
        encoding: None,
        dates: None,
        strict: false,
    }
}

/// The rows of the answer. If these are games, the problems that belong to no game are collected apart from them.
struct Rows {
    rows: Vec<u8>,
    besides: Vec<u8>,
    problems: bool,
}

impl Rows {
    fn problem(&mut self, problem: &Problem<'_>) {
        // Writing to memory does not fail.
        if self.problems {
            let _ = json::write_line(&mut self.rows, &problem);
        } else {
            if !self.besides.is_empty() {
                self.besides.push(b',');
            }
            let _ = json::to_writer(&mut self.besides, problem);
        }
    }
}

impl Read {
    pub(crate) fn answer(&self, text: Vec<u8>) -> Result<(String, Vec<u8>), String> {
        let (reading, options) = (&self.options, self.options.options());
        let name = reading.name.as_str();
        let is_any = matches!(options.rules, RulesChoice::Any);
        let mut out = Rows {
            rows: Vec::new(),
            besides: Vec::new(),
            problems: self.problems,
        };
        let (mut games, mut plies) = (0_u64, 0_u64);
        let (mut players, mut titles) = (Vec::new(), Vec::new());
        reading.batches(text, |part| {
            let batch = match part {
                Ok(batch) => batch,
                Err(fault) => {
                    out.problem(&fault.problem(name));
                    return true;
                }
            };
            let mut line_index = batch.line_index();
            let damages = each(batch, &options, |played| {
                games += 1;
                plies += played.plies() as u64;
                if self.players {
                    let name = |tag| played.game().tag(tag).unwrap_or_default();
                    let separator: &[u8] = if games > 1 { b"," } else { b"" };
                    players.extend_from_slice(separator);
                    titles.extend_from_slice(separator);
                    let [white, black] = [name("White"), name("Black")];
                    let title = game_title(&white, &black, &name("Event"));
                    let _ = json::to_writer(&mut players, &[white, black]);
                    let _ = json::to_writer(&mut titles, &title.unwrap_or_default());
                }
                let line = line_index.place(played.at()).line;
                let mut report = played.to_replay();
                report.place(&mut line_index);
                if out.problems {
                    for found in report.findings() {
                        out.problem(&Problem::new(name, Some(played.number()), found));
                    }
                    return;
                }
                let mut row = GameRow::new(name, played.number(), line, &report);
                if is_any {
                    row = row.under_all(report.under());
                }
                // Writing to memory does not fail.
                let _ = json::write_line(&mut out.rows, &row);
            });
            for found in strays(&damages, batch) {
                out.problem(&Problem::new(name, None, &found));
            }
            true
        })?;
        let besides = String::from_utf8_lossy(&out.besides);
        let mut head = format!("{{\"games\":{games},\"plies\":{plies},\"problems\":[{besides}]");
        if self.players {
            head.push_str(",\"players\":[");
            head.push_str(&String::from_utf8_lossy(&players));
            head.push_str("],\"titles\":[");
            head.push_str(&String::from_utf8_lossy(&titles));
            head.push(']');
        }
        head.push('}');
        Ok((head, out.rows))
    }
}

/// One game of a text, as the viewer shows it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OneGame {
    /// Its number, from 1.
    number: u64,
    /// The notation to show first; without it, that of the rules.
    to: Option<Named>,
    #[serde(default = "plainly")]
    options: Reading,
}

impl OneGame {
    pub(crate) fn answer(&self, text: Vec<u8>) -> Result<(String, Vec<u8>), String> {
        let options = self.options.options();
        let mut before = 0;
        let mut shown = None;
        let mut faults = Vec::new();
        self.options.batches(text, |part| {
            let batch = match part {
                Ok(batch) => batch,
                Err(fault) => {
                    faults.extend((fault.severity == Severity::Error).then_some(fault.message));
                    return true;
                }
            };
            let games = u64::from(batch.games());
            if before + games < self.number {
                before += games;
                return true;
            }
            let here = self.number.checked_sub(before + 1);
            let here = here.and_then(|here| usize::try_from(here).ok());
            let games = batch.all_games();
            shown = here.and_then(|here| games.get(here)).map(|game| {
                replay_with(game, &options, |played| {
                    let own = OutputStyle::of(tridex_notation::Notation::of(played.rules()));
                    let spelling = self.to.map_or(own, |to| OutputStyle::of(to.0));
                    let found = played.findings().into_iter();
                    let found = found.filter(|found| found.severity > Severity::Info);
                    let player = PlayerOptions::default()
                        .found(found.map(|found| found.ply as usize).collect());
                    PageGame::new(played, spelling).map(|game| viewer_data(&game, &player))
                })
            });
            false
        })?;
        match shown {
            None => {
                let none = format!("there is no game {}", self.number);
                faults.insert(0, none);
                Err(faults.join(": "))
            }
            Some(Ok(data)) => Ok(("{}".to_owned(), data.into_bytes())),
            Some(Err(fault)) => Err(fault.to_string()),
        }
    }
}
