"""Of the flags that were given to us those that the system's compiler gets with a file of ours, in
gcc's spelling: what clang alone has, or nobody else, would be an error there."""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.driver.options.flag_reading import Flag

_HEADINGS = ("Language", "Warnings", "Code", "Instruction sets", "Threads")
_SPELT_OTHERWISE = {
    "-fvectorize": "-ftree-vectorize",
    "-fno-vectorize": "-fno-tree-vectorize",
    "-fslp-vectorize": "-ftree-slp-vectorize",
    "-fno-slp-vectorize": "-fno-tree-slp-vectorize",
    "-fopenmp=": "-fopenmp",
}
_OTHERS_LACK = (
    *("-faligned", "-fno-aligned", "-fgnuc-version=", "-fparallel", "-fno-parallel"),
    "-pthread",
)
"""What begins so says nothing to gcc; -pthread is for the linker."""


def words_for_the_system(read: Sequence[tuple[str, Flag, list[str]]]) -> tuple[str, ...]:
    """Its words; `read`: the flags, each with its heading and its words."""
    words: list[str] = []
    for heading, flag, spelled in read:
        if heading not in _HEADINGS or flag.is_own:
            continue
        if flag.spelling in _SPELT_OTHERWISE:
            words.append(_SPELT_OTHERWISE[flag.spelling])
        elif not flag.spelling.startswith(_OTHERS_LACK):
            words += spelled
    return tuple(words)
