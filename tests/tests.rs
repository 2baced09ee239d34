//! x

mod federation;
mod federation_boards;
mod generate_stats_dedupe;
mod manual;
mod manual_boards;
mod meder;
mod meder_kings;
mod meder_notation;
mod support;
