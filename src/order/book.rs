//! The book: all orders of a world, from their first claim to their last.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use ahash::AHasher;

use super::claim::{ClaimWatch, DroppedClaims, Order, PlanKey};
use super::finished_searches::FinishedSearches;
use super::goal::Goal;
use super::order_queue::{OrderQueue, Ticket, Turn};
use super::plan::{Place, Plan};
use super::reach::Reach;
use super::scratch::PlanScratch;
#[cfg(feature = "rayon")]
use crate::budget::TILE_WORK;
use crate::budget::Work;
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::map::{Change, Layers, Map};
#[cfg(feature = "rayon")]
use crate::threads;

/// All orders of a world, and the queue in which they wait for work.
#[derive(Default)]
pub(crate) struct Book {
    /// The entries by index. An index is reused after its order was returned.
    entries: Vec<Option<PlanEntry>>,
    vacant: Vec<u32>,
    /// The plans of orders whose last claim is gone, the oldest first. They take no part in
    /// anything, and wait until they are freed.
    returned: VecDeque<PlanEntry>,
    queue: OrderQueue,
    next_number: u64,
    dropped: DroppedClaims,
    /// The orders with each goal, also those that were returned; never iterated.
    by_goal: OrdersByGoal,
    finished_searches: FinishedSearches,
    /// Memory that plans work in.
    pub(super) scratch: PlanScratch,
    /// The same for plans that are worked on at the same time.
    #[cfg(feature = "rayon")]
    turn_scratch: Vec<PlanScratch>,
}

/// The orders with each goal, the oldest first. Hashed with the same keys in every
/// run.
type OrdersByGoal = HashMap<Goal, BTreeSet<PlanKey>, BuildHasherDefault<AHasher>>;

/// The most by which a piece of work exceeds the quantum in which it begins.
#[cfg(feature = "rayon")]
const PIECE_MAX: u64 = TILE_WORK - 1;

struct PlanEntry {
    key: PlanKey,
    watch: ClaimWatch,
    /// Shared by the forks of a world until one of them changes it.
    plan: Arc<Plan>,
    /// Held while the plan waits in the queue.
    ticket: Option<Ticket>,
    /// Held while its search is finished and has not been forgotten.
    finished: Option<u64>,
}

impl PlanEntry {
    /// Returns the entry of a plan, and the first claim on it.
    fn new(key: PlanKey, plan: Arc<Plan>, dropped: &DroppedClaims) -> (Order, Self) {
        let order = Order::new(key, plan.last_asked().0.clone(), dropped);
        let entry = Self {
            key,
            watch: order.watch(),
            plan,
            ticket: None,
            finished: None,
        };
        (order, entry)
    }

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
        let copy = |entry: &Option<PlanEntry>| {
            let former = entry.as_ref()?;
            let (order, entry) = PlanEntry::new(former.key, Arc::clone(&former.plan), &dropped);
            if former.watch.is_claimed() {
                orders.push(order);
            }
            Some(PlanEntry {
                ticket: former.ticket,
                finished: former.finished,
                ..entry
            })
        };
        let entries = self.entries.iter().map(copy).collect();
        orders.sort_unstable_by_key(Order::number);
        let book = Self {
            entries,
            vacant: self.vacant.clone(),
            queue: self.queue.clone(),
            next_number: self.next_number,
            by_goal: self.by_goal.clone(),
            finished_searches: self.finished_searches.clone(),
            dropped,
            ..Self::default()
        };
        (book, orders)
    }

    /// Gives an order that was accepted.
    pub(crate) fn give(&mut self, map: &Map, goal: Goal, reach: Reach, units: &[Cell]) -> Order {
        let plan = Plan::new(map, &mut self.scratch, goal, reach, units);
        self.enter(plan)
    }

    /// Enters a plan, and adds it to the queue if it has work.
    fn enter(&mut self, plan: Plan) -> Order {
        let number = self.next_number;
        self.next_number += 1;
        self.enter_numbered(plan, number)
    }

    /// Enters a plan under a number that no order has had.
    pub(super) fn enter_numbered(&mut self, plan: Plan, number: u64) -> Order {
        let vacant = self.vacant.pop();
        let has_work = !plan.is_done();
        let index = vacant.unwrap_or(self.entries.len() as u32);
        let key = PlanKey { index, number };
        self.note_goal(plan.goal(), key);
        let (order, entry) = PlanEntry::new(key, Arc::new(plan), &self.dropped);
        match vacant {
            Some(index) => self.entries[index as usize] = Some(entry),
            None => self.entries.push(Some(entry)),
        }
        if has_work {
            self.line_up(index);
        }
        order
    }

    /// Returns another claim on the oldest living order with this goal, unless
    /// another goal is about to replace it.
    pub(crate) fn sharing(&self, goal: &Goal) -> Option<Order> {
        let keys = self.by_goal.get(goal)?.iter();
        keys.filter_map(|&key| self.entry(key))
            .filter(|entry| entry.plan.goals().all(|other| other == goal))
            .find_map(|entry| entry.watch.claim(goal))
    }

    /// Lets an order serve more units.
    #[track_caller]
    pub(crate) fn join(&mut self, order: &Order, map: &Map, units: &[Cell]) {
        let (plan, scratch) = self.plan_mut(order);
        if plan.join(map, scratch, units) {
            self.line_up(order.key().index);
        }
    }

    /// Lets an order serve a unit off its field.
    #[track_caller]
    pub(crate) fn cover(&mut self, order: &Order, map: &Map, unit: Cell) {
        let (plan, scratch) = self.plan_mut(order);
        if plan.cover(map, scratch, unit) {
            self.line_up(order.key().index);
        }
    }

    /// Gives an order another goal and other units. If it has other claims, this one becomes
    /// one on a new order with the old directions.
    pub(crate) fn aim(
        &mut self,
        order: &mut Order,
        map: &Map,
        goal: Goal,
        reach: Reach,
        units: &[Cell],
    ) {
        if order.is_shared() {
            let plan = Plan::new(map, &mut self.scratch, goal, reach, units);
            let plan = plan.in_place_of(self.plan(order));
            *order = self.enter(plan);
            return;
        }
        order.set_goal(goal.clone());
        let before: Vec<Goal> = self.plan(order).goals().cloned().collect();
        self.forget_goals(&before, order.key());
        self.note_goal(&goal, order.key());
        let (plan, scratch) = self.plan_mut(order);
        plan.aim(map, scratch, goal, reach, units);
        self.line_up(order.key().index);
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
            .map(|entry| (entry.key.number, &*entry.plan))
            .collect();
        living.sort_unstable_by_key(|&(number, _)| number);
        living
    }

    fn entry(&self, key: PlanKey) -> Option<&PlanEntry> {
        let entry = self.entries.get(key.index as usize)?.as_ref();
        entry.filter(|entry| entry.key == key)
    }

    /// Returns another claim on a living order.
    pub(crate) fn order_with_number(&self, number: u64) -> Option<Order> {
        let mut entries = self.entries.iter().flatten();
        let entry = entries.find(|entry| entry.key.number == number)?;
        entry.watch.claim(entry.plan.last_asked().0)
    }

    /// Returns the plan behind an order.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub(crate) fn plan(&self, order: &Order) -> &Plan {
        match self.entry(self.key(order)) {
            Some(entry) => &entry.plan,
            None => unreachable!("a claimed order is never freed"),
        }
    }

    /// Returns the plan behind an order, to change, and the memory to work in.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    fn plan_mut(&mut self, order: &Order) -> (&mut Plan, &mut PlanScratch) {
        let key = self.key(order);
        match &mut self.entries[key.index as usize] {
            Some(entry) if entry.key == key => (entry.plan_mut(), &mut self.scratch),
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
                self.returned.push_back(entry);
            }
            self.vacant.push(key.index);
        }
        if self.vacant.len() == self.entries.len() {
            self.entries = Vec::new();
            self.vacant = Vec::new();
            self.queue.clear();
        }
    }

    /// Frees up to `most` of the orders that were returned.
    pub(crate) fn free_returned(&mut self, most: u64) {
        for _ in 0..most {
            let Some(entry) = self.returned.pop_front() else {
                break;
            };
            let goals: Vec<Goal> = entry.plan.goals().cloned().collect();
            self.forget_goals(&goals, entry.key);
            if let Some(plan) = Arc::into_inner(entry.plan) {
                plan.retire(&mut self.scratch);
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
    fn line_up(&mut self, index: u32) {
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
    fn move_to_end(&mut self, index: u32) {
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

    /// Returns the plan that works next.
    pub(crate) fn first(&mut self) -> Option<&Plan> {
        let turn = self.turn()?;
        let entry = self.entries[turn.index as usize].as_ref();
        entry.map(|entry| &*entry.plan)
    }

    /// Works on the [first](Self::first) plan, on the map of its layer.
    pub(crate) fn work_on_first(&mut self, layers: &Layers, work: &mut Work) {
        let Some(Turn { index, quantum, .. }) = self.turn() else {
            return;
        };
        if let Some(entry) = &mut self.entries[index as usize] {
            let (plan, quantum) = (entry.plan_mut(), quantum.min(work.left()));
            let worked = plan.work(layers, &mut self.scratch, quantum);
            self.note_work(worked, work);
        }
    }

    /// Works at the same time on plans that are certain to get all of their quantum. Returns
    /// whether there were at least two.
    #[cfg(feature = "rayon")]
    pub(crate) fn work_abreast(&mut self, layers: &Layers, work: &mut Work) -> bool {
        let sure = self.sure_turns(work.left());
        if sure.len() < 2 {
            return false;
        }
        let scratches = sure.len().max(self.turn_scratch.len());
        self.turn_scratch
            .resize_with(scratches, PlanScratch::default);
        let mut by_index: Vec<(usize, Turn)> = sure.into_iter().enumerate().collect();
        by_index.sort_unstable_by_key(|(_, turn)| turn.index);
        let (mut rest, mut passed) = (self.entries.iter_mut(), 0);
        let mut pieces = Vec::new();
        for (number, turn) in by_index {
            let entry = rest.nth(turn.index as usize - passed);
            passed = turn.index as usize + 1;
            if let Some(Some(entry)) = entry {
                pieces.push((number, turn.quantum, entry.plan_mut()));
            }
        }
        pieces.sort_unstable_by_key(|&(number, ..)| number);
        let mut pieces: Vec<_> = pieces.into_iter().zip(&mut self.turn_scratch).collect();
        let ends = threads::change_all(&mut pieces, |((_, quantum, plan), scratch)| {
            plan.work(layers, scratch, *quantum)
        });
        for worked in ends {
            self.note_work(worked, work);
        }
        true
    }

    /// Returns the next turns that are certain to get their whole quantum out of a budget of
    /// `cells`, however much the plans before them use.
    #[cfg(feature = "rayon")]
    fn sure_turns(&mut self, cells: u64) -> Vec<Turn> {
        let Some(first) = self.turn() else {
            return Vec::new();
        };
        let mut left = cells;
        let mut sure = Vec::new();
        for turn in std::iter::once(first).chain(self.queue.turns_to_come()) {
            if !has_ticket(&self.entries, turn.index, turn.ticket) {
                continue;
            }
            if left < turn.quantum {
                break;
            }
            sure.push(turn);
            left = left.saturating_sub(turn.quantum + PIECE_MAX);
        }
        sure
    }

    /// Counts the work of the plan whose turn it is, and gives it its place in the queue.
    ///
    /// A finished search keeps what it found, for units that come later. If finished searches
    /// hold too much, the oldest forget it.
    fn note_work(&mut self, (place, cells): (Place, u64), work: &mut Work) {
        work.count(cells);
        let Some(Turn { index, .. }) = self.turn() else {
            return;
        };
        self.queue.work(cells, place != Place::Stays);
        self.place(index, place);
        if let Some(entry) = &mut self.entries[index as usize]
            && entry.plan.has_searched()
        {
            self.finished_searches.remove(entry.finished.take());
            let weight = entry.plan.search().weight();
            entry.finished = Some(self.finished_searches.add(index, weight));
        }
        while let Some(index) = self.finished_searches.take_surplus() {
            if let Some(entry) = &mut self.entries[index as usize] {
                entry.finished = None;
                entry.plan_mut().forget_search(&mut self.scratch);
            }
        }
    }

    fn place(&mut self, index: u32, place: Place) {
        match place {
            Place::Stays => self.line_up(index),
            Place::MovesBack => self.move_to_end(index),
            Place::Leaves => {
                if let Some(entry) = &mut self.entries[index as usize] {
                    self.queue.leave(entry.ticket.take());
                }
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

    /// Reports a change to the plans on those maps for which `map_of` returns one. The plans
    /// that have work now join the queue, the oldest first. Returns their number.
    pub(crate) fn on_change<'a>(
        &mut self,
        map_of: impl Fn(LayerId) -> Option<&'a Map>,
        change: &Change,
    ) -> usize {
        let mut concerned: Vec<(PlanKey, Place)> = Vec::new();
        for entry in self.entries.iter_mut().flatten() {
            if let Some(map) = map_of(entry.plan.goal().layer())
                && let Some(place) = entry.plan_mut().on_change(map, &mut self.scratch, change)
            {
                concerned.push((entry.key, place));
            }
        }
        concerned.sort_unstable_by_key(|&(key, _)| key);
        for &(key, place) in &concerned {
            self.place(key.index, place);
        }
        concerned.len()
    }

    pub(crate) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.entries.iter().flatten().map(|entry| &*entry.plan)
    }

    /// The bytes of all plans, also of those that wait to be freed.
    pub(crate) fn bytes(&self) -> usize {
        let returned = self.returned.iter().map(|entry| &*entry.plan);
        self.plans().chain(returned).map(Plan::bytes).sum()
    }

    /// The bytes of the memory that plans work in.
    pub(crate) fn scratch_bytes(&self) -> usize {
        #[cfg(feature = "rayon")]
        let of_turns: usize = self.turn_scratch.iter().map(PlanScratch::bytes).sum();
        #[cfg(not(feature = "rayon"))]
        let of_turns = 0;
        self.scratch.bytes() + of_turns
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
    use crate::map::MapBuild;

    #[test]
    fn entry_that_lines_up_repeatedly_waits_once_and_last() {
        let costs = CostMap::open(30, 30).unwrap();
        let map = MapBuild::new(costs).finish();
        let mut book = Book::default();
        let goal = Goal::at(Cell::new(25, 25));
        let orders = [(); 3].map(|()| {
            let reach = Reach::new(&map, &goal, &[]);
            book.give(&map, goal.clone(), reach, &[])
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
