//! A position in words, for those who listen to a picture.

use crate::names::{Names, attack_board};
use tridex_geometry::stair::{AttackBoard, Surface};
use tridex_rules::{Color, Position, Role};

/// One line: rules, move, whose turn, check or the end.
pub(crate) fn title(position: &Position) -> String {
    format!(
        "{}, move {}: {}",
        position.rules().name(),
        position.fullmoves(),
        status(position)
    )
}

/// Whose turn it is, and check or the end of the game.
pub(crate) fn status(position: &Position) -> String {
    match position.outcome() {
        Some(outcome) => outcome.to_string(),
        None if position.is_check() => format!("{} to move, in check", position.turn()),
        None => format!("{} to move", position.turn()),
    }
}

/// The men of both sides with their squares, and where the attack boards stand.
pub(crate) fn men(position: &Position, names: &Names<'_>) -> String {
    let mut out = String::new();
    for color in Color::ALL {
        let mut groups = Vec::new();
        for role in Role::ALL.into_iter().rev() {
            let squares: Vec<String> = position
                .pieces(color, role)
                .into_iter()
                .map(|square| names.square(square))
                .collect();
            if !squares.is_empty() {
                let many = if squares.len() > 1 { "s" } else { "" };
                groups.push(format!("{}{many} {}", role.name(), squares.join(" ")));
            }
        }
        out.push_str(&format!("{color}: {}. ", groups.join(", ")));
    }
    if let Some(layout) = position.layout() {
        let boards: Vec<String> = AttackBoard::ALL
            .into_iter()
            .map(|board| {
                let pin = layout.pin(board);
                let surface = match pin.surface() {
                    Surface::Under => "under",
                    Surface::Over => "over",
                };
                let main = names.main_board(pin.corner().main_board());
                format!(
                    "{} on {} {surface} {main}",
                    attack_board(board),
                    names.pin(pin)
                )
            })
            .collect();
        out.push_str(&format!("Attack boards: {}.", boards.join(", ")));
    }
    out.trim_end().to_owned()
}
