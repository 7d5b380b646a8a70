"""What CPU a program runs on: `__builtin_cpu_supports("avx2")`, `__builtin_cpu_is("znver4")` and
`__builtin_cpu_init()`, which has nothing to do: the CPU is asked when somebody wants to know.

Each name is read as the calls of the functions of <polyopt_cpu.h> that it means; the front end
reads that header before a text that names one of these (`library_headers.CPU_QUESTIONS`). Bits and
models are those of Intel's and AMD's manuals for `cpuid`."""

from __future__ import annotations

from functools import reduce

from pycparser import c_ast

from polyopt.frontend.checking.calls.builtin_reader import PREFIX, Arguments, Reader
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.literals import parse_any_string
from polyopt.frontend.tokens.library_headers import CPU_QUESTIONS
from polyopt.frontend.tree.typed_tree import Convert, Expr, IntConst

_C1, _D1, _B7, _C7, _D7, _A71, _C81, _D81, _AD, _B88 = range(10)
"""The words of the header: register and leaf of `cpuid`."""
_VECTORS, _LARGE_VECTORS, _TILES = 0x6, 0xE6, 0x60000
"""The registers that the system has to keep for them."""

_BITS = {
    _C1: "sse3 pclmul ssse3:9 fma:12 cmpxchg16b sse4.1:19 sse4.2:20 movbe:22 popcnt aes:25 xsave "
    "osxsave avx f16c rdrnd",
    _D1: "cmpxchg8b:8 cmov:15 mmx:23 fxsave sse sse2",
    _B7: "fsgsbase sgx:2 bmi hle avx2 bmi2:8 rtm:11 avx512f:16 avx512dq rdseed adx avx512ifma:21 "
    "clflushopt:23 clwb avx512pf:26 avx512er avx512cd sha avx512bw avx512vl",
    _C7: "prefetchwt1 avx512vbmi pku:3 waitpkg:5 avx512vbmi2 shstk gfni vaes vpclmulqdq "
    "avx512vnni avx512bitalg avx512vpopcntdq:14 rdpid:22 kl cldemote:25 movdiri:27 movdir64b "
    "enqcmd",
    _D7: "avx5124vnniw:2 avx5124fmaps uintr:5 avx512vp2intersect:8 serialize:14 tsxldtrk:16 "
    "pconfig:18 ibt:20 amx-bf16:22 avx512fp16 amx-tile amx-int8",
    _A71: "avxvnni:4 avx512bf16 hreset:22",
    _C81: "lahf_lm abm:5 sse4a prfchw:8 xop:11 lwp:15 fma4 tbm:21 mwaitx:29",
    _D81: "mmxext:22 lm:29 3dnowp 3dnow",
    _AD: "xsaveopt xsavec xsaves:3",
    _B88: "clzero wbnoinvd:9",
}
"""The bits of each word in their order; behind a colon the number of one that leaves some out."""
_LEVELS = {
    "x86-64": "cmov cmpxchg8b fxsave mmx sse sse2 lm",
    "x86-64-v2": "x86-64 cmpxchg16b lahf_lm popcnt sse3 ssse3 sse4.1 sse4.2",
    "x86-64-v3": "x86-64-v2 avx avx2 bmi bmi2 f16c fma lzcnt movbe osxsave",
    "x86-64-v4": "x86-64-v3 avx512f avx512bw avx512cd avx512dq avx512vl",
}
_OF_VECTORS = "avx avx2 fma fma4 xop f16c vaes vpclmulqdq avxvnni".split()

_INTEL, _AMD = 0x756E6547, 0x68747541
_MODELS = {
    "core2": (_INTEL, 6, "0f 17 1d"),
    "nehalem": (_INTEL, 6, "1a 1e 1f 2e"),
    "westmere": (_INTEL, 6, "25 2c 2f"),
    "sandybridge": (_INTEL, 6, "2a 2d"),
    "ivybridge": (_INTEL, 6, "3a 3e"),
    "haswell": (_INTEL, 6, "3c 3f 45 46"),
    "broadwell": (_INTEL, 6, "3d 47 4f 56"),
    "skylake": (_INTEL, 6, "4e 5e 8e 9e a5 a6"),
    "icelake-client": (_INTEL, 6, "7d 7e 9d"),
    "icelake-server": (_INTEL, 6, "6a 6c"),
    "tigerlake": (_INTEL, 6, "8c 8d"),
    "rocketlake": (_INTEL, 6, "a7"),
    "alderlake": (_INTEL, 6, "97 9a b7 ba bf"),
    "sapphirerapids": (_INTEL, 6, "8f"),
    "amdfam10h": (_AMD, 0x10, "00-ff"),
    "amdfam15h": (_AMD, 0x15, "00-ff"),
    "amdfam17h": (_AMD, 0x17, "00-ff"),
    "amdfam19h": (_AMD, 0x19, "00-ff"),
    "btver1": (_AMD, 0x14, "00-ff"),
    "btver2": (_AMD, 0x16, "00-ff"),
    "znver1": (_AMD, 0x17, "00-1f"),
    "znver2": (_AMD, 0x17, "30-ff"),
    "znver3": (_AMD, 0x19, "00-0f 20-5f"),
    "znver4": (_AMD, 0x19, "10-1f 60-af"),
    "intel": (_INTEL, 0, "00-ff"),
    "amd": (_AMD, 0, "00-ff"),
}


def _places() -> dict[str, tuple[int, int]]:
    """Word and bit by name."""
    places: dict[str, tuple[int, int]] = {}
    for word, names in _BITS.items():
        bit = 0
        for each in names.split():
            name, _, number = each.partition(":")
            bit = int(number or bit)
            places[name] = (word, bit)
            bit += 1
    places["lzcnt"] = places["abm"]
    return places


_PLACES = _places()


def _state(name: str) -> int:
    if name.startswith("avx512"):
        return _LARGE_VECTORS
    if name.startswith("amx-"):
        return _TILES
    return _VECTORS if name in _OF_VECTORS else 0


def _supports(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    name = _name(checker, arguments[0])
    if name not in _PLACES and name not in _LEVELS:
        checker.error(f"'{name}' is no feature of CPUs that is known", arguments[0])
    return checker.expressions.value(_asked(node, name))


def _asked(node: c_ast.Node, name: str) -> c_ast.Node:
    if name in _LEVELS:
        parts = [_asked(node, part) for part in _LEVELS[name].split()]
        return reduce(lambda one, other: c_ast.BinaryOp("&&", one, other, node.coord), parts)
    word, bit = _PLACES[name]
    return _call(node, "supports", word, 1 << bit, _state(name))


def _is(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    name = _name(checker, arguments[0])
    if name not in _MODELS:
        checker.error(f"'{name}' is no CPU that is known", arguments[0])
    vendor, family, models = _MODELS[name]
    ways = [
        _call(node, "is", vendor, family, int(first, 16), int(last or first, 16))
        for first, _, last in (each.partition("-") for each in models.split())
    ]
    one_of = reduce(lambda one, other: c_ast.BinaryOp("||", one, other, node.coord), ways)
    return checker.expressions.value(one_of)


def _init(checker: Checker, node: c_ast.FuncCall, arguments: Arguments) -> Expr:
    return Convert(ct.VOID, span_of(node), IntConst(ct.INT, span_of(node), 0))


def _name(checker: Checker, argument: c_ast.Node) -> str:
    if not isinstance(argument, c_ast.Constant) or argument.type != "string":
        checker.error("what is asked of the CPU is a text in quotation marks", argument)
    data, _ = parse_any_string(argument.value)
    return data[:-1].decode(errors="replace")


def _call(node: c_ast.Node, what: str, *numbers: int) -> c_ast.Node:
    values: list[c_ast.Node] = [
        c_ast.Constant("unsigned int", f"{number}u", node.coord) for number in numbers
    ]
    function = c_ast.ID(CPU_QUESTIONS[f"{PREFIX}cpu_{what}"], node.coord)
    return c_ast.FuncCall(function, c_ast.ExprList(values, node.coord), node.coord)


READERS: dict[str, tuple[Reader, int]] = {
    "cpu_supports": (_supports, 1),
    "cpu_is": (_is, 1),
    "cpu_init": (_init, 0),
}
