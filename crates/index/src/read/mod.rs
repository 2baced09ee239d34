//! Opening an index, and checking the whole of it.

pub(crate) mod index;
pub(crate) mod verify;
