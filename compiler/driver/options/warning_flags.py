"""-W: the warnings of gcc and clang by name, those that polyopt has and those that it accepts.

-WID  -Wno-ID           a warning on, or off, before what -Wall says
-Werror=ID              on, and an error;  -Wno-error=ID: no error in spite of -Werror
another compiler's ID   accepted: there is nothing to warn of
any other ID            a warning of its own, unknown-warning-option, but for -Wno-ID
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.driver.options.flag_reading import Collected, append
from polyopt.driver.options.settings import Settings
from polyopt.frontend.messages.warning_names import ALWAYS, BY_NAME, GROUPS, WALL, WEXTRA
from polyopt.support.diagnostics import CompileError, Diagnostic

UNKNOWN = "unknown-warning-option"
OURS = frozenset({*ALWAYS, *WALL, *WEXTRA, *BY_NAME, UNKNOWN})

# What gcc 12 and clang 19 take for C beyond that, without "=value".
ELSEWHERE = frozenset(
    """
abi absolute-value address address-of-packed-member aggregate-return aggressive-loop-optimizations
alloc-size-larger-than alloc-zero alloca alloca-larger-than analyzer-double-free
analyzer-null-dereference arith-conversion array-compare array-parameter assign-enum
atomic-implicit-seq-cst atomic-properties attribute-alias attribute-warning attributes
bad-function-cast bidi-chars bitwise-instead-of-logical bool-compare bool-conversion
bool-operation builtin-declaration-mismatch builtin-macro-redefined builtin-requires-header
c++-compat c11-c2x-compat c11-extensions c23-extensions c2x-extensions c90-c99-compat
c99-c11-compat c99-extensions cast-align cast-function-type cast-function-type-strict cast-qual
char-subscripts clobbered comma comment comments compare-distinct-pointer-types
compound-token-split conditional-uninitialized conversion coverage-mismatch covered-switch-default
dangling-else dangling-pointer date-time declaration-after-statement deprecated
deprecated-declarations deprecated-non-prototype deprecated-pragma designated-init
disabled-macro-expansion disabled-optimization discarded-array-qualifiers documentation
documentation-unknown-command double-promotion duplicate-decl-specifier duplicate-enum
duplicated-branches duplicated-cond embedded-directive empty-body endif-labels enum-compare
enum-conversion enum-enum-conversion expansion-to-defined extra-semi extra-semi-stmt fallthrough
fatal-errors flexible-array-extensions float-conversion float-equal format format-contains-nul
format-diag format-extra-args format-non-iso format-nonliteral format-overflow format-pedantic
format-security format-signedness format-truncation format-y2k format-zero-length
four-char-constants frame-address frame-larger-than free-nonheap-object gnu gnu-empty-initializer
gnu-flexible-array-initializer gnu-statement-expression gnu-zero-variadic-macro-arguments
header-guard header-hygiene idiomatic-parentheses if-not-aligned ignored-attributes
ignored-optimization-argument implicit implicit-const-int-float-conversion implicit-fallthrough
implicit-float-conversion implicit-function-declaration implicit-int implicit-int-conversion
implicit-int-float-conversion incompatible-function-pointer-types
incompatible-library-redeclaration incompatible-pointer-types-strict infinite-recursion init-self
inline int-in-bool-context int-to-pointer-cast int-to-void-pointer-cast invalid-memory-model
invalid-offsetof invalid-pch jump-misses-init keyword-macro language-extension-token larger-than
literal-conversion literal-range logical-not-parentheses logical-op long-long loop-analysis
lto-type-mismatch main maybe-uninitialized memset-elt-size memset-transposed-args microsoft
misleading-indentation mismatched-dealloc missing-attributes missing-braces missing-declarations
missing-field-initializers missing-format-attribute missing-include-dirs missing-noreturn
missing-parameter-type missing-profile missing-prototypes missing-variable-declarations multichar
nested-externs newline-eof non-literal-null-conversion nonnull
nonnull-compare nonportable-system-include-path normalized null-conversion null-dereference
null-pointer-arithmetic null-pointer-subtraction odr old-style-cast old-style-declaration
old-style-definition openmp-simd option-ignored over-aligned overlength-strings override-init
override-init-side-effects packed packed-bitfield-compat packed-not-aligned padded
parentheses-equality pass-failed pedantic pessimizing-move pointer-arith pointer-bool-conversion
pointer-compare pointer-integer-compare pointer-sign pointer-to-enum-cast pointer-to-int-cast
pragma-pack pragmas prio-ctor-dtor psabi quoted-include-in-framework-header redundant-decls
redundant-parens reserved-id-macro reserved-identifier reserved-macro-identifier restrict
return-local-addr scalar-storage-order self-assign self-assign-field semicolon-before-method-body
sequence-point shadow shadow-all shadow-compatible-local shadow-local shadow-uncaptured-local
shift-negative-value shift-op-parentheses shift-sign-overflow shorten-64-to-32 sign-compare
sign-conversion single-bit-bitfield-constant-conversion sizeof-array-argument sizeof-array-div
sizeof-pointer-div sizeof-pointer-memaccess sometimes-uninitialized source-uses-openmp
stack-protector stack-usage static-in-inline strict-aliasing strict-overflow strict-prototypes
string-compare string-conversion string-plus-int stringop-overflow stringop-overread
stringop-truncation suggest-attribute switch switch-bool switch-default switch-enum
switch-outside-range switch-unreachable sync-nand system-headers tabs tautological-compare
tautological-constant-compare tautological-constant-out-of-range-compare
tautological-overlap-compare tautological-pointer-compare tautological-type-limit-compare
tautological-unsigned-enum-zero-compare tautological-unsigned-zero-compare
tautological-value-range-compare thread-safety traditional traditional-conversion trampolines
trigraphs trivial-auto-var-init type-limits typedef-redefinition undef undef-prefix
unguarded-availability uninitialized unknown-pragmas
unnamed-type-template-args unreachable-code unreachable-code-aggressive unreachable-code-break
unreachable-code-return unsafe-buffer-usage unsafe-loop-optimizations unsequenced
unsuffixed-float-constants unused-but-set-parameter unused-but-set-variable
unused-command-line-argument unused-const-variable unused-local-typedef unused-local-typedefs
unused-macros unused-parameter unused-result unused-value use-after-free used-but-marked-unused
useless-cast varargs variadic-macros vector-operation-performance visibility vla vla-extension
vla-larger-than vla-parameter volatile-register-var write-strings zero-length-array
zero-length-bounds
""".split()
)


def set_warning(collected: Collected, value: str) -> None:
    """What stands behind -W."""
    if value.startswith(("l,", "a,", "p,")):
        raise ValueError("the words behind this go to another program, which polyopt.compile lacks")
    name, negated = value.removeprefix("no-"), value.startswith("no-")
    if name == "error-implicit-function-declaration":
        name = "error=implicit-function-declaration"
    if name.startswith("error="):
        wanted = _ids(
            collected,
            name.removeprefix("error="),
            spelled=value,
            is_demand=not negated,
            is_advice=negated,
        )
        _choose(collected, wanted, "not_errors" if negated else "errors")
        if not negated:
            _choose(collected, wanted, "wanted")
        return
    wanted = _ids(collected, name, spelled=value, is_advice=negated)
    _choose(collected, wanted, "silenced" if negated else "wanted")


_OPPOSITE = {
    "silenced": "wanted",
    "wanted": "silenced",
    "errors": "not_errors",
    "not_errors": "errors",
}


def _choose(collected: Collected, ids: list[str], field: str) -> None:
    """Of a choice and its opposite the last holds."""
    opposite = _OPPOSITE[field]
    kept = tuple(id for id in collected.get(opposite, ()) if id not in ids)
    collected[opposite] = kept
    collected[field] = (*(id for id in collected.get(field, ()) if id not in ids), *ids)


def _ids(
    collected: Collected,
    name: str,
    *,
    spelled: str,
    is_demand: bool = False,
    is_advice: bool = False,
) -> list[str]:
    """Our warnings of this name."""
    name = name.partition("=")[0]
    if name in GROUPS:
        return list(GROUPS[name])
    if name in OURS:
        return [name]
    if not name or name in ELSEWHERE or is_advice:
        return list(WALL) if not name else []
    if is_demand:
        raise CompileError(f"-W{spelled}: there is no warning of this name")
    append("unknown_warnings")(collected, spelled)
    return []


def told_unknown(names: Sequence[str], settings: Settings) -> list[Diagnostic]:
    """What is to be said of these options, as the others have it: build systems find out by
    -Werror which warnings there are."""
    if settings.no_warnings or UNKNOWN in settings.silenced:
        return []
    is_error = UNKNOWN in settings.errors or (
        settings.werror and UNKNOWN not in settings.not_errors
    )
    severity = "error" if is_error else "warning"
    rest = "" if is_error else " is ignored"
    return [
        Diagnostic(severity, f"unknown warning option '-W{name}'{rest}", id=UNKNOWN)
        for name in names
    ]
