//! Where the map lies in the scene.

use std::marker::PhantomData;

use bevy_ecs::resource::Resource;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use flowtiles::MapTransform;

use crate::{Battle, Main};

/// The plane on which units walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Lie {
    /// That of a 2D scene: x and y.
    #[default]
    Flat,
    /// The ground of a 3D scene: x and z, with y upward.
    Ground,
}

/// Where the map lies in the scene, and how units are turned.
#[derive(Resource, Debug)]
pub struct FlowPlane<B: Battle = Main> {
    /// From positions on the plane into cells.
    pub map: MapTransform,
    /// The plane.
    pub lie: Lie,
    /// The third coordinate of a unit that is spawned without one.
    pub height: f32,
    /// Whether units are turned to where they go: in 2D their x axis, in 3D their forward.
    pub turns: bool,
    battle: PhantomData<B>,
}

impl<B: Battle> Clone for FlowPlane<B> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl FlowPlane {
    /// Returns the plane of a 2D scene: the map's north-west corner is at the origin, its rows
    /// go down, and a cell is a unit of length.
    #[must_use]
    pub fn flat() -> Self {
        Self::of(Lie::Flat)
    }

    /// Returns the ground of a 3D scene: the map's north-west corner is at the origin, its
    /// rows go along z, and a cell is a unit of length.
    #[must_use]
    pub fn ground() -> Self {
        Self::of(Lie::Ground)
    }
}

impl<B: Battle> FlowPlane<B> {
    /// Returns the plane of a battle; see [`flat`](FlowPlane::flat) and
    /// [`ground`](FlowPlane::ground).
    #[must_use]
    pub fn of(lie: Lie) -> Self {
        Self {
            map: MapTransform {
                is_flipped: [false, lie == Lie::Flat],
                ..MapTransform::default()
            },
            lie,
            height: 0.0,
            turns: true,
            battle: PhantomData,
        }
    }

    /// Returns the plane with cells of this size, and the map's north-west corner here.
    #[must_use]
    pub const fn with_cells(mut self, origin: [f32; 2], size: f32) -> Self {
        self.map.origin = origin;
        self.map.cell_size = size;
        self
    }

    /// Returns the position on the map, in cells, of a place in the scene.
    #[must_use]
    pub fn to_map(&self, place: Vec3) -> [f32; 2] {
        self.map.to_map(match self.lie {
            Lie::Flat => [place.x, place.y],
            Lie::Ground => [place.x, place.z],
        })
    }

    /// Returns the place in the scene of a position on the map, at this height.
    #[must_use]
    pub fn to_scene(&self, position: [f32; 2], height: f32) -> Vec3 {
        self.raised(self.map.to_world(position), height)
    }

    /// Returns the direction in the scene of a velocity or heading on the map.
    #[must_use]
    pub fn way_to_scene(&self, way: [f32; 2]) -> Vec3 {
        self.raised(self.map.velocity_to_world(way), 0.0)
    }

    /// Returns the transform that a unit had, or the one of a unit without, at a position.
    pub(crate) fn placed(&self, position: [f32; 2], old: Option<Transform>) -> Transform {
        let height = old.map_or(self.height, |old| self.height_of(old.translation));
        let translation = self.to_scene(position, height);
        Transform {
            translation,
            ..old.unwrap_or_default()
        }
    }

    /// The coordinate that walking does not change.
    pub(crate) const fn height_of(&self, place: Vec3) -> f32 {
        match self.lie {
            Lie::Flat => place.z,
            Lie::Ground => place.y,
        }
    }

    pub(crate) fn rotation(&self, heading: [f32; 2]) -> Quat {
        let way = self.way_to_scene(heading);
        match self.lie {
            Lie::Flat => Quat::from_rotation_z(way.y.atan2(way.x)),
            Lie::Ground => Quat::from_rotation_y((-way.x).atan2(-way.z)),
        }
    }

    const fn raised(&self, [x, y]: [f32; 2], height: f32) -> Vec3 {
        match self.lie {
            Lie::Flat => Vec3::new(x, y, height),
            Lie::Ground => Vec3::new(x, height, y),
        }
    }
}
