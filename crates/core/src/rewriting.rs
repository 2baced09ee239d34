//! Writes games again: in another notation, corrected, in any format.

use crate::edits::Edits;
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::line_index::LineIndex;
use tridex_archive::write::{self, JsonHead, TableStyle};
use tridex_archive::{Game, Ordinal};
use tridex_notation::{Fen, Notation, Program, WriteOptions, WrongFamily};
use tridex_page::PageGame;
use tridex_replay::finding::{Code, Finding, Severity, Status};
use tridex_replay::{
    Converter, Converts, NotInDialect, Options, OutputStyle, Played, Replay, read_converting,
    repair_game, replay_with, write_dialect,
};
use tridex_rules::{Position, RuleSystem};

/// What to do with games that cannot be read completely or cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Invalid {
    /// Write them up to their last good move, if possible, with the tag `Unreadable`.
    #[default]
    Keep,
    /// Omit them.
    Drop,
    /// Stop at the first of them.
    Stop,
}

/// The format of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameFormat {
    /// An archive in PGN.
    #[default]
    Pgn,
    /// JSON, a line for each game.
    Ndjson,
    /// Rows of a score sheet in CSV; its heading is written by
    /// [`sheet_heading`](tridex_archive::write::sheet_heading).
    Csv(TableStyle),
    /// Games for a [`PageWriter`](tridex_page::PageWriter), in [`WrittenGames::games`].
    Page,
    /// An archive for another program to read. Its games are not corrected.
    Dialect(Program),
}

/// How to write games again.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rewriting {
    /// The format.
    pub format: GameFormat,
    /// The notation; `None` for that of each game's rule system.
    pub to: Option<Notation>,
    /// Choices that the notation leaves open.
    pub write: WriteOptions,
    /// Whether pieces are written as figurines.
    pub figurines: bool,
    /// Whether guesses and corrections are marked by comments `[%tridex ...]`.
    pub traces: bool,
    /// Whether sure corrections are made.
    pub repair: bool,
    /// What to do with invalid games.
    pub invalid: Invalid,
    /// Whether a tag `Source` has the file and number of each game. A game that has this tag keeps it.
    pub source_tag: bool,
    /// Changes to tags and remarks.
    pub edits: Edits,
}

tridex_text::setters! {
    impl[] Rewriting {
        format: GameFormat,
        to: Option<Notation>,
        write: WriteOptions,
        figurines: bool,
        traces: bool,
        repair: bool,
        invalid: Invalid,
        source_tag: bool,
        edits: Edits,
    }
}

impl Default for Rewriting {
    fn default() -> Self {
        Self {
            format: GameFormat::default(),
            to: None,
            write: WriteOptions::default(),
            figurines: false,
            traces: true,
            repair: false,
            invalid: Invalid::default(),
            source_tag: false,
            edits: Edits::default(),
        }
    }
}

/// The games of a batch, written again.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct WrittenGames {
    /// The games as text.
    pub text: Vec<u8>,
    /// Where the text of each game ends in `text`, in the order in which the games are reported. A game that was not written
    /// ends where the one before it does.
    pub ends: Vec<usize>,
    /// The games of a page.
    pub games: Vec<PageGame>,
    /// Whether the run stopped at a game that is invalid or cannot be written: see [`Invalid::Stop`].
    pub is_stopped: bool,
    /// Damage that belongs to no game.
    pub damages: Damages,
}

/// A game that was read and, if possible, written.
#[derive(Debug)]
#[non_exhaustive]
pub struct RewrittenGame<'g> {
    /// The game, as it was read.
    pub played: &'g Played<'g>,
    /// Its findings with their places. For a corrected game, these are the findings of [`RewrittenGame::corrected`].
    pub findings: &'g [Finding],
    /// The replay of the corrected game, if it was corrected.
    pub corrected: Option<&'g Replay>,
    /// What was written.
    pub outcome: HowWritten,
}

/// What was written of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HowWritten {
    /// The game.
    Written,
    /// The game without a number of comments, judgements and variations that the program does not support.
    Simplified(usize),
    /// Nothing: it is invalid.
    Dropped,
    /// Nothing: the notation is that of another board.
    WrongFamily(WrongFamily),
    /// Nothing: the other program does not support the game.
    NotInDialect(NotInDialect),
}

impl RewrittenGame<'_> {
    /// The status of the game, or of the corrected game if it was corrected.
    #[must_use]
    pub fn status(&self) -> Status {
        self.corrected
            .map_or(self.played.status(), |report| report.status())
    }

    /// How many plies of the main line were replayed.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.corrected
            .map_or(self.played.moves().len(), |report| report.moves().len())
    }

    /// Why the game cannot be written, or `None` if it can. The words follow the number of the game.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let rules = self.played.rules().name();
        match &self.outcome {
            HowWritten::Written | HowWritten::Simplified(_) | HowWritten::Dropped => None,
            HowWritten::WrongFamily(fault) => Some(format!(
                "is a {rules} game and cannot be written in this notation: {fault}"
            )),
            HowWritten::NotInDialect(fault) => Some(format!("not written: {fault}")),
        }
    }

    /// A finding that the game is missing from the results, or was copied elsewhere.
    pub fn rejected(
        &self,
        severity: Severity,
        why: String,
        line_index: &mut LineIndex<'_>,
    ) -> Finding {
        let mut finding = Finding::of_game(severity, Code::Rejected, self.played.at(), why);
        finding.place(line_index);
        finding
    }
}

impl Rewriting {
    /// Writes the games of a batch and reports each. `before` is the number of games before the batch, in this source
    /// and earlier ones. A score sheet needs it, because rows with the same number are one game.
    pub fn batch(
        &self,
        source: &str,
        batch: &Batch,
        before: &Ordinal,
        options: &Options,
        report: impl FnMut(&RewrittenGame<'_>, &mut LineIndex<'_>),
    ) -> WrittenGames {
        let options = &options.mends_text(options.mends_text || self.repair);
        let mut pass = Pass {
            rewriting: self,
            source,
            batch,
            before,
            options,
            converter: self.converter(match self.format {
                GameFormat::Pgn => Converter::new,
                _ => Converter::to_games,
            }),
            again: self.converter(Converter::to_games),
            line_index: batch.line_index(),
            written: WrittenGames::default(),
            report,
        };
        let damages = read_converting(batch, options, &mut pass);
        WrittenGames {
            damages,
            ..pass.written
        }
    }

    /// Writes a converted game. The arguments are its source, its number there and in a score sheet, its rules and its
    /// start.
    pub fn write_game(
        &self,
        game: &Game<'_>,
        (source, number, row): (&str, u64, u64),
        (rules, start): (RuleSystem, &Position),
        out: &mut Vec<u8>,
    ) {
        // Writing to memory does not fail.
        let _ = match self.format {
            GameFormat::Pgn | GameFormat::Page | GameFormat::Dialect(_) => write::pgn(game, out),
            GameFormat::Csv(style) => write::sheet(row, game, style, out),
            GameFormat::Ndjson => {
                let head = JsonHead {
                    source,
                    game: number,
                    rules: rules.name(),
                    notation: self.notation(rules).name(),
                    start: &Fen::of(start).to_string(),
                };
                write::ndjson(game, &head, out)
            }
        };
    }

    /// The notation for games of a rule system.
    fn notation(&self, rules: RuleSystem) -> Notation {
        self.to.unwrap_or(Notation::of(rules))
    }

    fn converter(&self, of: fn(OutputStyle) -> Converter) -> Converter {
        let converter = of(self.wording(RuleSystem::default()));
        match self.to {
            None => converter.in_own(),
            Some(_) => converter,
        }
    }

    /// How the moves of a game are written.
    fn wording(&self, rules: RuleSystem) -> OutputStyle {
        OutputStyle {
            notation: self.notation(rules),
            options: self.write,
            figurines: self.figurines,
            traces: self.traces,
        }
    }
}

/// Reads the games of a batch and writes them again.
struct Pass<'a, F> {
    rewriting: &'a Rewriting,
    source: &'a str,
    batch: &'a Batch,
    before: &'a Ordinal,
    options: &'a Options,
    /// `converter` is for games that are written while they are replayed, `again` for those that were corrected.
    converter: Converter,
    again: Converter,
    line_index: LineIndex<'a>,
    written: WrittenGames,
    report: F,
}

/// A corrected game, converted.
enum Corrected {
    Game(Box<Game<'static>>),
    Page(Box<PageGame>),
}

impl<F: FnMut(&RewrittenGame<'_>, &mut LineIndex<'_>)> Converts for Pass<'_, F> {
    fn edit(&mut self, game: &mut Game<'_>) {
        self.rewriting.edits.apply(game);
    }

    fn converter(&mut self) -> &mut Converter {
        &mut self.converter
    }

    fn game(&mut self, played: &Played<'_>) {
        if self.written.is_stopped {
            return;
        }
        let mut findings = match played.has_no_findings() {
            true => Vec::new(),
            false => played.findings(),
        };
        let (corrected, replay) = self.corrected(played, &findings).unzip();
        if let Some(replay) = &replay {
            findings = replay.findings().to_vec();
        }
        for finding in &mut findings {
            finding.place(&mut self.line_index);
        }
        let mut rewrote = RewrittenGame {
            played,
            findings: &findings,
            corrected: replay.as_ref(),
            outcome: HowWritten::Dropped,
        };
        let invalid = self.rewriting.invalid;
        if rewrote.status() == Status::Invalid && invalid != Invalid::Keep {
            self.written.is_stopped = invalid == Invalid::Stop;
        } else {
            let written = match (corrected, &replay) {
                (Some(corrected), Some(replay)) => self.put(played, corrected, replay),
                _ => self.finish(played),
            };
            rewrote.outcome = written.unwrap_or_else(HowWritten::WrongFamily);
            self.written.is_stopped = invalid == Invalid::Stop && rewrote.refusal().is_some();
        }
        (self.report)(&rewrote, &mut self.line_index);
        self.written.ends.push(self.written.text.len());
    }
}

impl<'a, F> Pass<'a, F> {
    /// Makes the sure correction of a game. Returns the game as it is to be written, and its replay.
    fn corrected(
        &mut self,
        played: &Played<'_>,
        found: &[Finding],
    ) -> Option<(Result<Corrected, WrongFamily>, Replay)> {
        if !self.rewriting.repair || !found.iter().any(|found| found.is_sure) {
            return None;
        }
        let (options, rewriting) = (self.options, self.rewriting);
        if let GameFormat::Dialect(_) = rewriting.format {
            return None;
        }
        let (game, replay) = repair_game(played.game(), found, options)?;
        let corrected = if let GameFormat::Page = rewriting.format {
            let wording = |played: &Played<'_>| rewriting.wording(played.rules());
            let shown = replay_with(&game, options, |played| {
                PageGame::new(played, wording(played))
            });
            shown.map(|shown| Corrected::Page(Box::new(shown)))
        } else {
            let converted = self.again.convert(&game, options);
            converted.map(|game| Corrected::Game(Box::new(game)))
        };
        Some((corrected, replay))
    }

    /// Writes a corrected game.
    fn put(
        &mut self,
        played: &Played<'_>,
        corrected: Result<Corrected, WrongFamily>,
        replay: &Replay,
    ) -> Result<HowWritten, WrongFamily> {
        match corrected? {
            Corrected::Page(shown) => self.show(played, *shown),
            Corrected::Game(mut game) => {
                if let Some(source) = self.source_tag(played) {
                    game.set_tag("Source", &source);
                }
                let place = self.place(played);
                let head = (replay.rules(), replay.start());
                self.rewriting
                    .write_game(&game, place, head, &mut self.written.text);
            }
        }
        Ok(HowWritten::Written)
    }

    /// Writes the game that was converted while it was replayed.
    fn finish(&mut self, played: &Played<'_>) -> Result<HowWritten, WrongFamily> {
        let text = &mut self.written.text;
        if let GameFormat::Dialect(program) = self.rewriting.format {
            return Ok(match write_dialect(program, played, text) {
                Ok(0) => HowWritten::Written,
                Ok(omitted) => HowWritten::Simplified(omitted),
                Err(fault) => HowWritten::NotInDialect(fault),
            });
        }
        if let Some(source) = self.source_tag(played) {
            self.converter.add_tag("Source", &source);
        }
        match self.rewriting.format {
            GameFormat::Page => {
                let wording = self.rewriting.wording(played.rules());
                self.show(played, PageGame::new(played, wording)?);
            }
            GameFormat::Pgn => self.converter.finish_pgn(played, &mut self.written.text)?,
            GameFormat::Ndjson | GameFormat::Csv(_) | GameFormat::Dialect(_) => {
                let place = self.place(played);
                let game = self.converter.finish_game(played)?;
                let head = (played.rules(), played.start());
                self.rewriting
                    .write_game(game, place, head, &mut self.written.text);
            }
        }
        Ok(HowWritten::Written)
    }

    /// Stores a game for the page.
    fn show(&mut self, played: &Played<'_>, mut game: PageGame) {
        if let Some(source) = self.source_tag(played) {
            game.set_tag("Source", &source);
        }
        self.written.games.push(game);
    }

    /// The value of the tag `Source`, if it is requested: the file and the number of the game.
    fn source_tag(&self, played: &Played<'_>) -> Option<String> {
        let place = || format!("{}:{}", self.source, played.number());
        // A tag that is already there is only written at the same position as a new one.
        let known = || {
            played
                .game()
                .tag("Source")
                .map(|source| source.into_owned())
        };
        self.rewriting
            .source_tag
            .then(|| known().unwrap_or_else(place))
    }

    /// The source of a game, its number there, and for score sheets its number over all sources.
    fn place(&self, played: &Played<'_>) -> (&'a str, u64, u64) {
        let row = match self.rewriting.format {
            GameFormat::Csv(_) => {
                self.before.get() + 1 + played.number() - self.batch.first_game.get()
            }
            _ => 0,
        };
        (self.source, played.number(), row)
    }
}
