//! Each target takes its corpus and some drawn inputs.

use std::fs;
use std::path::{Path, PathBuf};

use flowtiles::FlowWorld;
use flowtiles::steer::Army;
use flowtiles_fuzz::{Changes, TARGETS, saves_of, seeds};

const DRAWN: usize = 200;

#[test]
fn no_target_fails_on_its_corpus_and_drawn_inputs() {
    for (name, target, _) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("corpus")
            .join(name);
        let files = fs::read_dir(&folder).expect("a corpus");
        let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        paths.sort();
        let read = |path: &PathBuf| fs::read(path).expect("a file");
        let corpus: Vec<Vec<u8>> = paths.iter().map(read).collect();
        for (path, data) in paths.iter().zip(&corpus) {
            println!("{}", path.display());
            target(data);
        }
        for (number, data) in Changes::new(1, corpus).take(DRAWN).enumerate() {
            println!("{name}, input {number} of seed 1");
            target(&data);
        }
    }
}

#[test]
fn seeds_of_saves_are_loaded() {
    for (name, data) in seeds("saves") {
        let [world, army] = saves_of(&data).expect("two saves");
        let (world, _claims) = FlowWorld::load(&world).expect(&name);
        Army::load(&army, &world).expect(&name);
    }
}
