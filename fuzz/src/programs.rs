//! What other programs write: moves and positions of their dialects.

use tridex_notation::Program;
use tridex_notation::programs::tridchessboard;

/// Lines of one input that are read; the rest would only repeat what they do.
const LINES: usize = 12;

/// Every line of the data is a token and a position. In each program's dialect it is understood or refused at a place
/// inside it, alike twice; and a position is written in a way that is read and written as the same.
///
/// # Panics
/// If a law is broken.
pub fn read(data: &[u8]) {
    for line in data.split(|b| *b == b'\n').take(LINES) {
        for program in Program::ALL {
            token(program, line);
            if let Ok(text) = std::str::from_utf8(line) {
                position(program, text);
            }
        }
    }
}

fn token(program: Program, token: &[u8]) {
    let read = program.parse(token);
    match &read {
        Ok(text) => assert!(usize::from(text.suffix) <= token.len(), "{text:?}"),
        Err(stop) => {
            assert!(
                stop.offset <= token.len(),
                "refused at a place inside: {stop:?}"
            );
            assert!(!stop.expected.is_empty(), "with what was expected there");
        }
    }
    assert_eq!(read, program.parse(token), "read alike twice");
}

fn position(program: Program, text: &str) {
    let setup = match program.parse_position(text) {
        Ok(setup) => setup,
        Err(stop) => {
            assert!(
                stop.offset <= text.len(),
                "refused at a place inside: {stop:?}"
            );
            return;
        }
    };
    let Some(first) = program.write_position(&setup) else {
        panic!("{program:?} has read what it cannot write: {text}");
    };
    assert_eq!(Program::of_position(&first), Some(program), "{first}");
    let again = program.parse_position(&first);
    let second = again
        .as_ref()
        .ok()
        .and_then(|setup| program.write_position(setup));
    assert_eq!(second.as_ref(), Some(&first), "written and read: {again:?}");
    if program == Program::Tridchessboard {
        let columns = tridchessboard::write_columns(&setup);
        let again = columns.as_deref().map(tridchessboard::parse);
        let by_columns = again
            .and_then(Result::ok)
            .and_then(|setup| tridchessboard::write(&setup));
        assert_eq!(by_columns, second, "by columns it is the same: {columns:?}");
    }
}
