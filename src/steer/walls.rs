//! Walls: which places are free for a circle, and how it moves among them.
//!
//! Everything here asks the costs of one movement layer. [`LayerGround`] keeps them as
//! bits, [`GroupLayer`] is the layer of a group with the shift of its bodies, and
//! `circle` slides a circle along the walls, by the touches that `sweep` finds. Nothing
//! here knows of units or orders.

mod circle;
mod ground;
mod group_layer;
mod sweep;

pub use circle::{MAX_RADIUS, is_clear, nearest_clear, slide};
pub(super) use circle::{
    is_clear_in_the_open, is_clear_on, is_radius, nearest_clear_on, nearest_place,
    slide_in_the_open, slide_on,
};
pub(super) use ground::LayerGround;
pub use group_layer::anchor;
pub(super) use group_layer::{GroupGrounds, GroupLayer};
