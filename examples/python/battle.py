"""A battle of two armies on one map, with shots, as plain rules over `flowtiles`.

`arena.py` makes an environment of it, `sweep.py` fights it thousands of times. Nothing here depends
on a clock or on what is not in the world, the army and the lives: the same calls come to the same
`hash` everywhere.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import product

import numpy as np
from numpy.typing import NDArray

import flowtiles as ft

WIDTH, HEIGHT, REGION = 64, 48, 8
COLUMNS, ROWS = WIDTH // REGION, HEIGHT // REGION
REGIONS = COLUMNS * ROWS
GROUPS, UNITS = 3, 8
"""Groups of a team, and units of a group."""
LIFE, RANGE, SIGHT = 6, 3.0, 9.0
"""Shots that a unit bears, the gap that it shoots across, and how far it sees foes, in cells."""
FOREST, CAMP = 3, 10
VOLLEYS, STEPS = 2, 10
"""Volleys of a round, and the army's steps before each: a volley in half a second."""


def drawn_map(rng: np.random.Generator) -> ft.World:
    """Draws blocks and forests, the same for both sides: turned by half, the map is itself."""
    while True:
        costs = np.ones((HEIGHT, WIDTH), np.uint8)
        for kind in (FOREST, FOREST, FOREST, ft.WALL, ft.WALL, ft.WALL, ft.WALL):
            x, y = rng.integers((CAMP, 0), (WIDTH // 2, HEIGHT - 4))
            width, height = rng.integers(3, 12, 2)
            costs[y : y + height, x : min(x + width, WIDTH - CAMP)] = kind
        world = ft.World(np.maximum(costs, costs[::-1, ::-1]))
        if world.reachable((2, HEIGHT // 2), (WIDTH - 3, HEIGHT // 2)) and world.is_free(
            (0, 0, CAMP, HEIGHT)
        ):
            return world


def passes(width: int) -> ft.World:
    """A wall from north to south with two passes of this width."""
    costs = np.ones((HEIGHT, WIDTH), np.uint8)
    costs[:, WIDTH // 2 - 1 : WIDTH // 2 + 1] = ft.WALL
    for middle in (HEIGHT // 4, 3 * HEIGHT // 4):
        begin = middle - width // 2
        costs[begin : begin + width, WIDTH // 2 - 1 : WIDTH // 2 + 1] = 1
    return ft.World(costs)


class Battle:
    """Team 0 comes from the west, team 1 from the east, each in groups that are sent to regions.

    radius: that of a unit's body, in cells.
    jam_costs: what cells cost more where units are jammed, for slight jams to full ones.
    """

    def __init__(
        self,
        world: ft.World,
        rng: np.random.Generator,
        radius: float = 0.35,
        jam_costs: tuple[int, int, int, int] = (0, 0, 0, 0),
    ) -> None:
        self.army = ft.Army(world)
        # Of the middles of two units that are in range of each other, with some slack.
        self.distance = RANGE + 2 * radius + 0.25
        self.notes_jams = any(jam_costs)
        # The ground's own layer is for bodies of one cell, and has no surcharges.
        needs_layer = radius > 0.5 or self.notes_jams
        self.layer = world.add_layer(size=int(np.ceil(2 * radius))) if needs_layer else 0
        if self.notes_jams:
            self.army.set_jam_costs(self.layer, jam_costs)
        self.lives = np.full(2 * GROUPS * UNITS, LIFE)
        """By id, what each unit bears yet. Ids count the units of a group, the groups of a team."""
        self.groups: list[int] = []
        self.goals = [-1] * (2 * GROUPS)
        """By group, the region to which it is sent; -1 for none."""
        at = np.arange(UNITS)
        for team, number in product(range(2), range(GROUPS)):
            middle = (number + 0.5) * HEIGHT / GROUPS
            places = np.stack([at % 2 + 1.5, at // 2 - 1.5], 1) * 2.5 * radius
            places += (1, middle) + rng.uniform(-0.2, 0.2, places.shape)
            if team == 1:
                places = (WIDTH, HEIGHT) - places
            ids = (team * GROUPS + number) * UNITS + at
            group = self.army.add_group(places, ids=ids, radius=radius)
            self.army.set_manner(group, team=team, foes=1 - team)
            self.army.set_layer(group, self.layer)
            self.groups.append(group)

    def fork(self) -> Battle:
        """A copy that goes on alike, to look ahead in."""
        other = object.__new__(Battle)
        world = self.army.world.fork()
        other.army = self.army.fork(world)
        world.drop_claims()  # The army has its own; without this no order of the fork would end.
        other.layer, other.notes_jams = self.layer, self.notes_jams
        other.distance = self.distance
        other.lives, other.goals = self.lives.copy(), self.goals.copy()
        other.groups = self.groups
        return other

    def hash(self) -> int:
        """A number of all that decides how the battle goes on."""
        both = self.army.world.hash(), self.army.hash(), self.lives.tolist(), self.goals
        return int.from_bytes(blake2b(repr(both).encode(), digest_size=8).digest(), "big")

    def send(self, team: int, regions: NDArray[np.integer]) -> None:
        """Sends the groups of a team to regions, which count along the rows, attacking on the way.

        A group that is on its way there goes on.
        """
        chase = ft.Chase(range=RANGE, sight=SIGHT)
        for number, region in enumerate(map(int, regions), team * GROUPS):
            alive = self.lives[number * UNITS : (number + 1) * UNITS].any()
            if not alive or region == self.goals[number]:
                continue
            middle = np.array(divmod(region, COLUMNS)[::-1]) * REGION + REGION // 2
            goal = ft.Goal(middle, or_nearest=True)
            self.army.send_all(self.groups[number], goal, attack=chase)
            self.goals[number] = region

    def round(self) -> None:
        """A second: the units move, and those in range of their quarry shoot at the nearest foe."""
        for _ in range(VOLLEYS):
            self.army.step(STEPS)
            if self.notes_jams:
                self.army.note_jams()
            shooters = self.army.ids()[self.army.states() == ft.State.ENGAGED]
            hit = self.army.nearest_foes(shooters, self.distance)
            before = self.lives > 0
            np.subtract.at(self.lives, hit[hit != shooters], 1)
            np.maximum(self.lives, 0, out=self.lives)
            self.army.remove_units(np.flatnonzero(before & (self.lives == 0)))

    def strength(self) -> NDArray[np.int64]:
        """What the units of each team bear yet, in all."""
        strength: NDArray[np.int64] = self.lives.reshape(2, -1).sum(1)
        return strength

    def regions(self) -> NDArray[np.int64]:
        """By group and region, what the units there bear yet."""
        found = np.zeros((2 * GROUPS, REGIONS), np.int64)
        ids = self.army.ids()
        x, y = (self.army.positions() // REGION).astype(np.int64).T
        np.add.at(found, (ids // UNITS, y * COLUMNS + x), self.lives[ids])
        return found


def hunt(mine: NDArray[np.floating], foes: NDArray[np.floating]) -> NDArray[np.int64]:
    """The scripted player: each group goes where the foes are many and near.

    mine: by group and region, how strong it is there; foes: by region. Returns a region for each
    group.
    """
    y, x = np.divmod(np.arange(REGIONS), COLUMNS)
    away = np.hypot(x[:, None] - x, y[:, None] - y)
    weights = mine / np.maximum(mine.sum(1, keepdims=True), 1e-9)
    best: NDArray[np.int64] = (foes / (1 + weights @ away)).argmax(1)
    return best
