//! What a viewer needs to try out moves: the legal moves of a position, and a line of moves as a game.

use crate::OutputStyle;
use crate::game::{PageGame, spelled};
use serde::Serialize;
use std::collections::BTreeMap;
use tridex_geometry::Square;
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::{Fen, Notation, WrongFamily};
use tridex_rules::{Move, Position};
use tridex_tree::GameTree;

/// Where a move begins or ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Spot {
    /// The index of a square.
    Square(u8),
    /// A board or a pin, as position strings name them.
    Name(String),
}

impl From<Square> for Spot {
    fn from(square: Square) -> Self {
        Self::Square(square.index() as u8)
    }
}

/// A legal move, as `engine.legalMoves` of the [script](crate::SCRIPT) returns it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LegalMove {
    /// The move in the notation of its rules.
    #[serde(rename = "move")]
    pub written: String,
    /// The move in every notation of the board, by the notations' names.
    pub words: BTreeMap<&'static str, String>,
    /// Where the move begins: a square, or the attack board that moves (`"QL"`). For castling it is the king's square.
    pub from: Spot,
    /// Where the move ends: a square, or the pin of the board (`"Q3"`). For castling it is the king's new square.
    pub to: Spot,
}

/// The legal moves of a position.
#[must_use]
pub fn legal_moves(position: &Position) -> Vec<LegalMove> {
    let legal_move = |played: Move| {
        let mut after = position.clone();
        after.play_unchecked(played);
        let written = |notation| spelled(&OutputStyle::of(notation), position, played, &after);
        let (from, to) = match played {
            Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                (from.into(), to.into())
            }
            // Never a legal move.
            Move::Pass => (
                position.king(position.turn()).into(),
                position.king(position.turn()).into(),
            ),
            Move::Castle(_) => {
                let king = |position: &Position, color| position.king(color).into();
                (
                    king(position, position.turn()),
                    king(&after, position.turn()),
                )
            }
            Move::Board { board, to, .. } => (
                Spot::Name(manual_board(board).to_owned()),
                Spot::Name(pin_in_strings(to)),
            ),
        };
        let notations = Notation::ALL.into_iter();
        LegalMove {
            written: written(Notation::of(position.rules())),
            words: notations
                .filter(|notation| notation.family() == position.family())
                .map(|notation| (notation.name(), written(notation)))
                .collect(),
            from,
            to,
        }
    };
    position.legal_moves().into_iter().map(legal_move).collect()
}

impl PageGame {
    /// Makes a game of legal moves from a position, such as a line that a reader tries out. It ends before the first
    /// move that is not legal. [`viewer_data`](crate::viewer_data) of this game is what `engine.play` of the
    /// [script](crate::SCRIPT) returns.
    ///
    /// # Errors
    /// If the notation cannot describe the board of the position.
    pub fn of_line(
        start: &Position,
        moves: &[Move],
        spelling: OutputStyle,
    ) -> Result<Self, WrongFamily> {
        let own = Notation::of(start.rules());
        let mut tree = GameTree::from_position(start.clone());
        let fen = Fen::of(start).to_string();
        for (name, value) in [
            ("Variant", start.rules().name()),
            ("Notation", own.name()),
            ("SetUp", "1"),
            ("FEN", &fen),
        ] {
            tree.set_tag(name, value);
        }
        let mut at = tree.root();
        for played in moves {
            let Ok(next) = tree.play(at, *played) else {
                break;
            };
            at = next;
        }
        Self::of_tree(&tree, own, spelling)
    }
}
