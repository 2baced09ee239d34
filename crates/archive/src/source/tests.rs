use super::*;
use std::io::Write;

const GAMES: &str = "[Event \"a\"]\n\n1. b4N b5B 1-0\n\n[Event \"b\"]\n\n1. c4N *\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 3).unwrap()
}

/// The content of a source with these bytes, and its error.
fn unfold(bytes: Vec<u8>, options: &OpenOptions) -> (Vec<u8>, u32, Option<SourceError>) {
    let source = Source::File(PathBuf::from("x.pgn"));
    let input = match source.open_reader(Box::new(io::Cursor::new(bytes)), options) {
        Ok(input) => input,
        Err(error) => return (Vec::new(), 0, Some(error)),
    };
    let (mut text, mut games) = (Vec::new(), 0);
    for batch in input {
        match batch {
            Ok(batch) => {
                text.extend_from_slice(&batch.bytes);
                games += batch.games();
            }
            Err(error) => return (text, games, Some(error)),
        }
    }
    (text, games, None)
}

#[test]
fn every_compression_with_all_its_members() {
    let (first, second) = GAMES.split_at(GAMES.find("\n\n[").unwrap());
    for pack in [gzip, bzip2, zstd] {
        let mut bytes = pack(first.as_bytes());
        bytes.extend(pack(b""));
        bytes.extend(pack(second.as_bytes()));
        let options = OpenOptions::default();
        let size = bytes.len() as u64;
        let (text, games, error) = unfold(bytes, &options);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(text, GAMES.as_bytes());
        assert_eq!(games, 2);
        assert_eq!(options.consumed.load(Ordering::Relaxed), size);
    }
    let (text, games, error) = unfold(GAMES.into(), &OpenOptions::default());
    assert!(error.is_none());
    assert_eq!((text.as_slice(), games), (GAMES.as_bytes(), 2));
}

#[test]
fn a_bomb_is_stopped_and_the_games_before_it_remain() {
    let mut bomb = GAMES.as_bytes().to_vec();
    bomb.extend(std::iter::repeat_n(b' ', 50 << 20));
    for pack in [gzip, bzip2, zstd] {
        let options = OpenOptions {
            max_decompressed: Some(1 << 20),
            ..OpenOptions::default()
        };
        let (text, games, error) = unfold(pack(&bomb), &options);
        assert_eq!(games, 2);
        assert_eq!(text.len(), 1 << 20);
        let error = error.unwrap();
        assert_eq!(error.code, "too-large");
        assert_eq!(
            error.to_string(),
            "x.pgn: decompresses to more than 1048576 bytes; the rest is not read"
        );
    }
}

#[test]
fn as_many_bytes_as_the_cap_are_no_bomb() {
    for pack in [gzip, bzip2, zstd] {
        let options = OpenOptions {
            max_decompressed: Some(GAMES.len() as u64),
            ..OpenOptions::default()
        };
        let (text, _, error) = unfold(pack(GAMES.as_bytes()), &options);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(text.len(), GAMES.len());
    }
}

#[test]
fn a_file_that_breaks_off_gives_its_games_and_an_error() {
    // Text that compresses badly, so that half of the file is more than one of bzip2's blocks.
    let mut state = 1_u64;
    let mut text = String::new();
    for _ in 0..40_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        text.push_str(&format!("[Event \"{state:x}\"]\n\n1. b4N {state:x} *\n\n"));
    }
    for pack in [gzip, zstd, bzip2] {
        let mut bytes = pack(text.as_bytes());
        bytes.truncate(bytes.len() / 2);
        let (out, games, error) = unfold(bytes, &OpenOptions::default());
        let error = error.expect("half a file is damaged");
        assert_eq!(error.code, "corrupt");
        assert!(text.as_bytes().starts_with(&out));
        assert!(games > 1_000, "{games}");
    }
}

#[test]
fn garbage_after_a_member_is_an_error_after_its_games() {
    for pack in [gzip, bzip2, zstd] {
        let mut bytes = pack(GAMES.as_bytes());
        bytes.extend_from_slice(b"this is no member");
        let (text, games, error) = unfold(bytes, &OpenOptions::default());
        assert_eq!((text.as_slice(), games), (GAMES.as_bytes(), 2));
        assert!(error.is_some());
    }
}

#[test]
fn what_is_no_record_is_named() {
    for (bytes, what) in [
        (&b"PK\x03\x04rest"[..], "ZIP"),
        (b"\x7fELF\x02\x01\x01\0", "a program"),
        (b"{\\rtf1\\ansi 1. b4N}", "RTF"),
        (b"\xfd7zXZ\0rest", "xz"),
    ] {
        for bytes in [bytes.to_vec(), gzip(bytes)] {
            let (_, _, error) = unfold(bytes, &OpenOptions::default());
            let error = error.unwrap().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
    // A text that begins like a bzip2 file is a text.
    let (text, ..) = unfold(b"BZh9 is no move".to_vec(), &OpenOptions::default());
    assert_eq!(text, b"BZh9 is no move");
}

#[test]
fn utf_16_is_read_like_utf_8() {
    let wide: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(GAMES.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    for bytes in [wide.clone(), gzip(&wide)] {
        let (text, games, error) = unfold(bytes, &OpenOptions::default());
        assert!(error.is_none(), "{error:?}");
        assert_eq!((text.as_slice(), games), (GAMES.as_bytes(), 2));
    }
}

#[test]
fn a_walk_is_sorted_and_knows_its_extensions() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir(root.join("b")).unwrap();
    for name in [
        "c.pgn",
        "a.csv.gz",
        "a.doc",
        ".hidden.pgn",
        "b/z.NDJSON.ZST",
        "b/a.tri",
        "x.gz",
    ] {
        fs::write(root.join(name), "").unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(root, root.join("b/loop")).unwrap();
    let named = root.join("a.doc");
    let found: Vec<String> = walk([OsStr::new("-"), root.as_os_str(), named.as_os_str()])
        .map(|source| match source.unwrap() {
            Source::Stdin => "-".to_owned(),
            Source::File(path) => path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .into_owned(),
        })
        .collect();
    assert_eq!(
        found,
        [
            "-",
            "a.csv.gz",
            "b/a.tri",
            "b/z.NDJSON.ZST",
            "c.pgn",
            "a.doc"
        ]
    );
}

#[test]
fn a_file_that_is_not_there_is_an_error_that_names_it() {
    let source = Source::new(OsStr::new("no\u{7}such.pgn"));
    let error = source.open(&OpenOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no\\u{7}such.pgn: cannot be opened"),
        "{error}"
    );
}

/// A pipe or a device in a folder may have no end.
#[cfg(target_os = "linux")]
#[test]
fn folders_yield_regular_files_only() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::write(root.join("a.pgn"), GAMES).unwrap();
    std::os::unix::fs::symlink(root.join("a.pgn"), root.join("link.pgn")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.join("zero.pgn")).unwrap();
    std::os::unix::fs::symlink("nowhere", root.join("lost.pgn")).unwrap();
    mknodat(
        CWD,
        root.join("pipe.pgn"),
        FileType::Fifo,
        Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let found: Vec<String> = walk([root])
        .map(|source| source.unwrap().name().replace(&*root.to_string_lossy(), ""))
        .collect();
    // The link leads to a file found before.
    assert_eq!(found, ["/a.pgn", "/lost.pgn"]);
    // An excepted file that is named is read.
    let named = walk([root.join("pipe.pgn")]).next().unwrap().unwrap();
    assert_eq!(named.path(), Some(&*root.join("pipe.pgn")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_nobody_writes_to_is_left_when_asked() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let cancel = Cancel::default();
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.pgn");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let later = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        later.cancel();
    });
    let options = OpenOptions {
        cancel,
        ..OpenOptions::default()
    };
    let error = Source::File(pipe).open(&options).unwrap_err();
    assert_eq!(error.code, "stopped");
}

#[test]
fn a_walk_ends_when_asked() {
    let cancel = Cancel::default();
    let mut walked = walk(["a.pgn", "b.pgn"]).until(&cancel);
    assert!(walked.next().is_some());
    cancel.cancel();
    assert!(walked.next().is_none());
}

/// The time must not grow with the third power of the depth, as with `canonicalize` for each folder.
#[test]
fn deep_folders_are_walked_in_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut deep = folder.path().to_owned();
    for _ in 0..900 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("a.pgn"), GAMES).unwrap();
    let since = std::time::Instant::now();
    let found: Vec<Source> = walk([folder.path()]).map(Result::unwrap).collect();
    assert_eq!(found, [Source::File(deep.join("a.pgn"))]);
    assert!(since.elapsed().as_secs() < 2, "{:?}", since.elapsed());
}

/// A few bytes must not take 128 MiB.
#[test]
fn a_zstd_window_of_more_than_32_mib_is_refused() {
    let packed = |window: u32| {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.long_distance_matching(true).unwrap();
        encoder.window_log(window).unwrap();
        for _ in 0..100 {
            std::io::Write::write_all(&mut encoder, GAMES.as_bytes()).unwrap();
        }
        encoder.finish().unwrap()
    };
    let (_, games, error) = unfold(packed(25), &OpenOptions::default());
    assert_eq!((games, error.is_none()), (200, true));
    let (_, games, error) = unfold(packed(27), &OpenOptions::default());
    assert_eq!(games, 0);
    assert_eq!(error.unwrap().code, "corrupt");
}
