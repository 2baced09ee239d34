//! Decompression of a source.

use std::io::{self, Read};

use super::{Compression, SourceErrorKind};

/// Decompresses the bytes of `raw`, up to `cap` bytes.
#[cfg(feature = "compression")]
pub(super) fn unpack(
    compression: Compression,
    raw: impl Read + Send + 'static,
    cap: u64,
) -> io::Result<Box<dyn Read + Send>> {
    let buffered = |raw| io::BufReader::with_capacity(64 << 10, raw);
    Ok(match compression {
        Compression::None => Box::new(raw),
        Compression::Gzip => capped(super::gzip::Members::new(buffered(raw)), cap),
        Compression::Bzip2 => capped(bzip2::bufread::MultiBzDecoder::new(buffered(raw)), cap),
        Compression::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(buffered(raw))?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            capped(decoder, cap)
        }
    })
}

/// Without the feature nothing is decompressed.
#[cfg(not(feature = "compression"))]
pub(super) fn unpack(
    compression: Compression,
    raw: impl Read + Send + 'static,
    _cap: u64,
) -> io::Result<Box<dyn Read + Send>> {
    let what = match compression {
        Compression::None => return Ok(Box::new(raw)),
        Compression::Gzip => "gzip data (unpack it first)",
        Compression::Zstd => "Zstandard data (unpack it first)",
        Compression::Bzip2 => "bzip2 data (unpack it first)",
    };
    Err(io::Error::other(SourceErrorKind::Foreign(what)))
}

/// The logarithm of the largest zstd window that is accepted: 32 MiB, more than any level below `--ultra -21` uses. A
/// few bytes of input could demand a larger window and exhaust the memory.
#[cfg(feature = "compression")]
const ZSTD_WINDOW: u32 = 25;

/// Returns up to `cap` bytes and fails if there are more.
#[cfg(feature = "compression")]
struct Capped<R> {
    inner: io::Take<R>,
    cap: u64,
}

#[cfg(feature = "compression")]
fn capped<R: Read + Send + 'static>(reader: R, cap: u64) -> Box<dyn Read + Send> {
    let inner = reader.take(cap);
    Box::new(Capped { inner, cap })
}

#[cfg(feature = "compression")]
impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_over = self.inner.limit() == 0 && !buffer.is_empty();
        // Only reading shows whether there is more.
        if is_over && self.inner.get_mut().read(&mut [0])? > 0 {
            return Err(io::Error::other(SourceErrorKind::TooLarge(self.cap)));
        }
        self.inner.read(buffer)
    }
}
