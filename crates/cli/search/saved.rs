//! Questions that were kept in a file, by name.

use crate::args::Saved;
use crate::failure::Failure;
use tridex_archive::printable;

/// The queries of the file that are asked by name; a game has to match all.
pub(super) fn asked(given: &Saved) -> Result<Vec<(String, String)>, Failure> {
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
                "{shown}:{number}: a line is a name, `=` and a question"
            )));
        };
        let name = name.trim();
        if saved.iter().any(|(known, _)| *known == name) {
            return Err(Failure::message(format!(
                "{shown}:{number}: there is a question {} already",
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
                "{shown}: there is no question {}; there are: {}",
                printable(name),
                printable(&known.join(", "))
            )));
        };
        Ok((
            format!("the question {}", printable(name)),
            (*text).to_owned(),
        ))
    };
    given.ask.iter().map(find).collect()
}
