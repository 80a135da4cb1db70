//! A scene as pictures: the part of the map that units use, in light and shadow, faint
//! trails, and a dot for every unit; above them what it shows, below them the tick and how
//! many have arrived.

use std::io;

use flowtiles::inspect::{Detail, Overlay, Subject, draw};
use flowtiles::steer::{ArmyEvent, Unit, UnitState};
use flowtiles::{Cell, CellRect, FlowWorld};
use flowtiles_country::Colour;
use flowtiles_country::daylight::daylight;
use flowtiles_country::picture::{Picture, mixed};
use flowtiles_country::raster::Raster;
use flowtiles_scenes::{Scene, ScriptedEvent};

use super::overlay::CrowdDrawing;
use super::run::{Gauge, Run};
use crate::support::animation::{Frame, to_gif};
use crate::support::drawing::colours::{DARK, INK, PAPER, SOFT};
use crate::support::drawing::marks;
use crate::support::drawing::{Form, Pixel, Surface, Zoom};
use crate::support::figures::Figures;
use crate::support::font::{self, Size};
use indicatif::ProgressBar;

/// The most frames of an animation.
const FRAMES: usize = 160;
/// The opacity of a trail, of 255.
const TRAIL: u8 = 105;

/// The space around the words above and below a picture, and the least pixels across them.
const SPACE: i32 = 8;
const WORDS: i32 = 240;
/// The most pixels a cell.
const CLOSE: i32 = 40;
const SWAMP: Colour = [84, 78, 44];
/// Where a link begins, and where it ends.
const ENTRY: Colour = [120, 60, 170];
const EXIT: Colour = [40, 150, 140];

/// A scene being filmed.
pub struct Film {
    /// Whether all frames are kept, and not only the end.
    pub is_moving: bool,
    pub overlay: Option<CrowdDrawing>,
    /// The scene's name, and what it shows.
    words: [String; 2],
    /// Its ticks so far.
    pub bar: ProgressBar,
    /// The part of the map that is shown, and pixels a cell.
    view: CellRect,
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

impl Gauge for Film {
    fn observe(&mut self, run: &Run<'_>) {
        self.bar.set_position(run.play.tick.into());
        for event in run.play.army.events() {
            if let ArmyEvent::Entered { unit, .. } = *event {
                // It has left no trail between the ends of the link.
                self.last[unit as usize] = None;
            }
        }
        for unit in run.play.army.units() {
            if unit.state == UnitState::Marching {
                self.tread(unit, run.colour_of(unit));
            }
        }
        let mut incidents = run.scene.incidents.iter();
        if incidents.any(|(when, _)| run.play.tick == *when + 1) {
            self.ground = None;
        }
        if self.is_moving && run.play.tick % self.stride == 1 % self.stride {
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

    fn finish(&mut self, run: &Run<'_>) -> Figures {
        let frame = self.compose(run);
        self.frames.push(frame);
        Figures::default()
    }
}

impl Film {
    /// Begins a film of a part of a scene, about `wide` pixels across.
    pub fn new(scene: &Scene, words: [String; 2], view: CellRect, wide: u16) -> Self {
        let (width, height) = (view.width as i32, view.height as i32);
        let scale = match &scene.land {
            Some(_) => 1,
            None => (i32::from(wide) / width)
                .min(i32::from(wide) / height)
                .clamp(1, CLOSE),
        };
        Self {
            is_moving: false,
            overlay: None,
            words,
            bar: ProgressBar::hidden(),
            view,
            scale,
            ground: None,
            trails: Raster::filled(width * scale, height * scale, (INK, 0)),
            last: vec![None; scene.bands.iter().map(|band| band.recruits.len()).sum()],
            frames: Vec::new(),
            stride: 1,
            pace: 100.0 / f64::from(scene.rate),
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
        let [x, y] = place(unit.position, self.view, self.scale);
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
        let (trails, view, scale) = (&self.trails, self.view, self.scale);
        let ground = self.ground.get_or_insert_with(|| ground(run, view, scale));
        let pixel = |cell| {
            let (colour, strength) = trails[cell];
            mixed(ground.colours[cell], colour, strength)
        };
        let mut picture = Picture {
            colours: Raster::from_cells(trails.width(), trails.height(), pixel),
        };
        if let Some(overlay) = &mut self.overlay {
            overlay.draw(&mut picture, view, scale, run);
        }
        let bands = &run.scene.bands;
        let first = bands.iter().map(|band| (&band.aim, band.colour));
        let later = run.scene.incidents.iter();
        let later = later.filter_map(|(_, incident)| match incident {
            ScriptedEvent::Send(band, aim) => Some((aim, bands[*band].colour)),
            _ => None,
        });
        // Goals and where units fell are rings in their colours.
        let middle = |cell: &Cell| [cell.x, cell.y].map(|at| at as f32 + 0.5);
        for (aim, colour) in first.chain(later) {
            let goals = aim.goals().iter();
            goals.for_each(|goal| {
                let at = place(middle(goal), view, scale);
                marks::goal(&mut picture, at, ring_of(scale), (colour, u8::MAX));
            });
        }
        for unit in &run.fallen {
            let at = place(unit.position, view, scale);
            fallen(&mut picture, at, run.colour_of(unit), scale);
        }
        // Light where the ground may be dark.
        let rim = if self.overlay.is_some() {
            [255; 3]
        } else {
            DARK
        };
        for unit in run.play.army.units() {
            let colour = match unit.state {
                UnitState::Arrived => mixed(run.colour_of(unit), [255; 3], 56),
                _ => run.colour_of(unit),
            };
            let at = place(unit.position, view, scale);
            dot(&mut picture, unit, at, [rim, colour], scale);
        }
        if let Some(overlay) = &self.overlay {
            overlay.legend(&mut picture, run.scene);
        }
        captioned(&picture, &self.words, run)
    }
}

/// The pixel of a position.
fn place(position: [f32; 2], view: CellRect, scale: i32) -> [f32; 2] {
    let corner = [view.x as f32, view.y as f32];
    std::array::from_fn(|axis| (position[axis] - corner[axis]) * scale as f32)
}

/// A picture with a scene's name and what it shows above, and how far it is below.
fn captioned(picture: &Picture, [name, about]: &[String; 2], run: &Run<'_>) -> Picture {
    let line = Size::Small.height() as i32 + 2 * SPACE;
    let [bold, plain] = [(Size::Large, name), (Size::Small, about)];
    let wide = |(size, text): (Size, &String)| font::width(text, size) as i32;
    let (across, down) = (picture.colours.width(), picture.colours.height());
    let all = across.max(wide(bold) + wide(plain) + 4 * SPACE).max(WORDS);
    let mut sheet = Picture::filled(all, down + 2 * line, PAPER);
    let left = (all - across) / 2;
    for pixel in picture.colours.cells() {
        let to = Cell::new(pixel.x + left, pixel.y + line);
        sheet.lay(to, picture.colours[pixel], u8::MAX);
    }
    // Both sizes stand on one line.
    let low = line - SPACE;
    let top = |size: Size| low - size.base() as i32;
    sheet.write_text(Cell::new(SPACE, top(bold.0)), name, bold.0, INK);
    let after = Cell::new(wide(bold) + 2 * SPACE, top(plain.0));
    sheet.write_text(after, about, plain.0, SOFT);
    let seconds = f64::from(run.play.tick) / f64::from(run.scene.rate);
    let ticks = format!("tick {}, {seconds:.1} s", run.play.tick);
    let (there, units) = (run.count(UnitState::Arrived), run.before.len());
    let counted = format!("{there} of {units} arrived");
    let row = down + line + SPACE;
    sheet.write_text(Cell::new(SPACE, row), &ticks, Size::Small, INK);
    let right = all - SPACE - font::width(&counted, Size::Small) as i32;
    sheet.write_text(Cell::new(right, row), &counted, Size::Small, INK);
    sheet
}

fn ring_of(scale: i32) -> f32 {
    (scale as f32 / 2.0).max(6.0)
}

/// Where a unit fell.
fn fallen(picture: &mut Picture, at: [f32; 2], colour: Colour, scale: i32) {
    picture.put(Form::Ring(at, ring_of(scale), 4.0), (DARK, 200));
    picture.put(Form::Ring(at, ring_of(scale), 2.0), (colour, u8::MAX));
}

/// A unit: a disc with a rim; where it is large enough, with light from the north-west, and a
/// light spot on the side to which it goes.
fn dot(picture: &mut Picture, unit: &Unit, at: Pixel, [rim, colour]: [Colour; 2], scale: i32) {
    let radius = (unit.radius * scale as f32).max(1.6);
    picture.put(Form::Disc(at, radius), (rim, 190));
    picture.put(Form::Disc(at, radius - 0.8), (colour, u8::MAX));
    if radius > 4.0 {
        let lit = at.map(|along| along - 0.3 * radius);
        picture.put(Form::Disc(lit, 0.35 * radius), ([255; 3], 40));
        let [vx, vy] = unit.velocity;
        let pace = vx.hypot(vy);
        if pace > 0.1 && unit.state == UnitState::Marching {
            let ahead = radius * 0.5 / pace;
            let nose = [at[0] + vx * ahead, at[1] + vy * ahead];
            picture.put(Form::Disc(nose, radius * 0.22), ([255; 3], 190));
        }
    }
}

/// The ground as it is now, with painted areas, links, and gates, these in the colours of the
/// bands to which they are open.
fn ground(run: &Run<'_>, view: CellRect, scale: i32) -> Picture {
    let gates = run.play.gates();
    let mut picture = match &run.scene.land {
        Some(land) => daylight(land, view),
        // Closed gates are no walls.
        None if !gates.is_empty() => {
            paint_map(&FlowWorld::new(run.scene.costs.clone()), view, scale)
        }
        None => paint_map(&run.play.world, view, scale),
    };
    let mut hatch = |area, colour| hatch(&mut picture, area, colour, view, scale);
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

fn hatch(picture: &mut Picture, area: CellRect, colour: Colour, view: CellRect, scale: i32) {
    let [x, y] = [area.x - view.x, area.y - view.y].map(|at| at * scale);
    let [across, down] = [area.width, area.height].map(|along| along * scale as u32);
    let pixels = CellRect::new(x, y, across, down);
    let apart = (scale / 2).max(4);
    for pixel in pixels.cells() {
        let is_stroke = (pixel.x + pixel.y).rem_euclid(apart) < (apart / 6).max(1);
        picture.lay(pixel, colour, if is_stroke { 130 } else { 40 });
    }
}

/// A part of a plain map in light from the north-west, with its grid.
fn paint_map(world: &FlowWorld, view: CellRect, scale: i32) -> Picture {
    let size = [view.width, view.height].map(|cells| cells as i32 * scale);
    let mut picture = Picture::filled(size[0], size[1], PAPER);
    let zoom = Zoom {
        corner: [view.x as f32, view.y as f32],
        at: [0.0; 2],
        pixels: scale as f32,
        size: size.map(|length| length as f32),
    };
    let ground = draw(&Subject::of(world), view, &[Overlay::Cost], Detail::Cells);
    marks::draw_all(&mut picture, zoom, &ground);
    if scale >= 6 {
        for cell in view.cells().filter(|cell| (cell.x + cell.y) % 2 == 0) {
            let at = zoom.place([cell.x as f32, cell.y as f32]);
            picture.put(Form::Rect(at, [scale as f32; 2]), ([0; 3], 8));
        }
    }
    picture
}
