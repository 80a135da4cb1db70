//! Replays that are whole, cut, changed, or of inputs that there are not.

use flowtiles::inspect::Digest;
use flowtiles::{Cell, CellRect, CostMap, FlowWorld, LayerId};
use flowtiles_inspector::{NewMap, Request};

use super::{Hashes, Input, Kind, Saved};
use crate::start::Start;

/// A replay of these lines, with the right digest below them.
pub fn sealed(lines: &[&str]) -> String {
    let text = lines.join("\n") + "\n";
    let mut digest = Digest::new();
    digest.bytes(text.as_bytes());
    format!("{text}{{\"digest\":\"{:016x}\"}}\n", digest.finish())
}

fn fault(text: &str) -> String {
    Saved::read(text.as_bytes()).err().expect("it is refused")
}

#[test]
fn a_whole_replay_is_read_and_any_cut_or_change_is_told_with_its_lines() {
    let inputs: Vec<Input> = (0..100).map(Input::Tick).collect();
    let text = Saved::write(Kind::Battle, &Start::Country(8), &inputs).unwrap();
    let saved = Saved::read(text.as_bytes()).unwrap();
    assert_eq!((saved.kind, saved.start), (Kind::Battle, Start::Country(8)));
    assert!(saved.lines.iter().map(|line| &line.input).eq(&inputs));
    let line = saved.lines[70].number - 1;
    assert_eq!(text.lines().nth(line), Some("{\"tick\":70}"));
    for cut in 0..text.len() {
        let read = Saved::read(&text.as_bytes()[..cut]);
        // Without its line break the last line is still complete.
        assert!(read.is_err() || cut == text.len() - 1, "{cut}");
    }
    for at in 0..text.len() {
        let mut changed = text.clone().into_bytes();
        changed[at] ^= 1;
        assert!(Saved::read(&changed).is_err(), "{at}");
        changed[at] = 0xFF;
        assert!(Saved::read(&changed).is_err(), "{at}");
    }
    let changed = fault(&text.replace("{\"tick\":50}\n", "{\"tick\":51}\n"));
    assert!(
        changed.starts_with("lines 42 to 82 are not as") && changed.contains("another copy"),
        "{changed}"
    );
    let cut = fault(&text[..text.find("{\"tick\":60}").unwrap()]);
    assert!(
        cut.starts_with("line 63: the replay ends without") && cut.contains("another copy"),
        "{cut}"
    );
    let line = text[..100].lines().count();
    let mut binary = text.into_bytes();
    binary[100] = 0xFF;
    let fault = Saved::read(&binary).err().unwrap();
    let place = format!("line {line}: a replay is plain text");
    assert!(fault.starts_with(&place), "{fault}");
}

#[test]
fn every_start_is_read_as_it_was_written() {
    let costs = CostMap::open(30, 20).unwrap();
    let bytes = FlowWorld::new(costs.clone()).save();
    let map = NewMap {
        kind: 3,
        width: 90,
        height: 60,
        seed: u64::MAX,
        has_army: true,
    };
    for start in [
        Start::Country(u64::MAX),
        Start::Map(map),
        Start::Costs("two\nlines \"quoted\".map".to_owned(), costs),
        Start::World("a.world".to_owned(), bytes.clone()),
        Start::Battle(String::new(), bytes[..7].to_vec()),
    ] {
        let text = Saved::write(Kind::Session, &start, &[]).unwrap();
        assert_eq!(Saved::read(text.as_bytes()).unwrap().start, start);
    }
}

#[test]
fn every_request_is_read_as_it_was_written() {
    let (cell, area) = (Cell::new(-3, 700), CellRect::new(-5, 6, 20, 1));
    let stroke = u32::MAX;
    let told = [
        Request::Goal(cell),
        Request::Source(cell),
        Request::OwnLayer(LayerId::from_number(300).for_team(7).unwrap()),
        Request::Clear,
        Request::Select([-9.0, 0.1, 1e-7, f32::MAX]),
        Request::Select([8.589_973e9, 1.175_494_2e-38, 1e-45, 16_777_217.0]),
        Request::Send(cell),
        Request::Click(cell),
        Request::Place {
            cell,
            count: 20_000,
        },
        Request::Read(4),
        Request::Replan,
        Request::Budget(100),
        Request::Paint {
            stroke,
            brush: 0,
            amount: 0,
            area,
        },
        Request::Stamp {
            template: 3,
            turns: 2,
            cell,
        },
        Request::StrokeEnd,
        Request::Undo,
        Request::Redo,
    ];
    let hashes = Hashes {
        costs: 1,
        stamps: u64::MAX,
        orders: 0,
        units: 77,
        groups: 8,
    };
    let mut inputs = Vec::from(told.map(Input::Page));
    inputs.extend([Input::Ticks(u32::MAX), Input::Check(hashes)]);
    let text = Saved::write(Kind::Session, &Start::Country(8), &inputs).unwrap();
    let read = Saved::read(text.as_bytes()).unwrap().lines;
    assert!(read.iter().map(|line| &line.input).eq(&inputs));

    // What changes nothing is never recorded.
    let nothing = [Input::Page(Request::Life(3))];
    assert!(Saved::write(Kind::Session, &Start::Country(8), &nothing).is_err());
}

#[test]
fn every_input_of_groups_is_read_as_it_was_written() {
    let goal = r#"{"cells":[{"cell":{"x":3,"y":4},"start_cost":0},{"cell":{"x":7,"y":8},"start_cost":40}],"or_nearest":true,"quality":"Exact","layer":{"number":0,"team":0}}"#;
    let chase = r#""chase":{"range":50,"leash":2400,"sight":4294967295}"#;
    let targets = [
        r#""flock""#.to_owned(),
        r#""stand""#.to_owned(),
        r#""hold""#.to_owned(),
        r#"{"point":{"x":-3,"y":700}}"#.to_owned(),
        format!(r#"{{"order":{goal}}}"#),
        format!(r#"{{"attack":{{"goal":{goal},{chase}}}}}"#),
        r#"{"follow":7}"#.to_owned(),
        format!(r#"{{"pursue":{{"unit":7,{chase}}}}}"#),
        r#"{"flee":{"from":null,"safe":2000}}"#.to_owned(),
        r#"{"flee":{"from":9,"safe":2000}}"#.to_owned(),
    ];
    let mut inputs = vec![
        r#"{"disband":2}"#.to_owned(),
        r#"{"form":{"group":2,"shape":"wedge","spacing":110}}"#.to_owned(),
        r#"{"keep":{"group":0,"kept":"width"}}"#.to_owned(),
        r#"{"speed":{"unit":4294967295,"speed":400}}"#.to_owned(),
        r#"{"radius":{"unit":3,"radius":49}}"#.to_owned(),
        r#"{"place":{"unit":3,"cell":{"x":-1,"y":5}}}"#.to_owned(),
        r#"{"team":{"group":1,"team":2,"foes":[0,7]}}"#.to_owned(),
        r#"{"join":{"group":4,"units":[1,2,3]}}"#.to_owned(),
        r#"{"remove":[1,2]}"#.to_owned(),
        r#"{"ungroup":5}"#.to_owned(),
        r#"{"steer":50}"#.to_owned(),
        format!(
            r#"{{"patrol":{{"group":1,"targets":[{},{}]}}}}"#,
            targets[4], targets[3]
        ),
    ];
    for target in &targets {
        inputs.extend([
            format!(r#"{{"send":{{"group":3,"target":{target}}}}}"#),
            format!(r#"{{"queue":{{"group":3,"target":{target}}}}}"#),
            format!(r#"{{"add":{{"target":{target},"units":[{{"x":1,"y":2}}]}}}}"#),
        ]);
    }
    for input in inputs {
        let line = format!(r#"{{"groups":{input}}}"#);
        let read: Input = serde_json::from_str(&line).expect(&line);
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
        // Cut anywhere, or with more behind it.
        for end in 0..line.len() {
            assert!(serde_json::from_str::<Input>(&line[..end]).is_err());
        }
        assert!(serde_json::from_str::<Input>(&format!("{line} 1")).is_err());
    }
}

#[test]
fn lines_that_no_replay_has_are_refused_with_their_place_and_a_remedy() {
    let battle = "{\"flowtiles\":\"battle\",\"version\":1}";
    let session = "{\"flowtiles\":\"session\",\"version\":1}";
    let start = "{\"start\":{\"country\":8}}";
    for (kind, line) in [
        (battle, ""),
        (battle, "walk"),
        (battle, "\"dance\""),
        (battle, "\"walk\" \"walk\""),
        (battle, r#"{"walk":1}"#),
        (battle, r#"{"tick":1,"drop":1}"#),
        (battle, r#"{"tick":-1}"#),
        (battle, r#"{"tick":1.5}"#),
        (battle, r#"{"tick":NaN}"#),
        (battle, r#"{"tick":18446744073709551616}"#),
        (battle, r#"{"ticks":3}"#),
        (battle, r#"{"page":"undo"}"#),
        (
            battle,
            r#"{"check":{"costs":1,"stamps":1,"orders":1,"units":1}}"#,
        ),
        (battle, r#"{"check":[1,2,3,4,5,6]}"#),
        (battle, r#"{"edit":{"area":[1,2,3,4],"cost":0}}"#),
        (battle, r#"{"edit":{"area":[1,2,3,4],"cost":256}}"#),
        (battle, r#"{"edit":{"area":[1,2,3],"cost":1}}"#),
        (battle, r#"{"edit":{"area":[1,2,3,4],"cost":1,"more":1}}"#),
        (battle, r#"{"order":{"goal":{"cells":[]},"units":[]}}"#),
        (battle, r#"{"groups":{"march":1}}"#),
        (battle, r#"{"groups":{"send":{"group":0}}}"#),
        (
            battle,
            r#"{"groups":{"send":{"group":4294967296,"target":"hold"}}}"#,
        ),
        (
            battle,
            r#"{"groups":{"send":{"group":0,"target":{"flee":{"from":"nobody","safe":5}}}}}"#,
        ),
        (
            battle,
            r#"{"groups":{"team":{"group":0,"team":256,"foes":[]}}}"#,
        ),
        (
            battle,
            r#"{"groups":{"form":{"group":0,"shape":"circle","spacing":100}}}"#,
        ),
        (battle, r#"{"groups":{"keep":{"group":0,"kept":"calm"}}}"#),
        (battle, r#"{"groups":{"place":{"unit":0,"cell":[1e3,5]}}}"#),
        (battle, r#"{"groups":{"steer":-50}}"#),
        (battle, start),
        (session, "\"walk\""),
        (session, r#"{"ticks":4294967296}"#),
        (session, r#"{"page":{"life":3}}"#),
        (session, r#"{"page":{"time":"pause"}}"#),
        (session, r#"{"page":{"goal":[1]}}"#),
        (session, r#"{"page":{"goal":[1048577,0]}}"#),
        (session, r#"{"page":{"place":{"cell":[1,2],"count":-3}}}"#),
        (
            session,
            r#"{"page":{"place":{"cell":[1,2],"count":4294967295}}}"#,
        ),
        (session, r#"{"page":{"own-layer":{"number":1,"team":8}}}"#),
        (session, r#"{"page":{"select":[0,0,1,null]}}"#),
        (session, r#"{"page":{"select":[0,0,1,NaN]}}"#),
        (session, r#"{"page":{"select":[0,0,1,1e39]}}"#),
        (session, r#"{"page":{"select":[0,0,1,1e999]}}"#),
        (session, r#"{"page":{"select":[0,0,1]}}"#),
        (
            session,
            r#"{"page":{"stamp":{"template":1,"turns":4,"cell":[1,2]}}}"#,
        ),
    ] {
        let fault = fault(&sealed(&[kind, start, line]));
        assert!(fault.starts_with("line 3"), "{line}: {fault}");
        assert!(
            fault.ends_with("use the flowtiles that wrote it"),
            "{line}: {fault}"
        );
    }
    let deep = "[".repeat(100_000);
    assert!(fault(&sealed(&[battle, start, &deep])).starts_with("line 3, column 1: "));

    for (lines, told) in [
        (&[][..], "line 1: a replay begins with"),
        (&["something"], "line 1: a replay begins with"),
        (
            &["{\"flowtiles\":\"battle\",\"version\":2}"],
            "line 1: version 2 of the format",
        ),
        (
            &["{\"flowtiles\":\"battle\",\"version\":-1}"],
            "line 1, column ",
        ),
        (
            &["{\"flowtiles\":\"chess\",\"version\":1}"],
            "line 1, column ",
        ),
        (&["{\"flowtiles\":\"battle\"}"], "line 1, column "),
        (&[battle], "line 2: there is no start"),
        (&[battle, "\"walk\""], "line 2, column "),
        (&[battle, "{\"start\":\"nowhere\"}"], "line 2, column "),
        (
            &[battle, "{\"start\":{\"world\":[\"a\",\"*\"]}}"],
            "line 2, column ",
        ),
        (
            &[session, "{\"start\":{\"costs\":[\"a\",\"AAAA\"]}}"],
            "line 2, column ",
        ),
    ] {
        let fault = fault(&sealed(lines));
        assert!(fault.starts_with(told), "{lines:?}: {fault}");
    }
}
