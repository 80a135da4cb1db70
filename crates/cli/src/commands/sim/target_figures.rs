//! The printed figures of targets: what shows that each band did what its target asks.
//!
//! ```text
//!   hold      pushed ≤ …, back at its place     attack   who fell
//!   stand     how far it gave way, at rest
//!   follow    how far off its leader            flee     how near its foes came
//!   stops     which, in which order             columns  places and width before,
//!   pursue    when in range, when lost                   in and behind a pass
//! ```

use std::fmt;

use serde::Serialize;

use flowtiles_studio::numbers::thousandths;

/// What was measured of a band. Distances are in cells, between the middles of units.
#[derive(Clone, Debug, Serialize)]
pub struct TargetFigures {
    pub band: usize,
    #[serde(flatten)]
    pub measured: Measured,
}

/// The measurements of one target, or of the passage through a pass.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "target", rename_all = "kebab-case")]
pub enum Measured {
    /// The farthest that a unit was from its place, and that one is at the end.
    Hold { pushed: f64, drift: f64 },
    /// How far the units are from where they began, on average and at most, and how fast the
    /// fastest is at the end.
    Stand { mean: f64, most: f64, speed: f64 },
    /// The farthest unit from the point at the end.
    Point { farthest: f64 },
    /// The farthest that a unit was from its leader once it had caught up.
    Follow { farthest: f64 },
    /// The stops at which the whole band arrived, by number, when, and the farthest unit
    /// from a stop then.
    Stops {
        reached: Vec<usize>,
        ticks: Vec<u32>,
        farthest: f64,
    },
    /// When a unit came within range, and the least gap between bodies at the end; when the
    /// quarry was lost, and how far it was then from where the pursuit began.
    Pursue {
        reached: Vec<u32>,
        gap: Option<f64>,
        lost_tick: Option<u32>,
        lost_distance: Option<f64>,
    },
    /// The foes that fell, of all foes, and when the band arrived.
    Attack {
        fell: usize,
        foes: usize,
        arrived: Option<u32>,
    },
    /// The least distance of a foe, when the band was away, and the distance of its middle
    /// from the nearest foe then.
    Flee {
        nearest: f64,
        away: Option<u32>,
        distance: Option<f64>,
    },
    /// The mean distance of the units from their places in the formation, as the middle
    /// passes each column.
    Formation { off_place: [Option<f64>; 3] },
    /// The mean distance of the units from the band's middle, across the march and along
    /// it, as the middle passes each column.
    Spread {
        across: [Option<f64>; 3],
        along: [Option<f64>; 3],
    },
}

impl Measured {
    /// Rounds all distances to thousandths.
    pub fn round(&mut self) {
        let round = |value: &mut f64| *value = thousandths(*value);
        match self {
            Self::Hold { pushed, drift } => {
                // What is off its place at all is not rounded to nothing.
                round(pushed);
                *drift = (*drift * 1e3).ceil() / 1e3;
            }
            Self::Stand { mean, most, speed } => [mean, most, speed].into_iter().for_each(round),
            Self::Point { farthest } | Self::Follow { farthest } | Self::Stops { farthest, .. } => {
                round(farthest);
            }
            Self::Pursue {
                gap, lost_distance, ..
            } => gap.iter_mut().chain(lost_distance).for_each(round),
            Self::Attack { .. } => {}
            Self::Flee {
                nearest, distance, ..
            } => {
                round(nearest);
                distance.iter_mut().for_each(round);
            }
            Self::Formation { off_place } => off_place.iter_mut().flatten().for_each(round),
            Self::Spread { across, along } => {
                let values = across.iter_mut().chain(along);
                values.flatten().for_each(round);
            }
        }
    }
}

impl fmt::Display for TargetFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, text) = self.measured.told();
        let name = format!("band {}, {name}", self.band);
        write!(f, "  {name:19} {text}")
    }
}

impl Measured {
    /// The name of the target, and the measurements as text.
    fn told(&self) -> (&'static str, String) {
        let when = |tick: &Option<u32>| match tick {
            Some(tick) => format!("at tick {tick}"),
            None => "never".to_owned(),
        };
        let three = |values: &[Option<f64>; 3]| {
            let value = |value: &Option<f64>| match value {
                Some(value) => format!("{value:.2}"),
                None => "none".to_owned(),
            };
            values.iter().map(value).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Hold { pushed, drift } => (
                "holds",
                format!("pushed {pushed:.2} cells at most, {drift:.3} off its place at the end"),
            ),
            Self::Stand { mean, most, speed } => (
                "stands",
                format!(
                    "moved {mean:.2} cells on average, {most:.2} at most; {speed:.3} cells a second at the end"
                ),
            ),
            Self::Point { farthest } => (
                "to a point",
                format!("the farthest unit {farthest:.2} cells from it at the end"),
            ),
            Self::Follow { farthest } => (
                "follows",
                format!("at most {farthest:.2} cells from its leader"),
            ),
            Self::Stops {
                reached,
                ticks,
                farthest,
            } => {
                let stop = |(stop, tick): (&usize, &u32)| format!("{stop} at tick {tick}");
                let stops: Vec<String> = reached.iter().zip(ticks).map(stop).collect();
                let stops = stops.join(", ");
                let text = format!("at {stops}; a unit at most {farthest:.2} cells off");
                ("stops", text)
            }
            Self::Pursue {
                reached,
                gap,
                lost_tick,
                lost_distance,
            } => {
                let reached: Vec<String> = reached.iter().map(u32::to_string).collect();
                let reached = match reached.is_empty() {
                    true => "never".to_owned(),
                    false => format!("at tick {}", reached.join(", ")),
                };
                let mut text = format!("in range {reached}");
                if let Some(gap) = gap {
                    text += &format!("; {gap:.2} cells off at the end");
                }
                if lost_tick.is_some() {
                    text += &format!("; lost {}", when(lost_tick));
                }
                if let Some(off) = lost_distance {
                    text += &format!(", {off:.2} cells from where it began");
                }
                ("pursues", text)
            }
            Self::Attack {
                fell,
                foes,
                arrived,
            } => (
                "attacks",
                format!("{fell} of {foes} foes fell; at its goal {}", when(arrived)),
            ),
            Self::Flee {
                nearest,
                away,
                distance,
            } => {
                let mut text = format!("no foe nearer than {nearest:.2} cells");
                if let Some(distance) = distance {
                    text += &format!("; away {}, by {distance:.2} cells", when(away));
                }
                ("flees", text)
            }
            Self::Formation { off_place } => (
                "formation",
                format!(
                    "{} cells off place before, in and behind the pass",
                    three(off_place)
                ),
            ),
            Self::Spread { across, along } => (
                "spread",
                format!(
                    "{} cells across before, in and behind the pass; {} along",
                    three(across),
                    three(along)
                ),
            ),
        }
    }
}
