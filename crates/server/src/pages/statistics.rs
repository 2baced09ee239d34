//! Counts of all games, or of those that answer a question, drawn: results, lengths, first moves of the attack boards, and where each kind of man goes.

use super::layout;
use crate::board;
use crate::charts::{self, Bar};
use crate::params::{LOOKING, SEARCH};
use crate::reply::{Fault, Reply};
use crate::site::{Request, Site};
use crate::texts;
use maud::{Markup, html};
use tridex_geometry::{Family, Square};
use tridex_index::{Came, Survey};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_picture::{Arrangement, Room, Slab, Stage, View};
use tridex_rules::{Color, Piece, Role};

/// How many bars a chart of lengths has at most.
const BARS: u32 = 30;

/// What says nothing without the rules it is meant under.
const NEED_RULES: [&str; 6] = ["opening", "position", "fen", "moves", "game", "ply"];

/// How many first moves of boards are shown.
const FIRST: usize = 12;

/// `/statistics`
pub(crate) fn page(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &["lasting", "man"], &LOOKING])?;
    let names = [&SEARCH[..], &["lasting"]].concat();
    let others: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| *name != "rules")
        .collect();
    let asked = params.just(&names);
    // Rules alone only choose between the counts of all games, which are made for each system apart.
    let is_filtered = params.just(&others).pairs().next().is_some();
    let all = if is_filtered {
        // They are counted for each system apart in any case; but what stands on a board has to be asked of one.
        let needs_rules = NEED_RULES.iter().any(|name| asked.get(name).is_some());
        let counted = params.just(match needs_rules {
            true => &names,
            false => &others,
        });
        let question = counted.asking().query(&request.index)?;
        let opened = &request.opened;
        opened.survey_of(&counted.link("", &[]), &question, &request.index)?
    } else {
        request.opened.survey(&request.stop)?
    };
    let wanted = params.rules()?;
    let survey = match wanted {
        Some(rules) => all.iter().find(|survey| survey.rules == rules),
        // The system of most games.
        None => all.iter().max_by_key(|survey| survey.total.games),
    };
    let man = params.read_as("man", "PNBRQK, pnbrqk", |text| {
        let mut letters = text.chars();
        let piece = letters.next().and_then(Piece::from_letter)?;
        letters.next().is_none().then_some(piece)
    })?;
    let content = html! {
        h1 { (texts::STATISTICS) }
        @if is_filtered {
            p {
                (texts::GAMES_ASKED)
                " " a href=(asked.link("/search", &[])) { (texts::SHOW_THEM) }
                " " a href="/statistics" { (texts::ALL_GAMES) }
            }
        }
        @if all.len() > 1 {
            nav.choice aria-label=(texts::RULES) {
                @for known in all.iter() {
                    a href=(params.link("/statistics", &[("rules", known.rules.name())])) data-swap=""
                        data-key=(known.rules.name())
                        aria-current=[(survey.map(|survey| survey.rules) == Some(known.rules)).then_some("true")] {
                        (known.rules.name()) " (" (layout::number(known.total.games)) ")"
                    }
                }
            }
        }
        @match survey {
            None => p { (texts::NO_GAMES) },
            Some(survey) => { (counts(request, survey, man.unwrap_or(Piece::new(Color::White, Role::Knight)))) }
        }
    };
    let title = texts::STATISTICS;
    Ok(Reply::page(request, title, "/statistics", &content))
}

fn counts(request: &Request, survey: &Survey, man: Piece) -> Markup {
    let came = Came::new(&survey.total);
    let unknown = came.games - came.white - came.draws - came.black;
    let plies: u64 = survey
        .lengths
        .iter()
        .map(|(plies, games)| u64::from(*plies) * games)
        .sum();
    let mean = charts::share(plies, came.games);
    html! {
        section {
            h2 { (texts::RESULTS_DRAWN) }
            p { (texts::games_of(survey.rules.name(), &layout::number(came.games))) }
            (charts::shares(texts::RESULTS_DRAWN, &[
                (texts::WHITE_WON, "white", came.white), (texts::DRAWN, "drawn", came.draws),
                (texts::BLACK_WON, "black", came.black), (texts::UNKNOWN, "unknown", unknown),
            ]))
            (numbers(texts::RESULT, &[
                (texts::WHITE_WON.to_owned(), came.white), (texts::DRAWN.to_owned(), came.draws),
                (texts::BLACK_WON.to_owned(), came.black), (texts::UNKNOWN.to_owned(), unknown),
            ]))
        }
        section {
            h2 { (texts::LENGTHS) }
            p { (texts::mean_length(mean)) }
            @let lengths = lengths(survey);
            (charts::bars(texts::LENGTHS, &lengths))
            (numbers_of(texts::PLIES, &lengths))
        }
        @if survey.years.len() > 1 {
            section {
                h2 { (texts::YEARS) }
                @let years = years(survey);
                (charts::bars(texts::YEARS, &years))
                (numbers_of(texts::YEARS, &years))
            }
        }
        @if survey.rules.family() == Family::Stair {
            section {
                h2 { (texts::FIRST_BOARDS) }
                @let first = first_boards(survey);
                @if first.is_empty() { p { (texts::NO_BOARDS) } }
                @else { (charts::list(texts::FIRST_BOARDS, &first)) }
            }
        }
        (heat(request, survey, man))
    }
}

/// The numbers of a chart, folded away.
fn numbers(name: &str, rows: &[(String, u64)]) -> Markup {
    html! {
        details {
            summary { (texts::NUMBERS) }
            table {
                thead { tr { th scope="col" { (name) } th scope="col" { (texts::GAMES) } } }
                tbody { @for (name, count) in rows { tr { td { (name) } td.number { (layout::number(*count)) } } } }
            }
        }
    }
}

fn numbers_of(name: &str, bars: &[Bar]) -> Markup {
    let rows: Vec<(String, u64)> = bars
        .iter()
        .map(|bar| (bar.name.clone(), bar.count))
        .collect();
    numbers(name, &rows)
}

/// Games by length, in steps of plies that make no more than so many bars.
fn lengths(survey: &Survey) -> Vec<Bar> {
    let longest = survey.lengths.keys().next_back().copied().unwrap_or(0);
    let step: u32 = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000]
        .into_iter()
        .find(|step| longest / step < BARS)
        .unwrap_or(5_000);
    let bar = |i: u32| {
        let (from, to) = (i * step, (i + 1) * step - 1);
        let count = survey
            .lengths
            .range(from..=to)
            .map(|(_, games)| games)
            .sum();
        let name = if step == 1 {
            from.to_string()
        } else {
            format!("{from}-{to}")
        };
        Bar { name, count }
    };
    (0..=longest / step).map(bar).collect()
}

fn years(survey: &Survey) -> Vec<Bar> {
    let (first, last) = match (survey.years.keys().next(), survey.years.keys().next_back()) {
        (Some(first), Some(last)) => (*first, *last),
        _ => return Vec::new(),
    };
    let step = usize::from(last - first) / BARS as usize + 1;
    let bar = |from: u16| {
        let to = from.saturating_add(step as u16 - 1).min(last);
        let count = survey.years.range(from..=to).map(|(_, games)| games).sum();
        let name = if from == to {
            from.to_string()
        } else {
            format!("{from}-{to}")
        };
        Bar { name, count }
    };
    (first..=last).step_by(step).map(bar).collect()
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

/// Where a kind of man goes: every square of the board the darker the more often.
fn heat(request: &Request, survey: &Survey, man: Piece) -> Markup {
    let params = &request.params;
    let rules = survey.rules;
    let look = params.look();
    let kinds = Color::ALL.into_iter().flat_map(|color| {
        Role::ALL
            .into_iter()
            .rev()
            .map(move |role| Piece::new(color, role))
    });
    let title = texts::heat_title(&texts::man(man));
    html! {
        section id="heat" {
            h2 { (texts::HEAT) }
            p { (texts::HEAT_HOW) }
            nav.choice aria-label=(texts::MEN) {
                @for kind in kinds {
                    a href=(params.link("/statistics", &[("rules", rules.name()), ("man", &kind.letter().to_string())]))
                        data-swap="" data-key=(format!("k{}", kind.letter()))
                        aria-current=[(kind == man).then_some("true")] { (texts::man(kind)) }
                }
            }
            (heat_map(survey, man, &title, look.view, look.side))
            (board::looks(look, |changes| {
                let mut all = vec![("rules", rules.name())];
                all.extend(changes);
                params.link("/statistics", &all)
            }))
            (most_visited(survey, man))
        }
    }
}

fn heat_map(survey: &Survey, man: Piece, title: &str, view: View, side: Color) -> Markup {
    let start = survey.rules.start();
    let layout = start.layout.as_ref();
    let family = survey.rules.family();
    let stage = Stage::new(family, view, Arrangement::Row, side, Room::of(layout), true);
    let size = stage.size();
    let most = board::squares(family)
        .map(|square| survey.arrivals(man, square))
        .max()
        .unwrap_or(0);
    let cell = |square: Square| {
        let (slab, file, rank) = stage.cell_of(square);
        let corner = |f: f64, r: f64| {
            let at = stage.point(slab, layout, f64::from(file) + f, f64::from(rank) + r);
            format!("{:.2},{:.2}", at.x, at.y)
        };
        [
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
        ]
        .join(" ")
    };
    // Boards in the order in which they are painted, so that none hides another in the view of the stand.
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
                @let count = survey.arrivals(man, square);
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
fn most_visited(survey: &Survey, man: Piece) -> Markup {
    let start = survey.rules.start();
    let name = |square: Square| board::square_name(survey.rules, &start, square);
    let visits = board::squares(survey.rules.family())
        .map(|square| (name(square), survey.arrivals(man, square)));
    let mut visits: Vec<(String, u64)> = visits.filter(|(_, count)| *count > 0).collect();
    visits.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    visits.truncate(20);
    html! {
        details {
            summary { (texts::MOST_VISITED) }
            table {
                thead { tr { th scope="col" { (texts::SQUARE) } th scope="col" { (texts::VISITS) } } }
                tbody { @for (name, count) in visits { tr { td { (name) } td.number { (layout::number(count)) } } } }
            }
        }
    }
}
