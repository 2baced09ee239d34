//! How a position is drawn.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Choices for pictures.
#[derive(Args, Debug)]
pub(crate) struct Drawn {
    /// Write the picture as SVG to this file, or - for standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the picture as PNG to this file, or - for standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Leave a file alone that is there already, and end with 2.
    #[arg(long)]
    pub(crate) no_clobber: bool,
    /// All boards unfolded side by side, or the board as it stands in space.
    #[arg(long, value_enum, default_value_t = ViewName::Flat, value_name = "VIEW")]
    pub(crate) view: ViewName,
    /// Whether the flat view unfolds in a row or in a column; without it in a row where there is room.
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) arrange: Option<WayName>,
    /// The width of the picture in pixels.
    #[arg(long, default_value_t = 1000, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub(crate) size: u32,
    /// Whose men are near.
    #[arg(long, value_enum, default_value_t = SideName::White, value_name = "SIDE")]
    pub(crate) side: SideName,
    /// Dark on light ground, or light on dark.
    #[arg(long, value_enum, default_value_t = ThemeName::Light, value_name = "THEME")]
    pub(crate) theme: ThemeName,
    /// Mark a square (`c6B`), a column through all boards (`c6`), or only the squares there that hold a man (`N@c6`);
    /// with a colour behind a colon: `c6:R`, one of G R Y B.
    #[arg(long, value_name = "SQUARE")]
    pub(crate) highlight: Vec<String>,
    /// Draw an arrow from square to square, such as `b1W-c3N` or `b1W-c3N:R`.
    #[arg(long, value_name = "FROM-TO")]
    pub(crate) arrow: Vec<String>,
    /// Mark where the man on a square, or an attack board (QL, KL, ql, kl), can go.
    #[arg(long, value_name = "SQUARE")]
    pub(crate) moves_of: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ViewName {
    Flat,
    Stand,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WayName {
    Row,
    Column,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SideName {
    White,
    Black,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ThemeName {
    Light,
    Dark,
}
