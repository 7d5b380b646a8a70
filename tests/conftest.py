"""What is tested is the compiler of now, not what it made before. Tests of the cache say where."""

import os

os.environ["POLYOPT_CACHE_DIR"] = "off"
