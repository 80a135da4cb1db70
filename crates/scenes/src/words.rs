//! How scene files write values of the engine.

use std::num::NonZeroU32;

use flowtiles::steer::{Chase, Pace, Reading, Shape};
use flowtiles::{Cell, CellRect, Cost, Link, Movement, Teams};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(remote = "Reading", rename_all = "kebab-case")]
pub enum ReadingWord {
    Nearest,
    Bilinear,
    LowestOfFour,
    Ahead,
    Crowd,
}

#[derive(Deserialize)]
#[serde(remote = "Shape", rename_all = "kebab-case")]
pub enum ShapeWord {
    Line,
    Wedge,
    Box,
    Column,
}

#[derive(Deserialize)]
#[serde(remote = "Pace", rename_all = "kebab-case")]
pub enum PaceWord {
    Own,
    Slowest,
}

pub fn formation<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(Shape, f32)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        #[serde(with = "ShapeWord")]
        shape: Shape,
        spacing: f32,
    }
    let Text { shape, spacing } = Text::deserialize(from)?;
    Ok(Some((shape, spacing)))
}

pub fn rate<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    NonZeroU32::deserialize(from).map(NonZeroU32::get)
}

pub fn gates<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(CellRect, Teams)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        area: CellRect,
        #[serde(deserialize_with = "teams")]
        open_to: Teams,
    }
    let gates = Vec::<Text>::deserialize(from)?.into_iter();
    Ok(gates.map(|gate| (gate.area, gate.open_to)).collect())
}

pub fn links<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Link>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        area: CellRect,
        end: Cell,
        price: u32,
    }
    let links = Vec::<Text>::deserialize(from)?.into_iter();
    let link = |Text { area, end, price }| Link::new(area, end).with_price(price);
    Ok(links.map(link).collect())
}

/// The number of a team or a plane.
pub fn team<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(from)?;
    if number > 7 {
        let fault = format!("there is no number {number} here: write one from 0 to 7");
        return Err(Error::custom(fault));
    }
    Ok(number)
}

/// A bit for each of the numbers of teams or planes.
pub fn bits<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    #[derive(Deserialize)]
    struct Number(#[serde(deserialize_with = "team")] u8);
    let numbers = Vec::<Number>::deserialize(from)?;
    Ok(numbers.iter().fold(0, |bits, number| bits | 1 << number.0))
}

pub fn teams<'de, D: Deserializer<'de>>(from: D) -> Result<Teams, D::Error> {
    bits(from).map(Teams::from_bits)
}

pub fn movement<'de, D: Deserializer<'de>>(from: D) -> Result<Movement, D::Error> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Text {
        size: Option<u8>,
        /// Pairs of a kind of ground and its cost.
        costs: Vec<[Cost; 2]>,
        /// The cost of all other kinds, if not their own.
        others: Option<Cost>,
        wall_costs: [u8; 4],
    }
    let text = Text::deserialize(from)?;
    let cost_of = |kind: Cost| {
        let named = text.costs.iter().find(|[named, _]| *named == kind);
        named.map_or(text.others.unwrap_or(kind), |[_, cost]| *cost)
    };
    let movement = Movement::new()
        .with_costs(cost_of)
        .with_wall_costs(text.wall_costs);
    let size = text.size.unwrap_or(1);
    movement.with_size(size).map_err(Error::custom)
}

pub fn pursuit<'de, D: Deserializer<'de>>(from: D) -> Result<(usize, Chase), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        band: usize,
        range: Option<f32>,
        leash: Option<f32>,
        sight: Option<f32>,
    }
    let text = Text::deserialize(from)?;
    Ok((text.band, chase(text.range, text.leash, text.sight)))
}

pub fn attack<'de, D: Deserializer<'de>>(from: D) -> Result<(Cell, Chase), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        goal: Cell,
        range: Option<f32>,
        leash: Option<f32>,
        sight: Option<f32>,
    }
    let text = Text::deserialize(from)?;
    Ok((text.goal, chase(text.range, text.leash, text.sight)))
}

fn chase(range: Option<f32>, leash: Option<f32>, sight: Option<f32>) -> Chase {
    let chase = Chase::default();
    chase
        .with_range(range.unwrap_or(chase.range))
        .with_leash(leash.unwrap_or(chase.leash))
        .with_sight(sight.unwrap_or(chase.sight))
}
