//! The colours of the classes of a draw list: those of the inspector's page, in its light
//! theme. They differ in lightness as well as in hue, since not everybody can tell red from
//! green.

use flowtiles::Direction;
use flowtiles::inspect::{Paint, Ramp};
use flowtiles_country::picture::{lit, mixed};
use flowtiles_country::{BANNERS, Colour};

use super::Ink;

/// Paper.
pub const PAPER: Colour = [248, 247, 243];
/// Text, and that beside it.
pub const INK: Colour = [35, 38, 43];
pub const SOFT: Colour = [99, 104, 115];
/// The rim of lines and marks, which makes them visible on any ground.
pub const DARK: Colour = [16, 14, 18];

pub const WALL: Colour = [88, 86, 92];
/// Shadows on the ground.
pub const SHADE: Ink = ([8, 16, 24], 51);

/// The colour of an order, its paths and what it has loaded.
const ORDER: Colour = BANNERS[0];
const CYAN: Colour = [92, 237, 245];
const ORANGE: Colour = [255, 140, 46];
const CREAM: Colour = [255, 247, 214];
const TEAL: Colour = [51, 184, 189];

const ISLANDS: [Colour; Paint::ISLANDS as usize] = [
    [198, 220, 240],
    [246, 208, 140],
    [120, 170, 205],
    [235, 240, 170],
    [214, 140, 100],
    [226, 190, 226],
    [96, 150, 130],
    [140, 105, 170],
];

/// The colours of a ramp, from end to end.
const fn stops(ramp: Ramp) -> &'static [Colour] {
    match ramp {
        // From the goal outward.
        Ramp::Integration => &[
            [253, 231, 37],
            [122, 209, 81],
            [34, 168, 132],
            [42, 120, 142],
            [65, 68, 135],
            [68, 1, 84],
        ],
        Ramp::Clearance => &[[90, 120, 60], [170, 195, 120], [245, 250, 215]],
        Ramp::Density => &[[252, 217, 89], [212, 110, 70], [140, 13, 64]],
        Ramp::Search => &[[255, 214, 90], [230, 120, 60], [120, 40, 110]],
    }
}

/// The colour at a position of a ramp, 0 to 255.
pub fn on_ramp(ramp: Ramp, place: u8) -> Colour {
    let stops = stops(ramp);
    let along = usize::from(place) * (stops.len() - 1);
    let (stop, part) = (along / 255, along % 255);
    let next = stops.get(stop + 1).unwrap_or(&stops[stop]);
    mixed(stops[stop], *next, part as u8)
}

/// The colour of open ground: the dearer, the drier, by the ratio of costs.
pub fn ground(cost: u8) -> Colour {
    let part = f32::from(cost.max(1)).log2() / 6.0;
    let rise = |from: f32, to: f32| {
        let along = ((part - from) / (to - from)).clamp(0.0, 1.0);
        (along * along * (3.0 - 2.0 * along) * 255.0) as u8
    };
    let dry = mixed([140, 168, 98], [198, 184, 116], rise(0.0, 0.4));
    mixed(dry, [132, 88, 66], rise(0.35, 1.0))
}

/// The colour of a direction: blue to orange from west to east, light in the north.
pub fn direction_ink(way: Direction) -> Ink {
    let [x, y] = <[i32; 2]>::from(way.offset());
    let slant = if x != 0 && y != 0 { 0.707 } else { 1.0 };
    let colour = mixed(
        [43, 107, 209],
        [237, 135, 31],
        ((x as f32 * slant + 1.0) * 127.5) as u8,
    );
    let toward = if y < 0 { [255; 3] } else { [13, 13, 41] };
    let part = (y as f32 * slant).abs() * 127.5;
    (mixed(colour, toward, part as u8), 130)
}

/// The ink of a class.
pub fn ink(paint: Paint) -> Ink {
    let colour = match paint {
        Paint::Ground { cost, walls } => mixed(
            ground(cost),
            WALL,
            (u16::from(walls.min(8)) * 255 / 8) as u8,
        ),
        Paint::Island(number) => ISLANDS[usize::from(number) % ISLANDS.len()],
        // In bands, along which the cost-to-go is the same.
        Paint::Value(Ramp::Integration, place) => {
            let band = i32::from(u16::from(place) * 40 / 255 % 2);
            lit(on_ramp(Ramp::Integration, place), -10 * band)
        }
        Paint::Value(ramp, place) => on_ramp(ramp, place),
        Paint::Sight => return ([255, 237, 107], 107),
        Paint::Loaded => return (mixed(ORDER, [255, 255, 240], 140), 90),
        Paint::LoadedEdge => ORDER,
        Paint::Waiting => return ([255, 150, 40], 170),
        Paint::SectorLine => return (DARK, 44),
        Paint::Edge => return (CREAM, 170),
        Paint::Window => CYAN,
        Paint::RouteWindow => ORANGE,
        Paint::Frontier | Paint::Arrow => [255; 3],
        Paint::Text => INK,
        Paint::Path | Paint::Start | Paint::Goal => ORDER,
        Paint::Unit => TEAL,
    };
    (colour, u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The colour as seen without one kind of cone, in linear light, by the matrices of
    /// Machado, Oliveira and Fernandes, 2009.
    fn seen(colour: Colour, matrix: [[f32; 3]; 3]) -> [f32; 3] {
        let linear = colour.map(|band| (f32::from(band) / 255.0).powf(2.2));
        matrix.map(|row| {
            let sum: f32 = row.iter().zip(linear).map(|(part, band)| part * band).sum();
            sum.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0
        })
    }

    const EYES: [[[f32; 3]; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        // Without the cones for long waves.
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        // Without the cones for middle waves.
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ];

    fn differ(colours: &[Colour], least: f32) {
        for eye in EYES {
            for (number, &one) in colours.iter().enumerate() {
                for &other in &colours[..number] {
                    let (a, b) = (seen(one, eye), seen(other, eye));
                    let square: f32 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
                    let away = square.sqrt();
                    assert!(away >= least, "{one:?} and {other:?} are {away} apart");
                }
            }
        }
    }

    #[test]
    fn adjacent_colours_differ_for_colour_blind_eyes() {
        let colour = |paint| ink(paint).0;
        let ground = |cost, walls| colour(Paint::Ground { cost, walls });
        differ(
            &[ground(1, 0), ground(4, 0), ground(40, 0), ground(1, 8)],
            25.0,
        );
        differ(
            &[
                ground(1, 0),
                ground(1, 8),
                colour(Paint::Window),
                colour(Paint::RouteWindow),
                colour(Paint::Path),
            ],
            45.0,
        );
        // Portals and paths are drawn over the colours of clearance.
        for place in (0..=255).step_by(15) {
            let ground = on_ramp(Ramp::Clearance, place);
            for mark in [Paint::Window, Paint::RouteWindow, Paint::Path] {
                differ(&[ground, colour(mark)], 45.0);
            }
        }
        differ(&ISLANDS, 20.0);
        for ramp in [
            Ramp::Integration,
            Ramp::Clearance,
            Ramp::Density,
            Ramp::Search,
        ] {
            differ(
                &[0, 64, 128, 192, 255].map(|place| on_ramp(ramp, place)),
                18.0,
            );
        }
    }
}
