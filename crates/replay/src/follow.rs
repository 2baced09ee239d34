//! A game followed from its start: every move found among the legal ones, variations in place.
//!
//! Nearly every token is read byte by byte, means one legal move, and is played. One that takes more goes through the
//! grammar of its notation. One that is in doubt - no word, no legal move, several - is read with those after it, all
//! readings side by side (see [`line`](crate::line)), from the last position that is certain until one reading is left;
//! then the short way continues. So doubt costs what it covers, and no other token is read twice.

mod choices;
mod keys;
mod record;
mod run;
mod truncated;

use self::keys::Draws;
use self::run::{Halt, Run, To};
use crate::alternatives::besides;
use crate::course::{Broken, Course, Remark, unsaid};
use crate::diagnostic::{Omitted, Severity, Status};
use crate::guess;
use crate::line::{Break, Ply, Reading, Readings, Writing};
use crate::memo::ParseCache;
use crate::setting::{SetUp, Setting};
use crate::sink::Silent;
use crate::token::token_of;
use crate::trace::{self, Trace};
use crate::{Options, RulesChoice, Sink, findings, review};
use tridex_archive::game::{Event, MOST_FINDINGS};
use tridex_archive::{Game, GameResult, Item, is_unrecorded};
use tridex_notation::resolve::{Mismatches, has_one_square, marks_of};
use tridex_notation::{Locale, MoveText, TokenNote, TokenNotes};
use tridex_rules::{Move, MoveList, Position, RuleSystem};

/// The line that is being followed.
#[derive(Clone, Debug)]
struct Frame {
    now: Position,
    /// The position before the last move, if a variation replaces that.
    before: Position,
    /// How many of its tokens have been seen.
    plies: u32,
    state: State,
    /// The readings of the next tokens, the first of them last.
    given: Vec<Ply>,
    /// Why it breaks after these.
    fault: Option<Break>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The position is certain, and so are the moves up to it.
    Certain,
    /// The next tokens have been read already.
    Given,
    /// A token could not be read: what follows has no position.
    Dead,
}

impl Frame {
    fn new(start: &Position, state: State) -> Self {
        Self {
            now: start.clone(),
            before: start.clone(),
            plies: 0,
            state,
            given: Vec::new(),
            fault: None,
        }
    }
}

/// Follows one game after another.
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) course: Course,
    set_up: SetUp,
    line: Frame,
    /// The lines it branches off from.
    outer: Vec<Frame>,
    draws: Draws,
    found: MoveList,
    /// Where variations end, once that is known.
    ends: Vec<u32>,
    /// Where the source ends, if it ends with these games and a word may have been truncated there.
    pub(crate) source_end: Option<u64>,
    /// Traces that are not reported, because they were just made.
    pub(crate) known_traces: Vec<Trace>,
    pub(crate) cache: ParseCache,
}

/// The assumed writing is in doubt.
struct Doubt;

impl Follower {
    pub(crate) fn new() -> Self {
        let start = Position::start(RuleSystem::Meder);
        Self {
            course: Course::new(),
            set_up: SetUp::default(),
            line: Frame::new(&start, State::Certain),
            outer: Vec::new(),
            draws: Draws::default(),
            found: MoveList::with_capacity(16),
            ends: Vec::new(),
            source_end: None,
            known_traces: Vec::new(),
            cache: ParseCache::default(),
        }
    }

    /// The same for many games, with what is known of their tokens.
    pub(crate) fn of_many(cache: ParseCache) -> Self {
        Self {
            cache,
            ..Self::new()
        }
    }

    /// Follows a game without reporting its steps. The result is in `course`.
    pub(crate) fn game_silently(&mut self, game: &Game<'_>, options: &Options) {
        self.game(game, options, &mut Silent);
    }

    /// Follows a game. What came out of it is in `course`.
    pub(crate) fn game<S: Sink>(&mut self, game: &Game<'_>, options: &Options, sink: &mut S) {
        let mut setting = Setting::of(game, options, &mut self.set_up);
        self.course.early.clear();
        self.course.early.append(&mut setting.findings);
        self.course.late.clear();
        self.course.claims.clear();
        self.course.under.clear();
        self.course.status = Status::of(&self.course.early);
        self.course.is_set_up = setting.start.is_some();
        self.ends.clear();
        if setting.is_of_no_system {
            self.unplayed(game, RuleSystem::Meder, options, &setting, sink);
            return;
        }
        let (rules, hands) = self.first_choice(game, options, &setting, sink);
        if let RulesChoice::Only(forced) = options.rules
            && !self.course.is_whole()
            && hands.white.program.is_none()
            && let Some(notation) = guess::of_other_board(&guess::Tokens::of(game), forced)
        {
            // What its tokens would mean on the wrong board is irrelevant for the game.
            self.course
                .early
                .push(guess::other_board(game, notation, forced));
            self.unplayed(game, forced, options, &setting, sink);
            return;
        }
        self.course.early.extend(setting.unused_notation.take());
        if setting.rules.is_none()
            && (!self.course.is_whole() || options.rules == RulesChoice::Any || rules.is_none())
        {
            self.other_choices(game, options, &setting, rules, hands, sink);
        }
        if setting.program.is_none()
            && let Some(program) = hands.white.program
        {
            self.course
                .early
                .push(findings::written_by(program, game.at));
        }
        if setting.locale.is_none() && (hands.are_two() || hands.white.locale != Locale::English) {
            let tokens = guess::Tokens::of(game);
            let black_first = setting.begins_black();
            let finding = guess::language(game.at, &tokens, hands, black_first);
            self.course.early.push(finding);
        }
        crate::verdict::give(self.draws.are_possible, game, &setting, &mut self.course);
        self.course.worsen(Status::of(&self.course.early));
        self.record(game, options);
        self.traces(game);
    }

    /// Reports what a conversion noted at the moves.
    fn traces(&mut self, game: &Game<'_>) {
        let course = &mut self.course;
        if game.events().len() == course.tokens || !game.holds(trace::SIGN) {
            return;
        }
        let mut left = MOST_FINDINGS;
        let known = &mut self.known_traces;
        review::of_traces(game, &course.start, |trace, finding| {
            if let Some(at) = known.iter().position(|known| known == trace) {
                known.remove(at);
                return;
            }
            let status = Status::of(std::slice::from_ref(&finding));
            course.status = course.status.max(status);
            match left.checked_sub(1) {
                Some(rest) => {
                    left = rest;
                    course.late.push(finding);
                }
                None => course.omitted.add(false),
            }
        });
    }

    /// A game of which no move is played.
    fn unplayed<S: Sink>(
        &mut self,
        game: &Game<'_>,
        rules: RuleSystem,
        options: &Options,
        setting: &Setting,
        sink: &mut S,
    ) {
        let reading = Reading {
            strict: options.strict,
            ..unsaid()
        };
        self.nowhere(game, rules, reading, sink);
        // Nothing of the game before stays.
        let said = game.stated().or(setting.result);
        self.course.result = said.map_or(GameResult::Unknown, |(result, _)| result);
        self.course.outcome = None;
        self.course.worsen(Status::of(&self.course.early));
    }

    /// The start of a game under a system, if it can be played there.
    fn start(&mut self, setting: &Setting, rules: RuleSystem) -> Option<Position> {
        match &setting.start {
            Some(_) => self.set_up.position(setting, rules),
            None => Some(Position::start(rules)),
        }
    }

    fn clear(&mut self, start: &Position, reading: Reading, state: State) {
        let course = &mut self.course;
        course.reading = reading;
        course.start.clone_from(start);
        course.moves.clear();
        course.side_moves.clear();
        course.tokens = 0;
        course.remarks.clear();
        course.broken = None;
        course.broken_variations.clear();
        course.omitted = Omitted::default();
        course.status = Status::Valid;
        self.outer.clear();
        let line = &mut self.line;
        line.now.clone_from(start);
        line.plies = 0;
        line.state = state;
        line.given.clear();
        line.fault = None;
        self.draws.clear(start);
    }

    /// A game whose start cannot be played: none of its moves has a position.
    fn nowhere<S: Sink>(
        &mut self,
        game: &Game<'_>,
        rules: RuleSystem,
        reading: Reading,
        sink: &mut S,
    ) {
        let start = Position::start(rules);
        self.clear(&start, reading, State::Dead);
        // Without a position nothing is in doubt.
        let _ = self.events(game, false, sink);
    }

    /// Follows a game from a position. With `is_open` it is given up at the first token of the main line that is not
    /// plainly written so.
    fn follow<S: Sink>(
        &mut self,
        game: &Game<'_>,
        start: &Position,
        reading: Reading,
        is_open: bool,
        sink: &mut S,
    ) -> Result<(), Doubt> {
        self.clear(start, reading, State::Certain);
        self.draws.are_possible = self.course.is_set_up && start.is_dead();
        self.events(game, is_open, sink)
    }

    fn events<S: Sink>(
        &mut self,
        game: &Game<'_>,
        is_open: bool,
        sink: &mut S,
    ) -> Result<(), Doubt> {
        if S::STEPS {
            sink.begin(&self.course.start);
        }
        let mut index = 0;
        loop {
            if self.line.state == State::Certain {
                match self.run(game, index, sink) {
                    Halt::Before(at) => index = at,
                    Halt::Mark(at, mv, mark) => {
                        self.push_remark(Remark {
                            mismatches: Mismatches::of_mark(mark),
                            ..self.remark(at, mv)
                        });
                        index = at + 1;
                        continue;
                    }
                }
            }
            let Some(event) = game.events().get(index) else {
                break;
            };
            match event.kind {
                Item::Move(_) => self.long_way(game, index, event, is_open, sink)?,
                Item::VariationStart => self.branch(),
                Item::VariationEnd => {
                    if let Some(outer) = self.outer.pop() {
                        self.line = outer;
                    }
                }
                _ => {}
            }
            if S::STEPS && !matches!(event.kind, Item::Move(_)) {
                sink.between(game.item(event).as_deref());
            }
            index += 1;
        }
        // Variations are balanced; should one be open all the same, the main line is what it was.
        let main = self.outer.first().unwrap_or(&self.line);
        self.course.last.clone_from(&main.now);
        self.course.tokens = main.plies as usize;
        Ok(())
    }

    /// Plays the tokens of a usual shape that mean one legal move, from an event on, until something takes more.
    fn run<S: Sink>(&mut self, game: &Game<'_>, from: usize, sink: &mut S) -> Halt {
        let hands = self.course.reading.hands;
        let Frame {
            now, before, plies, ..
        } = &mut self.line;
        let run = Run {
            game,
            from,
            sans: &mut self.cache.sans,
            hands: [hands.white, hands.black].map(|hand| (hand, hand.number())),
            course: &mut self.course,
            before,
            plies,
            draws: &mut self.draws,
            is_main: self.outer.is_empty(),
        };
        if S::STEPS {
            run.go(now, &mut To(sink))
        } else {
            now.with_system(run)
        }
    }

    /// The move just played, for which there is a finding.
    fn remark(&self, index: usize, mv: Move) -> Remark {
        Remark {
            event: index as u32,
            ply: self.line.plies.saturating_sub(1),
            is_main: self.outer.is_empty(),
            before: self.line.before.clone(),
            mv,
            notes: TokenNotes::NONE,
            writing: self.writing(),
            mismatches: Mismatches::default(),
            readings: Vec::new(),
            is_only_square: false,
        }
    }

    /// Whether a text without a level names one square only, with the boards where they are now.
    fn is_only_square(&self, text: &MoveText) -> bool {
        text.notes.has(TokenNote::MissingLevel) && has_one_square(text, &self.line.now)
    }

    /// How the player writes who has just moved.
    fn writing(&self) -> Writing {
        let turn = self.line.now.turn();
        self.course.reading.hands.of(turn.other())
    }

    fn push_remark(&mut self, remark: Remark) {
        let severity = remark.severity(self.writing());
        let several = remark.is_main && remark.readings.len() > 1;
        self.course.worsen(match severity {
            Severity::Info => Status::Valid,
            _ if several => Status::Ambiguous,
            _ => Status::Warned,
        });
        if self.course.remarks.len() < MOST_FINDINGS {
            self.course.remarks.push(remark);
        } else {
            self.course.omitted.add(false);
        }
    }

    /// A token that takes more than the shortest way to read or to find.
    #[inline(never)]
    fn long_way<S: Sink>(
        &mut self,
        game: &Game<'_>,
        index: usize,
        event: &Event,
        is_open: bool,
        sink: &mut S,
    ) -> Result<(), Doubt> {
        let token = token_of(game, event);
        self.line.before.clone_from(&self.line.now);
        if self.line.state != State::Dead && is_unrecorded(&token) {
            self.not_recorded(game, event);
        }
        if self.line.state == State::Certain
            && let Some(fault) = self.truncation(game, index, event, &token)
        {
            self.break_off(index, fault, true);
        }
        if self.line.state == State::Certain {
            let is_open = is_open && self.outer.is_empty();
            match self.by_grammar(&token) {
                Some((text, mv)) if !is_open || text.notes.is_empty() => {
                    let is_only_square = self.is_only_square(&text);
                    let mismatches = self.play(&text, mv, &token, sink);
                    if !text.notes.is_empty() || !mismatches.is_empty() {
                        self.push_remark(Remark {
                            notes: text.notes,
                            mismatches,
                            is_only_square,
                            ..self.remark(index, mv)
                        });
                    }
                    return Ok(());
                }
                _ if is_open => return Err(Doubt),
                _ => self.read_on(game, index),
            }
        }
        if self.line.state == State::Given {
            if let Some(ply) = self.line.given.pop() {
                let is_only_square = self.is_only_square(&ply.text);
                let guess = (S::STEPS && ply.readings.len() > 1).then(|| {
                    let now = &self.line.now;
                    let notation = self.course.reading.hands.of(now.turn()).notation;
                    findings::guess(now, notation, &token, ply.mv, &ply.readings)
                });
                self.play(&ply.text, ply.mv, &token, sink);
                if let Some(guess) = guess {
                    sink.guessed(&guess);
                }
                let remark = Remark {
                    notes: ply.text.notes,
                    writing: ply.writing,
                    mismatches: ply.mismatches,
                    readings: ply.readings,
                    is_only_square,
                    ..self.remark(index, ply.mv)
                };
                if remark.says_something(self.writing()) {
                    self.push_remark(remark);
                }
                if self.line.given.is_empty() && self.line.fault.is_none() {
                    self.line.state = State::Certain;
                }
                return Ok(());
            }
            if let Some(fault) = self.line.fault.take() {
                self.break_off(index, fault, false);
            }
        }
        // What has no position is not read.
        if !self.outer.is_empty() {
            self.course.side_moves.push(None);
        }
        // A move that was not recorded is no token that should have been.
        self.line.plies += u32::from(!is_unrecorded(&token));
        if S::STEPS {
            sink.unread(&token);
        }
        Ok(())
    }

    /// A move was not recorded: what follows in the line has no position.
    fn not_recorded(&mut self, game: &Game<'_>, event: &Event) {
        self.line.state = State::Dead;
        self.line.given.clear();
        self.line.fault = None;
        if self.outer.is_empty() {
            self.course.worsen(Status::Warned);
            let ply = self.line.plies + 1;
            let finding = findings::not_recorded(game.place(event), game.text(event), ply);
            self.course.late.push(finding);
        }
    }

    /// The words of a token and the one legal move they mean, if nothing about that is in doubt.
    fn by_grammar(&mut self, token: &[u8]) -> Option<(MoveText, Move)> {
        let reading = self.course.reading;
        let writing = reading.hands.of(self.line.now.turn());
        let text = self.cache.texts.parse(writing, token)?;
        let has_two_readings = !besides(token, &text, writing, reading.bound).is_empty();
        if !reading.takes(&text) || has_two_readings {
            return None;
        }
        if let Some(mv) = self.line.now.find(&text.kind, text.capture).one() {
            return Some((text, mv));
        }
        writing.candidates(&text, &self.line.now, &mut self.found);
        match self.found.as_slice() {
            [only] => Some((text, *only)),
            _ => None,
        }
    }

    /// Plays the move of a token, and compares what is written with it.
    fn play<S: Sink>(
        &mut self,
        text: &MoveText,
        mv: Move,
        token: &[u8],
        sink: &mut S,
    ) -> Mismatches {
        let is_main = self.outer.is_empty();
        let now = &mut self.line.now;
        if S::STEPS {
            sink.before(now, mv, is_main);
        }
        let played = now.play_unchecked(mv);
        if S::STEPS {
            sink.after(now, token, is_main);
        }
        if is_main {
            self.course.moves.push(mv);
            self.draws.add(mv, &played, now);
        } else {
            self.course.side_moves.push(Some(mv));
        }
        self.line.plies += 1;
        self.writing()
            .reported(marks_of(text, mv, played.captures, &self.line.now))
    }

    /// Reads a token in doubt and those after it in its line, until one reading is left, or the line breaks or ends.
    fn read_on(&mut self, game: &Game<'_>, index: usize) {
        if self.ends.is_empty() {
            self.ends = game.variation_ends();
        }
        let mut readings = Readings::new(&self.line.now, self.course.reading);
        let mut next = index;
        self.line.fault = None;
        while let Some(event) = game.events().get(next) {
            match event.kind {
                Item::Move(_) => {
                    let token = token_of(game, event);
                    let is_part = next != index && self.is_part(game, next, event, &token);
                    if is_unrecorded(&token) || is_part {
                        break;
                    }
                    if let Err(fault) = readings.step(&token) {
                        self.line.fault = Some(fault);
                        break;
                    }
                    if readings.is_settled() {
                        break;
                    }
                }
                Item::VariationStart => {
                    next = self.ends.get(next).map_or(next, |end| *end as usize)
                }
                Item::VariationEnd => break,
                _ => {}
            }
            next += 1;
        }
        let (mut plies, _) = readings.finish();
        plies.reverse();
        self.line.given = plies;
        self.line.state = State::Given;
    }

    /// The line cannot be followed any further.
    fn break_off(&mut self, index: usize, fault: Break, is_truncated: bool) {
        self.line.state = State::Dead;
        let broken = Broken {
            event: index as u32,
            ply: self.line.plies,
            before: self.line.now.clone(),
            fault,
            is_truncated,
        };
        if self.outer.is_empty() {
            self.course.worsen(Status::Invalid);
            self.course.broken = Some(broken);
            return;
        }
        // Nothing in a variation makes the game invalid.
        self.course.worsen(Status::Warned);
        if self.course.broken_variations.len() < MOST_FINDINGS {
            self.course.broken_variations.push(broken);
        } else {
            self.course.omitted.add(false);
        }
    }

    /// A variation begins: it replaces the last move.
    fn branch(&mut self) {
        let is_lost = self.line.state == State::Dead || self.line.plies == 0;
        let state = if is_lost { State::Dead } else { State::Certain };
        let inner = Frame::new(&self.line.before, state);
        let outer = std::mem::replace(&mut self.line, inner);
        self.outer.push(outer);
    }
}
