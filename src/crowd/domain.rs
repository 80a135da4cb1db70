//! The sectors to solve for each stream.
//!
//! ```text
//!   . . . . . . .      ■  units of the stream, and a crowd around them
//!   . ▫ ▫ ▫ ▫ ▫ .      ▫  the margin
//!   . ▫ ▫ ▫ ▫ ▫ .      ◦  units of the stream without a crowd: they follow
//!   . ▫ ▫ ■ ■ ▫ .         the flow field
//!   . ▫ ▫ ▫ ▫ ▫ .
//!   ◦ ▫ ▫ ▫ ▫ ▫ .
//! ```
//!
//! A sector with painted discomfort that touches the domain joins it together
//! with the ring around it, so that a path around the paint is found. This is
//! limited to a few sectors, since a river bank may be painted from one end of
//! the map to the other.

use crate::grid::{Extent, SECTOR_SIDE, Sector};
use crate::vector::cell_of;

use super::conduct::CrowdSettings;
use super::fields::FieldUnit;
use super::paint::DiscomfortPaint;

/// The number of sectors beyond the margin up to which painted areas are
/// followed.
const PAINT_REACH: u32 = 6;

/// Returns the sector under a unit; `None` off the map.
fn sector_of(extent: Extent, body: &FieldUnit) -> Option<Sector> {
    let cell = cell_of(body.position);
    extent
        .contains(cell)
        .then(|| Sector::new(cell.x / SECTOR_SIDE, cell.y / SECTOR_SIDE))
}

/// Returns the sectors to solve for each of `streams` streams, sorted and
/// without duplicates.
pub(super) fn domains(
    extent: Extent,
    bodies: &[FieldUnit],
    streams: usize,
    paint: &DiscomfortPaint,
    settings: &CrowdSettings,
) -> Vec<Vec<Sector>> {
    let mut all = Vec::with_capacity(bodies.len());
    let mut own = vec![Vec::new(); streams];
    for body in bodies {
        let Some(sector) = sector_of(extent, body) else {
            continue;
        };
        all.push(sector);
        if let Some(stream) = body.stream.filter(|_| !body.stands) {
            own[stream].push(sector);
        }
    }
    let counts = counted(all);
    for sectors in &mut own {
        sectors.sort_unstable();
        sectors.dedup();
        sectors.retain(|&sector| around(&counts, sector) >= settings.crowd);
    }
    let mut room = settings.sectors as usize;
    let mut left = own.iter().filter(|sectors| !sectors.is_empty()).count();
    own.into_iter()
        .map(|sectors| {
            if sectors.is_empty() {
                return sectors;
            }
            // Sectors that one stream leaves unused go to the streams after it.
            let share = room / left;
            left -= 1;
            let domain = widened(extent, &sectors, paint, settings.margin as i32, share);
            room -= domain.len();
            domain
        })
        .collect()
}

/// Counts how often each sector occurs, and returns the sectors in order.
fn counted(mut sectors: Vec<Sector>) -> Vec<(Sector, u32)> {
    sectors.sort_unstable();
    let mut counts: Vec<(Sector, u32)> = Vec::new();
    for sector in sectors {
        match counts.last_mut() {
            Some((last, count)) if *last == sector => *count += 1,
            _ => counts.push((sector, 1)),
        }
    }
    counts
}

/// Returns the number of units in a sector and the eight around it.
fn around(counts: &[(Sector, u32)], sector: Sector) -> u32 {
    (-1..=1)
        .map(|dx| {
            // Sectors are ordered by column, then by row.
            let first = Sector::new(sector.x + dx, sector.y - 1);
            let from = counts.partition_point(|&(other, _)| other < first);
            let column = counts[from..].iter();
            let near =
                column.take_while(|(other, _)| other.x == first.x && other.y <= sector.y + 1);
            near.map(|(_, count)| count).sum::<u32>()
        })
        .sum()
}

/// Returns sectors with a margin around them, and with the painted sectors
/// beside them; at most `room` in total.
fn widened(
    extent: Extent,
    sectors: &[Sector],
    paint: &DiscomfortPaint,
    margin: i32,
    room: usize,
) -> Vec<Sector> {
    let mut domain = Vec::new();
    let mut next = sectors.to_vec();
    let mut reach = margin;
    for _ in 0..=PAINT_REACH {
        let mut fresh = Vec::new();
        for &sector in &next {
            let ring = ring_around(extent, sector, reach);
            fresh.extend(ring.filter(|sector| domain.binary_search(sector).is_err()));
        }
        fresh.sort_unstable();
        fresh.dedup();
        if domain.len() + fresh.len() > room {
            fresh.truncate(room - domain.len());
        }
        domain.extend_from_slice(&fresh);
        domain.sort_unstable();
        reach = 1;
        fresh.retain(|&sector| paint.covers(sector));
        next = fresh;
    }
    domain
}

/// Returns the sectors of the map within `reach` of a sector.
fn ring_around(extent: Extent, sector: Sector, reach: i32) -> impl Iterator<Item = Sector> {
    let span = move |at: i32, end: i32| (at - reach).max(0)..=(at + reach).min(end - 1);
    span(sector.x, extent.columns())
        .flat_map(move |x| span(sector.y, extent.rows()).map(move |y| Sector::new(x, y)))
}
