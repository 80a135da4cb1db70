//! Files between pages and the host: dropped on a page, or saved from it.

/// A page's request for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAsked {
    /// The host is to open a file.
    Open {
        /// The name that the page gave.
        name: String,
        /// The contents.
        bytes: Vec<u8>,
    },
    /// The host is to provide a file for saving.
    Save {
        /// What to save, by the host's own names.
        what: String,
    },
}

/// A file for a page; the answer to an opened file is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The name.
    pub name: String,
    /// The media type.
    pub kind: &'static str,
    /// The contents.
    pub bytes: Vec<u8>,
}
