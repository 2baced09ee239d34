//! UTF-16 of either byte order.

/// Decodes UTF-16 to UTF-8, part after part. What is no character becomes U+FFFD.
pub(super) struct Utf16 {
    is_big: bool,
    /// Whether a byte order mark that comes next is removed.
    removes_mark: bool,
    /// The first byte of a unit, and the first unit of a character of two.
    half: Option<u8>,
    high: Option<u16>,
}

impl Utf16 {
    pub(super) const fn new(is_big: bool, removes_mark: bool) -> Self {
        Self {
            is_big,
            removes_mark,
            half: None,
            high: None,
        }
    }

    pub(super) const fn is_big(&self) -> bool {
        self.is_big
    }

    /// Appends the text of some bytes, the last ones or not. Returns whether some of them are no character.
    pub(super) fn decode(&mut self, bytes: &[u8], text: &mut Vec<u8>, is_last: bool) -> bool {
        let mut has_faults = false;
        for &byte in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(byte);
                continue;
            };
            let unit = match self.is_big {
                true => u16::from_be_bytes([first, byte]),
                false => u16::from_le_bytes([first, byte]),
            };
            if std::mem::take(&mut self.removes_mark) && unit == 0xfeff {
                continue;
            }
            let high = self.high.take();
            let is_pair = high.is_some() && (0xdc00..0xe000).contains(&unit);
            if high.is_some() && !is_pair {
                has_faults = true;
                put(char::REPLACEMENT_CHARACTER, text);
            }
            if (0xd800..0xdc00).contains(&unit) {
                self.high = Some(unit);
                continue;
            }
            let units = high.filter(|_| is_pair).into_iter().chain([unit]);
            for c in char::decode_utf16(units) {
                has_faults |= c.is_err();
                put(c.unwrap_or(char::REPLACEMENT_CHARACTER), text);
            }
        }
        // The end of the text is one fault, in the middle of a unit, of a character, or of both.
        if is_last && (self.half.take().is_some() | self.high.take().is_some()) {
            has_faults = true;
            put(char::REPLACEMENT_CHARACTER, text);
        }
        has_faults
    }
}

fn put(c: char, text: &mut Vec<u8>) {
    text.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
}
