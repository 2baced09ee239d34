//! The form in which games are asked for.

use super::layout;
use crate::params::Params;
use crate::texts;
use maud::{Markup, html};
use tridex_index::{GameResult, SortKey};
use tridex_rules::RuleSystem;

/// The form with what was filled in. Fields that few need are folded away unless something stands in them.
pub(crate) fn fields(params: &Params, is_open: bool) -> Markup {
    let text = |name: &str, label: &str, hint: &str| {
        let id = format!("f-{name}");
        let about = format!("{id}-hint");
        html! {
            div.field {
                label for=(id) { (label) }
                input type="text" id=(id) name=(name) value=[params.get(name)] autocomplete="off" spellcheck="false"
                    aria-describedby=[(!hint.is_empty()).then_some(&about)];
                @if !hint.is_empty() { small id=(about) { (hint) } }
            }
        }
    };
    let choice = |name: &str, label: &str, values: &[(&str, &str)]| {
        let id = format!("f-{name}");
        let said = params.get(name).unwrap_or_default();
        html! {
            div.field {
                label for=(id) { (label) }
                select id=(id) name=(name) {
                    @for (value, shown) in values {
                        option value=(value) selected[*value == said] { (shown) }
                    }
                }
            }
        }
    };
    let flag = |name: &str, label: &str| {
        let id = format!("f-{name}");
        html! {
            div.flag {
                input type="checkbox" id=(id) name=(name) value="1" checked[params.flag(name)];
                label for=(id) { (label) }
            }
        }
    };
    let mut systems = vec![("", texts::ANY)];
    systems.extend(
        RuleSystem::ALL
            .iter()
            .map(|rules| (rules.name(), rules.name())),
    );
    let mut results = vec![("", texts::ANY)];
    results.extend(GameResult::ALL.map(|result| (result.as_str(), result.as_str())));
    let mut orders = vec![("", texts::INDEX_ORDER)];
    orders.extend(
        SortKey::ALL
            .iter()
            .map(|key| (key.name(), texts::sort_name(*key))),
    );
    let setup = params.just(&["rules", "position", "view", "turned"]);
    let more = [
        "white", "black", "site", "text", "opening", "query", "sort", "reverse",
    ];
    let board = [
        "position",
        "fen",
        "moves",
        "game",
        "ply",
        "loose",
        "plan",
        "pattern",
        "material",
        "lasting",
        "mirrored",
        "swapped",
        "variations",
    ];
    let is_said = |names: &[&str]| names.iter().any(|name| params.get(name).is_some());
    html! {
        form.search action="/search" method="get" role="search" {
            fieldset {
                legend { (texts::THE_GAME) }
                (text("player", texts::PLAYER, texts::PLAYER_HINT))
                (text("event", texts::EVENT, ""))
                (text("date", texts::DATE, texts::DATE_HINT))
                (choice("result", texts::RESULT, &results))
                (choice("rules", texts::RULES, &systems))
            }
            details open[is_open || is_said(&board)] {
                summary { (texts::ON_THE_BOARD) }
                fieldset {
                    legend.unseen { (texts::ON_THE_BOARD) }
                    (text("position", texts::POSITION, texts::POSITION_HINT))
                    p.field { a.button href=(setup.link("/setup", &[])) { (texts::SET_UP_LINK) } }
                    (text("moves", texts::MOVES, texts::MOVES_HINT))
                    (text("pattern", texts::PATTERN, texts::PATTERN_HINT))
                    (text("material", texts::MATERIAL, texts::MATERIAL_HINT))
                    (text("lasting", texts::LASTING, texts::LASTING_HINT))
                    (text("plan", texts::PLAN, texts::PLAN_HINT))
                    (text("game", texts::GAME, texts::GAME_HINT))
                    (text("ply", texts::PLY, texts::PLY_HINT))
                    div.flags {
                        (flag("loose", texts::LOOSE))
                        (flag("mirrored", texts::MIRRORED))
                        (flag("swapped", texts::SWAPPED))
                        (flag("variations", texts::VARIATIONS))
                    }
                }
            }
            details open[is_said(&more)] {
                summary { (texts::MORE_FIELDS) }
                fieldset {
                    legend.unseen { (texts::MORE_FIELDS) }
                    (text("white", texts::WHITE, ""))
                    (text("black", texts::BLACK, ""))
                    (text("site", texts::SITE, ""))
                    (text("opening", texts::OPENING, ""))
                    (text("text", texts::TEXT, texts::TEXT_HINT))
                    (text("query", texts::QUERY, texts::QUERY_HINT))
                    (choice("sort", texts::ORDER, &orders))
                    div.flags { (flag("reverse", texts::REVERSE)) }
                }
            }
            (layout::hidden(params.just(&["view", "turned"]).pairs()))
            p { button type="submit" { (texts::FIND) } }
        }
    }
}
