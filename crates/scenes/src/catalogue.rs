//! The scenes by name.

use super::{crowd, large, layered, linked, small, targets};
use crate::scene::{Scene, SceneOptions};

/// A scene by its name.
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub build: Build,
}

/// How a scene is built, which decides the options that it takes.
#[derive(Clone, Copy)]
pub enum Build {
    /// One army or several, by the steering of a march.
    March(fn(u64) -> Scene),
    /// Crowds that meet: measured beside plain steering.
    Crowd(fn(&SceneOptions) -> Scene),
    /// The same, with a variable number of units.
    Sized(fn(&SceneOptions) -> Scene),
    /// The same, too large for the set of `crowd-all`.
    Large(fn(&SceneOptions) -> Scene),
}

impl Build {
    /// The scene.
    pub fn scene(self, asked: &SceneOptions) -> Scene {
        match self {
            Self::March(build) => build(asked.seed),
            Self::Crowd(build) | Self::Sized(build) | Self::Large(build) => build(asked),
        }
    }

    /// Whether it is measured beside plain steering.
    pub const fn is_crowd(self) -> bool {
        !matches!(self, Self::March(_))
    }
}

/// The scenes of the set that `crowd-all` runs.
pub fn crowd_set() -> impl Iterator<Item = &'static Entry> {
    let in_set = |entry: &&Entry| matches!(entry.build, Build::Crowd(_) | Build::Sized(_));
    SCENES.iter().filter(in_set)
}

/// All scenes.
pub const SCENES: &[Entry] = &[
    Entry {
        name: "seek",
        about: "one force toward a point",
        build: Build::March(small::seek),
    },
    Entry {
        name: "flock",
        about: "separation, cohesion, alignment",
        build: Build::March(small::flock),
    },
    Entry {
        name: "flow-basic",
        about: "a field, blended over four cells",
        build: Build::March(small::flow_basic),
    },
    Entry {
        name: "flow-corners",
        about: "the lowest of four cells, against ties",
        build: Build::March(small::flow_corners),
    },
    Entry {
        name: "physics",
        about: "rigid circles; a second click",
        build: Build::March(small::physics),
    },
    Entry {
        name: "soft-physics",
        about: "a softer crowd",
        build: Build::March(small::soft_physics),
    },
    Entry {
        name: "crossing-seek",
        about: "two groups head on, nothing done about it",
        build: Build::March(small::crossing_seek),
    },
    Entry {
        name: "avoid-middle",
        about: "one against the middle of a group",
        build: Build::March(small::avoid_middle),
    },
    Entry {
        name: "avoid-top",
        about: "one against the edge of a group",
        build: Build::March(small::avoid_top),
    },
    Entry {
        name: "avoid-small",
        about: "nine against nine",
        build: Build::March(small::avoid_small),
    },
    Entry {
        name: "avoid-large",
        about: "36 against 36",
        build: Build::March(small::avoid_large),
    },
    Entry {
        name: "crossing-grid",
        about: "two formations cross",
        build: Build::March(small::crossing_grid),
    },
    Entry {
        name: "line-of-sight",
        about: "straight where the view is clear",
        build: Build::March(small::line_of_sight),
    },
    Entry {
        name: "sizes",
        about: "small and large units through a gap",
        build: Build::March(small::sizes),
    },
    Entry {
        name: "widths",
        about: "bodies 1 to 4 cells wide through doors of 1 to 4",
        build: Build::March(layered::widths),
    },
    Entry {
        name: "classes",
        about: "land units, hovercraft and ships on one map",
        build: Build::March(layered::classes),
    },
    Entry {
        name: "gates",
        about: "gates that are open to one of two teams",
        build: Build::March(layered::gates),
    },
    Entry {
        name: "roads",
        about: "wheels keep to the road, legs go straight",
        build: Build::March(layered::roads),
    },
    Entry {
        name: "teleport",
        about: "two pads through a wall, and a way round it",
        build: Build::March(linked::teleport),
    },
    Entry {
        name: "overpass",
        about: "a bridge over a road: columns above and below at once",
        build: Build::March(linked::overpass),
    },
    Entry {
        name: "bridges",
        about: "a column before three equal bridges, with and without congestion",
        build: Build::March(layered::bridges),
    },
    Entry {
        name: "hold",
        about: "units that stay, and others that push through them",
        build: Build::March(targets::hold),
    },
    Entry {
        name: "stand",
        about: "a crowd that makes room for others, and comes to rest",
        build: Build::March(targets::stand),
    },
    Entry {
        name: "point",
        about: "80 units settle around a point",
        build: Build::March(targets::point),
    },
    Entry {
        name: "follow",
        about: "twenty units after a leader",
        build: Build::March(targets::follow),
    },
    Entry {
        name: "tour",
        about: "three goals, one after the other",
        build: Build::March(targets::tour),
    },
    Entry {
        name: "patrol",
        about: "three goals, again and again",
        build: Build::March(targets::patrol),
    },
    Entry {
        name: "pursue",
        about: "hunters in range, again in range, and at the end of their leash",
        build: Build::March(targets::pursue),
    },
    Entry {
        name: "attack",
        about: "a raid that turns on the foes in sight",
        build: Build::March(targets::attack),
    },
    Entry {
        name: "flee",
        about: "four units out of a pocket, away from a hunter",
        build: Build::March(targets::flee),
    },
    Entry {
        name: "keep-width",
        about: "through a pass in a column, and wide again behind it",
        build: Build::March(targets::keep_width),
    },
    Entry {
        name: "keep-pace",
        about: "a group as fast as its slowest, beside one that is not",
        build: Build::March(targets::keep_pace),
    },
    Entry {
        name: "planes",
        about: "a block that flies over another, beside one that goes through",
        build: Build::March(targets::planes),
    },
    Entry {
        name: "formations",
        about: "line, wedge, box and column through gaps",
        build: Build::March(large::formations),
    },
    Entry {
        name: "pass",
        about: "two armies head on in a narrow pass",
        build: Build::March(large::pass),
    },
    Entry {
        name: "bridge",
        about: "a bridge is lost under way",
        build: Build::March(large::bridge),
    },
    Entry {
        name: "one-cell",
        about: "300 units to one cell",
        build: Build::March(large::one_cell),
    },
    Entry {
        name: "four-armies",
        about: "20,000 units on crossing routes",
        build: Build::March(large::four_armies),
    },
    Entry {
        name: "demo",
        about: "5,000 units across the demo's country",
        build: Build::March(large::demo),
    },
    Entry {
        name: "crowd-tunnel",
        about: "two groups head on in a tunnel 4 cells high",
        build: Build::Crowd(crowd::tunnel),
    },
    Entry {
        name: "crowd-open",
        about: "two groups head on in the open",
        build: Build::Crowd(crowd::open),
    },
    Entry {
        name: "crowd-mirror",
        about: "the same, sent elsewhere under way",
        build: Build::Crowd(crowd::mirror),
    },
    Entry {
        name: "crowd-crossing",
        about: "four streams of 98 at right angles",
        build: Build::Crowd(crowd::crossing),
    },
    Entry {
        name: "crowd-pass",
        about: "200 against 200 in a pass 12 cells wide",
        build: Build::Sized(crowd::pass),
    },
    Entry {
        name: "crowd-pass-narrow",
        about: "200 against 200 in a pass 6 cells wide",
        build: Build::Crowd(crowd::narrow_pass),
    },
    Entry {
        name: "crowd-evacuate",
        about: "300 leave a hall by two doors",
        build: Build::Crowd(crowd::evacuate),
    },
    Entry {
        name: "crowd-swamp",
        about: "a small painted swamp on the way",
        build: Build::Crowd(crowd::small_swamp),
    },
    Entry {
        name: "crowd-swamp-wide",
        about: "a painted swamp across the whole way",
        build: Build::Crowd(crowd::wide_swamp),
    },
    Entry {
        name: "crowd-armies",
        about: "four armies of 2,500 through one another",
        build: Build::Large(crowd::armies),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::scene::Recruit;
    use crate::tuning::Tuning;
    use crate::walls::is_in_wall;

    /// Starts are clear of walls, apart from each other, and differ from seed to
    /// seed.
    #[test]
    fn every_seed_has_starts_of_its_own() {
        for entry in crowd_set() {
            let starts = |seed| {
                let asked = SceneOptions {
                    seed,
                    method: Method::Crowd,
                    units: None,
                    tuning: Tuning::default(),
                };
                let scene = entry.build.scene(&asked);
                let recruits: Vec<Recruit> = scene
                    .bands
                    .iter()
                    .flat_map(|band| band.recruits.clone())
                    .collect();
                for (at, one) in recruits.iter().enumerate() {
                    let walled = is_in_wall(&scene.costs, one.position, one.radius);
                    assert!(!walled, "{}: {:?}", entry.name, one.position);
                    for two in recruits[at + 1..].iter() {
                        let [dx, dy] = [0, 1].map(|i| one.position[i] - two.position[i]);
                        let room = one.radius + two.radius;
                        let apart = dx * dx + dy * dy >= room * room;
                        assert!(apart, "{}: {:?}", entry.name, one.position);
                    }
                }
                recruits
                    .iter()
                    .map(|recruit| recruit.position)
                    .collect::<Vec<_>>()
            };
            let (one, two) = (starts(1), starts(2));
            assert_eq!(one.len(), two.len());
            assert!(one == starts(1) && one != two, "{}", entry.name);
        }
    }
}
