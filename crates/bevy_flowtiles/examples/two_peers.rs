//! Two players over a bad line, with GGRS: orders are inputs, and what was guessed wrong is taken
//! back.
//!
//! ```console
//! $ cargo run --release -p bevy_flowtiles --example two_peers
//! ```
//!
//! Both play in this process, and the line between them delays and loses packets. The game's own
//! table by unit id holds what an entity lacks that comes back with a rollback.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use bevy_app::App;
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_flowtiles::flowtiles::steer::Unit;
use bevy_flowtiles::prelude::*;
use bevy_flowtiles::{FlowSnapshot, Main, rollback, snapshot, unit_entity};
use bevy_transform::components::Transform;
use ggrs::{
    Config, DesyncDetection, GgrsError, GgrsEvent, GgrsRequest, Message, NonBlockingSocket,
    P2PSession, PlayerType, PredictDefault, SessionBuilder,
};

const BUDGET: Budget = Budget::cells(4_000);

fn main() {
    let peers = play(600);
    let [one, other] = &peers;
    for frame in 0..=600 {
        assert_eq!(one.sums[&frame], other.sums[&frame], "frame {frame}");
    }
    for (player, peer) in peers.iter().enumerate() {
        println!(
            "player {player}: 600 frames, {} rollbacks, {} units back in new entities",
            peer.rollbacks, peer.returned
        );
    }
    println!("both have the same battle: {:016x}", one.sums[&600]);
}

/// Plays until this many frames are settled on both machines.
pub(crate) fn play(frames: i32) -> [Peer; 2] {
    let line = Rc::new(RefCell::new(Line {
        draw: Draw(7_919),
        turn: 0,
        packets: Default::default(),
    }));
    let mut peers = [0, 1].map(|player| Peer::new(player, &line));
    let mut delays = Draw(104_729);
    while peers.iter().any(|peer| peer.settled < frames) {
        line.borrow_mut().turn += 1;
        let mut plays = false;
        for peer in &mut peers {
            // A machine is late now and then.
            plays |= delays.below(9) == 0 || peer.play();
        }
        if !plays {
            // What is lost GGRS sends again after some time.
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    peers
}

/// Drawn numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % count
    }
}

/// A player's click in a frame: none, a goal, or a goal to attack.
pub(crate) type Click = (u8, u8, u8);

#[derive(Debug)]
pub(crate) struct Game;

impl Config for Game {
    type Input = Click;
    /// No click is guessed: one that is repeated would be another order.
    type InputPredictor = PredictDefault;
    type State = Kept;
    type Address = usize;
}

/// What goes back with a frame: the battle, and what the game has of each unit.
#[derive(Clone)]
pub(crate) struct Kept(FlowSnapshot, Soldiers);

/// What the game has of each unit, by its id: an entity that comes back with a rollback is a new
/// one.
#[derive(Resource, Clone, Default)]
pub(crate) struct Soldiers(pub(crate) BTreeMap<u32, Soldier>);

#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Soldier {
    pub(crate) health: u32,
    pub(crate) colour: u8,
}

/// What only the picture needs.
#[derive(Component, PartialEq)]
pub(crate) struct Colour(pub(crate) u8);

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct GameTick;

fn start() -> App {
    let mut map = CostMap::open(60, 40).unwrap();
    map.edit(CellRect::new(30, 4, 2, 30), Cost::WALL).unwrap();
    let plugin = FlowtilesPlugin::in_schedule(GameTick).with_budget(BUDGET);
    let mut app = App::new();
    app.add_plugins(plugin.with_step(Duration::from_millis(50)))
        .init_resource::<Soldiers>()
        .insert_resource(FlowMap::new(FlowWorld::new(map)));
    for player in 0..2 {
        (0..15).for_each(|at| recruit(app.world_mut(), player, at));
    }
    dress(app.world_mut());
    app
}

fn recruit(world: &mut World, player: u8, at: u8) {
    let place = [3.5 + 50.0 * f32::from(player), 3.5 + f32::from(at) * 2.0];
    let place = world.resource::<FlowPlane>().to_scene(place, 0.0);
    let unit = FlowUnit::new(0.35, 4.0);
    let parts = (unit, FlowTeam(player), Transform::from_translation(place));
    let entity = world.spawn(parts).id();
    let id = world.get::<FlowUnit>(entity).unwrap().id();
    let soldier = Soldier {
        health: 20,
        colour: player * 100 + at,
    };
    world.resource_mut::<Soldiers>().0.insert(id, soldier);
}

/// Gives new entities, also those that have come back, what the game has of their units; returns
/// how many there were.
fn dress(world: &mut World) -> u32 {
    let mut count = 0;
    for (id, soldier) in world.resource::<Soldiers>().0.clone() {
        if let Some(entity) = unit_entity::<Main>(world, id)
            && world.get::<Colour>(entity).is_none()
        {
            world.entity_mut(entity).insert(Colour(soldier.colour));
            count += 1;
        }
    }
    count
}

/// A frame of the game: all that it depends on is in the inputs and in what is kept.
fn advance(world: &mut World, clicks: &[Click]) {
    for (player, &(kind, x, y)) in (0..).zip(clicks) {
        let goal = Goal::at(Cell::new(x.into(), y.into())).or_nearest();
        let mut units = world.query::<(Entity, &FlowTeam)>();
        let own = units.iter(world).filter(|(_, team)| team.0 == player);
        let own: Vec<Entity> = own.map(|(entity, _)| entity).collect();
        match kind {
            _ if own.is_empty() => {}
            1 => _ = world.write_message::<FlowOrder>(FlowOrder::send(own, goal)),
            2 => {
                let attack = FlowOrder::attack(own, goal, Chase::default().with_sight(9.0));
                world.write_message::<FlowOrder>(attack);
            }
            3 => recruit(world, player, y % 15),
            _ => {}
        }
    }
    world.run_schedule(GameTick);
    fight(world);
    dress(world);
    world.resource_mut::<Messages<FlowEvent>>().clear();
    world.resource_mut::<Messages<FlowRefused>>().clear();
}

/// Who has a foe near loses health, and falls.
fn fight(world: &mut World) {
    let army = world.resource::<FlowArmy>();
    let hit = |unit: &Unit| army.nearest_foe(unit.id, 2.0).map(|_| unit.id);
    let hit: Vec<u32> = army.units().iter().filter_map(hit).collect();
    for id in hit {
        let mut soldiers = world.resource_mut::<Soldiers>();
        let Some(soldier) = soldiers.0.get_mut(&id) else {
            continue;
        };
        soldier.health -= 1;
        if soldier.health == 0 {
            soldiers.0.remove(&id);
            let entity = unit_entity::<Main>(world, id).unwrap();
            world.despawn(entity);
        }
    }
}

fn sum_of(world: &World) -> u64 {
    let (map, army) = (world.resource::<FlowMap>(), world.resource::<FlowArmy>());
    let soldiers = world.resource::<Soldiers>().0.iter();
    let table = soldiers.fold(0u64, |sum, (&id, soldier)| {
        sum.wrapping_mul(31)
            .wrapping_add(u64::from(id << 16 | soldier.health << 8) + u64::from(soldier.colour))
    });
    map.state_hash() ^ army.state_hash().rotate_left(1) ^ table
}

/// Packets on their way to each player, and the turn in which they arrive.
struct Line {
    draw: Draw,
    turn: u64,
    packets: [Vec<(u64, Message)>; 2],
}

struct Socket(usize, Rc<RefCell<Line>>);

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, &to: &usize) {
        let line = &mut *self.1.borrow_mut();
        // One of six is lost; the others overtake each other.
        let arrives = line.turn + 1 + line.draw.below(5);
        if line.draw.below(6) > 0 {
            line.packets[to].push((arrives, message.clone()));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let line = &mut *self.1.borrow_mut();
        let turn = line.turn;
        let here = line.packets[self.0].extract_if(.., |(arrives, _)| *arrives <= turn);
        here.map(|(_, message)| (1 - self.0, message)).collect()
    }
}

/// One of the two machines.
pub(crate) struct Peer {
    pub(crate) app: App,
    session: P2PSession<Game>,
    player: usize,
    /// The sums of each frame, as it was played last.
    pub(crate) sums: BTreeMap<i32, u64>,
    /// The last frame that no rollback changes any more.
    settled: i32,
    pub(crate) rollbacks: u32,
    /// How many units that had fallen came back.
    pub(crate) returned: u32,
}

impl Peer {
    fn new(player: usize, line: &Rc<RefCell<Line>>) -> Self {
        let hour = Duration::from_secs(3_600);
        let players = [PlayerType::Local, PlayerType::Remote(1 - player)];
        let [local, remote] = players;
        let session = SessionBuilder::<Game>::new()
            .with_num_players(2)
            .unwrap()
            .with_max_prediction_window(8)
            .with_input_delay(2)
            .with_desync_detection_mode(DesyncDetection::On { interval: 1 })
            .with_disconnect_timeout(hour)
            .with_disconnect_notify_delay(hour)
            .add_player(local, player)
            .unwrap()
            .add_player(remote, 1 - player)
            .unwrap()
            .start_p2p_session(Socket(player, line.clone()))
            .unwrap();
        Self {
            app: start(),
            session,
            player,
            sums: BTreeMap::new(),
            settled: -1,
            rollbacks: 0,
            returned: 0,
        }
    }

    /// What the player does in a frame.
    fn click(&self) -> Click {
        let frame = self.session.current_frame().cast_unsigned();
        let mut draw = Draw(u64::from(frame) << 8 | self.player as u64 | 1 << 50);
        (0..9).for_each(|_| _ = draw.below(2));
        // They meet south of the wall.
        let goal = |draw: &mut Draw| (26 + draw.below(10) as u8, 34 + draw.below(5) as u8);
        let kind = [1, 2, 2, 3].get(draw.below(16) as usize);
        kind.map_or_else(Click::default, |&kind| {
            let (x, y) = goal(&mut draw);
            (kind, x, y)
        })
    }

    /// Plays a frame, if the other is not too far behind; returns whether it did.
    fn play(&mut self) -> bool {
        self.session.poll_remote_clients();
        for event in self.session.events() {
            let parted = matches!(event, GgrsEvent::DesyncDetected { .. });
            assert!(!parted, "{event:?}");
        }
        let click = self.click();
        self.session.add_local_input(self.player, click).unwrap();
        match self.session.advance_frame() {
            Ok(requests) => requests.into_iter().for_each(|what| self.handle(what)),
            Err(GgrsError::PredictionThreshold | GgrsError::NotSynchronized) => return false,
            Err(error) => panic!("{error}"),
        }
        let (confirmed, now) = (self.session.confirmed_frame(), self.session.current_frame());
        self.settled = confirmed.min(now - 1);
        true
    }

    fn handle(&mut self, request: GgrsRequest<Game>) {
        let world = self.app.world_mut();
        match request {
            GgrsRequest::SaveGameState { cell, frame } => {
                let battle = snapshot::<Main>(world).unwrap().unwrap();
                let kept = Kept(battle, world.resource::<Soldiers>().clone());
                let sum = sum_of(world);
                self.sums.insert(frame, sum);
                cell.save(frame, Some(kept), Some(sum.into()));
            }
            GgrsRequest::LoadGameState { cell, .. } => {
                let Kept(battle, soldiers) = cell.load().unwrap();
                rollback::<Main>(world, &battle).unwrap();
                world.insert_resource(soldiers);
                self.returned += dress(world);
                self.rollbacks += 1;
            }
            GgrsRequest::AdvanceFrame { inputs } => {
                let clicks: Vec<Click> = inputs.into_iter().map(|(click, _)| click).collect();
                advance(world, &clicks);
            }
        }
    }
}
