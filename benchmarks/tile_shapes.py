"""What the shape of a tile is worth: `python benchmarks/tile_shapes.py [-n 2000] [-s 16]`.

A star of five points over a triangle (C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops,
PPoPP 1991, figure 1), in rectangles, diamonds and hexagons of about as many points. For each shape:
the points of a full tile, the elements of the array that it reads (counted, each once), how many
that is for a point, and the seconds of the loops, best of several in turns. Each program's result
is compared with that of the source's order by gcc -O0.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import islpy as isl

from polyopt.poly.isl.lists import points
from polyopt.poly.scanning.tile_functions import Tiles
from polyopt.poly.transform.shapes import hexagon_tiles, hyperplane_tiles

PROGRAM = """
#include <stdio.h>
#include <time.h>
static double A[SIZE][SIZE], B[SIZE][SIZE];

void star(int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j <= i; j++)
            B[i][j] = A[i][j] + 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

int main(void)
{
    struct timespec before, after;
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            A[i][j] = (i * 7 + j * 13) % 101;
    star(SIZE);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (int k = 0; k < 5; k++)
        star(SIZE);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            sum += B[i][j] * ((i * 3 + j) % 11);
    fprintf(stderr, "%.9f", after.tv_sec - before.tv_sec + 1e-9 * (after.tv_nsec - before.tv_nsec));
    printf("%.17g", sum);
}
"""
STAR = isl.Map("{ [i, j] -> [a, b] : -1 <= a - i <= 1 and -1 <= b - j <= 1 and (a = i or b = j) }")


def shapes(side: int) -> dict[str, tuple[Tiles, str]]:
    """About 2 side^2 points in each."""
    height = max(1, round(side / 2**0.5))
    width = side * side // height - height
    return {
        "rectangles": (
            hyperplane_tiles(2, (1, 0, 0, 1), (side, 2 * side)),
            f"hyperplanes S0.i S0.j 1 0 {side} 0 1 {2 * side}",
        ),
        "diamonds": (
            hyperplane_tiles(2, (1, 1, 1, -1), (2 * side, 2 * side)),
            f"hyperplanes S0.i S0.j 1 1 {2 * side} 1 -1 {2 * side}",
        ),
        "hexagons": (
            hexagon_tiles(height, width),
            f"hexagons S0.i S0.j {height} {width}",
        ),
    }


def reads(tiles: Tiles) -> tuple[int, int]:
    """The points of the tile 0, and the elements that they read."""
    zero = ", ".join("0" for _ in tiles.functions())
    tile = tiles.membership().reverse().intersect_domain(isl.Set(f"{{ [{zero}] }}")).range()
    return len(points(tile)), len(points(tile.apply(STAR)))


def measured(commands: dict[str, list[str]], turns: int) -> dict[str, tuple[float, str]]:
    """Seconds, the best of `turns`, and the result of each program."""
    best: dict[str, tuple[float, str]] = {}
    for _ in range(turns):
        for name, command in commands.items():
            run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
            seconds = min(float(run.stderr), best.get(name, (float(run.stderr), ""))[0])
            best[name] = seconds, run.stdout
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description="What the shape of a tile is worth.")
    parser.add_argument("-n", type=int, default=2000, help="rows of the arrays")
    parser.add_argument("-s", type=int, default=16, help="size of the tiles")
    parser.add_argument("-r", type=int, default=3, help="runs of each program")
    parser.add_argument("-O", default="-O3", dest="level", help="what else polyopt-cc is told")
    given = parser.parse_args()
    chosen = shapes(given.s)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "star.c")
        source.write_text(PROGRAM.replace("SIZE", str(given.n)), encoding="utf-8")
        compiler = [str(Path(sys.executable).with_name("polyopt-cc")), given.level, "-march=native"]
        programs: dict[str, list[str]] = {}
        scripts = {name: f"scop star\n{step}\n" for name, (_, step) in chosen.items()}
        for name, script in {"source": "", **scripts}.items():
            program = str(Path(folder, name))
            steps = ["--poly=identity"]
            if script:
                Path(f"{program}.steps").write_text(script, encoding="utf-8")
                steps += [f"--schedule={program}.steps"]
            subprocess.run([*compiler, *steps, str(source), "-o", program], check=True)
            programs[name] = [program]
        plain = str(Path(folder, "plain"))
        subprocess.run(["gcc", "-O0", "-ffp-contract=off", str(source), "-o", plain], check=True)
        expected = subprocess.run([plain], capture_output=True, text=True, check=True).stdout
        found = measured(programs, given.r)
    print(f"{'shape':12}{'points':>8}{'reads':>8}{'a point':>10}{'seconds':>10}  result")
    for name, (seconds, result) in found.items():
        count, elements = reads(chosen[name][0]) if name in chosen else (0, 0)
        tile = f"{count:8}{elements:8}{elements / count:10.3f}" if count else " " * 26
        print(f"{name:12}{tile}{seconds:10.4f}  {'same' if result == expected else 'WRONG'}")
    return any(result != expected for _, result in found.values())


if __name__ == "__main__":
    sys.exit(main())
