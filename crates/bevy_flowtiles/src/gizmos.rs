//! What a world holds, as lines over the scene.

use std::marker::PhantomData;

use bevy_app::{App, Plugin, Update};
use bevy_color::Color;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::schedule::common_conditions::resource_exists;
use bevy_ecs::system::Res;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::Vec3;
use flowtiles::inspect::{Detail, DrawList, Figure, Overlay, Paint, Subject, draw};
use flowtiles::{CellRect, Order};

use crate::{Battle, FlowArmy, FlowMap, FlowPlane, Main};

/// Draws the [`FlowOverlays`] of a battle with gizmos, as long as the app has them. Needs
/// Bevy's `GizmoPlugin`.
#[derive(Debug)]
pub struct FlowGizmosPlugin<B: Battle = Main>(PhantomData<B>);

impl Default for FlowGizmosPlugin {
    fn default() -> Self {
        Self::of()
    }
}

impl<B: Battle> FlowGizmosPlugin<B> {
    /// Returns the plugin for a battle of several.
    #[must_use]
    pub const fn of() -> Self {
        Self(PhantomData)
    }
}

impl<B: Battle> Plugin for FlowGizmosPlugin<B> {
    fn build(&self, app: &mut App) {
        let show = show::<B>.run_if(resource_exists::<FlowOverlays<B>>);
        app.add_systems(Update, show.run_if(resource_exists::<FlowMap<B>>));
    }
}

/// What is shown, and of which part of the map.
#[derive(Resource, Debug)]
pub struct FlowOverlays<B: Battle = Main> {
    /// For example costs, directions, portals and paths.
    pub shown: Vec<Overlay>,
    /// The cells that are shown. It costs what they cost.
    pub view: CellRect,
    /// How closely.
    pub detail: Detail,
    battle: PhantomData<B>,
}

impl FlowOverlays {
    /// Returns these overlays of a part of the map, for the only battle.
    #[must_use]
    pub fn new(shown: Vec<Overlay>, view: CellRect) -> Self {
        Self::of(shown, view)
    }
}

impl<B: Battle> FlowOverlays<B> {
    /// Returns these overlays of a part of the map.
    #[must_use]
    pub fn of(shown: Vec<Overlay>, view: CellRect) -> Self {
        Self {
            shown,
            view,
            detail: Detail::Arrows,
            battle: PhantomData,
        }
    }
}

fn show<B: Battle>(
    map: Res<FlowMap<B>>,
    army: Res<FlowArmy<B>>,
    plane: Res<FlowPlane<B>>,
    overlays: Res<FlowOverlays<B>>,
    mut gizmos: Gizmos,
) {
    let orders = army.groups().filter_map(|group| army.group(group)?.order());
    let orders: Vec<Order> = orders.cloned().collect();
    let subject = Subject::of(&map).with_orders(&orders);
    let list = draw(&subject, overlays.view, &overlays.shown, overlays.detail);
    for (from, to, colour) in lines(&list, &plane) {
        gizmos.line(from, to, colour);
    }
}

/// Returns the lines that stand for the shapes of a list.
fn lines<B: Battle>(list: &DrawList, plane: &FlowPlane<B>) -> Vec<(Vec3, Vec3, Color)> {
    let mut lines = Vec::new();
    for primitive in &list.primitives {
        let Some(colour) = colour(primitive.paint) else {
            continue;
        };
        let mut line = |from: [f32; 2], to: [f32; 2]| {
            let [from, to] = [from, to].map(|at| plane.to_scene(at, plane.height));
            lines.push((from, to, colour));
        };
        match primitive.figure {
            // A cross: the ground below stays visible.
            Figure::Fill(cells) => {
                let [left, top] = [cells.x as f32, cells.y as f32];
                let [right, bottom] = [left + cells.width as f32, top + cells.height as f32];
                line([left, top], [right, bottom]);
                line([left, bottom], [right, top]);
            }
            Figure::Line { from, to } => line(from, to),
            Figure::Arrow {
                at: [x, y],
                direction,
                length,
            } => {
                let (dx, dy) = direction.offset();
                let [dx, dy] = [dx, dy].map(|along| along as f32 * length / 2.0);
                let tip = [x + dx, y + dy];
                line([x - dx, y - dy], tip);
                for side in [-0.5, 0.5] {
                    line(tip, [x + dx * 0.2 - dy * side, y + dy * 0.2 + dx * side]);
                }
            }
            Figure::Dot { at: [x, y], radius } | Figure::Ring { at: [x, y], radius } => {
                let corners = [
                    [x, y - radius],
                    [x + radius, y],
                    [x, y + radius],
                    [x - radius, y],
                ];
                for at in 0..4 {
                    line(corners[at], corners[(at + 1) % 4]);
                }
            }
            Figure::Label { .. } => {}
        }
    }
    lines
}

/// Returns the colour of a class; `None` for what a scene shows by itself.
fn colour(paint: Paint) -> Option<Color> {
    Some(match paint {
        Paint::Ground { cost: 1, walls: 0 } | Paint::Text => return None,
        Paint::Ground { walls: 0, cost } => {
            Color::srgba(0.8, 0.6, 0.3, 0.2 + 0.6 * f32::from(cost) / 255.0)
        }
        Paint::Ground { .. } => Color::srgb(0.5, 0.45, 0.45),
        Paint::Island(number) => Color::hsl(45.0 * f32::from(number), 0.6, 0.5),
        Paint::Value(_, part) => Color::hsl(240.0 - 240.0 * f32::from(part) / 255.0, 0.8, 0.5),
        Paint::SectorLine => Color::srgba(1.0, 1.0, 1.0, 0.25),
        Paint::Edge => Color::srgba(0.4, 0.7, 1.0, 0.5),
        Paint::Window => Color::srgb(0.4, 0.7, 1.0),
        Paint::RouteWindow => Color::srgb(1.0, 0.8, 0.2),
        Paint::Path => Color::srgb(1.0, 0.5, 0.2),
        Paint::Arrow => Color::srgb(0.9, 0.9, 0.9),
        Paint::Goal => Color::srgb(1.0, 0.2, 0.2),
        Paint::Unit | Paint::Start => Color::srgb(0.3, 1.0, 0.4),
        Paint::Sight | Paint::Loaded | Paint::LoadedEdge => Color::srgb(0.3, 0.8, 0.7),
        Paint::Waiting | Paint::Frontier => Color::srgb(0.8, 0.4, 0.9),
    })
}

#[cfg(test)]
mod tests {
    use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld};

    use super::*;

    #[test]
    fn overlays_become_lines_over_their_cells() {
        let mut map = CostMap::open(40, 40).unwrap();
        map.edit(CellRect::new(20, 5, 1, 20), Cost::WALL).unwrap();
        let mut world = FlowWorld::new(map);
        let order = world.order(Cell::new(30, 9), &[Cell::new(5, 9)]).unwrap();
        world.tick(Budget::UNLIMITED);
        let orders = [order];
        let subject = Subject::of(&world).with_orders(&orders);
        let view = CellRect::new(0, 0, 40, 30);
        let plane = FlowPlane::flat();
        let mut count = Vec::new();
        for shown in [
            Overlay::Cost,
            Overlay::Flow,
            Overlay::Portals,
            Overlay::Paths,
        ] {
            let list = draw(&subject, view, &[shown], Detail::Arrows);
            let lines = lines(&list, &plane);
            for (from, to, _) in &lines {
                let [from, to] = [from, to].map(|&at| plane.to_map(at));
                let is_inside = |[x, y]: [f32; 2]| x >= -1.0 && y >= -1.0 && x <= 41.0 && y <= 31.0;
                assert!(
                    is_inside(from) && is_inside(to),
                    "{shown:?}: {from:?} {to:?}"
                );
            }
            count.push(lines.len());
        }
        // A wall is two lines, an arrow three.
        assert!(
            count[0] >= 2 && count[1] > 1_000 && count[1] % 3 == 0,
            "{count:?}"
        );
        assert!(count[2] >= 4 && count[3] >= 2, "{count:?}");
    }
}
