//! The findings about draws during the game.

use crate::course::{Claim, Course};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::findings::{first_half, number, ply_number, shown};
use crate::token::token_of;
use crate::verdict::described;
use tridex_archive::Game;

/// A finding for each draw that ended the game or could have been claimed.
pub(super) fn of_claims(game: &Game<'_>, course: &Course) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let first = first_half(&course.start);
    for claim in &course.claims {
        let ply = claim.ply();
        let event = game.main_events().nth(ply).map(|(_, event)| event);
        let text = event.map(|event| token_of(game, event)).unwrap_or_default();
        let at = event.map_or(0, |event| game.place(event));
        let (severity, code, message) = of_claim(*claim);
        found.push(Diagnostic {
            ply: ply_number(ply),
            number: number(first + ply),
            token: shown(&text),
            len: text.len(),
            ..Diagnostic::of_game(severity, code, at, message)
        });
    }
    found
}

fn of_claim(claim: Claim) -> (Severity, Code, String) {
    let claimed = "a draw could be claimed";
    match claim {
        Claim::OverBefore => (
            Severity::Warning,
            Code::GameOver,
            "the game was drawn before it began: neither side can ever mate; the record plays on"
                .to_owned(),
        ),
        Claim::Over(_, outcome) => (
            Severity::Warning,
            Code::GameOver,
            format!(
                "after this move the game was {}, which ends it at once; the record plays on",
                described(outcome)
            ),
        ),
        Claim::Threefold(_) => (
            Severity::Info,
            Code::Threefold,
            format!("with this move the position occurs for the third time: {claimed}"),
        ),
        Claim::FiftyMoves(_) => (
            Severity::Info,
            Code::FiftyMoves,
            format!("fifty moves of each side without progress: {claimed}"),
        ),
    }
}
