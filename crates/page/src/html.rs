//! The markup.

use crate::SCRIPT;
use crate::data::{data, room};
use crate::game::{PageGame, Piece, labels};
use crate::scenery::Scenery;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use tridex_picture::{Arrangement, PictureOptions, Theme, View, escape, men_of_a_page, svg};

/// The style of what [`player`] makes, and that of a page of its own.
const PLAYER_STYLE: &str = include_str!("player.css");
const PAGE_STYLE: &str = include_str!("page.css");

/// How many games a page holds at most: more are no page that anybody reads, and browsers grow slow.
pub const GAMES: usize = 1000;

/// Variations that stand deeper in others than this are set off by brackets alone: nobody could tell such margins apart, and
/// browsers give up at some hundred elements in each other.
const DEEPEST: usize = 24;

/// Up to so many games a picture of the last position stands with each, for readers without script.
const PICTURED: usize = 12;

/// The style sheet of [`player`]: its classes begin with `tx-`, and the colours of pictures
/// ([`Theme::Page`](tridex_picture::Theme::Page)) are declared for light and dark pages, as the reader's system wishes, or
/// as the attribute `data-theme` of the root says (`light`, `dark`).
#[must_use]
pub fn style() -> String {
    PLAYER_STYLE
        .replace("LIGHT", &Theme::Light.css())
        .replace("DARK", &Theme::Dark.css())
}

/// Choices for [`player`].
#[derive(Clone, Debug, Default)]
pub struct PlayerOptions {
    /// The ply of the main line that is shown first; beyond its end the last.
    pub ply: usize,
    /// Plies of the main line at which something was found: they are marked among the moves.
    pub found: Vec<usize>,
    /// Leave out the picture of the last position, for readers without script.
    pub no_picture: bool,
}

/// Markup that plays through one game, for a page that has [`SCRIPT`] and [`style`], and no other game: a board with its
/// buttons, the moves, and what the script needs to know in an element that no browser runs.
#[must_use]
pub fn player(game: &PageGame, options: &PlayerOptions) -> String {
    let mut out = String::from("<div class=\"tx-player\">\n");
    // Writing to a text does not fail.
    let _ = men(&mut out);
    let _ = stage(&mut out);
    let _ = article(1, game, options, &mut Scenery::default(), &mut out);
    out.push_str("</div>\n");
    out
}

/// The page holds as many games as it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a page holds at most {GAMES} games")
    }
}

impl std::error::Error for Full {}

/// Writes a page, game after game; nothing of a game is kept.
#[derive(Debug)]
pub struct PageWriter<W: Write> {
    out: W,
    scenery: Scenery,
    games: usize,
}

impl<W: Write> PageWriter<W> {
    /// Begins a page.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn new(mut out: W, title: &str) -> io::Result<Self> {
        let style = format!("{}{PAGE_STYLE}", style());
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            hash(SCRIPT),
            hash(&style)
        );
        let mut head = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{0}</title>\n<style>{style}</style>\n</head>\n<body class=\"tx-page\">\n<main>\n<h1>{0}</h1>\n\
             <div class=\"tx-player\">\n",
            text(title)
        );
        // Writing to a text does not fail.
        let _ = men(&mut head);
        let _ = stage(&mut head);
        out.write_all(head.as_bytes())?;
        Ok(Self {
            out,
            scenery: Scenery::default(),
            games: 0,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the page is [`Full`] already, as [`io::ErrorKind::Other`], or cannot be written to.
    pub fn add(&mut self, game: &PageGame) -> io::Result<()> {
        if self.games >= GAMES {
            return Err(io::Error::other(Full));
        }
        self.games += 1;
        let options = PlayerOptions {
            no_picture: self.games > PICTURED,
            ..PlayerOptions::default()
        };
        let mut out = String::new();
        // Writing to a text does not fail.
        let _ = article(self.games, game, &options, &mut self.scenery, &mut out);
        self.out.write_all(out.as_bytes())
    }

    /// How many games it has.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Ends the page, and gives the writer back.
    ///
    /// # Errors
    /// If it cannot be written to.
    pub fn finish(mut self) -> io::Result<W> {
        let empty = if self.games == 0 {
            "<p>There is no game on this page.</p>\n"
        } else {
            ""
        };
        write!(
            self.out,
            "</div>\n{empty}</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )?;
        Ok(self.out)
    }
}

/// How a Content-Security-Policy names an inline script or style.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

fn text(said: &str) -> String {
    let mut out = String::new();
    escape(said, &mut out);
    out
}

/// The men, once for the page.
fn men(out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<svg class=\"tx-parts\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\">{}</svg>",
        men_of_a_page()
    )
}

/// The board that the script draws on, and its buttons; without script there is none.
fn stage(out: &mut String) -> fmt::Result {
    let button = |class: &str, name: &str, path: &str| {
        format!(
            "<button type=\"button\" class=\"tx-{class}\" aria-label=\"{name}\" title=\"{name}\">\
             <svg viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\"><path d=\"{path}\"/></svg></button>\n"
        )
    };
    writeln!(
        out,
        "<section class=\"tx-stage\" aria-label=\"Board\" hidden=\"\">\n\
         <svg class=\"tx-board\" role=\"img\" aria-labelledby=\"tx-title tx-desc\">\
         <title id=\"tx-title\">Board</title><desc id=\"tx-desc\"></desc>\
         <g class=\"tx-boards\"></g><g class=\"tx-under\"></g><g class=\"tx-men\"></g><g class=\"tx-over\"></g></svg>\n\
         <p class=\"tx-now\" role=\"status\"></p>\n<div class=\"tx-bar\" role=\"group\" aria-label=\"Moves\">\n\
         {}{}{}{}</div>\n\
         <div class=\"tx-bar\" role=\"group\" aria-label=\"View\">\n\
         <button type=\"button\" class=\"tx-view\" aria-pressed=\"false\">Stand</button>\n\
         <button type=\"button\" class=\"tx-flip\" aria-pressed=\"false\">Turn</button>\n\
         <button type=\"button\" class=\"tx-dark\" aria-pressed=\"false\">Dark</button>\n\
         <label class=\"tx-pick\">Notation <select class=\"tx-notation\"></select></label>\n\
         <label class=\"tx-pick\" hidden=\"\">Game <select class=\"tx-games\"></select></label>\n</div>\n\
         <p class=\"tx-keys\"><kbd>\u{2190}</kbd> <kbd>\u{2192}</kbd> moves, <kbd>\u{2191}</kbd> <kbd>\u{2193}</kbd> \
         variations, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>v</kbd> view, <kbd>f</kbd> turn</p>\n</section>",
        button("first", "To the start", "M4 3V17H6V3ZM17 3V17L7 10Z"),
        button("back", "One move back", "M15 3V17L4 10Z"),
        button("forth", "One move on", "M5 3V17L16 10Z"),
        button("last", "To the end", "M3 3V17L13 10ZM14 3V17H16V3Z"),
    )
}

/// A game: heading, tags, the moves, and what the script knows of it.
fn article(
    number: usize,
    game: &PageGame,
    options: &PlayerOptions,
    scenery: &mut Scenery,
    out: &mut String,
) -> fmt::Result {
    let node = |ply: &usize| game.main.get(*ply).copied();
    let last = game.main.last().copied().unwrap_or_default();
    let at = node(&options.ply).unwrap_or(last);
    let found: Vec<usize> = options.found.iter().filter_map(node).collect();
    let json = data(game, at, &found, scenery);
    let parts = scenery.take_new();
    if !parts.is_empty() {
        writeln!(
            out,
            "<svg class=\"tx-parts\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\"><defs>{parts}</defs></svg>"
        )?;
    }
    writeln!(
        out,
        "<article class=\"tx-game\" aria-labelledby=\"g{number}\">\n<h2 id=\"g{number}\">{}</h2>",
        text(&game.title())
    )?;
    tags(game, out)?;
    if !options.no_picture {
        picture(game, out)?;
    }
    moves(number, game, &found, out)?;
    writeln!(
        out,
        "<script type=\"application/json\" class=\"tx-data\">{json}</script>\n</article>"
    )
}

fn tags(game: &PageGame, out: &mut String) -> fmt::Result {
    let shown: Vec<&(String, String)> = game
        .tags
        .iter()
        .filter(|(name, value)| {
            let told = [
                "White", "Black", "Result", "SetUp", "FEN", "Notation", "Locale", "Date",
            ];
            !told.iter().any(|told| name.eq_ignore_ascii_case(told))
                && !value.is_empty()
                && !value.starts_with('?')
        })
        .collect();
    if shown.is_empty() {
        return Ok(());
    }
    out.push_str("<dl>");
    for (name, value) in shown {
        write!(out, "<dt>{}</dt><dd>{}</dd>", text(name), text(value))?;
    }
    out.push_str("</dl>\n");
    Ok(())
}

/// The last position, for readers without script.
fn picture(game: &PageGame, out: &mut String) -> fmt::Result {
    let (position, marks) = &game.last;
    let options = PictureOptions {
        view: View::Flat,
        arrangement: Some(Arrangement::Row),
        theme: Theme::Page,
        labels: game
            .spellings
            .first()
            .map(|spelling| labels(spelling.wording.notation))
            .unwrap_or_default(),
        width: 1000,
        names: Some(true),
        marks: marks.clone(),
        room: Some(room(game)),
        men_elsewhere: true,
        ..PictureOptions::default()
    };
    writeln!(
        out,
        "<noscript><figure class=\"tx-picture\">{}</figure></noscript>",
        svg(position, &options)
    )
}

fn moves(number: usize, game: &PageGame, found: &[usize], out: &mut String) -> fmt::Result {
    // A list of moves that can be scrolled must be reachable by keyboard.
    writeln!(
        out,
        "<div class=\"tx-moves\" tabindex=\"0\" role=\"group\" aria-label=\"Moves of the game\">\n\
         <a href=\"#g{number}m0\" id=\"g{number}m0\" class=\"tx-start\" data-n=\"0\">start</a>"
    )?;
    let mut depth = 0_usize;
    for piece in &game.text {
        match piece {
            Piece::Move {
                node: at,
                main,
                numbered,
            } => {
                let Some(node) = game.nodes.get(*at) else {
                    continue;
                };
                if *numbered {
                    write!(out, "<span class=\"tx-no\">{}</span> ", node.number)?;
                }
                let mut classes = String::new();
                if *main {
                    classes.push_str(" class=\"tx-main");
                    if found.contains(at) {
                        classes.push_str(" tx-found");
                    }
                    classes.push('"');
                }
                writeln!(
                    out,
                    "<a href=\"#g{number}m{at}\" id=\"g{number}m{at}\" data-n=\"{at}\"{classes}>{}{}</a>",
                    text(node.words.first().map_or("", String::as_str)),
                    text(&node.judgement)
                )?;
            }
            Piece::Comment(said) => {
                writeln!(out, "<span class=\"tx-comment\">{}</span>", text(said))?;
            }
            Piece::Clock(said) => {
                writeln!(out, "<span class=\"tx-clock\">{}</span>", text(said))?;
            }
            Piece::Word(said) => writeln!(out, "<span class=\"tx-word\">{}</span>", text(said))?,
            Piece::Open => {
                depth += 1;
                out.push_str(if depth > DEEPEST {
                    "( "
                } else {
                    "<span class=\"tx-variation\">( "
                });
            }
            Piece::Close => {
                out.push_str(if depth > DEEPEST { ")\n" } else { ")</span>\n" });
                depth = depth.saturating_sub(1);
            }
        }
    }
    writeln!(
        out,
        "<strong>{}</strong>\n</div>",
        game.result.replace('-', "\u{2013}")
    )
}
