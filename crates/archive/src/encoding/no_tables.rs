//! No other encodings than UTF-8 and UTF-16: in place of `tables.rs` where the feature `encodings` is off.

use super::{Encoding, Guess};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Table {}

impl Table {
    pub(super) const fn from_label(_: &str) -> Option<Self> {
        None
    }

    pub(super) const fn name(self) -> &'static str {
        match self {}
    }

    pub(super) const fn is_windows_1252(self) -> bool {
        match self {}
    }

    pub(super) const fn decoder(self) -> Option<TableDecoder> {
        match self {}
    }
}

pub(super) enum TableDecoder {}

impl TableDecoder {
    pub(super) const fn encoding(&self) -> Encoding {
        match *self {}
    }

    pub(super) const fn decode(&mut self, _: &[u8], _: &mut Vec<u8>, _: bool) -> bool {
        match *self {}
    }
}

pub(super) const fn guess(
    _: &[u8],
    _: &[u8],
    _: bool,
    _: bool,
    _: Option<&'static str>,
) -> Option<Guess> {
    None
}
