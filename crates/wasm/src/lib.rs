//! Three-dimensional chess for JavaScript.
//!
//! A program in the browser sends a request and gets an answer. Both are a line of JSON, and a text after it. Rust
//! calls [`answer`]. JavaScript calls [`ffi`], for which `js/tridex.js` has functions. Rules, notations and file
//! formats are those of the crates that the command `tridex` uses: each request is one call of these.
//!
//! ```
//! let text = b"{\"do\":\"read\",\"name\":\"-\"}\n1. b4N b5B 2. c3W a6S";
//! let (head, rows) = tridex_wasm::answer(text.to_vec()).unwrap();
//! assert_eq!(head, r#"{"games":1,"plies":4,"problems":[]}"#);
//! assert!(rows.starts_with(br#"{"source":"-","game":1,"line":1,"status":"warned""#));
//! ```

mod choices;
pub mod ffi;
mod position;
mod read;
mod reconcile;
mod write;

use serde::Deserialize;

/// What is requested.
#[derive(Deserialize)]
struct Request {
    #[serde(rename = "do")]
    what: What,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Read,
    Game,
    Write,
    Reconcile,
    Systems,
    Style,
    Position,
    Moves,
    Line,
    Setup,
    Svg,
}

/// Answers a request: a line of JSON that states what is requested, and a text after it. The answer is a JSON object and a
/// text.
///
/// # Errors
/// Why the request cannot be answered, in words for the caller.
pub fn answer(request: Vec<u8>) -> Result<(String, Vec<u8>), String> {
    let end = request.iter().position(|byte| *byte == b'\n');
    let (head, from) = match end {
        Some(end) => (request.get(..end), end + 1),
        None => (request.get(..), request.len()),
    };
    // Read as a `str`, because the JSON parser for `str` is compiled in anyway.
    let head = str::from_utf8(head.unwrap_or_default()).map_err(unread)?;
    let head = head.to_owned();
    let mut text = request;
    text.drain(..from);
    // Each kind of request is read by itself. For a tagged enum, serde would copy the fields first, and the code for
    // that is larger than all other code that reads requests.
    let Request { what } = fields(&head)?;
    match what {
        What::Read => fields::<read::Read>(&head)?.answer(text),
        What::Game => fields::<read::OneGame>(&head)?.answer(text),
        What::Write => fields::<write::Write>(&head)?.answer(text),
        What::Reconcile => fields::<reconcile::Reconcile>(&head)?.answer(text),
        What::Systems => Ok((choices::systems(), Vec::new())),
        What::Style => Ok(("{}".to_owned(), tridex_page::style().into_bytes())),
        What::Position => fields::<position::Place>(&head)?.answer(),
        What::Moves => fields::<position::Moves>(&head)?.answer(),
        What::Line => fields::<position::Line>(&head)?.answer(),
        What::Setup => fields::<position::Edit>(&head)?.answer(),
        What::Svg => fields::<position::Draw>(&head)?.answer(),
    }
}

/// The fields of a request.
fn fields<'r, T: Deserialize<'r>>(head: &'r str) -> Result<T, String> {
    serde_json::from_str(head).map_err(unread)
}

fn unread(fault: impl std::fmt::Display) -> String {
    format!("the request cannot be read: {fault}")
}

/// An answer as JSON.
fn json(answer: &impl serde::Serialize) -> String {
    // Answers have only numbers, texts and names, so this cannot fail.
    serde_json::to_string(answer).unwrap_or_default()
}

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
