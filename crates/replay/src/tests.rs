mod corrections;
mod hands;
mod misread;
mod sheets;
mod unrecorded;

use super::*;
use crate::finding::Status;
use tridex_archive::{Limits, game, pgn};
use tridex_rules::RuleSystem;

fn reports(text: &str, options: &Options) -> Vec<Replay> {
    let games = game::collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
    games.iter().map(|game| replay(game, options)).collect()
}

#[test]
fn the_sample_game_as_printed_has_two_findings() {
    let text = include_str!("../../../corpus/games/meder/sample-game/as-printed.txt");
    let found = reports(text, &Options::default());
    let [report] = found.as_slice() else {
        panic!("{} games", found.len());
    };
    let findings: Vec<String> = report
        .findings()
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
            "22 11... ambiguous a5B: `a5B` is ambiguous: a6N-a5B and a6B-a5B make the whole game legal; read as a6N-a5B",
        ]
    );
    assert_eq!(report.status(), Status::Ambiguous);
    assert_eq!(report.moves().len(), 33);
}

#[test]
fn dates_that_cannot_be_are_reported() {
    for (date, said) in [
        (
            "2004.02.30",
            "the date \"2004.02.30\": this day does not exist",
        ),
        (
            "2.1.04",
            "the date \"2.1.04\": ambiguous date: expected a date such as 2004.01.31",
        ),
    ] {
        let text = format!("[Date \"{date}\"]\n[Variant \"meder\"]\n\n1. b4N *\n");
        let found = reports(&text, &Options::default());
        let messages: Vec<&str> = found[0]
            .findings()
            .iter()
            .map(|found| found.message.as_str())
            .collect();
        assert_eq!(messages, [said]);
    }
    for date in [
        "2004.02.29",
        "2004.??.??",
        "????.??.??",
        "12 July 2012",
        "2.1.2004",
    ] {
        let text = format!("[Date \"{date}\"]\n[Variant \"meder\"]\n\n1. b4N *\n");
        let found = reports(&text, &Options::default());
        assert!(found[0].findings().is_empty(), "{date}");
    }
}

#[test]
fn a_name_that_no_text_supports_is_none_of_the_systems() {
    assert_eq!(RuleSystem::from_name("bartmess"), None);
}
