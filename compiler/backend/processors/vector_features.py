"""Which of the instructions that <immintrin.h> names a CPU has.

LLVM stops the whole program where it is asked for one that is missing, so that the compiler asks
first. The names of features are LLVM's; what a level or a feature holds is "Intel 64 and IA-32
Architectures Software Developer's Manual" and the x86-64 psABI's table of levels.
"""

from __future__ import annotations

_ORDER = ("sse3", "ssse3", "sse4.1", "sse4.2", "avx", "avx2")
"""Each of these needs those before."""
_UNDER = {"fma": "avx", "f16c": "avx", "avx512f": "avx2"}
_V2 = frozenset({*_ORDER[:4], "popcnt", "crc32"})
_V3 = _V2 | {"avx", "avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt"}
_OLD_CPUS = {
    "sse3": "nocona k8-sse3 opteron-sse3 athlon64-sse3 amdfam10 barcelona yonah prescott",
    "ssse3": "core2 bonnell atom btver1 btver2",
    "sse4.1": "penryn",
    "sse4.2": "x86-64-v2 nehalem corei7 westmere silvermont slm goldmont goldmont-plus tremont",
    "avx": "sandybridge corei7-avx ivybridge core-avx-i bdver1 bdver2 bdver3",
    "": "x86-64 generic k8 opteron athlon64 athlon-fx x86-64-v1",
}
_HIGHEST = {cpu: feature for feature, cpus in _OLD_CPUS.items() for cpu in cpus.split()}


def has_feature(feature: str, cpu: str, changes: str) -> bool:
    """`changes` are the features that are added to and taken from the CPU's own: "+avx2,-fma"."""
    found = _of_cpu(cpu)
    for change in filter(None, changes.split(",")):
        sign, name = change[0], change[1:]
        found = found | with_lower(name) if sign == "+" else found - _with_higher(name)
    return feature in found


def with_lower(name: str) -> frozenset[str]:
    """The feature and those that it stands on."""
    base = _UNDER.get(name, name)
    lower = _ORDER[: _ORDER.index(base) + 1] if base in _ORDER else (base,)
    more = ("popcnt", "crc32") if "sse4.2" in lower else ()
    return frozenset({name, *lower, *more})


def _with_higher(name: str) -> frozenset[str]:
    return frozenset(one for one in {*_V3, "avx512f", name} if name in with_lower(one))


def _of_cpu(cpu: str) -> frozenset[str]:
    """A CPU that is not named has what all have had for ten years."""
    highest = _HIGHEST.get(cpu)
    if highest is None:
        return _V3
    return with_lower(highest) if highest else frozenset()
