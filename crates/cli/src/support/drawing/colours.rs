//! The colours of the classes of a draw list. They differ in lightness as well as in
//! hue, since not everybody can tell red from green.

use flowtiles::inspect::{Paint, Ramp};

use super::Ink;
use crate::support::picture::{Colour, mixed};

/// Paper.
pub const PAPER: Colour = [255, 255, 255];
/// Text and rulers.
pub const INK: Colour = [24, 26, 34];
/// The rim of lines and marks, which makes them visible on any ground.
pub const RIM: Colour = [255, 255, 255];

const OPEN: Colour = [243, 239, 229];
const HARD: Colour = [150, 118, 74];
const WALL: Colour = [58, 62, 74];

const BLUE: Colour = [0, 90, 170];
const SKY: Colour = [86, 180, 233];
const VERMILION: Colour = [213, 84, 0];
const MAGENTA: Colour = [196, 24, 120];
const VIOLET: Colour = [92, 60, 150];

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
        Ramp::Integration => &[
            [255, 240, 150],
            [190, 220, 140],
            [110, 185, 165],
            [80, 135, 185],
            [95, 95, 165],
        ],
        Ramp::Clearance => &[[90, 120, 60], [170, 195, 120], [245, 250, 215]],
        Ramp::Density => &[[255, 225, 140], [235, 120, 80], [130, 20, 100]],
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

/// The ink of a class.
pub fn ink(paint: Paint) -> Ink {
    let colour = match paint {
        Paint::Ground { cost, walls } => {
            // By the ratio of costs: 1 and 2 differ as 100 and 200 do.
            let hard = (f32::from(cost.max(1)).log2() * 255.0 / 8.0).sqrt() * 15.97;
            let ground = mixed(OPEN, HARD, hard.min(255.0) as u8);
            mixed(ground, WALL, (u16::from(walls.min(8)) * 255 / 8) as u8)
        }
        Paint::Island(number) => ISLANDS[usize::from(number) % ISLANDS.len()],
        Paint::Value(ramp, place) => on_ramp(ramp, place),
        Paint::Sight => return ([255, 205, 0], 120),
        Paint::Loaded => return (BLUE, 38),
        Paint::LoadedEdge => BLUE,
        Paint::Waiting => return (VERMILION, 150),
        Paint::SectorLine => return (INK, 44),
        Paint::Edge => return (VIOLET, 170),
        Paint::Window => SKY,
        Paint::RouteWindow => VERMILION,
        Paint::Frontier => [255, 255, 255],
        Paint::Arrow | Paint::Text => INK,
        Paint::Path => MAGENTA,
        Paint::Unit => SKY,
        Paint::Start => BLUE,
        Paint::Goal => VERMILION,
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
    fn what_lies_side_by_side_can_be_told_apart_by_all_eyes() {
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
                colour(Paint::Start),
            ],
            45.0,
        );
        // Portals and paths are drawn over the colours of clearance.
        for place in (0..=255).step_by(15) {
            let ground = on_ramp(Ramp::Clearance, place);
            for mark in [Paint::Window, Paint::RouteWindow, Paint::Path, Paint::Start] {
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
