//! Decodes the tiles of a layer, up to the expected length.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};

/// Decodes the numbers of `cells` tiles.
pub(super) fn decode(
    text: &str,
    encoding: &str,
    compression: &str,
    cells: u64,
) -> Result<Vec<u32>, String> {
    let again = |what: &str| format!("{what}: save the map from Tiled again");
    // One more than needed, to detect that there are too many.
    let limit = cells as usize + 1;
    let numbers = match (encoding, compression) {
        ("" | "csv", "") => {
            let numbers = text.split(',').map(str::trim).take(limit);
            let numbers = numbers.filter(|_| !text.trim().is_empty());
            let numbers = numbers.map(str::parse).collect::<Result<_, _>>();
            numbers.map_err(|_| again("the data are not numbers with commas between them"))?
        }
        ("base64", "" | "zlib" | "gzip") => {
            let packed: String = text.split_ascii_whitespace().collect();
            let packed = STANDARD.decode(packed);
            let packed = packed.map_err(|_| again("the data are not Base64"))?;
            let unpacker: Box<dyn Read> = match compression {
                "zlib" => Box::new(ZlibDecoder::new(&packed[..])),
                "gzip" => Box::new(GzDecoder::new(&packed[..])),
                _ => Box::new(&packed[..]),
            };
            let mut bytes = Vec::new();
            let read = unpacker.take(4 * limit as u64).read_to_end(&mut bytes);
            read.map_err(|_| again("the data cannot be unpacked"))?;
            let (numbers, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(again("the data are no whole number of tiles"));
            }
            numbers.iter().copied().map(u32::from_le_bytes).collect()
        }
        _ => {
            let found = format!("{encoding} {compression}");
            return Err(format!(
                "data as `{}` are not read: save them as CSV, or as Base64 uncompressed or \
                 compressed by zlib or gzip (in Tiled: Map > Map Properties > Tile Layer Format)",
                found.trim()
            ));
        }
    };
    let found: Vec<u32> = numbers;
    match found.len() {
        count if count == limit => Err(again(&format!(
            "there are more than the {cells} tiles of its size"
        ))),
        count if count < cells as usize => Err(again(&format!(
            "there are {count} of the {cells} tiles of its size"
        ))),
        _ => Ok(found),
    }
}
