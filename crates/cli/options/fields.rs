//! The fields of a search as options, made from the table of fields of the index.

use crate::options::negation::unmarked;
use crate::options::values::Known;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use std::convert::Infallible;
use std::path::PathBuf;
use tridex_index::{FIELDS, Field, FieldGroup, FieldKind, SearchRequest};

/// The options of the fields. A command's own options of the same names take precedence.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldArgs {
    /// The values that were given.
    pub(crate) request: SearchRequest,
}

impl FieldArgs {
    /// The help of an option with its details and values.
    fn long_help(field: &Field) -> String {
        let values = match field.kind {
            FieldKind::Choice(names) | FieldKind::Choices(names) => {
                format!("[possible values: {}]", names().join(", "))
            }
            _ => String::new(),
        };
        let parts = [field.help, field.detail, &values];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<&str>>().join("\n\n")
    }

    /// An option of the command line.
    fn arg(field: &'static Field, is_taken: impl Fn(&str) -> bool) -> Arg {
        let heading = match field.group {
            FieldGroup::Board => "Position",
            _ => "Filter",
        };
        let aliases = field.aliases.iter();
        let aliases = aliases.filter(|alias| !is_taken(alias));
        let arg = Arg::new(field.name)
            .long(field.name)
            .visible_aliases(aliases.copied().collect::<Vec<&str>>())
            .help(field.help)
            .long_help(Self::long_help(field))
            .help_heading(heading)
            .hide_possible_values(true)
            .hide_short_help(field.group == FieldGroup::More);
        // The whole request is parsed at once, later. The names are listed for shell completion.
        let arg = match field.kind {
            FieldKind::Choice(names) | FieldKind::Choices(names) => arg.value_parser(Known {
                read: |name| Some(name.to_owned()),
                names,
            }),
            _ => arg,
        };
        match (field.is_switch(), field.is_many) {
            (true, _) => arg
                .value_name("yes|no")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("yes"),
            (_, true) => arg.value_name(field.value).action(ArgAction::Append),
            _ => arg.value_name(field.value),
        }
    }
}

impl Args for FieldArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let own: Vec<Arg> = command.get_arguments().cloned().collect();
        let is_taken = |name: &str| {
            let own = own.iter().filter_map(Arg::get_long_and_visible_aliases);
            own.flatten().any(|own| own == name)
        };
        // Without the field `position`, `loose` has no effect.
        let is_left = |field: &&Field| {
            !is_taken(field.name) && (field.name != "loose" || !is_taken("position"))
        };
        let fields = FIELDS.iter().filter(is_left);
        let fields = fields.map(|field| Self::arg(field, is_taken));
        // Parquet tables have no fields to search.
        match is_taken("parquet") {
            true => command.args(fields.map(|arg| arg.conflicts_with("parquet"))),
            false => command.args(fields),
        }
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FieldArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut request = SearchRequest::default();
        for field in FIELDS {
            // The command's own options of the same names have other types.
            let values = matches.try_get_many::<String>(field.name);
            for value in values.ok().flatten().into_iter().flatten() {
                request.add(field, unmarked(value));
            }
        }
        Ok(Self { request })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A word of a query that is not the value of an option.
pub(crate) fn query_word(text: &str) -> Result<String, Infallible> {
    Ok(unmarked(text).to_owned())
}

/// Saved queries.
#[derive(Args, Debug)]
#[command(next_help_heading = "Filter")]
pub(crate) struct Saved {
    /// File of saved queries; choose with --ask
    ///
    /// Each line is a name, `=` and a query; `#` starts a comment.
    #[arg(long, value_name = "FILE", requires = "ask")]
    pub(crate) questions: Option<PathBuf>,
    /// Saved query of --questions, by name; repeatable
    #[arg(long, value_name = "NAME", requires = "questions")]
    pub(crate) ask: Vec<String>,
}
