//! Containers, read once: whatever the bytes are, games begin, nest and end in order, and all places lie inside.

use std::io::Read;
use tridex_archive::sheet::SheetLayout;
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::{
    Damage, GameResult, Item, Limits, TokenId, Visitor, ndjson as json, pgn as archive,
    sheet as rows,
};

/// Bytes that a packed input may unfold to here.
const UNFOLDED: u64 = 1 << 20;

fn limits() -> Limits {
    Limits::new(64 << 10, 16 << 10, 60)
}

/// The bytes as an archive.
///
/// # Panics
/// If a law is broken.
pub fn pgn(data: &[u8]) {
    let mut order = Order::of(data);
    archive::read_games(data, 0, &limits(), &mut order);
    order.finish();
}

/// The bytes as a scoresheet.
///
/// # Panics
/// If a law is broken.
pub fn sheet(data: &[u8]) {
    let mut order = Order::of(data);
    let layout = SheetLayout::detect(data, 0);
    rows::read_games(data, 0, &layout, &limits(), &mut order);
    order.finish();
}

/// The bytes as lines of JSON.
///
/// # Panics
/// If a law is broken.
pub fn ndjson(data: &[u8]) {
    let mut order = Order::of(data);
    // Of a line that is not UTF-8 places are those in the decoded text, where a byte may be two.
    order.length *= 2;
    json::read_games(data, 0, &limits(), &mut order);
    order.finish();
}

/// The bytes as a file that may be packed: it unfolds to games, to no more than was allowed, or to a fault with words.
///
/// # Panics
/// If a law is broken.
pub fn decompression(data: &[u8]) {
    let mut options = OpenOptions::default();
    options.max_decompressed = Some(UNFOLDED);
    let raw: Box<dyn Read + Send> = Box::new(std::io::Cursor::new(data.to_vec()));
    let input = match Source::Stdin.open_reader(raw, &options) {
        Ok(input) => input,
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            return;
        }
    };
    let mut unfolded = 0;
    for batch in input {
        match batch {
            Ok(batch) => unfolded += batch.bytes.len() as u64,
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
    // Text that is not compressed may grow when it is decoded.
    let most = UNFOLDED.max(4 * data.len() as u64);
    assert!(unfolded <= most, "{unfolded} bytes");
}

/// Holds events to their order.
struct Order {
    length: u64,
    open: bool,
    depth: usize,
    over: bool,
}

impl Order {
    fn of(data: &[u8]) -> Self {
        Self {
            length: data.len() as u64,
            open: false,
            depth: 0,
            over: false,
        }
    }

    fn inside(&self, at: u64, len: usize) {
        assert!(
            at + len as u64 <= self.length,
            "{len} bytes at {at} of {}",
            self.length
        );
    }

    fn of_a_move(&self, at: u64) {
        assert!(self.open, "movetext at {at}");
        // Behind the result stand variations and remarks, no further moves of the game.
        assert!(
            !self.over || self.depth > 0,
            "a move behind the result at {at}"
        );
        self.inside(at, 0);
    }

    fn finish(&self) {
        assert!(!self.open, "the last game is over");
    }
}

impl Visitor for Order {
    fn begin_game(&mut self, at: u64) {
        assert!(!self.open, "a game begins after the last is over");
        (self.open, self.over) = (true, false);
        self.inside(at, 0);
    }

    fn tag(&mut self, _name: &[u8], _raw_value: &[u8], at: u64) {
        assert!(self.open);
        self.inside(at, 0);
    }

    fn move_token(&mut self, token: &[u8], at: u64, _id: TokenId) {
        assert!(!token.is_empty());
        self.of_a_move(at);
    }

    fn item(&mut self, item: Item<&[u8]>, at: u64) {
        match item {
            Item::VariationStart => self.depth += 1,
            Item::VariationEnd => {
                assert!(self.depth > 0, "variations are balanced");
                self.depth -= 1;
            }
            _ => {}
        }
        self.inside(at, 0);
    }

    fn result(&mut self, _result: GameResult, at: u64) {
        assert!(!self.over, "a game has one result");
        self.inside(at, 0);
        self.over = true;
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        assert!(!damage.code().is_empty());
        self.inside(at, len);
    }

    fn end_game(&mut self, at: u64) {
        assert!(self.open && self.depth == 0);
        self.open = false;
        self.inside(at, 0);
    }
}
