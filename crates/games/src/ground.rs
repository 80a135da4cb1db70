//! The calls of the world: edits, buildings, gates, links, and the claims of the game itself.

use flowtiles::{Cell, Goal, StampTemplate, Turn};

use crate::{Call, Game, Nth};

const BUILDINGS: [&[&str]; 3] = [&["###", "#.#", "#.#"], &["####", "####"], &["...", "..."]];

impl Game {
    pub(crate) fn make_of_world(&mut self, call: &Call) -> bool {
        let is_made = match call {
            Call::Edit(area, cost) => {
                let edited = self.world.edit(*area, *cost);
                self.told(edited, false).is_some()
            }
            Call::Block(cell) => {
                let blocked = self.world.block(*cell);
                let is_blocked = self.told(blocked, false).is_some();
                self.blocked.extend(is_blocked.then_some(*cell));
                is_blocked
            }
            Call::Unblock(nth) => taken(&mut self.blocked, *nth).is_some_and(|cell| {
                let unblocked = self.world.unblock(cell);
                self.told(unblocked, false).is_some()
            }),
            Call::Stamp(nth, cell, turn) => self.stamp(*nth, *cell, *turn),
            Call::Unstamp(nth) => taken(&mut self.stamps, *nth).is_some_and(|stamp| {
                assert!(self.world.unstamp(stamp).is_some(), "a stamp is gone");
                true
            }),
            Call::AddGate(area, teams) => {
                let added = self.world.add_gate(*area, *teams);
                let added = self.told(added, false);
                self.gates.extend(added.as_ref().map(|(gate, _)| *gate));
                added.is_some()
            }
            Call::SetGate(nth, teams) => nth.of(self.gates.len()).is_some_and(|at| {
                let set = self.world.set_gate(self.gates[at], *teams);
                assert!(set.is_some(), "a gate is gone");
                true
            }),
            Call::RemoveGate(nth) => taken(&mut self.gates, *nth).is_some_and(|gate| {
                assert!(self.world.remove_gate(gate).is_some(), "a gate is gone");
                true
            }),
            Call::Surcharge(layer, area, more) => {
                let charged = self.world.surcharge(*layer, &[(*area, *more)]);
                self.told(charged, false).is_some()
            }
            _ => return self.make_of_links_and_claims(call),
        };
        self.note("edit", is_made.into());
        is_made
    }

    fn make_of_links_and_claims(&mut self, call: &Call) -> bool {
        match call {
            Call::AddLink(link) => {
                // Refused where areas overlap or reach off the map.
                let added = self.world.add_link(link.clone());
                let added = self.told(added, true);
                self.links.extend(added);
                self.note("link", added.is_some().into());
                added.is_some()
            }
            Call::RemoveLink(nth) => taken(&mut self.links, *nth).is_some_and(|link| {
                assert!(self.world.remove_link(link).is_some(), "a link is gone");
                self.note("link", 1);
                true
            }),
            Call::FreeLayer(layer) => {
                // Only unused layers can be freed.
                let freed = self.world.free_layer(*layer);
                self.told(freed, true).is_some()
            }
            Call::Aim(nth, cell) => nth.of(self.claims.len()).is_some_and(|at| {
                let claim = &mut self.claims[at];
                let goal = Goal::at(*cell).or_nearest().on(claim.goal().layer());
                // Refused where no ground is open.
                let aimed = self.world.aim(claim, goal, &[]);
                self.qualities.remove(&claim.number());
                self.told(aimed, true).is_some()
            }),
            Call::Drop(nth) => taken(&mut self.claims, *nth).is_some(),
            _ => false,
        }
    }

    /// Stamps a building on whatever is there.
    fn stamp(&mut self, nth: Nth, cell: Cell, turn: Turn) -> bool {
        let rows = nth
            .of(BUILDINGS.len())
            .map_or(BUILDINGS[0], |at| BUILDINGS[at]);
        let template = StampTemplate::rows(rows).expect("a template");
        // Refused where it reaches off the map.
        let stamped = self.world.stamp(&template, cell, turn);
        let stamped = self.told(stamped, true);
        self.stamps
            .extend(stamped.as_ref().map(|(stamp, _)| *stamp));
        stamped.is_some()
    }
}

/// Takes one out of a list, if there is any.
fn taken<T>(list: &mut Vec<T>, nth: Nth) -> Option<T> {
    nth.of(list.len()).map(|at| list.swap_remove(at))
}
