//! Tests of the crowd against short obvious code.
