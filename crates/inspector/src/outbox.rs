//! The messages that wait for one page: bounded, with only the newest of each
//! slot.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use crate::overlay::BlockKey;

/// The most bytes that may wait for a page that reads slowly.
const BYTES_MAX: usize = 24 << 20;
/// The most notes that may wait; the oldest are dropped.
const NOTES_MAX: usize = 32;

/// A place in the outbox: a newer message replaces an older one in the same
/// slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    /// The stages and their sizes.
    Hello,
    /// The state of the host.
    Status,
    /// The list of scenes.
    Catalogue,
    /// The facts about the cell under the pointer.
    Cell,
    /// The explanation of a cell's direction.
    Why,
    /// The orders of a stage.
    Orders(u8),
    /// The portals of the chosen order's route.
    Route(u8),
    /// The paths that are drawn.
    Paths(u8),
    /// The links of a stage.
    Links(u8),
    /// The figures of a stage.
    Figures(u8),
    /// The life of an order.
    Life,
    /// The units of a stage.
    Units(u8),
    /// The places where units of a stage will stop.
    Ghosts(u8),
    /// A block.
    Block(BlockKey),
}

/// The waiting messages.
#[derive(Default)]
pub(crate) struct Outbox {
    slots: BTreeMap<Slot, Vec<u8>>,
    notes: VecDeque<Vec<u8>>,
    bytes: usize,
    /// The slot sent last; all others come before it in the next round.
    last: Option<Slot>,
}

impl Outbox {
    /// Puts a message into its slot; returns false if the page reads too slowly
    /// and there is no room. Small messages that come again and again are
    /// always accepted.
    pub(crate) fn put(&mut self, slot: Slot, message: Vec<u8>) -> bool {
        let is_block = matches!(slot, Slot::Block(_));
        if is_block && self.bytes + message.len() > BYTES_MAX {
            return false;
        }
        self.bytes += message.len();
        if let Some(replaced) = self.slots.insert(slot, message) {
            self.bytes -= replaced.len();
        }
        true
    }

    /// Adds a note; the oldest is dropped if there are too many.
    pub(crate) fn note(&mut self, message: Vec<u8>) {
        if self.notes.len() == NOTES_MAX {
            self.notes.pop_front();
        }
        self.notes.push_back(message);
    }

    /// Drops the waiting blocks and notes of the former world.
    pub(crate) fn begin(&mut self, hello: Vec<u8>) {
        self.slots.retain(|slot, _| !matches!(slot, Slot::Block(_)));
        self.notes.clear();
        self.bytes = self.slots.values().map(Vec::len).sum();
        self.put(Slot::Hello, hello);
        self.last = None;
    }

    /// Drops blocks that are no longer in view.
    pub(crate) fn keep_blocks(&mut self, wanted: impl Fn(BlockKey) -> bool) -> Vec<BlockKey> {
        let mut gone = Vec::new();
        self.slots.retain(|slot, message| match slot {
            Slot::Block(key) if !wanted(*key) => {
                self.bytes -= message.len();
                gone.push(*key);
                false
            }
            _ => true,
        });
        gone
    }

    /// Removes and returns the next message to send.
    pub(crate) fn take(&mut self) -> Option<Vec<u8>> {
        // Messages about a world follow its hello.
        if let Some(hello) = self.slots.remove(&Slot::Hello) {
            self.bytes -= hello.len();
            return Some(hello);
        }
        if let Some(note) = self.notes.pop_front() {
            return Some(note);
        }
        let next = match self.last {
            Some(last) => self
                .slots
                .range((Bound::Excluded(last), Bound::Unbounded))
                .next(),
            None => None,
        };
        let slot = *next.or_else(|| self.slots.iter().next())?.0;
        self.last = Some(slot);
        let message = self.slots.remove(&slot)?;
        self.bytes -= message.len();
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::LayerId;

    use super::*;
    use crate::overlay::Overlay;

    const fn block(column: u16) -> Slot {
        Slot::Block(BlockKey {
            stage: 0,
            on: LayerId::GROUND,
            layer: Overlay::Ground,
            level: 0,
            column,
            row: 0,
        })
    }

    #[test]
    fn newest_of_each_slot_is_sent_and_all_have_a_turn() {
        let mut outbox = Outbox::default();
        outbox.put(block(1), vec![1]);
        outbox.put(block(2), vec![2]);
        let mut sent = Vec::new();
        for picture in 0..4 {
            outbox.put(Slot::Units(0), vec![100 + picture - 1]);
            outbox.put(Slot::Units(0), vec![100 + picture]);
            sent.extend(outbox.take());
        }
        assert_eq!(sent, [vec![100], vec![1], vec![2], vec![103]]);
        assert_eq!(outbox.take(), None);
        assert_eq!(outbox.bytes, 0);
    }

    #[test]
    fn notes_follow_the_hello_of_their_own_world_only() {
        let mut outbox = Outbox::default();
        outbox.note(vec![1]);
        outbox.begin(vec![2]);
        outbox.note(vec![3]);
        let sent: Vec<Vec<u8>> = std::iter::from_fn(|| outbox.take()).collect();
        assert_eq!(sent, [[2], [3]]);
        assert_eq!(outbox.bytes, 0);
    }

    #[test]
    fn page_that_never_reads_costs_no_more_than_the_limit() {
        let mut outbox = Outbox::default();
        let mut taken = 0;
        for column in 0..200 {
            taken += usize::from(outbox.put(block(column), vec![0; 1 << 18]));
            outbox.put(Slot::Units(0), vec![0; 1 << 16]);
            outbox.note(vec![9]);
        }
        assert!(taken * (1 << 18) <= BYTES_MAX);
        assert!(outbox.bytes <= BYTES_MAX + (1 << 16));
        assert_eq!(outbox.notes.len(), NOTES_MAX);
        let gone = outbox.keep_blocks(|key| key.column < 3);
        assert_eq!(gone.len(), taken - 3);
        while outbox.take().is_some() {}
        assert_eq!(outbox.bytes, 0);
    }
}
