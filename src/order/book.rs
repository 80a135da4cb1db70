use std::collections::{HashMap, VecDeque};

use super::claim::{Key, Order, Returns, Watch};
use super::goal::Goal;
use super::plan::{Concern, Plan};

/// All orders of a world, and the line in which they wait for work.
#[derive(Default)]
pub(crate) struct Book {
    /// By place; a place is used again after its order is freed.
    entries: Vec<Option<Entry>>,
    vacant: Vec<u32>,
    /// Places and tickets of plans with work left, the longest waiting first.
    /// Those whose plan does not hold the ticket any more are passed over.
    line: VecDeque<(u32, u64)>,
    waiting: usize,
    next_ticket: u64,
    next_number: u64,
    returns: Returns,
    /// The place of the order with each goal; only asked, never walked.
    by_goal: ByGoal,
    /// Orders that are done and still hold what their search knows, the
    /// longest done first: place, number and bytes.
    resting: VecDeque<(u32, u64, usize)>,
    resting_bytes: usize,
}

/// How much all searches that are done may hold.
const RESTING_BYTES: usize = 16 << 20;

/// Places by goal, hashed with the same keys in every run.
struct ByGoal(HashMap<Goal, u32, ahash::RandomState>);

impl Default for ByGoal {
    fn default() -> Self {
        let keys = ahash::RandomState::with_seeds(5, 6, 7, 8);
        Self(HashMap::with_hasher(keys))
    }
}

struct Entry {
    number: u64,
    watch: Watch,
    plan: Plan,
    /// Held while the plan waits in line.
    ticket: Option<u64>,
}

impl Book {
    /// Enters a plan; it gets in line.
    pub(crate) fn enter(&mut self, plan: Plan) -> Order {
        let number = self.next_number;
        self.next_number += 1;
        self.enter_numbered(plan, number)
    }

    /// Enters a plan under a number that no order has had; it gets in line.
    pub(super) fn enter_numbered(&mut self, plan: Plan, number: u64) -> Order {
        let vacant = self.vacant.pop();
        let place = vacant.unwrap_or(self.entries.len() as u32);
        let order = Order::new(Key { place, number }, &self.returns);
        self.by_goal.0.insert(plan.goal().clone(), place);
        let entry = Some(Entry {
            number,
            watch: order.watch(),
            plan,
            ticket: None,
        });
        match vacant {
            Some(place) => self.entries[place as usize] = entry,
            None => self.entries.push(entry),
        }
        self.line_up(place);
        order
    }

    /// One more claim on the living order that has this goal, and keeps it.
    pub(crate) fn sharing(&self, goal: &Goal) -> Option<Order> {
        let place = *self.by_goal.0.get(goal)?;
        let entry = self.entries.get(place as usize)?.as_ref()?;
        entry
            .plan
            .goals()
            .all(|other| other == goal)
            .then_some(())?;
        entry.watch.claim()
    }

    /// An order is going to have another goal; tells its place.
    pub(crate) fn reaim(&mut self, order: &Order, goal: &Goal) -> u32 {
        let (place, plan) = self.plan_mut(order);
        let before: Vec<Goal> = plan.goals().cloned().collect();
        self.forget_goals(&before, place);
        self.by_goal.0.insert(goal.clone(), place);
        place
    }

    fn forget_goals(&mut self, goals: &[Goal], place: u32) {
        for goal in goals {
            if self.by_goal.0.get(goal) == Some(&place) {
                self.by_goal.0.remove(goal);
            }
        }
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
        entry.watch.claim()
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

    fn key(&self, order: &Order) -> Key {
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
    /// plans.
    pub(crate) fn free_returned(&mut self, mut retire: impl FnMut(Plan)) {
        let mut keys = self.returns.take();
        if keys.is_empty() {
            return;
        }
        // Threads drop in any order; the book must not show it.
        keys.sort_unstable_by_key(|key| key.number);
        for key in keys {
            if let Some(entry) = self.entries[key.place as usize].take() {
                self.waiting -= usize::from(entry.ticket.is_some());
                let goals: Vec<Goal> = entry.plan.goals().cloned().collect();
                self.forget_goals(&goals, key.place);
                retire(entry.plan);
            }
            self.vacant.push(key.place);
        }
        if self.vacant.len() == self.entries.len() {
            // Nothing is left: nothing is kept.
            self.entries = Vec::new();
            self.vacant = Vec::new();
            self.line = VecDeque::new();
            self.resting = VecDeque::new();
            self.resting_bytes = 0;
        }
    }

    /// Puts a plan that has work at the end of the line, unless it stands in
    /// it.
    pub(crate) fn line_up(&mut self, place: u32) {
        if let Some(entry) = &self.entries[place as usize]
            && entry.ticket.is_none()
        {
            self.line_up_anew(place);
        }
    }

    /// Puts a plan that has work at the end of the line, wherever it stood.
    pub(crate) fn line_up_anew(&mut self, place: u32) {
        if let Some(entry) = &mut self.entries[place as usize] {
            self.waiting += usize::from(entry.ticket.is_none());
            entry.ticket = Some(self.next_ticket);
            self.line.push_back((place, self.next_ticket));
            self.next_ticket += 1;
            self.tidy_line();
        }
    }

    /// Takes those out of the line that only take up room, once they are many:
    /// without ticks nobody else passes them over.
    fn tidy_line(&mut self) {
        if self.line.len() <= 2 * self.waiting + 64 {
            return;
        }
        let entries = &self.entries;
        self.line.retain(|&(place, ticket)| {
            let entry = entries.get(place as usize).and_then(Option::as_ref);
            entry.is_some_and(|entry| entry.ticket == Some(ticket))
        });
    }

    /// The plan that has waited longest, and its place.
    pub(crate) fn first(&mut self) -> Option<(u32, &mut Plan)> {
        loop {
            let (place, ticket) = *self.line.front()?;
            let entry = self.entries.get(place as usize).and_then(Option::as_ref);
            if entry.is_some_and(|entry| entry.ticket == Some(ticket)) {
                let entry = self.entries[place as usize].as_mut()?;
                return Some((place, &mut entry.plan));
            }
            self.line.pop_front();
        }
    }

    /// A plan has no work left: it leaves the line. What its search knows it
    /// keeps, for units that come later, until others have done so for long.
    pub(crate) fn step_out(&mut self, place: u32, mut forget: impl FnMut(&mut Plan)) {
        let Some(entry) = &mut self.entries[place as usize] else {
            return;
        };
        if entry.ticket.take().is_some() {
            self.waiting -= 1;
        }
        let bytes = entry.plan.search_bytes();
        self.resting.push_back((place, entry.number, bytes));
        self.resting_bytes += bytes;
        while self.resting_bytes > RESTING_BYTES
            && let Some((place, number, bytes)) = self.resting.pop_front()
        {
            self.resting_bytes -= bytes;
            let entry = self.entries.get_mut(place as usize);
            if let Some(Some(entry)) = entry
                && entry.number == number
            {
                forget(&mut entry.plan);
            }
        }
    }

    /// The plans that wait, the longest waiting first.
    #[cfg(feature = "rayon")]
    pub(crate) fn all_waiting(&mut self) -> Vec<(u32, &mut Plan)> {
        let entries = (0_u32..).zip(&mut self.entries);
        let mut waiting: Vec<(u64, u32, &mut Plan)> = entries
            .filter_map(|(place, entry)| {
                let entry = entry.as_mut()?;
                Some((entry.ticket?, place, &mut entry.plan))
            })
            .collect();
        waiting.sort_unstable_by_key(|&(ticket, ..)| ticket);
        let plans = waiting.into_iter();
        plans.map(|(_, place, plan)| (place, plan)).collect()
    }

    /// How many plans have work left.
    pub(crate) const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Has every plan look at a change; those that `meet` finds work for get in
    /// line, the oldest first. Tells how many.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::ChartBuild;
    use crate::cost::{CostMap, Stamps};
    use crate::grid::Cell;
    use crate::order::{Goal, Reach, Scratch};

    #[test]
    fn who_lines_up_again_and_again_makes_the_line_no_longer() {
        let costs = CostMap::open(30, 30).unwrap();
        let chart = ChartBuild::new(costs, Stamps::default()).finish();
        let mut scratch = Scratch::new(chart.costs.extent());
        let mut book = Book::default();
        let goal = Goal::at(Cell::new(25, 25));
        let orders = [(); 3].map(|()| {
            let reach = Reach::new(&chart, &goal, &[]);
            book.enter(Plan::new(&chart, &mut scratch, goal.clone(), reach, &[]))
        });
        for round in 0..10_000 {
            book.line_up_anew(round % 3);
            assert!(book.line.len() <= 2 * 3 + 64);
        }
        // The last round was for place 0, so place 1 has waited longest.
        assert_eq!(book.waiting(), 3);
        assert_eq!(book.first().map(|(place, _)| place), Some(1));
        assert_eq!(book.order_with_number(2).as_ref(), Some(&orders[2]));
    }
}
