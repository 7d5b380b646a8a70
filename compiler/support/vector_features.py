"""Which instructions for vectors a CPU has.

LLVM stops the whole program where it is asked for one that is missing, so that the compiler asks
first: for what <immintrin.h> names, and for what it chooses itself. The names of features are
LLVM's; what a level or a feature holds is "Intel 64 and IA-32 Architectures Software Developer's
Manual" and the x86-64 psABI's table of levels. A feature that is added brings those that it stands
on; one that is taken away takes those that stand on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

CPU_FEATURES = {
    name: name
    for name in (
        "sse3 ssse3 sse4.1 sse4.2 avx avx2 fma f16c bmi bmi2 lzcnt popcnt movbe aes pclmul sha "
        "gfni vaes vpclmulqdq adx rdrnd fsgsbase prfchw clflushopt clwb cx16 sahf crc32 sse4a "
        "fma4 xop avx512f avx512cd avx512bw avx512dq avx512vl avx512ifma avx512vbmi avx512vbmi2 "
        "avx512vnni avx512bitalg avx512vpopcntdq avx512bf16 avx512fp16 avx512vp2intersect "
        "avxvnni avxifma rdseed xsave xsavec xsaveopt xsaves"
    ).split()
} | {"sse4": "sse4.2", "abm": "lzcnt"}
"""gcc's names, and LLVM's where that is another."""
_STANDS_ON = {
    name: lower.split()
    for names, lower in (
        ("ssse3", "sse3"),
        ("sse4.1", "ssse3"),
        ("sse4.2", "sse4.1"),
        ("avx", "sse4.2"),
        ("avx2 fma f16c", "avx"),
        ("avxvnni avxifma", "avx2"),
        ("avx512f", "avx2 fma f16c"),
        ("avx512bw avx512dq avx512vl avx512cd", "avx512f"),
        ("avx512vnni avx512ifma avx512vpopcntdq avx512vp2intersect", "avx512f"),
        ("avx512vbmi avx512vbmi2 avx512bitalg avx512bf16 avx512fp16", "avx512bw"),
    )
    for name in names.split()
}
_BESIDE = {"sse4.2": ("popcnt", "crc32")}
"""What a feature brings, though it does not stand on it."""
WHOLE_AVX512 = frozenset(("avx512f", "avx512bw", "avx512dq", "avx512vl"))
"""What vectors of numbers of every kind, of every length, under masks need."""
_OLD_CPUS = {
    "sse3": "nocona k8-sse3 opteron-sse3 athlon64-sse3 amdfam10 barcelona yonah prescott",
    "ssse3": "core2 bonnell atom btver1",
    "sse4.1": "penryn",
    "sse4.2": "x86-64-v2 nehalem corei7 westmere silvermont slm goldmont goldmont-plus tremont",
    "avx": "sandybridge corei7-avx ivybridge core-avx-i bdver1 bdver2 bdver3 btver2",
    "": "x86-64 generic k8 opteron athlon64 athlon-fx x86-64-v1",
}
_HIGHEST = {cpu: feature for feature, cpus in _OLD_CPUS.items() for cpu in cpus.split()}
_AVX512_CPUS = {
    "": "x86-64-v4 skylake-avx512 skx",
    "avx512vnni": "cascadelake cooperlake",
    "avx512vbmi": "cannonlake",
    "avx512vnni avx512vbmi": """icelake-client icelake-server tigerlake rocketlake sapphirerapids
        graniterapids graniterapids-d emeraldrapids znver4 znver5""",
}
_WITHOUT_CIPHERS = "x86-64-v3 x86-64-v4".split()
_CIPHERS = {
    "pclmul": """westmere silvermont slm sandybridge corei7-avx ivybridge core-avx-i bdver1 bdver2
        bdver3 btver2 goldmont goldmont-plus tremont""",
    "aes": "bdver1 bdver2 bdver3 btver2 goldmont goldmont-plus tremont",
    "sha": """goldmont goldmont-plus tremont cannonlake icelake-client icelake-server tigerlake
        rocketlake sapphirerapids emeraldrapids graniterapids graniterapids-d alderlake raptorlake
        meteorlake arrowlake arrowlake-s lunarlake pantherlake gracemont sierraforest grandridge
        clearwaterforest znver1 znver2 znver3 znver4 znver5""",
}
"""Products without carries, AES and SHA; of the CPUs with AVX2 the levels and the oldest lack
some."""
_WITHOUT_AES = "haswell broadwell core-avx2".split()
_WIDE = {cpu: more.split() for more, cpus in _AVX512_CPUS.items() for cpu in cpus.split()}


def has_feature(feature: str, cpu: str, changes: str) -> bool:
    """`changes` are the features that are added to and taken from the CPU's own: "+avx2,-fma"."""
    return feature in changed(features_of_cpu(cpu), filter(None, changes.split(",")))


def changed(features: frozenset[str], changes: Iterable[str]) -> frozenset[str]:
    """With "+avx2" and without "-fma", in this order."""
    for change in changes:
        sign, name = change[0], change[1:]
        if sign == "+":
            features |= with_lower(name)
        else:
            features = frozenset(one for one in features if name not in _lower(one))
    return features


def with_lower(name: str) -> frozenset[str]:
    """The feature and those that it brings."""
    lower = _lower(name)
    return lower.union(*(_BESIDE.get(one, ()) for one in lower))


@cache
def features_of_cpu(cpu: str) -> frozenset[str]:
    """A CPU that is not named has what all have had for ten years."""
    ciphers = {feature for feature, cpus in _CIPHERS.items() if cpu in cpus.split()}
    highest = _HIGHEST.get(cpu)
    if highest is not None:
        return with_lower(highest) | ciphers if highest else frozenset()
    found = with_lower("avx2") | {"fma", "f16c", "bmi", "bmi2", "lzcnt", *ciphers}
    if cpu not in _WITHOUT_CIPHERS:
        found |= {"pclmul"} if cpu in _WITHOUT_AES else {"pclmul", "aes"}
    more = _WIDE.get(cpu)
    return found if more is None else found.union(WHOLE_AVX512, *map(with_lower, more))


@cache
def _lower(name: str) -> frozenset[str]:
    """The feature and those that it stands on."""
    return frozenset({name}).union(*(_lower(one) for one in _STANDS_ON.get(name, ())))
