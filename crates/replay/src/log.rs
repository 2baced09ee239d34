//! The events of one game as its record tells them, in few bytes and in memory that is used again.
//!
//! A game is read once. What it says stays where it stands, in the bytes of the batch: an [`Event`] is sixteen bytes that
//! say where. Only text that is nowhere in these bytes - a cell with doubled quotes, a string of JSON with escapes, a mark
//! that stood apart from its move - is copied, one text behind the other. So nothing is allocated from token to token, and
//! a game in doubt can be looked at again without reading it again.

use self::entry::{Entry, is_piece};
use self::numbers::Numbers;
use self::token::{is_board_move, is_promotion, without_blanks};
use crate::diagnostic::Omitted;
use crate::trace;
use std::borrow::Cow;
use tridex_archive::record::{Item, fold};
use tridex_archive::{Damage, Ending, GameResult, TokenId, Unusual, c1_control, decode, unescape};
use tridex_notation::Program;

mod entry;
mod numbers;
mod token;

pub(crate) use numbers::{Misnumbered, Numbering};

/// At most so many findings of one kind are kept of a game; the others are counted.
pub(crate) const MOST_FINDINGS: usize = 1_000;

/// What an event is. In the place of the text is whether a variation replaces it, which is said of moves only.
pub(crate) type Kind = Item<bool>;

/// Something that stands in the movetext.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) kind: Kind,
    /// The number of a move's word in its batch, as long as it is the whole token.
    pub(crate) word: TokenId,
    text: Span,
    /// Offset from the base.
    at: u32,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    /// Its first byte in the bytes of the batch, or with [`COPIED`] among those that were copied.
    from: u32,
    len: u32,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Marks a text that was copied.
const COPIED: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
struct Tag {
    name: Span,
    value: Span,
    at: u64,
    /// Whether the value is as it stands between the quotes of a tag.
    is_raw: bool,
}

/// What was wrong with a record: every place up to a limit, and how many more there were.
#[derive(Clone, Debug, Default)]
pub struct Damages {
    found: Vec<(Damage, u64, usize)>,
    more: Omitted,
}

impl Damages {
    /// Adds a place: what, the offset, and how many bytes.
    pub(crate) fn push(&mut self, damage: Damage, at: u64, len: usize) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push((damage, at, len));
        } else {
            self.more.add(damage.loses());
        }
    }

    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.more = Omitted::default();
    }

    /// The places that were kept: what is wrong, its offset, and how many bytes it takes.
    #[must_use]
    pub fn found(&self) -> &[(Damage, u64, usize)] {
        &self.found
    }

    /// Those that were only counted.
    #[must_use]
    pub const fn more(&self) -> Omitted {
        self.more
    }
}

/// A kind of thing that people write and PGN has no form for, as it first stands in a game.
#[derive(Clone, Copy, Debug)]
struct Oddity {
    what: Unusual,
    text: Span,
    at: u64,
    /// How many there are.
    count: u32,
}

/// Words that say how a game ended.
#[derive(Clone, Copy, Debug)]
struct EndingWords {
    ending: Ending,
    text: Span,
    at: u64,
}

/// A comment that may hold [traces](crate::Trace), and the move behind which it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traced {
    text: Span,
    /// Offset and length of the move; none before the first.
    pub(crate) of: Option<(u64, usize)>,
    /// Moves of its line up to there.
    pub(crate) plies: usize,
    /// Whether that is the main line.
    pub(crate) is_main: bool,
}

/// The events of one game.
#[derive(Clone, Debug)]
pub(crate) struct Log<'b> {
    bytes: &'b [u8],
    copied: Vec<u8>,
    /// Offset from which those of events are counted.
    base: u64,
    /// Offset of the first of the bytes.
    origin: u64,
    /// Number of the game in its source.
    pub(crate) number: u64,
    /// Offset of the game.
    pub(crate) at: u64,
    /// Offset of what stands behind it.
    pub(crate) end: u64,
    tags: Vec<Tag>,
    events: Vec<Event>,
    /// The result that ends the movetext, and its offset.
    pub(crate) result: Option<(GameResult, u64)>,
    pub(crate) damage: Damages,
    numbers: Numbers,
    unusual: Vec<Oddity>,
    ending: Option<EndingWords>,
    /// Where the source ends, if it ends with these bytes and a word may have been truncated there.
    pub(crate) source_end: Option<u64>,
    /// The first comments that may hold traces, and how many more there are.
    traced: Vec<Traced>,
    pub(crate) more_traced: u64,
    /// How many comments, judgements, draw offers and moves of variations.
    pub(crate) annotations: u32,
    /// The last move of the line that is being read.
    last_move: Option<u32>,
    /// Moves of that line, and of those it branches off from as far as it does.
    plies: i64,
    /// The same two of the lines it branches off from.
    outer: Vec<(Option<u32>, i64)>,
    /// A number has come since the last move.
    is_numbered: bool,
    /// Whether a mark that comes now belongs to the last move.
    joins: bool,
    /// Whether the last move may be that of a board: its second letter is that of a pin.
    follows_board: bool,
}

impl<'b> Log<'b> {
    /// An empty log of games whose text is mostly in `bytes`, and whose offsets are counted from `base`.
    pub(crate) fn new(bytes: &'b [u8], base: u64) -> Self {
        Self {
            bytes,
            copied: Vec::new(),
            base,
            origin: base,
            number: 1,
            at: base,
            end: base,
            tags: Vec::with_capacity(16),
            events: Vec::with_capacity(256),
            result: None,
            damage: Damages::default(),
            numbers: Numbers::default(),
            unusual: Vec::new(),
            ending: None,
            source_end: None,
            traced: Vec::new(),
            more_traced: 0,
            annotations: 0,
            last_move: None,
            plies: 0,
            outer: Vec::new(),
            is_numbered: false,
            joins: false,
            follows_board: false,
        }
    }

    /// Takes everything out; the next game lies behind `base`.
    pub(crate) fn clear(&mut self, base: u64) {
        self.copied.clear();
        self.base = base;
        self.at = base;
        self.tags.clear();
        self.events.clear();
        self.result = None;
        self.damage.clear();
        self.numbers.clear();
        self.unusual.clear();
        self.ending = None;
        self.traced.clear();
        self.more_traced = 0;
        self.annotations = 0;
        self.last_move = None;
        self.plies = 0;
        self.outer.clear();
        self.is_numbered = false;
        self.joins = false;
    }

    /// Keeps a text. One that lies within the memory of the bytes is theirs.
    #[inline(always)]
    fn span(&mut self, text: &[u8]) -> Span {
        let from = (text.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        let reach = self.bytes.len().min(COPIED as usize);
        if from <= reach && text.len() <= reach - from {
            return Span {
                from: from as u32,
                len: text.len() as u32,
            };
        }
        self.copy(&[text])
    }

    /// Copies texts, one behind the other, as one.
    fn copy(&mut self, texts: &[&[u8]]) -> Span {
        let from = self.copied.len();
        for text in texts {
            self.copied.extend_from_slice(text);
        }
        let len = self.copied.len() - from;
        // A game's text is limited to less than that.
        if self.copied.len() >= COPIED as usize {
            self.copied.truncate(from);
            return Span::default();
        }
        Span {
            from: from as u32 | COPIED,
            len: len as u32,
        }
    }

    #[inline]
    fn slice(&self, span: Span) -> &[u8] {
        let memory = if span.from & COPIED == 0 {
            self.bytes
        } else {
            &self.copied
        };
        let from = (span.from & !COPIED) as usize;
        memory
            .get(from..from + span.len as usize)
            .unwrap_or_default()
    }

    #[inline(always)]
    fn offset(&self, at: u64) -> u32 {
        u32::try_from(at.saturating_sub(self.base)).unwrap_or(u32::MAX)
    }

    pub(crate) fn push_tag(&mut self, name: &[u8], value: &[u8], at: u64, is_raw: bool) {
        let (name, value) = (self.span(name), self.span(value));
        self.tags.push(Tag {
            name,
            value,
            at,
            is_raw,
        });
    }

    #[inline(always)]
    pub(crate) fn push_move(&mut self, token: &[u8], at: u64, word: TokenId) {
        if self.follows_board && self.joins && self.is_carried(token) {
            return;
        }
        self.follows_board = matches!(token.get(1), Some(b'L' | b'P'));
        self.is_numbered = false;
        self.plies += 1;
        self.last_move = Some(self.events.len() as u32);
        self.joins = true;
        self.annotations += u32::from(!self.outer.is_empty());
        let event = Event {
            kind: Kind::Move(false),
            word,
            text: self.span(token),
            at: self.offset(at),
        };
        self.events.push(event);
    }

    /// Takes note of a number before a move of the main line.
    #[inline]
    pub(crate) fn push_number(&mut self, text: &[u8], at: u64) {
        self.is_numbered = true;
        if self.outer.is_empty() {
            self.numbers.take(text, at, self.plies);
        }
    }

    /// The same of a number that is known, in half moves.
    #[inline(always)]
    pub(crate) fn push_known_number(&mut self, text: &[u8], at: u64, half: u32) {
        self.is_numbered = true;
        if self.outer.is_empty() {
            self.numbers.take_half(half, text.len(), at, self.plies);
        }
    }

    /// Joins a pawn's promotion to the move before it, if that is the board which carries the pawn to its last rank:
    /// `QL6 z9QL6Q`. White's pawns promote on the ranks 8 and 9, Black's on 0 and 1, so that what the other side plays
    /// next is never taken for it.
    #[cold]
    fn is_carried(&mut self, token: &[u8]) -> bool {
        let is_of_pawn = matches!(
            token,
            [b'a'..=b'e' | b'z', b'0' | b'1' | b'8' | b'9', _, _, ..]
        );
        if !is_of_pawn || !is_promotion(token) {
            return false;
        }
        let last = self
            .last_move
            .and_then(|index| self.events.get(index as usize).copied());
        let Some(event) = last.filter(|_| !self.is_numbered) else {
            return false;
        };
        let board = self.slice(event.text);
        let begins_black = self.tags().any(|(name, value, _, _)| {
            name.eq_ignore_ascii_case(b"FEN")
                && value.split(u8::is_ascii_whitespace).nth(1) == Some(b"b")
        });
        // The board's move has been counted.
        let is_white = (self.plies & 1 == 1) != begins_black;
        let is_far = matches!(token.get(1), Some(b'8' | b'9'));
        if !is_board_move(board) || is_white != is_far {
            return false;
        }
        let joined = [board, b" ", token].concat();
        let text = self.copy(&[&joined]);
        if let Some(event) = self
            .last_move
            .and_then(|index| self.events.get_mut(index as usize))
        {
            event.word = TokenId::NONE;
            event.text = text;
        }
        true
    }

    /// Takes note that the game is over, and what stands behind it begins at an offset.
    pub(crate) fn finish(&mut self, end: u64) {
        self.end = end;
        let moves = self.outer.first().map_or(self.plies, |(_, plies)| *plies);
        self.numbers.close(moves);
        self.join_entries();
    }

    /// What the numbers say of moves that are missing from the main line.
    pub(crate) fn numbering(&self) -> Numbering {
        self.numbers.say()
    }

    /// Takes note of something that is read though it is not written as it should be; the first of each kind is kept.
    pub(crate) fn push_unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        if let Some(known) = self.unusual.iter_mut().find(|known| known.what == what) {
            known.count += 1;
            return;
        }
        let text = self.span(text);
        self.unusual.push(Oddity {
            what,
            text,
            at,
            count: 1,
        });
    }

    /// The first of each kind of such things: what, its text and place, and how many there are.
    pub(crate) fn unusual(&self) -> impl Iterator<Item = (Unusual, &[u8], u64, u32)> {
        self.unusual
            .iter()
            .map(|odd| (odd.what, self.slice(odd.text), odd.at, odd.count))
    }

    /// Takes note of words that say how the game ended. The last ones count.
    pub(crate) fn push_ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        let text = self.span(text);
        self.ending = Some(EndingWords { ending, text, at });
    }

    /// The words that say how the game ended: what they say, their text and place.
    pub(crate) fn ending(&self) -> Option<(Ending, &[u8], u64)> {
        let EndingWords { ending, text, at } = self.ending?;
        Some((ending, self.slice(text), at))
    }

    /// The first control character from U+0080 to U+009F in the game, which is read as another character, and its place;
    /// the game's own for one that is written as an escape.
    pub(crate) fn c1_control(&self) -> Option<(char, u64)> {
        let (at, text) = self.bytes(true);
        let found = c1_control(text).map(|(place, c)| (c, at + place as u64));
        found.or_else(|| c1_control(&self.copied).map(|(_, c)| (c, self.at)))
    }

    /// Whether the source ends with the last byte of a token, so that the token may have been truncated.
    pub(crate) fn ends_source(&self, event: &Event) -> bool {
        let end = self.place(event) + u64::from(event.text.len);
        self.source_end == Some(end) && event.text.from & COPIED == 0
    }

    /// The numbers that do not follow.
    pub(crate) fn misnumbered(&self) -> &[Misnumbered] {
        &self.numbers.wrong
    }

    /// Adds what stands between moves; if it is not to be kept, it is counted only.
    #[inline]
    pub(crate) fn push_remark(&mut self, kind: Kind, text: &[u8], at: u64, keep: bool) {
        // `Nc2W(=)+`: a mark may stand behind the offer.
        self.joins &= kind == Kind::DrawOffer;
        self.annotations += u32::from(!matches!(kind, Kind::Escape(_) | Kind::Word(_)));
        if matches!(kind, Kind::Comment(_) | Kind::LineComment(_)) && trace::is_in(text) {
            self.push_traced(text);
        }
        if keep {
            let event = Event {
                kind,
                word: TokenId::NONE,
                text: self.span(text),
                at: self.offset(at),
            };
            self.events.push(event);
        }
    }

    /// Takes note of a comment that may hold traces.
    #[cold]
    fn push_traced(&mut self, text: &[u8]) {
        if self.traced.len() >= MOST_FINDINGS {
            self.more_traced += 1;
            return;
        }
        let last = self.last_move;
        let event = last.and_then(|index| self.events.get(index as usize));
        let of = event.map(|event| (self.place(event), self.token(event).len()));
        let text = self.span(text);
        self.traced.push(Traced {
            text,
            of,
            plies: usize::try_from(self.plies).unwrap_or(0),
            is_main: self.outer.is_empty(),
        });
    }

    /// The comments that may hold traces, and their texts.
    pub(crate) fn traced(&self) -> impl Iterator<Item = (Traced, Cow<'_, str>)> {
        let traced = self.traced.iter();
        traced.map(|traced| (*traced, fold(decode(self.slice(traced.text)))))
    }

    /// Adds a mark of check or mate, or `e.p.`, to the move before it. If something else came last, or what stands there
    /// is no word, so that the two would become another mark, it is a word of its own.
    pub(crate) fn push_mark(&mut self, mark: &[u8], at: u64, keep: bool) {
        let own = self.last_move.filter(|_| self.joins && mark.is_ascii());
        if let Some(event) = own.and_then(|index| self.events.get(index as usize).copied()) {
            let is_word = mark.first().is_some_and(u8::is_ascii_alphabetic);
            let token = self.slice(event.text);
            if is_word || !token.first().is_some_and(u8::is_ascii_punctuation) {
                let gap: &[u8] = if is_word { b" " } else { b"" };
                let joined = [token, gap, mark].concat();
                let text = self.copy(&[&joined]);
                if let Some(event) = own.and_then(|index| self.events.get_mut(index as usize)) {
                    event.word = TokenId::NONE;
                    event.text = text;
                }
                return;
            }
        }
        self.push_remark(Kind::Word(false), mark, at, keep);
    }

    pub(crate) fn open(&mut self, at: u64) {
        self.joins = false;
        if let Some(last) = self.last_move
            && let Some(event) = self.events.get_mut(last as usize)
        {
            event.kind = Kind::Move(true);
        }
        self.outer.push((self.last_move.take(), self.plies));
        self.plies = (self.plies - 1).max(0);
        self.is_numbered = false;
        self.events.push(Event {
            kind: Kind::VariationStart,
            word: TokenId::NONE,
            text: Span::default(),
            at: self.offset(at),
        });
    }

    pub(crate) fn close(&mut self, at: u64) {
        self.joins = false;
        if let Some((last, plies)) = self.outer.pop() {
            self.last_move = last;
            self.plies = plies;
        } else {
            self.last_move = None;
        }
        self.events.push(Event {
            kind: Kind::VariationEnd,
            word: TokenId::NONE,
            text: Span::default(),
            at: self.offset(at),
        });
    }

    /// The bytes from where the game before it ended, or from its own place, to where it ends, and their offset.
    pub(crate) fn bytes(&self, after_last: bool) -> (u64, &'b [u8]) {
        let from = if after_last { self.base } else { self.at };
        let place = |at: u64| usize::try_from(at.saturating_sub(self.origin)).ok();
        let range = place(from).zip(place(self.end));
        let bytes = range.and_then(|(from, to)| self.bytes.get(from..to));
        let bytes = bytes.unwrap_or_default();
        let text = bytes.trim_ascii_start();
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let text = text.trim_ascii_start();
        let before = bytes.len() - text.len();
        (from + before as u64, text.trim_ascii_end())
    }

    /// Makes one token of each entry of a transcript that sets its parts apart: the side, `W` or `B`, perhaps a piece, two
    /// squares, and what stands in brackets behind them. A game stays as it is that does not begin with a lone `W` or `B`, or
    /// whose first entry means nothing.
    fn join_entries(&mut self) {
        let is_side = |text: &[u8]| matches!(text, b"W" | b"B");
        let first = self.main_line().next();
        if !first.is_some_and(|(_, event)| is_side(self.slice(event.text))) {
            return;
        }
        let events = std::mem::take(&mut self.events);
        let copied = self.copied.len();
        let mut entry: Option<Entry> = None;
        let mut depth = 0_usize;
        for event in &events {
            let event = *event;
            let text = self.slice(event.text);
            match event.kind {
                Kind::Move(_) if depth == 0 => {
                    let piece = |entry: &Entry| entry.parts == 1 && is_piece(text);
                    if is_side(text) && !entry.as_ref().is_some_and(piece) {
                        let next = Entry::new(event, text);
                        self.push_entry(entry.replace(next));
                        continue;
                    }
                }
                Kind::Move(_) => {}
                Kind::VariationStart => depth += 1,
                Kind::VariationEnd => depth = depth.saturating_sub(1),
                _ => {
                    self.push_entry(entry.take());
                    self.events.push(event);
                    continue;
                }
            }
            let text = self.slice(event.text);
            match (&mut entry, event.kind) {
                (Some(entry), kind) => entry.add(kind, text),
                (None, _) => self.events.push(event),
            }
        }
        self.push_entry(entry);
        let first = self.main_line().next();
        if first.is_none_or(|(_, event)| Program::Commence.parse(self.text(event)).is_err()) {
            self.events = events;
            self.copied.truncate(copied);
        }
    }

    fn push_entry(&mut self, entry: Option<Entry>) {
        if let Some(entry) = entry {
            let text = self.copy(&[&entry.text]);
            self.events.push(Event {
                kind: Kind::Move(false),
                word: TokenId::NONE,
                text,
                at: entry.first.at,
            });
        }
    }

    /// The events in order.
    #[inline]
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The text of an event as it is written.
    #[inline]
    pub(crate) fn text(&self, event: &Event) -> &[u8] {
        self.slice(event.text)
    }

    /// The token of a move as its words are read: one line of UTF-8.
    pub(crate) fn token(&self, event: &Event) -> Cow<'_, [u8]> {
        let text = self.slice(event.text);
        if text.is_ascii() && !text.iter().any(u8::is_ascii_whitespace) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(without_blanks(&fold(decode(text))).into_bytes())
    }

    /// Offset of an event in the source.
    #[inline]
    pub(crate) fn place(&self, event: &Event) -> u64 {
        self.base + u64::from(event.at)
    }

    /// The events of moves outside of variations, with their indices.
    pub(crate) fn main_line(&self) -> impl Iterator<Item = (usize, &Event)> {
        let mut depth = 0_usize;
        self.events.iter().enumerate().filter(move |(_, event)| {
            match event.kind {
                Kind::VariationStart => depth += 1,
                Kind::VariationEnd => depth = depth.saturating_sub(1),
                Kind::Move(_) => return depth == 0,
                _ => {}
            }
            false
        })
    }

    /// For each `VariationStart` the index of its `VariationEnd`, or the end of the game; for other events nothing of use.
    pub(crate) fn ends(&self) -> Vec<u32> {
        let mut ends = vec![self.events.len() as u32; self.events.len()];
        let mut open = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            match event.kind {
                Kind::VariationStart => open.push(index),
                Kind::VariationEnd => {
                    if let Some(end) = open.pop().and_then(|start: usize| ends.get_mut(start)) {
                        *end = index as u32;
                    }
                }
                _ => {}
            }
        }
        ends
    }

    /// Each tag: name and value as they stand in the source, the offset, and whether the value has the escapes of a tag.
    #[inline]
    pub(crate) fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8], u64, bool)> {
        self.tags.iter().map(|tag| {
            (
                self.slice(tag.name),
                self.slice(tag.value),
                tag.at,
                tag.is_raw,
            )
        })
    }

    /// An event as an item, its text decoded and on one line.
    pub(crate) fn with_item<T>(&self, event: &Event, take: impl FnOnce(Item<&str>) -> T) -> T {
        let text = fold(decode(self.slice(event.text)));
        take(event.kind.map(|_| &*text))
    }
}

/// A tag's value as it is meant.
pub(crate) fn value_of(value: &[u8], is_raw: bool) -> Cow<'_, str> {
    fold(if is_raw {
        unescape(value)
    } else {
        decode(value)
    })
}
