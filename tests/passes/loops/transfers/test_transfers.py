"""share-transfers and lower-transfers against transfers one after the other, lane by lane."""

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.affine_native import apply, compile_affine, parse_affine

from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.passes.loops.transfers.share_transfers import ShareTransfersPass

LANES = 4
SIDE = 48
ROW, COLUMN = 9, 14
"""What stands for %n and %m: every lane of every transfer is inside of the array."""
SEEDS = 12
MATRIX = "memref<?x?xf64>"
STEPS = [(0, 1), (0, 1), (0, 1), (0, -1), (0, 2), (0, 3), (0, 4), (1, 0), (1, -1), (0, 0), (0, 7)]


Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """A read to value `value`, or a write of it; the lanes from `first` to `end`."""

    is_write: bool
    value: int
    row: int
    column: int
    steps: tuple[int, int]
    first: int
    end: int
    by_row: bool
    """Is the column counted from %n, so that nothing is known of where others are?"""
    window: tuple[int, ...] = ()
    """Of a read: what else is read beside each element."""
    beside: tuple[tuple[int, int], ...] = ()
    """Of a write: values written in turns with the first, each so many elements further."""

    def places(self) -> list[tuple[int, int]]:
        origin = ROW if self.by_row else COLUMN
        return [
            (ROW + self.row + lane * self.steps[0], origin + self.column + lane * self.steps[1])
            for lane in range(self.first, self.end)
        ]

    def written(self) -> list["Step"]:
        """One write for each value."""
        others = [replace(self, value=one, column=self.column + k) for k, one in self.beside]
        return [self, *others]

    def text(self, number: int) -> str:
        column = f"{'%n' if self.by_row else '%m'} + {self.column}"
        place = f"[%n + {self.row}, {column}] by [{self.steps[0]}, {self.steps[1]}]"
        mask = "" if self.end - self.first == LANES else f" masked %m{self.first}{self.end}"
        types = f"{MATRIX}, vector<{LANES}xf64>"
        if self.beside:
            values = ", ".join(f"%v{one.value}" for one in self.written())
            at = [0, *(k for k, _ in self.beside)]
            return f"pvec.write_in_turns ({values}), %A{place} at {at} : {types}"
        if self.is_write:
            return f"pvec.write %v{self.value}, %A{place}{mask} : {types}"
        window = f" within {list(self.window)}" if self.window else ""
        return f"%v{number} = pvec.read %A{place}{window}{mask} : {types}"


def program(rng: random.Random) -> list[Step]:
    """Steps at a few places, time and again. Values that are written have all lanes."""
    places = [
        (
            rng.randrange(-1, 2),
            rng.choice([-4, -1, 0, 0, 0, 1, 3, 4]),
            rng.choice(STEPS),
            rng.random() < 0.1,
        )
        for _ in range(5)
    ]
    steps: list[Step] = []
    whole: list[int] = []
    for number in range(rng.randrange(15, 30)):
        is_write = bool(whole) and rng.random() < 0.5
        first, end = rng.choice([(0, LANES)] * 4 + [(1, LANES), (0, 2)])
        row, column, step, by_row = rng.choice(places)
        value = rng.choice(whole) if is_write else number
        made = Step(is_write, value, row, column, step, first, end, by_row)
        apart = step[1]
        if step[0] == 0 and 2 <= apart <= 4:
            made = in_turns(made, rng, whole) if is_write else near(made, rng)
        steps.append(made)
        if not is_write and end - first == LANES:
            whole.append(number)
    return steps


def near(step: Step, rng: random.Random) -> Step:
    """With a window, or one of the other elements of it."""
    apart, shift = step.steps[1], rng.choice([0, 0, 1])
    window = tuple(k - shift for k in range(apart) if k == shift or rng.random() < 0.8)
    return replace(step, column=step.column + shift, window=window)


def in_turns(step: Step, rng: random.Random, whole: list[int]) -> Step:
    """With others that fill what is in between, or a part of it."""
    if step.end - step.first < LANES:
        return step
    places = [k for k in range(1, step.steps[1]) if rng.random() < 0.7]
    return replace(step, beside=tuple((k, rng.choice(whole)) for k in places))


def text_of(steps: list[Step]) -> str:
    lines = [f"%c{k} = arith.constant {k} : index" for k in range(LANES + 1)]
    lines += [
        f"%m{first}{end} = pvec.range_mask %c{first} to %c{end} : vector<{LANES}xi1>"
        for first, end in ((1, LANES), (0, 2))
    ]
    lines += [step.text(number) for number, step in enumerate(steps)]
    for number, step in enumerate(steps):
        if not step.is_write:
            mask = "" if step.end - step.first == LANES else f" masked %m{step.first}{step.end}"
            lines.append(
                f"pvec.write %v{number}, %B[{number}, 0]{mask} : {MATRIX}, vector<{LANES}xf64>"
            )
    arrays = ", ".join(f"%{name} : {MATRIX} {{llvm.noalias}}" for name in "AB")
    body = "\n".join(lines)
    return f"func.func @f(%n : index, %m : index, {arrays}) {{\n{body}\nreturn\n}}"


def run(steps: list[Step], a: Matrix, b: Matrix) -> None:
    values: dict[int, dict[int, float]] = {}
    for number, step in enumerate(steps):
        lanes = range(step.first, step.end)
        if step.is_write:
            for one in step.written():
                for lane, place in zip(lanes, one.places(), strict=True):
                    a[place] = values[one.value][lane]
        else:
            values[number] = {
                lane: a[place] for lane, place in zip(lanes, step.places(), strict=True)
            }
    for number, lanes in values.items():
        for lane, value in lanes.items():
            b[number, lane] = value


@pytest.mark.parametrize("seed", range(SEEDS))
def test_same_memory(seed: int):
    steps = program(random.Random(seed))
    native = compile_affine(text_of(steps), march="x86-64-v3")
    a = np.random.default_rng(seed).random((SIDE, SIDE))
    wanted = a.copy(), np.zeros((SIDE, SIDE))
    got = a.copy(), np.zeros((SIDE, SIDE))
    run(steps, *wanted)
    native(ROW, COLUMN, *got)
    np.testing.assert_array_equal(got[0], wanted[0])
    np.testing.assert_array_equal(got[1], wanted[1])


def test_something_is_shared():
    """The programs above have what the engine is for."""
    before = after = 0
    for seed in range(SEEDS):
        module = parse_affine(text_of(program(random.Random(seed))))
        before += sum(isinstance(op, ReadOp | WriteOp) for op in module.walk())
        shared = apply(module, [ShareTransfersPass()])
        after += sum(isinstance(op, ReadOp | WriteOp) for op in shared.walk())
    assert after < 0.8 * before
