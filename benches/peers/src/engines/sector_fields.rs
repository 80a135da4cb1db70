//! The crate `bevy_flowfield_tiles_plugin`, which works by the same method.

use std::fmt::Write;
use std::fs::{self, File};
use std::time::Duration;

use bevy_flowfield_tiles_plugin::bundle::FlowFieldTiles;
use bevy_flowfield_tiles_plugin::flowfields::fields::FieldCell;
use bevy_flowfield_tiles_plugin::flowfields::fields::flow_field::FlowField;
use bevy_flowfield_tiles_plugin::flowfields::fields::integration_field::IntegrationField;
use bevy_flowfield_tiles_plugin::flowfields::route::RouteStep;
use bevy_flowfield_tiles_plugin::flowfields::sectors::SectorID;
use bevy_flowfield_tiles_plugin::flowfields::sectors::sector_cost::SectorCostFields;
use bevy_math::Vec2;
use flowtiles::Cell;
use flowtiles_peers::clock;

use crate::engine::Engine;
use crate::ground::Ground;

/// The number of cells along the side of its sectors.
const SECTOR: i32 = 10;
/// The rounds over the sectors of an order when they are rebuilt.
const ROUNDS: usize = 5;

/// `bevy_flowfield_tiles_plugin` without an app.
pub struct SectorFields {
    tiles: FlowFieldTiles,
    ground: Ground,
}

/// The place of a unit, and the present step of its route.
pub struct Probe {
    step: usize,
    cell: Cell,
    position: Vec2,
}

fn sector_of(cell: Cell) -> SectorID {
    SectorID::new(cell.x / SECTOR, cell.y / SECTOR)
}

fn slot_of(cell: Cell) -> FieldCell {
    FieldCell::new((cell.x % SECTOR) as usize, (cell.y % SECTOR) as usize)
}

impl SectorFields {
    /// Computes the integration field and the flow field of each step, like the
    /// crate's system for queued routes: from the goal to the start.
    fn fields(&self, route: &[RouteStep]) -> Vec<FlowField> {
        let costs = self
            .tiles
            .sector_cost_fields
            .read()
            .expect("no panic held it");
        let costs = costs.get_scaled_costs();
        let mut integrations: Vec<IntegrationField> = Vec::new();
        for step in route.iter().rev() {
            let costs = &costs[step.get_sector()];
            let mut integration = IntegrationField::init(costs, step);
            integration.build(costs);
            integrations.push(integration);
        }
        let mut flows = Vec::new();
        for (at, step) in route.iter().rev().enumerate() {
            let before = at.checked_sub(1).map(|before| &integrations[before]);
            let mut flow = FlowField::new(step, &integrations[at], before);
            flow.build(&integrations[at]);
            flows.push(flow);
        }
        flows
    }

    fn position(&self, cell: Cell) -> Vec2 {
        let (width, height) = self.tiles.get_dimensions().get_size();
        let (x, y) = (cell.x as f32 + 0.5, cell.y as f32 + 0.5);
        Vec2::new(x - width / 2.0, height / 2.0 - y)
    }

    /// Takes one step like the crate's example for steering: `Ok(None)` if the
    /// goal is in sight. Moves `at` on along the route when the sector has
    /// changed.
    fn steer(
        &self,
        route: &[RouteStep],
        at: &mut usize,
        cell: Cell,
    ) -> Result<Option<(i32, i32)>, String> {
        let sector = sector_of(cell);
        while route
            .get(*at)
            .is_some_and(|step| *step.get_sector() != sector)
        {
            *at += 1;
        }
        let step = route.get(*at).ok_or("left its route")?;
        let field = self.tiles.read_flowfield(step).ok_or("had no field")?;
        if field.has_los(&slot_of(cell)) {
            return Ok(None);
        }
        let direction = field.get_2d_dir(&slot_of(cell)).ok_or("had no direction")?;
        Ok(Some((direction.x as i32, -direction.y as i32)))
    }
}

impl SectorFields {
    /// Reads the direction of a unit on this step of its route.
    fn read(&self, step: &RouteStep, sector: SectorID, slot: FieldCell) -> u32 {
        if *step.get_sector() != sector {
            return 9;
        }
        let Some(field) = self.tiles.read_flowfield(step) else {
            return 9;
        };
        if field.has_los(&slot) {
            return 8;
        }
        let direction = field.get_2d_dir(&slot);
        direction.map_or(9, |to| (to.x + 2.0 * to.y + 3.0) as u32)
    }
}

/// Returns the text from which the crate reads its costs.
fn costs_as_text(ground: &Ground, width: i32, height: i32) -> String {
    let mut text = String::from("(baseline:{");
    for column in 0..width / SECTOR {
        for row in 0..height / SECTOR {
            let _ = write!(text, "(column:{column},row:{row}):(field:(");
            for slot in 0..SECTOR * SECTOR {
                let (x, y) = (
                    column * SECTOR + slot % SECTOR,
                    row * SECTOR + slot / SECTOR,
                );
                let _ = write!(text, "{},", ground.cost(Cell::new(x, y)));
            }
            text.push_str(")),");
        }
    }
    text.push_str("})");
    text
}

/// Returns the cells of a straight line, without the first.
fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs());
    let at = |step: i32, delta: i32| (2 * step * delta + steps * delta.signum()) / (2 * steps);
    (1..=steps)
        .map(|step| Cell::new(from.x + at(step, dx), from.y + at(step, dy)))
        .collect()
}

impl Engine for SectorFields {
    type Order = Vec<RouteStep>;
    type Probe = Probe;

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        let up = |side: i32| (side + SECTOR - 1) / SECTOR * SECTOR;
        let (width, height) = (up(ground.width), up(ground.height));
        let name = format!("flowtiles-peers-{}.ron", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, costs_as_text(ground, width, height))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let (parsed, reading) = clock::on_thread(|| {
            let file = File::open(&path).expect("it was written just now");
            ron::de::from_reader::<_, SectorCostFields>(file).map(|_| ())
        });
        let (tiles, all) = clock::on_thread(|| {
            let size = (width as f32, height as f32);
            FlowFieldTiles::from_ron((0.0, 0.0), size, 1.0, 0.5, &path.to_string_lossy())
        });
        let _ = fs::remove_file(&path);
        parsed.map_err(|error| error.to_string())?;
        let ground = ground.clone();
        Ok((Self { tiles, ground }, all.saturating_sub(reading)))
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<Vec<RouteStep>> {
        let route = {
            let costs = self
                .tiles
                .sector_cost_fields
                .read()
                .expect("no panic held it");
            let portals = self.tiles.portals.read().expect("no panic held it");
            portals.find_path(
                &sector_of(from),
                &slot_of(from),
                &sector_of(to),
                &slot_of(to),
                &costs,
            )?
        };
        let fields = self.fields(&route);
        for (step, field) in route.iter().rev().zip(fields) {
            self.tiles.flowfield_cache.insert(step, field);
        }
        Some(route)
    }

    fn walk(&self, route: &Vec<RouteStep>, from: Cell, to: Cell) -> Result<Vec<Cell>, String> {
        let mut way = vec![from];
        let (mut unit, mut at) = (from, 0);
        while unit != to {
            let Some((dx, dy)) = self.steer(route, &mut at, unit)? else {
                way.extend(line(unit, to));
                break;
            };
            unit = Cell::new(unit.x + dx, unit.y + dy);
            if !self.ground.is_open(unit) {
                return Err("walked into a wall".into());
            }
            way.push(unit);
            if way.len() > self.ground.costs.len() {
                return Err("went in circles".into());
            }
        }
        Ok(way)
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        let sector = sector_of(cell);
        let mut costs = self
            .tiles
            .sector_cost_fields
            .write()
            .expect("no panic held it");
        costs.set_field_cost(&sector, &slot_of(cell), cost, &self.tiles.dimensions);
        let mut portals = self.tiles.portals.write().expect("no panic held it");
        portals.update_portals(&sector, &costs);
    }

    fn rebuild(&mut self, route: &Vec<RouteStep>) -> Option<(usize, Duration)> {
        let (rebuilt, time) = clock::on_thread(|| {
            let rounds = (0..ROUNDS).map(|_| std::hint::black_box(self.fields(route)).len());
            rounds.sum()
        });
        Some((rebuilt, time))
    }

    fn probes(&self, route: &Vec<RouteStep>, way: &[Cell]) -> Vec<Probe> {
        let mut at = 0;
        way.iter()
            .map_while(|&cell| {
                self.steer(route, &mut at, cell).ok()?;
                let position = self.position(cell);
                Some(Probe {
                    step: at,
                    cell,
                    position,
                })
            })
            .collect()
    }

    fn look_up(&self, route: &Vec<RouteStep>, probe: &Probe) -> u32 {
        self.read(
            &route[probe.step],
            sector_of(probe.cell),
            slot_of(probe.cell),
        )
    }

    fn look_up_position(&self, route: &Vec<RouteStep>, probe: &Probe) -> u32 {
        let dimensions = self.tiles.get_dimensions();
        match dimensions.get_sector_and_field_cell_from_xy(probe.position) {
            Some((sector, slot)) => self.read(&route[probe.step], sector, slot),
            None => 9,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_straight_and_whole() {
        let at = Cell::new;
        assert_eq!(line(at(3, 3), at(5, 4)), [at(4, 4), at(5, 4)]);
        assert_eq!(line(at(3, 3), at(1, 3)), [at(2, 3), at(1, 3)]);
        assert_eq!(line(at(3, 3), at(3, 3)), []);
        assert_eq!(line(at(0, 0), at(-2, -2)), [at(-1, -1), at(-2, -2)]);
    }
}
