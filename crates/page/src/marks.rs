//! Marks in comments: `[%csl Rb4B,Gc3W]` squares, `[%cal Ga1Wb4N]` arrows, with squares in the words of any notation of the
//! board.

use tridex_geometry::Square;
use tridex_notation::Notation;
use tridex_picture::{Ink, Marks, find_squares};
use tridex_rules::Position;

/// Takes the marks out of a comment and adds them; returns the rest. Marks that mean nothing here, and commands of
/// other kinds, stay where they are.
pub(crate) fn take(
    comment: &str,
    position: &Position,
    notation: Notation,
    marks: &mut Marks,
) -> String {
    let mut out = String::new();
    let mut rest = comment;
    while let Some(at) = rest.find("[%") {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let Some((command, after)) = from.split_once(']') else {
            rest = from;
            break;
        };
        if !understood(command, position, notation, marks) {
            out.push_str(command);
            out.push(']');
        }
        rest = after;
    }
    out.push_str(rest);
    out.trim().to_owned()
}

fn understood(command: &str, position: &Position, notation: Notation, marks: &mut Marks) -> bool {
    let Some((name, said)) = command.split_once(' ') else {
        return false;
    };
    let said = said.trim();
    // One mark is cut from the next by a comma; the manual's squares have a comma inside.
    match name {
        "[%csl" => {
            let found = listed(said, |ink, place| {
                Some((square(position, notation, place)?, ink))
            });
            found.map(|found| marks.squares.extend(found)).is_some()
        }
        "[%cal" => {
            let found = listed(said, |ink, ends| {
                let (from, to) = two_squares(position, notation, ends)?;
                Some((from, to, ink))
            });
            found.map(|found| marks.arrows.extend(found)).is_some()
        }
        _ => false,
    }
}

/// Every mark of a list, or `None` if one cannot be read.
fn listed<T>(said: &str, mut read: impl FnMut(Ink, &str) -> Option<T>) -> Option<Vec<T>> {
    let mut found = Vec::new();
    let mut rest = said;
    while !rest.is_empty() {
        // The longest beginning that ends before a comma, or at the end, and means something.
        let ends = rest
            .char_indices()
            .filter(|(_, sign)| *sign == ',')
            .map(|(at, _)| at);
        let ends: Vec<usize> = ends.chain([rest.len()]).take(4).collect();
        let (mark, end) = ends.into_iter().rev().find_map(|end| {
            let one = rest.get(..end)?.trim();
            let mut signs = one.chars();
            let ink = Ink::from_letter(signs.next()?)?;
            Some((read(ink, signs.as_str())?, end))
        })?;
        found.push(mark);
        rest = rest
            .get(end..)
            .unwrap_or_default()
            .trim_start_matches([',', ' ']);
    }
    (!found.is_empty()).then_some(found)
}

/// The one square of a name; of a column the highest that holds a piece, or else the highest.
fn square(position: &Position, notation: Notation, name: &str) -> Option<Square> {
    let squares = find_squares(position, Some(notation), name.trim());
    let held = squares
        .iter()
        .rev()
        .find(|square| position.piece_at(**square).is_some());
    held.or(squares.last()).copied()
}

fn two_squares(position: &Position, notation: Notation, ends: &str) -> Option<(Square, Square)> {
    // Names are ASCII and shorter than this; nothing longer is looked through.
    if !ends.is_ascii() || ends.len() > 24 {
        return None;
    }
    (2..ends.len().saturating_sub(1)).find_map(|at| {
        let (from, to) = ends.split_at_checked(at)?;
        Some((
            square(position, notation, from)?,
            square(position, notation, to.trim_start_matches('-'))?,
        ))
    })
}
