use std::collections::HashMap;

use super::claim::{ClaimWatch, Order, PlanKey, Returns};
use super::goal::Goal;
use super::order_queue::{Lane, Need, OrderQueue, Ticket};
use super::plan::{Advance, Concern, Plan};
use super::resting::Resting;
#[cfg(feature = "rayon")]
use crate::budget::TILE_WORK;

/// All orders of a world, and the queue in which they wait for work.
#[derive(Default)]
pub(crate) struct Book {
    /// By place; a place is used again after its order is freed.
    entries: Vec<Option<PlanEntry>>,
    vacant: Vec<u32>,
    queue: OrderQueue,
    next_number: u64,
    /// How many claims were ever given.
    claims: u64,
    returns: Returns,
    /// The orders with each goal; only asked, never walked.
    by_goal: OrdersByGoal,
    resting: Resting,
}

/// Numbers and places by goal, the oldest order first; hashed with the same
/// keys in every run.
struct OrdersByGoal(HashMap<Goal, Vec<(u64, u32)>, ahash::RandomState>);

impl Default for OrdersByGoal {
    fn default() -> Self {
        let keys = ahash::RandomState::with_seeds(5, 6, 7, 8);
        Self(HashMap::with_hasher(keys))
    }
}

impl OrdersByGoal {
    fn add(&mut self, goal: &Goal, number: u64, place: u32) {
        let orders = self.0.entry(goal.clone()).or_default();
        let at = orders.partition_point(|&(other, _)| other < number);
        orders.insert(at, (number, place));
    }

    fn remove(&mut self, goal: &Goal, place: u32) {
        if let Some(orders) = self.0.get_mut(goal) {
            orders.retain(|&(_, other)| other != place);
            if orders.is_empty() {
                self.0.remove(goal);
            }
        }
    }
}

/// By how much a piece of work may pass the quantum in which it is begun.
#[cfg(feature = "rayon")]
const PIECE_MAX: u64 = TILE_WORK - 1;

struct PlanEntry {
    number: u64,
    /// When it was last asked for, by the clock of all claims.
    claimed: u64,
    watch: ClaimWatch,
    plan: Plan,
    /// Held while the plan waits in the queue.
    ticket: Option<Ticket>,
    /// Held while its search is done, and has not forgotten.
    rests: Option<u64>,
}

impl Book {
    /// Enters a plan; if it has work it joins the queue.
    pub(crate) fn enter(&mut self, plan: Plan) -> Order {
        let number = self.next_number;
        self.next_number += 1;
        self.enter_numbered(plan, number)
    }

    /// Enters a plan under a number that no order has had.
    pub(super) fn enter_numbered(&mut self, plan: Plan, number: u64) -> Order {
        let vacant = self.vacant.pop();
        let has_work = !plan.is_done();
        self.claims += 1;
        let place = vacant.unwrap_or(self.entries.len() as u32);
        let order = Order::new(
            PlanKey { place, number },
            plan.last_asked().0.clone(),
            &self.returns,
        );
        self.by_goal.add(plan.goal(), number, place);
        let entry = Some(PlanEntry {
            number,
            claimed: self.claims,
            watch: order.watch(),
            plan,
            ticket: None,
            rests: None,
        });
        match vacant {
            Some(place) => self.entries[place as usize] = entry,
            None => self.entries.push(entry),
        }
        if has_work {
            self.line_up(place);
        }
        order
    }

    /// One more claim on the oldest living order that has this goal, and keeps
    /// it; to be [noted](Self::note_claim) once it is taken.
    pub(crate) fn sharing(&self, goal: &Goal) -> Option<Order> {
        let orders = self.by_goal.0.get(goal)?;
        for &(_, place) in orders {
            let Some(Some(entry)) = self.entries.get(place as usize) else {
                continue;
            };
            let keeps_it = entry.plan.goals().all(|other| other == goal);
            if let Some(order) = entry.watch.claim(goal).filter(|_| keeps_it) {
                return Some(order);
            }
        }
        None
    }

    /// The order at a place was asked for once more.
    pub(crate) fn note_claim(&mut self, place: u32) {
        if let Some(Some(entry)) = self.entries.get_mut(place as usize) {
            self.claims += 1;
            entry.claimed = self.claims;
        }
    }

    /// An order is going to have another goal; tells its place.
    pub(crate) fn reaim(&mut self, order: &Order, goal: &Goal) -> u32 {
        let (place, plan) = self.plan_mut(order);
        let before: Vec<Goal> = plan.goals().cloned().collect();
        self.forget_goals(&before, place);
        self.by_goal.add(goal, order.key().number, place);
        place
    }

    fn forget_goals(&mut self, goals: &[Goal], place: u32) {
        for goal in goals {
            self.by_goal.remove(goal, place);
        }
    }

    /// Whether there is a number left for another order.
    pub(crate) const fn has_numbers(&self) -> bool {
        self.next_number < u64::MAX
    }

    /// The number of the next order.
    pub(super) const fn next_number(&self) -> u64 {
        self.next_number
    }

    /// Gives the next order this number, which is higher than all before.
    pub(super) const fn go_on_at(&mut self, next_number: u64) {
        self.next_number = next_number;
    }

    /// The orders that are claimed, by number, with their plans.
    pub(super) fn living(&self) -> Vec<(u64, &Plan)> {
        let entries = self.entries.iter().flatten();
        let claimed = entries.filter(|entry| entry.watch.is_claimed());
        let mut living: Vec<_> = claimed.map(|entry| (entry.number, &entry.plan)).collect();
        living.sort_unstable_by_key(|&(number, _)| number);
        living
    }

    /// Another claim on a living order.
    pub(crate) fn order_with_number(&self, number: u64) -> Option<Order> {
        let mut entries = self.entries.iter().flatten();
        let entry = entries.find(|entry| entry.number == number)?;
        entry.watch.claim(entry.plan.last_asked().0)
    }

    /// The plan behind an order.
    ///
    /// # Panics
    /// If the order is another world's.
    pub(crate) fn plan(&self, order: &Order) -> &Plan {
        let key = self.key(order);
        match &self.entries[key.place as usize] {
            Some(entry) if entry.number == key.number => &entry.plan,
            _ => unreachable!("a claimed order is never freed"),
        }
    }

    /// The plan behind an order, to change, and its place in the book.
    ///
    /// # Panics
    /// If the order is another world's.
    pub(crate) fn plan_mut(&mut self, order: &Order) -> (u32, &mut Plan) {
        let key = self.key(order);
        match &mut self.entries[key.place as usize] {
            Some(entry) if entry.number == key.number => (key.place, &mut entry.plan),
            _ => unreachable!("a claimed order is never freed"),
        }
    }

    fn key(&self, order: &Order) -> PlanKey {
        assert!(
            order.belongs_to(&self.returns),
            "this order was given by another world"
        );
        order.key()
    }

    /// How many orders there are: those that live, and those whose last claim
    /// is gone but that were not yet freed.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.vacant.len()
    }

    /// Frees the orders whose last claim is gone; `retire` is handed their
    /// plans, with when they were last claimed and their numbers.
    pub(crate) fn free_returned(&mut self, mut retire: impl FnMut((u64, u64), Plan)) {
        let mut keys = self.returns.take();
        if keys.is_empty() {
            return;
        }
        // Threads drop in any order; the book must not show it.
        keys.sort_unstable_by_key(|key| key.number);
        for key in keys {
            if let Some(entry) = self.entries[key.place as usize].take() {
                if let Some(ticket) = entry.ticket {
                    self.queue.leave(ticket);
                }
                if let Some(key) = entry.rests {
                    self.resting.wake(key);
                }
                let goals: Vec<Goal> = entry.plan.goals().cloned().collect();
                self.forget_goals(&goals, key.place);
                retire((entry.claimed, entry.number), entry.plan);
            }
            self.vacant.push(key.place);
        }
        if self.vacant.len() == self.entries.len() {
            // Nothing is left: nothing is kept.
            self.entries = Vec::new();
            self.vacant = Vec::new();
            self.by_goal = OrdersByGoal::default();
            self.queue.clear();
        }
    }

    /// Puts a plan that has work at the end of the queue; one that stands in it
    /// keeps its place.
    pub(crate) fn line_up(&mut self, place: u32) {
        let Some(entry) = &mut self.entries[place as usize] else {
            return;
        };
        let need = entry.plan.need();
        entry.ticket = Some(match entry.ticket {
            Some(ticket) => self.queue.turn_to(ticket, need),
            None => self.queue.join(place, need),
        });
        if need == Need::Search
            && let Some(key) = entry.rests.take()
        {
            self.resting.wake(key);
        }
    }

    /// Puts a plan that has work at the end of the queue, wherever it stood.
    pub(crate) fn line_up_anew(&mut self, place: u32) {
        if let Some(entry) = &mut self.entries[place as usize]
            && let Some(ticket) = entry.ticket.take()
        {
            self.queue.leave(ticket);
        }
        self.line_up(place);
    }

    /// Whose turn it is, if anybody waits.
    fn turn(&mut self) -> Option<Lane> {
        let entries = &self.entries;
        self.queue
            .turn(|place, ticket| holds(entries, place, ticket))
    }

    /// The plan whose turn it is, and how much it may work.
    pub(crate) fn first(&mut self) -> Option<(u64, &mut Plan)> {
        let turn = self.turn()?;
        let entry = self.entries[turn.place as usize].as_mut()?;
        Some((turn.quantum, &mut entry.plan))
    }

    /// The plans whose turns come next and that are sure to get all of their
    /// quantum out of so many cells, however much of theirs those before them
    /// use; with their quanta.
    #[cfg(feature = "rayon")]
    pub(crate) fn sure_turns(&mut self, cells: u64) -> Vec<(u64, &mut Plan)> {
        let Some(first) = self.turn() else {
            return Vec::new();
        };
        let mut left = cells;
        let mut sure = Vec::new();
        for turn in std::iter::once(first).chain(self.queue.turns_to_come()) {
            let entry = self.entries[turn.place as usize].as_ref();
            if entry.is_none() || !holds(&self.entries, turn.place, turn.ticket) {
                continue;
            }
            if left < turn.quantum {
                break;
            }
            sure.push(turn);
            left = left.saturating_sub(turn.quantum + PIECE_MAX);
        }
        let mut by_place: Vec<(usize, Lane)> = sure.into_iter().enumerate().collect();
        by_place.sort_unstable_by_key(|(_, turn)| turn.place);
        let mut rest = &mut self.entries[..];
        let mut passed = 0;
        let mut plans = Vec::new();
        for (lane, turn) in by_place {
            let (before, after) = rest.split_at_mut(turn.place as usize + 1 - passed);
            passed = turn.place as usize + 1;
            rest = after;
            if let Some(Some(entry)) = before.last_mut() {
                plans.push((lane, turn.quantum, &mut entry.plan));
            }
        }
        plans.sort_unstable_by_key(|&(lane, ..)| lane);
        let plans = plans.into_iter();
        plans.map(|(_, quantum, plan)| (quantum, plan)).collect()
    }

    /// The plan whose turn it was has worked so many cells and come so far.
    /// What a search that is done knows it keeps, for units that come later,
    /// until others have done so for long: then it is told to `forget`.
    pub(crate) fn note_work(
        &mut self,
        cells: u64,
        end: Advance,
        mut forget: impl FnMut(&mut Plan),
    ) {
        let Some(Lane { place, .. }) = self.turn() else {
            return;
        };
        self.queue.work(cells, end != Advance::More);
        match end {
            Advance::More => self.line_up(place),
            Advance::Again => self.line_up_anew(place),
            Advance::Done => {
                if let Some(Some(entry)) = self.entries.get_mut(place as usize)
                    && let Some(ticket) = entry.ticket.take()
                {
                    self.queue.leave(ticket);
                }
            }
        }
        if let Some(Some(entry)) = self.entries.get_mut(place as usize)
            && entry.plan.need() == Need::Load
        {
            let bytes = entry.plan.search_bytes();
            if let Some(key) = entry.rests.take() {
                self.resting.wake(key);
            }
            entry.rests = Some(self.resting.rest(place, bytes));
        }
        while let Some(place) = self.resting.take_surplus() {
            if let Some(Some(entry)) = self.entries.get_mut(place as usize) {
                entry.rests = None;
                forget(&mut entry.plan);
            }
        }
    }

    /// How many plans have work left.
    pub(crate) fn waiting(&self) -> usize {
        let (searching, loading) = self.queue.lengths();
        searching + loading
    }

    /// How many plans wait to search.
    pub(crate) fn searching(&self) -> usize {
        self.queue.lengths().0
    }

    /// What has been worked since the plan that has waited longest joined the queue.
    pub(crate) fn age(&self) -> u64 {
        self.queue.age()
    }

    /// Has every plan look at a change; those that `meet` finds work for get in
    /// queue, the oldest first. Tells how many.
    pub(crate) fn meet_change(&mut self, mut meet: impl FnMut(&mut Plan) -> Concern) -> usize {
        let mut concerned: Vec<(u64, u32, Concern)> = Vec::new();
        for (place, entry) in (0_u32..).zip(&mut self.entries) {
            if let Some(entry) = entry {
                match meet(&mut entry.plan) {
                    Concern::None => {}
                    concern => concerned.push((entry.number, place, concern)),
                }
            }
        }
        concerned.sort_unstable_by_key(|&(number, ..)| number);
        for &(_, place, concern) in &concerned {
            match concern {
                Concern::Anew => self.line_up_anew(place),
                Concern::None | Concern::Later => self.line_up(place),
            }
        }
        concerned.len()
    }

    /// All plans.
    pub(crate) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.entries.iter().flatten().map(|entry| &entry.plan)
    }

    /// All plans, to change.
    pub(crate) fn plans_mut(&mut self) -> impl Iterator<Item = &mut Plan> {
        self.entries
            .iter_mut()
            .flatten()
            .map(|entry| &mut entry.plan)
    }

    /// Bytes of the orders that live.
    pub(crate) fn bytes(&self) -> usize {
        self.plans().map(Plan::bytes).sum()
    }
}

/// Whether whoever is at a place holds a ticket.
fn holds(entries: &[Option<PlanEntry>], place: u32, ticket: u64) -> bool {
    let entry = entries.get(place as usize).and_then(Option::as_ref);
    let held = entry.and_then(|entry| entry.ticket);
    held.is_some_and(|held| held.number == ticket)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{CostMap, Stamps};
    use crate::grid::Cell;
    use crate::map::MapBuild;
    use crate::order::{Goal, PlanScratch, Reach};

    #[test]
    fn who_lines_up_again_and_again_waits_once_and_last() {
        let costs = CostMap::open(30, 30).unwrap();
        let map = MapBuild::new(costs, Stamps::default()).finish();
        let mut scratch = PlanScratch::new(map.costs.extent());
        let mut book = Book::default();
        let goal = Goal::at(Cell::new(25, 25));
        let orders = [(); 3].map(|()| {
            let reach = Reach::new(&map, &goal, &[]);
            book.enter(Plan::new(&map, &mut scratch, goal.clone(), reach, &[]))
        });
        for round in 0..1000 {
            book.line_up_anew(round % 3);
            assert_eq!(book.waiting(), 3);
        }
        // The last round was for place 0, so place 1 has waited longest.
        assert_eq!(book.turn().map(|turn| turn.place), Some(1));
        assert_eq!(book.order_with_number(2).as_ref(), Some(&orders[2]));
    }
}
