//! Compares crowds: ORCA, the army of flowtiles, and the army with the crowd, from the same
//! starts to the same goals. See `README.md` beside this package's manifest.

mod army;
mod buckets;
mod engine;
mod figures;
mod options;
mod orca;
mod outline;
mod picture;
mod scenes;
mod tables;

use std::process::ExitCode;

use engine::KINDS;
use figures::Figures;
use options::Options;
use scenes::Scene;
use tables::Report;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Options::parse(&arguments).and_then(|options| compare(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Plays every scene with every engine and writes the results.
fn compare(options: &Options) -> Result<(), String> {
    let mut report = Report::begin(options);
    for key in &options.scenes {
        let mut runs = KINDS.map(|_| Vec::new());
        for seed in 1..=options.seeds {
            let scene = Scene::new(key, seed).ok_or_else(options::usage)?;
            let mut pictures = Vec::new();
            for (kind, runs) in KINDS.into_iter().zip(&mut runs) {
                let mut engine = kind.begin(&scene, options.parameters);
                let run = figures::play(&scene, &mut *engine);
                eprintln!("{}: {}: {:?}", scene.title, kind.title(), run.figures);
                runs.push(run.figures);
                pictures.push(run.picture);
            }
            if seed == 1 {
                report.add(scene, pictures);
            }
        }
        report.figures.push(runs.map(|runs| Figures::of(&runs)));
    }
    for (_, table) in report.parts() {
        println!("{table}");
    }
    if let Some(path) = &options.page {
        let written = report.write(path.as_ref());
        written.map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}
