//! Tests of the crowd against short obvious code.

mod marching;
mod splat;
