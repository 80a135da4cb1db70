//! Groups that draw up on a line, and where units would stop if they were sent.

use flowtiles::steer::{
    Army, ArmyError, GroupId, Line, Reading, Sending, Shape, Target, Turning, Unit,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Movement};

use crate::crowd::{configure, set_layer};

/// Groups of `counts` units in blocks, in the west of a map with a rock.
fn game(counts: &[u32]) -> (FlowWorld, Army, Vec<GroupId>) {
    let mut map = CostMap::open(80, 60).unwrap();
    map.edit(CellRect::new(45, 21, 2, 3), Cost::WALL).unwrap();
    let world = FlowWorld::new(map);
    let mut army = Army::default();
    let mut groups = Vec::new();
    for (at, &count) in (0..).zip(counts) {
        let group = army.add_group(Target::Hold, Reading::Ahead).unwrap();
        for id in 0..count {
            let place = [
                5.5 + (id / 8) as f32,
                10.5 + 10.0 * at as f32 + (id % 8) as f32,
            ];
            army.add(Unit::new(at * 100 + id, group, place)).unwrap();
        }
        groups.push(group);
    }
    (world, army, groups)
}

fn settle(world: &mut FlowWorld, army: &mut Army) {
    for tick in 0.. {
        army.tick(world, Budget::UNLIMITED, 0.05);
        if army.is_settled() {
            return;
        }
        assert!(tick < 2_000);
    }
}

/// Returns the places of the units of a group along a line and behind it.
fn along(army: &Army, group: GroupId, line: Line) -> Vec<[f32; 2]> {
    let [x, y] = line.facing();
    let place = |unit: &Unit| {
        let [dx, dy] = [0, 1].map(|axis| unit.position[axis] - line.left[axis]);
        [-y * dx + x * dy, -x * dx - y * dy]
    };
    let mut places: Vec<[f32; 2]> = army.members(group).map(place).collect();
    places.sort_by(|one, two| one[0].total_cmp(&two[0]));
    places
}

/// A slanted line of 24 cells for 12 units, and of 3 cells for 12: rows behind it.
#[test]
fn units_draw_up_as_wide_as_the_line_or_in_rows_behind_it() {
    let wide = Line::new([40.0, 20.0], [60.0, 20.0 + 13.266_5]);
    let narrow = Line::new([40.0, 40.0], [43.0, 40.0]);
    let (mut world, mut army, groups) = game(&[12]);
    let turning = Turning {
        rate: 2.0,
        on_the_spot: true,
    };
    let first = army.members(groups[0]).next().unwrap().id;
    army.set_turning(first, turning).unwrap();
    let how = Sending::default();
    army.draw_up(&mut world, &groups, wide, how).unwrap();
    let mut queued = how;
    queued.queued = true;
    army.draw_up(&mut world, &groups, narrow, queued).unwrap();
    while !army.group(groups[0]).unwrap().queue().is_empty() {
        // The lines are in the save.
        army = Army::load(&army.save(), &world).unwrap();
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
    }
    let places = along(&army, groups[0], wide);
    // Those who would stand in the rock stand in a row behind.
    let in_front = places.iter().filter(|place| place[1].abs() < 0.2);
    assert!((9..12).contains(&in_front.count()), "{places:?}");
    assert!(places[0][0] < 0.2 && (places[11][0] - wide.width()).abs() < 0.2);
    settle(&mut world, &mut army);
    let places = along(&army, groups[0], narrow);
    let row = |least: f32| {
        let in_row = |place: &&[f32; 2]| (place[1] - least).abs() < 0.2;
        places.iter().filter(in_row).count()
    };
    assert_eq!([row(0.0), row(0.63), row(1.26)], [5, 5, 2], "{places:?}");
    for unit in army.units() {
        let [x, y] = unit.heading().unwrap();
        assert!(x.abs() < 1e-5 && (y + 1.0).abs() < 1e-5, "{unit:?}");
    }
}

#[test]
fn ranks_draw_up_one_behind_the_other() {
    let (mut world, mut army, groups) = game(&[10, 10]);
    configure(&mut army, &world, groups[0], |settings| settings.rank = 1).unwrap();
    let line = Line::new([60.0, 45.0], [60.0, 51.0]);
    army.draw_up(&mut world, &groups, line, Sending::default())
        .unwrap();
    settle(&mut world, &mut army);
    let deepest = |group| {
        let places = along(&army, group, line);
        places.iter().map(|place| place[1]).fold(0.0, f32::max)
    };
    let [behind, front] = [deepest(groups[0]), deepest(groups[1])];
    assert!(
        front < 0.2 && (0.5..0.9).contains(&behind),
        "{front} {behind}"
    );
}

/// Where units would stop is where they do stop, if nothing else changes: also of groups of two
/// ranks on layers of odd and of even width.
#[test]
fn ghosts_are_the_places_where_units_stop() {
    for (line, are_tanks) in [
        (None, false),
        (None, true),
        (Some(Line::new([46.0, 20.0], [46.0, 40.0])), false),
        (Some(Line::new([46.0, 20.0], [46.0, 40.0])), true),
    ] {
        let (mut world, mut army, groups) = game(&[30, 9]);
        if are_tanks {
            let wide = world
                .add_layer(Movement::new().with_size(2).unwrap())
                .unwrap();
            set_layer(&mut army, &mut world, groups[1], wide).unwrap();
            configure(&mut army, &world, groups[1], |it| it.rank = 1).unwrap();
        }
        let goal = Cell::new(46, 30);
        let sorted = |mut places: Vec<[f32; 2]>| {
            places.sort_by(|one, two| one[0].total_cmp(&two[0]).then(one[1].total_cmp(&two[1])));
            places
        };
        // The line to which they go now does not count.
        let old = Line::new([10.5, 30.5], [10.5, 36.5]);
        army.draw_up(&mut world, &groups, old, Sending::default())
            .unwrap();
        let ghosts = army.ghosts(&world, &groups, goal, line);
        let ghosts = sorted(ghosts.into_iter().map(|ghost| ghost.1).collect());
        let how = Sending::default();
        match line {
            None => army.send_all(&mut world, &groups, goal, how),
            Some(line) => army.draw_up(&mut world, &groups, line, how),
        }
        .unwrap();
        settle(&mut world, &mut army);
        let stops = army
            .units()
            .iter()
            .map(|unit| army.stop_of(unit.id).unwrap());
        let stops = sorted(stops.collect());
        assert_eq!(ghosts.len(), stops.len());
        for (ghost, stop) in ghosts.iter().zip(&stops) {
            let off = (ghost[0] - stop[0]).hypot(ghost[1] - stop[1]);
            // Ranks without a line look to where they come from, as they come near.
            let most = if are_tanks && line.is_none() {
                0.5
            } else {
                0.01
            };
            assert!(off < most, "{line:?}: {ghost:?} {stop:?}");
        }
        let around = army.units().iter().all(|unit| {
            let stop = army.stop_of(unit.id).unwrap();
            (unit.position[0] - stop[0]).hypot(unit.position[1] - stop[1]) < 0.2
        });
        assert!(around);
    }
}

/// A group that comes by a click to the cell in which the middle of another's line is, and one whose
/// line crosses that, stop where each was sent.
#[test]
fn each_group_has_its_own_line_at_one_goal() {
    let (mut world, mut army, groups) = game(&[7, 7, 7]);
    let lines = [
        Line::new([60.5, 24.5], [60.5, 36.5]),
        Line::new([54.5, 30.5], [66.5, 30.5]),
    ];
    let how = Sending::default();
    army.draw_up(&mut world, &groups[..1], lines[0], how)
        .unwrap();
    // The same line turned about follows in the queue: the first leg keeps its own.
    let mut queued = how;
    queued.queued = true;
    let about = Line::new(lines[0].right, lines[0].left);
    army.draw_up(&mut world, &groups[..1], about, queued)
        .unwrap();
    army.draw_up(&mut world, &groups[1..2], lines[1], how)
        .unwrap();
    army.send_all(&mut world, &groups[2..], Cell::new(60, 30), how)
        .unwrap();
    while !army.group(groups[0]).unwrap().queue().is_empty() {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
    }
    let first = along(&army, groups[0], lines[0]);
    assert!(first[0][0] < 0.2 && first[6][0] > 11.8, "{first:?}");
    settle(&mut world, &mut army);
    let headings = army.members(groups[0]).map(|unit| unit.heading().unwrap());
    assert!(headings.into_iter().all(|[x, _]| x < -0.9));
    let across = along(&army, groups[1], lines[1]);
    assert!(across[0][0] < 0.2 && across[6][0] > 11.8, "{across:?}");
    let away = |unit: &Unit| (unit.position[0] - 60.5).hypot(unit.position[1] - 30.5);
    assert!(army.members(groups[2]).all(|unit| away(unit) < 2.0));
}

/// With every reading, also out of a formation; a unit that comes late gets a place on the line.
#[test]
fn every_reading_comes_to_a_wide_line() {
    let line = Line::new([60.5, 15.5], [60.5, 45.5]);
    for reading in [
        Reading::Nearest,
        Reading::Bilinear,
        Reading::LowestOfFour,
        Reading::Ahead,
    ] {
        let (mut world, mut army, groups) = game(&[11]);
        configure(&mut army, &world, groups[0], |it| it.reading = reading).unwrap();
        army.form(groups[0], Shape::Box, 1.0, &world).unwrap();
        army.draw_up(&mut world, &groups, line, Sending::default())
            .unwrap();
        settle(&mut world, &mut army);
        let places = along(&army, groups[0], line);
        for (at, place) in places.iter().enumerate() {
            let off = (place[0] - 3.0 * at as f32).hypot(place[1]);
            assert!(off < 0.2, "{reading:?}: {places:?}");
        }
        army.add(Unit::new(99, groups[0], [50.5, 30.5])).unwrap();
        settle(&mut world, &mut army);
        let places = along(&army, groups[0], line);
        let on_line = places.iter().filter(|place| place[1].abs() < 0.2).count();
        assert_eq!(on_line, 12, "{reading:?}: {places:?}");
    }
}

#[test]
fn what_is_no_line_is_refused() {
    let (mut world, mut army, groups) = game(&[3]);
    let ok = Line::new([40.0, 20.0], [50.0, 20.0]);
    let mut formation = Sending::default();
    formation.formation = Some((Shape::Line, 1.0));
    for (line, how) in [
        (Line::new([40.0, 20.0], [40.0, 20.0]), Sending::default()),
        (
            Line::new([f32::NAN, 20.0], [40.0, 20.0]),
            Sending::default(),
        ),
        (Line::new([40.0, 20.0], [2e6, 20.0]), Sending::default()),
        (ok, formation),
    ] {
        let refused = army.draw_up(&mut world, &groups, line, how);
        assert!(matches!(refused, Err(ArmyError::Group { .. })), "{line:?}");
        assert_eq!(army.target(groups[0]), Some(&Target::Hold));
    }
}

#[test]
fn a_patrol_of_one_goal_comes_back_to_where_it_began() {
    let (mut world, mut army, groups) = game(&[8]);
    let goals = [Cell::new(20, 14)];
    army.patrol_all(&mut world, &groups, goals, Sending::default())
        .unwrap();
    let mut goals = Vec::new();
    for _ in 0..400 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
        let goal = army.order_of(0).unwrap().goal().cell();
        if goals.last() != Some(&goal) {
            goals.push(goal);
        }
    }
    let back = Cell::new(5, 14);
    assert_eq!(goals[..3], [Cell::new(20, 14), back, Cell::new(20, 14)]);
}

/// On ground so small that only the nearest get a place, and these are of one size.
#[test]
fn ghosts_have_room_where_most_units_stop_beside_others() {
    let world = FlowWorld::new(CostMap::open(3, 3).unwrap());
    let mut army = Army::default();
    let group = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    for id in 0..100 {
        let (at, radius) = if id < 36 { (0.6, 0.42) } else { (2.5, 0.2) };
        let mut unit = Unit::new(id, group, [at, at]);
        unit.radius = radius;
        army.add(unit).unwrap();
    }
    let ghosts = army.ghosts(&world, &[group], Cell::new(0, 0), None);
    assert!(ghosts.len() > 1);
    for (at, &(_, [x, y])) in ghosts.iter().enumerate() {
        let apart = |&(_, [ox, oy]): &(u32, [f32; 2])| (x - ox).hypot(y - oy);
        let nearest = ghosts[..at].iter().map(apart).fold(3.0, f32::min);
        assert!(nearest >= 0.42 * 1.5, "{ghosts:?}");
    }
}
