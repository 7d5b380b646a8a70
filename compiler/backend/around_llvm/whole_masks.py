"""What several comparisons choose together stays as wide as what they compare, without registers
for masks.

    a = fcmp ogt <4 x double> x, t              a, b: as before
    b = fcmp olt <4 x double> x, u              c = sext b to <4 x i64>
    m = select a, b, false                =>    w = select a, c, 0
    k = zext m to <4 x i64>                     m = icmp slt w, 0
                                                k = lshr w, 63

SSE2 and AVX2 keep a mask in lanes of the size that was compared, where blends and loads under a
mask want it. LLVM's code generator holds what is made of several masks in registers of 128 bits,
whatever the lanes: it packs four lanes of 64 bits to 32, and unpacks them again for each that uses
them. As integers of the size compared they stay what they are.

The same for lanes that a load under a mask does not read: LLVM has -0.0 in them for sums, so that
these do not change, by a blend. 0.0 comes with the load, and changes no sum that begins with 0.0,
which is never -0.0 then.
"""

from __future__ import annotations

import re

from polyopt.backend.around_llvm.llvm_text import MASKS, NAME, with_functions
from polyopt.support.record import record

_JOINS = re.compile(r"= (?:select|and|or|or disjoint|xor) <\d+ x i1> ")
_COMPARED = re.compile(rf"  ({NAME}) = [fi]cmp [^<\n]*<(\d+) x (i16|i32|i64|float|double|ptr)> ")
_JOINED = re.compile(rf"  ({NAME}) = (and|or|xor)(?: disjoint)? <\d+ x i1> ({NAME}), (.+)$")
_CHOSEN = re.compile(rf"  ({NAME}) = select <\d+ x i1> ({NAME}), <\d+ x i1> (.+), <\d+ x i1> (.+)$")
_EXTENDED = re.compile(rf"  ({NAME}) = ([zs])ext <\d+ x i1> ({NAME}) to <\d+ x i(8|16|32|64)>$")
_BITS = {"i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64, "ptr": 64}
_WORDS = {"splat (i1 true)": "splat (i{bits} -1)", "zeroinitializer": "zeroinitializer"}
_PACKED = 128
"""Bits of the registers that LLVM keeps masks in."""

_LOAD = re.compile(
    rf"(?m)^(  ({NAME}) = (?:tail )?call [^@\n]*@llvm\.masked\.load\.[^\n]*> )"
    r"splat \((?:float|double) -0\.0+e\+00\)\)"
)


@record
class _Mask:
    """Of so many lanes, of the size that was compared; `word` is what it is the signs of."""

    lanes: int
    bits: int
    word: str = ""

    @property
    def type(self) -> str:
        return f"<{self.lanes} x i{self.bits}>"

    @property
    def is_packed(self) -> bool:
        """Whether LLVM holds it in other lanes than those compared."""
        return self.lanes * self.bits > _PACKED


@record
class _Join:
    """`name` is `kind` of operands that are masks, or all lanes, or none."""

    name: str
    kind: str
    operands: tuple[str, ...]


def joins_masks(text: str) -> bool:
    """Whether a module, as LLVM prints it, makes masks of others."""
    return MASKS in text and _JOINS.search(text) is not None


def with_whole_masks(text: str) -> str:
    """The module with masks that are made of others as integers, and zeros where loads for sums do
    not read; the same text where there is neither."""
    return with_functions(text, lambda one: _with_zeros(_Function().written(one)))


class _Function:
    """The masks of a function, by name, and its lines as far as they are written."""

    def __init__(self) -> None:
        self._masks = dict[str, _Mask]()
        self._lines = list[str]()
        self._count = 0

    def written(self, function: str) -> str:
        if not joins_masks(function):
            return function
        for line in function.split("\n"):
            if not self._take(line):
                self._lines.append(line)
        return "\n".join(self._lines)

    def _take(self, line: str) -> bool:
        """Whether the line is written in another way."""
        if (compared := _COMPARED.match(line)) is not None:
            self._masks[compared[1]] = _Mask(int(compared[2]), _BITS[compared[3]])
            return False
        if (join := _join(line)) is not None:
            return self._take_join(join)
        extended = _EXTENDED.match(line)
        return extended is not None and self._take_extended(extended)

    def _take_join(self, join: _Join) -> bool:
        found = [self._masks.get(one) for one in join.operands if one not in _WORDS]
        mask = found[0]
        if mask is None or any(one is None or one.type != mask.type for one in found):
            return False
        if not mask.is_packed:
            self._masks[join.name] = mask
            return False
        if join.kind == "select":
            choice, *chosen = join.operands
            words = [f"<{mask.lanes} x i1> {choice}"]
            words += [f"{mask.type} {self._word(one, mask)}" for one in chosen]
        else:
            first, second = (self._word(one, mask) for one in join.operands)
            words = [f"{mask.type} {first}", second]
        word = self._add(f"{join.kind} {', '.join(words)}")
        self._masks[join.name] = _Mask(mask.lanes, mask.bits, word)
        self._lines.append(f"  {join.name} = icmp slt {mask.type} {word}, zeroinitializer")
        return True

    def _take_extended(self, found: re.Match[str]) -> bool:
        name, kind, value, width = found.groups()
        mask, bits = self._masks.get(value), int(width)
        if mask is None or not mask.word:
            return False
        type_, word = f"<{mask.lanes} x i{bits}>", mask.word
        if bits != mask.bits:
            change = "trunc" if bits < mask.bits else "sext"
            word = self._add(f"{change} {mask.type} {word} to {type_}")
        sign = f"lshr {type_} {word}, splat (i{bits} {bits - 1})"
        self._lines.append(
            f"  {name} = {sign}"
            if kind == "z"
            else f"  {name} = or {type_} {word}, zeroinitializer"
        )
        return True

    def _word(self, name: str, like: _Mask) -> str:
        """The integers that a mask is the signs of."""
        if name in _WORDS:
            return _WORDS[name].format(bits=like.bits)
        known = self._masks[name].word
        return known or self._add(f"sext <{like.lanes} x i1> {name} to {like.type}")

    def _add(self, operation: str) -> str:
        name = f"%.whole.{self._count}"
        self._count += 1
        self._lines.append(f"  {name} = {operation}")
        return name


def _join(line: str) -> _Join | None:
    found = _JOINED.match(line)
    if found is not None:
        return _Join(found[1], found[2], (found[3], found[4]))
    found = _CHOSEN.match(line)
    return None if found is None else _Join(found[1], "select", (found[2], found[3], found[4]))


def _with_zeros(function: str) -> str:
    """The function with 0.0 in the lanes that loads for sums do not read."""
    if "-0.0" not in function:
        return function

    def zeroed(found: re.Match[str]) -> str:
        return f"{found[1]}zeroinitializer)" if _is_summed(found[2], function) else found[0]

    return _LOAD.sub(zeroed, function)


def _is_summed(value: str, function: str) -> bool:
    """Whether a value is used once: added to what began with 0.0, and has only been added to."""
    name = re.escape(value)
    uses = re.findall(rf"(?m)^.*{name}(?![\w.$-]).*$", function)
    sums = [re.match(rf"  ({NAME}) = fadd [^%\n]*({NAME}), {name}$", line) for line in uses]
    added = [one for one in sums if one is not None]
    if len(uses) != 2 or len(added) != 1:
        return False
    result, before = map(re.escape, added[0].groups())
    start = rf"\[ zeroinitializer, {NAME} \]"
    around = rf"\[ {result}, {NAME} \]"
    phi = rf"(?m)^  {before} = phi [^\[\n]*(?:{start}, {around}|{around}, {start})$"
    return re.search(phi, function) is not None
