//! A table of tokens in every notation, language and program, with what they mean in words.

use super::{faults, meanings, near_tokens};
use crate::text::{Locale, Notation};
use tridex_grammar::SyntaxError;

/// Tokens and their first meaning: the words and the source.
const TABLE: [(&str, &str, &str); 46] = [
    // Meder's notation.
    (
        "Nc2W",
        "a knight moves to c2W",
        "Meder's notation, in English",
    ),
    (
        "Nxc6B+",
        "a knight captures on c6B and gives check",
        "Meder's notation, in English",
    ),
    ("b4N", "a pawn moves to b4N", "Meder's notation"),
    (
        "aWxb4W",
        "the pawn from file a of White's Board captures on b4W",
        "Meder's notation",
    ),
    (
        "axb4N",
        "the pawn from file a captures on b4N",
        "Meder's notation",
    ),
    (
        "axb4Ne.p.",
        "the pawn from file a captures en passant, arriving on b4N",
        "Meder's notation",
    ),
    (
        "N3c5N",
        "the knight from rank 3 moves to c5N",
        "Meder's notation, in English",
    ),
    (
        "NWc5N",
        "the knight from White's Board moves to c5N",
        "Meder's notation, in English",
    ),
    (
        "Nb3Wc5N",
        "the knight on b3W moves to c5N",
        "Meder's notation, in English",
    ),
    (
        "d8BQ",
        "a pawn moves to d8B and becomes a queen",
        "Meder's notation, in English",
    ),
    (
        "d8BD#",
        "a pawn moves to d8B and becomes a queen and gives checkmate",
        "Meder's notation, in German, French, Dutch, Czech, Spanish and Italian",
    ),
    ("QL3", "an attack board moves to QL3", "Meder\'s notation"),
    (
        "DP3",
        "an attack board moves to QL3",
        "Meder's notation, in German",
    ),
    (
        "KL1-KL3",
        "the attack board on KL1 moves to KL3",
        "Meder's notation",
    ),
    (
        "QL1vr",
        "the attack board on QL1v turns by 180 degrees",
        "Meder\'s notation",
    ),
    (
        "QL1-QL3r",
        "the attack board on QL1 moves to QL3 and turns by 180 degrees",
        "Meder\'s notation",
    ),
    (
        "QL4/a8BQ",
        "an attack board moves to QL4, and the pawn on a8B becomes a queen",
        "Meder's notation, in English",
    ),
    (
        "0-0",
        "the king castles on the king's side",
        "Meder's notation",
    ),
    (
        "O-O-O",
        "the king castles on the queen's side",
        "Meder's notation",
    ),
    (
        "Nd3N(=)",
        "a knight moves to d3N; a draw is offered",
        "Meder's notation, in English",
    ),
    (
        "Rd0KL1",
        "a rook moves to d0KL1",
        "Meder's notation, in English",
    ),
    // The letters of the other languages.
    (
        "Sd4W",
        "a knight moves to d4W",
        "Meder's notation, in German",
    ),
    ("a6S", "a pawn moves to a6B", "Meder's notation, in German"),
    (
        "Dd4W",
        "a queen moves to d4W",
        "Meder's notation, in German, French, Dutch, Czech, Spanish and Italian",
    ),
    (
        "Fd4W",
        "a bishop moves to d4W",
        "Meder's notation, in French",
    ),
    (
        "Cd4W",
        "a knight moves to d4W",
        "Meder's notation, in French, Spanish and Italian",
    ),
    (
        "Ld4W",
        "a bishop moves to d4W",
        "Meder's notation, in German and Dutch",
    ),
    (
        "Jd4W",
        "a knight moves to d4W",
        "Meder's notation, in Czech",
    ),
    ("Vd4W", "a rook moves to d4W", "Meder's notation, in Czech"),
    (
        "Ad4W",
        "a bishop moves to d4W",
        "Meder's notation, in Spanish and Italian",
    ),
    ("♘d4W", "a knight moves to d4W", "Meder's notation"),
    // The manual's notation.
    (
        "b3,WB-b5,NB",
        "the piece on b3,WB moves to b5,NB",
        "the manual's notation",
    ),
    (
        "b3,WBxc4,NB",
        "the piece on b3,WB captures on c4,NB",
        "the manual's notation",
    ),
    (
        "QP1-QP3",
        "the attack board on QP1 moves to QP3",
        "the manual's notation",
    ),
    (
        "QP1r",
        "the attack board on QP1 turns by 180 degrees in place",
        "the manual's notation",
    ),
    (
        "b8,BB-b9,BB=Q",
        "the piece on b8,BB moves to b9,BB and becomes a queen",
        "the manual's notation, in English",
    ),
    // Millennium's and Chess3's notations.
    (
        "N2b3",
        "a knight moves to 2b3",
        "Millennium's notation, in English",
    ),
    (
        "Nx3b7+",
        "a knight captures on 3b7 and gives check",
        "Millennium's notation, in English",
    ),
    (
        "ex2d5",
        "the pawn from file e captures on 2d5",
        "Millennium's notation",
    ),
    (
        "3e8=Q",
        "a pawn moves to 3e8 and becomes a queen",
        "Millennium's notation, in English",
    ),
    ("1e4", "a pawn moves to 1e4", "Millennium's notation"),
    (
        "1B2-1B4",
        "the piece on 1B2 moves to 1B4",
        "Chess3's notation",
    ),
    (
        "1A7-1A8=D",
        "the piece on 1A7 moves to 1A8 and becomes a queen",
        "Chess3's notation, in German, French, Dutch, Czech, Spanish and Italian",
    ),
    // Programs.
    (
        "e3_1-e4_3",
        "the piece on d2W moves to d3N",
        "as tridchessboard.js writes it",
    ),
    (
        "N-b9F-c7F",
        "the knight on a8B moves to b6B",
        "as Web TriD writes it",
    ),
    (
        "Q/KL5-KL6",
        "the attack board on KL5 moves to KL6, and the pawn becomes a queen",
        "Meder\'s notation, in English",
    ),
];

#[test]
fn the_table_holds() {
    let mut wrong = Vec::new();
    for (token, words, source) in TABLE {
        let found = meanings(token.as_bytes(), &Notation::ALL, None);
        let found = found
            .first()
            .map(|meaning| (meaning.words(), meaning.source()));
        if found != Some((words.to_owned(), source.to_owned())) {
            wrong.push((token, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every language of every notation with letters has a token in the table's manner: its own letters give the words of
/// the English ones.
#[test]
fn every_language_reads_its_own_letters() {
    let english = meanings(b"Nc2W", &[Notation::Meder], Some(Locale::English));
    for locale in Locale::ALL {
        let letter = char::from(locale.letters()[1]);
        for (notation, rest) in [(Notation::Meder, "c2W"), (Notation::Millennium, "2b3")] {
            let token = format!("{letter}{rest}");
            let found = meanings(token.as_bytes(), &[notation], Some(locale));
            assert_eq!(found.len(), 1, "{token} {locale}");
            assert!(
                found[0].words().starts_with("a knight moves to "),
                "{token} {locale}"
            );
        }
    }
    assert_eq!(english[0].words(), "a knight moves to c2W");
}

#[test]
fn a_token_may_have_several_meanings() {
    let found = meanings(b"Rd0KL1", &Notation::ALL, None);
    let found: Vec<_> = found.iter().map(|m| (m.words(), m.source())).collect();
    let expected = [
        ("a rook moves to d0KL1", "Meder's notation, in English"),
        (
            "a king moves to d0KL1",
            "Meder's notation, in French, Spanish and Italian",
        ),
    ];
    assert_eq!(
        found,
        expected.map(|(words, source)| (words.to_owned(), source.to_owned()))
    );
    // A language leaves one meaning, and programs are read only with all notations.
    assert_eq!(
        meanings(b"Rd0KL1", &Notation::ALL, Some(Locale::French)).len(),
        1
    );
    assert!(meanings(b"e3_1-e4_3", &[Notation::Meder], None).is_empty());
}

#[test]
fn names_are_explained() {
    let named = |token: &str| {
        let found = meanings(token.as_bytes(), &Notation::ALL, None);
        let named = found[0].named().into_iter();
        named
            .map(|named| format!("{}: {}", named.name, named.words))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        named("Nc2W"),
        ["c2W: file c, rank 2, on White's Board (the lowest)"]
    );
    assert_eq!(
        named("e1,KL-e2,BB"),
        [
            "e1,KL: file e, rank 1, on KL, White's attack board of the king's side",
            "KL: with this square it is on pin KP1 or KP2",
            "e2,BB: file e, rank 2, on Black's Board (the highest)",
        ]
    );
    assert_eq!(
        named("QP1-QP3"),
        [
            "QP1: the pin below b2,WB, a corner of White's Board",
            "QP3: the pin below b5,WB, a corner of White's Board",
        ]
    );
    assert_eq!(named("N2b3"), ["2b3: file b, rank 3, on level 2"]);
    assert_eq!(
        named("Nb3"),
        [
            "b3: file b, rank 3, on a level that is not written",
            "spelling: the level of a square is omitted; the position decides"
        ]
    );
}

#[test]
fn squares_that_cannot_exist_are_noticed() {
    let missing = |token: &str| {
        let found = meanings(token.as_bytes(), &Notation::ALL, None);
        found[0].missing_square()
    };
    assert_eq!(missing("Nc2W"), None);
    assert_eq!(
        missing("Rd5KL1").as_deref(),
        Some("there is no square d5KL1: the attack board on KL1 covers d0, e0, d1 and e1")
    );
    assert_eq!(
        missing("e2,BB-e3,BB").as_deref(),
        Some("there is no square e2,BB: Black's Board has the files b to e and the ranks 6 to 9")
    );
    assert_eq!(
        missing("c1,KL-c2,WB").as_deref(),
        Some("there is no square c1,KL: no attack board can cover c1")
    );
}

#[test]
fn what_is_no_move_has_a_place_and_neighbours() {
    let found = faults(b"Nc2Y", &Notation::ALL, None);
    let of = |notation| {
        found
            .iter()
            .find(|(other, _)| *other == notation)
            .unwrap()
            .1
    };
    assert_eq!(of(Notation::Meder).offset, 3);
    let SyntaxError {
        offset, expected, ..
    } = of(Notation::Chess3);
    assert_eq!((offset, expected.is_empty()), (3, false));
    let near = |token: &str| {
        let near = near_tokens(token.as_bytes(), &Notation::ALL, None);
        near.into_iter().map(|near| near.token).collect::<Vec<_>>()
    };
    assert_eq!(near("Nb3Y"), ["Nb3W", "Nb3N"]);
    assert!(near("Nc2WW").contains(&"Nc2W".to_owned()));
    assert!(near("b3,WBb5,NB").contains(&"b3,WB-b5,NB".to_owned()));
    // A scanner's slip comes first.
    assert_eq!(near("IB2-IB4")[0], "1B2-1B4");
    assert!(near("").len() <= super::NEAR_TOKENS);
    assert!(near("completely different").is_empty());
    assert!(near(&"x".repeat(500)).is_empty());
}

/// No input makes it panic.
#[test]
fn any_bytes_are_explained() {
    for token in [
        &b""[..],
        b"\xff\xfe",
        b"\xe2\x99",
        "é€𝄞".as_bytes(),
        b"Nc2W\0",
        b"     ",
    ] {
        for meaning in meanings(token, &Notation::ALL, None) {
            assert!(!meaning.words().is_empty());
        }
        let _ = faults(token, &Notation::ALL, None);
        let _ = near_tokens(token, &Notation::ALL, None);
    }
}
