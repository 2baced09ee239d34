//! Reads everything that `gzip -d` accepts: several members, and NUL bytes after the last.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// The decompressed bytes of all members of a gzip file.
pub(super) struct Members<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Members<R> {
    pub(super) fn new(packed: R) -> Self {
        Self(Some(GzDecoder::new(packed)))
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(mut member) = self.0.take() {
            match member.read(buffer)? {
                0 => {
                    let mut rest = member.into_inner();
                    self.0 = has_more(&mut rest)?.then(|| GzDecoder::new(rest));
                }
                read => {
                    self.0 = Some(member);
                    return Ok(read);
                }
            }
        }
        Ok(0)
    }
}

/// Whether another member follows. Tapes and block devices pad files with zeros, and so does a file system after a
/// crash. Nothing else may follow the zeros.
fn has_more(rest: &mut impl BufRead) -> io::Result<bool> {
    if rest.fill_buf()?.first().is_some_and(|byte| *byte != 0) {
        return Ok(true);
    }
    while let padding @ [_, ..] = rest.fill_buf()? {
        if padding.iter().any(|byte| *byte != 0) {
            let what = "unexpected data after the NUL bytes at its end";
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        }
        let length = padding.len();
        rest.consume(length);
    }
    Ok(false)
}
