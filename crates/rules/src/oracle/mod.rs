//! The rules once more, slow and obvious: the check on the fast engine.
//!
//! Nothing here is shared with the engine but the plain types ([`Setup`], [`Move`], ...). Lines are walked column by
//! column, squares are looked up in lists, every candidate is played on a copy and the king's safety examined
//! afterwards. Each rule is in the file of its system, with its article or ruling.
//!
//! All functions accept any [`Setup`]; what they answer means something when the setup can be played, and moves given
//! to [`play`] are legal. Nonsense gives nonsense, never a panic.

mod cube;
mod federation;
mod manual;
mod meder;
mod stair;
#[cfg(test)]
mod tests;

use crate::{Castling, CastlingSide, Color, Move, Outcome, Piece, Role, RuleSystem, Setup};
use tridex_geometry::{Square, SquareSet};

/// Where king and rook are before and after a castling.
struct Castle {
    king_from: Square,
    king_to: Square,
    rook_from: Square,
    rook_to: Square,
}

/// What the rule systems differ in.
trait System {
    /// The position in which a game begins.
    fn start(&self) -> Setup;

    /// Squares the piece on `from` reaches by a move that does not capture, should they be vacant.
    fn quiet(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square>;

    /// Squares on which the piece on `from` captures, should there be an enemy (ruling attack-ignores-pinning).
    fn strikes(&self, setup: &Setup, from: Square, piece: Piece) -> Vec<Square>;

    /// Squares on which the pawn on `from` may land when it captures the pawn that has just advanced, should they
    /// be vacant.
    fn en_passant(&self, setup: &Setup, from: Square, color: Color) -> Vec<Square>;

    /// What a pawn of `color` becomes when it arrives on `to`, boards standing as in `setup`: `[None]` if it stays a
    /// pawn, several choices otherwise.
    fn choices(&self, setup: &Setup, color: Color, to: Square) -> Vec<Option<Role>>;

    /// Whether the side to move may castle, but for the safety of the king after the move.
    fn may_castle(&self, setup: &Setup, side: CastlingSide) -> bool;

    /// The squares of a castling, or `None` in a system without castling.
    fn castle(&self, color: Color, side: CastlingSide) -> Option<Castle>;

    /// Moves and turns of boards, but for the safety of the king after the move.
    fn boards(&self, setup: &Setup) -> Vec<Move>;

    /// Start squares of the pawns of a colour; those of attack boards only while the board is at home (ruling
    /// moved-pawn).
    fn pawn_homes(&self, setup: &Setup, color: Color) -> Vec<Square>;

    /// Whether a pawn's advance is one that en passant answers.
    fn is_passing(&self, setup: &Setup, from: Square, to: Square) -> bool;

    /// Whether a pawn's move that neither captures nor promotes sets the count of moves back (ruling
    /// counts-as-progress).
    fn resets_count(&self, setup: &Setup, from: Square, to: Square) -> bool;

    /// Whether neither side can ever mate (rulings dead-material and only-stalemate-draws).
    fn is_dead(&self, setup: &Setup) -> bool;
}

/// The statement of a system's rules.
///
/// # Panics
/// If there is none. The oracle serves tests only, and has the five systems that have a rule text.
fn system(rules: RuleSystem) -> &'static dyn System {
    match rules.name() {
        "meder" => &meder::Meder,
        "manual" => &manual::Manual,
        "federation" => &federation::Federation,
        "millennium" => &cube::MILLENNIUM,
        "chess3" => &cube::CHESS3,
        other => unreachable!("the oracle has no rules of {other}"),
    }
}

/// The position in which a game begins.
#[must_use]
pub fn start(rules: RuleSystem) -> Setup {
    system(rules).start()
}

/// All legal moves of the side to move, sorted.
#[must_use]
pub fn legal_moves(rules: RuleSystem, setup: &Setup) -> Vec<Move> {
    let system = system(rules);
    let mut moves = candidates(system, setup);
    // No move may leave the mover's own king attacked.
    moves.retain(|mv| !in_check(system, &after(system, setup, *mv), setup.turn));
    moves.sort();
    moves.dedup();
    moves
}

/// The position after a legal move: pieces, boards, turn, rights, en passant, lost double steps and counters.
#[must_use]
pub fn play(rules: RuleSystem, setup: &Setup, mv: Move) -> Setup {
    after(system(rules), setup, mv)
}

/// Whether the king of a colour is attacked. `false` if there is none.
#[must_use]
pub fn is_check(rules: RuleSystem, setup: &Setup, color: Color) -> bool {
    in_check(system(rules), setup, color)
}

/// Whether the piece on `from` could capture an enemy on `to`, with anything there now (ruling attack-ignores-pinning).
/// `false` if `from` is vacant.
#[must_use]
pub fn attacks(rules: RuleSystem, setup: &Setup, from: Square, to: Square) -> bool {
    setup
        .piece(from)
        .is_some_and(|piece| system(rules).strikes(setup, from, piece).contains(&to))
}

/// How the game has ended on the board: checkmate, stalemate or too little material, in this order. Repetition needs
/// the moves before and is not examined.
#[must_use]
pub fn outcome(rules: RuleSystem, setup: &Setup) -> Option<Outcome> {
    if legal_moves(rules, setup).is_empty() {
        return Some(if is_check(rules, setup, setup.turn) {
            Outcome::Checkmate {
                winner: setup.turn.other(),
            }
        } else {
            Outcome::Stalemate
        });
    }
    system(rules).is_dead(setup).then_some(Outcome::Material)
}

/// How many games of `depth` moves the position has.
#[must_use]
pub fn perft(rules: RuleSystem, setup: &Setup, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = legal_moves(rules, setup);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .into_iter()
        .map(|mv| perft(rules, &play(rules, setup, mv), depth - 1))
        .sum()
}

/// Everything the side to move could do if its king did not matter.
fn candidates(system: &dyn System, setup: &Setup) -> Vec<Move> {
    let mut moves = Vec::new();
    for (from, piece) in setup.pieces() {
        if piece.color != setup.turn {
            continue;
        }
        let mut arrivals = Vec::new();
        for to in system.quiet(setup, from, piece) {
            if setup.piece(to).is_none() {
                arrivals.push(to);
            }
        }
        for to in system.strikes(setup, from, piece) {
            if setup
                .piece(to)
                .is_some_and(|held| held.color != piece.color)
            {
                arrivals.push(to);
            }
        }
        for to in arrivals {
            if piece.role == Role::Pawn {
                for promotion in system.choices(setup, piece.color, to) {
                    moves.push(Move::Piece {
                        from,
                        to,
                        promotion,
                    });
                }
            } else {
                moves.push(Move::Piece {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
        if piece.role == Role::Pawn && setup.en_passant.is_some() {
            for to in system.en_passant(setup, from, piece.color) {
                if setup.piece(to).is_none() {
                    for promotion in system.choices(setup, piece.color, to) {
                        moves.push(Move::EnPassant {
                            from,
                            to,
                            promotion,
                        });
                    }
                }
            }
        }
    }
    for side in CastlingSide::ALL {
        if setup.castling.has(setup.turn, side) && system.may_castle(setup, side) {
            moves.push(Move::Castle(side));
        }
    }
    moves.extend(system.boards(setup));
    moves
}

/// Whether a move of the pawn on `from` takes en passant.
fn takes_en_passant(system: &dyn System, setup: &Setup, from: Square, to: Square) -> bool {
    setup.en_passant.is_some()
        && setup.piece(to).is_none()
        && setup.piece(from).is_some_and(|piece| {
            piece.role == Role::Pawn && system.en_passant(setup, from, piece.color).contains(&to)
        })
}

fn king(setup: &Setup, color: Color) -> Option<Square> {
    setup
        .pieces()
        .find(|(_, piece)| *piece == Piece::new(color, Role::King))
        .map(|(square, _)| square)
}

fn is_attacked(system: &dyn System, setup: &Setup, square: Square, by: Color) -> bool {
    setup.pieces().any(|(from, piece)| {
        piece.color == by && system.strikes(setup, from, piece).contains(&square)
    })
}

fn in_check(system: &dyn System, setup: &Setup, color: Color) -> bool {
    king(setup, color).is_some_and(|king| is_attacked(system, setup, king, color.other()))
}

fn after(system: &dyn System, setup: &Setup, mv: Move) -> Setup {
    let mover = setup.turn;
    let mut next = setup.clone();
    let mut resets = false;
    next.en_passant = None;
    // Squares whose piece has come there by this move.
    let mut arrived: Vec<Square> = Vec::new();

    match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            let Some(piece) = setup.piece(from) else {
                return next;
            };
            if setup.piece(to).is_some() {
                resets = true;
            }
            if takes_en_passant(system, setup, from, to)
                && let Some(passed) = setup.en_passant
            {
                next.set_piece(passed, None);
                resets = true;
            }
            next.set_piece(from, None);
            next.set_piece(to, Some(piece));
            if let Some(role) = mv.promotion() {
                next.set_piece(to, Some(Piece::new(piece.color, role)));
                resets = true;
            }
            if piece.role == Role::Pawn {
                resets |= system.resets_count(setup, from, to);
                if system.is_passing(setup, from, to) {
                    next.en_passant = Some(to);
                }
            }
            arrived.push(to);
        }
        Move::Pass => {}
        Move::Castle(side) => {
            let Some(squares) = system.castle(mover, side) else {
                return next;
            };
            next.set_piece(squares.king_from, None);
            next.set_piece(squares.rook_from, None);
            next.set_piece(squares.king_to, Some(Piece::new(mover, Role::King)));
            next.set_piece(squares.rook_to, Some(Piece::new(mover, Role::Rook)));
        }
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            if let Some(layout) = setup.layout
                && let Ok(layout) = stair::with_pin(&layout, board, to)
            {
                next.layout = Some(layout);
            }
            for square in stair::board_squares(board) {
                if setup
                    .piece(square)
                    .is_some_and(|piece| piece.role == Role::Pawn)
                {
                    // Ruling counts-as-progress: a board that carries a pawn counts as the pawn's move.
                    resets = true;
                }
                let to = if turned {
                    stair::turned(board, square)
                } else {
                    square
                };
                next.set_piece(to, setup.piece(square));
                arrived.push(to);
            }
            if let Some(promotion) = promotion
                && let Some(pawn) = next.piece(promotion.square)
            {
                next.set_piece(
                    promotion.square,
                    Some(Piece::new(pawn.color, promotion.role)),
                );
                resets = true;
            }
        }
    }

    next.castling = rights_after(system, setup, mv);
    // Ruling moved-pawn: a pawn on a start square is unmoved only if it was so before and nothing has brought it there
    // now.
    next.moved = SquareSet::EMPTY;
    for color in Color::ALL {
        for home in system.pawn_homes(&next, color) {
            let pawn = Some(Piece::new(color, Role::Pawn));
            let stayed = setup.piece(home) == pawn && !arrived.contains(&home);
            if next.piece(home) == pawn && (!stayed || setup.moved.contains(home)) {
                next.moved.insert(home);
            }
        }
    }
    next.halfmoves = if resets {
        0
    } else {
        setup.halfmoves.saturating_add(1)
    };
    if mover == Color::Black {
        next.fullmoves = setup.fullmoves.saturating_add(1);
    }
    next.turn = mover.other();
    next
}

/// Ruling rights-lost-with-board: a king or rook that moves, alone or with its board, loses castling for good, and so
/// does a rook that is taken at home.
fn rights_after(system: &dyn System, setup: &Setup, mv: Move) -> Castling {
    let mut rights = Castling::NONE;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(squares) = system.castle(color, side) else {
                continue;
            };
            let homes = [squares.king_from, squares.rook_from];
            let lost = match mv {
                Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                    homes.contains(&from) || homes.contains(&to)
                }
                Move::Castle(_) => color == setup.turn,
                Move::Pass => false,
                Move::Board { board, .. } => homes
                    .iter()
                    .any(|home| stair::board_squares(board).contains(home)),
            };
            if setup.castling.has(color, side) && !lost {
                rights = rights.with(color, side);
            }
        }
    }
    rights
}

/// The pieces other than kings, with their squares.
fn without_kings(setup: &Setup) -> Vec<(Square, Piece)> {
    setup
        .pieces()
        .filter(|(_, piece)| piece.role != Role::King)
        .collect()
}
