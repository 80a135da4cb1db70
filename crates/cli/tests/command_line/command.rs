//! Runs the command as a user does: as a process, in a separate folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The result of a run of the command.
pub struct Run {
    /// The exit code.
    pub code: Option<i32>,
    /// Its output.
    pub stdout: String,
    /// Its messages.
    pub stderr: String,
}

/// A folder for one test, initially empty.
pub struct Folder(PathBuf);

impl Folder {
    /// Creates the folder of the test with this name.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // It may not exist yet.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the names of what is in it, sorted.
    #[cfg(unix)]
    pub fn names(&self) -> Vec<String> {
        let files = fs::read_dir(&self.0).expect("the folder");
        let names = files.map(|file| file.expect("a file").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort_unstable();
        names
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }

    /// Runs the command in it.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_by(Command::new(env!("CARGO_BIN_EXE_flowtiles")).args(arguments))
    }

    /// Runs a script of the shell in it, to which the command and `$ROOT` are known.
    #[cfg(unix)]
    pub fn shell(&self, script: &str) -> Run {
        let command = Path::new(env!("CARGO_BIN_EXE_flowtiles"));
        let folders = command.parent().expect("a folder").display();
        let path = format!("{folders}:{}", std::env::var("PATH").expect("a path"));
        let mut shell = Command::new("sh");
        shell.env("PATH", path).env("ROOT", ROOT);
        shell.env_remove("RUST_LOG").env_remove("CLICOLOR_FORCE");
        self.run_by(shell.args(["-c", script]))
    }

    fn run_by(&self, command: &mut Command) -> Run {
        let output = command
            .current_dir(&self.0)
            .output()
            .expect("the command runs");
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("answers are UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Run {
    /// Returns the output of a successful run.
    pub fn answer(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// Returns the object of a successful run with `--json`.
    pub fn object(self) -> serde_json::Value {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert_eq!(self.stderr, "", "silent where stderr is no terminal");
        serde_json::from_str(&self.stdout).expect("one JSON object and nothing else")
    }
}
