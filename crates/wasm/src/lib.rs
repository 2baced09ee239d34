//! Three-dimensional chess for JavaScript.
//!
//! A program in the browser sends a request and gets an answer; both are a line of JSON and, after it, a text. [`answer`]
//! does that for Rust, and [`border`] for JavaScript, where `js/tridex.js` makes functions of it. Nothing here knows a
//! rule, a notation or a file format: each request is one call of the crates that the command `tridex` uses.
//!
//! ```
//! let text = b"{\"do\":\"read\",\"name\":\"-\"}\n1. b4N b5B 2. c3W a6S";
//! let (head, rows) = tridex_wasm::answer(text.to_vec()).unwrap();
//! assert_eq!(head, r#"{"games":1,"plies":4,"problems":[]}"#);
//! assert!(rows.starts_with(br#"{"source":"-","game":1,"line":1,"status":"warned""#));
//! ```

pub mod border;
mod choices;
mod position;
mod read;
mod write;

use serde::Deserialize;

/// What is wanted.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    Read(read::Read),
    Game(read::OneGame),
    Write(write::Write),
    Systems {},
    Style {},
    Position(position::Place),
    Moves(position::Moves),
    Line(position::Line),
    Setup(position::Edit),
    Svg(position::Draw),
}

/// Answers a request: a line of JSON that says what is wanted, and a text after it. The answer is a JSON object and a text.
///
/// # Errors
/// Why the request cannot be answered, in words for whoever made it.
pub fn answer(request: Vec<u8>) -> Result<(String, Vec<u8>), String> {
    let end = request.iter().position(|byte| *byte == b'\n');
    let (head, from) = match end {
        Some(end) => (request.get(..end), end + 1),
        None => (request.get(..), request.len()),
    };
    let wanted = serde_json::from_slice(head.unwrap_or_default())
        .map_err(|fault| format!("the request cannot be read: {fault}"))?;
    let mut text = request;
    text.drain(..from);
    match wanted {
        Request::Read(wanted) => wanted.answer(text),
        Request::Game(wanted) => wanted.answer(text),
        Request::Write(wanted) => wanted.answer(text),
        Request::Systems {} => Ok((choices::systems(), Vec::new())),
        Request::Style {} => Ok(("{}".to_owned(), tridex_page::style().into_bytes())),
        Request::Position(wanted) => wanted.answer(),
        Request::Moves(wanted) => wanted.answer(),
        Request::Line(wanted) => wanted.answer(),
        Request::Setup(wanted) => wanted.answer(),
        Request::Svg(wanted) => wanted.answer(),
    }
}

/// An answer as JSON.
fn json(answer: &impl serde::Serialize) -> String {
    // Numbers, texts and names only: JSON has a word for all of them.
    serde_json::to_string(answer).unwrap_or_default()
}

// The example of the README is compiled and run with those of the docs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod read_me {}
