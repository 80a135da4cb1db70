// A unit marches around a wall, as in march.c; what was made is freed by its owner. With the
// library installed by `crates/flowtiles-capi/install PREFIX`, CMakeLists.txt here builds it.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "flowtiles.h"

// The owner of a handle, as unique_ptr is of a pointer.
template <flowtiles_status (*release)(std::uint64_t)>
class Owner {
    std::uint64_t handle = 0;

public:
    Owner() = default;
    Owner(Owner&& other) noexcept : handle(std::exchange(other.handle, 0)) {}
    ~Owner() {
        if (handle != 0) release(handle);
    }
    operator std::uint64_t() const { return handle; }

    // Where a call writes the handle that it makes: once for each owner.
    std::uint64_t* place() { return &handle; }
};

using World = Owner<flowtiles_world_free>;
using Army = Owner<flowtiles_army_free>;

static void check(flowtiles_status status) {
    if (status != FLOWTILES_OK) throw std::runtime_error(flowtiles_last_error());
}

static World open_world() {
    World world;
    check(flowtiles_world_open(60, 40, world.place()));
    check(flowtiles_world_edit(world, 30, 0, 1, 35, 255, nullptr));
    return world;
}

// Returns the handle of its army, which is freed by then.
static flowtiles_army march() {
    World world = open_world();
    Army army;
    check(flowtiles_army_new(world, nullptr, army.place()));
    flowtiles_group group;
    check(flowtiles_army_add_group(army, FLOWTILES_READING_AHEAD, &group));
    const flowtiles_unit unit{group, 1, 5.5f, 5.5f, 0.3f, 4.0f};
    check(flowtiles_army_add_units(army, &unit, 1));

    const flowtiles_cell to{50, 5};
    const flowtiles_goal goal{&to, 1, 0, FLOWTILES_QUALITY_CORRIDOR, 0};
    check(flowtiles_army_order(army, group, &goal, nullptr));

    std::uint32_t settled = 0;
    int steps = 0;
    for (; !settled && steps < 2000; ++steps) {
        check(flowtiles_world_tick(world, 4000, nullptr));
        check(flowtiles_army_step(army, 0.05f));
        check(flowtiles_army_is_settled(army, &settled));
    }
    float position[1][2];
    std::size_t count;
    check(flowtiles_army_read(army, nullptr, position, nullptr, nullptr, 1, &count));
    std::printf("after %d steps the unit is at %.1f, %.1f\n", steps, position[0][0],
                position[0][1]);
    return army;
}

int main() try {
    if (flowtiles_abi_version() != FLOWTILES_ABI_VERSION) {
        throw std::runtime_error("the library is not that of the header");
    }
    if (flowtiles_army_step(march(), 0.05f) != FLOWTILES_ERROR_STALE) {
        throw std::runtime_error("a freed army was not found out");
    }
} catch (const std::exception& error) {
    std::fprintf(stderr, "flowtiles: %s\n", error.what());
    return 1;
}
