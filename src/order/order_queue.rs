//! The queue in which orders wait for work, and the choice of the next one.
//!
//! Work is done in rounds. In each round the orders that have waited longest get one
//! turn each, for one quantum. So of many orders given at once some are ready early,
//! and a large one does not hold up all others:
//!
//! ```text
//!   waiting  3 4 7 8 9 12 13 15 16 …   ─▶   turns  3 4 7 8 9 12 13 15
//! ```
//!
//! Which order is next depends only on the work done so far. So a budget may
//! end anywhere, also within a quantum, and turns that are certain to get their
//! whole quantum may run at the same time.
//!
//! The results of turns that ran at the same time are recorded in the order of the
//! turns.

use std::collections::BTreeMap;

/// The number of turns in a round.
const TURNS: usize = 8;

/// The work of a turn in one round, in cells. It takes some microseconds,
/// enough to be worth a thread.
const QUANTUM: u64 = 2000;

/// An order's position in the queue. A lower one has waited longer.
pub(super) type Ticket = u64;

/// An order in the queue.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    index: u32,
    /// The value of `OrderQueue::worked` when it joined the queue.
    since: u64,
}

/// The queue, and the current round.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderQueue {
    waiting: BTreeMap<Ticket, Waiting>,
    next_ticket: Ticket,
    /// The index and the ticket of each turn. A turn is skipped if its order no
    /// longer holds the ticket.
    round: Vec<(u32, Ticket)>,
    /// The current turn, and the work done in its quantum.
    at: usize,
    used: u64,
    rounds: u64,
    /// All work ever done, in cells.
    worked: u64,
}

/// An order that may work, and for how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) index: u32,
    pub(super) ticket: Ticket,
    pub(super) quantum: u64,
}

impl OrderQueue {
    /// Adds an order at the end of the queue.
    pub(super) fn join(&mut self, index: u32) -> Ticket {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let since = self.worked;
        self.waiting.insert(ticket, Waiting { index, since });
        ticket
    }

    /// Removes an order from the queue.
    pub(super) fn leave(&mut self, ticket: Option<Ticket>) {
        if let Some(ticket) = ticket {
            self.waiting.remove(&ticket);
        }
    }

    /// Ends the round. The queue must be empty, and no index in use.
    pub(super) fn clear(&mut self) {
        self.round = Vec::new();
        self.at = 0;
        self.used = 0;
    }

    /// Returns the number of orders that wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Returns the work done since the order that has waited longest joined the
    /// queue.
    pub(super) fn age(&self) -> u64 {
        let oldest = self.waiting.first_key_value();
        oldest.map_or(0, |(_, waiting)| self.worked - waiting.since)
    }

    /// Returns the current turn. Skips turns whose order no longer holds its
    /// ticket, as `holds` reports. At the end of a round the next one begins.
    pub(super) fn turn(&mut self, has_ticket: impl Fn(u32, u64) -> bool) -> Option<Turn> {
        loop {
            while let Some(&(index, ticket)) = self.round.get(self.at) {
                if has_ticket(index, ticket) {
                    let quantum = QUANTUM - self.used;
                    return Some(Turn {
                        index,
                        ticket,
                        quantum,
                    });
                }
                self.pass();
            }
            self.begin_round();
            if self.round.is_empty() {
                return None;
            }
        }
    }

    /// Returns the turns that follow the current one in this round.
    #[cfg(feature = "rayon")]
    pub(super) fn turns_to_come(&self) -> impl Iterator<Item = Turn> {
        self.round
            .iter()
            .skip(self.at + 1)
            .map(|&(index, ticket)| Turn {
                index,
                ticket,
                quantum: QUANTUM,
            })
    }

    pub(super) const fn rounds(&self) -> u64 {
        self.rounds
    }

    fn begin_round(&mut self) {
        self.rounds += 1;
        let turns = self.waiting.iter().take(TURNS);
        self.round.clear();
        self.round
            .extend(turns.map(|(&ticket, waiting)| (waiting.index, ticket)));
        self.at = 0;
        self.used = 0;
    }

    /// Counts work done in the current turn. Passes to the next turn if the
    /// quantum is used up, or if the order is `done` with its turn.
    pub(super) fn work(&mut self, cells: u64, done: bool) {
        self.used += cells;
        self.worked += cells;
        if done || self.used >= QUANTUM {
            self.pass();
        }
    }

    const fn pass(&mut self) {
        self.at += 1;
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the indices that get one of the next turns, if each quantum is
    /// used up.
    fn turns(queue: &mut OrderQueue, count: usize) -> Vec<u32> {
        (0..count)
            .map(|_| {
                let turn = queue.turn(|_, _| true).expect("an order waits");
                queue.work(turn.quantum, false);
                turn.index
            })
            .collect()
    }

    #[test]
    fn those_that_have_waited_longest_get_a_turn_each() {
        let mut queue = OrderQueue::default();
        let tickets: Vec<Ticket> = (0..20).map(|index| queue.join(index)).collect();
        assert_eq!(turns(&mut queue, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(turns(&mut queue, 4), [0, 1, 2, 3], "none is done");
        queue.leave(Some(tickets[1]));
        queue.join(1);
        assert_eq!(turns(&mut queue, 4), [4, 5, 6, 7], "the round goes on");
        assert_eq!(turns(&mut queue, 8), [0, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(queue.len(), 20);
    }

    #[test]
    fn turn_resumes_and_age_counts_the_work_since() {
        let mut queue = OrderQueue::default();
        let old = queue.join(7);
        queue.work(QUANTUM, false);
        queue.join(8);
        let turn = queue.turn(|_, _| true).expect("two wait");
        assert_eq!((turn.index, turn.quantum), (7, QUANTUM));
        queue.work(300, false);
        let turn = queue.turn(|_, _| true).expect("two wait");
        assert_eq!((turn.index, turn.quantum), (7, QUANTUM - 300));
        assert_eq!(queue.age(), QUANTUM + 300);
        queue.leave(Some(old));
        let turn = queue.turn(|_, ticket| ticket != old);
        assert_eq!(turn.map(|turn| turn.index), Some(8));
        assert_eq!(queue.age(), 300);
    }
}
