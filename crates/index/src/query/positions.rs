//! Positions as people write them: moves from the start, or a position string.

use crate::model::move_text::positions_after;
use crate::query::values::set_up;
use crate::query_error::QueryError;
use tridex_notation::position_string::system_for;
use tridex_rules::{Position, RuleSystem, Setup, SetupError};
use tridex_text::enumeration;

/// Returns the position after some moves from the start.
///
/// ```
/// use tridex_index::position_after;
/// use tridex_rules::RuleSystem;
///
/// let position = position_after(RuleSystem::Meder, "1. b4N b5B")?;
/// assert_eq!(position.fullmoves(), 2);
/// assert_eq!(position_after(RuleSystem::Meder, "b4N b9N").unwrap_err().span.start, 4);
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// Returns the place of the first token that is not a legal move.
pub fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, QueryError> {
    after(&[rules], moves).map(|mut positions| positions.remove(0))
}

/// The position after some moves, under each of the given systems in which they can be played.
///
/// # Errors
/// If they can be played in none, returns the first token that is not a legal move, in the system in which most can be
/// played.
pub(crate) fn after(systems: &[RuleSystem], moves: &str) -> Result<Vec<Position>, QueryError> {
    let positions = positions_after(systems, moves).map_err(|unread| {
        let names: Vec<&str> = systems.iter().map(|rules| rules.name()).collect();
        let expected = format!("a legal move ({})", names.join(", "));
        QueryError::at(moves, unread.offset, expected).of("the line of moves")
    })?;
    Ok(positions.into_iter().map(|(after, _)| after).collect())
}

/// Parses a position string under a rule system.
///
/// ```
/// use tridex_index::position_of;
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1";
/// assert_eq!(position_of(RuleSystem::Meder, start)?, Position::start(RuleSystem::Meder));
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// Returns an error if the text is not a position string, or if the position is invalid under the rules.
pub fn position_of(rules: RuleSystem, text: &str) -> Result<Position, QueryError> {
    can_be_played(rules, &setup_of(text)?, text)
}

/// Parses a position string under `wanted`, or if that is `None` under the first system on its board that allows it.
///
/// ```
/// use tridex_index::position_for;
/// use tridex_rules::RuleSystem;
///
/// let cube = "8/8/8/8/8/8/8/k6K|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8 w - - - 0 1";
/// assert_eq!(position_for(None, cube)?.rules(), RuleSystem::Millennium);
/// assert!(position_for(Some(RuleSystem::Meder), cube).is_err());
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
///
/// # Errors
/// As [`position_of`].
pub fn position_for(wanted: Option<RuleSystem>, text: &str) -> Result<Position, QueryError> {
    let setup = setup_of(text)?;
    let rules = wanted.unwrap_or_else(|| system_for(&setup, None));
    can_be_played(rules, &setup, text)
}

/// Parses a position string, or a position in the format of another program. The setup may be invalid under any rules.
///
/// # Errors
/// Returns the place from which the text is not a position.
pub fn setup_of(text: &str) -> Result<Setup, QueryError> {
    set_up(text).map_err(|fault| fault.of(THE_POSITION))
}

/// What messages call a position string.
const THE_POSITION: &str = "the position";

fn can_be_played(rules: RuleSystem, setup: &Setup, text: &str) -> Result<Position, QueryError> {
    let position = Position::from_setup(rules, setup);
    position.map_err(|fault| QueryError::at(text, 0, playable(Some(rules), fault)).of(THE_POSITION))
}

pub(crate) fn playable(rules: Option<RuleSystem>, fault: SetupError) -> String {
    let name = rules.map_or("any system", RuleSystem::name);
    let others = match (rules, fault) {
        (Some(rules), SetupError::WrongFamily) => {
            let all = RuleSystem::ALL.iter();
            let others = all.filter(|other| other.family() != rules.family());
            let others: Vec<&str> = others.map(|other| other.name()).collect();
            format!(", that of {}", enumeration(&others, "and"))
        }
        _ => String::new(),
    };
    format!("a position that can be played under {name}: {fault}{others}")
}
