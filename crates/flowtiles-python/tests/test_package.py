"""Saves, threads, memory, pictures, maps, and what documentation says."""

from __future__ import annotations

import doctest
import pickle
import sys
import threading
import time
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

import flowtiles as ft

ROOT = Path(__file__).parents[3]


def played() -> tuple[ft.World, ft.Army, ft.Order]:
    world = ft.World.open(60, 40)
    world[10:30, 30] = ft.WALL
    army = ft.Army(world)
    group = army.add_group([(5.5, 5.5), (6.5, 5.5)])
    order = army.order(group, (50, 20))
    army.step(40)
    return world, army, order


def test_pickle_keeps_what_belongs_together() -> None:
    world, army, order = played()
    other_world, other_army, other_order = pickle.loads(pickle.dumps((world, army, order)))
    assert other_army.world is other_world
    assert other_order.world is other_world
    assert other_order.number == order.number
    assert (other_world.hash(), other_army.hash()) == (world.hash(), army.hash())
    other_army.step(20)
    assert other_army.hash() != army.hash()
    army.step(20)
    assert other_army.hash() == army.hash()


def test_values_are_pickled_by_what_makes_them() -> None:
    values = [
        ft.Goal((3, 4)),
        ft.Goal([(3, 4), (9, 9)], start_costs=[7, 0], layer=2, quality="exact", or_nearest=True),
        ft.Goal.within((3, 4, 5, 6), quality="everywhere"),
        ft.Chase(1, 2, 3.5),
        ft.StampTemplate([[255, 0, 3], [1, 2, 0]]),
    ]
    assert [pickle.loads(pickle.dumps(value)) for value in values] == values
    assert pickle.loads(pickle.dumps(values[0])) != values[1]


def test_forks_go_on_alike() -> None:
    world, army, order = played()
    ahead = world.fork()
    scouts = army.fork(ahead)
    assert ahead.order_by_number(order.number).goal == order.goal
    ahead.drop_claims()
    army.step(30)
    scouts.step(30)
    assert (ahead.hash(), scouts.hash()) == (world.hash(), army.hash())
    loaded = ft.World.load(world.save(), cells_max=2400)
    assert ft.Army.load(loaded, army.save()).hash() == army.hash()
    with pytest.raises(ft.MapError, match="cells_max"):
        ft.World.load(world.save(), cells_max=2399)


def test_stamps_gates_links_layers_and_fog() -> None:
    world = ft.World.open(60, 40)
    plain = world.hash()
    house = ft.StampTemplate([[255, 255], [0, 9]])
    number, report = world.stamp(house, (4, 6))
    assert (report.cells, world[6:8, 4:6].tolist()) == (3, [[255, 255], [1, 9]])
    assert not world.is_free_for_stamp(house, (5, 6))
    world.unstamp(number)
    corners = [(160, 115), (205, 160), (160, 205), (115, 160)]
    at, hall = ft.StampTemplate.polygon(corners, rim=(16, 3))
    for rim in [(16,), (16, 3, 1), (16, 256), (16, 0)]:
        with pytest.raises(ft.ArgumentError, match="rim|cost"):
            ft.StampTemplate.polygon(corners, rim=rim)  # type: ignore[arg-type]
    stamped, _ = world.stamp(hall, at)
    assert (world[7, 10], world[6, 10]) == (ft.WALL, 3)
    world.unstamp(stamped)
    gate, _ = world.add_gate((0, 20, 60, 1), [1, 2])
    north, south = (5, 5), (5, 35)
    teams = [bool(world.reachable(north, south, ft.layer_for_team(0, team))) for team in range(4)]
    assert teams == [False, True, True, False]
    world.set_gate(gate, [])
    link = world.add_link((5, 5, 1, 1), (5, 35), price=50)
    order = world.order(south, [north])
    world.tick()
    assert order.sample(north) == ft.Sample.LINK
    assert order.link_exit(north) == south
    assert float(order.costs_to_go(north)) == 50
    points, links = order.path(north) or (None, None)
    assert links is not None and links.tolist() == [link, -1]
    world.remove_link(link)
    world.remove_gate(gate)
    world.block((3, 3))
    world.unblock((3, 3))
    assert (world[...] == 1).all()
    del order
    world.tick()
    assert ft.World.load(world.save()).costs().tolist() == world.costs().tolist()
    assert plain != world.hash()

    world.add_fog(1)
    world[10, 10] = 7
    assert world.known(1)[10, 10] == 1
    assert world.reveal_around(1, [(9, 10)], 3).cells == 1
    assert world.known(1, (10, 10, 1, 1)).item() == 7
    army = ft.Army(world)
    scouts = army.add_group([(40.5, 30.5)])
    army.set_team(scouts, 1)
    world[30, 42] = 5
    army.look(1, {scouts: 4})
    assert world.known(1)[30, 42] == 5

    world[:, 20:25] = 3
    assert (world.is_opaque(3), world.is_opaque(ft.WALL)) == (False, True)
    world.set_opaque([3, ft.WALL])
    assert world.is_opaque(3)
    world.forget(1, (0, 0, 60, 40))
    assert world.reveal_around(1, (10, 20), 20).cells == 36, "of the forest its edge alone"
    assert ft.World.load(world.save()).is_opaque(3)
    world.set_opaque([])
    assert not world.is_opaque(ft.WALL)
    with pytest.raises(ft.ArgumentError, match="`kinds` has 0, .* give 1 to 255"):
        world.set_opaque([3, 0])

    mine = ft.layer_for_team(world.add_layer(), 1)
    assert world.surcharge(mine, (0, 0, 4, 4), 9).changed == 1
    plain = ft.layer_for_team(mine, 0)
    assert [world.surcharge_of((3, 3), layer) for layer in (plain, mine)] == [0, 9]
    for wrong in ([1, 2], [[1, 2], [3, 4]], 7):
        with pytest.raises(ft.ArgumentError, match="`wall_costs` .* give a list of 4"):
            world.add_layer(wall_costs=wrong)  # type: ignore[arg-type]
        with pytest.raises(ft.ArgumentError, match="`costs` .* give a list of 4"):
            army.set_jam_costs(mine, wrong)  # type: ignore[arg-type]
    wary = world.add_layer({7: 255}, wall_costs=[3, 2, 1, 0])
    assert world.costs((9, 10, 3, 1), wary).tolist() == [[4, 255, 4]]


def test_groups_and_their_targets() -> None:
    world = ft.World.open(80, 60)
    army = ft.Army(world, room=0.2, hard_ground_slows=False)
    first = army.add_group([(5.5 + x, 5.5 + y) for x in range(4) for y in range(3)], radius=0.35)
    second = army.add_group([(60.5, 40.5)], speed=2, reading="nearest")
    army.set_manner(second, team=1, foes=[0])
    army.send_all([(first, ft.Chase(sight=5)), second], (40, 30), formation=("wedge", 1.5))
    army.step(100)
    army.queue(first, ft.Target.point((10.5, 10.5)))
    army.patrol_all(second, [(60, 40), ft.Goal((20, 20))], attack=True)
    army.draw_up([first], (20, 20), (30, 20), together=True)
    ids, places = army.ghosts(first, [(20, 20), (30, 20)])
    assert len(ids) == 12 and (abs(places[:, 1] - 20) < 3).all()
    army.step(400)
    arrived = army.states()[army.groups_of_units() == first] == ft.State.ARRIVED
    assert arrived.all()
    assert (abs(army.positions()[army.groups_of_units() == first][:, 1] - 20) < 3).all()
    targets: list[ft.Target | ft.Order] = [
        ft.Target.flock(),
        ft.Target.stand(),
        ft.Target.hold(),
        ft.Target.follow(12),
        ft.Target.pursue(12, ft.Chase(range=2)),
        ft.Target.attack(world.order((70, 50))),
        ft.Target.flee(12),
        ft.Target.flee_foes(20),
        world.order((70, 50)),
    ]
    for target in targets:
        army.send(first, target)
        army.step(5)
    parts = army.split([0, 1])
    assert parts != [first] and len(army.groups()) == 3
    army.remove_group(parts[0])
    assert len(army) == 11


def test_wishes_move_units_and_the_rest_makes_room() -> None:
    world = ft.World.open(60, 40)
    world[0:40, 20] = ft.WALL
    army = ft.Army(world)
    army.add_group([(5.5, 5.5), (15.5, 20.5)])
    for _ in range(100):
        army.wish([0, 1], [(0, 3), (2, 2)])
        army.step()
    (x, y), (wall_x, wall_y) = army.positions()
    assert (round(float(x), 2), abs(float(y) - 20.4) < 0.2) == (5.5, True)
    # Along the wall, not through it.
    assert wall_x < 20 and wall_y > 23
    army.wish([0], [(0, 0)])
    army.step(10)
    before = army.positions()[0].tolist()
    army.step(10)
    assert army.positions()[0].tolist() == before
    army.carry([0], [before])
    army.set_position([0], [(30.5, 30.5)])
    assert army.positions()[0].tolist() == [30.5, 30.5]


def test_jams_and_crowds() -> None:
    world = ft.World.open(70, 50)
    world[:, 34:36] = ft.WALL
    world[24:26, 34:36] = 1
    wary = world.add_layer()
    army = ft.Army(world)
    army.set_jam_costs(wary, [1, 2, 4, 8])
    at = np.arange(200)
    group = army.add_group(np.stack([8.5 + at % 20, 10.5 + at // 20], 1), reading="crowd")
    army.set_crowd_settings(interval=0.5)
    army.set_conduct(group, discomfort=2)
    army.paint((20, 10, 4, 4), 3)
    army.set_dangers([(30, 30)], 4, 2.5)
    army.set_heights(np.zeros((50, 70)))
    army.set_heights(None)
    with pytest.raises(ft.ArgumentError, match=r"\[5, 7\].*\[50, 70\]"):
        army.set_heights(np.zeros((5, 7)))
    army.send_all(group, (60, 25))
    for _ in range(12):
        army.step(10)
        army.note_jams()
    cells, loads = army.jammed()
    assert len(cells) == len(loads) > 0
    density = army.crowd_density([(30.5, 25.5), (60.5, 5.5)])
    assert density[0] > 0


def test_the_portal_graph_and_networkx() -> None:
    world = ft.World.open(60, 40)
    world[:, 30] = ft.WALL
    world[20, 30] = 1
    graph = world.portal_graph()
    made = graph.to_networkx()
    assert made.number_of_nodes() == len(graph.crossings) == world.stats()["portals"]
    assert len(graph.edges) == len(graph.costs) == len(graph.through) == world.stats()["edges"]
    assert networkx.number_strongly_connected_components(made) == 1
    assert graph.windows.shape == (len(graph.crossings), 2, 4)
    world[20, 30] = ft.WALL
    assert networkx.number_strongly_connected_components(world.portal_graph().to_networkx()) == 2


@pytest.mark.parametrize(
    "name", ["docs/valley.map", "crates/formats/tests/formats/data/harbour.ldtk"]
)
def test_map_files(name: str) -> None:
    path = ROOT / name
    world = ft.World.from_file(path)
    assert world.hash() == ft.World.from_file(str(path)).hash()
    if name.endswith(".map"):
        assert ft.World.from_bytes(path.read_bytes()).hash() == world.hash()
        other = ft.World.from_file(path, letters={"S": 9})
        assert (other[...] == 9).any() and not (world[...] == 9).any()
    with pytest.raises(FileNotFoundError, match="nothing.map: .*give the path of a file"):
        ft.World.from_file("nothing.map")
    with pytest.raises(ft.ArgumentError, match="tmx"):
        ft.World.from_file(path, format="gif")  # type: ignore[arg-type]


def test_map_bytes() -> None:
    assert ft.World.from_bytes(b"..#\n.5.\n")[...].tolist() == [[1, 1, 255], [1, 5, 1]]
    one_pixel = (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
        b"\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
    )
    assert ft.World.from_bytes(one_pixel, colours={(255, 0, 0): 7})[...].tolist() == [[7]]
    with pytest.raises(ft.MapError, match="0,0|pixel|cell"):
        ft.World.from_bytes(one_pixel, colours={(0, 0, 255): 7})
    for name, of in [("letters", "map"), ("names", "ldtk"), ("level", "ldtk"), ("layer", "ldtk")]:
        given: Any = {name: name if of == "ldtk" and name[0] == "l" else {"a": 2}}
        with pytest.raises(ft.ArgumentError, match=rf"`{name}` is for \.{of} alone.*\.png"):
            ft.World.from_bytes(one_pixel, **given)
    with pytest.raises(ft.ArgumentError, match=r"`colours` is for \.png alone.*\.txt"):
        ft.World.from_bytes(b"..\n..\n", colours={(0, 0, 255): 7})


def test_pictures() -> None:
    world, army, order = played()
    pictures = [thing._repr_png_() for thing in (world, army, order)]
    assert all(picture.startswith(b"\x89PNG\r\n\x1a\n") for picture in pictures)
    assert len(set(pictures)) == 3
    assert order.picture((0, 0, 20, 20), ["cost", "integration"]) != pictures[2]
    with pytest.raises(ft.ArgumentError, match="`fog`"):
        world.picture(layers=["fog"])  # type: ignore[list-item]
    with pytest.raises(ft.ArgumentError, match="cut the area to the map"):
        world.picture((50, 0, 20, 20))
    with pytest.raises(ft.ArgumentError, match=r"give a list, as in \['cost'\]"):
        world.picture(layers="cost")  # type: ignore[arg-type]
    assert ft.World.open(3000, 10)._repr_png_()


def test_others_run_while_a_world_is_built() -> None:
    """What runs without the interpreter's lock lets a counter go on; a second caller waits."""
    costs = np.random.default_rng(1).choice(np.array([1, 2, 255], np.uint8), (1500, 1500))
    world = ft.World.open(1500, 1500)
    counted = 0
    done = threading.Event()

    def build() -> None:
        world[...] = costs
        done.set()

    worker = threading.Thread(target=build)
    waiting = threading.Thread(target=world.hash)
    worker.start()
    waiting.start()
    while not done.is_set():
        counted += 1
        time.sleep(0)
    worker.join()
    waiting.join()
    assert counted > 20


def test_threads_share_a_world() -> None:
    world, army, order = played()
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(60):
                if number == 0:
                    army.step(2)
                elif number == 1:
                    world[5, 20 + turn % 5] = 255 if turn % 2 else 1
                elif number == 2:
                    own = world.order((50, 5 + turn % 30), [(5, 20)])
                    world.tick(2_000)
                    own.aim((40, 30), [(6, 20)])
                else:
                    order.flow()
                    army.positions()
                    world.stats()
                    pickle.dumps(army)
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def resident() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_memory_is_flat_over_many_orders() -> None:
    world = ft.World.open(200, 200)
    army = ft.Army(world)
    group = army.add_group([(5.5, 5.5)])
    cells = np.random.default_rng(5).integers(0, 200, (100_000, 2)).astype(np.int32)

    def orders(some: Any) -> None:
        for number, cell in enumerate(some):
            order = world.order(cell, cell)
            if number % 8 == 0:
                world.tick(2_000)
                army.send(group, order)
                order.sample(cell)

    orders(cells[:20_000])
    world.tick()
    before = resident()
    orders(cells[20_000:])
    world.tick()
    assert world.stats()["orders"] <= 2
    assert resident() - before < 4_000_000


def test_names_of_the_package() -> None:
    assert {name for name in dir(ft) if not name.startswith("_")} < set(ft.__all__)


def documented() -> list[tuple[str, str]]:
    found = [("flowtiles", ft.__doc__ or "")]
    for name in ft.__all__:
        thing = getattr(ft, name)
        if not isinstance(thing, (np.ndarray, int, str)):
            assert thing.__doc__, f"{name} has no documentation"
            found.append((name, thing.__doc__))
        if isinstance(thing, type) and thing.__module__ == "flowtiles":
            for part, value in vars(thing).items():
                if not part.startswith("__") or part in ("__getitem__", "__setitem__"):
                    text = getattr(value, "__doc__", None)
                    if not isinstance(value, int):
                        assert text, f"{name}.{part} has no documentation"
                        found.append((f"{name}.{part}", text))
    return found


def test_examples_of_the_documentation() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    names = {name: getattr(ft, name) for name in ft.__all__}
    tried = 0
    for name, text in documented():
        if ">>>" in text:
            tried += runner.run(parser.get_doctest(text, dict(names), name, None, 0)).attempted
    assert runner.summarize().failed == 0
    assert tried > 60


def test_errors_name_what_this_package_has() -> None:
    """The engine's errors speak of its own calls: those are translated, or have the same name."""
    table = (ROOT / "crates/flowtiles-python/src/errors.rs").read_text()
    table = table.split('const WORDS: &str = "\\\n')[1].split('";')[0]
    words = [line.split("=>") for line in table.splitlines()]
    known = set(ft.__all__)
    for name in ft.__all__:
        known |= {f"{name}.{part}" for part in vars(type(getattr(ft, name)))}
        if isinstance(getattr(ft, name), type):
            parts = set(vars(getattr(ft, name)))
            known |= parts | {f"{name}.{part}" for part in parts}
    # Keywords of calls, and what a text fills in.
    known |= {"layer", "orders", "units", "stamps", "blocked", "or_nearest=True", "cells_max"}
    known |= {"{field}", "sparse", "flat"}
    count = 0
    for file in [
        "bytes/reader.rs",
        "cost/layer.rs",
        "cost/map.rs",
        "cost/refusal.rs",
        "crowd/conduct.rs",
        "order/goal.rs",
        "steer/army/load_error.rs",
        "steer/units/error.rs",
        "world/fogging.rs",
        "world/gating.rs",
        "world/linking.rs",
        "world/rows.rs",
        "world/save.rs",
        "world/stamping.rs",
        "world/surcharging.rs",
    ]:
        lines = (ROOT / "src" / file).read_text().splitlines()
        code = "\n".join(line.strip() for line in lines if not line.strip().startswith("//"))
        code = code.replace("\\\n", "")
        for rust, python in words:
            code = code.replace(rust, python)
        for name in code.split("`")[1::2]:
            assert name in known, f"{file}: `{name}` is not in this package"
            count += 1
    assert count > 20
