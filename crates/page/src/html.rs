//! The markup: games as text, with their data.

use crate::SCRIPT;
use crate::data::{PlayerOptions, data, room};
use crate::game::{PageGame, Piece};
use crate::scenery::Scenery;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use tridex_picture::{Arrangement, PictureOptions, Theme, View, escape, piece_definitions, svg};

/// The style of what [`player`] makes, and that of a page of its own.
const PLAYER_STYLE: &str = include_str!("viewer.css");
const PAGE_STYLE: &str = include_str!("page.css");

/// How many games a page holds at most: more are no page that anybody reads, and browsers grow slow.
pub const GAMES: usize = 1000;

/// Variations deeper in others than this are set off by brackets alone: such margins would not be distinguished, and
/// browsers give up at some hundred elements in each other.
const DEEPEST: usize = 24;

/// The number of games that have a picture of the last position, for readers without script.
const PICTURED: usize = 12;

/// The style sheet of [`player`]: its classes begin with `tx-`, and the colours of pictures
/// ([`Theme::Page`](tridex_picture::Theme::Page)) are declared for light and dark pages, as the reader's system wishes, or
/// as the attribute `data-theme` of the root requires (`light`, `dark`).
#[must_use]
pub fn style() -> String {
    PLAYER_STYLE
        .replace("LIGHT", &Theme::Light.css())
        .replace("DARK", &Theme::Dark.css())
}

/// Markup of one game for a page that has [`SCRIPT`] and [`style`]: the game as text, and the data from which the script
/// makes the viewer, in elements that no browser runs.
#[must_use]
pub fn player(game: &PageGame, options: &PlayerOptions) -> String {
    let mut out = String::from("<div class=\"tx-player\">\n");
    let mut scenery = Scenery::default();
    // Writing to a text does not fail.
    let _ = men(&mut out);
    let _ = article(1, game, options, &mut scenery, &mut out);
    let _ = shared(&scenery, &mut out);
    out.push_str("</div>\n");
    out
}

/// The same data alone, as the object that `TridexViewer.show(element, data)` of [`SCRIPT`] takes.
#[must_use]
pub fn viewer_data(game: &PageGame, options: &PlayerOptions) -> String {
    let mut scenery = Scenery::default();
    let json = data(game, options, &mut scenery);
    format!("{{\"shared\":{},\"games\":[{json}]}}", scenery.json())
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

/// Writes a page, game after game; no game remains in memory.
#[derive(Debug)]
pub struct PageWriter<W: Write> {
    out: W,
    script: Cow<'static, str>,
    scenery: Scenery,
    games: usize,
}

impl<W: Write> PageWriter<W> {
    /// Begins a page.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn new(out: W, title: &str) -> io::Result<Self> {
        Self::with_script(out, title, SCRIPT)
    }

    /// Begins a page with the text of [`SCRIPT`] from elsewhere, for programs that are smaller without it.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn with_script(
        mut out: W,
        title: &str,
        script: impl Into<Cow<'static, str>>,
    ) -> io::Result<Self> {
        let script = script.into();
        let style = format!("{}{PAGE_STYLE}", style());
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src blob:; base-uri 'none'; form-action 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            hash(&script),
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
        out.write_all(head.as_bytes())?;
        Ok(Self {
            out,
            script,
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
        let mut end = String::new();
        // Writing to a text does not fail.
        let _ = shared(&self.scenery, &mut end);
        write!(
            self.out,
            "{end}</div>\n{empty}</main>\n<script>{}</script>\n</body>\n</html>\n",
            self.script
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

/// The pieces, once for the page.
fn men(out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "<svg class=\"tx-parts\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\">{}</svg>",
        piece_definitions()
    )
}

/// What the games share, for the script.
fn shared(scenery: &Scenery, out: &mut String) -> fmt::Result {
    let json = scenery.json();
    writeln!(
        out,
        "<script type=\"application/json\" class=\"tx-shared\">{json}</script>"
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
    let json = data(game, options, scenery);
    writeln!(
        out,
        "<article class=\"tx-game\" aria-labelledby=\"g{number}\">\n<h2 id=\"g{number}\">{}</h2>",
        text(&game.title())
    )?;
    tags(game, out)?;
    if !options.no_picture {
        picture(game, out)?;
    }
    moves(game, None, out)?;
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
        labels: game.spellings.first().map(|spelling| spelling.notation),
        width: 1000,
        names: Some(true),
        marks: marks.clone(),
        room: Some(room(game)),
        omits_definitions: true,
        ..PictureOptions::default()
    };
    writeln!(
        out,
        "<noscript><figure class=\"tx-picture\">{}</figure></noscript>",
        svg(position, &options)
    )
}

/// A move as a link.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveLink {
    /// The address of the position after it.
    pub address: String,
    /// Whether this position is shown.
    pub is_now: bool,
    /// Whether something was found here.
    pub is_found: bool,
}

/// Makes the link of a move from its variation, as in [`PlayerOptions::line`], and its ply.
type Linked<'a> = &'a dyn Fn(Option<usize>, usize) -> MoveLink;

/// The moves of a game as text in which each is a link, for pages without script. `link` gets the variation of a move, as
/// in [`PlayerOptions::line`], and the ply after it, counted from the start of the game.
#[must_use]
pub fn linked_moves(game: &PageGame, link: impl Fn(Option<usize>, usize) -> MoveLink) -> String {
    let mut out = String::new();
    // Writing to a text does not fail.
    let _ = moves(game, Some(&link), &mut out);
    out
}

/// The moves as text.
fn moves(game: &PageGame, link: Option<Linked<'_>>, out: &mut String) -> fmt::Result {
    let places = game.places();
    out.push_str("<div class=\"tx-text\">");
    let mut depth = 0_usize;
    for piece in &game.text {
        match piece {
            Piece::Move { node, numbered } => {
                let (Some(node), Some((line, ply))) = (game.nodes.get(*node), places.get(*node))
                else {
                    continue;
                };
                if *numbered {
                    write!(out, "{} ", node.number)?;
                }
                let word = node.words.first().map_or("", String::as_str);
                let word = text(word) + &text(&node.more.judgement);
                let Some(link) = link.map(|link| link(*line, *ply)) else {
                    write!(out, "{word} ")?;
                    continue;
                };
                write!(out, "<a href=\"{}\"", text(&link.address))?;
                if link.is_now {
                    out.push_str(" aria-current=\"true\"");
                }
                match link.is_found {
                    true => write!(
                        out,
                        " class=\"tx-found\">{word}<span class=\"tx-unseen\"> (found here)</span></a> "
                    )?,
                    false => write!(out, ">{word}</a> ")?,
                }
            }
            Piece::Comment(said) => {
                write!(out, "<span class=\"tx-comment\">{}</span> ", text(said))?;
            }
            Piece::Clock(said) => {
                write!(out, "<span class=\"tx-clock\">{}</span> ", text(said))?;
            }
            Piece::Word(said) => write!(out, "<span class=\"tx-word\">{}</span> ", text(said))?,
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
    writeln!(out, "{}</div>", game.result.replace('-', "\u{2013}"))
}
