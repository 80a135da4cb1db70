use std::collections::VecDeque;

use super::claim::{Key, Order, Returns};
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
}

struct Entry {
    number: u64,
    plan: Plan,
    /// Held while the plan waits in line.
    ticket: Option<u64>,
}

impl Book {
    /// Enters a plan; it gets in line.
    pub(crate) fn enter(&mut self, plan: Plan) -> Order {
        let number = self.next_number;
        self.next_number += 1;
        let entry = Some(Entry {
            number,
            plan,
            ticket: None,
        });
        let place = if let Some(place) = self.vacant.pop() {
            self.entries[place as usize] = entry;
            place
        } else {
            self.entries.push(entry);
            (self.entries.len() - 1) as u32
        };
        self.line_up(place);
        Order::new(Key { place, number }, &self.returns)
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
                retire(entry.plan);
            }
            self.vacant.push(key.place);
        }
        if self.vacant.len() == self.entries.len() {
            // Nothing is left: nothing is kept.
            self.entries = Vec::new();
            self.vacant = Vec::new();
            self.line = VecDeque::new();
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
        }
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

    /// A plan has no work left: it leaves the line.
    pub(crate) fn step_out(&mut self, place: u32) {
        if let Some(entry) = &mut self.entries[place as usize]
            && entry.ticket.take().is_some()
        {
            self.waiting -= 1;
        }
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
