//! What the packages of a release contain and what they are built on: metadata, versions, licences, links, libraries.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// A crate, and a library that it must use itself. Of several libraries, one is enough.
const LIBRARIES: [(&str, &[&str]); 17] = [
    ("tridex-grammar", &["nom"]),
    ("tridex-notation", &["nom"]),
    ("tridex-index", &["nom"]),
    ("tridex-index", &["tantivy"]),
    ("tridex-index", &["serde"]),
    ("tridex-index", &["csv"]),
    ("tridex-index", &["rayon"]),
    ("tridex-archive", &["serde"]),
    ("tridex-archive", &["csv", "csv-core"]),
    ("tridex-archive", &["rayon"]),
    ("tridex-replay", &["serde"]),
    ("tridex-export", &["serde"]),
    ("tridex-page", &["serde"]),
    ("tridex-server", &["serde"]),
    ("tridex", &["serde"]),
    ("tridex", &["clap"]),
    ("tridex", &["indicatif"]),
];

/// What the root of the repository has, besides files and folders whose names begin with a dot.
const TOP_LEVEL: [&str; 12] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "corpus",
    "crates",
    "fuzz",
    "grammars",
    "rust-toolchain.toml",
    "tests",
];

/// What Cargo prints in the root of the repository: the one that runs the tests.
fn cargo(arguments: &[&str]) -> String {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(program)
        .args(arguments)
        .current_dir(ROOT)
        .output()
        .unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {problem}");
    String::from_utf8(output.stdout).unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(ROOT).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A package of the workspace, as Cargo describes it, and its folder below the root.
struct Package {
    name: String,
    folder: PathBuf,
    manifest: Value,
}

/// The packages of the workspace.
fn packages() -> Vec<Package> {
    let metadata = cargo(&["metadata", "--no-deps", "--locked", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let packages = packages.map(|manifest| {
        let folder = Path::new(manifest["manifest_path"].as_str().unwrap());
        // Cargo resolves links in the path of the workspace, as on macOS for folders of temporary files.
        let root = Path::new(metadata["workspace_root"].as_str().unwrap());
        Package {
            name: manifest["name"].as_str().unwrap().to_owned(),
            folder: folder
                .parent()
                .unwrap()
                .strip_prefix(root)
                .unwrap()
                .to_owned(),
            manifest: manifest.clone(),
        }
    });
    packages.collect()
}

/// The packages of the workspace that go to crates.io.
fn published() -> Vec<Package> {
    let mut packages = packages();
    packages.retain(|package| package.manifest["publish"].is_null());
    assert!(packages.len() >= 14, "{}", packages.len());
    packages
}

/// The folders that are published elsewhere: to PyPI and to npm.
const OTHERS: [&str; 3] = ["crates/python", "crates/spark", "crates/wasm/js"];

/// The code of a crate without its tests.
fn code(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if name.starts_with("test") {
            continue;
        }
        if path.is_dir() {
            code(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = fs::read_to_string(&path).unwrap();
            text.push_str(file.split("#[cfg(test)]\nmod tests {").next().unwrap());
        }
    }
}

/// Each library is a normal dependency of the crate that needs it, and the crate names it in its code.
#[test]
fn each_crate_is_built_on_the_library_for_its_job() {
    let tree = cargo(&[
        "tree",
        "--locked",
        "--workspace",
        "--edges",
        "normal",
        "--depth",
        "1",
        "--no-dedupe",
        "--prefix",
        "depth",
        "--format",
        "{p}",
    ]);
    let mut direct: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut of = "";
    for line in tree.lines() {
        let name = line.split(' ').next().unwrap_or_default();
        if let Some(name) = name.strip_prefix('0') {
            of = name;
        } else if let Some(name) = name.strip_prefix('1') {
            direct.entry(of).or_default().insert(name);
        }
    }
    let packages = packages();
    let mut missing = Vec::new();
    for (name, libraries) in LIBRARIES {
        let package = packages.iter().find(|package| package.name == name);
        let package = package.unwrap_or_else(|| panic!("there is no crate {name}"));
        let sources = match package.folder.as_os_str().is_empty() {
            true => Path::new("crates/cli").to_owned(),
            false => package.folder.join("src"),
        };
        let mut text = String::new();
        code(&Path::new(ROOT).join(sources), &mut text);
        let is_used = |library: &&str| {
            direct[name].contains(library)
                && text.contains(&format!("{}::", library.replace('-', "_")))
        };
        if !libraries.iter().any(is_used) {
            missing.push(format!("{name} does not use {}", libraries.join(" or ")));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn each_package_describes_itself() {
    for Package { name, manifest, .. } in published() {
        for field in [
            "description",
            "documentation",
            "license",
            "readme",
            "rust_version",
        ] {
            assert!(manifest[field].is_string(), "{name}: no {field}");
        }
        assert_eq!(manifest["repository"], REPOSITORY, "{name}");
        assert_eq!(manifest["homepage"], env!("CARGO_PKG_HOMEPAGE"), "{name}");
        // crates.io refuses more than five.
        for field in ["keywords", "categories"] {
            let count = manifest[field].as_array().unwrap().len();
            assert!((1..=5).contains(&count), "{name}: {count} {field}");
        }
    }
    let npm: Value = serde_json::from_str(&read("crates/wasm/js/package.json")).unwrap();
    assert_eq!(npm["homepage"], env!("CARGO_PKG_HOMEPAGE"));
    assert_eq!(npm["repository"]["url"], format!("git+{REPOSITORY}.git"));
    assert_eq!(npm["license"], env!("CARGO_PKG_LICENSE"));
    for name in ["python", "spark"] {
        let project = read(format!("crates/{name}/pyproject.toml"));
        let license = format!("license = \"{}\"", env!("CARGO_PKG_LICENSE"));
        for line in [license, format!("Repository = \"{REPOSITORY}\"")] {
            assert!(project.lines().any(|other| other == line), "{name}: {line}");
        }
    }
}

/// The version comes from `[workspace.package]`. What has to repeat it is changed by `.ci/version`.
#[test]
fn all_packages_have_one_version() {
    let version = env!("CARGO_PKG_VERSION");
    for Package { name, manifest, .. } in published() {
        assert_eq!(manifest["version"], version, "{name}");
        for needed in manifest["dependencies"].as_array().unwrap() {
            if needed["path"].is_string() && needed["kind"].is_null() {
                assert_eq!(needed["req"], format!("^{version}"), "{name}: {needed}");
            }
        }
    }
    let npm: Value = serde_json::from_str(&read("crates/wasm/js/package.json")).unwrap();
    assert_eq!(npm["version"], version);
    let spark = read("crates/spark/pyproject.toml");
    assert!(spark.contains(&format!("\nversion = \"{version}\"\n")));
}

/// Whether a link of a text leads somewhere. Links within the repository are relative or begin with its address.
fn check_link(page: &str, link: &str, contents: &BTreeSet<String>) {
    let file = link.split('#').next().unwrap();
    if let Some(path) = file.strip_prefix(REPOSITORY) {
        let mut parts = path.splitn(4, '/');
        if let (Some(""), Some("blob" | "tree"), Some("main"), Some(path)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        {
            assert!(Path::new(ROOT).join(path).exists(), "{page}: {link}");
        }
    } else if !file.is_empty() && !file.contains("://") {
        assert!(
            contents.contains(file),
            "{page}: {link} is not in the package"
        );
    }
}

/// The targets of the links and pictures of a text in Markdown, without its code.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let links = prose.flat_map(|prose| {
        let markdown = prose
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let html = ["src=\"", "href=\""]
            .into_iter()
            .flat_map(move |attribute| {
                prose
                    .split(attribute)
                    .skip(1)
                    .filter_map(|rest| rest.split('"').next())
            });
        markdown.chain(html)
    });
    links.collect()
}

/// A package has its licences, a README whose links work without the repository, and no tests, whose data are outside.
#[test]
fn each_package_is_complete_on_its_own() {
    for Package { name, folder, .. } in published() {
        let list = cargo(&[
            "package",
            "--list",
            "--offline",
            "--allow-dirty",
            "-p",
            &name,
        ]);
        let contents: BTreeSet<String> = list.lines().map(|path| path.replace('\\', "/")).collect();
        for file in ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(contents.contains(file), "{name}: no {file}");
        }
        let is_test = |path: &&String| {
            let folder = path.split('/').next().unwrap();
            [
                "tests", "benches", "examples", "samples", "corpus", "gallery",
            ]
            .contains(&folder)
        };
        assert_eq!(contents.iter().find(is_test), None, "{name}");
        // crates.io completes the links of the main README: they lead into the repository, and `readme.rs` checks them.
        if !folder.as_os_str().is_empty() {
            let readme = read(folder.join("README.md"));
            for link in links(&readme) {
                check_link(&name, link, &contents);
            }
        }
    }
    for folder in OTHERS {
        let readme = read(Path::new(folder).join("README.md"));
        for link in links(&readme) {
            check_link(folder, link, &BTreeSet::new());
        }
    }
}

/// The texts are files, not links to files, which neither a checkout on Windows nor every archive preserves.
#[test]
fn each_package_has_the_licences_of_the_repository() {
    let published = published();
    let folders = published.iter().map(|package| package.folder.as_path());
    for folder in folders.chain(OTHERS.map(Path::new)) {
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let path = folder.join(name);
            let kind = fs::symlink_metadata(Path::new(ROOT).join(&path));
            assert!(kind.is_ok_and(|kind| kind.is_file()), "{}", path.display());
            assert_eq!(read(&path), read(name), "{}", path.display());
        }
    }
}

/// Scripts, workflows and the guide for contributors name sections of `.ci/run` that exist.
#[test]
fn sections_that_are_named_exist() {
    let script = read(".ci/run");
    let all = script
        .split("\nall=(")
        .nth(1)
        .unwrap()
        .split(')')
        .next()
        .unwrap();
    let all: BTreeSet<&str> = all.split_whitespace().collect();
    let functions = script.lines().filter_map(|line| line.strip_prefix("run_"));
    let functions: BTreeSet<&str> = functions
        .filter_map(|line| line.strip_suffix("() {"))
        .collect();
    assert_eq!(all, functions);
    let guide = read(".github/CONTRIBUTING.md");
    let workflow = read(".github/workflows/ci.yml");
    let in_guide = guide
        .split("`.ci/run ")
        .skip(1)
        .filter_map(|rest| rest.split('`').next());
    let in_workflow = workflow
        .split("sections: ")
        .skip(1)
        .filter_map(|rest| rest.lines().next());
    let named = in_guide.chain(in_workflow).flat_map(str::split_whitespace);
    let named: BTreeSet<&str> = named
        .filter(|name| !["\"\"", "SECTION"].contains(name))
        .collect();
    assert!(named.len() >= 4, "{named:?}");
    assert!(named.is_subset(&all), "{named:?}");
}

#[test]
fn the_pages_for_contributors_link_to_what_exists() {
    for page in ["CONTRIBUTING.md", "SECURITY.md"] {
        let text = read(Path::new(".github").join(page));
        for link in links(&text) {
            let file = link.split('#').next().unwrap();
            let path = Path::new(ROOT).join(".github").join(file);
            assert!(file.contains("://") || path.exists(), "{page}: {link}");
        }
    }
}

#[test]
fn the_top_level_has_nothing_else() {
    let git = Command::new("git")
        .arg("ls-files")
        .current_dir(ROOT)
        .output();
    let Some(git) = git.ok().filter(|git| git.status.success()) else {
        // The sources of a release have no history.
        return;
    };
    let files = String::from_utf8(git.stdout).unwrap();
    let names = files.lines().map(|path| path.split('/').next().unwrap());
    let names: BTreeSet<&str> = names.filter(|name| !name.starts_with('.')).collect();
    assert_eq!(names, BTreeSet::from(TOP_LEVEL));
}

#[test]
fn links_are_found() {
    let text = "[a](b.md), ![c](d.svg \"e\") <img src=\"f.png\">\n```sh\n[g](h)\n```\n[i](j#k)";
    assert_eq!(links(text), ["b.md", "d.svg \"e\"", "f.png", "j#k"]);
}
