"""A unit marches around a wall. With the library built, from the project's folder:

    python3 crates/flowtiles-capi/examples/march.py target/release/libflowtiles_capi.so
"""

import ctypes
import sys
from ctypes import POINTER, byref, c_float, c_int32, c_size_t, c_uint32, c_uint64

flowtiles = ctypes.CDLL(sys.argv[1])
flowtiles.flowtiles_last_error.restype = ctypes.c_char_p


class Cell(ctypes.Structure):
    _fields_ = [("x", c_int32), ("y", c_int32)]


class Goal(ctypes.Structure):
    _fields_ = [
        ("cells", POINTER(Cell)),
        ("cells_count", c_size_t),
        ("layer", c_uint32),
        ("quality", c_uint32),
        ("or_nearest", c_uint32),
    ]


class Unit(ctypes.Structure):
    _fields_ = [
        ("group", c_uint64),
        ("id", c_uint32),
        ("x", c_float),
        ("y", c_float),
        ("radius", c_float),
        ("speed", c_float),
    ]


def call(name, *values):
    """Calls a function, and raises what it refuses."""
    if getattr(flowtiles, f"flowtiles_{name}")(*values) != 0:
        raise RuntimeError(flowtiles.flowtiles_last_error().decode())


world, army, group = c_uint64(), c_uint64(), c_uint64()
call("world_open", c_uint32(60), c_uint32(40), byref(world))
call("world_edit", world, c_int32(30), c_int32(0), c_uint32(1), c_uint32(35), ctypes.c_uint8(255), None)
call("army_new", world, None, byref(army))
call("army_add_group", army, c_uint32(3), byref(group))
call("army_add_units", army, byref(Unit(group.value, 1, 5.5, 5.5, 0.3, 4.0)), c_size_t(1))
to = Cell(50, 5)
call("army_order", army, group, byref(Goal(ctypes.pointer(to), 1)), None)

settled, steps = c_uint32(), 0
while not settled.value and steps < 2000:
    call("world_tick", world, c_uint64(4000), None)
    call("army_step", army, c_float(0.05))
    call("army_is_settled", army, byref(settled))
    steps += 1
position, count = (c_float * 2)(), c_size_t()
call("army_read", army, None, position, None, None, c_size_t(1), byref(count))
print(f"after {steps} steps the unit is at {position[0]:.1f}, {position[1]:.1f}")
call("army_free", army)
call("world_free", world)
