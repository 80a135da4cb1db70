# Writes eikonal.txt: potentials by scikit-fmm (pip install scikit-fmm) of the speed fields that
# eikonal.rs draws in the same way.
import numpy
import skfmm

WIDTH, HEIGHT = 60, 40
for field in range(4):
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    mixed = (x * 73 + y * 151 + x * y * 31 + field * 997) % 1009
    slow = mixed % 8 if field < 2 else (x // 7 + y // 5 + field) % 3 * 4
    cost = 1 + slow / 2
    wall = (mixed % 9 == 0) & (x > 0)
    front = numpy.ma.MaskedArray(x.astype(float), wall)
    time = skfmm.travel_time(front, 1 / cost, order=1)
    for row in range(3, HEIGHT, 6):
        values = time[row, 5::6].filled(-1)
        print(" ".join(f"{value:.5f}" for value in values))
