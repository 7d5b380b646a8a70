"""poly-split-records: sweeps over drawn records compute the bits that gcc makes of them."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"
STRICT = ["-ffp-contract=off"]


def kernel(number: int, draw: random.Random) -> tuple[str, str]:
    """A function over two arrays of records, in sweeps, and what calls it and tells the result."""
    size = draw.choice([2, 3, 4, 6, 8, 16])
    used = draw.sample(range(size), draw.randint(1, max(1, size // 2)))
    kind = draw.choice(["double", "float"])
    rank = draw.choice([1, 1, 2])
    name, struct = f"k{number}", f"struct s{number}"
    before = f"{struct} {{ {kind} m[{size}]; }};\n"
    loops = "".join(f"for (int {i} = 2; {i} < n - 2; {i}++) " for i in "ij"[:rank])

    def element(array: str, member: int) -> str:
        places = "".join(f"[{i} + {draw.randint(-2, 2)}]" for i in "ij"[:rank])
        return f"{array}{places}.m[{member}]"

    def update(into: str, other: str) -> str:
        target = f"{into}{''.join(f'[{i}]' for i in 'ij'[:rank])}.m[{draw.choice(used)}]"
        terms = [element(draw.choice([into, other]), draw.choice(used)) for _ in range(3)]
        return f"{target} = 0.25 * ({' + '.join(terms)}) + 1;"

    bodies = "\n    ".join(
        loops + update(*pair) for pair in (("a", "b"), ("b", "a"))[: draw.randint(1, 2)]
    )
    row = "[n]" if rank == 2 else ""
    parameters = ", ".join(
        f"{struct} (*restrict {one}){row}" if row else f"{struct} *restrict {one}" for one in "ab"
    )
    sweeps = f"for (int s = 0; s < t; s++) {{\n    {bodies}\n  }}"
    text = f"{before}void {name}(int n, int t, {parameters})\n{{\n  {sweeps}\n}}\n"
    return text, f"  run({size}, sizeof({kind}), n, t, {rank}, (kernel *){name});\n"


RUN = """
typedef void kernel(int, int, void *, void *);
static void run(int size, int bytes, int n, int t, int rank, kernel *kernel) {
  long count = (long)size * (rank == 2 ? n * n : n);
  double *d[2]; float *f[2];
  for (int k = 0; k < 2; k++) {
    d[k] = malloc(8 * count + 8), f[k] = malloc(4 * count + 8);
    for (long i = 0; i < count; i++) d[k][i] = f[k][i] = (i * 7 + k) % 13;
  }
  if (bytes == 8) kernel(n, t, d[0], d[1]); else kernel(n, t, f[0], f[1]);
  double sum = 0;
  for (int k = 0; k < 2; k++)
    for (long i = 0; i < count; i++) sum += (bytes == 8 ? d[k][i] : f[k][i]) * (i % 17 + k);
  printf("%d %d %a\\n", n, t, sum);
}
"""


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_sweeps_over_records(seed: int, tmp_path: Path):
    draw = random.Random(seed)
    kernels = [kernel(number, draw) for number in range(8)]
    calls = "".join(call for _, call in kernels)
    sizes = "for (int n = 0; n < 60; n += n < 9 ? 1 : 17) for (int t = 0; t < 36; t += 17) {\n"
    text = "".join(one for one, _ in kernels)
    (tmp_path / "program.c").write_text(
        f"{HEAD}{text}{RUN}int main(void) {{\n{sizes}{calls}}}\n}}\n"
    )
    compiler = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "-O3", "--remarks"]
    outputs = list[str]()
    for command in (["gcc", "-O1"], compiler):
        words = [*command, *STRICT, "program.c", "-o", "program"]
        made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        ran = subprocess.run(
            [tmp_path / "program"], capture_output=True, text=True, timeout=60, check=True
        )
        outputs.append(ran.stdout)
    assert made.stderr.count("in rows of their own") >= 3, made.stderr
    assert outputs[0] == outputs[1]
