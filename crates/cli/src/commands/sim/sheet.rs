//! A sheet of small pictures of a crowd scene: the first with the given parameters, each of
//! the others with one of them changed.
//!
//! ```text
//!   ┌─────────┬─────────┬─────────┬─────────┐
//!   │ as given│ length 3│ discom… │ sparse… │   the name and its value
//!   │  ······ │  ······ │  ······ │  ······ │   units and trails in a tick
//!   │ 6.2 0.89│ 8.1 0.70│ …       │ …       │   seconds until all have arrived,
//!   └─────────┴─────────┴─────────┴─────────┘   and the lane order
//! ```

use flowtiles::Cell;
use flowtiles_country::picture::Picture;
use flowtiles_country::raster::Raster;
use flowtiles_scenes::{Entry, SceneOptions};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::film::Film;
use super::run::{RunOptions, whole};
use crate::support::drawing::Surface;
use crate::support::drawing::colours::{INK, PAPER};
use crate::support::failure::Failure;
use crate::support::font::Size;
use crate::support::threads::on_threads;

/// The parameters changed in each picture; the first has none changed.
const VARIATIONS: [&str; 20] = [
    "",
    "length=3",
    "time=0.2",
    "discomfort=0",
    "discomfort=5",
    "sparse=1.5 dense=2",
    "dense=3",
    "dearest=1.2",
    "dearest=20",
    "foresight=0",
    "foresight=2",
    "predicted=0",
    "predicted=20",
    "standing=0",
    "resolution=1",
    "resolution=4",
    "exponent=2",
    "interval=0.5",
    "predictions=1",
    "crowd=1000",
];

/// Pictures side by side.
const COLUMNS: i32 = 4;
/// Pixels across a picture, about.
const WIDE: u16 = 260;
const MARGIN: i32 = 8;

/// A picture, with the text above and below it.
struct Part {
    title: &'static str,
    film: Film,
    result: String,
}

/// The tick that a sheet shows, unless another is asked for.
const SHEET_TICK: u32 = 60;

/// Runs a scene for all pictures, spread over the threads, and composes the sheet; `set` are
/// the parameters that were set.
///
/// # Errors
/// If a parameter cannot be changed together with those that were set, or a scene cannot be
/// run.
pub fn sheet(
    entry: &Entry,
    asked: &SceneOptions,
    set: &[String],
    options: &RunOptions,
) -> Result<Picture, Failure> {
    let part = |changed: &&'static str| -> Result<Part, Failure> {
        let changes = changed.split_whitespace().map(str::to_owned);
        let all: Vec<String> = set.iter().cloned().chain(changes).collect();
        let tuning = entry.said().tuning.with(&all).map_err(Failure::Input)?;
        let tuning = Some(tuning);
        let scene = entry.scene(&SceneOptions { tuning, ..*asked });
        let scene = scene.map_err(Failure::Input)?;
        let mut film = Film::new(&scene, whole(&scene), WIDE);
        film.until = options.ticks.unwrap_or(SHEET_TICK);
        let to_the_end = RunOptions {
            ticks: None,
            ..*options
        };
        let figures = to_the_end.on_one_thread().run(&scene, Some(&mut film))?;
        let all = figures.get("d100").number();
        let all = all.map_or("never".to_owned(), |seconds| format!("{seconds:.1} s"));
        let order = figures.get("lane_order").number().unwrap_or(0.0);
        let is_given = changed.is_empty();
        Ok(Part {
            title: if is_given { "as given" } else { changed },
            film,
            result: format!("{all}   order {order:.2}"),
        })
    };
    let run = || VARIATIONS.par_iter().map(part).collect();
    let parts: Result<Vec<Part>, Failure> = on_threads(options.threads.get(), run)?;
    Ok(together(&parts?))
}

/// Pictures of one size side by side.
fn together(parts: &[Part]) -> Picture {
    let first = &parts[0].film.still().colours;
    let line = Size::Small.height() as i32 + MARGIN;
    let (wide, high) = (first.width() + MARGIN, first.height() + 2 * line + MARGIN);
    let rows = (parts.len() as i32 + COLUMNS - 1) / COLUMNS;
    let mut sheet = Picture {
        colours: Raster::filled(COLUMNS * wide + MARGIN, rows * high + MARGIN, PAPER),
    };
    for (number, part) in (0..).zip(parts) {
        let (left, top) = (
            MARGIN + number % COLUMNS * wide,
            MARGIN + number / COLUMNS * high,
        );
        sheet.write_text(Cell::new(left, top), part.title, Size::Small, INK);
        let below = Cell::new(left, top + line + first.height() + MARGIN);
        sheet.write_text(below, &part.result, Size::Small, INK);
        let colours = &part.film.still().colours;
        for pixel in colours.cells() {
            let to = Cell::new(left + pixel.x, top + line + pixel.y);
            // Few shades, so that the file stays small.
            let shade = colours[pixel].map(|band| band.saturating_add(4) & !7);
            sheet.lay(to, shade, 255);
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
        for changed in VARIATIONS {
            let set: Vec<String> = changed.split_whitespace().map(str::to_owned).collect();
            let tuning = given.with(&set).unwrap_or_else(|_| panic!("{changed}"));
            let same = tuning.conduct == given.conduct && tuning.settings == given.settings;
            assert_eq!(same, changed.is_empty(), "{changed}");
        }
    }
}
