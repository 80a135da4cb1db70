//! Entities that stand on the map: buildings, gates, dangers.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::system::{Query, Res, ResMut};
use bevy_ecs::world::{DeferredWorld, Ref};
use bevy_transform::components::Transform;
use flowtiles::{
    Cell, CellRect, Cost, FlowWorld, GateId, LayerId, StampId, StampTemplate, Teams, Turn,
};

use crate::battle::Registry;
use crate::{Battle, FlowError, FlowMap, FlowPlane, FlowRefused, Main};

/// The sixteenths of a cell in its side.
const FINE: f32 = 16.0;

/// The number of an obstacle that has none yet.
const NO_ID: u32 = u32::MAX;

/// Something on the map that an entity stands for: a building, a gate, a danger. With the next
/// tick it is laid where its `Transform` is; it moves with it, and goes with its entity or with
/// this component. Its scale counts for nothing.
///
/// One that cannot be laid, such as off the map, is [refused](FlowRefused) and lies nowhere until
/// it is moved or changed. Obstacles are laid in the order in which they were spawned: have it the
/// same on all machines.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_flowtiles::prelude::*;
/// use bevy_math::Quat;
/// use bevy_transform::components::Transform;
///
/// fn build(mut commands: Commands, plane: Res<FlowPlane>) {
///     let place = plane.to_scene([30.0, 20.0], 0.0);
///     let turned = Transform::from_translation(place).with_rotation(Quat::from_rotation_z(0.4));
///     commands.spawn((FlowObstacle::rectangle([8.0, 4.0]), turned));
/// }
/// # bevy_ecs::system::assert_is_system(build);
/// ```
#[derive(Component, Debug)]
#[component(on_insert = note_obstacle::<B>, on_discard = note_end::<B>)]
#[require(Transform)]
pub struct FlowObstacle<B: Battle = Main> {
    /// What it is. Changes reach the map with the next tick.
    pub shape: FlowShape,
    id: u32,
    /// Where it was laid last, or was to be.
    tried: Option<Result<Place, FlowError>>,
    laid: Option<Laid>,
    battle: PhantomData<B>,
}

/// What an obstacle is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FlowShape {
    /// A polygon, which may have bays, stamped on the map.
    Building {
        /// The corners as they lie without a rotation, eastward and southward from the entity, in
        /// cells. Turned, they are rounded to a sixteenth of a cell.
        corners: Vec<[f32; 2]>,
        /// What cells under it cost.
        cost: Cost,
        /// The width of a rim around it in cells, and what its cells cost.
        rim: Option<(f32, Cost)>,
    },
    /// An area that is open to some teams, and a wall to all others.
    Gate {
        /// The cells, from that in which the entity is.
        area: CellRect,
        /// The teams.
        open_to: Teams,
    },
    /// An area whose cells cost more on a layer. Where several lie, the one that was spawned last
    /// counts. What the game has [set itself](FlowWorld::surcharge) of such cells is lost.
    Danger {
        /// The layer, which was added to the map.
        layer: LayerId,
        /// The cells, from that in which the entity is.
        area: CellRect,
        /// What they cost more.
        surcharge: u8,
    },
}

/// A shape where it lies on the map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    Stamp(Cell, StampTemplate),
    Gate(CellRect, Teams),
    Danger(Danger),
}

/// A layer, an area, and what its cells cost more.
pub(crate) type Danger = (LayerId, CellRect, u8);

/// What of an obstacle is in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Laid {
    Stamp(StampId),
    Gate(GateId),
    Danger,
}

impl FlowObstacle {
    /// Returns a building of these corners, which are eastward and southward from the entity in
    /// cells. They make a polygon without crossing sides, and go around it either way.
    #[must_use]
    pub fn polygon(corners: impl Into<Vec<[f32; 2]>>) -> Self {
        Self::of(FlowShape::Building {
            corners: corners.into(),
            cost: Cost::WALL,
            rim: None,
        })
    }

    /// Returns a rectangular building with the entity in its middle, of this size in cells.
    #[must_use]
    pub fn rectangle([width, height]: [f32; 2]) -> Self {
        let [right, down] = [width / 2.0, height / 2.0];
        Self::polygon([
            [-right, -down],
            [right, -down],
            [right, down],
            [-right, down],
        ])
    }

    /// Returns a gate that is open to these teams. Its area is counted from the cell of the
    /// entity, and does not turn.
    #[must_use]
    pub fn gate(area: CellRect, open_to: Teams) -> Self {
        Self::of(FlowShape::Gate { area, open_to })
    }

    /// Returns an area whose cells cost more on a layer, such as for the range of guns. It is
    /// counted from the cell of the entity, and does not turn.
    #[must_use]
    pub fn danger(layer: LayerId, area: CellRect, surcharge: u8) -> Self {
        Self::of(FlowShape::Danger {
            layer,
            area,
            surcharge,
        })
    }
}

impl<B: Battle> FlowObstacle<B> {
    /// Returns an obstacle of a battle.
    #[must_use]
    pub const fn of(shape: FlowShape) -> Self {
        Self {
            shape,
            id: NO_ID,
            tried: None,
            laid: None,
            battle: PhantomData,
        }
    }

    /// Returns its number: they are counted in the order in which obstacles are spawned. It has
    /// one as soon as it is spawned.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.id
    }

    /// Returns the same obstacle, of another battle.
    pub(crate) fn in_battle<C: Battle>(&self) -> FlowObstacle<C> {
        FlowObstacle {
            id: self.id,
            tried: self.tried.clone(),
            laid: self.laid,
            ..FlowObstacle::of(self.shape.clone())
        }
    }

    /// Returns an obstacle that lies on the map.
    pub(crate) fn known(shape: FlowShape, id: u32, laid: Option<Laid>) -> Self {
        Self {
            id,
            laid,
            ..Self::of(shape)
        }
    }

    pub(crate) const fn laid(&self) -> Option<Laid> {
        self.laid
    }

    /// Notes that it is laid where it is.
    pub(crate) fn settle<C: Battle>(&mut self, at: &Transform, plane: &FlowPlane<C>) {
        self.tried = Some(self.shape.place(at, plane));
    }

    /// Returns the danger that it is, where it lies.
    pub(crate) fn lying_danger(&self) -> Option<Danger> {
        match (self.laid, &self.tried) {
            (Some(Laid::Danger), Some(Ok(Place::Danger(danger)))) => Some(*danger),
            _ => None,
        }
    }
}

impl<B: Battle> Clone for FlowObstacle<B> {
    /// Returns an obstacle of the same shape, which is still to be laid.
    fn clone(&self) -> Self {
        Self::of(self.shape.clone())
    }
}

impl FlowShape {
    /// Returns where it lies on the map.
    fn place<B: Battle>(&self, at: &Transform, plane: &FlowPlane<B>) -> Result<Place, FlowError> {
        let around = |area: CellRect| {
            let [x, y] = plane.to_map(at.translation).map(|at| at.floor() as i32);
            let (x, y) = (area.x.saturating_add(x), area.y.saturating_add(y));
            CellRect { x, y, ..area }
        };
        Ok(match self {
            Self::Building { corners, cost, rim } => {
                let corner = |corner: &[f32; 2]| {
                    let place = at.translation + at.rotation * plane.way_to_scene(*corner);
                    plane.to_map(place).map(|at| (at * FINE).round() as i32)
                };
                let corners: Vec<_> = corners.iter().map(corner).collect();
                let rim = rim.map(|(width, cost)| ((width * FINE).round() as u32, cost));
                let (at, template) = StampTemplate::polygon(&corners, *cost, rim)?;
                Place::Stamp(at, template)
            }
            &Self::Gate { area, open_to } => Place::Gate(around(area), open_to),
            &Self::Danger {
                layer,
                area,
                surcharge,
            } => Place::Danger((layer, around(area), surcharge)),
        })
    }
}

/// Lays obstacles that were spawned, moved or changed, and lifts those that are gone.
pub(crate) fn lay<B: Battle>(
    mut map: ResMut<FlowMap<B>>,
    plane: Res<FlowPlane<B>>,
    mut registry: ResMut<Registry<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    mut obstacles: Query<(Entity, &mut FlowObstacle<B>, Ref<Transform>)>,
) {
    let is_new = !map.1;
    let books = &mut registry.books;
    if is_new {
        books.lifted.clear();
        books.dangers.clear();
    }
    let mut lifted = std::mem::take(&mut books.lifted);
    lifted.sort_unstable_by_key(|&(id, _)| id);
    for (id, laid) in lifted {
        lift(&mut map, (id, laid), &mut books.dangers);
    }
    let changed = obstacles.iter_mut().filter(|(_, obstacle, transform)| {
        // One that was spawned before the plugin was added has no number.
        obstacle.id != NO_ID && (is_new || obstacle.is_changed() || transform.is_changed())
    });
    let mut changed: Vec<_> = changed.collect();
    changed.sort_unstable_by_key(|(_, obstacle, _)| obstacle.id);
    for (entity, mut obstacle, transform) in changed {
        let obstacle = obstacle.bypass_change_detection();
        if is_new {
            (obstacle.tried, obstacle.laid) = (None, None);
        }
        if let Err(error) = move_to(obstacle, &transform, &plane, &mut map, &mut books.dangers) {
            refused.write(FlowRefused::unit(entity, error));
        }
    }
}

/// Lays an obstacle where it is, and lifts it from where it was.
fn move_to<B: Battle>(
    obstacle: &mut FlowObstacle<B>,
    at: &Transform,
    plane: &FlowPlane<B>,
    map: &mut FlowWorld,
    dangers: &mut BTreeMap<u32, Danger>,
) -> Result<(), FlowError> {
    let place = obstacle.shape.place(at, plane);
    if obstacle.tried.as_ref() == Some(&place) {
        return Ok(());
    }
    let before = obstacle.tried.replace(place.clone());
    if let (Some(Ok(Place::Gate(old, _))), Ok(Place::Gate(area, open_to)), Some(Laid::Gate(gate))) =
        (before, &place, obstacle.laid)
        && old == *area
    {
        map.set_gate(gate, *open_to);
        return Ok(());
    }
    if let Some(laid) = obstacle.laid.take() {
        lift(map, (obstacle.id, laid), dangers);
    }
    obstacle.laid = Some(match place? {
        Place::Stamp(at, template) => Laid::Stamp(map.stamp(&template, at, Turn::None)?.0),
        Place::Gate(area, open_to) => Laid::Gate(map.add_gate(area, open_to)?.0),
        Place::Danger(danger @ (layer, area, surcharge)) => {
            map.surcharge(layer, &[(area, surcharge)])?;
            dangers.insert(obstacle.id, danger);
            raise(map, (layer, area), dangers.range(obstacle.id + 1..));
            Laid::Danger
        }
    });
    Ok(())
}

/// Takes out of the map what is there of an obstacle.
fn lift(map: &mut FlowWorld, (id, laid): (u32, Laid), dangers: &mut BTreeMap<u32, Danger>) {
    match laid {
        Laid::Stamp(stamp) => _ = map.unstamp(stamp),
        Laid::Gate(gate) => _ = map.remove_gate(gate),
        Laid::Danger => {
            let Some((layer, area, _)) = dangers.remove(&id) else {
                return;
            };
            // It was laid there, so the map has the layer and the area.
            let _ = map.surcharge(layer, &[(area, 0)]);
            raise(map, (layer, area), dangers.iter());
        }
    }
}

/// Lays dangers again where an area has changed below them.
fn raise<'a>(
    map: &mut FlowWorld,
    (layer, area): (LayerId, CellRect),
    dangers: impl Iterator<Item = (&'a u32, &'a Danger)>,
) {
    let same = dangers.filter(|(_, danger)| danger.0.number() == layer.number());
    let parts = same.map(|(_, danger)| (danger.1.intersection(area), danger.2));
    let parts: Vec<_> = parts.filter(|(part, _)| !part.is_empty()).collect();
    if !parts.is_empty() {
        // They lie there already.
        let _ = map.surcharge(layer, &parts);
    }
}

/// Gives an obstacle its number in the order in which they are spawned.
fn note_obstacle<B: Battle>(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(next) = world
        .get_resource::<Registry<B>>()
        .map(|registry| registry.books.next_obstacle)
    else {
        return;
    };
    let Some(mut obstacle) = world.get_mut::<FlowObstacle<B>>(context.entity) else {
        return;
    };
    let is_known = obstacle.id != NO_ID;
    if !is_known {
        obstacle.id = next;
    }
    let id = obstacle.id;
    if let Some(mut registry) = world.get_resource_mut::<Registry<B>>() {
        registry.obstacles.insert(id, context.entity);
        registry.books.next_obstacle += u32::from(!is_known);
    }
}

/// Notes what is to be lifted of an obstacle that is despawned or replaced.
fn note_end<B: Battle>(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(obstacle) = world.get::<FlowObstacle<B>>(context.entity) else {
        return;
    };
    let (id, laid) = (obstacle.id, obstacle.laid);
    if let Some(mut registry) = world.get_resource_mut::<Registry<B>>() {
        registry.obstacles.remove(&id);
        let lifted = laid.map(|laid| (id, laid));
        registry.books.lifted.extend(lifted);
    }
}
