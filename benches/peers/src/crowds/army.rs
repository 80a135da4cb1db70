//! The army of flowtiles.

use std::time::Duration;

use flowtiles::steer::{Army, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, FlowWorld};
use flowtiles_peers::clock;

use super::engine::{Engine, STEP};
use super::scenes::{RADIUS, SPEED, Scene};

/// An army with the default settings.
pub struct Marching {
    world: FlowWorld,
    army: Army,
    there: Vec<bool>,
}

impl Marching {
    pub fn new(scene: &Scene, reading: Reading) -> Self {
        let mut world = FlowWorld::new(scene.map.clone());
        let mut army = Army::default();
        let groups: Vec<_> = (0..scene.groups.len())
            .map(|group| {
                let order = scene.order(&mut world, group);
                let target = order.map_or(Target::Hold, Target::Order);
                army.add_group(target, reading).expect("groups are few")
            })
            .collect();
        for (id, body) in (0..).zip(&scene.bodies) {
            let unit = Unit::new(id, groups[body.group], body.start);
            let unit = unit.with_radius(RADIUS).with_speed(SPEED);
            army.add(unit).expect("ids differ");
        }
        Self {
            world,
            army,
            there: vec![false; scene.bodies.len()],
        }
    }
}

impl Engine for Marching {
    fn step(&mut self) -> Duration {
        let Self { world, army, there } = self;
        world.tick(Budget::UNLIMITED);
        let ((), time) = clock::on_thread(|| army.step(world, STEP));
        army.cover_strays(world);
        for (unit, there) in army.units().iter().zip(there) {
            *there |= unit.state == UnitState::Arrived;
        }
        time
    }

    fn positions(&self, positions: &mut Vec<[f32; 2]>) {
        positions.clear();
        // By id after a step, which is the order of the scene.
        positions.extend(self.army.units().iter().map(|unit| unit.position));
    }

    fn there(&self) -> &[bool] {
        &self.there
    }
}
