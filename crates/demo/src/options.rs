//! The options of the demo. There are three, so it needs no crate that reads them.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::failure::Failure;

/// The seed of the country, unless another is given.
const SEED: u64 = 8;

/// What `--help` prints.
pub const HELP: &str = "\
The demo of flowtiles: a drawn country, thousands of units on their way home, and a bridge
that falls. Every figure is measured in the run that prints it

Usage: cargo run --release -- [OPTIONS]

Options:
  --seed N        Draw another country [default: 8]
  --picture FILE  Where to write the picture [default: flowtiles-demo.png here]
  --json          Print one JSON object and nothing else
  -h, --help      Print this

The command with everything else: cargo flowtiles --help
";

/// What the demo is asked for.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    pub seed: u64,
    pub picture: Option<PathBuf>,
    pub json: bool,
}

impl Options {
    /// Reads the arguments of the program; `None` if help is asked for.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Option<Self>, Failure> {
        let mut options = Self {
            seed: SEED,
            picture: None,
            json: false,
        };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let words = argument.to_string_lossy();
            let (name, joined) = match words.split_once('=') {
                Some((name, value)) if name.starts_with('-') => (name, Some(value)),
                _ => (&*words, None),
            };
            let value = |arguments: &mut dyn Iterator<Item = OsString>| {
                joined.map(OsString::from).or_else(|| arguments.next())
            };
            match name {
                "-h" | "--help" => return Ok(None),
                "--json" if joined.is_none() => options.json = true,
                "--seed" => options.seed = seed(value(&mut arguments))?,
                "--picture" => options.picture = Some(picture(value(&mut arguments))?),
                _ => return Err(unknown(&words)),
            }
        }
        Ok(Some(options))
    }
}

fn seed(value: Option<OsString>) -> Result<u64, Failure> {
    let value = value.unwrap_or_default();
    let value = value.to_string_lossy();
    value.trim().parse().map_err(|_| {
        Failure::input(format_args!(
            "--seed `{value}`: write a whole number from 0 on, for example 20"
        ))
    })
}

fn picture(value: Option<OsString>) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(value.unwrap_or_default());
    let ending = path.extension();
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return Ok(path);
    }
    Err(Failure::input(format_args!(
        "--picture `{}`: name a file that ends in .png",
        path.display()
    )))
}

fn unknown(argument: &str) -> Failure {
    Failure::input(if argument.starts_with('-') {
        format!("{argument}: the demo has --seed N, --picture FILE and --json, and no such option")
    } else {
        format!("{argument}: the demo has no commands; try `cargo flowtiles {argument}`")
    })
}
