//! A scene as pictures: the map in light and shadow, faint trails, and a dot
//! for every unit.

use std::collections::BTreeSet;
use std::io;

use flowtiles::steer::{ArmyEvent, Unit, UnitState};
use flowtiles::{Cell, CellRect, Cost, CostMap, Teams};

use super::overlay::{CrowdView, Overlay};
use super::run::SceneRun;
use crate::support::daylight::daylight;
use crate::support::picture::animation::{Frame, to_gif};
use crate::support::picture::{Colour, Picture, lit, mixed};
use flowtiles_scenes::raster::Raster;
use flowtiles_scenes::{Incident, Scene};

/// The most frames of an animation.
const FRAMES: usize = 160;
/// The opacity of a trail, of 255.
const TRAIL: u8 = 105;

const INK: Colour = [28, 30, 36];
const SWAMP: Colour = [84, 78, 44];
/// Where a link begins, and where it ends.
const ENTRY: Colour = [120, 60, 170];
const EXIT: Colour = [40, 150, 140];

/// The look of a film.
#[derive(Clone, Copy)]
pub struct FilmLook {
    /// The crowd's layer that is laid over it.
    pub view: Option<CrowdView>,
    /// The approximate width in pixels.
    pub wide: i32,
}

impl Default for FilmLook {
    fn default() -> Self {
        Self {
            view: None,
            wide: 800,
        }
    }
}

/// A scene being filmed.
pub struct Film {
    /// Pixels a cell.
    scale: i32,
    ground: Picture,
    trails: Raster<(Colour, u8)>,
    /// The last position of each unit, in pixels.
    last: Vec<Option<[f32; 2]>>,
    colours: Vec<Colour>,
    goals: Vec<(Cell, Colour)>,
    overlay: Option<Overlay>,
    moving: bool,
    frames: Vec<Picture>,
    /// Ticks from frame to frame.
    stride: u32,
    /// Hundredths of a second a tick.
    pace: f64,
    still: Option<Picture>,
}

impl Film {
    /// Begins a film of a scene; `moving` keeps the frames of an animation.
    pub fn new(scene: &Scene, moving: bool, look: FilmLook) -> Self {
        let width = scene.costs.width() as i32;
        let scale = (look.wide / width).max(1);
        let mut ground = match &scene.land {
            Some(land) => daylight(land),
            None => paint_map(&scene.costs, scale),
        };
        for &(area, _) in &scene.painted {
            hatch(&mut ground, area, SWAMP, scale);
        }
        for &(area, open_to) in &scene.gates {
            show_gate(&mut ground, scene, area, open_to, scale);
        }
        for link in &scene.links {
            hatch(&mut ground, link.area(), ENTRY, scale);
            hatch(&mut ground, link.end(), EXIT, scale);
        }
        let (across, down) = (ground.colours.width(), ground.colours.height());
        let first = scene.bands.iter().map(|band| (&band.aim, band.colour));
        let later = scene.incidents.iter().filter_map(|(_, incident)| {
            let Incident::Send(band, aim) = incident else {
                return None;
            };
            Some((aim, scene.bands[*band].colour))
        });
        let goals = first.chain(later).flat_map(|(aim, colour)| {
            let goals = aim.goals().to_vec();
            goals.into_iter().map(move |goal| (goal, colour))
        });
        Self {
            scale,
            trails: Raster::filled(across, down, ([0; 3], 0)),
            last: vec![None; scene.bands.iter().map(|band| band.recruits.len()).sum()],
            colours: scene.bands.iter().map(|band| band.colour).collect(),
            goals: goals.collect(),
            ground,
            overlay: look.view.map(|view| {
                let fineness = scene.tuning.settings.resolution as i32;
                Overlay::new(view, fineness)
            }),
            moving,
            frames: Vec::new(),
            stride: 1,
            pace: 100.0 / f64::from(scene.rate),
            still: None,
        }
    }

    /// Records a tick.
    pub fn shoot(&mut self, run: &SceneRun<'_>) {
        let events = run.army.events().iter();
        let entered = events.filter_map(|event| match *event {
            ArmyEvent::Entered { unit, .. } => Some(unit),
            _ => None,
        });
        let entered: BTreeSet<u32> = entered.collect();
        for unit in run.army.units() {
            let place = unit.id as usize;
            if entered.contains(&unit.id) {
                // It has left no trail between the ends of the link.
                self.last[place] = None;
            }
            if unit.state == UnitState::Marching {
                self.tread(place, unit);
            }
        }
        for (when, _) in &run.scene.incidents {
            if run.tick == *when + 1 && run.scene.land.is_none() {
                let gates: Vec<(CellRect, Teams)> = run.gates().collect();
                let costs = match gates.is_empty() {
                    true => run.world.costs(),
                    false => &run.scene.costs,
                };
                self.ground = paint_map(costs, self.scale);
                for &(area, _) in &run.scene.painted {
                    hatch(&mut self.ground, area, SWAMP, self.scale);
                }
                for (area, open_to) in gates {
                    show_gate(&mut self.ground, run.scene, area, open_to, self.scale);
                }
            }
        }
        if self.moving && run.tick % self.stride == 1 % self.stride {
            let frame = self.compose(run);
            self.frames.push(frame);
            if self.frames.len() > FRAMES {
                let mut at = 0;
                self.frames.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.stride *= 2;
            }
        }
    }

    /// Draws the end.
    pub fn finish(&mut self, run: &SceneRun<'_>) {
        if self.moving {
            let frame = self.compose(run);
            self.frames.push(frame);
        }
        self.still = Some(self.compose(run));
    }

    /// The picture of the end.
    ///
    /// # Panics
    /// If the film was not finished.
    pub fn still(&self) -> &Picture {
        self.still.as_ref().expect("a finished film")
    }

    fn pixel(&self, position: [f32; 2]) -> [f32; 2] {
        position.map(|along| along * self.scale as f32)
    }

    /// Draws the path since the last tick.
    fn tread(&mut self, place: usize, unit: &Unit) {
        let [x, y] = self.pixel(unit.position);
        let [from_x, from_y] = self.last[place].unwrap_or([x, y]);
        self.last[place] = Some([x, y]);
        let (dx, dy) = (x - from_x, y - from_y);
        let steps = dx.abs().max(dy.abs()).ceil().clamp(1.0, 64.0) as i32;
        for step in 1..=steps {
            let part = step as f32 / steps as f32;
            let at = Cell::new((from_x + dx * part) as i32, (from_y + dy * part) as i32);
            self.tint(at, self.colours[unit.group.index()]);
        }
    }

    fn tint(&mut self, at: Cell, colour: Colour) {
        let reach = i32::from(self.scale >= 16);
        let pixels = (0..=reach).flat_map(|dy| (0..=reach).map(move |dx| (dx, dy)));
        for (dx, dy) in pixels {
            if let Some((over, strength)) = self.trails.get_mut(Cell::new(at.x + dx, at.y + dy)) {
                let share = if *strength == 0 { 255 } else { 70 };
                *over = mixed(*over, colour, share);
                *strength = strength.saturating_add(22).min(TRAIL);
            }
        }
    }

    fn compose(&mut self, run: &SceneRun<'_>) -> Picture {
        let (trails, ground) = (&self.trails, &self.ground.colours);
        let mut picture = Picture {
            colours: Raster::from_cells(ground.width(), ground.height(), |cell| {
                let (colour, strength) = trails[cell];
                mixed(ground[cell], colour, strength)
            }),
        };
        if let Some(overlay) = &mut self.overlay {
            let view = overlay.view();
            overlay.draw(&mut picture, self.scale, |at| run.value(view, at));
        }
        for &(goal, colour) in &self.goals {
            self.flag(&mut picture, goal, colour);
        }
        for unit in &run.fallen {
            self.cross(&mut picture, unit);
        }
        for unit in run.army.units() {
            self.dot(&mut picture, unit);
        }
        if let Some(overlay) = &self.overlay {
            let group = overlay.view().group;
            overlay.legend(&mut picture, self.colours[group]);
        }
        picture
    }

    /// A goal: a ring in its colour.
    fn flag(&self, picture: &mut Picture, goal: Cell, colour: Colour) {
        let at = |along: i32| along * self.scale + self.scale / 2;
        let centre = Cell::new(at(goal.x), at(goal.y));
        let radius = (self.scale / 2).max(6);
        picture.ring(centre, radius + 1, 4, INK, 200);
        picture.ring(centre, radius, 2, colour, 255);
    }

    /// Where a unit fell: a cross in its colour.
    fn cross(&self, picture: &mut Picture, unit: &Unit) {
        let [x, y] = self.pixel(unit.position).map(|along| along as i32);
        let arm = (self.scale / 2).max(4);
        for along in -arm..=arm {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1)] {
                for across in [along, -along] {
                    let cell = Cell::new(x + along + dx, y + across + dy);
                    picture.lay(cell, self.colours[unit.group.index()], 255);
                }
            }
        }
    }

    /// A unit: a disc with a rim; lighter once it has arrived.
    fn dot(&self, picture: &mut Picture, unit: &Unit) {
        let colour = self.colours[unit.group.index()];
        let colour = if unit.state == UnitState::Arrived {
            lit(colour, 45)
        } else {
            colour
        };
        // Light where the ground may be dark.
        let rim = match self.overlay {
            Some(_) => [255; 3],
            None => INK,
        };
        let radius = (unit.radius * self.scale as f32).max(1.6);
        let [x, y] = self.pixel(unit.position);
        let span = |at: f32| (at - radius - 1.0) as i32..=(at + radius + 1.0) as i32;
        for row in span(y) {
            for column in span(x) {
                let (dx, dy) = (column as f32 + 0.5 - x, row as f32 + 0.5 - y);
                let away = (dx * dx + dy * dy).sqrt();
                let part = |edge: f32| ((edge - away + 0.5).clamp(0.0, 1.0) * 255.0) as u8;
                let cell = Cell::new(column, row);
                picture.lay(cell, rim, part(radius) / 4 * 3);
                picture.lay(cell, colour, part(radius - 0.7));
            }
        }
    }

    /// The bytes of the animation.
    ///
    /// # Errors
    /// If the encoder fails.
    pub fn to_gif(&self) -> io::Result<Vec<u8>> {
        let delay = (self.pace * f64::from(self.stride)).round().clamp(3.0, 8.0) as u16;
        let frames: Vec<Frame<'_>> = self
            .frames
            .iter()
            .enumerate()
            .map(|(at, picture)| Frame {
                picture,
                hundredths: if at + 1 == self.frames.len() {
                    200
                } else {
                    delay
                },
            })
            .collect();
        to_gif(&frames)
    }
}

/// Hatches an area of discomfort.
fn hatch(picture: &mut Picture, area: CellRect, colour: Colour, scale: i32) {
    let (left, top) = (area.x * scale, area.y * scale);
    let (across, down) = (area.width as i32 * scale, area.height as i32 * scale);
    let apart = (scale / 2).max(4);
    for (x, y) in (0..down).flat_map(|y| (0..across).map(move |x| (x, y))) {
        let stroke = (x + y).rem_euclid(apart) < (apart / 6).max(1);
        let strength = if stroke { 130 } else { 40 };
        picture.lay(Cell::new(left + x, top + y), colour, strength);
    }
}

/// Hatches a gate in the colours of the bands to which it is open; in ink if it is closed
/// to all.
fn show_gate(picture: &mut Picture, scene: &Scene, area: CellRect, open_to: Teams, scale: i32) {
    let bands = scene.bands.iter().filter(|band| open_to.has(band.team));
    let mut colours = bands.map(|band| band.colour).peekable();
    if colours.peek().is_none() {
        hatch(picture, area, INK, scale);
    }
    colours.for_each(|colour| hatch(picture, area, colour, scale));
}

/// A plain map: light ground with its grid, hard ground tinted, walls raised.
fn paint_map(costs: &CostMap, scale: i32) -> Picture {
    let (width, height) = (costs.width() as i32 * scale, costs.height() as i32 * scale);
    let cost = |x: i32, y: i32| {
        let cell = Cell::new(x.div_euclid(scale), y.div_euclid(scale));
        costs.get(cell).unwrap_or(Cost::WALL)
    };
    let edge = (scale / 6).max(1);
    Picture {
        colours: Raster::from_cells(width, height, |Cell { x, y }| {
            let wall = |dx: i32, dy: i32| cost(x + dx * edge, y + dy * edge).is_wall();
            let inside = |at: i32, most: i32| at >= 0 && at < most;
            let shade = inside(x - 1, width) && inside(y - 1, height);
            if wall(0, 0) {
                let light = match (wall(-1, -1), wall(1, 1)) {
                    (false, _) => 34,
                    (true, false) => -22,
                    (true, true) => 0,
                };
                return lit([92, 98, 112], light);
            }
            let hard = (cost(x, y).value() - 1).min(9);
            let ground = mixed([240, 235, 221], [150, 128, 84], hard * 24);
            let checker = (x.div_euclid(scale) + y.div_euclid(scale)).rem_euclid(2) == 0;
            let ground = if checker && scale >= 6 {
                lit(ground, -5)
            } else {
                ground
            };
            let shadow = shade && (wall(-1, -1) || wall(-1, 0) || wall(0, -1));
            if shadow {
                mixed(ground, [60, 60, 80], 70)
            } else {
                ground
            }
        }),
    }
}
