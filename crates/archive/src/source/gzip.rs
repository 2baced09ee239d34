//! gzip with everything that `gzip -d` accepts: several members, and NUL bytes after the last.

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
        while let Some(mut member) = self.0.take() {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                self.0 = Some(member);
                return Ok(read);
            }
            let mut rest = member.into_inner();
            self.0 = has_more(&mut rest)?.then(|| GzDecoder::new(rest));
        }
        Ok(0)
    }
}

/// Whether something other than padding follows a member. Tapes and block devices pad with zeros, as does a file system
/// after a crash.
fn has_more(rest: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let next = rest.fill_buf()?;
        let length = next.len();
        let zeros = next.iter().take_while(|byte| **byte == 0).count();
        rest.consume(zeros);
        if zeros < length || length == 0 {
            return Ok(length > 0);
        }
    }
}
