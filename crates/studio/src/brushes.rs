//! The brushes of the page. A new one is a row here; if it paints something new, also a kind of
//! [`Brush`].
//!
//! The page and the replays of sessions name a brush by its place in the list of all, in which
//! the terrain comes after the rows.

use flowtiles::Cost;
use flowtiles_inspector::{BrushInfo, Overlay};

use crate::history::Brush;
use crate::terrain::TERRAIN;

struct Row {
    name: &'static str,
    hint: &'static str,
    /// The least amount, the greatest, and the usual one; all 0 if it takes none.
    amounts: [u8; 3],
    layer: Option<Overlay>,
    brush: fn(u8) -> Brush,
}

const ROWS: [Row; 4] = [
    Row {
        name: "wall",
        hint: "",
        amounts: [0; 3],
        layer: None,
        brush: |_| Brush::Cost(Cost::WALL),
    },
    Row {
        name: "open ground",
        hint: "",
        amounts: [0; 3],
        layer: None,
        brush: |_| Brush::Cost(Cost::OPEN),
    },
    Row {
        name: "cost…",
        hint: "What a step costs: 1 is open ground.",
        amounts: [1, 254, 6],
        layer: None,
        brush: |amount| Brush::Cost(Cost::new(amount).unwrap_or(Cost::OPEN)),
    },
    Row {
        name: "discomfort…",
        hint: "What only crowds avoid: 4 makes a cell as dear as five. 0 takes it away.",
        amounts: [0, 100, 4],
        layer: Some(Overlay::Discomfort),
        brush: |amount| Brush::Discomfort(f32::from(amount)),
    },
];

/// Returns all brushes, as the page lists them.
pub fn all() -> Vec<BrushInfo> {
    let rows = ROWS.iter().map(|row| BrushInfo {
        group: "Brush",
        name: row.name.to_owned(),
        hint: row.hint,
        amounts: row.amounts,
        layer: row.layer,
    });
    let terrain = TERRAIN.iter().map(|(name, ground)| {
        let cost = match ground.cost() {
            u8::MAX => "wall".to_owned(),
            cost => cost.to_string(),
        };
        BrushInfo {
            group: "Terrain, with its cost",
            name: format!("{name}, {cost}"),
            ..BrushInfo::default()
        }
    });
    rows.chain(terrain).collect()
}

/// Returns the brush with a number in the list.
///
/// # Errors
/// If there is none, or it does not take the amount.
pub fn brush(number: u8, amount: u8) -> Result<Brush, String> {
    let Some(row) = ROWS.get(usize::from(number)) else {
        let kind = number - ROWS.len() as u8;
        let known = usize::from(kind) < TERRAIN.len();
        return known
            .then_some(Brush::Terrain(kind))
            .ok_or_else(|| "there is no such brush".to_owned());
    };
    let [least, most, _] = row.amounts;
    if most > 0 && !(least..=most).contains(&amount) {
        return Err(format!("the brush paints {least} to {most}, not {amount}"));
    }
    Ok((row.brush)(amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_listed_brush_is_there_and_takes_its_amounts() {
        for (number, info) in (0..).zip(all()) {
            let [least, most, usual] = info.amounts;
            for amount in [least, most, usual] {
                assert!(brush(number, amount).is_ok(), "{}", info.name);
            }
            if most > 0 {
                assert!(brush(number, most + 1).is_err(), "{}", info.name);
            }
        }
        assert!(brush(all().len() as u8, 0).is_err());
        assert!(brush(u8::MAX, 0).is_err());
    }
}
