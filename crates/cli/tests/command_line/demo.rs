//! The demo: no arguments, no display, no network.

use serde_json::Value;

use crate::command::Folder;

#[test]
fn without_arguments_it_answers_questions_and_leaves_a_picture() {
    let folder = Folder::new("demo-text");
    let text = folder.run(&[]).answer();
    for question in [
        "How long does a map take to load?",
        "How long is the longest tick?",
        "How much of the map is loaded?",
        "Are the paths good?",
        "What if a bridge falls?",
        "What does it hold in memory?",
        "Does everyone come home?",
        "Is it the same world everywhere?",
        "Try next:",
    ] {
        assert!(text.contains(question), "{question}");
    }
    assert!(
        !text.contains('\x1b'),
        "no picture where stdout is no terminal"
    );
    assert_eq!(
        folder.names(),
        ["flowtiles-demo.png"],
        "the picture and no leftover"
    );
    let picture = std::fs::File::open(folder.path().join("flowtiles-demo.png")).expect("there");
    let decoder = png::Decoder::new(std::io::BufReader::new(picture));
    let reader = decoder.read_info().expect("a PNG");
    assert!(reader.info().width >= 1000 && reader.info().height >= 1000);
}

/// Returns the lines of a text, with what depends on the machine's speed left out.
fn without_times(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        for at in 1..words.len() {
            if ["ns", "µs", "ms", "s"].contains(&words[at].trim_end_matches([',', ';'])) {
                words[at - 1] = "…";
                words[at] = "";
            }
        }
        words.join(" ")
    };
    text.lines().map(line).collect()
}

#[test]
fn readme_shows_what_the_demo_prints() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(readme).expect("README.md");
    let (_, shown) = readme
        .split_once("```text\nflowtiles demo:")
        .expect("the demo");
    let (shown, _) = shown.split_once("\nAll of it took").expect("its end");

    let text = Folder::new("demo-readme").run(&[]).answer();
    let (_, printed) = text.split_once("flowtiles demo:").expect("the title");
    let (printed, _) = printed.split_once("\nAll of it took").expect("its end");
    assert_eq!(
        without_times(shown),
        without_times(printed),
        "README.md shows other figures than the demo prints: replace them"
    );
}

#[test]
fn readme_counts_the_scenes() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let readme = std::fs::read_to_string(readme).expect("README.md");
    let listed = Folder::new("demo-scenes").run(&["sim"]).answer();
    // Its last line is a set of those above.
    let is_scene = |line: &&str| !line.is_empty() && !line.starts_with("crowd-all ");
    let scenes = listed.lines().filter(is_scene).count();
    assert!(
        readme.contains(&format!("one of {scenes} scenes")),
        "{scenes}"
    );
}

#[test]
fn with_json_it_prints_one_object_with_the_same_march_every_time() {
    let folder = Folder::new("demo-json");
    let arguments = ["--json", "--seed", "2", "--picture", "march.png"];
    let mut object = folder.run(&arguments).object();
    assert_eq!(object["picture"], "march.png");
    assert!(folder.path().join("march.png").exists());
    let number = |path: &str| {
        let value = object.pointer(path).and_then(Value::as_f64);
        value.expect(path)
    };
    assert!(number("/width") * number("/height") >= 1e6);
    assert!(number("/orders/units") >= 2000.0);
    assert_eq!(number("/march/arrived"), number("/orders/units"));
    assert_eq!(number("/march/illegal_steps"), 0.0);
    assert_eq!(number("/march/cut_off"), 0.0);
    assert_eq!(number("/ways/compared"), number("/orders/units"));
    assert!(number("/ways/mean_percent") < 2.0);
    assert!(number("/bridge/cells") > 0.0 && number("/bridge/units_out") > 0.0);
    let twins = ["one_thread", "two_threads", "loaded"].map(|way| &object["twins"][way]);
    assert!(twins.iter().all(|&hash| hash == twins[0]), "{twins:?}");
    assert_eq!(twins[0].as_str().map(str::len), Some(16));
    assert!(number("/memory/order_bytes_after") < number("/memory/order_bytes") / 10.0);

    let mut again = folder.run(&arguments).object();
    for path in [
        "/portals",
        "/sectors_loaded",
        "/ways",
        "/march/ticks",
        "/march/samples",
    ] {
        let value = |object: &mut Value| object.pointer_mut(path).expect(path).take();
        assert_eq!(value(&mut object), value(&mut again), "{path}");
    }
}
