//! A position in words, mainly for screen readers.

use crate::names::Names;
use crate::scene::Scene;
use crate::surface_name;
use tridex_geometry::stair::AttackBoard;
use tridex_notation::names::manual_board;
use tridex_rules::{Color, Piece, Role};

/// One line: rules, number of the move, whose turn it is, check or the end.
pub(crate) fn title(scene: &Scene) -> String {
    format!(
        "{}, move {}: {}",
        scene.rules.name(),
        scene.setup.fullmoves,
        status(scene)
    )
}

/// Whose turn it is, and check or the end of the game.
pub(crate) fn status(scene: &Scene) -> String {
    let turn = scene.setup.turn;
    match scene.outcome {
        Some(outcome) => outcome.to_string(),
        None if scene.checked.is_some() => format!("{turn} to move, in check"),
        None => format!("{turn} to move"),
    }
}

/// The pieces of both sides with their squares, and where the attack boards are.
pub(crate) fn pieces(scene: &Scene, names: &Names<'_>) -> String {
    let mut out = String::new();
    for color in Color::ALL {
        let mut groups = Vec::new();
        for role in Role::ALL.into_iter().rev() {
            let pieces = scene.setup.pieces();
            let own = pieces.filter(|(_, piece)| *piece == Piece::new(color, role));
            let squares: Vec<String> = own.map(|(square, _)| names.square(square)).collect();
            if !squares.is_empty() {
                let many = if squares.len() > 1 { "s" } else { "" };
                groups.push(format!("{}{many} {}", role.name(), squares.join(" ")));
            }
        }
        out.push_str(&format!("{color}: {}. ", groups.join(", ")));
    }
    if let Some(layout) = scene.layout() {
        let boards = AttackBoard::ALL.map(|board| {
            let pin = layout.pin(board);
            format!(
                "{} on {} {} {}",
                manual_board(board),
                names.pin(pin),
                surface_name(pin.surface()),
                names.main_board(pin.corner().main_board())
            )
        });
        out.push_str(&format!("Attack boards: {}.", boards.join(", ")));
    }
    out.trim_end().to_owned()
}
