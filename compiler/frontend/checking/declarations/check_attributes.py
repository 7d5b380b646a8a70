"""Attributes: what `__attribute__` and `[[...]]` say of types, objects and functions.

One table each of those that are obeyed, those that are advice and may be passed over, and those
that would change what the program means and are refused. Any other is a warning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import INLINE, Checker, span_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FunctionType, IntType, PointerType
from polyopt.frontend.language.library_functions import standard_name
from polyopt.frontend.language.literals import parse_string
from polyopt.frontend.tree.typed_tree import AddressOf, Call, Expr, Symbol, Variable
from polyopt.support.diagnostics import Span
from polyopt.support.vector_features import CPU_FEATURES, features_of_cpu

Attributes = dict[str, list[c_ast.Node]]
"""The arguments of each attribute by its name, without the underscores around it."""

_OBEYED = frozenset(
    "alias aligned always_inline asm cleanup common const constructor destructor format gnu_inline "
    "ifunc may_alias maybe_unused mode nocommon nodiscard noinline nonnull noreturn optimize "
    "optnone pack packed pure returns_twice section target transparent_union unused used "
    "visibility warn_unused_result weak".split()
)
_MARKS = ("weak", "used", "pure", "const", "always_inline", "noinline", "optnone", "returns_twice")
"""What the back end is told as it is."""
_OF_DECLARATIONS = frozenset(
    "alias cleanup constructor destructor ifunc maybe_unused noinline optnone section unused used "
    "visibility warn_unused_result weak common nocommon".split()
)
_ADVICE = frozenset(
    "cdecl stdcall fastcall thiscall regparm sysv_abi "
    "access alloc_align alloc_size artificial assume_aligned cold "
    "copy deprecated designated_init error externally_visible fallthrough fd_arg flatten "
    "format_arg hot leaf malloc no_icf no_instrument_function "
    "no_profile_instrument_function no_reorder no_sanitize no_sanitize_address "
    "no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_protector "
    "no_address_safety_analysis nocf_check noclone nodebug "
    "noipa nonstring noplt nothrow null_terminated_string_arg "
    "overloadable patchable_function_entry retain returns_nonnull sentinel simd "
    "stack_protect strub symver tainted_args tls_model unavailable uninitialized "
    "warn_if_not_aligned warning zero_call_used_regs counted_by diagnose_if "
    "enum_extensibility flag_enum unlikely likely noduplicate".split()
)
_REFUSED = {
    "address_space": None,
    "hardbool": None,
    "ms_abi": None,
    "ms_hook_prologue": None,
    "ms_struct": None,
    "naked": None,
    "no_caller_saved_registers": None,
    "scalar_storage_order": "swap the bytes by __builtin_bswap32 and its like",
    "target_clones": None,
    "vector_size": "write loops: they become vectors",
    "ext_vector_type": "write loops: they become vectors",
    "weakref": "declare it weak",
}
UNUSED = frozenset({"unused", "maybe_unused"})
"""It is known that nobody may use it."""
_LARGEST_ALIGNMENT = 16
_MODES = {
    "QI": (ct.SCHAR, ct.UCHAR),
    "byte": (ct.SCHAR, ct.UCHAR),
    "HI": (ct.SHORT, ct.USHORT),
    "SI": (ct.INT, ct.UINT),
    "DI": (ct.LONG, ct.ULONG),
    "TI": (ct.INT128, ct.UINT128),
    "word": (ct.LONG, ct.ULONG),
    "pointer": (ct.LONG, ct.ULONG),
    "unwind_word": (ct.LONG, ct.ULONG),
    "libgcc_cmp_return": (ct.LONG, ct.ULONG),
}
_FLOAT_MODES = {"SF": ct.FLOAT, "DF": ct.DOUBLE, "XF": ct.LDOUBLE}


def is_known_attribute(name: str) -> bool:
    """Obeyed, or passed over in silence."""
    word = name.strip("_")
    return word in _OBEYED or word in _ADVICE


def attributes_of(checker: Checker, node: c_ast.Node) -> Attributes:
    """All that a declaration says of what it declares. Behind a star stands what is said of the
    pointer, but for what is said of declarations alone."""
    groups = list(getattr(node, "attributes", None) or [])
    behind_stars: list[c_ast.AttributeSpecifier] = []
    inner = getattr(node, "type", None)
    while isinstance(inner, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl | c_ast.TypeDecl):
        given = behind_stars if isinstance(inner, c_ast.PtrDecl) else groups
        given += getattr(inner, "attributes", None) or []
        inner = inner.type
    found = read_attributes(checker, groups) if groups else {}
    if behind_stars:
        others = read_attributes(checker, behind_stars)
        found = {name: others[name] for name in others.keys() & _OF_DECLARATIONS} | found
    return found


def read_attributes(checker: Checker, groups: Iterable[c_ast.AttributeSpecifier]) -> Attributes:
    found: Attributes = {}
    for group in groups:
        for attribute in group.attributes:
            name = attribute.name.strip("_")
            if name in _OBEYED:
                arguments = attribute.arguments
                found[name] = arguments if isinstance(arguments, list) else []
            elif name in _REFUSED:
                checker.error(f"attribute '{name}' is not supported", attribute, _REFUSED[name])
            elif name not in _ADVICE and attribute not in checker.ignored:
                checker.ignored.add(attribute)
                checker.warn("attributes", f"attribute '{name}' is ignored", attribute)
    return found


def alignment_of(checker: Checker, found: Attributes) -> int:
    """What `aligned` asks for, 0 for nothing."""
    arguments = found.get("aligned")
    if arguments is None:
        return 0
    if not arguments:
        return _LARGEST_ALIGNMENT
    if isinstance(arguments[0], c_ast.Typename):
        return ct.align_of(checker.types.read(arguments[0]))
    wanted = checker.expressions.constant(arguments[0])
    if wanted <= 0 or wanted & (wanted - 1):
        checker.error("alignment is not a power of two", arguments[0])
    return wanted


def apply_mode(checker: Checker, type: CType, found: Attributes) -> CType:
    """`mode(HI)`: the type of that many bytes."""
    arguments = found.get("mode")
    if not arguments:
        return type
    assert isinstance(arguments[0], c_ast.ID)
    mode = arguments[0].name.strip("_")
    if isinstance(type, IntType) and mode in _MODES:
        wide = _MODES[mode][0 if type.signed else 1]
        return replace(wide, const=type.const, volatile=type.volatile)
    if isinstance(type, ct.FloatType) and mode in _FLOAT_MODES:
        return replace(_FLOAT_MODES[mode], const=type.const, volatile=type.volatile)
    if isinstance(type, ct.PointerType) and mode in ("DI", "pointer", "word"):
        return type
    checker.error(f"mode '{mode}' of type '{type}' is not supported", arguments[0])


def apply_to_symbol(checker: Checker, symbol: Symbol, found: Attributes, at: Span) -> None:
    """What attributes say of an object or a function at link time, and pragmas of what is declared
    there. What was said first of who sees a name stays."""
    for name in _MARKS:
        if name in found:
            symbol.marks[name] = ""
    if symbol.kind == "function" and "aligned" in found:
        symbol.alignment = max(symbol.alignment, alignment_of(checker, found))
        symbol.marks["aligned"] = str(symbol.alignment)
    symbol.is_noreturn = symbol.is_noreturn or "noreturn" in found
    if found.keys() & {"common", "nocommon"}:
        symbol.may_be_common = "nocommon" not in found
    for name in ("section", "visibility", "alias"):
        if name in found:
            symbol.marks[name] = _text(checker, symbol, name, found[name])
    if "ifunc" in found:
        _note_chosen(checker, symbol, found["ifunc"], at)
    targets = [*checker.standing.targets_at(at), *_texts(found.get("target", ()))]
    if targets and symbol.kind == "function":
        symbol.marks["target"] = _features(targets)
    visibility = checker.standing.visibility_at(at)
    if visibility and symbol.linkage == "external":
        symbol.marks.setdefault("visibility", visibility)
    if symbol.name in checker.standing.weak and symbol.linkage == "external":
        symbol.marks["weak"] = ""
        other, _ = checker.standing.weak[symbol.name]
        if other:
            symbol.marks["alias"] = other
    for name in ("constructor", "destructor"):
        if name in found:
            arguments = found[name]
            priority = checker.expressions.constant(arguments[0]) if arguments else 65535
            symbol.marks[name] = str(priority)
            symbol.is_used = True
    checker.standing.give_up(_texts(found.get("optimize", ())))
    if "asm" in found:
        symbol.ir_name = _text(checker, symbol, "asm", found["asm"])
    if found.keys() & {"used", "alias", *UNUSED}:
        symbol.is_used = True
    symbol.must_use = symbol.must_use or bool(found.keys() & {"warn_unused_result", "nodiscard"})
    if "nonnull" in found:
        named = {checker.expressions.constant(one) for one in found["nonnull"]}
        symbol.nonnull |= named or {0}
    if "format" in found:
        symbol.format = _format(checker, found["format"]) or symbol.format
    if "gnu_inline" in found and symbol.is_inline:
        symbol.linkage = "internal"
        if symbol.ir_name == symbol.name:
            symbol.ir_name = f"{symbol.name}{INLINE}"


def _note_chosen(checker: Checker, symbol: Symbol, arguments: list[c_ast.Node], at: Span) -> None:
    """The function is what another one of this file gives when the program is loaded; to us it is
    another name, of which nothing is known (GCC, "Common Function Attributes")."""
    if symbol.kind != "function":
        checker.error(f"attribute 'ifunc' is of functions: '{symbol.name}' is none", at)
    symbol.marks["alias"] = _text(checker, symbol, "ifunc", arguments)
    symbol.marks["ifunc"] = ""
    symbol.is_used = True


def _texts(arguments: Iterable[c_ast.Node]) -> list[str]:
    return [one.value for one in arguments if isinstance(one, c_ast.Constant)]


def _features(literals: Iterable[str]) -> str:
    """What the CPU has where the function runs, as LLVM adds it to what all code may use (GCC, "x86
    Function Attributes"). What is taken away, or said of something else, is passed over."""
    found: list[str] = []
    for word in (word.strip() for one in literals for word in one.strip('"').split(",")):
        if word.startswith("arch="):
            found += sorted(features_of_cpu(word.removeprefix("arch=")))
        elif word in CPU_FEATURES:
            found.append(CPU_FEATURES[word])
    return ",".join(f"+{feature}" for feature in found)


def note_register(checker: Checker, symbol: Symbol, found: Attributes) -> None:
    """`register long x asm("r10")`: where assembly finds the variable (GCC, "Local Register
    Variables"); elsewhere it is like any other."""
    if "asm" in found:
        symbol.marks["register"] = _text(checker, symbol, "asm", found["asm"]).lstrip("%")


def _format(checker: Checker, arguments: list[c_ast.Node]) -> tuple[str, int, int] | None:
    """`format(printf, 2, 3)`; None for a style that is not looked at."""
    if len(arguments) != 3 or not isinstance(arguments[0], c_ast.ID):
        return None
    style = standard_name(arguments[0].name).strip("_").removeprefix("gnu_")
    text, first = (checker.expressions.constant(one) for one in arguments[1:])
    return (style, text, first) if style in ("printf", "scanf") and text > 0 else None


def _text(checker: Checker, symbol: Symbol, name: str, arguments: list[c_ast.Node]) -> str:
    if len(arguments) != 1 or not isinstance(arguments[0], c_ast.Constant):
        checker.error(f"attribute '{name}' of '{symbol.name}' needs a string", symbol.span)
    return parse_string(arguments[0].value)[:-1].decode("utf-8", "replace")


def cleanup_of(checker: Checker, found: Attributes, at: Span) -> Variable | None:
    """The function that is called with the address of a variable whose scope ends."""
    arguments = found.get("cleanup")
    if arguments is None:
        return None
    if len(arguments) != 1 or not isinstance(arguments[0], c_ast.ID):
        checker.error("attribute 'cleanup' needs the name of a function", at)
    callee = checker.expressions.operand(arguments[0])
    if not (isinstance(callee, Variable) and callee.symbol.kind == "function"):
        checker.error("attribute 'cleanup' needs the name of a function", span_of(arguments[0]))
    return callee


def cleanup_call(callee: Variable, symbol: Symbol, span: Span) -> Expr:
    """`callee(&symbol)`"""
    assert isinstance(callee.type, FunctionType)
    address = AddressOf(PointerType(symbol.type), span, Variable(symbol.type, span, symbol))
    count = len(callee.type.parameters)
    return Call(ct.unqualified(callee.type.result), span, callee, [address], count)
