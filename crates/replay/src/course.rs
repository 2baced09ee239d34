//! The result of following a game.

use crate::diagnostic::{Diagnostic, Omitted, Severity, Status};
use crate::line::{Break, Hands, Reading, Writing};
use crate::under::Under;
use tridex_archive::{Damage, GameResult};
use tridex_notation::resolve::Mismatches;
use tridex_notation::{Locale, Notation, TokenNote, TokenNotes};
use tridex_rules::{Move, Outcome, Position, RuleSystem};

/// Something unusual about a ply that was read.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    /// Index of the move among the events.
    pub(crate) event: u32,
    /// Index of the ply in its line.
    pub(crate) ply: u32,
    /// Whether that is the main line.
    pub(crate) is_main: bool,
    /// The position before it.
    pub(crate) before: Position,
    /// The move it was read as.
    pub(crate) mv: Move,
    /// What its reader forgave.
    pub(crate) notes: TokenNotes,
    /// How it was read: differs from the game's writing where a token is in another dialect.
    pub(crate) writing: Writing,
    /// What is written and does not agree with the move.
    pub(crate) mismatches: Mismatches,
    /// All moves that let the rest be replayed, if the token was ambiguous; then at least one.
    pub(crate) readings: Vec<Move>,
    /// Whether the missing level leaves no doubt: only one square has that name.
    pub(crate) is_only_square: bool,
}

impl Remark {
    pub(crate) fn severity(&self, sheet: Writing) -> Severity {
        let warned = self.writing != sheet
            || self.notes.has(TokenNote::Ocr)
            || self.notes.has(TokenNote::MissingLevel) && !self.is_only_square
            || self.notes.has(TokenNote::PawnLetter)
            || !self.mismatches.is_empty()
            || !self.readings.is_empty();
        if warned {
            Severity::Warning
        } else {
            Severity::Info
        }
    }

    /// Whether there is a finding.
    pub(crate) fn says_something(&self, sheet: Writing) -> bool {
        self.writing != sheet
            || !self.notes.is_empty()
            || !self.mismatches.is_empty()
            || !self.readings.is_empty()
    }
}

/// Where a line breaks.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Index of the token among the events.
    pub(crate) event: u32,
    /// Index of the ply in its line.
    pub(crate) ply: u32,
    /// The position before it.
    pub(crate) before: Position,
    /// Why.
    pub(crate) fault: Break,
    /// The source ends with the token, which may have been longer.
    pub(crate) is_truncated: bool,
}

/// A draw that the record passes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// The game was drawn before its first move.
    OverBefore,
    /// It was over after this ply, and continues.
    Over(usize, Outcome),
    /// With this ply a position stood for the third time.
    Threefold(usize),
    /// With this ply fifty moves of each side had been played without progress.
    FiftyMoves(usize),
}

impl Claim {
    /// Index of the ply it is about.
    pub(crate) const fn ply(self) -> usize {
        match self {
            Self::OverBefore => 0,
            Self::Over(ply, _) | Self::Threefold(ply) | Self::FiftyMoves(ply) => ply,
        }
    }
}

/// The result of following a game.
#[derive(Debug)]
pub(crate) struct Course {
    pub(crate) reading: Reading,
    pub(crate) start: Position,
    pub(crate) is_set_up: bool,
    /// The moves of the main line, as far as they could be read.
    pub(crate) moves: Vec<Move>,
    /// For every token of a variation, in order, the move it was read as.
    pub(crate) side_moves: Vec<Option<Move>>,
    /// The position after the main line.
    pub(crate) last: Position,
    /// How many tokens the main line has.
    pub(crate) tokens: usize,
    pub(crate) remarks: Vec<Remark>,
    /// Where the main line breaks.
    pub(crate) broken: Option<Broken>,
    /// Where variations break.
    pub(crate) broken_variations: Vec<Broken>,
    /// Findings that were counted and not stored.
    pub(crate) omitted: Omitted,
    /// How far the game is legal under each system, if all were tried.
    pub(crate) under: Vec<Under>,
    /// Findings about the game before its moves, and after them.
    pub(crate) early: Vec<Diagnostic>,
    pub(crate) late: Vec<Diagnostic>,
    /// Draws that ended the game or could have been claimed.
    pub(crate) claims: Vec<Claim>,
    pub(crate) status: Status,
    pub(crate) result: GameResult,
    pub(crate) outcome: Option<Outcome>,
}

/// How a game is read of which nothing is known.
pub(crate) fn unsaid() -> Reading {
    Reading {
        hands: Hands::both(Writing::of(Notation::Meder, Locale::English)),
        strict: false,
        bound: false,
    }
}

impl Course {
    pub(crate) fn new() -> Self {
        let start = Position::start(RuleSystem::Meder);
        Self {
            reading: unsaid(),
            is_set_up: false,
            moves: Vec::with_capacity(256),
            side_moves: Vec::new(),
            last: start.clone(),
            start,
            tokens: 0,
            remarks: Vec::new(),
            broken: None,
            broken_variations: Vec::new(),
            omitted: Omitted::default(),
            under: Vec::new(),
            early: Vec::new(),
            late: Vec::new(),
            claims: Vec::new(),
            status: Status::Valid,
            result: GameResult::Unknown,
            outcome: None,
        }
    }

    /// Whether every token of the main line was read; also if there was no position to read them in.
    pub(crate) fn is_whole(&self) -> bool {
        self.broken.is_none()
    }

    pub(crate) fn worsen(&mut self, status: Status) {
        self.status = self.status.max(status);
    }

    /// Adds a finding about the record.
    pub(crate) fn report(&mut self, finding: Diagnostic) {
        self.worsen(Status::of(std::slice::from_ref(&finding)));
        self.late.push(finding);
    }

    /// Whether damage of the record is reported: a game that the rules have ended needs no result after its moves.
    pub(crate) fn counts(&self, damage: Damage) -> bool {
        damage != Damage::NoResult || self.outcome.is_none()
    }
}
