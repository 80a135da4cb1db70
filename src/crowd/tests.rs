//! Tests of the crowd against short reference code.

mod layout;
mod marching;
mod splat;
