//! One binary for all integration tests, one file a topic. Tests of rules are named after the article they hold to.

mod archives;
mod chess3;
mod cli;
mod corpus;
mod cube_support;
mod federation;
mod federation_boards;
mod generate_stats_dedupe;
mod index;
mod laws;
mod manual;
mod manual_boards;
mod meder;
mod meder_kings;
mod meder_notation;
mod millennium;
mod millennium_special;
mod program;
mod readme;
mod support;
