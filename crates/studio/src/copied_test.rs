//! "Copy as test": the order on the page as a Rust test that passes.
//!
//! The test draws the part of the map around the paths in letters. The units
//! are walked again on that part alone, and the test asserts the result: so it
//! passes whatever lies around the part.

use std::fmt::Write;

use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, SECTOR_SIDE};

use crate::reach;
use crate::stage::Stage;
use flowtiles_scenes::walls::cell_of;

/// The most cells along a side of the part.
const SIDE_MAX: i32 = 240;
/// The most units in the test.
const UNITS_MAX: usize = 12;

/// The content of a test.
struct Case {
    part: CellRect,
    costs: CostMap,
    goal: Cell,
    units: Vec<Cell>,
}

/// The test.
///
/// # Errors
/// If there is no order, or its path is too long to be drawn.
pub fn copied(stage: &Stage) -> Result<String, String> {
    let case = Case::of(stage)?;
    let walked = case.walk()?;
    let mut text = String::new();
    let written = case.write(&walked, &mut text);
    written.map_err(|error| error.to_string())?;
    Ok(text)
}

/// The result for a unit: where it ended, and the cost in fifths of an open step;
/// `None` if it did not arrive.
type Walked = Option<(Cell, u64)>;

/// The head of a test.
const HEAD: &str = "
use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Goal, Sample};

/// `.` costs 1, `#` is a wall, a digit or a letter costs what `PRICES` says.
";

/// From letters to costs.
const PRICE: &str = "
#[test]
fn the_way_is_the_one_that_was_seen() {
    let price = |letter| match letter {
        '.' => 1,
        '#' => 255,
        _ => {
            let known = PRICES.iter().find(|known| known.0 == letter);
            known.expect(\"a price\").1
        }
    };
    let rows: Vec<u8> = MAP.iter().flat_map(|row| row.chars()).map(price).collect();
";

/// From the goal and the units to the cells where they end.
const WALK: &str = "    let mut world = FlowWorld::new(costs);
    let order = world.order(goal, &units).expect(\"an order\");
    while world.tick(Budget::UNLIMITED).waiting > 0 {}
    let walked = units.map(|unit| {
        let (mut cell, mut price) = (unit, 0u64);
        while let Some(step) = world.sample(&order, cell).direction() {
            let cost = world.costs().get(cell).map_or(255, Cost::value);
            price += u64::from(cost) * if step.is_diagonal() { 7 } else { 5 };
            cell = cell.step(step);
        }
        (world.sample(&order, cell) == Sample::Arrived).then_some((cell, price))
    });
    // Where each unit ends, and the price of its path in fifths of an open step.
";

impl Case {
    fn of(stage: &Stage) -> Result<Self, String> {
        let (order, goal, mut units) = chosen(stage)?;
        let sectors = stage.run.world.inspect().loaded(order);
        let (width, height) = stage.size();
        let corners = sectors.iter().flat_map(|sector| {
            let (x, y) = (sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
            [
                Cell::new(x, y),
                Cell::new(x + SECTOR_SIDE - 1, y + SECTOR_SIDE - 1),
            ]
        });
        let part = around(corners.chain([goal]).chain(units.iter().copied()));
        let part = part.intersection(CellRect::new(0, 0, width as u32, height as u32));
        if part.width as i32 > SIDE_MAX || part.height as i32 > SIDE_MAX {
            return Err(format!(
                "the way takes {}×{} cells, and a test shows at most {SIDE_MAX}×{SIDE_MAX}: \
                 look at a shorter one",
                part.width, part.height
            ));
        }
        let every = units.len().div_ceil(UNITS_MAX).max(1);
        units = units.into_iter().step_by(every).collect();
        // The test's ground is what the ground is to the order's layer.
        let ground = reach::costs(&stage.run.world, order.goal().layer());
        let rows: Vec<u8> = part
            .cells()
            .map(|cell| ground.get(cell).map_or(255, Cost::value))
            .collect();
        let costs = CostMap::from_rows(part.width, part.height, &rows);
        let moved = |cell: Cell| Cell::new(cell.x - part.x, cell.y - part.y);
        Ok(Self {
            part,
            costs: costs.map_err(|error| error.to_string())?,
            goal: moved(goal),
            units: units.into_iter().map(moved).collect(),
        })
    }

    /// Walks every unit on the part alone.
    fn walk(&self) -> Result<Vec<Walked>, String> {
        let mut world = FlowWorld::new(self.costs.clone());
        let order = world.order(Goal::at(self.goal).or_nearest(), &self.units);
        let order = order.map_err(|error| error.to_string())?;
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        let walk = |&from: &Cell| {
            let (mut cell, mut price) = (from, 0);
            while let Some(step) = world.sample(&order, cell).direction() {
                let cost = self.costs.get(cell).map_or(255, Cost::value);
                price += u64::from(cost) * if step.is_diagonal() { 7 } else { 5 };
                cell = cell.step(step);
            }
            let is_there = world.sample(&order, cell) == flowtiles::Sample::Arrived;
            is_there.then_some((cell, price))
        };
        Ok(self.units.iter().map(walk).collect())
    }

    fn write(&self, walked: &[Walked], text: &mut String) -> std::fmt::Result {
        let CellRect {
            x,
            y,
            width,
            height,
        } = self.part;
        let (right, low) = (x + width as i32, y + height as i32);
        writeln!(
            text,
            "//! A path copied from the inspector: cells {x}..{right} by {y}..{low} of its map."
        )?;
        text.push_str(HEAD);
        writeln!(text, "const MAP: [&str; {height}] = [")?;
        let letters = self.letters();
        for row in 0..height as i32 {
            let cells = (0..width as i32).map(|column| {
                let cost = self.costs.get(Cell::new(column, row));
                letters[usize::from(cost.map_or(255, Cost::value))]
            });
            writeln!(text, "    \"{}\",", cells.collect::<String>())?;
        }
        let prices = (2..255).filter(|&cost| letters[cost] != ' ');
        let prices: Vec<String> = prices
            .map(|cost| format!("('{}', {cost})", letters[cost]))
            .collect();
        let count = prices.len();
        writeln!(
            text,
            "];\n\nconst PRICES: [(char, u8); {count}] = [{}];",
            prices.join(", ")
        )?;
        text.push_str(PRICE);
        let place = |cell: Cell| format!("Cell::new({}, {})", cell.x, cell.y);
        let units: Vec<String> = self.units.iter().map(|&unit| place(unit)).collect();
        writeln!(
            text,
            "    let costs = CostMap::from_rows({width}, {height}, &rows).expect(\"a map\");"
        )?;
        writeln!(text, "    let units = [{}];", units.join(", "))?;
        writeln!(
            text,
            "    let goal = Goal::at({}).or_nearest();",
            place(self.goal)
        )?;
        text.push_str(WALK);
        let ends = walked.iter().map(|walked| match walked {
            Some((cell, price)) => format!("Some(({}, {price}))", place(*cell)),
            None => "None".to_owned(),
        });
        writeln!(
            text,
            "    assert_eq!(walked, [{}]);\n}}",
            ends.collect::<Vec<_>>().join(", ")
        )
    }

    /// Returns a letter for each cost of the part; a space for the others.
    fn letters(&self) -> [char; 256] {
        let mut letters = [' '; 256];
        letters[1] = '.';
        letters[255] = '#';
        let mut spare = ('a'..='z').chain('A'..='Z').chain('\u{c0}'..='\u{1ff}');
        for cost in self.costs.to_rows() {
            let letter = &mut letters[usize::from(cost)];
            if *letter == ' ' {
                *letter = match cost {
                    2..=9 => char::from(b'0' + cost),
                    // There are more letters than costs.
                    _ => spare.next().unwrap_or('?'),
                };
            }
        }
        letters
    }
}

/// Returns the inquiry, or else the first band with an order.
fn chosen(stage: &Stage) -> Result<(&flowtiles::Order, Cell, Vec<Cell>), String> {
    if let Some(timed) = stage.inquiry.timed()
        && !stage.inquiry.sources().is_empty()
    {
        return Ok((&timed.order, timed.goal, stage.inquiry.sources().to_vec()));
    }
    let bands = stage.bands.iter().zip(&stage.run.bands);
    let mut bands = bands.filter_map(|(band, actor)| {
        let units = stage.run.army.units().iter();
        let units = units.filter(|unit| unit.group == actor.group);
        let cells: Vec<Cell> = units.map(|unit| cell_of(unit.position)).collect();
        let timed = band.timed.as_ref()?;
        (!cells.is_empty()).then_some((&timed.order, timed.goal, cells))
    });
    bands.next().ok_or_else(|| {
        "there is no path to copy: in the mode Look set a goal and add a unit".to_owned()
    })
}

/// Returns the smallest area around these cells.
fn around(cells: impl Iterator<Item = Cell>) -> CellRect {
    let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
    for cell in cells {
        low = (low.0.min(cell.x), low.1.min(cell.y));
        high = (high.0.max(cell.x), high.1.max(cell.y));
    }
    CellRect::new(
        low.0,
        low.1,
        (high.0 - low.0 + 1) as u32,
        (high.1 - low.1 + 1) as u32,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generated test, kept so that the compiler and the test runner check it.
    const KEPT: &str = include_str!("../tests/copied_from_the_inspector.rs");

    fn stage() -> Stage {
        let mut map = CostMap::open(50, 30).unwrap();
        for (area, cost) in [
            (CellRect::new(17, 0, 3, 24), Cost::WALL),
            (CellRect::new(28, 10, 4, 20), Cost::new(6).unwrap()),
            (CellRect::new(36, 0, 2, 15), Cost::new(40).unwrap()),
            (CellRect::new(5, 5, 3, 3), Cost::WALL),
            (CellRect::new(6, 6, 1, 1), Cost::OPEN),
        ] {
            map.edit(area, cost).unwrap();
        }
        let mut stage = Stage::of_map(map, String::new());
        let Stage { inquiry, run, .. } = &mut stage;
        for unit in [Cell::new(3, 3), Cell::new(10, 27), Cell::new(6, 6)] {
            inquiry.ask(run, unit).unwrap();
        }
        inquiry.aim(run, Cell::new(45, 5)).unwrap();
        while run.world.tick(Budget::UNLIMITED).waiting > 0 {}
        stage
    }

    /// Removes what a formatter may change.
    fn bare(text: &str) -> String {
        text.chars()
            .filter(|&letter| !letter.is_whitespace() && letter != ',')
            .collect()
    }

    #[test]
    fn the_kept_test_is_what_is_generated() {
        let text = copied(&stage()).unwrap();
        if std::env::var_os("FLOWTILES_KEEP_TEST").is_some() {
            std::fs::write("tests/copied_from_the_inspector.rs", &text).unwrap();
        }
        assert!(
            bare(&text) == bare(KEPT),
            "generate it again with FLOWTILES_KEEP_TEST=1"
        );
        assert!(
            text.contains("(Cell::new(6, 6), 0)"),
            "the walled unit stays"
        );
    }

    #[test]
    fn without_a_way_there_is_no_test() {
        let stage = Stage::of_map(CostMap::open(20, 20).unwrap(), String::new());
        assert!(copied(&stage).unwrap_err().contains("set a goal"));
    }
}
