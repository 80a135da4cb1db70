//! A skirmish of three players in lockstep over sockets, each in a fog of his own: classes that
//! walk, drive, hover and swim, halls of any shape, gates, mines, patrols and raids, and a player
//! who joins when the battle is on. The peers send each other inputs alone, and hashes to see that
//! they agree.
//!
//! `cargo run --release -p flowtiles --example skirmish`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use flowtiles::steer::{
    Army, Chase, GroupId, GroupSettings, Reading, Sending, Target, Unit, UnitState,
};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, GateId, Goal, LayerId, Movement,
    StampTemplate, Teams, Turn,
};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const TICKS: u32 = 1_500;
const JOINS: u32 = 400;
const WATER: u8 = 20;
const FOREST: u8 = 3;

/// By class: radius, speed, how far it sees, and its life.
const CLASSES: [(f32, f32, u32, i32); 4] = [
    (0.35, 4.0, 10, 60),
    (0.9, 3.0, 9, 200),
    (0.45, 5.0, 12, 80),
    (0.45, 3.5, 14, 150),
];

/// What a player does, as it is sent: one of the kinds below, and what it says. The last two
/// numbers are a place.
type Input = [i32; 5];
/// So many units of a class appear at a place.
const TRAIN: i32 = 0;
/// All units of the player go to a place, and attack whom they see on the way.
const RAID: i32 = 1;
/// His newest group walks to and fro between where it is and a place.
const PATROL: i32 = 2;
/// A hall is built near a place.
const BUILD: i32 = 3;
/// His gate is shut to all others: 1; or opened to them: 0.
const GATE: i32 = 4;
/// He has found mines at a place.
const MINES: i32 = 5;

/// Everything that decides how the battle goes on.
struct Game {
    world: FlowWorld,
    army: Army,
    /// By id, the life of each unit.
    lives: BTreeMap<u32, i32>,
}

/// By class, what it moves on.
fn movements() -> Outcome<[Movement; 4]> {
    let water = Cost::new(WATER)?;
    let land = Movement::new().with_cost(water, Cost::WALL);
    let sea = Movement::new().with_costs(|kind| match kind == water {
        true => Cost::OPEN,
        false => Cost::WALL,
    });
    let hover = Movement::new().with_cost(water, Cost::OPEN);
    Ok([
        land.clone(),
        land.with_size(2)?.with_wall_costs([2, 0, 0, 0]),
        hover,
        sea,
    ])
}

/// A class as a player moves it: through his gates, in his fog, around the mines that he knows.
fn layer(class: usize, player: u8) -> LayerId {
    let layer = LayerId::from_number(class as u16 + 1);
    layer.for_team(player).expect("players are 1 to 3")
}

impl Game {
    /// A lake in the middle, forests, and before each of the three camps a wall with a gate.
    fn new() -> Outcome<Self> {
        let mut map = CostMap::open(180, 120)?;
        let lake = CellRect::new(60, 45, 60, 35);
        map.edit(lake, Cost::new(WATER)?)?;
        for x in [30, 75, 100, 140] {
            map.edit(CellRect::new(x, 15, 9, 22), Cost::new(FOREST)?)?;
        }
        let walls = [(40, 0, 1, 120), (139, 0, 1, 80), (60, 90, 80, 1)];
        for (x, y, width, height) in walls {
            map.edit(CellRect::new(x, y, width, height), Cost::WALL)?;
        }
        let mut world = FlowWorld::new(map);
        world.set_opaque(&[Cost::WALL, Cost::new(FOREST)?]);
        for movement in movements()? {
            world.add_layer(movement)?;
        }
        let gates = [(40, 55, 1, 9), (139, 55, 1, 9), (96, 90, 9, 1)];
        for (player, (x, y, width, height)) in (1..).zip(gates) {
            world.add_gate(CellRect::new(x, y, width, height), Teams::ALL)?;
            world.add_fog(player)?;
            world.forget(player, &[CellRect::new(0, 0, 180, 120)], Cost::OPEN)?;
            world.reveal(player, &[lake])?; // it is on all charts
        }
        let (army, lives) = (Army::default(), BTreeMap::new());
        Ok(Self { world, army, lives })
    }

    fn groups_of(&self, player: u8) -> Vec<GroupId> {
        let is_his = |group: &GroupId| {
            let settings = self.army.settings(*group);
            settings.is_some_and(|settings| settings.team == player)
        };
        self.army.groups().filter(is_his).collect()
    }

    fn train(&mut self, player: u8, class: usize, count: i32, near: Cell) -> Outcome<()> {
        let (radius, speed, _, life) = CLASSES[class];
        let layer = layer(class, player);
        self.world.derive_layer(layer)?;
        let group = self.army.add_group(Target::Hold, Reading::Ahead)?;
        let mut settings = GroupSettings::default();
        (settings.layer, settings.team) = (layer, player);
        settings.foes = Teams::ALL.without(player);
        self.army.configure(group, settings, &self.world)?;
        let around = near.centre();
        let count = count as usize;
        let places = self
            .army
            .free_places(&self.world, group, around, radius, count)?;
        for place in places {
            let id = self.lives.last_key_value().map_or(0, |(&last, _)| last + 1);
            let unit = Unit::new(id, group, place);
            self.army.add(unit.with_radius(radius).with_speed(speed))?;
            self.lives.insert(id, life);
        }
        Ok(())
    }

    fn apply(&mut self, player: u8, [kind, what, count, x, y]: Input) -> Outcome<()> {
        let (own, place) = (layer(0, player), Cell::new(x, y));
        match kind {
            TRAIN => self.train(player, what as usize, count, place)?,
            RAID => {
                let mut how = Sending::default();
                how.attack = Some(Chase::default().with_sight(14.0).with_range(5.0));
                let groups = self.groups_of(player);
                let goal = Goal::at(place).or_nearest();
                self.army.send_all(&mut self.world, &groups, goal, how)?;
            }
            PATROL => {
                let newest: Vec<GroupId> =
                    self.groups_of(player).into_iter().rev().take(1).collect();
                let from = newest
                    .first()
                    .and_then(|&group| self.army.members(group).next());
                let from = from.map_or(place, |unit| {
                    let [x, y] = unit.position;
                    Cell::new(x as i32, y as i32)
                });
                let posts = [place, from].map(|post| Goal::at(post).or_nearest());
                self.army
                    .patrol_all(&mut self.world, &newest, posts, Sending::default())?;
            }
            BUILD => {
                // Walls around a court, at an angle to the grid; corners in 16ths of a cell.
                let corners = [[0, 16], [88, 0], [106, 94], [56, 100], [50, 44], [9, 56]];
                let (_, hall) = StampTemplate::polygon(&corners, Cost::WALL, None)?;
                let is_free = |cell: &Cell| {
                    let place = self.world.is_free_for_stamp(own, &hall, *cell, Turn::None);
                    place.unwrap_or(false)
                };
                let around = CellRect::new(x - 8, y - 8, 17, 17).cells();
                if let Some(at) = around.into_iter().find(is_free) {
                    self.world.stamp(&hall, at, Turn::None)?;
                    self.army.put_out_of_walls(&self.world);
                    // It is his own: he knows of it.
                    let site = CellRect::new(at.x, at.y, 8, 8);
                    self.world.reveal(player, &[site])?;
                }
            }
            GATE => {
                let open = if what == 1 {
                    Teams::NONE.with(player)
                } else {
                    Teams::ALL
                };
                let gate = GateId::from_number(u64::from(player) - 1);
                self.world.set_gate(gate, open);
                self.army.put_out_of_walls(&self.world);
            }
            _ => {
                let area = CellRect::new(x - 5, y - 5, 11, 11);
                for class in 0..4 {
                    self.world.surcharge(layer(class, player), &[(area, 40)])?;
                }
            }
        }
        Ok(())
    }

    /// A tick of all peers alike: inputs, sight, work and steps, and who shoots at whom.
    fn advance(&mut self, inputs: &[(u8, Input)]) -> Outcome<()> {
        for &(player, input) in inputs {
            self.apply(player, input)?;
        }
        let sight = |unit: &Unit| {
            let settings = self.army.settings(unit.group);
            settings.map_or(0, |it| CLASSES[usize::from(it.layer.number()) - 1].2)
        };
        self.army.look(&mut self.world, sight);
        self.army.tick(&mut self.world, Budget::cells(4_000), 0.05);
        let shooters = self.army.units().iter();
        let shooters = shooters.filter(|unit| unit.state == UnitState::Engaged);
        let hit: Vec<u32> = shooters
            .filter_map(|unit| self.army.foe_of(unit.id).map(|foe| foe.id))
            .collect();
        for id in hit {
            // Another may have felled it in this tick.
            let Some(life) = self.lives.get_mut(&id) else {
                continue;
            };
            *life -= 1;
            if *life == 0 {
                self.army.remove(id);
                self.lives.remove(&id);
            }
        }
        Ok(())
    }

    fn hash(&self) -> u64 {
        let lives = self.lives.values().map(|&life| life as u64).sum::<u64>();
        self.world.state_hash() ^ self.army.state_hash().rotate_left(1) ^ lives
    }

    /// The world, the army and the lives, one after the other.
    fn save(&self) -> Vec<Vec<u8>> {
        let lives = self.lives.iter();
        let lives = lives.flat_map(|(&id, &life)| [id.to_le_bytes(), life.to_le_bytes()]);
        vec![
            self.world.save(),
            self.army.save(),
            lives.flatten().collect(),
        ]
    }

    fn load(parts: &[Vec<u8>]) -> Outcome<Self> {
        let (world, _claims) = FlowWorld::load(&parts[0])?;
        let army = Army::load(&parts[1], &world)?;
        let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let lives = parts[2].chunks(8);
        let lives = lives.map(|pair| (number(&pair[..4]) as u32, number(&pair[4..])));
        let lives = lives.collect();
        Ok(Self { world, army, lives })
    }
}

/// What the player with this number does in a tick: the script of a game without people.
fn script(player: u8, tick: u32) -> Option<Input> {
    let home = [[15, 60], [165, 60], [100, 110]];
    let [[x, y], [next_x, next_y]] = [0, 1].map(|on| home[usize::from(player - 1 + on) % 3]);
    Some(match tick - if player == 3 { JOINS } else { 0 } {
        1 => [TRAIN, 0, 40, x, y],
        5 => [TRAIN, 1, 8, x, y],
        10 => [TRAIN, 2, 12, x, y],
        20 => [TRAIN, 3, 5, 90, 60],
        30 => [PATROL, 0, 0, 70, 70],
        60 => [BUILD, 0, 0, x, y],
        90 => [GATE, 1, 0, 0, 0],
        120 => [RAID, 0, 0, next_x, next_y],
        300 => [MINES, 0, 0, 90, 85],
        600 => [GATE, 0, 0, 0, 0],
        700 => [RAID, 0, 0, x, y],
        _ => return None,
    })
}

/// Messages: their length, and so many bytes.
fn send(line: &mut TcpStream, bytes: &[u8]) -> Outcome<()> {
    line.write_all(&(bytes.len() as u32).to_le_bytes())?;
    Ok(line.write_all(bytes)?)
}

fn receive(line: &mut TcpStream) -> Outcome<Vec<u8>> {
    let mut length = [0; 4];
    line.read_exact(&mut length)?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    line.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Hands the messages of a tick around: to each player those of all, in the players' order.
/// The one who joins gets the save of the first.
fn relay(listener: &TcpListener) -> Outcome<()> {
    let mut lines = Vec::new();
    for _ in 0..2 {
        lines.push(listener.accept()?.0);
    }
    for tick in 0..TICKS {
        if tick == JOINS {
            let mut late = listener.accept()?.0;
            for _part in 0..3 {
                send(&mut late, &receive(&mut lines[0])?)?;
            }
            lines.push(late);
        }
        let all: Vec<Vec<u8>> = lines.iter_mut().map(receive).collect::<Outcome<_>>()?;
        let hashes = all.iter().map(|message| &message[..8]);
        if hashes.clone().any(|hash| *hash != all[0][..8]) {
            return Err(format!("the peers part in tick {tick}").into());
        }
        let inputs: Vec<u8> = all
            .iter()
            .flat_map(|message| message[8..].to_vec())
            .collect();
        for line in &mut lines {
            send(line, &inputs)?;
        }
    }
    Ok(())
}

/// Plays from a tick on to the end.
fn play(player: u8, mut line: TcpStream) -> Outcome<Game> {
    let mut game = Game::new()?;
    let begin = if player == 3 { JOINS } else { 0 };
    for tick in begin..TICKS {
        if tick == JOINS {
            // All load the save, also those who have it from their own game.
            let mut parts = game.save();
            for part in &mut parts {
                match player {
                    1 => send(&mut line, part)?,
                    3 => *part = receive(&mut line)?,
                    _ => {}
                }
            }
            game = Game::load(&parts)?;
        }
        let mut message = game.hash().to_le_bytes().to_vec();
        if let Some(input) = script(player, tick) {
            message.push(player);
            message.extend(input.into_iter().flat_map(i32::to_le_bytes));
        }
        send(&mut line, &message)?;
        let all = receive(&mut line)?;
        let inputs = all.chunks(21).map(|input| {
            let numbers = [0, 1, 2, 3, 4].map(|at| {
                let number = input[1 + 4 * at..][..4].try_into();
                i32::from_le_bytes(number.expect("four bytes"))
            });
            (input[0], numbers)
        });
        game.advance(&inputs.collect::<Vec<_>>())?;
    }
    Ok(game)
}

fn main() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let host = thread::spawn(move || relay(&listener));
    let join = |player| {
        let line = TcpStream::connect(address)?;
        line.set_nodelay(true)?;
        Ok::<_, std::io::Error>(thread::spawn(move || {
            play(player, line).inspect_err(|error| eprintln!("player {player}: {error}"))
        }))
    };
    let peers = [join(1)?, join(2)?, join(3)?];
    host.join().expect("the host does not panic")?;
    for (player, peer) in (1..).zip(peers) {
        let game = peer.join().expect("a peer does not panic")?;
        let own = |unit: &&Unit| {
            let settings = game.army.settings(unit.group);
            settings.is_some_and(|settings| settings.team == player)
        };
        let known = game.world.known(player).expect("each has fog");
        let seen = known.area().cells();
        let seen = seen
            .filter(|&cell| known.get(cell) == game.world.costs().get(cell))
            .count();
        println!(
            "player {player}: {} of {} units, knows {seen} cells as they are, hash {:016x}",
            game.army.units().iter().filter(own).count(),
            game.army.units().len(),
            game.hash(),
        );
    }
    Ok(())
}
