//! Laws of moves: every way to ask for legal moves gives the same answer.

use super::{Held, hold, place};
use crate::messages;
use crate::text::Notation;
use tridex_geometry::stair::{AttackBoard, Board, Pin, board};
use tridex_geometry::{Square, SquareSet};
use tridex_rules::{BoardPromotion, CastlingSide, Color, Move, MoveList, Piece, Position, Role};

/// All squares of the position's board family.
pub(super) fn squares(position: &Position) -> impl Iterator<Item = Square> + Clone + use<> {
    let count = u8::try_from(position.family().squares()).unwrap_or(u8::MAX);
    (0..count).filter_map(Square::try_new)
}

/// Every move that could be said in the position, sense or nonsense: from every square to every square with every
/// promotion, en passant from everywhere to everywhere, castling, and every board to every pin, turned or not. The
/// promotions that come with a board are those of pawns that stand near the end of their way, turned or not, and one of
/// no pawn at all.
pub fn every_move(position: &Position) -> impl Iterator<Item = Move> {
    let all = squares(position);
    let promotions = [None].into_iter().chain(Role::ALL.map(Some));
    let pieces = all.clone().flat_map({
        let all = all.clone();
        move |from| {
            let promotions = promotions.clone();
            all.clone().flat_map(move |to| {
                promotions.clone().flat_map(move |promotion| {
                    [
                        Move::Piece {
                            from,
                            to,
                            promotion,
                        },
                        Move::EnPassant {
                            from,
                            to,
                            promotion,
                        },
                    ]
                })
            })
        }
    });
    let squares = promotable(position);
    let brought: Vec<Option<BoardPromotion>> =
        [None]
            .into_iter()
            .chain(squares.into_iter().flat_map(|square| {
                Role::ALL.map(move |role| Some(BoardPromotion { square, role }))
            }))
            .collect();
    let boards = AttackBoard::ALL.into_iter().flat_map(move |board| {
        let brought = brought.clone();
        Pin::all().flat_map(move |to| {
            let brought = brought.clone();
            [false, true].into_iter().flat_map(move |turned| {
                brought
                    .clone()
                    .into_iter()
                    .map(move |promotion| Move::Board {
                        board,
                        to,
                        turned,
                        promotion,
                    })
            })
        })
    });
    pieces
        .chain(CastlingSide::ALL.map(Move::Castle))
        .chain(boards)
}

/// Squares on which a board move might promote a pawn, and square 0.
fn promotable(position: &Position) -> Vec<Square> {
    let Some(layout) = position.layout() else {
        return vec![Square::new(0)];
    };
    let mut found = vec![Square::new(0)];
    for color in Color::ALL {
        for pawn in position.pieces(color, Role::Pawn) {
            match board(pawn) {
                Board::Attack(attack) => found.extend([pawn, attack.turned(pawn)]),
                Board::Main(_) if matches!(layout.column(pawn).rank(), 1 | 8) => found.push(pawn),
                Board::Main(_) => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// `is_legal` is true of exactly the moves that are listed. Asks for every move of [`every_move`], so it is slow.
///
/// # Errors
/// If it is broken.
pub fn legal_is_listed(position: &Position) -> Held {
    let mut listed = position.legal_moves();
    listed.sort_unstable();
    for m in every_move(position) {
        let legal = position.is_legal(m);
        hold(
            legal == listed.binary_search(&m).is_ok(),
            "is_legal iff listed",
            || place(position),
            || format!("{m:?}: is_legal is {legal}"),
        )?;
    }
    Ok(())
}

/// An illegal move is handed back and leaves the position as it was; a legal one played with and without the check
/// gives one position, in which the other side is to move.
///
/// # Errors
/// If it is broken.
pub fn illegal_is_refused(position: &Position, m: Move) -> Held {
    let law = "play refuses an illegal move and changes nothing, and plays a legal one";
    let at = || place(position);
    let mut played = position.clone();
    match played.play(m) {
        Err(refused) => hold(
            !position.is_legal(m) && refused.0 == m && played == *position,
            law,
            at,
            || format!("{m:?} refused as {refused:?}"),
        ),
        Ok(()) => {
            let mut unchecked = position.clone();
            unchecked.play_unchecked(m);
            hold(
                position.is_legal(m)
                    && unchecked == played
                    && played.turn() == position.turn().other(),
                law,
                at,
                || format!("{m:?}"),
            )
        }
    }
}

/// [`Position::moves_to`] gives, for every kind of piece, square of arrival and set of origins, exactly the listed moves
/// that fit.
///
/// # Errors
/// If it is broken.
pub fn moves_to_are_listed(position: &Position) -> Held {
    let mut by_target: Vec<Vec<(Role, Square, Move)>> = vec![Vec::new(); Square::CAPACITY];
    for m in position.legal_moves() {
        if let Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } = m
            && let Some(Piece { role, .. }) = position.piece_at(from)
            && let Some(found) = by_target.get_mut(to.index())
        {
            found.push((role, from, m));
        }
    }
    for list in &mut by_target {
        list.sort_unstable_by_key(|(_, _, m)| *m);
    }
    // The origins must cut the list, whichever they are.
    let some: SquareSet<3> = squares(position)
        .filter(|square| square.index() % 3 != 0)
        .collect();
    let mut out = MoveList::new();
    for (to, listed) in squares(position).zip(&by_target) {
        for role in Role::ALL {
            for origins in [SquareSet::FULL, some, !some] {
                out.clear();
                position.moves_to(role, to, origins, &mut out);
                out.sort_unstable();
                let fits = listed
                    .iter()
                    .filter(|(r, from, _)| *r == role && origins.contains(*from))
                    .map(|(_, _, m)| *m);
                hold(
                    out.iter().copied().eq(fits.clone()),
                    "moves_to are the listed moves that fit",
                    || place(position),
                    || {
                        format!(
                            "{role:?} to {to:?}: {out:?}, listed {:?}",
                            fits.collect::<Vec<_>>()
                        )
                    },
                )?;
            }
        }
    }
    Ok(())
}

/// The moves of the boards, asked for together or board by board, are the listed ones.
///
/// # Errors
/// If it is broken.
pub fn board_moves_are_listed(position: &Position) -> Held {
    boards_fit(position, &position.legal_moves())
}

pub(super) fn boards_fit(position: &Position, legal: &[Move]) -> Held {
    let mut listed = MoveList::new();
    listed.extend(legal.iter().filter(|m| matches!(m, Move::Board { .. })));
    listed.sort_unstable();
    let mut asked = MoveList::new();
    position.board_moves_into(&mut asked);
    asked.sort_unstable();
    let mut own = MoveList::new();
    for board in AttackBoard::ALL {
        own.clear();
        position.board_moves(board, &mut own);
        own.sort_unstable();
        let fits = listed
            .iter()
            .filter(|m| matches!(m, Move::Board { board: other, .. } if *other == board));
        hold(
            own.iter().eq(fits.clone()),
            "the moves of a board are the listed ones",
            || place(position),
            || format!("{board:?}: {own:?}, listed {:?}", fits.collect::<Vec<_>>()),
        )?;
    }
    hold(
        asked == listed,
        "board moves are the listed ones",
        || place(position),
        || format!("{asked:?}, listed {listed:?}"),
    )
}

/// [`Position::explain`] finds something wrong with a move exactly if it is illegal, cites an article, and the words for
/// it can be made in every notation of the family.
///
/// # Errors
/// If it is broken.
pub fn explains_what_is_illegal(position: &Position, m: Move) -> Held {
    let at = || place(position);
    let explanation = position.explain(m);
    hold(
        explanation.is_none() == position.is_legal(m),
        "explain is None iff the move is legal",
        at,
        || format!("{m:?}: {explanation:?}"),
    )?;
    let Some(explanation) = explanation else {
        return Ok(());
    };
    hold(
        explanation.attempt == m && !explanation.article.is_empty(),
        "an explanation is of the move and cites an article",
        at,
        || format!("{m:?}: {explanation:?}"),
    )?;
    for notation in notations(position) {
        let sentence = messages::explain(position, notation, &explanation);
        hold(
            sentence.len() > explanation.article.len() + 3
                && !sentence.contains('?')
                && !sentence.contains('\n'),
            "an explanation can be said in words",
            at,
            || format!("{m:?}: {sentence}"),
        )?;
    }
    Ok(())
}

/// The notations that can describe the position's board.
pub(super) fn notations(position: &Position) -> impl Iterator<Item = Notation> {
    let family = position.family();
    Notation::ALL
        .into_iter()
        .filter(move |notation| notation.family() == family)
}
