//! Segments: the games of one commit, never changed once written.
//!
//! A segment is one file with everything that is asked of many games at once: columns of fixed width, one value a game;
//! the games' bytes; the lists of games by position. What is only wanted of games that were found (tags, comments) is
//! kept with the searchable fields.
//!
//! Format 1: the magic word, the sections of [`Section::ALL`] one behind the other, the footer, its length and checksum
//! (32 bits each, little endian), the closing word. The footer has, as numbers in groups of seven bits: the format, the
//! number of the first game, the games, the positions, the bits of the lists, and the length and checksum of every
//! section. Checksums of sections are compared by [`Segment::verify`] only; that a file is whole is seen on opening.

use crate::bits::{Bytes, put_bytes, put_varint};
use crate::date::Date;
use crate::entry::GameResult;
use crate::error::{IndexError, damaged, io};
use crate::line::GameBytes;
use crate::manifest::SegmentEntry;
use crate::postings;
use crate::signature::{SIGNATURE_BYTES, Signature};
use crate::systems::{self, HOLE};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tantivy::directory::{Directory, FileHandle, MmapDirectory, OwnedBytes};

/// The number of this format.
pub(crate) const SEGMENT_FORMAT: u64 = 1;
const OPENING: &[u8; 8] = b"TRIDEXS1";
const CLOSING: &[u8; 8] = b"TRIDEXE1";
/// "No placement of the game comes again."
pub(crate) const NO_REPEAT: u16 = u16::MAX;

/// The parts of a segment in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Section {
    /// What the game is known by, 8 bytes.
    Contents,
    /// Where the game's bytes end, 4.
    Ends,
    /// Plies of the main line, 2; the top bit says that there are variations.
    Plies,
    /// The first ply whose placement comes again later, 2.
    Repeats,
    /// Rules (3 bits), result (2), own start (1), promotions of White, of Black (1 each).
    Flags,
    /// Year (14 bits), month (4), day (5), 0 if unknown, 3.
    Dates,
    /// Ratings of White and Black, 2 each.
    Ratings,
    /// See [`Signature`].
    Signatures,
    /// Which games come from where.
    Runs,
    /// The games' bytes.
    Games,
    /// See [`postings`].
    Directory,
    /// See [`postings`].
    Lists,
}

impl Section {
    const COUNT: usize = 12;
    /// The sections that have a value a game, with its width.
    const COLUMNS: [(Self, usize); 8] = [
        (Self::Contents, 8),
        (Self::Ends, 4),
        (Self::Plies, 2),
        (Self::Repeats, 2),
        (Self::Flags, 1),
        (Self::Dates, 3),
        (Self::Ratings, 4),
        (Self::Signatures, SIGNATURE_BYTES),
    ];
}

/// What a segment says of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) content: u64,
    pub(crate) code: u8,
    pub(crate) result: GameResult,
    pub(crate) own_start: bool,
    pub(crate) promotions: [bool; 2],
    pub(crate) plies: u16,
    pub(crate) has_variations: bool,
    pub(crate) repeat: u16,
    pub(crate) date: Option<Date>,
    pub(crate) ratings: [u16; 2],
    pub(crate) signature: [u8; SIGNATURE_BYTES],
}

/// Games in a row that come from one source and have numbers in a row there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// The source, as its place in [`Segment::sources`].
    pub(crate) source: u32,
    /// The first game, counted from the first of the segment.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// The number of the first game in its source.
    pub(crate) number: u32,
}

/// A segment that grows.
#[derive(Default, Debug)]
pub(crate) struct SegmentBuilder {
    sections: [Vec<u8>; Section::COUNT],
    games: u32,
    positions: u64,
    entries: Vec<u64>,
    sources: Vec<String>,
    runs: Vec<Run>,
}

impl SegmentBuilder {
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// Adds a game. `keys` are the first 32 bits of the keys of the positions that shall be found.
    pub(crate) fn push(&mut self, source: &str, number: u32, row: &Row, game: &[u8], keys: &[u32]) {
        let ordinal = self.games;
        self.add_run(source, number, ordinal);
        self.entries.extend(
            keys.iter()
                .map(|key| postings::entry(u64::from(*key) << 32, ordinal)),
        );
        self.positions += keys.len() as u64;
        self.put_row(row, game);
    }

    /// Adds a place where a game was.
    pub(crate) fn push_hole(&mut self) {
        let row = Row {
            content: 0,
            code: HOLE,
            result: GameResult::Unknown,
            own_start: false,
            promotions: [false; 2],
            plies: 0,
            has_variations: false,
            repeat: NO_REPEAT,
            date: None,
            ratings: [0; 2],
            signature: [0; SIGNATURE_BYTES],
        };
        self.put_row(&row, &[]);
    }

    fn add_run(&mut self, source: &str, number: u32, ordinal: u32) {
        if let Some(run) = self.runs.last_mut()
            && self.sources.get(run.source as usize).map(String::as_str) == Some(source)
            && run.number.checked_add(run.count) == Some(number)
            && run.first + run.count == ordinal
        {
            run.count += 1;
            return;
        }
        // Sources come one after the other; only the last few can be met again.
        let known = self.sources.iter().rev().take(8).position(|s| s == source);
        let source = match known {
            Some(back) => self.sources.len() - 1 - back,
            None => {
                self.sources.push(source.to_owned());
                self.sources.len() - 1
            }
        };
        self.runs.push(Run {
            source: source as u32,
            first: ordinal,
            count: 1,
            number,
        });
    }

    fn put_row(&mut self, row: &Row, game: &[u8]) {
        self.games += 1;
        let games = &mut self.sections[Section::Games as usize];
        games.extend_from_slice(game);
        let end = games.len() as u32;
        let mut put = |section: Section, bytes: &[u8]| {
            self.sections[section as usize].extend_from_slice(bytes);
        };
        put(Section::Contents, &row.content.to_le_bytes());
        put(Section::Ends, &end.to_le_bytes());
        let plies = row.plies & 0x7FFF | u16::from(row.has_variations) << 15;
        put(Section::Plies, &plies.to_le_bytes());
        put(Section::Repeats, &row.repeat.to_le_bytes());
        let flags = row.code & 7
            | (row.result as u8) << 3
            | u8::from(row.own_start) << 5
            | u8::from(row.promotions[0]) << 6
            | u8::from(row.promotions[1]) << 7;
        put(Section::Flags, &[flags]);
        put(Section::Dates, &date_code(row.date).to_le_bytes()[..3]);
        put(Section::Ratings, &row.ratings[0].to_le_bytes());
        put(Section::Ratings, &row.ratings[1].to_le_bytes());
        put(Section::Signatures, &row.signature);
    }

    /// Whether the next game needs another segment: offsets inside one have 32 bits.
    pub(crate) fn is_full(&self) -> bool {
        self.sections[Section::Games as usize].len() > 1 << 30 || self.entries.len() > 1 << 28
    }

    /// Writes the segment to a file that does not exist yet and makes sure that it is on the disk.
    pub(crate) fn write(mut self, path: &Path, base: u32) -> Result<(), IndexError> {
        let mut runs = Vec::new();
        put_varint(&mut runs, self.sources.len() as u64);
        for source in &self.sources {
            put_bytes(&mut runs, source.as_bytes());
        }
        put_varint(&mut runs, self.runs.len() as u64);
        for run in &self.runs {
            for n in [run.source, run.first, run.count, run.number] {
                put_varint(&mut runs, n.into());
            }
        }
        let lists = postings::build(std::mem::take(&mut self.entries), self.games);
        let bits = lists.bits;
        self.sections[Section::Runs as usize] = runs;
        self.sections[Section::Directory as usize] = lists.directory;
        self.sections[Section::Lists as usize] = lists.data;

        let mut footer = Vec::new();
        for n in [
            SEGMENT_FORMAT,
            base.into(),
            self.games.into(),
            self.positions,
            bits.into(),
        ] {
            put_varint(&mut footer, n);
        }
        for section in &self.sections {
            put_varint(&mut footer, section.len() as u64);
            put_varint(&mut footer, crc32fast::hash(section).into());
        }
        let write = || {
            let mut file = File::create_new(path)?;
            file.write_all(OPENING)?;
            for section in &self.sections {
                file.write_all(section)?;
            }
            file.write_all(&footer)?;
            file.write_all(&(footer.len() as u32).to_le_bytes())?;
            file.write_all(&crc32fast::hash(&footer).to_le_bytes())?;
            file.write_all(CLOSING)?;
            file.sync_all()
        };
        write().map_err(io(path))
    }
}

fn date_code(date: Option<Date>) -> u32 {
    date.map_or(0, |date| {
        u32::from(date.year) << 9
            | u32::from(date.month.unwrap_or(0)) << 5
            | u32::from(date.day.unwrap_or(0))
    })
}

fn date_of(code: u32) -> Option<Date> {
    let part = |n: u32| u8::try_from(n).ok().filter(|n| *n != 0);
    Some(Date {
        year: u16::try_from(code >> 9).ok().filter(|year| *year != 0)?,
        month: part(code >> 5 & 15),
        day: part(code & 31),
    })
}

/// A segment on the disk.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) path: PathBuf,
    /// The number of its first game.
    pub(crate) base: u32,
    /// How many games it has, deleted ones included.
    pub(crate) games: u32,
    pub(crate) positions: u64,
    bits: u32,
    sections: [OwnedBytes; Section::COUNT],
    checksums: [u32; Section::COUNT],
    pub(crate) sources: Vec<String>,
    pub(crate) runs: Vec<Run>,
}

impl Segment {
    /// Opens a segment of a folder.
    pub(crate) fn open(
        directory: &MmapDirectory,
        root: &Path,
        name: &str,
    ) -> Result<Self, IndexError> {
        let path = root.join(name);
        let bytes = directory
            .get_file_handle(Path::new(name))
            .map_err(|error| IndexError::Io {
                path: path.clone(),
                error: std::io::Error::other(error.to_string()),
            })
            .and_then(|handle: std::sync::Arc<dyn FileHandle>| {
                let length = std::fs::metadata(&path).map_err(io(&path))?.len() as usize;
                handle.read_bytes(0..length).map_err(io(&path))
            })?;
        Self::read(bytes, path.clone()).ok_or_else(|| damaged(&path, "it is not whole"))
    }

    fn read(bytes: OwnedBytes, path: PathBuf) -> Option<Self> {
        let all = bytes.as_slice();
        let end = all.len().checked_sub(16)?;
        if all.get(..8)? != OPENING || all.get(end + 8..)? != CLOSING {
            return None;
        }
        let word = |at: usize| Some(u32::from_le_bytes(all.get(at..at + 4)?.try_into().ok()?));
        let start = end.checked_sub(word(end)? as usize)?;
        let footer = all.get(start..end)?;
        if crc32fast::hash(footer) != word(end + 4)? {
            return None;
        }
        let mut footer = Bytes(footer);
        if footer.varint()? != SEGMENT_FORMAT {
            return None;
        }
        let base = footer.number()?;
        let games: u32 = footer.number()?;
        let positions = footer.varint()?;
        let bits = footer.number()?;
        if !(6..=28).contains(&bits) {
            return None;
        }
        let mut sections = std::array::from_fn(|_| OwnedBytes::empty());
        let mut checksums = [0; Section::COUNT];
        let mut at = 8_usize;
        for (section, checksum) in sections.iter_mut().zip(&mut checksums) {
            let length: usize = footer.number()?;
            *checksum = footer.number()?;
            let end = at.checked_add(length).filter(|end| *end <= start)?;
            *section = bytes.slice(at..end);
            at = end;
        }
        for (section, width) in Section::COLUMNS {
            if sections.get(section as usize)?.len() != games as usize * width {
                return None;
            }
        }
        let (sources, runs) = read_runs(sections.get(Section::Runs as usize)?, games)?;
        Some(Self {
            path,
            base,
            games,
            positions,
            bits,
            sections,
            checksums,
            sources,
            runs,
        })
    }

    #[inline]
    fn value<const N: usize>(&self, section: Section, game: u32) -> [u8; N] {
        let at = game as usize * N;
        self.sections[section as usize]
            .get(at..at + N)
            .and_then(|bytes| bytes.try_into().ok())
            .unwrap_or([0; N])
    }

    /// What the game is known by.
    pub(crate) fn content(&self, game: u32) -> u64 {
        u64::from_le_bytes(self.value(Section::Contents, game))
    }

    #[inline]
    fn flags(&self, game: u32) -> u8 {
        self.value::<1>(Section::Flags, game)[0]
    }

    /// The number of the rules on disk, or of a place where a game was.
    #[inline]
    pub(crate) fn code(&self, game: u32) -> u8 {
        self.flags(game) & 7
    }

    /// How many positions the games have that were not deleted; those of variations of deleted games are counted too.
    pub(crate) fn positions_left(&self, entry: &SegmentEntry) -> u64 {
        let deleted = (0..self.games).filter(|game| entry.is_deleted(*game));
        let gone: u64 = match entry.deleted.is_empty() {
            true => 0,
            false => deleted.map(|game| u64::from(self.plies(game)) + 1).sum(),
        };
        self.positions.saturating_sub(gone)
    }

    /// The number of the rules on disk, if the game starts where they say.
    #[inline]
    pub(crate) fn standard_start(&self, game: u32) -> Option<u8> {
        let flags = self.flags(game);
        (flags >> 5 & 1 == 0 && flags & 7 != HOLE).then_some(flags & 7)
    }

    /// How many of its places had a game that is gone.
    pub(crate) fn holes(&self) -> u32 {
        self.games
            - self
                .runs
                .iter()
                .map(|run| run.count)
                .sum::<u32>()
                .min(self.games)
    }

    /// The result.
    #[inline]
    pub(crate) fn result(&self, game: u32) -> GameResult {
        GameResult::ALL[usize::from(self.flags(game) >> 3 & 3)]
    }

    /// The plies of the main line.
    #[inline]
    pub(crate) fn plies(&self, game: u32) -> u32 {
        u32::from(u16::from_le_bytes(self.value(Section::Plies, game)) & 0x7FFF)
    }

    /// The first ply whose placement comes again later in the main line.
    #[inline]
    pub(crate) fn repeat(&self, game: u32) -> Option<u32> {
        let ply = u16::from_le_bytes(self.value(Section::Repeats, game));
        (ply != NO_REPEAT).then_some(ply.into())
    }

    /// The date.
    pub(crate) fn date(&self, game: u32) -> Option<Date> {
        let [a, b, c] = self.value(Section::Dates, game);
        date_of(u32::from_le_bytes([a, b, c, 0]))
    }

    /// The ratings of White and Black, 0 if unknown.
    pub(crate) fn ratings(&self, game: u32) -> [u16; 2] {
        let [a, b, c, d] = self.value(Section::Ratings, game);
        [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])]
    }

    /// What is known of the whole game.
    pub(crate) fn signature(&self, game: u32) -> Signature {
        let flags = self.flags(game);
        let start = systems::start(flags & 7);
        let most = [0, 1].map(|color| {
            let promoted = flags >> (6 + color) & 1 != 0;
            let standard = flags >> 5 & 1 == 0;
            start
                .filter(|_| standard && !promoted)
                .map(|start| &start.counts[color])
        });
        Signature::from_bytes(
            &self.value(Section::Signatures, game),
            self.plies(game),
            most,
        )
    }

    /// The game on the board.
    #[inline]
    pub(crate) fn game(&self, game: u32) -> GameBytes<'_> {
        let end = u32::from_le_bytes(self.value(Section::Ends, game)) as usize;
        let start = match game.checked_sub(1) {
            Some(before) => u32::from_le_bytes(self.value(Section::Ends, before)) as usize,
            None => 0,
        };
        let plies = u16::from_le_bytes(self.value(Section::Plies, game));
        let flags = self.flags(game);
        GameBytes {
            code: flags & 7,
            plies: u32::from(plies & 0x7FFF),
            own_start: flags >> 5 & 1 != 0,
            has_variations: plies >> 15 != 0,
            bytes: self.sections[Section::Games as usize]
                .get(start..end)
                .unwrap_or_default(),
        }
    }

    /// The row as it was written.
    pub(crate) fn row(&self, game: u32) -> Row {
        let flags = self.flags(game);
        let plies = u16::from_le_bytes(self.value(Section::Plies, game));
        Row {
            content: self.content(game),
            code: flags & 7,
            result: self.result(game),
            own_start: flags >> 5 & 1 != 0,
            promotions: [flags >> 6 & 1 != 0, flags >> 7 != 0],
            plies: plies & 0x7FFF,
            has_variations: plies >> 15 != 0,
            repeat: u16::from_le_bytes(self.value(Section::Repeats, game)),
            date: self.date(game),
            ratings: self.ratings(game),
            signature: self.value(Section::Signatures, game),
        }
    }

    /// The lists of games by position.
    pub(crate) fn lists(&self) -> postings::Reader<'_> {
        postings::Reader {
            bits: self.bits,
            games: self.games,
            directory: &self.sections[Section::Directory as usize],
            data: &self.sections[Section::Lists as usize],
        }
    }

    /// Where a game comes from: the source, and its number there.
    pub(crate) fn place(&self, game: u32) -> Option<(&str, u32)> {
        let after = self.runs.partition_point(|run| run.first <= game);
        let run = self.runs.get(after.checked_sub(1)?)?;
        let within = game.checked_sub(run.first).filter(|n| *n < run.count)?;
        let source = self.sources.get(run.source as usize)?;
        Some((source, run.number.saturating_add(within)))
    }

    /// How many bytes each part takes, by name.
    pub(crate) fn sizes(&self) -> Vec<(&'static str, u64)> {
        let of = |section: Section| self.sections[section as usize].len() as u64;
        let columns = Section::COLUMNS.iter().map(|(s, _)| of(*s)).sum();
        vec![
            ("columns", columns),
            ("moves", of(Section::Games)),
            ("positions", of(Section::Directory) + of(Section::Lists)),
            ("sources", of(Section::Runs)),
        ]
    }

    /// Compares the checksums of all sections.
    pub(crate) fn verify(&self) -> Result<(), IndexError> {
        for (section, checksum) in self.sections.iter().zip(self.checksums) {
            if crc32fast::hash(section) != checksum {
                return Err(damaged(&self.path, "a checksum does not fit"));
            }
        }
        Ok(())
    }
}

fn read_runs(bytes: &[u8], games: u32) -> Option<(Vec<String>, Vec<Run>)> {
    let mut bytes = Bytes(bytes);
    let count: usize = bytes.number()?;
    let mut sources = Vec::new();
    for _ in 0..count {
        sources.push(bytes.text()?.to_owned());
    }
    let count: usize = bytes.number()?;
    let mut runs: Vec<Run> = Vec::new();
    for _ in 0..count {
        let run = Run {
            source: bytes.number()?,
            first: bytes.number()?,
            count: bytes.number()?,
            number: bytes.number()?,
        };
        let end = run.first.checked_add(run.count)?;
        let after = runs.last().map_or(0, |last| last.first + last.count);
        if end > games || run.first < after || run.source as usize >= sources.len() {
            return None;
        }
        runs.push(run);
    }
    Some((sources, runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back_from_their_codes() {
        for text in [
            "2001.04.26",
            "2001.04.??",
            "2001.??.??",
            "9999.12.31",
            "????.??.??",
        ] {
            let date = Date::parse(text);
            assert!(date_code(date) < 1 << 24);
            assert_eq!(date_of(date_code(date)), date);
        }
    }

    #[test]
    fn the_sections_are_in_their_order() {
        for (i, (section, _)) in Section::COLUMNS.into_iter().enumerate() {
            assert_eq!(section as usize, i);
        }
        assert_eq!(Section::Lists as usize, Section::COUNT - 1);
    }
}
