//! Properties of moves: all functions that return legal moves agree.

use super::{Held, Law, place};
use crate::messages;
use crate::resolve::preference;
use crate::text::{BoardPattern, Coordinates, Departure, MovePattern, Notation, PiecePattern};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Board, Pin, board};
use tridex_rules::{
    BoardPromotion, CastlingSide, Color, FoundMove, Move, MoveList, Piece, Position, Role,
    WrittenMove,
};

/// All squares of the position's board family.
pub(super) fn squares(position: &Position) -> impl Iterator<Item = Square> + Clone + use<> {
    let count = u8::try_from(position.family().squares()).unwrap_or(u8::MAX);
    (0..count).filter_map(Square::try_new)
}

/// Every move of a position that can be represented, legal or not: from every square to every square with every
/// promotion, also en passant; castling; and every board to every pin, turned or not. The promotions of a board move
/// are those of pawns close to the last ranks, turned or not, and promotions on one arbitrary square.
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

/// The squares on which a board move might promote a pawn, and square 0.
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

/// `is_legal` is true for exactly the listed moves. Checks every move of [`every_move`], so it is slow.
///
/// # Errors
/// If the property does not hold.
pub fn legal_is_listed(position: &Position) -> Held {
    let at = || place(position);
    let mut listed = position.legal_moves();
    listed.sort_unstable();
    for m in every_move(position) {
        let legal = position.is_legal(m);
        Law("is_legal iff listed", at)
            .holds(legal == listed.binary_search(&m).is_ok(), &(&m, &legal))?;
    }
    Ok(())
}

/// An illegal move is returned as an error and does not change the position. Playing a legal move with and without the
/// check of legality gives the same position, in which the other side is to move.
///
/// # Errors
/// If the property does not hold.
pub fn illegal_is_refused(position: &Position, m: Move) -> Held {
    let at = || place(position);
    let law = "play refuses an illegal move and changes nothing, and plays a legal one";
    let mut played = position.clone();
    match played.play(m) {
        Err(refused) => Law(law, at).holds(
            !position.is_legal(m) && refused.0 == m && played == *position,
            &(&m, &refused),
        )?,
        Ok(()) => {
            let mut unchecked = position.clone();
            unchecked.play_unchecked(m);
            Law(law, at).holds(
                position.is_legal(m)
                    && unchecked == played
                    && played.turn() == position.turn().other(),
                &m,
            )?;
        }
    }
    Ok(())
}

/// For every kind of piece, every square of arrival, and no or one written part of the square of departure,
/// [`Position::moves_like`] returns exactly the listed moves that fit, and [`Position::find`] returns whether there is
/// exactly one.
///
/// # Errors
/// If the property does not hold.
pub fn moves_to_are_listed(position: &Position) -> Held {
    let at = || place(position);
    let mut legal = position.legal_moves();
    legal.sort_unstable();
    let mut by_target: Vec<Vec<(Role, Square, Move)>> = vec![Vec::new(); Square::CAPACITY];
    for m in legal {
        if let Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } = m
            && let Some(Piece { role, .. }) = position.piece_at(from)
            && let Some(found) = by_target.get_mut(to.index())
        {
            found.push((role, from, m));
        }
    }
    let layout = position.layout();
    for index in 0..position.family().squares() {
        let Some(to) = Square::try_new(index as u8) else {
            continue;
        };
        let listed = by_target.get(index).map_or(&[][..], Vec::as_slice);
        let Coordinates { file, rank, level } = Coordinates::of(to, layout);
        let parts = [
            (None, None, None),
            (Some(file), None, None),
            (None, Some(rank), None),
            (None, None, level),
        ];
        for role in Role::ALL {
            for (file, rank, on) in parts {
                let from = Departure {
                    file,
                    rank,
                    level: on,
                };
                let pattern = MovePattern::Piece(PiecePattern {
                    role: Some(role),
                    from,
                    to: Coordinates::of(to, layout),
                    promotion: None,
                });
                let mut out = position.moves_like(&pattern);
                out.sort_unstable();
                let origins = from.squares(layout);
                let mut fits: MoveList = listed
                    .iter()
                    .filter(|(r, from, _)| *r == role && origins.contains(*from))
                    .map(|(_, _, m)| *m)
                    .collect();
                unpromoted_first(&mut fits);
                let found = || format!("{pattern:?}: {out:?}, listed {fits:?}");
                Law("moves_like are the listed moves that fit", at).holds(out == fits, &found())?;
                for captures in [false, true] {
                    let mut taking = fits.iter().filter(|m| position.is_capture(**m) == captures);
                    let expected = match (taking.next(), taking.next()) {
                        (None, _) => FoundMove::None,
                        (Some(m), None) => FoundMove::One(*m),
                        _ => FoundMove::Many,
                    };
                    let is = position.find(&WrittenMove::new(pattern, captures));
                    Law("find is what is listed", at).holds(is == expected, &(&pattern, &is))?;
                }
            }
        }
    }
    Ok(())
}

/// The moves of the attack boards, searched by pin of arrival or by both pins, are the listed ones.
///
/// # Errors
/// If the property does not hold.
pub fn board_moves_are_listed(position: &Position) -> Held {
    boards_fit(position, &position.legal_moves())
}

pub(super) fn boards_fit(position: &Position, legal: &[Move]) -> Held {
    let at = || place(position);
    let mut listed = MoveList::new();
    listed.extend(legal.iter().filter(|m| matches!(m, Move::Board { .. })));
    listed.sort_unstable();
    for to in Pin::all() {
        let standing = |pin: &Pin| {
            position
                .layout()
                .is_some_and(|l| l.board_on(*pin).is_some())
        };
        for from in Pin::all().filter(standing).map(Some).chain([None]) {
            for turned in [false, true] {
                let pattern = BoardPattern {
                    from,
                    to,
                    either_surface: false,
                    turned,
                    promotion: None,
                };
                let mut generated = position.moves_like(&MovePattern::Board(pattern));
                generated.sort_unstable();
                let mut fits = listed.clone();
                fits.retain(|m| matches!(*m, Move::Board { board, to: pin, turned: turn, .. }
                    if (pin, turn) == (to, turned)
                        && from.is_none_or(|from| position.layout().map(|l| l.pin(board)) == Some(from))));
                unpromoted_first(&mut fits);
                Law("the moves of a board are the listed ones", at)
                    .holds(generated == fits, &(&pattern, &generated, &fits))?;
            }
        }
    }
    Ok(())
}

/// Keeps the moves that fit if no promotion is written: a promotion only if the same move without one is not legal.
fn unpromoted_first(moves: &mut MoveList) {
    let way = |m: &Move| preference(*m).0;
    let plain: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|m| m.promotion().is_none())
        .collect();
    moves.retain(|m| m.promotion().is_none() || !plain.contains(&way(m)));
}

/// [`Position::explain`] returns an explanation exactly if a move is illegal. The explanation cites an article and can
/// be written in every notation of the family.
///
/// # Errors
/// If the property does not hold.
pub fn explains_what_is_illegal(position: &Position, m: Move) -> Held {
    let at = || place(position);
    let explanation = position.explain(m);
    Law("explain is None iff the move is legal", at).holds(
        explanation.is_none() == position.is_legal(m),
        &(&m, &explanation),
    )?;
    let Some(explanation) = explanation else {
        return Ok(());
    };
    Law("an explanation is of the move and cites an article", at).holds(
        explanation.attempt == m && !explanation.article.is_empty(),
        &(&m, &explanation),
    )?;
    for notation in notations(position) {
        let sentence = messages::explain(position, notation, &explanation);
        Law("an explanation has a sentence", at).holds(
            sentence.len() > explanation.article.len() + 3
                && !sentence.contains(['?', '\n', '{'])
                && !sentence.starts_with("the move may not"),
            &(&m, &sentence),
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
