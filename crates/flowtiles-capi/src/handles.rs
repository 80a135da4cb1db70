//! Handles: numbers in tables instead of pointers.
//!
//! ```text
//!   63      56 55            32 31             0
//!   │  kind  │  generation    │  index         │
//! ```
//!
//! A generation counts how often the place in the table was used; the last one is never
//! freed for another use.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use flowtiles::steer::Army;
use flowtiles::{FlowWorld, Order};

use crate::status::{
    FLOWTILES_ERROR_BROKEN, FLOWTILES_ERROR_FULL, FLOWTILES_ERROR_HANDLE, FLOWTILES_ERROR_NULL,
    FLOWTILES_ERROR_STALE, Fault,
};

const GENERATIONS: u32 = 1 << 24;

/// A world, and claims that keep its orders after loading.
pub(crate) struct Stage {
    pub(crate) world: FlowWorld,
    pub(crate) claims: Vec<Order>,
}

pub(crate) static WORLDS: Table<Stage> = Table::new(1, "world");
pub(crate) static ORDERS: Table<Order> = Table::new(2, "order");
pub(crate) static ARMIES: Table<Army> = Table::new(3, "army");

/// Changes a world.
pub(crate) fn change_world<T, E: Into<Fault>>(
    world: u64,
    change: impl FnOnce(&mut FlowWorld) -> Result<T, E>,
) -> Result<T, Fault> {
    change(&mut WORLDS.get(world)?.write()?.world).map_err(Into::into)
}

/// Changes an army whose world is there.
pub(crate) fn change_army<T, E: Into<Fault>>(
    army: u64,
    change: impl FnOnce(&mut Army) -> Result<T, E>,
) -> Result<T, Fault> {
    let named = ARMIES.get(army)?;
    WORLDS.get(named.world)?;
    change(&mut *named.write()?).map_err(Into::into)
}

/// Changes an army and its world.
pub(crate) fn change_both<T, E: Into<Fault>>(
    army: u64,
    change: impl FnOnce(&mut Army, &mut FlowWorld) -> Result<T, E>,
) -> Result<T, Fault> {
    let named = ARMIES.get(army)?;
    let stage = WORLDS.get(named.world)?;
    let world = &mut stage.write()?.world;
    change(&mut *named.write()?, world).map_err(Into::into)
}

const KINDS: [&str; 4] = ["handle", "world", "order", "army"];

/// What a handle names.
///
/// Lock order: orders, worlds, armies.
pub(crate) struct Named<T> {
    /// The handle of the world to which it belongs.
    pub(crate) world: u64,
    kind: &'static str,
    lock: RwLock<T>,
}

impl<T> Named<T> {
    pub(crate) fn read(&self) -> Result<RwLockReadGuard<'_, T>, Fault> {
        self.lock.read().map_err(|_| broken(self.kind))
    }

    pub(crate) fn write(&self) -> Result<RwLockWriteGuard<'_, T>, Fault> {
        self.lock.write().map_err(|_| broken(self.kind))
    }
}

fn broken(kind: &str) -> Fault {
    let text = format!("an earlier call broke this {kind}: free it");
    Fault::new(FLOWTILES_ERROR_BROKEN, text)
}

struct Place<T> {
    generation: u32,
    named: Option<Arc<Named<T>>>,
}

pub(crate) struct Table<T> {
    tag: u8,
    kind: &'static str,
    places: RwLock<Places<T>>,
}

struct Places<T> {
    all: Vec<Place<T>>,
    free: Vec<u32>,
}

impl<T> Table<T> {
    const fn new(tag: u8, kind: &'static str) -> Self {
        let places = Places {
            all: Vec::new(),
            free: Vec::new(),
        };
        Self {
            tag,
            kind,
            places: RwLock::new(places),
        }
    }

    /// Enters a thing that belongs to a world, and returns its handle.
    pub(crate) fn enter(&self, thing: T, world: u64) -> Result<u64, Fault> {
        let named = Some(Arc::new(Named {
            world,
            kind: self.kind,
            lock: RwLock::new(thing),
        }));
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let Places { all, free } = &mut *places;
        let index = match free.pop() {
            Some(index) => {
                let place = &mut all[index as usize];
                place.generation += 1;
                place.named = named;
                index
            }
            None => {
                let full = || {
                    Fault::new(
                        FLOWTILES_ERROR_FULL,
                        format!("too many handles of {}s", self.kind),
                    )
                };
                let index = u32::try_from(all.len()).map_err(|_| full())?;
                all.push(Place {
                    generation: 1,
                    named,
                });
                index
            }
        };
        let generation = u64::from(all[index as usize].generation);
        Ok(u64::from(self.tag) << 56 | generation << 32 | u64::from(index))
    }

    /// Returns what a handle names.
    pub(crate) fn get(&self, handle: u64) -> Result<Arc<Named<T>>, Fault> {
        let index = self.index(handle)?;
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        let place = places.all.get(index).ok_or_else(|| self.unknown(handle))?;
        match &place.named {
            Some(named) if place.generation == generation(handle) => Ok(named.clone()),
            _ if generation(handle) <= place.generation => Err(self.stale(handle)),
            _ => Err(self.unknown(handle)),
        }
    }

    /// Takes out what a handle names. Calls that are at work on it end first.
    pub(crate) fn free(&self, handle: u64) -> Result<(), Fault> {
        self.get(handle)?;
        let index = self.index(handle)?;
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let Places { all, free } = &mut *places;
        let place = &mut all[index];
        if place.generation != generation(handle) {
            return Err(self.stale(handle));
        }
        let freed = place.named.take().ok_or_else(|| self.stale(handle))?;
        if place.generation + 1 < GENERATIONS {
            free.push(index as u32);
        }
        // Freeing a large world takes a while; others need not wait for it.
        drop(places);
        drop(freed);
        Ok(())
    }

    /// Returns the index of a handle of this kind.
    fn index(&self, handle: u64) -> Result<usize, Fault> {
        if handle == 0 {
            let text = format!(
                "the handle of the {} is 0: give one that was made",
                self.kind
            );
            return Err(Fault::new(FLOWTILES_ERROR_NULL, text));
        }
        let tag = (handle >> 56) as u8;
        if tag != self.tag {
            return Err(match KINDS.get(usize::from(tag)) {
                Some(found) if tag > 0 => {
                    let text = format!("this is the handle of an {found}, not of an {}", self.kind);
                    Fault::new(FLOWTILES_ERROR_HANDLE, text.replace("an world", "a world"))
                }
                _ => self.unknown(handle),
            });
        }
        Ok(handle as u32 as usize)
    }

    fn stale(&self, handle: u64) -> Fault {
        let text = format!(
            "the {} of handle {handle:#x} was freed: make another",
            self.kind
        );
        Fault::new(FLOWTILES_ERROR_STALE, text)
    }

    fn unknown(&self, handle: u64) -> Fault {
        let text = format!("{handle:#x} is not a handle: give one that a call of flowtiles wrote");
        Fault::new(FLOWTILES_ERROR_HANDLE, text)
    }
}

const fn generation(handle: u64) -> u32 {
    (handle >> 32) as u32 & (GENERATIONS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_used_again_under_another_handle() {
        let table: Table<u8> = Table::new(1, "world");
        let first = table.enter(7, 0).unwrap();
        table.free(first).unwrap();
        let second = table.enter(8, 0).unwrap();
        assert_eq!(first as u32, second as u32);
        assert!(table.get(first).is_err() && table.free(first).is_err());
        assert_eq!(*table.get(second).unwrap().read().unwrap(), 8);
    }

    #[test]
    fn a_place_whose_generations_are_used_up_stays_empty() {
        let table: Table<u8> = Table::new(1, "world");
        let first = table.enter(7, 0).unwrap();
        table.free(first).unwrap();
        table.places.write().unwrap().all[0].generation = GENERATIONS - 2;
        let last = table.enter(8, 0).unwrap();
        assert_eq!(generation(last), GENERATIONS - 1);
        table.free(last).unwrap();
        assert_eq!(table.enter(9, 0).unwrap() as u32, 1);
    }
}
