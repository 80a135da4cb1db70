//! Plans the roads between towns, and paves them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flowtiles::Cell;

use super::bridges;
use super::ground::Ground;
use super::land::{HEIGHT, Landscape, WIDTH};
use super::noise::Noise;
use super::rivers::rounded;
use crate::raster::Raster;

/// Roads are planned on a grid of squares this wide.
const SQUARE: i32 = 4;
/// The price of following an existing road.
const ROAD: u32 = 8;
/// The line of a road, cell by cell.
pub type Way = Vec<Cell>;

/// Plans a road between every two neighbouring towns, and one from each town to the
/// nearest edge of the map. A later road follows an earlier one where it can.
pub fn plan(land: &Landscape, noise: &Noise) -> Vec<Way> {
    let mut prices = Raster::from_cells(WIDTH / SQUARE, HEIGHT / SQUARE, |square| {
        // The ground is uneven everywhere, so roads wind.
        let uneven = 40 + noise.roughness(square) * 160 / 65_536;
        price(land, square) * uneven as u32 / 100
    });
    let mut ways = Vec::new();
    for (from, to) in journeys(land) {
        let squares = cheapest(&prices, square_of(from), square_of(to));
        for &square in &squares {
            prices[square] = ROAD;
        }
        ways.push(line(&squares, from, to));
    }
    ways
}

fn square_of(cell: Cell) -> Cell {
    Cell::new(
        (cell.x / SQUARE).clamp(0, WIDTH / SQUARE - 1),
        (cell.y / SQUARE).clamp(0, HEIGHT / SQUARE - 1),
    )
}

fn journeys(land: &Landscape) -> Vec<(Cell, Cell)> {
    let squares: Vec<Cell> = land.towns.iter().map(|town| town.square).collect();
    let mut journeys = Vec::new();
    for (number, &from) in squares.iter().enumerate() {
        for &to in &squares[number + 1..] {
            journeys.push((from, to));
        }
    }
    for &from in &squares {
        let ends = [
            Cell::new(from.x, 0),
            Cell::new(from.x, HEIGHT - 1),
            Cell::new(0, from.y),
            Cell::new(WIDTH - 1, from.y),
        ];
        let nearest = ends
            .into_iter()
            .min_by_key(|end| (end.x - from.x).abs() + (end.y - from.y).abs());
        journeys.extend(nearest.map(|to| (from, to)));
    }
    journeys
}

/// The price of a road through a square: a road prefers open ground,
/// cuts through woods, and crosses a river where it is narrow.
fn price(land: &Landscape, square: Cell) -> u32 {
    let centre = Cell::new(
        square.x * SQUARE + SQUARE / 2,
        square.y * SQUARE + SQUARE / 2,
    );
    match land.ground[centre] {
        Ground::Road | Ground::Bridge => ROAD,
        Ground::Grass => 20,
        Ground::Field | Ground::Sand => 26,
        Ground::Grove | Ground::Hill => 34,
        Ground::Stream => 60,
        Ground::Swamp => 80,
        Ground::Wood => 60,
        Ground::Rock => 150,
        Ground::Wall | Ground::House => 900,
        Ground::Water => 260,
    }
}

/// Dijkstra over the squares: eight neighbours, 5 and 7.
fn cheapest(prices: &Raster<u32>, from: Cell, to: Cell) -> Vec<Cell> {
    let mut best = Raster::filled(prices.width(), prices.height(), u32::MAX);
    let mut queue = BinaryHeap::new();
    best[to] = 0;
    queue.push(Reverse((0, to)));
    while let Some(Reverse((cost, square))) = queue.pop() {
        if square == from {
            break;
        }
        if cost > best[square] {
            continue;
        }
        for (next, weight) in neighbours(square) {
            let Some(price) = prices.get(next) else {
                continue;
            };
            let reached = cost + weight * price;
            if reached < best[next] {
                best[next] = reached;
                queue.push(Reverse((reached, next)));
            }
        }
    }
    let mut way = vec![from];
    let mut square = from;
    while square != to {
        let step = neighbours(square)
            .filter(|(next, _)| best.get(*next).is_some_and(|cost| *cost < best[square]))
            .min_by_key(|(next, _)| (best[*next], *next));
        let Some((next, _)) = step else { break };
        way.push(next);
        square = next;
    }
    way
}

fn neighbours(square: Cell) -> impl Iterator<Item = (Cell, u32)> {
    flowtiles::Direction::ALL.into_iter().map(move |direction| {
        (
            square.step(direction),
            if direction.is_diagonal() { 7 } else { 5 },
        )
    })
}

/// Returns the squares as a smooth line of adjacent cells.
fn line(squares: &[Cell], from: Cell, to: Cell) -> Way {
    const FINE: i32 = 16;
    let fine = |cell: Cell| (cell.x * FINE + FINE / 2, cell.y * FINE + FINE / 2);
    let centre = |square: &Cell| Cell::new(square.x * SQUARE + 2, square.y * SQUARE + 2);
    let mut points = vec![fine(from)];
    // Every third square: fewer corners, each of which is cut twice.
    points.extend(squares.iter().skip(1).step_by(3).map(centre).map(fine));
    points.push(fine(to));
    let points = rounded(&rounded(&points));
    let mut way = Way::new();
    for pair in points.windows(2) {
        let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
        let pieces = ((bx - ax).abs().max((by - ay).abs()) * 2 / FINE).max(1);
        for piece in 0..pieces {
            let x = (ax + (bx - ax) * piece / pieces).div_euclid(FINE);
            let y = (ay + (by - ay) * piece / pieces).div_euclid(FINE);
            way.push(Cell::new(x.clamp(0, WIDTH - 1), y.clamp(0, HEIGHT - 1)));
        }
    }
    way.dedup();
    way
}

/// Paves a road on land, and builds a bridge wherever it crosses a river.
pub fn pave(land: &mut Landscape, way: &[Cell]) {
    let mut wet: Vec<Cell> = Vec::new();
    for &cell in way {
        if land.ground[cell] == Ground::Water {
            wet.push(cell);
            continue;
        }
        if !wet.is_empty() {
            bridges::build(land, wet[wet.len() / 2]);
            wet.clear();
        }
        land.pave(cell);
    }
}
