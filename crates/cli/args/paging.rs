//! What comes out of `convert`.

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConvertFormat {
    /// An archive.
    #[value(alias = "archive")]
    Pgn,
    /// One JSON line a game.
    Ndjson,
    /// A scoresheet.
    Csv,
    /// One page that plays the games through, at most 1,000: a file that opens from disk in any browser.
    #[value(alias = "page")]
    Html,
}
