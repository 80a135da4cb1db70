//! Each target takes its corpus and some drawn inputs.

use flowtiles::FlowWorld;
use flowtiles::steer::Army;
use flowtiles_fuzz::{Changes, TARGETS, corpus, saves_of, seeds};

const DRAWN: usize = 200;

#[test]
fn no_target_fails_on_its_corpus_and_drawn_inputs() {
    for (name, target, _) in TARGETS {
        let corpus = corpus(name);
        assert!(corpus.len() >= 3, "the corpus of {name}");
        let drawn = Changes::new(1, corpus.clone()).take(DRAWN);
        for (number, data) in corpus.into_iter().chain(drawn).enumerate() {
            println!("{name}, input {number}");
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
