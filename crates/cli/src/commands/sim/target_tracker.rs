//! Measures, tick by tick, whether each band does what its target asks.

use flowtiles::Cell;
use flowtiles::steer::{Army, ArmyEvent, GroupId, Shape, Unit, assign};

use super::target_figures::{Measured, TargetFigures};
use flowtiles_scenes::scene::Band;
use flowtiles_scenes::{Aim, Scene};

/// A unit that follows has caught up after this many ticks.
const CAUGHT_UP: u32 = 100;

/// The measurements of all bands in progress.
pub struct TargetTracker<'a> {
    scene: &'a Scene,
    groups: Vec<GroupId>,
    tracks: Vec<Track>,
}

/// The measurement of one band in progress.
struct Track {
    figures: TargetFigures,
    /// The places of its units at the beginning, or in its formation; by unit.
    places: Vec<(u32, [f32; 2])>,
    /// Where its middle was at the beginning.
    began: [f32; 2],
}

impl<'a> TargetTracker<'a> {
    /// Begins to measure a scene whose bands are these groups.
    pub fn new(scene: &'a Scene, groups: &[GroupId]) -> Self {
        let mut first = 0;
        let mut tracks = Vec::new();
        for (band, of) in scene.bands.iter().enumerate() {
            let positions = of.recruits.iter().map(|recruit| recruit.position);
            let places: Vec<(u32, [f32; 2])> = (first..).zip(positions).collect();
            first += of.recruits.len() as u32;
            let began = middle(places.iter().map(|&(_, place)| place));
            // Only who goes east comes to the columns.
            let columns = scene.columns.filter(|columns| began[0] < columns[0]);
            let measured = [by_aim(&of.aim), columns.map(|_| by_column(of))];
            tracks.extend(measured.into_iter().flatten().map(|measured| Track {
                figures: TargetFigures { band, measured },
                began,
                places: places.clone(),
            }));
        }
        Self {
            scene,
            groups: groups.to_vec(),
            tracks,
        }
    }

    /// Measures a tick.
    pub fn note(&mut self, tick: u32, army: &Army) {
        for track in &mut self.tracks {
            let band = &self.scene.bands[track.figures.band];
            let group = self.groups[track.figures.band];
            let units: Vec<&Unit> = army.members(group).collect();
            if units.is_empty() {
                continue;
            }
            let here = middle(units.iter().map(|unit| unit.position));
            let arrived = army.events().contains(&ArmyEvent::GroupArrived { group });
            match &mut track.figures.measured {
                Measured::Hold { pushed, drift } => {
                    let off = units.iter().map(|unit| {
                        let place = place_of(unit.id, &track.places);
                        apart(unit.position, place)
                    });
                    *drift = off.fold(0.0, f64::max);
                    *pushed = pushed.max(*drift);
                }
                Measured::Stand {
                    mean: all,
                    most,
                    speed,
                } => {
                    let off = units.iter().map(|unit| {
                        let place = place_of(unit.id, &track.places);
                        apart(unit.position, place)
                    });
                    (*all, *most) = (mean(off.clone()), off.fold(0.0, f64::max));
                    let speeds = units.iter().map(|unit| apart(unit.velocity, [0.0; 2]));
                    *speed = speeds.fold(0.0, f64::max);
                }
                Measured::Point { farthest } => {
                    if let Aim::Point(point) = band.aim {
                        *farthest = farthest_from(point, &units);
                    }
                }
                Measured::Follow { farthest } => {
                    let Aim::Follow(leaders) = band.aim else {
                        continue;
                    };
                    let leader = army.members(self.groups[leaders]).next();
                    if let Some(leader) = leader
                        && tick > CAUGHT_UP
                    {
                        *farthest = farthest.max(farthest_from(leader.position, &units));
                    }
                }
                Measured::Stops {
                    reached,
                    ticks,
                    farthest,
                } => {
                    if arrived {
                        let stops = band.aim.goals();
                        let stop = nearest_stop(stops, here);
                        reached.push(stop);
                        ticks.push(tick);
                        let off = farthest_from(centre(stops[stop]), &units);
                        *farthest = farthest.max(off);
                    }
                }
                Measured::Pursue {
                    reached,
                    gap,
                    lost_tick,
                    lost_distance,
                } => {
                    let Aim::Pursue(quarries, _) = band.aim else {
                        continue;
                    };
                    let quarry = army.members(self.groups[quarries]).next();
                    *gap = quarry.and_then(|quarry| {
                        let gaps = units.iter().map(|unit| {
                            let bodies = f64::from(unit.radius + quarry.radius);
                            apart(unit.position, quarry.position) - bodies
                        });
                        gaps.reduce(f64::min)
                    });
                    for event in army.events() {
                        match *event {
                            ArmyEvent::Reached { group: by, .. } if by == group => {
                                reached.push(tick);
                            }
                            ArmyEvent::Lost { group: by, .. } if by == group => {
                                *lost_tick = Some(tick);
                                *lost_distance =
                                    quarry.map(|quarry| apart(quarry.position, track.began));
                            }
                            _ => {}
                        }
                    }
                }
                Measured::Attack { arrived: when, .. } => {
                    if arrived {
                        when.get_or_insert(tick);
                    }
                }
                Measured::Flee {
                    nearest,
                    away,
                    distance,
                } => {
                    let foes = || foes(self.scene, &self.groups, band);
                    let foes = || foes().flat_map(|foe| army.members(foe));
                    for unit in &units {
                        let off = foes().map(|foe| apart(unit.position, foe.position));
                        *nearest = off.fold(*nearest, f64::min);
                    }
                    if arrived && away.is_none() {
                        *away = Some(tick);
                        let off = foes().map(|foe| apart(here, foe.position));
                        *distance = off.reduce(f64::min);
                    }
                }
                Measured::Formation { off_place } => {
                    let columns = self.scene.columns.unwrap_or_default();
                    let Some(column) = passed(columns, off_place, here) else {
                        continue;
                    };
                    let Some((shape, spacing)) = band.formation else {
                        continue;
                    };
                    if column == 0 {
                        track.places = places_in(shape, spacing, &units, here);
                    }
                    let from_place = units.iter().map(|unit| {
                        let place = place_of(unit.id, &track.places);
                        apart(unit.position, [0, 1].map(|axis| here[axis] + place[axis]))
                    });
                    off_place[column] = Some(mean(from_place));
                }
                Measured::Spread { across, along } => {
                    let columns = self.scene.columns.unwrap_or_default();
                    if let Some(column) = passed(columns, across, here) {
                        let off = |axis: usize| {
                            let off = units.iter().map(|unit| unit.position[axis] - here[axis]);
                            Some(mean(off.map(|off| f64::from(off.abs()))))
                        };
                        (along[column], across[column]) = (off(0), off(1));
                    }
                }
            }
        }
    }

    /// Completes the measurements.
    pub fn finish(&mut self, army: &Army) -> Vec<TargetFigures> {
        for track in &mut self.tracks {
            let band = &self.scene.bands[track.figures.band];
            if let Measured::Attack {
                fell, foes: all, ..
            } = &mut track.figures.measured
            {
                let bands = self.scene.bands.iter();
                let against = bands.filter(|foe| band.foes.has(foe.team));
                *all = against.map(|foe| foe.recruits.len()).sum();
                let left = foes(self.scene, &self.groups, band);
                *fell = *all - left.map(|foe| army.members(foe).count()).sum::<usize>();
            }
            track.figures.measured.round();
        }
        let tracks = self.tracks.drain(..);
        tracks.map(|track| track.figures).collect()
    }
}

/// What is measured of a band with this aim, before the first tick.
fn by_aim(aim: &Aim) -> Option<Measured> {
    Some(match aim {
        Aim::Nowhere | Aim::Goal(_) => return None,
        Aim::Point(_) => Measured::Point { farthest: 0.0 },
        Aim::Hold => Measured::Hold {
            pushed: 0.0,
            drift: 0.0,
        },
        Aim::Stand => Measured::Stand {
            mean: 0.0,
            most: 0.0,
            speed: 0.0,
        },
        Aim::Follow(_) => Measured::Follow { farthest: 0.0 },
        Aim::Tour(_) | Aim::Patrol(_) => Measured::Stops {
            reached: Vec::new(),
            ticks: Vec::new(),
            farthest: 0.0,
        },
        Aim::Pursue(..) => Measured::Pursue {
            reached: Vec::new(),
            gap: None,
            lost_tick: None,
            lost_distance: None,
        },
        Aim::Attack(..) => Measured::Attack {
            fell: 0,
            foes: 0,
            arrived: None,
        },
        Aim::Flee(_) => Measured::Flee {
            nearest: f64::INFINITY,
            away: None,
            distance: None,
        },
    })
}

/// What is measured of a band that goes through a pass.
const fn by_column(band: &Band) -> Measured {
    match band.formation {
        Some(_) => Measured::Formation {
            off_place: [None; 3],
        },
        None => Measured::Spread {
            across: [None; 3],
            along: [None; 3],
        },
    }
}

/// The groups that are a band's foes.
fn foes<'a>(
    scene: &'a Scene,
    groups: &'a [GroupId],
    band: &'a Band,
) -> impl Iterator<Item = GroupId> + 'a {
    let bands = scene.bands.iter().zip(groups);
    let foes = bands.filter(|(other, _)| band.foes.has(other.team));
    foes.map(|(_, &group)| group)
}

/// The first column without a figure, if the middle of a band that goes east is past it.
fn passed(columns: [f32; 3], known: &[Option<f64>; 3], [x, _]: [f32; 2]) -> Option<usize> {
    let next = known.iter().position(Option::is_none)?;
    (x >= columns[next]).then_some(next)
}

/// The place of each unit in a formation that goes east, from the middle of the band: as the
/// units stand, each at a place of its own.
fn places_in(shape: Shape, spacing: f32, units: &[&Unit], here: [f32; 2]) -> Vec<(u32, [f32; 2])> {
    let slots = shape.slots(units.len(), spacing);
    let middle = middle(slots.iter().copied());
    let slots: Vec<[f32; 2]> = slots
        .iter()
        .map(|slot| [0, 1].map(|axis| slot[axis] - middle[axis]))
        .collect();
    let stand: Vec<[f32; 2]> = units
        .iter()
        .map(|unit| [0, 1].map(|axis| unit.position[axis] - here[axis]))
        .collect();
    let taken = assign(&stand, &slots);
    let units = units.iter().zip(taken);
    units.map(|(unit, slot)| (unit.id, slots[slot])).collect()
}

/// The place of a unit, of places that are sorted by unit.
fn place_of(unit: u32, places: &[(u32, [f32; 2])]) -> [f32; 2] {
    let found = places.binary_search_by_key(&unit, |&(id, _)| id);
    places[found.expect("every unit of a band has a place")].1
}

fn nearest_stop(stops: &[Cell], here: [f32; 2]) -> usize {
    let off = |&stop: &usize| apart(centre(stops[stop]), here);
    let nearest = (0..stops.len()).min_by(|one, two| off(one).total_cmp(&off(two)));
    nearest.unwrap_or(0)
}

const fn centre(cell: Cell) -> [f32; 2] {
    [cell.x as f32 + 0.5, cell.y as f32 + 0.5]
}

fn farthest_from(point: [f32; 2], units: &[&Unit]) -> f64 {
    let off = units.iter().map(|unit| apart(unit.position, point));
    off.fold(0.0, f64::max)
}

fn apart(one: [f32; 2], two: [f32; 2]) -> f64 {
    f64::from(one[0] - two[0]).hypot(f64::from(one[1] - two[1]))
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

fn middle(places: impl ExactSizeIterator<Item = [f32; 2]>) -> [f32; 2] {
    let count = places.len().max(1) as f32;
    places.fold([0.0; 2], |sum, place| {
        [0, 1].map(|axis| sum[axis] + place[axis] / count)
    })
}
