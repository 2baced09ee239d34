//! A sheet of characters that grows as it is written on.

use tridex_geometry::Shade;
use tridex_rules::Color;

/// How a character looks where the terminal has colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Style {
    /// The shade of a square, shown as its ground unless it is a square of the last move.
    pub(crate) shade: Option<Shade>,
    /// A piece of White's or of Black's.
    pub(crate) piece_color: Option<Color>,
    /// A square of the last move.
    pub(crate) last: bool,
    /// A king in check.
    pub(crate) check: bool,
}

impl Style {
    /// The control sequences before a character; empty for a plain one.
    fn sequences(self) -> String {
        let ground = match self.shade {
            Some(Shade::Light) if !self.last => "\x1b[48;5;240m",
            Some(Shade::Dark) if !self.last => "\x1b[48;5;236m",
            _ => "",
        };
        let piece = self.piece_color.map(|color| match color {
            Color::White => "1;33",
            Color::Black => "1;36",
        });
        let codes = [
            piece,
            self.last.then_some("7"),
            self.check.then_some("4;31"),
        ];
        let codes: Vec<&str> = codes.into_iter().flatten().collect();
        match codes.as_slice() {
            [] => ground.to_owned(),
            codes => format!("{ground}\x1b[{}m", codes.join(";")),
        }
    }
}

/// Rows of characters, each one column wide.
#[derive(Default, Debug)]
pub(crate) struct Canvas {
    rows: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    /// How many columns the longest line has.
    pub(crate) fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Writes a text at a row and column, over what is there.
    pub(crate) fn put(&mut self, row: usize, column: usize, text: &str) {
        for (column, sign) in (column..).zip(text.chars()) {
            self.paint(row, column, (sign, Style::default()));
        }
    }

    /// Writes one character with its look.
    pub(crate) fn paint(&mut self, row: usize, column: usize, painted: (char, Style)) {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        let line = &mut self.rows[row];
        if line.len() <= column {
            line.resize(column + 1, (' ', Style::default()));
        }
        line[column] = painted;
    }

    /// Writes a square of a board: a character, and the blank before it on the same ground.
    pub(crate) fn square(&mut self, row: usize, column: usize, painted: (char, Style)) {
        let blank = Style {
            shade: painted.1.shade,
            ..Style::default()
        };
        self.paint(row, column.saturating_sub(1), (' ', blank));
        self.paint(row, column, painted);
    }

    /// Appends the sheet without blanks at the ends of lines. If `color`, it has the control sequences of the styles.
    pub(crate) fn write(&self, color: bool, out: &mut String) {
        for row in &self.rows {
            let end = row
                .iter()
                .rposition(|(sign, _)| *sign != ' ')
                .map_or(0, |last| last + 1);
            for (sign, style) in row.iter().take(end) {
                match style.sequences() {
                    looks if color && !looks.is_empty() => {
                        out.push_str(&format!("{looks}{sign}\x1b[0m"));
                    }
                    _ => out.push(*sign),
                }
            }
            out.push('\n');
        }
    }
}
