"""What `--emit=LEVEL` prints can be read again, at each level: the same module, which verifies."""

from __future__ import annotations

import re
from pathlib import Path

import islpy as isl
import pytest
from xdsl.parser import Parser

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.module_texts import make_context, module_text
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.pipeline_options import LEVELS
from polyopt.support.diagnostics import SourceMap

KINDS = Path(__file__).resolve().parents[3] / "benchmarks" / "kinds"
PROGRAMS = sorted(KINDS.glob("*.c"))

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_INNER = re.compile(r'"|\\22')
_YAML = re.compile(r"\w: ")

MIXED = """
#include <math.h>
double a[100][100], b[100][100], c[100][100]; int most, at;
const unsigned char table[4] = {9, 8, 7, 6};
void products(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += 0.1 * a[i][k] * b[k][j];
}
void others(int n, float x[restrict n], float y[restrict n], const char *restrict s) {
  for (int i = 1; i < n; i++) {
    if (s[i] > 'a') x[i] = (float)1e-40 + y[i] / 3; else x[i] = INFINITY;
    y[i] = -0.0f * y[i - 1] + table[i & 3] + 16777217.0f;
  }
  for (int i = 0; i < n; i++)
    if (s[i] > most) { most = s[i]; at = i; }
}
"""


def same_meaning(one: str, other: str) -> bool:
    """isl keeps the parts of a union in an order of its own, another one each time, and has several
    ways to write a remainder: quoted texts that differ are compared by what they say."""
    if _QUOTED.sub("", one) != _QUOTED.sub("", other):
        return False
    pairs = zip(_QUOTED.findall(one), _QUOTED.findall(other), strict=True)
    return all(a == b or _said(a) == _said(b) for a, b in pairs)


def _said(quoted: str) -> list[str | isl.UnionMap | isl.UnionSet]:
    """The sets, relations and schedules of a quoted text, and what stands between them."""
    parts = _INNER.split(quoted)
    return [_relation(text) if "{ " in text and not _YAML.search(text) else text for text in parts]


def _relation(text: str) -> isl.UnionMap | isl.UnionSet:
    inside = text[text.index("{") :]
    if "}]" in inside:
        return isl.UnionMap.from_multi_union_pw_aff(isl.MultiUnionPwAff(text))
    return isl.UnionMap(text) if "->" in inside else isl.UnionSet(text)


def check_levels(name: str, text: str, *options: str) -> None:
    settings = read_settings(["-O3", "-march=x86-64-v3", *options])
    unit = parse(Source(name, text), settings, SourceMap())
    for level in LEVELS:
        lower(unit, level)
        printed = module_text(unit.module)
        again = Parser(make_context(), printed).parse_module()
        again.verify()
        assert same_meaning(module_text(again), printed), level


@pytest.mark.parametrize("options", [[], ["-ffast-math", "-fparallel"]])
def test_each_level_of_a_program_of_many_kinds(options: list[str]):
    check_levels("mixed.c", MIXED, *options)


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("options", [[], ["-ffast-math", "-fparallel"]])
def test_each_level_of_the_programs_of_all_kinds(path: Path, options: list[str]):
    check_levels(path.name, path.read_text(encoding="utf-8"), f"-I{KINDS}", *options)
