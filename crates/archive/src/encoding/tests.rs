use super::*;

/// Returns a limited number of bytes at a time, and may fail at the end.
struct Slow<'a>(&'a [u8], usize, bool);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() && self.2 {
            return Err(io::Error::other("broken"));
        }
        let most = self.1.min(buffer.len());
        self.0.read(buffer.get_mut(..most).unwrap_or_default())
    }
}

/// The encoding and the language that are named.
type Named = (Option<Encoding>, Option<&'static str>);

const UNNAMED: Named = (None, None);

fn named(encoding: &str) -> Named {
    (Some(Encoding::from_name(encoding).unwrap()), None)
}

/// The text of some bytes, and its notices: the same for all sizes of reads.
fn read(bytes: &[u8], (encoding, language): Named) -> (Vec<u8>, Vec<Notice>) {
    let mut all = [(1, 1), (1, 7), (3, 100), (1000, 2), (1 << 20, 1 << 20)].map(|(come, taken)| {
        let mut text = Utf8::new(Slow(bytes, come, false), encoding, language, None);
        let mut out = Vec::new();
        while !text.fill(taken).is_empty() {
            let read = text.text.len().min(taken);
            out.extend(text.text.drain(..read));
        }
        assert!(text.failed.is_none());
        assert_eq!(text.end == 0, out.is_empty());
        (out, text.notices(u64::MAX))
    });
    for other in &all[1..] {
        assert_eq!(*other, all[0], "{}", bytes.escape_ascii());
    }
    std::mem::take(&mut all[0])
}

fn guessed(bytes: &[u8]) -> (Vec<u8>, Option<(&'static str, bool)>) {
    let (text, notices) = read(bytes, UNNAMED);
    let guess = match notices[..] {
        [] => None,
        [
            Notice {
                kind: NoticeKind::Guessed(guess),
                ..
            },
        ] => Some((guess.encoding.name(), guess.is_sure)),
        _ => panic!("{notices:?}"),
    };
    (text, guess)
}

#[test]
fn what_is_utf_8_goes_through_and_nothing_is_said() {
    let long = "Karel Čapek – ♘ 羽生 ".repeat(9_000);
    for text in ["", "1. b4N b5B *\n", "\u{feff}č", "č", &long] {
        let (out, notices) = read(text.as_bytes(), UNNAMED);
        assert_eq!(String::from_utf8(out).unwrap(), text);
        assert_eq!(notices, []);
    }
}

#[test]
fn utf_8_with_damage_stays_as_it_is() {
    let good = "Karel Čapek ".repeat(4_000);
    for (text, at) in [
        ([b"Caf\xe9 ", good.as_bytes()].concat(), 3),
        ([good.as_bytes(), b"Caf\xe9"].concat(), good.len() + 3),
        // The end of a character is missing.
        ([good.as_bytes(), b"\xe2\x99"].concat(), good.len()),
    ] {
        let (out, notices) = read(&text, UNNAMED);
        assert_eq!(out, text);
        let [notice] = notices[..] else {
            panic!("{notices:?}");
        };
        assert_eq!(notice.at, at as u64);
        let kind = NoticeKind::Guessed(Guess {
            encoding: Encoding::UTF_8,
            is_sure: true,
        });
        assert_eq!(notice.kind, kind);
    }
}

#[test]
fn a_guess_needs_letters() {
    let czech = "[White \"Karel Čapek\"]\n[Black \"Jiří Dvořák\"]\n".repeat(9);
    let (bytes, ..) = encoding_rs::WINDOWS_1250.encode(&czech);
    let (text, guess) = guessed(&bytes);
    assert_eq!(String::from_utf8(text).unwrap(), czech);
    assert_eq!(guess, Some(("windows-1250", true)));
    // One name is not enough to be sure, and damage in a long text does not decide the encoding of the rest.
    let one = guessed(b"[White \"Ji\xf8\xed Dvo\xf8\xe1k\"]\n");
    assert_eq!(one.1, Some(("windows-1250", false)));
    let rest = "1. b4N b5B 2. c3W a6N\n".repeat(9_000);
    let long = [b"Ji\xf8\xed Dvo\xf8\xe1k\n", rest.as_bytes()].concat();
    assert_eq!(guessed(&long), (long, Some(("windows-1252", false))));
    // Signs and single letters do not suggest another alphabet, or two bytes for each character.
    for text in [
        &b"e4\xa0e5 {gr\xfc\xdfe} \xbd-\xbd"[..],
        b"1. b4N \xbd-\xbd",
        b"\xff",
        b"\x80\x81",
    ] {
        let (same, guess) = guessed(text);
        assert_eq!((&same[..], guess), (text, Some(("windows-1252", false))));
    }
}

#[test]
fn few_letters_are_read_by_the_language() {
    // Karel Čapek, of which one letter is beyond ASCII.
    let name = b"[White \"Karel \xc8apek\"]\n".to_vec();
    let tagged = [&name[..], b"[Locale \"cs\"]\n"].concat();
    assert_eq!(guessed(&name).1, Some(("windows-1252", false)));
    assert_eq!(guessed(&tagged).1, Some(("windows-1250", false)));
    let (text, _) = read(&name, (None, Some("cs")));
    assert_eq!(text, "[White \"Karel Čapek\"]\n".as_bytes());
}

#[test]
fn a_mark_or_a_name_leaves_nothing_to_guess() {
    let text = "no;white\n1;b4N € \u{1f600} č";
    for big in [false, true] {
        let unit = |unit: u16| match big {
            true => unit.to_be_bytes(),
            false => unit.to_le_bytes(),
        };
        let bare: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        let marked = [&unit(0xfeff)[..], &bare].concat();
        assert_eq!(read(&marked, UNNAMED), (text.into(), vec![]));
        // The byte order mark overrides the named encoding.
        assert_eq!(read(&marked, named("koi8-r")), (text.into(), vec![]));
        let name = if big { "utf-16be" } else { "utf-16le" };
        assert_eq!(read(&bare, named(name)), (text.into(), vec![]));
    }
    let latin2 = b"Dvo\xf8\xe1k \xbe";
    let latin = read(latin2, named("latin2"));
    assert_eq!(latin, ("Dvořák ž".into(), vec![]));
    let (out, notices) = read(latin2, named("utf-8"));
    assert_eq!((&out[..], notices.len()), (&latin2[..], 1));
    let (out, _) = read(b"\xef\xbb\xbf\xc4\x8d", named("latin2"));
    assert_eq!(out, "\u{feff}č".as_bytes());
}

#[test]
fn what_is_no_character_is_replaced_and_reported_once() {
    let halves = [0xff, 0xfe, b'a', 0, 0x3d, 0xd8, b'b', 0, 0x00, 0xdc, 7];
    let (out, notices) = read(&halves, UNNAMED);
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "a\u{fffd}b\u{fffd}\u{fffd}"
    );
    let kind = NoticeKind::Unmapped(Encoding::from_name("utf-16le").unwrap());
    assert_eq!(notices, [Notice { at: 1, kind }]);
}

#[test]
fn runs_of_zeros_are_reported_where_they_begin() {
    let zeros = |n| vec![0; n];
    let text = [
        &b"1. b4N *\n"[..],
        &zeros(7),
        b"x",
        &zeros(8),
        b"y",
        &zeros(70_000),
    ]
    .concat();
    let (out, notices) = read(&text, UNNAMED);
    assert_eq!(out, text);
    let places: Vec<u64> = notices.iter().map(|notice| notice.at).collect();
    assert_eq!(places, [17, 26]);
    assert!(
        notices
            .iter()
            .all(|notice| notice.kind == NoticeKind::Zeros)
    );
}

#[test]
fn what_came_before_a_failure_is_there() {
    for (bytes, text) in [
        (&b"1. b4N"[..], "1. b4N"),
        (b"Ji\xf8\xed Dvo\xf8\xe1k", "Jiří Dvořák"),
    ] {
        let mut reader = Utf8::new(Slow(bytes, 5, true), None, None, None);
        assert_eq!(reader.fill(1 << 20), text.as_bytes());
        assert_eq!(reader.failed.unwrap().to_string(), "broken");
    }
}

#[test]
fn every_name_is_one() {
    for name in Encoding::names() {
        let encoding = Encoding::from_name(name).unwrap();
        assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
        assert!(encoding.name().eq_ignore_ascii_case(name), "{name}");
    }
    assert_eq!(Encoding::from_name("windows-125O"), None);
}

#[test]
fn text_of_several_chunks_is_passed_on_whole() {
    // The ends of chunks are inside letters, between them, and after the last.
    for before in 0..3 {
        for len in [CHUNK, 3 * CHUNK, 3 * CHUNK + 7] {
            let mut text = "x".repeat(before) + &"€".repeat((len - before) / 3);
            text += &"y".repeat(len - text.len());
            let (read, notices) = read(text.as_bytes(), UNNAMED);
            assert!(read == text.as_bytes(), "{before} {len}");
            assert!(notices.is_empty(), "{before} {len}");
        }
    }
}
