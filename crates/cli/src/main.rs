//! The flowtiles command.
fn main() {}
