//! Commands for the reader to copy: they work as printed, in the folder where they were printed.

use std::env;
use std::path::Path;

/// Returns the call of this program, for a shell.
pub fn program() -> String {
    if let Some(cargo) = cargo_run() {
        return cargo;
    }
    let called = env::args_os().next().map(|name| name.to_string_lossy().into_owned());
    quoted(called.as_deref().unwrap_or("clearway"))
}

/// Returns `cargo run` if the program was started by it and the current folder is the workspace.
fn cargo_run() -> Option<String> {
    env::var_os("CARGO")?;
    let package = env::var_os("CARGO_MANIFEST_DIR")?;
    let workspace = Path::new(&package).parent()?.parent()?;
    let is_here = env::current_dir().ok()? == workspace;
    let profile = if cfg!(debug_assertions) { "" } else { " --release" };
    is_here.then(|| format!("cargo run{profile} --"))
}

/// Returns a path as one word of a shell.
pub fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

/// Quotes a word for a shell, if it needs quotes.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,=@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_spaces_are_quoted() {
        assert_eq!(quoted("a/b_c.nav"), "a/b_c.nav");
        assert_eq!(quoted("my plan.wkt"), "'my plan.wkt'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
