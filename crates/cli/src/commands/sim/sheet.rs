//! A sheet of small pictures of a crowd scene: the first with the given
//! parameters, each of the others with one of them changed.
//!
//! ```text
//!   ┌─────────┬─────────┬─────────┬─────────┐
//!   │ as given│ length 3│ discom… │ sparse… │   the name and its value
//!   │  ······ │  ······ │  ······ │  ······ │   units and trails in a tick
//!   │ 6.2 0.89│ 8.1 0.70│ …       │ …       │   seconds until all have arrived,
//!   └─────────┴─────────┴─────────┴─────────┘   and the lane order
//! ```

use std::num::NonZeroUsize;

use flowtiles::Cell;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::film::{Film, FilmLook};
use super::run::SceneRun;
use crate::support::failure::Failure;
use crate::support::font;
use crate::support::picture::{Colour, Picture};
use crate::support::threads::on_threads;
use flowtiles_scenes::raster::Raster;
use flowtiles_scenes::{Entry, SceneOptions};

/// The parameters changed in each picture; the first has none changed.
const VARIATIONS: [&[&str]; 20] = [
    &[],
    &["length=3"],
    &["time=0.2"],
    &["discomfort=0"],
    &["discomfort=5"],
    &["sparse=1.5", "dense=2"],
    &["dense=3"],
    &["dearest=1.2"],
    &["dearest=20"],
    &["foresight=0"],
    &["foresight=2"],
    &["predicted=0"],
    &["predicted=20"],
    &["standing=0"],
    &["resolution=1"],
    &["resolution=4"],
    &["exponent=2"],
    &["interval=0.5"],
    &["predictions=1"],
    &["crowd=1000"],
];

/// Pictures side by side.
const COLUMNS: i32 = 4;
/// The most pixels of a picture across.
const WIDE: i32 = 260;
const MARGIN: i32 = 8;
/// How much letters are enlarged.
const LETTERS: i32 = 1;

const INK: Colour = [28, 30, 36];
const PAPER: Colour = [250, 248, 242];

/// A picture, with the text above and below it.
struct SheetPicture {
    title: String,
    picture: Picture,
    result: String,
}

/// Runs a scene for all pictures, spread over the threads, and composes the
/// sheet. Each picture shows the units after `tick`.
///
/// # Errors
/// If a parameter cannot be changed together with those that were set, or a
/// scene cannot be run.
pub fn sheet(
    entry: &Entry,
    asked: &SceneOptions,
    set: &[String],
    tick: u32,
    threads: NonZeroUsize,
) -> Result<Picture, Failure> {
    let one = |changed: &&[&str]| part(entry, asked, set, changed, tick);
    let run = || VARIATIONS.par_iter().map(one).collect();
    let parts: Result<Vec<SheetPicture>, Failure> = on_threads(threads.get(), run)?;
    Ok(together(&parts?))
}

fn part(
    entry: &Entry,
    asked: &SceneOptions,
    set: &[String],
    changed: &[&str],
    tick: u32,
) -> Result<SheetPicture, Failure> {
    let changes = changed.iter().map(|change| (*change).to_owned());
    let all: Vec<String> = set.iter().cloned().chain(changes).collect();
    let asked = SceneOptions {
        tuning: Some(entry.said().tuning.with(&all).map_err(Failure::Input)?),
        ..*asked
    };
    let scene = entry.scene(&asked).map_err(Failure::Input)?;
    let mut run = SceneRun::new(&scene)?;
    let mut film = Film::new(&scene, false, FilmLook::default());
    while run.goes_on(scene.ticks) {
        run.step()?;
        if run.tick <= tick {
            film.shoot(&run);
        }
        if run.tick == tick {
            film.finish(&run);
        }
    }
    if run.tick < tick {
        film.finish(&run);
    }
    let watched = run.finish().watched.unwrap_or_default();
    let reached = watched.reached[2].map_or("never".to_owned(), |all| format!("{all:.1} s"));
    let order = watched.lane_order.unwrap_or(0.0);
    Ok(SheetPicture {
        title: match changed {
            [] => "as given".to_owned(),
            changes => changes.join(" "),
        },
        picture: reduced(film.still()),
        result: format!("{reached}   order {order:.2}"),
    })
}

/// Reduces a picture by a whole number: each pixel is the mean of those it
/// replaces.
fn reduced(picture: &Picture) -> Picture {
    let by = (picture.colours.width() + WIDE - 1) / WIDE;
    let (width, height) = (picture.colours.width() / by, picture.colours.height() / by);
    Picture {
        colours: Raster::from_cells(width, height, |Cell { x, y }| {
            let pixels = (0..by).flat_map(|dy| (0..by).map(move |dx| (dx, dy)));
            let sums = pixels.fold([0; 3], |sums: [i32; 3], (dx, dy)| {
                let colour = picture.colours[Cell::new(x * by + dx, y * by + dy)];
                std::array::from_fn(|band| sums[band] + i32::from(colour[band]))
            });
            // Few shades, so that the file stays small.
            sums.map(|sum| ((sum / (by * by) + 4).min(255) & !7) as u8)
        }),
    }
}

fn together(parts: &[SheetPicture]) -> Picture {
    let size = |of: fn(&Raster<Colour>) -> i32| {
        let sizes = parts.iter().map(|part| of(&part.picture.colours));
        sizes.max().unwrap_or(1)
    };
    let (wide, high) = (size(Raster::width), size(Raster::height));
    let line = font::HEIGHT as i32 * LETTERS + MARGIN;
    let cell = (wide + MARGIN, high + 2 * line + MARGIN);
    let rows = (parts.len() as i32 + COLUMNS - 1) / COLUMNS;
    let mut sheet = Picture {
        colours: Raster::filled(COLUMNS * cell.0 + MARGIN, rows * cell.1 + MARGIN, PAPER),
    };
    for (at, part) in (0..).zip(parts) {
        let left = MARGIN + at % COLUMNS * cell.0;
        let top = MARGIN + at / COLUMNS * cell.1;
        let mut write = |y: i32, text: &str| {
            sheet.write_text(Cell::new(left, y), text, LETTERS, INK);
        };
        write(top, &part.title);
        write(top + line + high + MARGIN, &part.result);
        for pixel in part.picture.colours.cells() {
            let to = Cell::new(left + pixel.x, top + line + pixel.y);
            sheet.lay(to, part.picture.colours[pixel], 255);
        }
    }
    sheet
}

#[cfg(test)]
mod tests {
    use flowtiles_scenes::Tuning;

    use super::*;

    #[test]
    fn every_change_is_allowed_and_changes_something() {
        let given = Tuning::default();
        for (at, changed) in VARIATIONS.iter().enumerate() {
            let set: Vec<String> = changed.iter().map(|change| (*change).to_owned()).collect();
            let tuning = given.with(&set).unwrap_or_else(|_| panic!("{changed:?}"));
            let same = tuning.conduct == given.conduct && tuning.settings == given.settings;
            assert_eq!(same, at == 0, "{changed:?}");
        }
    }

    #[test]
    fn a_small_picture_keeps_the_colours() {
        let grey = Picture {
            colours: Raster::filled(800, 40, [200, 104, 8]),
        };
        let small = reduced(&grey);
        assert_eq!((small.colours.width(), small.colours.height()), (200, 10));
        assert!(small.colours.iter().all(|colour| *colour == [200, 104, 8]));
    }
}
