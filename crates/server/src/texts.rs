//! Sentences of the search form and of parameters.

use tridex_index::SortKey;

pub(crate) const A_NUMBER: &str = "a number";
pub(crate) const PLIES_OF_A_GAME: &str = "a number of plies, 1 to 65535";
pub(crate) const ONE_POSITION: &str =
    "position, moves and game are three ways to ask for one position: give one of them";
pub(crate) const PLY_OF_A_GAME: &str = "ply goes with game";
pub(crate) const LASTING_MATERIAL: &str = "lasting goes with material";
pub(crate) const REVERSE_SORT: &str = "reverse goes with sort";
pub(crate) const RULES_NEEDED: &str = "rules is needed: the rule system of the table";
pub(crate) const SIDE_OF_A_PLAYER: &str = "side goes with player";
pub(crate) fn unknown_parameter(name: &str) -> String {
    format!("there is no parameter `{name}` here")
}

pub(crate) fn unreadable(name: &str, value: &str, expected: &str) -> String {
    format!("`{value}` is no value of {name}: expected {expected}")
}

pub(crate) fn most_hits(most: usize) -> String {
    format!("limit is at most {most}; offset gives what follows")
}

pub(crate) const THE_GAME: &str = "The game";
pub(crate) const ON_THE_BOARD: &str = "On the board";
pub(crate) const MORE_FIELDS: &str = "More fields";
pub(crate) const ANY: &str = "any";
pub(crate) const PLAYER: &str = "Player";
pub(crate) const PLAYER_HINT: &str =
    "On either side. spo* begins so, spok~ forgives a letter, =Kirk, James is the whole name.";
pub(crate) const EVENT: &str = "Event";
pub(crate) const DATE: &str = "Date";
pub(crate) const DATE_HINT: &str = "2001, 2001.04..2003, 2001.. or ..2003";
pub(crate) const RESULT: &str = "Result";
pub(crate) const RULES: &str = "Rules";
pub(crate) const POSITION: &str = "Position (FEN)";
pub(crate) const POSITION_HINT: &str = "A position string; however the position was reached.";
pub(crate) const SET_UP_LINK: &str = "Set it up on the board";
pub(crate) const MOVES: &str = "Moves";
pub(crate) const MOVES_HINT: &str = "The position after these moves from the start.";
pub(crate) const PATTERN: &str = "Pattern";
pub(crate) const PATTERN_HINT: &str =
    "Part of a position: N@c6B, N@c6 on any level, QL@Q3, Q=0, check; with and, or, not.";
pub(crate) const MATERIAL: &str = "Material";
pub(crate) const MATERIAL_HINT: &str = "White's men and Black's: KQR:KRB";
pub(crate) const LASTING: &str = "Lasting";
pub(crate) const LASTING_HINT: &str = "So many plies at least.";
pub(crate) const PLAN: &str = "Position seen from the top (FEN)";
pub(crate) const PLAN_HINT: &str = "The same men in the same columns, on whatever level.";
pub(crate) const GAME: &str = "Position of a game";
pub(crate) const GAME_HINT: &str = "Its id, or its file and number as FILE:K.";
pub(crate) const PLY: &str = "After plies";
pub(crate) const PLY_HINT: &str = "Of that game; without it after the last.";
pub(crate) const LOOSE: &str = "only placement and side to move have to agree";
pub(crate) const MIRRORED: &str = "also with king's side and queen's side exchanged";
pub(crate) const SWAPPED: &str = "also with the colours exchanged";
pub(crate) const VARIATIONS: &str = "look into variations too";
pub(crate) const WHITE: &str = "White";
pub(crate) const BLACK: &str = "Black";
pub(crate) const SITE: &str = "Site";
pub(crate) const OPENING: &str = "Opening";
pub(crate) const TEXT: &str = "Comments";
pub(crate) const TEXT_HINT: &str = "All these words; in quotation marks, in a row.";
pub(crate) const QUERY: &str = "Question in words";
pub(crate) const QUERY_HINT: &str = "Such as player:spock after:2001 not result:1/2-1/2";
pub(crate) const ORDER: &str = "Order";
pub(crate) const INDEX_ORDER: &str = "that of the index";
pub(crate) const REVERSE: &str = "the other way round";
pub(crate) const FIND: &str = "Find games";
pub(crate) const fn sort_name(key: SortKey) -> &'static str {
    match key {
        SortKey::Date => "date",
        SortKey::White => "White's name",
        SortKey::Black => "Black's name",
        SortKey::Event => "event",
        SortKey::Plies => "length",
        SortKey::Ply => "where it was found",
    }
}
