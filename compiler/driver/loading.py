"""What is done before xDSL's dialects are loaded: in a process of ours they are loaded quicker."""

from __future__ import annotations

from polyopt.support.own_process import is_own


def prepare_loading() -> None:
    """To be called before a dialect is imported; later calls do nothing."""
    if is_own():
        from polyopt.support.methods_on_demand import put_methods_off

        put_methods_off()
        from polyopt.dialects.formats_on_demand import put_formats_off

        put_formats_off()
