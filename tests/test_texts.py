"""docs/texts.md: each row of the five texts has its test, and what a row names is there."""

import ast
import re
from functools import cache
from typing import NamedTuple

import pytest
from doc_pages import ROOT

from polyopt.universe import PASSES

PAGE = (ROOT / "docs" / "texts.md").read_text(encoding="utf-8")


class Row(NamedTuple):
    part: str
    cells: list[str]


def rows() -> list[Row]:
    """The rows of all tables, each with the heading of its text."""
    found, part = list[Row](), ""
    for line in PAGE.splitlines():
        if line.startswith("## "):
            part = line.removeprefix("## ")
        elif re.match(r"\| \d", line):
            found.append(Row(part, [cell.strip() for cell in line.strip("|").split(" | ")]))
    return found


ROWS = rows()


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def test_there_are_five_texts_whose_rows_are_numbered():
    parts = dict[str, list[int]]()
    for part, cells in ROWS:
        parts.setdefault(part, []).append(int(cells[0]))
        assert len([cell for cell in cells if cell]) == len(cells) == 4, cells
    assert len(parts) == 5
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in parts.values())


def test_the_tests_of_all_rows_are_there():
    missing = [
        f"{part}, {cells[0]}: {cells[-1]}" for part, cells in ROWS if not is_there(cells[-1])
    ]
    assert missing == []


def is_there(cell: str) -> bool:
    """A lit file, or a function of a file of tests."""
    found = re.fullmatch(r"`([^`:]+)(?:::(\w+))?`", cell)
    if found is None or not (ROOT / found[1]).is_file():
        return False
    if found[1].startswith("lit_tests/"):
        return found[2] is None
    return found[2] in functions_of(found[1])


@pytest.mark.parametrize(
    "cell",
    [
        "lit_tests/passes/prepare/loop_forms/tail-calls/calls.c",
        "`lit_tests/passes/prepare/loop_forms/tail-calls/no-calls.c`",
        "`tests/test_texts.py`",
        "`tests/test_texts.py::test_nothing`",
        "`lit_tests/passes/prepare/loop_forms/tail-calls/calls.c::calls`",
    ],
)
def test_what_is_no_test(cell: str):
    assert not is_there(cell)


def test_passes_and_flags_that_are_named_exist():
    words = {one for _, cells in ROWS for one in re.findall(r"`([^`]+)`", cells[2])}
    heads = {re.split(r"[{ =]", word)[0] for word in words}
    passes = {one for one in heads if re.fullmatch(r"[a-z]+(-[a-z]+)+", one)} - COMMANDS
    assert len(passes) > 50
    assert passes <= set(PASSES)
    flags = {one for one in heads if one.startswith("-")}
    known = set(re.findall(r"`(-[\w-]+)", (ROOT / "docs" / "flags.md").read_text(encoding="utf-8")))
    assert len(flags) > 20
    assert flags <= known


COMMANDS = {"polyopt-opt", "polyopt-bench"}
