//! Texts in a temporary file, read again in any order.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Stores texts in a temporary file without a name, which disappears when the program ends. Only their positions are in
/// memory, and their owner has those.
///
/// ```
/// use tridex_archive::write::TextStore;
///
/// let mut store = TextStore::new()?;
/// let (one, two) = (store.push(b"one ")?, store.push(b"two ")?);
/// let mut out = Vec::new();
/// store.copy(two, &mut out)?;
/// store.copy(one, &mut out)?;
/// assert_eq!(out, b"two one ");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TextStore {
    file: BufWriter<File>,
    /// The number of bytes that were added.
    length: u64,
    /// Where the next byte is read, if the last call read.
    read_to: Option<u64>,
}

/// A text in a [`TextStore`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredText {
    offset: u64,
    length: u64,
}

impl TextStore {
    /// Creates an empty store.
    ///
    /// # Errors
    /// If no temporary file can be created.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::new(tempfile::tempfile()?),
            length: 0,
            read_to: None,
        })
    }

    /// Adds a text.
    ///
    /// # Errors
    /// If the temporary file cannot be written to.
    pub fn push(&mut self, text: &[u8]) -> io::Result<StoredText> {
        if self.read_to.take().is_some() {
            self.file.seek(SeekFrom::End(0))?;
        }
        let stored = StoredText {
            offset: self.length,
            length: text.len() as u64,
        };
        self.file.write_all(text)?;
        self.length += stored.length;
        Ok(stored)
    }

    /// Copies a text to a writer. Texts that follow each other are read without a seek.
    ///
    /// # Errors
    /// If the temporary file cannot be read, or those of `out`.
    pub fn copy(&mut self, text: StoredText, out: &mut dyn Write) -> io::Result<()> {
        if self.read_to != Some(text.offset) {
            // The seek writes what is in the buffer.
            self.file.seek(SeekFrom::Start(text.offset))?;
        }
        self.read_to = Some(text.offset + text.length);
        let copied = io::copy(&mut self.file.get_mut().take(text.length), out)?;
        match copied == text.length {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_in_any_order_and_more_can_be_added() {
        let mut store = TextStore::new().unwrap();
        let texts: Vec<String> = (0..200)
            .map(|n| format!("<{n}>").repeat(n * 7 % 50))
            .collect();
        let mut stored = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            stored.push(store.push(text.as_bytes()).unwrap());
            let known = n * 31 % (n + 1);
            let mut out = Vec::new();
            store.copy(stored[known], &mut out).unwrap();
            assert_eq!(out, texts[known].as_bytes());
        }
        let mut out = Vec::new();
        for text in stored.iter().rev() {
            store.copy(*text, &mut out).unwrap();
        }
        let expected: String = texts.iter().rev().map(String::as_str).collect();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
