"""The tables of two papers as this machine has them, beside the papers' own numbers.

    python benchmarks/papers.py tile-simd [--sizes mini,small,…] [--outer-tile 32] [--l1 32K]
    python benchmarks/papers.py poly-ast [--dataset SMALL] [--threads 2] [--search]

Either takes `--kernels adi,…`: the rows of these only.

tile-simd (Huang Z. et al., Automatic vectorization optimization based on LLVM-Polly, 2020): table
1, seconds of four kernels of PolyBench at five sizes; figure 4, how many times as fast as LLVM
alone each is; figure 5, what vectors are worth to tile-simd at the standard size. Where a clang is
found, it and its Polly take part.

poly-ast (J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can mix, SC 2014): table I, 2mm; table
III, pipelines and reductions in threads against wavefronts and loops inside; table IV, fusion,
permutation and tiling one by one. Sizes are those of PolyBench/C 4.2, so compare ratios, not times.
`--search` tries the factors of register tiles, and takes the best for each kernel.

Times are those of the processor, or of the clock where there are threads: the best of some turns,
in which the programs of a kernel run one after the other. The results of all are compared.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from polyopt.poly.changes.factors import FACTORS
from polyopt.tools.bench.run_time_support import SUPPORT

KERNELS = Path(__file__).with_name("kernels")
POLYOPT = [str(Path(sys.executable).with_name("polyopt-cc")), "-O3"]
CLANGS = ("clang", *(f"clang-{number}" for number in range(25, 13, -1)))
LIMIT = 600.0

Numbers = Mapping[str, Sequence[float]]

SIZES = ("mini", "small", "standard", "large", "extralarge")
SIMD_KERNELS: Mapping[str, Sequence[int]] = {
    "correlation": (32, 500, 1000, 2000, 4000),
    "covariance": (32, 500, 1000, 2000, 4000),
    "doitgen": (10, 32, 128, 256, 1000),
    "gramschmidt": (32, 128, 512, 2000, 4000),
}
SIMD_PAPER: Mapping[str, Numbers] = {
    "correlation": {
        "LLVM": (0.000025, 0.129952, 0.856701, 13.65008, 179.711087),
        "Polly": (0.000017, 0.13045, 1.034727, 9.018632, 74.911343),
        "tile-simd": (0.000016, 0.037679, 0.097092, 0.823301, 7.167223),
    },
    "covariance": {
        "LLVM": (0.000025, 0.134699, 0.963622, 14.92978, 182.083564),
        "Polly": (0.000018, 0.154175, 1.036958, 8.651079, 75.231366),
        "tile-simd": (0.000019, 0.03618, 0.096649, 0.769856, 7.231367),
    },
    "doitgen": {
        "LLVM": (0.000016, 0.000587, 0.462329, 10.35875, 1228.334672),
        "Polly": (0.000014, 0.000339, 0.206032, 3.858961, 735.851835),
        "tile-simd": (0.000014, 0.000343, 0.037726, 0.57068, 158.182264),
    },
    "gramschmidt": {
        "LLVM": (0.000051, 0.008947, 1.095135, 30.75116, 350.469272),
        "Polly": (0.00003, 0.005642, 0.842577, 17.6662, 246.914824),
        "tile-simd": (0.000043, 0.001726, 0.06487, 3.375725, 56.492523),
    },
}

TABLE_1 = {"original": (2.4, 0.5), "integrated": (14.0, 29.0), "poly+ast": (19.0, 62.0)}
TABLE_4 = {
    "fuse": ("no-permute,no-tile", {"2mm": 2.23, "3mm": 1.82, "jacobi-2d": 9.04}),
    "fuse+pm": ("no-tile", {"2mm": 7.25, "3mm": 6.24, "jacobi-2d": 9.04}),
    "tiling": ("no-fuse,no-permute", {"2mm": 10.72, "3mm": 8.65, "jacobi-2d": 7.68}),
    "all": ("", {"2mm": 19.09, "3mm": 14.14, "jacobi-2d": 10.92}),
}


class Bench:
    """Programs, made once and run in turns."""

    def __init__(self, folder: str, turns: int, by_the_clock: bool):
        self.folder, self.turns, self.by_the_clock = Path(folder), turns, by_the_clock

    def best(
        self, kernel: str, defines: Iterable[str], commands: Mapping[str, Sequence[str]]
    ) -> dict[str, float]:
        """The seconds of each command's program; infinite where one takes longer than the limit."""
        source, defined = str(KERNELS / f"{kernel}.c"), [f"-D{one}" for one in defines]
        programs = dict[str, Path]()
        for name, command in commands.items():
            program = self.folder / f"program-{len(programs)}"
            subprocess.run([*command, *defined, source, "-o", program, "-lm"], check=True)
            programs[name] = program
        found = dict.fromkeys(programs, float("inf"))
        results: dict[str, list[list[str]]] = {}
        for _ in range(self.turns):
            for name, program in programs.items():
                ran = self._run(program)
                if ran is not None:
                    found[name] = min(found[name], ran[0])
                    results[name] = ran[1]
        _compare(kernel, results)
        return found

    def _run(self, program: Path) -> tuple[float, list[list[str]]] | None:
        try:
            done = subprocess.run(
                [program, "-t"], capture_output=True, text=True, check=True, timeout=LIMIT
            )
        except subprocess.TimeoutExpired:
            return None
        first, *rest = done.stdout.splitlines()
        _, clock, processor = first.split()
        return float(clock if self.by_the_clock else processor), [one.split() for one in rest]


def _compare(kernel: str, results: Mapping[str, list[list[str]]]) -> None:
    """All programs have about the same sums: -ffast-math and fused additions change last digits."""
    if not results:
        return
    (first, wanted), *others = results.items()
    for name, lines in others:
        for one, other in zip(wanted, lines, strict=True):
            for a, b in zip(one[3:5], other[3:5], strict=True):
                scale = max(abs(float(a)), abs(float(b)), 1e-30)
                if abs(float(a) - float(b)) > 1e-6 * scale:
                    sys.exit(f"{kernel}: {name} gives {b}, {first} gives {a}")


def rows(title: str, head: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    print(f"\n{title}")
    table = [list(head), *([_text(one) for one in line] for line in lines)]
    widths = [max(len(line[k]) for line in table) for k in range(len(head))]
    for line in table:
        first, *rest = zip(line, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(one.rjust(width) for one, width in rest)]
        print("  ".join(cells).rstrip(), flush=True)


def _text(value: object) -> str:
    if isinstance(value, float):
        return "-" if value in (float("inf"), 0.0) else f"{value:.3g}"
    return str(value)


def simd_commands(options: argparse.Namespace) -> dict[str, list[str]]:
    """LLVM alone is polyopt's own, which leaves loops to it, where there is no clang."""
    strips = ["--poly=tile-simd", f"--outer-tile={options.outer_tile}"]
    strips += [f"--l1={options.l1}"] if options.l1 else []
    march = ["-march=x86-64-v3", "-ffp-contract=off"]
    clang = next((one for one in CLANGS if shutil.which(one)), None)
    commands = {"LLVM": [*POLYOPT, *march, "-fno-poly"]}
    if clang:
        commands = {
            "LLVM": [clang, "-O3", *march],
            "Polly": [clang, "-O3", *march, "-mllvm", "-polly"],
        }
    return commands | {
        "tile-simd": [*POLYOPT, *march, *strips],
        "no vectors": [*POLYOPT, *march, *strips, "-fno-vectorize"],
    }


def tile_simd(bench: Bench, options: argparse.Namespace) -> None:
    commands, wanted = simd_commands(options), options.sizes.split(",")
    seconds: dict[tuple[str, str], dict[str, float]] = {}
    for kernel, sizes in SIMD_KERNELS.items():
        if options.kernels and kernel not in options.kernels.split(","):
            continue
        for name, size in zip(SIZES, sizes, strict=True):
            if name in wanted:
                chosen = {k: c for k, c in commands.items() if k != "no vectors" or _is_fig_5(name)}
                by_size = f"BY_SIZE(mini,small,medium,large,extralarge)={size}"
                seconds[kernel, name] = bench.best(kernel, [by_size], chosen)
    who = ("LLVM", "Polly", "tile-simd")
    head = ["kernel, size", *(f"{one}{of}" for one in who for of in ("", ", paper"))]

    def line(kernel: str, name: str, of: float = 1.0, paper: float = 1.0) -> list[object]:
        found, at = seconds[kernel, name], SIZES.index(name)
        cells: list[object] = [f"{kernel} {SIMD_KERNELS[kernel][at]}"]
        for one in who:
            mine, theirs = found.get(one, float("inf")), SIMD_PAPER[kernel][one][at]
            cells += [of / mine if of != 1.0 else mine, paper / theirs if paper != 1.0 else theirs]
        return cells

    rows("Table 1: seconds", head, (line(*one) for one in seconds))
    faster = (
        line(kernel, name, found["LLVM"], SIMD_PAPER[kernel]["LLVM"][SIZES.index(name)])
        for (kernel, name), found in seconds.items()
    )
    rows("Figure 4: times as fast as LLVM alone", head, faster)
    vectors = [
        [kernel, found["no vectors"], found["tile-simd"], found["no vectors"] / found["tile-simd"]]
        for (kernel, name), found in seconds.items()
        if _is_fig_5(name)
    ]
    head = ["kernel", "no vectors", "vectors", "gain"]
    if vectors:
        rows("Figure 5: tile-simd at the standard size", head, vectors)


def _is_fig_5(size: str) -> bool:
    return size == "standard"


def poly_ast(bench: Bench, options: argparse.Namespace) -> None:
    threads = [f"-fparallel={options.threads}"] if options.threads > 1 else []
    common = [*POLYOPT, "-march=native", "-ffast-math"]
    dataset = [f"{options.dataset}_DATASET"]

    def flow(stages: str = "") -> list[str]:
        return [*common, *threads, "--poly=poly+ast", *([f"--stages={stages}"] if stages else [])]

    def with_factors(kernel: str, stages: str) -> str:
        """The stages with the factors that are best for the kernel."""
        if not options.search:
            return stages
        found = bench.best(
            kernel,
            dataset,
            {
                text: flow(text)
                for outer in FACTORS
                for inner in FACTORS
                if (text := ",".join(filter(None, (stages, f"registers={outer}x{inner}"))))
            },
        )
        return min(found, key=found.__getitem__)

    found = bench.best(
        "2mm",
        dataset,
        {
            "original": [*common, "-fno-poly"],
            "integrated": [*common, *threads, "--poly=isl+tile", "--tile-sizes=32"],
            "poly+ast": flow(with_factors("2mm", "")),
        },
    )
    rows(
        "Table I: 2mm, times as fast as the original (the paper: GFLOP/s, Nehalem and Power7)",
        ["", "seconds", "faster", "Nehalem", "faster", "Power7", "faster"],
        (
            [who, found[who], found["original"] / found[who]]
            + [cell for k in (0, 1) for cell in (of[k], of[k] / TABLE_1["original"][k])]
            for who, of in TABLE_1.items()
        ),
    )
    kernels = options.kernels.split(",") if options.kernels else None
    for kind, table in SUPPORT.items():
        lines = list[list[object]]()
        for kernel, paper in table.items():
            if kernels and kernel not in kernels:
                continue
            best = with_factors(kernel, "")
            without = ",".join(filter(None, (f"no-{kind}", best)))
            got = bench.best(kernel, dataset, {"off": flow(without), "on": flow(best)})
            ratios = [got["off"] / got["on"], paper[1] / paper[0], paper[3] / paper[2]]
            lines.append([kernel, got["off"], got["on"], *ratios])
        rows(
            f"Table III: {kind}s off and on, and times as fast",
            ["", "off", "on", "on/off", "Nehalem", "Power7"],
            lines,
        )
    breakdown = list[list[object]]()
    for kernel in TABLE_4["all"][1]:
        ways = {name: flow(stages) for name, (stages, _) in TABLE_4.items()}
        got = bench.best(kernel, dataset, ways)
        for name, (_, paper) in TABLE_4.items():
            ratios = [got["fuse"] / got[name], paper[kernel] / TABLE_4["fuse"][1][kernel]]
            breakdown.append([f"{kernel} {name}", got[name], *ratios])
    rows(
        "Table IV: stages, and times as fast as fusion alone (the paper: Nehalem)",
        ["", "seconds", "faster", "paper"],
        breakdown,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="The tables of two papers, on this machine.")
    parser.add_argument("paper", choices=("tile-simd", "poly-ast"))
    parser.add_argument("--sizes", default="mini,small,standard", help=f"of {', '.join(SIZES)}")
    parser.add_argument("--outer-tile", type=int, default=1, help="of tile-simd")
    parser.add_argument("--l1", help="what L1 is said to hold, such as 32K")
    parser.add_argument("--dataset", default="SMALL", help="of PolyBench/C 4.2, for poly-ast")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--kernels", help="of table III or 1, with commas between")
    parser.add_argument("--search", action="store_true", help="the factors of register tiles")
    parser.add_argument("-r", type=int, default=3, dest="turns", help="runs of each program")
    options = parser.parse_args()
    unknown = set(options.sizes.split(",")) - set(SIZES)
    if unknown:
        parser.error(f"--sizes: {', '.join(sorted(unknown))} is none of {', '.join(SIZES)}")
    is_simd = options.paper == "tile-simd"
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder, options.turns, by_the_clock=not is_simd and options.threads > 1)
        (tile_simd if is_simd else poly_ast)(bench, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
