// The battle of c_abi.rs, and after 400 ticks its hashes, as battle.hashes has them.
using System;
using Flowtiles;
using static Flowtiles.Native;

static unsafe class Battle
{
    static void Check(int status)
    {
        if (status != FLOWTILES_OK) throw new InvalidOperationException("status " + status);
    }

    static void Main()
    {
        ulong world, army, worldHash, armyHash;
        var groups = new ulong[2];
        Check(flowtiles_world_open(120, 80, &world));
        Check(flowtiles_world_edit(world, 60, 0, 1, 80, 255, null));
        Check(flowtiles_world_edit(world, 60, 20, 1, 6, 1, null));
        Check(flowtiles_world_edit(world, 60, 54, 1, 6, 1, null));
        Check(flowtiles_world_edit(world, 70, 10, 20, 20, 4, null));
        Check(flowtiles_army_new(world, null, &army));
        for (int side = 0; side < 2; side++)
        {
            fixed (ulong* group = &groups[side])
                Check(flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, group));
            var units = new flowtiles_unit[60];
            for (int at = 0; at < 60; at++)
                units[at] = new flowtiles_unit
                {
                    group = groups[side],
                    id = (uint)(60 * side + at),
                    x = 4.5f + 106 * side + at % 6,
                    y = 20.5f + at / 6,
                    radius = 0.3f,
                    speed = 4f,
                };
            fixed (flowtiles_unit* first = units)
                Check(flowtiles_army_add_units(army, first, (UIntPtr)units.Length));
            var to = new flowtiles_cell { x = 110 - 102 * side, y = 40 };
            var goal = new flowtiles_goal { cells = &to, cells_count = (UIntPtr)1 };
            Check(flowtiles_army_order(army, groups[side], &goal, null));
        }
        for (int side = 0; side < 2; side++)
            Check(flowtiles_army_set_manner(army, groups[side], (byte)side, (byte)(2 >> side),
                FLOWTILES_READING_AHEAD, 0));
        for (int tick = 0; tick < 400; tick++)
        {
            if (tick == 100) Check(flowtiles_world_edit(world, 60, 20, 1, 6, 255, null));
            if (tick == 200)
                Check(flowtiles_army_form(army, groups[0], FLOWTILES_SHAPE_BOX, 1.25f));
            Check(flowtiles_world_tick(world, 4000, null));
            Check(flowtiles_army_step(army, 0.05f));
        }
        Check(flowtiles_world_hash(world, &worldHash));
        Check(flowtiles_army_hash(army, &armyHash));
        Console.WriteLine("0x{0:x16}\n0x{1:x16}", worldHash, armyHash);
        Check(flowtiles_army_free(army));
        Check(flowtiles_world_free(world));
    }
}
