"""Two players lead armies against each other, in the conventions of PettingZoo and Gymnasium.

    Arena()      # two agents
    Duel()       # one agent against the scripted player
    Duels(16)    # 16 duels that are stepped together, on all cores

Both agents see the map as if they came from the west, so one policy plays either side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, MultiDiscrete, Space
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from battle import COLUMNS, GROUPS, LIFE, REGION, REGIONS, ROWS, UNITS, Battle, drawn_map, hunt

Observation = NDArray[np.float32]
Action = NDArray[np.int64]
Policy = Callable[[Observation], Action]

ROUNDS = 40
"""After so many rounds a battle that nobody has won ends."""
PLANES = 2 + GROUPS
"""Of an observation: how open a region is, how strong the foes there, and each own group."""
FULL = LIFE * UNITS
NO_BATTLE = "the battle is over or has not begun: call reset"


def scripted(observation: Observation) -> Action:
    """The scripted player, as a policy."""
    planes = observation.reshape(PLANES, REGIONS).astype(np.float64)
    return hunt(planes[2:], planes[1])


class Arena(ParallelEnv[str, Observation, Action]):
    """A battle on a drawn map. An action is the regions to which an agent's groups are sent, an
    observation an array of planes over the regions, a step a second of the battle.

    The reward is what the foe has lost, less what the agent has lost, as parts of a whole army. It
    adds up to zero over the two.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "flowtiles_arena_v0", "render_modes": ["png"]}
    battle: Battle

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.possible_agents = ["west", "east"]
        self.agents: list[str] = []
        self.observation_spaces: dict[str, Space[Any]] = {
            agent: Box(0.0, 1.0, (PLANES, ROWS, COLUMNS), np.float32)
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Space[Any]] = {
            agent: MultiDiscrete([REGIONS] * GROUPS) for agent in self.possible_agents
        }
        self.rng = np.random.default_rng()

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Draws a map and the places of the armies, from the seed or going on from the last."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.rounds = 0
        world = drawn_map(self.rng)
        ground = world.costs().reshape(ROWS, REGION, COLUMNS, REGION)
        self.open_ground = (1 / ground).mean((1, 3)).astype(np.float32)
        self.battle = Battle(world, self.rng)
        return self.observe(), {agent: {} for agent in self.agents}

    def observe(self) -> dict[str, Observation]:
        found = self.battle.regions().reshape(2, GROUPS, ROWS, COLUMNS) / FULL
        seen = {}
        for team, agent in enumerate(self.possible_agents):
            foes = found[1 - team].sum(0) / GROUPS
            planes = np.stack([self.open_ground, foes, *found[team]]).astype(np.float32)
            seen[agent] = planes if team == 0 else planes[:, ::-1, ::-1].copy()
        return seen

    def step(
        self, actions: dict[str, Action]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        if not self.agents:
            raise ValueError(NO_BATTLE)
        for agent, action in actions.items():
            if not self.action_space(agent).contains(np.asarray(action)):
                raise ValueError(
                    f"the action of {agent!r} is {action!r}: give {GROUPS} regions, "
                    f"whole numbers of 0 to {REGIONS - 1}"
                )
        for team, agent in enumerate(self.possible_agents):
            if agent in actions:
                regions = np.asarray(actions[agent])
                self.battle.send(team, regions if team == 0 else REGIONS - 1 - regions)
        before = self.battle.strength()
        self.battle.round()
        after = self.battle.strength()
        self.rounds += 1
        lost = (before - after) / (GROUPS * FULL)
        agents = self.agents
        over = not after.all()
        late = not over and self.rounds >= ROUNDS
        if over or late:
            self.agents = []
        rewards = [float(lost[1] - lost[0]), float(lost[0] - lost[1])]
        return (
            self.observe(),
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late),
            {agent: {} for agent in agents},
        )

    def fork(self) -> Arena:
        """A copy of the battle, to look ahead: what is tried in it happens nowhere else. Its next
        `reset` draws what that of this one would.
        """
        if not hasattr(self, "battle"):
            raise ValueError(NO_BATTLE)
        other = Arena(self.render_mode)
        other.agents, other.rounds = self.agents[:], self.rounds
        other.open_ground, other.battle = self.open_ground, self.battle.fork()
        other.rng.bit_generator.state = self.rng.bit_generator.state
        return other

    def hash(self) -> int:
        """Equal for battles that go on alike."""
        return self.battle.hash()

    def render(self) -> bytes | None:
        """The battle as a PNG."""
        return self.battle.army.picture() if self.render_mode == "png" else None

    def state(self) -> Observation:
        """The battle as west sees it; nothing of it is hidden."""
        return self.observe()["west"]


class Duel(gymnasium.Env[Observation, Action]):
    """The arena for one agent, west, against a policy that plays east."""

    def __init__(self, foe: Policy = scripted) -> None:
        self.arena, self.foe = Arena(), foe
        self.observation_space = self.arena.observation_space("west")
        self.action_space = self.arena.action_space("west")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.arena.rng = self.np_random
        self.seen, infos = self.arena.reset()
        return self.seen["west"], infos["west"]

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.arena.agents:
            raise ValueError(NO_BATTLE)
        actions = {"west": action, "east": self.foe(self.seen["east"])}
        self.seen, rewards, over, late, infos = self.arena.step(actions)
        return self.seen["west"], rewards["west"], over["west"], late["west"], infos["west"]


class Duels(VectorEnv[Observation, Action, NDArray[Any]]):
    """So many duels, stepped together. They share nothing, and the engine lets other threads run,
    so each thread takes some of them. A duel that has ended begins anew with the next step.
    """

    def __init__(self, count: int, foe: Policy = scripted, threads: int | None = None) -> None:
        self.num_envs = count
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.duels = [Duel(foe) for _ in range(count)]
        self.single_observation_space = self.duels[0].observation_space
        self.single_action_space = self.duels[0].action_space
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self.pool = ThreadPoolExecutor(threads)
        self.ended = np.zeros(count, bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all; one seed is that of the first duel, and the next have those that follow."""
        if seed is None:
            seeds: Sequence[int | None] = [None] * self.num_envs
        elif isinstance(seed, int):
            seeds = range(seed, seed + self.num_envs)
        else:
            seeds = seed
        begun = self.pool.map(lambda duel, seed: duel.reset(seed=seed)[0], self.duels, seeds)
        self.ended[:] = False
        return np.stack(list(begun)), {}

    def step(
        self, actions: Action
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        def one(duel: Duel, action: Action, ended: bool) -> tuple[Observation, float, bool, bool]:
            if ended:
                return duel.reset()[0], 0.0, False, False
            return duel.step(action)[:4]

        stepped = list(self.pool.map(one, self.duels, actions, self.ended))
        seen, rewards, over, late = map(np.array, zip(*stepped, strict=True))
        self.ended = over | late
        return seen, rewards, over, late, {}

    def close_extras(self, **kwargs: Any) -> None:
        self.pool.shutdown()
