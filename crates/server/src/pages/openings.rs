//! What is played from a position, walked by touching the board.

use super::layout;
use crate::board::{self, Drawn, Spot, SpotLink};
use crate::charts;
use crate::fault::Fault;
use crate::model::{self, Table};
use crate::params::{LOOKING, OPENINGS, Params, WRITING};
use crate::reply::Reply;
use crate::site::{Request, Site};
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tridex_geometry::Family;
use tridex_index::{
    BoardTables, HitRow, OpeningRow, PositionQuery, ResultCounts, Sameness, SearchOptions,
};
use tridex_notation::{WriteOptions, position_string};
use tridex_picture::{Ink, Marks};
use tridex_rules::{Move, Position, RuleSystem};

/// How many layouts are listed.
const LAYOUTS: usize = 30;

/// The columns of the table of moves.
const MOVES: [&str; 6] = [
    "Move",
    "Games",
    "White, drawn, Black",
    "Rating",
    "Last",
    "Name",
];

/// The last columns of the tables of boards and layouts.
const RESULTS: [&str; 5] = ["Games", "White won", "Drawn", "Black won", "White's score"];

/// How many games of a position are read for its average length and its best games.
const SEEN: usize = 1_000;

/// How many games are listed.
const TOP: usize = 5;

/// Where the page is.
const HERE: &str = "/openings";

/// `/openings`
pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&OPENINGS, &LOOKING, &WRITING, &["from"]])?;
    if params.rules()?.is_none() {
        let content = systems(params, None);
        return Ok(layout::reply(request, "Openings", HERE, &content));
    }
    let table = match Table::ask(site, request) {
        Ok(table) => table,
        Err(fault) if fault.status == 400 => {
            let content = html! {
                h1 { "Openings" }
                (layout::complaint(Some(&fault)))
                (systems(params, None))
            };
            return Ok(layout::reply_with(
                request,
                "Openings",
                HERE,
                Some(&fault),
                &content,
            ));
        }
        Err(fault) => return Err(fault),
    };
    let walk = Walk::new(params, &table)?;
    let name = site.inner.book.name(&table.position);
    let boards = match params.flag("boards") && table.rules.family() == Family::Stair {
        true => Some(table.boards(request)?),
        false => None,
    };
    let setup = table.position.to_setup();
    let drawn = Drawn {
        rules: table.rules,
        setup: &setup,
        look: params.look(),
        marks: walk.marks(),
        links: walk.links(&setup),
    };
    let seen = Seen::of(request, &table)?;
    let content = html! {
        h1.unseen { "Openings" }
        (systems(params, Some(table.rules)))
        div.walk {
            div.position {
                div.line {
                    (walk.path()?)
                    (board::looks(params.look(), |changes| params.link(HERE, changes)))
                }
                (drawn.markup())
            }
            div.continuations {
                p.status role="status" {
                    b { (layout::number(table.total.games)) @if table.total.games == 1 { " game reaches" } @else { " games reach" } " this position" }
                    @if let Some(name) = name { ": " strong { (name) } }
                    (seen.words(table.total.last_year))
                }
                (results_bar(&table.total))
                (walk.table())
                @if !seen.top.is_empty() { h2 { (seen.heading) } (layout::games(seen.heading, &seen.top, &params.just(&LOOKING))) }
                (walk.below(boards.as_ref()))
                (filter(params))
            }
        }
        @if let Some(tables) = &boards { (board_tables(tables)) }
    };
    Ok(layout::reply(request, "Openings", HERE, &content))
}

/// The first games that reach a position.
struct Seen {
    games: usize,
    plies: u64,
    heading: &'static str,
    top: Vec<HitRow>,
}

impl Seen {
    /// Of the games that count, those of the best players, or the latest where no ratings are known.
    fn of(request: &Request, table: &Table) -> Result<Self, Fault> {
        let there = PositionQuery::of_position(&table.position, Sameness::Exact);
        let query = table.filter.clone().and(there.into());
        let options = SearchOptions {
            limit: SEEN,
            ..SearchOptions::default()
        };
        let found = request.index.search(&query, &options)?;
        let mut seen = Self {
            games: 0,
            plies: 0,
            heading: "Latest games",
            top: Vec::new(),
        };
        let mut games = Vec::new();
        for hit in &found.hits {
            let Some(game) = model::sound(request.index.summary(hit.id))? else {
                continue;
            };
            seen.games += 1;
            seen.plies += u64::from(game.plies);
            let rating = |name| game.tag(name).and_then(|elo| elo.parse::<u32>().ok());
            let ratings = ["WhiteElo", "BlackElo"].map(|name| rating(name).unwrap_or_default());
            games.push((ratings.iter().sum::<u32>(), HitRow::new(hit, game)));
        }
        games.sort_by_cached_key(|(rating, row)| (Reverse(*rating), layout::latest(row)));
        if games.first().is_some_and(|(rating, _)| *rating > 0) {
            seen.heading = "Top games";
        }
        seen.top = games.into_iter().take(TOP).map(|(_, row)| row).collect();
        Ok(seen)
    }

    /// How long the games are, and when the last was played.
    fn words(&self, last_year: Option<u16>) -> Markup {
        html! {
            @if self.games > 0 {
                ". Average length " (layout::counted(self.plies / self.games as u64, "ply", "plies"))
                @if self.games == SEEN { " (of " (SEEN) " games)" }
            }
            @if let Some(year) = last_year { ". Last played " (year) }
            "."
        }
    }
}

/// The choice of a rule system.
fn systems(params: &Params, now: Option<RuleSystem>) -> Markup {
    html! {
        @if now.is_none() { h1 { "Openings" } p { "Choose a rule system." } }
        (layout::systems(now, |rules| params.just(&LOOKING).link(HERE, &[("rules", rules)])))
    }
}

/// Where a move begins: castling on the king's square.
fn origin(position: &Position, played: Move) -> Spot {
    match played {
        Move::Piece { from, .. } | Move::EnPassant { from, .. } => Spot::Square(from),
        Move::Castle(_) => Spot::Square(position.king(position.turn())),
        Move::Board { board, .. } => Spot::Board(board),
    }
}

/// The position in the tree, with what can be done from it.
struct Walk<'a> {
    params: &'a Params,
    table: &'a Table,
    /// Where the move begins that is being chosen.
    from: Option<Spot>,
    /// The moves and their rows that are shown: all, or those from there.
    shown: Vec<(Move, &'a OpeningRow)>,
}

impl<'a> Walk<'a> {
    fn new(params: &'a Params, table: &'a Table) -> Result<Self, Fault> {
        let from = params.read_as("from", "a board or a square", Spot::read)?;
        let all = table.moves.iter().map(|row| row.played).zip(&table.rows);
        let is_from =
            |from| move |(played, _): &(Move, _)| origin(&table.position, *played) == from;
        let shown: Vec<(Move, &OpeningRow)> = match from {
            Some(from) => all.clone().filter(is_from(from)).collect(),
            None => all.clone().collect(),
        };
        // From where nothing was played everything is shown.
        let (from, shown) = match shown.is_empty() {
            true => (None, all.collect()),
            false => (from, shown),
        };
        Ok(Self {
            params,
            table,
            from,
            shown,
        })
    }

    /// The address after a move: the moves so far and it, or the position it leads to where the moves are not known.
    fn after(&self, played: Move, row: &OpeningRow) -> String {
        if self
            .params
            .get("fen")
            .or_else(|| self.params.get("position"))
            .is_some()
        {
            return self
                .params
                .link(HERE, &[("fen", &row.fen), ("position", ""), ("from", "")]);
        }
        let mut moves = self
            .params
            .get("moves")
            .unwrap_or_default()
            .trim()
            .to_owned();
        if !moves.is_empty() {
            moves.push(' ');
        }
        let notation = tridex_notation::Notation::of(self.table.rules);
        let options = WriteOptions::default();
        // Both are of one family of boards, so that writing does not fail.
        let _ =
            tridex_notation::write(notation, &self.table.position, played, &options, &mut moves);
        self.params.link(HERE, &[("moves", &moves), ("from", "")])
    }

    fn choose(&self, origin: Spot) -> String {
        let name = origin.name();
        let is_chosen = self.from == Some(origin);
        self.params
            .link(HERE, &[("from", if is_chosen { "" } else { &name })])
    }

    /// The square or pin where a move ends.
    fn target(&self, played: Move) -> Option<Spot> {
        match played {
            Move::Piece { to, .. } | Move::EnPassant { to, .. } => Some(Spot::Square(to)),
            Move::Castle(_) => {
                let mut after = self.table.position.clone();
                let turn = after.turn();
                after.play_unchecked(played);
                Some(Spot::Square(after.king(turn)))
            }
            Move::Board { board, to, .. } => {
                let from = self.table.position.layout().map(|layout| layout.pin(board));
                (from != Some(to)).then_some(Spot::Pin(board, to))
            }
        }
    }

    /// Squares and boards from which something was played; once one is chosen, where it went.
    fn links(&self, setup: &tridex_rules::Setup) -> Vec<SpotLink> {
        let mut links: BTreeMap<String, SpotLink> = BTreeMap::new();
        for row in &self.table.moves {
            let spot = origin(&self.table.position, row.played);
            let label = match spot {
                Spot::Square(square) => {
                    let name = board::square_name(self.table.rules, setup, square);
                    format!("moves from {name}")
                }
                _ => format!("moves of the board {}", spot.name()),
            };
            links.entry(spot.name()).or_insert_with(|| SpotLink {
                spot,
                address: self.choose(spot),
                label,
                lift: Some(self.params.link(HERE, &[("from", &spot.name())])),
            });
        }
        // Where several moves end - promotions, turned boards - the one that was played most is meant; the others are in
        // the table.
        let mut ends: BTreeMap<String, SpotLink> = BTreeMap::new();
        for (played, row) in self.shown.iter().filter(|_| self.from.is_some()) {
            if let Some(spot) = self.target(*played) {
                ends.entry(spot.name()).or_insert_with(|| SpotLink {
                    spot,
                    address: self.after(*played, row),
                    label: row.played.clone(),
                    lift: None,
                });
            }
        }
        links.extend(ends);
        links.into_values().collect()
    }

    fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let from = match self.from {
            Some(Spot::Square(square)) => vec![square],
            Some(Spot::Board(board)) => board.squares().into_iter().collect(),
            _ => Vec::new(),
        };
        marks
            .squares
            .extend(from.into_iter().map(|square| (square, Ink::Blue)));
        if self.from.is_none() {
            return marks;
        }
        for (played, _) in &self.shown {
            match self.target(*played) {
                Some(Spot::Square(square)) => {
                    let reached = (square, self.table.position.is_capture(*played));
                    if !marks.reached.contains(&reached) {
                        marks.reached.push(reached);
                    }
                }
                Some(Spot::Pin(board, pin)) if !marks.pins.contains(&(board, pin)) => {
                    marks.pins.push((board, pin));
                }
                _ => {}
            }
        }
        marks
    }

    /// The moves that led here, each a link back.
    fn path(&self) -> Result<Markup, Fault> {
        let start = self.params.link(
            HERE,
            &[("moves", ""), ("fen", ""), ("position", ""), ("from", "")],
        );
        let mut steps = Vec::new();
        if let Some(moves) = self.params.get("moves") {
            let mut position = Position::start(self.table.rules);
            let read = tridex_notation::read_moves(&position, moves);
            let own = tridex_notation::Notation::of(self.table.rules);
            let mut line = String::new();
            for played in read.map_err(|fault| Fault::asked(fault.to_string()))? {
                if !line.is_empty() {
                    line.push(' ');
                }
                let options = WriteOptions::default();
                tridex_notation::write(own, &position, played, &options, &mut line)?;
                let mut shown = String::new();
                tridex_notation::write(
                    self.table.notation,
                    &position,
                    played,
                    &options,
                    &mut shown,
                )?;
                position.play_unchecked(played);
                steps.push((
                    self.params.link(HERE, &[("moves", &line), ("from", "")]),
                    shown,
                ));
            }
        }
        Ok(html! {
            nav.path aria-label="Moves so far" {
                ol {
                    li { a href=(start) data-swap="" data-key="start" { "Start" } }
                    @for (address, played) in &steps { li { a href=(address) data-swap="" { (played) } } }
                }
            }
        })
    }

    fn table(&self) -> Markup {
        html! {
            div.wide tabindex="0" role="region" aria-label="Moves" {
                @if self.from.is_some() {
                    p { a href=(self.params.link(HERE, &[("from", "")])) data-swap="" data-key="all" { "All moves" } }
                }
                @if self.shown.is_empty() { p { "No game continues from here." } }
                @else {
                    (layout::table(Some("moves"), &MOVES, &html! {
                        @for (played, row) in &self.shown {
                            tr {
                                td { a href=(self.after(*played, row)) data-swap="" { (row.played) } }
                                td.number { (layout::number(row.results.games)) }
                                td { (results_bar(&row.results)) }
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

    fn below(&self, boards: Option<&BoardTables>) -> Markup {
        let fen = position_string::to_string(&self.table.position.to_setup());
        let rules = self.table.rules.name();
        let looks = self.params.just(&LOOKING);
        let question = self.params.just(&OPENINGS);
        html! {
            p.downloads {
                a href=(looks.link("/search", &[("rules", rules), ("position", &fen)])) { "All games with this position" }
                @if self.table.rules.family() == Family::Stair && boards.is_none() {
                    " " a href=(self.params.link(HERE, &[("boards", "1")])) data-swap="" data-key="boards" { "Tables of boards and layouts" }
                }
                " " a href=(question.link("/download/openings.csv", &[("boards", ""), ("layouts", "")])) download="" { "CSV" }
                " " a href=(looks.link("/board.svg", &[("rules", rules), ("fen", &fen)])) download="" { "Picture (SVG)" }
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
    html! {
        td.number { (layout::number(results.games)) }
        td.number { (layout::number(results.white)) }
        td.number { (layout::number(results.draws)) }
        td.number { (layout::number(results.black)) }
        td.number {
            @if let Some(score) = results.score() { (format!("{:.1} %", score * 100.0)) @if results.is_small() { " (few)" } }
            @else { "-" }
        }
    }
}

/// Where the attack boards go first, and which layouts come about.
fn board_tables(tables: &BoardTables) -> Markup {
    let wide = |name: &str, columns: &[&str], rows: &Markup| {
        html! {
            h2 { (name) }
            div.wide tabindex="0" role="region" aria-label=(name) { (layout::table(None, &[columns, &RESULTS].concat(), rows)) }
        }
    };
    let first = html! { @for row in &tables.first {
        tr { td { (row.board) } td { (row.from) } td { (row.to) } (result_cells(&row.results)) }
    } };
    let layouts = html! { @for row in tables.layouts.iter().take(LAYOUTS) {
        tr { td { (row.layout) } (result_cells(&row.results)) }
    } };
    html! {
        section {
            (wide("First moves of the attack boards", &["Board", "From", "To"], &first))
            (wide("Layouts of the attack boards", &["Layout"], &layouts))
            @if tables.layouts.len() > LAYOUTS { p { (LAYOUTS) " of " (tables.layouts.len()) " layouts are shown." } }
        }
    }
}

/// Which games count.
fn filter(params: &Params) -> Markup {
    let kept = params.just(&[
        "rules", "moves", "fen", "position", "view", "turned", "to", "notation",
    ]);
    let text = |name: &str, label: &str| {
        let id = format!("o-{name}");
        html! {
            div.field {
                label for=(id) { (label) }
                input type="text" id=(id) name=(name) value=[params.get(name)] autocomplete="off" spellcheck="false";
            }
        }
    };
    html! {
        form.search action=(HERE) method="get" {
            (layout::hidden(kept.pairs()))
            details open[["player", "event", "date", "query"].iter().any(|name| params.get(name).is_some())] {
                summary { "Count only some games" }
                fieldset {
                legend.unseen { "Count only these games" }
                (text("player", "Player"))
                (text("event", "Event"))
                (text("date", "Date"))
                (text("query", "Query"))
                p.field { button type="submit" { "Count" } }
                }
            }
        }
    }
}
