//! Sessions that are recorded, saved as replays, and played again.
//!
//! ```text
//!   start, inputs, ticks ─▶ Recording ─▶ text ─▶ Playback ─▶ the same hashes
//! ```
//!
//! Every session is recorded. A replay is recorded too while it is played, so the
//! session can continue where the replay ends and be saved again.

use std::collections::VecDeque;

use flowtiles_inspector::Request;

use crate::inputs::Input;
use crate::play::Play;
use crate::replay::{Fault, Sealed, unsealed};
use crate::start::Start;

/// The beginning of the first line of a session's replay.
pub const TITLE: &str = "flowtiles session ";
const VERSION: u32 = 1;
/// Ticks between two checks.
const CHECK_EVERY: u32 = 400;
/// The most inputs that are kept. A longer session cannot be saved.
const INPUTS_MAX: usize = 500_000;

/// What has happened since a session started.
pub struct Recording {
    start: Start,
    inputs: Vec<Input>,
    ticks: u32,
}

impl Recording {
    /// Begins with the present content of the stages.
    pub fn new(start: Start, play: &Play) -> Self {
        let mut recording = Self {
            start,
            inputs: Vec::new(),
            ticks: 0,
        };
        recording.told(&Request::Budget(play.budget));
        recording.push(Input::Check(play.parts()));
        recording
    }

    /// Records a request by which a page has changed something.
    pub fn told(&mut self, request: &Request) {
        self.push(Input::Told(request.clone()));
    }

    /// Records a tick.
    pub fn ticked(&mut self, play: &Play) {
        self.ticks += 1;
        match self.inputs.last_mut() {
            Some(Input::Ticks(count)) => *count += 1,
            _ => self.push(Input::Ticks(1)),
        }
        if self.ticks.is_multiple_of(CHECK_EVERY) {
            self.push(Input::Check(play.parts()));
        }
    }

    fn push(&mut self, input: Input) {
        if self.inputs.len() <= INPUTS_MAX {
            self.inputs.push(input);
        }
    }

    /// Returns the session as a replay, with the present hashes at its end.
    ///
    /// # Errors
    /// If more has happened than is kept.
    pub fn save(&self, play: &Play) -> Result<String, String> {
        if self.inputs.len() > INPUTS_MAX {
            return Err(format!(
                "the session has more than {INPUTS_MAX} inputs, which no replay has: \
                 save the world, and go on from there"
            ));
        }
        let mut text = Sealed::new(TITLE, VERSION);
        self.start.write(&mut text);
        for input in &self.inputs {
            text.checked_line(input);
        }
        text.checked_line(Input::Check(play.parts()));
        Ok(text.into_text())
    }
}

/// A session's replay as read from a file.
pub struct SavedSession {
    pub start: Start,
    inputs: VecDeque<(usize, Input)>,
}

impl SavedSession {
    /// Whether a file is a session's replay.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(TITLE.as_bytes())
    }

    /// Reads a replay.
    ///
    /// # Errors
    /// With the line, what is wrong there, and what to do.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()]
                .split(|&byte| byte == b'\n')
                .count();
            format!("line {line}: a replay is plain text: take another copy of it")
        })?;
        let (_, lines) = unsealed(text, TITLE, VERSION..=VERSION)?;
        let (start, lines) = Start::read(&lines)?;
        let input = |&(number, line): &(usize, &str)| match Input::read(line) {
            Some(input) => Ok((number, input)),
            None => Err(format!(
                "line {number}: `{line}` is no input that is known: use the flowtiles that wrote it"
            )),
        };
        let inputs = lines.iter().map(input).collect::<Result<_, _>>()?;
        Ok(Self { start, inputs })
    }

    /// Returns the number of ticks until it ends.
    pub fn ticks(&self) -> u32 {
        let ticks = self.inputs.iter().map(|(_, input)| match input {
            Input::Ticks(count) => *count,
            Input::Told(_) | Input::Check(_) => 0,
        });
        ticks.fold(0, u32::saturating_add)
    }

    /// Plays it to its end and compares all hashes. Returns their number.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn verify(self) -> Result<usize, Fault> {
        let checks = self.inputs.iter();
        let checks = checks.filter(|(_, input)| matches!(input, Input::Check(_)));
        let checks = checks.count();
        let mut play = Play::begin(&self.start).map_err(Fault::Refused)?;
        let mut recording = Recording::new(self.start.clone(), &play);
        let mut playback = Playback::new(self);
        while !playback.is_over() {
            let stepped = playback.step(&mut play, &mut recording);
            stepped.map_err(Fault::Differs)?;
        }
        Ok(checks)
    }
}

/// A session's replay while it is played.
pub struct Playback {
    inputs: VecDeque<(usize, Input)>,
    /// The tick at which it ends.
    pub ends: u32,
}

impl Playback {
    /// Begins to play.
    pub fn new(saved: SavedSession) -> Self {
        Self {
            ends: saved.ticks(),
            inputs: saved.inputs,
        }
    }

    /// Whether all of it has been played.
    pub fn is_over(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Plays one tick, and the requests made before the next.
    ///
    /// # Errors
    /// If hashes differ from the recorded ones: the line, and which.
    pub fn step(&mut self, play: &mut Play, recording: &mut Recording) -> Result<(), String> {
        let mut has_ticked = false;
        while let Some((number, input)) = self.inputs.front_mut() {
            match input {
                Input::Ticks(0) => {}
                Input::Ticks(_) if has_ticked => return Ok(()),
                Input::Ticks(count) => {
                    *count -= 1;
                    has_ticked = true;
                    play.tick();
                    recording.ticked(play);
                    if *count > 0 {
                        return Ok(());
                    }
                }
                Input::Told(request) => {
                    // A request that was refused then is refused again.
                    let _ = play.tell(request);
                    recording.told(request);
                }
                Input::Check(parts) => {
                    let now = play.parts();
                    if now != *parts {
                        let differ = now.differing(parts);
                        return Err(format!(
                            "line {number}, tick {}: {differ} are not as recorded: \
                             play it with the flowtiles that wrote it",
                            play.now()
                        ));
                    }
                }
            }
            self.inputs.pop_front();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cell, CellRect, CostMap, FlowWorld, LayerId};
    use flowtiles_inspector::{NewMap, PlayScene};

    use super::*;
    use crate::replay::{Battle, Drawing, Log, Manner};
    use flowtiles_scenes::random::Random;

    /// A session: what is played, and its recording.
    struct Session {
        play: Play,
        recording: Recording,
    }

    impl Session {
        fn start(start: &Start) -> Self {
            let play = Play::begin(start).unwrap();
            let recording = Recording::new(start.clone(), &play);
            Self { play, recording }
        }

        /// Opens a replay, and plays it to its end.
        fn open(text: &str) -> Result<Self, String> {
            let saved = SavedSession::read(text.as_bytes())?;
            let mut session = Self::start(&saved.start);
            let mut playback = Playback::new(saved);
            while !playback.is_over() {
                playback.step(&mut session.play, &mut session.recording)?;
            }
            Ok(session)
        }

        fn save(&self) -> String {
            self.recording.save(&self.play).unwrap()
        }

        /// Makes random requests and ticks.
        fn go_on(&mut self, random: &mut Random, turns: u32) {
            for turn in 0..turns {
                let (width, height) = self.play.stages[0].size();
                let mut number = |below: i32| random.below(below);
                let cell = Cell::new(number(width), number(height));
                let area = CellRect::new(cell.x - 2, cell.y - 2, 5, 4);
                let (stroke, any) = (turn / 3, number(200) as u8);
                let told = match number(20) {
                    0 => Request::Goal(cell),
                    1 => Request::Source(cell),
                    2 => Request::Place { cell, count: 30 },
                    3 | 4 => Request::Select([0.0, 0.0, width as f32, cell.y as f32 + 0.3]),
                    5 | 6 => Request::Send(cell),
                    7 => Request::Click(cell),
                    8 => Request::Read(any % 6),
                    9 => Request::Replan,
                    10 => Request::Budget(100 + u32::from(any) * 300),
                    11 => Request::Paint {
                        stroke,
                        cost: 1 + any,
                        area,
                    },
                    12 => Request::Terrain {
                        stroke,
                        kind: any % 13,
                        area,
                    },
                    13 => Request::Discomfort {
                        stroke,
                        strength: any % 9,
                        area,
                    },
                    14 => Request::Stamp {
                        template: any % 5,
                        turns: any % 4,
                        cell,
                    },
                    15 => Request::StrokeEnd,
                    16 | 17 => Request::Undo,
                    18 => Request::OwnLayer(LayerId::from_number(u16::from(any % 5))),
                    _ => Request::Redo,
                };
                self.recording.told(&told);
                // Some requests are refused, in the replay as here.
                let _ = self.play.tell(&told);
                for _ in 0..number(12) {
                    self.play.tick();
                    self.recording.ticked(&self.play);
                }
            }
        }
    }

    fn starts() -> Vec<Start> {
        let number = |wanted: &str| {
            flowtiles_scenes::all()
                .position(|(name, _)| name == wanted)
                .unwrap()
        };
        let mut costs = CostMap::open(70, 50).unwrap();
        costs
            .edit(CellRect::new(30, 0, 2, 40), flowtiles::Cost::WALL)
            .unwrap();
        let mut world = FlowWorld::new(costs.clone());
        let order = world.order(Cell::new(60, 5), &[Cell::new(3, 3)]).unwrap();
        while world.tick(flowtiles::Budget::UNLIMITED).waiting > 0 {}
        let bytes = world.save();
        drop(order);
        let map = NewMap {
            kind: 3,
            width: 90,
            height: 60,
            seed: 5,
        };
        let scene = PlayScene {
            scene: number("crowd-swamp") as u8,
            reading: Some(2),
            beside: Some(4),
            seed: 3,
        };
        let layered = PlayScene {
            scene: number("classes") as u8,
            reading: None,
            beside: None,
            ..scene
        };
        vec![
            Start::Map(map),
            Start::Scene(scene),
            Start::Scene(layered),
            Start::Costs("two words.map".to_owned(), costs),
            Start::World("a.world".to_owned(), bytes.clone()),
            Start::Battle("a.replay".to_owned(), battle(&bytes)),
        ]
    }

    /// A drawn battle, as a replay.
    fn battle(start: &[u8]) -> Vec<u8> {
        let mut battle = Battle::new(start).unwrap();
        let mut drawing = Drawing::new(Random::new(4));
        let mut inputs = Vec::new();
        for _ in 0..60 {
            for input in drawing.turn(&battle) {
                // Drawn without a look at the map, so some inputs are refused.
                if battle.tell(&input, Manner::PLAIN).is_ok() {
                    inputs.push(input);
                }
            }
        }
        Log::write(start, &inputs).into_bytes()
    }

    #[test]
    fn a_session_saved_opened_and_played_on_has_the_same_hashes() {
        for (seed, start) in (1..).zip(starts()) {
            let mut random = Random::new(seed);
            let mut session = Session::start(&start);
            session.go_on(&mut random, 90);
            let text = session.save();
            let ticks = session.play.now();
            assert!(ticks > CHECK_EVERY, "{start}: with checks on the way");

            let mut opened = Session::open(&text).unwrap();
            assert_eq!(opened.play.now(), ticks, "{start}");
            assert_eq!(opened.play.parts(), session.play.parts(), "{start}");
            assert_eq!(opened.play.selection, session.play.selection);
            assert_eq!(opened.play.history.len(), session.play.history.len());

            // Both continue, and the second is saved and opened again.
            session.go_on(&mut Random::new(!seed), 40);
            opened.go_on(&mut Random::new(!seed), 40);
            assert_eq!(opened.play.parts(), session.play.parts(), "{start}");
            let again = Session::open(&opened.save()).unwrap();
            assert_eq!(again.play.parts(), session.play.parts(), "{start}");
            for (one, other) in again.play.stages.iter().zip(&session.play.stages) {
                let (width, height) = one.size();
                for cell in CellRect::new(0, 0, width as u32, height as u32).cells() {
                    assert_eq!(one.ground.kind(cell), other.ground.kind(cell), "{start}");
                    assert_eq!(one.discomfort.of(cell), other.discomfort.of(cell));
                }
            }
        }
    }

    #[test]
    fn cut_and_changed_replays_are_refused_with_the_place_and_a_remedy() {
        let mut session = Session::start(&starts()[0]);
        session.go_on(&mut Random::new(9), 60);
        let text = session.save();
        let fault = |text: &str| SavedSession::read(text.as_bytes()).err().unwrap();
        let cut = fault(&text[..text.len() / 2]);
        let line = text[..text.len() / 2].lines().count();
        assert!(cut.starts_with(&format!("line {line}: ")), "{cut}");
        assert!(
            cut.contains("cut off") && cut.contains("another copy"),
            "{cut}"
        );
        let changed = fault(&text.replacen("ticks ", "ticks 1", 1));
        assert!(changed.starts_with("lines 1 to 4"), "{changed}");
        assert!(changed.contains("another copy"), "{changed}");

        // With a valid seal, but with lines that no session has, or with hashes of
        // another session.
        let sealed = |lines: &[&str]| {
            let mut text = Sealed::new(TITLE, VERSION);
            lines.iter().for_each(|line| text.line(line));
            text.into_text()
        };
        let start = text.lines().nth(1).unwrap();
        let unknown = fault(&sealed(&[start, "ticks 3", "fly 3 4"]));
        assert!(unknown.contains("line 4: `fly 3 4`"), "{unknown}");
        let unknown = fault(&sealed(&["start nowhere", "ticks 3"]));
        assert!(unknown.contains("line 2: `start nowhere`"), "{unknown}");
        assert!(fault(&sealed(&[])).contains("line 2"));
        let costs = fault(&sealed(&["start costs a.map", "bytes 00"]));
        assert!(costs.contains("line 2: `a.map`"), "{costs}");
        let other = sealed(&[start, "ticks 5", "check 1 2 3 4"]);
        let differs = Session::open(&other).err().unwrap();
        assert!(differs.starts_with("line 4, tick 5: costs, "), "{differs}");
        assert!(differs.contains("not as recorded"), "{differs}");
        let mut binary = text.into_bytes();
        binary[100] = 0xFF;
        let fault = SavedSession::read(&binary).err().unwrap();
        assert!(fault.contains("plain text"), "{fault}");
    }
}
