//! Downloads: games and tables as files.

use crate::board;
use crate::body::Body;
use crate::fault::Fault;
use crate::model::{self, start_of};
use crate::params::{LOOKING, OPENINGS, Params, SEARCH, SEARCH_MORE, WRITING};
use crate::reply::{Reply, SVG};
use crate::site::{Opened, Request, Site};
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::write::{self, JsonHead, Table, TableStyle};
use tridex_index::{Hit, HitRow, IndexError, OpeningRow};
use tridex_notation::Notation;
use tridex_picture::{PictureOptions, svg};

/// In which form games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Pgn,
    Ndjson,
    Csv,
}

/// Games that are written while they are sent, so that any number of them takes no more memory than one.
struct Download {
    opened: Arc<Opened>,
    /// Whether the header states that games may be missing.
    is_partial: bool,
    hits: Vec<Hit>,
    form: Form,
    notation: Option<Notation>,
}

pub(crate) fn pgn(site: &Site, request: &Request) -> Result<Reply, Fault> {
    let reply = games(site, request, Form::Pgn, "application/x-chess-pgn")?;
    Ok(reply.into_file_of_games(request, "games.pgn"))
}

pub(crate) fn ndjson(site: &Site, request: &Request) -> Result<Reply, Fault> {
    let reply = games(site, request, Form::Ndjson, "application/x-ndjson")?;
    Ok(reply.into_file_of_games(request, "games.ndjson"))
}

pub(crate) fn csv(site: &Site, request: &Request) -> Result<Reply, Fault> {
    let reply = games(site, request, Form::Csv, "text/csv; charset=utf-8")?;
    Ok(reply.into_file_of_games(request, "games.csv"))
}

fn games(
    _: &Site,
    request: &Request,
    form: Form,
    content_type: &'static str,
) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &SEARCH_MORE, &WRITING])?;
    let named = params.get("to").or_else(|| params.get("notation"));
    let notation = match named {
        Some(_) => {
            let any = params.rules()?.unwrap_or(tridex_rules::RuleSystem::Meder);
            Some(params.notation(any)?)
        }
        None => None,
    };
    let limit = params.number("limit")?.unwrap_or(usize::MAX);
    let found = model::found(request, limit)?;
    let download = Download {
        opened: Arc::clone(&request.opened),
        is_partial: request.is_damaged(),
        hits: found.hits,
        form,
        notation,
    };
    let body = Body::Written(Box::new(move |out| download.write(out)));
    Ok(Reply::new(content_type, body))
}

impl Download {
    /// Writes all games; those that cannot be written so are omitted.
    ///
    /// # Errors
    /// If the client has gone, or a game is damaged and the header has not stated that games may be missing: it is too late
    /// for that, and what was sent must not look complete. The next answer states it.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let index = &self.opened.index;
        if self.form == Form::Csv {
            let mut table = Table::headed(out, TableStyle::default(), HitRow::COLUMNS)?;
            for hit in &self.hits {
                if let Some(game) = self.read(index.summary(hit.id))? {
                    table.row(HitRow::new(hit, game).cells())?;
                }
            }
            table.finish()?;
            return Ok(());
        }
        for hit in &self.hits {
            let Some(game) = self.read(index.game(hit.id))? else {
                continue;
            };
            let notation = self
                .notation
                .unwrap_or_else(|| Notation::of(game.entry.rules));
            let Ok(record) = game.record(notation, None) else {
                continue;
            };
            match self.form {
                Form::Pgn => write::pgn(&record, out)?,
                Form::Ndjson | Form::Csv => {
                    let start = start_of(&game.entry);
                    let head = JsonHead {
                        source: &game.source,
                        game: game.entry.number.into(),
                        rules: game.entry.rules.name(),
                        notation: notation.name(),
                        start: &start,
                    };
                    write::ndjson(&record, &head, out)?;
                }
            }
        }
        Ok(())
    }

    /// What was read of a game; nothing if it is damaged and may be missing.
    fn read<T>(&self, read: Result<T, IndexError>) -> io::Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(_) if self.is_partial => Ok(None),
            Err(fault) => Err(io::Error::other(fault)),
        }
    }
}

/// The moves played from a position, as a table.
pub(crate) fn openings(site: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&OPENINGS, &WRITING])?;
    let asked = model::Table::ask(site, request)?;
    let mut table = Table::headed(Vec::new(), TableStyle::default(), OpeningRow::COLUMNS)?;
    for row in &asked.rows {
        table.row(row.cells())?;
    }
    let text = table.finish()?;
    let reply = Reply::whole("text/csv; charset=utf-8", text);
    Ok(reply.into_file_of_games(request, "openings.csv"))
}

/// A position as a picture: of a position string, or of a game after some plies.
pub(crate) fn board(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[
        &["rules", "fen", "position", "game", "ply", "size"],
        &LOOKING,
    ])?;
    let (position, marks) = match params.get("game") {
        Some(name) => {
            let index = &request.index;
            let game = index.game(tridex_index::find_game(index, name)?)?;
            let ply = params
                .number("ply")?
                .unwrap_or(game.entry.moves.len() as u32);
            board::position_in(&game, None, ply)?
        }
        None => {
            let position = model::position(request)?;
            (position, tridex_picture::Marks::default())
        }
    };
    let look = params.look();
    let picture = svg(
        &position,
        &PictureOptions {
            view: look.view,
            side: look.side,
            width: params.number("size")?.unwrap_or(800),
            marks,
            ..PictureOptions::default()
        },
    );
    Ok(Reply::whole(SVG, picture).into_file("board.svg"))
}

/// The parameters of the games that were found, for links to their files.
pub(crate) fn question(params: &Params) -> Params {
    let mut names: Vec<&str> = SEARCH.to_vec();
    names.extend(["sort", "reverse"]);
    params.just(&names)
}
