//! Pieces of PNG files, built by hand.

/// Returns a chunk with a correct checksum.
pub fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let content = [kind, data].concat();
    let mut crc = !0_u32;
    for &byte in &content {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            let low = crc & 1;
            crc = (crc >> 1) ^ (0xEDB8_8320 * low);
        }
    }
    let length = (data.len() as u32).to_be_bytes();
    [&length[..], &content, &(!crc).to_be_bytes()].concat()
}
