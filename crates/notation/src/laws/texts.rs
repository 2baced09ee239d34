//! Laws of texts: what is written is read, and what is read is written in one way.

use super::moves::notations;
use super::{Broken, Held, hold, place};
use crate::resolve::{self, ResolveError};
use crate::text::{CheckMark, Locale, MoveText, Notation, WriteOptions};
use crate::{San, messages, parse, parse_by_grammar, position_string, write, write_played};
use tridex_rules::{Move, MoveList, Position, Setup};

/// Bytes as they can be shown.
fn shown(token: &[u8]) -> String {
    format!("`{}`", token.escape_ascii())
}

/// A token is understood, or refused at a place inside it, with something that was expected there; and the length given for
/// its end lies inside it.
///
/// # Errors
/// If it is broken.
pub fn token_is_stable(notation: Notation, token: &[u8], locale: Option<Locale>) -> Held {
    let at = || format!("{} {}", notation.name(), shown(token));
    let read = parse(notation, token, locale);
    match &read {
        Ok(text) => hold(
            usize::from(text.suffix) <= token.len(),
            "a comment lies inside its token",
            at,
            || format!("{text:?}"),
        )?,
        Err(stop) => hold(
            stop.offset <= token.len() && !stop.expected.is_empty(),
            "a token is refused at a place inside it",
            at,
            || format!("{stop:?}"),
        )?,
    }
    hold(
        read == parse(notation, token, locale),
        "a token is read alike twice",
        at,
        || format!("{read:?}"),
    )
}

/// What [`San::read`] reads by bytes the grammar reads alike; and the move it finds in the position is the only one that the
/// words can mean, with captures as they are written.
///
/// # Errors
/// If it is broken.
pub fn san_is_what_the_grammar_reads(
    position: &Position,
    notation: Notation,
    token: &[u8],
    locale: Locale,
) -> Held {
    let Some(san) = San::read(notation, token, locale) else {
        return Ok(());
    };
    let at = || format!("{} {} {locale:?}", notation.name(), shown(token));
    let read = parse_by_grammar(notation, token, locale);
    hold(
        read == Ok(san.text()),
        "what is read by bytes the grammar reads alike",
        at,
        || format!("{san:?}, by the grammar {read:?}"),
    )?;
    let mut fits = MoveList::new();
    let Some(found) = san.find(position) else {
        return Ok(());
    };
    resolve::candidates(&san.text(), position, &mut fits);
    // Without a mark of check the position after the move is not needed.
    let unmarked = MoveText {
        mark: CheckMark::None,
        ..san.text()
    };
    let takes = position.is_capture(found);
    hold(
        *fits.as_slice() == [found]
            && resolve::marks_of(&unmarked, found, takes, position).is_empty(),
        "the move found for usual words is the only candidate",
        || format!("{}, {}", at(), place(position)),
        || format!("{found:?} of {fits:?}"),
    )
}

/// What a token can mean in a position are legal moves, in order and each once; [`resolve::resolve`] agrees;
/// each of them is written in a way that is read as that move; and for a token that means nothing there are words and
/// legal alternatives.
///
/// # Errors
/// If it is broken.
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
    let mut fits = MoveList::new();
    resolve::candidates(&text, position, &mut fits);
    hold(
        in_order(&fits) && fits.iter().all(|m| position.is_legal(*m)),
        "candidates are legal moves in order",
        at,
        || format!("{fits:?}"),
    )?;
    let resolved = resolve::resolve(&text, position);
    let agrees = match (&resolved, fits.as_slice()) {
        (Ok(m), [only]) => m == only,
        (Err(ResolveError::Ambiguous(moves)), [_, _, ..]) => *moves == fits,
        (Err(ResolveError::Ambiguous(_)), _) | (Ok(_), _) => false,
        (Err(_), fits) => fits.is_empty(),
    };
    hold(agrees, "resolve is the one candidate", at, || {
        format!("{resolved:?}, candidates {fits:?}")
    })?;
    let near = resolve::alternatives(&text, position);
    let listed = messages::alternatives(&text, position);
    hold(
        in_order(&near)
            && in_order(&listed)
            && listed.len() <= messages::ALTERNATIVES
            && near.iter().chain(&listed).all(|m| position.is_legal(*m)),
        "alternatives are legal moves in order",
        at,
        || format!("{near:?} and {listed:?}"),
    )?;
    if fits.is_empty() {
        let reason = messages::reason(&text, position, notation);
        return hold(
            !reason.is_empty() && !reason.contains('\n'),
            "there are words for what a token cannot mean",
            at,
            || reason.clone(),
        );
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

/// `read(write(m)) == m` for every legal move in every notation of the family, with nothing forgiven and every mark
/// right; the text written from what was read is the same; and no two moves are written alike.
///
/// # Errors
/// If it is broken.
pub fn written_is_read(position: &Position, options: &WriteOptions) -> Held {
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
        hold(
            alike.is_none(),
            "no two legal moves are written alike",
            || place(position),
            || format!("{alike:?}"),
        )?;
    }
    Ok(())
}

/// Writes the move and reads it again; gives the text.
fn one_written_is_read(
    position: &Position,
    m: Move,
    after: &Position,
    notation: Notation,
    options: &WriteOptions,
) -> Result<String, Broken> {
    let law = "read(write(m)) == m";
    let at = || format!("{} {}", notation.name(), place(position));
    let mut written = String::new();
    if let Err(fault) = write(notation, position, m, options, &mut written) {
        hold(false, law, at, || format!("{m:?}: {fault}"))?;
    }
    let found = |what: String| format!("{m:?} is `{written}`: {what}");
    let text: MoveText = match parse(notation, written.as_bytes(), Some(options.locale)) {
        Ok(text) => text,
        Err(stop) => {
            hold(false, law, at, || found(format!("{stop:?}")))?;
            return Ok(written);
        }
    };
    let read = resolve::resolve(&text, position);
    hold(read == Ok(m), law, at, || found(format!("{read:?}")))?;
    let mismatches = resolve::marks(&text, position, m, after);
    hold(
        text.notes.is_empty() && mismatches.is_empty(),
        "nothing has to be forgiven in what was written",
        at,
        || found(format!("{:?}, {mismatches:?}", text.notes)),
    )?;
    let mut played = String::new();
    if write_played(notation, position, m, after, options, &mut played).is_err()
        || played != written
    {
        hold(false, "write_played writes what write does", at, || {
            found(played.clone())
        })?;
    }
    Ok(written)
}

/// A text is a position string or is refused at a place inside it; what was read is written in a form that is read as
/// the same and written as the same.
///
/// # Errors
/// If it is broken.
pub fn position_string_is_stable(text: &str) -> Held {
    match position_string::parse(text) {
        Ok(setup) => setup_is_stable(&setup),
        Err(stop) => hold(
            text.is_char_boundary(stop.offset) && !stop.expected.is_empty(),
            "a position string is refused at a place inside it",
            || shown(text.as_bytes()),
            || format!("{stop:?}"),
        ),
    }
}

/// Parse of print is the same, and print of parse is idempotent, for position strings.
///
/// # Errors
/// If it is broken.
pub fn setup_is_stable(setup: &Setup) -> Held {
    let written = position_string::to_string(setup);
    let read = position_string::parse(&written);
    let again = read.as_ref().map(position_string::to_string);
    hold(
        read.as_ref() == Ok(setup) && again.as_deref() == Ok(&written),
        "parse of print is the same",
        || written.clone(),
        || format!("{again:?}"),
    )
}
