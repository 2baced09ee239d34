//! The events of a reader, and the visitor that receives them.

use crate::interner::TokenId;
use crate::item::Item;
use std::fmt;

tridex_text::enum_table! {
    /// The result that a record states.
    ///
    /// ```
    /// use tridex_archive::GameResult;
    ///
    /// assert_eq!(GameResult::from_name("remis"), Some(GameResult::Draw));
    /// assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum GameResult(
        /// The word in PGN.
        as_str: &'static str
    ) {
        /// `1-0`
        White("1-0"),
        /// `0-1`
        Black("0-1"),
        /// `1/2-1/2`
        Draw("1/2-1/2"),
        /// Both players lose (Meder 12.8, ruling arbiters-result). It is `0-0` in a tag and `0:0` after moves, where
        /// `0-0` is castling.
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

tridex_text::enum_table! {
    /// A fault of the container. The reader reports it once, with its place, and continues.
    ///
    /// ```
    /// use tridex_archive::{Damage, Limits, game, pgn};
    ///
    /// let games = game::collect(|v| pgn::read_games(b"1. b4N {unclosed", 0, &Limits::default(), v));
    /// let (damage, at, _) = games[0].damage[0];
    /// assert_eq!((damage, at), (Damage::UnclosedComment, 7));
    /// assert_eq!(damage.code(), "unclosed-comment");
    /// assert_eq!(damage.to_string(), "unclosed comment: expected `}`");
    /// assert!(damage.is_lossy());
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Damage(
        /// A name for programs, which never changes.
        code: &'static str,
        /// Whether a move of the main line may be lost. If not, the reader has every move despite the fault.
        is_lossy: bool,
        /// What is wrong and what was expected, for people.
        message: &'static str
    ) {
        /// `{` without its `}`. Reading continues with the next tag line.
        UnclosedComment("unclosed-comment", true, "unclosed comment: expected `}`"),
        /// `(` without its `)`. The variation ends where the game does.
        UnclosedVariation("unclosed-variation", true, "unclosed variation: expected `)`; what follows is read as part of it"),
        /// `)` without its `(`.
        StrayParenthesis("stray-parenthesis", false, "unmatched `)`"),
        /// `}` without its `{`.
        StrayBrace("stray-brace", false, "unmatched `}`"),
        /// `[` or `]` in movetext that is not part of a tag. The text between them becomes a comment.
        StrayBracket("stray-bracket", false, "stray bracket: not part of a tag; the text in it becomes a comment"),
        /// `"` in movetext. The text it quotes becomes a comment.
        StrayQuote("stray-quote", false, "stray quotation mark among the moves; the quoted text becomes a comment"),
        /// A variation before the first move, where it replaces no move. Skipped.
        VariationBeforeMove("variation-before-move", false, "variation before the first move; skipped"),
        /// Variations nested deeper than [`Limits::max_depth`]. The deeper ones are skipped.
        TooDeep("too-deep", false, "variations are nested too deeply; the deeper ones are skipped"),
        /// A mark, a draw offer or a word before the first move, or a heading without a game. If there is a game, it
        /// becomes a comment.
        StrayWord("stray-word", false, "unexpected text: not attached to a move"),
        /// A second result, which becomes a comment, or a result without a game.
        StrayResult("stray-result", false, "extra result: not attached to a game, or the game already has one"),
        /// `$` without a number from 0 to 255. It becomes a comment, except `$ 1`, which is read as `$1`.
        BadNag("bad-nag", false, "expected a number from 0 to 255 after `$`"),
        /// A comment longer than [`Limits::max_comment`]. The rest of it is skipped.
        LongComment("long-comment", false, "the comment exceeds the size limit; the rest of it is skipped"),
        /// A tag whose value has no closing quote. The value extends to the closing bracket or to the end of the line.
        TagUnclosed("tag-unclosed", false, "unclosed tag value: expected a quotation mark; the rest of the line is used"),
        /// A tag without its `]`. Its value is used.
        TagBracket("tag-bracket", false, "unclosed tag: expected `]`"),
        /// A tag whose value has quotes that are not escaped. Its value is used.
        TagQuotes("tag-quotes", false, "unescaped quotation mark in a tag value: expected `\\\"`"),
        /// A tag whose value contains a line break. Its value is used.
        TagLineBreak("tag-line-break", false, "tag value contains a line break"),
        /// A line that looks like a tag but is not a valid one. Its name and value are used, or it becomes a comment.
        TagMalformed("tag-malformed", false, "malformed tag: expected `[Name \"value\"]`; its text is used as a tag or a comment"),
        /// More than a thousand tags. The others are skipped.
        TooManyTags("too-many-tags", false, "too many tags in this game; the rest is skipped"),
        /// A game, or a line of NDJSON, longer than [`Limits::max_game`]. The rest of it is skipped.
        TooLong("too-long", true, "the game exceeds the size limit; the rest of it is skipped"),
        /// The input ended inside this game.
        CutOff("cut-off", true, "unexpected end of input inside this game"),
        /// A quoted cell of a score sheet without its closing quote. The row is skipped.
        SheetQuote("sheet-quote", true, "unclosed quoted cell: expected a quotation mark; the row is skipped"),
        /// A row of a score sheet with two moves of one player, a move of the wrong player, too many bytes, or a
        /// half-move whose number cannot be read.
        SheetRow("sheet-row", true, "unexpected row: a row of a score sheet has a number, White's move and Black's move"),
        /// A line that is not a JSON object with a game. It is skipped, except that moves before a fault in `moves` are
        /// read.
        BadJson("bad-json", true, "invalid line: the JSON object of a game is wrong, or ends, here"),
        /// An array of JSON without its `]` at the end of the document. Every record before it was read.
        UnclosedArray("unclosed-array", false, "unclosed array: expected `]` at the end of the document; games may be missing"),
        /// A result other than `1-0`, `0-1`, `1/2-1/2`, `*` and the other spellings that are read. The game is read
        /// without it.
        BadResult("bad-result", false, "unknown result: expected 1-0, 0-1, 1/2-1/2 or *, or 0-0, 1/2-0 or 0-1/2 by decision of an arbiter"),
        /// The moves of a game end with the number of the next move, without that move and without a result.
        EndsInNumber("ends-in-number", false, "the game ends with a move number and no move; the record may be truncated"),
        /// The moves of a game end without a result, though a tag states one.
        NoResult("no-result", false, "a tag states the result, but no result follows the moves; the record may be truncated"),
        /// A line of NDJSON has two lists of moves that differ. `movetext` is used.
        MovesDiffer("moves-differ", false, "`moves` and `movetext` contain different moves; `movetext` is used"),
    }
}

impl Damage {
    /// Whether the record may be truncated: the reader read it to its end, but something seems to be missing there.
    pub const fn is_truncation(self) -> bool {
        matches!(self, Self::EndsInNumber | Self::NoResult)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// Limits of a reader. Everything beyond them is reported as damage.
///
/// With the same limits a text gives the same events however it was split.
///
/// ```
/// use tridex_archive::{Damage, Limits, game, pgn};
///
/// let limits = Limits::new(1 << 20, 1 << 10, 1);
/// let games = game::collect(|v| pgn::read_games(b"1. b4N (1. c3W (1. b3W)) *", 0, &limits, v));
/// assert_eq!(games[0].damage[0].0, Damage::TooDeep);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum size of one game, and of one line of NDJSON, in bytes. No more is buffered.
    pub max_game: usize,
    /// The maximum size of one comment, in bytes.
    pub max_comment: usize,
    /// The maximum depth of variations.
    pub max_depth: usize,
}

/// The maximum number of games in a batch, usually more than fit into [`BATCH_BYTES`](crate::split::BATCH_BYTES). If
/// games have only a few bytes, the reports on them take hundreds of times as much memory.
pub(crate) const BATCH_GAMES: u32 = 2_048;

impl Limits {
    /// Creates limits. Each one is raised to at least 1, and the two sizes are reduced to at most 1 GiB.
    pub fn new(max_game: usize, max_comment: usize, max_depth: usize) -> Self {
        Self {
            max_game: max_game.clamp(1, 1 << 30),
            max_comment: max_comment.clamp(1, 1 << 30),
            max_depth: max_depth.max(1),
        }
    }
}

impl Default for Limits {
    /// 1 MiB, 256 KiB and 1,000 levels. This is several times as much as the longest games with the longest comments
    /// need, and little enough that every thread can have a game of that length in memory.
    fn default() -> Self {
        Self::new(1 << 20, 256 << 10, 1_000)
    }
}

tridex_text::enum_table! {
    /// Text in a form that people write and PGN does not have. It is read, and the event with its meaning follows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Unusual(
        /// What the text was read as, for people.
        message: &'static str
    ) {
        /// A line before the moves, read as tags or a comment.
        Heading("a heading of the game"),
        /// Words among the moves, after them, or instead of a move, read as a comment.
        Prose("a comment on the game"),
        /// Round brackets without moves, read as a comment.
        Remark("a comment"),
        /// A time after a move, read as its clock time.
        Time("the clock time of the move before it"),
        /// Check or mate in words, read as the mark.
        Mark("a check or mate mark"),
        /// A draw offer in words or as a sign.
        Offer("a draw offer"),
        /// A result in signs, in parentheses, with blanks, or with letters instead of digits.
        Result("the result of the game"),
        /// A sign between moves that is read as a blank: a semicolon, which begins a comment in PGN, or the border of a
        /// column, a bullet, a dash or `W:`.
        Separator("a move separator"),
        /// A move number with a letter instead of a one: `l.`, `1l.`.
        Number("a move number"),
        /// A move with letters of another alphabet that look like Latin ones, or with invisible characters.
        Lookalike("a move in plain letters"),
        /// Castling in words: `castles short`, `lange Rochade`.
        Castling("castling"),
        /// A move that is crossed out, read as a comment.
        Deleted("a move that was crossed out"),
        /// Columns of moves side by side, read one after the other by their numbers.
        Columns("the first row of columns side by side"),
        /// A row of White's moves above a row of Black's, read in turns.
        Rows("a row of White's moves above Black's"),
    }
}

impl fmt::Display for Unusual {
    /// What the text was read as.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// The end of a game as stated by words among its moves: `remis`, `draw agreed`, `Black resigns`, `resigns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result that the words state. If they do not name the player, it depends on whose move it is. `None` if that
    /// is unknown.
    pub result: Option<GameResult>,
    /// Whether the words state that a player resigns without naming the player.
    pub is_unnamed: bool,
    /// Whether they state that a player resigns, and not that a player wins, loses, or exceeds the time.
    pub is_resignation: bool,
}

/// Receives the events of a text, in the order of the text.
///
/// A game consists of `begin_game`, its tags, its movetext, at most one `result`, and `end_game`. If the players are named
/// after the moves, these tags come there. Comments and escape
/// lines may come before `begin_game` and among the tags: they belong to the following game. After the result there are
/// no more moves of the main line, but there may be comments, marks and whole variations: some editors write the
/// variations of the last move there. Damage may come anywhere. Variations are balanced within a game, even if the text
/// is not.
///
/// All text is raw: bytes of UTF-8 or Latin-1; [`decode`](crate::decode) decodes them. Offsets (`at`) are bytes from
/// the start of the decompressed source, as UTF-8 if it was in another encoding. In a score sheet and in NDJSON the
/// offset of a token is that of its cell or string, plus its offset inside.
///
/// Every method has an empty default body, which costs nothing.
///
/// ```
/// use tridex_archive::{GameResult, Limits, Visitor, pgn};
///
/// #[derive(Default)]
/// struct Wins(u32);
///
/// impl Visitor for Wins {
///     fn result(&mut self, result: GameResult, _at: u64) {
///         self.0 += u32::from(result == GameResult::White);
///     }
/// }
///
/// let mut wins = Wins::default();
/// pgn::read_games(b"1. b4N b5B 1-0\n\n1. c3W 0-1\n", 0, &Limits::default(), &mut wins);
/// assert_eq!(wins.0, 1);
/// ```
#[allow(unused_variables)]
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self, at: u64) {}

    /// A tag, or a heading of a sheet that states one (`White: Anna`). The value is the raw text between the quotes,
    /// with its escapes: see [`unescape`](crate::unescape).
    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {}

    /// A move number with its punctuation: `12`, `12.`, `12...`, `12)`, `12.)`, `12:`, `12/`. `half_moves` is the
    /// number in half moves: 24 for `12.` and 25 for `12...`.
    fn move_number(&mut self, text: &[u8], at: u64, half_moves: u32) {}

    /// A move, or a word in the place of one, with the marks that touch it: `Nc2W!?`. It may contain blanks if a
    /// notation allows them: `b4, WB-b5, NB`, `axb6N e.p.`, `Nb3W - c5N`. Commas and full stops after it are omitted.
    /// `--` is a move that was not recorded. A visitor can use the number of a known word as the key of a parse cache.
    fn move_token(&mut self, token: &[u8], at: u64, id: TokenId) {}

    /// An item between the moves. `at` is the offset of its brace, bracket, semicolon or first byte.
    ///
    /// Comments without braces are reported too: text in parentheses without moves, prose on its own line or after the
    /// last move, and times after a move, as `[%clk 0:05]`. A separate mark (`!?`, `+-`, `=`) is a [`Item::Nag`]; a
    /// [`Item::Word`] is `etc.`, a result within a variation, or a mark of check or mate, or `e.p.`, separated from its
    /// move. `ch` and `mate` are reported as `+` and `#`.
    fn item(&mut self, item: Item<&[u8]>, at: u64) {}

    /// The result of the game, after its movetext.
    fn result(&mut self, result: GameResult, at: u64) {}

    /// Something is wrong with the `len` bytes at `at`.
    fn damage(&mut self, damage: Damage, at: u64, len: usize) {}

    /// Text in an unusual form was read as another event. It is reported before that event, except for headings, which
    /// are all reported after the game has begun.
    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {}

    /// Words state how the game ended; they follow as a comment. If nothing else states the result, it is that of the
    /// words, and [`Visitor::result`] has the same offset. It is called even if the moves are skipped.
    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {}

    /// The game is over, and reading continues at `at`: the bytes from there on are not part of it. If the bytes from
    /// the end of the previous game to `at` are read alone, they give the same events again. If the rest of a game is
    /// skipped, `at` is after that rest, as far as the batch contains it.
    fn end_game(&mut self, at: u64) {}
}
