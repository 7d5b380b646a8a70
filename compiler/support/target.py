"""The machine that code is made for: caches, vector registers, cores.

The models ask a `Target` and nothing else; `Target.host()` reads the running machine (Linux
sysfs and /proc), with the defaults of a common x86-64 core where something cannot be read.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

from polyopt.support.record import record


@record
class Target:
    """Sizes are bytes; `vector_bits` is the width that vector code is made for. A vector load takes
    `vector_load_latency` cycles, and `vector_load_throughput` of them may start in each cycle. The
    cycles of a miss are those until the next level has answered."""

    name: str = "x86-64-v3"
    l1_bytes: int = 32 * 1024
    l2_bytes: int = 1024 * 1024
    l3_bytes: int = 32 * 1024 * 1024
    line_bytes: int = 64
    tlb_entries: int = 64
    page_bytes: int = 4096
    l1_miss_cycles: int = 14
    tlb_miss_cycles: int = 25
    vector_bits: int = 256
    vector_registers: int = 16
    vector_load_latency: int = 7
    vector_load_throughput: int = 2
    cores: int = 1

    def lanes(self, element_bytes: int) -> int:
        """How many elements one vector register holds."""
        return max(1, self.vector_bits // (8 * element_bytes))

    @staticmethod
    @cache
    def host() -> Target:
        """The running machine."""
        flags = _cpu_flags()
        wide = "avx512f" in flags and "avx512dq" in flags
        avx = "avx2" in flags
        target = Target(
            name="native",
            vector_bits=512 if wide else 256 if avx else 128,
            vector_registers=32 if wide else 16,
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
        )
        caches = _cache_sizes()
        return replace(
            target,
            l1_bytes=caches.get(1, target.l1_bytes),
            l2_bytes=caches.get(2, target.l2_bytes),
            l3_bytes=caches.get(3, target.l3_bytes),
        )

    @staticmethod
    def named(march: str) -> Target:
        """The target of a `-march=` value; unknown CPU names are treated as their family's
        x86-64-v3 machine with this machine's caches."""
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
        return replace(host, name=march, vector_bits=bits, vector_registers=registers)


def _cpu_flags() -> frozenset[str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return frozenset()
    for line in text.splitlines():
        if line.startswith("flags"):
            return frozenset(line.split(":", 1)[1].split())
    return frozenset()


def _cache_sizes() -> dict[int, int]:
    sizes: dict[int, int] = {}
    for folder in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            if (folder / "type").read_text().strip() == "Instruction":
                continue
            level = int((folder / "level").read_text())
            text = (folder / "size").read_text().strip()
        except (OSError, ValueError):
            continue
        unit = {"K": 1024, "M": 1024 * 1024}.get(text[-1:], 1)
        sizes[level] = int(text.rstrip("KM")) * unit
    return sizes
