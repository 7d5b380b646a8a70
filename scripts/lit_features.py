"""What lit files may ask for and abbreviate, for lit itself and for pytest in its place."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection

from polyopt.support.target import Target

SUFFIXES = (".mlir", ".c", ".test")
ROUNDTRIP = (
    "polyopt-opt %s --split-input-file | filecheck %s && "
    "polyopt-opt %s --split-input-file --print-op-generic "
    "| polyopt-opt --split-input-file | filecheck %s"
)


def features() -> set[str]:
    """Of `cc` (a system C compiler), `avx2` and `avx512`, those that are here."""
    bits = Target.host().vector_bits
    there = {"cc": shutil.which("cc") is not None, "avx2": bits >= 256, "avx512": bits >= 512}
    return {name for name, is_there in there.items() if is_there}


def missing(text: str, there: Collection[str]) -> list[str]:
    """What the lit file requires and is not there."""
    asked = re.findall(r"^// REQUIRES: *(.*)", text, re.MULTILINE)
    names = {name.strip() for line in asked for name in line.split(",")}
    return sorted(names.difference(there))
