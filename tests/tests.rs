//! One binary for all integration tests, one file a topic. The rules are tables (`rules/tables.rs`, `data/`), one record for
//! each article; the files of the systems hold what is no row.

mod program;
mod support;

/// The command: its options, messages and texts.
mod command {
    pub(crate) mod arrange;
    pub(crate) mod cli;
    pub(crate) mod cli_paths;
    pub(crate) mod cli_problems;
    pub(crate) mod cli_terminal;
    pub(crate) mod cli_words;
    pub(crate) mod generate_stats_dedupe;
    pub(crate) mod options;
    pub(crate) mod reconcile;
    pub(crate) mod show;
    pub(crate) mod tables;
    pub(crate) mod texts;
}

/// The notations, and those of other programs.
mod notation {
    pub(crate) mod meder_notation;
    pub(crate) mod notations;
    pub(crate) mod programs;
}

/// Pages, the site and the module for browsers.
mod pages {
    pub(crate) mod page;
    pub(crate) mod serve;
    pub(crate) mod wasm;
}

/// The project itself: its files, words, names and imports.
mod project {
    pub(crate) mod checkout;
    pub(crate) mod guide;
    pub(crate) mod import_order;
    pub(crate) mod interfaces;
    pub(crate) mod layers;
    pub(crate) mod map;
    pub(crate) mod names;
    pub(crate) mod packages;
    pub(crate) mod readme;
    pub(crate) mod words;
}

/// Records in every container, layout and state of damage.
mod records {
    pub(crate) mod alike;
    pub(crate) mod annotated;
    pub(crate) mod archives;
    pub(crate) mod corpus;
    pub(crate) mod damaged;
    pub(crate) mod encodings;
    pub(crate) mod files;
    pub(crate) mod hostile;
    pub(crate) mod layouts;
    pub(crate) mod nothing_lost;
    pub(crate) mod outside;
    pub(crate) mod passes;
    pub(crate) mod plan;
    pub(crate) mod record_tables;
    pub(crate) mod repair;
    pub(crate) mod sheets;
    pub(crate) mod traces;
}

/// The rule systems: every article of their texts.
mod rules {
    pub(crate) mod chess3;
    pub(crate) mod cube_support;
    pub(crate) mod federation;
    pub(crate) mod laws;
    pub(crate) mod manual;
    pub(crate) mod meder;
    pub(crate) mod millennium;
    pub(crate) mod perft;
    pub(crate) mod rulings;
    pub(crate) mod tables;
}

/// Indexes and searches.
mod search {
    pub(crate) mod export;
    pub(crate) mod index;
}
