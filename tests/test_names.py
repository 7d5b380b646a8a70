"""What `import polyopt` offers: every name is there, shown, and costs nothing before it is used."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import polyopt


@pytest.mark.parametrize("name", polyopt.__all__)
def test_a_name_is_found(name: str):
    assert getattr(polyopt, name) is not None
    assert name in dir(polyopt)


def test_the_version_is_that_of_the_package():
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", polyopt.__version__)


def test_nothing_is_loaded_for_a_name_that_is_not_used():
    code = (
        "import sys, polyopt; dir(polyopt); print([m for m in sys.modules if m[:8] == 'polyopt.'])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert told.strip() == "[]"


def test_all_names_at_once():
    names = dict[str, object]()
    exec("from polyopt import *", names)
    assert set(polyopt.__all__) <= set(names)
