# pyright: basic, reportUndefinedVariable=false
"""lit's configuration: `lit lit_tests` runs each file's RUN lines.

Features that a file may ask for by `// REQUIRES:`: `cc` (a system C compiler), `avx2`, `avx512`.
"""

import os
import shutil
import sys
from pathlib import Path

import lit.formats

from polyopt.support.target import Target

config.name = "polyopt"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".c", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# The tools of the interpreter that runs lit, whatever PATH says; the tree that it would import.
config.environment["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), config.environment.get("PATH", os.defpath)]
)
for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(
    (
        "ROUNDTRIP",
        "polyopt-opt %s --split-input-file | filecheck %s && "
        "polyopt-opt %s --split-input-file --print-op-generic "
        "| polyopt-opt --split-input-file | filecheck %s",
    )
)

if shutil.which("cc"):
    config.available_features.add("cc")
bits = Target.host().vector_bits
if bits >= 256:
    config.available_features.add("avx2")
if bits >= 512:
    config.available_features.add("avx512")
