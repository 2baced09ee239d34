//! Cuts a stream into batches of whole games.
//!
//! Splitting changes nothing: the events of all batches together are those of the text read as a
//! whole, whatever the batches' size. Memory is bounded by [`Limits::max_game`], a comment's
//! length and one batch, whatever the stream holds.

mod seam;

use std::io::{self, Read};
use std::sync::Arc;

pub use self::seam::{SEAM_HEAD, Seam};
use crate::container::Container;
use crate::lex::{self, CloseBraces, CommentEnd};
use crate::pgn::semicolons::{is_glued, separates_moves};
use crate::pgn::{self, Engine, Stop};
use crate::places::{self, Place, Places, Steps};
use crate::record::{Game, Recorder};
use crate::source::{Budget, Share};
use crate::visit::{Damage, Limits, Visitor};
use crate::{ndjson, sheet, words};

/// Bytes a batch has by default: 256 KiB. What was split is then still near when it is read.
pub const BATCH_BYTES: usize = 256 << 10;

/// Bytes for which room is made at first.
const ROOM: usize = 8 << 10;

/// How many games a batch has at most, some more than fit into [`BATCH_BYTES`] as a rule. Where each is but a few bytes,
/// what is said of them takes hundreds of times as much.
pub(crate) const BATCH_GAMES: u32 = 2_048;

/// Whole games in a row, with their place in the source.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The text of the games.
    pub bytes: Vec<u8>,
    /// Offset of its first byte in the text of the source: decompressed, and as UTF-8 if it was decoded
    /// (see [`encoding`](crate::encoding)).
    pub base_offset: u64,
    /// Place of its first byte in the source.
    pub first_place: Place,
    /// Number of its first game in the source, from 1.
    pub first_game: u64,
    /// How many games it holds. There may be none, where a text holds nothing but damage.
    pub games: u32,
    container: Container,
    layout: Option<Arc<sheet::Layout>>,
    limits: Arc<Limits>,
    /// What is wrong with the end of the last game.
    cut: Option<Damage>,
    /// Whether the source ends here.
    is_last: bool,
    steps: Steps,
    /// Its part of what may be in memory.
    share: Option<Arc<Share>>,
}

impl Batch {
    /// Tells `visitor` what stands in the batch: [`Visitor::begin_game`] is called
    /// [`games`](Self::games) times. Reading again tells the same again.
    pub fn read<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        let base = self.base_offset;
        match (self.container, &self.layout) {
            (Container::Csv, Some(layout)) => {
                sheet::read_part(&self.bytes, base, layout, &self.limits, self.cut, visitor);
            }
            (Container::Ndjson, _) => {
                ndjson::read_part(&self.bytes, base, &self.limits, self.cut, visitor);
            }
            _ => pgn::read_part(&self.bytes, base, &self.limits, self.cut, visitor),
        }
    }

    /// Hands every game to `take`, in order.
    pub fn each_game(&self, take: &mut dyn FnMut(&mut Game)) {
        self.read(&mut Recorder::new(take));
    }

    /// Finds lines and columns in the source.
    #[must_use]
    pub fn places(&self) -> Places<'_> {
        Places::with_steps(&self.bytes, self.base_offset, self.first_place, &self.steps)
    }

    /// Whether nothing of the source follows: it was read to its end, and that is the end of the batch.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        self.is_last
    }

    /// Waits until its bytes fit into a budget, and takes so much of that as long as it is there.
    pub(crate) fn charge(&mut self, budget: &Arc<Budget>) {
        self.share = Some(Arc::new(budget.take(self.bytes.len())));
    }

    /// How much is accepted.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What kind of file the batch comes from.
    #[must_use]
    pub fn container(&self) -> Container {
        self.container
    }
}

/// Reads a stream and yields its batches in order.
///
/// When reading fails, the games read so far come first, the last of them with
/// [`Damage::CutOff`], then the error, and then nothing more.
#[derive(Debug)]
pub struct Splitter<R> {
    reader: R,
    container: Container,
    limits: Arc<Limits>,
    target: usize,
    layout: Option<Arc<sheet::Layout>>,
    /// How far `text` was looked at, if it is a sheet.
    cutter: sheet::Cutter,
    /// Read and not yet yielded.
    text: Vec<u8>,
    /// Offset of the first byte of `text`.
    base: u64,
    place: Place,
    game: u64,
    started: bool,
    eof: bool,
    /// The reader ends before its source.
    is_piece: bool,
    failed: Option<io::Error>,
    /// What comes next belongs to a game that is too long.
    dropping: bool,
    /// Whether what was given away last ended in a carriage return, and what follows it was not there yet.
    ended_in_return: bool,
    /// Whether `text` begins at the start of a line. Kept up while dropping only.
    line_start: bool,
    /// Whether the last game given away was cut, so that what follows goes on with it.
    broke_off: bool,
}

impl<R: Read> Splitter<R> {
    /// Splits what `reader` gives, unfolded, into batches of [`BATCH_BYTES`].
    pub fn new(reader: R, container: Container, limits: Limits) -> Self {
        Self::with_batch_bytes(reader, container, limits, BATCH_BYTES)
    }

    /// The same with batches of about so many bytes, or of one game if that is longer.
    pub fn with_batch_bytes(
        reader: R,
        container: Container,
        limits: Limits,
        batch_bytes: usize,
    ) -> Self {
        Self {
            reader,
            container,
            limits: Arc::new(limits),
            target: batch_bytes.max(1),
            layout: None,
            cutter: sheet::Cutter::default(),
            text: Vec::new(),
            base: 0,
            place: Place { line: 1, column: 1 },
            game: 1,
            started: false,
            eof: false,
            is_piece: false,
            failed: None,
            dropping: false,
            ended_in_return: false,
            line_start: true,
            broke_off: false,
        }
    }

    /// What is split.
    pub(crate) const fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Reads on until `text` has `want` bytes, if there are so many.
    fn fill(&mut self, want: usize) {
        let Some(more) = want.checked_sub(self.text.len()).filter(|&n| n > 0) else {
            return;
        };
        if self.eof {
            return;
        }
        let mut filled = self.text.len();
        self.text.reserve_exact(more);
        // Room is made as long as something comes, always more of it: of a short text little is filled with zeros in vain.
        let mut room = ROOM;
        while filled < want {
            if filled == self.text.len() {
                self.text.resize(want.min(filled + room), 0);
                room *= 2;
            }
            match self
                .reader
                .read(self.text.get_mut(filled..).unwrap_or_default())
            {
                Ok(0) => {
                    self.eof = true;
                    break;
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // What was read before a failure is there.
                Err(error) => {
                    self.failed = Some(error);
                    self.eof = true;
                    break;
                }
            }
        }
        self.text.truncate(filled);
    }

    /// Once, before the first batch.
    fn start(&mut self) {
        self.started = true;
        self.fill(match self.container {
            Container::Csv => sheet::LAYOUT_HEAD,
            _ => pgn::BYTE_ORDER_MARK.len(),
        });
        if self.text.starts_with(pgn::BYTE_ORDER_MARK) {
            self.text.drain(..pgn::BYTE_ORDER_MARK.len());
            self.base = pgn::BYTE_ORDER_MARK.len() as u64;
        }
        if self.container == Container::Csv {
            let head = self.text.get(..sheet::LAYOUT_HEAD).unwrap_or(&self.text);
            self.layout = Some(Arc::new(sheet::Layout::detect(head, self.base)));
        }
    }

    /// Drops what is left of a game or a line that was too long. False if the stream ends in it.
    fn drop_rest(&mut self) -> bool {
        loop {
            let found = match self.container {
                Container::Ndjson => memchr::memchr(b'\n', &self.text).map(|n| n + 1),
                _ => {
                    let mut seen_end = false;
                    lex::tag_line(
                        &self.text,
                        0,
                        self.text.len(),
                        self.line_start,
                        &mut seen_end,
                    )
                }
            };
            if let Some(end) = found {
                self.advance(end);
                self.dropping = false;
                return true;
            }
            if self.eof {
                self.advance(self.text.len());
                return false;
            }
            // A tag line may begin here and go on in what is not yet read.
            let mut drop = self.text.len().saturating_sub(lex::TAG_LINE_REACH);
            if drop > 0 && self.text.get(drop - 1) == Some(&b'\r') {
                drop -= 1;
            }
            self.advance(drop);
            self.fill(self.text.len() + self.target);
        }
    }

    /// Leaves the first `len` bytes behind, and returns them.
    fn advance(&mut self, len: usize) -> Vec<u8> {
        let rest = self.text.get(len..).unwrap_or_default();
        let mut next = Vec::with_capacity(rest.len().max(self.target) + rest.len());
        next.extend_from_slice(rest);
        // A line end cut in two ends one line.
        let second_half = self.ended_in_return && self.text.first() == Some(&b'\n');
        let from = usize::from(second_half).min(len);
        self.place = places::advance(self.place, &self.text, from, len);
        self.base += len as u64;
        let mut gone = std::mem::replace(&mut self.text, next);
        gone.truncate(len);
        if let Some(&last) = gone.last() {
            self.line_start = lex::is_newline(last);
            self.ended_in_return = last == b'\r' && self.text.is_empty();
        }
        gone
    }

    fn cut(&mut self) -> Option<Cut> {
        let (text, limits) = (&self.text, &*self.limits);
        match (self.container, &self.layout) {
            (Container::Csv, Some(layout)) => self
                .cutter
                .cut(text, self.base, layout, limits, self.target, self.eof)
                .map(|cut| Cut {
                    end: cut.end,
                    games: cut.games,
                    damage: cut.too_long.then_some(Damage::TooLong),
                    dropping: false,
                    forced: cut.forced,
                }),
            (Container::Ndjson, _) => {
                ndjson::cut(text, limits, self.target, self.eof).map(|cut| Cut {
                    end: cut.end,
                    games: cut.games,
                    damage: None,
                    dropping: cut.too_long,
                    forced: false,
                })
            }
            _ => cut_pgn(text, limits, self.target, self.eof),
        }
    }
}

impl<R: Read> Iterator for Splitter<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.started {
            self.start();
        }
        if self.dropping && !self.drop_rest() {
            return self.failed.take().map(Err);
        }
        let mut want = self.target;
        loop {
            self.fill(want);
            if self.text.is_empty() && self.eof {
                return self.failed.take().map(Err);
            }
            if let Some(cut) = self.cut() {
                let (base_offset, first_place, first_game) = (self.base, self.place, self.game);
                let bytes = self.advance(cut.end);
                self.game += u64::from(cut.games);
                self.dropping = cut.dropping;
                // A quote that is open may be closed far behind: such a sheet is not cut any more.
                let is_sheet = self.container == Container::Csv;
                let quotes = || memchr::memchr_iter(b'"', &bytes).count();
                let is_odd = is_sheet && !quotes().is_multiple_of(2);
                let was_odd = is_sheet && self.broke_off;
                self.broke_off = cut.damage.is_some() || cut.forced || is_odd || was_odd;
                let at_end = self.eof && self.text.is_empty();
                let broken_off = at_end && self.failed.is_some();
                return Some(Ok(Batch {
                    bytes,
                    base_offset,
                    first_place,
                    first_game,
                    games: cut.games,
                    container: self.container,
                    layout: self.layout.clone(),
                    limits: Arc::clone(&self.limits),
                    cut: cut.damage.or(broken_off.then_some(Damage::CutOff)),
                    is_last: at_end && !broken_off && !self.is_piece,
                    steps: Steps::default(),
                    share: None,
                }));
            }
            // Twice as much each time, so that a long game is looked at a few times only.
            want = self.text.len().max(self.target / 2).saturating_mul(2);
        }
    }
}

/// Where a part of a text may be cut.
struct Cut {
    end: usize,
    games: u32,
    /// What is wrong with the end of the last game.
    damage: Option<Damage>,
    /// What follows belongs to a game that is too long.
    dropping: bool,
    /// No piece ends here: see [`sheet::Cutter`].
    forced: bool,
}

/// Finds the last place up to which the games are whole, or the first after `target` bytes. `eof`
/// says that nothing comes after the text.
fn cut_pgn(text: &[u8], limits: &Limits, target: usize, eof: bool) -> Option<Cut> {
    let mut engine = Engine::new(text, 0, limits);
    let mut games = 0;
    let mut end = 0;
    let cut = |end, games| Cut {
        end,
        games,
        damage: None,
        dropping: false,
        forced: false,
    };
    let mut braces = CloseBraces::default();
    // Games in a row that were not plain. If all are like that, no more are tried.
    let mut odd = 0;
    loop {
        engine.pause = odd < 8;
        let mut stop = engine.run(&mut Nothing);
        if stop == Stop::Paused {
            engine.pause = false;
            stop = match next_tag(text, end, engine.pos, limits, &mut braces) {
                Some(tag) => {
                    odd = 0;
                    engine.pos = tag;
                    Stop::Boundary
                }
                None => {
                    odd += 1;
                    engine.run(&mut Nothing)
                }
            };
        }
        let counted = games + u32::from(engine.begun);
        match stop {
            Stop::Boundary if eof || !engine.is_unsure() || engine.lost_for_sure().is_some() => {
                games = counted;
                end = engine.pos;
                if end >= target || games >= BATCH_GAMES {
                    return Some(cut(end, games));
                }
                engine.begin(end);
            }
            _ if eof => return Some(cut(text.len(), counted)),
            _ => {
                if let Some(lost) = engine.lost_for_sure() {
                    return Some(Cut {
                        dropping: true,
                        ..cut(lost, counted)
                    });
                }
                return (end > 0).then_some(cut(end, games));
            }
        }
    }
}

/// Hears nothing.
struct Nothing;

impl Visitor for Nothing {}

/// What a byte may mean to [`next_special`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Nothing.
    None,
    /// It may be part of something that ends a game.
    Odd,
    /// A comment or a tag may begin.
    Special,
}

const SIGNS: [Sign; 256] = {
    let mut table = [Sign::None; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = match i as u8 {
            b'{' | b';' | b'[' => Sign::Special,
            b'*' | b'/' | b'%' | b'"' | b'-' | b':' | b'\n' | b'\r' | 0x80.. => Sign::Odd,
            _ => Sign::None,
        };
        i += 1;
    }
    table
};

/// The tag that ends the game begun at `start`, whose first move ends at `from`; `None` if that
/// cannot be said without reading the game properly.
///
/// Nearly every game is plain: comments, and between them text that holds no result but at its
/// end, no tag and nothing else that could end a game. To see that takes a fraction of the time
/// that reading takes.
fn next_tag(
    text: &[u8],
    start: usize,
    from: usize,
    limits: &Limits,
    braces: &mut CloseBraces,
) -> Option<usize> {
    let mut seen_end = false;
    let mut pos = from;
    loop {
        let (special, part) = next_special(text, pos)?;
        if special - start >= limits.max_game {
            return None;
        }
        match text.get(special) {
            Some(b'[') => {
                lex::tag_shape(text, special, &mut seen_end)?;
                return is_plain(without_result(part)).then_some(special);
            }
            _ if !is_plain(part) => return None,
            Some(b'{') => {
                if let Some(close) = lex::near_comment_end(text, special, limits.max_comment) {
                    pos = close + 1;
                    continue;
                }
                match lex::comment_end(text, special, limits.max_comment, braces, &mut seen_end) {
                    CommentEnd::Closed(close) => pos = close + 1,
                    CommentEnd::Recover(_) | CommentEnd::Lost => return None,
                }
            }
            // At the end of the text, should the line have none, nothing is found.
            _ => {
                let limit = start.saturating_add(limits.max_game);
                let mut is_unsure = false;
                let separates = separates_moves(text, [start, special, limit], &mut is_unsure);
                pos = if separates {
                    special + 1
                } else if is_glued(text, special) {
                    // It may be part of a sentence.
                    return None;
                } else {
                    lex::line_end(text, special, &mut is_unsure)
                };
                if is_unsure {
                    return None;
                }
            }
        }
    }
}

/// Where from `from` on a comment or a tag may begin, and the text before it as far as it has not
/// been seen to be plain; `None` if there is nothing such, or some of that text is not plain.
fn next_special(text: &[u8], from: usize) -> Option<(usize, &[u8])> {
    /// Bytes after which most comments begin, if every move has one.
    const NEAR: usize = 48;
    /// Bytes looked at before it is asked whether to go on: about a game.
    const WINDOW: usize = 1024;
    let mut pos = from;
    // Four at a time, up to the first that means something.
    while let Some(four) = text.get(pos..).and_then(|rest| rest.first_chunk::<4>())
        && pos < from + NEAR
    {
        let [a, b, c, d] = four.map(|byte| SIGNS[usize::from(byte)] as u8);
        if a | b | c | d == Sign::None as u8 {
            pos += 4;
            continue;
        }
        let calm = [a, a | b, a | b | c].map(|sign| usize::from(sign == Sign::None as u8));
        let at = pos + calm.iter().sum::<usize>();
        match text.get(at) {
            Some(b'{' | b';' | b'[') => return Some((at, &[])),
            _ if is_harmless(text, from, at) => pos = at + 1,
            _ => break,
        }
    }
    // What a byte means may hang on the two before it.
    let mut part = pos.saturating_sub(2).max(from);
    loop {
        let rest = text.get(pos..)?;
        let window = rest.get(..WINDOW).unwrap_or(rest);
        if let Some(n) = memchr::memchr3(b'{', b';', b'[', window) {
            return Some((pos + n, text.get(part..pos + n)?));
        }
        pos += window.len();
        if pos == text.len() || !is_plain(text.get(part..pos)?) {
            return None;
        }
        // The last two bytes are looked at again, with what follows them.
        part = pos - 2;
    }
}

/// Whether a byte at `at` that may be part of something odd is plainly not: a line end with a word behind it, a dash that is
/// part of no result. Of the bytes before it, those from `from` on count.
#[inline(always)]
fn is_harmless(text: &[u8], from: usize, at: usize) -> bool {
    let before = at.checked_sub(1).filter(|before| *before >= from);
    let before = before.and_then(|before| text.get(before));
    match (before, text.get(at), text.get(at + 1)) {
        (_, Some(b'\n'), Some(next)) => *next > b' ',
        (Some(before), Some(b'-'), Some(next)) => {
            let is_result = matches!(before, b'0' | b'1' | b'5') && matches!(next, b'0' | b'1');
            *before > b' ' && *next != b':' && !is_result
        }
        _ => false,
    }
}

/// A part without the blanks and the result at its end.
fn without_result(part: &[u8]) -> &[u8] {
    let part = part.trim_ascii_end();
    let word = part
        .iter()
        .rposition(|&b| lex::is_blank(b))
        .map_or(0, |n| n + 1);
    match part.get(word..).and_then(words::result_word) {
        Some(_) => part.get(..word).unwrap_or_default().trim_ascii_end(),
        None => part,
    }
}

/// Whether a part of a game holds nothing that could end it: no result, no escape line, no empty
/// line, nothing that is not ASCII. Says no too often rather than yes.
fn is_plain(part: &[u8]) -> bool {
    // Every byte with the two after it, in one pass without a branch; some texts that are plain are taken for others. Only
    // `1-0` and `0-1` have digits of that sum.
    let odd = |a: u8, b: u8, c: u8| -> bool {
        let is_sign = (b == b'-') | (b == b':');
        let sum = a.wrapping_add(c);
        (a >= 0x80)
            | (a == b'*')
            | (a == b'/')
            | (a == b'%')
            | (a == b'"')
            | (((a == b'\n') | (a == b'\r')) & (b <= b' ') & !((a == b'\r') & (b == b'\n')))
            | (is_sign & ((sum == b'0' + b'1') | ((a == b'5') & (c == b'0'))))
            | ((b == b':') & ((a == b'0') | (a == b'+') | (a == b'-')))
            | ((b == b' ') & ((c == b'-') | (c == b':')))
    };
    let second = part.get(1..).unwrap_or_default();
    let third = part.get(2..).unwrap_or_default();
    let mut found = false;
    for ((&a, &b), &c) in part.iter().zip(second).zip(third) {
        found |= odd(a, b, c);
    }
    // The last two have no two after them.
    let last = part.get(part.len().saturating_sub(2)..).unwrap_or_default();
    for (i, &a) in last.iter().enumerate() {
        found |= odd(a, last.get(i + 1).copied().unwrap_or(b'x'), b'x');
    }
    !found
}

#[cfg(test)]
mod tests;
