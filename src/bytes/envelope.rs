//! What is around the content of a save: a magic, a version, the length of the
//! content, and a digest of everything before it.
//!
//! ```text
//!   magic, 8 │ version, 4 │ length, 8 │ content │ digest, 8
//! ```

use super::{Digest, Writer};

/// The bytes before the content.
pub(crate) const HEAD: usize = 8 + 4 + 8;
/// The bytes of the digest.
const TAIL: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnvelopeFault {
    Magic,
    Version(u32),
    Length { expected: u64, found: u64 },
    Digest,
}

pub(crate) fn seal(magic: [u8; 8], version: u32, content: &[u8]) -> Vec<u8> {
    let mut out = Writer::default();
    out.raw(&magic);
    out.raw(&version.to_le_bytes());
    out.raw(&(content.len() as u64).to_le_bytes());
    out.raw(content);
    let mut bytes = out.into_bytes();
    let digest = Digest::of(&bytes);
    bytes.extend_from_slice(&digest.to_le_bytes());
    bytes
}

/// Returns the content of an envelope that is whole and has this version.
pub(crate) fn open(magic: [u8; 8], version: u32, bytes: &[u8]) -> Result<&[u8], EnvelopeFault> {
    let known = bytes.len().min(magic.len());
    if bytes[..known] != magic[..known] {
        return Err(EnvelopeFault::Magic);
    }
    let found = bytes.len() as u64;
    if bytes.len() < HEAD {
        let expected = (HEAD + TAIL) as u64;
        return Err(EnvelopeFault::Length { expected, found });
    }
    let number = |from: usize, to: usize| {
        let mut number = [0; 8];
        number[..to - from].copy_from_slice(&bytes[from..to]);
        u64::from_le_bytes(number)
    };
    let found_version = number(8, 12) as u32;
    if found_version != version {
        return Err(EnvelopeFault::Version(found_version));
    }
    let expected = number(12, HEAD).saturating_add((HEAD + TAIL) as u64);
    if expected != found {
        return Err(EnvelopeFault::Length { expected, found });
    }
    let end = bytes.len() - TAIL;
    if Digest::of(&bytes[..end]) != number(end, bytes.len()) {
        return Err(EnvelopeFault::Digest);
    }
    Ok(&bytes[HEAD..end])
}
