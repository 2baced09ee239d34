//! Messages for a token that fits no legal move.

use super::{Speaker, side};
use crate::names;
use crate::resolve::{board_on, is_of_family, own};
use crate::text::{
    BoardPattern, Coordinates, Departure, Level, MovePattern, MoveText, Notation, PiecePattern,
};
use tridex_geometry::stair::{AttackBoard, MainBoard, Pin};
use tridex_geometry::{Family, Square, SquareSet};
use tridex_rules::{BoardPromotion, Explanation, Move, MoveFault, MoveList, Position, Role};
use tridex_text::enumeration;

/// The maximum number of moves that [`alternatives`] lists.
pub const ALTERNATIVES: usize = 12;
/// The maximum number of pieces that [`reason`] explains.
const SPOKEN_OF: usize = 3;

/// Explains why a token fits no legal move of the position: why the piece that is meant cannot make the move, or which
/// square, piece or board of the token does not exist. If several pieces could be meant and are equally close to a
/// legal move, up to three are explained.
///
/// ```
/// use tridex_notation::{Notation, messages, parse};
/// use tridex_rules::{Position, RuleSystem};
/// let start = Position::start(RuleSystem::Meder);
/// let text = parse(Notation::Meder, b"Nb1W-b3W", None)?;
/// let words = messages::reason(&text, &start, Notation::Meder);
/// assert_eq!(words, "there is a bishop on b1W, not a knight");
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
pub fn reason(text: &MoveText, position: &Position, notation: Notation) -> String {
    let speaker = Speaker { position, notation };
    if !is_of_family(text, position.family()) {
        return match position.family() {
            Family::Stair => "the move is written for the cube, the game is on the stair board",
            Family::Cube => "the move is written for the stair board, the game is on the cube",
        }
        .to_owned();
    }
    match text.pattern() {
        MovePattern::Piece(piece) => piece_reason(text, piece, speaker),
        MovePattern::Board(board) => board_reason(board, speaker),
        MovePattern::Castle(side) => match position.explain(Move::Castle(*side)) {
            Some(explanation) => super::explain(position, notation, &explanation),
            None => nothing_wrong(),
        },
    }
}

/// Returns at most [`ALTERNATIVES`] legal moves that the writer of a token may have meant, in the order of [`Move`]:
/// moves to the same square or pin, or by the same piece or board. If there are too many, the most similar are listed.
///
/// ```
/// use tridex_notation::{Notation, messages, parse};
/// use tridex_rules::{Position, RuleSystem};
/// let start = Position::start(RuleSystem::Meder);
/// let text = parse(Notation::Meder, b"b5N", None)?;
/// assert!(!messages::alternatives(&text, &start).is_empty());
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
pub fn alternatives(text: &MoveText, position: &Position) -> MoveList {
    let (legal, layout) = (position.legal_moves(), position.layout());
    let mut near = MoveList::new();
    match text.pattern() {
        MovePattern::Piece(piece) => {
            // First, the same kind of piece to the same column. If the token does not name the piece, the one on the
            // square of departure is meant.
            let mut meant = own(piece.role, position) & piece.from.squares(layout);
            let is_meant =
                |role| piece.role == Some(role) || own(Some(role), position).meets(meant);
            let mut wide = *piece;
            (wide.from, wide.to.level, wide.promotion) = (Departure::default(), None, None);
            for role in Role::ALL {
                if piece.role.is_none_or(|named| named == role) && is_meant(role) {
                    wide.role = Some(role);
                    near.extend(position.moves_like(&MovePattern::Piece(wide)));
                }
            }
            near.sort_unstable();
            // Then, if only one piece can be meant, its other moves, and then all other moves to the same square.
            if piece.role == Some(Role::Pawn)
                && piece.from == Departure::default()
                && !text.captures()
            {
                // A pawn that advances stays on its file.
                let file = Departure {
                    file: Some(piece.to.file),
                    ..Departure::default()
                };
                meant &= file.squares(layout);
            }
            let (to, one) = (piece.to.squares(layout), meant.single());
            near.extend(steps(&legal, |from, _| Some(from) == one));
            near.extend(steps(&legal, |_, arrives| to.contains(arrives)));
            if near.is_empty() {
                near.extend(steps(&legal, |from, _| meant.contains(from)));
            }
        }
        MovePattern::Castle(_) => {
            near.extend(legal.iter().filter(|m| matches!(m, Move::Castle(_))));
            near.sort_unstable();
            let king = position.king(position.turn());
            near.extend(steps(&legal, |from, _| from == king));
        }
        MovePattern::Board(board) => {
            // The same board, then any board to the same corner.
            let mover = layout.and_then(|layout| {
                let from = board.from?;
                let other = || layout.board_on(from.other_surface());
                layout.board_on(from).or_else(other)
            });
            let is_mover =
                |m: &&Move| matches!(m, Move::Board { board, .. } if Some(*board) == mover);
            near.extend(legal.iter().filter(is_mover));
            near.sort_unstable();
            let corner = |pin: Pin| (pin.wing(), pin.corner());
            let arrives =
                |m: &&Move| matches!(m, Move::Board { to, .. } if corner(*to) == corner(board.to));
            near.extend(legal.iter().filter(arrives));
        }
    }
    let mut listed = MoveList::new();
    for m in near {
        if listed.len() < ALTERNATIVES && !listed.contains(&m) {
            listed.push(m);
        }
    }
    listed.sort_unstable();
    listed
}

/// The moves of pieces for which the squares of departure and arrival satisfy a condition.
fn steps(moves: &[Move], condition: impl Fn(Square, Square) -> bool) -> impl Iterator<Item = Move> {
    moves.iter().copied().filter(move |m| match *m {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => condition(from, to),
        Move::Castle(_) | Move::Board { .. } | Move::Pass => false,
    })
}

fn nothing_wrong() -> String {
    "the words fit a legal move".to_owned()
}

fn piece_reason(text: &MoveText, piece: &PiecePattern, speaker: Speaker<'_>) -> String {
    let position = speaker.position;
    let targets = piece.to.squares(position.layout());
    if targets.is_empty() {
        return no_such_square(&piece.to, speaker);
    }
    let origins = piece.from.squares(position.layout());
    let meant = own(piece.role, position) & origins;
    if meant.is_empty() {
        return no_such_piece(piece, origins, speaker);
    }
    let mut found: Vec<(u8, Explanation)> = Vec::new();
    for from in meant {
        let is_pawn = position
            .piece_at(from)
            .is_some_and(|p| p.role == Role::Pawn);
        // If several levels are possible, take the one on which the move is closest to being legal.
        let nearest = targets
            .into_iter()
            .filter_map(|to| {
                let plain = position.explain(Move::Piece {
                    from,
                    to,
                    promotion: piece.promotion,
                });
                let is_only_so =
                    |why: &Explanation| matches!(why.fault, MoveFault::OnlyEnPassant { .. });
                let passes = is_pawn && (text.en_passant || plain.as_ref().is_some_and(is_only_so));
                if passes {
                    position.explain(Move::EnPassant {
                        from,
                        to,
                        promotion: piece.promotion,
                    })
                } else {
                    plain
                }
            })
            .map(|explanation| (distance(&explanation.fault, text), explanation))
            .min_by_key(|(distance, _)| *distance);
        found.extend(nearest);
    }
    let Some(least) = found.iter().map(|(distance, _)| *distance).min() else {
        return nothing_wrong();
    };
    found.retain(|(distance, _)| *distance == least);
    if least == FAR && found.len() > SPOKEN_OF {
        let role = piece.role.map_or("piece", Role::name);
        let to = names::place(speaker.notation, &piece.to);
        let side = side(position.turn());
        return format!("none of {side}'s {role}s moves to {to} from its square");
    }
    spoken(
        found.into_iter().map(|(_, explanation)| explanation),
        speaker,
    )
}

/// The distance of a move that the piece could not make even on an empty board.
const FAR: u8 = 3;

/// How far a move is from being legal.
fn distance(fault: &MoveFault, text: &MoveText) -> u8 {
    match fault {
        MoveFault::NothingToTake { .. } | MoveFault::OnlyEnPassant { .. }
            if !text.captures() && !text.en_passant =>
        {
            2
        }
        MoveFault::SameColumn { .. } | MoveFault::PawnTooFar => 2,
        MoveFault::Shape { .. }
        | MoveFault::PawnNotForward
        | MoveFault::NotAPawn { .. }
        | MoveFault::PassesNot { .. }
        | MoveFault::Stays { .. } => FAR,
        _ => 1,
    }
}

/// Joins the sentences of several explanations, each once. The article is written only where the next one differs.
fn spoken(explanations: impl Iterator<Item = Explanation>, speaker: Speaker<'_>) -> String {
    let mut parts: Vec<(String, &'static str)> = Vec::new();
    for explanation in explanations {
        let part = (speaker.sentence(&explanation), explanation.article);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let more = parts.len() > SPOKEN_OF;
    parts.truncate(SPOKEN_OF);
    let mut out = String::new();
    let mut rest = parts.iter().peekable();
    while let Some((sentence, article)) = rest.next() {
        out.push_str(sentence);
        let next = rest.peek();
        if next.is_none_or(|(_, other)| other != article) {
            out.push_str(" (");
            out.push_str(article);
            out.push(')');
        }
        if next.is_some() {
            out.push_str("; ");
        }
    }
    if more {
        out.push_str("; and others");
    }
    out
}

/// The message for a square of arrival that does not exist now.
fn no_such_square(place: &Coordinates, speaker: Speaker<'_>) -> String {
    let name = names::place(speaker.notation, place);
    let plain = Coordinates {
        level: None,
        ..*place
    };
    let column = names::place(speaker.notation, &plain);
    let Some(layout) = speaker.position.layout() else {
        return format!("there is no square {name}");
    };
    match place.level {
        Some(Level::Pin(pin)) if layout.board_on(pin).is_none() => {
            let pin = speaker.pin(pin);
            format!("there is no attack board on pin {pin}, so {name} does not exist now")
        }
        Some(Level::Pin(pin)) => {
            let pin = speaker.pin(pin);
            format!(
                "the attack board on {pin} does not cover column {column}, so {name} does not exist"
            )
        }
        Some(Level::Attack(board)) => {
            let pin = speaker.pin(layout.pin(board));
            let board = names::board(Notation::Manual, layout, board);
            format!(
                "the attack board {board} is on {pin} and does not cover column {column}, \
                 so {name} does not exist now"
            )
        }
        Some(Level::Main(board)) => {
            let board = main_board(board);
            format!("{board} does not cover column {column}, so {name} does not exist")
        }
        Some(Level::Cube(_)) => format!("there is no square {name}"),
        None => format!("no square exists in column {column} now"),
    }
}

/// The message if no fitting piece is on the square of departure.
fn no_such_piece(piece: &PiecePattern, origins: SquareSet<3>, speaker: Speaker<'_>) -> String {
    let position = speaker.position;
    let turn = position.turn();
    let side = side(turn);
    let role = piece.role.map_or("piece", Role::name);
    if let Some(square) = origins.single() {
        let other = position
            .piece_at(square)
            .filter(|other| other.color == turn);
        if let Some(other) = other {
            let name = speaker.square(square);
            return format!("there is a {} on {name}, not a {role}", other.role.name());
        }
        let attempt = Move::Piece {
            from: square,
            to: square,
            promotion: None,
        };
        let explanation = position.explain(attempt);
        return spoken(explanation.into_iter(), speaker);
    }
    if own(piece.role, position).is_empty() {
        return format!("{side} has no {role} on the boards");
    }
    if origins.is_empty()
        && let Departure {
            file: Some(file),
            rank: Some(rank),
            level,
        } = piece.from
    {
        return no_such_square(&Coordinates { file, rank, level }, speaker);
    }
    let place = said_of(&piece.from, speaker);
    format!("none of {side}'s {role}s is on {place}")
}

/// The name of a main board, as in Meder 2.4 and the manual's Section 1.
pub(crate) const fn main_board(board: MainBoard) -> &'static str {
    match board {
        MainBoard::White => "White's Board",
        MainBoard::Neutral => "the Neutral Board",
        MainBoard::Black => "Black's Board",
    }
}

/// `file b and rank 3`.
fn said_of(origin: &Departure, speaker: Speaker<'_>) -> String {
    let name = |file, rank| {
        let place = Coordinates {
            file,
            rank,
            level: None,
        };
        names::place(speaker.notation, &place)
    };
    let mut place = Vec::new();
    // The name of a column is one letter and the rank.
    place.extend(origin.file.map(|file| {
        let file: String = name(file, 0).chars().take(1).collect();
        format!("file {file}")
    }));
    place.extend(origin.rank.map(|rank| {
        let rank: String = name(0, rank).chars().skip(1).collect();
        format!("rank {rank}")
    }));
    place.extend(origin.level.map(|level| match level {
        Level::Pin(pin) => format!("the attack board on {}", speaker.pin(pin)),
        Level::Attack(board) => speaker.board(board),
        Level::Cube(level) => format!("level {}", u16::from(level) + 1),
        Level::Main(board) => main_board(board).to_owned(),
    }));
    enumeration(&place, "and")
}

fn board_reason(text: &BoardPattern, speaker: Speaker<'_>) -> String {
    let position = speaker.position;
    let Some(layout) = position.layout() else {
        return "the cube has no attack boards".to_owned();
    };
    let standing = |pin| board_on(text, pin, layout);
    if let Some(from) = text.from {
        return match standing(from) {
            Some(board) => match board_explanation(text, board, position) {
                Some(explanation) => spoken([explanation].into_iter(), speaker),
                None => nothing_wrong(),
            },
            None => format!("there is no attack board on pin {}", speaker.pin(from)),
        };
    }
    let found: Vec<Explanation> = AttackBoard::ALL
        .into_iter()
        .filter_map(|board| board_explanation(text, board, position))
        .collect();
    let mut near: Vec<Explanation> = found
        .iter()
        .copied()
        .filter(|explanation| {
            // Only the pin of arrival is written, so keep the boards that could go there or turn there.
            let Move::Board { board, .. } = explanation.attempt else {
                return false;
            };
            match explanation.fault {
                MoveFault::PinNotAdjacent { .. } => false,
                _ if text.turned => standing(text.to) == Some(board),
                MoveFault::BoardOfOther | MoveFault::BoardStays => false,
                _ => true,
            }
        })
        .collect();
    // If only pawns can move boards, the writer probably meant a board with a pawn.
    if near
        .iter()
        .any(|e| !matches!(e.fault, MoveFault::NoPawnAboard))
    {
        near.retain(|e| !matches!(e.fault, MoveFault::NoPawnAboard));
    }
    if !near.is_empty() {
        return spoken(near.into_iter(), speaker);
    }
    let other = found
        .into_iter()
        .find(|explanation| !matches!(explanation.fault, MoveFault::PinNotAdjacent { .. }));
    match other {
        Some(explanation) if !text.turned => spoken([explanation].into_iter(), speaker),
        _ if text.turned => format!("there is no attack board on pin {}", speaker.pin(text.to)),
        _ => format!(
            "there is no attack board next to pin {}",
            speaker.pin(text.to)
        ),
    }
}

/// What is wrong with a board's move as written. A missing promotion is read as a promotion to a queen.
fn board_explanation(
    text: &BoardPattern,
    board: AttackBoard,
    position: &Position,
) -> Option<Explanation> {
    let layout = position.layout()?;
    let attempt = |to, promotion| {
        position.explain(Move::Board {
            board,
            to,
            turned: text.turned,
            promotion,
        })
    };
    let promotion = |to| {
        let (place, role) = text.promotion?;
        let after = layout.moved(board, to).unwrap_or(*layout);
        let square = place?.squares(Some(&after)).first()?;
        Some(BoardPromotion { square, role })
    };
    let mut to = text.to;
    let mut explanation = attempt(to, promotion(to))?;
    if matches!(explanation.fault, MoveFault::PinNotUsed { .. }) && text.either_surface {
        to = to.other_surface();
        explanation = attempt(to, promotion(to))?;
    }
    if let MoveFault::PromotionMissing { square } = explanation.fault {
        let queen = BoardPromotion {
            square,
            role: Role::Queen,
        };
        return attempt(to, Some(queen));
    }
    Some(explanation)
}
