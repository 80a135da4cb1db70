//! The files that wait for the host.

use std::collections::VecDeque;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::files::{FileAsked, Given};

/// The most files that may wait for the host.
const WAITING_MAX: usize = 4;

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
        let mut waiting = self.waiting.lock();
        if waiting.len() >= WAITING_MAX {
            return false;
        }
        waiting.push_back(FileRequest { asked, reply });
        true
    }

    /// Removes and returns the request that has waited longest.
    pub(crate) fn take(&self) -> Option<FileRequest> {
        self.waiting.lock().pop_front()
    }
}
