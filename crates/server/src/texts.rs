//! Every sentence of the pages, in English.

use tridex_index::SortKey;
use tridex_rules::{Color, Piece};

// The frame of all pages.
pub(crate) const SKIP: &str = "Skip to the content";
pub(crate) const MENU: &str = "Pages";
pub(crate) const SEARCH: &str = "Search";
pub(crate) const SET_UP: &str = "Set up a position";
pub(crate) const OPENINGS: &str = "Openings";
pub(crate) const STATISTICS: &str = "Statistics";
pub(crate) const FOOTER: &str = "All pages work without a script. The same answers as JSON:";
pub(crate) const API: &str = "description of the interface";

// Faults.
pub(crate) const NOT_FOUND: &str = "There is no such page.";
pub(crate) const CHANGED: &str = "The index has changed while its games were counted. Try again.";
pub(crate) const DAMAGED: &str = "Files of the index are damaged: games may be missing here. `tridex index --verify \
                                   --index DIR` lists the files.";
pub(crate) const BUSY: &str = "Too many questions are being answered. Try again in a moment.";
pub(crate) const FAILED: &str = "The answer could not be made.";
pub(crate) const TOO_LONG: &str =
    "The answer took too long and was stopped. Search for less, or with fewer patterns.";
pub(crate) const OTHER_HOST: &str = "This site has another name. Use localhost, its numeric address, or a name given with \
                                     --host.";
pub(crate) const OTHER_SITE: &str = "A page of another site requested this. Only links to whole pages are answered: open \
                                     the address in the browser.";
pub(crate) const ONLY_GET: &str = "Only GET and HEAD are answered.";
pub(crate) const TOO_LONG_ADDRESS: &str = "The address is too long.";
pub(crate) const NO_BODY: &str = "A request has no body here.";
pub(crate) const TO_SEARCH: &str = "To the search";
pub(crate) const A_NUMBER: &str = "a number";
pub(crate) const A_HAND: &str = "a man, a board or a square";
pub(crate) const A_PIN: &str = "a pin such as Q3";
pub(crate) const NO_SQUARE: &str = "There is no such square.";
pub(crate) const PIN_TAKEN: &str = "A board stands on that pin already.";
pub(crate) const REVERSE_SORT: &str = "reverse goes with sort";
pub(crate) const RULES_NEEDED: &str = "rules is needed: the rule system of the table";

pub(crate) fn too_many(most: usize) -> String {
    format!(
        "{most} requests of yours are being answered, the most for one address. Try again in a moment."
    )
}

pub(crate) fn unknown_parameter(name: &str) -> String {
    format!("there is no parameter `{name}` here")
}

pub(crate) fn unreadable(name: &str, value: &str, expected: &str) -> String {
    format!("`{value}` is no value of {name}: expected {expected}")
}

pub(crate) fn most_hits(most: usize) -> String {
    format!("limit is at most {most}; offset gives what follows")
}

pub(crate) fn no_ply(ply: u32) -> String {
    format!("There is no ply {ply} in this line of the game.")
}

pub(crate) fn position_fault(fault: &str) -> String {
    format!("The position is not understood: {fault}")
}

pub(crate) const fn fault_title(status: u16) -> &'static str {
    match status {
        400 => "This cannot be asked",
        404 => "Not found",
        403 | 405 => "Not allowed",
        413 | 414 => "Too long",
        421 => "Not this site",
        429 | 503 => "Busy",
        _ => "Something went wrong",
    }
}

// The form.
pub(crate) const SEARCH_TITLE: &str = "Search for games";
pub(crate) const THE_GAME: &str = "The game";
pub(crate) const ON_THE_BOARD: &str = "On the board";
pub(crate) const MORE_FIELDS: &str = "More fields";
pub(crate) const ANY: &str = "any";
pub(crate) const PLAYER: &str = "Player";
pub(crate) const EVENT: &str = "Event";
pub(crate) const DATE: &str = "Date";
pub(crate) const RESULT: &str = "Result";
pub(crate) const RULES: &str = "Rules";
pub(crate) const POSITION: &str = "Position (FEN)";
pub(crate) const SET_UP_LINK: &str = "Set it up on the board";
pub(crate) const MOVES: &str = "Moves";
pub(crate) const WHITE: &str = "White";
pub(crate) const BLACK: &str = "Black";
pub(crate) const OPENING: &str = "Opening";
pub(crate) const QUERY: &str = "Question in words";
pub(crate) const ORDER: &str = "Order";
pub(crate) const INDEX_ORDER: &str = "that of the index";
pub(crate) const REVERSE: &str = "the other way round";
pub(crate) const FIND: &str = "Find games";

pub(crate) fn holds(games: &str, positions: &str) -> String {
    format!(
        "The index holds {games} games with {positions} positions. All that is filled in has to agree."
    )
}

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

// Results.
pub(crate) const RESULTS: &str = "Games found";
pub(crate) const ASK_AGAIN: &str = "Ask again";
pub(crate) const PLIES: &str = "Plies";
pub(crate) const AT_PLY: &str = "At ply";
pub(crate) const IN_VARIATION: &str = "(variation)";
pub(crate) const GAME_LINK: &str = "Game";
pub(crate) const LOOK: &str = "look";
pub(crate) const PAGES: &str = "Pages of results";
pub(crate) const PREVIOUS_PAGE: &str = "Previous page";
pub(crate) const NEXT_PAGE: &str = "Next page";
pub(crate) const DOWNLOAD_ALL: &str = "Download all these games:";
pub(crate) const DOWNLOAD: &str = "Download:";

pub(crate) fn games_found(total: &str) -> String {
    match total {
        "1" => "1 game".to_owned(),
        total => format!("{total} games"),
    }
}

pub(crate) fn shown(first: u64, last: u64) -> String {
    format!("({first} to {last} shown)")
}

pub(crate) fn game_of(white: &str, black: &str) -> String {
    format!(" at {white} against {black}")
}

// Boards.
pub(crate) const LOOKS: &str = "How the board is shown";
pub(crate) const STAND_VIEW: &str = "As it stands";
pub(crate) const FLAT_VIEW: &str = "Unfolded";
pub(crate) const TURN_BOARD: &str = "Turn the board";
pub(crate) const SVG: &str = "Picture (SVG)";

// A game.
pub(crate) const MOVES_OF_GAME: &str = "Moves of the game";
pub(crate) const START: &str = "Start";
pub(crate) const STEPS: &str = "Step through the game";
pub(crate) const FIRST: &str = "Start of the game";
pub(crate) const BACK: &str = "Back";
pub(crate) const ON: &str = "Forward";
pub(crate) const LAST: &str = "End";
pub(crate) const SOURCE: &str = "Source";
pub(crate) const FOUND_HERE: &str = " (found here)";
pub(crate) const GAMES_WITH_POSITION: &str = "Games with this position";
pub(crate) const FIND_OPENINGS: &str = "What is played here";
pub(crate) const CHANGE_POSITION: &str = "Change this position";

pub(crate) fn players(white: &str, black: &str) -> String {
    format!("{white} - {black}")
}

pub(crate) fn in_notation(name: &str) -> String {
    format!("Moves in the notation {name}")
}

/// The sign of a judgement, by its number in the PGN standard.
pub(crate) fn judgement(nag: u8) -> String {
    match nag {
        1 => "!".to_owned(),
        2 => "?".to_owned(),
        3 => "!!".to_owned(),
        4 => "??".to_owned(),
        5 => "!?".to_owned(),
        6 => "?!".to_owned(),
        other => format!(" ${other}"),
    }
}

// Setting up.
pub(crate) const SET_UP_TITLE: &str = "Set up a position";
pub(crate) const SET_UP_HOW: &str = "Take a man or a board, then touch where it is to stand. With an empty hand touch a man \
                                     to move it. The strip beside an attack board takes the board.";
pub(crate) const PALETTE: &str = "What to take into the hand";
pub(crate) const RUBBER: &str = "remove";
pub(crate) const CLEAR: &str = "empty the board";
pub(crate) const MAY_CASTLE: &str = "castling allowed";
pub(crate) const MAY_NOT_CASTLE: &str = "no castling";
pub(crate) const HAND_EMPTY: &str = "The hand is empty.";
pub(crate) const HAND_RUBBER: &str = "The hand removes men.";
pub(crate) const FIND_EXACT: &str = "Find this position";
pub(crate) const FIND_LOOSE: &str = "Find it, whatever the rights";
pub(crate) const FIND_PLAN: &str = "Find it as seen from the top";
pub(crate) const FIND_MEN: &str = "Find these men, whatever else stands";
pub(crate) const SET_UP_BUTTON: &str = "Set up";

pub(crate) fn man(piece: Piece) -> String {
    let color = match piece.color {
        Color::White => "white",
        Color::Black => "black",
    };
    format!("{color} {}", piece.role.name())
}

pub(crate) fn to_move(color: Color) -> String {
    format!("let {color} move")
}

pub(crate) fn take(man: &str, square: &str) -> String {
    format!("take the {man} on {square}")
}

pub(crate) fn put(man: &str, square: &str) -> String {
    format!("put the {man} on {square}")
}

pub(crate) fn remove(man: &str, square: &str) -> String {
    format!("remove the {man} from {square}")
}

pub(crate) fn take_board(board: &str) -> String {
    format!("take the board {board}")
}

pub(crate) fn board_to(board: &str, pin: &str) -> String {
    format!("put the board {board} on pin {pin}")
}

pub(crate) fn hand_holds(man: &str) -> String {
    format!("The hand holds a {man}; touch squares to put it there, again to remove it.")
}

pub(crate) fn hand_moves(man: &str, square: &str) -> String {
    format!("The {man} on {square} is taken; touch where it is to go.")
}

pub(crate) fn hand_board(board: &str) -> String {
    format!("The hand holds the board {board}; touch where it is to stand.")
}

pub(crate) fn unplayable(rules: &str, fault: &str) -> String {
    format!("This cannot be played under {rules}: {fault}. Parts of it can be searched for.")
}

// Openings.
pub(crate) const CHOOSE_RULES: &str = "Choose a rule system.";
pub(crate) const OPENINGS_HOW: &str = "Touch a man or the strip beside a board, then where it goes; or choose a move in the \
                                       table.";
pub(crate) const PATH: &str = "Moves so far";
pub(crate) const ALL_MOVES: &str = "All moves";
pub(crate) const NO_MOVES: &str = "Nothing was played from here.";
pub(crate) const MOVE: &str = "Move";
pub(crate) const NAME: &str = "Name";
pub(crate) const GAMES: &str = "Games";
pub(crate) const WHITE_WON: &str = "White won";
pub(crate) const DRAWN: &str = "Drawn";
pub(crate) const BLACK_WON: &str = "Black won";
pub(crate) const SCORE: &str = "White's score";
pub(crate) const SMALL: &str = "(few)";
pub(crate) const BOARD_TABLES: &str = "Tables of boards and layouts";
pub(crate) const FIRST_BOARDS: &str = "First moves of the attack boards";
pub(crate) const LAYOUTS: &str = "Layouts of the attack boards";
pub(crate) const LAYOUT: &str = "Layout";
pub(crate) const BOARD: &str = "Board";
pub(crate) const FROM: &str = "From";
pub(crate) const TO: &str = "To";
pub(crate) const WHICH_GAMES: &str = "Only these games count";
pub(crate) const COUNT_THESE: &str = "Count";

pub(crate) fn games_reach(games: u64) -> String {
    match games {
        1 => "1 game reaches this position".to_owned(),
        games => format!(
            "{} games reach this position",
            crate::pages::layout::number(games)
        ),
    }
}

pub(crate) fn moves_from(square: &str) -> String {
    format!("moves from {square}")
}

pub(crate) fn moves_of_board(board: &str) -> String {
    format!("moves of the board {board}")
}

pub(crate) fn layouts_shown(shown: usize, all: usize) -> String {
    format!("{shown} of {all} layouts are shown.")
}

// Statistics.
pub(crate) const STATISTICS_OF_THESE: &str = "Statistics of these games";
pub(crate) const GAMES_ASKED: &str = "Only the games that answer a question are counted.";
pub(crate) const SHOW_THEM: &str = "Show them";
pub(crate) const ALL_GAMES: &str = "Count all games";
pub(crate) const NO_GAMES: &str = "There are no games to count.";
pub(crate) const RESULTS_DRAWN: &str = "Results";
pub(crate) const UNKNOWN: &str = "Unknown";
pub(crate) const LENGTHS: &str = "Lengths of games in plies";
pub(crate) const YEARS: &str = "Years";
pub(crate) const NO_BOARDS: &str = "No attack board moves in these games.";
pub(crate) const NUMBERS: &str = "In numbers";
pub(crate) const HEAT: &str = "Where the men go";
pub(crate) const HEAT_HOW: &str = "The darker a square, the more often such a man comes to it by a move of its own. Attack \
                                   boards are drawn where they start; their squares move with them.";
pub(crate) const MEN: &str = "Kind of man";
pub(crate) const MOST_VISITED: &str = "Most visited squares";
pub(crate) const SQUARE: &str = "Square";
pub(crate) const VISITS: &str = "Visits";

pub(crate) fn games_of(rules: &str, games: &str) -> String {
    format!("{games} games under the rules {rules}")
}

pub(crate) fn mean_length(plies: f64) -> String {
    format!("A game has {plies:.1} plies on average.")
}

pub(crate) fn heat_title(man: &str) -> String {
    format!("How often each square is reached by a {man}")
}
