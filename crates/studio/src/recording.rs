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

use crate::play::Play;
use crate::replay::{Input, Line, Saved};
use crate::start::Start;

/// Ticks between two checks.
const CHECK_EVERY: u32 = 400;
/// The most inputs that are kept. A longer session cannot be saved.
const INPUTS_MAX: usize = 500_000;

/// What has happened since a session started.
pub struct Recording {
    pub start: Start,
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
        recording.note(&Request::Budget(play.budget));
        recording.push(Input::Check(play.hashes()));
        recording
    }

    /// Records a request by which a page has changed something.
    pub fn note(&mut self, request: &Request) {
        self.push(Input::Page(request.clone()));
    }

    /// Records a tick.
    pub fn ticked(&mut self, play: &Play) {
        self.ticks += 1;
        match self.inputs.last_mut() {
            Some(Input::Ticks(count)) => *count += 1,
            _ => self.push(Input::Ticks(1)),
        }
        if self.ticks.is_multiple_of(CHECK_EVERY) {
            self.push(Input::Check(play.hashes()));
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
        let end = Input::Check(play.hashes());
        Saved::write(&self.start, self.inputs.iter().chain([&end]))
    }
}

/// A session's replay while it is played.
pub struct Playback {
    pub start: Start,
    lines: VecDeque<Line>,
    /// The tick at which it ends.
    pub ends: u32,
}

impl Playback {
    /// Begins to play. Returns what is played as well.
    ///
    /// # Errors
    /// If it begins with what cannot be had, such as a map beyond the limits.
    pub fn begin(saved: Saved) -> Result<(Self, Play), String> {
        let play = Play::begin(&saved.start)?;
        let ticks = saved.lines.iter().map(|line| match line.input {
            Input::Ticks(count) => count,
            _ => 0,
        });
        let playback = Self {
            ends: ticks.fold(0, u32::saturating_add),
            start: saved.start,
            lines: saved.lines.into(),
        };
        Ok((playback, play))
    }

    /// Whether all of it has been played.
    pub fn is_over(&self) -> bool {
        self.lines.is_empty()
    }

    /// Plays it to its end and compares all hashes. Returns their number.
    ///
    /// # Errors
    /// With the line and what is wrong there.
    pub fn verify(mut self, mut play: Play) -> Result<usize, String> {
        let checks = self.lines.iter();
        let checks = checks.filter(|line| matches!(line.input, Input::Check(_)));
        let checks = checks.count();
        let mut recording = Recording::new(self.start.clone(), &play);
        while !self.is_over() {
            self.step(&mut play, &mut recording)?;
        }
        Ok(checks)
    }

    /// Plays one tick, and the requests made before the next.
    ///
    /// # Errors
    /// If hashes differ from the recorded ones: the line, and which.
    pub fn step(&mut self, play: &mut Play, recording: &mut Recording) -> Result<(), String> {
        let mut has_ticked = false;
        while let Some(Line { number, input }) = self.lines.front_mut() {
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
                Input::Page(request) => {
                    // A request that was refused then is refused again.
                    let _ = play.apply(request);
                    recording.note(request);
                }
                Input::Check(recorded) => {
                    let checked = play.hashes().check(recorded);
                    checked
                        .map_err(|fault| format!("line {number}, tick {}: {fault}", play.now()))?;
                }
            }
            self.lines.pop_front();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{Cell, CellRect, CostMap, FlowWorld, LayerId};
    use flowtiles_country::random::Random;
    use flowtiles_inspector::{NewMap, PlayScene};

    use super::*;
    use crate::replay::file_test::sealed;

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
            let (mut playback, play) = Playback::begin(Saved::read(text.as_bytes())?)?;
            let recording = Recording::new(playback.start.clone(), &play);
            let mut session = Self { play, recording };
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
                let told = match number(24) {
                    0 => Request::Goal(cell),
                    1 => Request::Source(cell),
                    2 => Request::Place { cell, count: 30 },
                    3 | 4 => Request::Select([0.0, 0.0, width as f32, cell.y as f32 + 0.3]),
                    5 | 6 => Request::Send(cell),
                    7 => Request::Click(cell),
                    8 => Request::Read(any % 6),
                    9 => Request::Replan,
                    10 => Request::Budget(100 + u32::from(any) * 300),
                    11..=13 => Request::Paint {
                        stroke,
                        brush: number(17) as u8,
                        amount: any % 9,
                        area,
                    },
                    14 => Request::Stamp {
                        template: any % 5,
                        turns: any % 4,
                        cell,
                    },
                    15 => Request::StrokeEnd,
                    16 | 17 => Request::Undo,
                    22 => Request::DrawUp([cell.x as f32, 9.5, 20.0, cell.y as f32]),
                    20 => Request::March(cell),
                    23 => Request::MarchUp([9.5, cell.y as f32, cell.x as f32, 12.0]),
                    21 => Request::Quality(any % 4),
                    18 => Request::OwnLayer(LayerId::from_number(u16::from(any % 5))),
                    _ => Request::Redo,
                };
                self.recording.note(&told);
                // Some requests are refused, in the replay as here.
                let _ = self.play.apply(&told);
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
            has_army: true,
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
            Start::World("a.world".to_owned(), bytes),
        ]
    }

    #[test]
    fn a_session_saved_opened_and_played_on_has_the_same_hashes() {
        for (seed, start) in (1..).zip(starts()) {
            let mut random = Random::new(seed);
            let mut session = Session::start(&start);
            session.go_on(&mut random, 90);
            let text = session.save();
            let ticks = session.play.now();
            assert!(ticks > CHECK_EVERY, "{seed}: with checks on the way");

            let mut opened = Session::open(&text).unwrap();
            assert_eq!(opened.play.now(), ticks, "{seed}");
            assert_eq!(opened.play.hashes(), session.play.hashes(), "{seed}");
            assert_eq!(opened.play.selection, session.play.selection);
            assert_eq!(opened.play.history.len(), session.play.history.len());

            // Both continue, and the second is saved and opened again.
            session.go_on(&mut Random::new(!seed), 40);
            opened.go_on(&mut Random::new(!seed), 40);
            assert_eq!(opened.play.hashes(), session.play.hashes(), "{seed}");
            let again = Session::open(&opened.save()).unwrap();
            assert_eq!(again.play.hashes(), session.play.hashes(), "{seed}");
            for (one, other) in again.play.stages.iter().zip(&session.play.stages) {
                let (width, height) = one.size();
                for cell in CellRect::new(0, 0, width as u32, height as u32).cells() {
                    assert_eq!(one.ground.kind(cell), other.ground.kind(cell), "{seed}");
                    assert_eq!(one.discomfort.of(cell), other.discomfort.of(cell));
                }
            }
        }
    }

    #[test]
    fn cut_and_changed_sessions_are_refused_with_the_place_and_a_remedy() {
        let mut session = Session::start(&starts()[0]);
        session.go_on(&mut Random::new(9), 60);
        let text = session.save();
        let fault = |text: &str| Session::open(text).err().unwrap();
        let cut = fault(&text[..text.len() / 2]);
        let line = text[..text.len() / 2].lines().count();
        assert!(cut.starts_with(&format!("line {line}: ")), "{cut}");
        assert!(
            cut.contains("cut off") && cut.contains("another copy"),
            "{cut}"
        );
        let changed = fault(&text.replacen("\"ticks\":", "\"ticks\":1", 1));
        assert!(changed.starts_with("lines 1 to 4"), "{changed}");
        assert!(changed.contains("another copy"), "{changed}");

        // With a valid seal, but with hashes of another session.
        let mut lines: Vec<&str> = text.lines().take(2).collect();
        lines.extend(["{\"ticks\":5}", "{\"check\":[1,2,3,4,5]}"]);
        let differs = fault(&sealed(&lines));
        assert!(differs.starts_with("line 4, tick 5: costs, "), "{differs}");
        assert!(differs.contains("not as recorded"), "{differs}");
    }

    #[test]
    fn a_vast_map_of_few_bytes_is_refused_before_it_is_made() {
        let costs = CostMap::open(8_193, 8_193).unwrap();
        let bytes = FlowWorld::new(costs).save();
        assert!(bytes.len() < 100);
        let world = Start::World("a.world".to_owned(), bytes);
        let told = world.stages().err().unwrap();
        assert!(
            told.contains("a.world: the save has a map of 8193×8193"),
            "{told}"
        );
        let text = Saved::write(&world, &[]).unwrap();
        let text = text.replace("\"world\"", "\"costs\"");
        let lines: Vec<&str> = text.lines().take(2).collect();
        let told = Session::open(&sealed(&lines)).err().unwrap();
        assert!(
            told.contains("line 2") && told.contains("8193×8193"),
            "{told}"
        );
        let drawn =
            "{\"start\":{\"map\":{\"kind\":\"open\",\"width\":65535,\"height\":65535,\"seed\":1}}}";
        let saved = Saved::read(sealed(&[lines[0], drawn]).as_bytes()).unwrap();
        let told = saved.start.stages().err().unwrap();
        assert!(told.contains("65535×65535"), "{told}");
    }
}
