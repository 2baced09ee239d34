//! What the tests of this crate share: positions from short texts, random games.

use crate::parse;
use crate::resolve::resolve;
use crate::text::{MovePattern, Notation};
use tridex_geometry::stair::{Corner, Layout, Pin, Surface};
use tridex_geometry::{Square, Wing};
use tridex_rules::random::Dice;
use tridex_rules::{Color, Move, Piece, Position, RuleSystem, Setup};

/// A stair setup from the pins of `QL KL ql kl` in Meder's words and pieces such as `Nb3W`, small letters for Black. Move
/// 10, White's turn.
pub(crate) fn setup(pins: &str, pieces: &str) -> Setup {
    let pins: Vec<Pin> = pins
        .split_whitespace()
        .map(|word| {
            let word = word.as_bytes();
            let wing = if word[0] == b'Q' {
                Wing::Queen
            } else {
                Wing::King
            };
            let surface = if word.last() == Some(&b'v') {
                Surface::Under
            } else {
                Surface::Over
            };
            Pin::new(wing, Corner::new(word[1] - b'0'), surface)
        })
        .collect();
    let layout = Layout::try_new(pins.try_into().expect("four pins")).expect("different pins");
    let mut setup = Setup::empty(Some(layout));
    for man in pieces.split_whitespace() {
        let piece = Piece::from_letter(man.as_bytes()[0] as char).expect("a piece");
        setup.set_piece(square(&layout, &man[1..]), Some(piece));
    }
    setup.fullmoves = 10;
    setup
}

/// The square of Meder's name.
pub(crate) fn square(layout: &Layout, name: &str) -> Square {
    let text = parse(Notation::Meder, name.as_bytes(), None).expect(name);
    let MovePattern::Piece(piece) = *text.pattern() else {
        panic!("{name} is no square");
    };
    piece.to.squares(Some(layout)).first().expect(name)
}

/// A position from the words of [`setup`], for the side to move.
pub(crate) fn position(rules: RuleSystem, turn: Color, pins: &str, pieces: &str) -> Position {
    let mut setup = setup(pins, pieces);
    setup.turn = turn;
    Position::from_setup(rules, &setup).unwrap_or_else(|e| panic!("{pieces}: {e}"))
}

/// The move of a token, in Meder's notation.
pub(crate) fn meder_move(position: &Position, token: &str) -> Move {
    let text =
        parse(Notation::Meder, token.as_bytes(), None).unwrap_or_else(|e| panic!("{token}: {e:?}"));
    resolve(&text, position).unwrap_or_else(|e| panic!("{token}: {e}"))
}

/// Random indices, the same from the same seed.
pub(crate) struct Random(Dice);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Dice::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_number()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Plays random games and shows every position with its legal moves. Board moves, captures and promotions are preferred
/// at times, for they are rare otherwise.
pub(crate) fn random_games(
    rules: RuleSystem,
    games: u64,
    plies: usize,
    mut show: impl FnMut(&Position, &[Move]),
) {
    for seed in 0..games {
        let mut random = Random::new(seed * 1_000_003 + rules as u64);
        let mut position = Position::start(rules);
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            show(&position, &moves);
            let rare: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    mv.promotion().is_some()
                        || matches!(
                            mv,
                            Move::Board { .. } | Move::EnPassant { .. } | Move::Castle(_)
                        )
                })
                .collect();
            let choice = if !rare.is_empty() && random.below(3) == 0 {
                &rare
            } else {
                &moves
            };
            position.play_unchecked(choice[random.below(choice.len())]);
        }
    }
}
