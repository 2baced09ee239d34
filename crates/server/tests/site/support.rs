//! An index of random games, and requests to its site.

use bytes::Bytes;
use hyper::Response;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;
use tridex_archive::Item;
use tridex_index::{GameEntry, GameEntryBuilder, GameResult, IndexOptions, Writer};
use tridex_rules::random::{Dice, game};
use tridex_rules::{Move, RuleSystem};
use tridex_server::{Site, SiteOptions};

/// What must never reach a page unescaped.
pub(crate) const NASTY: &str = "</title><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>";

/// Some games of every system, one of them with everything a game can have.
pub(crate) fn entries(seed: u64, count: u32) -> Vec<GameEntry> {
    let mut dice = Dice::new(seed);
    (1..=count)
        .map(|number| {
            let rules = RuleSystem::ALL[number as usize % RuleSystem::ALL.len()];
            let mut entry = GameEntry::new(number, rules, game(rules, &mut dice, 40));
            let mut tag = |name: &str, value: String| entry.tags.push((name.to_owned(), value));
            tag("White", format!("Kirk, James {}", number % 7));
            tag(
                "Black",
                if number == 1 {
                    NASTY.to_owned()
                } else {
                    "Spock".to_owned()
                },
            );
            tag("Event", format!("Evening {}", number % 3));
            tag("Date", format!("20{:02}.04.26", number % 30));
            entry.result = GameResult::ALL[number as usize % 7];
            entry
        })
        .collect()
}

/// Adds games to the index of a folder.
pub(crate) fn add(folder: &Path, source: &str, games: &[GameEntry]) {
    add_all(folder, [source.to_owned()], games);
}

/// Adds the same games from several sources at once.
pub(crate) fn add_all(
    folder: &Path,
    sources: impl IntoIterator<Item = String>,
    games: &[GameEntry],
) {
    let mut writer = Writer::open(folder, IndexOptions::default()).unwrap();
    for source in sources {
        writer.begin_source(&source).unwrap();
        writer.add_all(games).unwrap();
        writer.end_source(None);
    }
    writer.finish().unwrap();
}

/// A game with a comment, a variation, marks, and names that would break a page.
pub(crate) fn annotated() -> GameEntry {
    let moves = |text| tridex_index::read_moves(RuleSystem::Meder, text).unwrap();
    let main = moves("b4N b5B c3W a6N Nc2W c6B");
    let comment = |text: &str| Item::Comment(text.to_owned());
    let mut builder = GameEntryBuilder::default();
    let play = |builder: &mut GameEntryBuilder, moves: &[Move]| {
        moves.iter().for_each(|m| builder.play("", Some(*m)));
    };
    builder.note(comment("before the first move"));
    play(&mut builder, &main[..3]);
    builder.note(Item::Nag(1));
    builder.note(comment(NASTY));
    builder.note(Item::VariationStart);
    play(&mut builder, &moves("b4N b5B d3W")[2..]);
    builder.note(comment("in the variation"));
    builder.note(Item::VariationEnd);
    play(&mut builder, &main[3..4]);
    builder.note(Item::DrawOffer);
    play(&mut builder, &main[4..]);
    GameEntry {
        tags: vec![
            ("White".to_owned(), NASTY.to_owned()),
            ("Black".to_owned(), "Sarek".to_owned()),
            ("Event".to_owned(), format!("{NASTY} event")),
        ],
        ..builder.finish(1, RuleSystem::Meder)
    }
}

/// What tests read of an answer.
pub(crate) trait Answer {
    fn code(&self) -> u16;
    /// The value of a header.
    fn header(&self, name: &str) -> Option<&str>;
    fn text(&self) -> String;
}

impl Answer for Response<Bytes> {
    fn code(&self) -> u16 {
        self.status().as_u16()
    }

    fn header(&self, name: &str) -> Option<&str> {
        let value = self.headers().get(name)?;
        value.to_str().ok()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(self.body()).into_owned()
    }
}

pub(crate) struct Shelf {
    pub(crate) folder: TempDir,
    pub(crate) site: Site,
}

/// Options with which games are counted on a busy machine too.
pub(crate) fn patient() -> SiteOptions {
    let mut options = SiteOptions::default();
    options.counting = Duration::from_secs(10);
    options
}

pub(crate) fn shelf(games: &[(&str, Vec<GameEntry>)]) -> Shelf {
    let folder = tempfile::tempdir().unwrap();
    // An index exists once something is committed, even if that is no game.
    let writer = Writer::open(folder.path(), IndexOptions::default()).unwrap();
    writer.finish().unwrap();
    for (source, games) in games {
        add(folder.path(), source, games);
    }
    let site = Site::open(&[folder.path()], patient()).unwrap();
    Shelf { folder, site }
}

/// The site most tests ask.
pub(crate) fn site() -> &'static Site {
    static SHELF: OnceLock<Shelf> = OnceLock::new();
    let shelf = SHELF.get_or_init(|| {
        shelf(&[
            ("games.pgn", entries(7, 150)),
            ("own <b>name</b>.pgn", vec![annotated()]),
        ])
    });
    &shelf.site
}

#[track_caller]
pub(crate) fn good(address: &str) -> Response<Bytes> {
    let answer = site().answer(address).unwrap();
    assert_eq!(answer.code(), 200, "{address}: {}", answer.text());
    answer
}

#[track_caller]
pub(crate) fn json(address: &str) -> serde_json::Value {
    let answer = good(address);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    serde_json::from_slice(answer.body()).unwrap()
}

/// A text as a part of an address.
pub(crate) fn quoted(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The addresses a page links to, in order.
pub(crate) fn links(page: &str) -> Vec<String> {
    let parts = page.split("href=\"").skip(1);
    parts
        .filter_map(|part| part.split_once('"'))
        .map(|(link, _)| link.replace("&amp;", "&"))
        .collect()
}
