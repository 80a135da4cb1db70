//! A session: stages, time, and the requests of pages.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use flowtiles::Cell;
use flowtiles_inspector::{Catalogue, Given, Inspector, NoFields, NoteKind, Request, Status, Time};

use super::begin;
use super::fields::{CrowdFields, Farthest};
use super::files::{self, Answered};
use super::history::Bill;
use super::life;
use super::play::{self, Play};
use super::reach;
use super::recording::{Playback, Recording, SavedSession};
use super::replayed::Replay;
use super::start::Start;
use super::terrain::TERRAIN;
use crate::support::numbers::{grouped, time};
use crate::support::scenes;

/// The time between two pictures.
const PICTURE: Duration = Duration::from_millis(33);
/// The time between two sets of figures.
const FIGURES: Duration = Duration::from_millis(250);
/// The most requests that wait for new stages.
const HELD: usize = 4_096;
/// The most that ticks may take of a picture's time.
const TICKS: Duration = Duration::from_millis(24);
/// A start that a page asked for, made on a thread of its own: a large map takes seconds,
/// in which pages are answered and a stop is followed.
struct Making {
    start: Start,
    made: Receiver<Result<Play, String>>,
}

/// A running session.
pub struct Session {
    inspector: Inspector,
    play: Play,
    /// The inputs since the start.
    recording: Option<Recording>,
    /// The session's replay that is being played.
    playback: Option<Playback>,
    /// A battle shown instead of the stages, and the session that starts at its end.
    battle: Option<(Start, Replay)>,
    making: Option<Making>,
    /// What was asked for since then, in order: it is for the new stages.
    held: Vec<Request>,
    /// By stage.
    farthest: [Farthest; 2],
    is_paused: bool,
    speed: f32,
    /// The ticks that are due, with the fraction.
    due: f64,
    serial: u32,
    figures: Instant,
    told: Option<Status>,
    watchers: usize,
}

impl Session {
    /// Begins with the opened file.
    pub fn new(inspector: Inspector, opened: Answered) -> Self {
        let templates = (0..)
            .zip(play::TEMPLATES)
            .filter_map(|(number, (name, _))| {
                let template = play::template(number)?;
                let (width, height) = (template.width() as u8, template.height() as u8);
                Some((name.to_owned(), width, height))
            });
        inspector.set_catalogue(&Catalogue {
            scenes: scenes::all()
                .map(|(name, about)| (name.to_owned(), about.to_owned()))
                .collect(),
            maps: begin::MAPS.map(str::to_owned).to_vec(),
            readings: begin::READINGS.map(|(name, _)| name.to_owned()).to_vec(),
            templates: templates.collect(),
            terrain: TERRAIN
                .map(|(name, ground)| (name.to_owned(), ground.cost()))
                .to_vec(),
        });
        let mut session = Self {
            inspector,
            play: Play::empty(),
            recording: None,
            playback: None,
            battle: None,
            making: None,
            held: Vec::new(),
            farthest: Default::default(),
            is_paused: false,
            speed: 1.0,
            due: 0.0,
            serial: 0,
            figures: Instant::now(),
            told: None,
            watchers: 0,
        };
        session.take_file(opened);
        session
    }

    /// Runs until it is interrupted or the time is over.
    pub fn run(&mut self, until: Option<Duration>) {
        let begin = Instant::now();
        while !self.inspector.is_interrupted() && until.is_none_or(|until| begin.elapsed() < until)
        {
            let picture = Instant::now();
            for request in self.inspector.requests() {
                self.take(request);
            }
            while let Some(asked) = self.inspector.file_request() {
                let answer = files::answer(&asked.asked, &self.play, self.recording.as_ref());
                asked.answer(answer.map(|answered| self.take_file(answered)));
            }
            self.take_made();
            self.advance();
            self.bill();
            self.publish();
            self.inspector
                .wait(PICTURE.saturating_sub(picture.elapsed()));
        }
    }

    /// Shows other stages.
    fn show(&mut self, play: Play) {
        self.play = play;
        self.recording = None;
        self.playback = None;
        self.battle = None;
        self.farthest = Default::default();
        for stage in &mut self.play.stages {
            self.serial += 1;
            stage.serial = self.serial;
        }
        self.due = 0.0;
        self.is_paused = false;
        self.inspector.keep_stages(self.play.stages.len() as u8);
        self.inspector.life(0, &[]);
    }

    /// Starts a session, with the budget of the previous one.
    fn start(&mut self, start: Start, play: Play) {
        let budget = self.play.budget;
        self.show(Play { budget, ..play });
        self.recording = Some(Recording::new(start, &self.play));
    }

    fn take_file(&mut self, answered: Answered) -> Given {
        match answered {
            Answered::Saved(given) => return given,
            Answered::Opened(start, play) => self.start(start, *play),
            Answered::Session(saved, play) => {
                let saved: SavedSession = *saved;
                self.start(saved.start.clone(), *play);
                self.playback = Some(Playback::new(saved));
            }
            Answered::Battle(end, mut battle) => {
                let budget = self.play.budget;
                self.show(Play {
                    budget,
                    ..Play::empty()
                });
                self.serial += 1;
                battle.set_serial(self.serial);
                self.battle = Some((end, *battle));
            }
        }
        // Pages learn of the new world before anything else about it.
        self.publish();
        Given::default()
    }

    /// Advances the time.
    fn advance(&mut self) {
        let watchers = self.inspector.watchers();
        // Nothing happens until somebody watches.
        if self.is_paused || watchers == 0 {
            return;
        }
        let rate = f64::from(self.play.stages.first().map_or(20, |stage| stage.rate));
        self.due += PICTURE.as_secs_f64() * rate * f64::from(self.speed);
        let begin = Instant::now();
        while self.due >= 1.0 {
            self.due -= 1.0;
            self.tick();
            if begin.elapsed() > TICKS {
                self.due = 0.0;
            }
        }
    }

    /// Does one tick of everything shown.
    fn tick(&mut self) {
        if let Some((_, battle)) = &mut self.battle {
            if battle.is_wrong {
                return;
            }
            match battle.step() {
                Ok(()) if !battle.is_over() => {}
                Ok(()) => self.go_on(),
                Err(fault) => {
                    self.is_paused = true;
                    self.inspector.note(NoteKind::Refused, &fault);
                }
            }
            return;
        }
        let Some(recording) = &mut self.recording else {
            return;
        };
        let Some(playback) = &mut self.playback else {
            self.play.tick();
            recording.ticked(&self.play);
            return;
        };
        let stepped = playback.step(&mut self.play, recording);
        let (kind, told) = match stepped {
            Ok(()) if !playback.is_over() => return,
            Ok(()) => {
                let ends = playback.ends;
                let told = format!(
                    "the replay ends after {ends} ticks, all as recorded: it is yours to go on"
                );
                (NoteKind::Done, told)
            }
            Err(fault) => (NoteKind::Refused, fault),
        };
        self.playback = None;
        self.is_paused = true;
        self.inspector.note(kind, &told);
    }

    /// Makes a session of a battle that has been played to its end.
    fn go_on(&mut self) {
        let Some((end, battle)) = self.battle.take() else {
            return;
        };
        let told = format!(
            "the replay ends after {} steps, all as recorded: it is yours to go on",
            battle.ends
        );
        // It is still the same world.
        self.serial -= 1;
        let stages = vec![battle.into_stage()];
        self.start(
            end,
            Play {
                stages,
                ..Play::empty()
            },
        );
        self.is_paused = true;
        self.inspector.note(NoteKind::Done, &told);
    }

    fn publish(&mut self) {
        if let Some((_, battle)) = &self.battle {
            let (orders, marks) = (battle.orders(), battle.marks());
            self.inspector
                .publish_shown(0, &battle.shown(&orders, &marks));
        }
        let selection = &self.play.selection;
        for (number, stage) in (0..).zip(&self.play.stages) {
            let marks = stage.marks(|id| number == 0 && selection.contains(&id));
            let orders = stage.orders();
            let fields = CrowdFields::of(stage, &self.farthest[usize::from(number)]);
            let shown = stage.shown(&orders, &marks, &fields);
            self.inspector.publish_shown(number, &shown);
        }
        for stage in &mut self.play.stages {
            stage.touched.clear();
        }
        let watchers = self.inspector.watchers();
        if watchers != self.watchers {
            self.watchers = watchers;
            self.told = None;
        }
        let status = self.status();
        if self.told.as_ref() != Some(&status) {
            self.inspector.status(&status);
            self.told = Some(status);
        }
        if self.figures.elapsed() > FIGURES && watchers > 0 {
            self.figures = Instant::now();
            if let Some((_, battle)) = &mut self.battle {
                self.inspector.figures(0, &battle.figures());
            }
            for (number, stage) in (0..).zip(&mut self.play.stages) {
                let figures = stage.figures();
                self.inspector.figures(number, &figures);
            }
        }
    }

    fn status(&self) -> Status {
        let (undos, redos) = self.play.history.len();
        let first = self.play.stages.first();
        Status {
            is_paused: self.is_paused,
            speed: self.speed,
            budget: self.play.budget,
            undos: undos as u32,
            redos: redos as u32,
            selected: self.play.selection.len() as u32,
            takes_clicks: first.is_some_and(|stage| stage.takes_clicks),
            replay_ends: match (&self.playback, &self.battle) {
                (Some(playback), _) => playback.ends,
                (None, Some((_, battle))) => battle.ends,
                (None, None) => 0,
            },
        }
    }

    /// Carries out a request of a page, or holds it until the new stages are there.
    fn take(&mut self, request: Request) {
        match &self.making {
            None => self.follow(request),
            Some(_) if self.held.len() < HELD => self.held.push(request),
            Some(_) => {
                let told = "a new map is being drawn: ask again once it is there";
                self.inspector.note(NoteKind::Refused, told);
            }
        }
    }

    /// Carries out a request of a page.
    fn follow(&mut self, request: Request) {
        let done = match request {
            Request::Why { stage, cell, order } => {
                self.why(stage, cell, order);
                Ok(None)
            }
            Request::Life(number) => self.life(number).map(|()| None),
            Request::Time(time) => {
                self.set_time(time);
                Ok(None)
            }
            Request::New(asked) => {
                self.make(Start::Map(asked));
                Ok(None)
            }
            Request::Scene(asked) => {
                self.make(Start::Scene(asked));
                Ok(None)
            }
            // The changes of the stroke were refused already.
            Request::StrokeEnd if self.is_replayed() => Ok(None),
            input => self.tell(&input),
        };
        match done {
            Ok(Some(told)) => self.inspector.note(NoteKind::Done, &told),
            Ok(None) => {}
            Err(why) => self.inspector.note(NoteKind::Refused, &why),
        }
    }

    /// Carries out a request that changes something.
    fn tell(&mut self, request: &Request) -> Result<Option<String>, String> {
        if matches!(&self.battle, Some((_, battle)) if battle.is_wrong) {
            return Err(
                "this replay is not as recorded, so nothing follows from it: open another, or a \
                 map or a scene"
                    .to_owned(),
            );
        }
        if self.is_replayed() {
            return Err(
                "a replay is being played: change something once it has ended, or open another \
                 map or scene"
                    .to_owned(),
            );
        }
        if let Some(recording) = &mut self.recording {
            recording.told(request);
        }
        self.play.tell(request)
    }

    const fn is_replayed(&self) -> bool {
        self.battle.is_some() || self.playback.is_some()
    }

    fn why(&self, number: u8, cell: Cell, order: Option<u64>) {
        if let Some((_, battle)) = &self.battle {
            let orders = battle.orders();
            let shown = battle.shown(&orders, &[]);
            self.inspector.why(number, &shown, cell, order);
        }
        if let Some(stage) = self.play.stages.get(usize::from(number)) {
            let orders = stage.orders();
            let shown = stage.shown(&orders, &[], &NoFields);
            self.inspector.why(number, &shown, cell, order);
        }
    }

    fn set_time(&mut self, time: Time) {
        match time {
            Time::Pause => self.is_paused = true,
            Time::Resume => self.is_paused = false,
            Time::Speed(speed) => self.speed = speed,
            Time::Step => {
                self.is_paused = true;
                self.tick();
            }
        }
    }

    /// Begins to make new stages.
    fn make(&mut self, start: Start) {
        let (sender, made) = channel();
        let asked = start.clone();
        // A session that is over takes nothing any more.
        thread::spawn(move || drop(sender.send(Play::begin(&asked))));
        self.making = Some(Making { start, made });
    }

    /// Shows the stages that were being made, once they are there, and carries out what
    /// was held until then.
    fn take_made(&mut self) {
        let Some(Making { made, .. }) = &self.making else {
            return;
        };
        let made = match made.try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err("it cannot be drawn".to_owned()),
            Ok(made) => made,
        };
        match (made, self.making.take()) {
            (Ok(play), Some(Making { start, .. })) => {
                self.start(start, play);
                self.publish();
            }
            (Ok(_), None) => {}
            (Err(why), _) => self.inspector.note(NoteKind::Refused, &why),
        }
        for request in std::mem::take(&mut self.held) {
            self.take(request);
        }
    }

    fn life(&mut self, number: u64) -> Result<(), String> {
        let (world, asked) = match (&self.battle, self.play.stages.first()) {
            (Some((_, battle)), _) => (battle.world(), battle.asked(number)),
            (None, Some(stage)) => (&stage.world, stage.asked(number)),
            (None, None) => return Err("nothing is shown".to_owned()),
        };
        let asked = asked.ok_or("this order has ended")?;
        let (goal, units) = asked;
        let costs = reach::costs(world, goal.layer());
        let slices = life::life(costs, (goal.cell(), units))?;
        self.inspector.life(number, &slices);
        Ok(())
    }

    /// Publishes the costs of finished strokes, stamps and undos.
    fn bill(&mut self) {
        for bill in self.play.history.take_bills() {
            self.inspector.note(NoteKind::Bill, &told(&bill));
        }
    }
}

fn told(bill: &Bill) -> String {
    let count = |number: usize, one: &str, many: &str| {
        format!(
            "{} {}",
            grouped(number),
            if number == 1 { one } else { many }
        )
    };
    format!(
        "{} changed in {}, {} rebuilt, {} walked; {} replanned; {} for {}",
        count(bill.cells as usize, "cell", "cells"),
        count(bill.sectors.len(), "sector", "sectors"),
        grouped(bill.rebuilt),
        grouped(bill.walked),
        count(bill.orders, "order", "orders"),
        time(bill.time.as_secs_f64() * 1e6),
        count(bill.edits as usize, "edit", "edits"),
    )
}

#[cfg(test)]
mod tests {
    use flowtiles_inspector::NewMap;

    use super::*;

    #[test]
    fn a_large_map_is_drawn_while_the_session_goes_on() {
        let inspector = Inspector::studio(("127.0.0.1", 0)).expect("a port");
        let start = Start::Map(map(60, 40));
        let play = Play::begin(&start).expect("a map");
        let mut session = Session::new(inspector, Answered::Opened(start, Box::new(play)));
        let width = |session: &Session| session.play.stages[0].world.costs().width();

        session.take(Request::New(map(1_500, 1_500)));
        assert!(session.making.is_some(), "it is not waited for");
        // For the new map, and so not before it.
        session.take(Request::Time(Time::Pause));
        session.publish();
        assert_eq!((width(&session), session.is_paused), (60, false));

        while session.making.is_some() {
            thread::sleep(Duration::from_millis(5));
            session.take_made();
        }
        assert_eq!((width(&session), session.is_paused), (1_500, true));
    }

    fn map(width: u32, height: u32) -> NewMap {
        NewMap {
            kind: 0,
            width,
            height,
            seed: 3,
        }
    }
}
