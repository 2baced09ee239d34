//! The table of fields, defined once for every interface.
//!
//! The options of the command line, the parameters, the form and the API description of the site, and the query
//! language all come from [`FIELDS`]. To add a field, add a row with a function that converts its value to a
//! [`Clause`]. If the value becomes a part of the query on its own, the clause is [`Clause::Query`].

use crate::model::contents::{Content, nag_of};
use crate::model::ending::GameEnding;
use crate::query::clause::Clause;
use crate::query::date_range::DateRange;
use crate::query::expression::{PositionMatch, Query};
use crate::query::fields::{Field, FieldGroup, FieldKind};
use crate::query::material::Material;
use crate::query::pattern::Pattern;
use crate::query::query_language;
use crate::query::sequence::Sequence;
use crate::query::values::{
    by_result, date_query, dates, known_or, listed, name, named_tag, numbers, one_of, position,
    rating, rule_names, rules_of, switch, tag, text, words, words_of_tag,
};
use crate::text::text_field::TextField;
use tridex_archive::GameResult;
use tridex_rules::{Color, RuleSystem};

/// The fields that `mirrored` changes.
const SHAPES: &[&str] = &[
    "position", "moves", "game", "loose", "from-top", "pattern", "layout", "sequence",
];
/// The fields that `swapped` changes.
const COLORED: &[&str] = &[
    "position", "moves", "game", "loose", "from-top", "pattern", "layout", "sequence", "material",
];
/// The fields that name a position, of which a request may have one.
pub(crate) const ONE_POSITION: &[&str] = &["position", "moves", "game"];

/// The defaults of a field of words, which may be given several times.
const WORDS: Field = Field {
    name: "",
    aliases: &[],
    label: "",
    value: "WORDS",
    kind: FieldKind::Text,
    group: FieldGroup::More,
    is_many: true,
    goes_with: &[],
    help: "",
    detail: "",
    example: "",
    parse: |value, _| Ok(Clause::Words(query_language::parse(&value.text)?)),
};

/// The defaults of a field that may be given once.
const ONCE: Field = Field {
    is_many: false,
    ..WORDS
};

/// The defaults of a field about the board.
const BOARD: Field = Field {
    group: FieldGroup::Board,
    ..ONCE
};

/// The defaults of a field that is only set or not.
const SWITCH: Field = Field {
    value: "",
    kind: FieldKind::Switch,
    example: "yes",
    ..BOARD
};

/// All fields, in the order in which they are evaluated and shown.
pub const FIELDS: &[Field] = &[
    Field {
        name: "query",
        value: "QUERY",
        help: "A query, combined with the other fields",
        detail: "For example `player:spock after:2001 not result:1/2-1/2`.",
        example: "player:spock after:2001 not result:1/2-1/2",
        ..WORDS
    },
    Field {
        name: "player",
        value: "NAME",
        group: FieldGroup::Game,
        help: "A player of either colour; given twice, both players",
        detail: "`spo*` matches a beginning, `spok~` allows a wrong letter, `=Kirk, James` is the whole name. Case, \
                 accents and alphabet are ignored; `ue` matches ü, and an initial matches every first name that \
                 begins with it. `?` matches games in which a player is unknown, `*` those in which one is known.",
        example: "spock",
        parse: |value, _| Ok(Clause::Player(name(value)?)),
        ..WORDS
    },
    Field {
        name: "side",
        label: "Side of the player",
        value: "COLOR",
        kind: FieldKind::Choice(|| vec!["white", "black"]),
        goes_with: &["player"],
        help: "The colour of the player",
        example: "white",
        parse: |value, modifiers| {
            modifiers.side = match value.text.trim() {
                "white" => Some(Color::White),
                "black" => Some(Color::Black),
                _ => None,
            };
            let side = modifiers.side.map(|_| Clause::Change);
            one_of(value, side, "a colour: white or black")
        },
        ..ONCE
    },
    Field {
        name: "won",
        value: "NAME",
        help: "A player who won, of either colour",
        example: "kirk",
        parse: |value, _| by_result(value, GameResult::White, GameResult::Black),
        ..WORDS
    },
    Field {
        name: "lost",
        value: "NAME",
        help: "A player who lost, of either colour",
        example: "kirk",
        parse: |value, _| by_result(value, GameResult::Black, GameResult::White),
        ..WORDS
    },
    Field {
        name: "drew",
        value: "NAME",
        help: "A player who drew, of either colour",
        example: "kirk",
        parse: |value, _| by_result(value, GameResult::Draw, GameResult::Draw),
        ..WORDS
    },
    Field {
        name: "white",
        value: "NAME",
        help: "The player of the white pieces",
        example: "kirk",
        parse: |value, _| Ok(Clause::Query(name(value)?.in_text(TextField::White))),
        ..WORDS
    },
    Field {
        name: "black",
        value: "NAME",
        help: "The player of the black pieces",
        example: "spock",
        parse: |value, _| Ok(Clause::Query(name(value)?.in_text(TextField::Black))),
        ..WORDS
    },
    Field {
        name: "event",
        group: FieldGroup::Game,
        help: "Words of the event",
        detail: "All words must occur; in quotation marks, in this order.",
        example: "open",
        parse: |value, _| words(TextField::Event, value),
        ..WORDS
    },
    Field {
        name: "site",
        help: "Words of the site",
        example: "vulcan",
        parse: |value, _| words(TextField::Site, value),
        ..WORDS
    },
    Field {
        name: "round",
        help: "Words of the round",
        example: "3",
        parse: |value, _| words(TextField::Round, value),
        ..WORDS
    },
    Field {
        name: "date",
        value: "FROM..TO",
        group: FieldGroup::Game,
        help: "The date or a range of dates",
        detail: "`2001`, `2001.04..2003`, `2001..`, `..2003.06.30`, `>=2016`. A game dated only by year matches every \
                 month of that year. `?` matches games without a year, `*` games with one.",
        example: "2001..2003.06",
        parse: |value, _| date_query(value).map(Clause::Query),
        ..ONCE
    },
    Field {
        name: "after",
        value: "DATE",
        help: "Played after a date",
        example: "2001",
        // From the day after the last day that the date may mean.
        parse: |value, _| {
            let from = dates(value)?.to.map(|day| day + 1);
            Ok(Clause::Query(Query::Date(DateRange { from, to: None })))
        },
        ..ONCE
    },
    Field {
        name: "before",
        value: "DATE",
        help: "Played before a date",
        example: "2004.05",
        parse: |value, _| {
            let to = dates(value)?.from.map(|day| day - 1);
            Ok(Clause::Query(Query::Date(DateRange { from: None, to })))
        },
        ..ONCE
    },
    Field {
        name: "result",
        value: "RESULT",
        kind: FieldKind::Choice(|| GameResult::ALL.map(GameResult::as_str).to_vec()),
        group: FieldGroup::Game,
        help: "The result",
        detail: "1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2 or `*`, which is an unknown result, also written `?`; quote `*` \
                 and `?` in a shell.",
        example: "1/2-1/2",
        parse: |value, _| {
            let result = match value.text.trim() {
                "?" => Some(GameResult::Unknown),
                name => GameResult::from_name(name),
            };
            let result = result.map(|result| Clause::Query(Query::Result(result)));
            one_of(
                value,
                result,
                "a result; the results are 1-0, 0-1, 1/2-1/2, 0:0, 1/2-0, 0-1/2 and *",
            )
        },
        ..ONCE
    },
    Field {
        name: "rules",
        label: "Rule system",
        value: "SYSTEM",
        kind: FieldKind::Choices(rule_names),
        group: FieldGroup::Game,
        help: "The rule system; several with commas",
        detail: "Without it, positions and moves are searched for under every system that allows them.",
        example: "meder",
        parse: |value, modifiers| {
            let names = rule_names();
            let query = listed(value, "a rule system; the rule systems", &names, |name| {
                RuleSystem::from_name(name).map(Query::Rules)
            })?;
            modifiers.rules = rules_of(&query);
            Ok(Clause::Query(query))
        },
        ..ONCE
    },
    Field {
        name: "plies",
        label: "Length in plies",
        value: "N..M",
        help: "Number of plies, a range, or >100",
        example: "10..40",
        parse: |value, _| {
            let (from, to) = numbers(value, "a number of plies or a range such as 10..40")?;
            Ok(Clause::Query(Query::Plies(from, to)))
        },
        ..ONCE
    },
    Field {
        name: "elo",
        label: "Ratings",
        value: "N..M",
        help: "Rating of both players, a range, or >=2000",
        example: "2000..",
        parse: |value, _| rating(value, Query::Ratings),
        ..ONCE
    },
    Field {
        name: "white-elo",
        label: "White's rating",
        value: "N..M",
        help: "White's rating, a range, or >=2000",
        example: "2000..",
        parse: |value, _| rating(value, |from, to| Query::Rating(Color::White, from, to)),
        ..ONCE
    },
    Field {
        name: "black-elo",
        label: "Black's rating",
        value: "N..M",
        help: "Black's rating, a range, or >=2000",
        example: "2000..",
        parse: |value, _| rating(value, |from, to| Query::Rating(Color::Black, from, to)),
        ..ONCE
    },
    Field {
        name: "any-elo",
        label: "A player's rating",
        value: "N..M",
        help: "Rating of at least one player, or a range",
        example: ">=2400",
        parse: |value, _| {
            rating(value, |from, to| {
                Query::Or(
                    Color::ALL
                        .map(|color| Query::Rating(color, from, to))
                        .into(),
                )
            })
        },
        ..ONCE
    },
    Field {
        name: "elo-difference",
        label: "Difference of the ratings",
        value: "N..M",
        help: "Difference of both ratings, or a range",
        detail: "The greater rating less the other. Both must be known.",
        example: ">=200",
        parse: |value, _| rating(value, Query::RatingDifference),
        ..ONCE
    },
    Field {
        name: "ending",
        value: "ENDING",
        kind: FieldKind::Choices(|| GameEnding::ALL.map(GameEnding::name).to_vec()),
        help: "How the game ended",
        detail: "By the rules, or as the tag Termination or a comment after the last move states. `?` is unknown, `*` is \
                 known. Commas separate several.",
        example: "mate",
        parse: |value, _| {
            let names = GameEnding::ALL.map(GameEnding::name);
            known_or(value, Query::KnownEnding, |value| {
                listed(value, "an ending; the endings", &names, |name| {
                    GameEnding::from_name(name).map(Query::Ending)
                })
            })
        },
        ..ONCE
    },
    Field {
        name: "has",
        label: "The record has",
        value: "CONTENT",
        kind: FieldKind::Choices(|| Content::ALL.map(Content::name).to_vec()),
        help: "What the record has; given twice, both",
        detail: "If commas separate several, it must have one of them.",
        example: "variations",
        parse: |value, _| {
            let names = Content::ALL.map(Content::name);
            listed(value, "a content; the contents", &names, |name| {
                Content::from_name(name).map(Query::Has)
            })
            .map(Clause::Query)
        },
        ..WORDS
    },
    Field {
        name: "nag",
        label: "NAG or sign",
        value: "NAG",
        help: "A NAG in the record; given twice, both",
        detail: "A sign `!`, `?`, `!!`, `??`, `!?`, `?!`, or a number such as 14 or $14.",
        example: "!!",
        parse: |value, _| {
            let text = value.text.trim();
            let digits = text.strip_prefix('$').unwrap_or(text);
            let nag = nag_of(text).or_else(|| digits.parse().ok());
            let nag = nag.map(|nag| Clause::Query(Query::Nag(nag)));
            one_of(value, nag, "a sign such as !! or a NAG from 0 to 255")
        },
        ..WORDS
    },
    Field {
        name: "clock",
        label: "Least time on a clock",
        value: "N..M",
        help: "Least time on a clock in seconds, or a range",
        detail: "`<60`: a clock showed less than a minute during the main line.",
        example: "<60",
        parse: |value, _| {
            known_or(value, Query::Clock(None, None), |value| {
                let (from, to) = numbers(value, "a number of seconds or a range such as 10..60")?;
                Ok(Query::Clock(from, to))
            })
        },
        ..ONCE
    },
    Field {
        name: "drop",
        label: "Greatest drop of an evaluation",
        value: "N..M",
        help: "Most that a move lost, in hundredths of a pawn",
        detail: "By the evaluations `[%eval ...]` before and after the move. A mate counts as 100 pawns.",
        example: ">=300",
        parse: |value, _| {
            known_or(value, Query::Drop(None, None), |value| {
                let (from, to) = numbers(value, "a number or a range such as 100..300")?;
                Ok(Query::Drop(from, to))
            })
        },
        ..ONCE
    },
    Field {
        name: "text",
        label: "Comments",
        help: "Words of the comments",
        detail: "All words must occur; in quotation marks, in this order.",
        example: "sealed",
        parse: |value, _| words(TextField::Comments, value),
        ..WORDS
    },
    Field {
        name: "opening",
        help: "Words of the opening's name",
        example: "column",
        parse: |value, _| words(TextField::Opening, value),
        ..WORDS
    },
    Field {
        name: "tag",
        label: "Tag",
        value: "NAME=VALUE",
        help: "Words in the value of any tag; given twice, both",
        detail: "`Annotator=meder*`, `Termination=\"time forfeit\"` (a phrase), `ECO==C20` (the whole value), \
                 `Annotator=?` (unknown), `Annotator=*` (any value). The tags Date, Result, WhiteElo and BlackElo have \
                 the values of the fields date, result, white-elo and black-elo.",
        example: "Annotator=meder*",
        parse: |value, modifiers| {
            named_tag(value, |name, value| match Field::find(name) {
                Some(field) => field.read(value, modifiers),
                None => one_of(value, None, "another tag"),
            })
        },
        ..WORDS
    },
    Field {
        name: "eco",
        label: "ECO code",
        value: "CODE",
        help: "The opening's code in the tag ECO",
        example: "C2*",
        parse: |value, _| words_of_tag("ECO", value),
        ..WORDS
    },
    Field {
        name: "termination",
        help: "Words of the tag Termination",
        example: "time forfeit",
        parse: |value, _| words_of_tag("Termination", value),
        ..WORDS
    },
    Field {
        name: "annotator",
        value: "NAME",
        help: "The annotator",
        example: "meder",
        parse: |value, _| words_of_tag("Annotator", value),
        ..WORDS
    },
    Field {
        name: "time-control",
        label: "Time control",
        help: "Numbers of the tag TimeControl",
        detail: "`=300+2` is the whole value; `300` also finds 40/300.",
        example: "=300+2",
        parse: |value, _| words_of_tag("TimeControl", value),
        ..WORDS
    },
    Field {
        name: "team",
        value: "NAME",
        help: "The team of a player of either colour",
        example: "enterprise",
        parse: |value, _| {
            let wanted = text(value)?;
            let teams = ["WhiteTeam", "BlackTeam"].map(|name| tag(name, wanted.clone()));
            Ok(Clause::Query(Query::Or(teams.into())))
        },
        ..WORDS
    },
    Field {
        name: "source",
        value: "NAME",
        help: "Part of the file name",
        example: "games.pgn",
        parse: |value, _| Ok(Clause::Query(Query::Source(value.text.clone()))),
        ..ONCE
    },
    Field {
        name: "id",
        value: "ID",
        help: "The id of the game, 16 hexadecimal digits",
        example: "00c0ffee00c0ffee",
        parse: |value, _| {
            let digits = value.text.trim();
            let is_id = digits.chars().all(|c| c.is_ascii_hexdigit());
            let id = u64::from_str_radix(digits, 16).ok().filter(|_| is_id);
            let id = id.map(|id| Clause::Query(Query::Id(id)));
            one_of(value, id, "an id of 16 hexadecimal digits")
        },
        ..ONCE
    },
    Field {
        name: "position",
        aliases: &["fen"],
        value: "FEN",
        help: "A position, by any order of moves",
        detail: "Placement, side to move and rights must be the same, as under the repetition rule.",
        example: "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1",
        parse: |value, _| position(value, PositionMatch::Exact),
        ..BOARD
    },
    Field {
        name: "moves",
        label: "Line of moves",
        value: "MOVES",
        help: "The position after these moves, by any order of moves",
        detail: "Moves from the start position. Give the level of a square if several squares share its file and rank.",
        example: "b4N b5B",
        parse: |_, _| Ok(Clause::Moves),
        ..BOARD
    },
    Field {
        name: "game",
        label: "Position of a game",
        value: "GAME",
        help: "The position of a game, given by its id or as FILE:K",
        example: "games.pgn:12",
        parse: |_, _| Ok(Clause::Game),
        ..BOARD
    },
    Field {
        name: "ply",
        label: "After plies",
        value: "N",
        kind: FieldKind::Number(0, u32::MAX),
        goes_with: &["game"],
        help: "Number of plies of the game to play (default: all)",
        example: "20",
        parse: |value, modifiers| {
            modifiers.ply = value.text.trim().parse().ok();
            let ply = modifiers.ply.map(|_| Clause::Change);
            one_of(value, ply, "a number of plies")
        },
        ..BOARD
    },
    Field {
        name: "from-top",
        aliases: &["plan"],
        label: "Position from the top",
        value: "FEN",
        help: "A position seen from the top, on any levels",
        detail: "The same pieces in the same columns, and the same side to move.",
        example: "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - - 0 1",
        parse: |value, _| position(value, PositionMatch::FromTop),
        ..BOARD
    },
    Field {
        name: "pattern",
        value: "PATTERN",
        is_many: true,
        help: "Part of a position; given twice, both must occur",
        detail: "`N@c6B` a white knight on that square, `N@c6` on any level, `QL@Q3` an attack board on a pin, `Q=0` no \
                 white queen, `check`; with `and`, `or`, `not` and brackets.",
        example: "N@c6B and check",
        parse: |value, _| Pattern::parse(&value.text).map(Clause::Pattern),
        ..BOARD
    },
    Field {
        name: "layout",
        value: "BOARDS",
        is_many: true,
        help: "Attack boards on pins, all at the same time",
        example: "ql@Q4 kl@K6",
        parse: |value, _| Pattern::layout(&value.text).map(Clause::Pattern),
        ..BOARD
    },
    Field {
        name: "sequence",
        value: "SEQUENCE",
        is_many: true,
        help: "Moves in order, such as white board then white 0-0-0",
        detail: "`then` later, `next` at once, `then within 5 plies`, `until`, `not ... before`; `N takes Q check`, `P \
                 promotes`, `board carries piece as x then x takes`, moves in notation, `pattern(...)`.",
        example: "white board then within 20 plies white 0-0-0",
        parse: |value, _| Sequence::parse(&value.text).map(Clause::Sequence),
        ..BOARD
    },
    Field {
        name: "material",
        value: "MATERIAL",
        help: "Material of White and Black, such as KQR:KRB",
        detail: "`KRP1..3:KRP*`: a range of pawns, and any number of them.",
        example: "KQR:KRB",
        parse: |value, _| Material::parse(&value.text).map(Clause::Material),
        ..BOARD
    },
    Field {
        name: "lasting",
        aliases: &["min-plies"],
        label: "Duration in plies",
        value: "N",
        kind: FieldKind::Number(1, 65_535),
        goes_with: &["material"],
        help: "Plies that the material must last",
        example: "4",
        parse: |value, modifiers| {
            let plies = value.text.trim().parse().ok();
            modifiers.lasting = plies.filter(|plies| (1..=65_535).contains(plies));
            let plies = modifiers.lasting.map(|_| Clause::Change);
            one_of(value, plies, "a number of plies, 1 to 65535")
        },
        ..BOARD
    },
    Field {
        name: "loose",
        value: "FEN",
        label: "Ignore castling and en passant rights",
        goes_with: ONE_POSITION,
        help: "Compare only placement and side to move",
        detail: "In a query, `loose:FEN` is short for `position:FEN loose:yes`.",
        parse: |value, modifiers| match switch(value, &mut modifiers.loose) {
            Ok(clause) => Ok(clause),
            Err(_) => position(value, PositionMatch::Loose),
        },
        ..SWITCH
    },
    Field {
        name: "mirrored",
        label: "Also with king's side and queen's side exchanged",
        goes_with: SHAPES,
        help: "Also with king's side and queen's side exchanged",
        detail: "A position in which a side may still castle has no mirror image.",
        parse: |value, modifiers| switch(value, &mut modifiers.mirrored),
        ..SWITCH
    },
    Field {
        name: "swapped",
        label: "Also with the colours exchanged",
        goes_with: COLORED,
        help: "Also with the colours exchanged",
        parse: |value, modifiers| switch(value, &mut modifiers.swapped),
        ..SWITCH
    },
    Field {
        name: "variations",
        label: "Search in variations too",
        help: "Search for patterns, sequences and material in variations too",
        detail: "Positions of variations are found only if the index has them.",
        parse: |value, modifiers| switch(value, &mut modifiers.variations),
        ..SWITCH
    },
];

impl Field {
    /// Returns the field of a name or alias, in any case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let is_called = |known: &&str| known.eq_ignore_ascii_case(name);
        FIELDS
            .iter()
            .find(|field| is_called(&field.name) || field.aliases.iter().any(is_called))
    }
}
