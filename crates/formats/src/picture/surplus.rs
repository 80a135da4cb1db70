//! Checks that the pixel data of a picture end with the last row.
//!
//! The decoder stops at the last requested row and skips any data after it in
//! the same chunks. A picture with more data than its header claims was damaged
//! or written wrongly, so its pixels may be shifted.

use std::io::{self, BufRead, Read};

use flate2::bufread::ZlibDecoder;

use super::PictureError;

/// The number of bytes before the first chunk.
const SIGNATURE: usize = 8;
/// The number of bytes before the data of a chunk (length and name), and after
/// them (the checksum).
const HEAD: usize = 8;
const CHECKSUM: usize = 4;

/// Checks that the pixel data of a decoded picture unpack to exactly `unpacked`
/// bytes.
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

/// The data of the `IDAT` chunks, one after the other.
struct PixelData<'a> {
    bytes: &'a [u8],
    /// The offset of the next byte to read.
    at: usize,
    /// The offset at which the data of the chunk end.
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

    /// Moves to the next chunk with pixels, or to the end.
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
