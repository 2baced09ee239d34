//! A small mutator for the stable toolchain: no coverage, but the words of the field.

use tridex_rules::random::Dice;

/// Longer inputs are cut.
const LONGEST: usize = 1_500;

/// Words that turn one thing into another.
const TOKENS: &[&str] = &[
    "N",
    "K",
    "Q",
    "R",
    "B",
    "P",
    "x",
    ":",
    "-",
    "=",
    "+",
    "#",
    "++",
    "!",
    "?",
    "!?",
    "$1",
    "$255",
    "$256",
    "(=)",
    "e.p.",
    " ep",
    "0-0",
    "0-0-0",
    "O-O",
    "=Q",
    "(Q)",
    "/",
    "r",
    "v",
    "W",
    "N",
    "B",
    "QL1",
    "KL6",
    "QL3",
    "KL2v",
    "z0QL1",
    "e9KL6",
    "a8B",
    "QL4/a8BQ",
    "QL1-QL3r",
    "QL1vr",
    "WB",
    "NB",
    "BB",
    "ql",
    "kl",
    "QP1",
    "KP12",
    "QP13",
    ",WB",
    "b3,WB",
    "b5,NB",
    "f10,kl",
    "b8,BB=Q",
    "1e4",
    "3e8=Q",
    "1E2",
    "1B2-1B4",
    "2d3",
    "ex2d5",
    "N1b1-2b3",
    "\u{2654}",
    "\u{265F}",
    "\u{2013}",
    "\u{2212}",
    "\u{D7}",
    "\u{2020}",
    "\u{FE0F}",
    "\u{FEFF}",
    "\0",
    "\t",
    "\r\n",
    "\n",
    " ",
    "\"",
    "\\",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "*",
    "1-0",
    "0-1",
    "1/2-1/2",
    "\u{BD}-\u{BD}",
    "1:0",
    "1.",
    "1...",
    "12)",
    "etc.",
    "...",
    "[Event \"x\"]\n",
    "[Variant \"manual\"]\n",
    "[Variant \"chess3\"]\n",
    "[Notation \"meder\"]\n",
    "[Locale \"de\"]\n",
    "[SetUp \"1\"]\n",
    "[FEN \"8/8\"]\n",
    "[Result \"1-0\"]\n",
    "no,white,black\n",
    "game",
    "result",
    "\"\"",
    "{\"moves\":[\"",
    "\"],\"result\":\"*\"}",
    "\\u0000",
    "|",
    "@",
    "8",
    "4",
    "2/2",
    "pp/PP",
    "k",
    "q",
    "Q1",
    "K6",
    "Q6v",
    "KQkq",
    " w ",
    " b ",
    " - ",
    "65535",
    "65536",
    "4294967296",
    "-1",
    "a2W",
    "z1QL1",
    "b4N",
    "1e2",
];

/// Bytes at the borders of things.
const BYTES: &[u8] = &[
    0, 1, 9, 10, 13, 26, 31, 32, 34, 39, 47, 58, 64, 91, 92, 96, 123, 127, 128, 0xBF, 0xC0, 0xC3,
    0xE2, 0xEF, 0xF4, 0xFF,
];

/// A new input from seeds.
#[must_use]
pub fn mutated(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    // A long seed is not copied to be cut.
    let seed = pick(seeds, dice).map(Vec::as_slice).unwrap_or_default();
    let mut data = seed
        .get(..seed.len().min(LONGEST))
        .unwrap_or_default()
        .to_vec();
    let rounds = 1 + dice.below(4) * dice.below(4);
    for _ in 0..rounds {
        once(&mut data, seeds, dice);
    }
    data.truncate(LONGEST);
    data
}

fn pick<'a, T>(things: &'a [T], dice: &mut Dice) -> Option<&'a T> {
    things.get(dice.below(things.len() as u32) as usize)
}

fn place(data: &[u8], dice: &mut Dice) -> usize {
    dice.below(data.len() as u32 + 1) as usize
}

/// Damages an input in one place.
pub fn once(data: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut Dice) {
    let at = place(data, dice);
    let longest = if dice.one_in(4) { 200 } else { 6 };
    let reach = 1 + dice.below(longest) as usize;
    let end = (at + reach).min(data.len());
    match dice.below(12) {
        0 => {
            if let Some(byte) = data.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        1 => {
            if let (Some(byte), Some(new)) = (data.get_mut(at), pick(BYTES, dice)) {
                *byte = *new;
            }
        }
        2 => data.insert(at, dice.next_number() as u8),
        3 => {
            data.drain(at..end);
        }
        4..=6 => {
            let token = pick(TOKENS, dice).copied().unwrap_or_default();
            let replaced = if dice.one_in(2) { end } else { at };
            data.splice(at..replaced, token.bytes());
        }
        7 => {
            // A piece of the same input somewhere else.
            let piece = data.get(at..end).unwrap_or_default().to_vec();
            let to = place(data, dice);
            data.splice(to..to, piece);
        }
        8 => {
            // The same again and again.
            let piece = data.get(at..end).unwrap_or_default();
            let times = 2 + dice.below(40) as usize;
            let piece = piece.repeat(times);
            data.splice(at..at, piece);
        }
        9 => {
            // The head of one seed and the tail of another.
            if let Some(other) = pick(seeds, dice) {
                let from = place(other, dice);
                data.truncate(at);
                data.extend_from_slice(other.get(from..).unwrap_or_default());
            }
        }
        10 => {
            // Another character of the input: letters and digits that mean something here.
            let from = place(data, dice);
            if let (Some(byte), true) = (data.get(from).copied(), at < data.len()) {
                data[at] = byte;
            }
        }
        _ => {
            // A number a little larger or smaller, a letter the next or the one before.
            if let Some(byte) = data.get_mut(at) {
                *byte = if dice.one_in(2) {
                    byte.wrapping_add(1)
                } else {
                    byte.wrapping_sub(1)
                };
            }
        }
    }
}
