//! How fast the container layer is, on generated archives whose moves mean nothing.
//!
//! `cargo bench -p tridex-archive --bench tokenise`; items are move tokens. Every run asserts how
//! many there are.

use std::fmt::Write as _;
use std::sync::OnceLock;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use tridex_archive::container::Container;
use tridex_archive::split::Splitter;
use tridex_archive::{Cancel, GameResult, Interner, Limits, TokenId, Visitor, pgn, pipeline};

fn main() {
    divan::main();
}

const GAMES: usize = 20_000;
const PLIES: usize = 80;

/// An archive: its name, and the form of its moves.
#[derive(Clone, Copy, Debug)]
enum Archive {
    Meder,
    Manual,
    Millennium,
    /// With a clock after every move.
    Clocks,
    /// Without tags.
    Bare,
}

const ARCHIVES: [Archive; 5] = [
    Archive::Meder,
    Archive::Manual,
    Archive::Millennium,
    Archive::Clocks,
    Archive::Bare,
];

impl Archive {
    fn text(self) -> &'static [u8] {
        static TEXTS: [OnceLock<String>; 5] = [const { OnceLock::new() }; 5];
        TEXTS[self as usize]
            .get_or_init(|| self.generate())
            .as_bytes()
    }

    fn generate(self) -> String {
        let mut random = Random(0x7d1d_e01d);
        let mut text = String::new();
        for game in 0..GAMES {
            if !matches!(self, Self::Bare) {
                for (name, value) in [
                    ("Event", "Generated"),
                    ("Site", "?"),
                    ("Date", "2024.05.17"),
                    ("Round", "1"),
                    ("White", "Somebody"),
                    ("Black", "Somebody else"),
                    ("Result", "1-0"),
                    ("Variant", "meder"),
                ] {
                    let _ = writeln!(text, "[{name} \"{value}\"]");
                }
                text.push('\n');
            }
            let mut column = 0;
            let mut word = |text: &mut String, word: &str| {
                if column + 1 + word.len() > 79 {
                    text.push('\n');
                    column = 0;
                } else if column > 0 {
                    text.push(' ');
                    column += 1;
                }
                text.push_str(word);
                column += word.len();
            };
            for ply in 0..PLIES {
                if ply % 2 == 0 {
                    word(&mut text, &format!("{}.", ply / 2 + 1));
                }
                word(&mut text, &self.token(&mut random));
                if matches!(self, Self::Clocks) {
                    word(
                        &mut text,
                        &format!("{{[%clk 0:{:02}:{:02}]}}", ply % 60, game % 60),
                    );
                }
            }
            word(&mut text, "1-0");
            text.push_str("\n\n");
        }
        text
    }

    fn token(self, random: &mut Random) -> String {
        let file = ["a", "b", "c", "d"][random.below(4)];
        let rank = random.below(8) + 1;
        let level = ["W", "N", "B", "QL1", "KL6"][random.below(5)];
        let piece = ["", "N", "B", "Q", "R", "K"][random.below(6)];
        let capture = ["", "", "x"][random.below(3)];
        match self {
            Self::Manual => {
                let board = ["WB", "NB", "BB", "QL", "kl"][random.below(5)];
                let to = ["WB", "NB", "BB", "QL", "kl"][random.below(5)];
                let sign = ["-", "-", "x"][random.below(3)];
                format!("{file}{rank},{board}{sign}b{},{to}", random.below(10) + 1)
            }
            Self::Millennium => format!("{piece}{capture}{}{file}{rank}", random.below(3) + 1),
            _ => format!("{piece}{capture}{file}{rank}{level}"),
        }
    }
}

/// Numbers that are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }
}

/// Counts the events that a replay would use.
#[derive(Default)]
struct Count {
    games: usize,
    moves: usize,
    bytes: usize,
    results: usize,
}

impl Visitor for Count {
    fn begin_game(&mut self, _at: u64) {
        self.games += 1;
    }

    fn move_token(&mut self, token: &[u8], _at: u64, _id: TokenId) {
        self.moves += 1;
        self.bytes += token.len();
    }

    fn result(&mut self, _result: GameResult, _at: u64) {
        self.results += 1;
    }
}

impl Count {
    fn check(&self) {
        assert_eq!(
            (self.games, self.moves, self.results),
            (GAMES, GAMES * PLIES, GAMES)
        );
    }
}

#[divan::bench(args = ARCHIVES, sample_count = 10)]
fn tokenise(bencher: Bencher<'_, '_>, archive: Archive) {
    let text = archive.text();
    bencher
        .counter(ItemsCount::new(GAMES * PLIES))
        .counter(BytesCount::of_slice(text))
        .bench(|| {
            let mut count = Count::default();
            pgn::read_games(black_box(text), 0, &Limits::default(), &mut count);
            count.check();
            count.bytes
        });
}

#[divan::bench(args = ARCHIVES, sample_count = 10)]
fn split_only(bencher: Bencher<'_, '_>, archive: Archive) {
    let text = archive.text();
    bencher
        .counter(ItemsCount::new(GAMES * PLIES))
        .counter(BytesCount::of_slice(text))
        .bench(|| {
            let batches = Splitter::new(black_box(text), Container::Pgn, Limits::default());
            let games: u64 = batches
                .map(|batch| u64::from(batch.map_or(0, |b| b.games())))
                .sum();
            assert_eq!(games, GAMES as u64);
        });
}

#[divan::bench(args = [1, 2], sample_count = 10)]
fn split_and_tokenise(bencher: Bencher<'_, '_>, threads: usize) {
    let text = Archive::Meder.text();
    bencher
        .counter(ItemsCount::new(GAMES * PLIES))
        .counter(BytesCount::of_slice(text))
        .bench(|| {
            let mut total = Count::default();
            let done: std::io::Result<()> = pipeline::run(
                Splitter::new(black_box(text), Container::Pgn, Limits::default()),
                |_| 0,
                threads,
                &Cancel::default(),
                |batch| {
                    let mut count = Count::default();
                    if let Ok(batch) = batch {
                        batch.read(&mut Interner::default(), &mut count);
                    }
                    count
                },
                |count| {
                    total.games += count.games;
                    total.moves += count.moves;
                    total.results += count.results;
                    Ok(())
                },
            );
            assert!(done.is_ok());
            total.check();
        });
}
