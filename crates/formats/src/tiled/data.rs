//! Decodes the tiles of a layer, up to the expected length.

use std::borrow::Cow;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};

use super::document::Data;
use super::error::TiledFault;

/// Decodes the numbers of `cells` tiles.
pub(super) fn decode<'a>(data: &'a Data<'_>, cells: u64) -> Result<Cow<'a, [u32]>, TiledFault> {
    let numbers = match data {
        Data::Numbers(numbers) => Cow::Borrowed(&numbers[..]),
        Data::Csv(text) => decode_csv(text, cells)?.into(),
        Data::Base64 { text, compression } => {
            let packed: String = text.split_ascii_whitespace().collect();
            let packed = STANDARD.decode(packed).map_err(|_| TiledFault::Data {
                what: "the data are not Base64",
            })?;
            let bytes = match compression.as_str() {
                "zlib" => unpack(ZlibDecoder::new(&packed[..]), cells)?,
                "gzip" => unpack(GzDecoder::new(&packed[..]), cells)?,
                _ => packed,
            };
            let (numbers, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(TiledFault::Data {
                    what: "the data are no whole number of tiles",
                });
            }
            numbers.iter().copied().map(u32::from_le_bytes).collect()
        }
    };
    let found = numbers.len() as u64;
    if found == cells {
        Ok(numbers)
    } else {
        let expected = cells;
        Err(TiledFault::Count { found, expected })
    }
}

fn decode_csv(text: &str, cells: u64) -> Result<Vec<u32>, TiledFault> {
    let wrong = |_| TiledFault::Data {
        what: "the data are not numbers with commas between them",
    };
    // One more than needed, to detect that there are too many.
    let limit = usize::try_from(cells + 1).unwrap_or(usize::MAX);
    let numbers = text.split(',').take(limit);
    numbers
        .map(|number| number.trim().parse().map_err(wrong))
        .collect()
}

/// Unpacks at most one byte more than `cells` tiles take.
fn unpack(mut packed: impl Read, cells: u64) -> Result<Vec<u8>, TiledFault> {
    let mut bytes = Vec::new();
    let limit = 4 * cells + 1;
    let read = packed.by_ref().take(limit).read_to_end(&mut bytes);
    read.map_err(|_| TiledFault::Data {
        what: "the data cannot be unpacked",
    })?;
    if bytes.len() as u64 == limit {
        let (found, expected) = (cells + 1, cells);
        return Err(TiledFault::Count { found, expected });
    }
    Ok(bytes)
}
