//! The storage of the cells that a stream solves.
//!
//! The ground has a page for each sector that any stream uses. A stream has its
//! own pages only for sectors that it solves, or whose directions it still
//! gives. *Slots* map the ground's pages to the stream's own, so the stream's
//! arrays are as long as its own domain. A page keeps its slot from round to
//! round, and with the slot its directions and the links between its cells:
//!
//! ```text
//!   ground   page 0    1     2     3     4        of all streams
//!   slots         0    2     0     1     0
//!                      │           │
//!   stream   slot 0    1     2  ◀──┼── pages of its own; slot 0 is all wall
//! ```

use std::ops::Range;

use super::eikonal::Sides;
use super::ground::{CLOSED, CrowdGround, NO_PAGE};
use super::numbering::{Numbering, fit};
use crate::arrays::array_of;

/// The slot of every page that the stream has no page of its own for.
const NO_SLOT: u32 = 0;

/// The inputs of the links of a page's cells: the page and the four pages
/// beside it, each with its slot and the time at which its costs were copied.
type PageOrigin = [(u32, u64); 5];

/// The pages of one stream.
#[derive(Clone)]
pub(super) struct Layout {
    /// The slot of each page of the ground.
    slots: Vec<u32>,
    /// The page of each slot.
    pages: Vec<u32>,
    /// Whether each slot is solved.
    is_solved: Vec<bool>,
    origins: Vec<PageOrigin>,
    numbering: Numbering,
}

impl Default for Layout {
    fn default() -> Self {
        let mut numbering = Numbering::default();
        numbering.take();
        Self {
            slots: Vec::new(),
            pages: vec![NO_PAGE],
            is_solved: vec![false],
            origins: vec![PageOrigin::default()],
            numbering,
        }
    }
}

impl Layout {
    /// Gives slots to the pages of a domain, and frees all other slots except
    /// those whose directions are still valid.
    pub(super) fn arrange(&mut self, ground: &CrowdGround, domain: &[u32], is_led: &[bool]) {
        self.is_solved.fill(false);
        self.slots.resize(ground.page_count(), NO_SLOT);
        for &page in domain {
            let slot = self.slots[page as usize];
            self.is_solved[slot as usize] = slot != NO_SLOT;
        }
        for slot in 1..self.pages.len() {
            let page = self.pages[slot];
            let leads = is_led.get(page as usize) == Some(&true);
            if page != NO_PAGE && !self.is_solved[slot] && !leads {
                // The ground may have fewer pages than before.
                if let Some(slot) = self.slots.get_mut(page as usize) {
                    *slot = NO_SLOT;
                }
                self.pages[slot] = NO_PAGE;
                self.origins[slot] = PageOrigin::default();
                self.numbering.give_back(slot as u32);
            }
        }
        for &page in domain {
            if self.slots[page as usize] == NO_SLOT {
                let slot = self.numbering.take();
                self.fit();
                self.slots[page as usize] = slot;
                self.pages[slot as usize] = page;
                self.is_solved[slot as usize] = true;
            }
        }
        self.fit();
    }

    fn fit(&mut self) {
        let count = self.count();
        fit(&mut self.pages, count, NO_PAGE);
        fit(&mut self.is_solved, count, false);
        fit(&mut self.origins, count, PageOrigin::default());
    }

    /// Returns the number of slots, slot 0 included.
    pub(super) const fn count(&self) -> usize {
        self.numbering.end()
    }

    /// Whether a page is solved.
    pub(super) fn solves(&self, page: usize) -> bool {
        self.is_solved[self.slot(page)]
    }

    /// Returns the page of a slot.
    pub(super) fn page(&self, slot: usize) -> u32 {
        self.pages[slot]
    }

    /// Returns the slot of a page; 0 if the stream has no page of its own for
    /// it.
    #[inline]
    pub(super) fn slot(&self, page: usize) -> usize {
        self.slots.get(page).map_or(0, |&slot| slot as usize)
    }

    /// Returns the stream's own cells of a page.
    pub(super) fn own(&self, ground: &CrowdGround, page: u32) -> Range<usize> {
        let first = self.slot(page as usize) * ground.page_cells();
        first..first + ground.page_cells()
    }

    /// Returns the place of a field cell of a page among the stream's own
    /// cells; a place in slot 0 if the stream has no page for it.
    #[inline]
    pub(super) fn place(&self, ground: &CrowdGround, page: usize, cell: usize) -> usize {
        let page_cells = ground.page_cells();
        self.slot(page) * page_cells + (cell - page * page_cells)
    }

    /// Returns the place of a field cell that is solved, and 0 for any other.
    pub(super) fn solved_place(&self, ground: &CrowdGround, cell: usize) -> usize {
        let page = cell / ground.page_cells();
        if self.solves(page) {
            self.place(ground, page, cell)
        } else {
            0
        }
    }

    /// Links the cells of a domain with their neighbours, on the pages whose
    /// surroundings have changed. Neighbours beyond the domain become walls.
    pub(super) fn link(&mut self, ground: &CrowdGround, domain: &[u32], sides: &mut [Sides]) {
        for &page in domain {
            let origin = self.origin(ground, page);
            let slot = self.slot(page as usize);
            if self.origins[slot] == origin {
                continue;
            }
            self.origins[slot] = origin;
            for (place, cell) in self.own(ground, page).zip(ground.range(page)) {
                sides[place].links = array_of(|side| {
                    let next = ground.neighbour(cell, side);
                    let is_closed = ground.costs[cell] == CLOSED || ground.costs[next] == CLOSED;
                    if is_closed {
                        0
                    } else {
                        self.solved_place(ground, next) as u32
                    }
                });
            }
        }
    }

    fn origin(&self, ground: &CrowdGround, page: u32) -> PageOrigin {
        let part = |page: u32| {
            let slot = self.slot(page as usize);
            let slot = if self.is_solved[slot] { slot } else { 0 };
            (slot as u32, ground.taken_in_at(page))
        };
        let beside: [u32; 4] = array_of(|side| ground.beside(page, side));
        [
            part(page),
            part(beside[0]),
            part(beside[1]),
            part(beside[2]),
            part(beside[3]),
        ]
    }
}
