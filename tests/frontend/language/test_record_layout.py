"""Structs and unions at random, with bit-fields, `packed`, `aligned` and `#pragma pack`: sizes,
offsets, the bytes that each member touches, what is read from given bytes, and what initialisers
and calls make of them are what gcc says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

_WIDTHS = {
    "char": 8,
    "signed char": 8,
    "unsigned char": 8,
    "short": 16,
    "unsigned short": 16,
    "int": 32,
    "unsigned": 32,
    "long": 64,
    "unsigned long": 64,
    "long long": 64,
    "_Bool": 1,
    "enum E": 32,
}
_OTHERS = ("float", "double", "long double", "struct In", "char *", "short[3]", "double[2]")
_HEAD = """
#include <stdio.h>
#include <string.h>
enum E { A, B = 2000000000 };
struct In { char c; int i; };
static void dump(const void *p, int n) {
  const unsigned char *b = p;
  for (int i = 0; i < n; i++) printf("%02x", b[i]);
  puts("");
}
"""


def _program(seed: int, count: int) -> str:
    choose = random.Random(seed)
    return _HEAD + "".join(_struct(choose, k) for k in range(count)) + _main(count)


def _main(count: int) -> str:
    calls = " ".join(f"test{k}();" for k in range(count))
    return f"int main(void) {{ {calls} return 0; }}\n"


def _struct(choose: random.Random, number: int) -> str:
    """A struct, and a function that looks at it from all sides."""
    kind = "union" if choose.random() < 0.15 else "struct"
    pack = choose.choice([0, 0, 0, 0, 1, 2, 4, 8])
    before = choose.choice(["", "", "", "__attribute__((packed))", "__attribute__((aligned(16)))"])
    lines: list[str] = []
    fields: list[tuple[str, int]] = []
    for position in range(choose.randint(1, 7)):
        name = f"m{position}"
        after = choose.choice(["", "", "", "", " __attribute__((packed))"])
        if choose.random() < 0.75:
            type = choose.choice(list(_WIDTHS))
            bits = choose.randint(0, _WIDTHS[type])
            if bits == 0 or choose.random() < 0.1:
                lines.append(f"{type} : {bits};")
                continue
            lines.append(f"{type} {name} : {bits}{after};")
            fields.append((name, bits))
        else:
            type = choose.choice([*_WIDTHS, *_OTHERS])
            base, bracket, extent = type.partition("[")
            asked = choose.choice(["", "", " __attribute__((aligned(8)))"])
            lines.append(f"{base} {name}{bracket}{extent}{after}{asked};")
    lines.append("char last;")
    names = [line.split()[-1] for line in ()] or [f"m{i}" for i in range(8)]
    whole = [
        n for n in names if any(f" {n};" in x or f" {n} _" in x or f"{n}[" in x for x in lines)
    ]
    tag = f"{kind} S{number}"
    text = f"#pragma pack(push, {pack})\n" if pack else ""
    text += f"{kind} {before} S{number} {{ {' '.join(lines)} }};\n"
    text += "#pragma pack(pop)\n" if pack else ""
    body = [f'printf("{number}: %zu %zu\\n", sizeof({tag}), _Alignof({tag}));']
    body += [f'printf("{n} %zu ", __builtin_offsetof({tag}, {n}));' for n in whole]
    for name, bits in fields:
        value = choose.getrandbits(bits) | 1
        body.append(
            f"memset(&s, 0, sizeof s); s.{name} = -1; dump(&s, sizeof s);"
            f' memset(&s, 0xA5, sizeof s); printf("%lld ", (long long)s.{name});'
            f" s.{name} = {value}ul; s.{name} += 3; s.{name} ^= 1; s.{name}--; dump(&s, sizeof s);"
            f' printf("%d %lld\\n", s.{name} < 1, (long long)(s.{name} >> 1));'
        )
    if fields and kind == "struct":
        text += f"static {tag} pass{number}({tag} v) {{ v.{fields[-1][0]} ^= 1; return v; }}\n"
        first, last = fields[0][0], fields[-1][0]
        sets = f".{first} = 1" + (f", .{last} = 3" if first != last else "")
        text += f"static {tag} g{number} = {{ {sets} }};\n"
        body.append(
            f"{tag} t = {{ {sets} }}; t = pass{number}(t);"
            + "".join(
                f' printf("%lld %lld\\n", (long long)t.{n}, (long long)g{number}.{n});'
                for n, _ in fields
            )
        )
    return f"{text}static void test{number}(void) {{ {tag} s; (void)s; {' '.join(body)} }}\n"


@pytest.mark.parametrize("seed", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_layout_is_that_of_gcc(
    seed: int,
    run_c: Callable[..., str],
    run_with_gcc: Callable[[Sequence[Path]], str],
    tmp_path: Path,
) -> None:
    source = tmp_path / "structs.c"
    source.write_text(_program(seed, 40 if seed == 3 else 12))
    ours = run_c(source.read_text(), filename=str(source)).splitlines()
    theirs = run_with_gcc([source]).splitlines()
    assert ours == theirs
