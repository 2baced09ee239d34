//! The page of a game, on which readers play through its moves.

use super::{game_list, numbers, shell};
use crate::board;
use crate::fault::Fault;
use crate::model::{self, Count};
use crate::params::{Params, SEARCH, SEARCH_MORE, VIEW, WRITING};
use crate::reply::{JSON, Reply};
use crate::site::Request;
use maud::{Markup, PreEscaped, html};
use tridex_index::{HitRow, IndexedGame};
use tridex_notation::{Notation, position_string};
use tridex_page::{OutputStyle, PageGame, PlayerOptions, linked_moves, viewer_data};
use tridex_picture::View;
use tridex_replay::{Options, replay_with};

/// `/game/{id}`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let shown = Shown::read(request)?;
    let (params, game) = (shown.params, &shown.game);
    let line = shown.at.line.map(|line| line as u32);
    let (position, marks) = board::position_in(game, line, shown.at.ply as u32)?;
    let (played, before) = shown.replayed.move_to(shown.at.line, shown.at.ply).unzip();
    let [white, black] = ["White", "Black"].map(|name| game.entry.tag(name));
    let title = game.title();
    let setup = position.to_setup();
    let fen = position_string::to_string(&setup);
    let rules = game.entry.rules.name();
    let view = params.just(&VIEW);
    let viewer = params.without(&LIST);
    let viewer = viewer.link(&format!("/viewer/{:016x}", game.id), &[]);
    let around = around(request)?;
    let content = html! {
        h1 {
            @if white.or(black).is_none() { (title) }
            @else { (game_list::player(white.unwrap_or("?"))) " \u{2013} " (game_list::player(black.unwrap_or("?"))) }
        }
        @if shown.at.found.len() > 1 || around.is_some() {
            div.matches {
                @if shown.at.found.len() > 1 { span { "Found at " (game_list::plies(&shown.at.found, |ply| shown.link(None, ply))) } }
                @if let Some(around) = &around { (around) }
            }
        }
        // The script begins with the view that the links select for readers without script.
        div data-viewer=(viewer) data-stand[params.view() == View::Stand] data-turned[!params.side().is_white()] {
            div.play {
                div {
                    (board::drawn(game.entry.rules, &setup, params, marks, &[]))
                    p.now { b { (played.as_deref().unwrap_or("Start position")) } }
                    (shown.steps(before))
                    (board::view_links(params, |changes| params.link(&shown.path(), changes)))
                    p { (shown.notations()) }
                }
                (shown.moves())
            }
        }
        (about(game))
        p.downloads {
            @for (path, label) in [
                ("/search", "Games with this position"),
                ("/openings", "What is played here"),
                ("/setup", "Change this position"),
            ] {
                a href=(view.link(path, &[("rules", rules), ("position", &fen)])) data-position="" { (label) } " "
            }
        }
        p.downloads {
            "Download:"
            @let id = format!("id:{:016x}", game.id);
            @for (path, name) in [("/download/games.pgn", "PGN"), ("/download/games.ndjson", "NDJSON")] {
                " " a href=(params.just(&WRITING).link(path, &[("query", &id)])) download="" { (name) }
            }
            " " a href=(view.link("/board.svg", &[("rules", rules), ("position", &fen)])) data-position="" download="" { "Picture (SVG)" }
            " " a href=(view.link(&format!("/embed/{:016x}", game.id), &[])) { "Board alone, to embed" }
            " " a href=(format!("/api/v1/games/{:016x}", game.id)) { "JSON" }
        }
    };
    let picture = format!(
        "{}/picture/{:016x}.png?ply={}",
        request.origin, game.id, shown.at.ply
    );
    let about = format!("{title}, {rules}");
    Ok(shell::untitled_with(
        request,
        &title,
        &shell::preview(&title, &about, &picture),
        &content,
    ))
}

/// The parameters for the list of results that a game is in: the query of the list, and the number of the game there, from 0.
const LIST: [&str; 2] = ["list", "nth"];

/// Links to the games before and after this one in the list of results that the address names.
fn around(request: &Request) -> Result<Option<Markup>, Fault> {
    let params = &request.params;
    let (Some(list), Some(nth)) = (params.get("list"), params.number::<u64>("nth")?) else {
        return Ok(None);
    };
    let asked = Params::read(Some(list));
    asked.only(&[&SEARCH, &SEARCH_MORE])?;
    let first = nth.saturating_sub(1);
    let found = asked.with("offset", &first.to_string());
    let found = model::found_by(request, &found, 3, Count::Nothing)?;
    let view = params.just(&VIEW);
    let neighbour = |number: Option<u64>| -> Result<Option<String>, Fault> {
        let Some(number) = number else {
            return Ok(None);
        };
        let hit = usize::try_from(number.saturating_sub(first)).ok();
        let Some(hit) = hit.and_then(|hit| found.hits.get(hit)) else {
            return Ok(None);
        };
        let Some(game) = model::sound(request.index.summary(hit.id))? else {
            return Ok(None);
        };
        let row = HitRow::new(hit, game);
        let view = view.with("list", list).with("nth", &number.to_string());
        Ok(Some(game_list::address_at(&row, row.ply, &view)))
    };
    let (before, after) = (
        neighbour(nth.checked_sub(1))?,
        neighbour(nth.checked_add(1))?,
    );
    Ok(Some(html! {
        nav.around aria-label="Games found" {
            @if let Some(before) = before { a rel="prev" href=(before) { "Previous game" } " " }
            a href=(asked.link("/search", &[])) { "Game " (numbers::number(nth.saturating_add(1))) " of the games found" }
            @if let Some(after) = after { " " a rel="next" href=(after) { "Next game" } }
        }
    }))
}

/// `/embed/{id}`: a game alone, for a frame of another page.
pub(crate) fn embed(request: &Request) -> Result<Reply, Fault> {
    let shown = Shown::read(request)?;
    let (params, game) = (shown.params, &shown.game);
    let line = shown.at.line.map(|line| line as u32);
    let (position, marks) = board::position_in(game, line, shown.at.ply as u32)?;
    let title = game.title();
    let viewer = params.link(&format!("/viewer/{:016x}", game.id), &[]);
    let content = html! {
        div data-viewer=(viewer) data-stand[params.view() == View::Stand] data-turned[!params.side().is_white()] {
            (board::drawn(game.entry.rules, &position.to_setup(), params, marks, &[]))
        }
        p.source { a href=(shown.path()) target="_blank" { (title) } }
    };
    Ok(shell::embedded(request, &title, &content))
}

/// `/viewer/{id}`: the data of a game for the game viewer.
pub(crate) fn viewer(request: &Request) -> Result<Reply, Fault> {
    let shown = Shown::read(request)?;
    let data = viewer_data(&shown.replayed, &shown.at);
    Ok(Reply::whole(JSON, data))
}

/// `/viewer/line`: the same for moves that a reader tries out from a position.
pub(crate) fn line(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["rules", "position", "moves"], &VIEW, &WRITING])?;
    let start = model::position(params)?;
    let moves = params.get("moves").unwrap_or_default();
    let moves = tridex_notation::read_moves(&start, moves);
    let moves = moves.map_err(|fault| Fault::asked(fault.to_string()))?;
    let notation = params.notation(start.rules())?;
    let line = PageGame::of_line(&start, &moves, OutputStyle::of(notation))?;
    let data = viewer_data(&line, &PlayerOptions::default());
    Ok(Reply::whole(JSON, data))
}

/// The facts about a game.
fn about(game: &IndexedGame) -> Markup {
    let entry = &game.entry;
    html! {
        dl.about {
            div { dt { "Result" } dd { (entry.result.as_str()) } }
            div { dt { "Rules" } dd { (entry.rules.name()) } }
            @if let Some(opening) = &game.opening { div { dt { "Opening" } dd { (opening) } } }
            @for (name, value) in entry.tags.iter().filter(|(name, value)| {
                !matches!(name.as_str(), "White" | "Black") && value != "?" && value != "????.??.??"
            }) {
                div { dt { (name) } dd { (value) } }
            }
            div { dt { "Source" } dd { (game.source) ":" (entry.number) } }
        }
    }
}

/// A game, and the ply of it that is shown.
struct Shown<'a> {
    params: &'a Params,
    game: IndexedGame,
    notation: Notation,
    /// The game as pages show it.
    replayed: PageGame,
    at: PlayerOptions,
}

impl<'a> Shown<'a> {
    fn read(request: &'a Request) -> Result<Self, Fault> {
        let params = &request.params;
        params.only(&[&["ply", "line", "found"], &LIST, &VIEW, &WRITING])?;
        let game = model::game(request, &request.name)?;
        let numbers = |value: &str| {
            let numbers = value.split_whitespace().map(str::parse);
            numbers.collect::<Result<_, _>>().ok()
        };
        let found = params.read_as("found", "numbers with blanks between them", numbers)?;
        let notation = params.notation(game.entry.rules)?;
        let line = params.number::<u32>("line")?.map(|line| line as usize);
        let at = PlayerOptions::default()
            .line(line)
            .ply(params.number::<u32>("ply")?.unwrap_or(0) as usize)
            .found(found.unwrap_or_default());
        let record = game.record(notation, None)?;
        let replayed = replay_with(&record, &Options::default(), |played| {
            PageGame::new(played, OutputStyle::of(notation))
        })?;
        Ok(Self {
            params,
            game,
            notation,
            replayed,
            at,
        })
    }

    fn path(&self) -> String {
        format!("/game/{:016x}", self.game.id)
    }

    /// Links to the other notations of the board.
    fn notations(&self) -> Markup {
        let family = self.game.entry.rules.family();
        let is_other = |other: &Notation| other.family() == family && *other != self.notation;
        html! {
            @for notation in Notation::ALL.into_iter().filter(is_other) {
                a href=(self.params.link(&self.path(), &[("to", notation.name())])) data-swap="" {
                    "Moves in the " (notation.name()) " notation"
                }
            }
        }
    }

    /// The address of a ply of a line.
    fn link(&self, line: Option<usize>, ply: usize) -> String {
        let line = line.map(|line| line.to_string()).unwrap_or_default();
        let changes = [("line", line.as_str()), ("ply", &ply.to_string())];
        self.params.link(&self.path(), &changes)
    }

    /// Links to the start, one move back, one move forward, and to the end of the line. Back from the first move of a
    /// variation is the line that the variation leaves.
    fn steps(&self, before: Option<(Option<usize>, usize)>) -> Markup {
        let (line, ply) = (self.at.line, self.at.ply);
        let plies = self.replayed.length(line);
        let after = (ply < plies).then_some((line, ply + 1));
        let steps = [
            (before.map(|_| (None, 0)), "first", None, "Start"),
            (before, "prev", Some("prev"), "Back"),
            (after, "next", Some("next"), "Forward"),
            (after.map(|_| (line, plies)), "last", None, "End"),
        ];
        html! {
            nav.steps aria-label="Moves" {
                @for (place, key, rel, name) in steps {
                    @if let Some((line, ply)) = place { a href=(self.link(line, ply)) data-swap="" data-key=(key) rel=[rel] { (name) } }
                    @else { span { (name) } }
                }
            }
        }
    }

    /// The moves, each a link to the position after it.
    fn moves(&self) -> Markup {
        let moves = linked_moves(&self.replayed, |line, ply, word| {
            let is_now = (self.at.line, self.at.ply) == (line, ply);
            let is_found = line.is_none() && self.at.found.contains(&ply);
            let link = html! {
                a href=(self.link(line, ply)) aria-current=[is_now.then_some("true")] class=[is_found.then_some("tx-found")] {
                    (PreEscaped(word))
                    @if is_found { span.tx-unseen { " (found here)" } }
                }
            };
            link.into_string()
        });
        html! {
            section.score aria-label="Moves of the game" {
                p { a href=(self.link(None, 0)) aria-current=[(self.at.ply == 0).then_some("true")] { "Start" } }
                (PreEscaped(moves))
            }
        }
    }
}
