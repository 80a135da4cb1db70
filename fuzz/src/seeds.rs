//! The inputs to begin with: those that reach far, to be changed from there.

use std::fs;
use std::path::Path;

use flowtiles::steer::{Army, Chase, Reading, Shape, Target, Unit};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Link, Movement, StampTemplate, Teams,
    Turn,
};
use flowtiles_formats::{Format, MapWriter};
use flowtiles_studio::replay::{Input, Saved};

use crate::draws::Rng;
use crate::{replays, saves};

const SCENARIO: &str =
    "version 1\n0\tarena.map\t49\t49\t1\t11\t1\t12\t1\n3\ta b.map\t8\t9\t0\t0\t7\t8\t12.07106781\n";
const PALETTE: &str = "#000000 wall\n#00ff00 1\n#ff8800 7\n";
const LDTK: &str = r#"{"__header__":{},"worldLayout":"Free","defs":{"layers":[{"uid":1,"intGridValues":[{"value":1,"identifier":"wall"},{"value":2,"identifier":"mud"}]}]},"levels":[{"identifier":"A","worldX":0,"worldY":-16,"layerInstances":[{"__identifier":"spawn","__type":"Entities","__cWid":3,"__cHei":2,"__gridSize":8,"layerDefUid":2,"entityInstances":[{"__identifier":"a","__grid":[1,1]}]},{"__identifier":"G","__type":"IntGrid","__cWid":3,"__cHei":2,"__gridSize":8,"__pxTotalOffsetX":0,"layerDefUid":1,"intGridCsv":[0,1,2,0,1,1]}]},{"identifier":"B","worldX":24,"worldY":0,"layerInstances":[{"__identifier":"G","__type":"IntGrid","__cWid":1,"__cHei":1,"__gridSize":8,"layerDefUid":1,"intGridCsv":[2]}]}]}"#;
const INFINITE: &str = r#"<map version="1.10" orientation="orthogonal" width="4" height="4" tilewidth="16" tileheight="16" infinite="1"><tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="2" columns="2"><tile id="0"><properties><property name="cost" type="int" value="5"/></properties></tile><tile id="1"><properties><property name="wall" type="bool" value="true"/></properties></tile></tileset><layer id="1" name="ground" width="4" height="4" offsetx="16"><data encoding="csv"><chunk x="-2" y="0" width="2" height="2">1,2,0,1</chunk></data></layer><objectgroup name="spawn"><object id="3" x="17" y="3"><point/></object></objectgroup></map>"#;

const SESSION: &str = r#"{"page":{"goal":[30,5]}}
{"page":{"source":[3,5]}}
{"ticks":3}
{"page":{"place":{"cell":[6,12],"count":20}}}
{"page":{"select":[0.0,0.0,20.0,30.0]}}
{"page":{"send":[33,20]}}
{"page":{"draw-up":[20.5,9.0,30.5,12.0]}}
{"ticks":4}
{"page":{"paint":{"stroke":1,"brush":0,"amount":1,"area":{"x":10,"y":3,"width":4,"height":9}}}}
{"page":{"stamp":{"template":0,"turns":1,"cell":[12,15]}}}
{"page":"stroke-end"}
{"page":{"quality":2}}
{"page":{"budget":700}}
{"ticks":5}
{"page":"undo"}
{"page":"redo"}
{"page":{"read":4}}
{"page":"replan"}
{"page":{"march":[4,25]}}
{"page":{"march-up":[12.5,25.0,4.0,22.0]}}
{"page":{"own-layer":{"number":0,"team":0}}}
{"page":{"click":[9,9]}}
{"ticks":2}
{"page":"clear"}
"#;

const MESSAGES: &str = r#"{"view":{"area":{"x":0,"y":0,"width":40,"height":30},"level":0,"layers":2047,"order":null,"on":{"number":0,"team":0}}}
{"request":{"place":{"cell":{"x":6,"y":12},"count":20}}}
{"request":{"select":[0,0,25,30]}}
{"request":{"send":{"x":33,"y":20}}}
{"request":{"aim":{"send":[20.5,9,30.5,12]}}}
{"request":{"aim":{"march":[9,9,9,9]}}}
{"request":{"aim":{"click":[9,9]}}}
{"request":{"draw-up":[20.5,9,30.5,12]}}
{"hover":{"stage":0,"cell":{"x":9,"y":9}}}
{"request":{"why":{"stage":0,"cell":{"x":9,"y":9},"order":null}}}
{"request":{"goal":{"x":30,"y":5}}}
{"request":{"source":{"x":3,"y":5}}}
{"request":{"paint":{"stroke":1,"brush":0,"amount":1,"area":{"x":10,"y":3,"width":4,"height":9}}}}
{"request":{"stamp":{"template":0,"turns":1,"cell":{"x":12,"y":15}}}}
{"request":"stroke-end"}
{"request":"undo"}
{"request":"redo"}
{"request":{"time":{"speed":4}}}
{"request":{"budget":700}}
{"request":"replan"}
{"request":{"life":0}}
{"request":{"click":{"x":7,"y":12}}}
{"request":{"read":4}}
{"request":{"own-layer":{"number":0,"team":0}}}
{"request":{"march":{"x":4,"y":25}}}
{"request":{"march-up":[20.5,9,30.5,12]}}
{"request":{"quality":2}}
{"forget":[{"stage":0,"on":{"number":0,"team":0},"layer":"ground","level":0,"column":0,"row":0}]}
{"request":{"new":{"kind":4,"width":30,"height":20,"seed":7,"has_army":true}}}
{"request":"clear"}
{"request":{"scene":{"scene":0,"reading":null,"beside":null,"seed":0}}}
{"request":"again"}
"#;

/// The folder with inputs that have found a fault, by target.
const FOUND: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");

/// Returns the inputs from which a target begins: its seeds, and what has found a fault.
///
/// # Panics
/// If a file of the latter cannot be read.
#[must_use]
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(Path::new(FOUND).join(target)).into_iter();
    let files = files.flatten().map(|file| file.expect("a file").path());
    let mut paths = files.collect::<Vec<_>>();
    paths.sort();
    let found = paths.iter().map(|path| fs::read(path).expect("a file"));
    let seeds = seeds(target).into_iter().map(|(_, bytes)| bytes);
    seeds.chain(found).collect()
}

/// Returns the seeds of a target: files by name.
#[must_use]
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        "formats" => formats(),
        "saves" => saved(),
        "replays" => {
            let map = Saved::write(&replays::starts()[1], &[Input::Ticks(3)]);
            [
                ("session", [b"\x00", SESSION.as_bytes()].concat()),
                ("army", [b"\x01", SESSION.as_bytes()].concat()),
                ("map", map.expect("inputs of a session").into_bytes()),
            ]
            .map(named)
            .into()
        }
        "messages" => (0..4)
            .map(|kind| named((&format!("view-{kind}"), messages(kind))))
            .collect(),
        _ => [60, 250, 700]
            .map(|length| {
                let mut rng = Rng::new(length);
                let bytes = (0..length).map(|_| rng.word() as u8);
                named((&format!("drawn-{length}"), bytes.collect()))
            })
            .into(),
    }
}

fn named((name, bytes): (&str, Vec<u8>)) -> (String, Vec<u8>) {
    (name.to_owned(), bytes)
}

fn formats() -> Vec<(String, Vec<u8>)> {
    let mut all = vec![
        ("scen".to_owned(), SCENARIO.into()),
        ("palette".to_owned(), PALETTE.into()),
        ("ldtk".to_owned(), LDTK.into()),
        ("infinite.tmx".to_owned(), INFINITE.into()),
    ];
    let mut map = CostMap::open(21, 12).expect("a size");
    for (x, cost) in [(4, Cost::WALL), (10, Cost::new(3).expect("not 0"))] {
        map.edit(CellRect::new(x, 2, 2, 8), cost)
            .expect("on the map");
    }
    for format in Format::ALL.into_iter().filter(|format| format.is_written()) {
        let written = MapWriter::new().lossy().write(format, &map).expect("lossy");
        all.push((format!("map.{format}"), written.bytes));
    }
    // A mapped file of 12×7 cells: a block, and two sectors.
    let numbers = [1_u32, 12, 7, 1].map(u32::to_le_bytes).concat();
    let words = [256_u32, 3].map(u32::to_le_bytes).concat();
    let bytes = [b"FLOWCOST", &numbers[..], &[9; 100], &words].concat();
    all.push(("mapped".to_owned(), bytes));
    all
}

fn saved() -> Vec<(String, Vec<u8>)> {
    let small = FlowWorld::new(CostMap::open(12, 7).expect("a size"));
    let mut all = vec![named(("small", saves::bytes_of(&small, &Army::default())))];
    let mut world = FlowWorld::new(replays::ground());
    let wide = Movement::new().with_size(2).expect("a size");
    let wide = world
        .add_layer(wide.with_wall_costs([3, 1, 0, 0]))
        .expect("a layer");
    world
        .add_gate(CellRect::new(20, 26, 2, 4), Teams::NONE.with(3))
        .expect("a gate");
    let link = Link::new(CellRect::new(2, 20, 1, 2), Cell::new(30, 5));
    world.add_link(link.with_price(9)).expect("a link");
    let hut = StampTemplate::rows(&["##", "# "]).expect("a template");
    world
        .stamp(&hut, Cell::new(15, 14), Turn::Quarter)
        .expect("on the map");
    world.block(Cell::new(18, 8)).expect("on the map");
    world
        .surcharge(wide, &[(CellRect::new(8, 6, 6, 3), 5)])
        .expect("on the map");
    let mut army = Army::default();
    let add = |army: &mut Army, target: Target, reading, first: u32| {
        let group = army.add_group(target, reading).expect("a group");
        for id in first..first + 2 {
            let place = [3.5 + id as f32, 12.5];
            army.add(Unit::new(id, group, place).with_radius(0.3))
                .expect("a unit");
        }
        group
    };
    let order = |goal: Goal, world: &mut FlowWorld| {
        world
            .order(goal, &[Cell::new(4, 12)])
            .expect("it is reached")
    };
    let one = order(Goal::at(Cell::new(30, 20)).or_nearest(), &mut world);
    let two = order(Goal::at(Cell::new(5, 25)).on(wide).or_nearest(), &mut world);
    let go = add(&mut army, Target::Order(one.clone()), Reading::Ahead, 0);
    add(&mut army, Target::Order(two), Reading::Bilinear, 3);
    all.push(named(("two", saves::bytes_of(&world, &army))));
    let attack = Target::AttackMove(one.clone(), Chase::default());
    let foes = add(&mut army, attack, Reading::Ahead, 6);
    let mut settings = *army.settings(foes).expect("a group");
    (settings.team, settings.foes) = (1, Teams::ALL);
    army.configure(foes, settings, &world).expect("a team");
    let flee = Target::Flee {
        from: Some(0),
        safe: 6.0,
    };
    add(&mut army, flee, Reading::Nearest, 9);
    add(
        &mut army,
        Target::Pursue(1, Chase::default()),
        Reading::Crowd,
        12,
    );
    add(
        &mut army,
        Target::Point([9.5, 20.5]),
        Reading::LowestOfFour,
        15,
    );
    army.patrol(foes, [Target::Point([3.5, 3.5]), Target::Order(one)])
        .expect("two targets");
    army.form(go, Shape::Wedge, 1.2, &world)
        .expect("a formation");
    let mut settings = *army.settings(go).expect("a group");
    settings.keeps_width = true;
    army.configure(go, settings, &world).expect("a group");
    army.set_jam_costs(&mut world, wide, [2, 4, 8, 16])
        .expect("a layer");
    for _ in 0..6 {
        army.tick(&mut world, Budget::cells(2_000), 0.1);
    }
    all.push(named(("many", saves::bytes_of(&world, &army))));
    all
}

/// A message of each kind, a line each.
fn messages(view: u8) -> Vec<u8> {
    let mut lines: Vec<&str> = MESSAGES.lines().collect();
    lines.rotate_left(usize::from(view));
    [&[view], lines.join("\n").as_bytes()].concat()
}
