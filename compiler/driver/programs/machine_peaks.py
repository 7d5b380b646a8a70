"""What this machine does at most, measured once in a process: cycles and bytes from memory, by
loops of C that do nothing else, and flops on f64 in one core, by our own product of two matrices:
what is beyond that, no loops of ours reach.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

from polyopt.report.contents import Machine

_SIDE = 384
_STEPS = 800_000
_WORDS = 1 << 23
_TRIES = 5

_SOURCE = f"""
unsigned long chain(unsigned long n) {{
  unsigned long x = n | 1;
  for (unsigned long i = 0; i < n; i++) x = x * x + i;
  return x;
}}
void products(double c[restrict {_SIDE}][{_SIDE}], double a[restrict {_SIDE}][{_SIDE}],
              double b[restrict {_SIDE}][{_SIDE}]) {{
  for (int i = 0; i < {_SIDE}; i++)
    for (int j = 0; j < {_SIDE}; j++)
      for (int k = 0; k < {_SIDE}; k++)
        c[i][j] += a[i][k] * b[k][j];
}}
double words(long n, const double *x) {{
  double sum = 0;
  for (long i = 0; i < n; i++) sum += x[i];
  return sum;
}}
"""

_CHAIN_CYCLES = 4
"""A product and a sum, one after the other."""


@cache
def machine_peaks() -> Machine:
    import numpy as np

    from polyopt.driver.options.flags import read_settings
    from polyopt.driver.programs.program import compile_source
    from polyopt.driver.units.source import Source

    settings = read_settings(["-O3", "-march=native", "-ffast-math"])
    program = compile_source(Source("peaks.c", _SOURCE), settings)
    memory = np.ones(_WORDS)
    squares = [np.ones((_SIDE, _SIDE)) for _ in range(3)]
    chain = _least(lambda: program["chain"](_STEPS))
    products = _least(lambda: program["products"](*squares))
    words = _least(lambda: program["words"](_WORDS, memory))
    return Machine(
        flops=2 * _SIDE**3 / products,
        bandwidth=8 * _WORDS / words,
        cycles=_CHAIN_CYCLES * _STEPS / chain,
    )


def _least(call: Callable[[], object]) -> float:
    """Seconds of processor time, the least of a few."""
    best = float("inf")
    for _ in range(_TRIES):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
    return best
