"""Games that come to the same numbers as in Rust: those that its tests have recorded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flowtiles as ft

ROOT = Path(__file__).parents[3]
WORD = (1 << 64) - 1


def test_the_battle_of_the_c_abi() -> None:
    world = ft.World.open(120, 80)
    world[:, 60] = ft.WALL
    world[20:26, 60] = 1
    world[54:60, 60] = 1
    world[10:30, 70:90] = 4
    army = ft.Army(world)
    at = np.arange(60)
    sides = []
    for side in range(2):
        places = np.stack([4.5 + 106 * side + at % 6, 20.5 + at // 6], 1)
        group = army.add_group(places, ids=60 * side + at)
        army.march(group, (110 - 102 * side, 40))
        sides.append(group)
    for side, group in enumerate(sides):
        army.set_manner(group, team=side, foes=1 - side)
    for tick in range(400):
        if tick == 100:
            world[20:26, 60] = ft.WALL
        if tick == 200:
            army.form(sides[0], "box", 1.25)
        army.step()
    recorded = (ROOT / "crates/flowtiles-capi/tests/battle.hashes").read_text().split()
    assert [world.hash(), army.hash()] == [int(number, 16) for number in recorded]


class Draw:
    """The draws of the recorded games."""

    def __init__(self, seed: int) -> None:
        self.state = (seed * 2_654_435_761 + 12_345) % 2**32

    def float(self, low: float, high: float) -> np.float32:
        self.state = (self.state * 1_664_525 + 1_013_904_223) % 2**32
        part = np.float32((self.state >> 8) % (1 << 20)) / np.float32(1 << 20)
        return np.float32(low) + (np.float32(high) - np.float32(low)) * part


class Digest:
    """The digest of the recorded games."""

    def __init__(self) -> None:
        self.state = 0x666C_6F77_7469_6C65

    def number(self, number: int) -> None:
        turned = (self.state << 23 | self.state >> 41) & WORD
        mixed = ((turned ^ number) * 0x9E37_79B9_7F4A_7C15) & WORD
        self.state = mixed ^ (mixed >> 29)

    def finish(self) -> int:
        self.number(0)
        self.number(0)
        return self.state


# The states as the games number them, by the numbers of this package.
STATES = np.array([0, 1, 3, 2], np.uint64)


def played(army: ft.Army, steps: int, edits: list[tuple[int, slice, slice, int]]) -> int:
    digest = Digest()
    army.put_out_of_walls()
    for step in range(steps):
        for _, y, x, cost in (edit for edit in edits if edit[0] == step):
            army.world[y, x] = cost
            if step % 2 == 0:
                army.put_out_of_walls()
        army.step(cells=20_000)
        digest.number(len(army.events()))
        moved = np.concatenate([army.positions(), army.velocities()], 1).view(np.uint32)
        words = moved.astype(np.uint64).T
        place, pace = (words[at] | words[at + 1] << np.uint64(32) for at in (0, 2))
        rows = np.stack([place, pace, STATES[army.states()]], 1)
        for number in rows.ravel().tolist():
            digest.number(number)
    digest.number(int(np.float32(army.deepest_overlap()).view(np.uint32)))
    return digest.finish()


NINE = np.float32(0.9)


def door(reading: str) -> int:
    draw = Draw(31)
    world = ft.World.open(70, 50)
    world[:, 34:36] = ft.WALL
    world[24:26, 34:36] = 1
    world[30:39, 10:19] = 3
    army = ft.Army(world)
    at = np.arange(220)
    for goal, left in [((60, 25), 5), ((8, 40), 44)]:
        order = world.order(goal, (left, 20))
        group = army.add_group(reading=reading)  # type: ignore[arg-type]
        army.send(group, order)
        drawn = [(draw.float(0.15, 0.45), draw.float(2.0, 5.0)) for _ in at]
        across, down = (at % 16).astype(np.float32), (at // 16).astype(np.float32)
        places = [np.float32(left) + across * NINE, np.float32(14) + down * NINE]
        radii, speeds = np.array(drawn, np.float32).T
        army.add_units(group, np.stack(places, 1), radius=radii, speed=speeds)
    edits = [
        (150, slice(18, 30), slice(20, 22), ft.WALL),
        (211, slice(10, 13), slice(34, 36), 1),
        (300, slice(18, 30), slice(20, 22), 1),
    ]
    return played(army, 400, edits)


def layers() -> int:
    draw = Draw(5)
    world = ft.World.open(120, 80)
    for block in range(24):
        x, y = 30 + block * 37 % 60, 5 + block * 53 % 66
        world.edit((x, y, 4, 3), ft.WALL)
    army = ft.Army(world)
    at = np.arange(30)
    for width in range(1, 5):
        layer = world.add_layer(size=width)
        y = 8 + 18 * (width - 1)
        order = world.order(ft.Goal((108, 74 - y), layer=layer), (12, y))
        group = army.add_group()
        army.send(group, order)
        radii = np.array([np.float32(width / 2) - draw.float(0.05, 0.2) for _ in at], np.float32)
        step = np.float32(width) + np.float32(0.1)
        across = (at % 5).astype(np.float32) * step
        down = (at // 5).astype(np.float32) * step
        places = np.stack([np.float32(3) + across, np.float32(y) - np.float32(5) + down], 1)
        army.add_units(group, places, radius=radii)
    return played(army, 300, [])


def test_recorded_armies() -> None:
    lines = (ROOT / "tests/corpus/armies.txt").read_text().splitlines()
    recorded = {name: int(number, 16) for name, number in (line.rsplit(" ", 1) for line in lines)}
    assert door("ahead") == recorded["door"]
    assert door("crowd") == recorded["crowd"]
    assert layers() == recorded["layers"]


@pytest.mark.parametrize("count", [1, 7, 50])
def test_steps_at_once_are_steps_one_by_one(count: int) -> None:
    armies = []
    for _ in range(2):
        army = ft.Army(ft.World.open(60, 40))
        army.send_all(army.add_group([(5.5, 5.5), (6.5, 5.5), (5.5, 6.5)]), (50, 30))
        armies.append(army)
    kinds = []
    for step in range(350 // count * count):
        armies[0].step()
        kinds += [(step % count, event["kind"], event["unit"]) for event in armies[0].events()]
    at_once = []
    for _ in range(350 // count):
        armies[1].step(count)
        at_once += [(event["step"], event["kind"], event["unit"]) for event in armies[1].events()]
    assert armies[0].hash() == armies[1].hash()
    assert kinds == at_once
    assert ft.EventKind.GROUP_ARRIVED in {kind for _, kind, _ in kinds}
