//! What many games share, counted once: the moves played from every position that many games of a segment reach, and
//! for those that very many reach what the attack boards do in these games.
//!
//! Format of the file `.tables`: the magic word; the tables, one after the other; for each the number of the rules (1
//! byte), the key of the position (8 bytes) and where it begins (4 bytes), ordered by rules and key; how many there are
//! (4 bytes); the magic word again. A table is the number of attack boards and the pin of each (a byte each), in whose
//! names it speaks; the score of all games, the number of moves, and each move, packed as in
//! `.moves`, with its results; a byte, 1 if boards follow; if so the number of first moves of boards, each as
//! board, pin left and pin reached (a byte each) with its score, and the number of layouts, each as four pins with its
//! score. Numbers without a size are in groups of seven bits, those with one little endian.

use super::folder::Checked;
use super::keys::SHARED;
use super::lists::Lists;
use crate::bits::{BitReader, BitWriter, Bytes, put_bytes, put_varint};
use crate::game::boards::{BoardTrails, FirstMove as MovedFirst};
use crate::game::line::{GameBytes, Later};
use crate::game::packed::Packing;
use crate::questions::results::{Facts, MoveCounts, ResultCounts};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap, HashSet};
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_rules::{Color, Move, Placement};

const MAGIC: &[u8; 8] = b"TRIDEXT2";
/// How many bytes say where a table is.
const ENTRY: usize = 13;
/// From how many games on a table has what the boards do.
const MANY: u64 = 4_096;

/// The games of a segment that is being written.
pub(crate) trait Games {
    fn game(&self, game: u32) -> Option<GameBytes<'_>>;
    fn facts(&self, game: u32) -> Option<Facts>;
    /// What they do with the attack boards.
    fn trails(&self) -> &BoardTrails;
}

/// What the attack boards do in some games.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Boards {
    /// Board, pin left and pin reached of first moves.
    pub(crate) first: BTreeMap<FirstMove, ResultCounts>,
    /// Layouts by their pins. There may be some ten thousands, in no order here.
    pub(crate) layouts: FxHashMap<[Pin; 4], ResultCounts>,
}

impl Boards {
    /// Counts a game that passes some layouts, and makes some first moves of boards.
    pub(crate) fn add_game(&mut self, layouts: &[[Pin; 4]], first: &[MovedFirst], facts: &Facts) {
        for pins in layouts {
            let row = self.layouts.entry(*pins).or_default();
            row.add_game(facts, Color::White);
        }
        for (board, from, to, mover) in first {
            let row = self.first.entry((*board, *from, *to)).or_default();
            row.add_game(facts, *mover);
        }
    }

    pub(crate) fn join(mut self, mut other: Self) -> Self {
        // The smaller into the greater.
        if self.layouts.len() < other.layouts.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.add(&other);
        self
    }

    fn add(&mut self, other: &Self) {
        for (key, score) in &other.first {
            self.first.entry(*key).or_default().add(score);
        }
        for (key, score) in &other.layouts {
            self.layouts.entry(*key).or_default().add(score);
        }
    }
}

/// A first move of an attack board: the board, the pin left and the pin reached.
type FirstMove = (AttackBoard, Pin, Pin);

/// What [`Boards`] count, each in ascending order, as it is written.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct BoardRows {
    pub(crate) first: Vec<(FirstMove, ResultCounts)>,
    pub(crate) layouts: Vec<([Pin; 4], ResultCounts)>,
}

impl BoardRows {
    pub(crate) fn of(boards: &Boards) -> Self {
        let layouts = boards.layouts.iter().map(|(pins, score)| (*pins, *score));
        let mut layouts: Vec<_> = layouts.collect();
        layouts.sort_unstable_by_key(|(pins, _)| *pins);
        Self {
            first: boards.first.iter().map(|(m, score)| (*m, *score)).collect(),
            layouts,
        }
    }

    pub(crate) fn join(self, other: Self) -> Self {
        Self {
            first: merged(self.first, other.first),
            layouts: merged(self.layouts, other.layouts),
        }
    }
}

/// Two ascending lists of scores as one.
fn merged<K: Ord + Copy>(
    a: Vec<(K, ResultCounts)>,
    b: Vec<(K, ResultCounts)>,
) -> Vec<(K, ResultCounts)> {
    if a.is_empty() {
        return b;
    }
    let mut all = Vec::with_capacity(a.len() + b.len());
    let mut rest = b.into_iter().peekable();
    for (key, mut score) in a {
        while let Some(before) = rest.next_if(|(other, _)| *other < key) {
            all.push(before);
        }
        if let Some((_, more)) = rest.next_if(|(other, _)| *other == key) {
            score.add(&more);
        }
        all.push((key, score));
    }
    all.extend(rest);
    all
}

/// A table that grows.
struct Growing {
    board: Placement,
    /// Whether games reach the position with boards of one owner exchanged: they would call the same moves otherwise.
    is_mixed: bool,
    counts: MoveCounts,
    boards: Boards,
}

/// Makes the tables of a segment; `None` if a game is damaged.
pub(crate) fn build(games: &dyn Games, lists: &Lists) -> Option<Vec<u8>> {
    let shared: HashSet<u32> = lists.shared.iter().copied().collect();
    let mut tables: Vec<Growing> = Vec::new();
    let mut places: HashMap<(u8, u64), usize> = HashMap::new();
    // Games and the tables they are in.
    let mut reached: Vec<(u32, u32)> = Vec::new();
    for (game, hits) in (0..).zip(&lists.hits) {
        if *hits > 0 {
            let mut count = Counting {
                game,
                hits: *hits,
                facts: games.facts(game)?,
                tables: &mut tables,
                places: &mut places,
                reached: &mut reached,
            };
            count.run(games.game(game)?, &shared)?;
        }
    }
    // What turned out to be several positions of one list is left to the lists.
    let is_many = |table: &Growing| table.counts.total.games >= MANY;
    for same in reached.chunk_by(|a, b| a.0 == b.0) {
        let Some((game, _)) = same.first() else {
            continue;
        };
        let of_many: Vec<usize> = same
            .iter()
            .map(|(_, table)| *table as usize)
            .filter(|table| tables.get(*table).is_some_and(is_many))
            .collect();
        if of_many.is_empty() {
            continue;
        }
        let (layouts, first) = games.trails().get(*game)?;
        let facts = games.facts(*game)?;
        for table in of_many {
            let boards = &mut tables.get_mut(table)?.boards;
            boards.add_game(layouts, first, &facts);
        }
    }
    let mut keys: Vec<((u8, u64), usize)> = places.into_iter().collect();
    keys.sort_unstable();
    let mut out = MAGIC.to_vec();
    let mut directory = Vec::new();
    for ((code, key), place) in keys {
        let table = tables.get(place)?;
        if table.is_mixed || table.counts.total.games < SHARED as u64 {
            continue;
        }
        directory.push(code);
        directory.extend_from_slice(&key.to_le_bytes());
        directory.extend_from_slice(&u32::try_from(out.len()).ok()?.to_le_bytes());
        put_table(table, &mut out);
    }
    let count = (directory.len() / ENTRY) as u32;
    out.append(&mut directory);
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(MAGIC);
    Some(out)
}

/// A game that is being counted.
struct Counting<'a> {
    game: u32,
    hits: u16,
    facts: Facts,
    tables: &'a mut Vec<Growing>,
    places: &'a mut HashMap<(u8, u64), usize>,
    reached: &'a mut Vec<(u32, u32)>,
}

impl Counting<'_> {
    fn run(&mut self, game: GameBytes<'_>, shared: &HashSet<u32>) -> Option<()> {
        let mut running = game.begin()?;
        let mut later = Later::of(game);
        // Each position counts once, and each move played from it once.
        let mut seen: Vec<(usize, Vec<Move>)> = Vec::new();
        let mut left = self.hits;
        for ply in 0..=game.plies {
            let is_shared = shared.contains(&((running.board.key() >> 32) as u32));
            let here = match is_shared {
                true => Some(self.place(game.code, later.position(ply)?.key(), &running.board)),
                false => None,
            };
            let next = match ply < game.plies {
                true => Some(running.board.read(&mut running.bits)?),
                false => None,
            };
            if let Some(place) = here {
                self.count(place, next, &mut seen);
                // Those of variations are never reached here, so that the whole main line is replayed then.
                left = left.saturating_sub(1);
            }
            match next {
                Some(m) if left > 0 => running.board.play(m),
                _ => break,
            }
        }
        (!running.bits.is_overrun()).then_some(())
    }

    fn place(&mut self, code: u8, key: u64, board: &Placement) -> usize {
        let place = *self.places.entry((code, key)).or_insert_with(|| {
            self.tables.push(Growing {
                board: board.clone(),
                is_mixed: false,
                counts: MoveCounts::default(),
                boards: Boards::default(),
            });
            self.tables.len() - 1
        });
        if let Some(table) = self.tables.get_mut(place) {
            table.is_mixed |= table.board.layout() != board.layout();
        }
        place
    }

    fn count(&mut self, place: usize, next: Option<Move>, seen: &mut Vec<(usize, Vec<Move>)>) {
        let Some(table) = self.tables.get_mut(place) else {
            return;
        };
        let mover = table.board.turn();
        let at = match seen.iter().position(|(known, _)| *known == place) {
            Some(at) => at,
            None => {
                table.counts.total.add_game(&self.facts, mover);
                self.reached.push((self.game, place as u32));
                seen.push((place, Vec::new()));
                seen.len() - 1
            }
        };
        if let (Some(m), Some((_, played))) = (next, seen.get_mut(at))
            && !played.contains(&m)
        {
            played.push(m);
            table.counts.of(m).add_game(&self.facts, mover);
        }
    }
}

fn put_table(table: &Growing, out: &mut Vec<u8>) {
    put_bytes(out, &pins_of(&table.board));
    table.counts.total.put(out);
    let mut moves: Vec<_> = table.counts.moves.iter().collect();
    moves.sort_unstable_by_key(|(m, _)| *m);
    put_varint(out, moves.len() as u64);
    for (m, score) in moves {
        let mut bits = BitWriter::default();
        table.board.write(*m, &mut bits);
        put_bytes(out, &bits.finish());
        score.put(out);
    }
    let has_boards = table.counts.total.games >= MANY;
    out.push(has_boards.into());
    if !has_boards {
        return;
    }
    let boards = BoardRows::of(&table.boards);
    put_varint(out, boards.first.len() as u64);
    for ((board, from, to), score) in &boards.first {
        out.extend([*board as u8, from.index() as u8, to.index() as u8]);
        score.put(out);
    }
    put_varint(out, boards.layouts.len() as u64);
    for (pins, score) in &boards.layouts {
        out.extend(pins.map(|pin| pin.index() as u8));
        score.put(out);
    }
}

/// The tables of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    file: Checked,
    /// Where the directory begins and ends.
    directory: std::ops::Range<usize>,
}

impl Tables {
    /// The tables of a file; `None` if it is damaged.
    pub(crate) fn open(file: Checked) -> Option<Self> {
        let end = file.body()?.checked_sub(12)?;
        let trailer = file.get(end..end + 12)?;
        (trailer.get(4..)? == MAGIC).then_some(())?;
        let count = u32::from_le_bytes(*trailer.first_chunk()?) as usize;
        let start = end.checked_sub(count.checked_mul(ENTRY)?)?;
        Some(Self {
            file,
            directory: start..end,
        })
    }

    /// The table of a position, known by its rules, its key and its board: `None` if the file is damaged, and inside
    /// if too few games reach the position.
    pub(crate) fn get(&self, code: u8, key: u64, board: &Placement) -> Option<Option<MoveCounts>> {
        match self.of(code, key, board)? {
            None => Some(None),
            Some(mut bytes) => read_table(&mut bytes, board).map(Some),
        }
    }

    /// The score of all games of a position: as [`Tables::get`], without the moves.
    pub(crate) fn total(
        &self,
        code: u8,
        key: u64,
        board: &Placement,
    ) -> Option<Option<ResultCounts>> {
        match self.of(code, key, board)? {
            None => Some(None),
            Some(mut bytes) => ResultCounts::read(&mut bytes).map(Some),
        }
    }

    /// What the attack boards do in the games of a position: as [`Tables::get`], and nothing inside also if not that many
    /// games reach it.
    pub(crate) fn boards(
        &self,
        code: u8,
        key: u64,
        board: &Placement,
    ) -> Option<Option<BoardRows>> {
        match self.of(code, key, board)? {
            None => Some(None),
            Some(mut bytes) => {
                // The table itself is skipped.
                ResultCounts::read(&mut bytes)?;
                for _ in 0..bytes.varint()? {
                    bytes.bytes()?;
                    ResultCounts::read(&mut bytes)?;
                }
                read_boards(&mut bytes)
            }
        }
    }

    /// The bytes of a table after its pins. Nothing inside if there is none, or its boards are where their twins are on
    /// this one.
    fn of(&self, code: u8, key: u64, board: &Placement) -> Option<Option<Bytes<'_>>> {
        let directory = self.file.get(self.directory.clone())?;
        let (entries, _) = directory.as_chunks::<ENTRY>();
        let parts = |entry: &[u8; ENTRY]| {
            let key = entry.get(1..9)?.first_chunk().copied()?;
            let start = entry.get(9..)?.first_chunk().copied()?;
            Some((
                (entry[0], u64::from_le_bytes(key)),
                u32::from_le_bytes(start) as usize,
            ))
        };
        let wanted = Some((code, key));
        let place = entries.partition_point(|entry| parts(entry).map(|p| p.0) < wanted);
        let Some((found, start)) = entries.get(place).and_then(parts) else {
            return Some(None);
        };
        if Some(found) != wanted {
            return Some(None);
        }
        let end = match entries.get(place + 1).and_then(parts) {
            Some((_, end)) => end,
            None => self.directory.start,
        };
        let mut bytes = Bytes(self.file.get(start..end)?);
        let is_ours = bytes.bytes()? == pins_of(board);
        Some(is_ours.then_some(bytes))
    }
}

/// The pins of the attack boards, by their numbers.
fn pins_of(board: &Placement) -> Vec<u8> {
    let pins = board.layout().into_iter().flat_map(Layout::pins);
    pins.map(|pin| pin.index() as u8).collect()
}

fn read_table(bytes: &mut Bytes<'_>, board: &Placement) -> Option<MoveCounts> {
    let total = ResultCounts::read(bytes)?;
    let mut moves = Vec::new();
    for _ in 0..bytes.varint()? {
        let m = board.read(&mut BitReader::new(bytes.bytes()?, 0))?;
        moves.push((m, ResultCounts::read(bytes)?));
    }
    Some(MoveCounts { total, moves })
}

/// What follows the moves.
fn read_boards(bytes: &mut Bytes<'_>) -> Option<Option<BoardRows>> {
    if bytes.exact(1)? == [0] {
        return Some(None);
    }
    let all: Vec<Pin> = Pin::all().collect();
    let pin = |index: u8| all.get(usize::from(index)).copied();
    let mut boards = BoardRows::default();
    for _ in 0..bytes.varint()? {
        let [board, from, to] = *bytes.exact(3)?.first_chunk()?;
        let key = (
            *AttackBoard::ALL.get(usize::from(board))?,
            pin(from)?,
            pin(to)?,
        );
        boards.first.push((key, ResultCounts::read(bytes)?));
    }
    let layouts = bytes.varint()?;
    // No layout takes fewer bytes.
    boards
        .layouts
        .reserve((layouts as usize).min(bytes.0.len() / 11));
    for _ in 0..layouts {
        let [a, b, c, d] = *bytes.exact(4)?.first_chunk()?;
        let pins = [pin(a)?, pin(b)?, pin(c)?, pin(d)?];
        boards.layouts.push((pins, ResultCounts::read(bytes)?));
    }
    let is_ordered = boards.first.is_sorted_by(|a, b| a.0 < b.0)
        && boards.layouts.is_sorted_by(|a, b| a.0 < b.0);
    (is_ordered && bytes.0.is_empty()).then_some(Some(boards))
}
