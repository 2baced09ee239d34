//! What is played from a position, walked by touching the board.

use super::layout;
use crate::board::{self, Drawn, Spot, SpotLink};
use crate::charts;
use crate::fault::Fault;
use crate::model::Table;
use crate::params::{LOOKING, OPENINGS, Params, WRITING};
use crate::reply::Reply;
use crate::site::{Request, Site};
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tridex_geometry::Family;
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_index::{
    BoardTables, FirstBoardRow, HitRow, IndexError, OpeningRow, PositionQuery, ReachedRow,
    ResultCounts, Sameness, SearchOptions,
};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::{WriteOptions, position_string};
use tridex_picture::{Ink, Marks};
use tridex_rules::{Move, Position, RuleSystem};

/// How many layouts are listed.
const LAYOUTS: usize = 30;

/// What the parts of a bar of results are.
const RESULTS: [&str; 3] = ["White won", "drawn", "Black won"];

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
            let mut reply = layout::reply(request, "Openings", HERE, &content);
            reply.status = fault.status;
            return Ok(reply);
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
                    (board::looks(params.look(), |changes| params.link("/openings", changes)))
                }
                (drawn.markup())
            }
            div.continuations {
                p.status role="status" {
                    b { (layout::number(table.total.games)) @if table.total.games == 1 { " game reaches" } @else { " games reach" } " this position" }
                    @if let Some(name) = name { ": " strong { (name) } }
                    (seen.words(table.total.last_year))
                }
                (charts::bar(RESULTS, [table.total.white, table.total.draws, table.total.black]))
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
            let game = match request.index.summary(hit.id) {
                Ok(game) => game,
                Err(IndexError::Damaged { .. }) => continue,
                Err(fault) => return Err(fault.into()),
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
    let kept = params.just(&LOOKING);
    html! {
        @if now.is_none() { h1 { "Openings" } p { "Choose a rule system." } }
        nav.choice aria-label="Rules" {
            @for rules in RuleSystem::ALL {
                a href=(kept.link("/openings", &[("rules", rules.name())])) data-swap="" data-key=(rules.name())
                    aria-current=[(Some(*rules) == now).then_some("true")] { (rules.name()) }
            }
        }
    }
}

/// Where a move begins on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Origin {
    Square(u8),
    Board(AttackBoard),
}

impl Origin {
    /// Where a move begins: castling on the king's square.
    fn of(position: &Position, played: Move) -> Self {
        match played {
            Move::Piece { from, .. } | Move::EnPassant { from, .. } => {
                Self::Square(from.index() as u8)
            }
            Move::Castle(_) => Self::Square(position.king(position.turn()).index() as u8),
            Move::Board { board, .. } => Self::Board(board),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Square(square) => format!("s{square}"),
            Self::Board(board) => manual_board(board).to_owned(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if let Some(number) = text.strip_prefix('s') {
            return number.parse().ok().map(Self::Square);
        }
        let mut boards = AttackBoard::ALL.into_iter();
        boards
            .find(|board| manual_board(*board) == text)
            .map(Self::Board)
    }
}

/// The position in the tree, with what can be done from it.
struct Walk<'a> {
    params: &'a Params,
    table: &'a Table,
    /// Where the move begins that is being chosen.
    from: Option<Origin>,
    /// The moves and their rows that are shown: all, or those from there.
    shown: Vec<(Move, &'a OpeningRow)>,
}

impl<'a> Walk<'a> {
    fn new(params: &'a Params, table: &'a Table) -> Result<Self, Fault> {
        let from = params.read_as("from", "a board or a square", Origin::read)?;
        let all = table.moves.iter().map(|row| row.played).zip(&table.rows);
        let is_from =
            |origin| move |(played, _): &(Move, _)| Origin::of(&table.position, *played) == origin;
        let shown: Vec<(Move, &OpeningRow)> = match from {
            Some(origin) => all.clone().filter(is_from(origin)).collect(),
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
            return self.params.link(
                "/openings",
                &[("fen", &row.fen), ("position", ""), ("from", "")],
            );
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
        self.params
            .link("/openings", &[("moves", &moves), ("from", "")])
    }

    fn choose(&self, origin: Origin) -> String {
        let name = origin.name();
        let is_chosen = self.from == Some(origin);
        self.params
            .link("/openings", &[("from", if is_chosen { "" } else { &name })])
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
        let name = |square| board::square_name(self.table.rules, setup, square);
        let mut links: BTreeMap<String, SpotLink> = BTreeMap::new();
        let mut origins: Vec<Origin> = self
            .table
            .moves
            .iter()
            .map(|row| Origin::of(&self.table.position, row.played))
            .collect();
        origins.sort_unstable();
        origins.dedup();
        for origin in origins {
            let spot = match origin {
                Origin::Square(square) => {
                    tridex_geometry::Square::try_new(square).map(Spot::Square)
                }
                Origin::Board(board) => Some(Spot::Board(board)),
            };
            let Some(spot) = spot else {
                continue;
            };
            let label = match spot {
                Spot::Square(square) => format!("moves from {}", name(square)),
                Spot::Board(board) => format!("moves of the board {}", manual_board(board)),
                Spot::Pin(..) => continue,
            };
            let address = self.choose(origin);
            links.insert(
                origin.name(),
                SpotLink {
                    spot,
                    address,
                    label,
                    lift: Some(self.params.link("/openings", &[("from", &origin.name())])),
                },
            );
        }
        if self.from.is_some() {
            let mut ends: BTreeMap<String, Vec<(Spot, Move, &OpeningRow)>> = BTreeMap::new();
            for (played, row) in &self.shown {
                if let Some(spot) = self.target(*played) {
                    let key = match spot {
                        Spot::Square(square) => format!("s{}", square.index()),
                        Spot::Board(board) => manual_board(board).to_owned(),
                        Spot::Pin(_, pin) => format!("p{}", pin_in_strings(pin)),
                    };
                    ends.entry(key).or_default().push((spot, *played, row));
                }
            }
            for (key, moves) in ends {
                // Where several moves end - promotions, turned boards - the one that was played most is meant; the others
                // are in the table.
                if let Some((spot, played, row)) = moves.first() {
                    let link = SpotLink {
                        spot: *spot,
                        address: self.after(*played, row),
                        label: row.played.clone(),
                        lift: None,
                    };
                    links.insert(key, link);
                }
            }
        }
        links.into_values().collect()
    }

    fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        let from = match self.from {
            Some(Origin::Square(square)) => tridex_geometry::Square::try_new(square)
                .into_iter()
                .collect(),
            Some(Origin::Board(board)) => board.squares().into_iter().collect(),
            None => Vec::new(),
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
                Some(Spot::Pin(board, pin)) => {
                    let there: (AttackBoard, Pin) = (board, pin);
                    if !marks.pins.contains(&there) {
                        marks.pins.push(there);
                    }
                }
                _ => {}
            }
        }
        marks
    }

    /// The moves that led here, each a link back.
    fn path(&self) -> Result<Markup, Fault> {
        let start = self.params.link(
            "/openings",
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
                    self.params
                        .link("/openings", &[("moves", &line), ("from", "")]),
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
                    p { a href=(self.params.link("/openings", &[("from", "")])) data-swap="" data-key="all" { "All moves" } }
                }
                @if self.shown.is_empty() { p { "No game continues from here." } }
                @else {
                    table.moves {
                        thead { tr {
                            th scope="col" { "Move" } th scope="col" { "Games" } th scope="col" { "White, drawn, Black" }
                            th scope="col" { "Rating" } th scope="col" { "Last" } th scope="col" { "Name" }
                        } }
                        tbody {
                            @for (played, row) in &self.shown {
                                tr {
                                    td { a href=(self.after(*played, row)) data-swap="" { (row.played) } }
                                    td.number { (layout::number(row.results.games)) }
                                    td { (charts::bar(RESULTS, [row.results.white, row.results.draws, row.results.black])) }
                                    td.number { @if let Some(rating) = row.results.average_rating() { (rating) } }
                                    td.number { @if let Some(year) = row.results.last_year { (year) } }
                                    td { (row.name.as_deref().unwrap_or_default()) }
                                }
                            }
                        }
                    }
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
                    " " a href=(self.params.link("/openings", &[("boards", "1")])) data-swap="" data-key="boards" { "Tables of boards and layouts" }
                }
                " " a href=(question.link("/download/openings.csv", &[("boards", ""), ("layouts", "")])) download="" { "CSV" }
                " " a href=(looks.link("/board.svg", &[("rules", rules), ("fen", &fen)])) download="" { "Picture (SVG)" }
                " " a href=(question.link("/api/v1/openings", &[])) { "JSON" }
            }
        }
    }
}

fn results_heading() -> Markup {
    html! {
        th scope="col" { "Games" }
        th scope="col" { "White won" }
        th scope="col" { "Drawn" }
        th scope="col" { "Black won" }
        th scope="col" { "White's score" }
    }
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
    html! {
        section {
            h2 { "First moves of the attack boards" }
            div.wide tabindex="0" role="region" aria-label="First moves of the attack boards" { table {
                thead { tr {
                    th scope="col" { "Board" } th scope="col" { "From" } th scope="col" { "To" } (results_heading())
                } }
                tbody { @for row in tables.first.iter().map(FirstBoardRow::new) {
                    tr { td { (row.board) } td { (row.from) } td { (row.to) } (result_cells(&row.results)) }
                } }
            } }
            h2 { "Layouts of the attack boards" }
            div.wide tabindex="0" role="region" aria-label="Layouts of the attack boards" { table {
                thead { tr { th scope="col" { "Layout" } (results_heading()) } }
                tbody { @for row in tables.layouts.iter().take(LAYOUTS).map(ReachedRow::new) {
                    tr { td { (row.layout) } (result_cells(&row.results)) }
                } }
            } }
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
        form.search action="/openings" method="get" {
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
