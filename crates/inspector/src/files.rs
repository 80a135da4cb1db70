//! Files between pages and the host: dropped on a page, or saved from it.

use std::collections::VecDeque;
use std::sync::Mutex;

use tokio::sync::oneshot;

use crate::hub::unpoisoned;

/// The most files that may wait for the host.
const WAITING_MAX: usize = 4;

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

/// A page's request, and the channel for the answer.
pub struct FileRequest {
    /// The request.
    pub asked: FileAsked,
    reply: oneshot::Sender<Result<Given, String>>,
}

impl FileRequest {
    /// Answers the request; with an error text if it failed.
    pub fn answer(self, answer: Result<Given, String>) {
        // The page may be gone.
        let _ = self.reply.send(answer);
    }
}

/// The requests that wait for the host.
#[derive(Default)]
pub(crate) struct Exchange {
    waiting: Mutex<VecDeque<FileRequest>>,
}

impl Exchange {
    /// Adds a request; returns false if too many wait.
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

    /// Removes and returns the request that has waited longest.
    pub(crate) fn take(&self) -> Option<FileRequest> {
        unpoisoned(self.waiting.lock()).pop_front()
    }
}
