//! Checks that the pixel data of a picture end with the last row.
//!
//! The decoder stops at the last requested row and skips any data after it in
//! the same chunks. A picture with more data than its header claims was damaged
//! or written wrongly, so its pixels may be shifted.

use std::io::{self, Read};

use flate2::bufread::ZlibDecoder;

use super::undecoded;
use crate::{Place, ReadError};

/// The bytes before the first chunk, before the data of a chunk (length and
/// name), and after them (the checksum).
const SIGNATURE: usize = 8;
const HEAD: usize = 8;
const CHECKSUM: usize = 4;

/// Checks that the pixel data of a decoded picture unpack to exactly `unpacked`
/// bytes.
pub(super) fn check_end(bytes: &[u8], unpacked: u64) -> Result<(), ReadError> {
    // The data of all chunks with pixels, and where each begins: in these data,
    // and in the file.
    let (mut data, mut begins, mut at) = (Vec::new(), Vec::new(), SIGNATURE);
    while let Some((head, rest)) = bytes.get(at..).and_then(|rest| rest.split_first_chunk()) {
        let [a, b, c, d, name @ ..]: &[u8; HEAD] = head;
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        if name == b"IDAT" {
            begins.push((data.len(), at + HEAD));
            data.extend_from_slice(&rest[..length.min(rest.len())]);
        }
        at = at.saturating_add(length).saturating_add(HEAD + CHECKSUM);
    }
    let mut unpacker = ZlibDecoder::new(&data[..]);
    let seen = io::copy(&mut unpacker.by_ref().take(unpacked + 1), &mut io::sink());
    let used = unpacker.total_in() as usize;
    let begin = begins.iter().rfind(|(begin, _)| *begin <= used);
    let at = Place::Byte(begin.map_or(0, |(begin, in_file)| in_file + used - begin));
    match seen {
        Ok(seen) if seen == unpacked && used == data.len() => Ok(()),
        Ok(_) => Err(at.fault(
            "the pixel data go on after the last row: take another copy, or save the picture as \
             PNG again",
        )),
        Err(error) => Err(undecoded(at, &error)),
    }
}
