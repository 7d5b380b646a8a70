"""What <xmmintrin.h> and <emmintrin.h> declare, written out in LLVM IR.

Our own headers declare `_mm_add_epi16` and its like under the symbols `polyopt.sse.add_epi16`. They
are functions of nothing else to the compiler: a program that uses them has chosen its vectors, and
what it does with them is no loop nest. Here each that is called gets a body, which LLVM inlines at
every level; a count that has to be a constant in Intel's description is folded by that.

What each of them does is "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2.
Where LLVM has the operation itself it is taken, and the machine's instruction by LLVM's name else.
A family of functions is one rule: `_TABLE` says which names it has, the rule writes one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from polyopt.backend.emit import machine_floats, machine_integers, machine_moves
from polyopt.backend.emit.machine_vector_body import TYPES, Body, Names
from polyopt.support.record import record

PREFIX = "polyopt.sse."

_Rule = Callable[[Body], None]


@record
class Definition:
    """The lines that define a function, and the declarations that they need, by name."""

    lines: list[str]
    intrinsics: dict[str, str]


def definition(symbol: str) -> Definition | None:
    """That of this symbol; None where nothing is known of it."""
    found = _rule_of(symbol.removeprefix(PREFIX))
    if found is None:
        return None
    signature, rule = found
    body = Body(signature)
    rule(body)
    if signature[0] == "v":
        body.lines.append("ret void")
    types = zip(signature[1:], body.arguments, strict=True)
    parameters = ", ".join(f"{TYPES[kind]} {name}" for kind, name in types)
    head = f'define internal {TYPES[signature[0]]} @"{symbol}"({parameters})'
    lines = [f"{head} alwaysinline nounwind {{", *(f"  {line}" for line in body.lines), "}", ""]
    return Definition(lines, body.intrinsics)


_LANE = "epi(?:8|16|32|64)"
_ORDERS = "eq|lt|le|gt|ge|neq"
_TABLE: tuple[tuple[str, str, Callable[[Names, Body], None]], ...] = (
    (f"(add|sub)_({_LANE})", "iii", machine_integers.lanewise),
    ("(mullo)_(epi16)", "iii", machine_integers.lanewise),
    ("(adds|subs)_(ep[iu](?:8|16))", "iii", machine_integers.by_intrinsic),
    ("(min|max)_(epu8|epi16)", "iii", machine_integers.by_intrinsic),
    ("cmp(eq|gt|lt)_(epi(?:8|16|32))", "iii", machine_integers.compare),
    ("avg_(epu(?:8|16))", "iii", machine_integers.average),
    ("mulhi_(ep[iu]16)", "iii", machine_integers.high_product),
    ("mul_epu32", "iii", machine_integers.wide_product),
    (
        "(madd_epi16|sad_epu8|packs_epi16|packs_epi32|packus_epi16)",
        "iii",
        machine_integers.by_instruction,
    ),
    (f"unpack(lo|hi)_({_LANE})", "iii", machine_integers.unpack),
    ("(sll|srl)(i)_(epi(?:16|32|64))", "iin", machine_integers.shift),
    ("(sra)(i)_(epi(?:16|32))", "iin", machine_integers.shift),
    ("(sll|srl)()_(epi(?:16|32|64))", "iii", machine_integers.shift),
    ("(sra)()_(epi(?:16|32))", "iii", machine_integers.shift),
    ("b?s([lr])li_si128", "iin", machine_integers.shift_bytes),
    ("shuffle()_epi32", "iin", machine_integers.shuffle_integers),
    ("shuffle(lo|hi)_epi16", "iin", machine_integers.shuffle_integers),
    ("(and|or|xor|andnot)_si128", "iii", machine_integers.bitwise),
    ("(and|or|xor|andnot)_p[sd]", "SSS", machine_integers.bitwise),
    ("movemask_(epi8)", "ni", machine_integers.move_mask),
    ("movemask_(p[sd])", "nS", machine_integers.move_mask),
    ("extract_epi16", "nin", machine_integers.extract),
    ("insert_epi16", "iinn", machine_integers.insert),
    ("cvtsi128_si(32)", "ni", machine_integers.first_integer),
    ("cvtsi128_si(64)", "li", machine_integers.first_integer),
    ("cvtsi(32)_si128", "in", machine_integers.from_integer),
    ("cvtsi(64)_si128", "il", machine_integers.from_integer),
    ("(setr?)_epi8", f"i{'b' * 16}", machine_integers.set),
    ("(setr?)_epi16", f"i{'h' * 8}", machine_integers.set),
    ("(setr?)_epi32", "innnn", machine_integers.set),
    ("(set)_epi64x", "ill", machine_integers.set),
    ("(setr?)_ps", "sffff", machine_integers.set),
    ("(setr?)_pd", "dee", machine_integers.set),
    ("set1_epi8", "ib", machine_integers.set_all),
    ("set1_epi16", "ih", machine_integers.set_all),
    ("set1_epi32", "in", machine_integers.set_all),
    ("set1_epi64x", "il", machine_integers.set_all),
    ("set1_ps", "sf", machine_integers.set_all),
    ("set1_pd", "de", machine_integers.set_all),
    ("setzero_si128", "i", machine_integers.zero),
    ("setzero_p[sd]", "S", machine_integers.zero),
    ("load(u?)_si128", "ip", machine_moves.load),
    ("load(u?)_p[sd]", "Sp", machine_moves.load),
    ("store(u?)_si128", "vpi", machine_moves.store),
    ("store(u?)_p[sd]", "vpS", machine_moves.store),
    ("load(l_epi64)", "ip", machine_moves.load_low),
    ("load(_s[sd])", "Sp", machine_moves.load_low),
    ("store(l)_epi64", "vpi", machine_moves.store_half),
    ("store(_s[sd])", "vpS", machine_moves.store_half),
    ("store([lh])_pd", "vpd", machine_moves.store_half),
    ("store([lh])_pi", "vps", machine_moves.store_half),
    ("load([lh])_pd", "ddp", machine_moves.load_half),
    ("load([lh])_pi", "ssp", machine_moves.load_half),
    ("load1_p[sd]", "Sp", machine_moves.load_all),
    ("(add|sub|mul|div|min|max)_([ps])[sd]", "SSS", machine_floats.arithmetic),
    ("sqrt_(p)[sd]", "SS", machine_floats.root),
    ("sqrt_(s)s", "ss", machine_floats.root),
    ("sqrt_(s)d", "ddd", machine_floats.root),
    ("(rcp|rsqrt)_([ps])s", "ss", machine_floats.estimate),
    (f"cmp({_ORDERS}|nlt|nle|ngt|nge|ord|unord)_([ps])[sd]", "SSS", machine_floats.compare_floats),
    (f"u?comi({_ORDERS})_s[sd]", "nSS", machine_floats.compare_first),
    ("(unpack(?:lo|hi)_p[sd]|move(?:hl|lh)_ps|move_s[sd])", "SSS", machine_floats.rearranged),
    ("shuffle_p[sd]", "SSSn", machine_floats.shuffle_floats),
    ("castps_pd", "ds", machine_floats.reinterpret),
    ("castps_si128", "is", machine_floats.reinterpret),
    ("castpd_ps", "sd", machine_floats.reinterpret),
    ("castpd_si128", "id", machine_floats.reinterpret),
    ("castsi128_p[sd]", "Si", machine_floats.reinterpret),
    ("cvtss_f32", "fs", machine_floats.first_float),
    ("cvtsd_f64", "ed", machine_floats.first_float),
    ("set_ss", "sf", machine_floats.only),
    ("set_sd", "de", machine_floats.only),
    ("(cvtt?)s(s)_si(32)", "ns", machine_floats.rounded_to_integer),
    ("(cvtt?)s(s)_si(64)", "ls", machine_floats.rounded_to_integer),
    ("(cvtt?)s(d)_si(32)", "nd", machine_floats.rounded_to_integer),
    ("(cvtt?)s(d)_si(64)", "ld", machine_floats.rounded_to_integer),
    ("(cvtt?)p(s)_epi32", "is", machine_floats.rounded_vector),
    ("(cvtt?)p(d)_epi32", "id", machine_floats.rounded_vector),
    ("cvt(epi32_p[sd])", "Si", machine_floats.converted),
    ("cvt(ps_pd)", "ds", machine_floats.converted),
    ("cvt(pd_ps)", "sd", machine_floats.converted),
    ("cvtsi32_s[sd]", "SSn", machine_floats.converted_first),
    ("cvtsi64_s[sd]", "SSl", machine_floats.converted_first),
    ("cvtss_sd", "dds", machine_floats.converted_first),
    ("cvtsd_ss", "ssd", machine_floats.converted_first),
    ("move_epi64", "ii", machine_floats.upper_zero),
    ("(sfence|lfence|mfence|pause)", "v", machine_floats.fence),
)
"""Names, with what the rule asks of them in groups; types of the result and of the parameters, S of
which is the kind that the name ends with; the rule."""


def _rule_of(name: str) -> tuple[str, _Rule] | None:
    for pattern, signature, rule in _TABLE:
        match = re.fullmatch(pattern, name)
        if match is not None:
            return signature.replace("S", name[-1]), partial(rule, match.groups())
    return None
