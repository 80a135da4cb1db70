//! The bytes of a save: numbers, then the map and the army.

use std::collections::BTreeMap;

use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use flowtiles::steer::GroupId;
use flowtiles::{CellRect, Cost, GateId, LayerId, StampId, Teams};

use crate::battle::{Books, Foes};
use crate::class;
use crate::obstacle::Laid;
use crate::{FlowObstacle, FlowShape};

const HEAD: &[u8] = b"FLOWBEVY";
const VERSION: u64 = 3;
const NOT_SET: u64 = u64::MAX;

/// What a save has beside the map and the army.
pub(crate) struct Contents {
    pub(crate) books: Books,
    pub(crate) foes: Foes,
    /// By unit.
    pub(crate) units: BTreeMap<u32, Said>,
    /// By number.
    pub(crate) obstacles: BTreeMap<u32, (FlowObstacle, Transform)>,
}

/// What the components of a unit say that the army does not know.
#[derive(Clone, Copy, Default)]
pub(crate) struct Said {
    pub(crate) class: Option<LayerId>,
    /// How far it sees, in cells.
    pub(crate) sight: Option<u32>,
    /// Whether the game moves its body.
    pub(crate) is_driven: bool,
}

/// Returns the bytes of a save.
pub(crate) fn pack(contents: &Contents, map: &[u8], army: &[u8]) -> Vec<u8> {
    let Contents {
        books,
        foes,
        units,
        obstacles,
    } = contents;
    let mut numbers = vec![VERSION, books.next_id.into(), books.next_obstacle.into()];
    numbers.extend(foes.map(|foes| foes.map_or(NOT_SET, |foes| foes.bits().into())));
    numbers.push(books.idle.len() as u64);
    let idle = books.idle.iter();
    numbers.extend(idle.flat_map(|(&class, group)| [class::number_of(class), group.number()]));
    numbers.push(books.made.len() as u64);
    numbers.extend(books.made.iter().map(|group| group.number()));
    numbers.push(units.len() as u64);
    for (&id, said) in units {
        let class = class::number_of(said.class);
        let sight = said.sight.map_or(NOT_SET, u64::from);
        numbers.extend([id.into(), class, sight, said.is_driven.into()]);
    }
    numbers.push(obstacles.len() as u64);
    for (&id, (obstacle, at)) in obstacles {
        numbers.push(id.into());
        write_place(at, &mut numbers);
        write_laid(obstacle.laid(), &mut numbers);
        write_shape(&obstacle.shape, &mut numbers);
    }
    numbers.push(map.len() as u64);
    let numbers = numbers.into_iter().flat_map(u64::to_le_bytes);
    let mut bytes: Vec<u8> = HEAD.iter().copied().chain(numbers).collect();
    bytes.extend(map);
    bytes.extend(army);
    bytes
}

/// Returns what is in a save, its map and its army; `None` if these bytes are none.
pub(crate) fn unpack(bytes: &[u8]) -> Option<(Contents, &[u8], &[u8])> {
    let mut numbers = Numbers(bytes.strip_prefix(HEAD)?);
    if numbers.next()? != VERSION {
        return None;
    }
    let mut books = Books {
        next_id: numbers.narrow()?,
        next_obstacle: numbers.narrow()?,
        ..Books::default()
    };
    let mut foes = Foes::default();
    for foes in &mut foes {
        *foes = numbers.if_set()?.map(Teams::from_bits);
    }
    for _ in 0..numbers.next()? {
        let class = class::with_number(numbers.next()?)?;
        let group = GroupId::from_number(numbers.next()?);
        books.idle.insert(class, group);
    }
    for _ in 0..numbers.next()? {
        books.made.insert(GroupId::from_number(numbers.next()?));
    }
    let mut units = BTreeMap::new();
    for _ in 0..numbers.next()? {
        let id = numbers.narrow()?;
        let said = Said {
            class: class::with_number(numbers.next()?)?,
            sight: numbers.if_set()?,
            is_driven: numbers.next()? == 1,
        };
        units.insert(id, said);
    }
    let mut obstacles = BTreeMap::new();
    for _ in 0..numbers.next()? {
        let id = numbers.narrow()?;
        let at = read_place(&mut numbers)?;
        let laid = read_laid(&mut numbers)?;
        let shape = read_shape(&mut numbers)?;
        obstacles.insert(id, (FlowObstacle::known(shape, id, laid), at));
    }
    // The next of each gets a number that none has.
    let fits = |last: Option<&u32>, next: u32| last.is_none_or(|&last| last < next);
    let is_numbered = fits(units.keys().next_back(), books.next_id)
        && fits(obstacles.keys().next_back(), books.next_obstacle)
        && books.next_id.max(books.next_obstacle) < u32::MAX;
    if !is_numbered {
        return None;
    }
    let length = numbers.narrow()?;
    let (map, army) = numbers.0.split_at_checked(length)?;
    let contents = Contents {
        books,
        foes,
        units,
        obstacles,
    };
    Some((contents, map, army))
}

/// Reads one number after the other.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u64> {
        let (number, behind) = self.0.split_first_chunk()?;
        self.0 = behind;
        Some(u64::from_le_bytes(*number))
    }

    /// Reads a number of fewer bits; `None` if it has more.
    fn narrow<T: TryFrom<u64>>(&mut self) -> Option<T> {
        self.next()?.try_into().ok()
    }

    /// Reads such a number, or that there is none.
    fn if_set<T: TryFrom<u64>>(&mut self) -> Option<Option<T>> {
        match self.next()? {
            NOT_SET => Some(None),
            number => Some(Some(number.try_into().ok()?)),
        }
    }

    fn float(&mut self) -> Option<f32> {
        Some(f32::from_bits(self.narrow()?))
    }

    fn signed(&mut self) -> Option<i32> {
        Some(self.narrow::<u32>()?.cast_signed())
    }

    fn cost(&mut self) -> Option<Cost> {
        Cost::new(self.narrow()?).ok()
    }

    fn area(&mut self) -> Option<CellRect> {
        let (x, y) = (self.signed()?, self.signed()?);
        Some(CellRect::new(x, y, self.narrow()?, self.narrow()?))
    }
}

fn float(at: f32) -> u64 {
    at.to_bits().into()
}

fn write_area(area: CellRect, numbers: &mut Vec<u64>) {
    let corner = [area.x, area.y].map(|at| u64::from(at.cast_unsigned()));
    numbers.extend(corner);
    numbers.extend([area.width, area.height].map(u64::from));
}

fn write_place(at: &Transform, numbers: &mut Vec<u64>) {
    numbers.extend(at.translation.to_array().map(float));
    numbers.extend(at.rotation.to_array().map(float));
    numbers.extend(at.scale.to_array().map(float));
}

fn read_place(numbers: &mut Numbers<'_>) -> Option<Transform> {
    let mut place = [0.0; 10];
    for number in &mut place {
        *number = numbers.float()?;
    }
    let [x, y, z, a, b, c, d, wide, high, deep] = place;
    Some(Transform {
        translation: Vec3::new(x, y, z),
        rotation: Quat::from_xyzw(a, b, c, d),
        scale: Vec3::new(wide, high, deep),
    })
}

fn write_laid(laid: Option<Laid>, numbers: &mut Vec<u64>) {
    numbers.extend(match laid {
        None => [0, 0],
        Some(Laid::Stamp(stamp)) => [1, stamp.number()],
        Some(Laid::Gate(gate)) => [2, gate.number()],
        Some(Laid::Danger) => [3, 0],
    });
}

fn read_laid(numbers: &mut Numbers<'_>) -> Option<Option<Laid>> {
    let (kind, number) = (numbers.next()?, numbers.next()?);
    Some(match kind {
        0 => None,
        1 => Some(Laid::Stamp(StampId::from_number(number))),
        2 => Some(Laid::Gate(GateId::from_number(number))),
        3 => Some(Laid::Danger),
        _ => return None,
    })
}

fn write_shape(shape: &FlowShape, numbers: &mut Vec<u64>) {
    match shape {
        FlowShape::Building { corners, cost, rim } => {
            let (width, dear) = rim.map_or((0, 0), |(width, cost)| (float(width), cost.value()));
            numbers.extend([0, cost.value().into(), width, dear.into()]);
            numbers.push(corners.len() as u64);
            numbers.extend(corners.iter().flatten().copied().map(float));
        }
        &FlowShape::Gate { area, open_to } => {
            numbers.extend([1, open_to.bits().into()]);
            write_area(area, numbers);
        }
        &FlowShape::Danger {
            layer,
            area,
            surcharge,
        } => {
            numbers.extend([2, class::number_of(Some(layer)), surcharge.into()]);
            write_area(area, numbers);
        }
    }
}

fn read_shape(numbers: &mut Numbers<'_>) -> Option<FlowShape> {
    Some(match numbers.next()? {
        0 => {
            let cost = numbers.cost()?;
            let width = numbers.float()?;
            let rim = match numbers.narrow::<u8>()? {
                0 => None,
                dear => Some((width, Cost::new(dear).ok()?)),
            };
            let mut corners = Vec::new();
            for _ in 0..numbers.next()? {
                corners.push([numbers.float()?, numbers.float()?]);
            }
            FlowShape::Building { corners, cost, rim }
        }
        1 => FlowShape::Gate {
            open_to: Teams::from_bits(numbers.narrow()?),
            area: numbers.area()?,
        },
        2 => FlowShape::Danger {
            layer: class::with_number(numbers.next()?)??,
            surcharge: numbers.narrow()?,
            area: numbers.area()?,
        },
        _ => return None,
    })
}
