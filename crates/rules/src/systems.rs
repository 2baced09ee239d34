//! The rule systems: one small file each, with its source and only what differs.

pub(crate) mod chess3;
pub(crate) mod federation;
pub(crate) mod manual;
pub(crate) mod meder;
pub(crate) mod millennium;
