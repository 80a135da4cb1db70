//! Replays that are whole, cut, changed, or of inputs that there are not.

use flowtiles::inspect::Digest;
use flowtiles::{Cell, CellRect, CostMap, FlowWorld, LayerId};
use flowtiles_inspector::{NewMap, Request};

use super::{Hashes, Input, Saved};
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
    let inputs: Vec<Input> = (0..100).map(Input::Ticks).collect();
    let text = Saved::write(&Start::Country(8), &inputs).unwrap();
    let saved = Saved::read(text.as_bytes()).unwrap();
    assert_eq!(saved.start, Start::Country(8));
    assert!(saved.lines.iter().map(|line| &line.input).eq(&inputs));
    let line = saved.lines[70].number - 1;
    assert_eq!(text.lines().nth(line), Some("{\"ticks\":70}"));
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
    let changed = fault(&text.replace("{\"ticks\":50}\n", "{\"ticks\":51}\n"));
    assert!(
        changed.starts_with("lines 42 to 82 are not as") && changed.contains("another copy"),
        "{changed}"
    );
    let cut = fault(&text[..text.find("{\"ticks\":60}").unwrap()]);
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
        Start::World("a.world".to_owned(), bytes),
    ] {
        let text = Saved::write(&start, &[]).unwrap();
        assert_eq!(Saved::read(text.as_bytes()).unwrap().start, start);
    }
}

#[test]
fn extreme_inputs_are_read_as_they_were_written() {
    let area = CellRect::new(-5, 6, 20, 1);
    let told = [
        Request::OwnLayer(LayerId::from_number(300).for_team(7).unwrap()),
        Request::Select([-9.0, 0.1, 1e-7, f32::MAX]),
        Request::Select([8.589_973e9, 1.175_494_2e-38, 1e-45, 16_777_217.0]),
        Request::Send(Cell::new(-3, 700)),
        Request::Paint {
            stroke: u32::MAX,
            brush: 0,
            amount: 0,
            area,
        },
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
    let text = Saved::write(&Start::Country(8), &inputs).unwrap();
    let read = Saved::read(text.as_bytes()).unwrap().lines;
    assert!(read.iter().map(|line| &line.input).eq(&inputs));

    // What changes nothing is never recorded.
    let nothing = [Input::Page(Request::Life(3))];
    assert!(Saved::write(&Start::Country(8), &nothing).is_err());
}

#[test]
fn lines_that_no_replay_has_are_refused_with_their_place_and_a_remedy() {
    let session = "{\"flowtiles\":\"session\",\"version\":1}";
    let start = "{\"start\":{\"country\":8}}";
    for line in [
        "\"walk\"",
        r#"{"ticks":4294967296}"#,
        r#"{"page":{"life":3}}"#,
        r#"{"page":{"time":"pause"}}"#,
        r#"{"page":{"goal":[1]}}"#,
        r#"{"page":{"goal":[1048577,0]}}"#,
        r#"{"page":{"place":{"cell":[1,2],"count":4294967295}}}"#,
        r#"{"page":{"own-layer":{"number":1,"team":8}}}"#,
        r#"{"page":{"select":[0,0,1,null]}}"#,
        r#"{"page":{"select":[0,0,1,1e39]}}"#,
        r#"{"page":{"stamp":{"template":1,"turns":4,"cell":[1,2]}}}"#,
    ] {
        let fault = fault(&sealed(&[session, start, line]));
        assert!(fault.starts_with("line 3"), "{line}: {fault}");
        assert!(
            fault.ends_with("use the flowtiles that wrote it"),
            "{line}: {fault}"
        );
    }
    let deep = "[".repeat(100_000);
    assert!(fault(&sealed(&[session, start, &deep])).starts_with("line 3, column 1: "));

    for (lines, told) in [
        (&[][..], "line 1: a replay begins with"),
        (&["something"], "line 1: a replay begins with"),
        (
            &["{\"flowtiles\":\"session\",\"version\":2}"],
            "line 1: version 2 of the format",
        ),
        (
            &["{\"flowtiles\":\"session\",\"version\":-1}"],
            "line 1, column ",
        ),
        (
            &["{\"flowtiles\":\"chess\",\"version\":1}"],
            "line 1, column ",
        ),
        (&["{\"flowtiles\":\"session\"}"], "line 1, column "),
        (&[session], "line 2: there is no start"),
        (&[session, "\"walk\""], "line 2, column "),
        (&[session, "{\"start\":\"nowhere\"}"], "line 2, column "),
        (
            &[session, "{\"start\":{\"world\":[\"a\",\"*\"]}}"],
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
