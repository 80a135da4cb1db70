//! The reason for which the demo stops.

use std::fmt::Display;
use std::process::ExitCode;

/// An exit code, and what is said on stderr.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// Bad input, or an answer that cannot be written: where, what is wrong, what to do.
    pub fn input(message: impl Display) -> Self {
        Self {
            code: 2,
            message: message.to_string(),
        }
    }

    /// An answer of the engine failed a check.
    pub fn wrong(message: impl Display) -> Self {
        Self {
            code: 1,
            message: format!("a wrong answer, so there are no figures: {message}"),
        }
    }

    /// Prints the message, and returns the exit code.
    pub fn report(&self) -> ExitCode {
        note(&self.message);
        ExitCode::from(self.code)
    }
}

/// Says something on stderr besides the answer.
pub fn note(message: &str) {
    // In colour on a terminal only.
    let name = console::style("flowtiles-demo:").red().bold().for_stderr();
    eprintln!("{name} {message}");
}
