"""Odd arrays and numbers: each call answers rightly, or raises what the package promises."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

import flowtiles as ft

REFUSALS = (ft.ArgumentError, ft.MapError, ft.StateError, TypeError)
QUIET = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

DTYPES = st.one_of(
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(endianness="?"),
    hnp.boolean_dtypes(),
    hnp.complex_number_dtypes(),
    hnp.datetime64_dtypes(),
    hnp.unicode_string_dtypes(),
    st.just(np.dtype(object)),
)
SHAPES: st.SearchStrategy[tuple[int, ...]] = st.one_of(
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    st.sampled_from([(0, 2), (1, 2), (5, 2), (2,), (4,), (3, 4), (2, 3, 2), (5, 1)]),
)


@st.composite
def arrays(draw: st.DrawFn) -> NDArray[Any]:
    """Arrays of any type and shape, of odd values, with odd strides, that may be read-only."""
    shape = draw(SHAPES)
    dtype = draw(DTYPES)
    if dtype == object:
        odd = st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=2))
        made = draw(hnp.arrays(dtype, shape, elements=odd))
    elif dtype.kind in "iu" and draw(st.booleans()):
        low = 0 if dtype.kind == "u" else -3
        made = draw(hnp.arrays(dtype, shape, elements=st.integers(low, 60)))
    else:
        made = draw(hnp.arrays(dtype, shape))
    made = np.asarray(made)
    if draw(st.booleans()) and shape:
        made = made[tuple(slice(None, None, -1) for _ in shape)]
    if draw(st.booleans()):
        made = made.T
    if draw(st.booleans()):
        made = np.repeat(made, 2, axis=-1)[..., ::2] if shape else made
    if draw(st.booleans()):
        made = made.view()
        made.flags.writeable = False
    return made


class Given(Enum):
    ORDER = auto()
    TARGET = auto()
    TEMPLATE = auto()
    GOAL = auto()
    CHASE = auto()


ODD = st.one_of(
    arrays(),
    st.integers(),
    st.integers(-2, 300),
    st.floats(),
    st.text(max_size=3),
    st.none(),
    st.booleans(),
    st.binary(max_size=3),
    st.lists(st.integers(-3, 70), max_size=4),
    st.lists(st.lists(st.integers(-3, 70), max_size=3), max_size=3),
    st.tuples(st.integers(0, 59), st.integers(0, 39)),
    st.just({1: 2}),
    st.just([[1, 2], [3]]),
    st.just((1 << 70, -1)),
    st.just(range(4)),
    st.just([0, 1]),
    st.just([(5.5, 6.5), (7.5, 8.5)]),
    st.just((5, 5, 3, 3)),
    st.sampled_from(["ahead", "wedge", "cost"]),
    # What the stage has.
    st.sampled_from([Given.ORDER, Given.TARGET, Given.TEMPLATE, Given.GOAL, Given.CHASE]),
)


class Stage:
    """A world with an army, on which everything is tried."""

    def __init__(self) -> None:
        self.world = ft.World.open(60, 40)
        self.world[10:30, 30] = ft.WALL
        self.layer = self.world.add_layer(size=2)
        self.world.add_fog(2)
        self.order = self.world.order((50, 20), [(5, 20)])
        self.world.tick()
        self.army = ft.Army(self.world)
        self.group = self.army.add_group([(5.5, 5.5), (6.5, 5.5)])
        self.army.send(self.group, self.order)
        self.things: dict[object, object] = {
            Given.ORDER: self.order,
            Given.TARGET: ft.Target.point((8, 8)),
            Given.TEMPLATE: ft.StampTemplate([[255, 0], [9, 255]]),
            Given.GOAL: ft.Goal([(9, 9), (8, 3)], layer=self.layer, or_nearest=True),
            Given.CHASE: ft.Chase(),
        }


def calls(stage: Stage) -> list[tuple[str, Callable[..., Any]]]:
    """All calls of the package, but those that wait for work and those without arguments."""
    objects: list[tuple[str, Any]] = [
        ("World", stage.world),
        ("Order", stage.order),
        ("Army", stage.army),
        ("Goal", ft.Goal),
        ("StampTemplate", ft.StampTemplate),
        ("Target", ft.Target),
    ]
    skipped = {"step", "from_file", "fork", "open", "free_layer", "set_limits", "drop_claims"}
    found: list[tuple[str, Callable[..., Any]]] = [
        ("Goal", ft.Goal),
        ("StampTemplate", ft.StampTemplate),
        ("World", ft.World),
        ("Chase", ft.Chase),
        ("layer_for_team", ft.layer_for_team),
        ("World.__getitem__", lambda key: stage.world[key]),
        ("World.__setitem__", stage.world.__setitem__),
        ("Army.step", lambda count, seconds: stage.army.step(count, seconds=seconds)),
    ]
    for name, thing in objects:
        for call in dir(thing):
            if not call.startswith("_") and call not in skipped and callable(getattr(thing, call)):
                found.append((f"{name}.{call}", getattr(thing, call)))
    return sorted(found, key=lambda named: named[0])


COUNT = len(calls(Stage()))


@settings(QUIET, max_examples=1500)
@given(st.integers(0, COUNT - 1), st.lists(ODD, max_size=4))
def test_every_call_answers_or_refuses(at: int, arguments: list[Any]) -> None:
    stage = Stage()
    name, call = calls(stage)[at]
    if name == "Army.step":
        # Millions of steps would be right, and take as long.
        arguments = [min(arg, 5) if isinstance(arg, int) else arg for arg in arguments]
    given_things = [
        stage.things[arg] if isinstance(arg, Given) else arg for arg in arguments
    ]
    allowed = (*REFUSALS, IndexError) if "item__" in name else REFUSALS
    try:
        call(*given_things)
    except allowed as error:
        assert str(error), name
        assert "::" not in str(error), f"{name} speaks of Rust: {error}"
    # Whatever it was, all goes on.
    stage.army.step(2)
    stage.world.tick()


@QUIET
@given(arrays())
def test_a_world_has_the_costs_it_was_given(given_costs: NDArray[Any]) -> None:
    kind = given_costs.dtype.kind
    wanted = (
        kind in "iu"
        and given_costs.ndim == 2
        and given_costs.size > 0
        and int(given_costs.min()) >= 1
        and int(given_costs.max()) <= 255
    )
    try:
        world = ft.World(given_costs)
    except ft.MapError as error:
        assert not wanted
        assert "`costs`" in str(error)
    else:
        assert wanted
        np.testing.assert_array_equal(world[...], given_costs)
        assert world.shape == given_costs.shape


KEYS = hnp.basic_indices((40, 60), allow_newaxis=True) | hnp.integer_array_indices((40, 60))


@QUIET
@given(KEYS, st.integers(1, 255), st.integers(0, 2**32 - 1))
def test_a_world_is_read_and_written_as_an_array(key: Any, cost: int, seed: int) -> None:
    costs = np.random.default_rng(seed).integers(1, 256, (40, 60)).astype(np.uint8)
    world = ft.World(costs)
    np.testing.assert_array_equal(world[key], costs[key])
    world[key] = cost
    costs[key] = cost
    np.testing.assert_array_equal(world[...], costs)
    drawn = np.random.default_rng(seed + 1).integers(1, 256, costs[key].shape)
    world[key] = drawn
    costs[key] = drawn
    np.testing.assert_array_equal(world[...], costs)
    mask = costs > 128
    world[mask] = 1
    costs[mask] = 1
    np.testing.assert_array_equal(world.costs(), costs)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (np.ones((3, 4)), "floats"),
        (np.array([[1.0, np.nan]]), "nan_to_num"),
        (np.ones((3, 4), bool), "numpy.where"),
        (np.zeros((3, 4), int), "row 0, column 0"),
        (np.array([[1, 1], [1, 300]]), "300 in row 1, column 1"),
        (np.array([[1, -7]]), "-7"),
        (np.ones(5, int), "1 dimensions"),
        (np.ones((2, 2, 2), int), "3 dimensions"),
        (np.ones((0, 5), int), "empty"),
        (np.array([[1 << 70]]), "object"),
        ("map", "dimensions"),
    ],
)
def test_refusals_of_costs_say_what_to_do(costs: Any, words: str) -> None:
    with pytest.raises(ft.MapError, match="`costs`") as raised:
        ft.World(costs)
    assert words in str(raised.value)
    world = ft.World.open(8, 8)
    before = world.hash()
    with pytest.raises((ft.MapError, ft.ArgumentError)):
        world[...] = costs
    assert world.hash() == before


def test_kinds_of_refusals() -> None:
    stage = Stage()
    world, army = stage.world, stage.army
    with pytest.raises(ft.StateError, match="wall"):
        world.order((30, 20))
    world[:, 30] = ft.WALL
    with pytest.raises(ft.StateError, match="or_nearest=True"):
        world.order((50, 20), [(5, 20)])
    with pytest.raises(ft.ArgumentError, match="map"):
        world.order((60, 20))
    with pytest.raises(ft.ArgumentError, match="floor"):
        stage.order.sample(np.array([(1.5, 2.0)]))
    with pytest.raises(ft.ArgumentError, match="-65536"):
        world.set_limits(orders=-65536)
    with pytest.raises(ft.ArgumentError, match="orders, units, stamps, blocked"):
        world.set_limits(order=5)  # type: ignore[call-arg]
    with pytest.raises(ft.StateError, match="unit"):
        army.set_speed([77], 2)
    with pytest.raises(ft.StateError, match="link 9"):
        world.remove_link(9)
    with pytest.raises(ft.MapError, match="FLOWSAVE"):
        ft.World.load(b"no save")
    with pytest.raises(ft.MapError):
        ft.World.from_bytes(b"type octile\nheight 9\n")
    other = ft.Army(ft.World.open(60, 40))
    with pytest.raises(ft.ArgumentError, match="another world"):
        other.send(other.add_group(), stage.order)
    with pytest.raises(ft.ArgumentError, match="another world"):
        other.send(other.add_group(), ft.Target.attack(stage.order))
    with pytest.raises(IndexError):
        world[40, 0]
    with pytest.raises(ft.ArgumentError, match="no setting `speed`"):
        ft.Army(world, speed=3)  # type: ignore[call-arg]


def test_what_is_refused_changes_nothing() -> None:
    army = Stage().army
    before = army.hash()
    inf = float("inf")
    tries: list[Callable[[], object]] = [
        lambda: army.add_units(0, [(9, 9), (8, 8), (inf, 8)]),
        lambda: army.add_units(0, [(9, 9), (8, 8)], ids=[5, 0]),
        lambda: army.add_units(9, [(9, 9)]),
        lambda: army.add_group([(9, 9), (8, inf)]),
        lambda: army.set_speed([0, 1], [3, -1]),
        lambda: army.set_speed([0, 9], 3),
        lambda: army.set_radius([0, 1], [1, 17]),
        lambda: army.set_weight([0, 1], [1, 0]),
        lambda: army.set_position([0, 1], [(1, 1), (2, np.nan)]),
        lambda: army.carry([0, 7], [(5.6, 5.5), (2, 2)]),
        lambda: army.wish([0, 1], [(1, 1), (2, np.nan)]),
        lambda: army.wish([0, 7], [(1, 1), (2, 2)]),
        lambda: army.set_group([0, 7], 0),
        lambda: army.set_group([0, 1], 7),
    ]
    for number, call in enumerate(tries):
        with pytest.raises(REFUSALS):
            call()
        assert army.hash() == before, number
        assert len(army) == 2


def test_arrays_of_the_callers() -> None:
    army = Stage().army
    army.step(3)
    places = army.positions()
    wide = np.full((2, 5), -1, np.float32)
    filled = army.positions(wide[:, 1:5:2])
    assert filled.base is wide
    np.testing.assert_array_equal(wide[:, 1:5:2], places)
    assert (wide[:, ::2] == -1).all()
    fixed = np.zeros((2, 2), np.float32)
    fixed.flags.writeable = False
    for out in [fixed, np.zeros((3, 2), np.float32), np.zeros((2, 2)), [[0, 0], [0, 0]], 3]:
        with pytest.raises(ft.ArgumentError, match="`out`"):
            army.positions(out)  # type: ignore[arg-type]
    assert army.states(np.zeros(2, np.uint8)).tolist() == [ft.State.MARCHING] * 2
    assert army.ids().tolist() == [0, 1]


def test_what_lies_over_the_ground_is_not_written_into_it() -> None:
    world = ft.World.open(60, 40)
    stamp, _ = world.stamp(ft.StampTemplate(np.full((3, 3), ft.WALL)), (10, 10))
    gate, _ = world.add_gate((20, 10, 1, 3), [1])
    mask = np.zeros((40, 60), bool)
    mask[30, 5:9] = True
    world[mask] = 7
    world[::9, 50] = 4
    world[np.int64(3), 4] = 5
    world.unstamp(stamp)
    world.set_gate(gate, range(8))
    wanted = np.ones((40, 60), np.uint8)
    wanted[mask] = 7
    wanted[::9, 50] = 4
    wanted[3, 4] = 5
    np.testing.assert_array_equal(world[...], wanted)


def test_callers_arrays_of_any_layout_are_filled() -> None:
    army = ft.Army(ft.World.open(60, 40))
    army.add_group([(5.5, 6.5), (7.5, 8.5), (9.5, 3.5)])
    wanted = army.positions()
    packed = np.zeros(3, [("id", "u1"), ("pos", "f4", 2)])
    spread = np.zeros((6, 4), np.float32)
    for out in (
        np.zeros((3, 2), np.float32),
        np.zeros((2, 3), np.float32).T,
        np.zeros((3, 2), np.float32, order="F"),
        spread[::2, ::2],
        packed["pos"],
    ):
        np.testing.assert_array_equal(army.positions(out=out), wanted)
        np.testing.assert_array_equal(out, wanted)
    assert not packed["id"].any() and not spread[1::2].any()
