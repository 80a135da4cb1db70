//! Steering: units with positions and bodies, alone and in groups.

mod arrivals;
mod formations;
mod rates;
mod steps;
mod waiting;
mod walls;
mod ways;
mod width;
