//! The file of a replay: a line of JSON for each input, and lines with the digest of all
//! lines before, which show whether it is complete and unchanged.
//!
//! ```text
//!   {"flowtiles":"session","version":1}
//!   {"start":{"country":8}}
//!   {"ticks":500}
//!   {"digest":"0123456789abcdef"}
//! ```

use flowtiles::inspect::Digest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::input::Input;
use crate::start::Start;

const VERSION: u32 = 1;
/// The first bytes of a replay.
const FIRST: &str = "{\"flowtiles\":";
/// Lines between two digests.
const EVERY: usize = 40;
/// The names of intermediate digests, and of the last one.
const SO_FAR: &str = "so-far";
const DIGEST: &str = "digest";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    flowtiles: Kind,
    version: u32,
}

/// What is replayed.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Session,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beginning<S> {
    start: S,
}

/// An input, and its line in the file.
pub struct Line {
    pub number: usize,
    pub input: Input,
}

/// A replay as it is in a file.
pub struct Saved {
    pub start: Start,
    pub lines: Vec<Line>,
}

impl Saved {
    /// Whether a file is a replay.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(FIRST.as_bytes())
    }

    /// Returns the text of a replay.
    ///
    /// # Errors
    /// If an input is none that is recorded.
    pub fn write<'a>(
        start: &Start,
        inputs: impl IntoIterator<Item = &'a Input>,
    ) -> Result<String, String> {
        let mut text = Sealed {
            text: String::new(),
            digest: Digest::new(),
            digested: 0,
            lines: 0,
        };
        text.line(&Header {
            flowtiles: Kind::Session,
            version: VERSION,
        })?;
        text.line(&Beginning { start })?;
        let mut inputs = inputs.into_iter();
        inputs.try_for_each(|input| {
            if !input.is_allowed() {
                return Err(format!("no replay has such an input: {input:?}"));
            }
            text.line(input)
        })?;
        text.seal(DIGEST);
        Ok(text.text)
    }

    /// Reads a replay.
    ///
    /// # Errors
    /// With the line, what is wrong there, and what to do.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if !Self::is_one(bytes) {
            return Err(format!(
                "line 1: a replay begins with `{FIRST}`, so this is none, or it is damaged: give \
                 a file that the inspector wrote"
            ));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = bytes[..error.valid_up_to()].split(|&byte| byte == b'\n');
            let line = before.count();
            format!("line {line}: a replay is plain text: take another copy of it")
        })?;
        let Header {
            flowtiles: Kind::Session,
            version,
        } = parsed(1, text.lines().next().unwrap_or(text))?;
        if version != VERSION {
            return Err(format!(
                "line 1: version {version} of the format, and only {VERSION} is known: use the \
                 flowtiles that wrote it"
            ));
        }
        let mut lines = unsealed(text)?.into_iter().skip(1);
        let (number, line) = lines
            .next()
            .ok_or("line 2: there is no start: take another copy of the replay")?;
        let start = parsed::<Beginning<Start>>(number, line)?.start;
        let input = |(number, line)| {
            let input: Input = parsed(number, line)?;
            if input.is_allowed() {
                return Ok(Line { number, input });
            }
            Err(format!(
                "line {number}: a value is out of its range: use the flowtiles that wrote it"
            ))
        };
        Ok(Self {
            start,
            lines: lines.map(input).collect::<Result<_, _>>()?,
        })
    }
}

fn parsed<T: DeserializeOwned>(number: usize, line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| {
        let (column, told) = (error.column(), error.to_string());
        // A line is a text of one line, whose number says nothing.
        let fault = told
            .rsplit_once(" at line ")
            .map_or(&*told, |parts| parts.0);
        format!("line {number}, column {column}: {fault}: use the flowtiles that wrote it")
    })
}

/// Lines with digests between them.
struct Sealed {
    text: String,
    digest: Digest,
    /// The number of bytes that the digest covers.
    digested: usize,
    lines: usize,
}

impl Sealed {
    /// Adds a line, and a digest at fixed intervals.
    fn line(&mut self, line: &impl Serialize) -> Result<(), String> {
        self.text += &serde_json::to_string(line).map_err(|error| error.to_string())?;
        self.text.push('\n');
        self.lines += 1;
        if self.lines.is_multiple_of(EVERY) {
            self.seal(SO_FAR);
        }
        Ok(())
    }

    fn seal(&mut self, name: &str) {
        self.digest.bytes(&self.text.as_bytes()[self.digested..]);
        self.digested = self.text.len();
        self.text += &format!("{}\n", seal(name, self.digest));
    }
}

/// The line of a digest.
fn seal(name: &str, digest: Digest) -> String {
    format!("{{\"{name}\":\"{:016x}\"}}", digest.finish())
}

/// The lines of a text with their numbers, without digests.
fn unsealed(text: &str) -> Result<Vec<(usize, &str)>, String> {
    let names = [SO_FAR, DIGEST].map(|name| format!("{{\"{name}\":"));
    let mut digest = Digest::new();
    // The starts of the section that the next digest covers, and of the line.
    let (mut section, mut begin) = (0, 0);
    let (mut lines, mut sealed, mut last, mut is_over) = (Vec::new(), 0, 0, false);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        is_over = bare.starts_with(&names[1]);
        if is_over || bare.starts_with(&names[0]) {
            digest.bytes(&text.as_bytes()[section..begin]);
            if bare != seal(if is_over { DIGEST } else { SO_FAR }, digest) {
                return Err(format!(
                    "lines {} to {number} are not as they were written, for their digest is \
                     another: take another copy of the replay",
                    sealed + 1
                ));
            }
            (section, sealed) = (begin, number);
        } else {
            lines.push((number, bare));
        }
        begin += line.len();
        last = number;
    }
    if !is_over {
        return Err(format!(
            "line {last}: the replay ends without its digest: it was cut off, so take another \
             copy of it"
        ));
    }
    Ok(lines)
}
