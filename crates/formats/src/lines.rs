//! Texts divided into lines and words, with their places.

use crate::{Place, ReadError};

/// One line without its line end.
#[derive(Clone, Copy)]
pub(crate) struct TextLine<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
}

impl<'a> TextLine<'a> {
    /// Returns the place of the byte at `offset`.
    pub(crate) const fn place(&self, offset: usize) -> Place {
        Place::Line {
            line: self.number,
            column: offset + 1,
        }
    }

    /// Returns the place just after the last byte.
    pub(crate) const fn end(&self) -> Place {
        self.place(self.text.len())
    }

    /// Returns the words: the runs between spaces and tabs.
    pub(crate) fn words(self) -> impl Iterator<Item = Word<'a>> {
        let mut next = 0;
        let parts = self.text.split(|byte| matches!(byte, b' ' | b'\t'));
        let words = parts.map(move |text| {
            let start = next;
            next += text.len() + 1;
            Word {
                line: self,
                start,
                text,
            }
        });
        words.filter(|word| !word.text.is_empty())
    }
}

/// A run of bytes without blanks.
#[derive(Clone, Copy)]
pub(crate) struct Word<'a> {
    line: TextLine<'a>,
    /// Its offset in the line.
    pub(crate) start: usize,
    pub(crate) text: &'a [u8],
}

impl Word<'_> {
    pub(crate) fn fault(&self, what: impl Into<String>) -> ReadError {
        self.line.place(self.start).fault(what)
    }

    /// Returns the number that the word writes in plain digits; `None` for any
    /// other word and for numbers beyond `u32`.
    pub(crate) fn number(&self) -> Option<u32> {
        if !self.text.iter().all(u8::is_ascii_digit) {
            return None;
        }
        std::str::from_utf8(self.text).ok()?.parse().ok()
    }
}

/// An iterator over the lines of a text, which end in LF, CR LF or the end of
/// the text.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        // Some editors write a mark before UTF-8 text; it has no meaning here.
        let rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self { rest, number: 0 }
    }

    /// Returns the next line, or an empty one past the end: for lines that must
    /// be there.
    pub(crate) fn next_or_empty(&mut self) -> TextLine<'a> {
        let past = TextLine {
            number: self.number + 1,
            text: &[],
        };
        self.next().unwrap_or(past)
    }

    /// Checks that only blank lines are left.
    pub(crate) fn end(mut self, what: &str) -> Result<(), ReadError> {
        let word = self.find_map(|line| line.words().next());
        word.map_or(Ok(()), |word| Err(word.fault(what)))
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
        let text = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = self.rest.get(text.len() + 1..).unwrap_or_default();
        Some(TextLine {
            number: self.number,
            text: text.strip_suffix(b"\r").unwrap_or(text),
        })
    }
}
