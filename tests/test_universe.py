"""Every name that polyopt offers to xDSL's tools leads to a thing of that name."""

import subprocess
import sys

import pytest
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.target import Target

from polyopt.passes.lower.forget_facts import OURS
from polyopt.universe import DIALECTS, PASSES, TARGETS, resolve


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect(name: str):
    dialect = resolve(DIALECTS[name])
    assert isinstance(dialect, Dialect)
    assert dialect.name == name


@pytest.mark.parametrize("name", DIALECTS)
def test_what_is_ours_can_be_forgotten(name: str):
    assert f"{name}." in OURS


@pytest.mark.parametrize("name", PASSES)
def test_pass(name: str):
    found = resolve(PASSES[name])
    assert issubclass(found, ModulePass)
    assert found.name == name
    assert found.__doc__


@pytest.mark.parametrize("name", TARGETS)
def test_target(name: str):
    found = resolve(TARGETS[name])
    assert issubclass(found, Target)
    assert found.name == name


def test_xdsl_finds_us_without_clash():
    found = Universe.get_multiverse()
    assert found.all_dialects.keys() >= DIALECTS.keys()
    assert found.all_passes.keys() >= PASSES.keys()


def test_loading_the_universe_loads_no_engine():
    """Every run of every tool of xDSL pays for what this import pulls in."""
    program = "import sys, polyopt.universe; print([m for m in sys.modules if m.split('.')[0] in "
    program += "('islpy', 'llvmlite', 'pycparser', 'pcpp', 'numpy', 'rich')])"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
