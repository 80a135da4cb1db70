//! Texts divided into lines and words, with their places.

use std::fmt;

/// A place in a text file, both numbers counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The byte in the line; one past the last byte if something is missing
    /// there.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// One line without its line end.
#[derive(Clone, Copy)]
pub(super) struct TextLine<'a> {
    pub(super) number: usize,
    pub(super) text: &'a [u8],
}

impl<'a> TextLine<'a> {
    /// Returns the place of the byte at `offset`.
    pub(super) const fn place(&self, offset: usize) -> Place {
        Place {
            line: self.number,
            column: offset + 1,
        }
    }

    /// Returns the place just after the last byte.
    pub(super) const fn end(&self) -> Place {
        self.place(self.text.len())
    }

    /// Returns the words: the runs between spaces and tabs.
    pub(super) fn words(self) -> impl Iterator<Item = Word<'a>> {
        let mut rest = 0;
        std::iter::from_fn(move || {
            let text = self.text;
            let from = rest + text[rest..].iter().position(|byte| !is_blank(*byte))?;
            let length = text[from..].iter().position(|byte| is_blank(*byte));
            rest = length.map_or(text.len(), |length| from + length);
            Some(Word {
                place: self.place(from),
                text: &text[from..rest],
            })
        })
    }
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A run of bytes without blanks, with its place.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) place: Place,
    pub(super) text: &'a [u8],
}

impl Word<'_> {
    /// Returns the number that the word writes in plain digits; `None` for any
    /// other word and for numbers beyond `u32`.
    pub(super) fn number(&self) -> Option<u32> {
        if !self.text.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(self.text).ok()?.parse().ok()
    }
}

/// An iterator over the lines of a text, which end in LF, CR LF or the end of
/// the text.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        // Some editors write a mark before UTF-8 text; it has no meaning here.
        let rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self { rest, number: 0 }
    }

    /// Returns the number of bytes not yet divided.
    pub(super) const fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// Returns the next line, or an empty one past the end: for lines that must
    /// be there.
    pub(super) fn next_or_empty(&mut self) -> TextLine<'a> {
        let past = TextLine {
            number: self.number + 1,
            text: &[],
        };
        self.next().unwrap_or(past)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = TextLine<'a>;

    fn next(&mut self) -> Option<TextLine<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (text, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(TextLine {
            number: self.number,
            text: text.strip_suffix(b"\r").unwrap_or(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_either_way() {
        let texts: Vec<_> = Lines::new(b"a\r\n\nb").map(|line| line.text).collect();
        assert_eq!(texts, [&b"a"[..], b"", b"b"]);
        assert_eq!(Lines::new(b"").count(), 0);
        assert_eq!(Lines::new(b"\n").count(), 1);
    }

    #[test]
    fn words_know_their_columns() {
        let line = TextLine {
            number: 7,
            text: b" 12\t+3 x ",
        };
        let words: Vec<_> = line.words().collect();
        let columns: Vec<_> = words.iter().map(|word| word.place.column).collect();
        assert_eq!(columns, [2, 5, 8]);
        let numbers: Vec<_> = words.iter().map(Word::number).collect();
        assert_eq!(numbers, [Some(12), None, None]);
    }
}
