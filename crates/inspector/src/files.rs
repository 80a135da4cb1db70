//! Files between pages and the host: dropped on a page, or saved from one.

use std::collections::VecDeque;
use std::sync::Mutex;

use tokio::sync::oneshot;

use crate::hub::unpoisoned;

/// Files that may wait for the host.
const WAITING_MAX: usize = 4;

/// A file that a page has, or wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAsked {
    /// To be opened.
    Open {
        /// Its name, as the page told it.
        name: String,
        /// What it holds.
        bytes: Vec<u8>,
    },
    /// To be saved.
    Save {
        /// What of: the host's word.
        what: String,
    },
}

/// A file for a page; an opened one is answered with an empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub kind: &'static str,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What a page asks for, and where the answer goes.
pub struct FileRequest {
    /// What it asks for.
    pub asked: FileAsked,
    reply: oneshot::Sender<Result<Given, String>>,
}

impl FileRequest {
    /// Answers; with what is wrong, if it cannot be done.
    pub fn answer(self, answer: Result<Given, String>) {
        // The page may be gone.
        let _ = self.reply.send(answer);
    }
}

/// Files that wait for the host.
#[derive(Default)]
pub(crate) struct Exchange {
    waiting: Mutex<VecDeque<FileRequest>>,
}

impl Exchange {
    /// Adds one; false if too many wait.
    pub(crate) fn put(
        &self,
        asked: FileAsked,
        reply: oneshot::Sender<Result<Given, String>>,
    ) -> bool {
        let mut waiting = unpoisoned(self.waiting.lock());
        if waiting.len() >= WAITING_MAX {
            return false;
        }
        waiting.push_back(FileRequest { asked, reply });
        true
    }

    /// The one that has waited longest.
    pub(crate) fn take(&self) -> Option<FileRequest> {
        unpoisoned(self.waiting.lock()).pop_front()
    }
}
