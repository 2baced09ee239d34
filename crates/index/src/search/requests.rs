//! Requests to an index, and the games they name.

use crate::error::{IndexError, Result};
use crate::model::indexed_game::GameId;
use crate::query::expression::Query;
use crate::query::options::SearchOptions;
use crate::query::request::SearchRequest;
use crate::query_error::QueryError;
use crate::read::index::GameIndex;
use crate::search::collect::Hits;

impl SearchRequest {
    /// Combines all values into a query. Games that are named are looked up in the index.
    ///
    /// # Errors
    /// Returns an error if a value is not understood, needs a field that is not given, or names a game that is not in
    /// the index.
    pub fn query(&self, index: &GameIndex) -> Result<Query> {
        self.lowered(Some(&|name| index.game(find_game(index, name)?)))
    }
}

impl GameIndex {
    /// Returns the games that match a request.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let mut request = tridex_index::SearchRequest::default();
    /// request.set("player", "kirk")?;
    /// request.set("pattern", "p@a6N")?;
    /// assert_eq!(index.answer(&request)?.hits[0].ply, Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the request is not understood, or if the search fails.
    pub fn answer(&self, request: &SearchRequest) -> Result<Hits> {
        self.search(&request.query(self)?, &request.options)
    }
}

/// Returns the game with an id, or with a file and number, such as `games.pgn:12`.
///
/// ```
/// # use tridex_index::GameIndex;
/// # let folder = tempfile::tempdir()?;
/// # tridex_index::example::write(folder.path())?;
/// let index = GameIndex::open(folder.path())?;
/// let id = tridex_index::find_game(&index, "games.pgn:1")?;
/// let name = format!("{:016x}", index.game(id)?.id);
/// assert_eq!(tridex_index::find_game(&index, &name)?, id);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the name is neither an id nor a file and number, or if there is no such game. If files of the index are damaged and
/// the game is not in the others, the error is the damage.
pub fn find_game(index: &GameIndex, name: &str) -> Result<GameId> {
    let id = u64::from_str_radix(name, 16).ok();
    let id = id.filter(|_| name.len() == 16);
    let place = name.rsplit_once(':');
    let place = place.and_then(|(source, number)| Some((source, number.parse::<u32>().ok()?)));
    let query = match (id, place) {
        (Some(id), _) => Query::Id(id),
        (None, Some((source, _))) => Query::Source(source.to_owned()),
        (None, None) => {
            let expected =
                "an id of 16 hexadecimal digits, or a file and a number as in games.pgn:12";
            return Err(QueryError::at(name, 0, expected).of("--game").into());
        }
    };
    let hits = index.search(&query, &SearchOptions::default())?.hits;
    for hit in hits {
        let Some((source, number)) = place.filter(|_| id.is_none()) else {
            return Ok(hit.id);
        };
        let summary = index.summary(hit.id)?;
        if summary.source == source && summary.number == number {
            return Ok(hit.id);
        }
    }
    // The game may be one of those that cannot be read.
    Err(match index.damage().into_iter().next() {
        Some((path, what)) => IndexError::Damaged { path, what },
        None => IndexError::NoGameNamed(name.to_owned()),
    })
}
