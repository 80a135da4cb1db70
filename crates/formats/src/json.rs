//! Texts of the editors: UTF-8, and JSON with the places of its faults.

use serde::Deserialize;

use crate::{Place, ReadError};

/// Returns the text of a file that `editor` has written.
pub(crate) fn text_of<'a>(bytes: &'a [u8], editor: &str) -> Result<&'a str, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        Place::Byte(error.valid_up_to()).fault(unparsed("it is not UTF-8", editor))
    })
}

/// Parses a text that `editor` has written.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &'a str, editor: &str) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let at = Place::Line { line, column };
        if error.is_eof() {
            return at.fault(cut_off(editor));
        }
        // The error holds the place separately, and calls what it wants as Rust does.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let what = what.replace("expected u32", "where a whole number from 0 on belongs");
        if what.starts_with("the property") {
            at.fault(what)
        } else {
            at.fault(unparsed(&what, editor))
        }
    })
}

pub(crate) fn cut_off(editor: &str) -> String {
    format!(
        "the text ends here, before the map does: the file was cut off, so take another copy or \
         save it from {editor} again"
    )
}

pub(crate) fn unparsed(why: &str, editor: &str) -> String {
    format!("the text cannot be parsed ({why}): save it from {editor} again")
}
