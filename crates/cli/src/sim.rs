//! `flowtiles sim`: armies on the march, scene by scene.
//!
//! ```text
//!   scene ─▶ run ─▶ record ─▶ figures
//!    map       │ judge          text, JSON
//!    bands     ╰▶ film ─▶ GIF, PNG
//! ```

mod figures;
mod film;
mod judge;
mod large;
mod palette;
mod run;
pub(crate) mod scene;
mod small;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::whole_file::{check_place, write_whole};
use figures::Figures;
use film::Film;
use run::Run;
use scene::Scene;

/// March units through a scene and measure it; without a scene, list them
#[derive(clap::Args)]
pub struct Arguments {
    /// Which scene
    scene: Option<String>,
    /// End after so many ticks
    #[arg(long, value_name = "N")]
    ticks: Option<u32>,
    /// Draw what is drawn at random from another seed
    #[arg(long, value_name = "N", default_value_t = 8)]
    seed: u64,
    /// Step on so many threads; the march is the same
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// Write an animation
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write a picture of the end, with the trails
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

/// A scene by its name.
struct Entry {
    name: &'static str,
    about: &'static str,
    build: fn(u64) -> Scene,
}

/// Declares the scenes.
const SCENES: [Entry; 20] = [
    Entry {
        name: "seek",
        about: "one force toward a point",
        build: small::seek,
    },
    Entry {
        name: "flock",
        about: "separation, cohesion, alignment",
        build: small::flock,
    },
    Entry {
        name: "flow-basic",
        about: "a field, blended over four cells",
        build: small::flow_basic,
    },
    Entry {
        name: "flow-corners",
        about: "the lowest of four cells, against ties",
        build: small::flow_corners,
    },
    Entry {
        name: "physics",
        about: "rigid circles; a second click",
        build: small::physics,
    },
    Entry {
        name: "soft-physics",
        about: "a softer crowd",
        build: small::soft_physics,
    },
    Entry {
        name: "crossing-seek",
        about: "two groups head on, nothing done about it",
        build: small::crossing_seek,
    },
    Entry {
        name: "avoid-middle",
        about: "one against the middle of a group",
        build: small::avoid_middle,
    },
    Entry {
        name: "avoid-top",
        about: "one against the edge of a group",
        build: small::avoid_top,
    },
    Entry {
        name: "avoid-small",
        about: "nine against nine",
        build: small::avoid_small,
    },
    Entry {
        name: "avoid-large",
        about: "36 against 36",
        build: small::avoid_large,
    },
    Entry {
        name: "crossing-grid",
        about: "two formations cross",
        build: small::crossing_grid,
    },
    Entry {
        name: "line-of-sight",
        about: "straight where the view is clear",
        build: small::line_of_sight,
    },
    Entry {
        name: "sizes",
        about: "small and large units through a gap",
        build: small::sizes,
    },
    Entry {
        name: "formations",
        about: "line, wedge, box and column through gaps",
        build: large::formations,
    },
    Entry {
        name: "pass",
        about: "two armies head on in a narrow pass",
        build: large::pass,
    },
    Entry {
        name: "bridge",
        about: "a bridge is lost under way",
        build: large::bridge,
    },
    Entry {
        name: "one-cell",
        about: "300 units to one cell",
        build: large::one_cell,
    },
    Entry {
        name: "four-armies",
        about: "20,000 units on crossing routes",
        build: large::four_armies,
    },
    Entry {
        name: "demo",
        about: "5,000 units across the demo's country",
        build: large::demo,
    },
];

/// The scenes: the name of each, and what it shows.
pub fn scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.iter().map(|entry| (entry.name, entry.about))
}

/// A scene by its number.
pub fn scene(number: usize, seed: u64) -> Option<Scene> {
    SCENES.get(number).map(|entry| (entry.build)(seed))
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Some(name) = &arguments.scene else {
        for entry in &SCENES {
            writeln!(out, "{:14} {}", entry.name, entry.about)?;
        }
        return Ok(());
    };
    let Some(entry) = SCENES.iter().find(|entry| entry.name == name) else {
        return Err(Failure::Input(format!(
            "there is no scene `{name}`: `flowtiles sim` lists them"
        )));
    };
    for path in [&arguments.gif, &arguments.png].into_iter().flatten() {
        check_place(path).map_err(|error| no_picture(path, &error))?;
    }
    let scene = (entry.build)(arguments.seed);
    let mut run = Run::new(&scene, arguments.threads)?;
    let filmed = arguments.gif.is_some() || arguments.png.is_some();
    let mut film = filmed.then(|| Film::new(&scene, arguments.gif.is_some()));
    let ticks = arguments.ticks.unwrap_or(scene.ticks);
    while run.goes_on(ticks) {
        run.step()?;
        if let Some(film) = &mut film {
            film.shoot(&run);
        }
    }
    if let Some(film) = &mut film {
        film.finish(&run);
        write_film(arguments, film)?;
    }
    let figures = Figures::new(entry.name, arguments.seed, &run.finish());
    if arguments.json {
        serde_json::to_writer(&mut *out, &figures).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{figures}")?;
    }
    Ok(())
}

fn write_film(arguments: &Arguments, film: &Film) -> Result<(), Failure> {
    if let Some(path) = &arguments.png {
        let written = film.still().write(path);
        written.map_err(|error| no_picture(path, &error))?;
    }
    if let Some(path) = &arguments.gif {
        let written = film.to_gif().and_then(|bytes| write_whole(path, &bytes));
        written.map_err(|error| no_picture(path, &error))?;
    }
    Ok(())
}

fn no_picture(path: &std::path::Path, error: &std::io::Error) -> Failure {
    Failure::in_file(
        path,
        format_args!("the picture cannot be written ({error}): name another file"),
    )
}
