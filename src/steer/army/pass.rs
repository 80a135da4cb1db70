//! Writing, reading and digesting the state of an army by the same code.
//!
//! A [`Pass`] goes over every field in a fixed order. A [`Packer`] writes the
//! field, an [`Unpacker`] reads it and checks it, and a [`Digest`] takes it up. So what one
//! writes the other reads, and a field has one line.

use super::load_error::ArmyLoadError;
use crate::bytes::{Digest, Fault, Reader, Writer};
use crate::grid::Cell;
use crate::order::Order;
use crate::vector::Vector;
use crate::world::FlowWorld;

/// The greatest column or row of a cell that an army remembers.
const CELL_MAX: i32 = 1 << 20;

/// A way over the fields of an army.
pub(super) trait Pass: Sized {
    fn number(&mut self, number: &mut u64) -> Result<(), Fault>;

    fn byte(&mut self, byte: &mut u8) -> Result<(), Fault>;

    fn word(&mut self, word: &mut u32) -> Result<(), Fault>;

    /// Passes an order; one that is read replaces what is there.
    fn order(&mut self, order: &mut Option<Order>) -> Result<(), Fault>;

    /// Refuses what was read last unless it is good.
    fn ensure(&self, is_good: bool, what: &'static str) -> Result<(), Fault>;

    /// Passes a count of up to 32 bits.
    fn count(&mut self, count: &mut u32) -> Result<(), Fault> {
        let mut number = u64::from(*count);
        self.number(&mut number)?;
        *count = number as u32;
        self.ensure(
            number <= u64::from(u32::MAX),
            "a number has more than 32 bits",
        )
    }

    fn flag(&mut self, flag: &mut bool) -> Result<(), Fault> {
        let mut number = u64::from(*flag);
        self.number(&mut number)?;
        *flag = number == 1;
        self.ensure(number <= 1, "a yes or no is neither 0 nor 1")
    }

    /// Passes one of several values, as its place among them.
    fn choice<T: Copy + PartialEq>(&mut self, value: &mut T, all: &[T]) -> Result<(), Fault> {
        let known = all.iter().position(|other| other == value);
        let mut place = known.unwrap_or(0) as u64;
        self.number(&mut place)?;
        let found = all.get(place as usize);
        self.ensure(found.is_some(), "a choice is not one of those known")?;
        *value = found.copied().unwrap_or(*value);
        Ok(())
    }

    fn float(&mut self, float: &mut f32) -> Result<(), Fault> {
        let mut word = float.to_bits();
        self.word(&mut word)?;
        *float = f32::from_bits(word);
        self.ensure(float.is_finite(), "a number is not finite")
    }

    fn vector(&mut self, vector: &mut Vector) -> Result<(), Fault> {
        self.float(&mut vector[0])?;
        self.float(&mut vector[1])
    }

    fn cell(&mut self, cell: &mut Cell) -> Result<(), Fault> {
        for along in [&mut cell.x, &mut cell.y] {
            let mut word = *along as u32;
            self.word(&mut word)?;
            *along = word as i32;
            let is_near = (-CELL_MAX..=CELL_MAX).contains(along);
            self.ensure(is_near, "a cell is far off every map")?;
        }
        Ok(())
    }

    /// Passes a value that may be missing; `some` passes it.
    fn option<T: Default>(
        &mut self,
        value: &mut Option<T>,
        some: impl FnOnce(&mut Self, &mut T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut is_some = value.is_some();
        self.flag(&mut is_some)?;
        if !is_some {
            *value = None;
            return Ok(());
        }
        some(self, value.get_or_insert_default())
    }

    /// Passes a list; `each` passes an item. No item is made before the bytes
    /// of the one before it are read.
    fn list<T: Default>(
        &mut self,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut count = items.len() as u32;
        self.count(&mut count)?;
        for at in 0..count as usize {
            if at == items.len() {
                items.push(T::default());
            }
            each(self, &mut items[at])?;
        }
        Ok(())
    }
}

/// Writes.
#[derive(Default)]
pub(super) struct Packer {
    pub(super) out: Writer,
}

impl Pass for Packer {
    fn number(&mut self, number: &mut u64) -> Result<(), Fault> {
        self.out.number(*number);
        Ok(())
    }

    fn byte(&mut self, byte: &mut u8) -> Result<(), Fault> {
        self.out.byte(*byte);
        Ok(())
    }

    fn word(&mut self, word: &mut u32) -> Result<(), Fault> {
        self.out.raw(&word.to_le_bytes());
        Ok(())
    }

    fn order(&mut self, order: &mut Option<Order>) -> Result<(), Fault> {
        if let Some(order) = order {
            self.out.number(order.number());
            self.cell(&mut order.goal().cell())?;
        }
        Ok(())
    }

    fn ensure(&self, _: bool, _: &'static str) -> Result<(), Fault> {
        Ok(())
    }
}

/// Digests; of an order its goal alone counts.
impl Pass for Digest {
    fn number(&mut self, number: &mut u64) -> Result<(), Fault> {
        Self::number(self, *number);
        Ok(())
    }

    fn byte(&mut self, byte: &mut u8) -> Result<(), Fault> {
        Self::number(self, u64::from(*byte));
        Ok(())
    }

    fn word(&mut self, word: &mut u32) -> Result<(), Fault> {
        Self::number(self, u64::from(*word));
        Ok(())
    }

    fn order(&mut self, order: &mut Option<Order>) -> Result<(), Fault> {
        let goal = order.as_ref().map(|order| order.goal().cell());
        self.cell(&mut goal.unwrap_or_default())
    }

    fn ensure(&self, _: bool, _: &'static str) -> Result<(), Fault> {
        Ok(())
    }
}

/// Reads.
pub(super) struct Unpacker<'a> {
    pub(super) reader: Reader<'a>,
    world: &'a FlowWorld,
    /// What is wrong with an order.
    pub(super) problem: Option<ArmyLoadError>,
}

impl<'a> Unpacker<'a> {
    pub(super) const fn new(bytes: &'a [u8], world: &'a FlowWorld) -> Self {
        Self {
            reader: Reader::new(bytes),
            world,
            problem: None,
        }
    }
}

impl Pass for Unpacker<'_> {
    fn number(&mut self, number: &mut u64) -> Result<(), Fault> {
        *number = self.reader.number()?;
        Ok(())
    }

    fn byte(&mut self, byte: &mut u8) -> Result<(), Fault> {
        *byte = self.reader.byte()?;
        Ok(())
    }

    fn word(&mut self, word: &mut u32) -> Result<(), Fault> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.reader.raw(4)?);
        *word = u32::from_le_bytes(bytes);
        Ok(())
    }

    fn order(&mut self, order: &mut Option<Order>) -> Result<(), Fault> {
        let number = self.reader.number()?;
        let mut goal = Cell::default();
        self.cell(&mut goal)?;
        match order_of(self.world, number, goal) {
            Ok(found) => *order = Some(found),
            Err(problem) => {
                self.problem = Some(problem);
                return Err(self.reader.fault("the order is not in the world"));
            }
        }
        Ok(())
    }

    fn ensure(&self, is_good: bool, what: &'static str) -> Result<(), Fault> {
        if is_good {
            Ok(())
        } else {
            Err(self.reader.fault(what))
        }
    }
}

/// Returns the order of a world with this number and goal.
pub(super) fn order_of(world: &FlowWorld, number: u64, goal: Cell) -> Result<Order, ArmyLoadError> {
    let order = world
        .order_with_number(number)
        .ok_or(ArmyLoadError::NoOrder { number })?;
    let found = order.goal().cell();
    if found == goal {
        return Ok(order);
    }
    Err(ArmyLoadError::OtherOrder {
        number,
        expected: goal,
        found,
    })
}
