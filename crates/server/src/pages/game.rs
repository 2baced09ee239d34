//! A game, played through.

use super::layout;
use crate::board;
use crate::fault::Fault;
use crate::model;
use crate::params::{LOOKING, Params, WRITING};
use crate::reply::{JSON, Reply};
use crate::site::Request;
use maud::{Markup, PreEscaped, html};
use tridex_index::IndexedGame;
use tridex_notation::{Notation, position_string};
use tridex_page::{MoveLink, PageGame, PlayerOptions, Wording, linked_moves, viewer_data};
use tridex_replay::{Options, replay_with};

/// `/game/{id}`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let shown = Shown::read(request)?;
    let (params, game) = (shown.params, &shown.game);
    let plies = shown.length()?;
    let (position, marks) = board::position_in(game, shown.line, shown.ply)?;
    let [white, black] = ["White", "Black"].map(|name| game.entry.tag(name).unwrap_or("?"));
    let title = format!("{white} - {black}");
    let setup = position.to_setup();
    let fen = position_string::to_string(&setup);
    let rules = game.entry.rules.name();
    let looks = params.just(&LOOKING);
    let viewer = params.link(&format!("/viewer/{:016x}", game.id), &[]);
    let content = html! {
        h1 { (layout::player(white)) " \u{2013} " (layout::player(black)) }
        @if shown.found.len() > 1 {
            p.matches { "Found at " (layout::plies(&shown.found, |ply| shown.at(None, ply))) }
        }
        div data-viewer=(viewer) {
            div.play {
                div {
                    (board::drawn(game.entry.rules, &setup, params, marks, &[]))
                    p.now { b { (shown.last_move()?) } }
                    (shown.steps(plies))
                    (board::looks(params, |changes| params.link(&shown.path(), changes)))
                    p { (shown.notations()) }
                }
                (shown.moves(&shown.replayed()?))
            }
        }
        (about(game))
        p.downloads {
            @for (path, name, label) in [
                ("/search", "position", "Games with this position"),
                ("/openings", "fen", "What is played here"),
                ("/setup", "position", "Change this position"),
            ] {
                a href=(looks.link(path, &[("rules", rules), (name, &fen)])) data-position=(name) { (label) } " "
            }
        }
        p.downloads {
            "Download:"
            @let id = format!("id:{:016x}", game.id);
            @for (path, name) in [("/download/games.pgn", "PGN"), ("/download/games.ndjson", "NDJSON")] {
                " " a href=(params.just(&WRITING).link(path, &[("query", &id)])) download="" { (name) }
            }
            " " a href=(looks.link("/board.svg", &[("rules", rules), ("fen", &fen)])) data-position="fen" download="" { "Picture (SVG)" }
            " " a href=(format!("/api/v1/games/{:016x}", game.id)) { "JSON" }
        }
    };
    Ok(layout::reply(request, &title, None, &content))
}

/// `/viewer/{id}`: what the viewer of games is shown.
pub(crate) fn viewer(request: &Request) -> Result<Reply, Fault> {
    let shown = Shown::read(request)?;
    let options = PlayerOptions {
        line: shown.line.map(|line| line as usize),
        ply: shown.ply as usize,
        found: shown.found.iter().map(|ply| *ply as usize).collect(),
        ..PlayerOptions::default()
    };
    let data = viewer_data(&shown.replayed()?, &options);
    Ok(Reply::whole(JSON, data))
}

/// `/viewer/line`: the same for moves that a reader tries out from a position.
pub(crate) fn line(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["rules", "fen", "position", "moves"], &LOOKING, &WRITING])?;
    let start = model::position(request)?;
    let moves = params.get("moves").unwrap_or_default();
    let moves = tridex_notation::read_moves(&start, moves);
    let moves = moves.map_err(|fault| Fault::asked(fault.to_string()))?;
    let notation = params.notation(start.rules())?;
    let line = PageGame::of_line(&start, &moves, Wording::of(notation))?;
    let data = viewer_data(&line, &PlayerOptions::default());
    Ok(Reply::whole(JSON, data))
}

/// What is known of a game.
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

/// The place of a game that is shown.
struct Shown<'a> {
    params: &'a Params,
    game: IndexedGame,
    notation: Notation,
    line: Option<u32>,
    ply: u32,
    /// The plies of the main line that match a query.
    found: Vec<u32>,
}

impl<'a> Shown<'a> {
    fn read(request: &'a Request) -> Result<Self, Fault> {
        let params = &request.params;
        params.only(&[&["ply", "line", "found"], &LOOKING, &WRITING])?;
        let game = model::game(request, &request.name)?;
        let numbers = |value: &str| {
            let numbers = value.split_whitespace().map(str::parse);
            numbers.collect::<Result<_, _>>().ok()
        };
        let found = params.read_as("found", "numbers with blanks between them", numbers)?;
        Ok(Self {
            params,
            notation: params.notation(game.entry.rules)?,
            game,
            line: params.number("line")?,
            ply: params.number("ply")?.unwrap_or(0),
            found: found.unwrap_or_default(),
        })
    }

    fn path(&self) -> String {
        format!("/game/{:016x}", self.game.id)
    }

    /// The game as pages show it.
    fn replayed(&self) -> Result<PageGame, Fault> {
        let record = self.game.record(self.notation, None)?;
        let shown = replay_with(&record, &Options::default(), |played| {
            PageGame::new(played, Wording::of(self.notation))
        });
        Ok(shown?)
    }

    /// How many plies the line has, counted from the start of the game.
    fn length(&self) -> Result<u32, Fault> {
        let entry = &self.game.entry;
        let Some(line) = self.line else {
            return Ok(entry.moves.len() as u32);
        };
        let line = entry.variations.get(line as usize);
        let length = line.map(|line| line.ply + line.moves.len() as u32);
        length.ok_or_else(Fault::not_found)
    }

    /// Links to the other notations of the board.
    fn notations(&self) -> Markup {
        let family = self.game.entry.rules.family();
        let is_other = |other: &Notation| other.family() == family && *other != self.notation;
        html! {
            @for notation in Notation::ALL.into_iter().filter(is_other) {
                a href=(self.params.link(&self.path(), &[("to", notation.name()), ("notation", "")])) data-swap="" {
                    "Moves in the notation " (notation.name())
                }
            }
        }
    }

    /// The address of a place.
    fn at(&self, line: Option<u32>, ply: u32) -> String {
        let line = line.map(|line| line.to_string()).unwrap_or_default();
        let changes = [("line", line.as_str()), ("ply", &ply.to_string())];
        self.params.link(&self.path(), &changes)
    }

    /// The move that led to the place, with its number.
    fn last_move(&self) -> Result<String, Fault> {
        let moves = self.game.line_to(self.line, self.ply).unwrap_or_default();
        let (Some(played), Some(ply)) = (moves.last(), self.ply.checked_sub(1)) else {
            return Ok("Start position".to_owned());
        };
        let (before, _) = board::position_in(&self.game, self.line, ply)?;
        let dots = if before.turn().is_white() { "." } else { "..." };
        let played = model::written(self.notation, &before, *played)?;
        Ok(format!("{}{dots} {played}", before.fullmoves()))
    }

    /// Links one move on and back, and to both ends of the line.
    fn steps(&self, plies: u32) -> Markup {
        // Before the first move of a variation is the line it leaves.
        let before = self.ply.checked_sub(1).map(|ply| {
            let mut line = self.line;
            while let Some(variation) =
                line.and_then(|line| self.game.entry.variations.get(line as usize))
                && ply <= variation.ply
            {
                line = variation.parent;
            }
            (line, ply)
        });
        let after = (self.ply < plies).then(|| (self.line, self.ply + 1));
        let steps = [
            (before.map(|_| (None, 0)), "first", None, "Start"),
            (before, "prev", Some("prev"), "Back"),
            (after, "next", Some("next"), "Forward"),
            (after.map(|_| (self.line, plies)), "last", None, "End"),
        ];
        html! {
            nav.steps aria-label="Moves" {
                @for (place, key, rel, name) in steps {
                    @if let Some((line, ply)) = place { a href=(self.at(line, ply)) data-swap="" data-key=(key) rel=[rel] { (name) } }
                    @else { span { (name) } }
                }
            }
        }
    }

    /// The moves, each a link to the position after it.
    fn moves(&self, shown: &PageGame) -> Markup {
        let moves = linked_moves(shown, |line, ply| {
            let (line, ply) = (line.map(|line| line as u32), ply as u32);
            MoveLink {
                address: self.at(line, ply),
                is_now: (self.line, self.ply) == (line, ply),
                is_found: line.is_none() && self.found.contains(&ply),
            }
        });
        html! {
            section.score aria-label="Moves of the game" {
                p { a href=(self.at(None, 0)) aria-current=[(self.ply == 0).then_some("true")] { "Start" } }
                (PreEscaped(moves))
            }
        }
    }
}
