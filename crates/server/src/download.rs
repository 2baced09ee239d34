//! Downloads: games and tables as files.

use crate::board;
use crate::fault::Fault;
use crate::model::{self, start_of};
use crate::params::{LOOKING, OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use crate::reply::{Body, Reply, SVG};
use crate::site::{Opened, Request};
use hyper::header;
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::write::{self, JsonHead, TableRow, TableStyle};
use tridex_index::{GameId, GameIndex, Hit, HitRow, IndexError, OpeningRow};
use tridex_notation::Notation;
use tridex_picture::{PictureOptions, svg};

const PGN: &str = "application/x-chess-pgn";
const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv; charset=utf-8";

/// Games that are written while they are sent, so that any number of them takes no more memory than one.
struct Download {
    opened: Arc<Opened>,
    /// Whether the header states that games may be missing.
    is_partial: bool,
    content_type: &'static str,
    hits: Vec<Hit>,
    notation: Option<Notation>,
}

/// `/download/{name}`
pub(crate) fn file(request: &Request) -> Result<Reply, Fault> {
    let content_type = match request.name.as_str() {
        "games.pgn" => PGN,
        "games.ndjson" => NDJSON,
        "games.csv" => CSV,
        "openings.csv" => return openings(request),
        _ => return Err(Fault::not_found()),
    };
    let params = &request.params;
    params.only(&[&SEARCH, &SEARCH_MORE, &WRITING])?;
    let notation = params.to()?;
    let limit = params.number("limit")?.unwrap_or(usize::MAX);
    let download = Download {
        hits: model::found(request, limit)?.hits,
        opened: Arc::clone(&request.opened),
        is_partial: request.index.is_damaged(),
        content_type,
        notation,
    };
    let body = Body::Written(Box::new(move |out| download.write(out)));
    Ok(Reply::new(content_type, body).saved_as(request, &request.name))
}

impl Download {
    /// Writes games in order; those that cannot be written in the notation are omitted.
    ///
    /// # Errors
    /// If the client has gone, or a game is damaged and the header has not stated that games may be missing: it is too
    /// late for that, and what was sent must not look complete. The next answer states it.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.content_type == CSV {
            let style = TableStyle::default();
            style.heading(HitRow::COLUMNS, out)?;
            self.each(GameIndex::summary, |hit, game| {
                style.rows(&HitRow::new(hit, game), out)
            })?;
            return out.flush();
        }
        self.each(GameIndex::game, |_, game| {
            let entry = &game.entry;
            let notation = self.notation.unwrap_or(Notation::of(entry.rules));
            let head = JsonHead {
                source: &game.source,
                game: entry.number.into(),
                rules: entry.rules.name(),
                notation: notation.name(),
                start: &start_of(entry),
            };
            match game.record(notation, None) {
                Ok(record) if self.content_type == PGN => write::pgn(&record, out),
                Ok(record) => write::ndjson(&record, &head, out),
                Err(_) => Ok(()),
            }
        })
    }

    /// Writes what is read of each game, unless it is damaged and may be missing.
    fn each<T>(
        &self,
        read: impl Fn(&GameIndex, GameId) -> Result<T, IndexError>,
        mut write: impl FnMut(&Hit, T) -> io::Result<()>,
    ) -> io::Result<()> {
        for hit in &self.hits {
            match read(&self.opened.index, hit.id) {
                Ok(game) => write(hit, game)?,
                Err(_) if self.is_partial => {}
                Err(fault) => return Err(io::Error::other(fault)),
            }
        }
        Ok(())
    }
}

/// The moves played from a position, as a table.
fn openings(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&OPENINGS, &WRITING])?;
    let asked = model::Table::ask(request)?;
    let (style, mut table) = (TableStyle::default(), Vec::new());
    style.heading(OpeningRow::COLUMNS, &mut table)?;
    for row in &asked.rows {
        style.rows(row, &mut table)?;
    }
    Ok(Reply::whole(CSV, table).saved_as(request, &request.name))
}

/// A position as a picture: of a position string, or of a game after some plies.
pub(crate) fn board(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    let known = ["rules", "fen", "position", "game", "ply", "size"];
    params.only(&[&known, &LOOKING])?;
    let (position, marks) = match params.get("game") {
        Some(name) => {
            let game = model::game(request, name)?;
            let ply = params
                .number("ply")?
                .unwrap_or(game.entry.moves.len() as u32);
            board::position_in(&game, None, ply)?
        }
        None => (model::position(request)?, Default::default()),
    };
    let options = PictureOptions {
        view: params.view(),
        side: params.side(),
        width: params.number("size")?.unwrap_or(800),
        marks,
        ..PictureOptions::default()
    };
    let saved = "attachment; filename=\"board.svg\"";
    Ok(Reply::whole(SVG, svg(&position, &options)).with(header::CONTENT_DISPOSITION, saved))
}
