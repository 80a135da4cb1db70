//! What units see.

use bevy_ecs::component::Component;
use bevy_ecs::query::With;
use bevy_ecs::system::{Query, Res, ResMut};
use flowtiles::steer::Unit;

use crate::battle::Registry;
use crate::{Battle, FlowArmy, FlowMap, FlowUnit};

/// How far a unit sees, in cells: each tick shows its team what lies within, if the team has
/// [fog](flowtiles::FlowWorld::add_fog), before orders are carried out. The team is that of the
/// unit's class, [`FlowTeam`](crate::FlowTeam). Without this component it sees the ground beside it.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_flowtiles::prelude::*;
/// use bevy_transform::components::Transform;
///
/// /// All that team 1 has not seen is open ground to it.
/// fn begin(mut map: ResMut<FlowMap>, plane: Res<FlowPlane>, mut commands: Commands) {
///     map.add_fog(1).expect("a team from 1 to 7, without fog");
///     let all = map.costs().area();
///     map.forget(1, &[all], Cost::OPEN).expect("it has fog");
///     let place = Transform::from_translation(plane.to_scene([5.5, 12.5], 0.0));
///     commands.spawn((FlowUnit::new(0.35, 4.0), FlowTeam(1), FlowSight(12), place));
/// }
/// # bevy_ecs::system::assert_is_system(begin);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct FlowSight(pub u32);

/// Shows teams with fog what their units see.
pub(crate) fn look<B: Battle>(
    mut map: ResMut<FlowMap<B>>,
    army: Res<FlowArmy<B>>,
    registry: Res<Registry<B>>,
    sights: Query<&FlowSight, With<FlowUnit<B>>>,
) {
    let sight = |unit: &Unit| {
        let entity = registry.entities.get(&unit.id)?;
        Some(sights.get(*entity).ok()?.0)
    };
    army.look(&mut map, |unit| sight(unit).unwrap_or_default());
}
