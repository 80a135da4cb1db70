//! The server from outside: what it shows, what it refuses, and how it ends.

mod client;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use client::{Page, ask};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Link, Movement, Order, Teams,
};
use flowtiles_inspector::{
    Inspector, Mark, Overlay, Request, ServeError, Shown, StudioServer, UnitPath, View,
};

fn world() -> FlowWorld {
    let mut map = CostMap::open(230, 150).unwrap();
    map.edit(CellRect::new(90, 20, 30, 90), Cost::WALL).unwrap();
    map.edit(CellRect::new(150, 0, 20, 60), Cost::new(9).unwrap())
        .unwrap();
    FlowWorld::new(map)
}

fn host(address: SocketAddr) -> String {
    format!("Host: {address}")
}

fn studio() -> (View, StudioServer) {
    let view = View::studio();
    let server = StudioServer::local("127.0.0.1:0", &view).unwrap();
    (view, server)
}

#[test]
fn the_page_and_its_files_are_served_with_a_policy() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let host = host(inspector.address());
    let page = ask(inspector.address(), "GET /", &[&host], &[]).unwrap();
    assert_eq!(page.code, 200);
    assert!(page.head.contains("default-src 'none'"));
    let html = String::from_utf8(page.body).unwrap();
    let files = html.split('"').filter(|word| word.starts_with('/'));
    let mut count = 0;
    for file in files {
        let answer = ask(inspector.address(), &format!("GET {file}"), &[&host], &[]).unwrap();
        assert_eq!(answer.code, 200, "{file}");
        count += 1;
    }
    assert!(count >= 3);
    assert!(
        !html.contains("http://") && !html.contains("https://"),
        "nothing from elsewhere"
    );
    let missing = ask(inspector.address(), "GET /nothing", &[&host], &[]).unwrap();
    assert_eq!(missing.code, 404);
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
        "POST /file?name=a.map",
        "GET /file/map",
        "GET /main.js",
    ] {
        let answer = ask(address, line, &[&foreign], &[]).unwrap();
        assert_eq!(answer.code, 403, "{line}");
        for origin in [
            "Origin: http://evil.example",
            "Origin: null",
            "Origin: https://127.0.0.1",
        ] {
            let answer = ask(address, line, &[&own, origin], &[]).unwrap();
            assert_eq!(answer.code, 403, "{line} {origin}");
        }
        let two = ask(address, line, &[&own, &foreign], &[]).unwrap();
        assert!(
            [400, 403].contains(&two.code),
            "{line}: two hosts, {}",
            two.code
        );
    }
    let evil = Page::open_with(address, &[&own, "Origin: http://evil.example"]);
    assert_eq!(evil.err(), Some(403));
    // Browsers send the origin with every request that can change something.
    assert_eq!(Page::open_with(address, &[&own]).err(), Some(403));
    let unnamed = ask(address, "POST /file?name=a.map", &[&own], b"type").unwrap();
    assert_eq!(unnamed.code, 403);
    assert!(String::from_utf8_lossy(&unnamed.body).contains("Origin"));
}

#[test]
fn only_addresses_of_this_machine_are_served_unasked() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let refused = Inspector::serve(address);
        assert!(
            matches!(refused, Err(ServeError::NotLocal { .. })),
            "{address}"
        );
        assert!(matches!(
            StudioServer::local(address, &View::studio()),
            Err(ServeError::NotLocal { .. })
        ));
    }
    assert!(StudioServer::remote("0.0.0.0:0", &View::studio()).is_ok());
}

#[test]
fn page_gets_the_costs_and_their_changes() {
    let mut world = world();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let none: [Mark; 0] = [];
    inspector.publish(&world, &[], none);
    let mut page = Page::open(inspector.address()).unwrap();
    let hello = page.hear_kind(1).unwrap();
    assert_eq!(hello[1..4], [8, 0, 1], "version, no studio, one stage");
    let number = |at: usize| u32::from_le_bytes(hello[at..at + 4].try_into().unwrap());
    assert_eq!([number(8), number(12)], [230, 150]);
    page.look([0, 0, 230, 150], Overlay::Ground.bit()).unwrap();
    hold_ground(&mut inspector, &mut page, &world, 6);

    world
        .edit(CellRect::new(205, 10, 20, 20), Cost::new(77).unwrap())
        .unwrap();
    // One block has changed, and only this block is sent.
    let block = until_block(&mut inspector, &mut page, &world);
    assert_eq!(place_of(&block), (2, 0));
    hold_block(&block, &world);
}

/// Checks the blocks of ground, each sent once, against the costs read cell by
/// cell.
fn hold_ground(inspector: &mut Inspector, page: &mut Page, world: &FlowWorld, count: usize) {
    let mut seen = std::collections::BTreeSet::new();
    while seen.len() < count {
        let block = until_block(inspector, page, world);
        assert!(
            seen.insert(place_of(&block)),
            "sent twice: {:?}",
            place_of(&block)
        );
        hold_block(&block, world);
    }
}

fn until_block(inspector: &mut Inspector, page: &mut Page, world: &FlowWorld) -> Vec<u8> {
    hear_next(inspector, page, world, 2)
}

fn place_of(block: &[u8]) -> (u16, u16) {
    let number = |at: usize| u16::from_le_bytes([block[at], block[at + 1]]);
    (number(5), number(7))
}

/// Checks a block of the ground.
fn hold_block(block: &[u8], world: &FlowWorld) {
    assert_eq!(block[21..24], [0, 0, 0], "the ground, as team 0 sees it");
    hold_costs(block, world.costs());
}

/// Decodes a block of costs by hand: kind, stage, layer, level, form, column,
/// row, serial, order, number and team of the world's layer; then four bytes for each
/// texel, with one more texel around.
fn hold_costs(block: &[u8], costs: &CostMap) {
    assert_eq!(block[1..4], [0, 0, 0], "stage, layer, level");
    let (column, row) = place_of(block);
    let texels = &block[24..];
    for y in 0..102 {
        for x in 0..102 {
            let at = if block[4] == 1 { 0 } else { (y * 102 + x) * 4 };
            let cell = Cell::new(
                i32::from(column) * 100 + x as i32 - 1,
                i32::from(row) * 100 + y as i32 - 1,
            );
            let cost = costs.get(cell).map_or(0, Cost::value);
            assert_eq!(texels[at + 1], cost, "{cell}");
        }
    }
}

#[test]
fn game_refuses_requests_and_studio_passes_them_on() {
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    page.say(&[7]).unwrap();
    let note = page.hear_kind(10).unwrap();
    assert_eq!(note[1], 2);
    assert!(String::from_utf8_lossy(&note[4..]).contains("only shows"));
    assert!(inspector.view().requests().is_empty());
    let answer = ask(
        inspector.address(),
        "GET /file/map",
        &[&host(inspector.address())],
        &[],
    )
    .unwrap();
    assert_eq!(answer.code, 403);

    let (mut view, server) = studio();
    let mut page = Page::open(server.address()).unwrap();
    let mut goal = vec![5];
    goal.extend(12i32.to_le_bytes());
    goal.extend((-3i32).to_le_bytes());
    page.say(&goal).unwrap();
    page.say(&[12]).unwrap();
    let mut asked = Vec::new();
    while asked.len() < 2 {
        view.wait(std::time::Duration::from_millis(20));
        asked.extend(view.requests());
    }
    assert_eq!(asked, [Request::Goal(Cell::new(12, -3)), Request::Undo]);
}

#[test]
fn bad_messages_are_reported_and_long_ones_disconnect() {
    let (_view, server) = studio();
    let mut page = Page::open(server.address()).unwrap();
    for wrong in [&[][..], &[0], &[99], &[5, 1, 2], &[12, 0], &[255; 40]] {
        page.say(wrong).unwrap();
        let note = page.hear_kind(10).unwrap();
        assert_eq!(note[1], 2, "{wrong:?}");
    }
    // The server continues nevertheless.
    page.say(&[12]).unwrap();
    let _ = page.say(&vec![7; 70_000]);
    while let Ok(Some(_)) = page.hear() {}
    let mut other = Page::open(server.address()).unwrap();
    assert_eq!(other.hear_kind(1).unwrap()[2], 1, "others look on");
}

#[test]
fn bodies_are_limited_and_a_reading_host_gets_them() {
    let (view, mut server) = studio();
    let (address, host) = (server.address(), host(server.address()));
    let origin = format!("Origin: http://{address}");
    let long = format!("Content-Length: {}", 1u64 << 30);
    let headers = [&*host, &*origin, &*long];
    let answer = ask(address, "POST /file?name=a.map", &headers, &[]).unwrap();
    assert_eq!(answer.code, 413);
    let asking = std::thread::spawn(move || {
        let headers = [&*host, &*origin];
        ask(address, "POST /file?name=a%20b.map", &headers, b"type")
    });
    let request = loop {
        view.wait(std::time::Duration::from_millis(5));
        if let Some(request) = server.file_request() {
            break request;
        }
    };
    let wanted = flowtiles_inspector::FileAsked::Open {
        name: "a b.map".to_owned(),
        bytes: b"type".to_vec(),
    };
    assert_eq!(request.asked, wanted);
    request.answer(Err("line 1: no map".to_owned()));
    let answer = asking.join().unwrap().unwrap();
    // A status of an error would be written into the browser's console.
    assert_eq!(answer.code, 200);
    assert!(answer.head.contains("x-refused: yes"), "{}", answer.head);
    assert!(String::from_utf8_lossy(&answer.body).contains("line 1"));
}

#[test]
fn server_takes_eight_pages_and_more_once_some_leave() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address();
    let (own, origin) = (
        host(inspector.address()),
        format!("Origin: http://{address}"),
    );
    let mut pages: Vec<Page> = (0..8).map(|_| Page::open(address).unwrap()).collect();
    assert_eq!(inspector.watchers(), 8);
    assert_eq!(Page::open_with(address, &[&own, &origin]).err(), Some(503));
    pages.pop();
    // The server notices it only after a while.
    while Page::open_with(address, &[&own, &origin]).is_err() {
        std::thread::yield_now();
    }
}

#[test]
fn dropping_it_closes_pages_and_frees_the_port() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address();
    let mut page = Page::open(address).unwrap();
    // A connection that never completes its request does not delay the end.
    let mut silent = TcpStream::connect(address).unwrap();
    silent.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    drop(inspector);
    while let Ok(Some(_)) = page.hear() {}
    assert!(
        TcpStream::connect(address).is_err(),
        "nobody listens any more"
    );
}

#[test]
fn looking_changes_nothing() {
    let goal = Cell::new(200, 100);
    let units = [Cell::new(5, 5), Cell::new(80, 140)];
    let run = |inspector: Option<&mut Inspector>| {
        let mut world = world();
        let order = world.order(goal, &units).unwrap();
        let mut inspector = inspector;
        for _ in 0..40 {
            world.tick(Budget::cells(500));
            if let Some(inspector) = &mut inspector {
                let marks = (0..).zip(&units).map(|(id, &cell)| Mark::at(id, cell));
                inspector.publish(&world, &[(&order, goal)], marks);
            }
        }
        world.state_hash()
    };
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    page.look([0, 0, 230, 150], u32::MAX).unwrap();
    assert_eq!(run(Some(&mut inspector)), run(None));
}

#[test]
fn half_a_request_times_out_and_a_silent_page_stays() {
    let inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let address = inspector.address();
    let page = Page::open(address).unwrap();
    let mut half = TcpStream::connect(address).unwrap();
    half.set_read_timeout(Some(std::time::Duration::from_millis(100)))
        .unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    // Further bytes do not extend the deadline: the connection is closed
    // anyway.
    let mut byte = [0];
    let is_open = |error: &std::io::Error| {
        use std::io::ErrorKind::{TimedOut, WouldBlock};
        matches!(error.kind(), TimedOut | WouldBlock)
    };
    loop {
        match half.read(&mut byte) {
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
    let ask = || ask(address, "GET /", &[&host], &[]);
    assert_eq!(ask().unwrap().code, 200);
    // The connection of the answer may still count for a moment.
    let mut silent: Vec<TcpStream> = (0..64)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    assert!(ask().is_err(), "64 that say nothing are as many as may be");
    silent.clear();
    while ask().is_err() {
        std::thread::yield_now();
    }
}

/// Publishes until the page hears another message of a kind.
fn hear_next(inspector: &mut Inspector, page: &mut Page, world: &FlowWorld, kind: u8) -> Vec<u8> {
    hear_while(inspector, page, kind, |inspector| {
        let none: [Mark; 0] = [];
        inspector.publish(world, &[], none);
    })
}

/// Publishes in some way until the page hears another message of a kind.
fn hear_while(
    inspector: &mut Inspector,
    page: &mut Page,
    kind: u8,
    publish: impl Fn(&mut Inspector),
) -> Vec<u8> {
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let heard = scope.spawn(|| {
            let message = page.hear_kind(kind);
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            message.unwrap()
        });
        while !stop.load(std::sync::atomic::Ordering::Relaxed) {
            publish(inspector);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        heard.join().unwrap()
    })
}

/// Decodes links by hand, 19 bytes each: number, price, entry, exit, width, height, and
/// whether it leads on all layers.
fn links_of(message: &[u8]) -> Vec<[u32; 9]> {
    assert_eq!(message[..2], [14, 0], "kind, stage");
    let links = message[2..].chunks(19).map(|link| {
        let long = |at: usize| u32::from_le_bytes(link[at..at + 4].try_into().unwrap());
        let short = |at: usize| u32::from(u16::from_le_bytes([link[at], link[at + 1]]));
        let places = [short(8), short(10), short(12), short(14)];
        let [x, y, end_x, end_y] = places;
        let [width, height, all] = [16, 17, 18].map(|at| u32::from(link[at]));
        [long(0), long(4), x, y, end_x, end_y, width, height, all]
    });
    links.collect()
}

#[test]
fn links_are_shown_as_they_come_and_go() {
    let mut world = world();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    page.look([0, 0, 230, 150], Overlay::Ground.bit()).unwrap();
    let none = hear_next(&mut inspector, &mut page, &world, 14);
    assert_eq!(links_of(&none), [[0; 9]; 0]);

    let gate = Link::new(CellRect::new(80, 30, 3, 2), Cell::new(200, 140)).with_price(70_000);
    let gate = world.add_link(gate).unwrap();
    let one = hear_next(&mut inspector, &mut page, &world, 14);
    let gate_shown = [gate.number(), 70_000, 80, 30, 200, 140, 3, 2, 1];
    assert_eq!(links_of(&one), [gate_shown]);

    let layer: LayerId = world.add_layer(Movement::new()).unwrap();
    world.derive_layer(layer).unwrap();
    let stair = Link::new(Cell::new(1, 2), Cell::new(3, 4)).only_on([layer]);
    let stair = world.add_link(stair).unwrap();
    // It does not lead on the ground, which the page shows.
    hear_next(&mut inspector, &mut page, &world, 1);
    page.look_on([0, 0, 230, 150], Overlay::Ground.bit(), (layer.number(), 0))
        .unwrap();
    let two = hear_next(&mut inspector, &mut page, &world, 14);
    let stair_shown = [stair.number(), 5, 1, 2, 3, 4, 1, 1, 0];
    assert_eq!(links_of(&two), [gate_shown, stair_shown]);

    world.remove_link(gate);
    let left = hear_next(&mut inspector, &mut page, &world, 14);
    assert_eq!(links_of(&left), [stair_shown]);
}

/// Ground of cost 9 is a wall to it, and it is three cells wide.
fn tank() -> Movement {
    let movement = Movement::new().with_cost(Cost::new(9).unwrap(), Cost::WALL);
    movement.with_size(3).unwrap()
}

const WHOLE: [u32; 4] = [0, 0, 230, 150];

#[test]
fn page_gets_its_chosen_layer_and_later_its_changes() {
    let mut world = world();
    let tank = world.add_layer(tank()).unwrap();
    world.derive_layer(tank).unwrap();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    page.look(WHOLE, Overlay::Ground.bit()).unwrap();
    hold_ground(&mut inspector, &mut page, &world, 6);

    page.look_on(WHOLE, Overlay::Ground.bit(), (1, 0)).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..6 {
        let block = until_block(&mut inspector, &mut page, &world);
        assert_eq!(block[21..24], [1, 0, 0], "the layer 1, as team 0 sees it");
        hold_costs(&block, world.layer(tank).unwrap().costs());
        assert!(seen.insert(place_of(&block)));
    }

    // Back on the ground nothing is sent, and of the edit one block.
    page.look(WHOLE, Overlay::Ground.bit()).unwrap();
    for _ in 0..20 {
        inspector.publish(&world, &[], [Mark::at(0, Cell::new(1, 1))]);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    world
        .edit(CellRect::new(205, 10, 9, 9), Cost::new(9).unwrap())
        .unwrap();
    let block = until_block(&mut inspector, &mut page, &world);
    assert_eq!(place_of(&block), (2, 0));
    hold_block(&block, &world);
    // The layer has followed the edit, so on the page its block is old.
    page.look_on(WHOLE, Overlay::Ground.bit(), (1, 0)).unwrap();
    let block = until_block(&mut inspector, &mut page, &world);
    assert_eq!((place_of(&block), block[21]), ((2, 0), 1));
    hold_costs(&block, world.layer(tank).unwrap().costs());
}

/// Decodes the layers of the only stage of a hello: number, teams, whether it is derived, name.
fn layers_of(hello: &[u8]) -> Vec<(u16, u8, bool, String)> {
    let short = |at: usize| u16::from_le_bytes([hello[at], hello[at + 1]]);
    let mut at = 20 + 2 + usize::from(short(20));
    let count = short(at);
    at += 2;
    let mut layers = Vec::new();
    for _ in 0..count {
        let end = at + 6 + usize::from(short(at + 4));
        let name = String::from_utf8(hello[at + 6..end].to_vec()).unwrap();
        layers.push((short(at), hello[at + 2], hello[at + 3] == 1, name));
        at = end;
    }
    assert_eq!(at, hello.len());
    layers
}

#[test]
fn layers_declared_while_a_page_is_open_appear() {
    let mut world = world();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    page.look(WHOLE, Overlay::Ground.bit()).unwrap();
    let ground = (0, 255, true, "ground".to_owned());
    let mut hello = hear_next(&mut inspector, &mut page, &world, 1);
    if hello[3] == 0 {
        // That was before the first picture.
        hello = hear_next(&mut inspector, &mut page, &world, 1);
    }
    assert_eq!(layers_of(&hello), std::slice::from_ref(&ground));
    let tank = world.add_layer(tank()).unwrap();
    let name = "layer 1: 3 cells wide, walls where the ground is 9".to_owned();
    let hello = hear_next(&mut inspector, &mut page, &world, 1);
    let declared = (1, 255, false, name.clone());
    assert_eq!(layers_of(&hello), [ground.clone(), declared]);

    // A page may ask for it at once: it is shown the ground until the layer is derived.
    page.look_on(WHOLE, Overlay::Ground.bit(), (1, 0)).unwrap();
    let note = page.hear_kind(10).unwrap();
    let text = String::from_utf8_lossy(&note[4..]).into_owned();
    assert!(text.starts_with("layer 1 is not derived: the ground is shown until"));
    hold_ground(&mut inspector, &mut page, &world, 6);
    world.derive_layer(tank).unwrap();
    let hello = hear_next(&mut inspector, &mut page, &world, 1);
    assert_eq!(layers_of(&hello), [ground, (1, 255, true, name)]);
    let block = until_block(&mut inspector, &mut page, &world);
    assert_eq!(block[21..24], [1, 0, 0]);
    // Freed while it is on view: the ground again, and no panic.
    world.free_layer(tank).unwrap();
    world.edit(Cell::new(3, 3), Cost::WALL).unwrap();
    let mut block = until_block(&mut inspector, &mut page, &world);
    while block[21] != 0 {
        block = until_block(&mut inspector, &mut page, &world);
    }
    hold_block(&block, &world);
}

#[test]
fn unknown_layer_is_refused_and_the_ground_is_shown() {
    let world = world();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let none: [Mark; 0] = [];
    inspector.publish(&world, &[], none);
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
            "the inspector was sent a message of kind 1 with a value out of range",
        ),
    ] {
        page.look_on(WHOLE, Overlay::Ground.bit(), layer).unwrap();
        let note = page.hear_kind(10).unwrap();
        assert_eq!(note[1], 2, "a refusal");
        let text = String::from_utf8_lossy(&note[4..]).into_owned();
        assert!(text.starts_with(told), "{text}");
    }
    hold_ground(&mut inspector, &mut page, &world, 6);
    // Where it moves its view on the same layer the refusal is not sent again.
    page.look_on([0, 0, 100, 100], Overlay::Ground.bit(), (u16::MAX, 7))
        .unwrap();
    page.look_on(WHOLE, Overlay::Ground.bit(), (9, 0)).unwrap();
    let note = page.hear_kind(10).unwrap();
    assert!(String::from_utf8_lossy(&note[4..]).starts_with("the world has no layer 9"));
}

/// Publishes with an order until the page hears a block of a layer of the view.
fn until_field(
    inspector: &mut Inspector,
    page: &mut Page,
    world: &FlowWorld,
    (order, layer): (&Order, Overlay),
) -> Vec<u8> {
    loop {
        let block = hear_while(inspector, page, 2, |inspector| {
            let none: [Mark; 0] = [];
            inspector.publish(world, &[(order, Cell::new(200, 100))], none);
        });
        if block[2] == layer as u8 && place_of(&block) == (1, 0) {
            return block;
        }
    }
}

#[test]
fn fields_and_sectors_are_of_the_shown_layer_s_orders() {
    let mut world = world();
    let tank = world.add_layer(tank()).unwrap();
    let goal = Goal::at(Cell::new(200, 100)).on(tank);
    let order = world.order(goal, &[Cell::new(140, 10)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    let layers = Overlay::Flow.bit() | Overlay::Loaded.bit();
    page.look(WHOLE, layers).unwrap();
    let number = |block: &[u8]| u64::from_le_bytes(block[13..21].try_into().unwrap());
    // The order is not on the ground: its block has one byte for all, and no order.
    let flow = until_field(&mut inspector, &mut page, &world, (&order, Overlay::Flow));
    assert_eq!((number(&flow), &flow[24..]), (u64::MAX, &[15][..]));
    let loaded = until_field(&mut inspector, &mut page, &world, (&order, Overlay::Loaded));
    assert!(loaded[26..].iter().all(|&byte| byte == 0));

    page.look_on(WHOLE, layers, (1, 0)).unwrap();
    let flow = until_field(&mut inspector, &mut page, &world, (&order, Overlay::Flow));
    assert_eq!((number(&flow), flow[21]), (order.number(), 1));
    let costs = world.layer(tank).unwrap().costs();
    let (mut walls, mut directions) = (0, 0);
    for cell in CellRect::new(100, 0, 100, 100).cells() {
        let byte = flow[24 + (cell.y * 100 + cell.x - 100) as usize];
        let is_wall = costs.get(cell).is_none_or(Cost::is_wall);
        assert_eq!(byte == 12, is_wall, "{cell}");
        walls += i32::from(is_wall && world.costs().get(cell) != Some(Cost::WALL));
        directions += i32::from(byte & 15 < 8);
    }
    assert!(walls > 1_000 && directions > 500, "{walls}, {directions}");
    let loaded = until_field(&mut inspector, &mut page, &world, (&order, Overlay::Loaded));
    assert!(loaded[26..].iter().any(|&byte| byte != 0));
}

#[test]
fn paths_portals_and_cells_are_of_the_shown_layer() {
    let mut world = world();
    let tank = world.add_layer(tank()).unwrap();
    world.derive_layer(tank).unwrap();
    let path = |x, layer| UnitPath {
        banner: 1,
        cells: vec![Cell::new(x, 2), Cell::new(x, 9)],
        layer,
    };
    let paths = [path(5, LayerId::GROUND), path(6, tank)];
    let shown = |inspector: &mut Inspector| {
        let shown = Shown {
            paths: &paths,
            ..Shown::new(&world)
        };
        inspector.view().publish_shown(0, &shown);
    };
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    // Pages know the layers of a world that was shown once.
    shown(&mut inspector);
    let layers = Overlay::Portals.bit();
    let open = |inspector: &Inspector, layer| {
        let mut page = Page::open(inspector.address()).unwrap();
        page.look_on(WHOLE, layers, (layer, 0)).unwrap();
        page
    };
    let first_x = |paths: &[u8]| u16::from_le_bytes([paths[7], paths[8]]);
    for (layer, x, cost) in [(0, 5, 9), (1, 6, 255)] {
        let mut page = open(&inspector, layer);
        let paths = hear_while(&mut inspector, &mut page, 6, shown);
        assert_eq!((paths.len(), first_x(&paths)), (2 + 5 + 8, x));
        // The pointer is on ground of cost 9: a wall to the layer.
        let mut hover = vec![3, 0];
        hover.extend(160i32.to_le_bytes());
        hover.extend(30i32.to_le_bytes());
        page.say(&hover).unwrap();
        let cell = hear_while(&mut inspector, &mut page, 8, shown);
        assert_eq!(cell[10..13], [layer as u8, 0, 0]);
        assert_eq!(
            cell[13..15],
            [cost, 9],
            "the layer's cost, the ground's kind"
        );
    }
    let mut page = open(&inspector, 1);
    let mut portals = Vec::new();
    while portals.len() < 6 {
        let block = hear_while(&mut inspector, &mut page, 2, shown);
        assert_eq!(block[21], 1);
        if block[2] == Overlay::Portals as u8 {
            portals.push(block);
        }
    }
    let count: usize = portals.iter().map(|block| (block.len() - 24) / 10).sum();
    let of_layer = world.inspect().layer(tank).unwrap().stats().portals;
    assert_eq!(count, of_layer);
    assert_ne!(count, world.inspect().stats().portals);
}

#[test]
fn a_team_to_which_a_gate_is_open_sees_no_wall() {
    let mut world = world();
    let gate = CellRect::new(20, 20, 5, 5);
    world.add_gate(gate, Teams::NONE.with(3).with(4)).unwrap();
    let team = LayerId::GROUND.for_team(3).unwrap();
    world.derive_layer(team).unwrap();
    let mut inspector = Inspector::serve("127.0.0.1:0").unwrap();
    let mut page = Page::open(inspector.address()).unwrap();
    // Teams 3 and 4 see all gates alike, so they share what is shown.
    page.look_on([0, 0, 90, 90], Overlay::Ground.bit(), (0, 4))
        .unwrap();
    let mut block = until_block(&mut inspector, &mut page, &world);
    while block[23] == 0 {
        // The first picture was made before the list of layers was known.
        block = until_block(&mut inspector, &mut page, &world);
    }
    assert_eq!(block[21..24], [0, 0, 3]);
    hold_costs(&block, world.layer(team).unwrap().costs());
    let cost = |costs: &CostMap| costs.get(Cell::new(22, 22));
    assert_eq!(cost(world.costs()), Some(Cost::WALL));
    assert_eq!(cost(world.layer(team).unwrap().costs()), Some(Cost::OPEN));
}
