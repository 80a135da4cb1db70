//! The reason for which a command stops, and its exit code.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The reason for which a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// Bad input: where it is, what is wrong with it, and what to do.
    Input(String),
    /// An answer of the engine failed a check, so its figures mean nothing.
    Wrong(String),
    /// Two runs that should be the same differ: when, and in which part.
    Differs(String),
    /// A check found something: what, in a few words.
    Found(String),
    /// The answer could not be written.
    Output(io::Error),
}

impl Failure {
    /// The content of a file is wrong.
    pub fn in_file(path: &Path, fault: impl fmt::Display) -> Self {
        Self::Input(format!("{}: {fault}", path.display()))
    }

    /// A file could not be written.
    pub fn unwritten(path: &Path, error: &io::Error) -> Self {
        let fault = format_args!("cannot be written ({error}): name another file");
        Self::in_file(path, fault)
    }

    /// The message alone, for places other than stderr.
    pub fn into_words(self) -> String {
        match self {
            Self::Input(text) | Self::Wrong(text) | Self::Differs(text) | Self::Found(text) => text,
            Self::Output(error) => error.to_string(),
        }
    }

    /// Prints the message on stderr and returns the exit code: 2 for bad input and
    /// for an answer that could not be written.
    pub fn report(&self) -> ExitCode {
        // In colour on a terminal only.
        let name = console::style("flowtiles:").red().bold().for_stderr();
        match self {
            Self::Input(message) => {
                eprintln!("{name} {message}");
                ExitCode::from(2)
            }
            Self::Wrong(message) => {
                eprintln!("{name} a wrong answer, so there are no figures: {message}");
                ExitCode::FAILURE
            }
            Self::Differs(message) | Self::Found(message) => {
                eprintln!("{name} {message}");
                ExitCode::FAILURE
            }
            // The reader closed the pipe, which is no failure.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            // Not 1, which is an answer of some commands.
            Self::Output(error) => {
                eprintln!("{name} the answer could not be written: {error}");
                ExitCode::from(2)
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
