"""Thousands of battles over seeds and parameters, on all cores of one machine or of many, by Ray.

    python sweep.py battles.csv --seeds 50 --plot battles.png
    python sweep.py battles.csv --seeds 50 --address auto    # on the cluster of this machine
    python sweep.py battles.csv --seeds 50 --without-ray     # one after the other

Two armies meet at a wall with two passes. What is swept: the width of the passes, the radius of
units, and what jammed cells cost more. A battle is a pure function of its parameters and its seed,
so it does not matter where it is fought, in which order, or how often it is begun: the table has
the same bytes, also when workers die. A sweep that is broken off goes on from its table.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import battle
import flowtiles as ft
from battle import GROUPS, REGIONS, Battle, hunt, passes

WIDTHS, RADII, JAMS = (2, 4, 8), (0.35, 0.7), (0, 8, 32)
ROUNDS, THINK = 120, 4
"""A battle's longest, and after how many rounds the players think again."""
IN_FLIGHT, KEPT_EVERY = 64, 50
"""Battles given to Ray at a time, and after how many new rows the table is written."""


class Task(NamedTuple):
    """What a battle depends on."""

    width: int
    """Of the passes, in cells."""
    radius: float
    jam: int
    """What a cell in a full jam costs more."""
    seed: int

    def __str__(self) -> str:
        return f"width {self.width}, radius {self.radius}, jam {self.jam}, seed {self.seed}"


class Row(NamedTuple):
    """A line of the table: the task, and what came of it."""

    width: int
    radius: float
    jam: int
    seed: int
    rounds: int
    west: int
    """What the army of the west bears yet at the end."""
    east: int
    engine: str
    """The version of `flowtiles`: another may come to other battles."""
    hash: str


Fight = Callable[[bytes, Task], Row]


def fight(save: bytes, task: Task) -> Row:
    """Fights a battle on the world of a save."""
    jams = (task.jam // 4, task.jam // 2, 3 * task.jam // 4, task.jam)
    fought = Battle(ft.World.load(save), np.random.default_rng(task.seed), task.radius, jams)
    rounds = 0
    while rounds < ROUNDS and fought.strength().all():
        if rounds % THINK == 0:
            regions = fought.regions().reshape(2, GROUPS, REGIONS).astype(np.float64)
            for team in range(2):
                fought.send(team, hunt(regions[team], regions[1 - team].sum(0)))
        fought.round()
        rounds += 1
    west, east = fought.strength().tolist()
    return Row(*task, rounds, west, east, ft.__version__, f"{fought.hash():016x}")


def tasks(seeds: int) -> list[Task]:
    return [Task(*values) for values in product(WIDTHS, RADII, JAMS, range(seeds))]


def read(path: Path) -> dict[Task, Row]:
    """Reads the rows of a table that a sweep has left."""
    rows: dict[Task, Row] = {}
    with path.open(newline="") as file:
        lines = csv.reader(file)
        if next(lines, None) != list(Row._fields):
            header = ",".join(Row._fields)
            raise ValueError(f"{path} does not begin with {header}: name another file")
        for line in lines:
            try:
                width, radius, jam, seed, rounds, west, east, engine, hash_ = line
                task = Task(int(width), float(radius), int(jam), int(seed))
                rows[task] = Row(*task, int(rounds), int(west), int(east), engine, hash_)
            except ValueError as error:
                raise ValueError(f"{path}, line {lines.line_num}: {error}") from None
            check_engine(f"{path}, line {lines.line_num}", engine)
    return rows


def check_engine(where: object, engine: str) -> None:
    """Refuses what another version has fought: battles of two versions are not to be compared."""
    if engine != ft.__version__:
        raise ValueError(
            f"{where}: fought by flowtiles {engine}, and this is {ft.__version__}: begin a new "
            "table, with the same version on all machines"
        )


def check_tasks(path: Path, rows: Iterable[Task], todo: list[Task]) -> None:
    """Refuses rows that are not of this sweep, and names values that it does not have."""
    strange = min(set(rows) - set(todo), default=None)
    if strange is None:
        return
    asked = [set(values) for values in zip(*todo, strict=True)]
    other = [
        f"{name} {value}" + (" (raise --seeds)" if name == "seed" else "")
        for name, value, known in zip(Task._fields, strange, asked, strict=True)
        if value not in known
    ]
    what = " and ".join(other) or "battle with these values together"
    raise ValueError(
        f"{path} has a battle with {strange}, and this sweep has no {what}: sweep as before, or name "
        "another file"
    )


def write(path: Path, todo: Iterable[Task], rows: dict[Task, Row]) -> None:
    """Writes the table in the order of the tasks: whole, or not at all."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(Row._fields)
    table.writerows(rows[task] for task in todo if task in rows)
    beside = path.with_name(path.name + ".part")
    beside.write_text(text.getvalue(), newline="")
    os.replace(beside, path)


def in_order(saves: dict[int, bytes], todo: list[Task], fight: Fight) -> Iterator[Row]:
    """The plain way: one battle after the other, here."""
    return (fight(saves[task.width], task) for task in todo)


def by_ray(saves: dict[int, bytes], todo: list[Task], fight: Fight) -> Iterator[Row]:
    """Battles as they end, each fought in a process of Ray's, and again if that dies.

    Each world is put into the object store once; its save comes to every machine that needs it.
    """
    import ray

    # With its bytes the module comes to machines on which these files are not.
    ray.cloudpickle.register_pickle_by_value(battle)
    kept = {width: ray.put(save) for width, save in saves.items()}
    remote = ray.remote(num_cpus=1, max_retries=5)(fight)
    waiting = iter(todo)
    flying: dict[Any, Task] = {}
    while True:
        while len(flying) < IN_FLIGHT and (task := next(waiting, None)):
            flying[remote.remote(kept[task.width], task)] = task
        if not flying:
            return
        for done in ray.wait(list(flying))[0]:
            task = flying.pop(done)
            try:
                yield ray.get(done)
            except ray.exceptions.RayError as error:
                text = f"the battle with {task} has not been fought: {error}"
                raise RuntimeError(text) from error


def sweep(path: Path, todo: list[Task], run: Any = by_ray, fight: Fight = fight) -> list[Row]:
    """Fights the battles that the table lacks, tells how far it is, and returns the whole table."""
    rows = read(path) if path.exists() else {}
    check_tasks(path, rows, todo)
    missing = [task for task in todo if task not in rows]
    if not missing:
        print(f"all {len(todo)} battles are fought already", file=sys.stderr)
    saves = {width: passes(width).save() for width in {task.width for task in missing}}
    write(path, todo, rows)  # Before hours of battles: what cannot be written is told now.
    try:
        for row in run(saves, missing, fight):
            check_engine(f"the battle with {Task(*row[:4])}", row.engine)
            rows[Task(*row[:4])] = row
            if len(rows) % KEPT_EVERY == 0:
                write(path, todo, rows)
                print(f"{len(rows)} of {len(todo)} battles", file=sys.stderr)
    finally:
        write(path, todo, rows)
    return [rows[task] for task in todo]


def plot(path: Path, rows: list[Row]) -> None:
    """Draws how long battles take by the width of the passes, a line for each kind of army."""
    from matplotlib.figure import Figure

    figure = Figure((7, 4), layout="constrained")
    axes = figure.subplots()
    for radius, jam in product(RADII, JAMS):
        mine = [row for row in rows if (row.radius, row.jam) == (radius, jam)]
        widths = sorted({row.width for row in mine})
        means = [np.mean([row.rounds for row in mine if row.width == width]) for width in widths]
        axes.plot(widths, means, "o-", label=f"radius {radius}, jams cost {jam}")
    axes.set(xlabel="width of the passes, cells", ylabel="rounds of a battle", ylim=0)
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("table", type=Path, help="a CSV file, from which the sweep goes on")
    parser.add_argument("--seeds", type=int, default=10, help="battles for each set of parameters")
    parser.add_argument("--plot", type=Path, help="a picture to draw")
    parser.add_argument("--address", help="of a cluster of Ray; without it Ray is started here")
    parser.add_argument("--cpus", type=int, help="processes that Ray starts here")
    parser.add_argument("--without-ray", action="store_true")
    given = parser.parse_args()
    for name, number in [("--seeds", given.seeds), ("--cpus", given.cpus)]:
        if number is not None and number < 1:
            parser.error(f"{name} is {number}: give at least 1")
    if not given.table.parent.is_dir():
        parser.error(f"there is no folder {given.table.parent} for the table: make it first")
    if not given.without_ray:
        begin_ray(given.address, given.cpus)
    try:
        rows = sweep(given.table, tasks(given.seeds), in_order if given.without_ray else by_ray)
    except (OSError, ValueError, RuntimeError) as error:
        sys.exit(f"sweep: {error}")
    if given.plot:
        plot(given.plot, rows)


def begin_ray(address: str | None = None, cpus: int | None = None) -> None:
    """Joins a cluster, or starts Ray on this machine, where only this machine reaches it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not address:
        # Read when Ray is imported. Without a cluster it listens on the loopback address alone.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray

    if address:
        ray.init(address=address)
    else:
        ray.init(num_cpus=cpus, include_dashboard=False)


if __name__ == "__main__":
    main()
