"""Sector flow fields for armies on very large maps.

A `World` has a map and orders on it; an `Order` says to every cell where to go; an `Army` moves
units with bodies. All calls are those of the engine in Rust, and come to the same results.

>>> import numpy as np
>>> world = World(np.ones((40, 60), np.uint8))
>>> world[10:30, 30] = 255
>>> army = Army(world)
>>> band = army.add_group([(5.5, 20.5), (6.5, 20.5)])
>>> army.send_all(band, (50, 20))
>>> army.step(100)
>>> army.positions().shape
(2, 2)
"""

from enum import IntEnum as _IntEnum
from typing import Literal as _Literal

import numpy as _np
from numpy.typing import NDArray as _NDArray

from ._flowtiles import (
    ArgumentError,
    Army,
    Chase,
    EditReport,
    Goal,
    MapError,
    Order,
    PortalGraph,
    Progress,
    StampTemplate,
    StateError,
    SurchargeReport,
    Target,
    World,
    __version__,
    layer_for_team,
)

__all__ = [
    "STEPS",
    "WALL",
    "ArgumentError",
    "Army",
    "Chase",
    "EditReport",
    "EventKind",
    "Goal",
    "MapError",
    "Order",
    "PortalGraph",
    "Progress",
    "Sample",
    "StampTemplate",
    "State",
    "StateError",
    "SurchargeReport",
    "Target",
    "World",
    "__version__",
    "layer_for_team",
]

WALL: _Literal[255] = 255
"""The cost of a wall."""

STEPS: _NDArray[_np.int32] = _np.array(
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)], _np.int32
)
"""Where the eight steps lead, x and y: north, east, south, west, then the diagonals."""
STEPS.flags.writeable = False


class Sample(_IntEnum):
    """What a sample says. Below `LINK` its lowest three bits are a step, an index of `STEPS`."""

    GO = 0x00
    """Take the step."""
    LINK = 0x10
    """Enter the link here: `Order.link_exit` says where it leads."""
    ARRIVED = 0x20
    """At the goal."""
    WAITING = 0x30
    """Directions are not ready: more ticks are needed."""
    OFF_ROUTE = 0x40
    """No directions here: `Order.cover` the cell."""
    UNREACHABLE = 0x50
    """The goal cannot be reached from here."""
    WALL = 0x60
    """The cell is a wall: in `Order.flow` alone, since a sample of the cell leads out."""


class State(_IntEnum):
    """What a unit is doing."""

    MARCHING = 0
    """On its way, or waiting for a path."""
    ARRIVED = 1
    """At its goal."""
    UNREACHABLE = 2
    """Cut off from its goal."""
    ENGAGED = 3
    """In range of its quarry."""


class EventKind(_IntEnum):
    """What has happened in a step."""

    ARRIVED = 0
    """The unit has reached its goal."""
    GROUP_ARRIVED = 1
    """All units of the group that can reach its goal have arrived."""
    REACHED = 2
    """A unit of the group has come within range of its quarry, the unit."""
    LOST = 3
    """The group's pursuit of the unit has ended."""
    STUCK = 4
    """The unit makes no progress; the value is 1, 2 or 3, and grows as it tries harder."""
    ENTERED = 5
    """The unit has come out of the link whose number is the value."""
    UNREACHABLE = 6
    """The unit is cut off from its goal, or in a wall or off the map with no free place near."""
    TOO_WIDE = 7
    """The unit makes no progress, and is wider than the bodies for which its order is made."""
    OTHER = 255
    """Something for which this package has no word yet."""
