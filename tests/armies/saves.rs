//! Saves of armies: what is loaded goes on as what was saved, and what is
//! no save is refused.

use crate::draws::draws;
use flowtiles::inspect::Digest;
use flowtiles::steer::{Army, ArmyLoadError, Chase, Pace, Reading, Shape, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld, Order, Teams};

use crate::crowd::configure;

/// A quick run changes every third byte.
fn every() -> usize {
    if draws() < 3 { 3 } else { 1 }
}

/// A small army with one of everything.
fn small() -> (FlowWorld, Army, Order) {
    let (mut world, mut army, order) = plain_small();
    let wide = army.add_group(order.clone(), Reading::Ahead).unwrap();
    configure(&mut army, &world, wide, |it| it.keeps_width = true).unwrap();
    configure(&mut army, &world, wide, |it| it.pace = Pace::Shared(7)).unwrap();
    for id in 0..3 {
        army.add(Unit::new(1000 + id, wide, [2.5 + id as f32, 7.5]))
            .unwrap();
    }
    let chase = Chase::default();
    let errands = [
        Target::Pursue(300, chase),
        Target::AttackMove(order.clone(), chase),
        Target::Flee {
            from: Some(0),
            safe: 9.0,
        },
    ];
    for (at, target) in (0..).zip(errands) {
        let group = army.add_group(target, Reading::Ahead).unwrap();
        configure(&mut army, &world, group, |it| {
            (it.team, it.foes) = (1, Teams::NONE.with(0))
        })
        .unwrap();
        army.add(Unit::new(2000 + at, group, [9.5 + at as f32, 19.5]))
            .unwrap();
    }
    for _ in 0..9 {
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    (world, army, order)
}

/// The army of the kept save.
fn plain_small() -> (FlowWorld, Army, Order) {
    let mut world = FlowWorld::new(CostMap::open(40, 30).unwrap());
    let order = world.order(Cell::new(30, 15), &[Cell::new(5, 15)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let mut army = Army::default();
    let gone = army.add_group(Target::Flock, Reading::Nearest).unwrap();
    let group = army.add_group(order.clone(), Reading::Ahead).unwrap();
    let _ = army.add_group(Target::Point([3.0, 4.0]), Reading::Bilinear);
    army.remove_group(gone).unwrap();
    army.queue(group, Target::Follow(300)).unwrap();
    army.queue(group, Target::Hold).unwrap();
    for id in 0..3 {
        army.add(Unit::new(id * 300, group, [5.5 + id as f32, 15.5]))
            .unwrap();
    }
    army.form(group, Shape::Line, 1.0, &world).unwrap();
    for _ in 0..3 {
        army.step(&world, 0.05);
    }
    (world, army, order)
}

/// The save of `plain_small` that an earlier build wrote. It is never changed: as long as the
/// format has version 2, it must load.
fn kept() -> Vec<u8> {
    let hex = include_str!("saves/version-2.hex");
    let digits: Vec<char> = hex.chars().filter(|digit| !digit.is_whitespace()).collect();
    let pairs = digits.chunks_exact(2).map(String::from_iter);
    pairs
        .map(|pair| u8::from_str_radix(&pair, 16).unwrap())
        .collect()
}

#[test]
fn kept_save_loads_and_goes_on_bit_for_bit() {
    let (world, mut army, _order) = plain_small();
    let mut loaded = Army::load(&kept(), &world).unwrap();
    assert_eq!(loaded.save(), kept());
    for _ in 0..60 {
        for army in [&mut army, &mut loaded] {
            army.step(&world, 0.05);
        }
        assert_eq!(loaded.state_hash(), army.state_hash());
    }
}

#[test]
fn every_cut_and_every_flipped_byte_is_refused() {
    let (world, army, _order) = small();
    let bytes = army.save();
    for end in 0..bytes.len() {
        assert!(Army::load(&bytes[..end], &world).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut other = bytes.clone();
            other[at] ^= 1 << bit;
            assert!(
                Army::load(&other, &world).is_err(),
                "bit {bit} of byte {at}"
            );
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let refused = Army::load(&longer, &world).unwrap_err();
    assert!(matches!(refused, ArmyLoadError::Length { .. }), "{refused}");
}

/// Writes the digest of changed bytes anew.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let mut digest = Digest::new();
    digest.bytes(&bytes[..end]);
    bytes[end..].copy_from_slice(&digest.finish().to_le_bytes());
    bytes
}

/// Calls `check` with saves of which a byte is another, or four bytes are a number that is
/// beyond all measure, for a number of steps that brings it out.
fn forge(bytes: &[u8], mut check: impl FnMut(Vec<u8>, u32)) {
    for at in (20..bytes.len() - 12).step_by(every()) {
        for change in [1, 2, 0x40, 0x80, 0xFF] {
            let mut other = bytes.to_vec();
            other[at] ^= change;
            check(sealed(other), 3);
        }
        for value in [3e38_f32, -3e38, 1e12, -1e12, 1e-42] {
            let mut other = bytes.to_vec();
            other[at..at + 4].copy_from_slice(&value.to_le_bytes());
            check(sealed(other), 33);
        }
    }
}

#[test]
fn forged_army_with_valid_digest_loads_or_is_refused() {
    let (mut world, army, _order) = small();
    let bytes = army.save();
    let (mut refused, mut loaded) = (0, 0);
    forge(&bytes, |other, steps| match Army::load(&other, &world) {
        Err(error) => {
            refused += 1;
            let text = error.to_string();
            let names = ["byte ", "order ", "layer "];
            assert!(names.iter().any(|name| text.contains(name)), "{text}");
        }
        Ok(mut army) => {
            loaded += 1;
            assert_eq!(army.save(), other, "a save is written in one way");
            // Whatever it holds, it moves without harm.
            for _ in 0..steps {
                army.step(&world, 0.05);
                army.cover_strays(&mut world);
            }
            for unit in army.units() {
                let numbers = [unit.position, unit.velocity];
                let is_finite = numbers.iter().flatten().all(|at| at.is_finite());
                assert!(is_finite, "{unit:?}");
            }
            let again = Army::load(&army.save(), &world);
            assert!(again.is_ok(), "{:?}", again.err());
            army.put_out_of_walls(&world);
        }
    });
    assert!(refused > 140 && loaded > 140, "{refused} and {loaded}");
    // Counts that nothing stands behind take no memory.
    for at in 20..bytes.len() - 8 {
        let mut other = bytes[..at].to_vec();
        other.extend([0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0, 0, 0, 0]);
        let length = (other.len() - 28) as u64;
        other[12..20].copy_from_slice(&length.to_le_bytes());
        assert!(Army::load(&sealed(other), &world).is_err());
    }
}

#[test]
fn loaded_army_needs_the_world_saved_with_it() {
    let (world, mut army, order) = small();
    let bytes = army.save();
    let empty = FlowWorld::new(CostMap::open(40, 30).unwrap());
    let refused = Army::load(&bytes, &empty).unwrap_err();
    let number = order.number();
    assert_eq!(refused, ArmyLoadError::NoOrder { number });
    assert_eq!(army.bind(&empty), Err(refused));
    let mut other = FlowWorld::new(CostMap::open(40, 30).unwrap());
    let elsewhere = other.order(Cell::new(3, 3), &[]).unwrap();
    assert_eq!(elsewhere.number(), number);
    let refused = Army::load(&bytes, &other).unwrap_err();
    assert!(
        matches!(refused, ArmyLoadError::OtherOrder { .. }),
        "{refused}"
    );
    assert!(Army::load(&bytes, &world).is_ok());
    assert!(matches!(
        Army::load(&world.save(), &world),
        Err(ArmyLoadError::NotASave)
    ));
    // A step on the old world, since binding failed.
    army.step(&world, 0.05);
}

/// An army that reads the crowd, with everything that a game can give it.
#[cfg(feature = "crowd")]
fn crowded() -> (FlowWorld, Army) {
    use flowtiles::crowd::{Conduct, CrowdSettings, Danger, Heights};
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let goals = [Cell::new(50, 20), Cell::new(8, 20)];
    let mut army = Army::default();
    let mut settings = CrowdSettings::default();
    // A solve takes several steps.
    (settings.interval, settings.cells_per_step) = (0.2, 2_500);
    army.set_crowd_settings(settings).unwrap();
    for (side, goal) in (0..).zip(goals) {
        let order = world.order(goal, &[goals[1 - side as usize]]).unwrap();
        let group = army.add_group(order, Reading::Crowd).unwrap();
        for id in 0..60 {
            let place = [
                [6.0, 46.0][side as usize] + (id % 8) as f32,
                15.0 + (id / 8) as f32,
            ];
            army.add(Unit::new(id * 2 + side, group, place)).unwrap();
        }
        let mut conduct = Conduct::default();
        conduct.discomfort = 2.0 * side as f32;
        configure(&mut army, &world, group, |it| it.conduct = conduct).unwrap();
    }
    let crowd = army.crowd_mut();
    crowd
        .paint(&world, CellRect::new(25, 5, 7, 9), 3.0)
        .unwrap();
    let danger = Danger {
        position: [30.0, 25.0],
        radius: 4.0,
        strength: 2.0,
    };
    crowd.set_dangers(&[danger]).unwrap();
    let levels: Vec<u8> = (0..2_400).map(|at| (at % 60 / 6) as u8).collect();
    let heights = Heights::from_bytes(60, 40, levels, 0.25).unwrap();
    crowd.set_heights(&world, heights).unwrap();
    (world, army)
}

#[cfg(feature = "crowd")]
#[test]
fn armies_in_a_crowd_stay_equal_if_all_are_loaded() {
    let (mut world, mut army) = crowded();
    for _ in 0..30 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
    }
    let (bytes, army_bytes) = (world.save(), army.save());
    let mut loaded = [1, 2, 8].map(|threads| {
        let (world, claims) = FlowWorld::load(&bytes).unwrap();
        let army = Army::load(&army_bytes, &world).unwrap();
        drop(claims);
        assert_eq!(army.save(), army_bytes);
        (world, army, threads)
    });
    for _ in 0..60 {
        let hashes = loaded.each_mut().map(|(world, army, threads)| {
            crate::crowd::on_threads(*threads, || {
                world.tick(Budget::UNLIMITED);
                army.step(world, 0.05);
                army.cover_strays(world);
                army.state_hash()
            })
        });
        assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:x?}");
    }
    // What the game gave is there, and leads the units.
    let (_, army, _) = &loaded[0];
    let crowd = army.crowd().unwrap();
    assert!(crowd.stats().streams > 0);
    assert_eq!(crowd.settings().interval, 0.2);
    let mut plain = army.clone();
    plain.crowd_mut().remove_heights();
    assert_ne!(plain.save(), army.save());
}
