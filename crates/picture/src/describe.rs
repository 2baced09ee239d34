//! A position in words, for those who listen to a picture.

use crate::names::{Names, attack_board};
use crate::scene::Scene;
use tridex_geometry::stair::{AttackBoard, Surface};
use tridex_rules::{Color, Role};

/// One line: rules, move, whose turn, check or the end.
pub(crate) fn title(scene: &Scene<'_>) -> String {
    format!(
        "{}, move {}: {}",
        scene.rules.name(),
        scene.setup.fullmoves,
        status(scene)
    )
}

/// Whose turn it is, and check or the end of the game.
pub(crate) fn status(scene: &Scene<'_>) -> String {
    let turn = scene.turn();
    match scene.position.and_then(|position| position.outcome()) {
        Some(outcome) => outcome.to_string(),
        None if scene.checked().is_some() => format!("{turn} to move, in check"),
        None => format!("{turn} to move"),
    }
}

/// The pieces of both sides with their squares, and where the attack boards are.
pub(crate) fn pieces(scene: &Scene<'_>, names: &Names<'_>) -> String {
    let mut out = String::new();
    for color in Color::ALL {
        let mut groups = Vec::new();
        for role in Role::ALL.into_iter().rev() {
            let squares: Vec<String> = scene
                .squares(color, role)
                .map(|square| names.square(square))
                .collect();
            if !squares.is_empty() {
                let many = if squares.len() > 1 { "s" } else { "" };
                groups.push(format!("{}{many} {}", role.name(), squares.join(" ")));
            }
        }
        out.push_str(&format!("{color}: {}. ", groups.join(", ")));
    }
    if let Some(layout) = scene.layout() {
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
