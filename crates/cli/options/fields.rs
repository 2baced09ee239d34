//! The fields of a search as options: made from the table of the index.

use crate::options::values::Known;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use std::marker::PhantomData;
use std::path::PathBuf;
use tridex_index::{FIELDS, Field, FieldGroup, FieldKind, SearchRequest};

/// Which fields of the index's table a command has as options.
pub(crate) trait Fielded: Clone + Send + Sync + 'static {
    /// Fields that are other options of the command, or none at all.
    const OMITTED: &'static [&'static str];
    /// Options that take the place of an index.
    const CONFLICTS: &'static [&'static str] = &[];
}

/// The options of the fields.
#[derive(Clone, Debug)]
pub(crate) struct FieldArgs<C> {
    /// The values that were given.
    pub(crate) request: SearchRequest,
    command: PhantomData<C>,
}

impl<C: Fielded> FieldArgs<C> {
    fn fields() -> impl Iterator<Item = &'static Field> {
        let fields = FIELDS.iter();
        fields.filter(|field| !C::OMITTED.contains(&field.name))
    }

    /// The help of an option with its details and values.
    fn long_help(field: &Field) -> String {
        let values = match field.kind {
            FieldKind::Choice(names) => format!("[possible values: {}]", names().join(", ")),
            _ => String::new(),
        };
        let parts = [field.help, field.detail, &values];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<&str>>().join("\n\n")
    }

    /// An option of the command line.
    fn arg(field: &'static Field) -> Arg {
        let heading = match field.group {
            FieldGroup::Board => "Position",
            _ => "Filter",
        };
        let aliases = field.aliases.iter();
        let aliases = aliases.filter(|alias| !C::OMITTED.contains(alias));
        let arg = Arg::new(field.name)
            .long(field.name)
            .visible_aliases(aliases.copied().collect::<Vec<&str>>())
            .help(field.help)
            .long_help(Self::long_help(field))
            .help_heading(heading)
            .conflicts_with_all(C::CONFLICTS.iter().copied())
            .hide_possible_values(true)
            .hide_short_help(field.group == FieldGroup::More);
        // Values are read with all others as one request; shells complete the names they may be.
        let arg = match field.kind {
            FieldKind::Choice(names) => arg.value_parser(Known {
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

impl<C: Fielded> Args for FieldArgs<C> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(Self::fields().map(Self::arg))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<C: Fielded> FromArgMatches for FieldArgs<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut request = SearchRequest::default();
        for field in Self::fields() {
            for value in matches.get_many::<String>(field.name).into_iter().flatten() {
                request.add(field, value.as_str());
            }
        }
        Ok(Self {
            request,
            command: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Saved queries.
#[derive(Args, Debug)]
pub(crate) struct Saved {
    /// File of saved queries; choose with --ask
    ///
    /// Each line is a name, `=` and a query; `#` starts a comment.
    #[arg(long, value_name = "FILE", requires = "ask", help_heading = "Filter")]
    pub(crate) questions: Option<PathBuf>,
    /// Saved query of --questions, by name; repeatable
    #[arg(
        long,
        value_name = "NAME",
        requires = "questions",
        help_heading = "Filter"
    )]
    pub(crate) ask: Vec<String>,
}
