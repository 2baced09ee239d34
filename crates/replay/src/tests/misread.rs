//! Letters and digits that were written for others.

use super::hands::{only, under};
use crate::Options;
use crate::finding::{Code, Status};
use tridex_notation::Locale;
use tridex_rules::RuleSystem;

#[test]
fn characters_that_are_read_wrongly_are_put_right_in_every_notation() {
    for (rules, sheet, written, meant) in [
        (
            RuleSystem::Chess3,
            "1. 1H2-1H3 387-3B6 2. 1F2-1F3 3A7-3A5",
            "387-3B6",
            "3B7-3B6",
        ),
        (
            RuleSystem::Chess3,
            "1. 1H2-1H3 3B7-3B6 2. 1A2-1Al 3A7-3A5",
            "1A2-1Al",
            "1A2-1A4",
        ),
        (
            RuleSystem::Manual,
            "1. d3,W8-d4,WB c8,BB-c7,BB 2. b3,WB-b4,WB",
            "d3,W8-d4,WB",
            "d3,WB-d4,WB",
        ),
        (
            RuleSystem::Meder,
            "1. b4N b5B 2. c3W a6N 3. N2cW c6B",
            "N2cW",
            "Nc2W",
        ),
    ] {
        let report = only(sheet, &under(rules));
        let found = report
            .findings()
            .iter()
            .find(|found| found.token == written);
        let found = found.unwrap_or_else(|| panic!("{written}: {:?}", report.findings()));
        let mut texts = found.corrections.iter().flat_map(|found| &found.changes);
        assert!(
            texts.any(|change| change.text == meant),
            "{written}: {found:?}"
        );
    }
}

/// A typewriter without a one has an `l` or an `I` for it. Where that is a German bishop too, and both can move, it is open.
#[test]
fn letters_for_a_one_are_read_on_the_numbered_boards() {
    for (rules, sheet, written, meant) in [
        (
            RuleSystem::Chess3,
            "1. 1H2-1H3 3A7-3A6 2. IF2-1F3 3A6-3A5",
            "IF2-1F3",
            "1F2-1F3",
        ),
        (
            RuleSystem::Millennium,
            "1. le4 3e5 2. N1f3 N3c6",
            "le4",
            "1e4",
        ),
        (
            RuleSystem::Millennium,
            "1. 1e4 3e5 2. Nlf3 N3c6",
            "Nlf3",
            "N1f3",
        ),
    ] {
        let report = only(sheet, &under(rules));
        assert_eq!(report.status(), Status::Warned, "{:?}", report.findings());
        let found = report
            .findings()
            .iter()
            .find(|found| found.token == written);
        let found = found.unwrap_or_else(|| panic!("{written}: {:?}", report.findings()));
        assert_eq!(found.code, Code::Ocr);
        assert!(found.message.contains(meant), "{found:?}");
    }
    // The bishop on c1 comes to f4, and so does a pawn.
    let sheet = "1. 1d4 3d5 2. lf4 3a5";
    let report = only(
        sheet,
        &Options {
            locale: Some(Locale::German),
            ..under(RuleSystem::Millennium)
        },
    );
    let found = report.findings().iter().find(|found| found.token == "lf4");
    let found = found.unwrap_or_else(|| panic!("{:?}", report.findings()));
    assert_eq!(found.code, Code::Ambiguous, "{found:?}");
}
