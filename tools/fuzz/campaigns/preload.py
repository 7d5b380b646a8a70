"""All of the compiler in this process, before it is forked: no child loads it again."""

from __future__ import annotations

import gc
from importlib import import_module

from polyopt.driver.units.loading import prepare_loading


def load() -> None:
    """Compile a small program in the ways that load everything."""
    prepare_loading()
    from dataclasses import replace

    from polyopt.driver.options.flags import read_settings
    from polyopt.driver.runtimes.check_runtime import runtime_object
    from polyopt.driver.units.source import Source
    from polyopt.driver.units.unit import lower, object_code, parse
    from polyopt.support.diagnostics import SourceMap
    from polyopt.universe import PASSES, resolve

    for name in ("check", "steps", "trial"):
        import_module(f"polyopt.tools.fuzz.trials.{name}")
    for name in ("compiler_command", "opt_command"):
        import_module(f"polyopt.tools.{name}")
    for path in PASSES.values():
        resolve(path)
    text = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = a[i] * 2; }"
    unit = parse(Source("f.c", text), read_settings(["-O1"]), SourceMap())
    lower(replace(unit, settings=read_settings(["-O1", "--poly=auto"])))
    object_code(unit)
    runtime_object(for_program=False)
    gc.collect()
    gc.freeze()
    gc.disable()
