//! A scene's file, and the scene that it says. `docs/scenes.md` describes the format.

use std::cell::LazyCell;

use flowtiles::steer::MAX_RADIUS;
use flowtiles::{CellRect, FlowWorld, Link};
use flowtiles_country::BANNERS;
use flowtiles_country::random::Random;

use crate::aim::{Aim, ScriptedEvent};
use crate::draw;
use crate::measure::{FIGURES, Kinds, Way};
use crate::scene::{Draw, Scene, SceneOptions};
use crate::walls::{cell_of, is_in_wall};

/// The greatest distance by which a start in a crowd scene is moved along each axis, in
/// thousandths of a cell.
const JITTER: i32 = 100;

/// The most units in a scene.
const MOST_UNITS: usize = 100_000;

/// A scene by its name, as its file says it: without what the seed decides.
pub struct Entry {
    pub name: String,
    text: String,
    said: Scene,
}

impl Scene {
    /// Reads a scene from the text of its file.
    ///
    /// # Errors
    /// If it is not a scene file, with the line and what is wrong there.
    pub fn read(text: &str) -> Result<Self, String> {
        Entry::read("the scene", text)?.scene(&SceneOptions::default())
    }
}

impl Entry {
    /// Reads the text of a scene's file.
    ///
    /// # Errors
    /// If it is no scene's file, with the name, the line, and what is wrong there.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let said = toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = text.bytes().take(error.span().map_or(0, |span| span.start));
            let line = 1 + before.filter(|byte| *byte == b'\n').count();
            format!(
                "{name}: line {line}: {}",
                error.message().replace('\n', " ")
            )
        });
        Ok(Self {
            said: said?,
            name: name.to_owned(),
            text: text.to_owned(),
        })
    }

    /// What is the same from every seed.
    #[must_use]
    pub const fn said(&self) -> &Scene {
        &self.said
    }

    /// Whether the number of its units can be chosen.
    #[must_use]
    pub fn is_sized(&self) -> bool {
        self.said.draw == Some(Draw::Pass)
    }

    /// The scene.
    ///
    /// # Errors
    /// If parts of the file do not fit each other, with its name, the line, and what is
    /// wrong there.
    pub fn scene(&self, asked: &SceneOptions) -> Result<Scene, String> {
        let mut scene = self.said.clone();
        let filled = self
            .fill(&mut scene, asked)
            .and_then(|()| self.check(&scene));
        filled.map_err(|fault| format!("{}: {fault}", self.name))?;
        scene.tuning = asked.tuning.unwrap_or(scene.tuning);
        if scene.crowd {
            vary(&mut scene, asked);
        }
        Ok(scene)
    }

    /// Makes the map and musters the units.
    fn fill(&self, scene: &mut Scene, asked: &SceneOptions) -> Result<(), String> {
        if scene.draw == Some(Draw::Pass) {
            draw::pass(scene, asked.units);
            return Ok(());
        }
        let drawn = scene.map.draw(asked.seed);
        (scene.costs, scene.land) = drawn.map_err(|fault| self.at("[map]", 0, &fault))?;
        if scene.draw == Some(Draw::Camps) {
            let Some(land) = &scene.land else {
                let fault = "camps are drawn in a country: write `country = {}`";
                return Err(self.at("[map]", 0, fault));
            };
            scene.bands = draw::camps(land, &scene.costs, asked.seed);
            return Ok(());
        }
        let costs = &scene.costs;
        let world = LazyCell::new(|| FlowWorld::new(costs.clone()));
        let mut random = Random::new(asked.seed);
        let mut room = MOST_UNITS;
        for (number, band) in scene.bands.iter_mut().enumerate() {
            let fault = |fault: &str| self.at("[[band]]", number, fault);
            for units in &band.units {
                if units.around.is_some_and(|camp| costs.get(camp).is_none()) {
                    return Err(fault("the cell of `around` is off the map"));
                }
                let left = room.checked_sub(units.count());
                room = left
                    .ok_or_else(|| fault(&format!("the scene has more than {MOST_UNITS} units")))?;
                band.recruits
                    .extend(units.recruits(|| &*world, &mut random));
            }
            if band.recruits.is_empty() {
                return Err(fault(
                    "the band has no units: write `units = [{ at = [x, y] }]`",
                ));
            }
            let mut positions = band.recruits.iter().map(|recruit| recruit.position);
            if let Some([x, y]) = positions.find(|at| {
                !at.iter().all(|along| along.is_finite()) || costs.get(cell_of(*at)).is_none()
            }) {
                return Err(fault(&format!("a unit at [{x}, {y}] is off the map")));
            }
            let mut radii = band.recruits.iter().map(|recruit| recruit.radius);
            if let Some(radius) = radii.find(|radius| !(0.0..=MAX_RADIUS).contains(radius)) {
                let wanted = format!("write one from 0 to {MAX_RADIUS}");
                return Err(fault(&format!("a unit has the radius {radius}: {wanted}")));
            }
            band.colour = BANNERS[number % BANNERS.len()];
        }
        if scene.bands.is_empty() {
            return Err("there are no units: write at least one [[band]]".to_owned());
        }
        Ok(())
    }

    /// Checks that what the parts name is there.
    fn check(&self, scene: &Scene) -> Result<(), String> {
        for (number, band) in scene.bands.iter().enumerate() {
            let fault = |fault: String| self.at("[[band]]", number, &fault);
            check_aim(scene, &band.aim).map_err(fault)?;
        }
        for (number, (_, incident)) in scene.incidents.iter().enumerate() {
            let checked = match incident {
                ScriptedEvent::Edit(area, _) => check_area(scene, *area),
                ScriptedEvent::Send(band, aim) => check_number("band", *band, scene.bands.len())
                    .and_then(|()| check_aim(scene, aim)),
                ScriptedEvent::Gate(gate, _) => check_number("gate", *gate, scene.gates.len()),
            };
            checked.map_err(|fault| self.at("[[incident]]", number, &fault))?;
        }
        let check_all = |table: &str, areas: &mut dyn Iterator<Item = CellRect>| {
            let mut areas = areas.enumerate();
            areas.try_for_each(|(number, area)| {
                check_area(scene, area).map_err(|fault| self.at(table, number, &fault))
            })
        };
        check_all("[[gate]]", &mut scene.gates.iter().map(|(area, _)| *area))?;
        check_all("[[link]]", &mut scene.links.iter().map(Link::area))?;
        check_all("painted", &mut scene.painted.iter().map(|(area, _)| *area))?;
        if let Some(watch) = &scene.watch {
            check_all(
                "[watch]",
                &mut [watch.middle].into_iter().chain(watch.window),
            )?;
        }
        for (number, passage) in scene.passages.iter().enumerate() {
            let checked = match &passage.way {
                Way::Areas(areas) => areas.iter().try_for_each(|area| check_area(scene, *area)),
                Way::Link(link) => check_number("link", *link, scene.links.len()),
            };
            checked.map_err(|fault| self.at("[[passage]]", number, &fault))?;
        }
        let areas = scene.measures.iter().map(|measure| measure.area);
        check_all("[[measure]]", &mut areas.flatten())?;
        for (number, measure) in scene.measures.iter().enumerate() {
            let band = measure.band.unwrap_or(0);
            let checked = check_number("band", band, scene.bands.len());
            checked.map_err(|fault| self.at("[[measure]]", number, &fault))?;
        }
        for (number, criterion) in scene.criteria.iter().enumerate() {
            for [measure, figure] in criterion.named() {
                let fault = if !scene.measures.iter().any(|known| known.name == *measure) {
                    format!("there is no measure `{measure}`")
                } else if !FIGURES.contains(&&**figure) {
                    format!("there is no figure `{figure}`: write one of {FIGURES:?}")
                } else {
                    continue;
                };
                return Err(self.at("[[criterion]]", number, &fault));
            }
        }
        if !(scene.metres.is_finite() && scene.metres > 0.0) {
            return Err(format!(
                "a cell is {} metres: write more than 0",
                scene.metres
            ));
        }
        let bands = scene.bands.len();
        if matches!(&scene.kinds, Some(Kinds::Bands(names)) if names.len() != bands) {
            return Err(format!("`kinds` has to name each of the {bands} bands"));
        }
        let mut aims = scene.bands.iter().map(|band| &band.aim);
        if scene.crowd && aims.any(|aim| matches!(aim, Aim::Follow(_) | Aim::Pursue(..))) {
            let fault = "a band of a crowd is also measured alone: it cannot follow or pursue";
            return Err(fault.to_owned());
        }
        Ok(())
    }

    /// A fault, with the line on which the `number`th table of a kind begins.
    fn at(&self, table: &str, number: usize, fault: &str) -> String {
        let lines = (1..).zip(self.text.lines());
        let mut heads = lines.filter(|(_, line)| line.trim_start().starts_with(table));
        match heads.nth(number) {
            Some((line, _)) => format!("line {line}: {fault}"),
            None => format!("{table}: {fault}"),
        }
    }
}

fn check_aim(scene: &Scene, aim: &Aim) -> Result<(), String> {
    if let Aim::Follow(band) | Aim::Pursue(band, _) = aim {
        check_number("band", *band, scene.bands.len())?;
    }
    if matches!(aim, Aim::Tour(stops) | Aim::Patrol(stops) if stops.is_empty()) {
        return Err("the aim has no goals: write them as [[x, y], …]".to_owned());
    }
    let mut goals = aim.goals().iter();
    goals.try_for_each(|goal| check_area(scene, CellRect::from(*goal)))
}

fn check_area(scene: &Scene, area: CellRect) -> Result<(), String> {
    let (width, height) = (scene.costs.width(), scene.costs.height());
    let map = CellRect::new(0, 0, width, height);
    if area.is_empty() || area.intersection(map) != area {
        let fault = format!("{area} does not lie on the map of {width}×{height} cells");
        return Err(fault);
    }
    Ok(())
}

/// Checks the number of one of `count` things.
fn check_number(what: &str, number: usize, count: usize) -> Result<(), String> {
    if number < count {
        return Ok(());
    }
    Err(format!(
        "there is no {what} {number}: they are counted from 0, in their order"
    ))
}

/// Gives the bands of a crowd scene their method, and moves their units by the seed.
fn vary(scene: &mut Scene, asked: &SceneOptions) {
    let mut random = Random::new(asked.seed);
    let mut draw = || random.between(-JITTER, JITTER + 1) as f32 / 1000.0;
    for band in &mut scene.bands {
        band.reading = asked.method.reading();
        for recruit in &mut band.recruits {
            let [x, y] = recruit.position;
            let moved = [x + draw(), y + draw()];
            if !is_in_wall(&scene.costs, moved, recruit.radius) {
                recruit.position = moved;
            }
        }
    }
}
