//! Lists of starts, goals and lengths: read, refused with their place, and written.

use flowtiles::Cell;
use flowtiles_formats::{ScenarioEntry, read_scenario, write_scenario};

#[test]
fn tabs_spaces_line_ends_and_names_with_blanks() {
    let text = "version 1.0\r\n0\tmaps\\old place\\a b.map\t9\t8\t0\t1\t2\t3\t4.5\r\n\r\n\
                7 c.map 9 8 8 7 8 7 0";
    let entries = read_scenario(text.as_bytes()).unwrap();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].map_name(), "a b.map");
    assert_eq!((entries[0].width, entries[0].height), (9, 8));
    assert_eq!((entries[1].line, entries[1].start), (4, Cell::new(8, 7)));
    assert!(!entries[1].says_unreachable());
}

#[test]
fn the_tolerance_follows_the_printed_digits() {
    let tolerance = |length: &str| {
        let text = format!("version 1\n0 m 9 9 0 0 1 1 {length}\n");
        read_scenario(text.as_bytes()).unwrap()[0].tolerance()
    };
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(tolerance("306.97"), 0.005));
    assert!(near(tolerance("1.00000000000"), 5e-6));
    assert!(near(tolerance("2835.11"), 5e-6 * 2835.11));
    assert!(near(tolerance("12"), 0.5));
    assert!(near(tolerance("1.25e3"), 5.0));
}

type Twist = fn(&mut ScenarioEntry);

fn entry() -> ScenarioEntry {
    ScenarioEntry {
        line: 2,
        map: "maps/a b.map".to_owned(),
        width: 9,
        height: 8,
        start: Cell::new(0, 7),
        goal: Cell::new(8, 0),
        length: 10.25,
        decimals: 2,
    }
}

#[test]
fn what_is_written_reads_back() {
    let mut entries = vec![entry(); 3];
    entries[1].length = 0.0;
    entries[1].decimals = 0;
    entries[2].decimals = 17;
    for (index, entry) in entries.iter_mut().enumerate() {
        entry.line = index + 2;
    }
    let text = write_scenario(&entries).unwrap();
    assert_eq!(read_scenario(text.as_bytes()), Ok(entries));
    assert_eq!(write_scenario(&[]).as_deref(), Ok("version 1\n"));
}

#[test]
fn entries_that_would_not_come_back_are_refused() {
    let refused = |change: Twist| {
        let mut wrong = entry();
        change(&mut wrong);
        write_scenario(&[entry(), wrong]).unwrap_err()
    };
    let cases: [(Twist, &str); 7] = [
        (|entry| entry.map.clear(), "the map's name"),
        (|entry| entry.map.push(' '), "the map's name"),
        (|entry| entry.map.insert(2, '\n'), "the map's name"),
        (|entry| entry.goal.x = 9, "the start or the goal"),
        (|entry| entry.start.y = -1, "the start or the goal"),
        (|entry| entry.length = f64::NAN, "the length is not"),
        (|entry| entry.decimals = 18, "the length cannot"),
    ];
    for (change, fault) in cases {
        let told = refused(change).to_string();
        assert!(told.starts_with(&format!("entry 1: {fault}")), "{told}");
    }
}
