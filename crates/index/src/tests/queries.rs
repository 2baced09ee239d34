//! The table of queries in `tests/data/queries.txt`. Each is answered by the index, by the filter without an index, and by
//! the slow and obvious program below, which reads the query on its own.

use super::scan::varied;
use super::texts::{commands_of, ending_of, words};
use super::{add, entries, small};
use crate::testing::Dice;
use crate::*;
use tridex_archive::Item;
use tridex_geometry::{Square, cube};
use tridex_notation::{Notation, names};
use tridex_rules::{Castling, Color, Move, Piece, Position, Role, RuleSystem};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/queries.txt");

/// A game, its source, and the positions of its main line.
struct Game {
    entry: GameEntry,
    source: String,
    positions: Vec<Position>,
}

/// The games of the table: 60 of each system, every fourth with variations.
fn games() -> Vec<Game> {
    let mut all = Vec::new();
    for rules in RuleSystem::ALL {
        let mut dice = Dice::new(3);
        for (number, entry) in entries(*rules, 60, 60, 7).into_iter().enumerate() {
            let mut entry = match number % 4 {
                0 => varied(&entry, &mut dice),
                _ => entry,
            };
            entry.ending = entry.replayed_ending();
            let mut position = entry.start_position().unwrap();
            let mut positions = vec![position.clone()];
            for m in &entry.moves {
                position.play(*m).unwrap();
                positions.push(position.clone());
            }
            all.push(Game {
                entry,
                source: format!("{}.pgn", rules.name()),
                positions,
            });
        }
    }
    all
}

/// The tokens of a query: brackets, signs, words and terms.
fn tokens(text: &str) -> Vec<String> {
    let (mut tokens, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                word.push(c);
            }
            '(' | ')' | ' ' if !is_quoted => {
                if !word.is_empty() {
                    tokens.push(std::mem::take(&mut word));
                }
                if c != ' ' {
                    tokens.push(c.to_string());
                }
            }
            '-' if !is_quoted && word.is_empty() => tokens.push("not".to_owned()),
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        tokens.push(word);
    }
    tokens
}

/// Whether a game matches what the tokens begin with, up to a closing bracket or the end.
fn any_of(tokens: &mut &[String], game: &Game) -> bool {
    let mut holds = all_of(tokens, game);
    while tokens.first().is_some_and(|token| token == "or") {
        *tokens = &tokens[1..];
        // Both sides are read, even if the first one matches.
        holds = all_of(tokens, game) || holds;
    }
    holds
}

fn all_of(tokens: &mut &[String], game: &Game) -> bool {
    let mut holds = true;
    loop {
        match tokens.first().map(String::as_str) {
            None | Some(")" | "or") => return holds,
            Some("and") => *tokens = &tokens[1..],
            Some(_) => holds = factor(tokens, game) && holds,
        }
    }
}

fn factor(tokens: &mut &[String], game: &Game) -> bool {
    let first = &tokens[0];
    *tokens = &tokens[1..];
    match first.as_str() {
        "not" => !factor(tokens, game),
        "(" => {
            let holds = any_of(tokens, game);
            *tokens = &tokens[1..];
            holds
        }
        term => match term.split_once(':') {
            Some((field, value)) if !term.starts_with('"') => holds(field, value, game),
            _ => texts(game).iter().any(|text| has_words(Some(text), term)),
        },
    }
}

/// All texts of a game.
fn texts(game: &Game) -> Vec<String> {
    let tags = ["White", "Black", "Event", "Site", "Round"];
    let tags = tags.iter().filter_map(|tag| game.entry.tag(tag));
    let notes = game.entry.notes.iter().filter_map(Annotation::comment);
    tags.chain(notes).map(str::to_owned).collect()
}

/// Whether a text has the words of a value: a phrase in quotation marks, the whole text after `=`, else all words, each of
/// which may be a beginning.
fn has_words(text: Option<&str>, value: &str) -> bool {
    let value = value.trim();
    match value.trim_matches('"') {
        "*" => return text.is_some(),
        "?" => return text.is_none(),
        _ => {}
    }
    let there = words(text.unwrap_or_default());
    let bare = value.trim_matches('"');
    if let Some(whole) = bare.strip_prefix('=') {
        return text.is_some() && words(whole) == there;
    }
    if value.starts_with('"') {
        let wanted = words(bare);
        return there.windows(wanted.len()).any(|part| part == wanted);
    }
    bare.split_whitespace()
        .all(|word| match word.strip_suffix('*') {
            Some(start) => {
                let start = words(start).concat();
                there.iter().any(|word| word.starts_with(&start))
            }
            None => words(word).iter().all(|word| there.contains(word)),
        })
}

/// Whether a number satisfies `N`, `N..M`, `N..`, `..M` or a comparison; `*` and `?` ask whether it is known.
fn has_number(number: Option<u32>, value: &str) -> bool {
    let value = value.trim_matches('"');
    let read = |text: &str| text.parse::<u32>().unwrap();
    match (value, number) {
        ("*", number) => number.is_some(),
        ("?", number) => number.is_none(),
        (_, None) => false,
        (value, Some(number)) => {
            if let Some(end) = value.strip_prefix(">=") {
                number >= read(end)
            } else if let Some(end) = value.strip_prefix("<=") {
                number <= read(end)
            } else if let Some(end) = value.strip_prefix('=') {
                number == read(end)
            } else if let Some(end) = value.strip_prefix('>') {
                number > read(end)
            } else if let Some(end) = value.strip_prefix('<') {
                number < read(end)
            } else if let Some((from, to)) = value.split_once("..") {
                (from.is_empty() || number >= read(from)) && (to.is_empty() || number <= read(to))
            } else {
                number == read(value)
            }
        }
    }
}

/// All days that a game may have been played on, as `yyyymmdd`. Every month has 31.
fn days(game: &Game) -> Vec<u32> {
    let Some(Ok(date)) = game.entry.tag("Date").map(Date::parse) else {
        return Vec::new();
    };
    days_of(date)
}

fn days_of(date: Date) -> Vec<u32> {
    let all = (1..=12_u8).flat_map(|month| (1..=31_u8).map(move |day| (month, day)));
    all.filter(|(month, day)| {
        date.month.is_none_or(|known| known == *month) && date.day.is_none_or(|known| known == *day)
    })
    .map(|(month, day)| u32::from(date.year) * 10_000 + u32::from(month) * 100 + u32::from(day))
    .collect()
}

fn first_day(text: &str) -> u32 {
    days_of(Date::parse(text).unwrap())[0]
}

fn last_day(text: &str) -> u32 {
    *days_of(Date::parse(text).unwrap()).last().unwrap()
}

fn has_date(game: &Game, value: &str) -> bool {
    let days = days(game);
    let any = |holds: &dyn Fn(u32) -> bool| days.iter().any(|day| holds(*day));
    match value {
        "*" => !days.is_empty(),
        "?" => days.is_empty(),
        value => {
            if let Some(end) = value.strip_prefix(">=") {
                any(&|day| day >= first_day(end))
            } else if let Some(end) = value.strip_prefix("<=") {
                any(&|day| day <= last_day(end))
            } else if let Some(end) = value.strip_prefix('>') {
                any(&|day| day > last_day(end))
            } else if let Some(end) = value.strip_prefix('<') {
                any(&|day| day < first_day(end))
            } else {
                let (from, to) = value.split_once("..").unwrap_or((value, value));
                any(&|day| {
                    (from.is_empty() || day >= first_day(from))
                        && (to.is_empty() || day <= last_day(to))
                })
            }
        }
    }
}

fn rating(game: &Game, tag: &str) -> Option<u32> {
    game.entry.tag(tag)?.parse().ok()
}

/// Whether the game has a term.
fn holds(field: &str, value: &str, game: &Game) -> bool {
    let entry = &game.entry;
    let tag = |name| has_words(entry.tag(name), value);
    // The words of a player's name may be in any order.
    let player = |name| has_words(entry.tag(name), value.trim_matches('"'));
    let has_note = |holds: &dyn Fn(&Annotation) -> bool| entry.notes.iter().any(holds);
    let has_command = |name| !commands_of(entry, name, false).is_empty();
    let [white_elo, black_elo] = ["WhiteElo", "BlackElo"].map(|tag| rating(game, tag));
    let listed = |holds: &dyn Fn(&str) -> bool| value.split(',').any(holds);
    let by_result = |white, black| {
        let sides = [("White", white), ("Black", black)];
        let mut sides = sides.into_iter();
        sides.any(|(name, result)| entry.result == result && player(name))
    };
    let reaches = |holds: &dyn Fn(&Position) -> bool| game.positions.iter().any(holds);
    match field {
        "player" => player("White") || player("Black"),
        "white" => player("White"),
        "black" => player("Black"),
        "event" => tag("Event"),
        "site" => tag("Site"),
        "round" => tag("Round"),
        "eco" => tag("ECO"),
        "termination" => tag("Termination"),
        "annotator" => tag("Annotator"),
        "time-control" => tag("TimeControl"),
        "team" => tag("WhiteTeam") || tag("BlackTeam"),
        "tag" => {
            let (name, value) = value.split_once('=').unwrap();
            has_words(entry.tag(name), value)
        }
        "opening" => value == "?",
        "text" => {
            let comments: Vec<&str> = entry.notes.iter().filter_map(Annotation::comment).collect();
            match value {
                "*" => !comments.is_empty(),
                "?" => comments.is_empty(),
                _ => comments.iter().any(|text| has_words(Some(text), value)),
            }
        }
        "won" => by_result(GameResult::White, GameResult::Black),
        "lost" => by_result(GameResult::Black, GameResult::White),
        "drew" => by_result(GameResult::Draw, GameResult::Draw),
        "date" => has_date(game, value),
        "after" => has_date(game, &format!(">{value}")),
        "before" => has_date(game, &format!("<{value}")),
        "result" => entry.result.as_str() == value.replace('?', "*"),
        "rules" => listed(&|name| entry.rules.name() == name),
        "plies" => has_number(Some(entry.moves.len() as u32), value),
        "white-elo" => has_number(white_elo, value),
        "black-elo" => has_number(black_elo, value),
        "elo" if value == "?" => white_elo.is_none() || black_elo.is_none(),
        "elo" => has_number(white_elo, value) && has_number(black_elo, value),
        "any-elo" if value == "?" => white_elo.is_none() && black_elo.is_none(),
        "any-elo" => has_number(white_elo, value) || has_number(black_elo, value),
        "elo-difference" => {
            let both = white_elo.zip(black_elo);
            has_number(both.map(|(white, black)| white.abs_diff(black)), value)
        }
        "source" => game.source.contains(&value.to_lowercase()),
        "ending" => match (value, ending_of(entry)) {
            ("*", ending) => ending.is_some(),
            ("?", ending) => ending.is_none(),
            (_, ending) => ending.is_some_and(|ending| listed(&|name| name == ending)),
        },
        "has" => listed(&|name| match name {
            "comments" => has_note(&|note| note.comment().is_some_and(is_text)),
            "variations" => !entry.variations.is_empty(),
            "nags" => has_note(&|note| {
                matches!(note, Annotation::Signs(_) | Annotation::Item(Item::Nag(_)))
            }),
            "clocks" => has_command("clk"),
            "evals" => has_command("eval"),
            other => panic!("{other}"),
        }),
        "nag" => {
            let signs = ["!", "?", "!!", "??", "!?", "?!"];
            let number = signs.iter().position(|sign| *sign == value);
            let number = match number {
                Some(place) => place as u8 + 1,
                None => value.trim_start_matches('$').parse().unwrap(),
            };
            has_note(&|note| match note {
                Annotation::Signs(text) => signs.get(usize::from(number) - 1) == Some(&&**text),
                Annotation::Item(Item::Nag(nag)) => *nag == number,
                _ => false,
            })
        }
        "clock" => {
            let times = commands_of(entry, "clk", true).into_iter();
            has_number(times.map(|(_, time)| time as u32).min(), value)
        }
        "drop" => {
            let evals = commands_of(entry, "eval", true);
            let pairs = evals.windows(2).filter(|pair| pair[0].0 + 1 == pair[1].0);
            let lost = pairs.map(|pair| {
                let change = pair[1].1 - pair[0].1;
                (if pair[0].0 % 2 == 0 { -change } else { change }).max(0) as u32
            });
            has_number(lost.max(), value)
        }
        "moves" => {
            let systems = RuleSystem::ALL
                .iter()
                .filter(|rules| **rules == entry.rules);
            let mut wanted =
                systems.filter_map(|rules| position_after(*rules, value.trim_matches('"')).ok());
            wanted.any(|wanted| reaches(&|position| position.key() == wanted.key()))
        }
        "material" => {
            let (white, black) = value.split_once(':').unwrap();
            reaches(&|position| {
                has_material(position, Color::White, white)
                    && has_material(position, Color::Black, black)
            })
        }
        "pattern" => {
            let value = value.trim_matches('"');
            (0..).zip(&game.positions).any(|(ply, position)| {
                value
                    .split(" and ")
                    .all(|part| has_part(game, position, ply, part))
            })
        }
        "sequence" => follows(
            game,
            &value.trim_matches('"').split(" then ").collect::<Vec<_>>(),
        ),
        other => panic!("{other}"),
    }
}

/// Whether a comment has text besides commands.
fn is_text(comment: &str) -> bool {
    let mut rest = comment.to_owned();
    while let (Some(start), Some(end)) = (rest.find("[%"), rest.find(']')) {
        rest.replace_range(start..=end, "");
    }
    !rest.trim().is_empty()
}

fn count(position: &Position, piece: char) -> u32 {
    let color = if piece.is_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let role = Role::from_letter(piece.to_ascii_uppercase()).unwrap();
    let piece = Piece::new(color, role);
    position
        .occupied()
        .into_iter()
        .filter(|square| position.piece_at(*square) == Some(piece))
        .count() as u32
}

fn has_material(position: &Position, color: Color, signature: &str) -> bool {
    "QRBNP".chars().all(|letter| {
        let wanted = signature.chars().filter(|c| *c == letter).count() as u32;
        let letter = if color.is_white() {
            letter
        } else {
            letter.to_ascii_lowercase()
        };
        let any = signature.contains(&format!("{}*", letter.to_ascii_uppercase()));
        any || count(position, letter) == wanted
    })
}

fn piece_of(letter: &str) -> Piece {
    Piece::from_letter(letter.chars().next().unwrap()).unwrap()
}

fn squares_of(position: &Position, piece: Piece) -> Vec<Square> {
    let occupied = position.occupied().into_iter();
    occupied
        .filter(|square| position.piece_at(*square) == Some(piece))
        .collect()
}

/// The pieces of a side that can move to a square by their own movement, one by one.
fn reaching(position: &Position, by: Color, to: Square) -> Vec<Piece> {
    let occupied = position.occupied().into_iter();
    let reaching = occupied.filter_map(|from| {
        let piece = position.piece_at(from).filter(|piece| piece.color == by)?;
        position.reaches(from, to).then_some(piece)
    });
    reaching.collect()
}

/// Whether a square is light: those of one column are alike, and the corner of file a (z on the stair board) is dark.
fn is_light(position: &Position, square: Square) -> bool {
    let (file, rank) = match position.layout() {
        // Meder's a1 is dark; files and ranks are counted from z and 0.
        Some(layout) => (layout.column(square).file(), layout.column(square).rank()),
        None => (cube::file(square), cube::rank(square)),
    };
    (file + rank) % 2 == 1
}

/// How many pieces, of a side (`A`, `a`) or of a kind, shield their king: each is taken off the board to see who reaches it.
fn pinned(position: &Position, what: &str) -> u32 {
    let color = match what.chars().all(char::is_uppercase) {
        true => Color::White,
        false => Color::Black,
    };
    let king = position.king(color);
    let attackers = |position: &Position| -> Vec<Square> {
        let enemies = position.occupied().into_iter().filter(|square| {
            let piece = position.piece_at(*square).unwrap();
            piece.color != color && piece.role != Role::King && position.reaches(*square, king)
        });
        enemies.collect()
    };
    let before = attackers(position);
    let own = position.occupied().into_iter().filter(|square| {
        let piece = position.piece_at(*square).unwrap();
        piece.color == color
            && piece.role != Role::King
            && (what.eq_ignore_ascii_case("a") || piece == piece_of(what))
    });
    let (enemy, enemy_king) = (color.other(), position.king(color.other()));
    let is_pinned = |square: &Square| {
        let mut setup = position.to_setup();
        setup.set_piece(*square, None);
        // The side whose king is now attacked has to be the one to move.
        setup.turn = color;
        setup.castling = Castling::NONE;
        setup.en_passant = None;
        setup.moved.remove(*square);
        // The enemy's king may be attacked, too. Then it goes somewhere else, and a knight is put in the way instead.
        let elsewhere = (0..position.family().squares()).map(|index| {
            let mut setup = setup.clone();
            let there = Square::new(index as u8);
            if there != enemy_king && setup.piece(there).is_none() {
                setup.set_piece(enemy_king, Some(Piece::new(enemy, Role::Knight)));
                setup.set_piece(there, Some(Piece::new(enemy, Role::King)));
            }
            Position::from_setup(position.rules(), &setup)
        });
        let as_it_is = Position::from_setup(position.rules(), &setup);
        let mut all = [as_it_is].into_iter().chain(elsewhere);
        let without = all.find_map(Result::ok).unwrap();
        let mut after = attackers(&without).into_iter();
        after.any(|enemy| enemy != enemy_king && !before.contains(&enemy))
    };
    own.filter(is_pinned).count() as u32
}

/// How many pawns are passed, doubled or isolated, found by comparing each with each.
fn pawns(position: &Position, kind: &str, pawn: Piece) -> u32 {
    let place = |square: Square| -> (i32, i32) {
        match position.layout() {
            Some(layout) => {
                let column = layout.column(square);
                (column.file().into(), column.rank().into())
            }
            None => (cube::file(square).into(), cube::rank(square).into()),
        }
    };
    let places =
        |piece| -> Vec<(i32, i32)> { squares_of(position, piece).into_iter().map(place).collect() };
    let own = places(pawn);
    let enemies = places(Piece::new(pawn.color.other(), Role::Pawn));
    let ahead = if pawn.color.is_white() { 1 } else { -1 };
    let is_so = |index: &usize| {
        let (file, rank) = own[*index];
        let mut others = (0..own.len()).filter(|other| other != index);
        match kind {
            "passed" => !enemies
                .iter()
                .any(|(f, r)| (f - file).abs() <= 1 && (r - rank) * ahead > 0),
            "doubled" => others.any(|other| own[other].0 == file),
            _ => others.all(|other| (own[other].0 - file).abs() != 1),
        }
    };
    (0..own.len()).filter(is_so).count() as u32
}

/// A part of a pattern: `check`, `mate`, `white to move`, `ply N..M`, or a count such as `Q=0`.
fn has_part(game: &Game, position: &Position, ply: u32, part: &str) -> bool {
    match part {
        "check" => position.is_check(),
        "mate" => position.is_checkmate(),
        "stalemate" => !position.is_check() && position.legal_moves().is_empty(),
        "double check" => {
            let turn = position.turn();
            reaching(position, turn.other(), position.king(turn)).len() >= 2
        }
        "end" => ply as usize + 1 == game.positions.len(),
        "same bishops" | "opposite bishops" => {
            let [white, black] = ["B", "b"].map(|letter| squares_of(position, piece_of(letter)));
            let is_same = part.starts_with("same");
            white.len() == 1
                && black.len() == 1
                && (is_light(position, white[0]) == is_light(position, black[0])) == is_same
        }
        "white to move" => position.turn().is_white(),
        "black to move" => !position.turn().is_white(),
        part => {
            if let Some(plies) = part.strip_prefix("ply ") {
                return has_number(Some(ply), plies);
            }
            if let Some(number) = part.strip_prefix("balance") {
                let worth = |letters: [&str; 5]| -> i32 {
                    let values = letters.into_iter().zip([9, 5, 3, 3, 1]);
                    values
                        .map(|(letter, value)| {
                            value * squares_of(position, piece_of(letter)).len() as i32
                        })
                        .sum()
                };
                let number = number.trim();
                let wanted = number.trim_start_matches(['<', '>', '=', '!', ' ']);
                let wanted: i32 = wanted.parse().unwrap();
                let found = worth(["Q", "R", "B", "N", "P"]) - worth(["q", "r", "b", "n", "p"]);
                return match number.trim_end_matches(|c: char| !"=<>".contains(c)) {
                    "=" => found == wanted,
                    ">=" => found >= wanted,
                    "<=" => found <= wanted,
                    "<" => found < wanted,
                    ">" => found > wanted,
                    _ => found != wanted,
                };
            }
            if let Some((what, number)) = part
                .strip_prefix("pinned(")
                .and_then(|part| part.split_once(')'))
            {
                let number = if number.is_empty() { ">=1" } else { number };
                return has_number(Some(pinned(position, what)), number);
            }
            if let Some((kind, rest)) = part.split_once('(')
                && ["passed", "doubled", "isolated"].contains(&kind)
            {
                let (letter, number) = rest.split_once(')').unwrap();
                let number = if number.is_empty() { ">=1" } else { number };
                return has_number(Some(pawns(position, kind, piece_of(letter))), number);
            }
            if let Some((by, target)) = part.split_once(" attacks ") {
                let (by, target) = (piece_of(by), piece_of(target));
                return squares_of(position, target)
                    .iter()
                    .any(|square| reaching(position, by.color, *square).contains(&by));
            }
            if let Some((target, number)) = part
                .strip_prefix("attackers(")
                .and_then(|part| part.split_once(')'))
            {
                let target = piece_of(target);
                return squares_of(position, target).into_iter().any(|square| {
                    let number_of = reaching(position, target.color.other(), square).len();
                    has_number(Some(number_of as u32), number)
                });
            }
            if let Some((piece, rest)) = part.split_once("@rank ")
                && let Some((rank, level)) = rest.split_once(" on ")
            {
                let rank: u8 = rank.parse().unwrap();
                let mut squares = squares_of(position, piece_of(piece)).into_iter();
                return squares.any(|square| match position.layout() {
                    Some(layout) => {
                        let name = names::square(Notation::Manual, Some(layout), square);
                        layout.column(square).rank() == rank
                            && name.split(',').nth(1).is_some_and(|board| board == level)
                    }
                    None => {
                        cube::rank(square) + 1 == rank
                            && (cube::level(square) + 1).to_string() == level
                    }
                });
            }
            if let Some((piece, shade)) = part.split_once('@')
                && let Some(number) = shade
                    .strip_prefix("light")
                    .or_else(|| shade.strip_prefix("dark"))
            {
                let squares = squares_of(position, piece_of(piece)).into_iter();
                let is_shade =
                    |square: &Square| is_light(position, *square) == shade.starts_with("light");
                let number = if number.is_empty() { ">=1" } else { number };
                return has_number(Some(squares.filter(is_shade).count() as u32), number);
            }
            if let Some((piece, rank)) = part.split_once("@rank ") {
                let rank: u8 = rank.parse().unwrap();
                let squares = squares_of(position, piece_of(piece));
                return squares.into_iter().any(|square| match position.layout() {
                    Some(layout) => layout.column(square).rank() == rank,
                    None => cube::rank(square) + 1 == rank,
                });
            }
            if let Some((piece, file)) = part.split_once("@file ") {
                let (file, number) = file.split_at(1);
                let squares = squares_of(position, piece_of(piece)).into_iter();
                let found = squares.filter(|square| match position.layout() {
                    Some(layout) => {
                        "zabcde".find(file) == Some(layout.column(*square).file().into())
                    }
                    None => "abcdefgh".find(file) == Some(cube::file(*square).into()),
                });
                let number = if number.is_empty() { ">=1" } else { number };
                return has_number(Some(found.count() as u32), number);
            }
            let piece = part.chars().next().unwrap();
            let number = count(position, piece);
            match part[1..].strip_prefix('=') {
                Some(wanted) => number == wanted.parse::<u32>().unwrap(),
                None => has_number(Some(number), &part[1..]),
            }
        }
    }
}

/// The squares of the pieces that give check.
fn checking(position: &Position) -> Vec<Square> {
    let (turn, occupied) = (position.turn(), position.occupied());
    let gives = |square: &Square| {
        position.piece_at(*square).unwrap().color != turn
            && position.reaches(*square, position.king(turn))
    };
    occupied.into_iter().filter(gives).collect()
}

/// Whether moves occur in an order: `castling`, `takes`, `check`, `mate`, `board`, `promotes`, or a colour and one of these.
fn follows(game: &Game, steps: &[&str]) -> bool {
    let mut next = 0;
    for (number, m) in game.entry.moves.iter().enumerate() {
        let (before, after) = (&game.positions[number], &game.positions[number + 1]);
        let Some(step) = steps.get(next) else {
            break;
        };
        let step = step
            .replace("double check", "double")
            .replace("discovered check", "discovered");
        let is_step = step.split(' ').all(|word| match word {
            "white" => before.turn().is_white(),
            "black" => !before.turn().is_white(),
            "castling" => matches!(m, Move::Castle(_)),
            "takes" => after.occupied().count() < before.occupied().count(),
            "check" => after.is_check(),
            "double" => checking(after).len() >= 2,
            "discovered" => {
                // Boards carry pieces, so all squares whose piece has changed count, and all squares of a moved board.
                let moved = |square: &Square| match m {
                    Move::Board { board, .. } => board.squares().contains(*square),
                    _ => before.piece_at(*square) != after.piece_at(*square),
                };
                checking(after).iter().any(|square| !moved(square))
            }
            "mate" => after.is_checkmate(),
            "board" => matches!(m, Move::Board { .. }),
            other => panic!("{other}"),
        });
        next += usize::from(is_step);
    }
    next == steps.len()
}

#[test]
fn every_query_of_the_table_has_the_count_of_a_brute_force() {
    let games = games();
    let folder = tempfile::tempdir().unwrap();
    for rules in RuleSystem::ALL {
        let of_system = games.iter().filter(|game| game.entry.rules == *rules);
        let entries: Vec<GameEntry> = of_system.map(|game| game.entry.clone()).collect();
        add(
            folder.path(),
            &small(),
            &format!("{}.pgn", rules.name()),
            &entries,
        );
    }
    let index = GameIndex::open(folder.path()).unwrap();
    let preparer = Preparer::without_index(None);
    let prepared = games
        .iter()
        .map(|game| preparer.prepare(&game.entry).unwrap());
    let prepared: Vec<Prepared> = prepared.collect();
    let table = std::fs::read_to_string(PATH).unwrap();
    let is_writing = std::env::var("TRIDEX_TEXTS").is_ok_and(|value| value == "write");
    let (mut written, mut queries, mut faults) = (String::new(), 0, Vec::new());
    for line in table.lines() {
        if line.is_empty() || line.starts_with('#') {
            written += &format!("{line}\n");
            continue;
        }
        let (stated, text) = line.trim_start().split_once(' ').unwrap();
        let text = text.trim();
        queries += 1;
        let all = tokens(text);
        let matches = games.iter().map(|game| any_of(&mut all.as_slice(), game));
        let matches: Vec<bool> = matches.collect();
        let expected = matches.iter().filter(|matches| **matches).count();
        written += &format!("{expected:>4}  {text}\n");
        let query = match Query::parse(text) {
            Ok(query) => query,
            Err(fault) => {
                faults.push(format!("{text}: {fault}"));
                continue;
            }
        };
        let found = index.search(&query, &SearchOptions::default()).unwrap();
        let filter = Filter::new(&query).unwrap();
        for ((game, prepared), matches) in games.iter().zip(&prepared).zip(&matches) {
            if filter.matches(prepared, &game.source) != *matches {
                let place = format!("{}:{}", game.source, game.entry.number);
                faults.push(format!("{text}: the filter on {place}, expected {matches}"));
                break;
            }
        }
        if found.total != expected as u64 {
            faults.push(format!(
                "{text}: the index has {}, expected {expected}",
                found.total
            ));
        }
        if !is_writing && stated.parse() != Ok(expected) {
            faults.push(format!(
                "{text}: the table has {stated}, expected {expected}"
            ));
        }
    }
    if is_writing {
        std::fs::write(PATH, written).unwrap();
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(queries >= 150, "{queries}");
}
