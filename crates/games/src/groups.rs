//! The calls of groups: targets, formations, layers, and what is set of them.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army, ArmyError, GroupId, GroupSettings, Pace, Sending, Target};
use flowtiles::{Cell, FlowWorld, Goal, LayerId, Order};

use crate::call::name;
use crate::model::Mark;
use crate::{Aim, Call, Game, Mission, Nth, Setting};

impl Game {
    pub(crate) fn make_of_groups(&mut self, call: &Call) -> bool {
        match call {
            Call::AddGroup(aim, reading) => {
                let target = self.target(aim);
                let mark = Mark::of(&target);
                let added = self.army.add_group(target, *reading);
                let added = self.told(added, false);
                if let Some(id) = added {
                    self.model.add_group(id, mark, *reading);
                }
                added.is_some()
            }
            Call::RemoveGroup(nth) => {
                let group = self.group(*nth);
                let wanted = self.model.members(group);
                let gone = self.army.remove_group(group);
                let gone = self.of_group(group, gone, false);
                if let Some(gone) = &gone {
                    assert!(gone.iter().map(|unit| unit.id).eq(wanted));
                    self.model.remove_group(group);
                }
                gone.is_some()
            }
            Call::RemoveEmptyGroups => {
                let removed = self.army.remove_empty_groups();
                assert_eq!(removed, self.model.remove_empty_groups());
                removed > 0
            }
            Call::Send(nth, aim) => self.send(self.group(*nth), aim),
            Call::Queue(nth, aim) => self.queue(self.group(*nth), aim),
            Call::Patrol(nth, aims) => self.patrol(self.group(*nth), aims),
            Call::SendAll(groups, goal, how) => {
                let send = |army: &mut Army, world: &mut FlowWorld, groups: &[GroupId; 2]| {
                    army.send_all(world, groups, goal.clone(), *how)
                };
                self.send_all(*groups, *how, false, send)
            }
            Call::DrawUp(groups, line, how) => {
                let send = |army: &mut Army, world: &mut FlowWorld, groups: &[GroupId; 2]| {
                    army.draw_up(world, groups, *line, *how)
                };
                let on_map = |end: [f32; 2]| end.iter().all(|at| at.abs() <= 1e6);
                let is_line = line.left != line.right && on_map(line.left) && on_map(line.right);
                let is_wrong = !is_line || how.formation.is_some();
                let is_sent = self.send_all(*groups, *how, is_wrong, send);
                if is_sent {
                    for nth in *groups {
                        let group = self.group(nth);
                        self.model.group(group).is_formed = false;
                    }
                }
                is_sent
            }
            Call::AimGroup(nth, cell) => self.aim_group(self.group(*nth), *cell),
            Call::Form(nth, shape, spacing) => {
                let group = self.group(*nth);
                let formed = self.army.form(group, *shape, *spacing, &self.world);
                let is_formed = self.of_group(group, formed, false).is_some();
                if is_formed {
                    let has_units = !self.model.members(group).is_empty();
                    self.model.group(group).is_formed |= has_units;
                }
                is_formed
            }
            Call::Disband(nth) => {
                let group = self.group(*nth);
                let done = self.army.disband(group);
                let is_done = self.of_group(group, done, false).is_some();
                if is_done {
                    self.model.group(group).is_formed = false;
                }
                is_done
            }
            Call::Configure(nth, setting) => self.configure(self.group(*nth), setting),
            _ => false,
        }
    }

    fn order(&mut self, mission: &Mission) -> Option<Order> {
        let goal = mission.goal.clone().with_quality(mission.quality);
        let order = self.world.order(goal, &mission.units);
        let order = self.told(order, true)?;
        self.qualities.insert(order.number(), mission.quality);
        self.claims
            .extend(mission.is_claimed.then(|| order.clone()));
        self.note("order", 1);
        Some(order)
    }

    fn target(&mut self, aim: &Aim) -> Target {
        match *aim {
            Aim::Flock => Target::Flock,
            Aim::Stand => Target::Stand,
            Aim::Hold => Target::Hold,
            Aim::Point(place) => Target::Point(place),
            Aim::Follow(unit) => Target::Follow(unit),
            Aim::Pursue(unit, chase) => Target::Pursue(unit, chase),
            Aim::Flee(from, safe) => Target::Flee { from, safe },
            Aim::Order(ref mission) => {
                let order = self.order(mission);
                order.map_or(Target::Stand, Target::Order)
            }
            Aim::Attack(ref mission, chase) => {
                let attack = |order| Target::AttackMove(order, chase);
                self.order(mission).map_or(Target::Stand, attack)
            }
        }
    }

    fn send(&mut self, group: GroupId, aim: &Aim) -> bool {
        let target = self.target(aim);
        let mark = Mark::of(&target);
        let is_back = leads_back(self.layer_of(group), &[mark]);
        let sent = self.army.send(group, target);
        let is_sent = self.of_group(group, sent, is_back).is_some();
        if is_sent {
            assert!(!is_back, "{group} is on another layer");
            self.model.send(group, mark, Vec::new());
            self.note(&format!("to {}", name(aim)), 1);
        }
        is_sent
    }

    fn queue(&mut self, group: GroupId, aim: &Aim) -> bool {
        let target = self.target(aim);
        let mark = Mark::of(&target);
        let is_back = leads_back(self.last_layer(group), &[mark]);
        let queued = self.army.queue(group, target);
        let is_queued = self.of_group(group, queued, is_back).is_some();
        if is_queued {
            assert!(!is_back, "{group} will be on another layer");
            self.model.queue(group, mark);
        }
        is_queued
    }

    fn patrol(&mut self, group: GroupId, aims: &[Aim; 2]) -> bool {
        let targets = [0, 1].map(|at| self.target(&aims[at]));
        let marks = [0, 1].map(|at| Mark::of(&targets[at]));
        let is_back = leads_back(self.layer_of(group), &[marks[0], marks[1], marks[0]]);
        let is_wrong = is_back || !marks.iter().all(|mark| mark.is_stop());
        let patrols = self.army.patrol(group, targets);
        let patrols = self.of_group(group, patrols, is_wrong).is_some();
        if patrols {
            assert!(!is_wrong, "{group} cannot patrol so");
            self.model.send(group, marks[0], vec![marks[1]]);
        }
        patrols
    }

    /// The layer on which a group will be after its queue.
    fn last_layer(&self, group: GroupId) -> LayerId {
        let known = self.model.groups.get(&group);
        let queued = known.and_then(|known| known.queue.iter().rev().find_map(Mark::layer));
        queued.unwrap_or(self.layer_of(group))
    }

    /// Sends two groups by one call, which is to be refused if it is wrong.
    fn send_all(
        &mut self,
        groups: [Nth; 2],
        how: Sending,
        is_wrong: bool,
        send: impl Fn(&mut Army, &mut FlowWorld, &[GroupId; 2]) -> Result<(), ArmyError>,
    ) -> bool {
        let groups = groups.map(|nth| self.group(nth));
        let is_wrong = is_wrong
            || groups[0] == groups[1]
            || groups.iter().any(|id| !self.model.groups.contains_key(id));
        let layers = groups.map(|group| match how.queued {
            true => self.last_layer(group),
            false => self.layer_of(group),
        });
        let sent = send(&mut self.army, &mut self.world, &groups);
        // No order is given where no ground is open.
        let is_order = matches!(sent, Err(ArmyError::Order(_)));
        if self.told(sent, is_wrong || is_order).is_none() {
            return false;
        }
        assert!(
            !is_wrong,
            "a group twice, one that is not there, or no line"
        );
        for (group, layer) in groups.into_iter().zip(layers) {
            let view = self.army.group(group).expect("a group");
            let settings = *self.army.settings(group).expect("a group");
            let last = view.queue().last().filter(|_| how.queued);
            let mark = Mark::of(last.unwrap_or(view.target()));
            match (mark, how.attack) {
                (Mark::Order(_, own), None) | (Mark::Attack(_, own), Some(_)) => {
                    assert_eq!(own, layer);
                }
                _ => panic!("another target: {mark:?}"),
            }
            let has_units = !self.model.members(group).is_empty();
            let known = self.model.group(group);
            known.settings.pace = match known.settings.pace {
                _ if how.together => settings.pace,
                Pace::Shared(_) => Pace::Own,
                pace => pace,
            };
            known.is_formed |= how.formation.is_some() && has_units;
            if how.queued {
                self.model.queue(group, mark);
            } else {
                self.model.send(group, mark, Vec::new());
            }
        }
        if how.together {
            let [one, two] = groups.map(|group| self.model.groups[&group].settings.pace);
            assert!(one == two && matches!(one, Pace::Shared(_)));
            let mut others = self.model.groups.iter();
            let is_own =
                others.all(|(id, group)| groups.contains(id) || group.settings.pace != one);
            assert!(is_own, "others share their pace");
        }
        true
    }

    /// Aims the order of a group elsewhere, and sends the group there.
    fn aim_group(&mut self, group: GroupId, cell: Cell) -> bool {
        let Some(Target::Order(order)) = self.army.target(group) else {
            return false;
        };
        let mut order = order.clone();
        let layer = order.goal().layer();
        let (width, map) = (self.size_of(group), self.map());
        let units = self.army.members(group);
        let units = units.map(|unit| anchor(width, unit.position));
        let units = units.filter(|&cell| map.contains(cell));
        let units: Vec<Cell> = units.take(5).collect();
        let goal = Goal::at(cell).or_nearest().on(layer);
        let aimed = self.world.aim(&mut order, goal, &units);
        self.qualities.remove(&order.number());
        if self.told(aimed, true).is_none() {
            return false;
        }
        let mark = Mark::Order(order.number(), layer);
        let sent = self.army.send(group, order);
        self.told(sent, false);
        self.model.send(group, mark, Vec::new());
        true
    }

    /// Changes one of a group's settings.
    fn configure(&mut self, group: GroupId, setting: &Setting) -> bool {
        let known = self.model.groups.get(&group);
        let mut settings = known.map_or_else(GroupSettings::default, |known| known.settings);
        let mut is_wrong = false;
        match *setting {
            Setting::Layer(layer) => {
                // Units walk on a layer once it is derived.
                let _ = self.world.derive_layer(layer);
                let size = self.world.movement(layer).map_or(1, |it| it.size());
                let mut units = self.model.units.values();
                let widest = f32::from(size) / 2.0;
                let is_wide = units.any(|unit| unit.group == group && unit.radius > widest);
                let has_order = known.is_some_and(|known| known.target.layer().is_some());
                is_wrong = layer != settings.layer && (is_wide || has_order);
                settings.layer = layer;
            }
            Setting::Team(team, foes) => {
                is_wrong = team > 7;
                (settings.team, settings.foes) = (team, foes);
            }
            Setting::Planes(planes) => settings.planes = planes,
            Setting::Rank(rank) => settings.rank = rank,
            Setting::Pace(pace) => settings.pace = pace,
            Setting::Reading(reading) => settings.reading = reading,
            Setting::KeepsWidth(keeps) => settings.keeps_width = keeps,
            Setting::Conduct(conduct) => settings.conduct = conduct,
        }
        let set = self.army.configure(group, settings, &self.world);
        let is_set = self.of_group(group, set, is_wrong).is_some();
        if is_set {
            assert!(!is_wrong, "{group} cannot have {setting:?}");
            settings.foes = settings.foes.without(settings.team);
            self.model.group(group).settings = settings;
            self.note(&format!("set {}", name(setting)), 1);
        }
        is_set
    }

    /// Sends on who pursues or flees, which need not end.
    pub(crate) fn end_errands(&mut self) {
        let groups: Vec<GroupId> = self.model.groups.keys().copied().collect();
        for group in groups {
            if matches!(
                self.model.groups[&group].target,
                Mark::Pursue(_) | Mark::Flee(_)
            ) {
                self.send(group, &Aim::Stand);
            }
        }
    }
}

/// Whether one target after the other leads from another layer to the ground's, which is refused.
fn leads_back(mut layer: LayerId, marks: &[Mark]) -> bool {
    let mut layers = marks.iter().filter_map(Mark::layer);
    layers.any(|next| {
        let is_back = next == LayerId::GROUND && layer != LayerId::GROUND;
        layer = next;
        is_back
    })
}
