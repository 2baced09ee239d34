//! A game as it was replayed.

mod played;
mod row;
pub(crate) mod tags;
mod under;

pub use played::Played;
pub use row::GameRow;
pub use under::Under;

use crate::finding::trace::Trace;
use crate::finding::{Code, Finding, Severity, Status};
use crate::reading::{Break, Reading};
use crate::style::Style;
use tridex_archive::GameResult;
use tridex_archive::date::DateHint;
use tridex_archive::game::MOST_FINDINGS;
use tridex_archive::line_index::LineIndex;
use tridex_rules::{Move, Outcome, Position, RuleSystem};

/// Where the main line breaks.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Index of the token among the events of the game.
    pub(crate) event: usize,
    /// Index of the ply in its line.
    pub(crate) ply: usize,
    /// The position before it.
    pub(crate) before: Position,
    /// Why.
    pub(crate) fault: Break,
    /// Whether the source ends with the token, which may have been longer.
    pub(crate) is_truncated: bool,
}

/// A game as it was replayed: its moves, its style, how it ended, and its findings.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, finding::Status, replay};
/// use tridex_rules::RuleSystem;
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N b9B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let game = replay(&games[0], &Options::default());
/// assert_eq!((game.status(), game.rules()), (Status::Invalid, RuleSystem::Meder));
/// assert_eq!((game.moves().len(), game.is_whole()), (1, false));
/// assert_eq!(game.findings()[0].token, "b9B");
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    pub(crate) reading: Reading,
    pub(crate) start: Position,
    pub(crate) is_set_up: bool,
    pub(crate) states_rules: bool,
    pub(crate) moves: Vec<Move>,
    /// For every token of a variation, in order, the move it was read as.
    pub(crate) side_moves: Vec<Option<Move>>,
    pub(crate) last: Position,
    /// The number of tokens of the main line, not counting unrecorded moves that were not filled in.
    pub(crate) tokens: usize,
    /// Findings about the game as a whole and its record. In an owned replay, all findings.
    pub(crate) findings: Vec<Finding>,
    /// Findings about moves, except the one that breaks the main line.
    pub(crate) lines: Vec<Finding>,
    /// The traces of guesses and filled-in moves, with the indices of their events.
    pub(crate) guesses: Vec<(usize, Trace)>,
    /// Where the main line breaks.
    pub(crate) broken: Option<Broken>,
    /// Findings that were counted and not stored.
    pub(crate) omitted: u64,
    pub(crate) under: Vec<Under>,
    pub(crate) status: Status,
    pub(crate) result: GameResult,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) date_hint: Option<DateHint>,
}

impl Replay {
    pub(crate) fn new() -> Self {
        let start = Position::start(RuleSystem::Meder);
        Self {
            reading: Reading::unknown(),
            is_set_up: false,
            states_rules: false,
            moves: Vec::with_capacity(256),
            side_moves: Vec::new(),
            last: start.clone(),
            start,
            tokens: 0,
            findings: Vec::new(),
            lines: Vec::new(),
            guesses: Vec::new(),
            broken: None,
            omitted: 0,
            under: Vec::new(),
            status: Status::Valid,
            result: GameResult::Unknown,
            outcome: None,
            date_hint: None,
        }
    }

    /// Adds a finding about the game as a whole.
    pub(crate) fn report(&mut self, severity: Severity, code: Code, at: u64, message: String) {
        let finding = Finding::of_game(severity, code, at, message);
        self.findings.push(finding);
    }

    /// Adds a finding about a move, or counts it.
    pub(crate) fn note(&mut self, finding: Finding) {
        if self.lines.len() < MOST_FINDINGS {
            self.lines.push(finding);
        } else {
            self.omitted += 1;
        }
    }

    /// Returns how well the game could be replayed.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// The rule system it was replayed under.
    #[must_use]
    pub fn rules(&self) -> RuleSystem {
        self.start.rules()
    }

    /// Whether the record or an option names the rule system. If not, it is the likeliest one under which the game is
    /// legal.
    #[must_use]
    pub fn states_rules(&self) -> bool {
        self.states_rules
    }

    /// Returns the style of the game. If the players use the letters of different languages, returns White's style.
    #[must_use]
    pub fn style(&self) -> Style {
        let [white, _] = self.reading.hands;
        white
    }

    /// Returns the start position.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Whether the record sets up a position. The usual start of the named rule system does not count.
    #[must_use]
    pub fn is_set_up(&self) -> bool {
        self.is_set_up
    }

    /// Returns the moves of the main line, as far as they could be read.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position after the last of the [moves](Self::moves).
    #[must_use]
    pub fn last(&self) -> &Position {
        &self.last
    }

    /// Returns the result that the record states.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Returns how the rules have ended the game, if they have.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns how far the game is legal under each rule system; empty unless all were tried.
    #[must_use]
    pub fn under(&self) -> &[Under] {
        &self.under
    }

    /// Whether the start position of the record could be used, if it sets one up.
    pub(crate) fn has_start(&self) -> bool {
        let misplaced = |found: &Finding| found.code == Code::StartPosition;
        !self.findings.iter().any(misplaced)
    }

    /// Whether every move of the main line could be read. The game may still be invalid, because its result contradicts
    /// the final position or its record is damaged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.moves.len() == self.tokens && self.has_start()
    }

    /// Returns the number of plies that were played in the main line and in variations.
    #[must_use]
    pub fn plies(&self) -> usize {
        let side = self.side_moves.iter().flatten().count();
        self.moves.len() + side
    }

    /// What the date of the game shows about the order in which its author writes day and month.
    #[must_use]
    pub const fn date_hint(&self) -> Option<DateHint> {
        self.date_hint
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn has_no_findings(&self) -> bool {
        self.status == Status::Valid && self.findings.is_empty() && self.lines.is_empty()
    }

    /// Returns the findings in the order of their offsets. For a [`Played`] game, use [`Played::findings`].
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Fills in the lines and columns of the findings.
    pub fn place(&mut self, line_index: &mut LineIndex<'_>) {
        for found in &mut self.findings {
            found.place(line_index);
        }
    }
}
