//! The plugin and its schedule.

use std::marker::PhantomData;
use std::time::Duration;

use bevy_app::{
    App, First, FixedUpdate, Last, Plugin, PostUpdate, PreUpdate, RunFixedMainLoop, SpawnScene,
    Update,
};
use bevy_ecs::schedule::common_conditions::{not, resource_exists};
use bevy_ecs::schedule::{
    InternedScheduleLabel, IntoScheduleConfigs, ScheduleConfigs, ScheduleLabel, SystemSet,
};
use bevy_ecs::system::ScheduleSystem;
use bevy_transform::TransformSystems;
use flowtiles::Budget;
use flowtiles::steer::Army;

use crate::battle::Registry;
use crate::steps::{Length, Ticking};
use crate::{
    Battle, FlowArmy, FlowEvent, FlowMap, FlowOrder, FlowPlane, FlowRefused, Lie, Main, obstacle,
    orders, sight, steps,
};

/// What the plugin does in a tick, one after the other, in the schedule of the plugin.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlowtilesSystems {
    /// Obstacles and units that were spawned, despawned, moved or changed reach map and army; teams
    /// with fog are shown what their units see.
    Sync,
    /// Orders are carried out.
    Orders,
    /// The world works on orders, within its budget.
    Tick,
    /// The army moves.
    Step,
    /// [`FlowMotion`](crate::FlowMotion) and [`FlowEvent`] are written.
    Write,
}

/// The systems by which obstacles and units reach a battle, and teams see what is there.
pub(crate) fn sync<B: Battle>() -> ScheduleConfigs<ScheduleSystem> {
    (
        obstacle::lay::<B>,
        steps::exchange::<B>,
        steps::change::<B>,
        steps::follow::<B>,
        sight::look::<B>,
    )
        .chain()
}

/// Moves the army of a battle through a schedule.
///
/// It runs as soon as the app has a [`FlowMap`]; units that are spawned before and orders wait,
/// with one warning in the log. A [`FlowArmy`] and a [`FlowPlane`] are there
/// from the beginning: insert others to have other settings.
pub struct FlowtilesPlugin<B: Battle = Main> {
    schedule: InternedScheduleLabel,
    budget: Budget,
    length: Length,
    battle: PhantomData<B>,
}

impl Default for FlowtilesPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl FlowtilesPlugin {
    /// Returns the plugin for the only battle of an app, in a schedule: [`FixedUpdate`] for a
    /// game with a fixed time step, whose units are drawn between two steps.
    ///
    /// Each run of the schedule is a tick. In [`Update`] and the others that run once a frame a
    /// tick is as long as the frame, so that no two battles are the same. In all others it is as
    /// long as the timestep of `Time<Fixed>`, also if the game runs the schedule by hand.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self::of(schedule)
    }
}

impl<B: Battle> FlowtilesPlugin<B> {
    /// Returns the plugin for a battle of several.
    #[must_use]
    pub fn of(schedule: impl ScheduleLabel) -> Self {
        let schedule = schedule.intern();
        let frames = [
            First.intern(),
            PreUpdate.intern(),
            RunFixedMainLoop.intern(),
            Update.intern(),
            SpawnScene.intern(),
            PostUpdate.intern(),
            Last.intern(),
        ];
        Self {
            schedule,
            budget: Budget::cells(8_000),
            length: match frames.contains(&schedule) {
                true => Length::Frame,
                false => Length::Timestep,
            },
            battle: PhantomData,
        }
    }

    /// Returns the plugin with another amount of work for the world in a tick; at first it is
    /// 8,000 cells.
    #[must_use]
    pub const fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Returns the plugin with ticks of this length, whatever the schedule and the clocks say.
    #[must_use]
    pub const fn with_step(mut self, length: Duration) -> Self {
        self.length = Length::Set(length);
        self
    }
}

impl<B: Battle> Plugin for FlowtilesPlugin<B> {
    fn build(&self, app: &mut App) {
        app.init_resource::<Registry<B>>()
            .insert_resource(Ticking::<B> {
                budget: self.budget,
                length: self.length,
                battle: PhantomData,
            })
            .add_message::<FlowOrder<B>>()
            .add_message::<FlowRefused<B>>()
            .add_message::<FlowEvent<B>>();
        if !app.world().contains_resource::<FlowArmy<B>>() {
            app.insert_resource(FlowArmy::<B>::of(Army::default()));
        }
        if !app.world().contains_resource::<FlowPlane<B>>() {
            app.insert_resource(FlowPlane::<B>::of(Lie::Flat));
        }
        #[cfg(feature = "reflect")]
        app.register_type::<crate::FlowMotion>()
            .register_type::<crate::FlowTeam>()
            .register_type::<crate::FlowSight>()
            .register_type::<crate::FlowDrive>();
        let has_map = resource_exists::<FlowMap<B>>;
        app.configure_sets(
            self.schedule,
            (
                FlowtilesSystems::Sync,
                FlowtilesSystems::Orders,
                FlowtilesSystems::Tick,
                FlowtilesSystems::Step,
                FlowtilesSystems::Write,
            )
                .chain(),
        )
        .add_systems(
            self.schedule,
            (
                sync::<B>().in_set(FlowtilesSystems::Sync),
                (orders::check_map::<B>, orders::carry_out::<B>)
                    .chain()
                    .in_set(FlowtilesSystems::Orders),
                steps::tick::<B>.in_set(FlowtilesSystems::Tick),
                steps::step::<B>.in_set(FlowtilesSystems::Step),
                (steps::write::<B>, steps::report::<B>)
                    .chain()
                    .in_set(FlowtilesSystems::Write),
            )
                .run_if(has_map),
        )
        .add_systems(
            self.schedule,
            orders::wait_for_map::<B>.run_if(not(has_map)),
        )
        .add_systems(First, orders::collect::<B>);
        if self.schedule == FixedUpdate.intern() {
            app.add_systems(
                PostUpdate,
                steps::place::<B>.before(TransformSystems::Propagate),
            );
        } else {
            app.add_systems(
                self.schedule,
                steps::place_now::<B>.after(FlowtilesSystems::Write),
            );
        }
    }
}
