//! What is asked on the command line, as one request.

use super::saved;
use crate::args::{FieldArgs, Saved};
use crate::failure::Failure;
use crate::index::of_index;
use crate::language;
use tridex_index::{GameId, GameIndex, IndexError, Query, QueryError, SearchRequest};
use tridex_rules::{Position, RuleSystem};

/// All that is asked for: options, words that the shell has parted, and saved queries. A game has to answer every part.
pub(crate) fn of<C>(
    words: &[String],
    fields: &FieldArgs<C>,
    saved: &Saved,
) -> Result<SearchRequest, Failure> {
    let mut request = fields.request.clone();
    let words = words.join(" ");
    request.set("query", words).map_err(|fault| told(&fault))?;
    for (title, query) in saved::asked(saved)? {
        request.add_saved(title, query);
    }
    Ok(request)
}

/// A request as a query of an index.
pub(crate) fn query(request: &SearchRequest, index: &GameIndex) -> Result<Query, Failure> {
    request.query(index).map_err(failed)
}

/// The question in words: what the shell has parted belongs together.
pub(crate) fn words(parts: &[String]) -> Result<Query, Failure> {
    Query::parse(&parts.join(" ")).map_err(|fault| told(&fault))
}

/// The game of an index that is called by its id, or by its file and number.
pub(crate) fn find(index: &GameIndex, name: &str) -> Result<GameId, Failure> {
    tridex_index::find_game(index, name).map_err(failed)
}

/// The position after some moves from the start, or where they stop being moves.
pub(crate) fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, Failure> {
    tridex_index::position_after(rules, moves).map_err(|fault| told(&fault))
}

/// The position of one system only, for tables.
pub(crate) fn set_up_under(rules: RuleSystem, text: &str) -> Result<Position, Failure> {
    tridex_index::position_of(rules, text).map_err(|fault| told(&fault))
}

fn failed(fault: IndexError) -> Failure {
    match fault {
        IndexError::Query(fault) => told(&fault),
        fault => of_index(&fault),
    }
}

/// What cannot be asked, with a marker below the place.
fn told(fault: &QueryError) -> Failure {
    let is_cut = fault.what == "the pattern" && fault.span.is_empty();
    match language::fault(fault) {
        Failure::Message(message) if is_cut => Failure::Message(language::quoted(&message)),
        other => other,
    }
}
