"""The functions of the C library that GNU C knows without a declaration: `__builtin_abort` is
`abort`, and `abort()` alone is a call of it.

Each is a line: its result and parameters in letters, then the names of that type.
"""

from __future__ import annotations

from functools import cache

from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FunctionType, IntType, PointerType

_CONST_VOID = PointerType(ct.qualified(ct.VOID, const=True))
_LETTERS: dict[str, CType] = {
    "v": ct.VOID,
    "p": PointerType(ct.VOID),
    "P": _CONST_VOID,
    "i": ct.INT,
    "I": PointerType(ct.INT),
    "u": ct.UINT,
    "l": ct.LONG,
    "L": ct.LLONG,
    "z": ct.ULONG,
    "f": ct.FLOAT,
    "F": PointerType(ct.FLOAT),
    "d": ct.DOUBLE,
    "D": PointerType(ct.DOUBLE),
    "g": ct.LDOUBLE,
    "G": PointerType(ct.LDOUBLE),
    "1": ct.COMPLEX_OF[ct.FLOAT],
    "2": ct.COMPLEX_OF[ct.DOUBLE],
    "3": ct.COMPLEX_OF[ct.LDOUBLE],
}
_TABLE = """
v! abort
vi! exit _exit _Exit
iS. printf scanf
ipS. fprintf fscanf
isS. sprintf
iSS. sscanf
iszS. snprintf
iSp vprintf vscanf
ipSp vfprintf
isSp vsprintf
iSSp vsscanf
iszSp vsnprintf
iS puts
ii putchar isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper
ii isxdigit tolower toupper abs ffs
iSp fputs
iip fputc putc
zPzzp fwrite
pz malloc
pzz calloc aligned_alloc
ppz realloc
vp free
ppPz memcpy memmove mempcpy
ppiz memset
iPPz memcmp
pPiz memchr
zS strlen
zSz strnlen
zSS strcspn strspn
ssS strcpy strcat stpcpy
ssSz strncpy strncat stpncpy
iSS strcmp strcasecmp
iSSz strncmp strncasecmp
sSi strchr strrchr index rindex
sSS strstr strpbrk
sS strdup
sSz strndup
vpz bzero
vPpz bcopy
iPPz bcmp
ll labs ffsl
LL llabs ffsll
dS nan
fS nanf
gS nanl
gdg nexttoward
ppPzz __memcpy_chk __memmove_chk __mempcpy_chk
ppizz __memset_chk
ssSz __strcpy_chk __strcat_chk __stpcpy_chk
ssSzz __strncpy_chk __strncat_chk __stpncpy_chk
isizS. __sprintf_chk
isizSp __vsprintf_chk
iszizS. __snprintf_chk
iszizSp __vsnprintf_chk
iiS. __printf_chk
iiSp __vprintf_chk
ipiS. __fprintf_chk
ipiSp __vfprintf_chk
"""
_ONE = (
    "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 exp10 expm1 fabs floor "
    "gamma j0 j1 lgamma log log10 log1p log2 logb nearbyint rint round roundeven significand sin "
    "sinh sqrt tan tanh tgamma trunc y0 y1"
)
_TWO = "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb"
_COMPLEX = (
    "cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cproj csin csinh csqrt ctan "
    "ctanh"
)
_OF_COMPLEX = "cabs carg cimag creal"
_OTHERS = {
    "cpow": "www",
    "fma": "xxxx",
    "frexp": "xxI",
    "ldexp": "xxi",
    "scalbn": "xxi",
    "scalbln": "xxl",
    "modf": "xxX",
    "ilogb": "ix",
    "lrint": "lx",
    "lround": "lx",
    "llrint": "Lx",
    "llround": "Lx",
    "finite": "ix",
    "remquo": "xxxI",
    "sincos": "vxXX",
}


@cache
def _types() -> dict[str, str]:
    """The letters of each function."""
    found: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        letters, *names = line.split()
        found |= dict.fromkeys(names, letters)
    for names, letters in ((_ONE, "xx"), (_TWO, "xxx"), (_COMPLEX, "ww"), (_OF_COMPLEX, "xw")):
        found |= dict.fromkeys(names.split(), letters)
    for name, letters in [*found.items(), *_OTHERS.items()]:
        if "x" in letters or "w" in letters:
            for suffix, *kinds in (("", *"dD2"), ("f", *"fF1"), ("l", *"gG3")):
                found[name + suffix] = letters.translate(str.maketrans(dict(zip("xXw", kinds))))
    return found


def library_type(name: str, char: IntType = ct.CHAR) -> FunctionType | None:
    """The type of the library's function of this name, where GNU C knows it; `char` is so."""
    letters = _types().get(name)
    if letters is None:
        return None
    variadic = letters.endswith(".")
    texts = {"s": PointerType(char), "S": PointerType(ct.qualified(char, const=True))}
    types = [texts.get(letter) or _LETTERS[letter] for letter in letters.rstrip(".!")]
    result, *parameters = types
    return FunctionType(result, tuple(parameters), variadic)


_REMEMBERS = frozenset("gamma lgamma frexp modf remquo sincos".split())
"""Of libm: what leaves something behind, in `signgam` or where a pointer leads to."""


def only_computes(name: str) -> bool:
    """The library's function gives a number for numbers and does nothing else; errno is no matter
    here, as with -fno-math-errno."""
    families = (_ONE, _TWO, _COMPLEX, _OF_COMPLEX)
    known = {*_OTHERS, *(name for names in families for name in names.split())} - _REMEMBERS
    is_of_libm = name in known or (name[-1:] in ("f", "l") and name[:-1] in known)
    return is_of_libm or name in ("abs", "labs", "llabs", "ffs", "ffsl", "ffsll")


def standard_name(name: str) -> str:
    """The name that a function has in the standard, where glibc's headers call it by another."""
    return name.removeprefix("__isoc99_").removeprefix("__isoc23_")


def never_returns(name: str) -> bool:
    return _types().get(name, "").endswith("!")
