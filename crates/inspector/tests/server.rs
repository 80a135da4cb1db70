//! The server from outside: what it shows, what it refuses, and how it ends.

mod client;

use std::collections::BTreeSet;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use client::{Block, Page, ask};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Link, Movement, Order,
};
use flowtiles_inspector::{
    FileAsked, Inspector, Mark, Overlay, Request, ServeError, Shown, StudioServer, UnitPath, View,
};
use serde_json::{Value, json};

const WHOLE: [u32; 4] = [0, 0, 230, 150];
const GROUND: u32 = Overlay::Ground.bit();

fn world() -> FlowWorld {
    let mut map = CostMap::open(230, 150).unwrap();
    map.edit(CellRect::new(90, 20, 30, 90), Cost::WALL).unwrap();
    map.edit(CellRect::new(150, 0, 20, 60), Cost::new(9).unwrap())
        .unwrap();
    FlowWorld::new(map)
}

/// Ground of cost 9 is a wall to it, and it is three cells wide.
fn tank() -> Movement {
    let movement = Movement::new().with_cost(Cost::new(9).unwrap(), Cost::WALL);
    movement.with_size(3).unwrap()
}

fn host(address: SocketAddr) -> String {
    format!("Host: {address}")
}

fn studio() -> (View, StudioServer) {
    let view = View::studio();
    let server = StudioServer::local("127.0.0.1:0", &view).unwrap();
    (view, server)
}

fn game() -> (Inspector, Page) {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let page = Page::open(inspector.address()).unwrap();
    (inspector, page)
}

fn publish(inspector: &mut Inspector, world: &FlowWorld) {
    inspector.publish(world, &[], [] as [Mark; 0]);
}

/// Calls again and again until a page has heard something.
fn until<T: Send>(mut shows: impl FnMut(), hears: impl FnOnce() -> T + Send) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let heard = scope.spawn(|| {
            let heard = hears();
            stop.store(true, Ordering::Relaxed);
            heard
        });
        while !stop.load(Ordering::Relaxed) && !heard.is_finished() {
            shows();
            thread::sleep(Duration::from_millis(5));
        }
        heard.join().unwrap()
    })
}

fn next(inspector: &mut Inspector, page: &mut Page, world: &FlowWorld, kind: &str) -> Value {
    until(|| publish(inspector, world), || page.hear_kind(kind))
}

fn next_block(inspector: &mut Inspector, page: &mut Page, world: &FlowWorld) -> Block {
    until(|| publish(inspector, world), || page.hear_block())
}

/// Checks the six blocks of a layer, each sent once, against the costs read cell by cell.
fn hold_all(inspector: &mut Inspector, page: &mut Page, world: &FlowWorld, on: (u16, u8)) {
    let mut seen = BTreeSet::new();
    while seen.len() < 6 {
        let block = next_block(inspector, page, world);
        assert!(seen.insert(block.place), "sent twice: {:?}", block.place);
        hold(&block, world, on);
    }
}

/// Checks a block of ground: four bytes for each texel, with one more texel around.
fn hold(block: &Block, world: &FlowWorld, on: (u16, u8)) {
    assert_eq!((block.of, block.on), ([0, 0, 0], on));
    let layer = LayerId::from_number(on.0).for_team(on.1).unwrap();
    let costs = world.layer(layer).unwrap().costs();
    let [left, top] = [block.place.0, block.place.1].map(|at| i32::from(at) * 100 - 1);
    for cell in CellRect::new(left, top, 102, 102).cells() {
        let texel = match block.is_plain {
            true => 0,
            false => (cell.y - top) * 102 + cell.x - left,
        };
        let cost = costs.get(cell).map_or(0, Cost::value);
        assert_eq!(block.content[texel as usize * 4 + 1], cost, "{cell}");
    }
}

/// Checks that a note is a refusal that begins so.
fn hold_refusal(note: &Value, begin: &str) {
    let is_refusal = note["tone"] == "refused" && note["text"].as_str().unwrap().starts_with(begin);
    assert!(is_refusal, "{note}");
}

#[test]
fn the_page_and_its_files_are_served_with_a_policy() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let host = host(inspector.address());
    let get = |path| ask(inspector.address(), &format!("GET {path}"), &[&host], "").unwrap();
    let page = get("/");
    assert_eq!(page.code, 200);
    assert!(page.head.contains("default-src 'none'"));
    let files: Vec<&str> = page
        .body
        .split('"')
        .filter(|word| word.starts_with('/'))
        .collect();
    assert!(files.len() >= 3);
    for file in files {
        assert_eq!(get(file).code, 200, "{file}");
    }
    let is_elsewhere = ["http://", "https://"].map(|begin| page.body.contains(begin));
    assert_eq!(is_elsewhere, [false, false], "nothing from elsewhere");
    assert_eq!(get("/nothing").code, 404);
}

#[test]
fn foreign_hosts_and_origins_are_refused_everywhere() {
    let (_view, server) = studio();
    let address = server.address();
    let own = host(address);
    let foreign = format!("Host: rebound.example:{}", address.port());
    for line in [
        "GET /",
        "GET /live",
        "POST /file/a.map",
        "GET /file/map",
        "GET /main.js",
    ] {
        let code = |headers: &[&str]| ask(address, line, headers, "").unwrap().code;
        assert_eq!(code(&[&foreign]), 403, "{line}");
        assert_eq!(code(&[&own, "Origin: http://evil.example"]), 403, "{line}");
        let two = code(&[&own, &foreign]);
        assert!([400, 403].contains(&two), "{line}: two hosts, {two}");
    }
    let evil = Page::open_as(address, Some("http://evil.example"));
    assert_eq!(evil.err(), Some(403));
    // Browsers send the origin with every request that can change something.
    assert_eq!(Page::open_as(address, None).err(), Some(403));
    let unnamed = ask(address, "POST /file/a.map", &[&own], "type").unwrap();
    assert_eq!(unnamed.code, 403);
    assert!(unnamed.body.contains("Origin"));
}

#[test]
fn only_addresses_of_this_machine_are_served_unasked() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let game = Inspector::serve(address);
        let is_refused = matches!(game, Err(ServeError::NotLocal { .. }));
        assert!(is_refused, "{address}");
        let studio = StudioServer::local(address, &View::studio());
        assert!(matches!(studio, Err(ServeError::NotLocal { .. })));
    }
    assert!(StudioServer::remote("0.0.0.0:0", &View::studio()).is_ok());
}

#[test]
fn page_gets_the_costs_and_their_changes() {
    let mut world = world();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    publish(&mut inspector, &world);
    let mut page = Page::open(inspector.address()).unwrap();
    let hello = page.hear_kind("hello");
    assert_eq!(hello["version"], 13);
    assert_eq!(hello["isStudio"], false);
    let stage = &hello["stages"][0];
    assert_eq!([&stage["width"], &stage["height"]], [230, 150]);
    page.look(WHOLE, GROUND);
    hold_all(&mut inspector, &mut page, &world, (0, 0));

    world
        .edit(CellRect::new(205, 10, 20, 20), Cost::new(77).unwrap())
        .unwrap();
    // One block has changed, and only this block is sent.
    let block = next_block(&mut inspector, &mut page, &world);
    assert_eq!(block.place, (2, 0));
    hold(&block, &world, (0, 0));
}

#[test]
fn game_refuses_requests_and_studio_passes_them_on() {
    let (mut inspector, mut page) = game();
    page.say(&json!({ "request": "clear" }));
    hold_refusal(&page.hear_kind("note"), "this page only shows");
    assert!(inspector.view().requests().is_empty());
    let host = host(inspector.address());
    let answer = ask(inspector.address(), "GET /file/map", &[&host], "").unwrap();
    assert_eq!(answer.code, 403);

    let (mut view, server) = studio();
    let mut page = Page::open(server.address()).unwrap();
    page.say(&json!({ "request": { "goal": { "x": 12, "y": -3 } } }));
    page.say(&json!({ "request": "undo" }));
    let mut asked = Vec::new();
    while asked.len() < 2 {
        view.wait(Duration::from_millis(20));
        asked.extend(view.requests());
    }
    assert_eq!(asked, [Request::Goal(Cell::new(12, -3)), Request::Undo]);
}

#[test]
fn bad_messages_are_reported_and_long_ones_disconnect() {
    let (_view, server) = studio();
    let mut page = Page::open(server.address()).unwrap();
    for wrong in ["", "\0", "[", "{\"request\":\"walk\"}", "{}"] {
        page.say_text(wrong).unwrap();
        let note = page.hear_kind("note");
        hold_refusal(&note, "the inspector was sent a bad message: ");
    }
    // The server continues nevertheless.
    page.say(&json!({ "request": "undo" }));
    let _ = page.say_text(&" ".repeat(70_000));
    while page.hear().is_some() {}
    let mut other = Page::open(server.address()).unwrap();
    assert_eq!(other.hear_kind("hello")["isStudio"], true, "others look on");
}

#[test]
fn bodies_are_limited_and_a_reading_host_gets_them() {
    let (view, server) = studio();
    let (address, host) = (server.address(), host(server.address()));
    let origin = format!("Origin: http://{address}");
    let long = format!("Content-Length: {}", 1u64 << 30);
    let answer = ask(address, "POST /file/a.map", &[&host, &origin, &long], "").unwrap();
    assert_eq!(answer.code, 413);
    let asking = thread::spawn(move || {
        let headers = [&*host, &*origin];
        ask(address, "POST /file/a%20b%2F%3F.map", &headers, "type")
    });
    let request = loop {
        view.wait(Duration::from_millis(5));
        if let Some(request) = server.file_request() {
            break request;
        }
    };
    let wanted = FileAsked::Open {
        name: "a b/?.map".to_owned(),
        bytes: b"type".to_vec(),
    };
    assert_eq!(request.asked, wanted);
    request.answer(Err("line 1: no map".to_owned()));
    let answer = asking.join().unwrap().unwrap();
    // A status of an error would be written into the browser's console.
    assert_eq!(answer.code, 200);
    assert!(answer.head.contains("x-refused: yes"), "{}", answer.head);
    assert!(answer.body.contains("line 1"));
}

/// Its pages have another world and other files; once it is closed, its address leads back.
#[test]
fn room_of_a_page_s_own_is_under_the_same_address() {
    let (mut shared, server) = studio();
    let (address, host) = (server.address(), host(server.address()));
    let mut own = View::studio();
    let room = server.own_room(&own).unwrap();
    let [small, large] = [60, 200].map(|side| FlowWorld::new(CostMap::open(side, side).unwrap()));
    shared.publish_shown(0, &Shown::new(&small));
    own.publish_shown(0, &Shown::new(&large));
    let query = format!("?own={}", room.number());
    let mut pages = ["", &query].map(|query| Page::open_at(address, query).unwrap());
    let widths = pages
        .each_mut()
        .map(|page| page.hear_kind("hello")["stages"][0]["width"].clone());
    assert_eq!(widths, [json!(60), json!(200)]);
    assert_eq!([shared.watchers(), own.watchers()], [1, 1]);
    let line = format!("GET /file/world{query}");
    let get = |line: &str| ask(address, line, &[&host], "").unwrap();
    thread::scope(|scope| {
        let asked = scope.spawn(|| get(&line));
        let request = until_some(|| room.file_request());
        assert!(
            server.file_request().is_none(),
            "it is not the shared host's"
        );
        request.answer(Err("none".to_owned()));
        assert!(asked.join().unwrap().body.contains("none"));
    });
    let number = room.number();
    // A file that a page waits for when it is closed does not come any more.
    thread::scope(|scope| {
        let asked = scope.spawn(|| get(&line));
        let request = until_some(|| room.file_request());
        drop(room);
        assert_eq!(asked.join().unwrap().code, 404);
        drop(request);
    });
    let [_, left] = &mut pages;
    assert!(left.hears_the_end());
    assert_eq!(shared.watchers(), 1, "the other session goes on");
    assert_ne!(
        server.own_room(&own).unwrap().number(),
        number,
        "none comes again"
    );
    for gone in [&*query, "?own=", "?own=0x1", "?own=99999999999"] {
        let page = get(&format!("GET /{gone}"));
        assert_eq!(page.code, 303, "{gone}");
        assert!(
            page.head.to_lowercase().contains("location: /\r\n"),
            "{}",
            page.head
        );
        assert_eq!(get(&format!("GET /file/world{gone}")).code, 404, "{gone}");
        assert_eq!(Page::open_at(address, gone).err(), Some(404), "{gone}");
    }
}

#[test]
fn rooms_of_pages_own_are_eight_at_a_time() {
    let (view, server) = studio();
    let mut rooms: Vec<_> = (0..8).map(|_| server.own_room(&view).unwrap()).collect();
    assert!(server.own_room(&view).is_none());
    rooms.pop();
    assert!(server.own_room(&view).is_some());
}

fn until_some<T>(mut found: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = found() {
            return found;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn server_takes_eight_pages_and_more_once_some_leave() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address();
    let origin = format!("http://{address}");
    let open = || Page::open_as(address, Some(&origin));
    let mut pages: Vec<Page> = (0..8).map(|_| open().unwrap()).collect();
    assert_eq!(inspector.watchers(), 8);
    assert_eq!(open().err(), Some(503));
    pages.pop();
    // The server notices it only after a while.
    while open().is_err() {
        thread::yield_now();
    }
}

#[test]
fn dropping_it_closes_pages_and_frees_the_port() {
    let (inspector, mut page) = game();
    let address = inspector.address();
    // A connection that never completes its request does not delay the end.
    let mut silent = TcpStream::connect(address).unwrap();
    silent.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    drop(inspector);
    while page.hear().is_some() {}
    let again = TcpStream::connect(address);
    assert!(again.is_err(), "nobody listens any more");
}

#[test]
fn looking_changes_nothing() {
    let goal = Cell::new(200, 100);
    let units = [Cell::new(5, 5), Cell::new(80, 140)];
    let run = |mut inspector: Option<&mut Inspector>| {
        let mut world = world();
        let order = world.order(goal, &units).unwrap();
        for _ in 0..40 {
            world.tick(Budget::cells(500));
            if let Some(inspector) = &mut inspector {
                let marks = (0..).zip(&units).map(|(id, &cell)| Mark::at(id, cell));
                inspector.publish(&world, &[(&order, goal)], marks);
            }
        }
        world.state_hash()
    };
    let (mut inspector, mut page) = game();
    page.look(WHOLE, u32::MAX);
    assert_eq!(run(Some(&mut inspector)), run(None));
}

#[test]
fn half_a_request_times_out_and_a_silent_page_stays() {
    let (inspector, page) = game();
    let mut half = TcpStream::connect(inspector.address()).unwrap();
    half.set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    // Further bytes do not extend the deadline: the connection is closed
    // anyway.
    let is_open = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
    };
    loop {
        match half.read(&mut [0]) {
            Err(error) if is_open(&error) => {
                let _ = half.write_all(b"a");
            }
            // Closed, with or without an answer.
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    assert_eq!(inspector.watchers(), 1, "the page looks on");
    drop(page);
}

#[test]
fn connections_are_limited_and_freed_at_their_end() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let (address, host) = (inspector.address(), host(inspector.address()));
    let ask = || ask(address, "GET /", &[&host], "");
    assert_eq!(ask().unwrap().code, 200);
    // The connection of the answer may still count for a moment.
    let mut silent: Vec<TcpStream> = (0..64)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    assert!(ask().is_err(), "64 that say nothing are as many as may be");
    silent.clear();
    while ask().is_err() {
        thread::yield_now();
    }
}

#[test]
fn links_are_shown_as_they_come_and_go() {
    let mut world = world();
    let (mut inspector, mut page) = game();
    page.look(WHOLE, GROUND);
    let none = next(&mut inspector, &mut page, &world, "links");
    assert_eq!(none["links"], json!([]));

    let gate = Link::new(CellRect::new(80, 30, 3, 2), Cell::new(200, 140)).with_price(70_000);
    let gate = world.add_link(gate).unwrap();
    let one = next(&mut inspector, &mut page, &world, "links");
    let gate_shown = json!({
        "number": gate.number(), "price": 70_000, "entry": { "x": 80, "y": 30 },
        "exit": { "x": 200, "y": 140 }, "width": 3, "height": 2, "isOnAll": true,
    });
    assert_eq!(one["links"], json!([gate_shown]));

    let layer: LayerId = world.add_layer(Movement::new()).unwrap();
    world.derive_layer(layer).unwrap();
    let stair = Link::new(Cell::new(1, 2), Cell::new(3, 4)).only_on([layer]);
    let stair = world.add_link(stair).unwrap();
    // It does not lead on the ground, which the page shows.
    next(&mut inspector, &mut page, &world, "hello");
    page.look_on(WHOLE, GROUND, (layer.number(), 0));
    let two = next(&mut inspector, &mut page, &world, "links");
    assert_eq!(two["links"][0], gate_shown);
    assert_eq!(two["links"][1]["number"], stair.number());
    assert_eq!(two["links"][1]["isOnAll"], false);

    world.remove_link(gate);
    let left = next(&mut inspector, &mut page, &world, "links");
    assert_eq!(left["links"], json!([two["links"][1]]));
}

#[test]
fn page_gets_its_chosen_layer_and_later_its_changes() {
    let mut world = world();
    let tank = world.add_layer(tank()).unwrap();
    world.derive_layer(tank).unwrap();
    let (mut inspector, mut page) = game();
    page.look(WHOLE, GROUND);
    hold_all(&mut inspector, &mut page, &world, (0, 0));
    page.look_on(WHOLE, GROUND, (1, 0));
    hold_all(&mut inspector, &mut page, &world, (1, 0));

    // Back on the ground nothing is sent, and of the edit one block.
    page.look(WHOLE, GROUND);
    for _ in 0..20 {
        publish(&mut inspector, &world);
        thread::sleep(Duration::from_millis(10));
    }
    world
        .edit(CellRect::new(205, 10, 9, 9), Cost::new(9).unwrap())
        .unwrap();
    let block = next_block(&mut inspector, &mut page, &world);
    assert_eq!(block.place, (2, 0));
    hold(&block, &world, (0, 0));
    // The layer has followed the edit, so on the page its block is old.
    page.look_on(WHOLE, GROUND, (1, 0));
    let block = next_block(&mut inspector, &mut page, &world);
    assert_eq!(block.place, (2, 0));
    hold(&block, &world, (1, 0));
}

#[test]
fn layers_declared_while_a_page_is_open_appear() {
    let mut world = world();
    let (mut inspector, mut page) = game();
    page.look(WHOLE, GROUND);
    let layers = |hello: &Value| hello["stages"][0]["worldLayers"].clone();
    let ground = json!({ "on": 0, "teams": 255, "isDerived": true, "name": "ground" });
    let mut hello = next(&mut inspector, &mut page, &world, "hello");
    if hello["stages"] == json!([]) {
        // That was before the first picture.
        hello = next(&mut inspector, &mut page, &world, "hello");
    }
    assert_eq!(layers(&hello), json!([ground]));
    let tank = world.add_layer(tank()).unwrap();
    let name = "layer 1: 3 cells wide, walls where the ground is 9";
    let declared = |is| json!({ "on": 8, "teams": 255, "isDerived": is, "name": name });
    let hello = next(&mut inspector, &mut page, &world, "hello");
    assert_eq!(layers(&hello), json!([ground, declared(false)]));

    // A page may ask for it at once: it is shown the ground until the layer is derived.
    page.look_on(WHOLE, GROUND, (1, 0));
    let note = page.hear_kind("note");
    hold_refusal(&note, "layer 1 is not derived: the ground is shown until");
    hold_all(&mut inspector, &mut page, &world, (0, 0));
    world.derive_layer(tank).unwrap();
    let hello = next(&mut inspector, &mut page, &world, "hello");
    assert_eq!(layers(&hello), json!([ground, declared(true)]));
    let block = next_block(&mut inspector, &mut page, &world);
    assert_eq!(block.on, (1, 0));
    // Freed while it is on view: the ground again, and no panic.
    world.free_layer(tank).unwrap();
    world.edit(Cell::new(3, 3), Cost::WALL).unwrap();
    let mut block = next_block(&mut inspector, &mut page, &world);
    while block.on != (0, 0) {
        block = next_block(&mut inspector, &mut page, &world);
    }
    hold(&block, &world, (0, 0));
}

#[test]
fn unknown_layer_is_refused_and_the_ground_is_shown() {
    let world = world();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    publish(&mut inspector, &world);
    let mut page = Page::open(inspector.address()).unwrap();
    for (layer, told) in [
        (
            (7, 0),
            "the world has no layer 7: the ground is shown instead",
        ),
        (
            (u16::MAX, 7),
            "the world has no layer 65535 of team 7: the ground",
        ),
        (
            (0, 8),
            "the inspector was sent a bad message: there is no team 8",
        ),
    ] {
        page.look_on(WHOLE, GROUND, layer);
        hold_refusal(&page.hear_kind("note"), told);
    }
    hold_all(&mut inspector, &mut page, &world, (0, 0));
    // Where it moves its view on the same layer the refusal is not sent again.
    page.look_on([0, 0, 100, 100], GROUND, (u16::MAX, 7));
    page.look_on(WHOLE, GROUND, (9, 0));
    hold_refusal(&page.hear_kind("note"), "the world has no layer 9");
}

/// Publishes with an order until the page hears a block of a layer of the view.
fn next_field(
    inspector: &mut Inspector,
    page: &mut Page,
    world: &FlowWorld,
    (order, layer): (&Order, Overlay),
) -> Block {
    let orders = [(order, Cell::new(200, 100))];
    let shows = || inspector.publish(world, &orders, [] as [Mark; 0]);
    let is_it = |block: &Block| block.of[1] == layer as u8 && block.place == (1, 0);
    until(shows, || {
        std::iter::repeat_with(|| page.hear_block())
            .find(is_it)
            .unwrap()
    })
}

#[test]
fn fields_and_sectors_are_of_the_shown_layer_s_orders() {
    let mut world = world();
    let tank = world.add_layer(tank()).unwrap();
    let goal = Goal::at(Cell::new(200, 100)).on(tank);
    let order = world.order(goal, &[Cell::new(140, 10)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let (mut inspector, mut page) = game();
    let layers = Overlay::Flow.bit() | Overlay::Loaded.bit();
    page.look(WHOLE, layers);
    // The order is not on the ground: its block has one byte for all, and no order.
    let flow = next_field(&mut inspector, &mut page, &world, (&order, Overlay::Flow));
    assert_eq!((flow.order, &*flow.content), (u64::MAX, &[15][..]));
    let loaded = next_field(&mut inspector, &mut page, &world, (&order, Overlay::Loaded));
    assert!(loaded.content[2..].iter().all(|&byte| byte == 0));

    page.look_on(WHOLE, layers, (1, 0));
    let flow = next_field(&mut inspector, &mut page, &world, (&order, Overlay::Flow));
    assert_eq!((flow.order, flow.on), (order.number(), (1, 0)));
    let costs = world.layer(tank).unwrap().costs();
    let (mut walls, mut directions) = (0, 0);
    for cell in CellRect::new(100, 0, 100, 100).cells() {
        let byte = flow.content[(cell.y * 100 + cell.x - 100) as usize];
        let is_wall = costs.get(cell).is_none_or(Cost::is_wall);
        assert_eq!(byte == 12, is_wall, "{cell}");
        walls += i32::from(is_wall && world.costs().get(cell) != Some(Cost::WALL));
        directions += i32::from(byte & 15 < 8);
    }
    assert!(walls > 1_000 && directions > 500, "{walls}, {directions}");
    let loaded = next_field(&mut inspector, &mut page, &world, (&order, Overlay::Loaded));
    assert!(loaded.content[2..].iter().any(|&byte| byte != 0));
}

#[test]
fn paths_portals_and_cells_are_of_the_shown_layer() {
    let mut world = world();
    let tank = world.add_layer(tank()).unwrap();
    world.derive_layer(tank).unwrap();
    let path = |x, layer| UnitPath {
        banner: 1,
        points: vec![[x, 2.5], [x, 9.25]],
        thin: true,
        layer,
    };
    let paths = [path(5.5, LayerId::GROUND), path(6.5, tank)];
    let shown = Shown {
        paths: &paths,
        ..Shown::new(&world)
    };
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address();
    let mut show = || inspector.view().publish_shown(0, &shown);
    // Pages know the layers of a world that was shown once.
    show();
    let open = |layer| {
        let mut page = Page::open(address).unwrap();
        page.look_on(WHOLE, Overlay::Portals.bit(), (layer, 0));
        page
    };
    for (layer, x, cost) in [(0, 5.5, 9), (1, 6.5, 255)] {
        let mut page = open(layer);
        let told = until(&mut show, || page.hear_kind("paths"));
        let points = json!([[x, 2.5], [x, 9.25]]);
        let path = json!({ "banner": 1, "points": points, "thin": true });
        assert_eq!(told["paths"], json!([path]));
        // The pointer is on ground of cost 9: a wall to the layer.
        page.say(&json!({ "hover": { "stage": 0, "cell": [160, 30] } }));
        let cell = until(&mut show, || page.hear_kind("cell"));
        let facts = ["on", "cost", "ground"].map(|name| cell[name].as_u64().unwrap());
        assert_eq!(facts, [8 * u64::from(layer), cost, 9], "the layer's cost");
    }
    let mut page = open(1);
    let mut portals = Vec::new();
    while portals.len() < 6 {
        let block = until(&mut show, || page.hear_block());
        assert_eq!(block.on, (1, 0));
        if block.of[1] == Overlay::Portals as u8 {
            portals.push(block);
        }
    }
    let count: usize = portals.iter().map(|block| block.content.len() / 10).sum();
    let of_layer = world.inspect().layer(tank).unwrap().stats().portals;
    assert_eq!(count, of_layer);
    assert_ne!(count, world.inspect().stats().portals);
}
