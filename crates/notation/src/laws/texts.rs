//! Properties of texts: what is written can be read, and what is read has one canonical text.

use super::moves::notations;
use super::{Broken, Held, Law, place};
use crate::resolve::{self, ResolveError};
use crate::text::{CheckMark, Locale, MoveText, Notation, WriteOptions};
use crate::{messages, parse, position_string, write, write_played};
use tridex_rules::{Move, Position, Setup};

/// Bytes in a printable form.
fn shown(token: &[u8]) -> String {
    format!("`{}`", token.escape_ascii())
}

/// A token is parsed, or refused at an offset inside it with what was expected there. The length of its comment marks
/// does not exceed that of the token.
///
/// # Errors
/// If the property does not hold.
pub fn token_is_stable(notation: Notation, token: &[u8], locale: Option<Locale>) -> Held {
    let at = || format!("{} {}", notation.name(), shown(token));
    let read = parse(notation, token, locale);
    match &read {
        Ok(text) => Law("a comment lies inside its token", at)
            .holds(usize::from(text.suffix) <= token.len(), &text)?,
        Err(stop) => Law("a token is refused at a place inside it", at).holds(
            stop.offset <= token.len() && !stop.expected.is_empty(),
            &stop,
        )?,
    }
    Law("a token is read alike twice", at).holds(read == parse(notation, token, locale), &read)
}

/// If [`Position::find`] finds a move for a [plain](MoveText::is_plain) token, it is the only candidate, its capture
/// mark is right, and [`Position::follow`] plays it.
///
/// # Errors
/// If the property does not hold.
pub fn a_plain_token_has_one_candidate(
    position: &Position,
    notation: Notation,
    token: &[u8],
    locale: Locale,
) -> Held {
    let plain = parse(notation, token, Some(locale)).ok();
    let Some(text) = plain.filter(MoveText::is_plain) else {
        return Ok(());
    };
    let mut after = position.clone();
    let followed = after.follow(&text.written);
    let Some(found) = position.find(&text.written).one() else {
        let is_unchanged = followed.is_none() && after == *position;
        let at = || format!("{} {}, {}", notation.name(), shown(token), place(position));
        return Law("what is not found is not played", at).holds(is_unchanged, &followed);
    };
    let at = || format!("{} {}, {}", notation.name(), shown(token), place(position));
    let mut slowly = position.clone();
    let played = slowly.play_unchecked(found);
    Law("the move found is played", at).holds(
        followed == Some((found, played)) && after == slowly,
        &(found, followed),
    )?;
    let fits = resolve::candidates(&text, position);
    // Without a check mark, the position after the move is not needed.
    let unmarked = MoveText {
        mark: CheckMark::None,
        ..text
    };
    let takes = position.is_capture(found);
    let agrees = resolve::marks_of(&unmarked, found, takes, position).is_empty();
    Law("the move found for usual words is the only candidate", at)
        .holds(*fits.as_slice() == [found] && agrees, &(found, &fits))
}

/// The candidates of a token are legal moves, in order and each once, and [`resolve::resolve`] agrees with them. Each
/// of them is written as a text that is read as the same move. The alternatives are legal moves, and there is a reason
/// if there are no candidates.
///
/// # Errors
/// If the property does not hold.
pub fn token_means_legal_moves(
    position: &Position,
    notation: Notation,
    token: &[u8],
    locale: Option<Locale>,
) -> Held {
    let Ok(text) = parse(notation, token, locale) else {
        return Ok(());
    };
    let at = || format!("{} {}, {}", notation.name(), shown(token), place(position));
    let fits = resolve::candidates(&text, position);
    Law("candidates are legal moves in order", at).holds(
        in_order(&fits) && fits.iter().all(|m| position.is_legal(*m)),
        &fits,
    )?;
    let resolved = resolve::resolve(&text, position);
    let agrees = match (&resolved, fits.as_slice()) {
        (Ok(m), [only]) => m == only,
        (Err(ResolveError::Ambiguous(moves)), [_, _, ..]) => *moves == fits,
        (Err(ResolveError::Ambiguous(_)), _) | (Ok(_), _) => false,
        (Err(_), fits) => fits.is_empty(),
    };
    Law("resolve is the one candidate", at).holds(agrees, &(&resolved, &fits))?;
    let listed = messages::alternatives(&text, position);
    Law("alternatives are legal moves in order", at).holds(
        in_order(&listed)
            && listed.len() <= messages::ALTERNATIVES
            && listed.iter().all(|m| position.is_legal(*m)),
        &listed,
    )?;
    if fits.is_empty() {
        let reason = messages::reason(&text, position, notation);
        Law("there are words for what a token cannot mean", at)
            .holds(!reason.is_empty() && !reason.contains('\n'), &reason)?;
        return Ok(());
    }
    if notation.family() != position.family() {
        // Castling is spelled alike everywhere.
        return Ok(());
    }
    for m in fits {
        let mut after = position.clone();
        after.play_unchecked(m);
        let _ = resolve::marks(&text, position, m, &after);
        one_written_is_read(position, m, &after, notation, &WriteOptions::default())?;
    }
    Ok(())
}

fn in_order(moves: &[Move]) -> bool {
    moves.iter().zip(moves.iter().skip(1)).all(|(a, b)| a < b)
}

/// `read(write(m)) == m` for every legal move in every notation of the family, without notes and with every mark right.
/// `write_played` writes the same text, and no two moves have the same text.
///
/// # Errors
/// If the property does not hold.
pub fn written_is_read(position: &Position, options: &WriteOptions) -> Held {
    let at = || place(position);
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    for notation in notations(position) {
        let mut texts = Vec::with_capacity(moves.len());
        for m in &moves {
            let mut after = position.clone();
            after.play_unchecked(*m);
            let written = one_written_is_read(position, *m, &after, notation, options)?;
            texts.push((written, *m));
        }
        texts.sort_unstable();
        let alike = texts
            .iter()
            .zip(texts.iter().skip(1))
            .find(|(a, b)| a.0 == b.0);
        Law("no two legal moves are written alike", at).holds(alike.is_none(), &alike)?;
    }
    Ok(())
}

/// Writes a move, reads the text again and returns it.
fn one_written_is_read(
    position: &Position,
    m: Move,
    after: &Position,
    notation: Notation,
    options: &WriteOptions,
) -> Result<String, Broken> {
    let law = "read(write(m)) == m";
    let at = || format!("{} {m:?} {}", notation.name(), place(position));
    let mut written = String::new();
    let done = write(notation, position, m, options, &mut written);
    Law(law, at).holds(done.is_ok(), &done)?;
    let parsed = parse(notation, written.as_bytes(), Some(options.locale));
    let Ok(text) = parsed else {
        Law(law, at).holds(false, &(written, parsed))?;
        return Ok(String::new());
    };
    let read = resolve::resolve(&text, position);
    Law(law, at).holds(read == Ok(m), &(&written, read))?;
    let mismatches = resolve::marks(&text, position, m, after);
    let forgiven = !text.notes.is_empty() || !mismatches.is_empty();
    Law("nothing has to be forgiven in what was written", at)
        .holds(!forgiven, &(&written, text.notes, mismatches))?;
    let mut played = String::new();
    let done = write_played(notation, position, m, after, options, &mut played);
    Law("write_played writes what write does", at)
        .holds(done.is_ok() && played == written, &(&written, played))?;
    Ok(written)
}

/// A text is a position string, or is refused at an offset inside it. The setup that was read passes
/// [`setup_is_stable`].
///
/// # Errors
/// If the property does not hold.
pub fn position_string_is_stable(text: &str) -> Held {
    match position_string::parse(text) {
        Ok(setup) => setup_is_stable(&setup),
        Err(stop) => Law("a position string is refused at a place inside it", || {
            shown(text.as_bytes())
        })
        .holds(
            text.is_char_boundary(stop.offset) && !stop.expected.is_empty(),
            &stop,
        ),
    }
}

/// The position string of a setup is read as the same setup, and written as the same string again.
///
/// # Errors
/// If the property does not hold.
pub fn setup_is_stable(setup: &Setup) -> Held {
    let written = position_string::to_string(setup);
    let read = position_string::parse(&written);
    let again = read.as_ref().map(position_string::to_string);
    Law("parse of print is the same", || written.clone()).holds(
        read.as_ref() == Ok(setup) && again.as_deref() == Ok(&written),
        &again,
    )
}
