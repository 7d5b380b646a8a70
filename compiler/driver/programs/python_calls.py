"""The machine code of quick calls (`python_calls.c`), compiled by ourselves and kept like programs.

Any processor of the architecture can run it, and it does nothing but what it says: no choice of the
user's has an influence on it.
"""

from __future__ import annotations

from functools import cache

from polyopt.backend.called.quick_calls import QuickCalls
from polyopt.driver.cache.folder import OFF, chosen_folder
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.runtime_code import kept_code, runtime_code

_FILE = "python_calls.c"


def quick_calls(word: str | None = None) -> QuickCalls:
    """Those of this process, whose code is kept in the folder that the word means."""
    return _of_folder(chosen_folder(word))


@cache
def _of_folder(folder: str | None) -> QuickCalls:
    return QuickCalls(lambda is_due: machine_code(folder, is_due))


def machine_code(folder: str | None, is_due: bool) -> bytes | None:
    """The object code as it was kept, or made if it `is_due`."""
    settings, word = Settings(opt_level=2, poly="none"), folder or OFF
    if is_due:
        return runtime_code(_FILE, settings, word, "the calls from Python")
    return kept_code(_FILE, settings, word)
