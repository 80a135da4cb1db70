/* A unit marches around a wall. With the library built, from the project's folder:
 *
 *   cc -Icrates/flowtiles-capi/include crates/flowtiles-capi/examples/march.c \
 *       target/release/libflowtiles_capi.a -lpthread -ldl -lm -lgcc_s -o march && ./march
 */
#include <stdio.h>
#include <stdlib.h>

#include "flowtiles.h"

static void check(flowtiles_status status) {
    if (status != FLOWTILES_OK) {
        fprintf(stderr, "flowtiles: %s\n", flowtiles_last_error());
        exit(1);
    }
}

int main(void) {
    if (flowtiles_abi_version() != FLOWTILES_ABI_VERSION) {
        fprintf(stderr, "the library is not that of the header\n");
        return 1;
    }
    flowtiles_world world;
    check(flowtiles_world_open(60, 40, &world));
    check(flowtiles_world_edit(world, 30, 0, 1, 35, 255, NULL));

    flowtiles_army army;
    flowtiles_group group;
    check(flowtiles_army_new(world, NULL, &army));
    check(flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, &group));
    flowtiles_unit unit = {group, 1, 5.5f, 5.5f, 0.3f, 4.0f};
    check(flowtiles_army_add_units(army, &unit, 1));

    flowtiles_cell to = {50, 5};
    flowtiles_goal goal = {&to, 1, 0, FLOWTILES_QUALITY_CORRIDOR, 0};
    check(flowtiles_army_order(army, group, &goal, NULL));

    uint32_t settled = 0;
    int steps = 0;
    while (!settled && steps < 2000) {
        check(flowtiles_world_tick(world, 4000, NULL));
        check(flowtiles_army_step(army, 0.05f));
        check(flowtiles_army_is_settled(army, &settled));
        steps += 1;
    }
    float position[1][2];
    size_t count;
    check(flowtiles_army_read(army, NULL, position, NULL, NULL, 1, &count));
    printf("after %d steps the unit is at %.1f, %.1f\n", steps, position[0][0], position[0][1]);

    check(flowtiles_army_free(army));
    check(flowtiles_world_free(world));
    if (flowtiles_army_step(army, 0.05f) != FLOWTILES_ERROR_STALE) {
        fprintf(stderr, "a freed army was not found out\n");
        return 1;
    }
    return 0;
}
