"""A step of 10,000 units from Python beside one in Rust, in one run.

    cargo build --release --example march
    python bench.py target/release/examples/march

Both march the same army, one after the other, several times over. Of every ten steps the quickest
of all runs counts, on both sides, so that what else the machine does is left out. Fails if a step
takes over 5 % longer from Python, or if the two armies do not come to the same hash.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import flowtiles as ft

UNITS, BLOCKS, RUNS = 10_000, 20, 6
ALLOWED = 1.05


def armed() -> ft.Army:
    costs = np.ones((400, 600), np.uint8)
    costs[:300, 200:230] = 6
    costs[50:, 400:402] = ft.WALL
    army = ft.Army(ft.World(costs))
    y, x = np.divmod(np.arange(UNITS), 100)
    army.send_all(army.add_group(np.stack([x + 20.5, y + 150.5], 1)), (580, 380))
    return army


def march() -> tuple[int, list[int]]:
    army, times = armed(), []
    for _ in range(BLOCKS):
        begin = time.perf_counter_ns()
        for _ in range(10):
            army.step()
        times.append(time.perf_counter_ns() - begin)
    return army.hash(), times


def march_in_rust(program: str) -> tuple[int, list[int]]:
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    number, *times = map(int, said.split())
    return number, times


def microseconds(call: Callable[[], object], runs: int = 50) -> float:
    times = []
    for _ in range(runs):
        begin = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - begin)
    return min(times) / 1e3


def main(program: str) -> int:
    best: list[list[int]] = [[], []]
    hashes = set()
    for _ in range(RUNS):
        for side, (number, times) in enumerate([march_in_rust(program), march()]):
            hashes.add(number)
            best[side] = list(map(min, times, best[side] or times))
    rust, python = (sum(times) / BLOCKS / 10 / 1e3 for times in best)
    ratio = python / rust
    print(f"a step of {UNITS} units: Rust {rust:.0f} us, Python {python:.0f} us, {ratio:.3f} times")

    army = armed()
    world = army.world
    army.step(5)
    out = np.empty((UNITS, 2), np.float32)
    print(f"positions: new {microseconds(army.positions):.0f} us,"
          f" into an array {microseconds(lambda: army.positions(out)):.0f} us")
    order = world.order(ft.Goal((580, 380), quality="everywhere"))
    world.tick()
    cells = out.astype(np.int32)
    print(f"sample of {UNITS} cells: {microseconds(lambda: order.sample(cells)):.0f} us")
    print(f"the whole map: flow {microseconds(order.flow):.0f} us,"
          f" cost_to_go {microseconds(order.cost_to_go):.0f} us")
    costs = world.costs()
    print(f"World(costs): {microseconds(lambda: ft.World(costs), 10) / 1e3:.1f} ms")
    if len(hashes) != 1:
        print("the two armies are not the same", file=sys.stderr)
        return 1
    if ratio > ALLOWED:
        print(f"over {ALLOWED} times", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
