//! How map files are read.

use flowtiles::Cost;
use flowtiles_formats::{Colour, Format, Kinds, LdtkChoice, MapReader, Names, Palette, Terrain};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::Fault;
use crate::numbers::Whole;

/// Returns a reader with the costs of letters, names and colours, and the level and layer of LDtk.
pub(crate) fn reader(
    format: Option<&str>,
    [letters, names, colours]: [Option<&Bound<'_, PyDict>>; 3],
    [level, layer]: [Option<String>; 2],
) -> Result<(MapReader, Option<Format>), Fault> {
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
    let format = format.map(named).transpose()?;
    if let Some(format) = format {
        reader = reader.with_format(format);
    }
    Ok((reader, format))
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
