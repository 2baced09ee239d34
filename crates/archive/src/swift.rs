//! Games in which nothing is to be found, replayed in one pass.
//!
//! Nearly every game of a good archive is legal as written. `Swift` follows such a game token by token while it is
//! read: parse, find the one legal move, play it. Whatever is out of the ordinary - a token that is no word or fits no
//! move or several, a mark that does not agree, a variation, a set-up position, a claim, damage - makes it give the
//! game up and hand its bytes to the careful reader of [`replay`](mod@crate::replay), which says what there is to say. So
//! the two can differ in speed only; a law test holds them to that.

use crate::record::{Game, Recorder};
use crate::replay::{Options, Report, RulesChoice, Writing};
use crate::split::Batch;
use crate::{Container, Damage, Flow, GameResult, Visitor, pgn};
use std::collections::HashMap;
use tridex_notation::resolve::{candidates, check_fits, marks_fit, only_candidate};
use tridex_notation::{CheckMark, Locale, Notation, San};
use tridex_rules::{Color, Move, MoveList, Outcome, Played, Position, RuleSystem};

/// What a pass wants to know of the games, beside their reports.
pub trait Witness {
    /// Whether comments and the like have to be seen, which only the careful reader keeps.
    const NEEDS_REMARKS: bool;

    /// Whether [`Witness::before`] is to be called.
    const WANTS_BEFORE: bool;

    /// A move of the main line is about to be played.
    #[inline]
    fn before(&mut self, _position: &Position, _mv: Move, _token: &[u8]) {}

    /// It has been played.
    #[inline]
    fn after(&mut self, _position: &Position) {}

    /// A game begins; what was witnessed of the last one is not to be taken back any more.
    fn begin(&mut self, _rules: RuleSystem) {}

    /// A game is over and nothing is to be said against it.
    fn clean(&mut self, game: Clean<'_>);

    /// A game needs care; what was witnessed of it is void.
    fn careful(&mut self, game: &mut Game);

    /// Damage that belongs to no game.
    fn stray(&mut self, rest: Game);
}

/// A game in which nothing was found.
#[derive(Clone, Copy, Debug)]
pub struct Clean<'a> {
    /// Offset of its first byte.
    pub at: u64,
    /// Names and raw values of its tags, with offsets.
    pub tags: &'a [(&'a [u8], &'a [u8], u64)],
    /// How it is written.
    pub writing: Writing,
    /// The position it starts from.
    pub start: &'a Position,
    /// The moves of the main line.
    pub moves: &'a [Move],
    /// The position after them.
    pub last: &'a Position,
    /// The result it states.
    pub result: GameResult,
    /// How it has ended by the rules.
    pub outcome: Option<Outcome>,
}

impl Clean<'_> {
    /// The same as a report.
    #[must_use]
    pub fn report(&self) -> Report {
        Report::clean(self)
    }
}

/// Reads the games of a batch.
pub fn read(batch: &Batch, options: &Options, witness: &mut impl Witness) {
    if !matches!(batch.container(), Container::Pgn | Container::Movetext) || !may_be_swift(options)
    {
        let mut recorder = Recorder::new(|game: &mut Game| witness.careful(game));
        batch.read(&mut recorder);
        let rest = recorder.into_rest();
        witness.stray(rest);
        return;
    }
    let mut swift = Swift::new(batch, options, witness);
    batch.read(&mut swift);
    swift.finish();
}

/// Whether these options leave anything to be done swiftly.
fn may_be_swift(options: &Options) -> bool {
    options.rules != RulesChoice::Any && options.locale.is_none_or(|l| l == Locale::English)
}

/// Follows the games of a batch.
struct Swift<'b, 'w, W> {
    batch: &'b Batch,
    options: &'b Options,
    witness: &'w mut W,
    /// Offset behind the last game: what comes from there belongs to the next.
    from: u64,
    at: u64,
    tags: Vec<(&'b [u8], &'b [u8], u64)>,
    /// Whether the game has to be read with care.
    careful: bool,
    starts: Starts,
    rules: RuleSystem,
    writing: Writing,
    position: Position,
    moves: Vec<Move>,
    found: MoveList,
    keys: Keys,
    tagged: Option<GameResult>,
    result: Option<GameResult>,
    over: bool,
    /// Damage behind the last game.
    stray: Vec<(Damage, u64, usize)>,
}

/// Start positions, made once for each system.
struct Starts(HashMap<RuleSystem, Position>);

impl Starts {
    fn of(&mut self, rules: RuleSystem) -> &Position {
        self.0
            .entry(rules)
            .or_insert_with(|| Position::start(rules))
    }
}

/// Keys of a game's placements, to see whether one comes for the third time: then the careful reader looks whether the
/// whole position does.
#[derive(Default)]
struct Keys {
    all: Vec<u64>,
    /// One bit for each of the lowest bits of a key that has been seen.
    seen: [u64; 32],
}

impl Keys {
    fn clear(&mut self) {
        self.all.clear();
        self.seen = [0; 32];
    }

    /// Adds a key; whether it stands there for the third time.
    #[inline]
    fn add(&mut self, key: u64) -> bool {
        let (word, bit) = ((key >> 6 & 31) as usize, 1 << (key & 63));
        let known = self.seen.get(word).is_some_and(|word| word & bit != 0);
        if let Some(word) = self.seen.get_mut(word) {
            *word |= bit;
        }
        let third = known && self.all.iter().filter(|other| **other == key).count() >= 2;
        self.all.push(key);
        third
    }
}

impl<'b, 'w, W: Witness> Swift<'b, 'w, W> {
    fn new(batch: &'b Batch, options: &'b Options, witness: &'w mut W) -> Self {
        let rules = RuleSystem::Meder;
        Self {
            batch,
            options,
            witness,
            from: batch.base_offset,
            at: batch.base_offset,
            tags: Vec::new(),
            careful: false,
            starts: Starts(HashMap::new()),
            rules,
            writing: Writing {
                notation: Notation::Meder,
                locale: Locale::English,
            },
            position: Position::start(rules),
            moves: Vec::with_capacity(256),
            found: MoveList::with_capacity(16),
            keys: Keys::default(),
            tagged: None,
            result: None,
            over: false,
            stray: Vec::new(),
        }
    }

    /// The bytes of the batch from one offset to another. Visitors are lent their texts for a moment only; these stay.
    fn slice(&self, at: u64, end: u64) -> &'b [u8] {
        let place = |offset: u64| {
            usize::try_from(offset.saturating_sub(self.batch.base_offset)).unwrap_or(usize::MAX)
        };
        self.batch
            .bytes
            .get(place(at)..place(end))
            .unwrap_or_default()
    }

    /// What the tags say of the reading, if it is nothing out of the ordinary.
    fn set_out(&mut self) -> Option<(RuleSystem, Notation)> {
        let mut rules = None;
        let mut notation = None;
        for (name, value, _) in &self.tags {
            let text = || std::str::from_utf8(value).ok().map(str::trim);
            // One pass over the names: no other tag begins with these letters often.
            match name.first()? | 0x20 {
                b'v' if name.eq_ignore_ascii_case(b"Variant") && rules.is_none() => {
                    rules = Some(RuleSystem::from_name(text()?)?);
                }
                b'n' if name.eq_ignore_ascii_case(b"Notation") && notation.is_none() => {
                    notation = Some(Notation::from_name(text()?)?);
                }
                b'l' if name.eq_ignore_ascii_case(b"Locale") => return None,
                b'f' if name.eq_ignore_ascii_case(b"FEN") => return None,
                b'r' if name.eq_ignore_ascii_case(b"Result") && self.tagged.is_none() => {
                    self.tagged = crate::result_word(text()?.as_bytes());
                }
                _ => {}
            }
        }
        let rules = match self.options.rules {
            RulesChoice::Only(only) => only,
            RulesChoice::AsTagged | RulesChoice::Any => rules?,
        };
        let notation = self
            .options
            .notation
            .or(notation)
            .unwrap_or_else(|| Notation::of(rules));
        (notation.family() == rules.family()).then_some((rules, notation))
    }

    /// One move; whether nothing is out of the ordinary.
    #[inline]
    fn step(&mut self, token: &[u8]) -> bool {
        let Some(san) = San::read(self.writing.notation, token, Locale::English) else {
            return self.step_of_words(token);
        };
        if self.over || W::NEEDS_REMARKS && san.suffix() > 0 {
            return false;
        }
        let (mv, played) = if W::WANTS_BEFORE {
            let Some(mv) = san.find(&self.position, &mut self.found) else {
                return self.step_of_words(token);
            };
            self.witness.before(&self.position, mv, token);
            (mv, san.play(&mut self.position, mv))
        } else {
            let Some(found) = san.follow(&mut self.position, &mut self.found) else {
                return self.step_of_words(token);
            };
            found
        };
        self.played(mv, played) && san.mark_fits(&played, &self.position)
    }

    /// One move that takes more than the shortest way to read or to find.
    #[inline(never)]
    fn step_of_words(&mut self, token: &[u8]) -> bool {
        let Ok(text) = tridex_notation::parse(self.writing.notation, token, None) else {
            return false;
        };
        if self.over || !text.notes.is_empty() || W::NEEDS_REMARKS && text.suffix > 0 {
            return false;
        }
        let mv = match only_candidate(&text, &self.position) {
            Some(mv) => mv,
            None => {
                candidates(&text, &self.position, &mut self.found);
                let [mv] = *self.found.as_slice() else {
                    return false;
                };
                mv
            }
        };
        if W::WANTS_BEFORE {
            self.witness.before(&self.position, mv, token);
        }
        let played = self.position.play_reporting(mv);
        self.played(mv, played)
            && marks_fit(&text, played.captures, mv)
            && (text.mark == CheckMark::None || check_fits(&text, &self.position))
    }

    /// A move has been played; whether it leaves nothing to be said with care.
    #[inline]
    fn played(&mut self, mv: Move, played: Played) -> bool {
        self.witness.after(&self.position);
        self.moves.push(mv);
        // Only a capture makes a position one that nobody can win; the game is over then.
        self.over = played.captures && self.position.is_dead();
        !self.keys.add(played.placement) && played.halfmoves < 100
    }

    fn verdict(&self) -> Option<(GameResult, Option<Outcome>)> {
        if let (Some(tag), Some(behind)) = (self.tagged, self.result)
            && tag != behind
        {
            return None;
        }
        let result = self.result.or(self.tagged).unwrap_or(GameResult::Unknown);
        let outcome = self.position.outcome();
        let right = match outcome {
            None => return Some((result, None)),
            Some(Outcome::Checkmate {
                winner: Color::White,
            }) => GameResult::White,
            Some(Outcome::Checkmate {
                winner: Color::Black,
            }) => GameResult::Black,
            Some(_) => GameResult::Draw,
        };
        (result == GameResult::Unknown || result == right).then_some((result, outcome))
    }

    fn finish(self) {
        let mut rest = Game::new();
        rest.damage = self.stray;
        self.witness.stray(rest);
    }
}

impl<W: Witness> Visitor for Swift<'_, '_, W> {
    fn begin_game(&mut self, at: u64) {
        self.at = at;
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        if self.careful {
            return;
        }
        let own = |text: &[u8]| {
            // Visitors are lent their texts for a moment only; those of the batch itself stay. What lies within the
            // batch's memory is the batch's.
            let from = (text.as_ptr() as usize).checked_sub(self.batch.bytes.as_ptr() as usize)?;
            self.batch.bytes.get(from..from + text.len())
        };
        match (own(name), own(raw_value)) {
            (Some(name), Some(value)) => self.tags.push((name, value, at)),
            _ => self.careful = true,
        }
    }

    fn begin_moves(&mut self, _at: u64) -> Flow {
        if !self.careful {
            match self.set_out() {
                Some((rules, notation)) => {
                    self.rules = rules;
                    self.writing.notation = notation;
                    self.position.clone_from(self.starts.of(rules));
                    self.keys.add(self.position.placement_key());
                    self.witness.begin(rules);
                }
                None => self.careful = true,
            }
        }
        if self.careful { Flow::Skip } else { Flow::Go }
    }

    #[inline]
    fn move_token(&mut self, token: &[u8], _at: u64) -> Flow {
        if !self.careful && self.step(token) {
            Flow::Go
        } else {
            self.careful = true;
            Flow::Skip
        }
    }

    fn begin_variation(&mut self, _at: u64) -> Flow {
        self.careful = true;
        Flow::Skip
    }

    fn comment(&mut self, _text: &[u8], _at: u64) {
        self.careful |= W::NEEDS_REMARKS;
    }

    fn line_comment(&mut self, _text: &[u8], _at: u64) {
        self.careful |= W::NEEDS_REMARKS;
    }

    fn escape_line(&mut self, _text: &[u8], _at: u64) {
        self.careful |= W::NEEDS_REMARKS;
    }

    fn nag(&mut self, _nag: u8, _at: u64) {
        self.careful |= W::NEEDS_REMARKS;
    }

    fn suffix_mark(&mut self, _text: &[u8], _at: u64) {
        self.careful = true;
    }

    fn draw_offer(&mut self, _at: u64) {
        self.careful |= W::NEEDS_REMARKS;
    }

    fn trailing_word(&mut self, _text: &[u8], _at: u64) {
        self.careful |= W::NEEDS_REMARKS;
    }

    fn result(&mut self, result: GameResult, _at: u64) {
        self.result = Some(result);
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.careful = true;
        self.stray.push((damage, at, len));
    }

    fn end_game(&mut self, at: u64) {
        let verdict = if self.careful { None } else { self.verdict() };
        match verdict {
            Some((result, outcome)) => {
                let start = self.starts.of(self.rules).clone();
                self.witness.clean(Clean {
                    at: self.at,
                    tags: &self.tags,
                    writing: self.writing,
                    start: &start,
                    moves: &self.moves,
                    last: &self.position,
                    result,
                    outcome,
                });
            }
            None => {
                // The bytes of this game once more, from the end of the last.
                let bytes = self.slice(self.from, at);
                let cut = self.batch.cut_at(at);
                let witness = &mut *self.witness;
                let mut recorder = Recorder::new(|game: &mut Game| witness.careful(game));
                pgn::read_part(bytes, self.from, self.batch.limits(), cut, &mut recorder);
            }
        }
        self.from = at;
        self.tags.clear();
        self.moves.clear();
        self.keys.clear();
        self.tagged = None;
        self.result = None;
        self.over = false;
        self.careful = false;
        self.stray.clear();
    }
}
