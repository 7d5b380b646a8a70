"""The machine that code is made for: caches, vector registers, cores.

The models ask a `Target` and nothing else; `Target.host()` reads the running machine (Linux
sysfs and /proc), with the defaults of a common x86-64 core where something cannot be read.
Targets with names are the same everywhere but for the number of cores.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache

from polyopt.support.processor import cache_sizes, processor_lines
from polyopt.support.record import record

LINE_BYTES = 64
"""A line of the caches of all x86-64 cores: what is allocated begins at one."""
LANE_BYTES = 16
"""What most shuffles of wider registers do not reach across."""


@record
class Target:
    """Sizes are bytes; `vector_bits` is the width that vector code is made for. A vector load takes
    `vector_load_latency` cycles, and `vector_load_throughput` of them may start in each cycle. The
    cycles of a miss are those until the next level has answered."""

    name: str = "x86-64-v3"
    l1_bytes: int = 32 * 1024
    l2_bytes: int = 1024 * 1024
    l3_bytes: int = 32 * 1024 * 1024
    line_bytes: int = LINE_BYTES
    tlb_entries: int = 64
    page_bytes: int = 4096
    l1_miss_cycles: int = 14
    tlb_miss_cycles: int = 25
    vector_bits: int = 256
    vector_registers: int = 16
    vector_load_latency: int = 7
    vector_load_throughput: int = 2
    cores: int = 1
    shuffles_bytes: bool = False
    """Whether bytes are looked up in registers, anywhere in them (AVX-512 VBMI)."""
    narrow_streams: bool = False
    """Whether what the second level of the cache holds comes faster by vectors of half a line than
    by those of a whole one."""
    narrow_divider: bool = False
    """Whether a division or root of a whole line takes as long as two of half a line."""
    stores_lanes: bool = False
    """Whether a store under a mask takes about as long as one of each lane, where masks are in no
    registers of their own (AMD)."""
    sums_bytes: bool = False
    """Whether products of bytes are added up in fours, whatever the vector's width (VNNI)."""

    @property
    def has_mask_registers(self) -> bool:
        """AVX-512's, which came with twice the vector registers, whatever the width: also for
        elements of one and two bytes, of which AVX2 has no masked loads and stores."""
        return self.vector_registers > 16

    @property
    def slow_masked_stores(self) -> bool:
        return self.stores_lanes and not self.has_mask_registers

    @property
    def table_bytes(self) -> int:
        """Of the greatest table that bytes are looked up in by shuffles of registers: four of
        AVX-512's, or four of the halves that AVX2 shuffles. More of these take longer than loads.
        """
        if self.shuffles_bytes:
            return 4 * LINE_BYTES
        return 0 if self.has_mask_registers or self.vector_bits < 256 else 4 * LANE_BYTES

    def lanes(self, element_bytes: int) -> int:
        """How many elements one vector register holds."""
        return max(1, self.vector_bits // (8 * element_bytes))

    @staticmethod
    @cache
    def host() -> Target:
        """The running machine."""
        lines = processor_lines()
        flags = frozenset(lines.get("flags", "").split())
        wide = "avx512f" in flags and "avx512dq" in flags
        avx = "avx2" in flags
        target = Target(
            name="native",
            vector_bits=512 if wide else 256 if avx else 128,
            vector_registers=32 if wide else 16,
            shuffles_bytes=wide and "avx512vbmi" in flags,
            narrow_streams=wide and lines.get("vendor_id") == "GenuineIntel",
            narrow_divider=wide and lines.get("vendor_id") == "GenuineIntel",
            stores_lanes=lines.get("vendor_id") in _LANE_STORING_VENDORS,
            sums_bytes=avx and bool(flags & _SUM_FLAGS),
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
        )
        caches = cache_sizes()
        return replace(
            target,
            l1_bytes=caches.get(1, target.l1_bytes),
            l2_bytes=caches.get(2, target.l2_bytes),
            l3_bytes=caches.get(3, target.l3_bytes),
        )

    @staticmethod
    def named(machine: str) -> Target:
        """The target of a machine in one word, a CPU's name and what `+NAME` and `~NAME` add and
        take; unknown CPU names are treated as x86-64-v3. Only "native" is this machine; the
        others have the number of its cores, and nothing else of it."""
        march, features = split_machine(machine)
        target = replace(Target._of_cpu(march), name=machine)
        for feature in features:
            target = _with_feature(target, feature)
        return target

    @staticmethod
    def _of_cpu(march: str) -> Target:
        host = Target.host()
        if march == "native":
            return host
        levels = {
            "x86-64": (128, 16),
            "x86-64-v2": (128, 16),
            "x86-64-v3": (256, 16),
            "x86-64-v4": (512, 32),
        }
        bits, registers = levels.get(march, (256, 16))
        usual = Target()
        l1, l2, l3 = _CACHES.get(march, (usual.l1_bytes, usual.l2_bytes, usual.l3_bytes))
        return Target(
            name=march,
            l1_bytes=l1,
            l2_bytes=l2,
            l3_bytes=l3,
            vector_bits=bits,
            vector_registers=registers,
            shuffles_bytes=march in _SHUFFLE_BYTES,
            stores_lanes=march in _LANE_STORING_CPUS,
            sums_bytes=march in _SUM_BYTES,
            cores=host.cores,
        )


_KIB, _MIB = 1024, 1024 * 1024
_CACHES = {
    name: (l1 * _KIB, l2 * _KIB, l3 * _MIB)
    for names, l1, l2, l3 in (
        ("haswell broadwell skylake", 32, 256, 8),
        ("znver1", 32, 512, 8),
        ("znver2", 32, 512, 16),
        ("znver3", 32, 512, 32),
        ("znver4 skylake-avx512 cascadelake cooperlake", 32, 1024, 32),
        ("icelake-client", 48, 512, 8),
        ("znver5", 48, 1024, 32),
        ("tigerlake alderlake raptorlake icelake-server rocketlake", 48, 1280, 32),
        ("sapphirerapids emeraldrapids graniterapids graniterapids-d", 48, 2048, 64),
    )
    for name in names.split()
}
"""What makers say of a core's first and second level, and of the third level beside some cores."""

_SHUFFLE_BYTES = frozenset(
    """cannonlake icelake-client icelake-server tigerlake rocketlake sapphirerapids graniterapids
    graniterapids-d emeraldrapids znver4 znver5""".split()
)
"""The CPUs that have AVX-512 VBMI."""

_SUM_BYTES = _SHUFFLE_BYTES - {"cannonlake"} | {"cascadelake", "cooperlake"}
"""The CPUs that have AVX-512 VNNI."""

_LANE_STORING_CPUS = frozenset(("znver1", "znver2", "znver3"))
_LANE_STORING_VENDORS = ("AuthenticAMD", "HygonGenuine")
_SUM_FLAGS = frozenset(("avx512_vnni", "avx_vnni"))
_BASES = ("avx", "sse")


_WIDTHS = {f"prefer{bits}": bits for bits in (128, 256, 512)}
"""The wish for vectors that are no longer, whatever the CPU has."""


L1_BYTES = "l1bytes"
"""With a number behind it, as a feature: how large the first cache is, whatever the CPU has."""


def split_machine(machine: str) -> tuple[str, list[str]]:
    """The CPU's name and the features, each with its sign: "x86-64+avx2~fma" has AVX2 and not FMA;
    names of CPUs hold minus signs."""
    name, *features = re.split(r"(?=[+~])", machine)
    return name, [feature.replace("~", "-") for feature in features]


def _with_feature(target: Target, feature: str) -> Target:
    """The widest vectors of numbers of every kind, and the registers, that are there then."""
    sign, name = feature[0], feature[1:]
    bits, registers = target.vector_bits, target.vector_registers
    if name.startswith(L1_BYTES):
        return replace(target, l1_bytes=int(name.removeprefix(L1_BYTES)))
    if name in _WIDTHS:
        bits = min(bits, _WIDTHS[name])
        shuffles = target.shuffles_bytes and bits >= 512
        return replace(target, vector_bits=bits, shuffles_bytes=shuffles)
    if name == "avx512vbmi":
        target = replace(target, shuffles_bytes=sign == "+")
    if name in ("avx512vnni", "avxvnni"):
        target = replace(target, sums_bytes=sign == "+")
    elif sign == "-":
        # The features that others stand on go, and these with them.
        target = replace(target, sums_bytes=target.sums_bytes and not name.startswith(_BASES))
    if sign == "+":
        if name.startswith("avx512"):
            # Without the rest of AVX-512 for numbers, vectors of 512 bits are not worth it.
            bits, registers = (512 if name == "avx512dq" else max(bits, 256)), 32
        elif name.startswith(("avx2", "avxvnni", "avxifma")):
            bits = max(bits, 256)
    elif name in ("avx512f", "avx512dq"):
        bits, registers = min(bits, 256), 16 if name == "avx512f" else registers
    elif name in ("avx", "avx2") or name.startswith("sse"):
        bits, registers = 128, 16
    shuffles = target.shuffles_bytes and bits >= 512
    return replace(target, vector_bits=bits, vector_registers=registers, shuffles_bytes=shuffles)
