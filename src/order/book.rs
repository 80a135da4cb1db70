//! The book: all orders of a world, from their first claim to their last.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use ahash::AHasher;

use super::claim::{ClaimWatch, DroppedClaims, Order, PlanKey};
use super::finished_searches::FinishedSearches;
use super::goal::Goal;
use super::order_queue::{OrderQueue, Ticket, Turn};
use super::plan::{Advance, Concern, Plan};
#[cfg(feature = "rayon")]
use crate::budget::TILE_WORK;

/// All orders of a world, and the queue in which they wait for work.
#[derive(Default)]
pub(crate) struct Book {
    /// The entries by index. An index is reused after its order was returned.
    entries: Vec<Option<PlanEntry>>,
    vacant: Vec<u32>,
    /// The plans of orders whose last claim is gone, the oldest first. They take no part in
    /// anything, and wait until they are freed.
    returned: VecDeque<(PlanKey, PlanEntry)>,
    queue: OrderQueue,
    next_number: u64,
    dropped: DroppedClaims,
    /// The orders with each goal, also those that were returned; never iterated.
    by_goal: OrdersByGoal,
    finished_searches: FinishedSearches,
}

/// The orders with each goal, the oldest first. Hashed with the same keys in every
/// run.
type OrdersByGoal = HashMap<Goal, BTreeSet<PlanKey>, BuildHasherDefault<AHasher>>;

/// The most by which a piece of work exceeds the quantum in which it begins.
#[cfg(feature = "rayon")]
const PIECE_MAX: u64 = TILE_WORK - 1;

struct PlanEntry {
    number: u64,
    watch: ClaimWatch,
    /// Shared by the forks of a world until one of them changes it.
    plan: Arc<Plan>,
    /// Held while the plan waits in the queue.
    ticket: Option<Ticket>,
    /// Held while its search is finished and has not been forgotten.
    finished: Option<u64>,
}

impl PlanEntry {
    /// Returns the plan, to change. If forks share it, it is copied first.
    fn plan_mut(&mut self) -> &mut Plan {
        Arc::make_mut(&mut self.plan)
    }
}

impl Book {
    /// Returns a copy of the book, with a claim on each order that is claimed, by number.
    /// The other orders are freed where they are freed here.
    pub(crate) fn fork(&self) -> (Self, Vec<Order>) {
        let dropped = DroppedClaims::default();
        let mut orders = Vec::new();
        let copy = |(index, entry): (u32, &Option<PlanEntry>)| {
            let entry = entry.as_ref()?;
            let (number, plan) = (entry.number, Arc::clone(&entry.plan));
            let key = PlanKey { index, number };
            let order = Order::new(key, plan.last_asked().0.clone(), &dropped);
            let watch = order.watch();
            if entry.watch.is_claimed() {
                orders.push(order);
            }
            Some(PlanEntry {
                number,
                watch,
                plan,
                ticket: entry.ticket,
                finished: entry.finished,
            })
        };
        let entries = (0..).zip(&self.entries).map(copy).collect();
        orders.sort_unstable_by_key(Order::number);
        let book = Self {
            entries,
            vacant: self.vacant.clone(),
            returned: VecDeque::new(),
            queue: self.queue.clone(),
            next_number: self.next_number,
            by_goal: self.by_goal.clone(),
            finished_searches: self.finished_searches.clone(),
            dropped,
        };
        (book, orders)
    }

    /// Enters a plan, and adds it to the queue if it has work.
    pub(crate) fn enter(&mut self, plan: Plan) -> Order {
        let number = self.next_number;
        self.next_number += 1;
        self.enter_numbered(plan, number)
    }

    /// Enters a plan under a number that no order has had.
    pub(super) fn enter_numbered(&mut self, plan: Plan, number: u64) -> Order {
        let vacant = self.vacant.pop();
        let has_work = !plan.is_done();
        let index = vacant.unwrap_or(self.entries.len() as u32);
        let order = Order::new(
            PlanKey { index, number },
            plan.last_asked().0.clone(),
            &self.dropped,
        );
        self.note_goal(plan.goal(), order.key());
        let entry = Some(PlanEntry {
            number,
            watch: order.watch(),
            plan: Arc::new(plan),
            ticket: None,
            finished: None,
        });
        match vacant {
            Some(index) => self.entries[index as usize] = entry,
            None => self.entries.push(entry),
        }
        if has_work {
            self.line_up(index);
        }
        order
    }

    /// Returns another claim on the oldest living order with this goal, unless
    /// another goal is about to replace it.
    pub(crate) fn sharing(&self, goal: &Goal) -> Option<Order> {
        let orders = self.by_goal.get(goal)?;
        for key in orders {
            let entry = self.entries.get(key.index as usize);
            let entry = entry.and_then(Option::as_ref);
            let Some(entry) = entry.filter(|entry| entry.number == key.number) else {
                continue;
            };
            let keeps_it = entry.plan.goals().all(|other| other == goal);
            if let Some(order) = entry.watch.claim(goal).filter(|_| keeps_it) {
                return Some(order);
            }
        }
        None
    }

    /// Records that an order gets another goal. Returns its index.
    pub(crate) fn reaim(&mut self, order: &Order, goal: &Goal) -> u32 {
        let (index, plan) = self.plan_mut(order);
        let before: Vec<Goal> = plan.goals().cloned().collect();
        self.forget_goals(&before, order.key());
        self.note_goal(goal, order.key());
        index
    }

    fn note_goal(&mut self, goal: &Goal, key: PlanKey) {
        self.by_goal.entry(goal.clone()).or_default().insert(key);
    }

    fn forget_goals(&mut self, goals: &[Goal], key: PlanKey) {
        for goal in goals {
            if let Some(orders) = self.by_goal.get_mut(goal) {
                orders.remove(&key);
                if orders.is_empty() {
                    self.by_goal.remove(goal);
                }
            }
        }
    }

    /// Whether numbers are left for some more orders.
    pub(crate) const fn has_numbers(&self, more: usize) -> bool {
        u64::MAX - self.next_number >= more as u64
    }

    pub(super) const fn next_number(&self) -> u64 {
        self.next_number
    }

    /// Sets the number of the next order, which must be higher than all before.
    pub(super) const fn go_on_at(&mut self, next_number: u64) {
        self.next_number = next_number;
    }

    /// Returns the claimed orders with their plans, by number.
    pub(super) fn living(&self) -> Vec<(u64, &Plan)> {
        let mut living: Vec<_> = self
            .entries
            .iter()
            .flatten()
            .filter(|entry| entry.watch.is_claimed())
            .map(|entry| (entry.number, &*entry.plan))
            .collect();
        living.sort_unstable_by_key(|&(number, _)| number);
        living
    }

    /// Returns another claim on a living order.
    pub(crate) fn order_with_number(&self, number: u64) -> Option<Order> {
        let mut entries = self.entries.iter().flatten();
        let entry = entries.find(|entry| entry.number == number)?;
        entry.watch.claim(entry.plan.last_asked().0)
    }

    /// Returns the plan behind an order.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub(crate) fn plan(&self, order: &Order) -> &Plan {
        let key = self.key(order);
        match &self.entries[key.index as usize] {
            Some(entry) if entry.number == key.number => &entry.plan,
            _ => unreachable!("a claimed order is never freed"),
        }
    }

    /// Returns the plan behind an order, to change, and its index in the book.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub(crate) fn plan_mut(&mut self, order: &Order) -> (u32, &mut Plan) {
        let key = self.key(order);
        match &mut self.entries[key.index as usize] {
            Some(entry) if entry.number == key.number => (key.index, entry.plan_mut()),
            _ => unreachable!("a claimed order is never freed"),
        }
    }

    #[track_caller]
    fn key(&self, order: &Order) -> PlanKey {
        assert!(
            order.belongs_to(&self.dropped),
            "order {number} was given by another world: ask that world, or take the order of \
             this number here with `order_with_number({number})`",
            number = order.number()
        );
        order.key()
    }

    /// Returns the number of orders: the living ones, and those whose last claim is gone but
    /// which have not been [returned](Self::take_returned) yet.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.vacant.len()
    }

    /// Takes the orders whose last claim is gone out of the book and its queue. Nothing
    /// depends any more on when their memory is freed.
    pub(crate) fn take_returned(&mut self) {
        let mut keys = self.dropped.take();
        if keys.is_empty() {
            return;
        }
        // Threads drop claims in any order, which must not affect the book.
        keys.sort_unstable_by_key(|key| key.number);
        for key in keys {
            if let Some(entry) = self.entries[key.index as usize].take() {
                self.queue.leave(entry.ticket);
                self.finished_searches.remove(entry.finished);
                self.returned.push_back((key, entry));
            }
            self.vacant.push(key.index);
        }
        if self.vacant.len() == self.entries.len() {
            self.entries = Vec::new();
            self.vacant = Vec::new();
            self.queue.clear();
        }
    }

    /// Frees up to `most` of the orders that were returned. Passes their plans to `retire`.
    pub(crate) fn free_returned(&mut self, most: u64, mut retire: impl FnMut(Plan)) {
        for _ in 0..most {
            let Some((key, entry)) = self.returned.pop_front() else {
                break;
            };
            let goals: Vec<Goal> = entry.plan.goals().cloned().collect();
            self.forget_goals(&goals, key);
            if let Some(plan) = Arc::into_inner(entry.plan) {
                retire(plan);
            }
        }
        if self.returned.is_empty() && self.entries.is_empty() {
            // The last order is gone: free all memory.
            self.returned = VecDeque::new();
            self.by_goal = OrdersByGoal::default();
        }
    }

    /// Adds a plan that has work at the end of the queue. A plan that is
    /// already in the queue keeps its position.
    pub(crate) fn line_up(&mut self, index: u32) {
        let Some(entry) = &mut self.entries[index as usize] else {
            return;
        };
        let queue = &mut self.queue;
        entry.ticket.get_or_insert_with(|| queue.join(index));
        if !entry.plan.has_searched() {
            self.finished_searches.remove(entry.finished.take());
        }
    }

    /// Moves a plan that has work to the end of the queue, also if it is
    /// already in the queue.
    pub(crate) fn move_to_end(&mut self, index: u32) {
        if let Some(entry) = &mut self.entries[index as usize] {
            self.queue.leave(entry.ticket.take());
        }
        self.line_up(index);
    }

    /// Returns the number of the round in which plans work now. It is a new one if
    /// the former has ended.
    pub(crate) fn round(&mut self) -> u64 {
        self.turn();
        self.queue.rounds()
    }

    /// Returns the current turn of the queue, if any plan waits.
    fn turn(&mut self) -> Option<Turn> {
        let entries = &self.entries;
        self.queue
            .turn(|index, ticket| has_ticket(entries, index, ticket))
    }

    /// Returns the plan that works next, and the limit of its work.
    pub(crate) fn first(&mut self) -> Option<(u64, &mut Plan)> {
        let turn = self.turn()?;
        let entry = self.entries[turn.index as usize].as_mut()?;
        Some((turn.quantum, entry.plan_mut()))
    }

    /// Returns the next plans that are certain to get their whole quantum out
    /// of a budget of `cells`, however much the plans before them use; with
    /// their quanta.
    #[cfg(feature = "rayon")]
    pub(crate) fn sure_turns(&mut self, cells: u64) -> Vec<(u64, &mut Plan)> {
        let Some(first) = self.turn() else {
            return Vec::new();
        };
        let mut left = cells;
        let mut sure = Vec::new();
        for turn in std::iter::once(first).chain(self.queue.turns_to_come()) {
            if self.entries[turn.index as usize].as_ref().is_none()
                || !has_ticket(&self.entries, turn.index, turn.ticket)
            {
                continue;
            }
            if left < turn.quantum {
                break;
            }
            sure.push(turn);
            left = left.saturating_sub(turn.quantum + PIECE_MAX);
        }
        let mut by_index: Vec<(usize, Turn)> = sure.into_iter().enumerate().collect();
        by_index.sort_unstable_by_key(|(_, turn)| turn.index);
        let (mut rest, mut passed) = (self.entries.iter_mut(), 0);
        let mut plans = Vec::new();
        for (number, turn) in by_index {
            let entry = rest.nth(turn.index as usize - passed);
            passed = turn.index as usize + 1;
            if let Some(Some(entry)) = entry {
                plans.push((number, turn.quantum, entry.plan_mut()));
            }
        }
        plans.sort_unstable_by_key(|&(number, ..)| number);
        let plans = plans.into_iter();
        plans.map(|(_, quantum, plan)| (quantum, plan)).collect()
    }

    /// Counts the work of the plan that [`first`](Self::first) returned. `end`
    /// is how far the plan has come.
    ///
    /// A finished search keeps what it found, for units that come later. If
    /// finished searches hold too much, `forget` is called for the oldest.
    pub(crate) fn note_work(
        &mut self,
        cells: u64,
        end: Advance,
        mut forget: impl FnMut(&mut Plan),
    ) {
        let Some(Turn { index, .. }) = self.turn() else {
            return;
        };
        self.queue.work(cells, end != Advance::More);
        match end {
            Advance::More => self.line_up(index),
            Advance::Again => self.move_to_end(index),
            Advance::Done => {}
        }
        if let Some(entry) = &mut self.entries[index as usize] {
            if end == Advance::Done {
                self.queue.leave(entry.ticket.take());
            }
            if entry.plan.has_searched() {
                self.finished_searches.remove(entry.finished.take());
                let weight = entry.plan.search().weight();
                entry.finished = Some(self.finished_searches.add(index, weight));
            }
        }
        while let Some(index) = self.finished_searches.take_surplus() {
            if let Some(entry) = &mut self.entries[index as usize] {
                entry.finished = None;
                forget(entry.plan_mut());
            }
        }
    }

    /// Returns the number of plans with work left.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Returns the work done since the plan that has waited longest joined the
    /// queue.
    pub(crate) fn age(&self) -> u64 {
        self.queue.age()
    }

    /// Reports a change of the map to those plans that it `concerns`. The plans for which
    /// `invalidate` finds work join the queue, the oldest first. Returns their number.
    pub(crate) fn on_change(
        &mut self,
        concerns: impl Fn(&Plan) -> bool,
        mut invalidate: impl FnMut(&mut Plan) -> Concern,
    ) -> usize {
        let mut concerned: Vec<(u64, u32, Concern)> = Vec::new();
        for (index, entry) in (0_u32..).zip(&mut self.entries) {
            if let Some(entry) = entry.as_mut().filter(|entry| concerns(&entry.plan)) {
                match invalidate(entry.plan_mut()) {
                    Concern::None => {}
                    concern => concerned.push((entry.number, index, concern)),
                }
            }
        }
        concerned.sort_unstable_by_key(|&(number, ..)| number);
        for &(_, index, concern) in &concerned {
            match concern {
                Concern::Restart => self.move_to_end(index),
                Concern::None | Concern::Later => self.line_up(index),
            }
        }
        concerned.len()
    }

    pub(crate) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.entries.iter().flatten().map(|entry| &*entry.plan)
    }

    /// The bytes of all plans, also of those that wait to be freed.
    pub(crate) fn bytes(&self) -> usize {
        let returned = self.returned.iter().map(|(_, entry)| &*entry.plan);
        self.plans().chain(returned).map(Plan::bytes).sum()
    }
}

fn has_ticket(entries: &[Option<PlanEntry>], index: u32, ticket: Ticket) -> bool {
    let entry = entries.get(index as usize).and_then(Option::as_ref);
    let held = entry.and_then(|entry| entry.ticket);
    held == Some(ticket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::CostMap;
    use crate::grid::Cell;
    use crate::map::MapBuild;
    use crate::order::{Goal, PlanScratch, Reach};

    #[test]
    fn entry_that_lines_up_repeatedly_waits_once_and_last() {
        let costs = CostMap::open(30, 30).unwrap();
        let map = MapBuild::new(costs).finish();
        let mut scratch = PlanScratch::new(map.costs.extent());
        let mut book = Book::default();
        let goal = Goal::at(Cell::new(25, 25));
        let orders = [(); 3].map(|()| {
            let reach = Reach::new(&map, &goal, &[]);
            book.enter(Plan::new(&map, &mut scratch, goal.clone(), reach, &[]))
        });
        for round in 0..1000 {
            book.move_to_end(round % 3);
            assert_eq!(book.waiting(), 3);
        }
        // The last round moved index 0 to the end, so index 1 has waited
        // longest.
        assert_eq!(book.turn().map(|turn| turn.index), Some(1));
        assert_eq!(book.order_with_number(2).as_ref(), Some(&orders[2]));
    }
}
