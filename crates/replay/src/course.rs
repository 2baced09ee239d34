//! The result of following a game.

use crate::diagnostic::{Code, Diagnostic, Severity, Status};
use crate::line::{Break, Reading, Writing};
use crate::memo::ParseCache;
use crate::trace::Trace;
use crate::under::Under;
use tridex_archive::GameResult;
use tridex_archive::game::MOST_FINDINGS;
use tridex_notation::{Locale, Notation};
use tridex_rules::{Move, Outcome, Position, RuleSystem};

/// Where the main line breaks.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Index of the token among the events.
    pub(crate) event: usize,
    /// Index of the ply in its line.
    pub(crate) ply: usize,
    /// The position before it.
    pub(crate) before: Position,
    /// Why.
    pub(crate) fault: Break,
    /// The source ends with the token, which may have been longer.
    pub(crate) is_truncated: bool,
}

/// The result of following a game.
#[derive(Debug)]
pub(crate) struct Course {
    /// What is known of the words of its archive.
    pub(crate) cache: ParseCache,
    pub(crate) reading: Reading,
    pub(crate) start: Position,
    pub(crate) is_set_up: bool,
    /// Whether the record or an option names the rule system.
    pub(crate) states_rules: bool,
    /// The moves of the main line, as far as they could be read.
    pub(crate) moves: Vec<Move>,
    /// For every token of a variation, in order, the move it was read as.
    pub(crate) side_moves: Vec<Option<Move>>,
    /// The position after the main line.
    pub(crate) last: Position,
    /// How many tokens the main line has.
    pub(crate) tokens: usize,
    /// Findings about the game as a whole and its record.
    pub(crate) findings: Vec<Diagnostic>,
    /// Findings about the moves of its lines, but for the one that breaks the main line.
    pub(crate) lines: Vec<Diagnostic>,
    /// The tokens that were read as one of several moves: indices of their events.
    pub(crate) guesses: Vec<(usize, Trace)>,
    /// Where the main line breaks.
    pub(crate) broken: Option<Broken>,
    /// Findings that were counted and not stored.
    pub(crate) omitted: u64,
    /// How far the game is legal under each system, if all were tried.
    pub(crate) under: Vec<Under>,
    pub(crate) status: Status,
    pub(crate) result: GameResult,
    pub(crate) outcome: Option<Outcome>,
}

/// How a game is read of which nothing is known.
pub(crate) fn unsaid() -> Reading {
    Reading {
        hands: [Writing::of(Notation::Meder, Locale::English); 2],
        strict: false,
        bound: false,
    }
}

impl Course {
    pub(crate) fn new() -> Self {
        let start = Position::start(RuleSystem::Meder);
        Self {
            cache: ParseCache::default(),
            reading: unsaid(),
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
        }
    }

    /// Adds a finding about the game as a whole.
    pub(crate) fn report(&mut self, severity: Severity, code: Code, at: u64, message: String) {
        let finding = Diagnostic::of_game(severity, code, at, message);
        self.findings.push(finding);
    }

    /// Adds a finding about a move, or counts it.
    pub(crate) fn note(&mut self, finding: Diagnostic) {
        if self.lines.len() < MOST_FINDINGS {
            self.lines.push(finding);
        } else {
            self.omitted += 1;
        }
    }
}
