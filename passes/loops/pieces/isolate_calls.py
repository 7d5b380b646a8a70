"""affine-isolate-calls: calls that have vector forms apart from what keeps a loop serial.

    for i { a[i] = a[i - 1] * b[i] + log(c[i]) }
      =>
    for s in steps of a strip {
      for i in the strip { t[i - s] = log(c[i]) }             lanes of vectors
      for i in the strip { a[i] = a[i - 1] * b[i] + t[i - s] }
    }

Loop distribution (K. Kennedy, K. McKinley, Loop distribution with arbitrary control flow, SC 1990)
for the reason that D. Berlin, D. Edelsohn, S. Pop give (High-Level Loop Optimizations for GCC, GCC
Summit 2004, figure 14): a function that exists for whole vectors. What goes from one loop to the
other lives in a strip that stays in the nearest cache. Which loop does what, `call_pieces` says:
calls may come before what goes round, behind it, or between (random numbers, their logarithms, and
the sum of these).
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.vector_calls import is_in_library
from polyopt.passes.loops.pieces.call_pieces import Pieces, find_pieces
from polyopt.passes.loops.pieces.piece_writer import is_handed_on, write_pieces
from polyopt.passes.loops.replacement import tell
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class AffineIsolateCallsPass(ModulePass):
    """Cut serial innermost loops with calls of libm that have vector forms into strips of several
    loops: those of calls may run in vectors, those of what goes round stay serial.

    Requires: nothing. Ensures: the same values are stored in each array, in the same order. A loop
    that may run in vectors as it is stays, and so does one whose calls go round; so do all where
    approximations are not allowed, which vector forms are.

        affine.for %i = 1 to %n {                    affine.for %s = 1 to %n step 256 {
          %c = affine.load %C[%i]                      affine.for %i = %s to min(%s + 256, %n) {
          %l = math.log %c                               … affine.store %l, %t[%i - %s] }
          … affine.load %A[%i - 1]            =>       affine.for %i = %s to min(%s + 256, %n) {
          … arith.addf %x, %l                            … affine.load %t[%i - %s] …
          affine.store %y, %A[%i] }                      affine.store %y, %A[%i] } }
    """

    name = "affine-isolate-calls"

    strip: int = CORE.scans.call_strip

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_in(op, affine.ForOp):
            if any(is_in_library(inner) for inner in loop.body.block.ops):
                pieces = _pieces(loop, self.strip)
                if pieces is not None:
                    _write(loop, pieces, self.strip)


def _pieces(op: affine.ForOp, strip: int) -> Pieces | None:
    """None where there is nothing to cut, or what is handed on is too much or no element."""
    loop, model = AffineLoop(op), CORE.scans
    extent = loop.greatest_extent
    if op.inits or loop.step != 1 or loop.facts.is_final:
        return None
    if (strip if extent is None else extent) < model.call_least:
        return None
    if loop.facts.carried not in (None, "serial", "pipeline"):
        return None
    body = list(op.body.block.ops)
    if len(body) > model.call_body or any(isinstance(one, affine.ForOp) for one in op.body.walk()):
        return None
    dependences = dependences_below(op)
    flows = [one for one in dependences.dependences if one.kind == "RAW"]
    if not dependences.is_complete or not any(one.has_distance("d0 > 0") for one in flows):
        return None
    pieces = find_pieces(op.body.block, dependences)
    if pieces is None:
        return None
    values = pieces.handed_on()
    may_be_kept = all(is_handed_on(one.type) for one in values)
    return pieces if may_be_kept and 0 < len(values) <= model.call_buffers else None


def _write(op: affine.ForOp, pieces: Pieces, strip: int) -> None:
    calls = [one.name for one in op.body.block.ops if is_in_library(one)]
    names = " and ".join(dict.fromkeys(calls))
    tell("affine-isolate-calls", op, f"{names} in loops of their own, of {strip} iterations")
    write_pieces(op, pieces, strip)
