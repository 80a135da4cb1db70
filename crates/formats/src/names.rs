//! The costs of kinds of ground by their names.

use std::collections::BTreeMap;

use flowtiles::Cost;

/// The usual names by their costs, with blanks between them.
const USUAL: [(u8, &str); 4] = [
    (
        1,
        "bridge dirt earth empty floor grass ground meadow open path plain road street \
         walkable",
    ),
    (2, "gravel sand snow"),
    (3, "bush forest hill marsh mud rough shallow swamp"),
    (
        255,
        "abyss block blocked building chasm cliff collision deepwater fence hole lake \
         lava mountain obstacle ocean pit river rock sea solid stone tree void wall water",
    ),
];

/// The costs of kinds of ground by their names: of the values of LDtk's int-grid layers.
///
/// The usual English names have costs: ground, grass, floors, roads and bridges 1, sand and
/// snow 2, forest, hills, mud and swamp 3, and walls, water, rock and trees are walls. Names
/// are the same whatever their case, their blanks, `_` and `-`, and an `s` at their end, if
/// anything else is in them:
///
/// ```
/// use flowtiles::Cost;
/// use flowtiles_formats::Names;
///
/// let names = Names::usual().with("Tall grass", Cost::new(2)?);
/// assert_eq!(names.cost("tall_grass"), Some(Cost::new(2)?));
/// assert_eq!(names.cost("Walls"), Some(Cost::WALL));
/// assert_eq!(names.cost("lantern"), None);
/// # Ok::<(), flowtiles::error::ZeroCost>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    costs: BTreeMap<String, Cost>,
    has_usual: bool,
}

impl Names {
    /// Returns names without costs.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            costs: BTreeMap::new(),
            has_usual: false,
        }
    }

    /// Returns the usual names with their costs.
    #[must_use]
    pub const fn usual() -> Self {
        Self {
            costs: BTreeMap::new(),
            has_usual: true,
        }
    }

    /// Returns the names with one changed or added.
    #[must_use]
    pub fn with(mut self, name: &str, cost: Cost) -> Self {
        self.costs.insert(plain(name), cost);
        self
    }

    /// Returns the cost of a name, if it has one.
    #[must_use]
    pub fn cost(&self, name: &str) -> Option<Cost> {
        let name = plain(name);
        if let Some(&cost) = self.costs.get(&name) {
            return Some(cost);
        }
        let mut usual = USUAL.iter().filter(|_| self.has_usual);
        let (cost, _) =
            usual.find(|(_, names)| names.split(' ').any(|known| plain(known) == name))?;
        Cost::new(*cost).ok()
    }
}

/// Returns a name in the form in which names are compared.
fn plain(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '_' | '-'));
    let kept: String = kept.flat_map(char::to_lowercase).collect();
    match kept.strip_suffix('s') {
        _ if kept.is_empty() => name.to_owned(),
        Some(singular) if !singular.is_empty() => singular.to_owned(),
        _ => kept,
    }
}
