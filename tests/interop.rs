//! Plain data through serde, and points through mint.

use flowtiles::crowd::{Conduct, CrowdSettings};
use flowtiles::steer::{GroupId, HardGround, Settings, Unit};
use flowtiles::{
    Cell, CellRect, Cost, Goal, Limits, MAX_START_COST, MapTransform, Quality, Sector,
};
use mint::{Point2, Vector2};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) -> String {
    let text = serde_json::to_string(&value).expect("it is plain");
    let back: T = serde_json::from_str(&text).expect("it was just written");
    assert_eq!(back, value, "{text}");
    text
}

fn refused<T: DeserializeOwned>(text: &str) -> String {
    let error = serde_json::from_str::<T>(text).err();
    error
        .unwrap_or_else(|| panic!("{text} is taken"))
        .to_string()
}

#[test]
fn what_is_written_comes_back() {
    assert_eq!(comes_back(Cell::new(-3, 4)), r#"{"x":-3,"y":4}"#);
    comes_back(CellRect::new(1, 2, 3, 4));
    comes_back(Sector { x: 5, y: 6 });
    assert_eq!(comes_back(Cost::WALL), "255");
    assert_eq!(comes_back(Quality::Exact), r#""Exact""#);
    comes_back(HardGround::Ignored);
    let goal = Goal::at(Cell::new(1, 2)).with_start_cost(7);
    assert_eq!(
        comes_back(goal.clone()),
        r#"{"cells":[{"cell":{"x":1,"y":2},"start_cost":7}],"or_nearest":false,"quality":"Corridor","layer":{"number":0,"team":0}}"#
    );
    let other = (Cell::new(3, 4), MAX_START_COST);
    comes_back(goal.or_at(other.0, other.1).or_nearest());
    comes_back(Goal::at(Cell::new(0, 0)).with_quality(Quality::Everywhere));
    comes_back(MapTransform {
        origin: [-100.5, 0.1],
        cell_size: 0.3,
        is_flipped: [false, true],
    });
    let mut limits = Limits::default();
    limits.orders = 7;
    comes_back(limits);
    let mut settings = Settings::default();
    settings.terrain = HardGround::Ignored;
    settings.room = 0.7;
    comes_back(settings);
    let mut conduct = Conduct::default();
    conduct.predicted = 6.0;
    comes_back(conduct);
    let mut crowd = CrowdSettings::default();
    crowd.resolution = 3;
    comes_back(crowd);
}

#[test]
fn what_is_missing_has_its_default() {
    let settings: Settings = serde_json::from_str(r#"{"force": 12.5}"#).expect("one field");
    let mut expected = Settings::default();
    expected.force = 12.5;
    assert_eq!(settings, expected);
    let goal: Goal = serde_json::from_str(r#"{"cells": [{"cell": {"x": 5, "y": 6}}]}"#)
        .expect("only cells have no default");
    assert_eq!(goal, Goal::at(Cell::new(5, 6)));
    let limits: Limits = serde_json::from_str("{}").expect("no field");
    assert_eq!(limits, Limits::default());
}

#[test]
fn what_cannot_be_used_is_refused() {
    assert!(refused::<Cost>("0").contains("a cost of 0 is refused"));
    refused::<Cost>("256");
    assert!(refused::<Settings>(r#"{"room": -1.0}"#).contains("`room` cannot be -1"));
    assert!(refused::<Settings>(r#"{"range": 1e30}"#).contains("`range`"));
    assert!(refused::<Settings>(r#"{"pushs": 3}"#).contains("unknown field"));
    assert!(refused::<Conduct>(r#"{"uphill": 0.0}"#).contains("`uphill` is 0"));
    assert!(refused::<CrowdSettings>(r#"{"resolution": 9}"#).contains("1 to 4"));
    assert!(refused::<Limits>(r#"{"order": 3}"#).contains("unknown field"));
    refused::<Quality>(r#""Best""#);
    assert!(refused::<Goal>(r#"{"cells": []}"#).contains("give at least one"));
    let over = r#"{"cells": [{"cell": {"x": 0, "y": 0}, "start_cost": 1152921504606846977}]}"#;
    assert!(refused::<Goal>(over).contains("give at most"));
    assert!(refused::<Goal>(r#"{"cells": [], "quality": "Exact", "at": 3}"#).contains("unknown"));
    assert!(refused::<MapTransform>(r#"{"origin": [0, 0], "cell_size": 0}"#).contains("above 0"));
    // Too much for an f32: in text, some builds of serde_json say so themselves.
    let far = serde_json::json!({"origin": [0, 1e39], "cell_size": 1});
    refused::<MapTransform>(&far.to_string());
    let error = serde_json::from_value::<MapTransform>(far).expect_err("it is too far");
    assert!(error.to_string().contains("origin"), "{error}");
}

#[test]
fn points_are_those_of_mint() {
    let cell = Cell::new(3, -4);
    let point = Point2::from(cell);
    assert_eq!((point, Cell::from(point)), (Point2 { x: 3, y: -4 }, cell));
    let ground = MapTransform {
        origin: [-100.0, 50.0],
        cell_size: 2.0,
        ..MapTransform::default()
    };
    let centre = ground.centre_point_of(cell);
    assert_eq!(centre, Point2 { x: -93.0, y: 43.0 });
    assert_eq!(ground.cell_at_point(centre), cell);
    let mut unit = Unit::new(0, GroupId::default(), [1.5, 2.5]);
    unit.velocity = [0.5, -1.0];
    assert_eq!(unit.point(), Point2 { x: 1.5, y: 2.5 });
    assert_eq!(unit.motion(), Vector2 { x: 0.5, y: -1.0 });
}
