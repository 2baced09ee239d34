//! What is asked on the command line, as one question.

use super::saved;
use crate::args::{Fields, SearchArgs, Side};
use crate::failure::Failure;
use crate::index::of_index;
use crate::{input, language};
use tridex_archive::printable;
use tridex_index::{
    Date, DateRange, GameId, GameIndex, IndexError, LanguageError, Material, Pattern,
    PositionQuery, Query, Sameness, SearchOptions, TextField, read_moves,
};
use tridex_notation::position_string;
use tridex_rules::{Position, RuleSystem, Setup};

/// All that is asked for; a game has to answer every part.
pub(super) fn of(args: &SearchArgs, index: &GameIndex) -> Result<Query, Failure> {
    let mut query = words(&args.query)?.and(fields(&args.fields, None)?);
    query = all(query, TextField::White, &args.white);
    query = all(query, TextField::Black, &args.black);
    query = all(query, TextField::Comments, &args.text);
    query = all(query, TextField::Opening, &args.opening);
    if let Some(rules) = args.rules {
        query = query.and(Query::Rules(rules));
    }
    if let Some(position) = position(args, index)? {
        query = query.and(position);
    }
    if let Some(text) = &args.plan {
        let setup = set_up(text, "--plan")?;
        let position = by_setup(setup, args.rules, Sameness::Plan)?;
        query = query.and(position.or_seen(args.mirrored, args.swapped));
    }
    for text in &args.pattern {
        Pattern::parse(text).map_err(|found| language::of_index("the pattern", text, &found))?;
        let pattern = Query::pattern(text, args.mirrored, args.swapped);
        query = query.and(pattern.map_err(|fault| of_index(&fault))?);
    }
    if let Some(text) = &args.material {
        query = query.and(material(text, args)?);
    }
    let position = args.position.is_some() || args.moves.is_some() || args.game.is_some();
    let board = position || args.plan.is_some() || !args.pattern.is_empty();
    let lacking = if args.swapped && !board && args.material.is_none() {
        "--swapped goes with --position, --moves, --game, --plan, --pattern or --material"
    } else if args.mirrored && !board {
        "--mirrored goes with --position, --moves, --game, --plan or --pattern"
    } else if args.loose && !position {
        "--loose goes with --position, --moves or --game"
    } else {
        return Ok(query);
    };
    Err(Failure::message(lacking))
}

/// The question in words: what the shell has parted belongs together.
pub(crate) fn words(parts: &[String]) -> Result<Query, Failure> {
    let text = parts.join(" ");
    Query::parse(&text).map_err(|found| language::of_index("the query", &text, &found))
}

/// What is asked of names, dates and the like; the player on one side only if a side is named.
pub(crate) fn fields(fields: &Fields, side: Option<Side>) -> Result<Query, Failure> {
    let player = match side {
        None => TextField::Player,
        Some(Side::White) => TextField::White,
        Some(Side::Black) => TextField::Black,
    };
    let mut query = all(Query::All, player, &fields.player);
    query = all(query, TextField::Event, &fields.event);
    query = all(query, TextField::Site, &fields.site);
    if let Some(text) = &fields.date {
        query = query.and(Query::Date(dates(text)?));
    }
    if let Some(result) = fields.result {
        query = query.and(Query::Result(result));
    }
    Ok(query.and(saved::asked(fields)?))
}

fn all(query: Query, field: TextField, texts: &[String]) -> Query {
    texts.iter().fold(query, |query, text| {
        // Words in quotation marks follow each other, here as in a question in words.
        let text = text.trim();
        let quoted = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        query.and(match quoted {
            Some(phrase) => Query::Text(field, tridex_index::Words::phrase(phrase)),
            None => Query::text(field, text),
        })
    })
}

fn dates(text: &str) -> Result<DateRange, Failure> {
    let fault = |offset, expected| Err(language::fault("the date", text, offset, expected));
    let Some(range) = DateRange::parse(text) else {
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (first.trim(), last.trim()),
            None => (text, text),
        };
        let is_fine = |end: &str| end.is_empty() || Date::parse(end).is_some();
        let offset = if is_fine(first) {
            text.len() - last.len()
        } else {
            0
        };
        return fault(
            offset,
            "a date such as 2001, 2001.04 or 2001.04.26, or two with .. between",
        );
    };
    match (range.from, range.to) {
        (Some(from), Some(to)) if from > to => {
            let second = text.find("..").map_or(0, |dots| dots + 2);
            fault(second, "a date that is not before the first")
        }
        _ => Ok(range),
    }
}

fn material(text: &str, args: &SearchArgs) -> Result<Query, Failure> {
    let parsed = Material::parse(text);
    let material = parsed.map_err(|found| language::of_index("the material", text, &found))?;
    let material = material.lasting(args.min_plies.unwrap_or(1));
    let swapped = args.swapped.then(|| material.swapped());
    Ok(Query::Material(
        [material].into_iter().chain(swapped).collect(),
    ))
}

/// The position that is asked for, in whichever way.
fn position(args: &SearchArgs, index: &GameIndex) -> Result<Option<Query>, Failure> {
    let sameness = if args.loose {
        Sameness::Loose
    } else {
        Sameness::Exact
    };
    let seen = |position: PositionQuery| position.or_seen(args.mirrored, args.swapped);
    if let Some(text) = &args.position {
        let setup = set_up(text, "--position")?;
        return by_setup(setup, args.rules, sameness).map(seen).map(Some);
    }
    if let Some(moves) = &args.moves {
        let systems = args
            .rules
            .map_or(RuleSystem::ALL.to_vec(), |rules| vec![rules]);
        let positions: Vec<Query> = systems
            .iter()
            .filter_map(|rules| after(*rules, moves))
            .map(|position| seen(PositionQuery::of_position(&position, sameness)))
            .collect();
        if positions.is_empty() {
            return Err(no_move(&systems, moves));
        }
        return Ok(Some(Query::Or(positions)));
    }
    let Some(game) = &args.game else {
        return Ok(None);
    };
    let found = index
        .game(find(index, game)?)
        .map_err(|fault| of_index(&fault))?;
    let plies = found.entry.moves.len();
    let ply = args.ply.unwrap_or(plies as u32);
    let moves = found
        .line_to(None, ply)
        .ok_or_else(|| Failure::message(format!("there is no ply {ply}: the game has {plies}")))?;
    let mut position = found.entry.start_position().map_err(Failure::message)?;
    moves.iter().for_each(|m| position.play_unchecked(*m));
    by_setup(position.to_setup(), args.rules, sameness)
        .map(seen)
        .map(Some)
}

/// The game of an index that is called by its id, or by its file and number.
pub(crate) fn find(index: &GameIndex, name: &str) -> Result<GameId, Failure> {
    let id = (name.len() == 16)
        .then(|| u64::from_str_radix(name, 16).ok())
        .flatten();
    let place = name.rsplit_once(':');
    let place = place.and_then(|(source, number)| Some((source, number.parse::<u32>().ok()?)));
    let query = match (id, place) {
        (Some(id), _) => Query::Id(id),
        (None, Some((source, _))) => Query::Source(source.to_owned()),
        (None, None) => {
            return Err(Failure::message(
                "--game is an id of 16 hexadecimal digits, or a file and a number as in games.pgn:12",
            ));
        }
    };
    let told = |fault: IndexError| of_index(&fault);
    let hits = index
        .search(&query, &SearchOptions::default())
        .map_err(told)?
        .hits;
    for hit in hits {
        let Some((source, number)) = place.filter(|_| id.is_none()) else {
            return Ok(hit.id);
        };
        let summary = index.summary(hit.id).map_err(told)?;
        if summary.source == source && summary.number == number {
            return Ok(hit.id);
        }
    }
    let name = printable(name);
    Err(Failure::message(format!(
        "there is no game {name} in the index"
    )))
}

fn set_up(text: &str, option: &str) -> Result<Setup, Failure> {
    position_string::parse(text).map_err(|found| {
        let kind = format!("the position of {option}");
        language::of_index(
            &kind,
            text,
            &LanguageError {
                offset: found.offset,
                expected: format!("{} ({})", found.expected, found.field.name()),
            },
        )
    })
}

/// A position in games of one system, or of every one in which it can be played.
fn by_setup(
    setup: Setup,
    rules: Option<RuleSystem>,
    sameness: Sameness,
) -> Result<PositionQuery, Failure> {
    let unplayable = |name: &str, fault: &dyn std::fmt::Display| {
        Failure::message(format!(
            "the position cannot be played under {name}: {fault}"
        ))
    };
    if let Some(rules) = rules {
        if setup.family() != rules.family() {
            let fault = tridex_rules::SetupError::WrongFamily;
            return Err(unplayable(rules.name(), &fault));
        }
        if sameness == Sameness::Exact {
            let position = Position::from_setup(rules, &setup);
            let position = position.map_err(|fault| unplayable(rules.name(), &fault))?;
            return Ok(PositionQuery::of_position(&position, sameness));
        }
    }
    let position = PositionQuery::new(setup, sameness);
    position.map_err(|fault| unplayable("any system", &fault))
}

/// The position after some moves from the start, if they can be played.
fn after(rules: RuleSystem, moves: &str) -> Option<Position> {
    let moves = read_moves(rules, moves).ok()?;
    let mut position = Position::start(rules);
    moves.iter().for_each(|m| position.play_unchecked(*m));
    Some(position)
}

/// The position after some moves from the start, or where they stop being moves.
pub(crate) fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, Failure> {
    after(rules, moves).ok_or_else(|| no_move(&[rules], moves))
}

/// Where some moves stop being moves, in the system in which they go furthest.
fn no_move(systems: &[RuleSystem], moves: &str) -> Failure {
    // Where each token begins and ends, as `read_moves` parts them.
    let mut ends = Vec::new();
    let mut from = 0;
    for token in moves.split_whitespace() {
        let at = moves
            .get(from..)
            .and_then(|rest| rest.find(token))
            .unwrap_or(0)
            + from;
        from = at + token.len();
        ends.push((at, from));
    }
    // A beginning that can be played may grow longer; the first that cannot ends in the token at fault.
    let reach = |rules: &RuleSystem| {
        let plays = |(_, end): &(usize, usize)| {
            moves
                .get(..*end)
                .is_some_and(|part| read_moves(*rules, part).is_ok())
        };
        ends.partition_point(plays)
    };
    let furthest = systems.iter().map(reach).max().unwrap_or(0);
    let place = ends.get(furthest).map_or(0, |(at, _)| *at);
    let names: Vec<&str> = systems.iter().map(|rules| rules.name()).collect();
    let expected = format!("a legal move ({})", names.join(", "));
    language::fault("the line of moves", moves, place, &expected)
}

/// The game of one system only, for tables.
pub(crate) fn set_up_under(rules: RuleSystem, text: &str) -> Result<Position, Failure> {
    set_up(text, "--fen")?;
    input::set_up(rules, Some(text))
}
