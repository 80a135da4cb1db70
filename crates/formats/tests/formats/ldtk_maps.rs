//! LDtk projects: the rules, drawn projects compared with an independent reader, the crate
//! `ldtk_rust`, and faults.

use std::fs;
use std::path::{Path, PathBuf};

use flowtiles::{Cell, Cost, CostMap};
use flowtiles_formats::{
    Format, Lack, LdtkChoice, LoadedMap, MapReader, Names, Place, ReadError, read_ldtk,
};
use serde_json::{Value, json};

use crate::drawn::Rng;

const GRID: i64 = 16;

/// The names of the values of drawn layers, and their costs: value 5 has none.
const VALUES: [(&str, u8); 4] = [("Wall", 255), ("grass", 1), ("Deep Water", 255), ("Mud", 3)];

/// Returns a level as LDtk writes it, with the layers from the top down.
fn level(name: &str, at: (i64, i64), size: (i64, i64), layers: &[Vec<i64>]) -> Value {
    let layers = layers.iter().enumerate().map(|(index, cells)| {
        json!({
            "__identifier": format!("Layer_{index}"), "__type": "IntGrid",
            "__cWid": size.0, "__cHei": size.1, "__gridSize": GRID, "__opacity": 1,
            "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": null,
            "__tilesetRelPath": null, "iid": "i", "levelId": 1, "layerDefUid": index + 1,
            "pxOffsetX": 0, "pxOffsetY": 0, "visible": index == 0, "optionalRules": [],
            "intGridCsv": cells, "autoLayerTiles": [], "seed": 1, "overrideTilesetUid": null,
            "gridTiles": [], "entityInstances": []
        })
    });
    let layers: Vec<Value> = layers.collect();
    json!({
        "identifier": name, "iid": name, "uid": 1, "worldX": at.0 * GRID, "worldY": at.1 * GRID,
        "worldDepth": 0, "pxWid": size.0 * GRID, "pxHei": size.1 * GRID, "__bgColor": "#000000",
        "bgColor": null, "useAutoIdentifier": false, "bgRelPath": null, "bgPos": null,
        "bgPivotX": 0.5, "bgPivotY": 0.5, "__smartColor": "#000000", "__bgPos": null,
        "externalRelPath": null, "fieldInstances": [], "layerInstances": layers,
        "__neighbours": []
    })
}

/// Returns a project as LDtk writes it.
fn project(layout: &str, levels: &[Value]) -> Value {
    let layers = (1..=3).map(|uid| {
        let values = VALUES.iter().enumerate().map(|(index, (name, _))| {
            json!({ "value": index + 1, "identifier": name, "color": "#000000" })
        });
        let mut values: Vec<Value> = values.collect();
        values.push(json!({ "value": 5, "identifier": null, "color": "#000000" }));
        json!({
            "__type": "IntGrid", "identifier": format!("Layer_{}", uid - 1), "type": "IntGrid",
            "uid": uid, "gridSize": GRID, "guideGridWid": 0, "guideGridHei": 0,
            "displayOpacity": 1, "inactiveOpacity": 1, "hideInList": false,
            "hideFieldsWhenInactive": false, "pxOffsetX": 0, "pxOffsetY": 0,
            "parallaxFactorX": 0, "parallaxFactorY": 0, "parallaxScaling": true,
            "requiredTags": [], "excludedTags": [], "intGridValues": values,
            "autoRuleGroups": [], "autoSourceLayerDefUid": null, "tilesetDefUid": null,
            "tilePivotX": 0, "tilePivotY": 0
        })
    });
    let layers: Vec<Value> = layers.collect();
    json!({
        "__header__": { "fileType": "LDtk Project JSON" },
        "jsonVersion": "1.1.3", "appBuildId": 1, "nextUid": 9, "identifierStyle": "Capitalize",
        "worldLayout": layout, "worldGridWidth": 256, "worldGridHeight": 256,
        "defaultLevelWidth": 256, "defaultLevelHeight": 256, "defaultPivotX": 0,
        "defaultPivotY": 0, "defaultGridSize": GRID, "bgColor": "#000000",
        "defaultLevelBgColor": "#000000", "minifyJson": false, "externalLevels": false,
        "exportTiled": false, "simplifiedExport": false, "imageExportMode": "None",
        "pngFilePattern": null, "backupOnSave": false, "backupLimit": 10,
        "levelNamePattern": "Level_%idx", "tutorialDesc": null, "flags": [],
        "defs": {
            "layers": layers, "entities": [], "tilesets": [], "enums": [], "externalEnums": [],
            "levelFields": []
        },
        "levels": levels, "worlds": []
    })
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
    let low = |at: fn(&&ldtk_rust::Level) -> i64| levels.iter().map(at).min().expect("a level");
    let (left, top) = (low(|level| level.world_x), low(|level| level.world_y));
    let right = levels
        .iter()
        .map(|level| level.world_x + level.px_wid - left);
    let bottom = levels
        .iter()
        .map(|level| level.world_y + level.px_hei - top);
    let width = right.max().expect("a level") / GRID;
    let height = bottom.max().expect("a level") / GRID;
    let mut rows = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (left + x * GRID, top + y * GRID);
            let level = levels.iter().find(|level| {
                let across = level.world_x..level.world_x + level.px_wid;
                let down = level.world_y..level.world_y + level.px_hei;
                across.contains(&x) && down.contains(&y)
            });
            let Some(level) = level else {
                rows.push(255);
                continue;
            };
            let (x, y) = ((x - level.world_x) / GRID, (y - level.world_y) / GRID);
            let layers = level.layer_instances.iter().flatten();
            let at = |layer: &ldtk_rust::LayerInstance| {
                let value = layer.int_grid_csv[(y * layer.c_wid + x) as usize];
                let layers = &project.defs.layers;
                let of_layer = layers.iter().find(|known| known.uid == layer.layer_def_uid);
                let values = &of_layer.expect("a definition").int_grid_values;
                let known = values.iter().find(|known| known.value == value)?;
                known.identifier.clone()
            };
            let name = layers
                .filter(|layer| layer.layer_instance_type == "IntGrid")
                .find_map(at);
            let cost = name.map_or(1, |name| {
                let mut known = VALUES.iter();
                known.find(|(known, _)| *known == name).expect("a name").1
            });
            rows.push(cost);
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
fn files_of_levels_outside_the_folder_are_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ldtk-outside");
    fs::create_dir_all(folder.join("maps")).expect("a folder");
    let quay = harbour().with_file_name("harbour/Quay.ldtkl");
    fs::copy(quay, folder.join("Quay.ldtkl")).expect("a level");
    fs::write(folder.join("maps/cut.ldtkl"), "{\"identifier\": \"Quay\",").expect("a file");
    let text = fs::read_to_string(harbour()).expect("a project");
    let path = folder.join("maps/map.ldtk");
    for (name, told) in [
        ("../Quay.ldtkl", "lies outside the folder of the map"),
        ("/etc/passwd", "lies outside the folder of the map"),
        ("none.ldtkl", "cannot be read"),
        (
            "cut.ldtkl",
            "level `Quay`, file `cut.ldtkl`, line 1, column 22: the text ends here",
        ),
    ] {
        fs::write(&path, text.replace("harbour/Quay.ldtkl", name)).expect("a project");
        let error = MapReader::new()
            .read_file(&path)
            .expect_err("outside")
            .to_string();
        let place = format!("{}: level `Quay`", path.display());
        assert!(error.starts_with(&place) && error.contains(told), "{error}");
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
fn faults_are_told_with_their_place() {
    let cells = |value| vec![0, value, 0, 0];
    let two = |second: (i64, i64), value| {
        let levels = [
            level("One", (0, 0), (2, 2), &[cells(1)]),
            level("Two", second, (2, 2), &[cells(value)]),
        ];
        project("Free", &levels)
    };
    let changed = |change: fn(&mut Value)| {
        let mut project = two((2, 0), 2);
        change(&mut project);
        project.to_string()
    };
    let good = two((2, 0), 2).to_string();
    read(&good).expect("no fault");
    let at = "level `Two`, layer `Layer_0`";
    for (text, told) in [
        (
            two((2, 0), 5).to_string(),
            format!("{at}, cell (1, 0): the value 5, `5`, has no cost"),
        ),
        (
            two((2, 0), 6).to_string(),
            format!("{at}, cell (1, 0): the layer has no value 6"),
        ),
        (
            two((1, 1), 2).to_string(),
            "level `Two`: it overlaps another level".to_owned(),
        ),
        (
            two((1 << 20, 0), 2).to_string(),
            "the project: a map of 1048578×2 cells is over the limit".to_owned(),
        ),
        (
            two((20_000, 20_000), 2).to_string(),
            "the project: 20002×20002 cells are over the limit".to_owned(),
        ),
        (
            good.replace("\"Free\"", "\"LinearHorizontal\""),
            "the project: its levels lie in a row (`LinearHorizontal`)".to_owned(),
        ),
        (
            changed(|project| project["levels"][1]["worldX"] = json!(40)),
            format!("{at}: its cells of 16 pixels, 40,0 pixels from the corner"),
        ),
        (
            changed(|project| project["levels"][1]["worldX"] = json!(1_u64 << 40)),
            "line 1, column ".to_owned(),
        ),
        (
            changed(|project| project["levels"] = json!([])),
            "the project: it has no level".to_owned(),
        ),
        (
            changed(|project| project["levels"][0]["layerInstances"] = Value::Null),
            "level `One`: it has no layer of integers".to_owned(),
        ),
        (
            changed(|project| {
                project["levels"][1]["layerInstances"][0]["intGridCsv"] = json!([1, 2, 3]);
            }),
            format!("{at}: it has 3 values for 2×2 cells of 16 pixels"),
        ),
        (
            changed(|project| project["levels"][1]["layerInstances"][0]["__gridSize"] = json!(0)),
            format!("{at}: it has 4 values for 2×2 cells of 0 pixels"),
        ),
        (
            changed(|project| {
                let layer = &mut project["levels"][1]["layerInstances"][0];
                layer["__cWid"] = json!(u32::MAX);
                layer["__cHei"] = json!(u32::MAX);
            }),
            "level `Two`: ".to_owned(),
        ),
        (
            changed(|project| {
                project["levels"][1]["layerInstances"][0]["intGridCsv"][2] = json!(-1);
            }),
            format!("{at}: the text cannot be parsed (invalid value: integer `-1`"),
        ),
        (
            changed(|project| {
                project["levels"][1]["layerInstances"][0]["intGridCsv"] = json!([1, [2, 3], 4]);
            }),
            format!("{at}: the text cannot be parsed (invalid type: sequence"),
        ),
        (
            changed(|project| {
                project["levels"][1]["layerInstances"][0]["intGridCsv"] = json!([]);
            }),
            format!("{at}: it has 0 values for 2×2 cells"),
        ),
        (
            changed(|project| {
                let mut other = project["levels"][1]["layerInstances"][0].clone();
                other["__gridSize"] = json!(8);
                let layers = project["levels"][1]["layerInstances"].as_array_mut();
                layers.expect("layers").push(other);
            }),
            "level `Two`: the layers `Layer_0` and `Layer_0` have grids of different".to_owned(),
        ),
        (
            good[..good.len() / 2].to_owned(),
            "line 1, column ".to_owned(),
        ),
        ("[".repeat(1 << 20), "line 1, column ".to_owned()),
        (
            "{\"levels\":[".repeat(1 << 18),
            "line 1, column ".to_owned(),
        ),
        (
            "{}".to_owned(),
            "not an LDtk project, or only one level of it".to_owned(),
        ),
    ] {
        let error = read(&text).expect_err(&told).to_string();
        assert!(error.starts_with(&told), "{error}, not {told}");
    }
    let error = read_chosen(&good, &only("Three"))
        .expect_err("no such level")
        .to_string();
    assert_eq!(
        error,
        "the project: no level is called `Three`: choose one of `One` `Two`"
    );
    let none = changed(|project| project["levels"] = json!([]));
    let error = read_chosen(&none, &only("Three")).expect_err("no level");
    let told = "the project: it has no level: draw one in LDtk";
    assert_eq!(error.to_string(), told);
    let nameless = read(&two((2, 0), 5).to_string()).expect_err("no name");
    assert_eq!(nameless.lacks, Some(Lack::Name("5".to_owned())));
    assert!(matches!(nameless.at, Place::Part(_)));
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
