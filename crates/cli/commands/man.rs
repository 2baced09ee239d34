//! Man pages: those of `clap_mangen`, except for the text after the options, whose lines are not filled.

use crate::failure::{Exit, Failure};
use clap::Command;
use clap_mangen::Man;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tridex_archive::printable;

/// Writes a man page for the program and one for each command.
pub(crate) fn write_all(directory: &Path, program: Command) -> Result<Exit, Failure> {
    let mut command = program.disable_help_subcommand(true);
    command.build();
    pages(&command, directory).map_err(|fault| {
        let shown = directory.to_string_lossy();
        Failure::message(format!("{}: {fault}", printable(&shown)))
    })?;
    Ok(Exit::Good)
}

fn pages(command: &Command, directory: &Path) -> io::Result<()> {
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        pages(below, directory)?;
    }
    let page = Man::new(command.clone());
    let mut out = BufWriter::new(File::create(directory.join(page.get_filename()))?);
    write_page(&page, command, &mut out)?;
    out.flush()
}

fn write_page(page: &Man, command: &Command, out: &mut dyn Write) -> io::Result<()> {
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    if command.get_subcommands().any(|below| !below.is_hide_set()) {
        page.render_subcommands_section(out)?;
    }
    let notes = command.get_after_long_help().or(command.get_after_help());
    if let Some(notes) = notes {
        write_notes(&notes.to_string(), out)?;
    }
    page.render_version_section(out)
}

/// Paragraphs are filled; lines that are indented keep their shape.
fn write_notes(notes: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, ".SH NOTES")?;
    let mut kept = false;
    for line in notes.lines() {
        let indented = line.starts_with(' ');
        if indented != kept {
            writeln!(out, "{}", if indented { ".nf" } else { ".fi" })?;
            kept = indented;
        }
        match line {
            "" => writeln!(out, ".PP")?,
            "Examples:" | "Example:" => writeln!(out, ".SH EXAMPLES")?,
            _ => writeln!(out, "{}", escaped(line))?,
        }
    }
    if kept {
        writeln!(out, ".fi")?;
    }
    Ok(())
}

/// A line that is no command to roff.
fn escaped(line: &str) -> String {
    let mut out = String::new();
    if line.starts_with(['.', '\'']) {
        out.push_str("\\&");
    }
    for sign in line.chars() {
        match sign {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            '`' => out.push_str("\\(ga"),
            '"' => out.push_str("\\(dq"),
            '^' => out.push_str("\\(ha"),
            '~' => out.push_str("\\(ti"),
            _ => out.push(sign),
        }
    }
    out
}
