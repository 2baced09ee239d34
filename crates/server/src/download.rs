//! Downloads: games and tables as files.

use crate::board;
use crate::fault::Fault;
use crate::model::{self, Count};
use crate::pages::numbers;
use crate::params::{OPENINGS, SEARCH, SEARCH_MORE, VIEW, WRITING};
use crate::reply::{Body, Reply, SVG};
use crate::site::Request;
use hyper::header;
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::write::{self, TableRow, TableStyle};
use tridex_index::{Hit, HitRow, IndexedGame, OpeningRow};
use tridex_notation::{Notation, WrongFamily};
use tridex_picture::{Arrangement, PictureOptions, Theme, png, svg};
use tridex_text::names::fold;

const PGN: &str = "application/x-chess-pgn";
const NDJSON: &str = "application/x-ndjson";
const CSV: &str = "text/csv; charset=utf-8";

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
    let hits = model::found(request, limit, Count::Nothing)?.hits;
    if let Some(notation) = notation.filter(|_| content_type != CSV) {
        can_be_written(request, &hits, notation)?;
    }
    let name = file_name(request, &hits)?;
    let opened = Arc::clone(&request.opened);
    // Each game is read and written while the answer is sent, so only one game at a time is in memory.
    let body = Body::Written(Box::new(move |out| {
        let style = TableStyle::default();
        if content_type == CSV {
            style.heading(HitRow::COLUMNS, out)?;
        }
        for hit in &hits {
            let index = &opened.index;
            // An error here comes too late for a status code. It breaks off the answer, so that the partial file does
            // not look complete. The index remembers the damage, and the next answer reports it with a status.
            if content_type == CSV {
                let game = index.summary(hit.id).map_err(io::Error::other)?;
                style.rows(&HitRow::new(hit, game), out)?;
            } else {
                let game = index.game(hit.id).map_err(io::Error::other)?;
                write_game(&game, notation, content_type, out)?;
            }
        }
        Ok(())
    }));
    Ok(Reply::new(content_type, body).saved_as(&name))
}

/// The name of a file with games: one game gives it the names of its players.
fn file_name(request: &Request, hits: &[Hit]) -> Result<String, Fault> {
    let [hit] = hits else {
        return Ok(request.name.clone());
    };
    let Some(game) = model::sound(request.index.summary(hit.id))? else {
        return Ok(request.name.clone());
    };
    let known = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or_default());
    // Headers have ASCII alone.
    let folded = fold(&known.join(" "));
    let words = folded.split(|sign: char| !sign.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut stem = words.join("-");
    stem.truncate(60);
    let ending = request.name.trim_start_matches("games");
    Ok(match stem.is_empty() {
        true => request.name.clone(),
        false => stem + ending,
    })
}

/// Refuses a notation that cannot express all of the games.
fn can_be_written(request: &Request, hits: &[Hit], notation: Notation) -> Result<(), Fault> {
    let (mut others, mut rules) = (0_u64, None);
    for hit in hits {
        if let Some(own) = model::sound(request.index.rules(hit.id))?
            && own.family() != notation.family()
        {
            others += 1;
            rules = rules.or(Some(own));
        }
    }
    let Some(rules) = rules else {
        return Ok(());
    };
    let games = numbers::counted(others, "game", "games");
    let why = format!(
        "{games} of the {} cannot be written in this notation: {}, and one of them is a {} game. Search for one rule \
         system with rules, or omit to.",
        hits.len(),
        WrongFamily { notation },
        rules.name()
    );
    Err(Fault::asked(why))
}

/// Writes a game as PGN or as a line of JSON.
fn write_game(
    game: &IndexedGame,
    notation: Option<Notation>,
    content_type: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = notation.unwrap_or(Notation::of(game.entry.rules));
    match game.record(notation, None) {
        Ok(record) if content_type == PGN => write::pgn(&record, out),
        Ok(record) => model::write_json(game, notation, &record, out),
        Err(fault) => Err(io::Error::other(fault)),
    }
}

/// `/download/openings.csv`: the moves played from a position.
fn openings(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&OPENINGS, &WRITING])?;
    let asked = model::Table::ask(request)?;
    let (style, mut table) = (TableStyle::default(), Vec::new());
    style.heading(OpeningRow::COLUMNS, &mut table)?;
    for row in &asked.rows {
        style.rows(row, &mut table)?;
    }
    Ok(Reply::whole(CSV, table).saved_as(&request.name))
}

/// The widths of a picture of a game in pixels: the default for previews of links, and the greatest.
const PICTURE: u32 = 1200;
const WIDEST: u32 = 2400;

/// `/picture/{id}.png` and `.svg`: the position after a ply of a game, by default the last one.
pub(crate) fn picture(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["ply", "line", "theme", "size"], &VIEW])?;
    let (id, kind) = request.name.rsplit_once('.').ok_or_else(Fault::not_found)?;
    let game = model::game(request, id)?;
    let line = params.number("line")?;
    let last = u32::try_from(game.entry.moves.len()).unwrap_or(u32::MAX);
    let ply: u32 = params.number("ply")?.unwrap_or(last);
    let ply = if line.is_none() { ply.min(last) } else { ply };
    let (position, marks) = board::position_in(&game, line, ply)?;
    let theme = match params.get("theme") {
        Some("dark") => Theme::Dark,
        _ => Theme::Light,
    };
    let options = PictureOptions::default()
        .view(params.view())
        .arrangement(Some(Arrangement::Row))
        .side(params.side())
        .width(params.number("size")?.unwrap_or(PICTURE).clamp(1, WIDEST))
        .theme(theme)
        .marks(marks);
    match kind {
        "svg" => Ok(Reply::whole(SVG, svg(&position, &options))),
        "png" => {
            let bytes = png(&position, &options);
            let bytes = bytes.map_err(|fault| Fault::new(500, fault.to_string()))?;
            Ok(Reply::whole("image/png", bytes))
        }
        _ => Err(Fault::not_found()),
    }
}

/// `/board.svg`: a picture of a position, as a download.
pub(crate) fn board(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["rules", "position", "size"], &VIEW])?;
    let options = PictureOptions::default()
        .view(params.view())
        .side(params.side())
        .width(params.number("size")?.unwrap_or(800));
    let saved = "attachment; filename=\"board.svg\"";
    Ok(Reply::whole(SVG, svg(&model::position(params)?, &options))
        .with(header::CONTENT_DISPOSITION, saved))
}
