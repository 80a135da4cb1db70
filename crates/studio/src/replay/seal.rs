//! Sealed text: a first line with its version, and lines with the digest of all
//! lines before, which show whether the text is complete and unchanged.

use std::fmt::Write;
use std::ops::RangeInclusive;

use flowtiles::Digest;

/// Lines between two digests.
const EVERY: usize = 40;
/// The word before intermediate digests, and before the last one.
const SO_FAR: &str = "so-far ";
const DIGEST: &str = "digest ";

/// Lines with digests between them.
#[derive(Clone)]
pub struct Sealed {
    text: String,
    digest: Digest,
    /// The number of bytes that the digest covers.
    digested: usize,
    lines: usize,
}

impl Sealed {
    /// The first line.
    pub fn new(title: &str, version: u32) -> Self {
        let mut sealed = Self {
            text: String::new(),
            digest: Digest::new(),
            digested: 0,
            lines: 0,
        };
        sealed.line(format_args!("{title}{version}"));
        sealed
    }

    /// One more line.
    pub fn line(&mut self, line: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
        self.lines += 1;
    }

    /// Adds a line as [`line`](Self::line) does, and a digest at fixed intervals.
    pub fn checked_line(&mut self, line: impl std::fmt::Display) {
        self.line(line);
        if self.lines >= EVERY {
            self.seal(SO_FAR);
        }
    }

    fn seal(&mut self, name: &str) {
        self.digest.bytes(&self.text.as_bytes()[self.digested..]);
        self.digested = self.text.len();
        let digest = self.digest.finish();
        self.line(format_args!("{name}{digest:016x}"));
        self.lines = 0;
    }

    /// The whole text.
    pub fn into_text(mut self) -> String {
        self.seal(DIGEST);
        self.text
    }
}

/// Lines with their numbers in the text.
pub type NumberedLines<'a> = Vec<(usize, &'a str)>;

/// The version of a sealed text, and its lines with their numbers, without the first
/// and without digests.
///
/// # Errors
/// With the lines that were changed or are missing, and what to do.
pub fn unsealed<'a>(
    text: &'a str,
    title: &str,
    versions: RangeInclusive<u32>,
) -> Result<(u32, NumberedLines<'a>), String> {
    let first = text.lines().next().unwrap_or_default();
    let (oldest, newest) = versions.clone().into_inner();
    let version = match first.strip_prefix(title).map(str::parse::<u32>) {
        Some(Ok(found)) if versions.contains(&found) => found,
        Some(Ok(found)) => {
            let known = if oldest == newest {
                format!("only {newest} is known")
            } else {
                format!("only {oldest} to {newest} are known")
            };
            return Err(format!(
                "line 1: version {found} of the format, and {known}: \
                 use the flowtiles that wrote it"
            ));
        }
        _ => {
            return Err(format!(
                "line 1: a replay begins with `{title}{newest}`: give a file that `flowtiles record` \
                 or the inspector wrote"
            ));
        }
    };
    let mut digest = Digest::new();
    // The starts of the section that the next digest covers, and of the line.
    let (mut section, mut begin) = (0, 0);
    let (mut lines, mut sealed, mut last, mut is_over) = (Vec::new(), 0, 1, false);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let end = bare.strip_prefix(DIGEST);
        is_over = end.is_some();
        if let Some(told) = end.or_else(|| bare.strip_prefix(SO_FAR)) {
            digest.bytes(&text.as_bytes()[section..begin]);
            if told != format!("{:016x}", digest.finish()) {
                return Err(format!(
                    "lines {} to {number} are not as they were written, for their digest is \
                     another: take another copy of the replay",
                    sealed + 1
                ));
            }
            (section, sealed) = (begin, number);
        } else if number > 1 {
            lines.push((number, bare));
        }
        begin += line.len();
        last = number;
    }
    if !is_over {
        return Err(format!(
            "line {last}: the replay ends without its digest: it was cut off, so \
             take another copy of it"
        ));
    }
    Ok((version, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let mut sealed = Sealed::new("a replay ", 3);
        for number in 0..100 {
            sealed.checked_line(format_args!("told {number}"));
        }
        sealed.into_text()
    }

    #[test]
    fn a_whole_text_is_read_and_any_cut_or_change_is_told_with_its_lines() {
        let text = text();
        let (_, lines) = unsealed(&text, "a replay ", 3..=3).unwrap();
        let told: Vec<String> = (0..100).map(|number| format!("told {number}")).collect();
        assert!(lines.iter().map(|line| line.1).eq(&told));
        assert_eq!(text.lines().nth(lines[70].0 - 1), Some("told 70"));
        for cut in 0..text.len() {
            let read = unsealed(&text[..cut], "a replay ", 3..=3);
            // Without its line break the last line is still complete.
            assert!(read.is_err() || cut == text.len() - 1, "{cut}");
        }
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8(changed).unwrap();
            assert!(unsealed(&changed, "a replay ", 3..=3).is_err(), "{at}");
        }
        let fault = |text: &str| unsealed(text, "a replay ", 3..=3).unwrap_err();
        let changed = fault(&text.replace("told 50\n", "told 51\n"));
        assert!(
            changed.starts_with("lines 42 to 82 are not as"),
            "{changed}"
        );
        let cut = fault(&text[..text.find("told 60").unwrap()]);
        assert!(cut.starts_with("line 62: the replay ends without"), "{cut}");
        assert!(fault("a replay 4\n").contains("line 1: version 4"));
        assert!(fault("something\n").contains("line 1: a replay begins with"));
    }
}
