//! The pictures: a row for each scene, a column for each engine, all in the same second of
//! their scene; readable on light and dark backgrounds.

use std::fmt::Write;

use super::engine::KINDS;
use super::scenes::{RADIUS, Scene};

const WIDE: f32 = 260.0;
const GAP: f32 = 10.0;
/// The space of the titles of the columns, and of that of a row.
const TOP: f32 = 26.0;
const HEAD: f32 = 24.0;

/// The colours of groups, one after the other around the wheel.
const COLOURS: [&str; 8] = [
    "#d1495b", "#2a7fb8", "#e09f1f", "#3c9d5b", "#8e5bb5", "#1fa3a3", "#d9622b", "#7a8450",
];

const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#1f2328}.head{font-weight:600}\
.ground{fill:#f6f8fa}.wall{fill:#8c959f}.goal{fill:none;stroke:#1f2328}\
.body{fill:none;stroke-linecap:round}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}\
.ground{fill:#161b22}.wall{fill:#6e7681}.goal{stroke:#e6edf3}}";

/// Draws the scenes, each with where the bodies of each engine were.
pub fn draw(scenes: &[(Scene, Vec<Vec<[f32; 2]>>)]) -> String {
    let mut body = String::new();
    let left = |column: usize| GAP + column as f32 * (WIDE + GAP);
    for (column, kind) in KINDS.iter().enumerate() {
        body += &text("head", left(column), 17.0, kind.title());
    }
    let mut top = TOP;
    for (scene, pictures) in scenes {
        let second = scene.picture.unwrap_or(0.0);
        body += &text(
            "",
            GAP,
            top + 14.0,
            &format!("{}, after {second} s", scene.title),
        );
        top += HEAD;
        let [low, high] = window(scene, pictures);
        let scale = WIDE / (high[0] - low[0]);
        let tall = (high[1] - low[1]) * scale;
        for (column, positions) in pictures.iter().enumerate() {
            let [x, y] = low;
            let (wide, high) = (high[0] - x, high[1] - y);
            _ = writeln!(
                body,
                "<svg x=\"{:.1}\" y=\"{top:.1}\" width=\"{WIDE}\" height=\"{tall:.1}\" \
                 viewBox=\"{x:.1} {y:.1} {wide:.1} {high:.1}\">\n{}{}</svg>",
                left(column),
                ground(scene),
                bodies(scene, positions)
            );
        }
        top += tall + GAP;
    }
    let wide = left(KINDS.len());
    let title = "Crowds in the same second";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {top:.0}\" \
         width=\"{wide}\" height=\"{top:.0}\" role=\"img\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n{body}</svg>\n"
    )
}

/// Returns the corners of the part of the map in which bodies are, with any engine.
fn window(scene: &Scene, pictures: &[Vec<[f32; 2]>]) -> [[f32; 2]; 2] {
    let discs = goals(scene)
        .flat_map(|([x, y], radius)| [[x - radius, y - radius], [x + radius, y + radius]]);
    let points = pictures.iter().flatten().copied().chain(discs);
    let none = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
    let [low, high] = points.fold(none, |[low, high], point| {
        [0, 1].map(|side| {
            [0, 1].map(|axis| match side {
                0 => low[axis].min(point[axis]),
                _ => high[axis].max(point[axis]),
            })
        })
    });
    let most = [scene.map.width() as f32, scene.map.height() as f32];
    [
        low.map(|at| (at - 1.0).floor().max(0.0)),
        [0, 1].map(|axis| (high[axis] + 1.0).ceil().min(most[axis])),
    ]
}

/// Returns the goals with the discs around them. Where each body has a goal of its own, they are
/// not drawn.
fn goals(scene: &Scene) -> impl Iterator<Item = ([f32; 2], f32)> {
    let groups = scene.groups.iter().filter(|group| group.size > 1);
    groups.filter_map(|group| Some((group.goal?.centre(), scene.disc(group))))
}

/// Draws the open ground, its walls and the goals.
fn ground(scene: &Scene) -> String {
    let (width, height) = (scene.map.width() as i32, scene.map.height() as i32);
    let mut text = format!("<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n");
    let mut walls = String::new();
    for y in 0..height {
        let is_wall = |x: i32| {
            let cost = scene.map.get(flowtiles::Cell::new(x, y));
            cost.is_some_and(|cost| cost.is_wall())
        };
        let mut x = 0;
        while x < width {
            let run = (x..width).take_while(|&x| is_wall(x)).count() as i32;
            if run > 0 {
                _ = write!(walls, "M{x} {y}h{run}v1h-{run}z");
            }
            x += run.max(1);
        }
    }
    if !walls.is_empty() {
        _ = writeln!(text, "<path class=\"wall\" d=\"{walls}\"/>");
    }
    for ([x, y], radius) in goals(scene) {
        _ = writeln!(
            text,
            "<circle class=\"goal\" cx=\"{x}\" cy=\"{y}\" r=\"{radius:.1}\" \
             vector-effect=\"non-scaling-stroke\"/>"
        );
    }
    text
}

/// Draws the bodies: one path for each colour, a dot with a round end for each body.
fn bodies(scene: &Scene, positions: &[[f32; 2]]) -> String {
    let mut text = String::new();
    let groups = scene.groups.len();
    let colour = |group: usize| {
        if groups > COLOURS.len() {
            group * COLOURS.len() / groups
        } else {
            group
        }
    };
    for (at, stroke) in COLOURS.iter().enumerate() {
        let bodies = scene.bodies.iter().zip(positions);
        let own = bodies.filter(|(body, _)| colour(body.group) == at);
        let mut dots = String::new();
        for (_, [x, y]) in own {
            _ = write!(dots, "M{x:.1} {y:.1}h0");
        }
        if !dots.is_empty() {
            let wide = 2.0 * RADIUS;
            _ = writeln!(
                text,
                "<path class=\"body\" stroke=\"{stroke}\" stroke-width=\"{wide}\" d=\"{dots}\"/>"
            );
        }
    }
    text
}

fn text(class: &str, x: f32, y: f32, words: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>\n")
}
