//! Finds the one game that two or three records of it explain best.
//!
//! Both players write the game down, and each makes slips: a wrong or missing character, another level or piece, an
//! omitted move, two moves exchanged, a column shifted by a row. One of them may stop early. [`reconcile`] looks for the
//! legal game that explains all records at the lowest cost, where the cost of a slip is the negative logarithm of its
//! probability. Games that cost little more are readings, too: a move in which they differ is undecided, and all
//! its readings are reported.
//!
//! ```
//! use tridex_archive::{Limits, game, pgn};
//! use tridex_replay::{Options, reconcile::reconcile};
//!
//! let read = |text: &str| game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &Limits::default(), reader));
//! let white = read("[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N *\n");
//! let black = read("[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N *\n");
//! let found = reconcile(&[&white[0], &black[0]], &Options::default())?;
//! assert_eq!(found.moves().len(), 6);
//! assert!(found.is_decided());
//! # Ok::<(), tridex_replay::reconcile::NotReconciled>(())
//! ```

mod costs;
mod differences;
pub(crate) mod merge;
mod pairing;
mod search;
mod sheet;
mod written;

pub use differences::{Difference, DifferenceKind};
pub use pairing::{RecordTraits, pair};

use crate::finding::wording::first_half;
use crate::reading::PlayerStyles;
use crate::stored::{replay, replay_with};
use crate::style::joining::joined;
use crate::style::token::token_of;
use crate::{Options, Replay, RulesChoice, Style};
use costs::Cost;
use search::{Breadth, Edge, Has, Lattice, MOST_RECORDS, NoGame, search};
use sheet::{Agreement, Sheet};
use std::borrow::Cow;
use std::fmt;
use tridex_archive::{Game, GameResult, decode};
use tridex_notation::slips::Slip;
use tridex_notation::{Locale, Notation};
use tridex_rules::{Move, Position, RuleSystem, WrittenMove};

/// What a record has for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadAs {
    /// A token that means the move.
    Written,
    /// A token that means the move, but its marks of a capture, check or mate do not agree.
    OtherMarks,
    /// A token that means the move in another language or notation.
    Foreign,
    /// A token that is one slip away from the move.
    Slip(Slip),
    /// A token that has nothing to do with the move.
    Unreadable,
    /// A token for a move that was not recorded.
    NotRecorded,
    /// Nothing, although the record continues.
    Omitted,
    /// Nothing, because the record has ended.
    Ended,
}

impl ReadAs {
    /// Whether the record supports the move.
    #[must_use]
    pub const fn is_support(self) -> bool {
        matches!(
            self,
            Self::Written | Self::OtherMarks | Self::Foreign | Self::Slip(_)
        )
    }

    /// Whether the record has the move without any slip.
    #[must_use]
    pub const fn is_sound(self) -> bool {
        matches!(self, Self::Written)
    }
}

/// What one record has for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordReading {
    /// How it agrees with the move.
    pub read_as: ReadAs,
    /// Whether the token is in another place than that of the move.
    pub is_exchanged: bool,
    /// The token, as written; empty if there is none.
    pub token: String,
    /// The index of the token among those of the main line.
    pub index: Option<usize>,
    /// The offset of the token in the source of the record.
    pub at: Option<u64>,
}

/// A possible move of a ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlyReading {
    /// The move.
    pub mv: Move,
    /// The move in the style of the [game](Reconciled::game).
    pub text: String,
    /// How much more the cheapest game with this move costs than the cheapest game, in hundredths of the natural
    /// logarithm of the ratio of their probabilities.
    pub cost: u32,
}

/// A ply of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReconciledPly {
    /// The move.
    pub mv: Move,
    /// The move in the style of the [game](Reconciled::game).
    pub text: String,
    /// What each record has for it.
    pub records: Vec<RecordReading>,
    /// All moves that are likely enough, the likeliest first. More than one if the ply is undecided.
    pub readings: Vec<PlyReading>,
}

impl ReconciledPly {
    /// Whether only one move is likely.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.readings.len() == 1
    }
}

/// A token that is no move of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Superfluous {
    /// The index of its record.
    pub record: usize,
    /// The token, as written.
    pub token: String,
    /// The index of the token among those of the main line.
    pub index: usize,
    /// The offset of the token in the source of the record.
    pub at: u64,
}

/// Why records cannot be reconciled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotReconciled {
    /// There are fewer than two records, or more than three.
    Count(usize),
    /// The record with this index has no moves.
    NoMoves(usize),
    /// The record with this index has more moves than a game can have.
    TooLong(usize),
    /// The start position of the record with this index cannot be played.
    Start(usize),
    /// Two records start from different positions.
    OtherStart,
    /// Two records are of different rule systems.
    OtherRules(RuleSystem, RuleSystem),
    /// The rule system that the record with this index names is not known.
    NoRules(usize),
    /// No game explains the records: they are probably not records of one game. Of the shortest record, this many of
    /// that many moves are in the others too.
    OtherGame(usize, usize),
}

impl fmt::Display for NotReconciled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "two or three records can be reconciled, not {count}"),
            Self::NoMoves(record) => write!(f, "record {} has no moves", record + 1),
            Self::TooLong(record) => {
                write!(
                    f,
                    "record {} has more moves than a game can have",
                    record + 1
                )
            }
            Self::Start(record) => write!(
                f,
                "the start position of record {} cannot be played",
                record + 1
            ),
            Self::OtherStart => f.write_str("the records start from different positions"),
            Self::OtherRules(one, other) => write!(
                f,
                "the records are of different rule systems: {} and {}",
                one.name(),
                other.name()
            ),
            Self::NoRules(record) => {
                write!(
                    f,
                    "record {} names a rule system that is not known",
                    record + 1
                )
            }
            Self::OtherGame(agreed, of) => write!(
                f,
                "no legal game explains the records, which agree in {agreed} of {of} moves; they are probably records of \
                 different games"
            ),
        }
    }
}

impl std::error::Error for NotReconciled {}

/// The game that explains the records.
#[derive(Clone, Debug)]
pub struct Reconciled {
    start: Position,
    style: Style,
    moves: Vec<Move>,
    plies: Vec<ReconciledPly>,
    superfluous: Vec<Superfluous>,
    result: Option<GameResult>,
    differences: Vec<Difference>,
    game: Game<'static>,
}

impl Reconciled {
    /// The game as a record, in the style of the first record that has a notation for its board: the tags and annotations of
    /// all records, and a comment at each move in which they differ. A move that is undecided has a [trace](crate::Trace) with its readings.
    #[must_use]
    pub fn game(&self) -> &Game<'static> {
        &self.game
    }

    /// The game, replayed.
    #[must_use]
    pub fn replay(&self) -> Replay {
        replay(&self.game, &Options::default())
    }

    /// What the records differ in: tags and the result, then moves in order, then superfluous tokens.
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// The result that the records state; `None` if they state none, or different ones.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// The moves of the game.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The plies of the game, with what each record has for them.
    #[must_use]
    pub fn plies(&self) -> &[ReconciledPly] {
        &self.plies
    }

    /// The tokens that are no moves of the game.
    #[must_use]
    pub fn superfluous(&self) -> &[Superfluous] {
        &self.superfluous
    }

    /// The start position.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The style in which the moves are written.
    #[must_use]
    pub fn style(&self) -> Style {
        self.style
    }

    /// Whether every ply and the result are decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        !self
            .differences
            .iter()
            .any(|found| found.kind.is_undecided())
    }
}

/// How a record is read.
struct Prepared<'g> {
    game: Cow<'g, Game<'g>>,
    rules: RuleSystem,
    states_rules: bool,
    hands: PlayerStyles,
    /// The styles of the record, the likeliest first: more than one if its tokens mean moves in several languages.
    choices: Vec<PlayerStyles>,
    is_bound: bool,
    /// The position that the record sets up, if it does.
    start: Option<Position>,
    has_start: bool,
}

impl<'g> Prepared<'g> {
    fn new(game: &'g Game<'g>, options: &Options) -> Self {
        replay_with(game, options, |played| {
            let (game, reading) = (joined(game), &played.reading);
            Self {
                choices: choices(&game, reading.hands, reading.bound),
                game,
                rules: played.rules(),
                states_rules: played.states_rules(),
                hands: reading.hands,
                is_bound: reading.bound,
                start: (played.is_set_up() && played.has_start()).then(|| played.start().clone()),
                has_start: played.has_start(),
            }
        })
    }
}

/// The styles in which a record can be read: the inferred one, and those in other languages in which all its tokens
/// parse too, but mean other moves. If the players use different languages, or the language is declared, only the first.
fn choices(game: &Game<'_>, hands: PlayerStyles, is_bound: bool) -> Vec<PlayerStyles> {
    let mut all = vec![hands];
    let [style, other] = hands;
    if is_bound || style != other || style.program.is_some() || !style.notation.has_letters() {
        return all;
    }
    let tokens: Vec<_> = game
        .main_events()
        .map(|(_, event)| token_of(game, event))
        .collect();
    let read = |style: Style| {
        let texts = tokens.iter().map(move |token| style.word(token));
        texts.map(|text| text.map(|text| text.written))
    };
    let mut meanings: Vec<Vec<Option<WrittenMove>>> = vec![read(style).collect()];
    for locale in Locale::ALL {
        let style = Style { locale, ..style };
        let mut theirs = Vec::with_capacity(tokens.len());
        let known = meanings.first().into_iter().flatten();
        let is_like = read(style).zip(known).all(|(text, known)| {
            theirs.push(text);
            text.is_some() || known.is_none()
        });
        if is_like && !meanings.contains(&theirs) {
            meanings.push(theirs);
            all.push([style; 2]);
        }
    }
    all
}

/// The first search. It suffices unless slips are close together.
const USUAL: Breadth = Breadth {
    nodes: 500,
    cutoff: 1_300,
    is_thorough: false,
};

/// The second search, if the first one found no game without unreadable tokens and moves that no record has.
const THOROUGH: Breadth = Breadth {
    nodes: 2_000,
    cutoff: 2_200,
    is_thorough: true,
};

/// Games that cost at most this much more than the cheapest one are readings.
const MARGIN: Cost = 800;

/// The same for a ply that only one record has.
const MARGIN_OF_ONE: Cost = 900;

/// Finds the game that explains two or three records of it at the lowest cost. The order of the records does not matter.
///
/// # Errors
/// If they cannot be records of one game.
pub fn reconcile(games: &[&Game<'_>], options: &Options) -> Result<Reconciled, NotReconciled> {
    let records: Vec<_> = games.iter().map(|game| (*game, *options)).collect();
    reconcile_as(&records)
}

/// Does the same as [`reconcile`] for records that are read in different ways, such as in different languages.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_notation::Locale;
/// use tridex_replay::{Options, reconcile::reconcile_as};
///
/// let read = |text: &str| game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &Limits::default(), reader));
/// let white = read("1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N *\n");
/// let black = read("1. b4N b5B 2. c3W a6N 3. Sc2W Sc6N *\n");
/// let german = Options::default().locale(Some(Locale::German));
/// let found = reconcile_as(&[(&white[0], Options::default()), (&black[0], german)])?;
/// assert!(found.differences().is_empty());
/// # Ok::<(), tridex_replay::reconcile::NotReconciled>(())
/// ```
///
/// # Errors
/// If they cannot be records of one game.
pub fn reconcile_as(games: &[(&Game<'_>, Options)]) -> Result<Reconciled, NotReconciled> {
    reconcile_in(games, &|_| None)
}

/// Does the same as [`reconcile_as`] for a game that is written in another style afterwards: the differences name moves
/// in the style that `output` returns for the rule system of the game. Without one, they name them in that of the game.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_notation::{Locale, Notation};
/// use tridex_replay::{Options, Style, reconcile::reconcile_in};
///
/// let read = |text: &str| game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &Limits::default(), reader));
/// let white = read("1. b4N b5B 2. c3W a66N 3. Sc2W Sc6N *\n");
/// let black = read("1. b4N b5B 2. c3W a6N 3. Sc22W Sc6N *\n");
/// let german = Options::default().locale(Some(Locale::German));
/// let english = |rules| Some(Style::of(Notation::of(rules), Locale::English));
/// let found = reconcile_in(&[(&white[0], german), (&black[0], german)], &english)?;
/// assert!(found.differences()[1].message.contains("; Nc2W needs"));
/// # Ok::<(), tridex_replay::reconcile::NotReconciled>(())
/// ```
///
/// # Errors
/// If they cannot be records of one game.
pub fn reconcile_in(
    games: &[(&Game<'_>, Options)],
    output: &dyn Fn(RuleSystem) -> Option<Style>,
) -> Result<Reconciled, NotReconciled> {
    if !(2..=MOST_RECORDS).contains(&games.len()) {
        return Err(NotReconciled::Count(games.len()));
    }
    let mut records: Vec<Prepared<'_>> = games
        .iter()
        .map(|(game, options)| Prepared::new(game, options))
        .collect();
    for (index, record) in records.iter().enumerate() {
        match record.game.main_events().count() {
            0 => return Err(NotReconciled::NoMoves(index)),
            count if count > usize::from(u16::MAX / 2) => {
                return Err(NotReconciled::TooLong(index));
            }
            _ => {}
        }
    }
    let stated: Vec<RuleSystem> = records
        .iter()
        .filter(|record| record.states_rules)
        .map(|record| record.rules)
        .collect();
    if let Some([one, other]) = stated.windows(2).find(|pair| pair[0] != pair[1]) {
        return Err(NotReconciled::OtherRules(*one, *other));
    }
    let mut systems: Vec<RuleSystem> = match stated.first() {
        Some(rules) => vec![*rules],
        None => records.iter().map(|record| record.rules).collect(),
    };
    systems.sort_by_key(|rules| *rules as usize);
    systems.dedup();
    // Records that name no rule system are read under that of the others, or under each that one of them suggests.
    let mut best: Option<(Cost, Reconciled)> = None;
    let mut fault = None;
    for rules in systems {
        for (record, (game, options)) in records.iter_mut().zip(games) {
            if record.rules != rules {
                let options = Options {
                    rules: RulesChoice::Only(rules),
                    ..*options
                };
                *record = Prepared::new(game, &options);
            }
        }
        match under(&records, rules, output(rules)) {
            Ok(found) if best.as_ref().is_none_or(|(least, _)| found.0 < *least) => {
                best = Some(found);
            }
            Ok(_) => {}
            Err(why) => fault = Some(why),
        }
    }
    let found = best.map(|(_, found)| found);
    found.ok_or(fault.unwrap_or(NotReconciled::OtherGame(0, 0)))
}

/// The start position of the records.
fn start_of(records: &[Prepared<'_>], rules: RuleSystem) -> Result<Position, NotReconciled> {
    let mut starts = records.iter().filter(|record| record.has_start);
    let of = |record: &Prepared<'_>| match &record.start {
        Some(start) => start.clone(),
        None => Position::start(rules),
    };
    let first = starts.next().map(of).ok_or(NotReconciled::Start(0))?;
    match starts.all(|other| of(other).is_same(&first)) {
        true => Ok(first),
        false => Err(NotReconciled::OtherStart),
    }
}

/// The game under a rule system, and its cost. The differences name moves in the style of the `output`.
fn under(
    records: &[Prepared<'_>],
    rules: RuleSystem,
    output: Option<Style>,
) -> Result<(Cost, Reconciled), NotReconciled> {
    let start = start_of(records, rules)?;
    // The search is the same for every order of the records.
    let mut order: Vec<usize> = (0..records.len()).collect();
    order.sort_by_cached_key(|record| {
        let game = &records[*record].game;
        let tokens = game.main_events();
        tokens
            .map(|(_, event)| token_of(game, event).into_owned())
            .collect::<Vec<_>>()
    });
    let mut places = vec![0; order.len()];
    for (place, record) in order.iter().enumerate() {
        places[*record] = place;
    }
    let ordered: Vec<&Prepared<'_>> = order.iter().map(|record| &records[*record]).collect();
    let chosen = languages(&start, &ordered);
    let mut sheets: Vec<Sheet> = ordered
        .iter()
        .zip(&chosen)
        .map(|(record, styles)| {
            let (first, also) = match styles.split_first() {
                Some((first, also)) => (*first, also),
                None => (record.hands, &[][..]),
            };
            Sheet::new(&record.game, first, also, record.is_bound)
        })
        .collect();
    let hands: Vec<PlayerStyles> = places
        .iter()
        .zip(records)
        .map(|(place, record)| chosen[*place].first().copied().unwrap_or(record.hands))
        .collect();
    let found = likeliest(&start, &mut sheets);
    let agreed = |edges: &[Edge]| {
        let agreed = edges.iter().filter(|edge| {
            let support = edge.has.iter().take(records.len());
            support.filter(|has| has.is_support()).count() > 1
        });
        agreed.count()
    };
    let shortest = sheets.iter().map(|sheet| sheet.tokens.len()).min();
    let shortest = shortest.unwrap_or_default();
    let Some((lattice, cheapest)) = found else {
        return Err(NotReconciled::OtherGame(0, shortest));
    };
    let agreed = agreed(&cheapest);
    if agreed * 2 < shortest {
        return Err(NotReconciled::OtherGame(agreed, shortest));
    }
    let own = Style::of(Notation::of(rules), Locale::English);
    // A record of a game on the other board is unreadable; it does not decide how this game is written.
    let mut styles = hands.iter().map(|[white, _]| *white);
    let style = styles
        .find(|style| style.notation.family() == rules.family())
        .unwrap_or(own);
    let plies = plies(&lattice, &cheapest, &start, style, &sheets, &places);
    let superfluous = superfluous(&cheapest, &sheets, &order);
    let own: Vec<written::Record<'_>> = records
        .iter()
        .zip(&hands)
        .map(|(record, [style, _])| written::Record {
            game: &record.game,
            style: *style,
        })
        .collect();
    let games: Vec<&Game<'_>> = own.iter().map(|record| record.game).collect();
    let (tags, results) = (merge::tags(&games), merge::results(&games));
    let mut stated = results.iter().flatten();
    let result = stated
        .next()
        .copied()
        .filter(|first| stated.all(|other| other == first));
    let half = first_half(&start);
    let output = output.filter(|output| output.notation.family() == rules.family());
    let shown = output
        .filter(|output| *output != style)
        .map(|output| self::plies(&lattice, &cheapest, &start, output, &sheets, &places));
    let shown = shown.as_ref().unwrap_or(&plies);
    let differences = differences::differences(&tags, &results, result, shown, &superfluous, half);
    let parts = written::Parts {
        records: &own,
        start: &start,
        is_set_up: records.iter().any(|record| record.start.is_some()),
        style,
        plies: &plies,
        superfluous: &superfluous,
        differences: &differences,
        tags: &tags,
        result,
    };
    let game = parts.game();
    let found = Reconciled {
        moves: plies.iter().map(|ply| ply.mv).collect(),
        start,
        style,
        plies,
        superfluous,
        result,
        differences,
        game,
    };
    Ok((lattice.least, found))
}

/// The most combinations of languages that are tried.
const MOST_LANGUAGES: usize = 36;

/// The styles in which each record is read, the best first. Of several combinations of languages, the one with the
/// cheapest game wins. A record keeps all styles that give games of the same cost.
fn languages(start: &Position, records: &[&Prepared<'_>]) -> Vec<Vec<PlayerStyles>> {
    let first: Vec<usize> = vec![0; records.len()];
    let mut combinations = vec![first];
    for (place, record) in records.iter().enumerate() {
        let others = 1..record.choices.len();
        let more: Vec<Vec<usize>> = others
            .flat_map(|choice| {
                combinations.iter().map(move |known| {
                    let mut next = known.clone();
                    next[place] = choice;
                    next
                })
            })
            .collect();
        combinations.extend(more);
    }
    combinations.truncate(MOST_LANGUAGES);
    let mut tried: Vec<(Cost, &Vec<usize>)> = Vec::new();
    if let [only] = combinations.as_slice() {
        tried.push((0, only));
    } else {
        tried.extend(combinations.iter().map(|choices| {
            let mut extra: Cost = 0;
            let mut sheets: Vec<Sheet> = Vec::with_capacity(records.len());
            for (record, choice) in records.iter().zip(choices) {
                // A single token in another language is likelier to be a slip in English.
                let is_english = record.hands[0].locale == Locale::English;
                extra += costs::FOREIGN_SHEET * Cost::from(is_english && *choice > 0);
                let hands = record.choices[*choice];
                sheets.push(Sheet::new(&record.game, hands, &[], record.is_bound));
            }
            let found = likeliest(start, &mut sheets);
            let cost = found.map_or(Cost::MAX, |(lattice, _)| lattice.least);
            (cost.saturating_add(extra), choices)
        }));
    }
    let least = tried.iter().map(|(cost, _)| *cost).min();
    let best = tried.iter().filter(|(cost, _)| Some(*cost) == least);
    let best: Vec<&Vec<usize>> = best.map(|(_, choices)| *choices).collect();
    let of = |(place, record): (usize, &&Prepared<'_>)| {
        let mut styles: Vec<PlayerStyles> = Vec::new();
        for choices in &best {
            let style = record.choices[choices[place]];
            if !styles.contains(&style) {
                styles.push(style);
            }
        }
        styles
    };
    records.iter().enumerate().map(of).collect()
}

/// All likely games, and the edges of the cheapest one.
fn likeliest(start: &Position, sheets: &mut [Sheet]) -> Option<(Lattice, Vec<Edge>)> {
    let margin = MARGIN.max(MARGIN_OF_ONE);
    let is_plain = |edges: &[Edge]| {
        edges.iter().all(|edge| {
            let is_unreadable = |has: &Has| matches!(has, Has::Unreadable(_));
            edge.has.iter().any(|has| has.is_support()) && !edge.has.iter().any(is_unreadable)
        })
    };
    let mut found: Option<(Lattice, Vec<Edge>)> = None;
    for breadth in [USUAL, THOROUGH] {
        match search(start, sheets, breadth, margin) {
            Ok(lattice) => {
                let edges = lattice.cheapest();
                let is_better = found
                    .as_ref()
                    .is_none_or(|(known, _)| lattice.least <= known.least);
                if is_better {
                    found = Some((lattice, edges));
                }
            }
            Err(NoGame::TooDifferent) => break,
            Err(NoGame::TooNarrow) => {}
        }
        if let Some((_, edges)) = &found
            && is_plain(edges)
        {
            break;
        }
    }
    found
}

/// The plies of the cheapest game. `places` has the place of each record among the sheets.
fn plies(
    lattice: &Lattice,
    cheapest: &[Edge],
    start: &Position,
    style: Style,
    sheets: &[Sheet],
    places: &[usize],
) -> Vec<ReconciledPly> {
    let within = lattice.edges_within(MARGIN.max(MARGIN_OF_ONE));
    let mut position = start.clone();
    let mut plies = Vec::with_capacity(cheapest.len());
    for ((edge, within), layer) in cheapest.iter().zip(&within).zip(&lattice.layers) {
        let continues = |has: &&Has| !matches!(has, Has::Ended);
        let active = edge.has[..sheets.len()].iter().filter(continues).count();
        let margin = if active > 1 { MARGIN } else { MARGIN_OF_ONE };
        let spelled = |position: &Position, mv: Move| {
            style
                .spelled(position, mv, true)
                .unwrap_or_else(|| "?".to_owned())
        };
        let text = spelled(&position, edge.mv);
        let mut readings = vec![PlyReading {
            mv: edge.mv,
            text: text.clone(),
            cost: 0,
        }];
        let position_of = |edge: &Edge| layer.nodes.get(edge.parent as usize).map(|n| n.position);
        for (other, cost) in within.iter().filter(|(_, cost)| *cost <= margin) {
            if readings.iter().any(|known| known.mv == other.mv) {
                continue;
            }
            // One record has `a6N`, the other `a6`: both mean the move, so no slip is assumed.
            let is_same_position = position_of(edge) == position_of(other);
            if is_same_position && edge.is_agreed() && other.slips_where(edge) {
                continue;
            }
            let before = layer.nodes.get(other.parent as usize);
            let before = before.and_then(|node| layer.positions.get(node.position as usize));
            // A move that is also legal in the chosen game is written so that it differs from the other moves there.
            let before = before.filter(|_| !position.is_legal(other.mv));
            let text = spelled(before.unwrap_or(&position), other.mv);
            // In a game that differs before, the same text may be another move. Then this ply is not in doubt.
            if readings.iter().any(|known| known.text == text) {
                continue;
            }
            readings.push(PlyReading {
                mv: other.mv,
                text,
                cost: *cost,
            });
        }
        let records = places
            .iter()
            .map(|place| reading(&sheets[*place], edge.has[*place]));
        plies.push(ReconciledPly {
            mv: edge.mv,
            text,
            records: records.collect(),
            readings,
        });
        position.play_unchecked(edge.mv);
    }
    plies
}

/// What a sheet has for a move.
fn reading(sheet: &Sheet, has: Has) -> RecordReading {
    let token = has.token().and_then(|token| sheet.tokens.get(token));
    let of = |agreement: Agreement| match agreement {
        Agreement::Exact => ReadAs::Written,
        Agreement::Marks => ReadAs::OtherMarks,
        Agreement::Foreign => ReadAs::Foreign,
        Agreement::Slip(slip) => ReadAs::Slip(slip),
    };
    RecordReading {
        read_as: match has {
            Has::Token(_, agreement) | Has::Exchanged(_, agreement) => of(agreement),
            Has::Unreadable(_) => ReadAs::Unreadable,
            Has::NotRecorded(_) => ReadAs::NotRecorded,
            Has::Omitted => ReadAs::Omitted,
            Has::Ended => ReadAs::Ended,
        },
        is_exchanged: matches!(has, Has::Exchanged(..)),
        token: token.map_or_else(String::new, |token| decode(&token.text).into_owned()),
        index: has.token(),
        at: token.map(|token| token.at),
    }
}

/// The tokens that no ply of the game uses. `order` has the record of each sheet.
fn superfluous(cheapest: &[Edge], sheets: &[Sheet], order: &[usize]) -> Vec<Superfluous> {
    let mut all = Vec::new();
    for (place, (sheet, record)) in sheets.iter().zip(order).enumerate() {
        let mut is_used = vec![false; sheet.tokens.len()];
        for edge in cheapest {
            if let Some(used) = edge.has[place]
                .token()
                .and_then(|token| is_used.get_mut(token))
            {
                *used = true;
            }
        }
        let unused = sheet.tokens.iter().zip(is_used).enumerate();
        let unused = unused.filter(|(_, (_, used))| !used);
        all.extend(unused.map(|(index, (token, _))| Superfluous {
            record: *record,
            token: decode(&token.text).into_owned(),
            index,
            at: token.at,
        }));
    }
    all.sort_by_key(|token| (token.record, token.at));
    all
}

#[cfg(test)]
mod tests;
