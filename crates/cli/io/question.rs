//! What is asked on the command line, as one question.

use crate::failure::Failure;
use crate::io::indices::of_index;
use crate::io::position::set_up;
use crate::io::saved;
use crate::options::asking::{Fields, SearchArgs, Side};
use crate::term::caret;
use tridex_index::{AskError, Asked, Asking, GameId, GameIndex, Query};
use tridex_rules::{Color, Position, RuleSystem};

/// All that is asked for; a game has to answer every part.
pub(crate) fn of(args: &SearchArgs, index: &GameIndex) -> Result<Query, Failure> {
    let more = saved::asked(&args.fields)?;
    let asking = Asking {
        white: args.white.clone(),
        black: args.black.clone(),
        text: args.text.clone(),
        opening: args.opening.clone(),
        rules: args.rules,
        position: args.position.clone(),
        moves: args.moves.clone(),
        game: args.game.clone(),
        ply: args.ply,
        loose: args.loose,
        plan: args.plan.clone(),
        pattern: args.pattern.clone(),
        mirrored: args.mirrored,
        swapped: args.swapped,
        material: args.material.clone(),
        lasting: args.min_plies,
        ..in_words(&args.query, &args.fields, None)
    };
    asking.question(index, more).map_err(|fault| told(&fault))
}

/// What words, players, event, site, date and result ask for, and the questions of a file.
pub(crate) fn filter(
    query: &[String],
    fields: &Fields,
    side: Option<Side>,
) -> Result<Query, Failure> {
    let filter = in_words(query, fields, side).filter();
    let filter = filter.map_err(|fault| told(&fault))?;
    Ok(filter.and(saved::asked(fields)?))
}

/// The question in words: what the shell has parted belongs together.
pub(crate) fn words(parts: &[String]) -> Result<Query, Failure> {
    let text = parts.join(" ");
    Query::parse(&text).map_err(|found| caret::of_index("the query", &text, &found))
}

fn in_words(query: &[String], fields: &Fields, side: Option<Side>) -> Asking {
    Asking {
        query: query.join(" "),
        player: fields.player.clone(),
        side: side.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }),
        event: fields.event.clone(),
        site: fields.site.clone(),
        date: fields.date.clone(),
        result: fields.result,
        ..Asking::default()
    }
}

/// The game of an index that is called by its id, or by its file and number.
pub(crate) fn find(index: &GameIndex, name: &str) -> Result<GameId, Failure> {
    tridex_index::find_game(index, name).map_err(|fault| told(&fault))
}

/// The position after some moves from the start, or where they stop being moves.
pub(crate) fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, Failure> {
    tridex_index::position_after(rules, moves).map_err(|fault| told(&fault))
}

/// The game of one system only, for tables.
pub(crate) fn set_up_under(rules: RuleSystem, text: &str) -> Result<Position, Failure> {
    match tridex_index::position_of(rules, text) {
        Err(fault @ AskError::NotUnderstood { .. }) => Err(told(&fault)),
        _ => set_up(rules, Some(text)),
    }
}

/// What cannot be asked, with a marker below the place.
fn told(fault: &AskError) -> Failure {
    match fault {
        AskError::NotUnderstood {
            asked,
            text,
            offset,
            expected,
        } => {
            let is_cut = *asked == Asked::Pattern && *offset >= text.len();
            match caret::fault(asked.name(), text, *offset, expected) {
                Failure::Message(message) if is_cut => Failure::Message(caret::quoted(&message)),
                other => other,
            }
        }
        AskError::Index(fault) => of_index(fault),
        other => Failure::message(other),
    }
}
