"""isl's options are switches of its context; here they hold for one `with` block only."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import islpy as isl


@contextmanager
def isl_options(**values: int) -> Generator[None]:
    """Set options by isl's names, such as `schedule_outer_coincidence=1`; put the old values
    back afterwards, whatever happens."""
    context = isl.DEFAULT_CONTEXT
    before = {name: getattr(context, f"get_{name}")() for name in values}
    try:
        for name, value in values.items():
            getattr(context, f"set_{name}")(value)
        yield
    finally:
        for name, value in before.items():
            getattr(context, f"set_{name}")(value)
