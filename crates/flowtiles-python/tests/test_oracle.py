"""Costs-to-go, directions and islands against a plain Dijkstra."""

from __future__ import annotations

import heapq

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import flowtiles as ft

WAYS = [(int(x), int(y)) for x, y in ft.STEPS]


def price(costs: NDArray[np.uint8], x: int, y: int, dx: int, dy: int) -> int | None:
    """What the step from a cell costs, by the rule of the library; None if it is not allowed."""
    height, width = costs.shape
    if not (0 <= x + dx < width and 0 <= y + dy < height):
        return None
    beside = [(x + dx, y + dy)] + ([(x + dx, y), (x, y + dy)] if dx and dy else [])
    if costs[y, x] == ft.WALL or any(costs[at[1], at[0]] == ft.WALL for at in beside):
        return None
    return int(costs[y, x]) * (7 if dx and dy else 5)


def dijkstra(costs: NDArray[np.uint8], goals: list[tuple[int, int]]) -> NDArray[np.float64]:
    """The cost of the cheapest way from each cell to a goal; inf where there is none."""
    found = np.full(costs.shape, np.inf)
    heap: list[tuple[int, int, int]] = []
    for x, y in goals:
        if costs[y, x] != ft.WALL:
            heap.append((0, x, y))
            found[y, x] = 0
    heapq.heapify(heap)
    while heap:
        cost, x, y = heapq.heappop(heap)
        if cost > found[y, x]:
            continue
        for dx, dy in WAYS:
            if not (0 <= x - dx < costs.shape[1] and 0 <= y - dy < costs.shape[0]):
                continue
            step = price(costs, x - dx, y - dy, dx, dy)
            if step is not None and cost + step < found[y - dy, x - dx]:
                found[y - dy, x - dx] = cost + step
                heapq.heappush(heap, (cost + step, x - dx, y - dy))
    return found


@st.composite
def maps(draw: st.DrawFn) -> NDArray[np.uint8]:
    height, width = draw(st.integers(1, 34)), draw(st.integers(1, 34))
    seed = draw(st.integers(0, 2**32 - 1))
    walls = draw(st.sampled_from([0.0, 0.1, 0.3, 0.45]))
    random = np.random.default_rng(seed)
    dear = random.choice([1, 1, 1, 2, 7, 254], (height, width))
    return np.where(random.random((height, width)) < walls, ft.WALL, dear).astype(np.uint8)


@settings(max_examples=60, deadline=None)
@given(maps(), st.data())
def test_an_order_everywhere_is_dijkstra(costs: NDArray[np.uint8], data: st.DataObject) -> None:
    height, width = costs.shape
    cell = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    goals = data.draw(st.lists(cell, min_size=1, max_size=3))
    world = ft.World(costs)
    expected = dijkstra(costs, goals)
    open_goals = [goal for goal in goals if costs[goal[1], goal[0]] != ft.WALL]
    try:
        order = world.order(ft.Goal(goals, quality="everywhere"))
    except ft.StateError:
        assert not open_goals
        return
    world.tick()
    is_open = costs != ft.WALL
    found = order.cost_to_go()
    np.testing.assert_array_equal(found[is_open], expected[is_open])
    # Each step leads down by its price, so it leads along a cheapest way.
    flow = order.flow()
    assert (flow[~is_open] == ft.Sample.WALL).all()
    for y, x in np.argwhere(is_open):
        said, left = int(flow[y, x]), expected[y, x]
        if left == 0:
            assert said == ft.Sample.ARRIVED
        elif np.isinf(left):
            assert said == ft.Sample.UNREACHABLE
        else:
            dx, dy = WAYS[said]
            assert expected[y + dy, x + dx] + price(costs, x, y, dx, dy) == left
    # Windows are parts of the whole.
    x0, y0 = data.draw(st.integers(0, width)), data.draw(st.integers(0, height))
    w, h = data.draw(st.integers(0, width - x0)), data.draw(st.integers(0, height - y0))
    np.testing.assert_array_equal(order.cost_to_go((x0, y0, w, h)), found[y0 : y0 + h, x0 : x0 + w])
    np.testing.assert_array_equal(order.flow((x0, y0, w, h)), flow[y0 : y0 + h, x0 : x0 + w])
    # So are cells.
    ys, xs = np.nonzero(is_open)
    cells = np.stack([xs, ys], 1)
    np.testing.assert_array_equal(order.sample(cells), flow[is_open])
    np.testing.assert_array_equal(order.costs_to_go(cells), found[is_open])


@settings(max_examples=40, deadline=None)
@given(maps(), st.integers(0, 2**32 - 1))
def test_islands_and_ways_are_those_of_dijkstra(costs: NDArray[np.uint8], seed: int) -> None:
    world = ft.World(costs)
    islands = world.islands()
    np.testing.assert_array_equal(islands == -1, costs == ft.WALL)
    ys, xs = np.nonzero(costs != ft.WALL)
    if len(xs) == 0:
        return
    at = np.random.default_rng(seed).integers(len(xs))
    goal = (int(xs[at]), int(ys[at]))
    expected = dijkstra(costs, [goal])[ys, xs]
    cells = np.stack([xs, ys], 1)
    reachable = world.reachable(cells, goal)
    np.testing.assert_array_equal(reachable, np.isfinite(expected))
    np.testing.assert_array_equal(islands[ys, xs] == islands[goal[1], goal[0]], reachable)
    # The way through the portals may go a little aside.
    ways = world.travel_cost(cells, goal)
    np.testing.assert_array_equal(np.isfinite(ways), reachable)
    assert (ways[reachable] >= expected[reachable]).all()
    # An exact order has the cheapest way.
    for number in np.nonzero(reachable)[0][:8]:
        order = world.order(ft.Goal(goal, quality="exact"), [cells[number]])
        world.tick()
        assert order.costs_to_go(cells[number]) == expected[number]


def test_corridors_are_as_near_the_cheapest_as_is_said() -> None:
    """Within 0.3 % of the cheapest on average, and for 50 cells or more at worst 7 %."""
    random = np.random.default_rng(7)
    part = []
    for walls in [0.0, 0.1, 0.2]:
        dear = random.choice([1, 1, 1, 2, 3], (110, 110))
        costs = np.where(random.random(dear.shape) < walls, ft.WALL, dear).astype(np.uint8)
        world = ft.World(costs)
        ys, xs = np.nonzero(costs != ft.WALL)
        goal = (int(xs[-1]), int(ys[-1]))
        expected = dijkstra(costs, [goal])
        for at in random.integers(len(xs), size=40):
            start = (int(xs[at]), int(ys[at]))
            cheapest = expected[start[1], start[0]]
            if not 50 * 5 <= cheapest < np.inf:
                continue
            order = world.order(goal, [start])
            world.tick()
            found = float(order.costs_to_go(start))
            assert cheapest <= found
            part.append(found / cheapest - 1)
    assert len(part) > 50
    assert np.mean(part) < 0.003 and max(part) < 0.07
