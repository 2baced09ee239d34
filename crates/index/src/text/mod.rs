//! Words in names and comments.

pub(crate) mod text_field;
pub(crate) mod words;
