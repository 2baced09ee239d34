//! Counts of all games, or of those that answer a question, drawn: results, lengths, first moves of the attack boards, and where each kind of piece goes.

use super::layout;
use super::openings::results_bar;
use super::setup::name_of;
use crate::board::{self, Spot};
use crate::charts::{self, Bar};
use crate::fault::Fault;
use crate::model;
use crate::params::{LOOKING, SEARCH};
use crate::reply::Reply;
use crate::site::{Request, Site};
use maud::{Markup, html};
use std::collections::BTreeMap;
use tridex_geometry::{Family, Square};
use tridex_index::Survey;
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_picture::{Arrangement, Room, Slab, Stage, View};
use tridex_rules::{Color, Piece, Role};

/// How many bars a chart of lengths has at most.
const BARS: u32 = 30;

/// How many first moves of boards are shown.
const FIRST: usize = 12;

/// The kind of piece whose squares are shown, and the older name of this parameter.
const PIECE: [&str; 2] = ["piece", "man"];

/// `/statistics`
pub(crate) fn page(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &PIECE, &LOOKING])?;
    let asked = params.just(&SEARCH);
    let is_filtered = SEARCH
        .iter()
        .any(|name| *name != "rules" && asked.get(name).is_some());
    let all = model::surveys(request)?;
    let wanted = params.rules()?;
    let survey = match wanted {
        Some(rules) => all.iter().find(|survey| survey.rules == rules),
        // The system of most games.
        None => all.iter().max_by_key(|survey| survey.total.games),
    };
    let given = PIECE.into_iter().find(|name| params.get(name).is_some());
    let piece = params.read_as(given.unwrap_or_default(), "PNBRQK, pnbrqk", |text| {
        let mut letters = text.chars();
        let piece = letters.next().and_then(Piece::from_letter)?;
        letters.next().is_none().then_some(piece)
    })?;
    let content = html! {
        h1 { "Statistics" }
        (layout::query(params, "/statistics", &SEARCH))
        p.downloads {
            @if is_filtered {
                a href=(asked.link("/search", &[])) { "Show these games" } " "
                a href=(asked.link("/search", &[]) + "#refine") { "Refine search" } " "
                a href="/statistics" { "Count all games" } " "
            }
            a href=(asked.link("/api/v1/statistics", &[])) { "JSON" }
        }
        @if all.len() > 1 {
            (layout::choice("Rules", survey.map_or("", |survey| survey.rules.name()), all.iter().map(|known| {
                let name = known.rules.name();
                let text = format!("{name} ({})", layout::number(known.total.games));
                (params.link("/statistics", &[("rules", name)]), name.to_owned(), text)
            })))
        }
        @match survey {
            None => p { "There are no games to count." },
            Some(survey) => { (counts(request, survey, piece.unwrap_or(Piece::new(Color::White, Role::Knight)))) }
        }
    };
    Ok(layout::reply(
        request,
        "Statistics",
        "/statistics",
        &content,
    ))
}

fn counts(request: &Request, survey: &Survey, piece: Piece) -> Markup {
    let results = survey.total;
    let unknown = results.games - results.white - results.draws - results.black;
    let plies: u64 = survey
        .lengths
        .iter()
        .map(|(plies, games)| u64::from(*plies) * games)
        .sum();
    let mean = charts::share(plies, results.games);
    html! { div.counted {
        section {
            h2 { "Results" }
            p { (layout::counted(results.games, "game", "games")) " under the rules " (survey.rules.name()) }
            (results_bar(&results))
            (layout::counts("As numbers", ["Result", "Games"], &[
                ("White won".to_owned(), results.white), ("Drawn".to_owned(), results.draws),
                ("Black won".to_owned(), results.black), ("Unknown".to_owned(), unknown),
            ]))
        }
        section {
            h2 { "Lengths of games in plies" }
            p { (format!("A game has {mean:.1} plies on average.")) }
            @let lengths = lengths(survey);
            (charts::bars("Lengths of games in plies", &lengths))
            (numbers("Plies", &lengths))
        }
        @if survey.years.len() > 1 {
            section {
                h2 { "Years" }
                @let years = years(survey);
                (charts::bars("Years", &years))
                (numbers("Years", &years))
            }
        }
        @if survey.rules.family() == Family::Stair {
            section {
                h2 { "First moves of the attack boards" }
                @let first = first_boards(survey);
                @if first.is_empty() { p { "No attack board moves in these games." } }
                @else { (charts::list("First moves of the attack boards", &first)) }
            }
        }
        (heat(request, survey, piece))
    } }
}

/// The numbers of a chart, folded away.
fn numbers(name: &str, bars: &[Bar]) -> Markup {
    let rows: Vec<_> = bars
        .iter()
        .map(|bar| (bar.name.clone(), bar.count))
        .collect();
    layout::counts("As numbers", [name, "Games"], &rows)
}

/// A bar for each `step` of numbers from the first to the last.
fn steps<K: Ord + Copy + Into<u32>>(
    counts: &BTreeMap<K, u64>,
    (first, last): (u32, u32),
    step: u32,
) -> Vec<Bar> {
    let bar = |from: u32| {
        let to = from.saturating_add(step - 1);
        let within = counts
            .iter()
            .filter(|(at, _)| (from..=to).contains(&(**at).into()));
        let count = within.map(|(_, games)| games).sum();
        let to = to.min(last);
        let name = if from == to {
            from.to_string()
        } else {
            format!("{from}-{to}")
        };
        Bar { name, count }
    };
    (first..=last).step_by(step as usize).map(bar).collect()
}

/// Games by length, in steps of plies that make no more than this number of bars.
fn lengths(survey: &Survey) -> Vec<Bar> {
    let longest = survey.lengths.keys().next_back().copied().unwrap_or(0);
    let step: u32 = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]
        .into_iter()
        .find(|step| longest / step < BARS)
        .unwrap_or(5_000);
    // The last step is whole.
    steps(&survey.lengths, (0, longest / step * step + step - 1), step)
}

fn years(survey: &Survey) -> Vec<Bar> {
    let mut years = survey.years.keys().map(|year| u32::from(*year));
    let Some(first) = years.next() else {
        return Vec::new();
    };
    let last = years.next_back().unwrap_or(first);
    steps(&survey.years, (first, last), (last - first) / BARS + 1)
}

fn first_boards(survey: &Survey) -> Vec<Bar> {
    let mut all: Vec<_> = survey.first_boards.iter().collect();
    all.sort_by_key(|(key, games)| (std::cmp::Reverse(**games), **key));
    let bar = |((board, from, to), games): (&(_, _, _), &u64)| Bar {
        name: format!(
            "{}@{}-{}",
            manual_board(*board),
            pin_in_strings(*from),
            pin_in_strings(*to)
        ),
        count: *games,
    };
    all.into_iter().take(FIRST).map(bar).collect()
}

/// Where a kind of piece goes: every square of the board the darker the more often.
fn heat(request: &Request, survey: &Survey, piece: Piece) -> Markup {
    let params = &request.params;
    let rules = survey.rules;
    let look = params.look();
    let kinds = Color::ALL.into_iter().flat_map(|color| {
        Role::ALL
            .into_iter()
            .rev()
            .map(move |role| Piece::new(color, role))
    });
    let title = format!("How often each square is reached by a {}", name_of(piece));
    html! {
        section id="heat" {
            h2 { "Where the pieces go" }
            p { "The darker a square, the more often such a piece moved to it. Attack boards are drawn where they start; their squares move with them." }
            (layout::choice("Kind of piece", &format!("k{}", piece.letter()), kinds.map(|kind| {
                let letter = kind.letter();
                let changes = [("rules", rules.name()), ("piece", &letter.to_string()), ("man", "")];
                (params.link("/statistics", &changes), format!("k{letter}"), name_of(kind))
            })))
            (heat_map(survey, piece, &title, look.view, look.side))
            (board::looks(look, |changes| {
                let mut all = vec![("rules", rules.name())];
                all.extend(changes);
                params.link("/statistics", &all)
            }))
            (most_visited(survey, piece))
        }
    }
}

fn heat_map(survey: &Survey, piece: Piece, title: &str, view: View, side: Color) -> Markup {
    let start = survey.rules.start();
    let layout = start.layout.as_ref();
    let family = survey.rules.family();
    let stage = Stage {
        family,
        view,
        arrangement: Arrangement::Row,
        side,
        room: Room::of(layout),
        named: true,
    };
    let size = stage.size();
    let most = board::squares(family)
        .map(|square| survey.arrivals(piece, square))
        .max()
        .unwrap_or(0);
    let cell = |square| board::outline(&stage, layout, Spot::Square(square)).unwrap_or_default();
    // Boards in the order in which they are painted, so that none hides another in the stand view.
    let order = stage.slabs(layout);
    let mut squares: Vec<Square> = board::squares(family).collect();
    squares.sort_by_key(|square| {
        let (slab, _, _) = stage.cell_of(*square);
        order.iter().position(|other: &Slab| *other == slab)
    });
    html! {
        svg.chart.heat viewBox=(format!("0 0 {:.2} {:.2}", size.x, size.y)) role="img" aria-label=(title) {
            title { (title) }
            @for square in squares {
                @let count = survey.arrivals(piece, square);
                @let name = board::square_name(survey.rules, &start, square);
                g {
                    title { (name) ": " (count) }
                    polygon.cold points=(cell(square)) {}
                    polygon.hot points=(cell(square)) fill-opacity=(format!("{:.3}", charts::share(count, most).sqrt())) {}
                }
            }
        }
    }
}

/// The squares that are visited most, in words.
fn most_visited(survey: &Survey, piece: Piece) -> Markup {
    let start = survey.rules.start();
    let name = |square: Square| board::square_name(survey.rules, &start, square);
    let visits = board::squares(survey.rules.family())
        .map(|square| (name(square), survey.arrivals(piece, square)));
    let mut visits: Vec<(String, u64)> = visits.filter(|(_, count)| *count > 0).collect();
    visits.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    visits.truncate(20);
    layout::counts("Most visited squares", ["Square", "Visits"], &visits)
}
