//! Fuzz targets: each states one law over bytes, and fails by panicking.
//!
//! The laws themselves are [`tridex_notation::laws`] and, for archives, the functions of [`archives`]; a target only turns
//! bytes into what a law speaks of. Seeds are plain files a person can read: a line is a token, a file a position string
//! or an archive.
//!
//! ```
//! tridex_fuzz::run("meder", b"Nc2W\nKL1-KL2\n\xFF");
//! for target in tridex_fuzz::TARGETS {
//!     (target.law)(target.name.as_bytes());
//! }
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod archives;
pub mod battery;
pub mod containers;
pub mod games;
#[cfg(feature = "index")]
pub mod languages;
pub mod mutate;
pub mod positions;
pub mod programs;
pub mod seeds;
pub mod tokens;
pub mod trial;
pub mod walk;

use tridex_notation::Notation;

/// A law over bytes: it fails by panicking.
pub type Target = fn(&[u8]);

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// Its name, which is that of its folder of seeds.
    pub name: &'static str,
    /// The law.
    pub law: Target,
    /// Whether it does more than read its input: such a target is slower by its nature, and tried less often.
    pub deep: bool,
}

const fn reads(name: &'static str, law: Target) -> Named {
    Named {
        name,
        law,
        deep: false,
    }
}

const fn deep(name: &'static str, law: Target) -> Named {
    Named {
        name,
        law,
        deep: true,
    }
}

/// All targets.
pub const TARGETS: &[Named] = &[
    reads("meder", |data| tokens::read(Notation::Meder, data)),
    reads("manual", |data| tokens::read(Notation::Manual, data)),
    reads("millennium", |data| {
        tokens::read(Notation::Millennium, data)
    }),
    reads("chess3", |data| tokens::read(Notation::Chess3, data)),
    reads("position_string", positions::read),
    reads("programs", programs::read),
    reads("pgn", containers::pgn),
    reads("sheet", containers::sheet),
    reads("ndjson", containers::ndjson),
    reads("decompression", containers::decompression),
    #[cfg(feature = "index")]
    reads("pattern", languages::pattern),
    #[cfg(feature = "index")]
    reads("query", languages::query),
    #[cfg(feature = "index")]
    reads("material", languages::material),
    #[cfg(feature = "index")]
    reads("date", languages::date),
    #[cfg(feature = "index")]
    reads("names", languages::names),
    #[cfg(feature = "index")]
    reads("packed_moves", languages::packed_moves),
    deep("meaning", tokens::meaning),
    deep("positions", positions::check),
    deep("replay", archives::replay_all),
    deep("reconcile", archives::reconciled),
    deep("archive_split", archives::split_alike),
    deep("writers", games::writers),
    deep("notations", games::notations),
    deep("fast_slow", games::fast_slow),
    #[cfg(feature = "index")]
    deep("patterns_mean", languages::patterns_mean),
];

/// The target of a name.
#[must_use]
pub fn target(name: &str) -> Option<Named> {
    TARGETS.iter().find(|target| target.name == name).copied()
}

/// The same, for the driver of libFuzzer.
///
/// # Panics
/// If there is none, or if its law is broken.
pub fn run(name: &str, data: &[u8]) {
    match target(name) {
        Some(target) => (target.law)(data),
        None => panic!("there is no target {name}"),
    }
}

/// Fails with the law that is broken.
///
/// # Panics
/// If one is.
fn held(held: tridex_notation::laws::Held) {
    if let Err(broken) = held {
        panic!("{broken}");
    }
}
