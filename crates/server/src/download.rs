//! Downloads: games and tables as files.

use crate::board;
use crate::fault::Fault;
use crate::model::{self, start_of};
use crate::params::{LOOKING, OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use crate::reply::{Body, Reply, SVG};
use crate::site::{Opened, Request};
use axum::http::header;
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::Game;
use tridex_archive::write::{self, JsonHead, TableStyle};
use tridex_index::{GameId, GameIndex, Hit, HitRow, IndexError, IndexedGame, OpeningRow};
use tridex_notation::Notation;
use tridex_picture::{PictureOptions, svg};

const CSV: &str = "text/csv; charset=utf-8";

/// Games that are written while they are sent, so that any number of them takes no more memory than one.
struct Download {
    opened: Arc<Opened>,
    /// Whether the header states that games may be missing.
    is_partial: bool,
    hits: Vec<Hit>,
    notation: Option<Notation>,
}

/// How a download is written.
type Form = fn(&Download, &mut dyn Write) -> io::Result<()>;

/// `/download/{name}`
pub(crate) fn file(request: &Request) -> Result<Reply, Fault> {
    let (content_type, form): (_, Form) = match request.name.as_str() {
        "games.pgn" => ("application/x-chess-pgn", Download::pgn),
        "games.ndjson" => ("application/x-ndjson", Download::ndjson),
        "games.csv" => (CSV, Download::csv),
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
        notation,
    };
    let body = Body::Written(Box::new(move |out| form(&download, out)));
    Ok(Reply::new(content_type, body).saved_as(request, &request.name))
}

/// Games are written in order; those that cannot be written in the notation are omitted.
///
/// # Errors
/// If the client has gone, or a game is damaged and the header has not stated that games may be missing: it is too late
/// for that, and what was sent must not look complete. The next answer states it.
impl Download {
    fn pgn(&self, out: &mut dyn Write) -> io::Result<()> {
        self.records(|_, _, record| write::pgn(record, out))
    }

    fn ndjson(&self, out: &mut dyn Write) -> io::Result<()> {
        self.records(|game, notation, record| {
            let head = JsonHead {
                source: &game.source,
                game: game.entry.number.into(),
                rules: game.entry.rules.name(),
                notation: notation.name(),
                start: &start_of(&game.entry),
            };
            write::ndjson(record, &head, out)
        })
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let style = TableStyle::default();
        style.heading(HitRow::COLUMNS, out)?;
        self.each(GameIndex::summary, |hit, game| {
            style.row(HitRow::new(hit, game).cells(), out)
        })?;
        out.flush()
    }

    fn records(
        &self,
        mut write: impl FnMut(&IndexedGame, Notation, &Game<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.each(GameIndex::game, |_, game| {
            let notation = self.notation.unwrap_or(Notation::of(game.entry.rules));
            match game.record(notation, None) {
                Ok(record) => write(&game, notation, &record),
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
        style.row(row.cells(), &mut table)?;
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
