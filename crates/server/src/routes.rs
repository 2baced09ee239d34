//! All addresses of the site with their handlers.

use crate::fault::Fault;
use crate::reply::Reply;
use crate::site::Request;
use crate::{api, assets, complete, download, pages};
use percent_encoding::percent_decode_str;

/// Answers a request.
type Handler = fn(&Request) -> Result<Reply, Fault>;

/// An address and its handler. A last part in braces matches every text without a slash, unless an earlier address
/// matches.
pub(crate) type Route = (&'static str, Handler);

/// Addresses whose answers are complete even if other games are missing: they concern one game or one position, or do
/// not read the index.
const LACKS_NOTHING: [&str; 18] = [
    "/api/v1/games/{id}",
    "/api/v1/openapi.json",
    "/assets/{name}",
    "/favicon.ico",
    "/guide",
    "/guide/{name}",
    "/guide/pictures/{name}",
    "/health",
    "/setup",
    "/rules",
    "/game/{id}",
    "/embed/{id}",
    "/picture/{name}",
    "/complete",
    "/viewer/line",
    "/viewer/{id}",
    "/board.svg",
    "/api/v1/moves",
];

/// Whether the answer at an address is incomplete if games are missing.
pub(crate) fn lists_games(path: &str) -> bool {
    !LACKS_NOTHING.contains(&path)
}

/// Addresses that are answered immediately, however busy the site is. Their handlers read no files.
const AT_ONCE: [Route; 7] = [
    ("/api/v1/openapi.json", api::description),
    ("/assets/{name}", assets::named),
    ("/favicon.ico", assets::icon),
    ("/guide", pages::guide::page),
    ("/guide/{name}", pages::guide::page),
    ("/guide/pictures/{name}", pages::guide::picture),
    ("/health", api::health),
];

/// Addresses whose handlers may run long, and therefore need a permit.
const WORK: [Route; 20] = [
    ("/", pages::home::page),
    ("/search", pages::results::page),
    ("/setup", pages::setup::page),
    ("/rules", pages::rules::page),
    ("/game/{id}", pages::game::page),
    ("/embed/{id}", pages::game::embed),
    ("/picture/{name}", download::picture),
    ("/complete", complete::answer),
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

/// The route of a path, whether it needs a permit, and the part of the path that matches the braces.
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
