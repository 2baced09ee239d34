//! Names of openings.
//!
//! The openings of these games have no published names yet. A book is a list of names, each with moves that lead to a
//! position. A game has the name of the deepest named position that it reaches, by any moves.

use crate::model::move_text::positions_after;
use std::collections::HashMap;
use std::io::Read;
use tridex_rules::{Move, Position, RuleSystem};

/// Names of positions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OpeningBook {
    /// By the rules and the key of a position.
    names: HashMap<(RuleSystem, u64), String>,
    /// The greatest number of plies after which the book reaches one of its positions.
    depth: usize,
}

/// A line of a book that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BookError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: String,
}

impl OpeningBook {
    /// Returns the names that come with the program. They are our own: see `openings/SOURCE.txt`.
    #[must_use]
    pub fn bundled() -> Self {
        let (book, _) = Self::from_csv(include_str!("../../openings/openings.csv").as_bytes());
        book
    }

    /// Reads a book. Each line is one opening: a name, the moves, and optionally the rule system. A first line that
    /// begins with `name` is a heading. A name without a rule system applies to every system in which the moves can be
    /// played. Lines that cannot be used are skipped and reported.
    ///
    /// ```
    /// use tridex_index::{OpeningBook, position_after};
    /// use tridex_rules::RuleSystem;
    ///
    /// let (book, errors) = OpeningBook::from_csv("name,moves\nMy Opening,b4N b5B\n".as_bytes());
    /// assert!(errors.is_empty());
    /// let position = position_after(RuleSystem::Meder, "b4N b5B")?;
    /// assert_eq!(book.name(&position), Some("My Opening"));
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    pub fn from_csv(input: impl Read) -> (Self, Vec<BookError>) {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(input);
        let (mut book, mut errors) = (Self::default(), Vec::new());
        for (i, record) in (1_u64..).zip(reader.records()) {
            let place = match &record {
                Ok(record) => record.position(),
                Err(error) => error.position(),
            };
            let line = place.map_or(i, csv::Position::line);
            // An error of the stream, rather than of one line, would be returned again without end.
            let is_over = record.as_ref().is_err_and(csv::Error::is_io_error);
            let added = record.map_err(|error| error.to_string());
            let added = added.and_then(|record| {
                let field = |n| record.get(n).unwrap_or_default();
                match i == 1 && field(0).eq_ignore_ascii_case("name") {
                    true => Ok(()),
                    false => book.add(field(0), field(1), field(2)),
                }
            });
            errors.extend(added.err().map(|what| BookError { line, what }));
            if is_over {
                break;
            }
        }
        (book, errors)
    }

    fn add(&mut self, name: &str, moves: &str, rules: &str) -> Result<(), String> {
        if name.is_empty() || moves.is_empty() {
            return Err("expected a name and moves".to_owned());
        }
        let systems: Vec<_> = match rules {
            "" => RuleSystem::ALL.to_vec(),
            rules => match RuleSystem::from_name(rules) {
                Some(rules) => vec![rules],
                None => return Err(format!("there is no rule system {rules:?}")),
            },
        };
        let positions = positions_after(&systems, moves);
        let positions = positions.map_err(|no| format!("{:?} is no move there", no.token))?;
        for (position, plies) in positions {
            self.depth = self.depth.max(plies);
            let key = (position.rules(), position.key());
            self.names.insert(key, name.to_owned());
        }
        Ok(())
    }

    /// Adds the names of another book. If both name a position, the name in `other` replaces the one here.
    ///
    /// ```
    /// use tridex_index::OpeningBook;
    ///
    /// let mut book = OpeningBook::bundled();
    /// let before = book.len();
    /// book.extend(OpeningBook::from_csv("My Opening,b4N b5B c3W c6B d3W\n".as_bytes()).0);
    /// assert!(book.len() >= before && !book.is_empty());
    /// ```
    pub fn extend(&mut self, other: Self) {
        self.depth = self.depth.max(other.depth);
        self.names.extend(other.names);
    }

    /// The name of a position.
    #[must_use]
    pub fn name(&self, position: &Position) -> Option<&str> {
        let name = self.names.get(&(position.rules(), position.key()));
        name.map(String::as_str)
    }

    /// Returns the name of a game: that of the deepest named position it reaches, by any moves.
    #[must_use]
    pub fn of_game(&self, start: &Position, moves: &[Move]) -> Option<&str> {
        let mut position = start.clone();
        let mut name = self.name(&position);
        for m in moves.iter().take(self.depth) {
            position.play_unchecked(*m);
            name = self.name(&position).or(name);
        }
        name
    }

    /// How many positions have a name.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether the book has no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::move_text::read_moves;

    #[test]
    fn every_line_of_the_bundled_book_is_good() {
        let text = include_str!("../../openings/openings.csv");
        let (book, errors) = OpeningBook::from_csv(text.as_bytes());
        assert_eq!(errors, []);
        assert!(book.len() >= text.lines().count() - 1);
        for rules in RuleSystem::ALL {
            let mut named = book.names.keys();
            assert!(named.any(|(of, _)| of == rules), "{}", rules.name());
        }
    }

    #[test]
    fn names_of_another_book_take_precedence() {
        let (mut ours, _) = OpeningBook::from_csv("One,b4N,meder\nTwo,b3W,meder\n".as_bytes());
        let (theirs, _) = OpeningBook::from_csv("Uno,b4N,meder\nTres,b4N b5B,meder\n".as_bytes());
        ours.extend(theirs);
        let name = |moves: &str| {
            let mut position = Position::start(RuleSystem::Meder);
            for m in read_moves(RuleSystem::Meder, moves).unwrap() {
                position.play_unchecked(m);
            }
            ours.name(&position)
        };
        assert_eq!(name("b4N"), Some("Uno"));
        assert_eq!(name("b3W"), Some("Two"));
        assert_eq!(name("b4N b5B"), Some("Tres"));
        assert_eq!(ours.depth, 2);
    }

    #[test]
    fn bad_lines_are_told_and_the_rest_is_used() {
        let text = "name,moves,rules\nOne,b4N,meder\n,b4N\nTwo,b9N,meder\nThree,b4N,draughts\nFour,1. b4N b5B,meder\n";
        let (book, errors) = OpeningBook::from_csv(text.as_bytes());
        assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [3, 4, 5]);
        let mut position = Position::start(RuleSystem::Meder);
        for (m, name) in read_moves(RuleSystem::Meder, "b4N b5B")
            .unwrap()
            .iter()
            .zip(["One", "Four"])
        {
            position.play_unchecked(*m);
            assert_eq!(book.name(&position), Some(name));
        }
    }
}
