//! `flowtiles bench walk`: one walk in four lines, as figures and as a picture.

use std::io::Write;
use std::path::PathBuf;

use flowtiles::inspect::{Figure, Key, KeyEntry, Overlay, Paint, Primitive};

use super::ground::{Effort, Ground};
use super::walks::{Lines, lines};
use crate::support::drawing::sheet::Sheet;
use crate::support::failure::Failure;
use crate::support::pictured::{Opened, Pictured, drawn, write_picture};
use crate::support::viewport::check_ending;

/// The approximate pixels along the longer side of a picture, unless a scale is given.
const SIDE: u32 = 1000;

/// One walk in four lines: the path by cells, the same pulled tight, the walk of a unit, and the
/// shortest way at any angle
///
/// Walls bar, costs do not count for the shortest way. Prints the lengths, and
/// draws the lines on the map.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pictured: Pictured,
    /// The picture: a file that ends in .png or .svg
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments { pictured, output } = arguments;
    let asked = &pictured.asked;
    let ending = check_ending(output, &["png", "svg"])?;
    let ([from], Some(goal)) = (&asked.from[..], asked.goal) else {
        let wanted = "one walk is drawn: give --from X,Y once, and --goal X,Y";
        return Err(Failure::Input(wanted.to_owned()));
    };
    let Opened {
        costs,
        shown,
        title,
    } = pictured.open(SIDE, output)?;
    let mut ground = Ground::new(title.clone(), costs, Effort { is_quick: false })?;
    // Refuses what is no walk, by the names of the options.
    drop(asked.order(&mut ground.world)?);
    if *from == goal || !ground.world.reachable(*from, goal) {
        return Err(Failure::Input(format!(
            "--from {from} is no start of a walk to {goal}: give another cell, from which a path \
             leads there (see `explain`)"
        )));
    }
    let mut list = drawn(&ground.world, &[], asked, &[Overlay::Cost], shown);
    let Lines {
        cells,
        line,
        unit,
        shortest,
    } = lines(ground, [*from, goal])?;
    let least = length(&shortest);
    for (name, paint, points) in [
        ("walk of a unit", Paint::Path, &unit),
        ("path by cells", Paint::Island(5), &cells),
        ("pulled tight", Paint::Island(7), &line),
        ("shortest at any angle", Paint::Waiting, &shortest),
    ] {
        let overlay = Overlay::Paths;
        let shapes = points.windows(2).map(|ends| {
            let [from, to] = [ends[0], ends[1]].map(|at| at.map(|at| at as f32));
            Primitive {
                overlay,
                paint,
                figure: Figure::Line { from, to },
            }
        });
        list.primitives.extend(shapes);
        let long = length(points);
        let more = 100.0 * (long / least - 1.0);
        writeln!(out, "{name}: {long:.2} cells, {more:+.2} %")?;
        list.key.push(KeyEntry {
            overlay,
            sample: Key::Line(paint),
            text: format!("{name}, {more:+.2} %"),
        });
    }
    let title = format!("{title}, {}{}", shown.title(), asked.title());
    let sheet = Sheet::new(&list, shown.scale, &title);
    let bytes = match ending {
        "png" => sheet.to_picture().to_png()?,
        _ => sheet.to_svg().into_bytes(),
    };
    write_picture(output, &bytes)
}

fn length(points: &[[f64; 2]]) -> f64 {
    let parts = points.windows(2);
    parts
        .map(|ends| (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]))
        .sum()
}
