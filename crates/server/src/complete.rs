//! Completes queries: names of fields, their values, and names of players.

use crate::answers::Completion;
use crate::fault::Fault;
use crate::model;
use crate::reply::Reply;
use crate::site::Request;
use tridex_index::{FIELDS, Field, FieldKind, SearchOptions, SearchRequest};
use tridex_text::names::fold;

/// The most values of an answer.
const MOST: usize = 12;

/// How many games are read at once for their players, and how often. What was found is excluded the next time.
const GAMES: usize = 50;
const ROUNDS: usize = 6;

/// `/complete`: what can follow the beginning of a query.
pub(crate) fn answer(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&["query"]])?;
    let text = request.params.get("query").unwrap_or_default();
    let token = last_token(text);
    let from = text.len() - token.len();
    let values = match token.split_once(':') {
        Some((name, value)) => match Field::find(name) {
            Some(field) => values_of(request, field, value)?
                .into_iter()
                .map(|value| format!("{name}:{value}"))
                .collect(),
            None => Vec::new(),
        },
        None => words(request, token)?,
    };
    let from = text.get(..from).unwrap_or_default().chars().count();
    Reply::json_without_note(&Completion { from, values })
}

/// The last word of a query: a field, a value or the beginning of one. Blanks and brackets in quotation marks are part of it.
fn last_token(text: &str) -> &str {
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, sign) in text.char_indices() {
        let is_end = !is_quoted && (sign.is_whitespace() || matches!(sign, '(' | ')'));
        // A minus sign before a word negates it.
        if is_end || sign == '-' && at == start {
            start = at + sign.len_utf8();
        }
        is_quoted ^= sign == '"' && !is_escaped;
        is_escaped = sign == '\\' && !is_escaped;
    }
    text.get(start..).unwrap_or_default()
}

/// Fields that begin so, then players.
fn words(request: &Request, token: &str) -> Result<Vec<String>, Fault> {
    let fields = FIELDS.iter().filter(|field| field.name != "query");
    let fields = fields.filter(|field| field.name.starts_with(token));
    let mut values: Vec<String> = fields.map(|field| format!("{}:", field.name)).collect();
    if token.chars().count() > 1 {
        let names = players(request, token)?;
        values.extend(names.iter().map(|name| format!("player:{}", quoted(name))));
    }
    values.truncate(MOST);
    Ok(values)
}

/// The values of a field that begin so.
fn values_of(request: &Request, field: &Field, value: &str) -> Result<Vec<String>, Fault> {
    let starting = |names: Vec<&str>, start: &str| {
        let names = names.into_iter().filter(|name| name.starts_with(start));
        names.map(str::to_owned).collect()
    };
    Ok(match field.kind {
        FieldKind::Choice(names) => starting(names(), value),
        FieldKind::Choices(names) => {
            let (before, last) = value.rsplit_once(',').unwrap_or(("", value));
            let names: Vec<String> = starting(names(), last);
            let comma = if before.is_empty() { "" } else { "," };
            let all = names.iter().map(|name| format!("{before}{comma}{name}"));
            all.collect()
        }
        FieldKind::Switch => starting(vec!["yes", "no"], value),
        _ if field.value == "NAME" => {
            let start = value.trim_start_matches(['=', '"']);
            let names = players(request, start)?;
            names.iter().map(|name| quoted(name)).collect()
        }
        _ if value.is_empty() => vec![quoted(field.example)],
        _ => Vec::new(),
    })
}

/// Players with a name of which a word begins so.
fn players(request: &Request, start: &str) -> Result<Vec<String>, Fault> {
    let folded = fold(start);
    let words: Vec<&str> = folded.split_whitespace().collect();
    let mut found: Vec<String> = Vec::new();
    if words.is_empty() {
        return Ok(found);
    }
    for _ in 0..ROUNDS {
        let mut asking = SearchRequest::default();
        asking.set("player", format!("{}*", words.join(" ")))?;
        for name in &found {
            asking.set("query", format!("-player:={}", quoted(name)))?;
        }
        asking.options = SearchOptions::default().limit(GAMES).count(false);
        asking.options.until = Some(request.times.count_until);
        // A beginning that is no name finds nothing.
        let Ok(hits) = request.index.answer(&asking) else {
            break;
        };
        let before = found.len();
        for row in model::rows(request, &hits)? {
            for name in [row.white, row.black] {
                let folded = fold(&name);
                let is_so = words.iter().all(|word| {
                    let mut own = folded.split_whitespace();
                    own.any(|own| own.starts_with(word))
                });
                if is_so && !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        if found.len() == before || found.len() >= MOST {
            break;
        }
    }
    found.truncate(MOST);
    found.sort_unstable();
    Ok(found)
}

/// A value as a query has it: in quotation marks if it needs them.
fn quoted(value: &str) -> String {
    let is_word = |sign: char| !sign.is_whitespace() && !matches!(sign, '(' | ')' | '"' | '\\');
    match value.chars().all(is_word) {
        true => value.to_owned(),
        false => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::{last_token, quoted};

    #[test]
    fn the_last_word_is_completed() {
        for (text, token) in [
            ("", ""),
            ("play", "play"),
            ("mate pl", "pl"),
            ("mate ", ""),
            ("(mate or player:k", "player:k"),
            ("-play", "play"),
            ("any-elo", "any-elo"),
            ("player:\"Kirk, J", "player:\"Kirk, J"),
            ("player:\"Kirk, James\" sp", "sp"),
            ("player:\"a \\\" b", "player:\"a \\\" b"),
            ("é sp", "sp"),
        ] {
            assert_eq!(last_token(text), token, "{text}");
        }
    }

    #[test]
    fn values_with_blanks_are_quoted() {
        assert_eq!(quoted("Spock"), "Spock");
        assert_eq!(quoted("Kirk, \"Jim\""), "\"Kirk, \\\"Jim\\\"\"");
    }
}
