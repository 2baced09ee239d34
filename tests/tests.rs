//! One binary for all integration tests, one file a topic. The rules are tables (`tables.rs`,
//! `data/`), one record for each article; the files of the systems hold what is no row.

mod alike;
mod annotated;
mod archives;
mod chess3;
mod cli;
mod cli_paths;
mod cli_problems;
mod cli_terminal;
mod cli_words;
mod corpus;
mod cube_support;
mod export;
mod federation;
mod generate_stats_dedupe;
mod hostile;
mod index;
mod laws;
mod manual;
mod mating;
mod meder;
mod meder_notation;
mod millennium;
mod page;
mod perft;
mod plan;
mod program;
mod programs;
mod readme;
mod repair;
mod serve;
mod sheets;
mod show;
mod support;
mod tables;
