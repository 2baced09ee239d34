//! `show`: draws a position in characters or as a picture.

use crate::failure::Failure;
use crate::ineffective::Ineffective;
use crate::io::one_game::{one_game, position_of, set_up};
use crate::io::output;
use crate::options::reading::Which;
use crate::options::values::{Format, NOTATION, RULES, on_or_off, one_of};
use crate::options::writing::OutputFile;
use crate::session::Session;
use crate::term::terminal;
use clap::{ArgAction, Args};
use std::io::Write;
use std::path::{Path, PathBuf};
use tridex_archive::file_name;
use tridex_geometry::stair::AttackBoard;
use tridex_notation::{Notation, names};
use tridex_picture::{
    Arrangement, Colors, Ink, Marks, PictureOptions, TextOptions, Theme, View, animated_png,
    find_squares, png, svg, text,
};
use tridex_rules::{Color, Piece, Position, RuleSystem};
use tridex_text::printable;

/// Draw the position after some plies of a game, or a position string.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex show game.pgn --ply 12
  tridex show --index games.index --game 00c0ffee00c0ffee  a game of an index, by its id
  tridex show --rules meder                                the start position
  tridex show --rules manual --fen \"$(tridex position game.pgn --ply 4)\"
  tridex show game.pgn --ply 12 --svg board.svg            a picture
  tridex show game.pgn --png board.png --view stand --size 1200 --orientation black
  tridex show game.pgn --animate --png game.png            the whole game, move by move
  tridex show --rules meder --svg - --moves-of a0QL1 --highlight N@c6 --arrow b1W-c3N:R")]
pub(crate) struct ShowArgs {
    /// File, or - for standard input
    ///
    /// Without a file, draws the position of `--fen`, or the start position of `--rules`.
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: Which,
    /// Position string, in quotation marks
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        conflicts_with_all = ["file", "index"], help_heading = "Position")]
    pub(crate) fen: Option<String>,
    /// Rule system, instead of that of the game or the position
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", required_unless_present_any = ["file", "index", "fen"], help_heading = "Position")]
    pub(crate) rules: Option<RuleSystem>,
    /// Draw pieces as figurines instead of letters
    #[arg(long, help_heading = "Output")]
    pub(crate) figurines: bool,
    /// Notation of the labels [default: that of the rule system]
    #[arg(long, value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) labels: Option<Notation>,
    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

/// How a picture is drawn.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct Drawn {
    /// Write an SVG picture to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a PNG picture to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Animate the game: one PNG with every position up to the last
    #[arg(long, requires = "png", conflicts_with_all = ["svg", "fen", "moves_of"])]
    pub(crate) animate: bool,
    /// Milliseconds for each position of an animation
    ///
    /// The last position is shown three times as long.
    #[arg(long, requires = "animate", default_value_t = 1000, value_name = "MS", value_parser = clap::value_parser!(u16).range(20..=20_000))]
    pub(crate) delay: u16,
    /// Do not overwrite an existing file; exit with 2
    #[arg(long)]
    pub(crate) no_clobber: bool,
    /// All boards side by side, or the 3-D view
    #[arg(long, value_parser = one_of(VIEW), default_value = "flat", value_name = "VIEW")]
    pub(crate) view: View,
    /// Arrangement of the flat view [default: row if there is room]
    #[arg(long, value_parser = one_of(ARRANGEMENT), value_name = "WAY")]
    pub(crate) arrange: Option<Arrangement>,
    /// Width of the picture in pixels
    #[arg(long, default_value_t = 1000, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub(crate) size: u32,
    /// Side at the bottom
    #[arg(long, alias = "side", value_parser = one_of(SIDE), default_value = "white", value_name = "SIDE")]
    pub(crate) orientation: Color,
    /// Colours: dark on light, or light on dark
    #[arg(long, value_parser = one_of(THEME), default_value = "light", value_name = "THEME")]
    pub(crate) theme: Theme,
    /// Colours of the picture: blue, brown, green, grey, or a list
    ///
    /// A list such as `light=#f0d9b5,dark=#b58863`. Names: ground, light, dark, line, edge, edge-white, edge-black,
    /// post, text, text-light, text-dark, white-fill, white-line, black-fill, black-line, last, check, reach, halo, green,
    /// red, yellow, blue.
    #[arg(long, alias = "colours", value_parser = Colors::parse, value_name = "COLORS")]
    pub(crate) colors: Option<Colors>,
    /// Names of boards, files and ranks on the picture [default: on if there is room]
    #[arg(long, value_parser = on_or_off(), value_name = "SWITCH")]
    pub(crate) coordinates: Option<bool>,
    /// Highlight the last move of a game
    #[arg(long, value_parser = on_or_off(), action = ArgAction::Set, default_value = "on", value_name = "SWITCH")]
    pub(crate) last_move: bool,
    /// Highlight squares: `c6B`, a column `c6`, pieces there `N@c6`
    ///
    /// A colour may follow a colon: G, R, Y or B, such as `c6:R`.
    #[arg(long, value_name = "SQUARE")]
    pub(crate) highlight: Vec<String>,
    /// Draw an arrow between squares, such as `b1W-c3N` or `b1W-c3N:R`
    #[arg(long, value_name = "FROM-TO")]
    pub(crate) arrow: Vec<String>,
    /// Mark the legal moves of a piece or attack board
    ///
    /// A piece is named by its square, an attack board by QL, KL, ql or kl.
    #[arg(long, value_name = "SQUARE")]
    pub(crate) moves_of: Option<String>,
}

const VIEW: &[(&str, View, &str)] = &[("flat", View::Flat, ""), ("stand", View::Stand, "")];

const ARRANGEMENT: &[(&str, Arrangement, &str)] = &[
    ("row", Arrangement::Row, ""),
    ("column", Arrangement::Column, ""),
];

const SIDE: &[(&str, Color, &str)] = &[("white", Color::White, ""), ("black", Color::Black, "")];

const THEME: &[(&str, Theme, &str)] = &[("light", Theme::Light, ""), ("dark", Theme::Dark, "")];

pub(crate) fn run(args: &ShowArgs, session: &Session) -> Result<(), Failure> {
    let drawn = &args.drawn;
    check(args, session)?;
    if let (Some(svg), Some(png)) = (&drawn.svg, &drawn.png) {
        if svg == Path::new("-") && png == svg {
            return Err(Failure::message(
                "only one picture can be written to standard output; give --svg or --png a file",
            ));
        }
        if output::place(svg) == output::place(png) {
            return Err(Failure::message("--svg and --png name the same file"));
        }
    }
    let (mut frames, caption) = scene(args, session)?;
    let labels = args.labels;
    for (position, marks) in &mut frames {
        if !drawn.last_move {
            marks.last = None;
        }
        add_marks(position, labels, marks, drawn)?;
    }
    let Some((position, marks)) = frames.last().cloned() else {
        return Ok(());
    };
    if drawn.svg.is_none() && drawn.png.is_none() {
        let options = TextOptions {
            labels,
            figurines: args.figurines,
            color: session.stdout_paint().is_on(),
            width: terminal::stdout_width().unwrap_or(80),
            side: drawn.orientation,
            last: marks.last,
        };
        let drawn = text(&position, &options);
        return Ok(terminal::print(true, |out| {
            out.write_all(drawn.as_bytes())
        })?);
    }
    let options = PictureOptions::default()
        .view(drawn.view)
        .arrangement(drawn.arrange)
        .side(drawn.orientation)
        .theme(drawn.theme)
        .colors(drawn.colors.clone().unwrap_or_default())
        .labels(labels)
        .width(drawn.size)
        .names(drawn.coordinates)
        .marks(marks)
        .caption(caption.as_deref());
    if let Some(file) = &drawn.svg {
        let picture = svg(&position, &options);
        write(file, drawn, session, |out| {
            out.write_all(picture.as_bytes())
        })?;
    }
    match &drawn.png {
        Some(file) if drawn.animate => write(file, drawn, session, |out| {
            animated_png(&frames, &options, drawn.delay, out)
        }),
        Some(file) => {
            let pixels = png(&position, &options).map_err(Failure::message)?;
            write(file, drawn, session, |out| out.write_all(&pixels))
        }
        None => Ok(()),
    }
}

/// Refuses options that would have no effect.
fn check(args: &ShowArgs, session: &Session) -> Result<(), Failure> {
    let drawn = &args.drawn;
    let mut pictures = [&drawn.svg, &drawn.png].into_iter().flatten();
    let has_picture = pictures.clone().next().is_some();
    Ineffective {
        options: &["no-clobber"],
        where_: "without a file to write",
        instead: "add --svg FILE or --png FILE",
    }
    .unless(pictures.any(|file| file.as_os_str() != "-"), session)?;
    Ineffective {
        options: &[
            "view",
            "arrange",
            "size",
            "theme",
            "colors",
            "coordinates",
            "highlight",
            "arrow",
            "moves-of",
        ],
        where_: "without a picture",
        instead: "add --svg FILE or --png FILE",
    }
    .unless(has_picture, session)?;
    Ineffective {
        options: &["arrange"],
        where_: "on the 3-D view",
        instead: "omit it, or use --view flat",
    }
    .unless(drawn.view == View::Flat, session)?;
    Ineffective {
        options: &["figurines"],
        where_: "on a picture, which always has figurines",
        instead: "omit it",
    }
    .unless(!has_picture, session)?;
    Ineffective {
        options: &["game", "ply", "last-move"],
        where_: "without a game",
        instead: "name its file, or the folder of its index with --index",
    }
    .unless(args.file.is_some() || !args.which.index.is_empty(), session)?;
    args.which.check(session, args.file.as_deref())
}

/// What to draw, and its caption: every position of a game with its marks for an animation, otherwise only the last
/// one.
type Scene = (Vec<(Position, Marks)>, Option<String>);

fn scene(args: &ShowArgs, session: &Session) -> Result<Scene, Failure> {
    let file = args.file.as_deref();
    if file.is_none() && args.which.index.is_empty() {
        if args.drawn.animate {
            let none = "--animate shows a game: name a file, or an index and a game";
            return Err(Failure::message(none));
        }
        let position = set_up(session, args.rules, args.fen.as_deref())?;
        return Ok((vec![(position, Marks::default())], None));
    }
    let report = one_game(session, file, &args.which, args.rules)?;
    // Fails if the game cannot be replayed to the requested ply.
    position_of(&report, args.which.ply)?;
    let plies = args.which.ply.unwrap_or(report.moves().len());
    let mut position = report.start().clone();
    let mut frames = vec![(position.clone(), Marks::default())];
    for mv in report.moves().iter().take(plies) {
        let marks = Marks::after(&position, *mv);
        position.play_unchecked(*mv);
        if !args.drawn.animate {
            frames.clear();
        }
        frames.push((position.clone(), marks));
    }
    let name = |file: &Path| Some(file_name::to_text(file.file_name()?));
    let caption = file.map_or(Some(args.which.game.clone()), name);
    Ok((frames, caption))
}

/// Writes a picture to a file, which appears only when it is whole, or to standard output.
fn write(
    file: &Path,
    drawn: &Drawn,
    session: &Session,
    draw: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let file = OutputFile {
        file: Some(file.to_owned()),
        no_clobber: drawn.no_clobber,
    };
    file.write(session, Format::Html, |out| Ok(draw(out)?))
}

/// Adds the marks that the options request. Squares may be named in any notation of the board; that of the labels is
/// tried first.
fn add_marks(
    position: &Position,
    labels: Option<Notation>,
    marks: &mut Marks,
    drawn: &Drawn,
) -> Result<(), Failure> {
    let found = |name: &str| match find_squares(position, labels, name) {
        none if none.is_empty() => {
            let none = "no square or column of this position has this name";
            Err(fault(none, name))
        }
        squares => Ok(squares),
    };
    // If a column has several squares, use the one with a piece, if only one has a piece.
    let square = |name: &str| {
        let mut squares = found(name)?;
        if squares.len() > 1 {
            squares.retain(|square| position.piece_at(*square).is_some());
        }
        match squares.as_slice() {
            [square] => Ok(*square),
            _ => Err(fault("several squares have this name; add the board", name)),
        }
    };
    for wish in &drawn.highlight {
        let (mut name, ink) = inked(wish)?;
        let mut piece = None;
        if let Some((letter, place)) = name.split_once('@') {
            let expected = "expected a piece letter PNBRQK (lower case for Black)";
            let letters = letter.parse().ok().and_then(Piece::from_letter);
            piece = Some(letters.ok_or_else(|| fault(expected, letter))?);
            name = place;
        }
        let squares = found(name)?.into_iter();
        let squares = squares.filter(|at| piece.is_none() || position.piece_at(*at) == piece);
        marks.squares.extend(squares.map(|square| (square, ink)));
    }
    for wish in &drawn.arrow {
        let (ends, ink) = inked(wish)?;
        let ends = ends.split_once('-');
        let (from, to) =
            ends.ok_or_else(|| fault("expected two squares, such as b1W-c3N", wish))?;
        marks.arrows.push((square(from)?, square(to)?, ink));
    }
    if let Some(of) = &drawn.moves_of {
        let named = |board: &AttackBoard| names::manual_board(*board) == of;
        let mut boards = AttackBoard::ALL.into_iter();
        match boards.find(|board| position.layout().is_some() && named(board)) {
            Some(board) => marks.moves_of_board(position, board),
            _ => marks.moves_of(position, square(of)?),
        }
    }
    Ok(())
}

/// Splits a name from the letter of its colour, as in `c6B:R`.
fn inked(wish: &str) -> Result<(&str, Ink), Failure> {
    let Some((place, letter)) = wish.rsplit_once(':') else {
        return Ok((wish, Ink::default()));
    };
    let ink = letter.parse().ok().and_then(Ink::from_letter);
    let ink = ink.ok_or_else(|| fault("expected a colour: G, R, Y or B", letter))?;
    Ok((place, ink))
}

fn fault(what: &str, said: &str) -> Failure {
    Failure::message(format!("{}: {what}", printable(said)))
}
