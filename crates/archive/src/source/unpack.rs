//! Decompression of a source.

use std::io;
#[cfg(feature = "compression")]
use std::io::Read;

#[cfg(feature = "compression")]
use super::gzip::Members;
use super::{Compression, Reader, SourceErrorKind};

/// Decompresses the bytes of `raw`, up to `cap` bytes.
#[cfg(feature = "compression")]
pub(super) fn unpack(compression: Compression, raw: Reader, cap: u64) -> io::Result<Reader> {
    let buffered = |raw| io::BufReader::with_capacity(64 << 10, raw);
    Ok(match compression {
        Compression::None => raw,
        Compression::Gzip => capped(Members::new(buffered(raw)), cap),
        Compression::Bzip2 => capped(bzip2::bufread::MultiBzDecoder::new(buffered(raw)), cap),
        Compression::Zstd => {
            // 32 MiB, more than any level below `--ultra -21` uses. A few bytes of input could demand a larger window
            // and exhaust the memory.
            const WINDOW_LOG: u32 = 25;
            let mut decoder = zstd::stream::read::Decoder::with_buffer(buffered(raw))?;
            decoder.window_log_max(WINDOW_LOG)?;
            capped(decoder, cap)
        }
    })
}

/// Without the feature nothing is decompressed.
#[cfg(not(feature = "compression"))]
pub(super) fn unpack(compression: Compression, raw: Reader, _cap: u64) -> io::Result<Reader> {
    let what = match compression {
        Compression::None => return Ok(raw),
        Compression::Gzip => "gzip data (unpack it first)",
        Compression::Zstd => "Zstandard data (unpack it first)",
        Compression::Bzip2 => "bzip2 data (unpack it first)",
    };
    Err(io::Error::other(SourceErrorKind::Foreign(what)))
}

/// Returns up to `cap` bytes and fails if there are more.
#[cfg(feature = "compression")]
struct Capped<R> {
    inner: io::Take<R>,
    cap: u64,
}

#[cfg(feature = "compression")]
fn capped(reader: impl Read + Send + 'static, cap: u64) -> Reader {
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
