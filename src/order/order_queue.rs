//! The queue in which orders wait for work, and the choice of the next one.
//!
//! Work is done in rounds. In each round the orders that have waited longest
//! get one turn each. Most turns go to orders that search, so that many orders
//! given at once have first directions early. The turns come one after the
//! other, for one quantum each.
//!
//! ```text
//!   searching  7 9 12 13 …  ─▶ up to 7    ┐  turns: 3 7 9 12 13 …, the longest
//!   loading    3 4 8 …      ─▶ at least 1 ┘  waiting first, a quantum each
//! ```
//!
//! Which order is next depends only on the work done so far. So a budget may
//! end anywhere, also within a quantum, and turns that are certain to get their
//! whole quantum may run at the same time.
//!
//! The results of turns that ran at the same time are recorded in the order of the
//! turns.

use std::collections::BTreeMap;

/// The number of turns in a round, and how many of them are reserved for orders
/// that load.
const TURNS: usize = 8;
const LOADING_TURNS: usize = 1;

/// The work of a turn in one round, in cells. It takes some microseconds,
/// enough to be worth a thread.
const QUANTUM: u64 = 2000;

/// What an order waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Its paths and first directions.
    Search,
    /// The integration of its sectors.
    Load,
}

/// An order's position in the queue. A lower number has waited longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    pub(super) number: u64,
    need: Need,
}

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
    /// The orders that wait, by need and ticket.
    waiting: [BTreeMap<u64, Waiting>; 2],
    next_ticket: u64,
    /// The index and the ticket of each turn. A turn is skipped if its order no
    /// longer holds the ticket.
    round: Vec<(u32, u64)>,
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
    pub(super) ticket: u64,
    pub(super) quantum: u64,
}

impl OrderQueue {
    /// Adds an order at the end of the queue.
    pub(super) fn join(&mut self, index: u32, need: Need) -> Ticket {
        let number = self.next_ticket;
        self.next_ticket += 1;
        let since = self.worked;
        self.waiting[need as usize].insert(number, Waiting { index, since });
        Ticket { number, need }
    }

    /// Changes what a waiting order waits for. It keeps its number.
    pub(super) fn turn_to(&mut self, ticket: Ticket, need: Need) -> Ticket {
        if ticket.need != need
            && let Some(waiting) = self.waiting[ticket.need as usize].remove(&ticket.number)
        {
            self.waiting[need as usize].insert(ticket.number, waiting);
        }
        Ticket { need, ..ticket }
    }

    /// Removes an order from the queue.
    pub(super) fn leave(&mut self, ticket: Option<Ticket>) {
        if let Some(ticket) = ticket {
            self.waiting[ticket.need as usize].remove(&ticket.number);
        }
    }

    /// Ends the round. The queue must be empty, and no index in use.
    pub(super) fn clear(&mut self) {
        self.round = Vec::new();
        self.at = 0;
        self.used = 0;
    }

    /// Returns how many orders wait to search, and how many to load.
    pub(super) fn lengths(&self) -> (usize, usize) {
        self.waiting.each_ref().map(BTreeMap::len).into()
    }

    /// Returns the work done since the order that has waited longest joined the
    /// queue.
    pub(super) fn age(&self) -> u64 {
        self.waiting
            .iter()
            .filter_map(BTreeMap::first_key_value)
            .min_by_key(|(ticket, _)| **ticket)
            .map_or(0, |(_, waiting)| self.worked - waiting.since)
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
        let (searching, loading) = self.lengths();
        let for_loading = loading.min(LOADING_TURNS.max(TURNS - searching.min(TURNS)));
        let for_searching = TURNS - for_loading;
        let [searching, loading] = &self.waiting;
        let searching = searching.iter().take(for_searching);
        let turns = searching.chain(loading.iter().take(for_loading));
        self.round.clear();
        self.round
            .extend(turns.map(|(&ticket, waiting)| (waiting.index, ticket)));
        self.round.sort_unstable_by_key(|&(_, ticket)| ticket);
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
    fn most_turns_are_for_those_that_search_and_some_for_tiles() {
        let mut queue = OrderQueue::default();
        for index in 0..20 {
            queue.join(
                index,
                if index % 2 == 0 {
                    Need::Load
                } else {
                    Need::Search
                },
            );
        }
        assert_eq!(turns(&mut queue, 8), [0, 1, 3, 5, 7, 9, 11, 13]);
        assert_eq!(
            turns(&mut queue, 8),
            [0, 1, 3, 5, 7, 9, 11, 13],
            "none is done"
        );
        assert_eq!(queue.lengths(), (10, 10));
    }

    #[test]
    fn turns_that_one_kind_does_not_need_are_the_others() {
        let mut queue = OrderQueue::default();
        for index in 0..20 {
            queue.join(index, Need::Load);
        }
        assert_eq!(turns(&mut queue, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        queue.join(20, Need::Search);
        assert_eq!(turns(&mut queue, 8), [0, 1, 2, 3, 4, 5, 6, 20]);
    }

    #[test]
    fn turn_goes_on_where_it_ended_and_age_counts_work_since() {
        let mut queue = OrderQueue::default();
        let old = queue.join(7, Need::Search);
        queue.work(QUANTUM, false);
        queue.join(8, Need::Search);
        let turn = queue.turn(|_, _| true).expect("two wait");
        assert_eq!((turn.index, turn.quantum), (7, QUANTUM));
        queue.work(300, false);
        let turn = queue.turn(|_, _| true).expect("two wait");
        assert_eq!((turn.index, turn.quantum), (7, QUANTUM - 300));
        assert_eq!(queue.age(), QUANTUM + 300);
        queue.leave(Some(old));
        let turn = queue.turn(|_, ticket| ticket != old.number);
        assert_eq!(turn.map(|turn| turn.index), Some(8));
        assert_eq!(queue.age(), 300);
    }
}
