"""What GNU C's attributes say to the linker, in LLVM's words: linkage, visibility, sections,
aliases, functions that run before and behind `main`; and what they say of a function's calls.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from polyopt.backend.emit.module import ModuleEmitter, global_name
from polyopt.backend.processors.options import BackendOptions
from polyopt.dialects.cmem import linker_marks

_VISIBILITY = {"hidden": "hidden ", "internal": "hidden ", "protected": "protected "}
_LISTS = {"constructor": "llvm.global_ctors", "destructor": "llvm.global_dtors"}
_CALLS = {
    "const": " memory(none) willreturn",
    "pure": " memory(read) willreturn",
    "returns_twice": " returns_twice",
}
_CALLS_BY_MEMORY = {
    **_CALLS,
    "const": " memory(argmem: readwrite) willreturn",
    "pure": " memory(read, argmem: readwrite) willreturn",
}
"""Of functions whose arguments or result travel in memory, which is read and written then."""


def linkage_text(linkage: str, marks: Mapping[str, str], options: BackendOptions) -> str:
    """The words before the type of a definition: `linkage` is what they are without attributes, of
    which one about visibility has the last word. What others do not see cannot be replaced."""
    if linkage.startswith("internal"):
        return linkage
    if "weak" in marks:
        linkage = f"weak {linkage.removeprefix('common ')}"
    visibility = _VISIBILITY.get(marks.get("visibility", options.visibility), "")
    local = "dso_local " if visibility and "dso_local" not in linkage else ""
    return linkage + local + visibility


def declared_linkage(marks: Mapping[str, str], strong: str = "") -> str:
    """The words before the type of what is defined elsewhere. What is declared hidden is in the
    same program or library: it is called and reached without the tables of the dynamic linker."""
    linkage = "extern_weak " if "weak" in marks else strong
    visibility = _VISIBILITY.get(marks.get("visibility", ""), "")
    return linkage + (visibility if visibility != "protected " else "")


def is_inlined_anyway(marks: Mapping[str, str]) -> bool:
    """Whether the function goes into the place of each call, at -O0 too, as gcc and clang have it:
    bodies are written so to become one for each mode that is passed (LZ4's compressor). Code for
    another CPU goes where LLVM finds one alike."""
    return "always_inline" in marks and not marks.keys() & {"noinline", "optnone", "target"}


def function_marks(marks: Mapping[str, str]) -> str:
    """What stands behind the parameters of a definition; of its effects LLVM sees more itself."""
    text = ""
    if "noinline" in marks and "optnone" not in marks:
        text += " noinline"
    if "optnone" in marks:
        text += " noinline optnone"
    if is_inlined_anyway(marks):
        text += " alwaysinline"
    return text + (f' section "{marks["section"]}"' if "section" in marks else "")


def placed_marks(marks: Mapping[str, str]) -> str:
    """What stands behind the section of a definition."""
    return f" align {marks['aligned']}" if "aligned" in marks else ""


def declared_marks(marks: Mapping[str, str], *, by_memory: bool) -> str:
    """What stands behind the parameters of a declaration; `by_memory`: it takes or gives objects
    there."""
    calls = _CALLS_BY_MEMORY if by_memory else _CALLS
    return "".join(known for name, known in calls.items() if name in marks)


def note_marks(m: ModuleEmitter, name: str, marks: Mapping[str, str]) -> None:
    """Keep what the optimiser must not drop, and who runs before and behind `main`."""
    if "used" in marks:
        m.kept[name] = None
    for kind in _LISTS:
        if kind in marks:
            m.constructors.setdefault(kind, []).append((int(marks[kind]), name))


def note_alias(m: ModuleEmitter, op: Operation) -> None:
    """The symbol may be another name of one in this module, or what a function of it gives."""
    target = linker_marks(op).get("alias")
    name = op.properties.get("sym_name")
    if target is not None and isinstance(name, StringAttr):
        m.aliases[name.data] = target


def alias_lines(m: ModuleEmitter) -> list[str]:
    lines: list[str] = []
    for name, target in m.aliases.items():
        marks = linker_marks(m.symbols[name])
        linkage = linkage_text("", marks, m.options)
        kind = "ifunc void ()" if "ifunc" in marks else "alias i8"
        lines.append(f"{global_name(name)} = {linkage}{kind}, ptr {m.symbol(target)}")
    return lines


def constructor_lists(m: ModuleEmitter) -> list[str]:
    lines: list[str] = []
    for kind, functions in m.constructors.items():
        entry = "{ i32, ptr, ptr }"
        entries = ", ".join(
            f"{entry} {{ i32 {priority}, ptr {global_name(name)}, ptr null }}"
            for priority, name in functions
        )
        lines.append(f"@{_LISTS[kind]} = appending global [{len(functions)} x {entry}] [{entries}]")
    return lines
