//! Armies and crowds: calls of every kind with odd numbers.

use flowtiles_games::{Game, Kind, Random, Rules, draw};

use crate::print_if_asked;

/// The most calls, and few units: each one more makes a step slower.
const CALLS: usize = 80;
const RULES: Rules = Rules {
    kind: Kind::Odd,
    sides: [9, 41],
    groups: 2,
    units: [2, 5],
    most: 40,
    haste: 75,
};

/// Plays a game of odd calls; one that is refused has words and changes nothing.
pub fn crowds(data: &[u8]) {
    let mut random = Random::of(data);
    let seed = random.below(0x1_0000);
    let mut game = Game::new(RULES, seed.into());
    print_if_asked(|| format!("seed {seed}, {:?}", game.world.costs()));
    for _ in 0..CALLS {
        if random.is_spent() {
            break;
        }
        let call = draw(&game, &mut random);
        print_if_asked(|| format!("{call:?}"));
        game.apply(&call);
    }
    (0..4).for_each(|_| game.step(3_000, 0.1));
    print_if_asked(|| format!("{:?}", game.army.units()));
    game.load(true);
}
