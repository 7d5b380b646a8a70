"""The machine code of what our programs need while they run and is written in C: compiled by
ourselves, and kept like programs (`cache`), so that the next process has it as soon as these."""

from __future__ import annotations

from polyopt.driver.cache.folder import chosen_store
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.runtime_sources import runtime_source
from polyopt.driver.units.findings import Findings
from polyopt.driver.units.products import Made, Products
from polyopt.driver.units.source import Source
from polyopt.support.diagnostics import SourceMap
from polyopt.support.noted import collect_noted
from polyopt.support.remarks import collect_remarks
from polyopt.support.timing import timed


def kept_code(file: str, settings: Settings, folder: str | None) -> bytes | None:
    """The object code of one of `runtime_sources`, if it has been kept in the folder that the word
    means, which is what `chosen_store` takes."""
    products = _products(folder)
    question = products and products.question(_source(file), settings, "obj")
    kept = products.find(question) if products is not None and question else None
    if kept is None:
        return None
    assert isinstance(kept.product, bytes)
    return kept.product


def runtime_code(file: str, settings: Settings, folder: str | None, purpose: str) -> bytes:
    """The same, or else made now and kept; `purpose` says in timings what it is."""
    kept = kept_code(file, settings, folder)
    if kept is not None:
        return kept
    from polyopt.driver.units.unit import produce

    source, products = _source(file), _products(folder)
    question = products and products.question(source, settings, "obj")
    with collect_noted() as noted, collect_remarks() as remarks, timed(f"compile {purpose}"):
        made = produce(source, settings, "obj", lambda _: None)
    if products is not None and question:
        products.keep(question, Made(made, Findings([], SourceMap(), []), remarks), noted)
    assert isinstance(made, bytes)
    return made


def _source(file: str) -> Source:
    return Source(file, runtime_source(file))


def _products(folder: str | None) -> Products | None:
    store = chosen_store(folder)
    return None if store is None else Products(store)
