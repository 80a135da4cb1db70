"""The arena, by the checkers of its conventions, and against itself."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from arena import ROUNDS, Arena, Duel, Duels, scripted
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test


def test_the_conventions() -> None:
    parallel_api_test(Arena(), num_cycles=2 * ROUNDS)
    parallel_seed_test(Arena, num_cycles=ROUNDS)
    check_env(Duel())


def played(arena: Arena, rounds: int) -> list[int]:
    hashes = []
    for _ in range(rounds):
        if arena.agents:
            seen = arena.observe()
            arena.step({agent: scripted(seen[agent]) for agent in arena.agents})
        hashes.append(arena.hash())
    return hashes


def test_forks_and_seeds_go_on_alike() -> None:
    arena, other = Arena(), Arena()
    arena.reset(seed=5)
    other.reset(seed=5)
    assert played(arena, 6) == played(other, 6)
    ahead = arena.fork()
    at = arena.hash()
    assert len(set(played(ahead, 8))) == 8
    assert arena.hash() == at, "what is tried in a fork happens nowhere else"
    assert played(arena, 8)[-1] == ahead.hash()
    for one, two in zip(arena.reset()[0].values(), ahead.reset()[0].values(), strict=True):
        assert (one == two).all()
    other.reset(seed=6)
    assert other.hash() != at


def test_the_sides_are_alike() -> None:
    arena = Arena(render_mode="png")
    won = np.zeros(2)
    for seed in range(30):
        arena.reset(seed=seed)
        assert np.allclose(arena.open_ground, arena.open_ground[::-1, ::-1])
        played(arena, ROUNDS)
        assert not arena.agents
        won[arena.battle.strength().argmax()] += 1
    assert won.min() >= 8, won
    assert (arena.render() or b"").startswith(b"\x89PNG")


def test_an_action_that_is_none() -> None:
    arena = Arena()
    arena.reset(seed=1)
    before = arena.hash()
    for action in ([0, 1], [0, 1, 48], [0, 1, -1], [0.5, 1, 2]):
        with pytest.raises(ValueError, match="'west'.*give 3 regions, whole numbers of 0 to 47"):
            arena.step({"west": np.array(action)})
    assert arena.hash() == before


def test_before_reset() -> None:
    calls = [lambda: Arena().fork(), lambda: Arena().step({}), lambda: Duel().step(np.zeros(3, int))]
    for call in calls:
        with pytest.raises(ValueError, match="has not begun: call reset"):
            call()


def test_duels_together_are_duels_one_by_one() -> None:
    together = Duels(5, threads=3)
    alone: Any = gymnasium.vector.SyncVectorEnv([Duel] * 5)
    assert together.metadata["autoreset_mode"] == alone.metadata["autoreset_mode"]
    assert together.observation_space == alone.observation_space
    assert together.action_space == alone.action_space
    rng = np.random.default_rng(3)
    ends = 0
    assert np.array_equal(together.reset(seed=9)[0], alone.reset(seed=9)[0])
    for _ in range(60):
        actions = rng.integers(0, 48, (5, 3))
        ours, theirs = together.step(actions)[:4], alone.step(actions)[:4]
        for one, two in zip(ours, theirs, strict=True):
            assert np.array_equal(one, two)
        ends += int((ours[2] | ours[3]).sum())
    assert ends >= 5
    together.close()
