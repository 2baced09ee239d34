//! The interface to JavaScript: three C functions, and bytes in the memory of the module.
//!
//! [`tridex_request`] allocates the bytes of a request. [`tridex_answer`] answers it and returns the address of the
//! answer, and [`tridex_answer_len`] returns its length. An answer is `+`, a line of JSON and a text; or `-` and an
//! error message. Each request replaces the one before and its answer.
//!
//! Written without `wasm-bindgen` because three functions need no generated code, and every reader of the page loads
//! the module.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A request while it is written and read, and then its answer.
static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn bytes() -> MutexGuard<'static, Vec<u8>> {
    BYTES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocates a request of `len` bytes and returns its address.
#[expect(unsafe_code, reason = "a name for JavaScript to call it by")]
#[unsafe(no_mangle)]
pub extern "C" fn tridex_request(len: usize) -> *mut u8 {
    let mut bytes = bytes();
    *bytes = vec![0; len];
    bytes.as_mut_ptr()
}

/// Answers the request and returns the address of the answer.
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
