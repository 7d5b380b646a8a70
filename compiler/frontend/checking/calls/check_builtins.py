"""GNU C's builtin functions: what each takes, and what it means in the typed tree.

    builtin_answers   questions about types and expressions, hints: __builtin_constant_p
    builtin_numbers   operations on numbers: counting bits, classes of floating-point numbers
    builtin_overflow  the exact result and the one that is stored are compared
    builtin_library   memcpy (`library_functions`), and __builtin___memcpy_chk, which checks
    builtin_cpu       what CPU the program runs on

Names that are not among them are `None`: they may be functions of the program.
"""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.calls import (
    builtin_answers,
    builtin_cpu,
    builtin_library,
    builtin_numbers,
    builtin_overflow,
)
from polyopt.frontend.checking.calls.builtin_reader import PREFIX, Arguments, Reader
from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.tree.typed_tree import Expr

READERS: dict[str, tuple[Reader, int]] = {
    **builtin_answers.READERS,
    **builtin_numbers.READERS,
    **builtin_overflow.READERS,
    **builtin_library.READERS,
    **builtin_cpu.READERS,
}
"""By the name without its prefix: the reader, and how many arguments it takes at least."""

_REFUSED = {
    "__sync_": "there is no such atomic operation",
    "__atomic_": "there is no such atomic operation",
    "__c11_atomic": "there is no such atomic operation",
    "__builtin_shuffle": "there are no vectors; loops become vectors",
    "__builtin_convertvector": "there are no vectors; loops become vectors",
    "__builtin_ia32": "there are no vectors; loops become vectors",
    "__builtin_setjmp": "use setjmp of <setjmp.h>",
    "__builtin_longjmp": "use longjmp of <setjmp.h>",
    "__builtin_apply": "calls are written as calls",
    "__builtin_return": "calls are written as calls",
    "__builtin_va_arg_pack": "pass a va_list",
    "__builtin_eh": "there are no exceptions",
    "__builtin_dwarf": "there are no exceptions",
    "__builtin_init_dwarf": "there are no exceptions",
    "__builtin_unwind": "there are no exceptions",
}


def check_builtin(
    checker: Checker, node: c_ast.FuncCall, name: str, arguments: Arguments
) -> Expr | None:
    """The meaning of a call by this name, which the program has not declared."""
    if not name.startswith("__"):
        return None
    short = name.removeprefix(PREFIX)
    reader = READERS.get(short) if name.startswith(PREFIX) else None
    if reader is not None:
        function, fewest = reader
        if len(arguments) < fewest:
            checker.error(f"'{name}' takes {fewest} arguments, not {len(arguments)}", node)
        return function(checker, node, arguments)
    for prefix, sentence in _REFUSED.items():
        if name.startswith(prefix):
            checker.error(f"'{name}' is not supported: {sentence}", node)
    return None
