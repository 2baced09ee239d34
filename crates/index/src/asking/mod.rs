//! What somebody fills in - options of a command, fields of a form - as one question, and answers as rows.
//!
//! Whoever asks with the same words gets the same answer, whether on a command line or over a wire. `rows` has the
//! machine forms of answers, `record` writes a game down again.

pub(crate) mod fault;
pub(crate) mod record;
pub(crate) mod rows;
pub(crate) mod sort;

use crate::error::IndexError;
use crate::game::moves::read_moves;
use crate::questions::date::DateRange;
use crate::questions::material::Material;
use crate::questions::pattern::Pattern;
use crate::questions::query::{PositionQuery, Query, Sameness};
use crate::questions::search::SearchOptions;
use crate::store::reader::{GameId, GameIndex};
use crate::texts::fields::TextField;
use crate::texts::words::Words;
use fault::{AskError, Asked, at};
use tridex_archive::GameResult;
use tridex_archive::date::DateFault;
use tridex_notation::position_string;
use tridex_rules::{Color, Position, RuleSystem, Setup, SetupError};

/// What is asked for, field by field, as it was written. Fields left as they are ask for nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asking {
    /// A question in words, in the language of `grammars/query.ebnf`.
    pub query: String,
    /// Players on either side, or on [`Asking::side`].
    pub player: Vec<String>,
    /// The side of [`Asking::player`].
    pub side: Option<Color>,
    /// Players of the white pieces.
    pub white: Vec<String>,
    /// Players of the black pieces.
    pub black: Vec<String>,
    /// Words of the event.
    pub event: Vec<String>,
    /// Words of the site.
    pub site: Vec<String>,
    /// Words of the comments.
    pub text: Vec<String>,
    /// Words of the opening's name.
    pub opening: Vec<String>,
    /// When it was played: a date, or two with `..` between.
    pub date: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// The rule system.
    pub rules: Option<RuleSystem>,
    /// A position string.
    pub position: Option<String>,
    /// Moves from the start, instead of a position.
    pub moves: Option<String>,
    /// A game of the index whose position is meant, instead of a position: see [`find_game`].
    pub game: Option<String>,
    /// After how many plies of [`Asking::game`]; without it after the last.
    pub ply: Option<u32>,
    /// Of the position only placement and side to move have to agree.
    pub loose: bool,
    /// A position string, seen from the top.
    pub plan: Option<String>,
    /// Patterns, in the language of `grammars/pattern.ebnf`.
    pub pattern: Vec<String>,
    /// Positions and patterns also with king's side and queen's side exchanged.
    pub mirrored: bool,
    /// Positions, patterns and material also with the colours exchanged.
    pub swapped: bool,
    /// A balance of material.
    pub material: Option<String>,
    /// How many plies the balance of material lasts at least; 1 if nothing is said.
    pub lasting: Option<u32>,
}

impl Asking {
    /// The whole question. `more` is asked beside the fields that are no board's; [`Query::All`] for nothing more.
    ///
    /// # Errors
    /// What cannot be understood, goes with nothing, or is not in the index.
    pub fn question(&self, index: &GameIndex, more: Query) -> Result<Query, AskError> {
        let mut query = self.filter()?.and(more);
        query = all(query, TextField::White, &self.white);
        query = all(query, TextField::Black, &self.black);
        query = all(query, TextField::Comments, &self.text);
        query = all(query, TextField::Opening, &self.opening);
        if let Some(rules) = self.rules {
            query = query.and(Query::Rules(rules));
        }
        if let Some(position) = self.board_position(index)? {
            query = query.and(position);
        }
        if let Some(text) = &self.plan {
            let setup = set_up(text, Asked::Plan)?;
            let position = by_setup(setup, self.rules, Sameness::Plan)?;
            query = query.and(position.or_seen(self.mirrored, self.swapped));
        }
        for text in &self.pattern {
            Pattern::parse(text)
                .map_err(|found| AskError::language(Asked::Pattern, text, found))?;
            query = query.and(Query::pattern(text, self.mirrored, self.swapped)?);
        }
        if let Some(text) = &self.material {
            query = query.and(self.balance(text)?);
        }
        match self.lacking() {
            Some(fault) => Err(fault),
            None => Ok(query),
        }
    }

    /// The part of the question about words, players, event, site, date and result: the games that tables of openings
    /// count.
    ///
    /// # Errors
    /// What cannot be understood.
    pub fn filter(&self) -> Result<Query, AskError> {
        let words = Query::parse(&self.query);
        let mut query =
            words.map_err(|found| AskError::language(Asked::Query, &self.query, found))?;
        let player = match self.side {
            None => TextField::Player,
            Some(Color::White) => TextField::White,
            Some(Color::Black) => TextField::Black,
        };
        query = all(query, player, &self.player);
        query = all(query, TextField::Event, &self.event);
        query = all(query, TextField::Site, &self.site);
        if let Some(text) = &self.date {
            query = query.and(Query::Date(dates(text)?));
        }
        if let Some(result) = self.result {
            query = query.and(Query::Result(result));
        }
        Ok(query)
    }

    /// Whether every position of many games may have to be looked at for an answer.
    #[must_use]
    pub fn replays(&self) -> bool {
        let words = Query::parse(&self.query).is_ok_and(|query| query.replays() > 0);
        words || self.plan.is_some() || !self.pattern.is_empty() || self.material.is_some()
    }

    /// What is said of something that is not asked for.
    fn lacking(&self) -> Option<AskError> {
        let position = self.position.is_some() || self.moves.is_some() || self.game.is_some();
        let board = position || self.plan.is_some() || !self.pattern.is_empty();
        let lacks = |name, goes_with| Some(AskError::Lacking { name, goes_with });
        if self.swapped && !board && self.material.is_none() {
            return lacks(
                "swapped",
                &["position", "moves", "game", "plan", "pattern", "material"],
            );
        }
        if self.mirrored && !board {
            return lacks(
                "mirrored",
                &["position", "moves", "game", "plan", "pattern"],
            );
        }
        if self.loose && !position {
            return lacks("loose", &["position", "moves", "game"]);
        }
        None
    }

    fn balance(&self, text: &str) -> Result<Query, AskError> {
        let parsed = Material::parse(text);
        let material = parsed.map_err(|found| AskError::language(Asked::Material, text, found))?;
        let material = material.lasting(self.lasting.unwrap_or(1));
        let swapped = self.swapped.then(|| material.swapped());
        Ok(Query::Material(
            [material].into_iter().chain(swapped).collect(),
        ))
    }

    /// The position that is asked for, in whichever way.
    fn board_position(&self, index: &GameIndex) -> Result<Option<Query>, AskError> {
        let sameness = if self.loose {
            Sameness::Loose
        } else {
            Sameness::Exact
        };
        let seen = |position: PositionQuery| position.or_seen(self.mirrored, self.swapped);
        if let Some(text) = &self.position {
            let setup = set_up(text, Asked::Position)?;
            return by_setup(setup, self.rules, sameness).map(seen).map(Some);
        }
        if let Some(moves) = &self.moves {
            let systems = self
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
        let Some(game) = &self.game else {
            return Ok(None);
        };
        let found = index.game(find_game(index, game)?)?;
        let plies = found.entry.moves.len();
        let ply = self.ply.unwrap_or(plies as u32);
        let moves = found
            .line_to(None, ply)
            .ok_or(AskError::NoPly { ply, plies })?;
        let position = found.entry.start_position();
        let mut position = position.map_err(|fault| AskError::unplayable(None, fault))?;
        for m in &moves {
            position.play_unchecked(*m);
        }
        by_setup(position.to_setup(), self.rules, sameness)
            .map(seen)
            .map(Some)
    }
}

fn all(query: Query, field: TextField, texts: &[String]) -> Query {
    texts.iter().fold(query, |query, text| {
        // Words in quotation marks follow each other, here as in a question in words.
        let text = text.trim();
        let quoted = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        query.and(match quoted {
            Some(phrase) => Query::Text(field, Words::phrase(phrase)),
            None => Query::text(field, text),
        })
    })
}

fn dates(text: &str) -> Result<DateRange, AskError> {
    let fault = |offset, expected: &str| Err(at(Asked::Date, text, offset, expected));
    match DateRange::parse(text) {
        Err((DateFault::Impossible, offset)) => fault(offset, "a day of the calendar"),
        Err((DateFault::Unclear, offset)) => fault(
            offset,
            "a date that can be read in one way only, such as 2001.04.26",
        ),
        Err((DateFault::Form, offset)) => fault(
            offset,
            "a date such as 2001, 2001.04 or 2001.04.26, or two with .. between",
        ),
        Ok(DateRange {
            from: Some(from),
            to: Some(to),
        }) if from > to => {
            let second = text.find("..").map_or(0, |dots| dots + 2);
            fault(second, "a date that is not before the first")
        }
        Ok(range) => Ok(range),
    }
}

/// The game of an index that is called by its id, or by its file and number, as in `games.pgn:12`.
///
/// # Errors
/// If that is no name of a game, or there is none of the name.
pub fn find_game(index: &GameIndex, name: &str) -> Result<GameId, AskError> {
    let id = (name.len() == 16)
        .then(|| u64::from_str_radix(name, 16).ok())
        .flatten();
    let place = name.rsplit_once(':');
    let place = place.and_then(|(source, number)| Some((source, number.parse::<u32>().ok()?)));
    let query = match (id, place) {
        (Some(id), _) => Query::Id(id),
        (None, Some((source, _))) => Query::Source(source.to_owned()),
        (None, None) => return Err(AskError::NoName),
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
    Err(AskError::NoGame(name.to_owned()))
}

fn set_up(text: &str, asked: Asked) -> Result<Setup, AskError> {
    position_string::parse(text).map_err(|found| {
        let expected = format!("{} ({})", found.expected, found.field.name());
        at(asked, text, found.offset, &expected)
    })
}

/// A position in games of one system, or of every one in which it can be played.
fn by_setup(
    setup: Setup,
    rules: Option<RuleSystem>,
    sameness: Sameness,
) -> Result<PositionQuery, AskError> {
    if let Some(rules) = rules {
        let unplayable = |fault| AskError::unplayable(Some(rules), fault);
        if setup.family() != rules.family() {
            return Err(unplayable(SetupError::WrongFamily));
        }
        if sameness == Sameness::Exact {
            let position = Position::from_setup(rules, &setup).map_err(unplayable)?;
            return Ok(PositionQuery::of_position(&position, sameness));
        }
    }
    let position = PositionQuery::new(setup, sameness);
    position.map_err(|fault| AskError::unplayable(None, fault))
}

/// The position after some moves from the start, if they can be played.
fn after(rules: RuleSystem, moves: &str) -> Option<Position> {
    let moves = read_moves(rules, moves).ok()?;
    let mut position = Position::start(rules);
    for m in &moves {
        position.play_unchecked(*m);
    }
    Some(position)
}

/// The position after some moves from the start.
///
/// # Errors
/// Where they stop being moves.
pub fn position_after(rules: RuleSystem, moves: &str) -> Result<Position, AskError> {
    after(rules, moves).ok_or_else(|| no_move(&[rules], moves))
}

/// The position of a position string, under one system.
///
/// # Errors
/// If it is none, or cannot be played.
pub fn position_of(rules: RuleSystem, text: &str) -> Result<Position, AskError> {
    let setup = set_up(text, Asked::Fen)?;
    Position::from_setup(rules, &setup).map_err(|fault| AskError::unplayable(Some(rules), fault))
}

/// Where some moves stop being moves, in the system in which they go furthest.
fn no_move(systems: &[RuleSystem], moves: &str) -> AskError {
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
    at(Asked::Moves, moves, place, &expected)
}

impl From<IndexError> for AskError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}
