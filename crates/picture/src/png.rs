//! A position as PNG, and the positions of a game as an animated PNG. Both are rendered from SVG by resvg. No font is
//! needed, because text is drawn as strokes.

use crate::svg::Frame;
use crate::{Lettering, Marks, PictureOptions, svg};
use png::{BitDepth, ColorType, Encoder, EncodingError};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::io::{self, Write};
use tridex_rules::Position;

/// Draws a position as PNG, the same bytes for the same position and options. [`Lettering`] is always
/// [`Strokes`](Lettering::Strokes).
///
/// ```
/// use tridex_picture::{PictureOptions, png};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let bytes = png(&start, &PictureOptions::default().width(64))?;
/// assert!(bytes.starts_with(b"\x89PNG"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the picture cannot be rendered, which happens only if there is no memory for its pixels.
pub fn png(position: &Position, options: &PictureOptions<'_>) -> io::Result<Vec<u8>> {
    let pixels = pixels(&svg(position, &with_strokes(options)))?;
    pixels.encode_png().map_err(fault)
}

/// Draws the positions of a game, each with its marks, as an animated PNG that repeats forever. Every position is shown
/// for `delay` milliseconds, the last one three times as long. All pictures have the size that the largest needs. The
/// marks of the options are not drawn; [`Lettering`] is always [`Strokes`](Lettering::Strokes). Only the rectangle that
/// changes is written for each frame, and at most two frames are in memory.
///
/// ```
/// use tridex_picture::{Marks, PictureOptions, animated_png};
/// use tridex_rules::{Position, RuleSystem};
///
/// let mut position = Position::start(RuleSystem::Meder);
/// let mut frames = vec![(position.clone(), Marks::default())];
/// for _ in 0..3 {
///     let mv = position.legal_moves()[0];
///     let marks = Marks::after(&position, mv);
///     position.play_unchecked(mv);
///     frames.push((position.clone(), marks));
/// }
/// let mut out = Vec::new();
/// let options = PictureOptions::default().width(64);
/// animated_png(&frames, &options, 800, &mut out)?;
/// assert!(out.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If `out` cannot be written to, if there are no positions or more than `u32::MAX`, or if there is no memory for the
/// pixels of a frame.
pub fn animated_png(
    frames: &[(Position, Marks)],
    options: &PictureOptions<'_>,
    delay: u16,
    out: impl Write,
) -> io::Result<()> {
    let options = with_strokes(options);
    let frame = Frame::of(frames, &options);
    let mut drawn = frames
        .iter()
        .map(|picture| pixels(&frame.svg(picture, &options)));
    let none = || io::Error::new(io::ErrorKind::InvalidInput, "an animation needs a position");
    let first = drawn.next().ok_or_else(none)??;
    let mut encoder = Encoder::new(out, first.width(), first.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    let count = u32::try_from(frames.len()).map_err(io::Error::other)?;
    encoder.set_animated(count, 0).map_err(encoding)?;
    let mut writer = encoder.write_header().map_err(encoding)?;
    let mut shown = None;
    for (number, next) in (1..).zip([Ok(first)].into_iter().chain(drawn)) {
        let next = next?;
        let area = Area::changed(shown.as_ref(), &next);
        let delay = match number == frames.len() {
            true => delay.saturating_mul(3),
            false => delay,
        };
        // The encoder requires after every call that the area is inside the picture, so the position is reset first.
        writer
            .set_frame_position(0, 0)
            .and_then(|()| writer.set_frame_dimension(area.width, area.height))
            .and_then(|()| writer.set_frame_position(area.left, area.top))
            .and_then(|()| writer.set_frame_delay(delay, 1000))
            .and_then(|()| writer.write_image_data(&area.cut(&next)))
            .map_err(encoding)?;
        shown = Some(next);
    }
    writer.finish().map_err(encoding)
}

fn encoding(found: EncodingError) -> io::Error {
    match found {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

fn fault(found: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("the picture cannot be made: {found}"))
}

fn with_strokes<'a>(options: &PictureOptions<'a>) -> PictureOptions<'a> {
    PictureOptions {
        lettering: Lettering::Strokes,
        ..options.clone()
    }
}

fn pixels(drawing: &str) -> io::Result<Pixmap> {
    let tree = usvg::Tree::from_str(drawing, &usvg::Options::default()).map_err(fault)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| fault(format!("{} by {} pixels", size.width(), size.height())))?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    Ok(pixels)
}

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Area {
    /// The smallest area with all differences between two pictures of one size. Without a first picture it is the whole
    /// second one; if the pictures are equal, it is one pixel.
    fn changed(before: Option<&Pixmap>, after: &Pixmap) -> Self {
        let width = after.width();
        let differs = |index: usize| {
            before.is_none_or(|before| before.pixels()[index] != after.pixels()[index])
        };
        let changed = (0..after.pixels().len()).filter(|index| differs(*index));
        let changed = changed.map(|index| (index as u32 % width, index as u32 / width));
        // Rows come in order, so the first is the highest and the last the lowest.
        let edges = changed.fold(None, |edges, (x, y)| {
            let (left, top, right, _) = edges.unwrap_or((x, y, x, y));
            Some((x.min(left), top, x.max(right), y))
        });
        let (left, top, right, bottom) = edges.unwrap_or_default();
        Self {
            left,
            top,
            width: right - left + 1,
            height: bottom - top + 1,
        }
    }

    /// The pixels of the area as PNG stores them: RGBA, not premultiplied.
    fn cut(self, picture: &Pixmap) -> Vec<u8> {
        let rows = picture.pixels().chunks(picture.width() as usize);
        let columns = self.left as usize..(self.left + self.width) as usize;
        rows.skip(self.top as usize)
            .take(self.height as usize)
            .flat_map(|row| &row[columns.clone()])
            .flat_map(|pixel| {
                let color = pixel.demultiply();
                [color.red(), color.green(), color.blue(), color.alpha()]
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use png::{Decoder, DisposeOp};
    use std::io::Cursor;
    use tridex_rules::RuleSystem;

    /// The positions of a game in which boards move and stack up, the seventh legal move each time.
    fn game(rules: RuleSystem) -> Vec<(Position, Marks)> {
        let mut position = Position::start(rules);
        let mut frames = vec![(position.clone(), Marks::default())];
        for ply in 0..12 {
            let moves = position.legal_moves();
            let mut boards = moves
                .iter()
                .filter(|mv| matches!(mv, tridex_rules::Move::Board { .. }));
            let chosen = match ply % 3 {
                0 => boards.next_back().or_else(|| moves.first()),
                _ => moves.iter().cycle().nth(7),
            };
            let Some(mv) = chosen.copied() else { break };
            let marks = Marks::after(&position, mv);
            position.play_unchecked(mv);
            frames.push((position.clone(), marks));
        }
        frames
    }

    #[test]
    fn frames_put_together_are_the_pictures_of_the_positions() {
        for (rules, view) in [
            (RuleSystem::Meder, crate::View::Flat),
            (RuleSystem::Manual, crate::View::Stand),
            (RuleSystem::Millennium, crate::View::Flat),
        ] {
            let frames = game(rules);
            let options = with_strokes(&PictureOptions {
                width: 160,
                view,
                ..PictureOptions::default()
            });
            let mut file = Vec::new();
            animated_png(&frames, &options, 500, &mut file).unwrap();
            let mut reader = Decoder::new(Cursor::new(&file)).read_info().unwrap();
            let width = reader.info().width;
            let mut shown = vec![0; reader.output_buffer_size().unwrap()];
            let common = Frame::of(&frames, &options);
            for (index, picture) in frames.iter().enumerate() {
                let mut part = vec![0; shown.len()];
                reader.next_frame(&mut part).unwrap();
                let control = *reader.info().frame_control().unwrap();
                assert_eq!(control.dispose_op, DisposeOp::None);
                let is_last = index + 1 == frames.len();
                assert_eq!(control.delay_num, if is_last { 1500 } else { 500 });
                for (row, line) in part
                    .chunks(4 * control.width as usize)
                    .take(control.height as usize)
                    .enumerate()
                {
                    let pixel = (control.y_offset as usize + row) * width as usize;
                    let start = 4 * (pixel + control.x_offset as usize);
                    shown[start..start + line.len()].copy_from_slice(line);
                }
                let whole = pixels(&common.svg(picture, &options)).unwrap();
                assert!(
                    shown == whole.take_demultiplied(),
                    "{rules:?}, frame {index}"
                );
            }
            // Frames that change little take little.
            assert!(file.len() < frames.len() * png(&frames[0].0, &options).unwrap().len());
        }
    }

    #[test]
    fn no_position_is_no_animation() {
        let options = PictureOptions::default();
        let error = animated_png(&[], &options, 500, &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn pictures_that_are_equal_differ_in_one_pixel_at_most() {
        let picture = Pixmap::new(3, 2).unwrap();
        let area = Area::changed(Some(&picture), &picture);
        assert_eq!((area.width, area.height), (1, 1));
    }
}
