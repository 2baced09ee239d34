use super::*;
use crate::diagnostic::Status;
use tridex_archive::record::{Game, Recorder};
use tridex_archive::{Limits, pgn};

fn reports(text: &str, options: &Options) -> Vec<Report> {
    let mut reports = Vec::new();
    let mut recorder = Recorder::new(|game: &mut Game| reports.push(replay(game, options)));
    pgn::read_games(text.as_bytes(), 0, &Limits::default(), &mut recorder);
    reports
}

#[test]
fn the_sample_game_as_printed_has_two_findings() {
    let text = include_str!("../../../corpus/games/meder/sample-game/as-printed.txt");
    let found = reports(text, &Options::default());
    let [report] = found.as_slice() else {
        panic!("{} games", found.len());
    };
    let findings: Vec<String> = report
        .diagnostics
        .iter()
        .map(|d| {
            format!(
                "{} {} {} {}: {}",
                d.ply,
                d.number,
                d.code.as_str(),
                d.token,
                d.message
            )
        })
        .collect();
    assert_eq!(
        findings,
        [
            "8 4... dialect a6S: `a6S` is read as a6B in German letters",
            "22 11... ambiguous a5B: `a5B` is ambiguous: a6N-a5B and a6B-a5B let the whole game be replayed; a6N-a5B is taken",
        ]
    );
    assert_eq!(report.status, Status::Ambiguous);
    assert_eq!(report.moves.len(), 33);
}
