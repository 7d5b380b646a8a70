"""What is tested is the compiler of now, not what it made before. Tests of the cache say where."""

import gc
import os

os.environ["POLYOPT_CACHE_DIR"] = "off"


def pytest_collection_finish() -> None:
    """Garbage is looked for seldom, and never in what collecting the tests has made: looking takes
    a twelfth of the suite's time. Tests of what is freed ask for it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
