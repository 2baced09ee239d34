//! `show`: a position, drawn in characters or as a picture.

mod marking;

use crate::args::{Drawn, OutputFile, ShowArgs};
use crate::failure::{Exit, Failure};
use crate::{input, output};
use std::io::Write;
use std::path::{Path, PathBuf};
use tridex_notation::Notation;
use tridex_picture::{
    Arrangement, Labels, Marks, PictureOptions, TextOptions, Theme, View, png, svg, text,
};
use tridex_rules::{Color, Position};

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
    let (position, mut marks, caption) = position_of(args)?;
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
            color: output::Paint::stdout().is_on(),
            width: output::stdout_width().unwrap_or(80),
            last: marks.last,
        };
        let mut out = output::stdout();
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
fn position_of(args: &ShowArgs) -> Result<(Position, Marks, Option<String>), Failure> {
    match (&args.file, args.rules) {
        (file, rules) if file.is_some() || !args.which.index.is_empty() => {
            let report = input::one_game(file.as_deref(), &args.which, rules)?;
            let position = input::position_of(&report, args.which.ply)?;
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
            let position = input::set_up(rules, args.fen.as_deref())?;
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
    use crate::args::{SideName, ThemeName, ViewName, WayName};
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
