"""`pytest lit_tests` runs what `lit lit_tests` runs, in one process and so much sooner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lit_items import LitFile, lit_file

# What is tested is the compiler of now, not what it made before.
os.environ["POLYOPT_CACHE_DIR"] = "off"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LitFile | None:
    return lit_file(file_path, parent)
