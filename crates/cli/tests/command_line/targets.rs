//! The scenes of `flowtiles sim` for the kinds of targets: each figure shows that the units
//! did what their target asks.

use serde_json::Value;

use crate::command::Folder;

/// Runs a scene, in which walls hold and no unit is stuck.
fn run(scene: &str) -> Value {
    let folder = Folder::new(&format!("targets-{scene}"));
    let object = folder.run(&["sim", scene, "--json"]).object();
    assert_eq!(object["wall_overlaps"], 0, "{scene}");
    assert_eq!(object["stuck"], 0, "{scene}");
    assert_eq!(object["cut_off"], 0, "{scene}");
    object
}

/// The figures of a band.
fn band<'a>(object: &'a Value, number: u64, target: &str) -> &'a Value {
    let mut all = object["targets"].as_array().expect("targets").iter();
    let found = all.find(|figures| figures["band"] == number && figures["target"] == target);
    found.unwrap_or_else(|| panic!("band {number}, {target}: {object}"))
}

fn number(value: &Value) -> f64 {
    let number = value.as_f64();
    number.unwrap_or_else(|| panic!("a number: {value}"))
}

fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().unwrap_or_else(|| panic!("{value}"));
    values.iter().map(number).collect()
}

#[test]
fn who_holds_is_pushed_and_comes_back() {
    let object = run("hold");
    let guards = band(&object, 0, "hold");
    assert!(number(&guards["pushed"]) > 0.2, "{guards}");
    assert_eq!(guards["drift"], 0.0);
    assert_eq!(object["ticks"], 1_200);
}

#[test]
fn who_stands_makes_room_and_comes_to_rest() {
    let object = run("stand");
    let crowd = band(&object, 0, "stand");
    assert!(number(&crowd["most"]) > 0.2, "{crowd}");
    assert!(number(&crowd["mean"]) < 3.0, "{crowd}");
    assert!(number(&crowd["speed"]) < 0.01, "{crowd}");
}

#[test]
fn units_settle_around_a_point() {
    let object = run("point");
    assert_eq!(object["arrived"], 80);
    // A disc in which circles of radius 0.3 are packed loosely.
    let disc = 0.3 + (80.0_f64 * 0.09 / 0.55).sqrt();
    let farthest = number(&band(&object, 0, "point")["farthest"]);
    assert!(farthest < disc + 0.5, "{farthest}");
}

#[test]
fn followers_stay_beside_their_leader() {
    let object = run("follow");
    let farthest = number(&band(&object, 1, "follow")["farthest"]);
    assert!((0.6..6.0).contains(&farthest), "{farthest}");
    assert_eq!(
        numbers(&band(&object, 0, "stops")["reached"]),
        [0.0, 1.0, 2.0]
    );
}

#[test]
fn a_tour_ends_and_a_patrol_begins_again() {
    let object = run("tour");
    let tour = band(&object, 0, "stops");
    assert_eq!(numbers(&tour["reached"]), [0.0, 1.0, 2.0]);
    assert_eq!(object["arrived"], object["units"]);
    let object = run("patrol");
    let patrol = band(&object, 0, "stops");
    let reached = numbers(&patrol["reached"]);
    assert!(reached.len() >= 9, "{patrol}");
    let again = [0.0, 1.0, 2.0].into_iter().cycle();
    assert!(
        reached.iter().copied().eq(again.take(reached.len())),
        "{patrol}"
    );
    for stops in [tour, patrol] {
        assert!(number(&stops["farthest"]) < 3.0, "{stops}");
    }
}

#[test]
fn hunters_regain_range_and_give_up_at_their_leash() {
    let object = run("pursue");
    let hunters = band(&object, 0, "pursue");
    let reached = numbers(&hunters["reached"]);
    let [first, again] = reached[..] else {
        panic!("{hunters}")
    };
    assert!(first < 500.0 && again > 500.0, "{hunters}");
    assert_eq!(hunters["lost_tick"], Value::Null);
    assert!((0.0..=2.1).contains(&number(&hunters["gap"])), "{hunters}");
    let leashed = band(&object, 2, "pursue");
    assert!(numbers(&leashed["reached"]).is_empty(), "{leashed}");
    assert!(
        (40.0..41.5).contains(&number(&leashed["lost_distance"])),
        "{leashed}"
    );
}

#[test]
fn a_raid_leaves_foes_that_it_does_not_see() {
    let object = run("attack");
    let raid = band(&object, 0, "attack");
    assert_eq!([&raid["fell"], &raid["foes"]], [3, 5]);
    assert_eq!(object["fallen"], 3);
    assert!(raid["arrived"].is_u64(), "{raid}");
    // The raiders, and the two foes that hold their places.
    assert_eq!(object["arrived"], 8);
}

#[test]
fn who_flees_gets_away() {
    let object = run("flee");
    let prey = band(&object, 1, "flee");
    assert!(number(&prey["distance"]) >= 25.0, "{prey}");
    assert!(number(&prey["nearest"]) > 1.0, "{prey}");
    assert!(numbers(&band(&object, 0, "pursue")["reached"]).is_empty());
}

#[test]
fn formations_are_as_before_behind_a_gap() {
    let object = run("formations");
    for number in 0..4 {
        let off = numbers(&band(&object, number, "formation")["off_place"]);
        let [before, within, behind] = off[..] else {
            panic!("{off:?}")
        };
        assert!(before < 0.3 && behind < 0.3, "{number}: {off:?}");
        // The gap is narrower than a line and a wedge.
        assert!(number > 1 || within > 0.5, "{number}: {off:?}");
    }
}

#[test]
fn groups_behind_a_pass_regain_width_pace_and_form() {
    let [width, pace] = ["keep-width", "keep-pace"].map(run);
    let spread = |object, number, axis: &str| numbers(&band(object, number, "spread")[axis]);
    let (wide, thin) = (spread(&width, 0, "across"), spread(&width, 1, "across"));
    assert!(wide[2] > 0.75 * 3.0 && wide[1] < 0.6 * wide[0], "{wide:?}");
    assert!(thin[2] < 0.6 * 3.0, "{thin:?}");
    let (together, apart) = (spread(&pace, 0, "along"), spread(&pace, 1, "along"));
    assert!(together.iter().all(|along| *along < 2.0), "{together:?}");
    assert!(apart[2] > 10.0, "{apart:?}");
    let planes = run("planes");
    let along = [0, 1].map(|number| spread(&planes, number, "along"));
    let longer = along.each_ref().map(|along| along[2] / along[0]);
    assert!(longer[0] < 1.07 && longer[1] > 1.1, "{along:?}");
    for object in [width, pace, planes] {
        assert_eq!(object["arrived"], object["units"]);
    }
}
