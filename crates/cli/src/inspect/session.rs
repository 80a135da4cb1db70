//! A session: stages, time, and what pages ask for.

use std::time::{Duration, Instant};

use flowtiles::{Cell, Cost, Template, Turn};
use flowtiles_inspector::{
    Catalogue, Given, Inspector, NoteKind, PlayScene, Request, Status, Time,
};

use super::begin;
use super::crowd::{self, Selection};
use super::fields::CrowdFields;
use super::files::{self, Answered};
use super::history::{Bill, History};
use super::in_words;
use super::life;
use super::replayed::Replay;
use super::stage::Stage;
use crate::support::numbers::{grouped, time};
use crate::support::scenes;

/// Between two pictures.
const PICTURE: Duration = Duration::from_millis(33);
/// Between two sets of figures.
const FIGURES: Duration = Duration::from_millis(250);
/// The most that ticks may take of a picture's time.
const TICKS: Duration = Duration::from_millis(24);
/// A stroke is billed when nothing was painted for so long.
const STROKE_ENDS: Duration = Duration::from_millis(220);

/// Templates that can be stamped.
const TEMPLATES: [(&str, &[&str]); 4] = [
    ("house", &["####", "####", "##.#"]),
    ("tower", &["##", "##"]),
    (
        "bridge",
        &["...............", "...............", "..............."],
    ),
    (
        "fort",
        &[
            "########", "#......#", "#......#", "........", "#......#", "########",
        ],
    ),
];

/// All that goes on.
pub struct Session {
    inspector: Inspector,
    stages: Vec<Stage>,
    /// What is played in their stead.
    replay: Option<Replay>,
    templates: Vec<Template>,
    history: History,
    selection: Selection,
    is_paused: bool,
    speed: f32,
    budget: u32,
    /// Ticks due, in parts.
    due: f64,
    serial: u32,
    painted: Option<Instant>,
    figures: Instant,
    told: Option<Status>,
    watchers: usize,
}

impl Session {
    /// Begins with what was opened.
    pub fn new(inspector: Inspector, opened: Answered) -> Self {
        let templates: Vec<Template> = TEMPLATES
            .iter()
            .map(|(_, rows)| Template::rows(rows).expect("a template drawn in letters"))
            .collect();
        let names = TEMPLATES
            .iter()
            .zip(&templates)
            .map(|((name, _), template)| {
                let (width, height) = (template.width() as u8, template.height() as u8);
                ((*name).to_owned(), width, height)
            });
        inspector.set_catalogue(&Catalogue {
            scenes: scenes::all()
                .map(|(name, about)| (name.to_owned(), about.to_owned()))
                .collect(),
            maps: begin::MAPS.map(str::to_owned).to_vec(),
            readings: begin::READINGS.map(|(name, _)| name.to_owned()).to_vec(),
            templates: names.collect(),
        });
        let mut session = Self {
            inspector,
            stages: Vec::new(),
            replay: None,
            templates,
            history: History::default(),
            selection: Selection::new(),
            is_paused: false,
            speed: 1.0,
            budget: 20_000,
            due: 0.0,
            serial: 0,
            painted: None,
            figures: Instant::now(),
            told: None,
            watchers: 0,
        };
        session.take_file(opened);
        session
    }

    /// Goes on until it is interrupted, or the time is over.
    pub fn run(&mut self, until: Option<Duration>) {
        let begin = Instant::now();
        while !self.inspector.is_interrupted() && until.is_none_or(|until| begin.elapsed() < until)
        {
            let picture = Instant::now();
            for request in self.inspector.requests() {
                self.follow(request);
            }
            while let Some(asked) = self.inspector.file_request() {
                let answer = files::answer(&asked.asked, self.stages.first());
                asked.answer(answer.map(|answered| self.take_file(answered)));
            }
            self.advance();
            self.bill();
            self.publish();
            self.inspector
                .wait(PICTURE.saturating_sub(picture.elapsed()));
        }
    }

    /// Shows other stages from now on.
    fn show(&mut self, stages: Vec<Stage>) {
        self.stages = stages;
        self.replay = None;
        for stage in &mut self.stages {
            self.serial += 1;
            stage.serial = self.serial;
        }
        self.history = History::default();
        self.selection.clear();
        self.due = 0.0;
        self.is_paused = false;
        self.inspector.keep_stages(self.stages.len() as u8);
        self.inspector.life(0, &[]);
    }

    fn take_file(&mut self, answered: Answered) -> Given {
        match answered {
            Answered::Saved(given) => given,
            Answered::Opened(stage) => {
                self.show(vec![*stage]);
                Given::default()
            }
            Answered::Replay(mut replay) => {
                self.show(Vec::new());
                replay.set_serial(self.serial + 1);
                self.serial += 1;
                self.replay = Some(*replay);
                Given::default()
            }
        }
    }

    /// Lets time go on.
    fn advance(&mut self) {
        let watchers = self.inspector.watchers();
        // Nothing happens before anyone looks.
        if self.is_paused || watchers == 0 {
            return;
        }
        let rate = f64::from(self.stages.first().map_or(20, |stage| stage.rate));
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

    /// One tick of all that is shown.
    fn tick(&mut self) {
        for stage in &mut self.stages {
            stage.step(self.budget);
        }
        if let Some(told) = self.replay.as_mut().and_then(Replay::step) {
            self.inspector.note(NoteKind::Done, &told);
        }
    }

    fn publish(&mut self) {
        if let Some(replay) = &self.replay {
            let (orders, marks) = (replay.orders(), replay.marks());
            self.inspector
                .publish_shown(0, &replay.shown(&orders, &marks));
        }
        let selection = &self.selection;
        for (number, stage) in (0..).zip(&self.stages) {
            let marks = stage.marks(|id| number == 0 && selection.contains(&id));
            let orders = stage.orders();
            let fields = CrowdFields::of(stage, crowd::first_band(stage, selection));
            let shown = stage.shown(&orders, &marks, &fields);
            self.inspector.publish_shown(number, &shown);
        }
        for stage in &mut self.stages {
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
            for (number, stage) in (0..).zip(&mut self.stages) {
                let figures = stage.figures();
                self.inspector.figures(number, &figures);
            }
        }
    }

    fn status(&self) -> Status {
        let (undos, redos) = self.history.len();
        Status {
            is_paused: self.is_paused,
            speed: self.speed,
            budget: self.budget,
            undos: undos as u32,
            redos: redos as u32,
            selected: self.selection.len() as u32,
            takes_clicks: self.stages.first().is_some_and(|stage| stage.takes_clicks),
        }
    }

    /// Does what a page asks for.
    fn follow(&mut self, request: Request) {
        if self.replay.is_some() && changes(&request) {
            let why = "a replay is only played: open a map or a scene to change something";
            self.inspector.note(NoteKind::Refused, why);
            return;
        }
        let done = match request {
            Request::Why { stage, cell, order } => {
                self.why(stage, cell, order);
                Ok(())
            }
            Request::Goal(cell) => self.first(|stage| {
                let aimed = stage.look.aim(&mut stage.world, stage.tick, cell);
                stage.field_revision += 1;
                aimed
            }),
            Request::Source(cell) => self.first(|stage| {
                stage.field_revision += 1;
                stage.look.ask(&mut stage.world, cell)
            }),
            Request::Clear => self.first(|stage| {
                stage.look.clear();
                stage.field_revision += 1;
                Ok(())
            }),
            Request::Select(area) => {
                self.selection = self
                    .stages
                    .first()
                    .map_or_else(Selection::new, |stage| crowd::select(stage, area));
                Ok(())
            }
            Request::Send(cell) => self.send(cell),
            Request::Paint { stroke, cost, area } => self.paint(stroke, cost, area),
            Request::Stamp {
                template,
                turns,
                cell,
            } => self.stamp(template, turns, cell),
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::Time(time) => {
                self.set_time(time);
                Ok(())
            }
            Request::Budget(cells) => {
                self.budget = cells.max(1);
                Ok(())
            }
            Request::New(asked) => self.begin(begin::new_map(&asked)),
            Request::Scene(asked) => self.play(&asked),
            Request::Place { cell, count } => self.place(cell, count),
            Request::Replan => {
                let planned: usize = self.stages.iter_mut().map(Stage::replan).sum();
                self.done(&format!(
                    "orders planned anew from the units' present places: {planned}"
                ));
                Ok(())
            }
            Request::Life(number) => self.life(number),
            Request::Click(cell) => self.each(|stage| stage.click(cell)),
            Request::Read(number) => self.read(number),
            Request::Discomfort {
                stroke,
                strength,
                area,
            } => self
                .history
                .paint_discomfort(&mut self.stages, stroke, f32::from(strength), area),
        };
        if let Err(why) = done {
            self.inspector.note(NoteKind::Refused, &why);
        }
    }

    fn first(&mut self, act: impl FnOnce(&mut Stage) -> Result<(), String>) -> Result<(), String> {
        self.stages.first_mut().map_or(Ok(()), act)
    }

    fn each(&mut self, act: impl Fn(&mut Stage) -> Result<(), String>) -> Result<(), String> {
        self.stages.iter_mut().try_for_each(act)
    }

    fn done(&self, text: &str) {
        self.inspector.note(NoteKind::Done, text);
    }

    fn why(&self, number: u8, cell: Cell, order: Option<u64>) {
        if let Some(replay) = &self.replay {
            let orders = replay.orders();
            let shown = replay.shown(&orders, &[]);
            self.inspector.why(number, &shown, cell, order);
        }
        if let Some(stage) = self.stages.get(usize::from(number)) {
            let orders = stage.orders();
            let fields = CrowdFields::of(stage, None);
            let shown = stage.shown(&orders, &[], &fields);
            self.inspector.why(number, &shown, cell, order);
        }
    }

    fn send(&mut self, cell: Cell) -> Result<(), String> {
        let selection = &self.selection;
        let mut sent = 0;
        for stage in &mut self.stages {
            sent = crowd::send(stage, selection, cell)?;
        }
        self.done(&format!("{} units are ordered to {cell}", grouped(sent)));
        Ok(())
    }

    fn read(&mut self, number: u8) -> Result<(), String> {
        let known = begin::READINGS.get(usize::from(number));
        let &(name, reading) = known.ok_or("there is no such reading")?;
        // What is selected is so on the first stage; the second shows another
        // setting.
        let stage = self.stages.first_mut().ok_or("nothing is shown")?;
        let count = crowd::read(stage, &self.selection, reading)?;
        self.done(&format!(
            "{} units read their field: {name}",
            grouped(count)
        ));
        Ok(())
    }

    fn place(&mut self, cell: Cell, count: u32) -> Result<(), String> {
        let mut placed = 0;
        for stage in &mut self.stages {
            placed = crowd::place(stage, cell, count as usize)?;
        }
        self.done(&format!(
            "{} units stand around {cell}: select and order them",
            grouped(placed)
        ));
        Ok(())
    }

    fn paint(&mut self, stroke: u32, cost: u8, area: flowtiles::Rect) -> Result<(), String> {
        let cost = Cost::new(cost).map_err(|error| error.to_string())?;
        self.painted = Some(Instant::now());
        self.history.paint(&mut self.stages, stroke, cost, area)
    }

    fn stamp(&mut self, template: u8, turns: u8, cell: Cell) -> Result<(), String> {
        let template = self.templates.get(usize::from(template));
        let template = template.ok_or("there is no such template")?;
        let turn = match turns {
            0 => Turn::None,
            1 => Turn::Quarter,
            2 => Turn::Half,
            _ => Turn::ThreeQuarters,
        };
        self.painted = Some(Instant::now());
        self.history.stamp(&mut self.stages, template, cell, turn)
    }

    fn undo(&mut self) -> Result<(), String> {
        self.painted = Some(Instant::now());
        let undone = self.history.undo(&mut self.stages);
        if undone {
            Ok(())
        } else {
            Err("there is nothing to take back".to_owned())
        }
    }

    fn redo(&mut self) -> Result<(), String> {
        self.painted = Some(Instant::now());
        let redone = self.history.redo(&mut self.stages);
        if redone {
            Ok(())
        } else {
            Err("there is nothing to make again".to_owned())
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

    fn begin(
        &mut self,
        begun: Result<Stage, crate::support::failure::Failure>,
    ) -> Result<(), String> {
        let stage = begun.map_err(in_words)?;
        self.show(vec![stage]);
        Ok(())
    }

    fn play(&mut self, asked: &PlayScene) -> Result<(), String> {
        let scene = |reading| {
            let begun = begin::scene(asked.scene, reading, asked.seed);
            begun.map_err(in_words)
        };
        let mut stages = vec![scene(asked.reading)?];
        if asked.beside.is_some() {
            stages.push(scene(asked.beside)?);
        }
        self.show(stages);
        Ok(())
    }

    fn life(&mut self, number: u64) -> Result<(), String> {
        let stage = self.stages.first().ok_or("nothing is shown")?;
        let slices = life::life(stage, number)?;
        self.inspector.life(number, &slices);
        Ok(())
    }

    /// Says what a stroke has cost, once it has ended.
    fn bill(&mut self) {
        if self
            .painted
            .is_some_and(|painted| painted.elapsed() > STROKE_ENDS)
        {
            self.painted = None;
            if let Some(bill) = self.history.bill.take() {
                self.inspector.note(NoteKind::Bill, &told(&bill));
            }
        }
    }
}

/// Whether a request is for what a replay does not have.
const fn changes(request: &Request) -> bool {
    !matches!(
        request,
        Request::Why { .. } | Request::Time(_) | Request::New(_) | Request::Scene(_)
    )
}

fn told(bill: &Bill) -> String {
    format!(
        "{} cells changed in {} sectors, {} derived anew, {} walked; {} orders planned anew; \
         {} for {}",
        grouped(bill.cells as usize),
        grouped(bill.sectors),
        grouped(bill.rebuilt),
        grouped(bill.walked),
        bill.orders,
        time(bill.time.as_secs_f64() * 1e6),
        if bill.edits == 1 {
            "one edit".to_owned()
        } else {
            format!("{} edits", bill.edits)
        },
    )
}
