//! `flowtiles show`: one order as text, a layer at a time.

use crate::command::{DOOR_MAP, Folder};

fn shown(name: &str, layer: &str) -> Vec<String> {
    let folder = Folder::new(name);
    folder.write("door.map", DOOR_MAP);
    let arguments = [
        "show", "door.map", "--from", "0,0", "--goal", "13,2", "--layer", layer,
    ];
    let text = folder.run(&arguments).answer();
    assert!(
        !text.contains('\x1b'),
        "no colours where stdout is no terminal"
    );
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_flow_leads_through_the_door() {
    let lines = shown("show-flow", "flow");
    let picture = [
        "   0          10",
        "  ┼──────────┼────┼",
        "0 │◉↘↘→→→→→↘↓│↓#↘↓│",
        "1 │→→↘↘↘→→→↘↓│↓#→↓│",
        "2 │→→→→→→→→→→│→→→★│",
        "3 │→→↗↗↗→→↗↑↑│↑#→↑│",
        "  ┼──────────┼────┼",
    ];
    // Ties may be broken either way. The frame, the marks, the walls and the
    // row of the door are fixed.
    for row in [0, 1, 6] {
        assert_eq!(lines[row].trim_end(), picture[row].trim_end());
    }
    assert_eq!(lines[4], picture[4]);
    assert!(lines[2].starts_with("0 │◉") && lines[2].contains('#'));
    assert!(
        lines[7].contains("◉ from (0, 0), ★ goal (13, 2)"),
        "{}",
        lines[7]
    );
    assert_eq!(lines[8], "2 of 2 sectors loaded, 1 portals on the route");
    assert!(lines[9].starts_with("path: 13 steps"), "{}", lines[9]);
}

#[test]
fn the_costs_are_those_of_the_map() {
    let lines = shown("show-cost", "cost");
    assert_eq!(lines[3], "1 │1111311111│1#11│");
    assert_eq!(lines[4], "2 │1111111111│111★│");
}

#[test]
fn the_prices_fall_toward_the_goal() {
    let lines = shown("show-integration", "integration");
    assert!(lines[4].ends_with("│ 15 10  5★ 0│"), "{}", lines[4]);
    assert!(lines[2].starts_with("0 │◉69"), "{}", lines[2]);
}

#[test]
fn the_portals_of_the_route_have_letters() {
    let lines = shown("show-portals", "portals");
    assert_eq!(lines[4], "2 │·········a│a··★│");
    assert!(
        lines.iter().any(|line| line.starts_with("a  0.0e0 ")),
        "{lines:?}"
    );
}
