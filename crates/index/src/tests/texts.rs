//! Queries by chance about words, each with the obvious way to answer it.

use super::questions::{Question, Scanned, yes};
use super::{COMMENTS, EVENTS, NAMES};
use crate::testing::Dice;
use crate::*;
use tridex_archive::Item;

/// Words of a text by a rule of thumb that is good enough for the names of these tests.
pub(super) fn words(text: &str) -> Vec<String> {
    let plain = |c: char| match c {
        'ü' => 'u',
        'ö' => 'o',
        'ř' => 'r',
        'á' => 'a',
        'è' => 'e',
        c => c,
    };
    let folded: String = text.to_lowercase().chars().map(plain).collect();
    let parts = folded.split(|c: char| !c.is_alphanumeric());
    let parts = parts.filter(|w| !w.is_empty()).map(str::to_owned);
    // A word with an apostrophe is there as a whole too.
    let wholes = folded.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let wholes = wholes.filter(|w| w.contains('\''));
    parts.chain(wholes.map(|w| w.replace('\'', ""))).collect()
}

fn has_all(text: Option<&str>, wanted: &[String]) -> bool {
    let words = words(text.unwrap_or_default());
    !wanted.is_empty() && wanted.iter().all(|w| words.contains(w))
}

/// Modifiers of one letter, neighbours exchanged counting as one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

fn players(game: &Scanned) -> [Option<&str>; 2] {
    [game.entry.tag("White"), game.entry.tag("Black")]
}

pub(super) fn text_question(dice: &mut Dice) -> Question {
    let name = NAMES[dice.roll(NAMES.len())];
    match dice.roll(8) {
        0 => {
            let wanted = words(name);
            let query = Query::text(TextField::Player, name);
            (
                query,
                format!("player {name}"),
                Box::new(move |g| yes(players(g).into_iter().any(|p| has_all(p, &wanted)))),
            )
        }
        1 => {
            let query = Query::text(TextField::White, &format!("={}", name.to_uppercase()));
            let wanted = words(name);
            (
                query,
                format!("white is {name}"),
                Box::new(move |g| {
                    yes(!wanted.is_empty()
                        && g.entry.tag("White").is_some_and(|w| words(w) == wanted))
                }),
            )
        }
        2 => {
            let start: String = words(name)
                .concat()
                .chars()
                .take(1 + dice.roll(3))
                .collect();
            let query = Query::text(TextField::Black, &format!("{start}*"));
            (
                query,
                format!("black {start}*"),
                Box::new(move |g| {
                    let black = words(g.entry.tag("Black").unwrap_or_default());
                    yes(!start.is_empty() && black.iter().any(|w| w.starts_with(&start)))
                }),
            )
        }
        3 => {
            let word = ["spok", "sopck", "kirt", "muler", "uhuru", "kirk"][dice.roll(6)];
            let letters = 1 + dice.roll(2);
            let query = Query::text(TextField::Player, &format!("{word}~{letters}"));
            (
                query,
                format!("player {word}~{letters}"),
                Box::new(move |g| {
                    yes(players(g).into_iter().flatten().any(|p| {
                        let mut words = words(p).into_iter();
                        words.any(|w| distance(&w, word) <= letters || w == word[..1])
                    }))
                }),
            )
        }
        4 => {
            let event = EVENTS[dice.roll(EVENTS.len())];
            let phrase = Query::parse(&format!("event:\"{event}\"")).unwrap();
            let wanted = words(event);
            (
                phrase,
                format!("event {event}"),
                Box::new(move |g| {
                    let has = words(g.entry.tag("Event").unwrap_or_default());
                    yes(!wanted.is_empty() && has.windows(wanted.len()).any(|w| w == wanted))
                }),
            )
        }
        5 => {
            let comment = COMMENTS[dice.roll(COMMENTS.len())];
            let wanted = words(comment);
            let query = Query::text(TextField::Comments, comment);
            (
                query,
                format!("text {comment}"),
                Box::new(move |g| {
                    let all: Vec<&str> = g
                        .entry
                        .notes
                        .iter()
                        .filter_map(Annotation::comment)
                        .collect();
                    yes(has_all(Some(&all.join(" ")), &wanted))
                }),
            )
        }
        6 => {
            let word = ["vulcan", "starbase", "sealed", "12", "kirk", "james"][dice.roll(6)];
            let query = Query::parse(word).unwrap();
            (
                query,
                word.to_owned(),
                Box::new(move |g| {
                    let tags = ["White", "Black", "Event", "Site", "Round"];
                    let texts = tags.iter().filter_map(|t| g.entry.tag(t));
                    let comments = g.entry.notes.iter().filter_map(Annotation::comment);
                    yes(texts
                        .chain(comments)
                        .any(|t| words(t).contains(&word.to_owned())))
                }),
            )
        }
        _ => {
            let query = Query::Source("ONE".to_owned());
            (
                query,
                "source one".to_owned(),
                Box::new(|g| yes(g.source.contains("one"))),
            )
        }
    }
}

/// A question about tags and whether they are known.
pub(super) fn tag_question(dice: &mut Dice) -> Question {
    type Holds = fn(&GameEntry) -> bool;
    const HAS: fn(&GameEntry, &str, &[&str]) -> bool = |game, tag, wanted| {
        let words = words(game.tag(tag).unwrap_or_default());
        wanted
            .iter()
            .all(|wanted| words.iter().any(|word| word == wanted))
    };
    let questions: [(&str, Holds); 27] = [
        ("tag:Annotator=mueller", |g| {
            HAS(g, "Annotator", &["muller"])
        }),
        ("tag:ANNOTATOR=MED*", |g| HAS(g, "annotator", &["meder"])),
        ("annotator:mader~", |g| HAS(g, "annotator", &["meder"])),
        ("annotator:dagostino", |g| {
            HAS(g, "annotator", &["dagostino"])
        }),
        ("annotator:?", |g| g.tag("Annotator").is_none()),
        ("tag:annotator=*", |g| g.tag("Annotator").is_some()),
        ("termination:forfeit", |g| {
            HAS(g, "Termination", &["forfeit"])
        }),
        ("termination:\"time forfeit\"", |g| {
            g.tag("Termination") == Some("time forfeit")
        }),
        ("tag:Termination=\"forfeit time\"", |g| {
            g.tag("Termination") == Some("Forfeit: time")
        }),
        ("tag:Termination==\"forfeit\"", |_| false),
        ("tag:Termination==normal", |g| {
            g.tag("Termination") == Some("normal")
        }),
        ("time-control:300", |g| HAS(g, "TimeControl", &["300"])),
        ("time-control:2", |g| HAS(g, "TimeControl", &["2"])),
        ("time-control:=300", |g| g.tag("TimeControl") == Some("300")),
        ("time-control:=300+2", |g| {
            g.tag("TimeControl") == Some("300+2")
        }),
        ("eco:c2*", |g| {
            HAS(g, "ECO", &["c20"]) || HAS(g, "ECO", &["c21"])
        }),
        ("eco:*", |g| g.tag("ECO").is_some()),
        ("team:enterprise", |g| {
            HAS(g, "WhiteTeam", &["enterprise"]) || HAS(g, "BlackTeam", &["enterprise"])
        }),
        ("tag:my.own\\tag=x", |g| g.tag("my.own\\tag").is_some()),
        ("tag:none=?", |_| true),
        ("tag:white=kirk", |g| HAS(g, "White", &["kirk"])),
        ("tag:Date=2001", |g| HAS(g, "Date", &["2001"])),
        ("tag:whiteelo=>2000", |g| g.tag("WhiteElo") == Some("2100")),
        ("player:?", |g| {
            g.tag("White").is_none() || g.tag("Black").is_none()
        }),
        ("player:*", |g| {
            g.tag("White").is_some() || g.tag("Black").is_some()
        }),
        ("event:? or round:?", |g| {
            g.tag("Event").is_none() || g.tag("Round").is_none()
        }),
        ("text:*", |g| {
            g.notes.iter().any(|note| note.comment().is_some())
        }),
    ];
    let (text, holds) = questions[dice.roll(questions.len())];
    let query = Query::parse(text).unwrap();
    (
        query,
        text.to_owned(),
        Box::new(move |g| yes(holds(&g.entry))),
    )
}

/// What comments state with a command, each with its ply: the values that these tests use. With `is_main`, only the
/// comments of the main line.
pub(super) fn commands_of(game: &GameEntry, name: &str, is_main: bool) -> Vec<(u32, i32)> {
    let (mut ply, mut depth, mut found) = (0, 0, Vec::new());
    for note in &game.notes {
        match note {
            Annotation::Moves(count) if depth == 0 => ply += count,
            Annotation::Item(Item::VariationStart) => depth += 1,
            Annotation::Item(Item::VariationEnd) => depth -= 1,
            Annotation::Item(Item::Comment(text)) if depth == 0 || !is_main => {
                let start = format!("[%{name} ");
                let value = text.split(start.as_str()).nth(1);
                let value = value.and_then(|value| {
                    Some(match value.split([']', ',']).next()? {
                        "0:05:00" => 300,
                        "0:00:59.5" => 59,
                        "1:00:00" => 3_600,
                        "0:00:07" => 7,
                        "0.31" => 31,
                        "-1.5" => -150,
                        "#3" => 10_000,
                        "2.04" => 204,
                        "-0.29" => -29,
                        _ => return None,
                    })
                });
                found.extend(value.map(|value| (ply, value)));
            }
            _ => {}
        }
    }
    found
}

fn least_clock(game: &GameEntry) -> Option<u32> {
    let times = commands_of(game, "clk", true).into_iter();
    times.map(|(_, time)| time as u32).min()
}

fn greatest_drop(game: &GameEntry) -> Option<u32> {
    let known = commands_of(game, "eval", true);
    let pairs = known.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0);
    let lost = pairs.map(|pair| {
        let change = pair[1].1 - pair[0].1;
        // After an even number of plies White moves.
        let lost = if pair[0].0 % 2 == 0 { -change } else { change };
        lost.max(0) as u32
    });
    lost.max()
}

/// How the record states that the game ended, in the words of these tests.
fn stated_ending(game: &GameEntry) -> Option<&'static str> {
    if game
        .tag("Termination")
        .is_some_and(|text| text.contains("time"))
    {
        return Some("time");
    }
    let plies: u32 = main_plies(game);
    let Some(Annotation::Item(Item::Comment(last))) = game.notes.last() else {
        return None;
    };
    match last.as_str() {
        _ if plies as usize != game.moves.len() => None,
        "White resigns" | "Black resigns" | "resigned" => Some("resignation"),
        "draw agreed" => Some("agreement"),
        "Black loses on time" => Some("time"),
        _ => None,
    }
}

fn main_plies(game: &GameEntry) -> u32 {
    let (mut plies, mut depth) = (0, 0);
    for note in &game.notes {
        match note {
            Annotation::Moves(count) if depth == 0 => plies += count,
            Annotation::Item(Item::VariationStart) => depth += 1,
            Annotation::Item(Item::VariationEnd) => depth -= 1,
            _ => {}
        }
    }
    plies
}

pub(super) fn ending_of(game: &GameEntry) -> Option<&'static str> {
    let mut position = game.start_position().unwrap();
    for m in &game.moves {
        position.play(*m).unwrap();
    }
    match () {
        () if position.is_checkmate() => Some("mate"),
        () if !position.has_legal_move() => Some("stalemate"),
        () if position.is_dead() => Some("material"),
        () => stated_ending(game),
    }
}

fn rating(game: &GameEntry, tag: &str) -> Option<u32> {
    game.tag(tag)?.parse().ok()
}

fn has_won(game: &GameEntry, name: &str, white: GameResult, black: GameResult) -> bool {
    let wanted = words(name);
    let sides = [("White", white), ("Black", black)];
    let mut sides = sides.into_iter();
    sides.any(|(tag, result)| game.result == result && has_all(game.tag(tag), &wanted))
}

/// Whether a note of a game has a property.
fn has_note(game: &GameEntry, holds: impl Fn(&Annotation) -> bool) -> bool {
    game.notes.iter().any(holds)
}

/// A question about results of a player, ratings, endings and what the record has.
pub(super) fn record_question(dice: &mut Dice) -> Question {
    type Holds = fn(&GameEntry) -> bool;
    const SIGNS: fn(&GameEntry, &str, u8) -> bool = |game, sign, nag| {
        game.notes.iter().any(|note| match note {
            Annotation::Signs(signs) => signs == sign,
            Annotation::Item(Item::Nag(known)) => *known == nag,
            _ => false,
        })
    };
    use GameResult::{Black, Draw, White};
    let questions: [(&str, Holds); 33] = [
        ("won:kirk", |g| has_won(g, "kirk", White, Black)),
        ("lost:kirk", |g| has_won(g, "kirk", Black, White)),
        ("drew:spock", |g| has_won(g, "spock", Draw, Draw)),
        ("won:?", |g| {
            g.result == White && g.tag("White").is_none()
                || g.result == Black && g.tag("Black").is_none()
        }),
        ("white-elo:2000..", |g| {
            rating(g, "WhiteElo").is_some_and(|r| r >= 2_000)
        }),
        ("black-elo:<2100", |g| {
            rating(g, "BlackElo").is_some_and(|r| r < 2_100)
        }),
        ("white-elo:?", |g| rating(g, "WhiteElo").is_none()),
        ("any-elo:>2200", |g| {
            rating(g, "BlackElo").is_some_and(|r| r > 2_200)
        }),
        ("elo:*", |g| {
            rating(g, "WhiteElo").is_some() && rating(g, "BlackElo").is_some()
        }),
        ("elo:?", |g| {
            rating(g, "WhiteElo").is_none() || rating(g, "BlackElo").is_none()
        }),
        ("elo-difference:>=200", |g| {
            let both = rating(g, "WhiteElo").zip(rating(g, "BlackElo"));
            both.is_some_and(|(white, black)| white.abs_diff(black) >= 200)
        }),
        ("elo-difference:..150", |g| {
            let both = rating(g, "WhiteElo").zip(rating(g, "BlackElo"));
            both.is_some_and(|(white, black)| white.abs_diff(black) <= 150)
        }),
        ("ending:mate", |g| ending_of(g) == Some("mate")),
        ("ending:resignation,agreement", |g| {
            matches!(ending_of(g), Some("resignation" | "agreement"))
        }),
        ("ending:time", |g| ending_of(g) == Some("time")),
        ("ending:?", |g| ending_of(g).is_none()),
        ("ending:*", |g| ending_of(g).is_some()),
        ("has:variations", |g| !g.variations.is_empty()),
        ("has:nags", |g| {
            has_note(g, |note| {
                matches!(note, Annotation::Signs(_) | Annotation::Item(Item::Nag(_)))
            })
        }),
        ("has:comments", |g| {
            has_note(g, |note| {
                let text = note.comment().unwrap_or("[]");
                !text.starts_with('[') || text.ends_with("bad")
            })
        }),
        ("has:clocks", |g| {
            let has = |note: &Annotation| {
                let text = note.comment().unwrap_or_default();
                text.contains("[%clk") && !text.contains("soon")
            };
            g.notes.iter().any(has)
        }),
        ("has:evals", |g| {
            has_note(g, |note| {
                note.comment().unwrap_or_default().contains("[%eval")
            })
        }),
        ("has:clocks,evals", |g| {
            has_note(g, |note| {
                let text = note.comment().unwrap_or_default();
                text.contains("[%") && !text.contains("soon")
            })
        }),
        ("nag:!", |g| SIGNS(g, "!", 1)),
        ("nag:??", |g| SIGNS(g, "??", 4)),
        ("nag:$36", |g| SIGNS(g, "", 36)),
        ("nag:3", |g| SIGNS(g, "!!", 3)),
        ("clock:<60", |g| {
            least_clock(g).is_some_and(|time| time < 60)
        }),
        ("clock:300", |g| least_clock(g) == Some(300)),
        ("clock:?", |g| least_clock(g).is_none()),
        ("drop:>=100", |g| {
            greatest_drop(g).is_some_and(|drop| drop >= 100)
        }),
        ("drop:*", |g| greatest_drop(g).is_some()),
        ("drop:0", |g| greatest_drop(g) == Some(0)),
    ];
    let (text, holds) = questions[dice.roll(questions.len())];
    let query = Query::parse(text).unwrap();
    (
        query,
        text.to_owned(),
        Box::new(move |g| yes(holds(&g.entry))),
    )
}
