//! Games: inputs to a world, compared with the naive model of `tests/oracle`.

use crate::draws::Rng;
use crate::oracle::draw::{Look, draw};
use crate::oracle::game::{Game, draw_input};
use crate::oracle::holds::{assert_finished, assert_freed, assert_running};
use crate::print_if_asked;

const SIZES: [(i32, i32); 6] = [(1, 9), (9, 9), (10, 10), (21, 11), (19, 19), (25, 14)];
/// The most inputs of a game.
const INPUTS: usize = 60;

/// Plays a game.
pub fn world(data: &[u8]) {
    let mut rng = Rng::of(data);
    let look = rng.pick(&[Look::ALL.as_slice(), &Look::EVEN].concat());
    let (width, height) = rng.pick(&SIZES);
    let seed = rng.below(0x1_0000) as u64;
    let map = draw(look, width, height, &mut Rng::new(seed));
    print_if_asked(|| format!("{look:?}, seed {seed}, {map}"));
    let mut game = Game::new(&map);
    for step in 0..INPUTS {
        if rng.is_spent() {
            break;
        }
        let input = draw_input(&map, &mut rng);
        print_if_asked(|| format!("{input:?}"));
        game.apply(&input);
        if rng.chance(4) {
            print_if_asked(|| "saved and loaded".to_owned());
            game.reload();
        }
        assert_running(&game);
        if step % 10 == 9 {
            game.assert_map();
        }
    }
    assert_finished(&mut game, &mut rng);
    assert_freed(&mut game);
}
