//! The calls of a battle: what a game may ask of a world and an army.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Chase, GroupId, Pace, Sending, Shape, Target};
use flowtiles::{Cell, CellRect, Cost, Goal, Link, Order, Quality, StampTemplate, Teams, Turn};

use super::battle::{Battle, fault};

/// The most links of a battle, and claims that the game holds itself.
const MOST: usize = 6;

impl Battle {
    /// Draws a call, and makes it.
    pub fn call(&mut self) -> Result<(), String> {
        let group = self.groups[self.random.below(self.groups.len() as i32) as usize];
        let at = self.random.below(1 << 16) as usize;
        match self.random.below(26) {
            0..8 => self.send(group)?,
            8 => {
                let count = self.random.between(1, 20);
                self.reinforce(group, count)?;
            }
            9 => self.army.retain(|unit| unit.id as usize % 40 != at % 40),
            10 => self.form(group, at)?,
            11 => {
                self.army.note_jams(&mut self.world);
            }
            12 | 13 => {
                let area = self.area(12);
                let costs = [1, 1, 3, 90, 255];
                let cost = Cost::new(costs[at % 5]).map_err(fault)?;
                self.world.edit(area, cost).map_err(fault)?;
                self.note_edit();
            }
            14 | 15 => {
                let cell = self.cell();
                self.world.block(cell).map_err(fault)?;
                self.blocked.push(cell);
                self.note_edit();
            }
            16 if !self.blocked.is_empty() => {
                let cell = self.blocked.swap_remove(at % self.blocked.len());
                self.world.unblock(cell).map_err(fault)?;
                self.note_edit();
            }
            17 => self.build(at)?,
            18 if !self.stamps.is_empty() => {
                let stamp = self.stamps.swap_remove(at % self.stamps.len());
                self.world.unstamp(stamp).ok_or("a stamp is gone")?;
                self.note_edit();
            }
            19 => self.change_gate(at)?,
            20 | 21 => self.change_link(at)?,
            22 => {
                let (area, layer) = (self.area(20), self.layers[1 + at % 4]);
                let more = [0, 5, 40][at % 3];
                self.world
                    .surcharge(layer, &[(area, more)])
                    .map_err(fault)?;
                self.note_edit();
            }
            23 if !self.claims.is_empty() => {
                let at = at % self.claims.len();
                let layer = self.claims[at].goal().layer();
                let goal = Goal::at(self.cell()).or_nearest().on(layer);
                // Refused where no ground is open.
                if self.world.aim(&mut self.claims[at], goal, &[]).is_ok() {
                    self.qualities.remove(&self.claims[at].number());
                }
            }
            24 if !self.claims.is_empty() => drop(self.claims.swap_remove(at % self.claims.len())),
            25 => {
                // Only unused layers can be freed.
                let _ = self.world.free_layer(self.layers[at % self.layers.len()]);
            }
            _ => {}
        }
        Ok(())
    }

    fn note_edit(&mut self) {
        self.counts.edits += 1;
        self.has_built = true;
    }

    /// Draws an area on the map.
    fn area(&mut self, side: i32) -> CellRect {
        let corner = self.cell();
        let [width, height] = [(); 2].map(|()| self.random.between(1, side) as u32);
        let costs = self.world.costs();
        CellRect::new(corner.x, corner.y, width, height).intersection(CellRect::new(
            0,
            0,
            costs.width(),
            costs.height(),
        ))
    }

    /// Draws an order of a group; `None` if it is refused.
    fn order(&mut self, group: GroupId) -> Option<Order> {
        let (cell, other) = (self.cell(), self.cell());
        let goal = match self.random.below(6) {
            0 => Goal::at(cell),
            1 => Goal::at(cell).or_at(other, 30),
            2 => Goal::within(CellRect::new(cell.x, cell.y, 3, 2))?,
            _ => Goal::at(cell).or_nearest(),
        };
        let qualities = [
            Quality::Corridor,
            Quality::Corridor,
            Quality::Exact,
            Quality::Everywhere,
        ];
        let quality = qualities[self.random.below(4) as usize];
        let size = self.size_of(group);
        let units = self
            .army
            .members(group)
            .map(|unit| anchor(size, unit.position));
        let units: Vec<Cell> = units.take(self.random.below(40) as usize).collect();
        let goal = goal.on(self.layer_of(group)).with_quality(quality);
        let order = self.world.order(goal, &units).ok()?;
        self.counts.orders += 1;
        self.qualities.insert(order.number(), quality);
        if self.claims.len() < MOST && self.random.below(3) == 0 {
            self.claims.push(order.clone());
        }
        Some(order)
    }

    fn target(&mut self, group: GroupId) -> Target {
        let place = self.cell().centre();
        let unit = self.random.below(self.next_unit.max(1) as i32) as u32;
        let chase = Chase::default().with_leash(self.random.between(1, 40) as f32);
        match self.random.below(14) {
            0 => Target::Stand,
            1 => Target::Hold,
            2 => Target::Follow(unit),
            3 => Target::Point(place),
            4 => Target::Pursue(unit, chase),
            5 => Target::Flee {
                from: None,
                safe: 12.0,
            },
            6 => Target::Flock,
            7 => self
                .order(group)
                .map_or(Target::Stand, |order| Target::AttackMove(order, chase)),
            _ => self.order(group).map_or(Target::Hold, Target::Order),
        }
    }

    fn send(&mut self, group: GroupId) -> Result<(), String> {
        match self.random.below(8) {
            0 => {
                let target = self.target(group);
                self.army.queue(group, target).map_err(fault)
            }
            1 => {
                let stops = [(); 2].map(|()| self.order(group));
                if let [Some(one), Some(two)] = stops {
                    self.army.patrol(group, [one, two]).map_err(fault)?;
                }
                Ok(())
            }
            2 => {
                let other = self.groups[self.random.below(self.groups.len() as i32) as usize];
                let mut how = Sending::default();
                how.together = self.random.below(2) == 0;
                how.queued = self.random.below(4) == 0;
                how.formation = (self.random.below(3) == 0).then_some((Shape::Box, 1.0));
                let goal = Goal::at(self.cell()).or_nearest();
                // Refused for a group named twice, and where no ground is open.
                if self
                    .army
                    .send_all(&mut self.world, &[group, other], goal, how)
                    .is_ok()
                {
                    self.counts.orders += 1;
                }
                Ok(())
            }
            _ => {
                let target = self.target(group);
                self.army.send(group, target).map_err(fault)
            }
        }
    }

    fn form(&mut self, group: GroupId, at: usize) -> Result<(), String> {
        let shapes = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column];
        match at % 5 {
            4 => self.army.disband(group),
            shape => self.army.form(group, shapes[shape], 1.2, &self.world),
        }
        .map_err(fault)?;
        let mut settings = *self.army.settings(group).ok_or("the group is gone")?;
        settings.keeps_width = at.is_multiple_of(3);
        settings.pace = if at.is_multiple_of(2) {
            Pace::Own
        } else {
            Pace::Slowest
        };
        self.army
            .configure(group, settings, &self.world)
            .map_err(fault)
    }

    fn build(&mut self, at: usize) -> Result<(), String> {
        let templates: [&[&str]; 3] = [&["###", "#.#", "#.#"], &["####", "####"], &["...", "..."]];
        let template = StampTemplate::rows(templates[at % 3]).map_err(fault)?;
        let cell = self.cell();
        // Refused where it reaches off the map.
        if let Ok((stamp, _)) = self.world.stamp(&template, cell, Turn::ALL[at % 4]) {
            self.stamps.push(stamp);
            self.note_edit();
        }
        Ok(())
    }

    fn change_gate(&mut self, at: usize) -> Result<(), String> {
        let teams = Teams::from_bits(at as u8);
        if self.gates.len() < MOST {
            let area = self.area(6);
            let (gate, _) = self.world.add_gate(area, teams).map_err(fault)?;
            self.gates.push(gate);
        } else if at.is_multiple_of(3) {
            let gate = self.gates.swap_remove(at % MOST);
            self.world.remove_gate(gate).ok_or("a gate is gone")?;
        } else {
            self.world
                .set_gate(self.gates[at % MOST], teams)
                .ok_or("a gate is gone")?;
        }
        self.note_edit();
        Ok(())
    }

    fn change_link(&mut self, at: usize) -> Result<(), String> {
        if self.links.len() == MOST || (at.is_multiple_of(4) && !self.links.is_empty()) {
            let link = self.links.swap_remove(at % self.links.len());
            self.world.remove_link(link).ok_or("a link is gone")?;
        } else {
            let mut link = Link::new(self.area(3), self.cell()).with_price(1 + at as u32 % 90);
            if at.is_multiple_of(3) {
                link = link.only_on([self.layers[at % self.layers.len()]]);
            }
            // Refused where areas overlap or reach off the map.
            let Ok(link) = self.world.add_link(link) else {
                return Ok(());
            };
            self.links.push(link);
        }
        self.counts.links += 1;
        Ok(())
    }
}
