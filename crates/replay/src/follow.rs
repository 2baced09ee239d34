//! Follows a game from its start: finds each move among the legal ones, in the main line and in variations.
//!
//! Nearly every token is plain: it was parsed before and fits one legal move, which is played at once (`run`). A token
//! with something unusual in it takes longer. A token is in doubt if it does not parse, or fits no legal move or
//! several. It is read together with the tokens after it, from the last certain position, following all readings side
//! by side ([`frontier`](crate::frontier)), until one reading is left. Then plain tokens are played at once again, so
//! only the tokens in doubt cost extra time.

mod draws;
mod infer;
mod run;
mod systems;
mod truncated;
pub(crate) mod under;

use self::draws::Draws;
use self::run::{Halt, Run};
use crate::declared::{Declared, StartCache};
use crate::finding::Status;
use crate::finding::trace::{self, Trace};
use crate::finding::wording;
use crate::frontier::line::Frontier;
use crate::options::{Options, RulesChoice};
use crate::reading::{Break, PlayerStyles, Ply, Reading};
use crate::replay::{Broken, Played, Replay};
use crate::sink::Silent;
use crate::sink::Sink;

use crate::style::cache::ParseCache;
use crate::style::interpret::besides;
use crate::style::token::{Token, token_of, tokens};
use crate::{explain, outcome};
use tridex_archive::game::{Event, MOST_FINDINGS};
use tridex_archive::{Damage, Game, GameResult, Item, TokenId, is_pass, is_unrecorded};
use tridex_notation::Locale;
use tridex_notation::resolve::{Mismatches, marks_of};
use tridex_rules::{Move, Position, RuleSystem};

/// The state of a line that is being followed.
#[derive(Clone, Debug)]
struct Frame {
    now: Position,
    /// The position before the last move, if a variation replaces that move.
    before: Position,
    /// The number of tokens seen so far, not counting moves that were not recorded.
    plies: u32,
    state: State,
    /// The readings of the next tokens, in reverse order.
    given: Vec<Ply>,
    /// Why the line breaks after these, if it does.
    fault: Option<Break>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The position and the moves up to it are certain.
    Certain,
    /// The next tokens have already been read.
    Given,
    /// A token could not be read, so the tokens after it have no position.
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
    options: Options,
    /// The parsed tokens of the archive.
    pub(crate) cache: ParseCache,
    /// The result so far.
    replay: Replay,
    declared: Declared,
    starts: StartCache,
    /// Whether the style is only assumed: following stops with [`Doubt`] at the first token of the main line that is
    /// not plain in it.
    is_open: bool,
    line: Frame,
    /// The lines from which the current one branches off, outermost first.
    outer: Vec<Frame>,
    draws: Draws,
    /// The end of the source, if these are its last games and their last token may be truncated.
    pub(crate) source_end: Option<u64>,
    /// Traces that are not reported because the caller has just added them.
    pub(crate) known_traces: Vec<Trace>,
}

/// The maximum number of positions that are tried to find a move that was not recorded. This takes about 20 ms.
const MOST_TRIED: usize = 1 << 14;

/// The assumed style is in doubt.
struct Doubt;

impl Follower {
    pub(crate) fn new(options: &Options) -> Self {
        let replay = Replay::new();
        Self {
            options: *options,
            declared: Declared::default(),
            starts: StartCache::default(),
            is_open: false,
            line: Frame::new(&replay.start, State::Certain),
            replay,
            cache: ParseCache::default(),
            outer: Vec::new(),
            draws: Draws::default(),
            source_end: None,
            known_traces: Vec::new(),
        }
    }

    /// Returns the game that was followed last, with this number.
    pub(crate) fn played<'a>(&'a self, number: u64, game: &'a Game<'a>) -> Played<'a> {
        Played::new(number, game, &self.replay, &self.cache)
    }

    /// Follows a game without reporting its steps.
    pub(crate) fn game_silently(&mut self, game: &Game<'_>) {
        self.game(game, &mut Silent);
    }

    /// Follows a game; [`Follower::played`] returns it.
    pub(crate) fn game<S: Sink>(&mut self, game: &Game<'_>, sink: &mut S) {
        self.judge(game, |follower| follower.lines(game, sink));
    }

    /// Follows a game whose record has no moves, and then plays legal moves.
    pub(crate) fn legal_moves(&mut self, game: &Game<'_>, moves: &[Move]) {
        self.judge(game, |follower| {
            let is_playable = follower.lines(game, &mut Silent);
            if is_playable {
                follower.append(moves);
            }
            is_playable
        });
    }

    /// Plays legal moves after those of the main line.
    fn append(&mut self, moves: &[Move]) {
        let now = &mut self.line.now;
        for mv in moves {
            let played = now.play_unchecked(*mv);
            self.draws.add(&played, now);
        }
        self.replay.moves.extend_from_slice(moves);
        self.replay.last.clone_from(now);
        self.replay.tokens += moves.len();
    }

    /// Reads what a game declares, follows its lines, and decides how it ended. `lines` returns false if no move can be
    /// played at all.
    fn judge(&mut self, game: &Game<'_>, lines: impl FnOnce(&mut Self) -> bool) {
        self.declared = Declared::of(game, &self.options, &mut self.starts);
        self.replay.findings = std::mem::take(&mut self.declared.findings);
        self.replay.under.clear();
        self.replay.is_set_up = self.declared.start.is_some();
        self.replay.states_rules = self.declared.rules.is_some();
        self.replay.outcome = None;
        self.replay.date_hint = self.declared.date_hint;
        self.is_open = false;
        if lines(self) {
            let (declared, replay) = (&self.declared, &mut self.replay);
            outcome::give(self.draws.are_possible, game, declared, replay);
            self.record(game);
            self.traces(game);
        } else {
            let said = game.stated().or(self.declared.result);
            self.replay.result = said.map_or(GameResult::Unknown, |(result, _)| result);
        }
        let replay = &mut self.replay;
        let damages = game.damage.iter().take(MOST_FINDINGS);
        // A game that the rules have ended needs no result after its moves.
        let is_over = replay.outcome.is_some();
        let damages = damages.filter(|(damage, ..)| !(is_over && *damage == Damage::NoResult));
        let strict = self.options.strict;
        let damages = damages.map(|(damage, at, len)| wording::damage(*damage, *at, *len, strict));
        replay.findings.extend(damages);
        let counted = wording::uncounted(replay.omitted, &game.damage, game.at, strict);
        let found = replay.findings.iter().chain(&replay.lines).chain(&counted);
        replay.status = match replay.broken {
            Some(_) => Status::Invalid,
            None => Status::of(found),
        };
    }

    /// Follows the lines of a game under the named or inferred rules, in the named or inferred style. Returns false if
    /// no move can be played at all.
    fn lines<S: Sink>(&mut self, game: &Game<'_>, sink: &mut S) -> bool {
        if self.declared.is_of_no_system {
            self.nowhere(game, RuleSystem::Meder, Reading::unknown().hands, sink);
            return false;
        }
        let (rules, hands) = self.first_choice(game, sink);
        let (is_whole, style) = (self.replay.broken.is_none(), hands[0]);
        let is_any = self.options.rules == RulesChoice::Any;
        if let RulesChoice::Only(forced) = self.options.rules
            && !is_whole
            && style.program.is_none()
            && let Some(notation) = infer::of_other_board(&tokens(game, &self.cache), forced)
        {
            // What the tokens would mean on the wrong board does not matter.
            let finding = infer::other_board(game, notation, forced);
            self.replay.findings.push(finding);
            self.nowhere(game, forced, Reading::unknown().hands, sink);
            return false;
        }
        let findings = &mut self.replay.findings;
        findings.extend(self.declared.unused_notation.take());
        if self.declared.rules.is_none() && (!is_whole || is_any || rules.is_none()) {
            self.other_choices(game, rules, hands, sink);
        }
        let (declared, findings) = (&self.declared, &mut self.replay.findings);
        if declared.program.is_none()
            && let Some(program) = style.program
        {
            findings.push(wording::written_by(program, game.at));
        }
        if declared.locale.is_none() && (hands[0] != hands[1] || style.locale != Locale::English) {
            let tokens = tokens(game, &self.cache);
            let black_first = declared.begins_black();
            findings.push(infer::language(game.at, &tokens, hands, black_first));
        }
        true
    }

    /// Reports wrong move numbers, and unusual words and characters of the record.
    fn record(&mut self, game: &Game<'_>) {
        let (replay, strict) = (&mut self.replay, self.options.strict);
        let ended = outcome::of_words(game, replay, strict);
        let replaced = game.c1_control();
        let replaced = replaced.map(|(control, at)| wording::control(control, at, strict));
        let mojibake = game.mojibake();
        let mojibake = mojibake.map(|(text, meant, at)| wording::mojibake(&text, &meant, at));
        replay.findings.extend(mojibake);
        // The numbers of a game that starts from a set-up position may start with any number.
        let is_set_up = replay.is_set_up;
        let numbers = game.numbers.wrong.iter();
        let numbers = numbers.filter(|wrong| !(wrong.is_first && is_set_up));
        replay.findings.extend(numbers.map(wording::misnumbered));
        let unusual = game
            .unusual
            .iter()
            .map(|(what, text, at, count)| wording::unusual_form(*what, text, *at, *count, strict));
        replay.findings.extend(unusual.chain(ended).chain(replaced));
    }

    /// Reports the traces that a conversion left in the comments.
    fn traces(&mut self, game: &Game<'_>) {
        let replay = &mut self.replay;
        if game.events().len() == replay.tokens || !game.holds(trace::SIGN) {
            return;
        }
        let known = &mut self.known_traces;
        for (trace, finding) in explain::of_traces(game, &replay.start) {
            match known.iter().position(|known| *known == trace) {
                Some(at) => drop(known.remove(at)),
                None => replay.note(finding),
            }
        }
    }

    /// The start position of the game under a system, if it is playable there.
    fn start(&mut self, rules: RuleSystem) -> Option<Position> {
        match self.declared.start {
            Some(_) => self.starts.position(&self.declared, rules),
            None => Some(Position::start(rules)),
        }
    }

    /// Follows a game whose start position cannot be played: none of its moves has a position.
    fn nowhere<S: Sink>(
        &mut self,
        game: &Game<'_>,
        rules: RuleSystem,
        hands: PlayerStyles,
        sink: &mut S,
    ) {
        // Cannot fail: a game without positions raises no doubt.
        let _ = self.follow(game, &Position::start(rules), State::Dead, hands, sink);
    }

    /// Follows a game from a position that is certain, or from none.
    fn follow<S: Sink>(
        &mut self,
        game: &Game<'_>,
        start: &Position,
        state: State,
        hands: PlayerStyles,
        sink: &mut S,
    ) -> Result<(), Doubt> {
        let replay = &mut self.replay;
        replay.reading = Reading {
            hands,
            strict: self.options.strict,
            bound: self.declared.locale.is_some(),
        };
        replay.start.clone_from(start);
        replay.moves.clear();
        replay.side_moves.clear();
        replay.lines.clear();
        replay.guesses.clear();
        replay.broken = None;
        replay.omitted = 0;
        self.outer.clear();
        let line = &mut self.line;
        line.now.clone_from(start);
        line.plies = 0;
        line.state = state;
        line.given.clear();
        line.fault = None;
        self.draws.clear(start);
        self.draws.are_possible = replay.is_set_up && start.is_dead();
        if S::STEPS {
            sink.begin(start);
        }
        let mut index = 0;
        loop {
            if self.line.state == State::Certain {
                match self.run(game, index, sink) {
                    Halt::Before(at) => index = at,
                    Halt::Mark(at, mv, text) => {
                        let style = self.replay.reading.hands[self.line.before.turn() as usize];
                        let read = Ply {
                            mismatches: Mismatches::of_mark(text.mark),
                            ..Ply::plain(mv, text, style)
                        };
                        if let Some(event) = game.events().get(at) {
                            self.note(&read, &Token::of(game, event));
                        }
                        index = at + 1;
                        continue;
                    }
                }
            }
            let Some(event) = game.events().get(index) else {
                break;
            };
            match event.kind {
                Item::Move(_) => self.long_way(game, index, event, sink)?,
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
        // Variations should be balanced. If one is still open, the outermost line is the main line.
        let main = self.outer.first().unwrap_or(&self.line);
        self.replay.last.clone_from(&main.now);
        self.replay.tokens = main.plies as usize;
        Ok(())
    }

    /// Plays plain tokens that mean one legal move, starting at an event, until one needs more work.
    fn run<S: Sink>(&mut self, game: &Game<'_>, from: usize, sink: &mut S) -> Halt {
        let hands = self.replay.reading.hands;
        let Frame {
            now, before, plies, ..
        } = &mut self.line;
        let is_main = self.outer.is_empty();
        let run = Run {
            game,
            from,
            hands: hands.map(|hand| (hand, hand.number())),
            replay: &mut self.replay,
            cache: &mut self.cache,
            before,
            plies,
            draws: &mut self.draws,
            is_main,
            is_reported: S::STEPS,
        };
        if !S::STEPS {
            return run.go(now, |text, now, _| now.follow(&text.written));
        }
        run.go(now, |text, now, event| {
            let mv = now.find(&text.written).one()?;
            sink.before(now, mv, is_main);
            let played = now.play_unchecked(mv);
            sink.after(now, game.text(event), is_main);
            Some((mv, played))
        })
    }

    /// Handles a token that is not plain, or does not simply mean one legal move.
    fn long_way<S: Sink>(
        &mut self,
        game: &Game<'_>,
        index: usize,
        event: &Event,
        sink: &mut S,
    ) -> Result<(), Doubt> {
        let token = Token::of(game, event);
        let text = &*token.text;
        let is_recorded = !is_unrecorded(text);
        self.line.before.clone_from(&self.line.now);
        if self.passes(game, index, text) {
            self.pass(text, sink);
            return Ok(());
        }
        if self.line.state == State::Certain && !is_recorded && !self.fill_in(game, index) {
            self.not_recorded(&token);
        }
        if self.line.state == State::Certain {
            let is_open = self.is_open && self.outer.is_empty();
            if let Some(fault) = self.truncation(game, index, event, text) {
                self.break_off(index, &token, fault, true);
            } else if let Some(read) = self.by_grammar(event.word, &token)
                && (!is_open || read.text.notes.is_empty())
            {
                self.line.given.push(read);
                self.line.state = State::Given;
            } else if is_open {
                return Err(Doubt);
            } else {
                self.read_on(game, index);
            }
        }
        if self.line.state == State::Given {
            if let Some(read) = self.line.given.pop() {
                self.play(index, read, &token, sink);
                if self.line.given.is_empty() && self.line.fault.is_none() {
                    self.line.state = State::Certain;
                }
                return Ok(());
            }
            if let Some(fault) = self.line.fault.take() {
                self.break_off(index, &token, fault, false);
            }
        }
        // A token without a position is not read.
        if !self.outer.is_empty() {
            self.replay.side_moves.push(None);
        }
        // An unrecorded move that was not filled in does not count as a ply of the line.
        self.line.plies += u32::from(is_recorded);
        if S::STEPS {
            sink.unread(text);
        }
        Ok(())
    }

    /// Whether a token means that a player passes: in a variation, where passing is possible (ruling
    /// pass-in-variation). `--` may also replace a move that was not recorded. It is a pass only if moves follow, and
    /// all of them are then legal as written.
    fn passes(&self, game: &Game<'_>, index: usize, text: &[u8]) -> bool {
        if self.outer.is_empty()
            || self.line.state != State::Certain
            || !is_pass(text)
            || !self.line.now.can_pass()
        {
            return false;
        }
        if !is_unrecorded(text) {
            return true;
        }
        let mut passed = self.line.now.clone();
        passed.play_unchecked(Move::Pass);
        let mut frontier = Frontier::new(&passed, self.replay.reading);
        let mut is_followed = false;
        for event in rest_of_line(game, index) {
            let token = token_of(game, event);
            if is_pass(&token) {
                break;
            }
            if !matches!(frontier.step_as_written(&token), Ok(true)) {
                return false;
            }
            is_followed = true;
        }
        is_followed
    }

    /// Plays a pass in a variation.
    fn pass<S: Sink>(&mut self, text: &[u8], sink: &mut S) {
        let now = &mut self.line.now;
        if S::STEPS {
            sink.before(now, Move::Pass, false);
        }
        now.play_unchecked(Move::Pass);
        if S::STEPS {
            sink.after(now, text, false);
        }
        self.replay.side_moves.push(Some(Move::Pass));
        self.line.plies += 1;
    }

    /// Fills in an unrecorded move of the main line if only one legal move lets the rest be played. If no recorded move
    /// follows, nothing is filled in. Returns whether it succeeded.
    fn fill_in(&mut self, game: &Game<'_>, index: usize) -> bool {
        // In a variation, `--` may mean that a player passes.
        if self.options.strict || !self.outer.is_empty() {
            return false;
        }
        let rest = || game.main_events().filter(|(at, _)| *at >= index);
        let mut tokens = rest().map(|(_, event)| token_of(game, event));
        // Many records end with `--`.
        if tokens.all(|token| is_unrecorded(&token)) {
            return false;
        }
        let mut frontier = Frontier::new(&self.line.now, self.replay.reading);
        let (mut is_followed, mut tried) = (false, 0_usize);
        for (_, event) in rest() {
            let token = token_of(game, event);
            let is_recorded = !is_unrecorded(&token);
            let step = match is_recorded {
                true => frontier.step(&token),
                false => frontier.step_unrecorded(),
            };
            is_followed |= is_recorded;
            tried += frontier.width();
            if step.is_err() || tried > MOST_TRIED {
                return false;
            }
            if is_followed && frontier.is_settled() {
                break;
            }
        }
        let (mut plies, _) = frontier.finish();
        if plies.iter().any(|ply| ply.readings.len() > 1) {
            return false;
        }
        plies.reverse();
        self.line.given = plies;
        self.line.fault = None;
        self.line.state = State::Given;
        true
    }

    /// Handles an unrecorded move that cannot be filled in: the tokens after it have no position.
    fn not_recorded(&mut self, token: &Token<'_>) {
        self.line.state = State::Dead;
        self.line.given.clear();
        self.line.fault = None;
        if self.outer.is_empty() {
            let finding = wording::not_recorded(token, self.line.plies + 1);
            self.replay.note(finding);
        }
    }

    /// Reads a token that means one legal move, if no other reading is as likely.
    fn by_grammar(&mut self, id: TokenId, token: &Token<'_>) -> Option<Ply> {
        let reading = self.replay.reading;
        let style = reading.hands[self.line.now.turn() as usize];
        let hand = (style, style.number());
        let text = self.cache.parses.read(hand, id, || token.text.clone())?;
        let has_two_readings = !besides(&token.text, &text, style, reading.bound).is_empty();
        if !reading.takes(&text) || has_two_readings {
            return None;
        }
        let now = &self.line.now;
        let mv = now.find(&text.written).one().or_else(|| {
            match style.candidates(&text, now).as_slice() {
                [only] => Some(*only),
                _ => None,
            }
        })?;
        Some(Ply::plain(mv, text, style))
    }

    /// Plays a token that was read, and adds findings about what is unusual in it.
    fn play<S: Sink>(&mut self, index: usize, mut read: Ply, token: &Token<'_>, sink: &mut S) {
        let is_main = self.outer.is_empty();
        let (mv, now) = (read.mv, &mut self.line.now);
        if S::STEPS {
            sink.before(now, mv, is_main);
        }
        let played = now.play_unchecked(mv);
        if S::STEPS {
            sink.after(now, &token.text, is_main);
        }
        let mismatches = marks_of(&read.text, mv, played.captures, now);
        read.mismatches = read.style.reported(mismatches);
        if is_main {
            self.replay.moves.push(mv);
            self.draws.add(&played, now);
        } else {
            self.replay.side_moves.push(Some(mv));
        }
        self.line.plies += 1;
        if let Some(guess) = self.note(&read, token) {
            if S::STEPS {
                sink.guessed(&guess);
            }
            self.replay.guesses.push((index, guess));
        }
    }

    /// Adds findings about what is unusual in the token that was just played. Returns the trace of a guess: of a token
    /// that was read as one of several moves, or of an unrecorded move that was filled in.
    fn note(&mut self, read: &Ply, token: &Token<'_>) -> Option<Trace> {
        let before = &self.line.before;
        let sheet = self.replay.reading.hands[before.turn() as usize];
        let guess = match is_unrecorded(&token.text) {
            true => Some(wording::filled_in(
                before,
                sheet.notation,
                &token.text,
                read.mv,
            )),
            false => (read.readings.len() > 1)
                .then(|| wording::guess(before, sheet.notation, &token.text, read)),
        };
        for mut finding in explain::of_ply(read, token, before, sheet, guess.as_ref()) {
            if self.outer.is_empty() {
                finding.ply = self.line.plies;
            } else {
                explain::in_variation(&mut finding);
            }
            self.replay.note(finding);
        }
        guess
    }

    /// Reads a token in doubt and the tokens after it in the same line, until one reading is left, or the line breaks
    /// or ends.
    fn read_on(&mut self, game: &Game<'_>, index: usize) {
        let mut frontier = Frontier::new(&self.line.now, self.replay.reading);
        // The number of open variations. Their tokens belong to other lines and are skipped.
        let mut depth = 0_usize;
        self.line.fault = None;
        for (next, event) in game.events().iter().enumerate().skip(index) {
            match event.kind {
                Item::VariationStart => depth += 1,
                Item::VariationEnd if depth == 0 => break,
                Item::VariationEnd => depth -= 1,
                Item::Move(_) if depth == 0 => {
                    let token = token_of(game, event);
                    let is_part = next != index && self.is_part(game, next, event, &token);
                    let is_pass = next != index && !self.outer.is_empty() && is_pass(&token);
                    if is_unrecorded(&token) || is_part || is_pass {
                        break;
                    }
                    if let Err(fault) = frontier.step(&token) {
                        self.line.fault = Some(fault);
                        break;
                    }
                    if frontier.is_settled() {
                        break;
                    }
                }
                _ => {}
            }
        }
        let (mut plies, _) = frontier.finish();
        plies.reverse();
        self.line.given = plies;
        self.line.state = State::Given;
    }

    /// Records why the current line cannot be followed any further.
    fn break_off(&mut self, index: usize, token: &Token<'_>, fault: Break, is_truncated: bool) {
        self.line.state = State::Dead;
        let before = self.line.now.clone();
        if self.outer.is_empty() {
            self.replay.broken = Some(Broken {
                event: index,
                ply: self.line.plies as usize,
                before,
                fault,
                is_truncated,
            });
            return;
        }
        let notation = self.replay.reading.hands[before.turn() as usize].notation;
        let why = wording::of_break(&before, &fault, token, notation);
        self.replay.note(explain::of_variation(why));
        if is_truncated {
            self.replay.note(wording::truncated(token, 0));
        }
    }

    /// Starts a variation, which replaces the last move of the current line.
    fn branch(&mut self) {
        let is_lost = self.line.state == State::Dead || self.line.plies == 0;
        let state = if is_lost { State::Dead } else { State::Certain };
        let inner = Frame::new(&self.line.before, state);
        let outer = std::mem::replace(&mut self.line, inner);
        self.outer.push(outer);
    }
}

/// The moves after an event in the same line.
fn rest_of_line<'g>(game: &'g Game<'_>, index: usize) -> impl Iterator<Item = &'g Event> {
    let mut depth = 0_usize;
    let rest = game.events().iter().skip(index + 1);
    let rest = rest.map_while(move |event| {
        match event.kind {
            Item::VariationStart => depth += 1,
            Item::VariationEnd => depth = depth.checked_sub(1)?,
            _ => {}
        }
        Some((depth, event))
    });
    let is_move = |event: &Event| matches!(event.kind, Item::Move(_));
    rest.filter(move |(depth, event)| *depth == 0 && is_move(event))
        .map(|(_, event)| event)
}
