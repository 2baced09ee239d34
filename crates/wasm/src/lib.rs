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

#[cfg(test)]
mod tests {
    use super::answer;

    fn reconciled(sheets: &[&str], more: &str) -> Result<(serde_json::Value, String), String> {
        let lengths: Vec<usize> = sheets.iter().map(|sheet| sheet.len()).collect();
        let head = format!(r#"{{"do":"reconcile","lengths":{lengths:?}{more}}}"#);
        let request = format!("{head}\n{}", sheets.concat());
        let (head, text) = answer(request.into_bytes())?;
        let head = serde_json::from_str(&head).map_err(|fault| fault.to_string())?;
        Ok((head, String::from_utf8_lossy(&text).into_owned()))
    }

    const WHITE: &str = "1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N 4. a4W\n";
    const BLACK: &str = "Weiß: Bell\n1. b4N b5S 2. c3W a6 3. Sc2W Sc6N\n";

    #[test]
    fn two_sheets_give_a_game_and_its_differences_with_positions() {
        let (head, game) = reconciled(&[WHITE, BLACK], "").unwrap();
        assert_eq!(
            (&head["decided"], &head["plies"]),
            (&false.into(), &7.into())
        );
        assert!(
            game.contains("[White \"Bell\"]") && game.contains("3. Nc2W"),
            "{game}"
        );
        let differences = head["differences"].as_array().unwrap();
        let plies: Vec<_> = differences
            .iter()
            .map(|found| found["ply"].as_u64())
            .collect();
        assert_eq!(plies, [Some(5), Some(7), Some(7)]);
        assert_eq!(head["moves"][0], serde_json::json!(["Nc2W"]));
        assert_eq!(head["moves"][2][0], "a4W");
        let fen = head["positions"][0].as_str().unwrap();
        assert!(fen.ends_with("w KQkq - - 0 3"), "{fen}");
        let to = r#","to":"manual""#;
        let (_, manual) = reconciled(&[WHITE, BLACK, BLACK], to).unwrap();
        assert!(manual.contains("1. c3,WB-c5,NB c8,BB-c6,BB"), "{manual}");
    }

    #[test]
    fn sheets_that_cannot_be_reconciled_are_refused() {
        for (sheets, why) in [
            (vec![WHITE], "two or three records can be reconciled, not 1"),
            (vec![WHITE, ""], "score sheet 2 has 0 games, not one"),
            (
                vec![WHITE, "1. b4N *\n\n1. b4N *\n"],
                "score sheet 2 has 2 games, not one",
            ),
            (
                vec![WHITE, "1. c3N c6B 2. 0-0 d5N 3. a3N 0-0\n"],
                "records of different games",
            ),
        ] {
            let refused = reconciled(&sheets, "").unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        let request = br#"{"do":"reconcile","lengths":[5,9]}"#.to_vec();
        assert!(answer(request).unwrap_err().contains("exceed the text"));
    }
}
