//! The games of a file, one after another.

use std::collections::VecDeque;
use std::fmt;
use std::iter::FusedIterator;
#[cfg(feature = "files")]
use std::path::Path;
use tridex_archive::encoding::Notice;
use tridex_archive::source::{Input, OpenOptions, Source, SourceError};
use tridex_archive::{Game, batch::Batch, write};
use tridex_notation::{Notation, WrongFamily};
use tridex_replay::finding::Finding;
use tridex_replay::{
    Converter, Options, OutputStyle, Replay, each, repair_game, replay_with, strays,
};
use tridex_tree::GameTree;

/// The games of a file, replayed: PGN, bare movetext, a CSV score sheet or NDJSON, plain or compressed, in any encoding.
/// `-` is standard input. The rule system of each game is that of its tags, or the likeliest under which it is legal.
///
/// ```
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/meder/sample-game/as-printed.txt");
/// for game in tridex_core::games(path)? {
///     let game = game?;
///     println!("game {}: {} plies", game.number, game.replay.moves().len());
///     for finding in game.replay.findings() {
///         println!("{}:{}: {}", finding.line, finding.column, finding.message);
///     }
/// #   assert_eq!((game.replay.moves().len(), game.replay.findings().len()), (33, 2));
/// }
/// # Ok::<(), tridex_core::archive::source::SourceError>(())
/// ```
///
/// # Errors
/// If the file cannot be opened, or its kind is not supported.
#[cfg(feature = "files")]
pub fn games(path: impl AsRef<Path>) -> Result<Games, SourceError> {
    Games::open(
        &Source::new(path.as_ref().as_os_str()),
        &OpenOptions::default(),
        Options::default(),
    )
}

/// A game of a file, replayed.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// The line it begins on.
    pub line: u64,
    /// The options it was replayed with.
    pub options: Options,
    /// Its tags, and everything in its movetext, as they are written.
    pub record: Game<'static>,
    /// Its moves, and every finding with its line and column.
    pub replay: Replay,
}

impl ReplayedGame {
    /// The value of a tag, if the game has it: `White`, `Date`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<String> {
        self.record.tag(name).map(Into::into)
    }

    /// The game as PGN in a notation of its board, with comments, NAGs, variations and clocks. If a token could not be
    /// read, the game is a comment from there on, and gets the tag `Unreadable`.
    ///
    /// ```
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/meder/sample-game/clean.pgn");
    /// use tridex_core::{Notation, games};
    ///
    /// let game = games(path)?.next().ok_or("no game")??;
    /// assert!(game.to_pgn(Notation::Manual)?.contains("1. c3,WB-c5,NB c8,BB-c6,BB"));
    /// assert!(game.to_pgn(Notation::Chess3).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn to_pgn(&self, notation: Notation) -> Result<String, WrongFamily> {
        let mut converter = Converter::to_games(OutputStyle::of(notation));
        let game = converter.convert(&self.record, &self.options)?;
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = write::pgn(&game, &mut text);
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The game as a tree of positions, which can be changed and written.
    ///
    /// ```
    /// use tridex_core::{Games, Notation, replay::Options};
    ///
    /// let text = "[White \"Kirk\"]\n\n1. b4N b5B 2. c3W (2. Nb3W {develops}) 2... a6N *";
    /// let game = Games::of_text(text, Options::default())?.next().ok_or("no game")??;
    /// let mut tree = game.tree();
    /// let first = tree.main_line().next().ok_or("no move")?;
    /// let quieter = tree.read(first, "1... b6B 2. c3W")?[0];
    /// tree.set_comment(quieter, "quieter");
    /// tree.promote(quieter);
    /// tree.set_tag("Annotator", "Spock");
    /// assert_eq!(tree.position(quieter).fen().split(' ').nth(1), Some("w"));
    /// assert_eq!(
    ///     tree.movetext(Notation::Meder)?,
    ///     "1. b4N b6B {quieter} (1... b5B 2. c3W (2. Nb3W {develops}) 2... a6N) 2. c3W"
    /// );
    /// println!("{}", tree.to_pgn(Notation::Manual)?);
    /// # use tridex_core::Play;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tree(&self) -> GameTree {
        replay_with(&self.record, &self.options, GameTree::of)
    }
}

/// The games of a file or a text. Only one batch of games is in memory at a time, regardless of the length of the file.
/// After an error, the iteration ends.
pub struct Games {
    batches: Option<Input>,
    options: Options,
    repairs: bool,
    ready: VecDeque<ReplayedGame>,
    strays: Vec<Finding>,
}

impl Games {
    /// Opens a source and replays its games, with other options than [`games`] uses.
    ///
    /// # Errors
    /// If the source cannot be opened, or its kind is not supported.
    #[cfg(feature = "files")]
    pub fn open(
        source: &Source,
        open: &OpenOptions,
        options: Options,
    ) -> Result<Self, SourceError> {
        Ok(Self::of_batches(source.open(open)?, options))
    }

    /// The games of a text in memory, whose name in errors is `-`.
    ///
    /// ```
    /// use tridex_core::{Games, RuleSystem, replay::Options};
    ///
    /// let mut games = Games::of_text("1. b4N b5B 2. c3W a6S", Options::default())?;
    /// let game = games.next().ok_or("no game")??;
    /// assert_eq!(game.replay.rules(), RuleSystem::Meder);
    /// assert_eq!(game.replay.findings()[0].message, "`a6S` is read as a6B in German letters");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the kind of the text is not supported.
    pub fn of_text(text: impl Into<Vec<u8>>, options: Options) -> Result<Self, SourceError> {
        let bytes = Box::new(std::io::Cursor::new(text.into()));
        Self::of_reader(bytes, &OpenOptions::default(), options)
    }

    /// The games of a reader, whose name in errors is `-`.
    ///
    /// ```
    /// use tridex_core::Games;
    /// use tridex_core::{archive::source::OpenOptions, replay::Options};
    ///
    /// let reader = Box::new(&b"1. b4N b5B *"[..]);
    /// let games = Games::of_reader(reader, &OpenOptions::default(), Options::default())?;
    /// assert_eq!(games.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, or its kind is not supported.
    pub fn of_reader(
        reader: Box<dyn std::io::Read + Send>,
        open: &OpenOptions,
        options: Options,
    ) -> Result<Self, SourceError> {
        let input = Source::Stdin.open_reader(reader, open)?;
        Ok(Self::of_batches(input, options))
    }

    const fn of_batches(batches: Input, options: Options) -> Self {
        Self {
            batches: Some(batches),
            options,
            repairs: false,
            ready: VecDeque::new(),
            strays: Vec::new(),
        }
    }

    /// Makes the sure correction in each game that has one: see [`repair_game`](tridex_replay::repair_game).
    ///
    /// ```
    /// use tridex_core::{Games, replay::{Options, finding::Status}};
    ///
    /// let text = "[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W c6B 4. Nc2W d6B *";
    /// let read = |repairs: bool| Games::of_text(text, Options::default()).map(|games| games.repairing(repairs));
    /// let broken = read(false)?.next().ok_or("no game")??;
    /// assert_eq!(broken.replay.status(), Status::Invalid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn repairing(mut self, repairs: bool) -> Self {
        self.repairs = repairs;
        self.options.mends_text = repairs;
        self
    }

    /// Damage between games that belongs to none of them, found since the last call.
    pub fn damage(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.strays)
    }

    /// Notices about the encoding of the text since the last call: a guess, invalid bytes, NUL bytes.
    pub fn notices(&mut self) -> Vec<Notice> {
        match &mut self.batches {
            Some(batches) => batches.notices(u64::MAX),
            None => Vec::new(),
        }
    }

    fn read(&mut self, batch: &Batch) {
        let mut line_index = batch.line_index();
        let (ready, options, repairs) = (&mut self.ready, self.options, self.repairs);
        let rest = each(batch, &options, |played| {
            // Lines must be looked up in order, and the game's own comes before those of its findings.
            let line = line_index.place(played.at()).line;
            let replay = played.to_replay();
            let is_sure = repairs && replay.findings().iter().any(|found| found.is_sure);
            let repaired = is_sure
                .then(|| repair_game(played.game(), replay.findings(), &options))
                .flatten();
            let (record, mut replay) =
                repaired.unwrap_or_else(|| (played.game().to_owned_game(), replay));
            replay.place(&mut line_index);
            ready.push_back(ReplayedGame {
                number: played.number(),
                line,
                options,
                record,
                replay,
            });
        });
        self.strays.extend(strays(&rest, batch));
    }
}

impl Iterator for Games {
    type Item = Result<ReplayedGame, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(Ok(game));
            }
            match self.batches.as_mut()?.next()? {
                Ok(batch) => self.read(&batch),
                Err(fault) => {
                    self.batches = None;
                    return Some(Err(fault));
                }
            }
        }
    }
}

impl FusedIterator for Games {}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games")
            .field("batches", &self.batches)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
