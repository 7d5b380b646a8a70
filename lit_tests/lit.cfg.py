# pyright: basic, reportUndefinedVariable=false
"""lit's configuration: `lit lit_tests` runs each file's RUN lines.

Features that a file may ask for by `// REQUIRES:`: `cc` (a system C compiler), `avx2`, `avx512`.
"""

import os
import sys
from pathlib import Path

import lit.formats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

from lit_features import ROUNDTRIP, SUFFIXES, features

config.name = "polyopt"
config.test_format = lit.formats.ShTest()
config.suffixes = list(SUFFIXES)
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# The tools of the interpreter that runs lit, whatever PATH says; the tree that it would import.
config.environment["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), config.environment.get("PATH", os.defpath)]
)
for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# What is tested is the compiler of now, not what it made before.
config.environment["POLYOPT_CACHE_DIR"] = "off"

config.substitutions.append(("ROUNDTRIP", ROUNDTRIP))
config.available_features.update(features())
