"""The machine code of quick calls (`python_calls.c`), compiled by ourselves and kept like programs.

Any processor of the architecture can run it, and it does nothing but what it says: no choice of the
user's has an influence on it.
"""

from __future__ import annotations

from functools import cache

from polyopt.backend.called.quick_calls import QuickCalls
from polyopt.driver.cache.folder import chosen_folder, chosen_store
from polyopt.driver.options.flags import Settings
from polyopt.driver.runtimes.runtime_sources import runtime_source
from polyopt.driver.units.products import Made, Products
from polyopt.driver.units.unit import Findings, Source, produce
from polyopt.support.diagnostics import SourceMap
from polyopt.support.noted import collect_noted
from polyopt.support.remarks import collect_remarks
from polyopt.support.timing import timed

_FILE = "python_calls.c"


def quick_calls(word: str | None = None) -> QuickCalls:
    """Those of this process, whose code is kept in the folder that the word means."""
    return _of_folder(chosen_folder(word))


@cache
def _of_folder(folder: str | None) -> QuickCalls:
    return QuickCalls(lambda is_due: machine_code(folder, is_due))


def machine_code(folder: str | None, is_due: bool) -> bytes | None:
    """The object code as it was kept, or made if it `is_due`."""
    text = runtime_source(_FILE)
    source, settings = Source(_FILE, text), Settings(opt_level=2, poly="none")
    store = None if folder is None else chosen_store(folder)
    products = None if store is None else Products(store)
    question = None if products is None else products.question(source, settings, "obj")
    kept = None if products is None or question is None else products.find(question)
    if kept is not None:
        assert isinstance(kept.product, bytes)
        return kept.product
    if not is_due:
        return None
    with collect_noted() as noted, collect_remarks() as remarks:
        with timed("compile the calls from Python"):
            made = produce(source, settings, "obj", lambda _: None)
        if products is not None and question is not None:
            products.keep(question, Made(made, Findings([], SourceMap(), []), remarks), noted)
    assert isinstance(made, bytes)
    return made
