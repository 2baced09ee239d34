//! A sheet of characters that grows as it is written on.

/// Rows of characters, all of one column's width.
#[derive(Default, Debug)]
pub(crate) struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    /// Writes a text from a row and column on, over what is there.
    pub(crate) fn put(&mut self, row: usize, column: usize, text: &str) {
        for (i, sign) in text.chars().enumerate() {
            self.dot(row, column + i, sign);
        }
    }

    /// Writes one character.
    pub(crate) fn dot(&mut self, row: usize, column: usize, sign: char) {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        if let Some(line) = self.rows.get_mut(row) {
            if line.len() <= column {
                line.resize(column + 1, ' ');
            }
            if let Some(cell) = line.get_mut(column) {
                *cell = sign;
            }
        }
    }

    /// Appends the sheet, without blanks at the ends of lines.
    pub(crate) fn write(&self, out: &mut String) {
        for row in &self.rows {
            let line: String = row.iter().collect();
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}
