"""What the system says of the processor, as text: read by the models' `Target`, and by whoever has
to know whether this is still the same machine."""

from __future__ import annotations

import os

_LASTING = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags")
_CACHES = "/sys/devices/system/cpu/cpu0/cache"


def processor_lines() -> dict[str, str]:
    """What does not change while the machine runs, of the first processor; nothing where the
    system does not tell."""
    found: dict[str, str] = {}
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as stream:
            for line in stream:
                name, colon, value = line.partition(":")
                if not colon:
                    break
                if name.strip() in _LASTING:
                    found[name.strip()] = value.strip()
    except OSError:
        pass
    return found


def cache_sizes() -> dict[int, int]:
    """The bytes of each level's cache for data."""
    sizes: dict[int, int] = {}
    try:
        folders = sorted(name for name in os.listdir(_CACHES) if name.startswith("index"))
    except OSError:
        return sizes
    for folder in folders:
        try:
            if _word(folder, "type") == "Instruction":
                continue
            level, text = int(_word(folder, "level")), _word(folder, "size")
            unit = {"K": 1024, "M": 1024 * 1024}.get(text[-1:], 1)
            sizes[level] = int(text.rstrip("KM")) * unit
        except (OSError, ValueError):
            continue
    return sizes


def _word(folder: str, name: str) -> str:
    with open(f"{_CACHES}/{folder}/{name}", encoding="ascii") as stream:
        return stream.read().strip()
