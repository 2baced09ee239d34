//! Options that change the tags and remarks of games that are written.

use crate::failure::Failure;
use crate::options::values::one_of;
use clap::Args;
use std::path::{Path, PathBuf};
use tridex_core::{Edits, Strip};

/// Tags that decide how a game is read, or follow from its moves.
const READ: [&str; 6] = ["Variant", "Notation", "Locale", "SetUp", "FEN", "Result"];

/// Marks what to omit.
type Omit = fn(&mut Strip);

/// What `--strip` omits, with its name and its help.
const STRIPPED: &[(&str, Omit, &str)] = &[
    (
        "comments",
        |strip| strip.comments = true,
        "Comments, arrows and marked squares",
    ),
    ("variations", |strip| strip.variations = true, ""),
    (
        "nags",
        |strip| strip.nags = true,
        "NAGs, and marks such as `!?`",
    ),
    (
        "clocks",
        |strip| strip.clocks = true,
        "Times: `[%clk 0:05:00]`, `[%emt 12]`",
    ),
    (
        "evals",
        |strip| strip.evals = true,
        "Evaluations: `[%eval 0.35]`",
    ),
];

/// Changes to tags and remarks.
#[derive(Args, Debug)]
pub(crate) struct EditOptions {
    /// Omit remarks of these kinds, separated by commas
    ///
    /// Comments `[%tridex ...]` that mark guesses and corrections stay (see --no-trace). The source is still checked
    /// completely, apart from omitted variations.
    #[arg(long, value_parser = one_of(STRIPPED), value_delimiter = ',', value_name = "KINDS")]
    strip: Vec<Omit>,
    /// Replace names of players, events and sites by standard ones
    ///
    /// A CSV file with the columns `written` and `standard`. Case and repeated blanks do not matter. The original name
    /// stays in a tag such as `WhiteAsWritten`, unless --no-trace is given.
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
    /// Set a tag of each game
    #[arg(long, value_parser = pair, value_name = "TAG=VALUE")]
    set: Vec<(String, String)>,
    /// Rename a tag
    #[arg(long, value_parser = renamed, value_name = "TAG=NEW")]
    rename: Vec<(String, String)>,
    /// Remove a tag
    #[arg(long, value_parser = tag, value_name = "TAG")]
    remove: Vec<String>,
}

/// The name of a tag that may be changed.
fn tag(name: &str) -> Result<String, String> {
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !is_name {
        return Err("expected the name of a tag: letters, digits and `_`".to_owned());
    }
    match READ.iter().find(|read| read.eq_ignore_ascii_case(name)) {
        Some(read) => Err(format!(
            "the tag {read} decides how a game is read or follows from its moves; it cannot be changed"
        )),
        None => Ok(name.to_owned()),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected TAG=VALUE, such as Event=Match")?;
    Ok((tag(name)?, value.to_owned()))
}

fn renamed(text: &str) -> Result<(String, String), String> {
    let (old, new) = text
        .split_once('=')
        .ok_or("expected TAG=NEW, such as Place=Site")?;
    Ok((tag(old)?, tag(new)?))
}

impl EditOptions {
    /// The changes. `has_traces` is whether replaced names stay in other tags.
    ///
    /// # Errors
    /// If the file of names cannot be read.
    pub(crate) fn edits(&self, has_traces: bool) -> Result<Edits, Failure> {
        let mut edits = Edits::default();
        edits.no_traces = !has_traces;
        self.strip.iter().for_each(|omit| omit(&mut edits.strip));
        edits.set.clone_from(&self.set);
        edits.rename.clone_from(&self.rename);
        edits.remove.clone_from(&self.remove);
        if let Some(file) = &self.names {
            read_names(file, &mut edits).map_err(|fault| Failure::at(file, fault))?;
        }
        Ok(edits)
    }
}

/// Reads a file of names.
fn read_names(file: &Path, edits: &mut Edits) -> Result<(), String> {
    let mut table = csv::ReaderBuilder::new();
    let table = table.trim(csv::Trim::All).from_path(file);
    let mut table = table.map_err(|fault| fault.to_string())?;
    let columns = table.headers().map_err(|fault| fault.to_string())?;
    let place = |name: &str| {
        let mut columns = columns.iter();
        columns.position(|column| {
            column
                .trim_start_matches('\u{feff}')
                .eq_ignore_ascii_case(name)
        })
    };
    let (Some(written), Some(standard)) = (place("written"), place("standard")) else {
        return Err("expected the columns `written` and `standard` in the first line".to_owned());
    };
    for row in table.records() {
        let row = row.map_err(|fault| fault.to_string())?;
        let line = row.position().map_or(0, csv::Position::line);
        let [written, standard] = [written, standard].map(|column| row.get(column).unwrap_or(""));
        if written.is_empty() || standard.is_empty() {
            return Err(format!(
                "line {line}: expected a written and a standard name"
            ));
        }
        if !edits.name(written, standard) {
            return Err(format!(
                "line {line}: `{written}` already has another standard name"
            ));
        }
    }
    Ok(())
}
