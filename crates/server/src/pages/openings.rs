//! The moves played from a position, which readers explore by clicking on the board.

use super::{form, game_list, numbers, shell};
use crate::board::{self, Spot, SpotLink};
use crate::charts;
use crate::fault::Fault;
use crate::model::{self, Table, written};
use crate::params::{OPENINGS, Params, VIEW, WRITING};
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use tridex_geometry::Family;
use tridex_index::{BoardTables, HitRow, MoveRow, OpeningRow, ResultCounts, SearchOptions};
use tridex_notation::{Notation, read_moves};
use tridex_picture::Marks;
use tridex_rules::{Move, Position};

/// How many layouts are listed.
const LAYOUTS: usize = 30;

/// How many games of a position are read for its average length and its best games.
const SEEN: usize = 1_000;

/// How many games are listed.
const TOP: usize = 5;

/// The fields of the form that limit which games count.
const FILTER: [&str; 4] = ["player", "event", "date", "query"];

/// The path of the page.
const HERE: &str = "/openings";

/// `/openings`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    request
        .params
        .only(&[&OPENINGS, &VIEW, &WRITING, &["from"]])?;
    // If there are moves, the position is ignored.
    let meant = match request.params.get("moves") {
        Some(_) => None,
        None => model::meant(&request.params)?,
    };
    let params = &match &meant {
        Some(meant) => request.params.with("rules", meant.rules.name()),
        None => request.params.clone(),
    };
    let note = meant.and_then(|meant| meant.note);
    let rules = params.rules()?;
    let (table, fault) = match rules {
        None => (None, None),
        Some(_) => shell::understood(Table::of(request, params))?,
    };
    let fault = fault.as_ref();
    let Some(table) = table else {
        let content = html! {
            p { "Choose a rule system." }
            (shell::systems(params, HERE, rules))
            @if let Some(text) = params.get("position") {
                form.text action=(HERE) method="get" {
                    (form::hidden(params.without(&["position", "from"]).pairs()))
                    (form::position(text))
                    p { button type="submit" { "Look it up" } }
                }
            }
        };
        return Ok(shell::reply(request, "Openings", fault, &content));
    };
    let walk = Walk::new(params, &table)?;
    let rules = table.position.rules();
    let has_boards = params.flag("boards") && rules.family() == Family::Stair;
    let boards = has_boards.then(|| request.index.boards(&table.query()));
    let boards = boards.transpose()?;
    let (heading, seen) = seen(request, &table)?;
    let top = seen.get(..TOP).unwrap_or(&seen);
    let plies: u64 = seen.iter().map(|row| u64::from(row.plies)).sum();
    let content = html! {
        h1.unseen { "Openings" }
        div.walk {
            div.tabs {
                (shell::systems(params, HERE, Some(rules)))
                @if let Some(note) = &note { p.note role="status" { (note) } }
                div.line {
                    (walk.path()?)
                    (board::view_links(params, |changes| params.link(HERE, changes)))
                }
            }
            div.position { (walk.board()) }
            div.continuations {
                p.status role="status" {
                    b { (numbers::counted(table.total.games, "game reaches", "games reach")) " this position" }
                    @if let Some(name) = &table.name { ": " strong { (name) } }
                    @if let Some(length) = plies.checked_div(seen.len() as u64) {
                        ". Average length " (numbers::counted(length, "ply", "plies"))
                        @if seen.len() == SEEN { " (of " (SEEN) " games)" }
                    }
                    @if let Some(year) = table.total.last_year { ". Last played " (year) }
                    "."
                }
                (results_bar(&table.total))
                (walk.table())
                @if !top.is_empty() { h2 { (heading) } (game_list::games(heading, top, &params.just(&VIEW))) }
                (walk.below(has_boards))
                (filter(params))
            }
        }
        @if let Some(tables) = &boards { (board_tables(tables)) }
    };
    Ok(shell::untitled(request, "Openings", &content))
}

/// The first games that count and reach a position, with a heading. Those of the highest-rated players come first, or
/// the latest games if no ratings are known.
fn seen(request: &Request, table: &Table) -> Result<(&'static str, Vec<HitRow>), Fault> {
    let options = SearchOptions::default().limit(SEEN).count(false);
    let found = request.index.search(&table.query(), &options)?;
    let mut games = Vec::new();
    for hit in &found.hits {
        if let Some(game) = model::sound(request.index.summary(hit.id))? {
            let rating = |name| game.tag(name).and_then(|elo| elo.parse::<u32>().ok());
            let ratings = ["WhiteElo", "BlackElo"].into_iter().filter_map(rating);
            games.push((ratings.sum::<u32>(), HitRow::new(hit, game)));
        }
    }
    games.sort_by_cached_key(|(rating, row)| (Reverse(*rating), game_list::latest(row)));
    let heading = match games.first() {
        Some((1.., _)) => "Top games",
        _ => "Latest games",
    };
    Ok((heading, games.into_iter().map(|(_, row)| row).collect()))
}

/// Where a move begins and where it ends. Castling begins and ends on the king's squares. A board that turns in place
/// has no end.
fn ends(position: &Position, row: &MoveRow) -> (Spot, Option<Spot>) {
    let (from, to) = match row.played {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => (from, to),
        Move::Castle(_) | Move::Pass => {
            let kings = [position, &row.after].map(|board| board.king(position.turn()));
            kings.into()
        }
        Move::Board { board, to, .. } => {
            let from = position.layout().map(|layout| layout.pin(board));
            let to = (from != Some(to)).then_some(Spot::Pin(board, to));
            return (Spot::Board(board), to);
        }
    };
    (Spot::Square(from), Some(Spot::Square(to)))
}

/// The current position, with the moves that can be explored from it.
struct Walk<'a> {
    params: &'a Params,
    table: &'a Table,
    /// The origin of the move that is being chosen.
    from: Option<Spot>,
    /// The moves that are shown, all or those from `from`: each as the index returns it and as a row.
    shown: Vec<(&'a MoveRow, &'a OpeningRow)>,
}

impl<'a> Walk<'a> {
    fn new(params: &'a Params, table: &'a Table) -> Result<Self, Fault> {
        let from = params.read_as("from", "a board or a square", |name| {
            Spot::read(name, table.position.family())
        })?;
        let is_from = |row: &MoveRow, from| ends(&table.position, row).0 == from;
        // If no move was played from there, all moves are shown.
        let from = from.filter(|from| table.moves.iter().any(|row| is_from(row, *from)));
        let all = table.moves.iter().zip(&table.rows);
        let shown = all.filter(|(row, _)| from.is_none_or(|from| is_from(row, from)));
        let shown = shown.collect();
        Ok(Self {
            params,
            table,
            from,
            shown,
        })
    }

    /// The address after a move: with the move added to the moves so far, or with the position after it if the address
    /// has a position.
    fn after(&self, played: &MoveRow, row: &OpeningRow) -> String {
        if self.params.get("position").is_some() {
            let changes = [("position", row.fen.as_str()), ("from", "")];
            return self.params.link(HERE, &changes);
        }
        let before = self.params.get("moves").unwrap_or_default().trim();
        // The notation is that of the position's rules, so writing does not fail.
        let own = Notation::of(self.table.position.rules());
        let own = written(own, &self.table.position, played.played).unwrap_or_default();
        self.to_moves(&format!("{before} {own}"))
    }

    fn to_moves(&self, moves: &str) -> String {
        let changes = [("moves", moves.trim_start()), ("from", "")];
        self.params.link(HERE, &changes)
    }

    /// The address on which only the moves from one origin are shown.
    fn to_origin(&self, origin: Option<Spot>) -> String {
        let name = origin.map(Spot::name).unwrap_or_default();
        self.params.link(HERE, &[("from", &name)])
    }

    /// The board with links on the squares and boards from which something was played. Once one is chosen, the targets
    /// of its moves are marked and have links too.
    fn board(&self) -> Markup {
        let position = &self.table.position;
        let (rules, setup) = (position.rules(), position.to_setup());
        let mut links = BTreeMap::new();
        for row in &self.table.moves {
            let spot = ends(position, row).0;
            let link = SpotLink {
                spot,
                // A click on the chosen origin clears the choice.
                address: self.to_origin(Some(spot).filter(|spot| self.from != Some(*spot))),
                label: format!("moves of the {}", spot.words(rules, &setup)),
                lift: Some(self.to_origin(Some(spot))),
            };
            links.insert(spot.name(), link);
        }
        let mut marks = Marks {
            squares: self.from.map_or_else(Vec::new, Spot::marked),
            ..Marks::default()
        };
        let mut goals = BTreeMap::new();
        for (played, row) in self.shown.iter().filter(|_| self.from.is_some()) {
            // If several moves have the same target (promotions, turned boards), the link is for the first, which was
            // played most. The others are in the table.
            if let Some(spot) = ends(position, played).1
                && let Entry::Vacant(goal) = goals.entry(spot.name())
            {
                match spot {
                    Spot::Square(to) => {
                        marks.reached.push((to, position.is_capture(played.played)))
                    }
                    Spot::Pin(board, pin) => marks.pins.push((board, pin)),
                    _ => {}
                }
                goal.insert(SpotLink {
                    spot,
                    address: self.after(played, row),
                    label: row.played.clone(),
                    lift: None,
                });
            }
        }
        links.extend(goals);
        let links: Vec<_> = links.into_values().collect();
        board::fitting(rules, &setup, self.params, &marks, &links)
    }

    /// The moves that led here, each a link back.
    fn path(&self) -> Result<Markup, Fault> {
        let nothing = ["moves", "position", "from"].map(|name| (name, ""));
        let rules = self.table.position.rules();
        let mut position = Position::start(rules);
        let moves = read_moves(&position, self.params.get("moves").unwrap_or_default());
        let notation = self.params.notation(rules)?;
        let (mut steps, mut line) = (Vec::new(), String::new());
        for played in moves.map_err(|fault| Fault::asked(fault.to_string()))? {
            let own = written(Notation::of(rules), &position, played)?;
            line = format!("{line} {own}");
            let shown = written(notation, &position, played)?;
            steps.push((self.to_moves(&line), shown));
            position.play_unchecked(played);
        }
        Ok(html! {
            nav.path aria-label="Moves so far" {
                ol {
                    li { a href=(self.params.link(HERE, &nothing)) data-swap="" data-key="start" { "Start" } }
                    @for (address, played) in &steps { li { a href=(address) data-swap="" { (played) } } }
                }
            }
        })
    }

    fn table(&self) -> Markup {
        html! {
            div.wide tabindex="0" role="region" aria-label="Moves" {
                @if self.from.is_some() {
                    p { a href=(self.to_origin(None)) data-swap="" data-key="all" { "All moves" } }
                }
                @if self.shown.is_empty() { p { "No game continues from here." } }
                @else {
                    (numbers::table(Some("moves"), &["Move", "Games", "White, drawn, Black", "Rating", "Last", "Name"], &html! {
                        @for (played, row) in &self.shown {
                            tr {
                                td { a href=(self.after(played, row)) data-swap="" { (row.played) } }
                                (result_cells(&row.results))
                                td.number { @if let Some(rating) = row.results.average_rating() { (rating) } }
                                td.number { @if let Some(year) = row.results.last_year { (year) } }
                                td { (row.name.as_deref().unwrap_or_default()) }
                            }
                        }
                    }))
                }
            }
        }
    }

    fn below(&self, has_boards: bool) -> Markup {
        let fen = self.table.fen.as_str();
        let rules = self.table.position.rules().name();
        let view = self.params.just(&VIEW);
        let question = self.params.just(&OPENINGS);
        html! {
            p.downloads {
                a href=(view.link("/search", &[("rules", rules), ("position", fen)])) { "All games with this position" }
                @if self.table.position.rules().family() == Family::Stair && !has_boards {
                    " " a href=(self.params.link(HERE, &[("boards", "1")])) data-swap="" data-key="boards" { "Tables of boards and layouts" }
                }
                " " a href=(question.link("/download/openings.csv", &[("boards", ""), ("layouts", "")])) download="" { "CSV" }
                " " a href=(view.link("/board.svg", &[("rules", rules), ("position", fen)])) download="" { "Picture (SVG)" }
                " " a href=(question.link("/api/v1/openings", &[])) { "JSON" }
            }
        }
    }
}

/// White's wins, draws and Black's wins as one bar.
pub(super) fn results_bar(results: &ResultCounts) -> Markup {
    let counts = [results.white, results.draws, results.black];
    charts::bar(["White won", "drawn", "Black won"], counts)
}

fn result_cells(results: &ResultCounts) -> Markup {
    html! { td.number { (numbers::number(results.games)) } td { (results_bar(results)) } }
}

fn score(results: &ResultCounts) -> Markup {
    html! {
        td.number { @if let Some(score) = results.score() { (format!("{:.1} %", score * 100.0)) @if results.is_small() { " (few)" } } @else { "-" } }
    }
}

/// Tables of the first moves of the attack boards, and of the layouts that occur.
fn board_tables(tables: &BoardTables) -> Markup {
    let wide = |name: &str, columns: &[&str], rows: &Markup| {
        let results = ["Games", "White, drawn, Black", "White's score"];
        html! {
            h2 { (name) }
            div.wide tabindex="0" role="region" aria-label=(name) { (numbers::table(None, &[columns, &results].concat(), rows)) }
        }
    };
    let first = html! { @for row in &tables.first {
        tr { td { (row.board) } td { (row.from) } td { (row.to) } (result_cells(&row.results)) (score(&row.results)) }
    } };
    let layouts = html! { @for row in tables.layouts.iter().take(LAYOUTS) {
        tr { td { (row.layout) } (result_cells(&row.results)) (score(&row.results)) }
    } };
    html! {
        section {
            (wide("First moves of the attack boards", &["Board", "From", "To"], &first))
            (wide("Layouts of the attack boards", &["Layout"], &layouts))
            @if tables.layouts.len() > LAYOUTS { p { (LAYOUTS) " of " (tables.layouts.len()) " layouts are shown." } }
        }
    }
}

/// The form that limits which games count.
fn filter(params: &Params) -> Markup {
    let is_filled = FILTER.iter().any(|name| params.get(name).is_some());
    let fields = html! {
        @for name in FILTER {
            (form::field(&format!("o-{name}"), name, &form::label(name), params.get(name), None))
        }
        p.field { button type="submit" { "Count" } }
    };
    html! {
        form.search action=(HERE) method="get" {
            (form::hidden(params.without(&FILTER).pairs()))
            (form::folded("Count only some games", is_filled, &fields))
        }
    }
}
