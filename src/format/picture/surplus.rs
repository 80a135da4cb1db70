//! A second look at the pixel data of a picture: whether they end with the last
//! row.
//!
//! The decoder stops at the last row that it is asked for, and passes over what
//! follows in the same chunks. A picture with more than its header says was
//! damaged, or made by a program that went wrong, so its pixels may be shifted.

use std::io::{self, BufRead, Read};

use flate2::bufread::ZlibDecoder;

use super::PictureError;

/// Bytes before the first chunk.
const SIGNATURE: usize = 8;
/// Length and name before the data of a chunk, and the checksum after them.
const HEAD: usize = 8;
const CHECKSUM: usize = 4;

/// Checks that the pixel data of a picture that was decoded unpack to this many
/// bytes, and that nothing follows them.
pub(super) fn check_end(bytes: &[u8], unpacked: u64) -> Result<(), PictureError> {
    let mut unpacker = ZlibDecoder::new(PixelData::new(bytes));
    let seen = io::copy(&mut unpacker.by_ref().take(unpacked + 1), &mut io::sink());
    let mut data = unpacker.into_inner();
    let byte = data.at;
    let has_ended = data.fill_buf().is_ok_and(<[u8]>::is_empty);
    match seen {
        Ok(seen) if seen == unpacked && has_ended => Ok(()),
        Ok(_) => Err(PictureError::Surplus { byte }),
        Err(error) => Err(PictureError::Decoding {
            place: format!("byte {byte}"),
            what: error.to_string(),
        }),
    }
}

/// The data of the chunks `IDAT`, one after the other.
struct PixelData<'a> {
    bytes: &'a [u8],
    /// The next byte to read.
    at: usize,
    /// Where the data of the chunk end.
    end: usize,
}

impl<'a> PixelData<'a> {
    const fn new(bytes: &'a [u8]) -> Self {
        let before = SIGNATURE - CHECKSUM;
        Self {
            bytes,
            at: before,
            end: before,
        }
    }

    /// Goes on to the next chunk with pixels, or to the end.
    fn enter_next(&mut self) {
        while self.at == self.end {
            let head = self.end + CHECKSUM;
            let rest = self.bytes.get(head..head + HEAD);
            let Some((length, name)) = rest.and_then(<[u8]>::split_first_chunk) else {
                return;
            };
            let length = u32::from_be_bytes(*length) as usize;
            let data = head + HEAD;
            self.end = data.saturating_add(length).min(self.bytes.len());
            self.at = if name == b"IDAT" { data } else { self.end };
        }
    }
}

impl Read for PixelData<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for PixelData<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.enter_next();
        Ok(&self.bytes[self.at..self.end])
    }

    fn consume(&mut self, read: usize) {
        self.at += read;
    }
}
