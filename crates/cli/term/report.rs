//! Findings drawn for people: the place first, so that editors can jump to it, then the source line with a marker.

use crate::term::terminal::Paint;
use std::fmt::Write;
use tridex_archive::decode;
use tridex_archive::line_index::LineIndex;
use tridex_replay::finding::{Correction, Finding, Severity};
use tridex_text::printable;
use unicode_width::UnicodeWidthStr;

/// The most of a source line that is shown around a token, in columns.
pub(crate) const SHOWN: usize = 76;

/// Draws a finding at the end of `out`.
pub(crate) fn draw(
    out: &mut String,
    paint: Paint,
    source: &str,
    game: Option<u64>,
    found: &Finding,
    line_index: &LineIndex<'_>,
) {
    let severity = match found.severity {
        Severity::Info => "note",
        other => other.as_str(),
    };
    let severity = paint.severe(found.severity, severity);
    let place = format!("{}:{}:{}:", printable(source), found.line, found.column);
    let mut where_ = game.map_or_else(String::new, |game| format!("game {game}"));
    if !found.number.is_empty() {
        let _ = write!(where_, ", {}", found.number);
    }
    if found.ply > 0 {
        let _ = write!(where_, " (ply {})", found.ply);
    }
    if !where_.is_empty() {
        where_.push_str(": ");
    }
    let _ = writeln!(
        out,
        "{} {severity}[{}]: {where_}{}",
        paint.bold(&place),
        found.code.as_str(),
        printable(&found.message)
    );
    excerpt(out, paint, found, line_index);
    if !found.alternatives.is_empty() {
        let legal = paint.faint("= legal:");
        let _ = writeln!(out, "  {legal} {}", shown_moves(&found.alternatives));
    }
    if !found.missing.is_empty() {
        let missing = paint.faint("= may be missing:");
        let _ = writeln!(out, "  {missing} {}", shown_moves(&found.missing));
    }
    corrections(out, paint, found);
}

/// Lists moves for people: the first ones, and how many more there are.
fn shown_moves(moves: &[String]) -> String {
    let shown: Vec<&str> = moves.iter().take(MOST_MOVES).map(String::as_str).collect();
    let more = match moves.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}

/// The most moves that are shown. The formats for programs have them all.
const MOST_MOVES: usize = 12;
/// The most slips that are shown as possible explanations of a game.
const MOST_CORRECTIONS: usize = 5;

/// Draws the slip that explains the game, or those that might.
fn corrections(out: &mut String, paint: Paint, found: &Finding) {
    let Some(first) = found.corrections.first() else {
        return;
    };
    let help = paint.severe(Severity::Info, "= help:");
    let words = |correction: &Correction| printable(&correction.words()).into_owned();
    if found.is_sure {
        let with = match first.changes.as_slice() {
            [only] if only.replaces(found.at) => only.text.to_string(),
            _ => words(first),
        };
        let slip = &first.slip;
        let _ = writeln!(
            out,
            "  {help} with {with} the rest of the game is legal ({slip})"
        );
        return;
    }
    let _ = writeln!(
        out,
        "  {help} the rest of the game is legal with one of these:"
    );
    for correction in found.corrections.iter().take(MOST_CORRECTIONS) {
        let _ = writeln!(out, "      {} ({})", words(correction), correction.slip);
    }
    let listed = found.corrections.len().saturating_sub(MOST_CORRECTIONS);
    let more = listed + found.unlisted;
    if more > 0 {
        let some = match found.unlisted {
            0 => String::new(),
            _ => format!("{listed} of them "),
        };
        let _ = writeln!(
            out,
            "      and {more} more, {some}listed by --format ndjson"
        );
    }
}

/// Draws the line of the token with a marker below it. Of a long line, only the part near the token is shown.
fn excerpt(out: &mut String, paint: Paint, found: &Finding, line_index: &LineIndex<'_>) {
    if found.len == 0 {
        return;
    }
    let (line, start) = line_index.line(found.at);
    let offset = usize::try_from(found.at.saturating_sub(start)).unwrap_or(0);
    let (before, rest) = line.split_at(offset.min(line.len()));
    let (token, after) = rest.split_at(found.len.min(rest.len()));
    let shown = |bytes: &[u8]| printable(&decode(bytes).replace('\t', " ")).into_owned();
    let (before, token, after) = (shown(before), shown(token), shown(after));
    let before = tail(&before, SHOWN / 2);
    let token = head(&token, SHOWN);
    let after = head(&after, SHOWN.saturating_sub(before.width() + token.width()));
    let number = found.line.to_string();
    let margin = " ".repeat(number.len());
    let bar = paint.faint("|");
    let marker = "^".repeat(token.width().max(1));
    let marker = paint.severe(found.severity, &marker);
    let _ = writeln!(
        out,
        "  {} {bar} {before}{token}{after}",
        paint.faint(&number)
    );
    let _ = writeln!(
        out,
        "  {margin} {bar} {}{marker}",
        " ".repeat(before.width())
    );
}

/// The last `columns` columns of a text.
pub(crate) fn tail(text: &str, columns: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let parts = starts.filter_map(|at| text.get(at..));
    let parts = parts.take_while(|part| part.width() <= columns);
    parts.last().unwrap_or_default()
}

/// The first `columns` columns of a text.
pub(crate) fn head(text: &str, columns: usize) -> &str {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let parts = ends.filter_map(|end| text.get(..end));
    let parts = parts.take_while(|part| part.width() <= columns);
    parts.last().unwrap_or_default()
}
