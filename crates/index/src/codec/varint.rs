//! Numbers of variable length, and byte strings after their length.

/// Appends a number in groups of seven bits. The top bit is set in every byte but the last.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a length and the bytes.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads what [`put_varint`] and [`put_bytes`] wrote. Each method returns `None` if the bytes do not fit.
#[derive(Clone, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Reads a number that [`put_varint`] wrote.
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(first & 0x7F) << shift;
            if first & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a number; `None` if it does not fit into `T`.
    pub(crate) fn number<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.varint()?).ok()
    }

    /// Reads `count` bytes.
    pub(crate) fn exact(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Reads a length and as many bytes.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = self.number()?;
        self.exact(count)
    }

    /// Reads a length and as many bytes of UTF-8.
    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_come_back_and_cut_ones_are_refused() {
        let mut out = Vec::new();
        for n in [0, 1, 127, 128, 300, u64::MAX] {
            put_varint(&mut out, n);
        }
        put_bytes(&mut out, "Kirk – Spock".as_bytes());
        let mut bytes = Bytes(&out);
        for n in [0, 1, 127, 128, 300, u64::MAX] {
            assert_eq!(bytes.varint(), Some(n));
        }
        assert_eq!(bytes.text(), Some("Kirk – Spock"));
        assert_eq!(bytes.varint(), None);
        let mut cut = Bytes(&out[..out.len() - 1]);
        for _ in 0..6 {
            cut.varint();
        }
        assert_eq!(cut.text(), None);
    }
}
