//! The border to JavaScript: three functions of a C interface, and bytes in the memory of the module.
//!
//! [`tridex_request`] gives room for the bytes of a request, [`tridex_answer`] answers it and gives
//! the place of the answer, [`tridex_answer_len`] its length. An answer begins with `+`, its line of JSON and the text
//! after it; or with `-` and the words of an error. Each request takes the place of the one before, and of its answer.
//!
//! Written without `wasm-bindgen` because three functions need no generated code, and the module is loaded by every reader of
//! the page.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A request while it is written and read, then its answer.
static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn bytes() -> MutexGuard<'static, Vec<u8>> {
    BYTES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a request of `len` bytes and returns its place.
#[expect(unsafe_code, reason = "a name for JavaScript to call it by")]
#[unsafe(no_mangle)]
pub extern "C" fn tridex_request(len: usize) -> *mut u8 {
    let mut bytes = bytes();
    *bytes = vec![0; len];
    bytes.as_mut_ptr()
}

/// Answers the request and returns the place of the answer.
#[expect(unsafe_code, reason = "a name for JavaScript to call it by")]
#[unsafe(no_mangle)]
pub extern "C" fn tridex_answer() -> *const u8 {
    let mut bytes = bytes();
    let request = std::mem::take(&mut *bytes);
    *bytes = match crate::answer(request) {
        Ok((head, text)) => [b"+", head.as_bytes(), b"\n", &text].concat(),
        Err(why) => [b"-", why.as_bytes()].concat(),
    };
    bytes.as_ptr()
}

/// The length of the answer.
#[expect(unsafe_code, reason = "a name for JavaScript to call it by")]
#[unsafe(no_mangle)]
pub extern "C" fn tridex_answer_len() -> usize {
    bytes().len()
}
