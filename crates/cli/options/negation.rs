//! Negations of the query language on the command line, which look like short options: `-opening:game` is not `-o`.

use clap::Command;
use std::ffi::{OsStr, OsString};
use tridex_index::Field;

/// The mark before a negation: a character that no argument of a process can contain.
const MARK: char = '\0';

/// Marks the arguments that are negations, so that clap reads them as values: words of a query, and the value of
/// `--query`. [`unmarked`] removes the mark.
///
/// # Errors
/// A negation that the command does not accept, and the name of the command.
pub(crate) fn mark(
    program: &Command,
    arguments: impl Iterator<Item = OsString>,
) -> Result<Vec<OsString>, (OsString, String)> {
    let mut command: Option<&Command> = None;
    // The option whose value is the next argument, if it is one.
    let mut value_of: Option<&str> = None;
    let mut is_over = false;
    let mut marked = Vec::new();
    for argument in arguments {
        let Some(command) = command else {
            command = argument
                .to_str()
                .and_then(|name| program.find_subcommand(name));
            marked.push(argument);
            continue;
        };
        let is_value_of = value_of.take();
        is_over |= is_value_of.is_none() && argument == "--";
        if is_over || !takes_queries(command) {
            marked.push(argument);
            continue;
        }
        if is_value_of.is_none_or(|option| option == QUERY) && is_negation(&argument) {
            if is_value_of.is_none() && !has(command, WORDS) {
                return Err((argument, command.get_name().to_owned()));
            }
            let mut with_mark = OsString::from(MARK.to_string());
            with_mark.push(argument);
            marked.push(with_mark);
            continue;
        }
        if is_value_of.is_none() {
            value_of = takes_next(program, command, &argument);
        }
        marked.push(argument);
    }
    Ok(marked)
}

/// A value without its mark.
pub(crate) fn unmarked(value: &str) -> &str {
    value.strip_prefix(MARK).unwrap_or(value)
}

/// The ids of the option and of the positional argument that accept a query.
const QUERY: &str = "query";
const WORDS: &str = "words";

fn has(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == id)
}

fn takes_queries(command: &Command) -> bool {
    has(command, QUERY) || has(command, WORDS)
}

/// The option whose value is the argument after this one.
fn takes_next<'c>(program: &'c Command, command: &'c Command, argument: &OsStr) -> Option<&'c str> {
    let argument = argument.to_str()?;
    let options = command.get_arguments().chain(program.get_arguments());
    let mut options = options.filter(|arg| !arg.is_positional());
    let option = match argument.strip_prefix("--") {
        // The name must match the whole argument: with `=`, the value is not in the next argument.
        Some(long) => options.find(|arg| {
            let names = arg.get_long_and_visible_aliases().into_iter().flatten();
            let aliases = arg.get_all_aliases().into_iter().flatten();
            names.chain(aliases).any(|name| name == long)
        }),
        None => {
            // Only the last option of a cluster can have its value in the next argument.
            let last = argument.strip_prefix('-')?.chars().next_back()?;
            options.find(|arg| arg.get_short() == Some(last))
        }
    }?;
    let takes = option.get_action().takes_values() && !option.is_require_equals_set();
    takes.then(|| option.get_id().as_str())
}

/// Whether an argument is a query that begins with `-`: before a field, a bracket or a quoted text, or before any words
/// if one of them names a field.
fn is_negation(argument: &OsStr) -> bool {
    let Some(text) = argument.to_str().and_then(|text| text.strip_prefix('-')) else {
        return false;
    };
    if text.starts_with('-') {
        return false;
    }
    let text = text.trim_start();
    let is_field = |word: &str| {
        let word = word.trim_start_matches(['-', '(']);
        let name = word.split_once(':').map(|(name, _)| name);
        name.is_some_and(|name| Field::find(name).is_some())
    };
    text.starts_with(['(', '"', '-']) || text.split_whitespace().any(is_field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Cli;
    use clap::CommandFactory;
    use tridex_index::FIELDS;

    #[test]
    fn every_field_can_be_negated_in_every_command_that_takes_a_query() {
        let program = Cli::command();
        for field in FIELDS {
            for name in [field.name].iter().chain(field.aliases) {
                for name in [(*name).to_owned(), name.to_uppercase()] {
                    let argument = format!("-{name}:x");
                    for command in ["search", "openings"] {
                        let arguments = ["tridex", command, &argument].map(OsString::from);
                        let marked = mark(&program, arguments.into_iter()).unwrap();
                        assert_eq!(marked[2], *format!("{MARK}{argument}"), "{command}");
                    }
                    for command in ["stats", "export"] {
                        let line = ["tridex", command, "--query", &argument, &argument];
                        let marked =
                            |count| mark(&program, line[..count].iter().map(OsString::from));
                        assert_eq!(marked(4).unwrap()[3], *format!("{MARK}{argument}"));
                        // The other arguments of these commands are files.
                        let (what, of) = marked(5).unwrap_err();
                        assert_eq!((what, &*of), (OsString::from(&argument), command));
                    }
                }
            }
        }
    }

    #[test]
    fn short_options_stay_options_and_values_stay_values() {
        for (line, negations) in [
            ("search -o out.pgn -n 3", &[][..]),
            ("search -oout.pgn -n3 -fcsv -qn3", &[]),
            ("search -opening -n:3 -o:x", &[]),
            ("search -openings:x -nimzo", &[]),
            ("search -opening:x -site:y", &[2, 3]),
            ("search -n -opening:x", &[]),
            ("search -qn -opening:x", &[]),
            ("search -q -opening:x", &[3]),
            ("search --limit -opening:x", &[]),
            ("search --limit=3 -opening:x", &[3]),
            ("search --loose -opening:x", &[3]),
            ("search --query -opening:x", &[3]),
            ("search --notation -opening:x", &[]),
            ("search -- -opening:x", &[]),
            ("search -(a|or|b) -\"a|word\" -|opening:x", &[2, 3, 4]),
            ("search -spock|rules:meder -out|of|it", &[2]),
            ("search -spock|-rules:meder -spock|(rules:meder)", &[2, 3]),
            ("search --opening:x", &[]),
            ("validate -opening:x", &[]),
            ("-q search -opening:x", &[3]),
            ("show --index -opening:x", &[]),
        ] {
            let line = format!("tridex {line}");
            let arguments = line.split(' ').map(|word| word.replace('|', " ").into());
            let marked = mark(&Cli::command(), arguments).unwrap();
            let marked = marked.iter().enumerate();
            let found = marked.filter(|(_, word)| word.to_str().unwrap().starts_with(MARK));
            let found: Vec<usize> = found.map(|(place, _)| place).collect();
            assert_eq!(found, negations, "{line}");
        }
    }
}
