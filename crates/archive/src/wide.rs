//! UTF-16, which some spreadsheets write, made UTF-8.

/// Turns a stream of UTF-16 into UTF-8, however it is cut.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    /// The high byte of a unit comes first.
    is_big: bool,
    /// The first byte of a unit whose second has not come.
    half: Option<u8>,
    /// The first unit of a pair whose second has not come.
    high: Option<u16>,
}

impl Wide {
    /// Says by its byte order mark whether a text is UTF-16. The mark takes two bytes.
    pub(crate) fn detect(head: &[u8]) -> Option<Self> {
        let is_big = match head {
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            _ => return None,
        };
        Some(Self {
            is_big,
            half: None,
            high: None,
        })
    }

    /// Adds what the bytes say to `out`. What is no character is U+FFFD.
    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            let Some(first) = self.half.take() else {
                self.half = Some(byte);
                continue;
            };
            let unit = if self.is_big {
                u16::from_be_bytes([first, byte])
            } else {
                u16::from_le_bytes([first, byte])
            };
            self.unit(unit, out);
        }
    }

    /// Says that the text is over.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.high.take().is_some() | self.half.take().is_some() {
            encode(char::REPLACEMENT_CHARACTER, out);
        }
    }

    fn unit(&mut self, unit: u16, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            if (0xdc00..0xe000).contains(&unit) {
                let code =
                    0x10000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(unit) - 0xdc00);
                encode(
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                    out,
                );
                return;
            }
            encode(char::REPLACEMENT_CHARACTER, out);
        }
        match unit {
            0xd800..0xdc00 => self.high = Some(unit),
            _ => {
                let c = char::from_u32(u32::from(unit));
                encode(c.unwrap_or(char::REPLACEMENT_CHARACTER), out);
            }
        }
    }
}

fn encode(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_in_any_pieces() {
        let text = "no;white\n1;b4N € \u{1f600} č";
        for is_big in [false, true] {
            let mut bytes = Vec::new();
            for unit in text.encode_utf16() {
                bytes.extend(if is_big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                });
            }
            for piece in 1..9 {
                let mark: &[u8] = if is_big { &[0xfe, 0xff] } else { &[0xff, 0xfe] };
                let mut wide = Wide::detect(mark).unwrap();
                let mut out = Vec::new();
                for chunk in bytes.chunks(piece) {
                    wide.push(chunk, &mut out);
                }
                wide.finish(&mut out);
                assert_eq!(String::from_utf8(out).unwrap(), text);
            }
        }
    }

    #[test]
    fn halves_of_characters_are_replaced() {
        let mut wide = Wide::detect(&[0xff, 0xfe]).unwrap();
        let mut out = Vec::new();
        wide.push(
            &[0x3d, 0xd8, b'a', 0, 0x00, 0xdc, b'b', 0, 0x3d, 0xd8, 7],
            &mut out,
        );
        wide.finish(&mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\u{fffd}a\u{fffd}b\u{fffd}"
        );
        assert!(Wide::detect(b"1. b4N").is_none());
    }
}
