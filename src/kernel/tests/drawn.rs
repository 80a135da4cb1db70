//! Frames of many kinds, drawn at random.

use super::naive::{Grid, NO_VALUE, inside};

/// Marsaglia's xorshift with a multiplication (xorshift*).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 33) % limit
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// The kind of ground in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Clear,
    WallsAround,
    Walls(u64),
    Maze,
    Caves,
    /// Corridors back and forth, of this cost.
    Serpentine(u8),
    Terrain,
    Costs,
    CostsAndWalls,
    /// Costs of 1 to 8, and walls.
    LowCosts,
    /// One cost everywhere.
    Even(u8),
    /// One cost and walls.
    EvenAndWalls(u8),
}

impl Kind {
    pub(super) const ALL: [Self; 19] = [
        Self::Clear,
        Self::WallsAround,
        Self::Walls(10),
        Self::Walls(20),
        Self::Walls(40),
        Self::Maze,
        Self::Caves,
        Self::Serpentine(1),
        Self::Serpentine(254),
        Self::Terrain,
        Self::Costs,
        Self::CostsAndWalls,
        Self::LowCosts,
        Self::Even(2),
        Self::Even(7),
        Self::Even(254),
        Self::EvenAndWalls(3),
        Self::EvenAndWalls(4),
        Self::EvenAndWalls(253),
    ];

    /// Whether every open cell costs 1.
    pub(super) const fn is_plain(self) -> bool {
        matches!(self.unit(), Some(1))
    }

    /// Returns the cost of every open cell, if it is always the same.
    pub(super) const fn unit(self) -> Option<u8> {
        match self {
            Self::Serpentine(cost) | Self::Even(cost) | Self::EvenAndWalls(cost) => Some(cost),
            Self::Terrain | Self::Costs | Self::CostsAndWalls | Self::LowCosts => None,
            _ => Some(1),
        }
    }

    pub(super) fn costs(self, random: &mut Random) -> Grid<u8> {
        let each = |of: &mut dyn FnMut(usize, usize) -> u8| {
            std::array::from_fn(|y| std::array::from_fn(|x| of(x, y)))
        };
        let wall_if = |wall: bool| if wall { 255 } else { 1 };
        match self {
            Self::Clear => [[1; 12]; 12],
            Self::WallsAround => {
                each(&mut |x, y| wall_if(!inside(x as i32, y as i32) && random.chance(30)))
            }
            Self::Walls(percent) => each(&mut |_, _| wall_if(random.chance(percent))),
            Self::Maze => maze(random),
            Self::Caves => {
                let rock: [[bool; 14]; 14] =
                    std::array::from_fn(|_| std::array::from_fn(|_| random.chance(42)));
                each(&mut |x, y| {
                    let around = rock[y..y + 3].iter().flat_map(|row| &row[x..x + 3]);
                    wall_if(around.filter(|&&rock| rock).count() >= 5)
                })
            }
            Self::Serpentine(cost) => serpentine(cost, random),
            Self::Terrain => terrain(random),
            Self::Costs => each(&mut |_, _| 1 + random.below(254) as u8),
            Self::CostsAndWalls => each(&mut |_, _| {
                if random.chance(20) {
                    255
                } else {
                    1 + random.below(254) as u8
                }
            }),
            Self::LowCosts => each(&mut |_, _| {
                if random.chance(20) {
                    255
                } else {
                    1 + random.below(8) as u8
                }
            }),
            Self::Even(cost) => [[cost; 12]; 12],
            Self::EvenAndWalls(cost) => {
                each(&mut |_, _| if random.chance(20) { 255 } else { cost })
            }
        }
    }
}

fn maze(random: &mut Random) -> Grid<u8> {
    let mut costs = [[255; 12]; 12];
    let (left, top) = (random.below(2) as usize, random.below(2) as usize);
    for y in (top..12).step_by(2) {
        for x in (left..12).step_by(2) {
            costs[y][x] = 1;
            let (east, both) = (random.chance(50), random.chance(10));
            if (east || both) && x < 11 {
                costs[y][x + 1] = 1;
            }
            if (!east || both) && y < 11 {
                costs[y + 1][x] = 1;
            }
        }
    }
    costs
}

fn serpentine(cost: u8, random: &mut Random) -> Grid<u8> {
    let turned = random.chance(50);
    let first = random.below(2) as usize;
    let mut at_start = random.chance(50);
    let mut costs = [[255; 12]; 12];
    for across in 0..12 {
        let corridor = across % 2 == first;
        let door = if at_start { 1 } else { 10 };
        at_start ^= !corridor;
        for along in 0..12 {
            if corridor || along == door {
                let (x, y) = if turned {
                    (across, along)
                } else {
                    (along, across)
                };
                costs[y][x] = cost;
            }
        }
    }
    if random.chance(70) {
        for (y, row) in costs.iter_mut().enumerate() {
            for (x, cost) in row.iter_mut().enumerate() {
                if !inside(x as i32, y as i32) && random.chance(80) {
                    *cost = 255;
                }
            }
        }
    }
    costs
}

/// Draws hills of costs 1 to 20, four cells wide.
fn terrain(random: &mut Random) -> Grid<u8> {
    let hills: [[usize; 5]; 5] =
        std::array::from_fn(|_| std::array::from_fn(|_| 1 + random.below(20) as usize));
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let hill_x = x / 3;
            let hill_y = y / 3;
            let right = x % 3;
            let down = y % 3;
            let height = |dx: usize, dy: usize| hills[hill_y + dy][hill_x + dx];
            let above = height(0, 0) * (3 - right) + height(1, 0) * right;
            let below = height(0, 1) * (3 - right) + height(1, 1) * right;
            ((above * (3 - down) + below * down) / 9) as u8
        })
    })
}

/// A frame with values around it.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) costs: Grid<u8>,
    /// Values of the halo; none at walls and inside.
    pub(super) halo: Grid<u64>,
    /// Slots and values.
    pub(super) seeds: Vec<(usize, u64)>,
}

/// How the values around a frame are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halo {
    /// As spread from a distant cell.
    Wave,
    /// Arbitrary, both near each other and far apart.
    Wild,
}

impl Drawn {
    pub(super) fn new(kind: Kind, halo: Halo, random: &mut Random) -> Self {
        let base = if random.chance(30) {
            0
        } else {
            random.below(1 << 30)
        };
        let mut drawn = Self {
            costs: kind.costs(random),
            halo: [[NO_VALUE; 12]; 12],
            seeds: Vec::new(),
        };
        drawn.flood(kind, halo, base, random);
        drawn.sow(kind, halo, base, random);
        drawn
    }

    /// Sets values on some sides.
    fn flood(&mut self, kind: Kind, halo: Halo, base: u64, random: &mut Random) {
        let scale = match kind {
            Kind::Terrain => 10,
            kind => kind.unit().map_or(100, u64::from),
        };
        // Sometimes all values are multiples of the cost, sometimes only a few.
        let times = match kind.unit() {
            Some(cost) if random.chance(70) => u64::from(cost),
            _ => 1,
        };
        let (side, along) = (random.below(4) as usize, random.below(12) as i32);
        let from = [(along, -3), (14, along), (along, 14), (-3, along)][side];
        let sides = match halo {
            Halo::Wild => random.below(16),
            Halo::Wave if random.chance(25) => 1 << side | 1 << random.below(4),
            Halo::Wave => 1 << side,
        };
        for (y, row) in self.halo.iter_mut().enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                let touches = [y == 0, x == 11, y == 11, x == 0];
                let reached = (0..4).any(|side| touches[side] && sides >> side & 1 == 1);
                if !reached || self.costs[y][x] == 255 {
                    continue;
                }
                let (dx, dy) = (from.0.abs_diff(x as i32), from.1.abs_diff(y as i32));
                let wave = u64::from(5 * dx.max(dy) + 2 * dx.min(dy)) * scale;
                let above = match halo {
                    Halo::Wave => wave,
                    Halo::Wild if random.chance(30) => continue,
                    Halo::Wild => wild(random).map_or(wave, |value| value * times),
                };
                *value = base + above;
            }
        }
    }

    /// Sets goals: always if no value comes from outside, else sometimes.
    fn sow(&mut self, kind: Kind, halo: Halo, base: u64, random: &mut Random) {
        let empty = self.halo.iter().flatten().all(|&value| value == NO_VALUE);
        let count = match halo {
            Halo::Wave => u64::from(empty),
            Halo::Wild if empty || random.chance(30) => 1 + random.below(4),
            Halo::Wild => 0,
        };
        for _ in 0..count {
            let value = match halo {
                Halo::Wave => 0,
                Halo::Wild => wild(random).unwrap_or(random.below(200)),
            };
            let times = match kind.unit() {
                Some(cost) if random.chance(70) => u64::from(cost),
                _ => 1,
            };
            let slot = random.below(100) as usize;
            let value = value * times;
            self.seeds.push((slot, base + value));
        }
    }
}

/// Draws a value: near, far, or close to the end of a range.
fn wild(random: &mut Random) -> Option<u64> {
    match random.below(12) {
        0 => Some(random.below(400)),
        1 => Some(random.below(70_000)),
        2 | 3 => Some(random.below(60)),
        4 => Some(random.below(3_000)),
        5 | 6 => Some(235 + random.below(25)),
        7 => Some(30_900 + random.below(1_900)),
        8 => Some(32_750 + random.below(25)),
        _ => None,
    }
}
