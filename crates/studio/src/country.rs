//! The demo's country as the inspector paints it.

use flowtiles::{Cell, Cost};
use flowtiles_inspector::{Ground as Paint, Material, Texel};

use flowtiles_country::daylight::{depth, slope};
use flowtiles_country::landscape::{Ground, Landscape};

/// A drawn country with its materials, the light on its slopes, and its depths.
pub struct Country {
    land: Landscape,
}

impl Country {
    /// The paint of a country.
    pub const fn new(land: Landscape) -> Self {
        Self { land }
    }

    /// A material on a kind of ground, in the light of the land's slopes.
    pub fn shaded(&self, cell: Cell, ground: Ground, material: Material) -> Texel {
        Texel {
            material,
            light: (128 + slope(&self.land, cell, ground)) as u8,
            tone: match ground {
                Ground::Water => depth(self.land.shore[cell]),
                _ => (self.land.heights[cell] / 256) as u8,
            },
        }
    }
}

impl Paint for Country {
    fn texel(&self, cell: Cell, cost: Cost) -> Option<Texel> {
        let ground = *self.land.ground.get(cell)?;
        let material = if cost.value() == ground.cost() {
            material(ground)
        } else if cost.is_wall() && ground == Ground::Bridge {
            Material::Water
        } else if ground == Ground::Water && cost == Cost::OPEN {
            Material::Bridge
        } else {
            return None;
        };
        Some(self.shaded(cell, ground, material))
    }
}

/// Returns the material of a kind of ground.
pub const fn material(ground: Ground) -> Material {
    match ground {
        Ground::Water => Material::Water,
        Ground::Bridge => Material::Bridge,
        Ground::Stream => Material::Stream,
        Ground::Grass => Material::Grass,
        Ground::Sand => Material::Sand,
        Ground::Field => Material::Field,
        Ground::Road => Material::Road,
        Ground::Grove => Material::Grove,
        Ground::Wood => Material::Wood,
        Ground::Swamp => Material::Swamp,
        Ground::Hill => Material::Hill,
        Ground::Rock => Material::Rock,
        Ground::Wall => Material::Masonry,
        Ground::House => Material::House,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_painted_says_what_the_costs_do() {
        let land = Landscape::draw(3);
        let bridge = land.decks[0];
        let cells: Vec<(Cell, Ground)> = land
            .ground
            .cells()
            .step_by(97)
            .map(|cell| (cell, land.ground[cell]))
            .collect();
        let country = Country::new(land);
        for (cell, ground) in cells {
            let own = Cost::new(ground.cost()).unwrap();
            let texel = country.texel(cell, own).expect("its own cost is painted");
            assert_eq!(texel.material, material(ground));
            let other = Cost::new(200).unwrap();
            assert_eq!(country.texel(cell, other), None, "a cost of no ground here");
        }
        let deck = Cell::new(bridge.x, bridge.y);
        let fallen = country.texel(deck, Cost::WALL).unwrap();
        assert_eq!(fallen.material, Material::Water);
    }
}
