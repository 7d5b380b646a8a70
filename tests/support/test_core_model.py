"""The numbers of the models agree with each other where one thing is in several."""

import ast
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from polyopt.support.core_model import CORE

ROOT = Path(__file__).parents[2]
WEIGHED = [
    *sorted((ROOT / "passes").rglob("*.py")),
    *sorted((ROOT / "compiler/poly/cost").glob("*")),
]
SIZES_ELSEWHERE = {
    "passes/check": "what the run-time checks of the machine's words look like",
    "passes/distribute": "what MPI's numbers are",
    "passes/openmp": "what OpenMP's runtime takes, and how much is asked about races",
}
NO_COSTS = {
    "_TOGETHER": "taps that one instruction takes",
    "_SUM_BYTES": "of a sum of 32 bits",
    "_WIDTHS": "of integers",
    "_INT, _LONG": "bits of integers",
    "_TRIPLE": "a number of elements",
    "_SIGNED": "predicates of comparisons",
    "_EQ, _NE, _SGT, _UGT": "predicates of comparisons",
    "MOST_KNOWN": "how much is remembered",
    "ALL": "bits",
    "_ONE_ROW": "a number of rows",
    "_STRIDES": "those that the register tiles can read",
    "_GATHERED_BYTES": "those that a gather can read",
    "_GREATEST_LIMIT": "of a number of 32 bits",
    "_LINE": "counters that lie in one line",
    "NOTHING, ALL": "the ends of integers of 64 bits",
    "CHECKED_ROW": "what a proof assumes",
    "_EQUAL, _DIFFERENT": "predicates of comparisons",
    "_MOST_TERMS": "effort of the compiler",
    "_MOST_ARGUMENTS": "effort of the compiler",
    "_MOST_PLACES": "effort of the compiler",
    "MOST_BLOCKS": "effort of the compiler",
    "MOST_DEPTH": "effort of the compiler",
    "MOST_STATEMENTS": "effort of the compiler",
    "MOST_STORES": "effort of the compiler",
    "MOST_PAIRS": "effort of the compiler",
    "MOST_PIECES": "effort of the compiler",
    "MOST_EXISTENTIALS": "effort of the compiler",
    "_MOST_OPERANDS": "effort of the compiler",
    "_BYTE": "bits",
    "_MOST_ITERATIONS": "effort of the compiler",
    "_MOST_BLOCKS": "effort of the compiler",
    "_ANY": "a lane of which it does not matter what it has",
    "_MOST_ACCESSES": "effort of the compiler",
    "_MOST_NESTED": "effort of the compiler",
    "_NARROWEST": "bytes of a register",
    "_NARROW": "bits of elements that no instruction gathers",
    "_FEW": "lanes that a vector of any element may have",
    "ALIGNED, OFFSET": "members of a descriptor",
    "BYTES_BEFORE_NAME": "the layout of a record that a library reads",
}
NO_COST_OPTIONS = {
    "reschedule.py": "options of isl's scheduler",
    "expand.py": "bytes of memory that a person allows",
    "layout.py": "bytes of memory that a person allows",
    "keep_small.py": "effort of the compiler",
    "expose_contractions.py": "what a person sets; the contraction is blocked again",
    "locality.py": "lanes, which the target says",
    "scan_records.py": "the unit of a loop that is written, not a choice",
}


def test_every_number_is_positive():
    for group in fields(CORE):
        model = getattr(CORE, group.name)
        assert is_dataclass(model)
        for one in fields(model):
            assert np.all(np.array(getattr(model, one.name)) > 0), (group.name, one.name)


def test_what_lies_apart_costs_more_than_what_lies_side_by_side():
    widest = 8
    side_by_side = 1 / CORE.nests.loads / widest
    assert side_by_side < CORE.strided.gathered < CORE.strided.narrow_gathered
    assert CORE.strided.gathered <= CORE.strided.scattered
    assert CORE.strided.narrow_gathered <= CORE.strided.narrow_scattered
    assert CORE.lanes.transposed < CORE.lanes.strided < CORE.lanes.crowded


def test_each_level_is_further_away():
    core, tiles = CORE.nests, CORE.tiles
    assert core.l1_line < core.l2_line < core.l3_line
    assert tiles.l1_line < tiles.l2_line
    assert core.l1_share >= core.l2_share >= core.l3_share
    assert all(0 < part <= 1 for part in (core.l1_share, tiles.l1_share, tiles.l2_share))


def test_what_pays_is_less():
    assert all(0 < one.gain < 1 for one in (CORE.strided, CORE.scans, CORE.lanes, CORE.tiles))


def test_latencies_of_one_thing_are_one():
    assert CORE.nests.add_latency == CORE.scans.float_latency == CORE.lanes.latency
    assert CORE.nests.divide_latency == CORE.scans.division_latency == CORE.lanes.division_latency


@pytest.mark.parametrize("path", WEIGHED, ids=lambda path: str(path.relative_to(ROOT)))
def test_numbers_of_models_stand_in_one_place(path: Path):
    """What a pass weighs comes from `CORE`: a number of its own on a module or as the default of an
    option is a budget of isl's operations, or said above to be no cost."""
    name = str(path.relative_to(ROOT))
    if path.suffix != ".py" or name.startswith(tuple(SIZES_ELSEWHERE)):
        return
    found = [
        f"{target} = {value}"
        for target, value in (*_constants(path), *_options(path))
        if "operations" not in target.lower()
    ]
    assert not found, f"{name}: {', '.join(found)}: to support/core_model"


def _constants(path: Path) -> Iterator[tuple[str, str]]:
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Assign) and _is_number(statement.value):
            target = ast.unparse(statement.targets[0]).strip("()")
            if target not in NO_COSTS:
                yield target, ast.unparse(statement.value)


def _options(path: Path) -> Iterator[tuple[str, str]]:
    """Fields of passes that start with a number other than 0 and 1, which are no choice."""
    for made in ast.walk(ast.parse(path.read_text())):
        if not isinstance(made, ast.ClassDef) or path.name in NO_COST_OPTIONS:
            continue
        for field in made.body:
            if isinstance(field, ast.AnnAssign) and field.value and _is_number(field.value):
                if ast.unparse(field.value) not in ("0", "1", "0.0", "1.0"):
                    yield f"{made.name}.{ast.unparse(field.target)}", ast.unparse(field.value)


def _is_number(value: ast.expr) -> bool:
    """Written of literals alone, one at least of them a number."""
    parts = list(ast.walk(value))
    known = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.expr_context, ast.operator)
    numbers = [
        one for one in parts if isinstance(one, ast.Constant) and type(one.value) in (int, float)
    ]
    is_plain = all(isinstance(one, (*known, ast.unaryop)) for one in parts)
    return is_plain and len(numbers) == sum(isinstance(one, ast.Constant) for one in parts) > 0
