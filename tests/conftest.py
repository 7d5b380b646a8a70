"""What is tested is the compiler of now, not what it made before. Tests of the cache say where."""

import gc
import os

os.environ["POLYOPT_CACHE_DIR"] = "off"


def pytest_collection_finish() -> None:
    """Garbage is never looked for in what collecting the tests has made. How often it is looked for
    stays as it is: Dask's threads wait for what others leave to it."""
    gc.collect()
    gc.freeze()
