//! What a unit is about: its order, where it will stop, and its foes.

use parking_lot::RwLock;

use super::Army;
use crate::cost::Teams;
use crate::order::Order;
use crate::steer::groups::Target;
use crate::steer::motion::Foes;
use crate::steer::units::{MOST, Unit};
use crate::vector::lesser;

/// The units that are foes of others, sorted by team and place when first asked for after a
/// change. A clone is empty.
#[derive(Default)]
pub(super) struct Sightings {
    known: RwLock<Option<Known>>,
}

struct Known {
    /// The changes of the units and of the groups that are taken into account.
    changes: [u64; 2],
    foes: Foes,
}

impl Clone for Sightings {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What a unit is about.
impl Army {
    /// Returns the order along which a unit goes: that of its group's target, or the one that
    /// the army made for a pursuit or a flight. `None` if it goes along none.
    #[must_use]
    pub fn order_of(&self, id: u32) -> Option<&Order> {
        let unit = self.roster.get(id)?;
        self.groups.all()[unit.group.index()].order()
    }

    /// Returns where a unit is to stop, as far as that is known now: at its place if it
    /// [holds](Target::Hold) that, at the point or the goal of its group's target, and at
    /// which of several goal cells once it is about to arrive. It may stop beside it, next to
    /// others. `None` if its target is no place.
    #[must_use]
    pub fn stop_of(&self, id: u32) -> Option<[f32; 2]> {
        let unit = self.roster.get(id)?;
        let group = &self.groups.all()[unit.group.index()];
        match &group.target {
            Target::Hold => Some(unit.memory.home),
            Target::Point(point) => Some(*point),
            Target::Order(order) | Target::AttackMove(order, _) => {
                let cell = unit.memory.end.unwrap_or_else(|| order.goal().cell());
                Some(cell.centre())
            }
            _ => None,
        }
    }
}

/// Foes: the units of the teams that a group takes for [foes](crate::steer::GroupSettings::foes).
impl Army {
    /// Returns the foe nearest to a unit within a distance, by the middles and through walls
    /// (on the whole map with `f32::INFINITY`); of several at one distance the one with the lowest
    /// id. Returns `None` if it has no such foe, or if the army has no such unit.
    ///
    /// The first question after a change of the army sorts the units that are foes of
    /// others; each further one looks only at those that are near.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyError, Reading, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld, Teams};
    ///
    /// let world = FlowWorld::new(CostMap::open(20, 10)?);
    /// let mut army = Army::default();
    /// for (team, x) in [(0, 5.5), (1, 9.5), (1, 7.5)].into_iter() {
    ///     let group = army.add_group(Target::Hold, Reading::Ahead)?;
    ///     let mut settings = *army.settings(group).expect("it was added");
    ///     (settings.team, settings.foes) = (team, Teams::ALL);
    ///     army.configure(group, settings, &world)?;
    ///     army.add(Unit::new(x as u32, group, [x, 5.5]))?;
    /// }
    /// assert_eq!(army.nearest_foe(5, 3.0).map(|foe| foe.id), Some(7));
    /// assert_eq!(army.nearest_foe(5, 1.0), None);
    /// assert_eq!(army.nearest_foe(9, f32::INFINITY).map(|foe| foe.id), Some(5)); // 7 is of its own team
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest_foe(&self, id: u32, within: f32) -> Option<&Unit> {
        let unit = self.roster.get(id)?;
        let foes = self.groups.all()[unit.group.index()].settings.foes;
        if within.is_nan() || within < 0.0 || foes == Teams::NONE {
            return None;
        }
        // No two units are farther apart.
        let within = lesser(within, 4.0 * MOST);
        let found = self.sighted(|all| all.nearest(foes, unit.position, within, |_| true))?;
        self.roster.get(found.id)
    }

    /// Returns the foe to which a unit goes: the quarry of its group's
    /// [pursuit](Target::Pursue), or the foe for which it has left the march of an
    /// [attack](Target::AttackMove). `None` if it goes to none, or if there is no such unit.
    #[must_use]
    pub fn foe_of(&self, id: u32) -> Option<&Unit> {
        let unit = self.roster.get(id)?;
        let group = &self.groups.all()[unit.group.index()];
        let foe = match group.target {
            Target::Pursue(quarry, _) => quarry,
            Target::AttackMove(_, chase) => {
                let charge = group.errand.as_ref()?.charges.get(&id)?;
                let foe = self.roster.get(charge.foe)?;
                charge
                    .is_within(chase.leash, foe.position)
                    .then_some(foe.id)?
            }
            _ => return None,
        };
        self.roster.get(foe).filter(|foe| foe.id != id)
    }

    fn sighted<T>(&self, ask: impl FnOnce(&Foes) -> T) -> T {
        let changes = [self.roster.changes(), self.groups.changes()];
        let known = self.sightings.known.read();
        if let Some(known) = known.as_ref().filter(|known| known.changes == changes) {
            return ask(&known.foes);
        }
        drop(known);
        let mut known = self.sightings.known.write();
        let mut foes = known.take().map_or_else(Foes::default, |known| known.foes);
        foes.gather(self.groups.all(), self.roster.units(), |_| true);
        let answer = ask(&foes);
        *known = Some(Known { changes, foes });
        answer
    }
}
