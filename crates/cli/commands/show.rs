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
    Arrangement, Labels, Marks, PictureOptions, TextOptions, Theme, View, png, svg, text,
};
use tridex_rules::{Color, Position};

/// Draw the position after some plies of a game, or a position string.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex show game.pgn --ply 12
  tridex show --index games.index --game 00c0ffee00c0ffee  a game of an index, by the id that search tells
  tridex show --rules meder                                the start position
  tridex show --rules manual --fen \"$(tridex position game.pgn --ply 4)\"
  tridex show game.pgn --ply 12 --svg board.svg            as a picture
  tridex show game.pgn --png board.png --view stand --size 1200 --side black
  tridex show --rules meder --svg - --moves-of a0QL1 --highlight N@c6 --arrow b1W-c3N:R")]
pub(crate) struct ShowArgs {
    /// The file, or - for standard input. Without it `--fen` or the start position of `--rules` is drawn.
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: Which,
    /// A position string, in quotation marks.
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        conflicts_with_all = ["file", "index"]
    )]
    pub(crate) fen: Option<String>,
    /// The rule system, whatever the tags say.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", required_unless_present_any = ["file", "index"])]
    pub(crate) rules: Option<RuleSystem>,
    /// Draw pieces as chess figures instead of letters.
    #[arg(long)]
    pub(crate) figurines: bool,
    /// Whose words label boards, files and ranks.
    #[arg(long, value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) labels: Option<Notation>,
    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

/// Choices for pictures.
#[derive(Args, Debug)]
pub(crate) struct Drawn {
    /// Write the picture as SVG to this file, or - for standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the picture as PNG to this file, or - for standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Leave a file alone that is there already, and end with 2.
    #[arg(long)]
    pub(crate) no_clobber: bool,
    /// All boards unfolded side by side, or the board as it stands in space.
    #[arg(long, value_enum, default_value_t = ViewName::Flat, value_name = "VIEW")]
    pub(crate) view: ViewName,
    /// Whether the flat view unfolds in a row or in a column; without it in a row where there is room.
    #[arg(long, value_enum, value_name = "WAY")]
    pub(crate) arrange: Option<WayName>,
    /// The width of the picture in pixels.
    #[arg(long, default_value_t = 1000, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub(crate) size: u32,
    /// Whose men are near.
    #[arg(long, value_enum, default_value_t = SideName::White, value_name = "SIDE")]
    pub(crate) side: SideName,
    /// Dark on light ground, or light on dark.
    #[arg(long, value_enum, default_value_t = ThemeName::Light, value_name = "THEME")]
    pub(crate) theme: ThemeName,
    /// Mark a square (`c6B`), a column through all boards (`c6`), or only the squares there that hold a man (`N@c6`);
    /// with a colour behind a colon: `c6:R`, one of G R Y B.
    #[arg(long, value_name = "SQUARE")]
    pub(crate) highlight: Vec<String>,
    /// Draw an arrow from square to square, such as `b1W-c3N` or `b1W-c3N:R`.
    #[arg(long, value_name = "FROM-TO")]
    pub(crate) arrow: Vec<String>,
    /// Mark where the man on a square, or an attack board (QL, KL, ql, kl), can go.
    #[arg(long, value_name = "SQUARE")]
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
            "two pictures cannot stand on standard output: name a file for --svg or for --png",
        ));
    }
    if let (Some(svg), Some(png)) = (&args.drawn.svg, &args.drawn.png)
        && output::place(svg) == output::place(png)
    {
        return Err(Failure::message(
            "two pictures cannot be one file: name another for --svg or for --png",
        ));
    }
    let (position, mut marks, caption) = scene(args)?;
    let labels = args
        .labels
        .map_or(Labels::OfTheRules, |notation| match notation {
            Notation::Meder => Labels::Meder,
            Notation::Manual => Labels::Manual,
            Notation::Millennium => Labels::Millennium,
            Notation::Chess3 => Labels::Chess3,
        });
    let drawn = &args.drawn;
    marking::add(&mut marks, &position, labels, drawn)?;
    if drawn.svg.is_none() && drawn.png.is_none() {
        let options = TextOptions {
            labels,
            figurines: args.figurines,
            color: Paint::stdout().is_on(),
            width: terminal::stdout_width().unwrap_or(80),
            last: marks.last,
        };
        let mut out = terminal::stdout();
        out.write_all(text(&position, &options).as_bytes())?;
        out.flush()?;
        return Ok(Exit::Good);
    }
    let options = picture(drawn, labels, marks, caption.as_deref());
    if let Some(file) = &drawn.svg {
        write(file, drawn, svg(&position, &options).as_bytes())?;
    }
    if let Some(file) = &drawn.png {
        let pixels = png(&position, &options).map_err(Failure::message)?;
        write(file, drawn, &pixels)?;
    }
    Ok(Exit::Good)
}

/// The position, with the move that led to it and the players where it is from a game.
fn scene(args: &ShowArgs) -> Result<(Position, Marks, Option<String>), Failure> {
    match (&args.file, args.rules) {
        (file, rules) if file.is_some() || !args.which.index.is_empty() => {
            let report = one_game(file.as_deref(), &args.which, rules)?;
            let position = position_of(&report, args.which.ply)?;
            let ply = args.which.ply.unwrap_or(report.moves.len());
            let mut before = report.start.clone();
            let mut marks = Marks::default();
            for (i, mv) in (1..=ply).zip(&report.moves) {
                if i == ply {
                    marks = Marks::after(&before, *mv);
                }
                before.play_unchecked(*mv);
            }
            let name = match file {
                Some(file) => file
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned()),
                None => Some(args.which.game.clone()),
            };
            Ok((position, marks, name))
        }
        (_, Some(rules)) => {
            let position = set_up(rules, args.fen.as_deref())?;
            Ok((position, Marks::default(), None))
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
    use {SideName, ThemeName, ViewName, WayName};
    PictureOptions {
        view: match drawn.view {
            ViewName::Flat => View::Flat,
            ViewName::Stand => View::Stand,
        },
        arrangement: drawn.arrange.map(|way| match way {
            WayName::Row => Arrangement::Row,
            WayName::Column => Arrangement::Column,
        }),
        side: match drawn.side {
            SideName::White => Color::White,
            SideName::Black => Color::Black,
        },
        theme: match drawn.theme {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        },
        labels,
        width: drawn.size,
        marks,
        caption,
        ..PictureOptions::default()
    }
}

/// Writes a picture to a file, which appears only when it is whole, or to standard output.
fn write(file: &Path, drawn: &Drawn, bytes: &[u8]) -> Result<(), Failure> {
    let file = OutputFile {
        file: Some(file.to_owned()),
        no_clobber: drawn.no_clobber,
    };
    output::to_file_or_stdout(&file, |out| {
        out.write_all(bytes)?;
        Ok(Exit::Good)
    })?;
    Ok(())
}
