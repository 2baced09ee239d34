//! Fuzz targets: each states one law over bytes, and fails by panicking.
//!
//! The laws themselves are [`tridex_notation::laws`] and, for archives, the functions of [`archives`]; a target only turns
//! bytes into what a law speaks of. Seeds are plain files a person can read: a line is a token, a file a position string
//! or an archive.
//!
//! ```
//! tridex_fuzz::meder(b"Nc2W\nKL1-KL2\n\xFF");
//! for (name, target) in tridex_fuzz::TARGETS {
//!     target(name.as_bytes());
//! }
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod archives;
pub mod mutate;
pub mod positions;
pub mod seeds;
pub mod tokens;

use tridex_notation::Notation;

/// A fuzz target.
pub type Target = fn(&[u8]);

/// All targets with their names, which are those of their seed folders.
pub const TARGETS: [(&str, Target); 7] = [
    ("meder", meder),
    ("manual", manual),
    ("millennium", millennium),
    ("chess3", chess3),
    ("position_string", position_string),
    ("replay", replay),
    ("archive_split", archive_split),
];

/// Tokens of Meder's notation, a line each. See [`tokens::check`].
///
/// # Panics
/// If a law is broken.
pub fn meder(data: &[u8]) {
    tokens::check(Notation::Meder, data);
}

/// Tokens of the manual's notation, a line each. See [`tokens::check`].
///
/// # Panics
/// If a law is broken.
pub fn manual(data: &[u8]) {
    tokens::check(Notation::Manual, data);
}

/// Tokens of Millennium's notation, a line each. See [`tokens::check`].
///
/// # Panics
/// If a law is broken.
pub fn millennium(data: &[u8]) {
    tokens::check(Notation::Millennium, data);
}

/// Tokens of Chess3's notation, a line each. See [`tokens::check`].
///
/// # Panics
/// If a law is broken.
pub fn chess3(data: &[u8]) {
    tokens::check(Notation::Chess3, data);
}

/// A position string. See [`positions::check`].
///
/// # Panics
/// If a law is broken.
pub fn position_string(data: &[u8]) {
    positions::check(data);
}

/// A file of games, replayed, converted and repaired. See [`archives::replay_all`].
///
/// # Panics
/// If a law is broken.
pub fn replay(data: &[u8]) {
    archives::replay_all(data);
}

/// A file of games, split in many ways. See [`archives::split_alike`].
///
/// # Panics
/// If a law is broken.
pub fn archive_split(data: &[u8]) {
    archives::split_alike(data);
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
