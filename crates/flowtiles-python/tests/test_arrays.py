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


def test_what_is_read_cannot_be_written_to() -> None:
    """The world would stay as it is, and nothing would tell."""
    world = ft.World.open(60, 40)
    world.add_fog(1)
    mask = np.zeros(world.shape, bool)
    mask[1, 2] = True
    for read in (
        world[...],
        world[1:3],
        world[1],
        world[::2, 3],
        world[mask],
        world[np.array([1, 2])],
        world.costs((3, 4, 5, 6)),
        world.known(1),
        np.asarray(world),
        np.asarray(world, np.uint8),
    ):
        with pytest.raises(ValueError, match="read-only"):
            read[0] = 255
    with pytest.raises(ValueError, match="read-only"):
        world[...] += 5
    costs = world[...].astype(int)
    world[...] = np.minimum(costs * 300, 254)
    assert (np.asarray(world) == 254).all() and (world[...] == 254).all()


def test_a_world_is_an_array_for_numpy() -> None:
    world = ft.World([[1, 2], [255, 4]])
    assert np.asarray(world).tolist() == world[...].tolist()
    assert np.asarray(world, np.int32).dtype == np.int32
    own = np.array(world)
    own[0, 0] = 9
    assert own.dtype == np.uint8 and (own[0, 0], world[0, 0]) == (9, 1)
    assert np.add(world, np.int64(1000)).tolist() == [[1001, 1002], [1255, 1004]]
    assert ft.World(world).hash() == world.hash()
    with pytest.raises(ft.ArgumentError, match="copy=False"):
        world.__array__(copy=False)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (np.ones((3, 4)), "floats"),
        (np.array([[1.0, np.nan]]), "(float64) and NaN: replace NaN with numpy.nan_to_num, then"),
        (np.ones((3, 4), bool), "numpy.where"),
        (np.zeros((3, 4), int), "row 0, column 0"),
        (np.array([[1, 1], [1, 300]]), "300 in row 1, column 1"),
        (np.array([[1, -7]]), "-7"),
        (np.ones(5, int), "1 dimensions"),
        (np.ones((2, 2, 2), int), "3 dimensions"),
        (np.ones((0, 5), int), "empty"),
        (np.array([[1 << 70]]), "object"),
        (np.array([[1 << 63]], np.uint64), "9223372036854775808, which is out of range: give 1 to 255"),
        (np.ma.masked_array([[1, 2]], mask=[[False, True]]), "a.filled(255)"),
        ("map", "dimensions"),
    ],
)
def test_refusals_of_costs_say_what_to_do(costs: Any, words: str) -> None:
    with pytest.raises(ft.MapError, match="`costs`") as raised:
        ft.World(costs)
    assert words in str(raised.value)
    world = ft.World.open(8, 8)
    before = world.hash()
    for key in (slice(None), np.array([0, 1])):
        with pytest.raises(ft.ArgumentError):
            world[key] = costs
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


def test_words_of_refusals() -> None:
    stage = Stage()
    world, army, order = stage.world, stage.army, stage.order
    army.send(stage.group, ft.Target.stand())
    army.set_team(stage.group, 1)
    tries: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: world.reachable((0, 0), (60, 5)), ft.ArgumentError, r"`to` has \(60, 5\)"),
        (lambda: world.travel_cost((-1, 5), (6, 5)), ft.ArgumentError, r"`from_` has \(-1, 5\)"),
        (lambda: world.nearest_reachable((5, 5), (6, 40)), ft.ArgumentError, "`goal` has"),
        (lambda: world.nearest_of([(5, 5), (6, 40)], (0, 0)), ft.ArgumentError, "`goals` has"),
        (lambda: world.surcharge_of((6, 40)), ft.ArgumentError, "off the map"),
        (lambda: order.sample([(5, 5), (5, 40)]), ft.ArgumentError, r"60×40.*to \(59, 39\)"),
        (lambda: order.costs_to_go((5, 40)), ft.ArgumentError, "x and y"),
        (lambda: order.path((5, 40)), ft.ArgumentError, "off the map"),
        (lambda: order.flow((-2, 0, 5, 5)), ft.ArgumentError, "cut the area to the map"),
        (lambda: army.add_group([(5, 5), (60, 5)]), ft.ArgumentError, r"1 of .*\(60, 5\).*60×40"),
        (lambda: army.add_units(0, [(5, -0.1)]), ft.ArgumentError, "position 0 of `positions`"),
        (lambda: army.set_position(0, (5, 40)), ft.ArgumentError, "y of 0 to less than 40"),
        (lambda: army.set_position([0, 1], [(1, 1)]), ft.ArgumentError, r"\[1, 2\].* one pair of x"),
        (lambda: army.wish([0, 0], [(1, 1), (2, 2)]), ft.ArgumentError, "unit 0 twice"),
        (lambda: army.wish([0, 1], [(1, 1)]), ft.ArgumentError, "or 2 of them, one for each"),
        (lambda: army.units_within((5, 5), -1), ft.ArgumentError, "`distance` cannot be -1"),
        (lambda: army.nearest_foes([0], np.nan), ft.ArgumentError, "`within` cannot be NaN"),
        (lambda: army.set_manner(0, planes=[9]), ft.ArgumentError, "`planes` has 9"),
        (lambda: world.add_gate((0, 0, 1, 1), [9]), ft.ArgumentError, "`open_to` has 9"),
        (lambda: ft.Chase(-1), ft.ArgumentError, "range of a chase cannot be -1"),
        (lambda: ft.Chase(sight=np.nan), ft.ArgumentError, "sight of a chase cannot be NaN"),
        (lambda: world.edit((3, 3, 1, 1), 0), ft.ArgumentError, "0"),
        (lambda: world.edit((3, 3, 1, 1), [[0]]), ft.ArgumentError, "0 in row 0, column 0"),
        (lambda: world.known(3), ft.StateError, "no fog, so it knows the world as it is"),
        (lambda: world.set_gate(55, [1]), ft.StateError, "`add_gate` has returned"),
        (lambda: world.unstamp(55), ft.StateError, "`stamp` has returned"),
        (lambda: world.order_by_number(77), ft.StateError, "give the `number` of one"),
        (lambda: army.order(0, (5, 5)), ft.StateError, "`layer_for_team`.*`send_all`"),
        (lambda: army.send(0, (5, 5)), TypeError, "`Army.order` .*`Target.point`"),  # type: ignore
        (lambda: army.send_all(0, (5, 5), attack=5), TypeError, "`attack` .*`Chase`"),  # type: ignore
    ]
    for call, kind, words in tries:
        with pytest.raises(kind, match=words):
            call()


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
        lambda: army.set_position([0, 1], [(1, 1), (2, 41)]),
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
