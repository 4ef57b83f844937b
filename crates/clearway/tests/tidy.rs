//! Checks of the source itself: light crates, documents that name real things, banned words, short files.
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

/// The code of a file without its test modules: each `#[cfg(test)]` hides the item that follows it.
fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            code.push_str(line);
            code.push('\n');
            continue;
        }
        // The item ends with its line, or with the brace at its own depth.
        let Some(item) = lines.by_ref().find(|line| !line.trim_start().starts_with("#[")) else { break };
        let indent = item.len() - item.trim_start().len();
        if !item.trim_end().ends_with(';') {
            let closing = format!("{}}}", " ".repeat(indent));
            lines.by_ref().find(|line| *line == closing);
        }
    }
    code
}

/// What a game ships must not drag readers, threads or serialisers along.
#[test]
fn the_run_side_depends_on_the_kernel_only() {
    for crate_name in
        ["clearway_geometry", "clearway_base", "clearway_nav", "clearway_cells", "clearway_crowd"]
    {
        let manifest = fs::read_to_string(root().join("crates").join(crate_name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in
            dependencies.lines().filter(|line| line.contains('=') && !line.contains("optional = true"))
        {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let allowed = ["clearway_geometry", "clearway_base", "clearway_nav"];
            assert!(allowed.contains(&name), "{crate_name} always depends on {name}");
        }
    }
}

#[test]
fn architecture_names_every_folder_of_source() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for path in files(&root().join("crates"), &[".rs"]) {
        let folder = path.parent().unwrap().strip_prefix(root()).unwrap().display().to_string();
        let is_source = folder.contains("/src") && !folder.ends_with("/tests");
        assert!(!is_source || text.contains(&format!("`{folder}`")), "ARCHITECTURE.md leaves out {folder}");
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
        let lines = without_tests(&text).lines().count();
        assert!(lines <= 600, "{} has {lines} lines without its tests", path.display());
    }
}
