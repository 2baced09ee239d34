//! What to mark, as given on the command line.

use crate::commands::show::Drawn;
use crate::failure::Failure;
use tridex_archive::printable;
use tridex_geometry::Square;
use tridex_geometry::stair::AttackBoard;
use tridex_picture::{Ink, Labels, Marks, find_squares};
use tridex_rules::{Piece, Position};

/// Adds what the options say.
pub(super) fn add(
    marks: &mut Marks,
    position: &Position,
    labels: Labels,
    drawn: &Drawn,
) -> Result<(), Failure> {
    for wish in &drawn.highlight {
        let (place, ink) = inked(wish)?;
        for square in highlighted(position, labels, place)? {
            marks.squares.push((square, ink));
        }
    }
    for wish in &drawn.arrow {
        let (ends, ink) = inked(wish)?;
        let Some((from, to)) = ends.split_once('-') else {
            return Err(fault("expected two squares, such as b1W-c3N", wish));
        };
        marks.arrows.push((
            square(position, labels, from)?,
            square(position, labels, to)?,
            ink,
        ));
    }
    if let Some(of) = &drawn.moves_of {
        match (position.layout(), attack_board(of)) {
            (Some(_), Some(board)) => marks.moves_of_board(position, board),
            _ => marks.moves_of(position, square(position, labels, of)?),
        }
    }
    Ok(())
}

/// A place and its ink: `c6B:R`.
fn inked(wish: &str) -> Result<(&str, Ink), Failure> {
    let Some((place, letter)) = wish.rsplit_once(':') else {
        return Ok((wish, Ink::default()));
    };
    let mut letters = letter.chars();
    match (letters.next().and_then(Ink::from_letter), letters.next()) {
        (Some(ink), None) => Ok((place, ink)),
        _ => Err(fault("expected a colour: G, R, Y or B", letter)),
    }
}

/// `c6B`, `c6`, `N@c6`.
fn highlighted(position: &Position, labels: Labels, place: &str) -> Result<Vec<Square>, Failure> {
    let (man, place) = match place.split_once('@') {
        None => (None, place),
        Some((man, place)) => {
            let mut letters = man.chars();
            match (letters.next().and_then(Piece::from_letter), letters.next()) {
                (Some(piece), None) => (Some(piece), place),
                _ => {
                    return Err(fault(
                        "expected a piece letter PNBRQK (lower case for Black)",
                        man,
                    ));
                }
            }
        }
    };
    let squares = found(position, labels, place)?;
    Ok(match man {
        None => squares,
        Some(man) => squares
            .into_iter()
            .filter(|square| position.piece_at(*square) == Some(man))
            .collect(),
    })
}

fn found(position: &Position, labels: Labels, name: &str) -> Result<Vec<Square>, Failure> {
    let squares = find_squares(position, labels, name);
    if squares.is_empty() {
        return Err(fault(
            "no square or column of this position has this name",
            name,
        ));
    }
    Ok(squares)
}

/// One square; of a column with several the one that holds a man, if only one does.
fn square(position: &Position, labels: Labels, name: &str) -> Result<Square, Failure> {
    let mut squares = found(position, labels, name)?;
    if squares.len() > 1 {
        squares.retain(|square| position.piece_at(*square).is_some());
    }
    match squares.as_slice() {
        [square] => Ok(*square),
        _ => Err(fault("several squares have this name; add the board", name)),
    }
}

fn attack_board(name: &str) -> Option<AttackBoard> {
    Some(match name {
        "QL" => AttackBoard::WhiteQueen,
        "KL" => AttackBoard::WhiteKing,
        "ql" => AttackBoard::BlackQueen,
        "kl" => AttackBoard::BlackKing,
        _ => return None,
    })
}

fn fault(what: &str, said: &str) -> Failure {
    Failure::message(format!("{}: {what}", printable(said)))
}
