"""A store under a mask of one lane writes that lane's bytes, and none behind them."""

import ctypes
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.single_lanes import has_narrow_masked_stores, with_single_lanes
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

HAS_AVX512 = Target.host().vector_bits >= 512
MACHINES = ["native", *(["x86-64-v4"] if HAS_AVX512 else [])]
WIDTHS = [(16, 8), (32, 8), (64, 8), (32, 16), (64, 16), (64, 32)]
GUARD = 64

FUNCTION = """
define void @f{number}(ptr %p, ptr %q) {{
  %v = load <{lanes} x i{wide}>, ptr %q, align 1
  %t = trunc <{lanes} x i{wide}> %v to <{lanes} x i{narrow}>
  call void @llvm.masked.store.v{lanes}i{narrow}.p0(<{lanes} x i{narrow}> %t, ptr align 1 %p, <{lanes} x i1> <{mask}>)
  ret void
}}
"""  # noqa: E501

WRITTEN = """
define void @f(<2 x i8> %v, ptr %"p, q(") {
  call void @llvm.masked.store.v2i8.p0(<2 x i8> %v, ptr %"p, q(", <2 x i1> <i1 true, i1 false>)
  tail call void @llvm.masked.store.v2i8.p0(<2 x i8> %v, ptr nonnull captures(none) dereferenceable(2) align 4 %"p, q(", <2 x i1> <i1 poison, i1 true>) #0, !alias.scope !0, !noalias !0
  call void @llvm.masked.store.v2i16.p0(<2 x i16> splat (i16 -3), ptr align 8 getelementptr inbounds nuw (i8, ptr @U, i64 8), <2 x i1> <i1 false, i1 true>) nounwind
  call void @llvm.masked.store.v2i32.p0(<2 x i32> <i32 ptrtoint (ptr getelementptr (i8, ptr @U, i64 4) to i32), i32 7>, ptr align 4 inttoptr (i64 4096 to ptr), <2 x i1> <i1 true, i1 undef>)
  ret void
}
@U = global [20 x i8] zeroinitializer
declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, <2 x i1>)
declare void @llvm.masked.store.v2i16.p0(<2 x i16>, ptr, <2 x i1>)
declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, <2 x i1>)
attributes #0 = { nounwind }
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
"""  # noqa: E501

STORED = [
    'store i8 %.single.lane.1, ptr %"p, q(", align 1',
    '%.single.place.2 = getelementptr i8, ptr %"p, q(", i64 1',
    "store i8 %.single.lane.2, ptr %.single.place.2, align 1, !alias.scope !0, !noalias !0",
    "%.single.lane.3 = extractelement <2 x i16> splat (i16 -3), i64 1",
    "ptr getelementptr inbounds nuw (i8, ptr @U, i64 8), i64 2",
    "store i16 %.single.lane.3, ptr %.single.place.3, align 2",
    "i32 ptrtoint (ptr getelementptr (i8, ptr @U, i64 4) to i32), i32 7>, i64 0",
    "store i32 %.single.lane.4, ptr inttoptr (i64 4096 to ptr), align 4",
]


def test_a_store_of_one_lane_is_the_elements():
    changed = with_single_lanes(str(parse_ir(WRITTEN)))
    assert "call void @llvm.masked" not in str(parse_ir(changed))
    for line in STORED:
        assert line in changed


@pytest.mark.parametrize("mask", ["<i1 true, i1 true>", "zeroinitializer", "%m"])
def test_other_masks_stay(mask: str):
    text = FUNCTION.format(number=0, lanes=2, wide=32, narrow=8, mask="MASK")
    text = text.replace("<MASK>", mask).replace("ptr %q)", "ptr %q, <2 x i1> %m)")
    written = str(
        parse_ir(text + "declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, <2 x i1>)")
    )
    assert "@llvm.masked.store.v2i8.p0(<2 x i8> %t" in written
    assert with_single_lanes(written) == written


def test_only_what_may_have_been_wider_is_looked_for():
    assert has_narrow_masked_stores(["f", "llvm.masked.store.v16i8.p0"])
    others = [
        "llvm.masked.store.v8i64.p0",
        "llvm.masked.store.v16f32.p0",
        "llvm.masked.load.v16i8.p0",
    ]
    assert not has_narrow_masked_stores(others)


def masks(lanes: int) -> Iterator[set[int]]:
    """Prefixes, suffixes, and single lanes."""
    for k in range(lanes):
        yield set(range(k + 1))
        yield set(range(k, lanes))
        yield {k}


@pytest.mark.skipif(not HAS_AVX512, reason="no other CPU narrows under a mask")
@pytest.mark.parametrize("lanes", [2, 4, 8, 16, 32])
@pytest.mark.parametrize(("wide", "narrow"), WIDTHS)
def test_what_is_behind_the_lanes_stays(wide: int, narrow: int, lanes: int):
    chosen = list(masks(lanes))
    type_, mask_type = f"<{lanes} x i{narrow}>", f"<{lanes} x i1>"
    text = f"declare void @llvm.masked.store.v{lanes}i{narrow}.p0({type_}, ptr, {mask_type})\n"
    for number, those in enumerate(chosen):
        mask = ", ".join(f"i1 {'true' if k in those else 'false'}" for k in range(lanes))
        text += FUNCTION.format(number=number, lanes=lanes, wide=wide, narrow=narrow, mask=mask)
    module = parse_ir(with_single_lanes(str(parse_ir(text))))
    code = load_objects([target_machine(BackendOptions(march="x86-64-v4")).emit_object(module)])
    source = random.Random(lanes).randbytes(lanes * wide // 8)
    size = narrow // 8
    for number, those in enumerate(chosen):
        places = bytearray(b"\xab" * (GUARD + lanes * size + GUARD))
        wanted = places[:]
        for k in those:
            at = k * wide // 8
            wanted[GUARD + k * size : GUARD + (k + 1) * size] = source[at : at + size]
        buffer = (ctypes.c_char * len(places)).from_buffer(places)
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(
            code.address(f"f{number}")
        )
        function(ctypes.addressof(buffer) + GUARD, source)
        assert bytes(places) == bytes(wanted), those


VALUES = {
    "signed char": "(i + n) % 9 - 4",
    "unsigned char": "(i + n) % 9",
    "short": "(i * n + i / 7) % 1001 - 500",
    "unsigned short": "(i ^ n) % 77",
    "int": "(i * (long)n * n) >> 3",
    "signed  char": "s[i] >> 2",
    "unsigned  char": "l[i] / 3",
    "unsigned   char": "s[i] * n >> 1",
}
"""By the types that the results are stored as."""

HEAD = """
#include <stdio.h>
#include <string.h>
short s[200];
long l[200];
static void show(const unsigned char *p, int size)
{
    for (int i = 0; i < size; i++) printf("%d,", p[i]);
    puts("");
}
"""

MAIN = """
int main(void)
{{
    volatile int three = 3;
    int n = three;
    for (int i = 0; i < 200; i++) {{
        s[i] = i * 1234;
        l[i] = i * 12345678901l;
    }}
    {calls}
    return 0;
}}
"""


def program(bounds: Sequence[int], *, inline: bool) -> str:
    """Loops of these many iterations, as they are written or once LLVM has them inlined."""
    parts = [HEAD]
    calls: list[str] = []
    for k, (type_, value) in enumerate(VALUES.items()):
        parts.append(f"{type_} a{k}[200];")
        loop = f"for (int i = 0; i < m; i++) a{k}[i] = {value};"
        if inline:
            always = "static inline __attribute__((always_inline))"
            parts.append(f"{always} void g{k}(int m, int n) {{ {loop} }}")
        for m in bounds:
            body = f"g{k}({m}, n);" if inline else loop.replace("i < m", f"i < {m}")
            parts.append(f"__attribute__((noinline)) void f{k}_{m}(int n) {{ {body} }}")
            calls.append(f"memset(a{k}, 171, sizeof a{k}); f{k}_{m}(n);")
            calls.append(f"show((unsigned char *)a{k}, {m + 70} * sizeof a{k}[0]);")
    return "\n".join([*parts, MAIN.format(calls="\n    ".join(calls))])


def check(tmp_path: Path, machine: str, text: str):
    source = tmp_path / "loops.c"
    source.write_text(text)
    subprocess.run(["gcc", "-w", "-O0", source, "-o", tmp_path / "wanted"], check=True)
    options = ["-w", "-O3", f"-march={machine}", str(source), "-o", str(tmp_path / "made")]
    assert main(options) == 0
    ran = [subprocess.run([tmp_path / name], capture_output=True) for name in ("made", "wanted")]
    assert ran[0].stdout == ran[1].stdout


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("inline", [False, True])
@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_is_written_behind_a_loop(tmp_path: Path, machine: str, inline: bool):
    check(tmp_path, machine, program([5, 9, 17, 65], inline=inline))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is the oracle")
@pytest.mark.parametrize("inline", [False, True])
def test_nothing_is_written_behind_loops_of_all_lengths(tmp_path: Path, inline: bool):
    for first in range(1, 101, 20):
        check(tmp_path, "native", program(range(first, first + 20), inline=inline))
