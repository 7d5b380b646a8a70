"""What qualifiers make of types: `const`, `volatile`, `_Atomic`, and `restrict` of pointers."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, CType, FunctionType, PointerType


def qualify(checker: Checker, type: CType, node: c_ast.TypeDecl) -> CType:
    """The type that a declaration's specifiers name, with the qualifiers among them."""
    quals = node.quals or []
    if "restrict" in quals:
        if isinstance(type, PointerType):
            type = replace(type, restrict=True)
        if not isinstance(type, ArrayType):
            _check_restrict(checker, type, node)
    if "_Atomic" in quals and not type.atomic:
        if not ct.is_accessed_as_one(type):
            message = f"an atomic object of type '{type}' is not supported"
            hint = "numbers of up to 8 bytes and pointers are accessed as one"
            checker.error(message, node, hint)
        type = replace(type, atomic=True)
    return ct.qualified(type, const="const" in quals, volatile="volatile" in quals)


def pointer_to(checker: Checker, target: CType, node: c_ast.PtrDecl) -> PointerType:
    quals = node.quals or []
    pointer = PointerType(
        target,
        restrict="restrict" in quals,
        const="const" in quals,
        volatile="volatile" in quals,
        atomic="_Atomic" in quals,
    )
    if pointer.restrict:
        _check_restrict(checker, pointer, node)
    return pointer


def _check_restrict(checker: Checker, type: CType, node: c_ast.Node) -> None:
    """C11 6.7.3p2: only what points to objects is restrict."""
    if isinstance(type, PointerType) and not isinstance(type.target, FunctionType):
        return
    plain = ct.unqualified(type)
    hint = "it stands behind '*', or in the brackets of a parameter: *restrict a, a[restrict n]"
    checker.error(f"'restrict' on type '{plain}', no pointer to an object", node, hint)
