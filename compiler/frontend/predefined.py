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
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__INT_MAX__ 2147483647
__LONG_MAX__ 9223372036854775807L
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__BYTE_ORDER__ 1234
""".strip().splitlines()


def predefined_macros(std: Standard) -> list[str]:
    """Definitions as after `#define`."""
    return [f"__STDC_VERSION__ {_VERSIONS[std[-2:]]}", *_FIXED]
