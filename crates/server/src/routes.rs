//! All addresses of the site, with what answers each.

use crate::fault::Fault;
use crate::reply::Reply;
use crate::site::Request;
use crate::{api, assets, download, pages};
use percent_encoding::percent_decode_str;

/// What answers.
type Handler = fn(&Request) -> Result<Reply, Fault>;

/// What an answer costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cost {
    /// Nothing: it is given at once, however busy the site is, and reads no file.
    Nothing,
    /// It takes a place, and a thread on which it may take its time.
    Work,
}

/// An address, what its answer costs, and what answers.
pub(crate) type Route = (&'static str, Cost, Handler);

/// All addresses. The last part, where it is in braces, is any text but that of an address before.
const ROUTES: [Route; 20] = [
    ("/", Cost::Work, pages::home::page),
    ("/search", Cost::Work, pages::results::page),
    ("/setup", Cost::Work, pages::setup::page),
    ("/game/{id}", Cost::Work, pages::game::page),
    ("/viewer/line", Cost::Work, pages::game::line),
    ("/viewer/{id}", Cost::Work, pages::game::viewer),
    ("/player", Cost::Work, pages::player::page),
    ("/openings", Cost::Work, pages::openings::page),
    ("/statistics", Cost::Work, pages::statistics::page),
    ("/board.svg", Cost::Work, download::board),
    ("/download/{name}", Cost::Work, download::file),
    ("/api/v1/search", Cost::Work, api::search),
    ("/api/v1/openings", Cost::Work, api::openings),
    ("/api/v1/games/{id}", Cost::Work, api::game),
    ("/api/v1/moves", Cost::Work, api::moves),
    ("/api/v1/statistics", Cost::Work, api::statistics),
    ("/api/v1/openapi.json", Cost::Nothing, api::description),
    ("/assets/{name}", Cost::Nothing, assets::named),
    ("/favicon.ico", Cost::Nothing, assets::icon),
    ("/health", Cost::Nothing, api::health),
];

/// What answers a path, and the part of it that is not fixed.
pub(crate) fn route(path: &str) -> Option<(Route, String)> {
    ROUTES.into_iter().find_map(|route| {
        let name = match route.0.split_once('{') {
            None => path.strip_prefix(route.0).filter(|rest| rest.is_empty())?,
            Some((before, _)) => {
                let is_part = |name: &&str| !name.is_empty() && !name.contains('/');
                path.strip_prefix(before).filter(is_part)?
            }
        };
        let name = percent_decode_str(name).decode_utf8().ok()?;
        Some((route, name.into_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_what_is_answered() {
        let answered = ROUTES
            .iter()
            .map(|(path, ..)| *path)
            .filter(|path| path.starts_with("/api/"));
        let described = crate::API.iter().map(|(path, _)| *path);
        assert!(answered.eq(described));
    }
}
