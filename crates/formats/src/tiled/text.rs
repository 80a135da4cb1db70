//! The text of a file, checked for its size.

use super::error::{TiledError, TiledFault};
use super::limits::MAX_TILED_BYTES;

/// Returns the text of a file, unless it is too large or not UTF-8.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, TiledError> {
    if bytes.len() as u64 > MAX_TILED_BYTES {
        return Err(TiledFault::Bytes.at("the file"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        let what = "it is not UTF-8".to_owned();
        TiledFault::Syntax { what }.at(place)
    })
}
