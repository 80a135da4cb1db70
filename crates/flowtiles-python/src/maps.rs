//! How map files are read.

use std::fs::File;
use std::io::Error;
use std::path::Path;

use flowtiles::{Cost, CostMap};
use flowtiles_formats::{Colour, Format, Kinds, LdtkChoice, MapReader, Names, Palette, Terrain};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::Fault;
use crate::numbers::Whole;

/// A reader, and the arguments with which it was made that are for one format alone.
pub(crate) struct Reading {
    reader: MapReader,
    own: Vec<(&'static str, Format)>,
}

impl Reading {
    /// Makes one of the costs of letters, names and colours, and the level and layer of LDtk.
    pub(crate) fn of(
        format: Option<&str>,
        kinds: [Option<&Bound<'_, PyDict>>; 3],
        choice: [Option<String>; 2],
    ) -> Result<Self, Fault> {
        let [letters, names, colours] = kinds.map(|given| given.is_some());
        let [level, layer] = [&choice[0], &choice[1]].map(Option::is_some);
        let own = [
            (letters, "letters", Format::MovingAi),
            (names, "names", Format::Ldtk),
            (colours, "colours", Format::Png),
            (level, "level", Format::Ldtk),
            (layer, "layer", Format::Ldtk),
        ];
        let own = own.into_iter().filter(|given| given.0);
        Ok(Self {
            own: own.map(|(_, name, format)| (name, format)).collect(),
            reader: reader(format, kinds, choice)?,
        })
    }

    /// Reads a file. One that cannot be opened is an `OSError`, as it is for Python's `open`.
    pub(crate) fn file(&self, path: &Path) -> Result<CostMap, Fault> {
        File::open(path).map_err(|error| not_opened(&error, path))?;
        let map = self.reader.read_file(path)?;
        self.check(map.format)?;
        Ok(map.costs)
    }

    /// Reads the bytes of a file.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<CostMap, Fault> {
        let format = self.reader.format_of("".as_ref(), bytes)?;
        self.check(format)?;
        Ok(self.reader.read(format, bytes)?)
    }

    fn check(&self, format: Format) -> Result<(), Fault> {
        let Some((name, of)) = self.own.iter().find(|own| own.1 != format) else {
            return Ok(());
        };
        let [of, format] = [*of, format].map(Format::extension);
        Err(Fault::argument(format!(
            "`{name}` is for .{of} alone, and the map is of the format .{format}: leave it out"
        )))
    }
}

fn not_opened(error: &Error, path: &Path) -> Fault {
    let text = format!("{}: {error}: give the path of a file", path.display());
    Fault::Python(Error::new(error.kind(), text).into())
}

fn reader(
    format: Option<&str>,
    [letters, names, colours]: [Option<&Bound<'_, PyDict>>; 3],
    [level, layer]: [Option<String>; 2],
) -> Result<MapReader, Fault> {
    let terrain = pairs(letters)?.into_iter().try_fold(
        Terrain::game(),
        |terrain, (letter, cost): (String, _)| match letter.as_bytes() {
            &[letter] => Ok(terrain.with(letter, cost)),
            _ => Err(Fault::argument(format!(
                "`letters` has `{letter}`: give single letters of ASCII"
            ))),
        },
    )?;
    let names = pairs(names)?
        .into_iter()
        .fold(Names::usual(), |names, (name, cost): (String, _)| {
            names.with(&name, cost)
        });
    let mut kinds = Kinds::new().with_terrain(terrain).with_names(names);
    if colours.is_some() {
        let palette = pairs(colours)?.into_iter().fold(
            Palette::new(),
            |palette, ([red, green, blue], cost): ([u8; 3], _)| {
                palette.with(Colour::opaque(red, green, blue), cost)
            },
        );
        kinds = kinds.with_palette(palette);
    }
    let mut reader = MapReader::new()
        .with_kinds(kinds)
        .with_choice(LdtkChoice { level, layer });
    if let Some(format) = format {
        reader = reader.with_format(named(format)?);
    }
    Ok(reader)
}

fn named(name: &str) -> Result<Format, Fault> {
    let known = Format::ALL
        .into_iter()
        .find(|format| format.extension() == name);
    known.ok_or_else(|| {
        let all = Format::ALL.map(Format::extension).join(", ");
        Fault::argument(format!("there is no format `{name}`: give one of {all}"))
    })
}

/// Reads costs by key; none if they are left out.
fn pairs<K>(given: Option<&Bound<'_, PyDict>>) -> Result<Vec<(K, Cost)>, Fault>
where
    K: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    let pairs = given.into_iter().flat_map(|given| given.iter());
    let pairs = pairs.map(|(key, cost)| {
        let cost: Whole<u8> = cost.extract()?;
        Ok((key.extract()?, Cost::new(cost.0)?))
    });
    pairs.collect()
}
