//! Files whose digests fit whatever is in them.

use flowtiles::inspect::Digest;

/// The bytes around the content of a save: magic, version and length before it, and a digest
/// after it.
pub const HEAD: usize = 20;
pub const TAIL: usize = 8;

/// Returns this content in the envelope of a save of a version.
pub fn sealed(magic: &[u8; 8], version: u32, content: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(version.to_le_bytes());
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    let mut digest = Digest::new();
    digest.bytes(&bytes);
    bytes.extend(digest.finish().to_le_bytes());
    bytes
}

/// Returns what is in an envelope.
pub fn content(bytes: &[u8]) -> &[u8] {
    let end = bytes.len().saturating_sub(TAIL);
    bytes.get(HEAD..end).unwrap_or_default()
}

/// Returns a mapped file of costs of which everything but the digest is given.
pub fn mapped(bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, rest) = bytes.split_at_checked(24)?;
    let blocks = u32::from_le_bytes(head[20..24].try_into().ok()?);
    let (blocks, words) = rest.split_at_checked(100 * blocks as usize)?;
    let mut digest = Digest::new();
    for block in blocks.chunks(100) {
        digest.bytes(block);
    }
    digest.bytes(words);
    digest.bytes(head);
    Some([bytes, &digest.finish().to_le_bytes()].concat())
}

/// Returns a PNG with the right checksums of its chunks, as far as there are any.
pub fn png(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let end = at + 8 + length;
        if bytes.len() < end + 4 {
            break;
        }
        let mut sum = flate2::Crc::new();
        sum.update(&bytes[at + 4..end]);
        bytes[end..end + 4].copy_from_slice(&sum.sum().to_be_bytes());
        at = end + 4;
    }
    bytes
}

/// Returns a replay of these lines.
pub fn replay(lines: &str) -> String {
    let lines = lines
        .lines()
        .filter(|line| !line.starts_with("{\"digest\":"));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut digest = Digest::new();
    digest.bytes(text.as_bytes());
    format!("{text}{{\"digest\":\"{:016x}\"}}\n", digest.finish())
}
