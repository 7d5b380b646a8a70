"""Where finished work is kept: `--cache=`, else POLYOPT_CACHE_DIR, else `polyopt` in the user's
folder of caches. "off" is nowhere, and so is a folder that cannot be used. POLYOPT_CACHE_SIZE
bounds it: `200M`, `2G`."""

from __future__ import annotations

import os

from polyopt.driver.cache.store import BOUND, Store

FOLDER, SIZE = "POLYOPT_CACHE_DIR", "POLYOPT_CACHE_SIZE"
OFF = "off"

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def chosen_folder(word: str | None = None) -> str | None:
    """The folder that is meant; None for none."""
    for chosen in (word, os.environ.get(FOLDER)):
        if chosen:
            return None if chosen == OFF else chosen
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(caches):
        home = os.environ.get("HOME", "")
        caches = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return os.path.join(caches, "polyopt") if caches else None


def chosen_store(word: str | None = None) -> Store | None:
    """What is kept there; None where nothing is."""
    folder = chosen_folder(word)
    if folder is None:
        return None
    store = Store(folder, chosen_bound())
    return store if store.is_usable() else None


def chosen_bound() -> int:
    """In bytes; what is no size changes nothing."""
    text = os.environ.get(SIZE, "").strip().upper().removesuffix("B").removesuffix("I")
    number, unit = (text[:-1], _UNITS[text[-1]]) if text[-1:] in _UNITS else (text, 1)
    return int(number) * unit if number.isdecimal() else BOUND
