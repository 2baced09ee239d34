//! What a reader tells its visitor.

use crate::interner::TokenId;
use std::fmt;

/// An enum written as a table: a row for each variant, whose columns are methods. `ALL` has the variants in order.
#[doc(hidden)]
#[macro_export]
macro_rules! enum_table {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident($($(#[$about:meta])* $column:ident: $type:ty),*) {
            $($(#[$doc:meta])* $variant:ident $row:tt,)*
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$doc])* $variant,)*
        }

        const _: () = {
            struct Row {
                $($column: $type,)*
            }

            const fn row($($column: $type),*) -> Row {
                Row { $($column),* }
            }

            impl $name {
                /// All of them, in order of declaration.
                $vis const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

                const fn row(self) -> Row {
                    match self {
                        $(Self::$variant => row $row,)*
                    }
                }

                $($(#[$about])*
                #[must_use]
                $vis const fn $column(self) -> $type {
                    self.row().$column
                })*
            }
        };
    };
}

/// What a [`Visitor`] wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The events that follow.
    Go,
    /// Nothing more of what has just begun: after [`Visitor::begin_moves`] and
    /// [`Visitor::move_token`] the rest of the game's movetext, after [`Visitor::begin_variation`]
    /// that variation (its [`Visitor::end_variation`] is left out too).
    ///
    /// Damage is reported all the same, and so is the game's result. A game ends at the same
    /// byte whether it was skipped or not.
    Skip,
}

enum_table! {
    /// The result a record states.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum GameResult(
        /// The word PGN uses.
        as_str: &'static str
    ) {
        /// `1-0`
        White("1-0"),
        /// `0-1`
        Black("0-1"),
        /// `1/2-1/2`
        Draw("1/2-1/2"),
        /// Both have lost (Meder 12.8): `0-0` in a tag, `0:0` after moves, where a dash would be castling.
        BothLost("0:0"),
        /// `1/2-0`, which an arbiter may give (Meder 12.2 and 12.7).
        WhiteHalf("1/2-0"),
        /// `0-1/2`, which an arbiter may give.
        BlackHalf("0-1/2"),
        /// `*`: unfinished, or not known.
        Unknown("*"),
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

enum_table! {
    /// Something wrong with the container. The reader says it once, where it is, and goes on.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Damage(
        /// A name for machines, which does not change.
        code: &'static str,
        /// Whether something that was written is lost to the reader; if not, it was understood all
        /// the same.
        loses: bool,
        /// What is wrong, in words.
        message: &'static str
    ) {
        /// `{` without its `}`. Reading goes on with the next tag line.
        UnclosedComment("unclosed-comment", true, "this comment is never closed: a `}` is missing"),
        /// `(` without its `)`. The variation ends where the game does.
        UnclosedVariation("unclosed-variation", false, "this variation is never closed: a `)` is missing"),
        /// `)` without its `(`.
        StrayParenthesis("stray-parenthesis", true, "this `)` closes nothing"),
        /// `}` without its `{`.
        StrayBrace("stray-brace", true, "this `}` closes nothing"),
        /// `[` or `]` in movetext that is no part of a tag. Left out, with what stands between them.
        StrayBracket("stray-bracket", true, "a bracket that is no part of a tag"),
        /// `"` in movetext. Left out, with the text it quotes.
        StrayQuote("stray-quote", true, "a quotation mark among the moves"),
        /// A variation before the first move, where it replaces nothing. Left out.
        VariationBeforeMove("variation-before-move", true, "a variation before the first move has no move to replace"),
        /// Variations nested deeper than [`Limits::max_depth`]. The deeper ones are left out.
        TooDeep("too-deep", true, "variations are nested too deeply here; the deeper ones are left out"),
        /// A mark, a draw offer or a word before the first move, or a word that is none. Left out.
        StrayWord("stray-word", true, "this belongs to no move"),
        /// A second result, or one that belongs to no game. Left out.
        StrayResult("stray-result", true, "this result belongs to no game"),
        /// `$` without a number from 0 to 255. Left out.
        BadNag("bad-nag", true, "after `$` a number from 0 to 255 is expected"),
        /// A tag whose value has no closing quote. Left out.
        TagUnclosed("tag-unclosed", true, "the value of this tag has no closing quotation mark"),
        /// A tag without its `]`. Its value is used.
        TagBracket("tag-bracket", false, "this tag is never closed: a `]` is missing"),
        /// A tag whose value has quotes that are not escaped. Its value is used.
        TagQuotes("tag-quotes", false, "quotation marks inside a tag's value are written `\\\"`"),
        /// A tag whose value goes on over the end of its line. Its value is used.
        TagLineBreak("tag-line-break", false, "the value of this tag goes on over the end of its line"),
        /// A line that was meant to be a tag and is none. Left out.
        TagMalformed("tag-malformed", true, "this line looks like a tag, but is none: `[Name \"value\"]`"),
        /// More tags than [`Limits::max_tags`]. The rest of them is left out.
        TooManyTags("too-many-tags", true, "this game has too many tags; those from here on are left out"),
        /// A game, or a line of NDJSON, longer than [`Limits::max_game`]. The rest of it is left out.
        TooLong("too-long", true, "this game is too long to be one; the rest of it is left out"),
        /// The input broke off in this game.
        CutOff("cut-off", true, "the input broke off in this game"),
        /// A quoted cell of a scoresheet without its closing quote. The row is left out.
        SheetQuote("sheet-quote", true, "a quoted cell of this row is never closed"),
        /// A row of a scoresheet with two moves of one player, or other cells where none belong.
        SheetRow("sheet-row", true, "this row is not one of a scoresheet"),
        /// A line that is no JSON object of a game. Left out.
        BadJson("bad-json", true, "this line is not a JSON object that holds a game"),
        /// The moves of a line of NDJSON are no list. They are left out.
        MovesNoList("moves-no-list", true, "`moves` is a list of moves, each in quotes: [\"b4N\", \"b5B\"]; moves in one text are `movetext`"),
        /// A result that is none of `1-0`, `0-1`, `1/2-1/2`, `*` and what else is read for these. The moves stand without it.
        BadResult("bad-result", false, "a result is one of 1-0, 0-1, 1/2-1/2 and *, or one that an arbiter may give: 0-0, 1/2-0, 0-1/2"),
        /// The moves of a game end in the number of the next one, without that move and without a result.
        EndsInNumber("ends-in-number", false, "the game ends with a move number and no move; the record may be truncated"),
        /// The moves of a game end without a result, though a tag states one.
        NoResult("no-result", false, "a tag states the result, but no result follows the moves; the record may be truncated"),
        /// A line of NDJSON has two lists of moves that differ. `movetext` is used.
        MovesDiffer("moves-differ", false, "`moves` and `movetext` hold different moves; those of `movetext` are used"),
    }
}

impl Damage {
    /// Whether the record may have been truncated here: it is read as far as it goes, and something is missing at its end.
    #[must_use]
    pub const fn is_truncation(self) -> bool {
        matches!(self, Self::EndsInNumber | Self::NoResult)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// How much a reader accepts before it calls something damage.
///
/// Reading one text with the same limits gives the same events however it was split.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one game, and of one line of NDJSON. Nothing is buffered beyond it.
    pub max_game: usize,
    /// Bytes of one comment.
    pub max_comment: usize,
    /// Levels of variations.
    pub max_depth: usize,
    /// Tags of one game.
    pub max_tags: usize,
}

/// How many games a batch has at most, some more than fit into [`BATCH_BYTES`](crate::split::BATCH_BYTES) as a rule.
/// Where each is but a few bytes, what is said of them takes hundreds of times as much.
pub(crate) const BATCH_GAMES: u32 = 2_048;

impl Limits {
    /// Limits as given, and a thousand tags. Each is taken as at least 1, and bytes as at most 1 GiB.
    #[must_use]
    pub fn new(max_game: usize, max_comment: usize, max_depth: usize) -> Self {
        Self {
            max_game: max_game.clamp(1, 1 << 30),
            max_comment: max_comment.clamp(1, 1 << 30),
            max_depth: max_depth.max(1),
            max_tags: 1_000,
        }
    }
}

impl Default for Limits {
    /// 1 MiB, 256 KiB and 1,000 levels: some times as much as the longest games with the longest comments take, and
    /// so little that a game of that length fits into memory on every thread.
    fn default() -> Self {
        Self::new(1 << 20, 256 << 10, 1_000)
    }
}

/// Tells the tags of one game, as many as it may have.
pub(crate) struct TagTeller {
    told: usize,
    most: usize,
}

impl TagTeller {
    pub(crate) const fn new(limits: &Limits) -> Self {
        Self {
            told: 0,
            most: limits.max_tags,
        }
    }

    /// Begins another game.
    pub(crate) const fn begin(&mut self) {
        self.told = 0;
    }

    /// Tells a tag of so many bytes, or once that there are too many of them.
    #[inline]
    pub(crate) fn tell<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        (name, value): (&[u8], &[u8]),
        at: u64,
        len: usize,
    ) {
        if self.told < self.most {
            v.tag(name, value, at);
        } else if self.told == self.most {
            v.damage(Damage::TooManyTags, at, len);
        }
        self.told = self.told.saturating_add(1);
    }
}

enum_table! {
    /// Something that people write and PGN has no form for, read all the same. What it was read as is told as an event
    /// of its own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Unusual(
        /// What it was read as, in words.
        message: &'static str
    ) {
        /// A line before the moves, read as tags or a comment.
        Heading("a heading of the game"),
        /// Words among the moves or after them, or in the place of one, read as a comment.
        Prose("a remark about the game"),
        /// Round brackets without moves, read as a comment.
        Remark("a remark"),
        /// A time behind a move, read as its clock.
        Time("the clock at the move before it"),
        /// Check or mate in words, read as the mark.
        Mark("a mark of check or mate"),
        /// The offer of a draw in words or a bare sign.
        Offer("the offer of a draw"),
        /// A result in signs, in decimals, or with blanks.
        Result("the result of the game"),
        /// A semicolon between moves, where PGN has a comment: read as a blank.
        Separator("a separator of moves"),
        /// The number of a move with a letter for a one: `l.`, `1l.`.
        Number("the number of a move"),
    }
}

impl fmt::Display for Unusual {
    /// What it was read as.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// How a game ended, as words among its moves say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// `remis`, `draw agreed`.
    Drawn,
    /// `Black resigns`: the words name the player. The result is the win of the other one.
    Resigned(GameResult),
    /// `resigns`: the player is not named. Where the words show whose move was due, the result is the win of the other
    /// player.
    ResignedUnnamed(Option<GameResult>),
}

impl Ending {
    /// The result that the words state.
    #[must_use]
    pub const fn result(self) -> Option<GameResult> {
        match self {
            Self::Drawn => Some(GameResult::Draw),
            Self::Resigned(result) => Some(result),
            Self::ResignedUnnamed(result) => result,
        }
    }
}

/// Receives the events of a text, in the order in which they stand there.
///
/// A game is `begin_game`, its tags, `begin_moves`, its movetext, at most one `result`,
/// `end_game`; `begin_moves` comes for every game, also for one without moves. Comments and escape
/// lines may come before `begin_game`, and among the tags: they belong to the game that
/// follows. Behind the result no further move of the game comes, but comments, marks and whole variations
/// may: some editors write the variations of the last move there. Damage may come anywhere. Variations are balanced within a game, also where the text is
/// not, unless they were skipped.
///
/// All text is raw: bytes of UTF-8 or Latin-1, to be decoded with [`decode`](crate::decode) where
/// it is needed. Offsets (`at`) are bytes from the start of the unfolded source, as UTF-8 if it was in another encoding. In a scoresheet
/// and in NDJSON a token's offset is that of its cell or string, plus its place in there.
///
/// Every method has an empty body, and one that is not written costs nothing.
#[allow(unused_variables)]
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self, at: u64) {}

    /// A tag, or what the heading of a sheet says in other words (`White: Anna`). The value stands as between the quotes,
    /// escapes and all: see [`unescape`](crate::unescape).
    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {}

    /// The tags are over.
    fn begin_moves(&mut self, at: u64) -> Flow {
        Flow::Go
    }

    /// A move number with what stands behind it: `12`, `12.`, `12...`, `12)`, `12.)`, `12:`, `12/`.
    fn move_number(&mut self, text: &[u8], at: u64) {}

    /// A move, or what stands in the place of one, with the marks that touch it: `Nc2W!?`. It may
    /// hold blanks where a notation does: `b4, WB-b5, NB`, `axb6N e.p.`, `Nb3W - c5N`. Commas and full stops
    /// behind it are left out. `--` stands for a move that was not recorded.
    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        Flow::Go
    }

    /// [`move_number`](Self::move_number) of one that was met before, in half moves: `12.` is 24, `12...` is 25.
    #[inline]
    fn known_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        self.move_number(text, at);
    }

    /// [`move_token`](Self::move_token) of a word that has a number among those that are known. Whoever keeps what a token
    /// says finds it again by that.
    #[inline]
    fn known_move(&mut self, token: &[u8], at: u64, id: TokenId) -> Flow {
        self.move_token(token, at)
    }

    /// A comment, without its braces. `at` is the brace's. What people write without braces is a comment too: remarks in
    /// round brackets that hold no moves, prose in a line of its own and behind the last move, and times behind a move,
    /// as `[%clk 0:05]`.
    fn comment(&mut self, text: &[u8], at: u64) {}

    /// A comment to the end of the line, without its `;`.
    fn line_comment(&mut self, text: &[u8], at: u64) {}

    /// A line that starts with `%`, without it.
    fn escape_line(&mut self, text: &[u8], at: u64) {}

    /// `$n`, or a mark that stands alone (`!?`, `+-`, `=`), as its number.
    fn nag(&mut self, nag: u8, at: u64) {}

    /// A mark of check or mate, or `e.p.`, that stands apart from its move. `ch` and `mate` are told as `+` and `#`.
    fn suffix_mark(&mut self, text: &[u8], at: u64) {}

    /// `(=)`, `=`, `=?`, `draw?`
    fn draw_offer(&mut self, at: u64) {}

    /// `(`
    fn begin_variation(&mut self, at: u64) -> Flow {
        Flow::Go
    }

    /// `)`
    fn end_variation(&mut self, at: u64) {}

    /// A word that is no move: `etc.`, or a result within a variation.
    fn trailing_word(&mut self, text: &[u8], at: u64) {}

    /// The result at the end of the movetext.
    fn result(&mut self, result: GameResult, at: u64) {}

    /// Something is wrong with the `len` bytes at `at`.
    fn damage(&mut self, damage: Damage, at: u64, len: usize) {}

    /// Something was read as another event says, though it is not written so. It is told before that event, except for
    /// headings, of which all are told once the game has begun.
    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {}

    /// Words say how the game ended; the comment that they are read as follows. If nothing else states the result, they
    /// do, and [`Visitor::result`] has the same offset. It is called even where the moves are skipped.
    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {}

    /// The game is over, and `at` is where reading goes on: the bytes from there on have no part in
    /// it, and those up to there, from where the game before it ended, read alone say the same again.
    /// Where the rest of a game is left out, `at` is behind that rest, as far as the batch holds it.
    fn end_game(&mut self, at: u64) {}
}
