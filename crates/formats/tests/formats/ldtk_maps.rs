//! LDtk projects: the rules, drawn projects compared with an independent reader, the crate
//! `ldtk_rust`, and faults.

use std::fs;
use std::path::{Path, PathBuf};

use flowtiles::{Cell, Cost, CostMap};
use flowtiles_formats::{
    Format, Lack, LdtkChoice, LoadedMap, MapReader, Names, ReadError, read_ldtk,
};
use serde_json::{Value, json};

use crate::drawn::Rng;

const GRID: i64 = 16;

/// The names of the values of drawn layers, and their costs: value 5 has none.
const VALUES: [(&str, u8); 4] = [("Wall", 255), ("grass", 1), ("Deep Water", 255), ("Mud", 3)];

/// Returns a project as LDtk writes it, with a level of one layer.
fn template() -> Value {
    serde_json::from_str(include_str!("data/template.ldtk")).expect("JSON")
}

/// Returns an object with some of its entries replaced.
fn with(object: &Value, entries: Value) -> Value {
    let mut object = object.clone();
    for (key, value) in entries.as_object().expect("an object") {
        object[key] = value.clone();
    }
    object
}

/// Returns a level with these layers from the top down.
fn level(name: &str, at: (i64, i64), size: (i64, i64), layers: &[Vec<i64>]) -> Value {
    let level = template()["levels"][0].take();
    let layers = layers.iter().enumerate().map(|(index, cells)| {
        let entries = json!({
            "__identifier": format!("Layer_{index}"), "__cWid": size.0, "__cHei": size.1,
            "layerDefUid": index + 1, "intGridCsv": cells
        });
        with(&level["layerInstances"][0], entries)
    });
    let entries = json!({
        "identifier": name, "worldX": at.0 * GRID, "worldY": at.1 * GRID, "pxWid": size.0 * GRID,
        "pxHei": size.1 * GRID, "layerInstances": layers.collect::<Vec<_>>()
    });
    with(&level, entries)
}

fn project(layout: &str, levels: &[Value]) -> Value {
    with(
        &template(),
        json!({ "worldLayout": layout, "levels": levels }),
    )
}

fn read_chosen(text: &str, choice: &LdtkChoice) -> Result<LoadedMap, ReadError> {
    read_ldtk(text.as_bytes(), &Names::usual(), choice, None)
}

fn read(text: &str) -> Result<LoadedMap, ReadError> {
    read_chosen(text, &LdtkChoice::default())
}

/// Returns the choice of a level.
fn only(level: &str) -> LdtkChoice {
    LdtkChoice {
        level: Some(level.to_owned()),
        layer: None,
    }
}

/// Returns the map that the crate `ldtk_rust` reads, by the rules of the documentation.
fn oracle(project: &ldtk_rust::Project, only: Option<&str>) -> CostMap {
    let levels = project.levels.iter();
    let levels: Vec<_> = levels
        .filter(|level| only.is_none_or(|name| level.identifier == name))
        .collect();
    let side = |at: fn(&ldtk_rust::Level) -> i64, size: fn(&ldtk_rust::Level) -> i64| {
        let low = levels.iter().map(|level| at(level)).min();
        let high = levels.iter().map(|level| at(level) + size(level)).max();
        let low = low.expect("a level");
        (low, (high.expect("a level") - low) / GRID)
    };
    let (left, width) = side(|level| level.world_x, |level| level.px_wid);
    let (top, height) = side(|level| level.world_y, |level| level.px_hei);
    let mut rows = vec![255; (width * height) as usize];
    for level in levels {
        let layers = || level.layer_instances.iter().flatten();
        for at in 0..level.px_wid * level.px_hei / (GRID * GRID) {
            let name_in = |layer: &ldtk_rust::LayerInstance| {
                let value = layer.int_grid_csv[at as usize];
                let mut known = project.defs.layers.iter();
                let of_layer = known.find(|known| known.uid == layer.layer_def_uid)?;
                let mut values = of_layer.int_grid_values.iter();
                values
                    .find(|known| known.value == value)?
                    .identifier
                    .clone()
            };
            let name = layers().find_map(name_in);
            let cost = name.map_or(1, |name| {
                let mut known = VALUES.iter();
                known.find(|(known, _)| *known == name).expect("a name").1
            });
            let across = level.px_wid / GRID;
            let x = (level.world_x - left) / GRID + at % across;
            let y = (level.world_y - top) / GRID + at / across;
            rows[(y * width + x) as usize] = cost;
        }
    }
    CostMap::from_rows(width as u32, height as u32, &rows).expect("a map")
}

#[test]
fn drawn_ldtk_projects_read_as_by_another_reader() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        // Levels in a coarse grid do not overlap, and do not always touch.
        let mut levels = Vec::new();
        for (x, y) in [(-1, 0), (0, 0), (1, -1), (0, 2)] {
            if rng.index(3) == 0 && !levels.is_empty() {
                continue;
            }
            let size = (1 + rng.index(12) as i64, 1 + rng.index(12) as i64);
            let layers = 1 + rng.index(3);
            let mut cells = || -> Vec<i64> {
                (0..size.0 * size.1)
                    .map(|_| rng.index(5) as i64 * (rng.index(2) as i64))
                    .collect()
            };
            let layers: Vec<_> = (0..layers).map(|_| cells()).collect();
            let name = format!("Level_{}", levels.len());
            levels.push(level(&name, (x * 12, y * 12), size, &layers));
        }
        let layout = ["Free", "GridVania"][rng.index(2)];
        let text = project(layout, &levels).to_string();
        let known: ldtk_rust::Project = serde_json::from_str(&text).expect("a project");
        let map = read(&text).expect("a project");
        assert_eq!(map.costs, oracle(&known, None), "seed {seed}");
        assert_eq!((map.format, map.spawns.len()), (Format::Ldtk, 0));
        let map = read_chosen(&text, &only("Level_0")).expect("a level");
        assert_eq!(map.costs, oracle(&known, Some("Level_0")), "seed {seed}");
    }
}

fn harbour() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/data/harbour.ldtk")
}

#[test]
fn levels_in_files_lie_where_they_are_in_their_world() {
    let reader = MapReader::new();
    let map = reader.read_file(&harbour()).expect("a project");
    let rows: Vec<Vec<u8>> = map.costs.to_rows().chunks(4).map(<[u8]>::to_vec).collect();
    // The quay lies to the south-west of the town; off both there are walls.
    let town = [[255, 255, 255, 255], [255, 255, 3, 255]];
    let both = [[255, 1, 1, 1], [3, 255, 255, 1]];
    assert_eq!(rows, [town, both].concat());
    assert_eq!(map.spawns, [Cell::new(1, 2)]);
    let quay = reader
        .clone()
        .with_choice(only("Quay"))
        .read_file(&harbour());
    let quay = quay.expect("a level");
    assert_eq!(quay.costs.to_rows(), [255, 1, 3, 255]);
    assert_eq!(quay.spawns, [Cell::new(1, 0)]);
    let ground = LdtkChoice {
        layer: Some("Ground".to_owned()),
        ..only("Quay")
    };
    let ground = reader.clone().with_choice(ground).read_file(&harbour());
    assert_eq!(ground.expect("a layer").costs.to_rows(), [255, 255, 3, 1]);
    let names = Names::usual().with("deep water", Cost::new(9).expect("a cost"));
    let names = names.with("Empty", Cost::WALL);
    let named = reader.clone().with_kinds(names).with_choice(only("Town"));
    let named = named.read_file(&harbour()).expect("a level");
    assert_eq!(named.costs.to_rows(), [255, 255, 3, 255, 1, 1, 9, 255]);
    let bytes = fs::read(harbour()).expect("a file");
    let error = reader.read(Format::Ldtk, &bytes).expect_err("no folder");
    let told = "level `Quay`: the level is in a separate file: save the project without separate \
                level files, or read the map by its path";
    assert_eq!(error.to_string(), told);
    let alone = reader.read_file(&harbour().with_file_name("harbour/Quay.ldtkl"));
    let error = alone.expect_err("no project").to_string();
    assert!(
        error.contains("read the project (.ldtk), and choose the level"),
        "{error}"
    );
}

#[test]
fn faults_in_files_of_levels_are_told_with_the_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ldtk-files");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("cut.ldtkl"), "{\"identifier\": \"Quay\",").expect("a file");
    let text = fs::read_to_string(harbour()).expect("a project");
    let path = folder.join("map.ldtk");
    for (name, told) in [
        (
            "../Quay.ldtkl",
            ": the level lies outside the folder of the map",
        ),
        (
            "cut.ldtkl",
            ", file `cut.ldtkl`, line 1, column 22: the text ends here",
        ),
    ] {
        fs::write(&path, text.replace("harbour/Quay.ldtkl", name)).expect("a project");
        let error = MapReader::new()
            .read_file(&path)
            .expect_err(told)
            .to_string();
        let told = format!("{}: level `Quay`{told}", path.display());
        assert!(error.starts_with(&told), "{error}");
    }
}

#[test]
fn spawn_points_scale_with_their_layer_s_cells() {
    let mut one = level("One", (3, 3), (4, 4), &[vec![0; 16]]);
    let layers = one["layerInstances"].as_array_mut().expect("layers");
    let mut marks = layers[0].clone();
    marks["__identifier"] = json!("SPAWN");
    marks["__type"] = json!("Entities");
    marks["__gridSize"] = json!(GRID / 2);
    marks["entityInstances"] = json!([
        { "__identifier": "Flag", "__grid": [7, 4] }, { "__identifier": "Flag", "__grid": [-1, 9] }
    ]);
    layers.insert(0, marks);
    let map = read(&project("Free", &[one.clone()]).to_string()).expect("a project");
    assert_eq!(map.spawns, [Cell::new(3, 2), Cell::new(-1, 4)]);
    one["layerInstances"][0]["__gridSize"] = json!(u32::MAX);
    let error = read(&project("Free", &[one]).to_string()).expect_err("far away");
    assert!(
        error.what.starts_with("a spawn point lies too far away"),
        "{error}"
    );
}

#[test]
fn worlds_are_chosen_by_name() {
    let one = |name, value| level(name, (0, 0), (1, 1), &[vec![value]]);
    let mut several = project("Free", &[]);
    several["worldLayout"] = Value::Null;
    let world = |name: &str, levels: &[Value]| json!({ "identifier": name, "worldLayout": "GridVania", "levels": levels });
    several["worlds"] = json!([
        world("Above", &[one("A", 1)]),
        world("Below", &[one("B", 4)])
    ]);
    let text = several.to_string();
    let error = read(&text).expect_err("two worlds").to_string();
    assert_eq!(
        error,
        "the project: it has several worlds: choose one of `Above` `Below`"
    );
    for (name, cost) in [("Above", 255), ("A", 255), ("Below", 3), ("B", 3)] {
        assert_eq!(
            read_chosen(&text, &only(name))
                .expect("a map")
                .costs
                .to_rows(),
            [cost]
        );
    }
}

#[test]
fn what_is_missing_is_named() {
    let layers = [vec![0, 5, 0, 0]];
    let levels = ["One", "Two"].map(|name| level(name, (0, 0), (2, 2), &layers));
    let text = project("Free", &levels).to_string();
    let error = read_chosen(&text, &only("Three")).expect_err("no such level");
    let told = "the project: no level is called `Three`: choose one of `One` `Two`";
    assert_eq!(error.to_string(), told);
    let error = read_chosen(&text, &only("One")).expect_err("no name");
    assert_eq!(error.lacks, Some(Lack::Name("5".to_owned())));
    let finer = with(&levels[0]["layerInstances"][0], json!({ "__gridSize": 8 }));
    let layers = json!([levels[0]["layerInstances"][0], finer]);
    let level = with(&levels[0], json!({ "layerInstances": layers }));
    let error = read(&project("Free", &[level]).to_string()).expect_err("two grids");
    let told = "level `One`: the layers `Layer_0` and `Layer_0` have grids of different sizes";
    assert!(error.to_string().starts_with(told), "{error}");
    for deep in ["[".repeat(1 << 20), "{\"levels\":[".repeat(1 << 18)] {
        assert!(read(&deep).is_err());
    }
}

#[test]
fn values_of_chosen_levels_are_parsed_after_sizes() {
    let mut levels = ["One", "Two"].map(|name| level(name, (0, 0), (2, 2), &[vec![1; 4]]));
    let layer = &mut levels[1]["layerInstances"][0];
    layer["intGridCsv"] = json!(["no", "number", "at", "all"]);
    let text = project("Free", &levels).to_string();
    let one = read_chosen(&text, &only("One")).expect("a level");
    assert_eq!(one.costs.to_rows(), [255; 4]);
    let layer = &mut levels[1]["layerInstances"][0];
    (layer["__cWid"], layer["__cHei"]) = (json!(5_000), json!(5_000));
    let text = project("Free", &levels).to_string();
    let error = read_chosen(&text, &only("Two")).expect_err("too large");
    let told = "level `Two`: 5000×5000 cells are over the limit";
    assert!(error.to_string().starts_with(told), "{error}");
}

#[test]
fn project_with_a_late_header_is_known_by_extension() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ldtk-late");
    fs::create_dir_all(&folder).expect("a folder");
    let text = project("Free", &[level("One", (0, 0), (2, 1), &[vec![1, 0]])]).to_string();
    let late = text.replace("__header__", "header");
    let late = late.strip_suffix('}').expect("an object").to_owned() + ", \"__header__\": {}}";
    assert_eq!(Format::of_bytes(late.as_bytes()), Some(Format::Tmj));
    for (name, format) in [("map.ldtk", Format::Ldtk), ("map.tmj", Format::Tmj)] {
        let path = folder.join(name);
        fs::write(&path, &late).expect("a file");
        let found = MapReader::new().format_of(&path, late.as_bytes());
        assert_eq!(found, Ok(format));
    }
    let map = MapReader::new().read_file(&folder.join("map.ldtk"));
    assert_eq!(map.expect("a project").costs.to_rows(), [255, 1]);
}
