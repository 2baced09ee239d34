//! Saved queries of a file, by name.

use crate::failure::Failure;
use crate::options::fields::Saved;
use tridex_archive::printable;

/// The named queries of the file; a game must match all.
pub(crate) fn asked(given: &Saved) -> Result<Vec<(String, String)>, Failure> {
    let Some(path) = &given.questions else {
        return Ok(Vec::new());
    };
    let shown = path.to_string_lossy();
    let shown = printable(&shown);
    let text = std::fs::read_to_string(path)
        .map_err(|fault| Failure::message(format!("{shown}: {fault}")))?;
    let mut saved: Vec<(&str, &str)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, question)) = line.split_once('=') else {
            return Err(Failure::message(format!(
                "{shown}:{number}: expected a name, `=` and a query"
            )));
        };
        let name = name.trim();
        if saved.iter().any(|(known, _)| *known == name) {
            return Err(Failure::message(format!(
                "{shown}:{number}: duplicate query {}",
                printable(name)
            )));
        }
        saved.push((name, question.trim()));
    }
    let find = |name: &String| {
        let found = saved.iter().find(|(known, _)| known == name);
        let Some((_, text)) = found else {
            let known: Vec<&str> = saved.iter().map(|(name, _)| *name).collect();
            return Err(Failure::message(format!(
                "{shown}: no query {}; expected one of: {}",
                printable(name),
                printable(&known.join(", "))
            )));
        };
        Ok((format!("the query {}", printable(name)), (*text).to_owned()))
    };
    given.ask.iter().map(find).collect()
}
