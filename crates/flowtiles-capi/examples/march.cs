// A unit marches around a wall. With the library built, from the project's folder:
//
//   mcs -unsafe crates/flowtiles-capi/examples/march.cs \
//       crates/flowtiles-capi/bindings/csharp/Flowtiles.cs -out:march.exe
//   LD_LIBRARY_PATH=target/release mono march.exe
using System;
using System.Globalization;
using System.Text;
using Flowtiles;
using static Flowtiles.Native;

static unsafe class March
{
    /// <summary>Throws what a call refuses.</summary>
    static void Check(int status)
    {
        if (status == FLOWTILES_OK) return;
        byte* words = flowtiles_last_error();
        int length = 0;
        while (words[length] != 0) length++;
        throw new InvalidOperationException(Encoding.UTF8.GetString(words, length));
    }

    static int Main()
    {
        if (flowtiles_abi_version() != FLOWTILES_ABI_VERSION)
        {
            Console.Error.WriteLine("the library is not that of Flowtiles.cs");
            return 1;
        }
        ulong world, army, group;
        Check(flowtiles_world_open(60, 40, &world));
        Check(flowtiles_world_edit(world, 30, 0, 1, 35, 255, null));

        Check(flowtiles_army_new(world, null, &army));
        Check(flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, &group));
        var unit = new flowtiles_unit
        {
            group = group, id = 1, x = 5.5f, y = 5.5f, radius = 0.3f, speed = 4f,
        };
        Check(flowtiles_army_add_units(army, &unit, (UIntPtr)1));

        var to = new flowtiles_cell { x = 50, y = 5 };
        var goal = new flowtiles_goal { cells = &to, cells_count = (UIntPtr)1 };
        Check(flowtiles_army_order(army, group, &goal, null));

        // An army's arrays, made once: these have room for one unit and its events.
        var events = new flowtiles_event[8];
        var positions = new float[2];
        UIntPtr count;
        bool arrived = false;
        int steps = 0;
        while (!arrived && steps < 2000)
        {
            Check(flowtiles_world_tick(world, 4000, null));
            Check(flowtiles_army_step(army, 0.05f));
            fixed (flowtiles_event* first = events)
                Check(flowtiles_army_events(army, first, (UIntPtr)events.Length, &count));
            for (int at = 0; at < (int)count; at++)
                arrived |= events[at].kind == FLOWTILES_EVENT_GROUP_ARRIVED;
            steps++;
        }
        fixed (float* first = positions)
            Check(flowtiles_army_read(army, null, first, null, null, (UIntPtr)1, &count));
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture,
            "after {0} steps the unit is at {1:F1}, {2:F1}", steps, positions[0], positions[1]));

        Check(flowtiles_army_free(army));
        Check(flowtiles_world_free(world));
        if (flowtiles_army_step(army, 0.05f) != FLOWTILES_ERROR_STALE)
        {
            Console.Error.WriteLine("a freed army was not found out");
            return 1;
        }
        return 0;
    }
}
