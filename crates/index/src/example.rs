//! The index in the examples of the documentation.

use crate::error::Result;
use crate::model::entry::GameEntry;
use crate::model::move_text::read_moves;
use crate::write::options::IndexOptions;
use crate::write::writer::Writer;
use std::path::Path;
use tridex_rules::RuleSystem;

/// Adds a game of four plies, played by `Kirk, James`, as the source `games.pgn`.
///
/// # Errors
/// As [`Writer::open`] and [`Writer::commit`].
pub fn write(folder: &Path) -> Result<()> {
    let rules = RuleSystem::Meder;
    let moves = read_moves(rules, "b4N b5B c3W a6N").unwrap_or_default();
    let mut game = GameEntry::new(1, rules, moves);
    game.tags.push(("White".into(), "Kirk, James".into()));
    let mut writer = Writer::open(folder, IndexOptions::default())?;
    writer.begin_source("games.pgn")?;
    writer.add_all(&[game])?;
    writer.end_source(None);
    writer.finish()?;
    Ok(())
}
