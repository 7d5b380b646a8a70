"""Schedule trees as isl writes them, in YAML's block style, for people to read and edit.

    domain: "[n] -> { S[i] : 0 <= i < n }"
    child:
      schedule: "[n] -> [{ S[i] -> [(i)] }]"

isl only says "syntax error" of a text that it does not read; what is wrong, and on which line, is
found here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import islpy as isl

from polyopt.poly.isl_text import explain
from polyopt.support.diagnostics import CompileError, Span

_QUOTED = re.compile(r'"([^"]*)"')
_KEY = re.compile(r"(?:^|[\s{,-])([A-Za-z_]\w*)\s*:")
_READERS: dict[str, Callable[[str], object]] = {
    "domain": isl.UnionSet,
    "filter": isl.UnionSet,
    "context": isl.Set,
    "guard": isl.Set,
    "schedule": isl.MultiUnionPwAff,
    "extension": isl.UnionMap,
    "expansion": isl.UnionMap,
    "contraction": isl.UnionPwMultiAff,
    "options": isl.UnionSet,
}
"""What the text after each key is."""

KEYS = (*_READERS, "child", "sequence", "set", "mark", "permutable", "coincident")


def schedule_text(schedule: isl.Schedule) -> str:
    printer = isl.Printer.to_str(isl.DEFAULT_CONTEXT).set_yaml_style(isl.yaml_style.BLOCK)
    return printer.print_schedule(schedule).get_str()


def parse_schedule(text: str, file: str) -> isl.Schedule:
    """Raises CompileError with the place in `file` of what isl does not read."""
    try:
        return isl.Schedule(text)
    except isl.Error as error:
        reason = explain(error)
    for complaint in _complaints(text, file):
        raise complaint
    raise CompileError(
        f"no schedule tree: {reason}",
        Span(file, 1),
        "each 'key: value' stands on a line of its own, children are indented",
    )


def _complaints(text: str, file: str) -> Iterator[CompileError]:
    """What is wrong with the keys, and with the texts of isl's behind them."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = _QUOTED.sub(lambda found: "_" * len(found[0]), line.partition("#")[0])
        for key in _KEY.finditer(bare):
            span = Span(file, number, key.start(1) + 1)
            if key[1] not in KEYS:
                known = f"one of {', '.join(KEYS)}"
                yield CompileError(f"'{key[1]}' is nothing that a schedule tree has", span, known)
            value = _QUOTED.match(line[key.end() :].lstrip())
            reader = _READERS.get(key[1])
            if value is not None and reader is not None:
                try:
                    reader(value[1])
                except isl.Error as error:
                    place = Span(file, number, line.index(value[0], key.end()) + 1)
                    yield CompileError(f"no {key[1]} of a schedule: {explain(error)}", place)
