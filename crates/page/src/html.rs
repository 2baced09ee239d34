//! The markup: games as text, with their data.

use crate::SCRIPT;
use crate::data::{PlayerOptions, data, space};
use crate::game::{PageGame, Piece};
use crate::scenery::Scenery;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::io::{self, Write};
use tridex_picture::{Arrangement, PictureOptions, Theme, View, escape, piece_definitions, svg};

/// The style sheet of [`player`], and the one that [`PageWriter`] adds for the rest of the page.
const PLAYER_STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/viewer.css"));
const PAGE_STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.css"));

/// The tints of the levels, the lowest first: of its light and its dark squares, and of its letter in a move.
const LEVELS_LIGHT: &str = "--tx-light-0:#f6eedd;--tx-dark-0:#cfb386;--tx-level-0:#80560a;\
    --tx-light-1:#eff1f1;--tx-dark-1:#a9b6ba;--tx-level-1:#5a6670;\
    --tx-light-2:#e6eff8;--tx-dark-2:#8db1d6;--tx-level-2:#1a5aa0;";
const LEVELS_DARK: &str = "--tx-light-0:#a3906c;--tx-dark-0:#5f4f33;--tx-level-0:#efc678;\
    --tx-light-1:#8b959d;--tx-dark-1:#48525b;--tx-level-1:#bac3cb;\
    --tx-light-2:#6c90b4;--tx-dark-2:#31506f;--tx-level-2:#90c2f8;";

/// The most games on one page. Browsers are slow with more, and no one reads such a page.
pub const GAMES: usize = 1000;

/// Variations that are nested deeper than this have brackets but no element. Their margins could not be distinguished,
/// and browsers fail at some hundred nested elements.
const DEEPEST: usize = 24;

/// The number of games that have a picture of the last position, for readers without script.
const PICTURED: usize = 12;

/// The style sheet of [`player`]. Its classes begin with `tx-`. It declares the colours of pictures
/// ([`Theme::Page`](tridex_picture::Theme::Page)) for light and dark pages. The attribute `data-theme` of the root
/// (`light`, `dark`) chooses between them; without it the reader's system does.
#[must_use]
pub fn style() -> String {
    PLAYER_STYLE
        .replace("LEVELS_LIGHT", LEVELS_LIGHT)
        .replace("LEVELS_DARK", LEVELS_DARK)
        .replace("LIGHT", &Theme::Light.css())
        .replace("DARK", &Theme::Dark.css())
}

/// Markup of one game for a page that has [`SCRIPT`] and [`style`]: the game as text, and the data from which the
/// script makes the viewer. The data are in elements that browsers do not run.
#[must_use]
pub fn player(game: &PageGame, options: &PlayerOptions) -> String {
    let mut scenery = Scenery::default();
    let article = article(1, game, options, &mut scenery);
    let (pieces, shared) = (pieces(), shared(&scenery));
    format!("<div class=\"tx-player\">\n{pieces}{article}{shared}</div>\n")
}

/// The data of [`player`] alone, as the object that `TridexViewer.show(element, data)` of [`SCRIPT`] takes.
#[must_use]
pub fn viewer_data(game: &PageGame, options: &PlayerOptions) -> String {
    let mut scenery = Scenery::default();
    let json = data(game, options, &mut scenery);
    format!("{{\"shared\":{},\"games\":[{json}]}}", scenery.json())
}

/// Writes a page game by game. No game stays in memory.
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

    /// Begins a page with a text above the games, which is shown as it is written.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn with_text(out: W, title: &str, above: &str) -> io::Result<Self> {
        let mut page = Self::with_head(out, title, SCRIPT.into(), Self::style())?;
        writeln!(page.out, "<pre>{}</pre>", text(above))?;
        page.begin()
    }

    /// Begins a page with the text of [`SCRIPT`] from the caller, so that a program need not contain it.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn with_script(
        out: W,
        title: &str,
        script: impl Into<Cow<'static, str>>,
    ) -> io::Result<Self> {
        Self::with_parts(out, title, script.into(), Self::style())
    }

    fn style() -> Cow<'static, str> {
        format!("{}{PAGE_STYLE}", style()).into()
    }

    pub(crate) fn with_parts(
        out: W,
        title: &str,
        script: Cow<'static, str>,
        style: Cow<'static, str>,
    ) -> io::Result<Self> {
        Self::with_head(out, title, script, style)?.begin()
    }

    /// Writes the page up to its title.
    fn with_head(
        mut out: W,
        title: &str,
        script: Cow<'static, str>,
        style: Cow<'static, str>,
    ) -> io::Result<Self> {
        let [script, style] = [script, style].map(as_parsed);
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src blob:; base-uri 'none'; form-action 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'",
            hash(&script),
            hash(&style)
        );
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{0}</title>\n<style>{style}</style>\n</head>\n<body class=\"tx-page\">\n<main>\n<h1>{0}</h1>\n",
            text(title)
        )?;
        Ok(Self {
            out,
            script,
            scenery: Scenery::default(),
            games: 0,
        })
    }

    /// Begins the games.
    fn begin(mut self) -> io::Result<Self> {
        write!(self.out, "<div class=\"tx-player\">\n{}", pieces())?;
        Ok(self)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the page already has [`GAMES`] games ([`io::ErrorKind::Other`]), or `out` cannot be written to.
    pub fn add(&mut self, game: &PageGame) -> io::Result<()> {
        if self.games >= GAMES {
            let message = format!("a page holds at most {GAMES} games");
            return Err(io::Error::other(message));
        }
        self.games += 1;
        let options = PlayerOptions {
            no_picture: self.games > PICTURED,
            ..PlayerOptions::default()
        };
        let article = article(self.games, game, &options, &mut self.scenery);
        self.out.write_all(article.as_bytes())
    }

    /// The number of games added so far.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Ends the page and returns the writer.
    ///
    /// # Errors
    /// If the writer cannot be written to.
    pub fn finish(mut self) -> io::Result<W> {
        let empty = if self.games == 0 {
            "<p>There is no game on this page.</p>\n"
        } else {
            ""
        };
        write!(
            self.out,
            "{}</div>\n{empty}</main>\n<script>{}</script>\n</body>\n</html>\n",
            shared(&self.scenery),
            self.script
        )?;
        Ok(self.out)
    }
}

/// An inline script or style as browsers hash it: HTML parsers first replace every line end by a line feed. The sources
/// have carriage returns if they were checked out with other line ends.
fn as_parsed(text: Cow<'static, str>) -> Cow<'static, str> {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text,
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
fn pieces() -> String {
    format!(
        "<svg class=\"tx-parts\" width=\"0\" height=\"0\" aria-hidden=\"true\" focusable=\"false\">{}</svg>\n",
        piece_definitions()
    )
}

/// What the games share, for the script.
fn shared(scenery: &Scenery) -> String {
    let json = scenery.json();
    format!("<script type=\"application/json\" class=\"tx-shared\">{json}</script>\n")
}

/// A game: heading, tags, picture, moves, and its data for the script.
fn article(
    number: usize,
    game: &PageGame,
    options: &PlayerOptions,
    scenery: &mut Scenery,
) -> String {
    let title = text(&game.title());
    let picture = if options.no_picture {
        String::new()
    } else {
        picture(game)
    };
    format!(
        "<article class=\"tx-game\" aria-labelledby=\"g{number}\">\n<h2 id=\"g{number}\">{title}</h2>\n\
         {}{picture}{}<script type=\"application/json\" class=\"tx-data\">{}</script>\n</article>\n",
        tags(game),
        linked_moves(game, |_, _, word| word),
        data(game, options, scenery)
    )
}

/// The tags that neither the title nor the moves show.
fn tags(game: &PageGame) -> String {
    const SHOWN: [&str; 8] = [
        "White", "Black", "Result", "SetUp", "FEN", "Notation", "Locale", "Date",
    ];
    let is_shown = |name: &str| SHOWN.iter().any(|shown| name.eq_ignore_ascii_case(shown));
    let tags = game.tags.iter();
    let shown: String = tags
        .filter(|(name, value)| !(is_shown(name) || value.is_empty() || value.starts_with('?')))
        .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>", text(name), text(value)))
        .collect();
    match shown.is_empty() {
        true => shown,
        false => format!("<dl>{shown}</dl>\n"),
    }
}

/// The last position, for readers without script.
fn picture(game: &PageGame) -> String {
    let (position, marks) = &game.last;
    let options = PictureOptions::default()
        .view(View::Flat)
        .arrangement(Some(Arrangement::Row))
        .theme(Theme::Page)
        .labels(game.spellings.first().map(|spelling| spelling.notation))
        .width(1000)
        .names(Some(true))
        .marks(marks.clone())
        .space(Some(space(game)))
        .omits_definitions(true);
    let picture = svg(position, &options);
    format!("<noscript><figure class=\"tx-picture\">{picture}</figure></noscript>\n")
}

/// The moves of a game as text, for pages without script. `link` makes a link of each move from three arguments: the
/// variation of the move, as in [`PlayerOptions::line`], the ply after it, counted from the start of the game, and its
/// markup.
#[must_use]
pub fn linked_moves(
    game: &PageGame,
    link: impl Fn(Option<usize>, usize, String) -> String,
) -> String {
    let mut out = String::from("<div class=\"tx-text\">");
    let mut depth = 0_usize;
    for piece in &game.text {
        let (class, said) = match piece {
            Piece::Move { node, numbered } => {
                let Some(node) = game.nodes.get(*node) else {
                    continue;
                };
                if *numbered {
                    out += &format!("{} ", node.number);
                }
                let word = node.words.first().map_or("", String::as_str);
                let word = text(word) + &text(&node.more.judgement);
                out += &link(node.place.0, node.place.1, word);
                out.push(' ');
                continue;
            }
            Piece::Comment(said) => ("comment", said),
            Piece::Score(said) => ("score", said),
            Piece::Clock(said) => ("clock", said),
            Piece::Word(said) => ("word", said),
            Piece::Open => {
                depth += 1;
                out.push_str(if depth > DEEPEST {
                    "( "
                } else {
                    "<span class=\"tx-variation\">( "
                });
                continue;
            }
            Piece::Close => {
                out.push_str(if depth > DEEPEST { ")\n" } else { ")</span>\n" });
                depth = depth.saturating_sub(1);
                continue;
            }
        };
        out += &format!("<span class=\"tx-{class}\">{}</span> ", text(said));
    }
    out + &format!("{}</div>\n", game.result.replace('-', "\u{2013}"))
}
