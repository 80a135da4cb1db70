//! Density, flow and prediction, compared with a splat that visits every field
//! cell.

use std::collections::BTreeMap;

use crate::cost::{Cost, CostMap};
use crate::crowd::fields::{FieldUnit, Fields, Share, Splat};
use crate::crowd::ground::CrowdGround;
use crate::crowd::layout::Layout;
use crate::draws::draws;
use crate::grid::{Cell, Sector};

/// Draws a number from 0 to 1, in steps of 1 / 2^20.
fn part(draw: &mut impl FnMut(u32) -> u32) -> f32 {
    draw(1 << 20) as f32 / (1 << 20) as f32
}

fn all_sectors(columns: i32, rows: i32) -> Vec<Sector> {
    // Sorted by column, then by row.
    (0..columns)
        .flat_map(|x| (0..rows).map(move |y| Sector::new(x, y)))
        .collect()
}

fn open_ground(columns: i32, rows: i32, resolution: u32) -> (CostMap, CrowdGround) {
    let map = CostMap::open(columns as u32 * 10, rows as u32 * 10).expect("a small map");
    let mut ground = CrowdGround::new(map.extent(), resolution);
    ground.keep(&all_sectors(columns, rows), &map, None);
    (map, ground)
}

/// Returns the weight of a unit at a position in the field cell of column `x`,
/// row `y`: 1 minus the offset along the farther axis, in field cells, to the
/// power λ.
fn weight(position: [f64; 2], resolution: u32, exponent: u32, [x, y]: [i32; 2]) -> f64 {
    let fine = f64::from(resolution);
    let off = |along: f64, cell: i32| (along * fine - 0.5 - f64::from(cell)).abs();
    let left = 1.0 - off(position[0], x).max(off(position[1], y));
    left.max(0.0).powi(exponent as i32)
}

/// Returns the column and row of each field cell in use, by its number.
fn places(ground: &CrowdGround) -> BTreeMap<usize, [i32; 2]> {
    let mut places = BTreeMap::new();
    for page in ground.in_use() {
        let (left, top) = ground.corner(page);
        let side = ground.side();
        for y in top..top + side {
            for x in left..left + side {
                places.insert(ground.cell(x, y), [x, y]);
            }
        }
    }
    places
}

/// Returns a unit without a stream.
fn alone(position: [f32; 2]) -> FieldUnit {
    FieldUnit {
        position,
        velocity: [0.0, 0.0],
        stream: None,
        foresight: 0.0,
        stands: false,
    }
}

/// Returns the density of one unit without a stream.
fn density_at(
    fields: &mut Fields,
    ground: &CrowdGround,
    position: [f32; 2],
    exponent: u32,
) -> Vec<f32> {
    let splat = Splat {
        exponent,
        predictions: 0,
    };
    fields.splat(ground, &[alone(position)], &mut [], splat);
    fields.density.clone()
}

#[test]
fn splat_fills_the_own_cell_first_and_has_no_jump() {
    for exponent in 1..=4 {
        for resolution in [1, 2, 3] {
            let (_, ground) = open_ground(3, 3, resolution);
            let mut fields = Fields::default();
            let own = 0.5f32.powi(exponent as i32);
            let mut draw = draws(u64::from(exponent * 10 + resolution));
            // The walk crosses borders of sectors, and so of pages.
            let mut at = [10.0, 19.9];
            let mut before = density_at(&mut fields, &ground, at, exponent);
            let mut crossed = 0;
            for _ in 0..1_500 {
                let step = [part(&mut draw) - 0.5, part(&mut draw) - 0.5];
                let next = [at[0] + 0.3 * step[0], at[1] + 0.3 * step[1]];
                let next = next.map(|along: f32| along.clamp(1.5, 28.5));
                crossed += u32::from((next[0] / 10.0) as u32 != (at[0] / 10.0) as u32);
                crossed += u32::from((next[1] / 10.0) as u32 != (at[1] / 10.0) as u32);
                let after = density_at(&mut fields, &ground, next, exponent);
                let around = ground.around(next);
                let under = around.cells[around.under()];
                for (cell, &density) in after.iter().enumerate() {
                    if cell == under {
                        assert!(density >= own - 1e-5, "own cell {density}, at {next:?}");
                    } else {
                        assert!(density <= own + 1e-5, "another's {density}, at {next:?}");
                    }
                }
                let far = (next[0] - at[0]).abs().max((next[1] - at[1]).abs());
                let most = exponent as f32 * far * resolution as f32 + 1e-4;
                for (one, two) in before.iter().zip(&after) {
                    assert!((one - two).abs() <= most, "a jump at {next:?}");
                }
                (at, before) = (next, after);
            }
            assert!(crossed > 5, "only {crossed} borders");
        }
    }
}

/// Draws units, of three streams and of none; some stand.
fn drawn_bodies(draw: &mut impl FnMut(u32) -> u32, count: u32, size: [f32; 2]) -> Vec<FieldUnit> {
    let mut body = || FieldUnit {
        position: [size[0] * part(draw), size[1] * part(draw)],
        velocity: [8.0 * part(draw) - 4.0, 8.0 * part(draw) - 4.0],
        stream: (draw(4) as usize).checked_sub(1),
        foresight: [0.0, 0.5, 1.5][draw(3) as usize],
        stands: draw(5) == 0,
    };
    (0..count).map(|_| body()).collect()
}

/// Density, flow (two values), predicted and standing density of a field cell.
type Values = [f64; 5];

/// Computes all fields, each cell by itself.
fn obvious(
    map: &CostMap,
    ground: &CrowdGround,
    bodies: &[FieldUnit],
    exponent: u32,
    predictions: u32,
) -> BTreeMap<usize, Values> {
    let resolution = ground.resolution() as u32;
    let cells = places(ground);
    let mut fields = BTreeMap::new();
    let in_use = |at: [f64; 2]| {
        let sector = at.map(|along| (along / 10.0).floor() as i32);
        let on = ground.page(Sector::new(sector[0], sector[1])) != 0;
        let cell = Cell::new(at[0].floor() as i32, at[1].floor() as i32);
        on && map.get(cell).is_some_and(|cost| !cost.is_wall())
    };
    for body in bodies {
        let at = body.position.map(f64::from);
        let velocity = body.velocity.map(f64::from);
        let steps = (1..=predictions).map(|step| {
            let ahead = f64::from(body.foresight) * f64::from(step) / f64::from(predictions);
            let fading = 1.0 - f64::from(step) / f64::from(predictions + 1);
            let place = [at[0] + velocity[0] * ahead, at[1] + velocity[1] * ahead];
            (place, fading)
        });
        let foresees = !body.stands && body.foresight > 0.0;
        let steps: Vec<_> = steps
            .take_while(|&(place, _)| foresees && in_use(place))
            .collect();
        for (&cell, &place) in &cells {
            let here = weight(at, resolution, exponent, place);
            let values: &mut Values = fields.entry(cell).or_default();
            if body.stands {
                values[4] += here;
            } else {
                values[0] += here;
                values[1] += here * velocity[0];
                values[2] += here * velocity[1];
            }
            for &(ahead, fading) in &steps {
                values[3] += fading * weight(ahead, resolution, exponent, place);
            }
        }
    }
    fields
}

#[test]
fn fields_of_many_units_equal_a_sum_cell_by_cell() {
    let mut map = CostMap::open(40, 30).expect("a small map");
    let mut draw = draws(7);
    for _ in 0..60 {
        let cell = Cell::new(draw(40) as i32, draw(30) as i32);
        map.edit(cell, Cost::WALL).expect("on the map");
    }
    for resolution in [1, 2, 3] {
        // The same fields serve all rounds: old values must be gone.
        let mut ground = CrowdGround::new(map.extent(), resolution);
        let mut fields = Fields::default();
        let mut layout = Layout::default();
        let mut shares: [Share; 3] = Default::default();
        for round in 0..8 {
            let sectors = all_sectors(4, 3);
            let kept: Vec<Sector> = sectors.into_iter().filter(|_| draw(4) > 0).collect();
            ground.keep(&kept, &map, None);
            let mut bodies = drawn_bodies(&mut draw, 40, [40.0, 30.0]);
            bodies.sort_by_key(|body| body.stream);
            let exponent = 1 + round % 4;
            // Every page is one of the streams' own.
            let pages: Vec<u32> = ground.in_use().collect();
            let is_led = vec![false; ground.page_count()];
            layout.arrange(&ground, &pages, &is_led);
            for share in &mut shares {
                share.restart(&ground, layout.count());
            }
            let mut own = shares.each_mut().map(|share| Some((&layout, share)));
            let splat = Splat {
                exponent,
                predictions: 4,
            };
            fields.splat(&ground, &bodies, &mut own, splat);
            let wanted = obvious(&map, &ground, &bodies, exponent, 4);
            for (&cell, wanted) in &wanted {
                let flow = fields.flow[cell];
                let found = [
                    fields.density[cell],
                    flow[0],
                    flow[1],
                    fields.predicted[cell],
                    fields.standing[cell],
                ];
                for (found, wanted) in found.iter().zip(wanted) {
                    let off = (f64::from(*found) - wanted).abs();
                    assert!(off < 2e-3, "{found} for {wanted} in round {round}");
                }
            }
            own_shares_are_those_of_each_alone(&ground, &layout, &bodies, &shares, exponent);
        }
    }
}

fn own_shares_are_those_of_each_alone(
    ground: &CrowdGround,
    layout: &Layout,
    bodies: &[FieldUnit],
    shares: &[Share; 3],
    exponent: u32,
) {
    let mut someone = false;
    for (stream, share) in shares.iter().enumerate() {
        let own = bodies.iter().copied();
        let own = own.filter(|body| body.stream == Some(stream));
        let own: Vec<FieldUnit> = own
            .map(|body| FieldUnit {
                stream: None,
                ..body
            })
            .collect();
        let mut fields = Fields::default();
        let splat = Splat {
            exponent,
            predictions: 4,
        };
        fields.splat(ground, &own, &mut [], splat);
        for page in ground.in_use() {
            let (places, cells) = (layout.own(ground, page), ground.range(page));
            assert_eq!(
                share.predicted[places.clone()],
                fields.predicted[cells.clone()]
            );
            assert_eq!(share.standing[places], fields.standing[cells]);
        }
        someone |= fields.predicted.iter().any(|&value| value > 0.0);
    }
    assert!(someone);
}
