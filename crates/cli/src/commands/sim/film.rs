//! A scene as pictures: the map in light and shadow, faint trails, and a dot for every unit.

use std::io;

use flowtiles::steer::{ArmyEvent, Unit, UnitState};
use flowtiles::{Cell, CellRect, Cost, CostMap};
use flowtiles_scenes::raster::Raster;
use flowtiles_scenes::{Incident, Scene};

use super::overlay::Overlay;
use super::run::Run;
use crate::support::daylight::daylight;
use crate::support::picture::animation::{Frame, to_gif};
use crate::support::picture::{Colour, Picture, lit, mixed};

/// The most frames of an animation.
const FRAMES: usize = 160;
/// The opacity of a trail, of 255.
const TRAIL: u8 = 105;

pub const INK: Colour = [28, 30, 36];
pub const PAPER: Colour = [250, 248, 242];
const WALL: Colour = [92, 98, 112];
const SWAMP: Colour = [84, 78, 44];
/// Where a link begins, and where it ends.
const ENTRY: Colour = [120, 60, 170];
const EXIT: Colour = [40, 150, 140];

/// A scene being filmed.
pub struct Film {
    /// Whether all frames are kept, and not only the end.
    pub is_moving: bool,
    /// The last tick that is shown.
    pub until: u32,
    pub overlay: Option<Overlay>,
    /// Pixels a cell.
    scale: i32,
    ground: Option<Picture>,
    trails: Raster<(Colour, u8)>,
    /// The last position of each unit, in pixels.
    last: Vec<Option<[f32; 2]>>,
    frames: Vec<Picture>,
    /// Ticks from frame to frame.
    stride: u32,
    /// Hundredths of a second a tick.
    pace: f64,
}

impl Film {
    /// Begins a film of a scene, about `wide` pixels across.
    pub fn new(scene: &Scene, wide: u16) -> Self {
        let (width, height) = (scene.costs.width() as i32, scene.costs.height() as i32);
        let scale = match &scene.land {
            Some(_) => 1,
            None => (i32::from(wide) / width)
                .min(i32::from(u16::MAX) / height)
                .max(1),
        };
        Self {
            is_moving: false,
            until: u32::MAX,
            overlay: None,
            scale,
            ground: None,
            trails: Raster::filled(width * scale, height * scale, (INK, 0)),
            last: vec![None; scene.bands.iter().map(|band| band.recruits.len()).sum()],
            frames: Vec::new(),
            stride: 1,
            pace: 100.0 / f64::from(scene.rate),
        }
    }

    /// Takes a tick.
    pub fn shoot(&mut self, run: &Run<'_>) {
        if run.tick > self.until {
            return;
        }
        for event in run.army.events() {
            if let ArmyEvent::Entered { unit, .. } = *event {
                // It has left no trail between the ends of the link.
                self.last[unit as usize] = None;
            }
        }
        for unit in run.army.units() {
            if unit.state == UnitState::Marching {
                self.tread(unit, run.colour_of(unit));
            }
        }
        let mut incidents = run.scene.incidents.iter();
        if incidents.any(|(when, _)| run.tick == *when + 1) {
            self.ground = None;
        }
        let is_due = self.is_moving && run.tick % self.stride == 1 % self.stride;
        if is_due || run.tick == self.until {
            let frame = self.compose(run);
            self.frames.push(frame);
        }
        if self.frames.len() > FRAMES {
            let mut count = 0;
            self.frames.retain(|_| {
                count += 1;
                count % 2 == 1
            });
            self.stride *= 2;
        }
    }

    /// Draws the end.
    pub fn finish(&mut self, run: &Run<'_>) {
        if run.tick < self.until || self.frames.is_empty() {
            let frame = self.compose(run);
            self.frames.push(frame);
        }
    }

    /// The picture of the end.
    ///
    /// # Panics
    /// If the film was not finished.
    pub fn still(&self) -> &Picture {
        self.frames.last().expect("a finished film")
    }

    /// The bytes of the animation.
    ///
    /// # Errors
    /// If the encoder fails.
    pub fn to_gif(&self) -> io::Result<Vec<u8>> {
        let delay = (self.pace * f64::from(self.stride)).round();
        let hundredths = delay.clamp(3.0, 8.0) as u16;
        let frame = |picture| Frame {
            picture,
            hundredths,
        };
        let mut frames: Vec<Frame<'_>> = self.frames.iter().map(frame).collect();
        if let Some(end) = frames.last_mut() {
            end.hundredths = 200;
        }
        to_gif(&frames)
    }

    /// Draws the path since the last tick.
    fn tread(&mut self, unit: &Unit, colour: Colour) {
        let [x, y] = unit.position.map(|along| along * self.scale as f32);
        let last = self.last[unit.id as usize].replace([x, y]);
        let [from_x, from_y] = last.unwrap_or([x, y]);
        let (dx, dy) = (x - from_x, y - from_y);
        let steps = dx.abs().max(dy.abs()).ceil().clamp(1.0, 64.0) as i32;
        for step in 1..=steps {
            let part = step as f32 / steps as f32;
            let at = Cell::new((from_x + dx * part) as i32, (from_y + dy * part) as i32);
            if let Some((over, strength)) = self.trails.get_mut(at) {
                *over = mixed(*over, colour, if *strength == 0 { 255 } else { 70 });
                *strength = strength.saturating_add(22).min(TRAIL);
            }
        }
    }

    fn compose(&mut self, run: &Run<'_>) -> Picture {
        let (trails, scale) = (&self.trails, self.scale);
        let ground = self.ground.get_or_insert_with(|| ground(run, scale));
        let pixel = |cell| {
            let (colour, strength) = trails[cell];
            mixed(ground.colours[cell], colour, strength)
        };
        let mut picture = Picture {
            colours: Raster::from_cells(trails.width(), trails.height(), pixel),
        };
        if let Some(overlay) = &mut self.overlay {
            overlay.draw(&mut picture, scale, run);
        }
        let bands = &run.scene.bands;
        let first = bands.iter().map(|band| (&band.aim, band.colour));
        let later = run.scene.incidents.iter();
        let later = later.filter_map(|(_, incident)| match incident {
            Incident::Send(band, aim) => Some((aim, bands[*band].colour)),
            _ => None,
        });
        // Goals and where units fell are rings in their colours.
        let middle = |cell: &Cell| [cell.x, cell.y].map(|at| at as f32 + 0.5);
        for (aim, colour) in first.chain(later) {
            let goals = aim.goals().iter();
            goals.for_each(|goal| ring(&mut picture, middle(goal), colour, scale));
        }
        for unit in &run.fallen {
            ring(&mut picture, unit.position, run.colour_of(unit), scale);
        }
        // Light where the ground may be dark.
        let rim = if self.overlay.is_some() {
            [255; 3]
        } else {
            INK
        };
        for unit in run.army.units() {
            let light = 45 * i32::from(unit.state == UnitState::Arrived);
            let colours = [rim, lit(run.colour_of(unit), light)];
            dot(&mut picture, unit, colours, scale);
        }
        if let Some(overlay) = &self.overlay {
            overlay.legend(&mut picture, run.scene);
        }
        picture
    }
}

fn ring(picture: &mut Picture, position: [f32; 2], colour: Colour, scale: i32) {
    let [x, y] = position.map(|along| (along * scale as f32) as i32);
    let radius = (scale / 2).max(6);
    picture.ring(Cell::new(x, y), radius + 1, 4, INK, 200);
    picture.ring(Cell::new(x, y), radius, 2, colour, 255);
}

/// A unit: a disc with a rim.
fn dot(picture: &mut Picture, unit: &Unit, [rim, colour]: [Colour; 2], scale: i32) {
    let radius = (unit.radius * scale as f32).max(1.6);
    let [x, y] = unit.position.map(|along| along * scale as f32);
    let span = |at: f32| (at - radius - 1.0) as i32..=(at + radius + 1.0) as i32;
    for cell in span(y).flat_map(|row| span(x).map(move |column| Cell::new(column, row))) {
        let (dx, dy) = (cell.x as f32 + 0.5 - x, cell.y as f32 + 0.5 - y);
        let away = (dx * dx + dy * dy).sqrt();
        let part = |edge: f32| ((edge - away + 0.5).clamp(0.0, 1.0) * 255.0) as u8;
        picture.lay(cell, rim, part(radius) / 4 * 3);
        picture.lay(cell, colour, part(radius - 0.7));
    }
}

/// The ground as it is now, with painted areas, links, and gates, these in the colours of the
/// bands to which they are open.
fn ground(run: &Run<'_>, scale: i32) -> Picture {
    let gates = run.gates();
    let mut picture = match &run.scene.land {
        Some(land) => daylight(land),
        // Closed gates are no walls.
        None if !gates.is_empty() => paint_map(&run.scene.costs, scale),
        None => paint_map(run.world.costs(), scale),
    };
    let mut hatch = |area, colour| hatch(&mut picture, area, colour, scale);
    for &(area, _) in &run.scene.painted {
        hatch(area, SWAMP);
    }
    for link in &run.scene.links {
        hatch(link.area(), ENTRY);
        hatch(link.end(), EXIT);
    }
    for (area, open_to) in gates {
        hatch(area, INK);
        let bands = run.scene.bands.iter();
        let open = bands.filter(|band| open_to.has(band.team));
        open.for_each(|band| hatch(area, band.colour));
    }
    picture
}

fn hatch(picture: &mut Picture, area: CellRect, colour: Colour, scale: i32) {
    let [x, y] = [area.x, area.y].map(|at| at * scale);
    let [across, down] = [area.width, area.height].map(|along| along * scale as u32);
    let pixels = CellRect::new(x, y, across, down);
    let apart = (scale / 2).max(4);
    for pixel in pixels.cells() {
        let is_stroke = (pixel.x + pixel.y).rem_euclid(apart) < (apart / 6).max(1);
        picture.lay(pixel, colour, if is_stroke { 130 } else { 40 });
    }
}

/// A plain map in light from the north-west: open ground with its grid, hard ground tinted,
/// walls raised.
fn paint_map(costs: &CostMap, scale: i32) -> Picture {
    let (width, height) = (costs.width() as i32 * scale, costs.height() as i32 * scale);
    let edge = (scale / 6).max(1);
    let pixel = |Cell { x, y }: Cell| {
        let cost = |offset: i32| {
            let [x, y] = [x + offset, y + offset].map(|pixel| pixel.div_euclid(scale));
            costs.get(Cell::new(x, y)).unwrap_or(Cost::WALL)
        };
        let height = |offset| i32::from(cost(offset).is_wall());
        let (slope, cost) = (height(edge) - height(-edge), cost(0));
        if cost.is_wall() {
            return lit(WALL, 30 * slope);
        }
        let hard = (cost.value() - 1).min(9) * 24;
        let ground = mixed([240, 235, 221], [150, 128, 84], hard);
        let is_dark = scale >= 6 && (x / scale + y / scale) % 2 == 0;
        lit(ground, if is_dark { -5 } else { 0 } + 40 * slope.min(0))
    };
    Picture {
        colours: Raster::from_cells(width, height, pixel),
    }
}
