//! `flowtiles big`, on a small map.

use serde_json::Value;

use crate::command::Folder;

fn figures(folder: &Folder, more: &[&str]) -> Value {
    let arguments = [&["big", "--side", "700", "--json"], more].concat();
    folder.run(&arguments).object()
}

#[test]
fn a_country_is_the_same_wherever_its_costs_are() {
    let folder = Folder::new("big-json");
    let drawn = figures(&folder, &[]);
    let kept = figures(&folder, &["--keep"]);
    let mapped = figures(&folder, &["--mapped", "country.costs"]);
    for (figures, costs) in [(&drawn, "drawn"), (&kept, "kept"), (&mapped, "mapped")] {
        assert_eq!(figures["costs"], costs);
        for same in [
            "/cells",
            "/sectors",
            "/portals",
            "/islands",
            "/graph_bytes",
            "/near/sectors_loaded",
            "/far/sectors_loaded",
            "/far/cells_worked",
            "/far/steps",
            "/far/ticks",
            "/edits/count",
            "/edits/walked_most",
            "/replan/cells",
            "/replan/ticks",
        ] {
            let value = figures.pointer(same).expect(same);
            assert!(value.is_u64(), "{same}: {value}");
            assert_eq!(Some(value), drawn.pointer(same), "{same} of {costs}");
        }
        for some in [
            "/read_ms",
            "/build_ms",
            "/far/ms",
            "/edits/median_us",
            "/save_bytes",
        ] {
            let value = figures.pointer(some).and_then(Value::as_f64);
            assert!(value.expect(some) > 0.0, "{some}");
        }
    }
    assert_eq!(drawn["sectors"], 4900);
    assert_eq!(drawn["cost_bytes"], mapped["cost_bytes"]);
    let bytes = |figures: &Value, what: &str| figures[what].as_u64().expect("bytes");
    assert!(
        bytes(&drawn, "cost_bytes") < 4 * 4900 + 3000,
        "four bytes a sector"
    );
    assert!(bytes(&kept, "cost_bytes") > 2 * bytes(&drawn, "cost_bytes"));
    assert!(bytes(&drawn, "save_bytes") < bytes(&kept, "save_bytes"));
    assert!(folder.path().join("country.costs").exists());
}

#[test]
fn in_words_it_tells_the_same() {
    let folder = Folder::new("big-text");
    let text = folder
        .run(&["big", "--side", "300", "--seed", "4"])
        .answer();
    for line in [
        "side                  300 cells",
        "build",
        "bytes per cell",
        "edits",
        "peak bytes",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new("big-refused");
    for arguments in [
        &["big", "--side", "100"][..],
        &["big", "--side", "70000"],
        &["big", "--keep", "--mapped", "x"],
        &["big", "--side", "300", "--mapped", "none/x"],
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}
