use std::path::{Path, PathBuf};

use flowtiles::format::{MapError, MapFault, Terrain, read_map};
use flowtiles::{Cell, Cost, CostMap};

use crate::failure::Failure;

/// A map on disk, and what its letters cost.
#[derive(clap::Args)]
pub struct MapFile {
    /// A Moving AI `.map` file
    pub map: PathBuf,
    #[command(flatten)]
    letters: LetterCosts,
}

/// What the letters of a map cost.
#[derive(clap::Args)]
pub struct LetterCosts {
    /// Cost of a letter, 1 to 255 (255 is a wall); may be given again. Without
    /// it: `.` and `G` 1, `S` 3, and `@`, `O`, `T`, `W` walls
    #[arg(long = "cost", value_name = "LETTER=COST", value_parser = letter_cost)]
    costs: Vec<(u8, Cost)>,
}

impl MapFile {
    /// Reads the costs of the map.
    pub fn read(&self) -> Result<CostMap, Failure> {
        self.letters.read(&self.map)
    }
}

impl LetterCosts {
    /// Reads the costs of a map.
    pub fn read(&self, map: &Path) -> Result<CostMap, Failure> {
        let mut terrain = Terrain::game();
        for &(letter, cost) in &self.costs {
            terrain = terrain.with(letter, cost);
        }
        let text = read_bytes(map)?;
        read_map(&text, &terrain).map_err(|error| {
            let advice = advice(&error).unwrap_or_default();
            Failure::in_file(map, format_args!("{error}{advice}"))
        })
    }
}

/// Reads the costs of a map that is in memory, under the name of its file.
pub fn costs_of(name: &str, bytes: &[u8]) -> Result<CostMap, Failure> {
    let costs = read_map(bytes, &Terrain::game());
    costs.map_err(|error| Failure::in_file(Path::new(name), error))
}

/// How to give the missing cost of a letter here.
fn advice(error: &MapError) -> Option<String> {
    match error.fault {
        MapFault::Letter { letter } if letter.is_ascii_graphic() => {
            Some(format!(" (here: --cost {}=3)", char::from(letter)))
        }
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

/// Reads `LETTER=COST`.
fn letter_cost(text: &str) -> Result<(u8, Cost), String> {
    let &[letter, b'=', ..] = text.as_bytes() else {
        return Err("write it as LETTER=COST, for example S=6".to_owned());
    };
    let number: u8 = text[2..]
        .parse()
        .map_err(|_| "the cost is a whole number from 1 to 255".to_owned())?;
    let cost = Cost::new(number).map_err(|zero| zero.to_string())?;
    Ok((letter, cost))
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
        assert_eq!(letter_cost("S=6"), Ok((b'S', Cost::new(6).unwrap())));
        assert_eq!(letter_cost("==255"), Ok((b'=', Cost::WALL)));
        for wrong in ["", "S", "S=", "S=0", "S=256", "SS=3", "é=3", "S=-1"] {
            assert!(letter_cost(wrong).is_err(), "{wrong}");
        }
    }
}
