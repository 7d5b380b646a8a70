"""`polyopt.cache`: what is kept on disk, where, and away with it.

polyopt.cache.folder()    where finished work is kept; None for nowhere
polyopt.cache.stats()     how much, and how often it was found
polyopt.cache.clear()     remove it
"""

from __future__ import annotations

from polyopt.driver.cache.circumstances import circumstances
from polyopt.driver.cache.folder import OFF, chosen_folder, chosen_store
from polyopt.support.diagnostics import CompileError


def folder(cache: str | None = None) -> str | None:
    """Where work is kept if the option says `cache`; None for nowhere."""
    store = chosen_store(cache)
    return None if store is None else store.folder


def stats(cache: str | None = None) -> dict[str, int]:
    """How many `files` there are, of how many `bytes` and at most how many (`bound`); how often
    what was asked for was there (`hits`), and how often not (`misses`)."""
    store = chosen_store(cache)
    if store is None:
        return dict.fromkeys(("files", "bytes", "bound", "hits", "misses"), 0)
    files, size = store.size()
    counts = {name: store.counted(name) for name in ("hits", "misses")}
    return {"files": files, "bytes": size, "bound": store.bound, **counts}


def clear(cache: str | None = None) -> None:
    """Remove all that is kept."""
    store = chosen_store(cache)
    if store is not None:
        store.clear()


def cache_notes(cache: str | None) -> list[str]:
    """What is to be said of a folder that was asked for and cannot be used."""
    if cache in (None, "", OFF) or chosen_store(cache) is not None:
        return []
    return [f"--cache={cache}: not used: it is not a folder that only you may write to"]


def cache_statistics(cache: str | None) -> str:
    """`stats` for people."""
    where = _where(cache)
    found = stats(cache)
    size, bound = (f"{found[name] / (1 << 20):.1f} MiB" for name in ("bytes", "bound"))
    lines = [
        f"{where}: {found['files']} files, {size} of {bound}",
        f"found {found['hits']} times, not found {found['misses']} times",
    ]
    if circumstances() is None:
        lines.append("not used: the versions of the packages that polyopt needs are not known")
    return "\n".join(lines)


def cleared_cache(cache: str | None) -> str:
    where = _where(cache)
    clear(cache)
    return f"{where}: nothing is kept now"


def _where(cache: str | None) -> str:
    where = folder(cache)
    if where is None:
        named = chosen_folder(cache)
        reason = "it is off" if named is None else f"{named} cannot be used"
        raise CompileError(f"there is no cache: {reason}")
    return where
