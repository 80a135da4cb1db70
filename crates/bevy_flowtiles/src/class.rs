//! The layer and the team of a unit: its class.

use bevy_ecs::component::Component;
use bevy_ecs::world::Ref;
use flowtiles::steer::{ArmyError, GroupId, GroupSettings, Reading, Target};
use flowtiles::{FlowWorld, LayerId, MAX_TEAMS, Teams};

use crate::Battle;
use crate::battle::{Books, FlowArmy};

/// The movement layer on which a unit walks and is sent. Without [`FlowTeam`] its team is that of
/// the id, which [`LayerId::for_team`] sets.
///
/// A unit with a layer or a team is only in groups of its own: in one of another layer or team it
/// stays no longer than until the next tick, which puts it among those of its class that stand.
/// The layer is derived when its first unit comes, which takes as long as building the map: derive
/// it while the map loads. Changes reach the army with the next tick; the unit stands then, until
/// its next order. Removed, the component leaves the unit where it is.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowLayer(pub LayerId);

/// The team of a unit, 0 to 7: gates that are open to it let the unit through. Its foes are all
/// other teams, unless [`FlowArmy::set_foes`] says which; in a group that the game has made itself,
/// those that were set of the group. Without [`FlowLayer`] it walks on the ground.
///
/// Changes reach the army as those of the layer do.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct FlowTeam(pub u8);

/// The components that say the class of a unit.
pub(crate) type ClassRefs<'w> = (Option<Ref<'w, FlowLayer>>, Option<Ref<'w, FlowTeam>>);

/// Returns the layer of a class, as its team sees it; none for units without either component.
pub(crate) fn class_of((layer, team): &ClassRefs<'_>) -> Result<Option<LayerId>, ArmyError> {
    if layer.is_none() && team.is_none() {
        return Ok(None);
    }
    let layer = layer.as_ref().map_or(LayerId::GROUND, |layer| layer.0);
    let team = team.as_ref().map_or(layer.team(), |team| team.0);
    layer.for_team(team).map(Some).ok_or(no_team(team))
}

/// Returns the components that say this class.
pub(crate) fn parts_of(class: Option<LayerId>) -> (Option<FlowLayer>, Option<FlowTeam>) {
    let layer = class.map(|class| FlowLayer(LayerId::from_number(class.number())));
    (layer, class.map(|class| FlowTeam(class.team())))
}

/// The number of a unit without a class.
const NONE: u64 = u64::MAX;

pub(crate) fn number_of(class: Option<LayerId>) -> u64 {
    class.map_or(NONE, |class| {
        u64::from(class.team()) << 16 | u64::from(class.number())
    })
}

/// Returns the class with a number; `None` if none has it.
pub(crate) fn with_number(number: u64) -> Option<Option<LayerId>> {
    if number == NONE {
        return Some(None);
    }
    let team = u8::try_from(number >> 16).ok()?;
    LayerId::from_number(number as u16).for_team(team).map(Some)
}

fn no_team(team: u8) -> ArmyError {
    ArmyError::Group {
        field: "team",
        value: f32::from(team),
        wanted: "a number from 0 to 7",
    }
}

/// Whether units of a class belong in a group; those of none do in each.
fn fits(settings: &GroupSettings, class: Option<LayerId>) -> bool {
    class.is_none_or(|class| settings.layer == class && settings.team == class.team())
}

impl<B: Battle> FlowArmy<B> {
    /// Sets which teams a team takes for foes. From the next tick on all its groups do, whatever
    /// was set of them, and those that come later.
    ///
    /// ```
    /// use bevy_flowtiles::flowtiles::{Teams, steer::Army};
    /// use bevy_flowtiles::FlowArmy;
    ///
    /// let mut army = FlowArmy::new(Army::default());
    /// assert_eq!(army.foes_of(1), Teams::ALL.without(1));
    /// army.set_foes(1, Teams::NONE.with(2))?; // at peace with all others
    /// assert_eq!(army.foes_of(1), Teams::NONE.with(2));
    /// # Ok::<(), bevy_flowtiles::flowtiles::steer::ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such team: 0 to 7 are.
    pub fn set_foes(&mut self, team: u8, foes: Teams) -> Result<(), ArmyError> {
        let set = self.1.get_mut(usize::from(team)).ok_or(no_team(team))?;
        *set = Some(foes.without(team));
        Ok(())
    }

    /// Returns the teams that units with this [`FlowTeam`] take for foes: at first all others.
    /// None, if there is no such team.
    #[must_use]
    pub fn foes_of(&self, team: u8) -> Teams {
        if team >= MAX_TEAMS {
            return Teams::NONE;
        }
        self.1[usize::from(team)].unwrap_or(Teams::ALL.without(team))
    }

    /// Gives all groups the foes that were set of their teams.
    pub(crate) fn apply_foes(&mut self, map: &FlowWorld) {
        if self.1.iter().all(Option::is_none) {
            return;
        }
        for group in self.groups().collect::<Vec<_>>() {
            let Some(mut settings) = self.settings(group).copied() else {
                continue;
            };
            let set = self.1[usize::from(settings.team)];
            if let Some(foes) = set.filter(|&foes| foes != settings.foes) {
                settings.foes = foes;
                // Any group can have any foes.
                let _ = self.configure(group, settings, map);
            }
        }
    }

    /// Adds a group of a class, which stands.
    fn add_class(
        &mut self,
        class: Option<LayerId>,
        map: &mut FlowWorld,
    ) -> Result<GroupId, ArmyError> {
        let group = self.add_group(Target::Stand, Reading::Ahead)?;
        let Some(layer) = class else {
            return Ok(group);
        };
        // The army refuses a layer that is not in the world.
        let _ = map.derive_layer(layer);
        let mut settings = GroupSettings::default();
        (settings.layer, settings.team) = (layer, layer.team());
        settings.foes = self.foes_of(layer.team());
        if let Err(error) = self.configure(group, settings, map) {
            self.remove_group(group)?;
            return Err(error);
        }
        Ok(group)
    }
}

impl Books {
    /// Returns the group for a unit of a class: the wanted one if it is of this class, else the one
    /// for units that were spawned without a group.
    pub(crate) fn group_of<B: Battle>(
        &mut self,
        class: Option<LayerId>,
        wanted: Option<GroupId>,
        army: &mut FlowArmy<B>,
        map: &mut FlowWorld,
    ) -> Result<GroupId, ArmyError> {
        let settings = |group| army.settings(group);
        let is_fit = |&group: &GroupId| settings(group).is_none_or(|of| fits(of, class));
        wanted
            .filter(is_fit)
            .map_or_else(|| self.idle_group(class, army, map), Ok)
    }

    /// Returns the group for units of a class that were spawned without one.
    fn idle_group<B: Battle>(
        &mut self,
        class: Option<LayerId>,
        army: &mut FlowArmy<B>,
        map: &mut FlowWorld,
    ) -> Result<GroupId, ArmyError> {
        let is_fit = |&group: &GroupId| {
            army.settings(group)
                .is_some_and(|settings| fits(settings, class))
        };
        if let Some(group) = self.idle.get(&class).copied().filter(is_fit) {
            return Ok(group);
        }
        let group = army.add_class(class, map)?;
        self.idle.insert(class, group);
        Ok(group)
    }

    /// Notes that a group has an order now, so units without a group join it no more. Returns
    /// whether they did until now.
    pub(crate) fn is_idle_no_more(&mut self, group: GroupId) -> bool {
        let before = self.idle.len();
        self.idle.retain(|_, &mut idle| idle != group);
        self.idle.len() < before
    }
}
