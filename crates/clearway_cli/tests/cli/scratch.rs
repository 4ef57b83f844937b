//! A folder of its own for each test, and the command run in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A room with a pillar and a closet, as a plan.
pub const ROOM: &str = "MULTIPOLYGON (((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 6 2, 6 4, 4 4, 4 2)), \
    ((12 0, 14 0, 14 2, 12 2, 12 0)))";

/// A folder that is removed with everything in it.
pub struct Scratch {
    pub folder: PathBuf,
}

/// What a run of the command gave.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Scratch {
    /// Test names are unique, and so are processes.
    pub fn new(test: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("clearway_cli_{}_{test}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch { folder }
    }

    /// A folder with a plan `room.wkt` and its mesh `room.nav`.
    pub fn with_room(test: &str) -> Scratch {
        let scratch = Scratch::new(test);
        scratch.write("room.wkt", ROOM);
        scratch.run(&["build", "room.wkt", "-o", "room.nav"]).succeeded();
        scratch
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The command, to be run in this folder as somebody without cargo would.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clearway"));
        command.args(args).current_dir(&self.folder).env_remove("CARGO");
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: status.code().unwrap_or(-1), stdout: text(stdout), stderr: text(stderr) }
    }

    /// The names of all files and folders, sorted.
    pub fn names(&self) -> Vec<String> {
        names(&self.folder)
    }
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Ran {
    #[track_caller]
    pub fn succeeded(self) -> Ran {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self
    }

    /// Exit status 2, nothing on standard output, and every part in the message.
    #[track_caller]
    pub fn failed_with(self, parts: &[&str]) {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        assert!(self.stderr.starts_with("clearway: "), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in: {}", self.stderr);
        }
    }

    /// Standard output as exactly one JSON object on one line.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        assert_eq!(self.stdout.lines().count(), 1, "{}", self.stdout);
        let value: serde_json::Value = serde_json::from_str(&self.stdout).unwrap();
        assert!(value.is_object());
        value
    }
}
