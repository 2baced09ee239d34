//! Commands in comments: clocks (`[%clk 1:29:44]`), evaluations (`[%eval 0.35]`), squares (`[%csl Rb4B,Gc3W]`) and arrows (`[%cal Ga1Wb4N]`). Squares
//! may be in any notation of the board.

use tridex_geometry::Square;
use tridex_notation::Notation;
use tridex_picture::{Ink, Marks, find_squares};
use tridex_rules::Position;

/// Removes from a comment the commands that `is_understood` accepts by their name and content, and returns the rest.
/// All other commands stay in the comment.
pub(crate) fn take(comment: &str, mut is_understood: impl FnMut(&str, &str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once("[%") {
        out.push_str(before);
        let command = after.split_once(']');
        let command = command.and_then(|(command, rest)| Some((command.split_once(' ')?, rest)));
        rest = match command {
            Some(((name, said), rest)) if is_understood(name, said.trim()) => rest,
            _ => {
                out.push_str("[%");
                after
            }
        };
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Whether a text is the time on a clock.
pub(crate) fn is_time(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.len() <= 16
        && text
            .bytes()
            .all(|sign| sign.is_ascii_digit() || matches!(sign, b':' | b'.'))
}

/// Whether a text is an evaluation: pawns (`-1.2`) or moves to a mate (`#3`), with the depth of its search after a comma or
/// without it.
pub(crate) fn is_score(text: &str) -> bool {
    let (score, depth) = text.split_once(',').unwrap_or((text, "0"));
    let number = score.strip_prefix('#').unwrap_or(score);
    let number = number.strip_prefix(['-', '+']).unwrap_or(number);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    text.len() <= 16 && is_digits(whole) && is_digits(part) && is_digits(depth.trim_start())
}

/// Reads the marks of a command and adds them to `marks`; `None` if the command or one of its marks is not understood.
pub(crate) fn read(
    name: &str,
    said: &str,
    position: &Position,
    notation: Notation,
    marks: &mut Marks,
) -> Option<()> {
    // Commas separate the marks, but squares of the manual contain a comma too.
    match name {
        "csl" => marks.squares.extend(listed(said, |ink, place| {
            Some((square(position, notation, place)?, ink))
        })?),
        "cal" => marks.arrows.extend(listed(said, |ink, ends| {
            let (from, to) = two_squares(position, notation, ends)?;
            Some((from, to, ink))
        })?),
        _ => return None,
    }
    Some(())
}

/// Every mark of a list, or `None` if one cannot be read.
fn listed<T>(said: &str, mut read: impl FnMut(Ink, &str) -> Option<T>) -> Option<Vec<T>> {
    let mut found = Vec::new();
    let mut rest = said;
    while !rest.is_empty() {
        // The longest prefix that is a mark and ends before a comma or at the end.
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

/// The square that a name means. Of a column it is the highest square that holds a piece, or else the highest.
fn square(position: &Position, notation: Notation, name: &str) -> Option<Square> {
    let squares = find_squares(position, Some(notation), name.trim());
    let held = squares
        .iter()
        .rev()
        .find(|square| position.piece_at(**square).is_some());
    held.or(squares.last()).copied()
}

fn two_squares(position: &Position, notation: Notation, ends: &str) -> Option<(Square, Square)> {
    // Names are ASCII and shorter than this, so longer texts need no search.
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

#[cfg(test)]
mod tests {
    use super::{is_score, is_time, take};

    #[test]
    fn evaluations_are_pawns_or_mates() {
        for score in ["0.35", "-1.2", "+3", "#3", "#-12", "0.17,18", "0.17, 18"] {
            assert!(is_score(score), "{score}");
        }
        for other in [
            "", "#", ".5", "1.", "-", "1.2.3", "inf", "0.5,", "1,2,3", "1e9",
        ] {
            assert!(!is_score(other), "{other}");
        }
    }

    #[test]
    fn clocks_are_taken_out_and_other_words_stay() {
        let mut clocks = Vec::new();
        let rest = take("[%clk 0:59:58] good [%clk x][%clk 1:00", |name, clock| {
            clocks.push((name.to_owned(), clock.to_owned()));
            is_time(clock)
        });
        assert_eq!(rest, "good [%clk x][%clk 1:00");
        assert_eq!(clocks[0], ("clk".to_owned(), "0:59:58".to_owned()));
    }
}
