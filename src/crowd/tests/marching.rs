//! The solver compared with sweeps repeated until nothing changes, and with the true
//! distance.

use crate::crowd::eikonal::{EAST, Front, NORTH, SOUTH, Sides, UNREACHED, WALL, WEST};
use crate::crowd::quota::Quota;
use crate::draws::{draws, scaled};

/// Cells with walls and seeds. Cell 0 is the wall around all others.
struct Scene {
    width: usize,
    height: usize,
    sides: Vec<Sides>,
    blank: Vec<f32>,
    seeds: Vec<(u32, f32)>,
}

impl Scene {
    fn new(
        [width, height]: [usize; 2],
        is_wall: impl Fn(usize, usize) -> bool,
        mut cost: impl FnMut(usize, usize) -> [f32; 4],
    ) -> Self {
        let cell = |x: usize, y: usize| {
            let out = x >= width || y >= height || is_wall(x, y);
            if out { 0 } else { 1 + (y * width + x) as u32 }
        };
        let mut scene = Self {
            width,
            height,
            sides: vec![Sides::default()],
            blank: vec![WALL],
            seeds: Vec::new(),
        };
        for y in 0..height {
            for x in 0..width {
                let mut links = [0; 4];
                if !is_wall(x, y) {
                    links[EAST] = cell(x + 1, y);
                    links[WEST] = cell(x.wrapping_sub(1), y);
                    links[SOUTH] = cell(x, y + 1);
                    links[NORTH] = cell(x, y.wrapping_sub(1));
                }
                let costs = cost(x, y);
                scene.sides.push(Sides { links, costs });
                scene
                    .blank
                    .push(if is_wall(x, y) { WALL } else { UNREACHED });
            }
        }
        scene
    }

    fn cell(&self, x: usize, y: usize) -> u32 {
        assert!(x < self.width && y < self.height);
        1 + (y * self.width + x) as u32
    }

    /// Seeds exact distances at cost 1 within a radius of the middle of a cell.
    fn seed_disc(&mut self, [x, y]: [usize; 2], radius: f32) {
        for (row, column) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (y, x))) {
            let off = [column as f32 - x as f32, row as f32 - y as f32];
            let far = off[0].hypot(off[1]);
            if far <= radius {
                self.seeds.push((self.cell(column, row), far));
            }
        }
    }

    /// Solves with the front, with this much work at a time.
    fn marched(&self, width: f32, quota: u64) -> Vec<f32> {
        let mut front = Front::default();
        let mut potential = self.blank.clone();
        front.restart(width);
        for &(cell, value) in &self.seeds {
            front.seed(&mut potential, cell, value);
        }
        while front
            .run(&self.sides, &mut potential, &mut Quota::of(quota))
            .is_err()
        {}
        potential
    }

    /// Solves by sweeps over all cells until none changes.
    fn swept(&self) -> Vec<f32> {
        let mut potential = self.blank.clone();
        for &(cell, value) in &self.seeds {
            let old = &mut potential[cell as usize];
            *old = if value < *old { value } else { *old };
        }
        let last = potential.len() - 1;
        let mut changed = true;
        while changed {
            changed = false;
            for at in (1..=last).chain((1..=last).rev()) {
                let value = self.best(&potential, at);
                if value < potential[at] {
                    potential[at] = value;
                    changed = true;
                }
            }
        }
        potential
    }

    /// Returns the least value that the four neighbours and the four quadrants
    /// give a cell.
    fn best(&self, potential: &[f32], at: usize) -> f32 {
        let Sides { links, costs: cost } = &self.sides[at];
        let beside = |side: usize| match potential[links[side] as usize] {
            WALL => UNREACHED,
            value => value,
        };
        let mut best = UNREACHED;
        for (side, along) in cost.iter().enumerate() {
            best = best.min(beside(side) + along);
        }
        for x in [EAST, WEST] {
            for y in [NORTH, SOUTH] {
                let [(p, c), (q, d)] = [(beside(x), cost[x]), (beside(y), cost[y])];
                if q - p < c && p - q < d {
                    let dearer = p.max(q);
                    let [p, c, q, d] = [p, c, q, d].map(f64::from);
                    let (cc, dd) = (c * c, d * d);
                    let (both, apart) = (cc + dd, q - p);
                    let root = (p * dd + q * cc + c * d * (both - apart * apart).sqrt()) / both;
                    best = best.min((root as f32).max(dearer));
                }
            }
        }
        best
    }
}

fn bits(potential: &[f32]) -> Vec<u32> {
    potential.iter().map(|value| value.to_bits()).collect()
}

/// Draws a scene. The kinds of costs: independent, from few values so that many
/// are equal, smooth, and far apart.
fn drawn(kind: u32, seed: u64) -> Scene {
    let mut draw = draws(seed);
    let size = [5 + draw(40) as usize, 5 + draw(40) as usize];
    let percent = [0, 10, 30, 45][draw(4) as usize];
    let walls: Vec<bool> = (0..size[0] * size[1])
        .map(|_| draw(100) < percent)
        .collect();
    let waves = [part(&mut draw), part(&mut draw), part(&mut draw)];
    let cost = |x: usize, y: usize| -> [f32; 4] {
        std::array::from_fn(|side| match kind {
            0 => 0.05 + 5.0 * part(&mut draw),
            1 => [0.5, 1.0, 1.0, 2.0][draw(4) as usize],
            2 => {
                let (x, y, turn) = (x as f32 * 0.3, y as f32 * 0.3, side as f32);
                let wave = (x * waves[0] + turn).sin() + (y * waves[1] + waves[2]).cos();
                0.3 + 0.5 * (2.0 + wave)
            }
            3 => 10.0f32.powi(draw(8) as i32 - 3),
            _ => 0.7,
        })
    };
    let is_wall = |x: usize, y: usize| walls[y * size[0] + x];
    let mut scene = Scene::new(size, is_wall, cost);
    for _ in 0..=draw(6) {
        let at = [draw(size[0] as u32) as usize, draw(size[1] as u32) as usize];
        let value = [0.0, 3.0 * part(&mut draw), 60.0 * part(&mut draw)][draw(3) as usize];
        let seed = (scene.cell(at[0], at[1]), value);
        scene.seeds.push(seed);
    }
    scene
}

fn part(draw: &mut impl FnMut(u32) -> u32) -> f32 {
    draw(1 << 20) as f32 / (1 << 20) as f32
}

#[test]
fn the_wave_ends_at_the_bits_of_repeated_sweeps() {
    let mut reached = 0;
    for kind in 0..5 {
        for seed in 0..scaled(750) {
            let scene = drawn(kind, u64::from(kind) * 1_000 + seed);
            let wanted = bits(&scene.swept());
            // Neither the width of a bucket nor interruptions change the
            // result.
            for (width, quota) in [(0.5, u64::MAX), (0.01, 7), (40.0, 1), (3.0, 100)] {
                let found = bits(&scene.marched(width, quota));
                let other = (0..found.len()).find(|&at| found[at] != wanted[at]);
                assert_eq!(other, None, "kind {kind}, seed {seed}, {width}, {quota}");
            }
            let number = |bits: &&u32| f32::from_bits(**bits).is_finite();
            reached += wanted.iter().filter(number).count();
        }
    }
    assert!(
        reached as u64 > scaled(300_000),
        "only {reached} cells reached"
    );
}

#[test]
fn a_price_far_above_all_others_is_no_long_wait() {
    // A million empty buckets between cells: visiting each would take days.
    let mut scene = Scene::new([300, 3], |_, _| false, |_, _| [3e8; 4]);
    scene.seeds.push((1, 0.0));
    let width = 1e-6;
    let found = scene.marched(width, u64::MAX);
    assert_eq!(bits(&found), bits(&scene.swept()));
}

#[test]
fn distances_on_open_ground_are_within_3_percent() {
    let mut scene = Scene::new([256, 256], |_, _| false, |_, _| [1.0; 4]);
    let middle = [90, 120];
    scene.seed_disc(middle, 5.0);
    let potential = scene.marched(0.5, u64::MAX);
    let (mut most, mut total, mut count) = (0.0f64, 0.0, 0.0);
    for (y, x) in (0..256).flat_map(|y| (0..256).map(move |x| (y, x))) {
        let off = [x as f64 - middle[0] as f64, y as f64 - middle[1] as f64];
        let true_distance = off[0].hypot(off[1]);
        if true_distance > 0.0 {
            let found = f64::from(potential[scene.cell(x, y) as usize]);
            let over = found / true_distance - 1.0;
            assert!(over > -1e-5, "nothing is nearer than it is");
            most = most.max(over);
            (total, count) = (total + over, count + 1.0);
        }
    }
    println!(
        "distance on open ground, exact within 5: at most {:.2} % over, {:.2} % in the mean",
        100.0 * most,
        100.0 * total / count
    );
    assert!(most < 0.03, "{most}");
}
