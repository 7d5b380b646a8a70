"""Which header declares a well-known name, and names that are like another: for hints."""

from __future__ import annotations

from collections.abc import Iterable

from polyopt.support.diagnostics import Correction

_HEADERS = {
    "stdio.h": "printf fprintf sprintf snprintf scanf sscanf puts putchar fputs fopen fclose "
    "fflush perror getchar FILE stdin stdout stderr EOF",
    "stdlib.h": "malloc calloc realloc free aligned_alloc posix_memalign exit abort atoi atol "
    "atof strtod strtol rand srand qsort bsearch abs labs getenv NULL EXIT_SUCCESS EXIT_FAILURE",
    "string.h": "memcpy memset memmove memcmp strcmp strcpy strcat strlen strncmp strncpy strchr "
    "strrchr strstr strdup strtok",
    "math.h": "sqrt sqrtf exp expf log pow powf fabs fabsf sin cos tan atan atan2 floor ceil "
    "fmax fmin fmod round exp2 log2 log10 cbrt hypot M_PI INFINITY NAN HUGE_VAL isnan isinf",
    "stdint.h": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t "
    "uintptr_t INT32_MAX INT64_MAX UINT32_MAX UINT64_MAX SIZE_MAX",
    "stddef.h": "size_t ptrdiff_t wchar_t",
    "stdbool.h": "bool true false",
    "time.h": "clock time clock_gettime time_t clock_t CLOCKS_PER_SEC CLOCK_MONOTONIC",
    "sys/time.h": "gettimeofday",
    "assert.h": "assert",
    "ctype.h": "isalpha isdigit isspace toupper tolower",
    "errno.h": "errno",
    "limits.h": "INT_MAX INT_MIN LONG_MAX LONG_MIN UINT_MAX ULONG_MAX CHAR_BIT",
    "immintrin.h": "__m128 __m128d __m128i __m256 __m256d __m256i",
    "float.h": "DBL_MAX DBL_MIN DBL_EPSILON FLT_MAX FLT_MIN FLT_EPSILON",
}
_REFUSED_HEADERS = {
    **{
        f"{name}.h": "of the vectors of machines SSE to AVX2 and FMA are supported "
        "(<immintrin.h>); loops become vectors by themselves"
        for name in "mmintrin ammintrin arm_neon".split()
    },
}
_HEADER_OF = {name: header for header, names in _HEADERS.items() for name in names.split()}
LIBRARY_NAMES = tuple(_HEADER_OF)


def hint_for_header(name: str) -> str:
    """What to do about a header that is not found."""
    return _REFUSED_HEADERS.get(name, "add its folder with -I")


def hint_for(name: str, known: Iterable[str]) -> str | None:
    """What to do about an unknown name: its header, or the known name that is most like it."""
    if name in _HEADER_OF:
        return f"#include <{_HEADER_OF[name]}>"
    return did_you_mean(name, known)


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint with the known name that is most like this one."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return Correction.of(name, close[0]) if close else None
