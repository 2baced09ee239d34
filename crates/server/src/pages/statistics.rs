//! Statistics of all games, or of those that match a query, as charts: results, lengths, years, first moves of the
//! attack boards, and the squares to which each kind of piece moves.

use super::openings::results_bar;
use super::{form, numbers, shell};
use crate::board;
use crate::charts::{self, Bar};
use crate::fault::Fault;
use crate::model;
use crate::params::{Params, SEARCH, VIEW};
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tridex_geometry::Family;
use tridex_index::Statistics;
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_picture::Arrangement;
use tridex_rules::{Color, Piece, Role};

/// How many bars a chart of lengths or years has at most.
const BARS: u32 = 30;

/// How many first moves of boards are shown.
const FIRST: usize = 12;

/// How many of the most visited squares are listed.
const VISITED: usize = 20;

/// `/statistics`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &["piece"], &VIEW])?;
    let asked = params.just(&SEARCH);
    let is_filtered = asked.pairs().any(|(name, _)| name != "rules");
    let all = model::statistics(request)?;
    let statistics = match params.rules()? {
        Some(rules) => all.iter().find(|statistics| statistics.rules == rules),
        // The rules with the most games.
        None => all.iter().max_by_key(|statistics| statistics.total.games),
    };
    let read = |letter: &str| Piece::from_letter(letter.parse().ok()?);
    let piece = params.read_as("piece", "PNBRQK, pnbrqk", read)?;
    let piece = piece.unwrap_or(Piece::new(Color::White, Role::Knight));
    let content = html! {
        (form::query(params, "/statistics", &SEARCH))
        p.downloads {
            @if is_filtered {
                a href=(asked.link("/search", &[])) { "Show these games" } " "
                a href=(asked.link("/search", &[]) + "#refine") { "All fields of the search" } " "
                a href="/statistics" { "Count all games" } " "
            }
            a href=(asked.link("/api/v1/statistics", &[])) { "JSON" }
        }
        @if all.len() > 1 {
            (shell::choice("Rules", statistics.map_or("", |statistics| statistics.rules.name()), all.iter().map(|known| {
                let name = known.rules.name();
                let text = format!("{name} ({})", numbers::number(known.total.games));
                (params.link("/statistics", &[("rules", name)]), name.to_owned(), text)
            })))
        }
        @match statistics {
            None => p { "There are no games to count." },
            Some(statistics) => div.counted { (counts(statistics)) (heat(params, statistics, piece)) },
        }
    };
    Ok(shell::reply(request, "Statistics", None, &content))
}

fn counts(statistics: &Statistics) -> Markup {
    let results = statistics.total;
    let unknown = results.games - results.white - results.draws - results.black;
    let lengths = statistics.lengths.iter();
    let plies = lengths
        .map(|(plies, games)| u64::from(*plies) * games)
        .sum();
    let mean = charts::share(plies, results.games);
    let average = html! { p { (format!("A game has {mean:.1} plies on average.")) } };
    let chart = |title: &str, about: &Markup, column: &str, bars: &[Bar]| {
        html! {
            section {
                h2 { (title) }
                (about)
                (charts::bars(title, bars))
                (numbers::counts("As numbers", [column, "Games"], bars))
            }
        }
    };
    let (first_boards, none) = (first_boards(statistics), html! {});
    html! {
        section {
            h2 { "Results" }
            p { (numbers::counted(results.games, "game", "games")) " under the rules " (statistics.rules.name()) }
            (results_bar(&results))
            (numbers::counts("As numbers", ["Result", "Games"], &[
                ("White won".to_owned(), results.white), ("Drawn".to_owned(), results.draws),
                ("Black won".to_owned(), results.black), ("Unknown".to_owned(), unknown),
            ]))
        }
        (chart("Lengths of games in plies", &average, "Plies", &steps(&statistics.lengths, 0)))
        @if let Some(first) = statistics.years.keys().next() && statistics.years.len() > 1 {
            (chart("Years", &none, "Years", &steps(&statistics.years, u32::from(*first))))
        }
        @if !first_boards.is_empty() { (chart("First moves of the attack boards", &none, "Move", &first_boards)) }
        @else if statistics.rules.family() == Family::Stair { section { p { "No attack board moves in these games." } } }
    }
}

/// Bars for ranges of numbers from `first` on. The ranges are wide enough for at most `BARS` bars.
fn steps<K: Copy + Into<u32>>(counts: &BTreeMap<K, u64>, first: u32) -> Vec<Bar> {
    let last = counts.keys().next_back();
    let last = last.map_or(first, |last| (*last).into());
    let step: u32 = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]
        .into_iter()
        .find(|step| (last - first) / step < BARS)
        .unwrap_or(5_000);
    let bar = |from: u32| {
        let to = from.saturating_add(step - 1);
        let is_within = |at: &K| (from..=to).contains(&(*at).into());
        let within = counts.iter().filter(|(at, _)| is_within(at));
        let name = match step {
            1 => from.to_string(),
            _ => format!("{from}-{to}"),
        };
        (name, within.map(|(_, games)| games).sum())
    };
    (first..=last).step_by(step as usize).map(bar).collect()
}

fn first_boards(statistics: &Statistics) -> Vec<Bar> {
    let mut all: Vec<_> = statistics.first_boards.iter().collect();
    all.sort_by_key(|(key, games)| (Reverse(**games), **key));
    let bar = |((board, from, to), games): (&(_, _, _), &u64)| {
        let [from, to] = [from, to].map(|pin| pin_in_strings(*pin));
        (format!("{}@{from}-{to}", manual_board(*board)), *games)
    };
    all.into_iter().take(FIRST).map(bar).collect()
}

/// The opacity of a square's colour: the root of its share, so that squares that are seldom reached differ too.
fn heat_of(count: u64, hottest: u64) -> String {
    format!("{:.3}", charts::share(count, hottest).sqrt())
}

/// The scale of the colours, from 0 to the count of the square that is reached most often.
fn scale(hottest: u64) -> Markup {
    const STEPS: u64 = 6;
    const WIDE: u64 = 56;
    let last = hottest.min(STEPS - 1);
    let counts: Vec<u64> = (0..=last)
        .map(|step| hottest * step / last.max(1))
        .collect();
    let label = format!(
        "Scale of the colours, from 0 to {}",
        numbers::number(hottest)
    );
    html! {
        svg.chart.heat.scale viewBox=(format!("0 0 {} 38", WIDE * STEPS)) role="img" aria-label=(label) {
            @for (at, count) in (0..).step_by(WIDE as usize).zip(counts) {
                rect.cold x=(at) y="1" width=(WIDE) height="18" {}
                rect.hot x=(at) y="1" width=(WIDE) height="18" fill-opacity=(heat_of(count, hottest)) {}
                text x=(at + WIDE / 2) y="34" text-anchor="middle" { (numbers::number(count)) }
            }
        }
    }
}

/// Where a kind of piece goes. The more often it moves to a square, the stronger is the colour of the square.
fn heat(params: &Params, statistics: &Statistics, piece: Piece) -> Markup {
    let rules = ("rules", statistics.rules.name());
    let name = board::piece_name(piece);
    let title = format!("How often each square is reached by a {name}");
    let mut visits = model::visits(statistics, piece);
    // The squares that are visited most, for the table.
    let most = visits.iter().map(|(_, name, count)| (name.clone(), *count));
    let mut most: Vec<Bar> = most.filter(|(_, count)| *count > 0).collect();
    most.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    most.truncate(VISITED);
    let hottest = most.first().map_or(0, |(_, count)| *count);
    let layout = statistics.rules.start().layout;
    let layout = layout.as_ref();
    let stage = board::stage(params, statistics.rules.family(), Arrangement::Row, layout);
    let size = stage.size();
    // Boards in the order in which they are painted, so that none hides another in the stand view.
    let order = stage.slabs(layout);
    visits.sort_by_key(|(square, ..)| {
        let (slab, ..) = stage.cell_of(*square);
        order.iter().position(|other| *other == slab)
    });
    html! {
        section id="heat" {
            h2 { "Where the pieces go" }
            p { "The stronger the colour of a square, the more often such a piece moved to it. Attack boards are drawn where they start; their squares move with them." }
            (shell::choice("Kind of piece", &format!("k{}", piece.letter()), board::kinds().map(|kind| {
                let letter = kind.letter();
                let changes = [rules, ("piece", &letter.to_string())];
                (params.link("/statistics", &changes), format!("k{letter}"), board::piece_name(kind))
            })))
            svg.chart.heat viewBox=(format!("0 0 {:.2} {:.2}", size.x, size.y)) role="img" aria-label=(title) {
                title { (title) }
                @for (square, name, count) in visits {
                    @let corners = board::outline(&stage, layout, square);
                    g {
                        title { (name) ": " (count) }
                        polygon.cold points=[&corners] {}
                        polygon.hot points=[&corners] fill-opacity=(heat_of(count, hottest)) {}
                    }
                }
            }
            (scale(hottest))
            (board::view_links(params, |changes| params.link("/statistics", &[&[rules], changes].concat())))
            (numbers::counts("Most visited squares", ["Square", "Visits"], &most))
        }
    }
}
