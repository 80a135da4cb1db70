//! The map of a scene's file.

use flowtiles::{CellRect, Cost, CostMap, FlowWorld};
use serde::Deserialize;

use flowtiles_country::landscape::Landscape;
use flowtiles_country::random::Random;

/// How many places are tried for each rock.
const TRIES: u32 = 100;

/// A map as it is written.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapText {
    rows: Option<Vec<String>>,
    size: Option<[u32; 2]>,
    country: Option<CountryText>,
    ground: Option<Cost>,
    areas: Vec<Area>,
    rocks: Option<Rocks>,
}

/// A country, of the scene's seed if it has none.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountryText {
    seed: Option<u64>,
}

/// An area and its cost.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Area {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    #[serde(default = "wall")]
    cost: Cost,
}

/// Walls at random places.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rocks {
    count: u16,
    /// The least, and the first that is too great: of their north-western corners…
    x: [u16; 2],
    y: [u16; 2],
    /// … and of their sides, which are 1 if nothing is said.
    width: Option<[u16; 2]>,
    height: Option<[u16; 2]>,
    /// Whether they leave all open cells in one piece.
    #[serde(default)]
    joined: bool,
}

/// The most cells of a map, and the most that putting rocks may look at.
const MOST_CELLS: u64 = 1 << 26;

const fn wall() -> Cost {
    Cost::WALL
}

impl MapText {
    /// The costs, and the country if it is one.
    pub fn draw(&self, seed: u64) -> Result<(CostMap, Option<Landscape>), String> {
        let country = self.country.as_ref();
        let land = country.map(|country| Landscape::draw(country.seed.unwrap_or(seed)));
        let mut costs = match (&self.rows, self.size, &land) {
            (Some(rows), None, None) => from_rows(rows)?,
            (None, Some([width, height]), None) => {
                if u64::from(width) * u64::from(height) > MOST_CELLS {
                    return Err(format!(
                        "a map of {width}×{height} cells is too large: write a `size` of at most \
                         {MOST_CELLS} cells"
                    ));
                }
                let mut costs = CostMap::open(width, height).map_err(text)?;
                let all = CellRect::new(0, 0, width, height);
                costs
                    .edit(all, self.ground.unwrap_or(Cost::OPEN))
                    .map_err(text)?;
                costs
            }
            (None, None, Some(land)) => land.costs().map_err(text)?,
            _ => return Err("write one of `rows`, `size` and `country`".to_owned()),
        };
        for area in &self.areas {
            let rect = CellRect::new(area.x, area.y, area.width, area.height);
            costs.edit(rect, area.cost).map_err(text)?;
        }
        if let Some(rocks) = &self.rocks {
            rocks.strew(&mut costs, seed)?;
        }
        Ok((costs, land))
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn from_rows(rows: &[String]) -> Result<CostMap, String> {
    let width = rows.first().map_or(0, |row| row.chars().count());
    let mut costs = Vec::new();
    for (number, row) in (1..).zip(rows) {
        if row.chars().count() != width {
            let fault =
                format!("row {number} is not as long as the first, which has {width} cells");
            return Err(fault);
        }
        for letter in row.chars() {
            costs.push(match letter {
                '.' => Cost::OPEN.value(),
                '#' => Cost::WALL.value(),
                '1'..='9' => letter as u8 - b'0',
                _ => {
                    let wanted = "write `.` for open ground, `#` for a wall, or a cost 1 to 9";
                    return Err(format!("row {number} has the letter `{letter}`: {wanted}"));
                }
            });
        }
    }
    CostMap::from_rows(width as u32, rows.len() as u32, &costs).map_err(text)
}

impl Rocks {
    fn strew(&self, costs: &mut CostMap, seed: u64) -> Result<(), String> {
        let cells = u64::from(costs.width()) * u64::from(costs.height());
        if u64::from(self.count) * cells > MOST_CELLS {
            return Err("there are too many rocks for so large a map: write fewer".to_owned());
        }
        let mut random = Random::new(seed);
        let mut draw = |[from, until]: [u16; 2]| random.between(i32::from(from), i32::from(until));
        let mut tries = TRIES * u32::from(self.count);
        let mut put = 0;
        while put < self.count {
            let (x, y) = (draw(self.x), draw(self.y));
            let mut side = |range: Option<[u16; 2]>| range.map_or(1, |range| draw(range) as u32);
            let rock = CellRect::new(x, y, side(self.width), side(self.height));
            let mut tried = costs.clone();
            tried.edit(rock, Cost::WALL).map_err(text)?;
            if !self.joined || holds_together(&tried) {
                *costs = tried;
                put += 1;
            }
            tries -= 1;
            if tries == 0 && put < self.count {
                return Err(format!("there is room for {put} rocks only"));
            }
        }
        Ok(())
    }
}

/// Whether all open cells are one island.
fn holds_together(costs: &CostMap) -> bool {
    let world = FlowWorld::new(costs.clone());
    world.inspect().stats().islands == 1
}
