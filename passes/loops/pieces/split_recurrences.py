"""affine-split-recurrences: what serial loops do beside their recurrences, in vectors.

    for j { m[i][j] = max(m[i - 1][j - 1], …) + …                      lanes of vectors
            y[i][j] = max(m[i][j - 1] + a, y[i][j - 1] + b) }
      =>
    for s in steps of a strip {
      for j in the strip { m[i][j] = max(m[i - 1][j - 1], …) + … }     lanes of vectors
      for j in the strip { y[i][j] = max(m[i][j - 1] + a, y[i][j - 1] + b) } }

Loop distribution (R. Allen, K. Kennedy, Automatic translation of FORTRAN programs to vector form,
TOPLAS 9(4), 1987), of innermost loops, and only where a core is busier with all that an iteration
does than it waits for the one before: what runs in the shadow of a recurrence is for nothing.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.passes.loops.pieces.late_choices import choose_late_last
from polyopt.passes.loops.pieces.parts_model import find_cut
from polyopt.passes.loops.pieces.piece_writer import write_pieces
from polyopt.passes.loops.replacement import tell
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffineSplitRecurrencesPass(ModulePass):
    """Cut serial innermost loops into strips of several loops, where what goes round is the smaller
    part of them.

    Requires: nothing. Ensures: the same values are stored in each array, in the same order. Loops
    whose recurrences may be taken together in vectors as they are stay. Of the greatest of several
    values, what an iteration waits for is compared last (`late_choices.py`).

        affine.for %j = 1 to %n {                    affine.for %s = 1 to %n step 256 {
          … affine.store %x, %M[%j]                    affine.for %j = %s to min(%s + 256, %n) {
          … affine.load %Y[%j - 1]            =>         … affine.store %x, %M[%j] }
          affine.store %y, %Y[%j] }                    affine.for %j = %s to min(%s + 256, %n) {
                                                         … affine.load %Y[%j - 1]
                                                         affine.store %y, %Y[%j] } }
    """

    name = "affine-split-recurrences"

    march: str = "native"
    strip: int = CORE.parts.strip

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        for loop in operations_in(op, affine.ForOp):
            choose_late_last(loop)
            cut = find_cut(loop, target, self.strip)
            if cut is not None:
                tell(self.name, loop, "what carries nothing in loops of its own")
                write_pieces(loop, cut.pieces, cut.strip)
