//! The sample game of Meder's rules.

use super::*;

const RULES: RuleSystem = RuleSystem::Meder;

/// A square by Article E3: attack boards by their pin.
fn meder_name(setup: &Setup, at: Square) -> String {
    let name = name(setup, at);
    let Board::Attack(board) = board(at) else {
        return name;
    };
    let pin = setup.layout.unwrap().pin(board);
    let wing = if pin.wing() == Wing::Queen {
        "QL"
    } else {
        "KL"
    };
    format!("{}{wing}{}", &name[..2], pin.corner().number())
}

/// Whether a move is meant by a token of the sample game.
fn fits(setup: &Setup, mv: Move, token: &str) -> bool {
    let Move::Piece { from, to, .. } = mv else {
        return token == "0-0" && mv == Move::Castle(CastlingSide::King);
    };
    let role = setup.piece(from).unwrap().role;
    let (front, square) = match token.split_once('x') {
        Some(parts) => parts,
        None => token.split_at(usize::from(
            token.starts_with(|c: char| c.is_ascii_uppercase()),
        )),
    };
    let from_fits = if role == Role::Pawn {
        front.is_empty() || name(setup, from).starts_with(front)
    } else {
        front.starts_with(role.letter())
    };
    from_fits && meder_name(setup, to) == square && token.contains('x') == setup.piece(to).is_some()
}

#[test]
fn the_sample_game_has_two_readings_that_meet() {
    // "a6S" is the German for a6B.
    let tokens = "b4N b5B c3W a6N Nc2W c6B a3N a6B a3W Bd6N Ba2W Nc7B Qb1W Qb8B Nb2W Ra9QL6 \
                  Ra0QL1 0-0 Ra1W Nb7B Nd4W a5B Nd3N d6B Nxc6B Qa8B Na5N Nxa5N bxa5N a4W Nb4N \
                  a5B Nd3N";
    let mut readings = vec![start(RULES)];
    for token in tokens.split_whitespace() {
        let mut next = Vec::new();
        for setup in &readings {
            for mv in legal_moves(RULES, setup) {
                if fits(setup, mv, token) {
                    next.push(play(RULES, setup, mv));
                }
            }
        }
        assert!(!next.is_empty(), "{token}");
        readings = next;
    }
    assert_eq!(readings.len(), 2);
    assert_eq!(readings[0], readings[1]);
}
