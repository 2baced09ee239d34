//! Letters of single strokes, for pictures that cannot rely on a font (PNG).
//!
//! The baseline of a letter is y = 0; capitals are 7 high, small letters 5; `y` grows downwards. A character without a
//! letter is drawn as an empty box. `letters.txt` has the strokes as SVG paths.

/// The font size to which the letters correspond, in their units.
pub(crate) const EM: f64 = 10.0;
/// How thick a stroke is.
pub(crate) const STROKE: f64 = 1.1;
/// The space between letters.
const GAP: f64 = 2.0;

/// A line for each letter: the sign, its width, its strokes.
const LETTERS: &str = include_str!("letters.txt");
/// The box for a character without a letter.
const UNKNOWN: (f64, &str) = (3.0, "M0 0V-7H3V0Z");

/// The width of a letter and its strokes.
fn letter(sign: char) -> (f64, &'static str) {
    if sign == ' ' {
        return (2.0, "");
    }
    let mut own = LETTERS.lines().filter_map(|line| {
        let (width, strokes) = line.strip_prefix(sign)?.trim_start().split_once(' ')?;
        Some((width.parse().ok()?, strokes))
    });
    own.next().unwrap_or(UNKNOWN)
}

/// Whether there is a letter for a sign.
#[cfg(test)]
pub(crate) fn is_known(sign: char) -> bool {
    letter(sign) != UNKNOWN
}

/// How wide a text is, in units of the letters.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(|sign| letter(sign).0 + GAP).sum::<f64>() - GAP
}

/// Where a text is fixed to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The letters of a text with where each begins, in units of the letters from the fixed point.
pub(crate) fn strokes(text: &str, anchor: Anchor) -> Vec<(f64, &'static str)> {
    let mut at = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width(text) / 2.0,
        Anchor::End => -width(text),
    };
    text.chars()
        .map(|sign| {
            let (wide, path) = letter(sign);
            let here = (at, path);
            at += wide + GAP;
            here
        })
        .filter(|(_, path)| !path.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_a_picture_can_say_has_a_letter() {
        for sign in ('a'..='z').chain('A'..='Z').chain('0'..='9') {
            assert!(is_known(sign), "{sign}");
            assert_ne!(letter(sign).1, "", "{sign}");
        }
    }

    #[test]
    fn a_text_in_the_middle_is_in_the_middle() {
        let placed = strokes("II", Anchor::Middle);
        assert_eq!(placed.len(), 2);
        assert!((placed[0].0 + placed[1].0 + 0.2).abs() < 1e-9);
    }
}
