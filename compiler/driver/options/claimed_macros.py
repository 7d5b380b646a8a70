"""The macros by which code learns what was asked of the compiler, as gcc defines them: that it
optimises, what it permits of floating point, which instructions the CPU has.

Of instruction sets those are claimed that all functions of <immintrin.h> are there for, so that a
program takes its other way where they are not. Where no flag says what CPU code is for, that is
what every x86-64 has.
"""

from __future__ import annotations

from collections.abc import Callable

from polyopt.driver.options.settings import Settings

_SETS = {
    **{"sse3": "SSE3", "ssse3": "SSSE3", "sse4.1": "SSE4_1", "popcnt": "POPCNT"},
    **{"sse4.2": "SSE4_2", "crc32": "CRC32", "aes": "AES", "pclmul": "PCLMUL", "sha": "SHA"},
    **{"avx": "AVX", "avx2": "AVX2", "fma": "FMA", "f16c": "F16C"},
    **{"bmi": "BMI", "bmi2": "BMI2", "lzcnt": "LZCNT"},
}
_PROTECTORS = {
    **{"none": (), "some": ("__SSP__ 1",)},
    **{"strong": ("__SSP_STRONG__ 3",), "all": ("__SSP_ALL__ 2",)},
}
_CONTROL_FLOW = {
    **{"none": (), "branch": ("__CET__ 1",), "return": ("__CET__ 2",), "full": ("__CET__ 3",)},
}
_OF_ALL = ("__SSE__ 1", "__SSE2__ 1", "__SSE_MATH__ 1", "__SSE2_MATH__ 1")


def claimed_macros(settings: Settings, cpu: Callable[[], tuple[str, str]]) -> tuple[str, ...]:
    """Definitions as after `#define`. `cpu`: its name, and what is added to it and taken away."""
    found = [*_OF_ALL, *(f"__{name}__ 1" for name in _instructions(settings, cpu))]
    found.append(f"__FINITE_MATH_ONLY__ {int(settings.finite_math)}")
    if settings.opt_level > 0:
        found.append("__OPTIMIZE__ 1")
    else:
        found.append("__NO_INLINE__ 1")
    if settings.size_level > 0:
        found.append("__OPTIMIZE_SIZE__ 1")
    if settings.finite_math and settings.associative_math and not settings.signed_zeros:
        found.append("__FAST_MATH__ 1")
    if settings.unsigned_char:
        found.append("__CHAR_UNSIGNED__ 1")
    if settings.pic:
        found += ["__PIC__ 2", "__pic__ 2"]
    return (*found, *_PROTECTORS[settings.stack_protector], *_CONTROL_FLOW[settings.control_flow])


def _instructions(settings: Settings, cpu: Callable[[], tuple[str, str]]) -> list[str]:
    if settings.march is None and not settings.cpu_features:
        return []
    from polyopt.support.vector_features import has_feature

    name, changes = cpu()
    return [macro for feature, macro in _SETS.items() if has_feature(feature, name, changes)]
