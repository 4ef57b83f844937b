//! Checks of the source itself: module directions, documents that name real things, banned words.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder with one of these endings, sorted; build output aside.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found
}

/// The pipeline from left to right: a module may use only what stands left of it.
const MODULES: [&str; 14] = [
    "error",
    "progress",
    "file",
    "plan",
    "scene",
    "surface",
    "mesh",
    "query",
    "clearance",
    "codec",
    "path",
    "links",
    "sketch",
    "export",
];

#[test]
fn modules_use_only_what_stands_left_of_them() {
    let source = root().join("crates/clearway/src");
    for (place, module) in MODULES.iter().enumerate() {
        let mut paths = files(&source.join(module), &[".rs"]);
        paths.extend([source.join(format!("{module}.rs"))].into_iter().filter(|p| p.is_file()));
        assert!(!paths.is_empty(), "module {module} has no file");
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for right in &MODULES[place + 1..] {
                let used =
                    code.contains(&format!("crate::{right}::")) || code.contains(&format!("crate::{right};"));
                assert!(!used, "{} uses {right}, which stands right of {module}", path.display());
            }
        }
    }
}

#[test]
fn architecture_names_paths_that_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut named = 0;
    for word in text.split('`').skip(1).step_by(2) {
        let is_path = word.contains('/') && !word.contains(' ') && !word.contains("..");
        if is_path {
            assert!(root().join(word).exists(), "ARCHITECTURE.md names {word}, which does not exist");
            named += 1;
        }
    }
    assert!(named > 10, "ARCHITECTURE.md names only {named} paths");
}

#[test]
fn architecture_names_types_that_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let source: String =
        files(&root().join("crates"), &[".rs"]).iter().map(|p| fs::read_to_string(p).unwrap()).collect();
    for word in text.split('`').skip(1).step_by(2) {
        let starts_upper = word.chars().next().is_some_and(char::is_uppercase);
        let is_type =
            starts_upper && word.chars().all(char::is_alphanumeric) && word.chars().any(char::is_lowercase);
        if is_type {
            let kinds = ["struct", "enum", "trait", "type"];
            let known = kinds.iter().any(|kind| source.contains(&format!("{kind} {word}")));
            assert!(known, "ARCHITECTURE.md names {word}, which is no type of ours");
        }
    }
}

#[test]
fn no_leftovers() {
    let banned = [
        "todo!(",
        "unimplemented!(",
        "dbg!(",
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("#[ig", "nore"),
    ];
    for folder in ["crates", "scenes", "peers/src", "fuzz/fuzz_targets"] {
        for path in files(&root().join(folder), &[".rs"]) {
            if path.ends_with("tests/tidy.rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            for word in banned {
                assert!(!text.contains(word), "{} contains {word}", path.display());
            }
        }
    }
}

#[test]
fn source_files_stay_short() {
    for path in files(&root().join("crates"), &[".rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().count();
        assert!(lines <= 600, "{} has {lines} lines without its tests", path.display());
    }
}
