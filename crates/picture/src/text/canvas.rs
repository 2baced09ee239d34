//! A sheet of characters that grows as it is written on.

/// How a character looks where the terminal has colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Style {
    /// A square: the ground of its shade, but for the last move's.
    pub(crate) shade: Option<tridex_geometry::Shade>,
    /// A piece_color of White's or of Black's.
    pub(crate) piece_color: Option<tridex_rules::Color>,
    /// A square of the last move.
    pub(crate) last: bool,
    /// A king in check.
    pub(crate) check: bool,
}

impl Style {
    /// The parameters of the control sequence; empty for a plain character.
    fn codes(self) -> String {
        let mut codes: Vec<&str> = Vec::new();
        match self.piece_color {
            Some(tridex_rules::Color::White) => codes.extend(["1", "33"]),
            Some(tridex_rules::Color::Black) => codes.extend(["1", "36"]),
            None => {}
        }
        if self.last {
            codes.push("7");
        }
        if self.check {
            codes.extend(["4", "31"]);
        }
        codes.join(";")
    }

    /// The control sequence of the ground; empty where there is none.
    const fn ground(self) -> &'static str {
        match (self.last, self.shade) {
            (false, Some(tridex_geometry::Shade::Light)) => "\x1b[48;5;240m",
            (false, Some(tridex_geometry::Shade::Dark)) => "\x1b[48;5;236m",
            _ => "",
        }
    }
}

/// Rows of characters, all of one column's width.
#[derive(Default, Debug)]
pub(crate) struct Canvas {
    rows: Vec<Vec<(char, Style)>>,
}

impl Canvas {
    /// How many columns the longest line has.
    pub(crate) fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Writes a text from a row and column on, over what is there.
    pub(crate) fn put(&mut self, row: usize, column: usize, text: &str) {
        for (i, sign) in text.chars().enumerate() {
            self.dot(row, column + i, sign);
        }
    }

    /// Writes one character.
    pub(crate) fn dot(&mut self, row: usize, column: usize, sign: char) {
        self.paint(row, column, (sign, Style::default()));
    }

    /// Writes one character with its look.
    pub(crate) fn paint(&mut self, row: usize, column: usize, painted: (char, Style)) {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        if let Some(line) = self.rows.get_mut(row) {
            if line.len() <= column {
                line.resize(column + 1, (' ', Style::default()));
            }
            if let Some(cell) = line.get_mut(column) {
                *cell = painted;
            }
        }
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

    /// Appends the sheet, without blanks at the ends of lines; with control sequences for the looks if `color`.
    pub(crate) fn write(&self, color: bool, out: &mut String) {
        for row in &self.rows {
            let end = row
                .iter()
                .rposition(|(sign, _)| *sign != ' ')
                .map_or(0, |last| last + 1);
            for (sign, style) in row.iter().take(end) {
                let codes = if color { style.codes() } else { String::new() };
                let ground = if color { style.ground() } else { "" };
                match (codes.as_str(), ground) {
                    ("", "") => out.push(*sign),
                    ("", _) => out.push_str(&format!("{ground}{sign}\x1b[0m")),
                    _ => out.push_str(&format!("{ground}\x1b[{codes}m{sign}\x1b[0m")),
                }
            }
            out.push('\n');
        }
    }
}
