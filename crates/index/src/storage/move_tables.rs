//! Precomputed counts: the moves played from every position that many games of a segment reach. For positions that very
//! many games reach, also what the attack boards do in these games.
//!
//! Format of the file `.tables`: the magic word; the tables, one after the other; for each table the number of the
//! rules (1 byte), the key of the position (8 bytes) and the offset at which the table begins (4 bytes), ordered by
//! rules and key; the number of tables (4 bytes); the magic word again. A table is the number of attack boards and the
//! pin of each (a byte each), to which its moves refer; the results of all games; the number of moves, and each move,
//! packed as in `.moves`, with its results; a byte, 1 if boards follow; if so, the number of first moves of boards,
//! each as board, pin left and pin reached (a byte each) with its results, and the number of layouts, each as four pins
//! with its results. Numbers without a size are in groups of seven bits, those with one little endian.

use crate::codec::bits::{BitReader, BitWriter};
use crate::codec::packed_moves;
use crate::codec::varint::{Bytes, put_bytes};
use crate::model::board_trail::BoardTrail;
use crate::model::game_bytes::{GameBytes, Step};
use crate::model::results::{Counts, Facts, MoveCounts, ResultCounts, Tally};
use crate::storage::checksums::Checked;
use crate::storage::per_game::PerGame;
use crate::storage::position_lists::builder::Lists;
use crate::storage::position_lists::reader::SHARED;
use rustc_hash::{FxHashMap, FxHashSet};
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_rules::{Color, Move, Placement};

const MAGIC: &[u8; 8] = b"TRIDEXT2";
/// The number of bytes of an entry in the directory.
const ENTRY: usize = 13;
/// From this number of games on, a table also counts what the boards do.
const MANY: u64 = 4_096;

/// Counts of what the attack boards do in a set of games.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Boards {
    /// First moves: the board, the pin left and the pin reached.
    pub(crate) first: Tally<(AttackBoard, Pin, Pin)>,
    /// Layouts, by their pins. There may be tens of thousands.
    pub(crate) layouts: Tally<[Pin; 4]>,
}

impl Boards {
    pub(crate) fn add_game(&mut self, trail: &BoardTrail, facts: &Facts) {
        for pins in &trail.layouts {
            self.layouts.of(*pins).add_game(facts, Color::White);
        }
        for (board, from, to, mover) in &trail.first {
            self.first.of((*board, *from, *to)).add_game(facts, *mover);
        }
    }
}

impl Counts for Boards {
    fn join(self, other: Self) -> Self {
        Self {
            first: self.first.join(other.first),
            layouts: self.layouts.join(other.layouts),
        }
    }
}

/// A table during counting.
struct TableBuilder {
    board: Placement,
    /// Whether games reach the position with two boards of one owner exchanged. They would write the same moves
    /// differently.
    is_mixed: bool,
    counts: MoveCounts,
    boards: Boards,
}

/// The number of the rules and the key of a position.
type Key = (u8, u64);

/// Creates the tables of a segment; `None` if a game is damaged.
pub(crate) fn build(
    moves: &PerGame<u8>,
    facts: &[Facts],
    trails: &[BoardTrail],
    lists: &Lists,
) -> Option<Vec<u8>> {
    let shared: FxHashSet<u32> = lists.shared.iter().copied().collect();
    let mut tables: FxHashMap<Key, TableBuilder> = FxHashMap::default();
    // Games, and the keys of the tables they belong to.
    let mut reached: Vec<(u32, Key)> = Vec::new();
    for (game, hits) in (0..).zip(&lists.hits) {
        if *hits == 0 {
            continue;
        }
        let bytes = GameBytes::read(moves.get(game)?)?;
        let facts = facts.get(game as usize)?;
        // Each position counts once, and so does each move played from it.
        let mut seen: Vec<(Key, Option<Move>)> = Vec::new();
        // `hits` includes positions of variations, which this walk never reaches, so it then visits the whole main
        // line.
        let mut left = *hits;
        bytes.walk(|at, later, ply, next| {
            if !shared.contains(&((at.key() >> 32) as u32)) {
                return Step::Go;
            }
            let Some(key) = later.key(ply) else {
                return Step::Over;
            };
            let key = (bytes.start.code, key);
            let table = tables.entry(key).or_insert_with(|| TableBuilder {
                board: at.clone(),
                is_mixed: false,
                counts: MoveCounts::default(),
                boards: Boards::default(),
            });
            table.is_mixed |= table.board.layout() != at.layout();
            for m in [Some(None), next.map(Some)].into_iter().flatten() {
                if !seen.contains(&(key, m)) {
                    seen.push((key, m));
                    let counts = match m {
                        None => &mut table.counts.total,
                        Some(m) => table.counts.moves.of(m),
                    };
                    counts.add_game(facts, at.turn());
                }
            }
            left = left.saturating_sub(1);
            match left {
                0 => Step::Over,
                _ => Step::Go,
            }
        })?;
        let once = seen.iter().filter(|(_, m)| m.is_none());
        reached.extend(once.map(|(key, _)| (game, *key)));
    }
    for (game, key) in reached {
        let table = tables.get_mut(&key)?;
        if table.counts.total.games >= MANY {
            let game = game as usize;
            table.boards.add_game(trails.get(game)?, facts.get(game)?);
        }
    }
    let mut tables: Vec<(Key, TableBuilder)> = tables.into_iter().collect();
    tables.sort_unstable_by_key(|(key, _)| *key);
    let mut out = MAGIC.to_vec();
    let mut directory = Vec::new();
    for ((code, key), table) in tables {
        // Fewer games than expected reach the exact position, or their boards are exchanged. Queries use the lists
        // instead.
        if table.is_mixed || table.counts.total.games < SHARED as u64 {
            continue;
        }
        directory.push(code);
        directory.extend_from_slice(&key.to_le_bytes());
        directory.extend_from_slice(&u32::try_from(out.len()).ok()?.to_le_bytes());
        put_table(&table, &mut out);
    }
    let count = (directory.len() / ENTRY) as u32;
    out.append(&mut directory);
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(MAGIC);
    Some(out)
}

fn put_table(table: &TableBuilder, out: &mut Vec<u8>) {
    put_bytes(out, &pins_of(&table.board));
    table.counts.total.put(out);
    table.counts.moves.put(out, |m, out| {
        let mut bits = BitWriter::default();
        packed_moves::write(&table.board, m, &mut bits);
        put_bytes(out, &bits.finish());
    });
    let has_boards = table.counts.total.games >= MANY;
    out.push(has_boards.into());
    if has_boards {
        table.boards.first.put(out, |(board, from, to), out| {
            out.extend([board as u8, from.index() as u8, to.index() as u8]);
        });
        table.boards.layouts.put(out, |pins, out| {
            out.extend(pins.map(|pin| pin.index() as u8));
        });
    }
}

/// The tables of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    file: Checked,
    /// The range of the directory.
    directory: std::ops::Range<usize>,
}

impl Tables {
    /// Opens a file of tables; `None` if it is damaged.
    pub(crate) fn open(file: Checked) -> Option<Self> {
        let (end, trailer) = file.trailer(12, MAGIC)?;
        let count = u32::from_le_bytes(*trailer.first_chunk()?) as usize;
        let start = end.checked_sub(count.checked_mul(ENTRY)?)?;
        Some(Self {
            file,
            directory: start..end,
        })
    }

    /// Calls a function to read the table of a position, which is identified by rules, key and board. Returns `None` if
    /// the file is damaged, `Some(None)` if there is no table.
    pub(crate) fn get<T>(
        &self,
        code: u8,
        key: u64,
        board: &Placement,
        read: impl FnOnce(&mut Bytes<'_>, &Placement) -> Option<T>,
    ) -> Option<Option<T>> {
        let directory = self.file.get(self.directory.clone())?;
        let (entries, _) = directory.as_chunks::<ENTRY>();
        let place = |[code, key @ .., _, _, _, _]: &[u8; ENTRY]| (*code, u64::from_le_bytes(*key));
        let Ok(found) = entries.binary_search_by_key(&(code, key), place) else {
            return Some(None);
        };
        let start = |[.., a, b, c, d]: &[u8; ENTRY]| u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let end = entries.get(found + 1).map_or(self.directory.start, start);
        let mut bytes = Bytes(self.file.get(start(&entries[found])..end)?);
        // In the table, two boards of one owner may be exchanged.
        match bytes.bytes()? == pins_of(board) {
            true => read(&mut bytes, board).map(Some),
            false => Some(None),
        }
    }
}

/// The pins of the attack boards, by number.
fn pins_of(board: &Placement) -> Vec<u8> {
    let pins = board.layout().into_iter().flat_map(Layout::pins);
    pins.map(|pin| pin.index() as u8).collect()
}

/// Reads the counts of moves at the beginning of a table.
pub(crate) fn read_moves(bytes: &mut Bytes<'_>, board: &Placement) -> Option<MoveCounts> {
    Some(MoveCounts {
        total: ResultCounts::read(bytes)?,
        moves: Tally::read(bytes, |bytes| {
            packed_moves::read(board, &mut BitReader::new(bytes.bytes()?))
        })?,
    })
}

/// Reads the counts of boards; `Some(None)` if too few games reach the position to have any.
pub(crate) fn read_boards(bytes: &mut Bytes<'_>, board: &Placement) -> Option<Option<Boards>> {
    read_moves(bytes, board)?;
    if bytes.exact(1)? == [0] {
        return Some(None);
    }
    let all: Vec<Pin> = Pin::all().collect();
    let pin = |index: u8| all.get(usize::from(index)).copied();
    let boards = Boards {
        first: Tally::read(bytes, |bytes| {
            let [board, from, to] = *bytes.exact(3)?.first_chunk()?;
            let board = *AttackBoard::ALL.get(usize::from(board))?;
            Some((board, pin(from)?, pin(to)?))
        })?,
        layouts: Tally::read(bytes, |bytes| {
            let [a, b, c, d] = *bytes.exact(4)?.first_chunk()?;
            Some([pin(a)?, pin(b)?, pin(c)?, pin(d)?])
        })?,
    };
    bytes.0.is_empty().then_some(Some(boards))
}
