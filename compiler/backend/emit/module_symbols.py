"""The module's symbols: function definitions, declarations of what they use, global objects."""

from __future__ import annotations

import os
from contextlib import nullcontext

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from polyopt.backend.emit.abi import abi_of
from polyopt.backend.emit.control import emit_region
from polyopt.backend.emit.errors import unsupported
from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.globals import (
    between_quotes,
    emit_cmem_global,
    emit_gap,
    emit_memref_global,
)
from polyopt.backend.emit.linker_marks import (
    alias_lines,
    constructor_lists,
    declared_linkage,
    declared_marks,
    function_marks,
    is_inlined_anyway,
    linkage_text,
    note_alias,
    note_marks,
    placed_marks,
)
from polyopt.backend.emit.module import ModuleEmitter, global_name, unwinding
from polyopt.backend.emit.object_places import gaps
from polyopt.backend.emit.scalar_objects import scalar_objects
from polyopt.backend.processors.options import DATA_LAYOUT, TRIPLE, BackendOptions
from polyopt.dialects import cmem
from polyopt.ir.objects.named_symbols import symbols_named_by
from polyopt.support.diagnostics import CompileError
from polyopt.support.vector_features import has_feature


def emit_module(
    module: ModuleOp,
    options: BackendOptions | None = None,
    *,
    file: str = "",
    vectorised_later: bool = False,
) -> str:
    """The module as LLVM IR. Operations without a translation raise `CompileError`. What is
    `vectorised_later` is complete after `float_to_integer.with_conversion_functions` only. `file`:
    what was compiled, which the symbol table of an object names."""
    m = ModuleEmitter.of(module, options or BackendOptions())
    m.vectorised_later = vectorised_later
    m.scalars = scalar_objects(module)
    lines = [f'source_filename = "{between_quotes(os.fsencode(file))}"'] if file else []
    lines += [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"', ""]
    lines += [f'module asm "{between_quotes(text.encode())}"' for text in cmem.assembly_of(module)]
    functions: list[str] = []
    objects: list[str] = []
    for op in module.ops:
        note_alias(m, op)
    free = gaps(module, m.options.place_model()) if m.options.places_objects else {}
    for op in module.ops:
        if isinstance(op, FuncOp):
            if not op.is_declaration:
                functions += emit_function(m, op)
        elif isinstance(op, cmem.GlobalOp) and op.sym_name.data in m.aliases:
            pass
        elif isinstance(op, cmem.GlobalOp):
            if op.sym_name.data in free:
                objects.append(emit_gap(m, op.sym_name.data, free[op.sym_name.data]))
            objects.append(emit_cmem_global(m, op))
        elif isinstance(op, memref.GlobalOp):
            objects.append(emit_memref_global(m, op))
        else:
            raise unsupported(op)
    if objects:
        lines += [*objects, ""]
    lines += alias_lines(m)
    lines += functions
    _write_machine_vectors(m)
    for definition in m.written_once.values():
        lines += definition
    lines += _declarations(m)
    lines += constructor_lists(m)
    if m.kept:
        names = ", ".join(f"ptr {global_name(name)}" for name in m.kept)
        lines.append(
            f"@llvm.compiler.used = appending global [{len(m.kept)} x ptr] [{names}], "
            'section "llvm.metadata"'
        )
    lines += m.group_lines()
    m.metadata.write_flags()
    if m.metadata.lines:
        lines += ["", *m.metadata.lines]
    return "\n".join(lines) + "\n"


LARGE = 1000
"""Lines of a function that LLVM need not inline: it does so with whatever is called once, and takes
longer for one function than for its parts. Loops that are made for registers are as large."""


def emit_function(m: ModuleEmitter, func: FuncOp) -> list[str]:
    """The lines of one definition."""
    f = FunctionEmitter(m, func)
    debug = ""
    if m.debug_info is not None:
        f.subprogram = m.debug_info.function(func.sym_name.data, func.location)
        debug = f" !dbg {f.subprogram.scope}"
    abi = abi_of(func)
    entry = func.body.blocks.first
    assert entry is not None
    names = f.argument_names(entry.args)
    f.bind_registers(entry.args, names)
    is_as_written = cmem.AS_WRITTEN in func.attributes
    marks = cmem.linker_marks(func)
    with m.as_written() if is_as_written else nullcontext():
        emit_region(f, func.body)
        group = m.definition_group(f.vector_bits, marks.get("target", ""))
    body = f.finish()
    parameters = ", ".join([*abi.arguments(names), *(["..."] if abi.is_variadic else [])])
    linkage = linkage_text(_linkage(func, m.options), marks, m.options)
    name = global_name(func.sym_name.data)
    note_marks(m, func.sym_name.data, marks)
    section = "" if "section" in marks else _section(func, m.options)
    is_large = linkage == "internal " and len(body) > LARGE and not is_inlined_anyway(marks)
    if is_as_written:
        marks.pop("always_inline", None)
    is_apart = (is_as_written or is_large) and not {"noinline", "optnone"} & marks.keys()
    apart = " noinline" if is_apart else ""
    return [
        f"define {linkage}{abi.result} {name}({parameters}) {group}{apart}"
        f"{function_marks(marks)}{section}{placed_marks(marks)}{debug} {{",
        *body,
        "}",
        "",
    ]


def _linkage(func: FuncOp, options: BackendOptions) -> str:
    if func.sym_visibility is not None and func.sym_visibility.data == "private":
        return "internal "
    return "" if options.pic else "dso_local "


def _section(func: FuncOp, options: BackendOptions) -> str:
    return f' section ".text.{func.sym_name.data}"' if options.function_sections else ""


_WRITTEN_OUT = ("polyopt.sse.", "polyopt.avx.", "polyopt.atomic.", "polyopt.asm.")


def _write_machine_vectors(m: ModuleEmitter) -> None:
    """The functions of <immintrin.h>, atomic operations and assembly that are used."""
    used = [name for name in sorted(m.referenced) if name.startswith(_WRITTEN_OUT)]
    if not used:
        return
    from polyopt.backend.emit.machine import assembly_bodies, atomic_bodies, machine_vectors

    rooms = {one.PREFIX: one for one in (assembly_bodies, atomic_bodies)}
    for name in used:
        start = name[: name.index(".", len("polyopt.")) + 1]
        written = rooms.get(start, machine_vectors).definition(name)
        if written is None:
            raise CompileError(f"nothing is known of '{name}'")
        _check_features(m, name, written.features)
        m.written_once[name] = written.lines
        m.declarations |= written.intrinsics


def _check_features(m: ModuleEmitter, name: str, features: frozenset[str]) -> None:
    """LLVM has no other way where an instruction is missing."""
    cpu, changes = m.options.cpu()
    missing = [one for one in sorted(features, reverse=True) if not has_feature(one, cpu, changes)]
    told = _told_of_callers(m, name) if missing else ()
    for feature in missing:
        if not all(has_feature(feature, cpu, f"{changes},{more}") for more in told):
            flag = "-msse4.2" if feature == "crc32" else f"-m{feature}"
            start = "_mm256_" if name.startswith("polyopt.avx.") else "_mm_"
            raise CompileError(
                f"'{start}{name.split('.', 2)[2]}' needs {feature.upper()}",
                hint=f"the CPU that code is for has none: {flag}, -march= of one that has it, or "
                f'__attribute__((target("{flag[2:]}"))) on the function',
            )


def _told_of_callers(m: ModuleEmitter, name: str) -> list[str]:
    """Which features functions that name it have by an attribute."""
    return [
        cmem.linker_marks(function).get("target", "")
        for function in m.symbols.values()
        if isinstance(function, FuncOp)
        and any(name in symbols_named_by(op) for op in function.walk() if op is not function)
    ]


def _declarations(m: ModuleEmitter) -> list[str]:
    """What is used but not defined here: the C library's functions, intrinsics."""
    lines: list[str] = []
    for name in sorted(m.referenced):
        func = m.symbols.get(name)
        if isinstance(func, FuncOp) and func.is_declaration and name not in m.aliases:
            if name in m.written_once:
                continue
            marks = cmem.linker_marks(func)
            abi = abi_of(func)
            types = [f"{t}{a}" for t, a in zip(abi.types, abi.attributes, strict=True)]
            if abi.is_variadic:
                types.append("...")
            by_memory = any("byval" in a or "sret" in a for a in abi.attributes)
            known = declared_marks(marks, by_memory=by_memory)
            linkage = declared_linkage(marks)
            called = f"{linkage}{abi.result} {global_name(name)}({', '.join(types)})"
            lines.append(" ".join(["declare", called, *unwinding(m.options)]) + known)
    for name in sorted(m.declarations):
        func = m.symbols.get(name)
        is_defined = isinstance(func, FuncOp) and not func.is_declaration
        if name not in m.referenced and not is_defined:
            lines.append(m.declarations[name])
    return [*lines, ""] if lines else []
