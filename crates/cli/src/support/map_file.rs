//! Map files as arguments: any format, with the costs of letters, names and colours.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use flowtiles::{Cell, Cost, CostMap};
use flowtiles_formats::{
    self as formats, Format, Heights, Lack, LdtkChoice, LoadedMap, MapReader, Names, Palette,
    ReadError, ScenarioEntry, Terrain,
};

use crate::support::failure::Failure;

/// A map on disk, with the costs of its letters, names and colours.
#[derive(clap::Args)]
pub struct MapFile {
    /// A map file: Moving AI `.map`, text `.txt`, `.flow`, `.png`, Tiled `.tmx`
    /// and `.tmj`, or LDtk `.ldtk`
    pub map: PathBuf,
    #[command(flatten)]
    options: MapOptions,
}

/// The options for reading a map file.
#[derive(clap::Args)]
pub struct MapOptions {
    /// The format of the map, whatever its name and first bytes say
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    map_format: Option<Format>,
    #[command(flatten)]
    kinds: Kinds,
}

/// The costs of the letters of a Moving AI map, of names and of the colours of a picture,
/// and what is read of an LDtk project.
#[derive(clap::Args)]
pub struct Kinds {
    /// Cost of a letter of a Moving AI map, or of a value of LDtk by its name, 1
    /// to 255 (255 is a wall); may be given again. Without it: `.` and `G` 1, `S`
    /// 3, and `@`, `O`, `T`, `W` walls; usual names as `grass` 1, `mud` 3, and
    /// `wall`, `water` walls
    #[arg(long = "cost", value_name = "NAME=COST", value_parser = name_cost)]
    costs: Vec<(String, Cost)>,
    /// The level, or the world, of an LDtk project to read. Without it: all levels
    /// of its only world, side by side
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
    /// The int-grid layer of an LDtk project to read. Without it: all, one over
    /// the other
    #[arg(long, value_name = "NAME")]
    int_grid: Option<String>,
    /// What the colours of a PNG cost: a text file with lines `#rrggbb COST`.
    /// Without it a PNG is grey, from 255 (open) down to 0 (wall)
    #[arg(long, value_name = "FILE")]
    palette: Option<PathBuf>,
    #[command(flatten)]
    slopes: Slopes,
}

/// How a PNG is read as a height map.
#[derive(clap::Args)]
struct Slopes {
    /// Read a grey PNG, of 8 or 16 bits a pixel, as heights: the metres along a
    /// side of a cell, and the metres of a grey step
    #[arg(long, value_name = "CELL,STEP", value_parser = metres, conflicts_with = "palette")]
    heights: Option<(f64, f64)>,
    /// The steepest slope of a height map that is open, in percent; above it are
    /// walls
    #[arg(long, value_name = "PERCENT", requires = "heights", default_value = "70",
        value_parser = positive)]
    steepest: f64,
    /// The cost of the steepest slope of a height map; flat ground costs 1
    #[arg(long, value_name = "COST", requires = "heights", default_value = "8",
        value_parser = cost)]
    dearest: Cost,
    /// What lies lower on a height map, in metres above grey 0, is a wall
    #[arg(long, value_name = "METRES", requires = "heights", value_parser = positive)]
    water: Option<f64>,
}

impl Slopes {
    fn rule(&self) -> Option<Heights> {
        let (cell, step) = self.heights?;
        let heights = Heights::new(cell, step).with_steepest(self.steepest / 100.0);
        let heights = heights.with_dearest(self.dearest);
        Some(
            self.water
                .map_or(heights, |level| heights.with_water(level)),
        )
    }
}

impl MapFile {
    /// Reads the costs of the map.
    pub fn read(&self) -> Result<CostMap, Failure> {
        Ok(self.load()?.costs)
    }

    /// Reads the map with all contents of its file.
    pub fn load(&self) -> Result<LoadedMap, Failure> {
        self.options.load(&self.map)
    }
}

impl MapOptions {
    /// The first option that is given, if any.
    pub fn given(&self) -> Option<&'static str> {
        let Self { map_format, kinds } = self;
        let options = [
            ("--map-format", map_format.is_some()),
            ("--cost", !kinds.costs.is_empty()),
            ("--level", kinds.level.is_some()),
            ("--int-grid", kinds.int_grid.is_some()),
            ("--palette", kinds.has_palette()),
            ("--heights", kinds.has_heights()),
        ];
        let given = options.into_iter().find(|(_, is_given)| *is_given);
        given.map(|(option, _)| option)
    }

    /// Reads a map with all contents of its file.
    pub fn load(&self, map: &Path) -> Result<LoadedMap, Failure> {
        let loaded = self.kinds.load(map, self.map_format)?;
        self.kinds.check_use(map, loaded.format)?;
        Ok(loaded)
    }
}

impl Kinds {
    /// Reads a map of a format, or of the format detected.
    pub fn load(&self, map: &Path, format: Option<Format>) -> Result<LoadedMap, Failure> {
        let mut kinds = formats::Kinds::new().with_terrain(self.terrain());
        let names = self.costs.iter();
        kinds = kinds.with_names(names.fold(Names::usual(), |names, (name, cost)| {
            names.with(name, *cost)
        }));
        if let Some(path) = &self.palette {
            kinds = kinds.with_palette(palette(path)?);
        }
        if let Some(heights) = self.slopes.rule() {
            kinds = kinds.with_heights(heights);
        }
        let choice = LdtkChoice {
            level: self.level.clone(),
            layer: self.int_grid.clone(),
        };
        let mut reader = MapReader::new().with_kinds(kinds).with_choice(choice);
        if let Some(format) = format {
            reader = reader.with_format(format);
        }
        load(&reader, map)
    }

    /// Refuses options that do not apply to maps of a format.
    pub fn check_use(&self, map: &Path, format: Format) -> Result<(), Failure> {
        let is_lettered = matches!(format, Format::MovingAi | Format::Ldtk);
        if !self.costs.is_empty() && !is_lettered {
            let what = "letters of Moving AI maps and names of LDtk";
            return Err(unused("--cost", what, map, format));
        }
        self.check_input(map, format)
    }

    /// Refuses options that do not apply to reading maps of a format, except letters, which
    /// may be those of a map that is written.
    pub fn check_input(&self, map: &Path, format: Format) -> Result<(), Failure> {
        let (is_ldtk, is_png) = (format == Format::Ldtk, format == Format::Png);
        let has_names = self.costs.iter().any(|(name, _)| name.len() > 1);
        for (option, what, is_given, is_used) in [
            (
                "--cost with more than a letter",
                "LDtk projects",
                has_names,
                is_ldtk,
            ),
            ("--level", "LDtk projects", self.level.is_some(), is_ldtk),
            (
                "--int-grid",
                "LDtk projects",
                self.int_grid.is_some(),
                is_ldtk,
            ),
            ("--palette", "PNG maps", self.has_palette(), is_png),
            ("--heights", "PNG maps", self.has_heights(), is_png),
        ] {
            if is_given && !is_used {
                return Err(unused(option, what, map, format));
            }
        }
        Ok(())
    }

    /// Whether pictures are read with a palette.
    pub const fn has_palette(&self) -> bool {
        self.palette.is_some()
    }

    /// Whether pictures are read as height maps.
    pub const fn has_heights(&self) -> bool {
        self.slopes.heights.is_some()
    }

    /// The letters and their costs.
    pub fn terrain(&self) -> Terrain {
        let named = self.costs.iter();
        named.fold(Terrain::game(), |terrain, (name, cost)| {
            match *name.as_bytes() {
                [letter] => terrain.with(letter, *cost),
                _ => terrain,
            }
        })
    }
}

fn unused(option: &str, what: &str, map: &Path, format: Format) -> Failure {
    let fault = format_args!("{option} is for {what}, and this map is .{format}: leave it out");
    Failure::in_file(map, fault)
}

/// Reads the costs of a map that is in memory, under the name of its file.
pub fn costs_of(name: &str, bytes: &[u8]) -> Result<CostMap, Failure> {
    let name = Path::new(name);
    let costs = MapReader::new().read_named(name, bytes);
    costs.map_err(|error| {
        let advice = advice(&error, "flowtiles inspect MAP ").unwrap_or_default();
        Failure::in_file(name, format_args!("{error}{advice}"))
    })
}

/// Reads a map file.
pub fn load(reader: &MapReader, map: &Path) -> Result<LoadedMap, Failure> {
    reader.read_file(map).map_err(|error| {
        let advice = advice(&error, "").unwrap_or_default();
        Failure::Input(format!("{error}{advice}"))
    })
}

/// Reads the entries of a scenario, of which there is at least one, all for a map of this size.
pub fn scenario(path: &Path, costs: &CostMap) -> Result<Vec<ScenarioEntry>, Failure> {
    let entries = formats::read_scenario(&read_bytes(path)?);
    let entries = entries.map_err(|error| Failure::in_file(path, error))?;
    if entries.is_empty() {
        let fault = "the scenario has no entries: add lines after `version 1`";
        return Err(Failure::in_file(path, fault));
    }
    let (width, height) = (costs.width(), costs.height());
    let is_other = |entry: &&ScenarioEntry| (entry.width, entry.height) != (width, height);
    if let Some(entry) = entries.iter().find(is_other) {
        let fault = format_args!(
            "line {}: the entry is for a map of {}×{} cells ({}), the map given has \
             {width}×{height}: give the two files that belong together",
            entry.line,
            entry.width,
            entry.height,
            entry.map_name(),
        );
        return Err(Failure::in_file(path, fault));
    }
    Ok(entries)
}

/// Reads a palette file.
pub fn palette(path: &Path) -> Result<Palette, Failure> {
    Palette::read(&read_bytes(path)?).map_err(|error| Failure::in_file(path, error))
}

/// Reads the name of a format: its extension, or its full name.
pub fn format_parser() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|format| {
        let called: &[&str] = match format {
            Format::MovingAi => &["movingai", "moving-ai"],
            Format::Text => &["text"],
            Format::Tmj => &["json"],
            _ => &[],
        };
        PossibleValue::new(format.extension()).aliases(called.iter().copied())
    });
    PossibleValuesParser::new(names.clone()).map(move |name| {
        let mut all = Format::ALL.into_iter().zip(&names);
        let named = all.find(|(_, known)| known.matches(&name, false));
        named.expect("only names of formats are possible").0
    })
}

/// The option that adds a missing cost to a command.
fn advice(error: &ReadError, command: &str) -> Option<String> {
    match error.lacks.as_ref()? {
        Lack::Letter(letter) => Some(format!(
            " (here: {command}--cost {}=3)",
            char::from(*letter)
        )),
        Lack::Name(name) => Some(format!(" (here: {command}--cost '{name}'=3)")),
        Lack::Colour(colour) => Some(format!(
            " (here: {command}--palette FILE, with a line `{colour} 3`)"
        )),
        Lack::Format if command.is_empty() => {
            Some(" (here: --map-format, or --from of convert)".to_owned())
        }
        Lack::Format => Some(format!(" (here: {command}--map-format FORMAT)")),
        _ => None,
    }
}

/// The bytes of a file.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        Failure::in_file(
            path,
            format_args!("cannot be read ({error}): give the path of a file that can"),
        )
    })
}

/// Reads `X,Y`.
pub fn cell(text: &str) -> Result<Cell, String> {
    let number = |part: &str| part.trim().parse::<i32>().ok();
    text.split_once(',')
        .and_then(|(x, y)| Some(Cell::new(number(x)?, number(y)?)))
        .ok_or_else(|| "write a cell as X,Y, for example 12,40".to_owned())
}

/// Reads `NAME=COST`.
fn name_cost(text: &str) -> Result<(String, Cost), String> {
    let named = text.rsplit_once('=').filter(|(name, _)| !name.is_empty());
    let (name, number) = named.ok_or("write it as NAME=COST, for example S=6 or water=255")?;
    Ok((name.to_owned(), cost(number)?))
}

fn cost(text: &str) -> Result<Cost, String> {
    let number: Result<u8, _> = text.parse();
    let number = number.map_err(|_| "the cost is a whole number from 1 to 255".to_owned())?;
    Cost::new(number).map_err(|zero| zero.to_string())
}

/// Reads `CELL,STEP`.
fn metres(text: &str) -> Result<(f64, f64), String> {
    let both = text.split_once(',');
    let (cell, step) = both.ok_or("write it as CELL,STEP in metres, for example 2,0.01")?;
    Ok((positive(cell)?, positive(step)?))
}

fn positive(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    let number = number.filter(|number| (1e-9..=1e9).contains(number));
    number.ok_or_else(|| "give a number over 0, for example 2 or 0.01".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_costs_are_read_or_refused() {
        assert_eq!(cell("3, 4"), Ok(Cell::new(3, 4)));
        assert_eq!(cell("-1,4"), Ok(Cell::new(-1, 4)));
        assert!(
            ["", "3", "3;4", "3,4,5", "x,1", "99999999999,1"]
                .map(cell)
                .iter()
                .all(Result::is_err)
        );
        let mud = ("deep mud".to_owned(), Cost::new(6).unwrap());
        assert_eq!(name_cost("deep mud=6"), Ok(mud));
        assert_eq!(name_cost("==255"), Ok(("=".to_owned(), Cost::WALL)));
        for wrong in ["", "S", "S=", "S=0", "S=256", "=3", "S=-1"] {
            assert!(name_cost(wrong).is_err(), "{wrong}");
        }
    }
}
