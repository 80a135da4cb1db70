//! A session: stages, time, and the requests of pages.

use std::time::Duration;

use flowtiles::Cell;
use flowtiles_country::numbers::{grouped, time};
use flowtiles_inspector::{
    Aim, Catalogue, FileAsked, Given, Mark, NoFields, NoteKind, Request, SceneInfo, Status, Time,
    View,
};

use crate::aim;
use crate::begin;
use crate::brushes;
use crate::clock::Clock;
use crate::crowd;
use crate::fields::{CrowdFields, Farthest};
use crate::files::{self, Answered, ReadMap};
use crate::history::EditCost;
use crate::life;
use crate::play::{self, Play};
use crate::reach;
use crate::recording::{Playback, Recording};
use crate::start::Start;

/// The time between two sets of figures.
const FIGURES: Duration = Duration::from_millis(250);
/// The most requests that wait for new stages.
const HELD: usize = 4_096;
/// The time after which it is asked again where units would stop: meanwhile they march.
const AIMED: Duration = Duration::from_millis(250);
/// The most that ticks may take of a picture's time.
const TICKS: Duration = Duration::from_millis(24);

/// What a session asks of its host.
#[derive(Clone, Copy)]
pub struct Host {
    pub clock: Clock,
    pub read_map: ReadMap,
}

/// Stages that a page asked for. A large map takes seconds, so the host makes them beside the
/// session.
enum Making {
    /// The host has not begun.
    Wanted(Start),
    Begun,
}

/// An order that a page is about to give.
struct Aimed {
    aim: Aim,
    /// Where units would stop, by stage, and the tick and the time in which that was found.
    marks: Option<(u32, Duration, Vec<Vec<Mark>>)>,
}

/// A running session.
pub struct Session {
    view: View,
    host: Host,
    play: Play,
    /// The inputs since the start.
    recording: Option<Recording>,
    /// The session's replay that is being played.
    playback: Option<Playback>,
    making: Option<Making>,
    /// What was asked for since then, in order: it is for the new stages.
    held: Vec<Request>,
    /// The order that a page is about to give, and where units would stop by it.
    aim: Option<Aimed>,
    /// By stage.
    farthest: [Farthest; 2],
    is_paused: bool,
    speed: f32,
    /// The ticks that are due, with the fraction.
    due: f64,
    serial: u32,
    /// When figures were shown last.
    figures: Duration,
    shown: Option<Status>,
    watchers: usize,
}

impl Session {
    /// Begins with the opened file.
    pub fn new(view: View, opened: Answered, host: Host) -> Self {
        let templates = (0..)
            .zip(play::TEMPLATES)
            .filter_map(|(number, (name, _))| {
                let template = play::template(number)?;
                let (width, height) = (template.width() as u8, template.height() as u8);
                Some((name.to_owned(), width, height))
            });
        view.set_catalogue(&Catalogue {
            scenes: scenes(),
            maps: begin::MAPS.map(str::to_owned).to_vec(),
            readings: begin::READINGS.map(|(name, _)| name.to_owned()).to_vec(),
            qualities: begin::QUALITIES.map(|(name, _)| name.to_owned()).to_vec(),
            templates: templates.collect(),
            brushes: brushes::all(),
        });
        let mut session = Self {
            view,
            host,
            play: Play::empty(),
            recording: None,
            playback: None,
            making: None,
            held: Vec::new(),
            aim: None,
            farthest: Default::default(),
            is_paused: false,
            speed: 1.0,
            due: 0.0,
            serial: 0,
            figures: host.clock.now(),
            shown: None,
            watchers: 0,
        };
        session.take_file(opened);
        session
    }

    /// Returns how the session began; `None` before anything is shown.
    pub fn start_of(&self) -> Option<&Start> {
        self.recording.as_ref().map(|recording| &recording.start)
    }

    /// Returns what pages see.
    pub const fn view(&mut self) -> &mut View {
        &mut self.view
    }

    /// Takes what pages ask for, advances the time, and shows the result.
    pub fn picture(&mut self, passed: Duration) {
        for request in self.view.requests() {
            self.take(request);
        }
        self.advance(passed);
        self.bill();
        self.publish();
    }

    /// Opens a file or gives one.
    ///
    /// # Errors
    /// In words for the user of the page.
    pub fn answer(&mut self, asked: &FileAsked) -> Result<Given, String> {
        let recording = self.recording.as_ref();
        let answered = files::answer(asked, &self.play, recording, self.host.read_map)?;
        Ok(self.take_file(answered))
    }

    /// Returns the start whose stages the host is to make, once.
    pub fn wanted(&mut self) -> Option<Start> {
        let making = self.making.as_mut()?;
        match std::mem::replace(making, Making::Begun) {
            Making::Wanted(start) => Some(start),
            Making::Begun => None,
        }
    }

    /// Starts a session, with the budget of the previous one.
    fn start(&mut self, start: Start, play: Play) {
        let budget = self.play.budget;
        self.play = Play { budget, ..play };
        self.playback = None;
        self.aim = None;
        self.farthest = Default::default();
        for stage in &mut self.play.stages {
            self.serial += 1;
            stage.serial = self.serial;
            stage.clock = self.host.clock;
        }
        self.due = 0.0;
        self.is_paused = false;
        self.view.keep_stages(self.play.stages.len() as u8);
        self.view.life(0, &[]);
        self.recording = Some(Recording::new(start, &self.play));
    }

    fn take_file(&mut self, answered: Answered) -> Given {
        match answered {
            Answered::Saved(given) => return given,
            Answered::Opened(start, play) => self.start(start, *play),
            Answered::Session(playback, play) => {
                self.start(playback.start.clone(), *play);
                self.playback = Some(*playback);
            }
        }
        // It is newer than what was being made, and what was meant for that.
        (self.making, self.held) = (None, Vec::new());
        // Pages learn of the new world before anything else about it.
        self.publish();
        Given::default()
    }

    /// Advances the time.
    fn advance(&mut self, passed: Duration) {
        let watchers = self.view.watchers();
        // Nothing happens until somebody watches.
        if self.is_paused || watchers == 0 {
            return;
        }
        let rate = f64::from(self.play.stages.first().map_or(20, |stage| stage.run.rate));
        self.due += passed.as_secs_f64() * rate * f64::from(self.speed);
        let begin = self.host.clock.now();
        // A replay that ends pauses.
        while self.due >= 1.0 && !self.is_paused {
            self.due -= 1.0;
            self.tick();
            if self.host.clock.now().saturating_sub(begin) > TICKS {
                self.due = 0.0;
            }
        }
    }

    /// Does one tick of everything shown.
    fn tick(&mut self) {
        let Some(recording) = &mut self.recording else {
            return;
        };
        let Some(playback) = &mut self.playback else {
            self.play.tick();
            recording.ticked(&self.play);
            return;
        };
        let stepped = playback.step(&mut self.play, recording);
        let (kind, text) = match stepped {
            Ok(()) if !playback.is_over() => return,
            Ok(()) => {
                let ends = playback.ends;
                let text = format!(
                    "the replay ends after {ends} ticks and matches the recording. You can \
                     continue from here"
                );
                (NoteKind::Done, text)
            }
            Err(fault) => (NoteKind::Refused, fault),
        };
        self.playback = None;
        self.is_paused = true;
        self.view.note(kind, &text);
    }

    /// Finds where units would stop by the order that a page is about to give.
    fn look_ahead(&mut self) {
        let (tick, now) = (self.play.now(), self.host.clock.now());
        let Some(Aimed { aim, marks }) = &mut self.aim else {
            return;
        };
        // By time: at a high speed each picture has many ticks, and a large army takes long.
        let is_known =
            |(found, at, _): &(u32, Duration, _)| tick == *found || now.saturating_sub(*at) < AIMED;
        if !marks.as_ref().is_some_and(is_known) {
            let Play {
                stages, selection, ..
            } = &self.play;
            let aimed = |stage| aim::aimed(stage, selection, *aim);
            *marks = Some((tick, now, stages.iter().map(aimed).collect()));
        }
    }

    fn publish(&mut self) {
        self.look_ahead();
        let selection = &self.play.selection;
        let aimed = self.aim.as_ref().and_then(|aim| aim.marks.as_ref());
        for (number, stage) in (0..).zip(&mut self.play.stages) {
            stage.walk_paths(selection);
            let aimed = aimed.and_then(|(_, _, marks)| marks.get(usize::from(number)));
            stage.show_ghosts(aimed.into_iter().flatten().copied());
            let marks = stage.marks(|id| number == 0 && selection.contains(&id));
            let orders = stage.orders();
            let fields = CrowdFields::of(stage, &self.farthest[usize::from(number)]);
            let shown = stage.shown(&orders, &marks, &fields);
            self.view.publish_shown(number, &shown);
        }
        for stage in &mut self.play.stages {
            stage.touched.clear();
        }
        let watchers = self.view.watchers();
        if watchers != self.watchers {
            self.watchers = watchers;
            // The page that aimed may be gone.
            self.aim = None;
        }
        let status = self.status();
        if self.shown.as_ref() != Some(&status) {
            self.view.status(&status);
            self.shown = Some(status);
        }
        let now = self.host.clock.now();
        if now.saturating_sub(self.figures) > FIGURES && watchers > 0 {
            self.figures = now;
            for (number, stage) in (0..).zip(&mut self.play.stages) {
                let figures = stage.figures();
                self.view.figures(number, &figures);
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
            quality: first.map_or(0, |stage| {
                let qualities = begin::QUALITIES.iter();
                let asked = (0..)
                    .zip(qualities)
                    .find(|(_, one)| one.1 == stage.run.quality);
                asked.map_or(0, |(number, _)| number)
            }),
            replay_ends: self.playback.as_ref().map_or(0, |playback| playback.ends),
            watchers: self.watchers as u32,
        }
    }

    /// Carries out a request of a page, or holds it until the new stages are there.
    fn take(&mut self, request: Request) {
        match &self.making {
            None => self.follow(request),
            Some(_) if self.held.len() < HELD => self.held.push(request),
            Some(_) => {
                let told = "a new map is being drawn: ask again once it is there";
                self.view.note(NoteKind::Refused, told);
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
            Request::Aim(aim) => {
                self.aim = aim.map(|aim| Aimed { aim, marks: None });
                Ok(None)
            }
            Request::New(asked) => {
                self.making = Some(Making::Wanted(Start::Map(asked)));
                Ok(None)
            }
            Request::Scene(asked) => {
                self.making = Some(Making::Wanted(Start::Scene(asked)));
                Ok(None)
            }
            Request::Again => self.again().map(|()| None),
            Request::March(cell) => self.march(cell),
            // The changes of the stroke were refused already.
            Request::StrokeEnd if self.is_replayed() => Ok(None),
            input => self.apply(&input),
        };
        match done {
            Ok(Some(told)) => self.view.note(NoteKind::Done, &told),
            Ok(None) => {}
            Err(why) => self.view.note(NoteKind::Refused, &why),
        }
    }

    /// Sends the nearest army to a cell, or to open ground near it. The recording has the cell
    /// to which it goes.
    fn march(&mut self, cell: Cell) -> Result<Option<String>, String> {
        let first = self.play.stages.first();
        let goal = first.map_or(cell, |stage| crowd::open_near(stage, cell));
        let told = self.apply(&Request::March(goal))?;
        let cannot = if goal == cell {
            String::new()
        } else {
            format!("; no army can reach {cell}")
        };
        Ok(told.map(|told| told + &cannot))
    }

    /// Wants the stages once more that this session began with.
    fn again(&mut self) -> Result<(), String> {
        if self.playback.is_some() {
            return Err("a replay is begun again by opening its file again".to_owned());
        }
        let Some(recording) = &self.recording else {
            return Err("nothing is shown yet: open a map or a scene".to_owned());
        };
        self.making = Some(Making::Wanted(recording.start.clone()));
        Ok(())
    }

    /// Carries out a request that changes something.
    fn apply(&mut self, request: &Request) -> Result<Option<String>, String> {
        if self.is_replayed() {
            return Err(
                "a replay is being played: change something once it has ended, or open another \
                 map or scene"
                    .to_owned(),
            );
        }
        if let Some(recording) = &mut self.recording {
            recording.note(request);
        }
        // Units may stop elsewhere now.
        if let Some(aimed) = &mut self.aim {
            aimed.marks = None;
        }
        self.play.apply(request)
    }

    const fn is_replayed(&self) -> bool {
        self.playback.is_some()
    }

    fn why(&self, number: u8, cell: Cell, order: Option<u64>) {
        if let Some(stage) = self.play.stages.get(usize::from(number)) {
            let orders = stage.orders();
            let shown = stage.shown(&orders, &[], &NoFields);
            self.view.why(number, &shown, cell, order);
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

    /// Shows the stages that the host has made, and carries out what was held until then.
    pub fn made(&mut self, start: Start, made: Result<Play, String>) {
        // A file that was opened meanwhile is newer.
        if self.making.take().is_none() {
            return;
        }
        match made {
            Ok(play) => {
                self.start(start, play);
                self.publish();
            }
            Err(why) => {
                self.view.note(NoteKind::Refused, &why);
                // What was meant for the new stages is not done to the old ones.
                self.held.retain(|request| {
                    matches!(
                        request,
                        Request::Time(_) | Request::New(_) | Request::Scene(_) | Request::Again
                    )
                });
            }
        }
        for request in std::mem::take(&mut self.held) {
            self.take(request);
        }
    }

    fn life(&mut self, number: u64) -> Result<(), String> {
        let stage = self.play.stages.first().ok_or("nothing is shown")?;
        let (world, asked) = (&stage.run.world, stage.asked(number));
        let asked = asked.ok_or("this order has ended")?;
        let (goal, units) = asked;
        let costs = reach::costs(world, goal.layer());
        let slices = life::life(costs, (goal.cell(), units))?;
        self.view.life(number, &slices);
        Ok(())
    }

    /// Publishes the costs of finished strokes, stamps and undos.
    fn bill(&mut self) {
        for bill in self.play.history.take_bills() {
            self.view.note(NoteKind::Bill, &text_of(&bill));
        }
    }
}

fn text_of(bill: &EditCost) -> String {
    let count = |number: usize, one: &str, many: &str| {
        format!(
            "{} {}",
            grouped(number),
            if number == 1 { one } else { many }
        )
    };
    format!(
        "{} changed in {}. {}: {} rebuilt, {} to be replanned; took {}",
        count(bill.cells as usize, "cell", "cells"),
        count(bill.sectors.len(), "sector", "sectors"),
        count(bill.edits as usize, "edit", "edits"),
        count(bill.rebuilt, "sector", "sectors"),
        count(bill.orders, "order", "orders"),
        time(bill.time.as_secs_f64() * 1e6),
    )
}

fn scenes() -> Vec<SceneInfo> {
    let known = flowtiles_scenes::all().zip(flowtiles_scenes::pictures());
    known
        .zip(flowtiles_scenes::groups())
        .map(|(((name, about), picture), group)| SceneInfo {
            name: name.to_owned(),
            about: about.to_owned(),
            group: group.to_owned(),
            picture: picture.to_vec(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::sync::atomic::Ordering::Relaxed;

    use flowtiles::{Cell, CellRect};
    use flowtiles_inspector::{NewMap, UnitPath};
    use flowtiles_scenes::walls::cell_of;

    use super::*;
    use crate::stage::Stage;

    #[test]
    fn requests_after_a_new_map_wait_until_it_is_made() {
        let mut session = session(map(60, 40));
        let width = |session: &Session| session.play.stages[0].run.world.costs().width();
        assert!(session.wanted().is_none());

        session.take(Request::New(map(150, 100)));
        session.take(Request::Time(Time::Pause));
        session.picture(Duration::ZERO);
        assert_eq!((width(&session), session.is_paused), (60, false));

        let wanted = session.wanted().expect("a start");
        assert!(session.wanted().is_none(), "it is wanted once");
        let made = Play::begin(&wanted);
        session.made(wanted, made);
        assert_eq!((width(&session), session.is_paused), (150, true));
    }

    #[test]
    fn paths_begin_where_their_units_are_at_each_tick() {
        let mut session = session(NewMap {
            has_army: true,
            ..map(60, 40)
        });
        let starts = |stage: &Stage| -> Vec<Cell> {
            let starts = stage.paths.iter().map(|path| path.points[0]);
            starts.map(cell_of).collect()
        };
        let mut before = Vec::new();
        for tick in 1..=60 {
            session.tick();
            session.publish();
            let stage = &session.play.stages[0];
            let (cells, starts) = (stage.run.cells_of(0), starts(stage));
            assert!(starts.iter().all(|start| cells.contains(start)), "{tick}");
            if tick > 5 {
                assert_eq!(starts.len(), 8, "{tick}");
            }
            // A unit walks at most one cell in a tick, so it is the same unit.
            let near = |one: &Cell, other: &Cell| {
                one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)) <= 1
            };
            let mut pairs = starts.iter().zip(&before);
            assert!(pairs.all(|(one, other)| near(one, other)), "{tick}");
            before = starts;
        }
    }

    #[test]
    fn paths_are_those_of_now_on_pause_too() {
        let mut session = session(NewMap {
            has_army: true,
            ..map(60, 40)
        });
        (0..30).for_each(|_| session.tick());
        session.take(Request::Time(Time::Pause));
        session.publish();
        let leads = |paths: &[UnitPath], to: Cell| {
            let mut ends = paths.iter().map(|path| path.points.last());
            ends.any(|end| end == Some(&to.centre()))
        };
        let (goal, other) = (Cell::new(52, 20), Cell::new(50, 5));
        assert!(leads(&session.play.stages[0].paths, goal));
        let wall = Request::Paint {
            stroke: 1,
            brush: 0,
            amount: 0,
            area: CellRect::new(30, 0, 2, 40),
        };
        for request in [
            wall,
            Request::StrokeEnd,
            Request::Undo,
            Request::March(other),
            Request::Goal(goal),
            Request::Source(Cell::new(3, 3)),
            Request::Clear,
            Request::Time(Time::Step),
        ] {
            let told = format!("{request:?}");
            session.take(request);
            session.publish();
            let stage = &session.play.stages[0];
            assert_eq!(stage.paths, stage.walked_paths(), "{told}");
            assert!(!leads(&stage.paths, goal), "{told}");
        }
        assert!(leads(&session.play.stages[0].paths, other));
    }

    /// A picture at a high speed has 40 ticks.
    #[test]
    fn where_units_would_stop_is_asked_again_by_time() {
        static NOW: AtomicU64 = AtomicU64::new(0);
        let mut session = session(NewMap {
            has_army: true,
            ..map(60, 40)
        });
        session.host.clock = Clock(|| Duration::from_millis(NOW.load(Relaxed)));
        session.take(Request::Aim(Some(Aim::March([30.5, 20.5, 30.5, 20.5]))));
        let asked = [0, 249, 250, 499, 500].map(|now| {
            NOW.store(now, Relaxed);
            (0..40).for_each(|_| session.tick());
            session.publish();
            let aimed = session.aim.as_ref().unwrap();
            aimed.marks.as_ref().unwrap().0
        });
        assert_eq!(asked, [40, 40, 120, 120, 200]);
    }

    fn session(map: NewMap) -> Session {
        let start = Start::Map(map);
        let play = Play::begin(&start).expect("a map");
        let host = Host {
            clock: Clock::default(),
            read_map: |_, _| Err("no file".to_owned()),
        };
        let opened = Answered::Opened(start, Box::new(play));
        Session::new(View::studio(), opened, host)
    }

    fn map(width: u32, height: u32) -> NewMap {
        NewMap {
            kind: 0,
            width,
            height,
            seed: 3,
            has_army: false,
        }
    }
}
