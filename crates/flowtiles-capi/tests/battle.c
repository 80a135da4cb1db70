/* The battle of c_abi.rs, and after 400 ticks its hashes, as battle.hashes has them. */
#include <inttypes.h>
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
    flowtiles_world world;
    flowtiles_army army;
    flowtiles_group groups[2];
    check(flowtiles_world_open(120, 80, &world));
    check(flowtiles_world_edit(world, 60, 0, 1, 80, 255, NULL));
    check(flowtiles_world_edit(world, 60, 20, 1, 6, 1, NULL));
    check(flowtiles_world_edit(world, 60, 54, 1, 6, 1, NULL));
    check(flowtiles_world_edit(world, 70, 10, 20, 20, 4, NULL));
    check(flowtiles_army_new(world, NULL, &army));
    for (int side = 0; side < 2; side++) {
        check(flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, &groups[side]));
        flowtiles_unit units[60];
        for (int at = 0; at < 60; at++) {
            float x = 4.5f + 106 * side + at % 6, y = 20.5f + at / 6;
            flowtiles_unit unit = {groups[side], 60 * side + at, x, y, 0.3f, 4.0f};
            units[at] = unit;
        }
        check(flowtiles_army_add_units(army, units, 60));
        flowtiles_cell to = {110 - 102 * side, 40};
        flowtiles_goal goal = {&to, 1, 0, FLOWTILES_QUALITY_CORRIDOR, 0};
        check(flowtiles_army_order(army, groups[side], &goal, NULL));
    }
    for (int side = 0; side < 2; side++) {
        check(flowtiles_army_set_manner(army, groups[side], side, 2 >> side,
                                        FLOWTILES_READING_AHEAD, 0));
    }
    for (int tick = 0; tick < 400; tick++) {
        if (tick == 100) check(flowtiles_world_edit(world, 60, 20, 1, 6, 255, NULL));
        if (tick == 200) check(flowtiles_army_form(army, groups[0], FLOWTILES_SHAPE_BOX, 1.25f));
        check(flowtiles_world_tick(world, 4000, NULL));
        check(flowtiles_army_step(army, 0.05f));
    }
    uint64_t world_hash, army_hash;
    check(flowtiles_world_hash(world, &world_hash));
    check(flowtiles_army_hash(army, &army_hash));
    printf("0x%016" PRIx64 "\n0x%016" PRIx64 "\n", world_hash, army_hash);
    check(flowtiles_army_free(army));
    check(flowtiles_world_free(world));
    return 0;
}
