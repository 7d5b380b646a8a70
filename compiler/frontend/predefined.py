"""The macros that are defined before the first line: C's own, and those of x86-64 Linux."""

from __future__ import annotations

from polyopt.frontend.options import Standard

_VERSIONS = {"99": "199901L", "11": "201112L", "17": "201710L", "23": "202311L"}

# __GNUC__ is not among them: code that asks for it wants all of GNU C.
_FIXED = """
__STDC__ 1
__STDC_HOSTED__ 1
__STDC_NO_ATOMICS__ 1
__STDC_NO_COMPLEX__ 1
__STDC_NO_THREADS__ 1
__polyopt__ 1
__x86_64__ 1
__x86_64 1
__amd64__ 1
__linux__ 1
__gnu_linux__ 1
__unix__ 1
__ELF__ 1
__LP64__ 1
_LP64 1
__CHAR_BIT__ 8
__SIZEOF_SHORT__ 2
__SIZEOF_INT__ 4
__SIZEOF_LONG__ 8
__SIZEOF_LONG_LONG__ 8
__SIZEOF_POINTER__ 8
__SIZEOF_SIZE_T__ 8
__SIZEOF_WCHAR_T__ 4
__SIZEOF_WINT_T__ 4
__WCHAR_TYPE__ int
__WCHAR_MAX__ 2147483647
__WCHAR_MIN__ (-2147483647 - 1)
__WINT_TYPE__ unsigned int
__WINT_MAX__ 4294967295U
__WINT_MIN__ 0U
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__SIZE_TYPE__ unsigned long
__PTRDIFF_TYPE__ long
__INTPTR_TYPE__ long
__UINTPTR_TYPE__ unsigned long
__INT32_TYPE__ int
__INT64_TYPE__ long
__UINT32_TYPE__ unsigned int
__UINT64_TYPE__ unsigned long
__SCHAR_MAX__ 127
__SHRT_MAX__ 32767
__INT_MAX__ 2147483647
__INT8_MAX__ 127
__INT16_MAX__ 32767
__INT32_MAX__ 2147483647
__INT64_MAX__ 9223372036854775807L
__UINT8_MAX__ 255
__UINT16_MAX__ 65535
__UINT32_MAX__ 4294967295U
__UINT64_MAX__ 18446744073709551615UL
__LONG_MAX__ 9223372036854775807L
__LONG_LONG_MAX__ 9223372036854775807LL
__SIZE_MAX__ 18446744073709551615UL
__PTRDIFF_MAX__ 9223372036854775807L
__FLT_MAX__ 3.40282346638528859812e+38F
__FLT_EPSILON__ 1.19209289550781250000e-7F
__DBL_MAX__ 1.79769313486231570815e+308
__DBL_EPSILON__ 2.22044604925031308085e-16
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__BYTE_ORDER__ 1234
""".strip().splitlines()


def predefined_macros(std: Standard) -> list[str]:
    """Definitions as after `#define`."""
    return [f"__STDC_VERSION__ {_VERSIONS[std[-2:]]}", *_FIXED]
