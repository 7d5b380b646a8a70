"""A process that tries the programs of seeds which it is told, one after the other.

Each line of standard input asks for a seed, as JSON; a line of standard output has its outcome.
Nothing else writes there. It ends with its input, and when nobody takes its answers: it is not left
over when a worker dies.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from importlib import import_module

from polyopt.support.own_process import claim


def main() -> None:
    claim()
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    from polyopt.tools.children import Limits
    from polyopt.tools.fuzz.campaigns import preload
    from polyopt.tools.fuzz.campaigns.campaign import Forks

    preload.load()
    for line in sys.stdin:
        request = json.loads(line)
        module, _, name = request["attempt"].partition(":")
        attempt = getattr(import_module(module), name)
        crew = Forks(1, request["count"], Limits(**request["limits"]), attempt)
        crew.begin(request["seed"])
        [(_, outcome)] = crew.finished()
        try:
            answers.write(json.dumps(asdict(outcome)) + "\n")
            answers.flush()
        except BrokenPipeError:
            os._exit(0)


if __name__ == "__main__":
    main()
