"""What is tested is the compiler of now, not what it made before. Tests of the cache say where."""

import gc
import os

os.environ["POLYOPT_CACHE_DIR"] = "off"


def pytest_collection_finish() -> None:
    """Garbage is looked for seldom, and never in what collecting the tests has made: looking takes
    a twelfth of the suite's time. Tests of what is freed ask for it.

    xDSL's operations are quick, as in a process of ours (`driver/units/loading`): an eighth of what
    is compiled here. `scripts/test --all` leaves them as they are in somebody else's process."""
    if not os.environ.get("POLYOPT_TEST_PLAIN_OPERATIONS"):
        from polyopt.dialects.quick_operations import quicken_operations
        from polyopt.support.plain_classes import make_plain

        make_plain("xdsl")
        quicken_operations()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
