//! Tests of the crowd against short obvious code.

mod layout;
mod marching;
mod splat;
