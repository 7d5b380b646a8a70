"""The macros that are defined before the first line: C's own, those of x86-64 Linux, and those by
which GNU C tells of its types. The last are many, and are defined when a text names them.
"""

from __future__ import annotations

import re
from functools import cache

from polyopt.frontend.options import Standard

_VERSIONS = {"99": "199901L", "11": "201112L", "17": "201710L", "23": "202311L"}

GNU_C = ("__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__")
"""By these code asks for extensions of C (to inline, to count bits, integers of 128 bits), and its
other way is a slow one. Where they count as 0 that is meant."""

_FIXED = """
__STDC__ 1
__STDC_HOSTED__ 1
__STDC_NO_THREADS__ 1
__polyopt__ 1
__ATOMIC_RELAXED 0
__ATOMIC_CONSUME 1
__ATOMIC_ACQUIRE 2
__ATOMIC_RELEASE 3
__ATOMIC_ACQ_REL 4
__ATOMIC_SEQ_CST 5
__x86_64__ 1
__x86_64 1
__amd64__ 1
__amd64 1
__linux__ 1
__linux 1
__gnu_linux__ 1
__unix__ 1
__unix 1
__ELF__ 1
__LP64__ 1
_LP64 1
__CHAR_BIT__ 8
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__STDC_IEC_559__ 1
__STDC_IEC_559_COMPLEX__ 1
__STDC_ISO_10646__ 201706L
__USER_LABEL_PREFIX__
__REGISTER_PREFIX__
__FLOAT_WORD_ORDER__ 1234
__BIGGEST_ALIGNMENT__ 16
__code_model_small__ 1
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_PDP_ENDIAN__ 3412
__ORDER_BIG_ENDIAN__ 4321
__BYTE_ORDER__ 1234
""".strip().splitlines()


_ATOMIC = "BOOL CHAR CHAR16_T CHAR32_T WCHAR_T SHORT INT LONG LLONG POINTER"
_NAMED = """
SCHAR 8 signed char
SHRT 16 short
INT 32 int
LONG 64 long
LONG_LONG 64 long long
SIZE u64 unsigned long
PTRDIFF 64 long
WCHAR 32 int
WINT u32 unsigned int
SIG_ATOMIC 32 int
INTMAX 64 long
UINTMAX u64 unsigned long
INTPTR 64 long
UINTPTR u64 unsigned long
"""
_SIZES = (
    "SHORT 2 INT 4 LONG 8 LONG_LONG 8 POINTER 8 SIZE_T 8 PTRDIFF_T 8 WCHAR_T 4 WINT_T 4 FLOAT 4 "
    "DOUBLE 8 LONG_DOUBLE 16 FLOAT80 16 INT128 16"
)
_FLOATS = {
    "FLT": "24 6 9 -125 128 -37 38 1.40129846432481707092372958328991613e-45F "
    "1.17549435082228750796873653722224568e-38F 3.40282346638528859811704183484516925e+38F "
    "1.19209289550781250000000000000000000e-7F",
    "DBL": "53 15 17 -1021 1024 -307 308 4.94065645841246544176568792868221372e-324 "
    "2.22507385850720138309023271733240406e-308 1.79769313486231570814527423731704357e+308 "
    "2.22044604925031308084726333618164062e-16",
    "LDBL": "64 18 21 -16381 16384 -4931 4932 3.64519953188247460252840593361941982e-4951L "
    "3.36210314311209350626267781732175260e-4932L 1.18973149535723176502126385303097021e+4932L "
    "1.08420217248550443400745280086994171e-19L",
}
_OF_FLOATS = (
    "MANT_DIG DIG DECIMAL_DIG MIN_EXP MAX_EXP MIN_10_EXP MAX_10_EXP DENORM_MIN MIN MAX EPSILON"
)
_LIMIT_SUFFIXES = {"long": "L", "long long": "LL", "unsigned int": "U", "unsigned long": "UL"}


@cache
def macros_of_types() -> dict[str, str]:
    """The macros of types by their names: `__INT16_TYPE__`, `__LDBL_MIN__`."""
    found: dict[str, str] = {}
    for line in _NAMED.strip().splitlines():
        name, bits, type = line.split(maxsplit=2)
        _add_integer(found, name, bits, type)
    names = {"8": "signed char", "16": "short", "32": "int", "64": "long"}
    for bits, type in names.items():
        unsigned = f"unsigned {type.removeprefix('signed ')}"
        fast, fast_bits = (type, bits) if bits == "8" else ("long", "64")
        fast_unsigned = f"unsigned {fast.removeprefix('signed ')}"
        for kind in ("INT", "INT_LEAST"):
            _add_integer(found, f"{kind}{bits}", bits, type)
            _add_integer(found, f"U{kind}{bits}", f"u{bits}", unsigned)
        _add_integer(found, f"INT_FAST{bits}", fast_bits, fast)
        _add_integer(found, f"UINT_FAST{bits}", f"u{fast_bits}", fast_unsigned)
        found[f"__INT{bits}_C(c)"] = "c ## L" if bits == "64" else "c"
        found[f"__UINT{bits}_C(c)"] = {"32": "c ## U", "64": "c ## UL"}.get(bits, "c")
    found["__INTMAX_C(c)"], found["__UINTMAX_C(c)"] = "c ## L", "c ## UL"
    found["__CHAR16_TYPE__"], found["__CHAR32_TYPE__"] = "unsigned short", "unsigned int"
    for name in ("WCHAR", "SIG_ATOMIC"):
        found[f"__{name}_MIN__"] = "(-2147483647 - 1)"
    found["__WINT_MIN__"] = "0U"
    sizes = _SIZES.split()
    found |= {f"__SIZEOF_{n}__": size for n, size in zip(sizes[::2], sizes[1::2], strict=True)}
    for prefix, values in _FLOATS.items():
        for name, value in zip(_OF_FLOATS.split(), values.split(), strict=True):
            found[f"__{prefix}_{name}__"] = f"({value})" if value.startswith("-") else value
        for name in ("HAS_DENORM", "HAS_INFINITY", "HAS_QUIET_NAN"):
            found[f"__{prefix}_{name}__"] = "1"
        found[f"__{prefix}_NORM_MAX__"] = found[f"__{prefix}_MAX__"]
    found |= {"__FLT_RADIX__": "2", "__FLT_EVAL_METHOD__": "0", "__DECIMAL_DIG__": "21"}
    found |= {"__SIZE_WIDTH__": "64", "__WINT_WIDTH__": "32"}
    found |= {f"__GCC_HAVE_SYNC_COMPARE_AND_SWAP_{size}": "1" for size in (1, 2, 4, 8)}
    found |= {f"__GCC_ATOMIC_{name}_LOCK_FREE": "2" for name in _ATOMIC.split()}
    found["__GCC_ATOMIC_TEST_AND_SET_TRUEVAL"] = "1"
    return found


def _add_integer(found: dict[str, str], name: str, bits: str, type: str) -> None:
    is_unsigned = bits.startswith("u")
    width = int(bits.removeprefix("u"))
    largest = (1 << (width - (not is_unsigned))) - 1
    suffix = _LIMIT_SUFFIXES.get(type, "")
    found[f"__{name}_MAX__"] = f"{largest}{suffix}"
    found[f"__{name}_TYPE__"] = type
    if not is_unsigned:
        found[f"__{name}_WIDTH__"] = str(width)


_MENTIONED = re.compile(r"__[A-Z][A-Z0-9_]*__|__U?INT(?:MAX|\d+)_C|__GCC_[A-Z0-9_]+")


def mentioned_macros(text: str) -> list[str]:
    """The definitions of those that a text names; of all where it may paste names together."""
    known = macros_of_types()
    if "##" in text and "_" in text:
        return [f"{name} {value}" for name, value in known.items()]
    names = set(_MENTIONED.findall(text))
    return [f"{name} {value}" for name, value in known.items() if name.partition("(")[0] in names]


def predefined_macros(
    std: Standard, openmp: str | None = None, gnuc: tuple[int, ...] = ()
) -> list[str]:
    """Definitions as after `#define`."""
    numbers = (*gnuc, 0, 0)
    claimed = [f"{name} {number}" for name, number in zip(GNU_C, numbers, strict=False)]
    version = f'__VERSION__ "{".".join(map(str, gnuc))} compatible polyopt"'
    gnu = [*claimed, "__GNUC_STDC_INLINE__ 1", version] if gnuc else []
    threads = [] if openmp is None else ["_OPENMP 201511", f"__POLYOPT_{openmp.upper()}__ 1"]
    unreserved = ["linux 1", "unix 1"] if std.startswith("gnu") else []
    return [f"__STDC_VERSION__ {_VERSIONS[std[-2:]]}", *unreserved, *threads, *gnu, *_FIXED]
