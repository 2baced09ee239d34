//! The reader of records knows no notation: a move in an invented notation is reported unchanged, like all others.

use tridex_archive::{GameResult, Item, Limits, TokenId, Visitor, pgn};

/// The events of a game.
#[derive(Default, Debug, PartialEq, Eq)]
struct Events {
    moves: Vec<String>,
    others: Vec<String>,
}

impl Visitor for Events {
    fn move_token(&mut self, token: &[u8], _at: u64, _id: TokenId) {
        self.moves.push(String::from_utf8_lossy(token).into_owned());
    }

    fn move_number(&mut self, number: &[u8], _at: u64, _half_moves: u32) {
        self.others
            .push(String::from_utf8_lossy(number).into_owned());
    }

    fn item(&mut self, item: Item<&[u8]>, _at: u64) {
        let item = item.map(|text| String::from_utf8_lossy(text));
        self.others.push(match item {
            Item::Comment(text) => format!("{{{text}}}"),
            Item::Word(mark) => mark.into_owned(),
            Item::Nag(nag) => format!("${nag}"),
            Item::VariationStart => "(".to_owned(),
            Item::VariationEnd => ")".to_owned(),
            _ => return,
        });
    }

    fn result(&mut self, result: GameResult, _at: u64) {
        self.others.push(result.to_string());
    }
}

fn read(text: &str) -> Events {
    let mut events = Events::default();
    pgn::read_games(text.as_bytes(), 0, &Limits::default(), &mut events);
    events
}

/// Six moves in each of the notations, and in four that do not exist.
const HANDS: [[&str; 6]; 9] = [
    ["b4N", "Nc5B", "c3xd4W", "QL1-QL6", "0-0", "z9QL6Q#"],
    ["P4b2-b3", "N3b1xd5", "B-QL3", "K2c2", "0-0-0", "b8(Q)"],
    ["b2/2-b3/3", "KL1:4", "Nc4,NB", "a3(QL1)", "O-O", "d8B=Q+"],
    ["1B2-1B4", "5Na1x3b2", "Kg6", "7h8Q", "o-o", "2E7e.p."],
    ["Kt3.4", "P2-3b", "R4c1xd1", "1P2", "00", "8Rh8+"],
    ["w77K", "v13:u9", "@x5", "T0^2", "J_4", "q2~q3!"],
    [
        "\u{3b1}m2",
        "\u{416}j8",
        "k\u{df}3",
        "hh1",
        "\u{2603}w6",
        "y9y9y9",
    ],
    ["left12", "up3:down4", "k'2", "s/m8", "i1i", "t&t7"],
    ["1zz2z", "3\u{2655}k5", "9yy9", "4m1", "u\u{d7}u1", "l1l"],
];

#[test]
fn a_game_in_a_notation_that_does_not_exist_is_read_like_one_in_another() {
    let game = |[a, b, c, d, e, f]: [&str; 6]| {
        format!(
            "[Event \"x\"]\n\n1. {a} {b} {{why}} 2. {c} $2 ({c} {d} 3. {e}) 2... {d} + ; so\n3. {e} {f} 1-0\n"
        )
    };
    let usual = read(&game(HANDS[0]));
    for hand in HANDS {
        let [a, b, c, d, e, f] = hand;
        let events = read(&game(hand));
        assert_eq!(events.moves, [a, b, c, c, d, e, d, e, f], "{hand:?}");
        assert_eq!(events.others, usual.others, "{hand:?}");
        let plain = read(&format!("{a} {b}\n{c} {d}\n{e} {f}\n"));
        assert_eq!(plain.moves, hand);
        assert!(plain.others.is_empty(), "{hand:?}");
    }
}
