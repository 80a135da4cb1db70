use std::collections::VecDeque;

use super::claim::{Key, Order, Returns};
use super::plan::Plan;

/// All orders of a world, and the line in which they wait for work.
#[derive(Default)]
pub(crate) struct Book {
    /// By place; a place is used again after its order is freed.
    plans: Vec<Option<(u64, Plan)>>,
    vacant: Vec<u32>,
    /// Places of plans with work left, the longest waiting first.
    line: VecDeque<u32>,
    next_number: u64,
    returns: Returns,
}

impl Book {
    /// Enters a plan; it gets in line.
    pub(crate) fn enter(&mut self, plan: Plan) -> Order {
        let number = self.next_number;
        self.next_number += 1;
        let entry = Some((number, plan));
        let place = if let Some(place) = self.vacant.pop() {
            self.plans[place as usize] = entry;
            place
        } else {
            self.plans.push(entry);
            (self.plans.len() - 1) as u32
        };
        self.line.push_back(place);
        Order::new(Key { place, number }, &self.returns)
    }

    /// The plan behind an order.
    ///
    /// # Panics
    /// If the order is another world's.
    pub(crate) fn plan(&self, order: &Order) -> &Plan {
        let key = self.key(order);
        match &self.plans[key.place as usize] {
            Some((number, plan)) if *number == key.number => plan,
            _ => unreachable!("a claimed order is never freed"),
        }
    }

    /// The plan behind an order, to change, and its place in the book.
    ///
    /// # Panics
    /// If the order is another world's.
    pub(crate) fn plan_mut(&mut self, order: &Order) -> (u32, &mut Plan) {
        let key = self.key(order);
        match &mut self.plans[key.place as usize] {
            Some((number, plan)) if *number == key.number => (key.place, plan),
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

    /// Frees the orders whose last claim is gone.
    pub(crate) fn free_returned(&mut self) {
        let mut keys = self.returns.take();
        if keys.is_empty() {
            return;
        }
        // Threads drop in any order; the book must not show it.
        keys.sort_unstable_by_key(|key| key.number);
        for key in keys {
            self.plans[key.place as usize] = None;
            self.vacant.push(key.place);
            self.line.retain(|&place| place != key.place);
        }
        if self.vacant.len() == self.plans.len() {
            // Nothing is left: nothing is kept.
            self.plans = Vec::new();
            self.vacant = Vec::new();
            self.line = VecDeque::new();
        }
    }

    /// Puts a plan that has work again at the end of the line.
    pub(crate) fn line_up(&mut self, place: u32) {
        if !self.line.contains(&place) {
            self.line.push_back(place);
        }
    }

    /// The plan that has waited longest.
    pub(crate) fn first(&mut self) -> Option<&mut Plan> {
        let place = *self.line.front()?;
        self.plans[place as usize].as_mut().map(|(_, plan)| plan)
    }

    /// The first plan is done: it leaves the line.
    pub(crate) fn first_done(&mut self) {
        self.line.pop_front();
    }

    /// How many plans have work left.
    pub(crate) fn waiting(&self) -> usize {
        self.line.len()
    }

    /// All plans with their places, by order number.
    pub(crate) fn by_age(&mut self) -> impl Iterator<Item = (u32, &mut Plan)> {
        let mut plans: Vec<_> = (0_u32..)
            .zip(&mut self.plans)
            .filter_map(|(place, entry)| {
                entry.as_mut().map(|(number, plan)| (place, *number, plan))
            })
            .collect();
        plans.sort_unstable_by_key(|&(_, number, _)| number);
        plans.into_iter().map(|(place, _, plan)| (place, plan))
    }

    /// All plans.
    pub(crate) fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.plans.iter().flatten().map(|(_, plan)| plan)
    }

    /// Bytes of the orders that live.
    pub(crate) fn bytes(&self) -> usize {
        self.plans().map(Plan::bytes).sum()
    }
}
