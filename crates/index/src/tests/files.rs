//! The files of an index: older versions, damage, and that nothing but the games decides what is in them.

use super::{add, entries, small, total};
use crate::storage::folder::Folder;
use crate::storage::own_checksum::{with_checksum, without_checksum};
use crate::testing::Dice;
use crate::*;
use std::path::Path;
use tantivy::directory::footer::Footer;
use tridex_archive::Item;
use tridex_rules::{Position, RuleSystem};

#[test]
fn an_index_of_another_version_is_told_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    add(
        folder.path(),
        &small(),
        "a.pgn",
        &entries(RuleSystem::Meder, 10, 20, 4),
    );
    let path = folder.path().join("meta.json");
    let name = Path::new("meta.json");
    let kept = std::fs::read(&path).unwrap();
    let text = String::from_utf8(without_checksum(name, &kept).unwrap()).unwrap();
    for (member, what) in [
        ("version", "the format"),
        ("rules", "the rules"),
        ("keys", "the position keys"),
    ] {
        let at = text.find(&format!("\"{member}\": ")).unwrap();
        let digits = text[at..].find(|c: char| c.is_ascii_digit()).unwrap() + at;
        let other = format!("{}77{}", &text[..digits], &text[digits + 1..]);
        std::fs::write(&path, with_checksum(name, other.as_bytes())).unwrap();
        for error in [
            GameIndex::open(folder.path()).err(),
            Writer::open(folder.path(), small()).err(),
        ] {
            let message = error.expect("a version").to_string();
            assert!(
                message.contains(what)
                    && message.contains("77")
                    && message.contains("a newer version of this program made it"),
                "{message}"
            );
        }
    }
    std::fs::write(&path, &kept).unwrap();
    assert_eq!(total(folder.path(), ""), 10);
}

/// Every bit of every file, as far as time allows: no flip is believed, and `verify` finds each.
#[test]
fn damage_is_found_and_never_believed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let games = entries(RuleSystem::Federation, 60, 40, 5);
    add(root, &small(), "a.pgn", &games);
    // Some games deleted, so that there is a file of that too.
    add(root, &small(), "a.pgn", &games[..50]);
    let questions = [
        "player:kirk",
        "pattern:\"Q=0\"",
        "moves:\"\"",
        "date:2001",
        "source:a",
    ];
    let ask = || {
        let index = GameIndex::open(root)?;
        let all = SearchOptions::default();
        let mut answers = Vec::new();
        for text in questions {
            let hits = index.search(&Query::parse(text).unwrap(), &all)?;
            answers.push((hits.total, hits.hits));
        }
        let table = index.openings(&Position::start(RuleSystem::Federation), &Query::All)?;
        let records: Vec<_> = index.ids().map(|id| index.game(id).ok()).collect();
        Ok::<_, IndexError>((answers, table, records, index.is_damaged()))
    };
    let right = ask().unwrap();
    assert!(!right.3);
    let mut dice = Dice::new(6);
    let mut silent = 0;
    for file in std::fs::read_dir(root).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        if name.ends_with(".lock") {
            continue;
        }
        for _ in 0..12 {
            let mut turned = bytes.clone();
            let at = dice.roll(turned.len());
            turned[at] ^= 1 << dice.roll(8);
            std::fs::write(&path, &turned).unwrap();
            let found = verify(root, |_| {}).unwrap().faults;
            let is_sound = name.ends_with(".del") && is_other_release(&bytes, &turned);
            assert_eq!(found.is_empty(), is_sound, "{name} byte {at}: {found:?}");
            match ask() {
                Ok(answer) if answer == right => silent += 1,
                Ok(answer) => assert!(answer.3, "{name} byte {at}"),
                Err(IndexError::Damaged { .. }) => {}
                Err(other) => panic!("{name} byte {at}: {other}"),
            }
        }
        // Cut off, and missing.
        for length in [0, 3, 4, 7, 8, dice.roll(bytes.len())] {
            std::fs::write(&path, &bytes[..length.min(bytes.len() - 1)]).unwrap();
            let found = verify(root, |_| {}).unwrap().faults;
            assert!(!found.is_empty(), "{name} cut to {length}");
            match ask() {
                Ok(answer) => assert!(answer.3 || answer == right, "{name} cut to {length}"),
                Err(IndexError::Damaged { .. }) => {}
                Err(other) => panic!("{name} cut to {length}: {other}"),
            }
        }
        std::fs::remove_file(&path).unwrap();
        assert!(
            !verify(root, |_| {}).unwrap().faults.is_empty(),
            "{name} gone"
        );
        if name != ".managed.json" {
            let is_told = match ask() {
                Ok(answer) => answer.3,
                Err(error) => matches!(error, IndexError::Damaged { .. }),
            };
            assert!(is_told, "{name} gone");
            assert!(Writer::open(root, small()).is_err(), "{name} gone");
            assert!(!path.exists(), "{name} was made again");
        }
        std::fs::write(&path, &bytes).unwrap();
    }
    // What was not read may be damaged without harm.
    assert!(silent > 0);
    assert_eq!(verify(root, |_| {}).unwrap().faults, []);
    assert_eq!(ask().unwrap(), right);
}

/// What tantivy puts at the end of a file: its release and a checksum of what is before.
fn footer_of(file: &[u8]) -> Option<(&[u8], serde_json::Value)> {
    let (rest, _magic) = file.split_last_chunk::<4>()?;
    let (rest, length) = rest.split_last_chunk::<4>()?;
    let (body, footer) = rest.split_at_checked(
        rest.len()
            .checked_sub(u32::from_le_bytes(*length) as usize)?,
    )?;
    Some((body, serde_json::from_slice(footer).ok()?))
}

/// A file as another release of tantivy would have written it.
fn of_release(file: &[u8], patch: u32) -> Vec<u8> {
    let (body, mut footer) = footer_of(file).unwrap();
    footer["version"]["patch"] = patch.into();
    with_footer(body, &footer)
}

fn with_footer(body: &[u8], footer: &serde_json::Value) -> Vec<u8> {
    // The order of the members is tantivy's.
    let version = ["major", "minor", "patch", "index_format_version"];
    let version = version.map(|name| format!("\"{name}\":{}", footer["version"][name]));
    let text = format!(
        "{{\"version\":{{{}}},\"crc\":{}}}",
        version.join(","),
        footer["crc"]
    );
    let length = (text.len() as u32).to_le_bytes();
    [body, text.as_bytes(), &length, &1337_u32.to_le_bytes()].concat()
}

/// Whether a file is another one but for the release of tantivy that wrote it, which its format does not depend on.
fn is_other_release(file: &[u8], other: &[u8]) -> bool {
    let (Some((_, footer)), Some((body, mut there))) = (footer_of(file), footer_of(other)) else {
        return false;
    };
    // As tantivy writes it, in a format that this program reads.
    let known = serde_json::from_value::<Footer>(there.clone());
    let is_written = with_footer(body, &there) == other
        && known.is_ok_and(|footer| footer.is_compatible().is_ok());
    for name in ["major", "minor", "patch", "index_format_version"] {
        there["version"][name] = footer["version"][name].clone();
    }
    is_written && with_footer(body, &there) == file
}

/// `cargo update` may bring another release of tantivy of the same format: an index that it wrote, in whole or in part, is sound.
#[test]
fn an_index_of_another_release_of_tantivy_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let games = entries(RuleSystem::Meder, 30, 30, 15);
    add(root, &IndexOptions::default(), "a.pgn", &games);
    add(root, &IndexOptions::default(), "a.pgn", &games[..28]);
    let files = || {
        let files = std::fs::read_dir(root).unwrap();
        let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let files = files.filter(|name| name.split('.').next().is_some_and(|id| id.len() == 32));
        files.collect::<Vec<_>>()
    };
    assert!(files().iter().any(|name| name.ends_with(".del")));
    let faults = || verify(root, |_| {}).unwrap().faults;
    let write = |name: &str, patch| {
        let path = root.join(name);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(
            of_release(&bytes, 0),
            bytes,
            "{name} is written by release 0.27.0"
        );
        std::fs::write(path, of_release(&bytes, patch)).unwrap();
    };
    // Another release deleted some games.
    let deleted = files()
        .into_iter()
        .find(|name| name.ends_with(".del"))
        .unwrap();
    write(&deleted, 1);
    assert_eq!(faults(), []);
    write_back(root, &deleted);
    // Another release wrote all of it.
    for name in files().iter().filter(|name| !name.ends_with(".sums")) {
        write(name, 1);
    }
    assert_ne!(faults(), []);
    let (id, _) = deleted.split_once('.').unwrap();
    let sums = Folder::open(root, false)
        .unwrap()
        .make_checksums(id)
        .unwrap();
    let name = format!("{id}.sums");
    let kept = std::fs::read(root.join(&name)).unwrap();
    let (_, mut footer) = footer_of(&kept).unwrap();
    footer["crc"] = crc32fast::hash(&sums).into();
    // The release that wrote a segment wrote its checksums.
    std::fs::write(root.join(&name), with_footer(&sums, &footer)).unwrap();
    let [(path, what)] = faults().try_into().unwrap();
    assert_eq!(path, root.join(&name));
    assert_eq!(what, "the end of the file is not what is written there");
    footer["version"]["patch"] = 1.into();
    std::fs::write(root.join(&name), with_footer(&sums, &footer)).unwrap();
    assert_eq!(faults(), []);
    assert_eq!(total(root, ""), 28);
    // It can be written to as well.
    assert_eq!(add(root, &small(), "a.pgn", &games[..27]).games, 27);
    assert_eq!(faults(), []);
}

/// Makes a file one of this release again.
fn write_back(root: &Path, name: &str) {
    let path = root.join(name);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(path, of_release(&bytes, 0)).unwrap();
}

/// Copies a sample of an index into a folder: opening for writing locks, and might sweep.
fn copied(version: u32) -> tempfile::TempDir {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("samples/version-{version}"));
    let folder = tempfile::tempdir().unwrap();
    let mut folders = vec![std::path::PathBuf::new()];
    while let Some(part) = folders.pop() {
        std::fs::create_dir_all(folder.path().join(&part)).unwrap();
        for file in std::fs::read_dir(sample.join(&part)).unwrap() {
            let path = file.unwrap().path();
            let below = part.join(path.file_name().unwrap());
            if path.is_dir() {
                folders.push(below);
            } else {
                std::fs::copy(&path, folder.path().join(&below)).unwrap();
            }
        }
    }
    folder
}

#[test]
fn the_samples_of_old_versions_are_refused_by_name_and_not_touched() {
    for version in 1..INDEX_VERSION {
        let folder = copied(version);
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        let is_read = version + 1 == INDEX_VERSION;
        let merged = MergeSource::open(folder.path());
        assert_eq!(merged.is_ok(), is_read, "{version}");
        for error in [
            GameIndex::open(folder.path()).err(),
            Writer::open(folder.path(), small()).err(),
            verify(folder.path(), |_| {}).err(),
            merged.err(),
        ]
        .into_iter()
        .take(if is_read { 3 } else { 4 })
        {
            let message = error.expect("a version").to_string();
            let found = format!("the index has version {version} of the format");
            assert!(message.contains(&found), "{message}");
            let advice = match is_read {
                true => "its games can be read: merge it into a new index",
                false => "make the index again from the games",
            };
            assert!(message.contains(advice), "{message}");
        }
        let after = std::fs::read_dir(folder.path()).unwrap();
        let is_lock = |name: &str| name.starts_with('.') && name.ends_with(".lock");
        let after = after.filter(|file| {
            let name = file.as_ref().unwrap().file_name();
            !is_lock(&name.to_string_lossy())
        });
        assert_eq!(after.count(), files, "{version}");
    }
}

/// The games of an index of the version before are all in the new one, as they were written.
#[test]
fn the_games_of_the_previous_version_are_merged() {
    let old = copied(INDEX_VERSION - 1);
    let new = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(new.path(), small()).unwrap();
    let source = MergeSource::open(old.path()).unwrap();
    assert_eq!((source.games(), source.damage()), (51, vec![]));
    writer.merge_from(&source, |_| true).unwrap();
    let done = writer.finish().unwrap();
    assert_eq!((done.added, done.positions), (51, SAMPLE_POSITIONS));
    assert_eq!(verify(new.path(), |_| {}).unwrap().faults, []);
    let index = GameIndex::open(new.path()).unwrap();
    let games: Vec<_> = index.ids().map(|id| index.game(id).unwrap()).collect();
    assert!(games.iter().all(|game| game.source == "sample.pgn"));
    let entries: Vec<_> = games.into_iter().map(|game| game.entry).collect();
    assert_eq!(entries, sample_games(super::plain_entry));
    // They are known by the same as if they had been read from the file.
    let again = add(
        new.path(),
        &small(),
        "sample.pgn",
        &sample_games(super::plain_entry),
    );
    assert_eq!(again.unchanged, 51);
    // Merged again, nothing changes.
    let mut writer = Writer::open(new.path(), small()).unwrap();
    writer.merge_from(&source, |_| true).unwrap();
    assert_eq!(writer.finish().unwrap().unchanged, 51);
}

/// No damage of an old index is believed either.
#[test]
fn damage_of_the_previous_version_is_found() {
    let old = copied(INDEX_VERSION - 1);
    let read = || {
        let source = MergeSource::open(old.path())?;
        let new = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(new.path(), small())?;
        match source.damage().into_iter().next() {
            Some((path, what)) => return Err(IndexError::Damaged { path, what }),
            None => writer.merge_from(&source, |_| true)?,
        }
        writer.finish()?;
        let index = GameIndex::open(new.path())?;
        index.ids().map(|id| Ok(index.game(id)?.entry)).collect()
    };
    let right: Vec<GameEntry> = read().unwrap();
    let mut dice = Dice::new(16);
    let mut reported = 0;
    for file in std::fs::read_dir(old.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..if path.to_string_lossy().ends_with(".lock") {
            0
        } else {
            6
        } {
            let mut turned = bytes.clone();
            turned[dice.roll(bytes.len())] ^= 1 << dice.roll(8);
            std::fs::write(&path, &turned).unwrap();
            match read() {
                Ok(games) => assert_eq!(games, right),
                Err(IndexError::Damaged { .. }) => reported += 1,
                Err(other) => panic!("{}: {other}", path.display()),
            }
        }
        std::fs::write(&path, &bytes).unwrap();
    }
    assert!(reported > 10, "{reported}");
    assert_eq!(read().unwrap(), right);
}

/// An index as version 5 made it. If this fails, indices people have can no longer be read: raise `INDEX_VERSION`,
/// say so, and add a sample of the new version (the ignored test below makes it) next to this one, which then must be
/// refused by name.
#[test]
fn the_sample_of_version_5_opens_and_answers() {
    let folder = copied(5);
    let index = GameIndex::open(folder.path()).unwrap();
    assert_eq!(
        verify(folder.path(), |_| {}).unwrap(),
        Verification {
            games: 51,
            faults: vec![]
        }
    );
    assert_eq!(index.positions(), SAMPLE_POSITIONS);
    let kirk = Query::parse("player:kirk").unwrap();
    let found = index.search(&kirk, &SearchOptions::default()).unwrap();
    assert!(found.total > 0);
    drop(index);
    let games = sample_games(super::entry);
    let again = add(folder.path(), &small(), "sample.pgn", &games);
    assert_eq!(again.unchanged, 51);
}

const SAMPLE_POSITIONS: u64 = 1_464;

/// A function that makes a game by chance.
type Make = fn(RuleSystem, u32, usize, &mut Dice) -> GameEntry;

fn sample_games(make: Make) -> Vec<GameEntry> {
    let mut games = Vec::new();
    for rules in RuleSystem::ALL {
        let mut dice = Dice::new(10);
        games.extend((1..=10).map(|number| make(*rules, number, 30, &mut dice)));
    }
    for (number, game) in (1..).zip(&mut games) {
        game.number = number;
    }
    games.push(noted());
    games
}

/// A game with a note of every kind.
fn noted() -> GameEntry {
    let text = || "quiet".to_owned();
    let moves = |text| read_moves(RuleSystem::Meder, text).unwrap();
    let (main, other) = (moves("b4N b5B c3W"), moves("b4N a6N"));
    let mut builder = GameEntryBuilder::default();
    builder.note(Item::Comment(text()));
    builder.play("b4N!?", Some(main[0]));
    builder.note(Item::Nag(36));
    builder.play("b5B", Some(main[1]));
    builder.note(Item::VariationStart);
    builder.play("a6N", Some(other[1]));
    builder.play("--", None);
    builder.play("b4N", None);
    builder.note(Item::VariationEnd);
    builder.note(Item::LineComment(text()));
    builder.note(Item::Escape(text()));
    builder.play("c3W", Some(main[2]));
    builder.note(Item::DrawOffer);
    builder.note(Item::Word("etc.".to_owned()));
    builder.finish(51, RuleSystem::Meder)
}

/// Makes the sample again, in a folder that must not exist: only for a new version.
#[test]
#[ignore = "writes into the source tree"]
fn make_the_sample() {
    let name = format!("samples/version-{INDEX_VERSION}");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    assert!(!sample.exists());
    let options = IndexOptions::default();
    let summary = add(&sample, &options, "sample.pgn", &sample_games(super::entry));
    for lock in [
        ".tantivy-meta.lock",
        ".tantivy-writer.lock",
        ".tridex-create.lock",
    ] {
        std::fs::remove_file(sample.join(lock)).unwrap();
    }
    println!("{} positions", summary.positions);
}

/// The files of an index, by what is in them: their names are by chance.
fn contents(root: &Path) -> std::collections::BTreeMap<(String, Vec<u8>), u32> {
    let mut all = std::collections::BTreeMap::new();
    for file in std::fs::read_dir(root).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some((segment, kind)) = name.split_once('.')
            && segment.len() == 32
        {
            let bytes = std::fs::read(&path).unwrap();
            *all.entry((kind.to_owned(), bytes)).or_default() += 1;
        }
    }
    all
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let games = entries(RuleSystem::Chess3, 300, 40, 13);
    let made = [1, 2, 8].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            add(folder.path(), &small(), "a", &games);
            // Some changed, and what is left merged.
            let mut changed = games.clone();
            changed.truncate(140);
            changed.iter_mut().step_by(3).for_each(|game| {
                game.moves.truncate(game.moves.len().saturating_sub(1));
                game.notes.clear();
            });
            add(folder.path(), &small(), "a", &changed);
        });
        contents(folder.path())
    });
    assert!(made[0].len() > 8);
    assert_eq!(made[0], made[1]);
    assert_eq!(made[0], made[2]);
}

#[test]
fn lists_and_moves_shrink_when_deleted_games_are_merged_away() {
    let folder = tempfile::tempdir().unwrap();
    let games = entries(RuleSystem::Meder, 2_000, 40, 14);
    let options = IndexOptions::default();
    add(folder.path(), &options, "a", &games);
    let size = || {
        let index = GameIndex::open(folder.path()).unwrap();
        let sizes = index.sizes();
        let of = |name| sizes.iter().find(|(known, _)| *known == name).unwrap().1;
        [of("moves"), of("positions")]
    };
    let before = size();
    add(folder.path(), &options, "a", &games[..900]);
    let after = size();
    for (before, after) in before.into_iter().zip(after) {
        assert!(after * 100 < before * 55, "{before} {after}");
    }
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
}

#[test]
fn games_of_few_positions_and_of_much_text_fill_segments_too() {
    let empty = |number| GameEntry::new(number, RuleSystem::Meder, Vec::new());
    let wordy = |number| GameEntry {
        notes: vec![Annotation::Item(Item::Comment("so it goes ".repeat(1_000)))],
        ..empty(number)
    };
    let segments = |root: &Path| GameIndex::open(root).unwrap().snapshots[0].segments.len();
    // 8 positions each, and 275: 125 and 4 games make 1,000.
    let all: [(Vec<GameEntry>, usize); 2] = [
        ((1..=400).map(empty).collect(), 4),
        ((1..=12).map(wordy).collect(), 3),
    ];
    for (games, expected) in all {
        let folder = tempfile::tempdir().unwrap();
        add(folder.path(), &small(), "a", &games);
        assert_eq!(segments(folder.path()), expected);
    }
    // A writer that is stopped leaves merging to the next commit.
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(folder.path(), small()).unwrap();
    writer.begin_source("a").unwrap();
    let games: Vec<GameEntry> = (1..=1_200).map(empty).collect();
    writer.add_all(&games).unwrap();
    assert_eq!(writer.stop().unwrap().games, 1_200);
    assert_eq!(segments(folder.path()), 10);
    add(folder.path(), &small(), "b", &games[..1]);
    assert!(segments(folder.path()) < 7);
    assert_eq!(verify(folder.path(), |_| {}).unwrap().faults, []);
}
