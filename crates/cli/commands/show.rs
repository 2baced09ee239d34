//! `show`: a position, drawn in characters or as a picture.

use crate::failure::{Exit, Failure};
use crate::io::one_game::one_game;
use crate::io::output;
use crate::io::position::{position_of, set_up};
use crate::options::reading::Which;
use crate::options::values::{NOTATION, RULES};
use crate::options::writing::OutputFile;
use crate::term::style::Paint;
use crate::term::terminal;
use clap::{Args, ValueEnum};
use tridex_rules::RuleSystem;

mod marking;

use std::io::Write;
use std::path::{Path, PathBuf};
use tridex_notation::Notation;
use tridex_picture::{
    Arrangement, Colors, Labels, Marks, PictureOptions, TextOptions, Theme, View, animated_png,
    png, svg, text,
};
use tridex_rules::{Color, Position};

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
    #[arg(help_heading = None::<&str>)]
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
    /// Rule system, instead of the game's tags
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", required_unless_present_any = ["file", "index"], help_heading = "Position")]
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
pub(crate) struct Drawn {
    /// Write an SVG picture to this file; - is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a PNG picture to this file; - is standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) png: Option<PathBuf>,
    /// Animate the game: one PNG with every position up to the last
    #[arg(long, requires = "png", conflicts_with_all = ["svg", "fen", "moves_of"], help_heading = "Output")]
    pub(crate) animate: bool,
    /// Milliseconds for each position of an animation
    ///
    /// The last position is shown three times as long.
    #[arg(long, requires = "animate", default_value_t = 1000, value_name = "MS", value_parser = clap::value_parser!(u16).range(20..=20_000), help_heading = "Output")]
    pub(crate) delay: u16,
    /// Do not overwrite an existing file; exit with 2
    #[arg(long, help_heading = "Output")]
    pub(crate) no_clobber: bool,
    /// All boards side by side, or the 3-D view
    #[arg(long, value_enum, default_value_t = ViewName::Flat, value_name = "VIEW", help_heading = "Output")]
    pub(crate) view: ViewName,
    /// Arrangement of the flat view [default: row if there is room]
    #[arg(long, value_enum, value_name = "WAY", help_heading = "Output")]
    pub(crate) arrange: Option<WayName>,
    /// Width of the picture in pixels
    #[arg(long, default_value_t = 1000, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=10_000), help_heading = "Output")]
    pub(crate) size: u32,
    /// Side at the bottom
    #[arg(long, alias = "side", value_enum, default_value_t = SideName::White, value_name = "SIDE", help_heading = "Output")]
    pub(crate) orientation: SideName,
    /// Colours: dark on light, or light on dark
    #[arg(long, value_enum, default_value_t = ThemeName::Light, value_name = "THEME", help_heading = "Output")]
    pub(crate) theme: ThemeName,
    /// Colours of the picture: blue, brown, green, grey, or a list
    ///
    /// A list such as `light=#f0d9b5,dark=#b58863`. Names: ground, light, dark, line, edge, edge-white, edge-black,
    /// post, text, text-light, text-dark, white-fill, white-line, black-fill, black-line, last, check, reach, halo, green,
    /// red, yellow, blue.
    #[arg(long, alias = "colours", value_parser = Colors::parse, value_name = "COLORS", help_heading = "Output")]
    pub(crate) colors: Option<Colors>,
    /// Names of boards, files and ranks on the picture [default: on if there is room]
    #[arg(long, value_enum, value_name = "SWITCH", help_heading = "Output")]
    pub(crate) coordinates: Option<Switch>,
    /// Highlight the last move of a game
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH", help_heading = "Output")]
    pub(crate) last_move: Switch,
    /// Highlight squares: `c6B`, a column `c6`, pieces there `N@c6`
    ///
    /// A colour may follow a colon: G, R, Y or B, such as `c6:R`.
    #[arg(long, value_name = "SQUARE", help_heading = "Output")]
    pub(crate) highlight: Vec<String>,
    /// Draw an arrow between squares, such as `b1W-c3N` or `b1W-c3N:R`
    #[arg(long, value_name = "FROM-TO", help_heading = "Output")]
    pub(crate) arrow: Vec<String>,
    /// Mark the legal moves of a piece or attack board
    ///
    /// A piece is named by its square, an attack board by QL, KL, ql or kl.
    #[arg(long, value_name = "SQUARE", help_heading = "Output")]
    pub(crate) moves_of: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ViewName {
    Flat,
    Stand,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum WayName {
    Row,
    Column,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SideName {
    White,
    Black,
}

impl SideName {
    const fn color(self) -> Color {
        match self {
            Self::White => Color::White,
            Self::Black => Color::Black,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ThemeName {
    Light,
    Dark,
}

pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let is_stdout =
        |file: &Option<PathBuf>| file.as_ref().is_some_and(|file| file.as_os_str() == "-");
    if is_stdout(&args.drawn.svg) && is_stdout(&args.drawn.png) {
        return Err(Failure::message(
            "only one picture can be written to standard output; give --svg or --png a file",
        ));
    }
    if let (Some(svg), Some(png)) = (&args.drawn.svg, &args.drawn.png)
        && output::place(svg) == output::place(png)
    {
        return Err(Failure::message("--svg and --png name the same file"));
    }
    let Scene {
        mut frames,
        caption,
    } = scene(args)?;
    let labels = args
        .labels
        .map_or(Labels::OfTheRules, |notation| match notation {
            Notation::Meder => Labels::Meder,
            Notation::Manual => Labels::Manual,
            Notation::Millennium => Labels::Millennium,
            Notation::Chess3 => Labels::Chess3,
        });
    let drawn = &args.drawn;
    for (position, marks) in &mut frames {
        if drawn.last_move == Switch::Off {
            marks.last = None;
        }
        marking::add(marks, position, labels, drawn)?;
    }
    if let (true, Some(file)) = (drawn.animate, &drawn.png) {
        let options = picture(drawn, labels, Marks::default(), caption.as_deref());
        return write(file, drawn, |out| {
            animated_png(&frames, &options, drawn.delay, out)
        });
    }
    let Some((position, marks)) = frames.pop() else {
        return Ok(Exit::Good);
    };
    if drawn.svg.is_none() && drawn.png.is_none() {
        let options = TextOptions {
            labels,
            figurines: args.figurines,
            color: Paint::stdout().is_on(),
            width: terminal::stdout_width().unwrap_or(80),
            side: drawn.orientation.color(),
            last: marks.last,
        };
        let mut out = terminal::stdout();
        out.write_all(text(&position, &options).as_bytes())?;
        out.flush()?;
        return Ok(Exit::Good);
    }
    let options = picture(drawn, labels, marks, caption.as_deref());
    if let Some(file) = &drawn.svg {
        write(file, drawn, |out| {
            out.write_all(svg(&position, &options).as_bytes())
        })?;
    }
    if let Some(file) = &drawn.png {
        let pixels = png(&position, &options).map_err(Failure::message)?;
        write(file, drawn, |out| out.write_all(&pixels))?;
    }
    Ok(Exit::Good)
}

/// What is drawn: a position with its marks, the last of a game, or all of them to be animated; and its name.
struct Scene {
    frames: Vec<(Position, Marks)>,
    caption: Option<String>,
}

fn scene(args: &ShowArgs) -> Result<Scene, Failure> {
    match (&args.file, args.rules) {
        (file, rules) if file.is_some() || !args.which.index.is_empty() => {
            let report = one_game(file.as_deref(), &args.which, rules)?;
            // Reports a number of plies that the game does not have.
            position_of(&report, args.which.ply)?;
            let plies = args.which.ply.unwrap_or(report.moves.len());
            let mut position = report.start.clone();
            let mut frames = vec![(position.clone(), Marks::default())];
            for mv in report.moves.iter().take(plies) {
                let marks = Marks::after(&position, *mv);
                position.play_unchecked(*mv);
                if !args.drawn.animate {
                    frames.clear();
                }
                frames.push((position.clone(), marks));
            }
            let caption = match file {
                Some(file) => file
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned()),
                None => Some(args.which.game.clone()),
            };
            Ok(Scene { frames, caption })
        }
        (_, Some(_)) if args.drawn.animate => Err(Failure::message(
            "--animate shows a game: name a file, or an index and a game",
        )),
        (_, Some(rules)) => {
            let position = set_up(rules, args.fen.as_deref())?;
            Ok(Scene {
                frames: vec![(position, Marks::default())],
                caption: None,
            })
        }
        (_, None) => Err(Failure::message(
            "name a file, or a rule system with --rules",
        )),
    }
}

fn picture<'a>(
    drawn: &Drawn,
    labels: Labels,
    marks: Marks,
    caption: Option<&'a str>,
) -> PictureOptions<'a> {
    PictureOptions {
        view: match drawn.view {
            ViewName::Flat => View::Flat,
            ViewName::Stand => View::Stand,
        },
        arrangement: drawn.arrange.map(|way| match way {
            WayName::Row => Arrangement::Row,
            WayName::Column => Arrangement::Column,
        }),
        side: drawn.orientation.color(),
        theme: match drawn.theme {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        },
        colors: drawn.colors.clone().unwrap_or_default(),
        labels,
        width: drawn.size,
        names: drawn.coordinates.map(|switch| switch == Switch::On),
        marks,
        caption,
        ..PictureOptions::default()
    }
}

/// Writes a picture to a file, which appears only when it is whole, or to standard output.
fn write(
    file: &Path,
    drawn: &Drawn,
    draw: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<Exit, Failure> {
    let file = OutputFile {
        file: Some(file.to_owned()),
        no_clobber: drawn.no_clobber,
    };
    output::to_file_or_stdout(&file, |out| {
        draw(out)?;
        Ok(Exit::Good)
    })
}
