"""What is done before xDSL's dialects are loaded: in a process of ours they are loaded quicker, and
so are islpy and whatever asks of what class an operation is."""

from __future__ import annotations

import sys
from types import ModuleType

from polyopt.support.own_process import is_own

_SELDOM = ("platform", "tempfile", "textwrap", "traceback", "zipfile")
"""What llvmlite, pcpp, pycparser and Python's `importlib.resources` import at their heads."""


def prepare_loading() -> None:
    """To be called before a dialect is imported; later calls do nothing."""
    if is_own():
        from polyopt.support.methods_on_demand import put_methods_off
        from polyopt.support.modules_on_demand import put_modules_off

        put_modules_off(_SELDOM)
        put_modules_off(["subprocess"], kept_by="pycparser")
        put_modules_off(["llvmlite.ir"], kept_by="llvmlite.binding.typeref")
        put_methods_off()
        from polyopt.dialects.quick_constraints import quicken_constraints

        quicken_constraints()
        from polyopt.dialects.formats_on_demand import put_formats_off

        put_formats_off()
        from polyopt.dialects.definitions_on_demand import put_definitions_off

        put_definitions_off()
        from polyopt.support.plain_classes import make_plain

        make_plain("xdsl")
        from polyopt.dialects.quick_operations import quicken_operations

        quicken_operations()
        from polyopt.dialects.quick_verification import quicken_verification

        quicken_verification()
        from polyopt.dialects.quick_attributes import quicken_attributes

        quicken_attributes()
        _leave_out("islpy.version", VERSION=(), VERSION_TEXT="", VERSION_STATUS="")
        _leave_out("pcpp.pcmd", main=None, version="", CmdPreprocessor=None)


def _leave_out(name: str, **what: object) -> None:
    """What packages load that nobody asks for here. Which version of itself islpy is, it looks up
    in what pip has left of all packages, by modules that read mail: a twentieth of what loading
    takes. pcpp loads its own command, and what reads the command's options."""
    package = name.partition(".")[0]
    if package in sys.modules:
        return
    module = ModuleType(name)
    vars(module).update(what)
    sys.modules[name] = module
