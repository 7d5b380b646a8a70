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
from polyopt.support.vector_features import WHOLE_AVX512, changed, features_of_cpu

LINE_BYTES = 64
"""A line of the caches of all x86-64 cores: what is allocated begins at one."""
LANE_BYTES = 16
"""What most shuffles of wider registers do not reach across."""
_GREATEST_SHARE = 16 << 20
"""Bytes of the last level of the cache for each core, at most."""


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
    moves_by_arithmetic: bool = False
    """Whether lanes of a whole line are moved by one of the two ports that compute with such lines
    (Intel)."""
    distant_last: bool = False
    """Whether lines that the second level does not hold come about as slowly from the last one as
    from memory, so that two cores get twice as many (Intel with AVX-512; measured on a guest of
    Sapphire Rapids: transpositions of 8 to 20 MB 1.4 to 2.2 times as fast in two threads)."""
    near_last: bool = False
    """Whether lines that are gone through come from the last level about as fast as from the second
    one (AMD's cores without AVX-512)."""
    stores_lanes: bool = False
    """Whether a store under a mask takes about as long as one of each lane, where masks are in no
    registers of their own (AMD)."""
    gathers_apart: bool = False
    """Whether to gather takes no less time than to load one element after the other (AMD)."""
    halves_lines: bool = False
    """Whether an operation on a whole line takes as long as two on halves of one (Zen 4)."""
    sums_bytes: bool = False
    """Whether products of bytes are added up in fours, whatever the vector's width (VNNI)."""

    @property
    def has_mask_registers(self) -> bool:
        """AVX-512's, which came with twice the vector registers, whatever the width: also for
        elements of one and two bytes, of which AVX2 has no masked loads and stores."""
        return self.vector_registers > 16

    @property
    def shuffles_halves(self) -> bool:
        """Whether one instruction puts elements of two vectors in any order only within their
        halves (AVX2)."""
        return self.vector_bits == 2 * 8 * LANE_BYTES and not self.has_mask_registers

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

    @property
    def l3_share(self) -> int:
        """What of the last level these cores can count on: a guest is told of all that its host
        has (300 MiB beside two cores, of which lines come as slowly as from memory)."""
        return min(self.l3_bytes, self.cores * _GREATEST_SHARE)

    def lanes(self, element_bytes: int) -> int:
        """How many elements one vector register holds."""
        return max(1, self.vector_bits // (8 * element_bytes))

    @staticmethod
    @cache
    def host() -> Target:
        """The running machine."""
        lines = processor_lines()
        is_intel = lines.get("vendor_id") == "GenuineIntel"
        target = _with_vectors(Target(name="native"), _host_features(), 512, masks=True)
        target = replace(
            target,
            narrow_streams=is_intel and target.vector_bits == 512,
            narrow_divider=is_intel and target.vector_bits == 512,
            moves_by_arithmetic=is_intel and target.vector_bits == 512,
            distant_last=is_intel and target.vector_bits == 512,
            near_last=lines.get("vendor_id") in _AMD_VENDORS and target.vector_bits < 512,
            stores_lanes=lines.get("vendor_id") in _AMD_VENDORS,
            gathers_apart=lines.get("vendor_id") in _AMD_VENDORS,
            halves_lines=lines.get("vendor_id") in _AMD_VENDORS
            and lines.get("cpu family") == _ZEN_4_FAMILY
            and target.vector_bits == 512,
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
        march, changes = split_machine(machine)
        wishes = [change[1:] for change in changes if _is_wish(change[1:])]
        changes = [change for change in changes if not _is_wish(change[1:])]
        target = replace(Target._of_cpu(march, tuple(changes)), name=machine)
        for wish in wishes:
            target = _with_wish(target, wish)
        return target

    @staticmethod
    @cache
    def _of_cpu(march: str, changes: tuple[str, ...]) -> Target:
        host, is_native = Target.host(), march == "native"
        if is_native and not changes:
            return host
        usual = Target()
        l1, l2, l3 = _CACHES.get(march, (usual.l1_bytes, usual.l2_bytes, usual.l3_bytes))
        target = Target(
            name=march,
            l1_bytes=l1,
            l2_bytes=l2,
            l3_bytes=l3,
            near_last=march in _LANE_STORING_CPUS,
            stores_lanes=march in _LANE_STORING_CPUS,
            gathers_apart=march.startswith(_AMD_CPUS),
            halves_lines=march == "znver4",
            distant_last=march.startswith(_DISTANT_CPUS),
            cores=host.cores,
        )
        # Of a CPU by name it is not known whether it is as fast with whole lines.
        is_wide = is_native or march.startswith("x86-64")
        features = changed(_host_features() if is_native else features_of_cpu(march), changes)
        return _with_vectors(
            host if is_native else target,
            features,
            512 if is_wide or "+avx512dq" in changes else 256,
            masks=is_wide or any(change.startswith("+avx512") for change in changes),
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

_LANE_STORING_CPUS = frozenset(("znver1", "znver2", "znver3"))
_AMD_VENDORS = ("AuthenticAMD", "HygonGenuine")
_AMD_CPUS = "znver"
_DISTANT_CPUS = ("sapphirerapids", "emeraldrapids", "graniterapids")
_ZEN_4_FAMILY = "25"
"""Zen 3's, too, which has no lines."""

_WIDTHS = {f"prefer{bits}": bits for bits in (128, 256, 512)}
"""The wish for vectors that are no longer, whatever the CPU has."""


L1_BYTES = "l1bytes"
"""With a number behind it, as a feature: how large the first cache is, whatever the CPU has."""


def split_machine(machine: str) -> tuple[str, list[str]]:
    """The CPU's name and the features, each with its sign: "x86-64+avx2~fma" has AVX2 and not FMA;
    names of CPUs hold minus signs."""
    name, *features = re.split(r"(?=[+~])", machine)
    return name, [feature.replace("~", "-") for feature in features]


@cache
def _host_features() -> frozenset[str]:
    """By LLVM's names, of Linux's."""
    flags = processor_lines().get("flags", "").split()
    return frozenset(_FLAGS.get(flag, flag) for flag in flags)


_FLAGS = {
    "pni": "sse3",
    "sse4_1": "sse4.1",
    "sse4_2": "sse4.2",
    "avx512_vnni": "avx512vnni",
    "avx_vnni": "avxvnni",
}


def _with_vectors(target: Target, features: frozenset[str], widest: int, *, masks: bool) -> Target:
    """The widest vectors of numbers of every kind, and what else there is with these features.
    AVX-512 without its instructions for bytes, for integers of 64 bits or for shorter vectors is
    taken for none. `masks`: whether its registers are taken where vectors are shorter."""
    is_whole = features >= WHOLE_AVX512
    bits = min(widest, 512 if is_whole else 256 if "avx2" in features else 128)
    return replace(
        target,
        vector_bits=bits,
        vector_registers=32 if is_whole and masks else 16,
        shuffles_bytes=is_whole and "avx512vbmi" in features,
        sums_bytes=(is_whole and "avx512vnni" in features)
        or (bits <= 256 and "avxvnni" in features),
    )


def _is_wish(name: str) -> bool:
    return name in _WIDTHS or name.startswith(L1_BYTES)


def _with_wish(target: Target, name: str) -> Target:
    if name.startswith(L1_BYTES):
        return replace(target, l1_bytes=int(name.removeprefix(L1_BYTES)))
    bits = min(target.vector_bits, _WIDTHS[name])
    shuffles = target.shuffles_bytes and bits >= 512
    return replace(target, vector_bits=bits, shuffles_bytes=shuffles)
