//! What is in the gallery.

use tridex_notation::position_string;
use tridex_picture::{Ink, Marks, PictureOptions, Theme, View, find_squares, svg};
use tridex_rules::{Color, Position, RuleSystem};

/// A middle game under the manual's rules: an attack board of either side hangs below a main board,
/// and Black is in check.
const MANUAL: &str = "b1kb/1p1Q/2p1/4|4/1PPq/3P/4|4/P2P/1P2/2KB|QL@Q1v:NP/R1|KL@K3:1P/R1|ql@Q5v:rp/n1|kl@K6:pr/1n b - - - 3 18";
/// A middle game under Meder's rules: three attack boards have left home.
const MEDER: &str = "nbb1/p1pp/4/1p2|3n/4/2P1/4|4/2N1/PP1P/2BN|QL@Q1:PP/RQ|KL@K3:1B/K1|ql@Q4:2/q1|kl@K6:kr/pp w - - - 3 12";

fn position(rules: RuleSystem, text: &str) -> Position {
    let setup = position_string::parse(text).expect("a position string");
    Position::from_setup(rules, &setup).expect("a playable position")
}

/// Something of everything that can be marked.
fn marks(position: &Position) -> Marks {
    let mut marks = Marks::default();
    let square = |name: &str| {
        find_squares(position, Default::default(), name)
            .into_iter()
            .next()
    };
    match position.rules() {
        RuleSystem::Meder => {
            let queen = square("a0QL1").expect("the queen's square");
            marks.moves_of(position, queen);
        }
        _ => {
            let (from, to) = (square("e8,BB"), square("d9,BB"));
            let (from, to) = (
                from.expect("the queen's square"),
                to.expect("the king's square"),
            );
            marks.arrows.push((from, to, Ink::Red));
            marks.squares.push((from, Ink::Yellow));
        }
    }
    marks
}

/// Names and contents of all pictures.
pub(crate) fn all() -> Vec<(String, String)> {
    let base = PictureOptions::default().width(640).names(Some(true));
    let mut pictures = Vec::new();
    for rules in RuleSystem::ALL {
        for (view, name) in [(View::Flat, "flat"), (View::Stand, "stand")] {
            let options = base.clone().view(view);
            let drawn = svg(&Position::start(*rules), &options);
            pictures.push((format!("{}-start-{name}.svg", rules.name()), drawn));
        }
    }
    for (rules, text) in [(RuleSystem::Manual, MANUAL), (RuleSystem::Meder, MEDER)] {
        let position = position(rules, text);
        for (view, name) in [(View::Flat, "flat"), (View::Stand, "stand")] {
            for (side, seen) in [(Color::White, ""), (Color::Black, "-black")] {
                let theme = if side.is_white() {
                    Theme::Light
                } else {
                    Theme::Dark
                };
                let options = base
                    .clone()
                    .view(view)
                    .side(side)
                    .theme(theme)
                    .marks(marks(&position));
                let drawn = svg(&position, &options);
                pictures.push((format!("{}-middle-{name}{seen}.svg", rules.name()), drawn));
            }
        }
    }
    pictures
}
