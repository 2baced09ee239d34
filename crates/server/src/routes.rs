//! All addresses of the site, with what answers each.

use crate::fault::Fault;
use crate::reply::Reply;
use crate::site::Request;
use crate::{api, assets, download, pages};
use percent_encoding::percent_decode_str;

/// What answers.
type Handler = fn(&Request) -> Result<Reply, Fault>;

/// An address, and what answers it. The last part, where it is in braces, is any text but that of an address before.
pub(crate) type Route = (&'static str, Handler);

/// What is about one game or one position, or does not read the index: it lacks nothing if other games are missing.
const LACKS_NOTHING: [&str; 11] = [
    "/api/v1/games/{id}",
    "/api/v1/openapi.json",
    "/assets/{name}",
    "/favicon.ico",
    "/health",
    "/setup",
    "/game/{id}",
    "/viewer/line",
    "/viewer/{id}",
    "/board.svg",
    "/api/v1/moves",
];

/// Whether the answer of an address lacks something if games are missing.
pub(crate) fn lists_games(path: &str) -> bool {
    !LACKS_NOTHING.contains(&path)
}

/// What is answered at once, however busy the site is, and reads no file.
const AT_ONCE: [Route; 4] = [
    ("/api/v1/openapi.json", api::description),
    ("/assets/{name}", assets::named),
    ("/favicon.ico", assets::icon),
    ("/health", api::health),
];

/// What takes a place, and a thread on which it may take its time.
const WORK: [Route; 16] = [
    ("/", pages::home::page),
    ("/search", pages::results::page),
    ("/setup", pages::setup::page),
    ("/game/{id}", pages::game::page),
    ("/viewer/line", pages::game::line),
    ("/viewer/{id}", pages::game::viewer),
    ("/player", pages::player::page),
    ("/openings", pages::openings::page),
    ("/statistics", pages::statistics::page),
    ("/board.svg", download::board),
    ("/download/{name}", download::file),
    ("/api/v1/search", api::search),
    ("/api/v1/openings", api::openings),
    ("/api/v1/games/{id}", api::game),
    ("/api/v1/moves", api::moves),
    ("/api/v1/statistics", api::statistics),
];

/// What answers a path, whether that is work, and the part of the path that is not fixed.
pub(crate) fn route(path: &str) -> Option<(Route, bool, String)> {
    let at_once = AT_ONCE.into_iter().map(|route| (route, false));
    let mut all = WORK.map(|route| (route, true)).into_iter().chain(at_once);
    all.find_map(|(route, is_work)| {
        let before = route.0.split('{').next()?;
        let name = path.strip_prefix(before)?;
        let is_named = before != route.0;
        let is_part = name.is_empty() != is_named && !name.contains('/');
        let name = percent_decode_str(name).decode_utf8().ok()?;
        is_part.then(|| (route, is_work, name.into_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_what_is_answered() {
        let answered = WORK.iter().chain(&AT_ONCE).map(|(path, _)| *path);
        let answered = answered.filter(|path| path.starts_with("/api/"));
        let described = crate::API.iter().map(|(path, _)| *path);
        assert!(answered.eq(described));
    }
}
