"""A stub file of functions, some of which are called as the types of others: `bytes`, `array`.

What a stub defines is what its types mean, wherever it stands. So these types go by another name:
`builtins.bytes` is Python's, `_array` the module's.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Mapping

from polyopt.backend.called.annotations import STUB_HEAD

_NAMES = frozenset(re.findall(r"[A-Za-z]\w*", re.sub(r"#.*", "", STUB_HEAD)))
_NUMBERS = frozenset(("bool", "bytes", "complex", "float", "int"))
"""Types that need no import: what is passed by value, and text."""
_BEGIN = re.compile(r"def \w+")


def stub_file(functions: Mapping[str, str]) -> str:
    """The file that defines these functions, each with its lines."""
    others = {
        name: f"builtins.{name}" if hasattr(builtins, name) else f"_{name}"
        for name in functions
        if name in _NAMES or name in _NUMBERS
    }
    if not others:
        return "\n".join([STUB_HEAD, *functions.values()])
    head = "\n".join(_head_line(line, others) for line in STUB_HEAD.split("\n"))
    return "\n".join(["import builtins", head, *_by_other_names(functions.values(), others)])


def _head_line(line: str, others: Mapping[str, str]) -> str:
    if not line.startswith(("import ", "from ")):
        return _renamed(line, others)
    module, _, imported = line.rpartition("import ")
    return f"{module}import {', '.join(_imported(o, others) for o in imported.split(', '))}"


def _imported(what: str, others: Mapping[str, str]) -> str:
    """`array`, or `numpy as np`, under a name that no function has."""
    known, _, name = what.rpartition(" as ")
    return f"{known or name} as {others[name]}" if name in others else what


def _by_other_names(stubs: Iterable[str], others: Mapping[str, str]) -> Iterable[str]:
    for stub in stubs:
        begin = _BEGIN.match(stub)
        if begin is None:
            yield stub
            continue
        types, line, rest = stub[begin.end() :].partition("\n")
        yield begin[0] + _renamed(types, others, unless=": ") + line + rest


def _renamed(text: str, others: Mapping[str, str], unless: str = "") -> str:
    """No members of modules, and nothing that `unless` follows, as it does parameters."""
    names = "|".join(map(re.escape, others))
    end = f"(?!{re.escape(unless)})" if unless else ""
    return re.sub(rf"(?<![\w.])(?:{names})\b{end}", lambda found: others[found[0]], text)
