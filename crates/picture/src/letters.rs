//! Letters of our own, single strokes, for pictures that cannot rely on a font (PNG).
//!
//! The baseline of a letter is y = 0; capitals are 7 high, small letters 5; `y` grows downwards. What has no letter here
//! is drawn as an empty box.

/// The height that a font of this size has, in units of the letters.
pub(crate) const EM: f64 = 10.0;
/// How thick a stroke is.
pub(crate) const STROKE: f64 = 1.1;
/// The space between letters.
const GAP: f64 = 2.0;

/// The box in place of a letter that is not here.
const UNKNOWN: &str = "M0 0V-7H3V0Z";

/// The width of a letter and its strokes.
fn letter(sign: char) -> (f64, &'static str) {
    match sign {
        ' ' => (2.0, ""),
        '0' => (4.0, "M2 0C-.7 0-.7-7 2-7S4.7 0 2 0"),
        '1' => (2.5, "M.3-5.5L2-7V0"),
        '2' => (4.0, "M.2-5.4C.4-7.6 4-7.6 3.8-5C3.7-3.6 1.5-2 .1 0H4"),
        '3' => (
            4.0,
            "M.3-6C1.5-7.6 4-7 3.7-5.2C3.5-3.9 2.5-3.8 1.6-3.8C3-3.8 4-3.2 3.9-1.9C3.7.4.9.5 0-1.1",
        ),
        '4' => (4.0, "M3 0V-7L0-2H4.2"),
        '5' => (4.0, "M3.7-7H.6L.3-3.9C1.5-4.9 4-4.6 3.9-2.2C3.7.4.9.5 0-.9"),
        '6' => (
            4.0,
            "M3.5-6.4C1.6-7.9 0-5.6 .1-2.6C.2.9 4 .7 3.9-2.2C3.8-4.8.8-4.7.2-2.5",
        ),
        '7' => (4.0, "M0-7H4C2.6-4.8 1.8-2.5 1.6 0"),
        '8' => (
            4.0,
            "M2-3.8C-.4-4.3 0-7 2-7S4.4-4.3 2-3.8C-.8-3.2-.4 0 2 0S4.8-3.2 2-3.8",
        ),
        '9' => (
            4.0,
            "M.5-.6C2.4.9 4-1.4 3.9-4.4C3.8-7.9 0-7.7 .1-4.8C.2-2.2 3.2-2.3 3.8-4.5",
        ),
        'A' => (4.6, "M0 0L2.3-7L4.6 0M.8-2.4H3.8"),
        'B' => (
            4.0,
            "M0 0V-7H2C4.2-7 4.2-3.8 2-3.8H0H2.2C4.6-3.8 4.6 0 2.2 0H0",
        ),
        'C' => (4.2, "M4.1-5.9C2.6-7.9 0-6.6 0-3.5S2.6 .9 4.1-1.1"),
        'D' => (4.2, "M0 0V-7H1.6C5-7 5 0 1.6 0H0"),
        'E' => (3.6, "M3.6-7H0V0H3.6M0-3.7H3"),
        'F' => (3.5, "M3.5-7H0V0M0-3.6H3"),
        'G' => (4.4, "M4.1-5.9C2.6-7.9 0-6.6 0-3.5S2.8 1 4.3-.9V-3.3H2.6"),
        'H' => (4.2, "M0 0V-7M4.2 0V-7M0-3.7H4.2"),
        'I' => (0.2, "M.1 0V-7"),
        'J' => (3.0, "M2.8-7V-2C2.8.5 .3.5 0-1.4"),
        'K' => (4.0, "M0 0V-7M4-7L.1-2.8M1.6-4.3L4.1 0"),
        'L' => (3.4, "M0-7V0H3.4"),
        'M' => (5.2, "M0 0V-7L2.6-2L5.2-7V0"),
        'N' => (4.2, "M0 0V-7L4.2 0V-7"),
        'O' => (4.6, "M2.3 0C-.8 0-.8-7 2.3-7S5.4 0 2.3 0"),
        'P' => (3.9, "M0 0V-7H2C4.6-7 4.6-3.2 2-3.2H0"),
        'Q' => (4.6, "M2.3 0C-.8 0-.8-7 2.3-7S5.4 0 2.3 0M2.7-1.8L4.6 .6"),
        'R' => (4.0, "M0 0V-7H2C4.5-7 4.5-3.4 2-3.4H0M2.2-3.4L4.1 0"),
        'S' => (
            3.8,
            "M3.6-6C2.4-7.7 .2-7.2 .2-5.3C.2-2.9 3.8-4.3 3.8-1.8C3.8.5 .9.5 0-1.2",
        ),
        'T' => (4.2, "M0-7H4.2M2.1-7V0"),
        'U' => (4.2, "M0-7V-2.4C0 .8 4.2.8 4.2-2.4V-7"),
        'V' => (4.6, "M0-7L2.3 0L4.6-7"),
        'W' => (6.4, "M0-7L1.7 0L3.2-6L4.7 0L6.4-7"),
        'X' => (4.2, "M0-7L4.2 0M4.2-7L0 0"),
        'Y' => (4.4, "M0-7L2.2-3.4V0M4.4-7L2.2-3.4"),
        'Z' => (4.0, "M0-7H4L0 0H4"),
        'a' => (
            3.4,
            "M.4-4.3C1.4-5.5 3.4-5.2 3.4-3.4V0M3.4-2.9C1.6-3.2 0-2.8 0-1.3C0 .5 2.8.3 3.4-1.6",
        ),
        'b' => (3.6, "M0-7.4V0M0-2.5C.3-5.9 3.6-5.8 3.6-2.5S.3 .9 0-2.5"),
        'c' => (3.2, "M3.2-4.2C1.9-5.7 0-4.8 0-2.5S1.9 .7 3.2-.8"),
        'd' => (3.6, "M3.6-7.4V0M3.6-2.5C3.3-5.9 0-5.8 0-2.5S3.3 .9 3.6-2.5"),
        'e' => (3.5, "M0-2.7H3.5C3.5-5.8 0-5.8 0-2.5C0 .4 2.4.6 3.4-.9"),
        'f' => (2.4, "M2.4-7.2C1.2-7.7 .8-7 .8-5.8V0M0-4.8H2.2"),
        'g' => (
            3.6,
            "M3.6-5V.4C3.6 2.6 1 2.6 .3 1.5M3.6-2.5C3.3-5.9 0-5.8 0-2.5S3.3 .9 3.6-2.5",
        ),
        'h' => (3.4, "M0-7.4V0M0-2.6C.2-5.6 3.4-6 3.4-3V0"),
        'i' => (0.2, "M.1-5V0M.1-7V-6.7"),
        'j' => (1.6, "M1.5-5V.6C1.5 2 .6 2.2 0 1.9M1.5-7V-6.7"),
        'k' => (3.2, "M0-7.4V0M3-5L.1-2M1.2-3.1L3.3 0"),
        'l' => (0.2, "M.1-7.4V0"),
        'm' => (
            5.6,
            "M0-5V0M0-2.6C.1-5.6 2.8-6 2.8-3V0M2.8-2.6C2.9-5.6 5.6-6 5.6-3V0",
        ),
        'n' => (3.4, "M0-5V0M0-2.6C.2-5.6 3.4-6 3.4-3V0"),
        'o' => (3.6, "M1.8 0C-.6 0-.6-5 1.8-5S4.2 0 1.8 0"),
        'p' => (3.6, "M0-5V2.2M0-2.5C.3-5.9 3.6-5.8 3.6-2.5S.3 .9 0-2.5"),
        'q' => (3.6, "M3.6-5V2.2M3.6-2.5C3.3-5.9 0-5.8 0-2.5S3.3 .9 3.6-2.5"),
        'r' => (2.2, "M0-5V0M0-2.6C.1-4.4 1-5.2 2.2-4.9"),
        's' => (
            3.0,
            "M2.8-4.3C1.8-5.5 .2-5 .2-3.8C.2-2 3-3 3-1.3C3 .3 .9.4 0-.8",
        ),
        't' => (2.2, "M.9-6.6V-1.4C.9-.2 1.4.1 2.2-.1M0-4.9H2.1"),
        'u' => (3.4, "M0-5V-2C0 1 3.2.6 3.4-2.4M3.4-5V0"),
        'v' => (3.6, "M0-5L1.8 0L3.6-5"),
        'w' => (5.2, "M0-5L1.4 0L2.6-4.2L3.8 0L5.2-5"),
        'x' => (3.4, "M0-5L3.4 0M3.4-5L0 0"),
        'y' => (3.6, "M0-5L1.8 0M3.6-5L1.5 1C1.2 2 .7 2.2 0 2"),
        'z' => (3.2, "M0-5H3.2L0 0H3.2"),
        ',' => (0.6, "M.5-.3L.1 1.2"),
        '.' => (0.2, "M.1-.3V0"),
        ':' => (0.2, "M.1-.3V0M.1-4V-3.7"),
        '-' => (2.4, "M0-2.6H2.4"),
        '/' => (2.6, "M0 1L2.6-7.4"),
        '\'' | '\u{2019}' => (0.7, "M.6-7L.1-5.4"),
        '*' => (3.0, "M1.5-6.5V-3.5M.2-5.8L2.8-4.2M2.8-5.8L.2-4.2"),
        _ => (3.0, UNKNOWN),
    }
}

/// Whether there is a letter for a sign.
#[cfg(test)]
pub(crate) fn is_known(sign: char) -> bool {
    letter(sign).1 != UNKNOWN
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
