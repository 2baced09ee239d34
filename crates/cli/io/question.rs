//! The query of the command line, as one request.

use crate::failure::Failure;
use crate::io::indices::of_index;
use crate::io::saved;
use crate::options::fields::{FieldArgs, Saved};
use crate::term::caret;
use tridex_index::{GameId, GameIndex, IndexError, Query, QueryError, SearchRequest};
use tridex_rules::{Position, RuleSystem};

/// The whole request: options, words that the shell has split, and saved queries. A game must match every part.
pub(crate) fn of<C>(
    words: &[String],
    fields: &FieldArgs<C>,
    saved: &Saved,
) -> Result<SearchRequest, Failure> {
    let mut request = fields.request.clone();
    let words = words.join(" ");
    request
        .set("query", words)
        .map_err(|fault| not_understood(&fault))?;
    for (title, query) in saved::asked(saved)? {
        request.add_saved(title, query);
    }
    Ok(request)
}

/// A request as a query of an index.
pub(crate) fn query(request: &SearchRequest, index: &GameIndex) -> Result<Query, Failure> {
    request.query(index).map_err(failed)
}

/// A query in words, which the shell may have split.
pub(crate) fn words(parts: &[String]) -> Result<Query, Failure> {
    Query::parse(&parts.join(" ")).map_err(|fault| not_understood(&fault))
}

/// A game of an index by its id, or by its file and number.
pub(crate) fn find(index: &GameIndex, name: &str) -> Result<GameId, Failure> {
    tridex_index::find_game(index, name).map_err(failed)
}

/// The position after some moves from the start, or where they stop being moves.
pub(crate) fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, Failure> {
    tridex_index::position_after(rules, moves).map_err(|fault| not_understood(&fault))
}

/// The position of one system only, for tables.
pub(crate) fn set_up_under(rules: RuleSystem, text: &str) -> Result<Position, Failure> {
    tridex_index::position_of(rules, text).map_err(|fault| not_understood(&fault))
}

fn failed(fault: IndexError) -> Failure {
    match fault {
        IndexError::Query(fault) => not_understood(&fault),
        fault => of_index(&fault),
    }
}

/// A query that is not understood, with a marker below the place.
fn not_understood(fault: &QueryError) -> Failure {
    let is_cut = fault.what == "the pattern" && fault.span.is_empty();
    match caret::fault(fault) {
        Failure::Message(message) if is_cut => Failure::Message(caret::quoted(&message)),
        other => other,
    }
}
