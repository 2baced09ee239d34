//! Reads lines of moves, as people write them in queries, opening lists or their own programs.

use crate::parse;
use crate::resolve::{ResolveError, has_one_square, resolve};
use crate::text::{Notation, TokenNote};
use tridex_grammar::SyntaxError;
use tridex_rules::{Move, Position};

/// Reads moves that are played one after the other from a position. The whole line must be in one notation of the board
/// family. Move numbers (`1.`, `1...`) are skipped.
///
/// ```
/// use tridex_notation::read_moves;
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// assert_eq!(read_moves(&start, "1. b4N b5B 2. c3W").map(|moves| moves.len()), Ok(3));
/// assert_eq!(read_moves(&start, "1. b4N b4N").unwrap_err().token, "b4N");
/// ```
///
/// # Errors
/// The first token that is not a legal move, in the notation that could read the most moves.
pub fn read_moves(start: &Position, text: &str) -> Result<Vec<Move>, UnreadMove> {
    let mut failed: Option<UnreadMove> = None;
    for notation in Notation::ALL {
        if notation.family() != start.family() {
            continue;
        }
        match read_in(notation, start, text) {
            Ok(moves) => return Ok(moves),
            Err(unread) if failed.as_ref().is_none_or(|known| unread.ply > known.ply) => {
                failed = Some(unread);
            }
            Err(_) => {}
        }
    }
    // Each family has a notation, so this point is reached only after a failure.
    failed.map_or_else(|| Ok(Vec::new()), Err)
}

fn read_in(notation: Notation, start: &Position, text: &str) -> Result<Vec<Move>, UnreadMove> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (numbered, after) = rest.split_at(end);
        let offset = text.len() - rest.len();
        rest = after.trim_start();
        let token = without_number(numbered);
        if token.is_empty() {
            continue;
        }
        let found = parse(notation, token.as_bytes(), None)
            .map_err(WhyUnread::Syntax)
            .and_then(|text| {
                // Do not guess among several squares: the user would not see which was chosen.
                if text.notes.has(TokenNote::MissingLevel) && !has_one_square(&text, &position) {
                    return Err(WhyUnread::Level);
                }
                resolve(&text, &position).map_err(WhyUnread::Meaning)
            });
        match found {
            Ok(mv) => {
                position.play_unchecked(mv);
                moves.push(mv);
            }
            Err(why) => {
                return Err(UnreadMove {
                    token: token.to_owned(),
                    offset,
                    ply: moves.len(),
                    why,
                });
            }
        }
    }
    Ok(moves)
}

/// Removes a move number from the start of a token.
fn without_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.'),
        None => token,
    }
}

/// Where and why a line of moves could not be read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnreadMove {
    /// The token that could not be read, without its move number.
    pub token: String,
    /// The byte offset of the token in the text, including its move number.
    pub offset: usize,
    /// How many moves were read before it.
    pub ply: usize,
    /// What is wrong with it.
    pub why: WhyUnread,
}

/// What is wrong with a token of a line of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyUnread {
    /// It cannot be parsed in the notation.
    Syntax(SyntaxError),
    /// It fits no legal move, or several.
    Meaning(ResolveError),
    /// It names no level, and several levels have such a square.
    Level,
}

impl std::fmt::Display for UnreadMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` (move {} of the line): ", self.token, self.ply + 1)?;
        match &self.why {
            WhyUnread::Syntax(error) => error.fmt(f),
            WhyUnread::Meaning(error) => error.fmt(f),
            WhyUnread::Level => f.write_str("it does not say on which level"),
        }
    }
}

impl std::error::Error for UnreadMove {}
