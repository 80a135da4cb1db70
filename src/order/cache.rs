//! The cache of plans without claims, for later orders with the same goal.

use std::collections::{BTreeMap, HashMap};

use super::goal::Goal;
use super::plan::{Concern, Plan};
use super::scratch::PlanScratch;
use crate::map::{Change, Map};

/// When an order was last claimed, and its number. The lowest is evicted first.
type Age = (u64, u64);

/// Plans whose last claim is gone, kept for later orders with the same goal. A
/// number of bytes limits them; the least recently claimed are evicted first.
///
/// The cache is neither saved nor hashed, since plans can be derived again. A
/// change of the map that concerns a plan drops it.
#[derive(Default)]
pub(crate) struct Cache {
    plans: BTreeMap<Age, Plan>,
    /// Never iterated, and hashed with the same keys in every run.
    by_goal: KeptByGoal,
    bytes: usize,
    counts: CacheCounts,
}

/// How often the cache was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CacheCounts {
    pub(crate) hits: u64,
    pub(crate) misses: u64,
    pub(crate) evictions: u64,
}

struct KeptByGoal(HashMap<Goal, Age, ahash::RandomState>);

impl Default for KeptByGoal {
    fn default() -> Self {
        let keys = ahash::RandomState::with_seeds(5, 6, 7, 8);
        Self(HashMap::with_hasher(keys))
    }
}

impl Cache {
    /// Keeps a plan if it can serve other units and fits into `bytes_max`;
    /// evicts other plans to make room. `age` is when it was last claimed.
    pub(crate) fn keep(
        &mut self,
        age: Age,
        mut plan: Plan,
        bytes_max: u64,
        scratch: &mut PlanScratch,
    ) {
        if bytes_max == 0 || !plan.may_be_kept() {
            plan.retire(scratch);
            return;
        }
        plan.forget_search(scratch);
        self.bytes += plan.bytes();
        if let Some(older) = self.by_goal.0.insert(plan.goal().clone(), age) {
            self.take_out(older, scratch);
            self.by_goal.0.insert(plan.goal().clone(), age);
        }
        self.plans.insert(age, plan);
        self.shrink(bytes_max, scratch);
    }

    /// Evicts the oldest plans until the rest fits.
    pub(crate) fn shrink(&mut self, bytes_max: u64, scratch: &mut PlanScratch) {
        while self.bytes as u64 > bytes_max
            && let Some((&age, _)) = self.plans.first_key_value()
        {
            self.take_out(age, scratch);
        }
    }

    fn take_out(&mut self, age: Age, scratch: &mut PlanScratch) {
        if let Some(plan) = self.remove(age) {
            self.counts.evictions += 1;
            plan.retire(scratch);
        }
    }

    fn remove(&mut self, age: Age) -> Option<Plan> {
        let plan = self.plans.remove(&age)?;
        self.bytes -= plan.bytes();
        self.by_goal.0.remove(plan.goal());
        Some(plan)
    }

    /// Takes out the plan for a goal, for a new claim on it.
    pub(crate) fn take(&mut self, goal: &Goal) -> Option<Plan> {
        let found = self.by_goal.0.get(goal).copied();
        match found {
            Some(_) => self.counts.hits += 1,
            None => self.counts.misses += 1,
        }
        self.remove(found?)
    }

    /// Drops the plans that a change of the map concerns.
    pub(crate) fn meet_change(&mut self, map: &Map, scratch: &mut PlanScratch, change: &Change) {
        let plans = self.plans.iter_mut();
        let concerned = plans.filter_map(|(&age, plan)| {
            let concern = plan.meet_change(map, scratch, change);
            (concern != Concern::None).then_some(age)
        });
        let concerned: Vec<Age> = concerned.collect();
        // The change may also have altered how many bytes a plan holds.
        self.bytes = self.plans.values().map(Plan::bytes).sum();
        for age in concerned {
            self.take_out(age, scratch);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.plans.len()
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) const fn counts(&self) -> CacheCounts {
        self.counts
    }
}
