//! All addresses of the site, with what answers each.

use crate::fault::Fault;
use crate::reply::Reply;
use crate::site::Request;
use crate::{api, assets, download, pages};

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

/// All addresses. A part in braces is any text.
pub(crate) const ROUTES: [Route; 20] = [
    ("/", Cost::Work, pages::home::page),
    ("/search", Cost::Work, pages::results::page),
    ("/setup", Cost::Work, pages::setup::page),
    ("/game/{id}", Cost::Work, pages::game::page),
    ("/viewer/{id}", Cost::Work, pages::game::viewer),
    ("/viewer/line", Cost::Work, pages::game::line),
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
