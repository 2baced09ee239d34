//! axe-core, which finds faults of accessibility. It is no part of the project: a test run gets it with npm, where there
//! is npm, and keeps it below `target`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The version that is asked for, so that a new one finds nothing new by surprise.
const VERSION: &str = "axe-core@4.14.1";

/// Runs it over the page; each fault in one line.
pub(crate) const RUN: &str = "axe.run(document, {resultTypes: ['violations']}).then((found) => \
     found.violations.flatMap((rule) => rule.nodes.map((node) => \
     `${rule.id}: ${rule.help}: ${node.html.slice(0, 200)} ${node.failureSummary}`)))";

/// The script, if it can be had.
pub(crate) fn source() -> Option<&'static str> {
    static SOURCE: OnceLock<Option<String>> = OnceLock::new();
    SOURCE.get_or_init(fetched).as_deref()
}

fn fetched() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/axe");
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if !script.exists() {
        // Set by the scripts of the checks where they may not install anything.
        if std::env::var_os("TRIDEX_FETCH").is_some_and(|fetch| fetch == "no") {
            return None;
        }
        std::fs::create_dir_all(&folder).ok()?;
        let done = Command::new("npm")
            .args([
                "install",
                "--no-save",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--prefix",
            ])
            .arg(&folder)
            .arg(VERSION)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .ok()?;
        if !done.success() {
            return None;
        }
    }
    std::fs::read_to_string(script).ok()
}
