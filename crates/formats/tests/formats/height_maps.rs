//! Height maps: compared with an exact twin in integers.

use flowtiles::Cost;
use flowtiles_formats::{Format, Heights, Kinds, MapReader, read_heights};
use png::{BitDepth, ColorType};

use crate::drawn::Rng;
use crate::pictures;

/// Returns a grey picture with 8 or 16 bits a pixel.
fn picture(width: usize, greys: &[u16], depth: BitDepth) -> Vec<u8> {
    let pixels: Vec<u8> = match depth {
        BitDepth::Sixteen => greys.iter().flat_map(|grey| grey.to_be_bytes()).collect(),
        _ => greys.iter().map(|&grey| grey as u8).collect(),
    };
    let size = (width as u32, (greys.len() / width) as u32);
    pictures::picture(size, (ColorType::Grayscale, depth), None, &pixels)
}

/// Draws heights that rise and fall by a few steps, up to `high`.
fn drawn_heights(rng: &mut Rng, high: i32) -> (usize, Vec<u16>) {
    let (width, height) = (1 + rng.index(30), 1 + rng.index(30));
    let steps = [3, 30, 300, 70_000][rng.index(4)];
    let mut at = rng.below(high);
    let greys = (0..width * height).map(|_| {
        at = (at + rng.below(2 * steps + 1) - steps).clamp(0, high);
        at as u16
    });
    (width, greys.collect())
}

/// The documented rule in whole numbers, where the steepest rise over two cells is `steepest`
/// grey steps and the water stands at grey `water`.
fn exact(width: usize, greys: &[u16], steepest: i128, dearest: i128, water: u16) -> Vec<u8> {
    let height = greys.len() / width;
    let grey = |x: usize, y: usize| i128::from(greys[y * width + x]);
    let rise = |at: usize, length: usize, grey: &dyn Fn(usize) -> i128| match at {
        _ if length == 1 => 0,
        0 => 2 * (grey(1) - grey(0)),
        _ if at + 1 == length => 2 * (grey(at) - grey(at - 1)),
        _ => grey(at + 1) - grey(at - 1),
    };
    let mut costs = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let across = rise(x, width, &|x| grey(x, y));
            let down = rise(y, height, &|y| grey(x, y));
            let (rise, most) = (across * across + down * down, steepest * steepest);
            let rounded = (2 * (dearest - 1) * rise + most) / (2 * most);
            let is_wall = rise > most || greys[y * width + x] < water;
            costs.push(if is_wall { 255 } else { 1 + rounded as u8 });
        }
    }
    costs
}

#[test]
fn drawn_heights_cost_what_an_exact_twin_says() {
    let dear = Cost::new(41).expect("a cost");
    // 2 · 2.5 · 0.7 / 0.1 = 35, and 2 · 2 · 0.5 / 0.25 = 8, and 2 · 30 · 0.7 / 0.01 = 4,200.
    for (heights, steepest, dearest, water) in [
        (Heights::new(2.5, 0.1), 35, 8, 0),
        (
            Heights::new(2.5, 0.1).with_dearest(dear).with_water(10.0),
            35,
            41,
            100,
        ),
        (Heights::new(2.0, 0.25).with_steepest(0.5), 8, 8, 0),
        (Heights::new(30.0, 0.01).with_water(2.5), 4_200, 8, 250),
    ] {
        let mut seen = [0; 256];
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let (depth, high) = match rng.index(2) {
                0 => (BitDepth::Eight, 255),
                _ => (BitDepth::Sixteen, 65_535),
            };
            let (width, greys) = drawn_heights(&mut rng, high);
            let map = read_heights(&picture(width, &greys, depth), &heights, 900).expect("a map");
            let rows = map.to_rows();
            assert_eq!(
                rows,
                exact(width, &greys, steepest, dearest, water),
                "seed {seed}"
            );
            rows.iter().for_each(|&cost| seen[usize::from(cost)] += 1);
        }
        assert!(
            seen[1] > 0 && seen[255] > 0 && seen[dearest as usize] > 0,
            "{seen:?}"
        );
    }
}

#[test]
fn a_ramp_costs_the_same_up_to_the_border() {
    let ramp: Vec<u16> = (0..3).flat_map(|_| [0, 100, 200, 300]).collect();
    let heights = Heights::new(10.0, 0.05);
    let kinds = Kinds::new().with_heights(heights);
    let bytes = picture(4, &ramp, BitDepth::Sixteen);
    let map = MapReader::new()
        .with_kinds(kinds)
        .read(Format::Png, &bytes)
        .expect("a map");
    // A slope of 0.5 of 0.7: 1 + 7 · 0.51.
    assert_eq!(map.to_rows(), [5; 12]);
    let wet = read_heights(&bytes, &heights.with_water(5.0), 12).expect("a map");
    assert_eq!(wet.to_rows()[..4], [255, 5, 5, 5]);
}

#[test]
fn greys_at_the_ends_of_their_type_have_costs_too() {
    let heights = Heights::new(1.0, 1.0).with_steepest(1e10);
    let ends = [i32::MIN, i32::MAX];
    // A slope of 0.3 of the steepest: 1 + 7 · 0.09.
    assert_eq!(heights.cost(0, ends, ends).value(), 2);
    assert_eq!(Heights::new(1.0, 1.0).cost(0, ends, ends), Cost::WALL);
}

#[test]
fn pictures_that_are_no_height_maps_are_refused() {
    let heights = Heights::new(1.0, 1.0);
    let colours = (ColorType::Rgb, BitDepth::Eight);
    let bytes = pictures::picture((1, 1), colours, None, &[1, 2, 3]);
    let error = read_heights(&bytes, &heights, 9)
        .expect_err("colours")
        .to_string();
    let told = "the header: the picture is not grey with 8 or 16 bits a pixel: save the heights";
    assert!(error.starts_with(told), "{error}");
    let large = picture(5, &[0; 10], BitDepth::Sixteen);
    let error = read_heights(&large, &heights, 9)
        .expect_err("10 cells")
        .to_string();
    assert!(error.contains("over the limit of 9 cells"), "{error}");
}
