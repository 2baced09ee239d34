//! Decompression of a source.

use std::io;
#[cfg(feature = "compression")]
use std::io::Read;

#[cfg(feature = "compression")]
use super::gzip::Members;
use super::{Compression, Reader};
use crate::fault::SourceError;

/// Decompresses the bytes of `raw`, up to `cap` bytes.
#[cfg(feature = "compression")]
pub(super) fn unpack(compression: Compression, raw: Reader, cap: u64) -> io::Result<Reader> {
    let buffered = |raw| io::BufReader::with_capacity(64 << 10, raw);
    let unpacked: Reader = match compression {
        Compression::None => return Ok(raw),
        Compression::Gzip => Box::new(Members::new(buffered(raw))),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(raw))),
        Compression::Zstd => {
            // 32 MiB, enough for every level below `--ultra -21`. A few bytes of input could demand a larger window and
            // exhaust the memory.
            const WINDOW_LOG: u32 = 25;
            let mut decoder = zstd::stream::read::Decoder::with_buffer(buffered(raw))?;
            decoder.window_log_max(WINDOW_LOG)?;
            Box::new(decoder)
        }
    };
    let inner = unpacked.take(cap);
    Ok(Box::new(Capped { inner, cap }))
}

/// Without the feature nothing is decompressed.
#[cfg(not(feature = "compression"))]
pub(super) fn unpack(compression: Compression, raw: Reader, _cap: u64) -> io::Result<Reader> {
    match compression {
        Compression::None => Ok(raw),
        packed => {
            let what = format!("{} data (unpack it first)", packed.as_str());
            Err(SourceError::foreign("no-record", &what))
        }
    }
}

/// Returns up to `cap` bytes and fails if there are more.
#[cfg(feature = "compression")]
struct Capped {
    inner: io::Take<Reader>,
    cap: u64,
}

#[cfg(feature = "compression")]
impl Read for Capped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_over = self.inner.limit() == 0 && !buffer.is_empty();
        // Only reading shows whether there is more.
        if is_over && self.inner.get_mut().read(&mut [0])? > 0 {
            let cap = self.cap;
            let what = format!("decompresses to more than {cap} bytes; the rest is not read");
            return Err(SourceError::of_reader("too-large", what));
        }
        self.inner.read(buffer)
    }
}
