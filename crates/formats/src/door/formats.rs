//! The formats, by name, extension and first bytes.

use std::fmt;
use std::path::Path;

use crate::{flow, text};

/// The first bytes of every PNG picture.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A format of map files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.map` of the Moving AI benchmarks.
    MovingAi,
    /// `.txt`: one character for each cell.
    Text,
    /// `.flow`: the project's own format.
    Flow,
    /// `.png`: one pixel for each cell (feature `png`).
    Png,
    /// `.tmx` of the Tiled editor (feature `tiled`).
    Tmx,
    /// `.tmj`, or `.json`, of the Tiled editor (feature `tiled`).
    Tmj,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::MovingAi,
        Self::Text,
        Self::Flow,
        Self::Png,
        Self::Tmx,
        Self::Tmj,
    ];

    /// Returns the extension of the format's files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::MovingAi => "map",
            Self::Text => "txt",
            Self::Flow => "flow",
            Self::Png => "png",
            Self::Tmx => "tmx",
            Self::Tmj => "tmj",
        }
    }

    /// Returns the format with the extension of a path, in letters of any case.
    ///
    /// ```
    /// use std::path::Path;
    /// use flowtiles_formats::Format;
    ///
    /// assert_eq!(Format::of_path(Path::new("maps/Arena.MAP")), Some(Format::MovingAi));
    /// assert_eq!(Format::of_path(Path::new("maps/arena")), None);
    /// ```
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if extension == "json" {
            return Some(Self::Tmj);
        }
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.extension() == extension)
    }

    /// Returns the format that the first bytes of a file show, if any.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(PNG) {
            return Some(Self::Png);
        }
        if bytes.starts_with(flow::MAGIC) {
            return Some(Self::Flow);
        }
        let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let plain = plain.trim_ascii_start();
        match plain {
            [b'<', ..] => Some(Self::Tmx),
            [b'{', ..] => Some(Self::Tmj),
            _ if plain.starts_with(b"type octile") => Some(Self::MovingAi),
            _ => text::looks_like_text(bytes).then_some(Self::Text),
        }
    }

    /// Returns the feature of this crate that the format needs to be read or
    /// written; `None` if it needs none.
    #[must_use]
    pub const fn feature(self) -> Option<&'static str> {
        match self {
            Self::MovingAi | Self::Text | Self::Flow => None,
            Self::Png => Some("png"),
            Self::Tmx | Self::Tmj => Some("tiled"),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_bytes_show_formats() {
        for format in Format::ALL {
            let name = format!("a.b.{format}");
            assert_eq!(Format::of_path(Path::new(&name)), Some(format));
        }
        assert_eq!(Format::of_path(Path::new("x.json")), Some(Format::Tmj));
        let shown: [(&[u8], Option<Format>); 9] = [
            (b"type octile\nheight 1\n", Some(Format::MovingAi)),
            (b"..#\n", Some(Format::Text)),
            (b"flowtiles map\nhex\n", Some(Format::Text)),
            (b"FLOWCOST....", Some(Format::Flow)),
            (b"\x89PNG\r\n\x1a\n", Some(Format::Png)),
            (b"\xef\xbb\xbf\n <map>", Some(Format::Tmx)),
            (b"{}", Some(Format::Tmj)),
            (b"", None),
            (b"\xff\xfe", None),
        ];
        for (bytes, format) in shown {
            assert_eq!(Format::of_bytes(bytes), format, "{bytes:?}");
        }
    }
}
