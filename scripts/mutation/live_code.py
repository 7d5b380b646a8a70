"""A mutant in the code that is loaded: functions get new code objects, no file is touched.

A function that exists keeps its identity and everybody who holds it; only what it does changes.
What a module does while it is imported is not mutated.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType


def install(path: str, original: str, tree: ast.Module) -> int:
    """Let the functions that were loaded from `path`, whose text is `original`, do what `tree`
    says; how many were changed."""
    before = dict(_functions(compile(original, path, "exec")))
    after = dict(_functions(compile(tree, path, "exec")))
    assert before.keys() == after.keys()
    changed = {key: code for key, code in after.items() if code != before[key]}
    count = 0
    gc.unfreeze()  # what tests keep from being looked through is not told of otherwise
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == path:
            code = one.__code__
            new = changed.get((code.co_qualname, code.co_firstlineno, len(code.co_freevars)))
            if new is not None:
                one.__code__ = new
                count += 1
    return count


_Key = tuple[str, int, int]


def _functions(code: CodeType) -> Iterator[tuple[_Key, CodeType]]:
    """Of the module and of its classes: what functions made while it was imported hold. Inner
    functions are part of these."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 0x2:  # a function; a class body has no fast locals
                yield (
                    (constant.co_qualname, constant.co_firstlineno, len(constant.co_freevars)),
                    constant,
                )
            else:
                yield from _functions(constant)
