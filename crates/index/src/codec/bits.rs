//! Streams of bits, packed into bytes from the least significant bit.
//!
//! Written here because lists are read from any bit of a mapped file, and a damaged length must give `None`.
//! `bitstream-io` reads a stream from its beginning.

/// Appends bits to a vector of bytes.
#[derive(Default, Debug)]
pub(crate) struct BitWriter {
    pub(crate) bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Appends the low `count` bits of `value`, 56 at most; higher bits of `value` must be zero.
    #[inline]
    pub(crate) fn put(&mut self, value: u64, count: u32) {
        debug_assert!(count <= 56 && value >> count == 0);
        self.pending |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Appends a number in unary: `ones` one bits and a zero bit.
    #[inline]
    pub(crate) fn unary(&mut self, mut ones: u64) {
        while ones >= 32 {
            self.put(u64::from(u32::MAX), 32);
            ones -= 32;
        }
        self.put((1 << ones) - 1, ones as u32 + 1);
    }

    /// Appends a number in Golomb-Rice form: the part above `low` bits in unary, then those bits.
    #[inline]
    pub(crate) fn rice(&mut self, value: u64, low: u32) {
        self.unary(value >> low);
        self.put(value & ((1 << low) - 1), low);
    }

    /// The number of bits written so far.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.count)
    }

    /// Fills the last byte with zeros.
    pub(crate) fn align(&mut self) {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
    }

    /// Returns the bytes. Unused bits of the last byte are zero.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}

/// Reads bits from bytes. Beyond the end it reads zeros, and [`BitReader::is_overrun`] returns true.
#[derive(Clone, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The offset of the next bit.
    pub(crate) at: u64,
}

impl<'a> BitReader<'a> {
    #[inline]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns at least 57 of the next bits without consuming them.
    #[inline]
    fn window(&self) -> u64 {
        let byte = usize::try_from(self.at >> 3).unwrap_or(usize::MAX);
        let shift = self.at & 7;
        let rest = self.bytes.get(byte..).unwrap_or_default();
        let word = match rest.first_chunk::<8>() {
            Some(eight) => u64::from_le_bytes(*eight),
            None => rest
                .iter()
                .rev()
                .fold(0, |word, b| word << 8 | u64::from(*b)),
        };
        word >> shift
    }

    /// Reads the next `count` bits, 56 at most.
    #[inline]
    pub(crate) fn take(&mut self, count: u32) -> u64 {
        debug_assert!(count <= 56);
        let value = self.window() & ((1 << count) - 1);
        self.at += u64::from(count);
        value
    }

    /// Reads a number in unary: counts the ones before the next zero.
    #[inline]
    pub(crate) fn unary(&mut self) -> u64 {
        let mut ones = 0;
        loop {
            let run = (!self.window()).trailing_zeros().min(56);
            ones += u64::from(run);
            self.at += u64::from(run);
            if run < 56 {
                self.at += 1;
                return ones;
            }
            if self.is_overrun() {
                return ones;
            }
        }
    }

    /// Reads a number in Golomb-Rice form.
    #[inline]
    pub(crate) fn rice(&mut self, low: u32) -> u64 {
        let high = self.unary();
        high << low | self.take(low)
    }

    /// The remaining bytes from the next byte boundary on; `None` if more bits were read than there are.
    pub(crate) fn rest(&self) -> Option<&'a [u8]> {
        self.bytes.get(usize::try_from(self.at.div_ceil(8)).ok()?..)
    }

    /// Whether more bits were read than there are.
    #[inline]
    pub(crate) fn is_overrun(&self) -> bool {
        self.at > self.bytes.len() as u64 * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_as_they_went_in() {
        let mut dice = crate::testing::Dice::new(3);
        let mut writer = BitWriter::default();
        let mut put = Vec::new();
        for _ in 0..5_000 {
            let count = dice.roll(57) as u32;
            let value = dice.next() & ((1 << count) - 1);
            let low = dice.roll(20) as u32;
            let number = dice.next() & 0x3F_FFFF;
            let number = number >> dice.roll(22);
            writer.put(value, count);
            writer.rice(number, low.max(14));
            put.push((value, count, number, low.max(14)));
        }
        writer.unary(300);
        let length = writer.len();
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for (value, count, number, low) in put {
            assert_eq!(reader.take(count), value);
            assert_eq!(reader.rice(low), number);
        }
        assert_eq!(reader.unary(), 300);
        assert_eq!(reader.at, length);
        assert!(!reader.is_overrun());
        reader.take(56);
        assert!(reader.is_overrun());
    }
}
