"""States that a loop carries through one another stay numbers in registers of their own.

    for i { v = x[i]                                   z1 = cmem.apart …
            o = c0 * v + z0;  z0 = c1 * v + z1;   =>   z0 = cmem.apart …
            z1 = c2 * v;  v = o;  …  y[i] = v }

LLVM makes vectors of equal operations side by side by their count (superword-level parallelism),
of such states too: filters in cascades and lattices, whose sections hand values on. Then each
iteration puts its vectors together from numbers that the last one took out of others, and waits.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp, VectorType
from xdsl.ir import SSAValue, Use
from xdsl.passes import ModulePass

from polyopt.dialects.cmem_values import ApartOp
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.subscripts import is_known, subscripts_of
from polyopt.passes.loops.replacement import tell
from polyopt.passes.loops.vectors.late_terms import carried_by, reach
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class AffineKeepStatesPass(ModulePass):
    """In an innermost loop without vectors, the floats and doubles that it carries, in elements
    that stay where they are or in arguments, where there are `least` of them and most take in what
    another one was.

    Requires: the loops are as they will be (keep-what-pays). Ensures: no value changes.

        %v = arith.addf %z1, %w                    %v = arith.addf %z1, %w
        affine.store %v, %z[0]            =>       %a = cmem.apart %v : f32
                                                   affine.store %a, %z[0]
    """

    name = "affine-keep-states"
    least: int = CORE.code.states_apart

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in [one for one in op.walk() if isinstance(one, affine.ForOp)]:
            states = _states(AffineLoop(loop))
            if len(states) >= self.least and _are_coupled(AffineLoop(loop), states):
                tell(self.name, loop, f"{len(states)} states stay in registers of their own")
                for new in states:
                    _keep_apart(new)


States = dict[Use, list[SSAValue]]
"""Where the loop leaves each state, and what it has been in this iteration."""


def _states(loop: AffineLoop) -> States:
    if any(one.regions or _has_vectors(one.results) for one in loop.block.ops):
        return {}
    states: States = {}
    for load, store in carried_by(loop):
        forms = subscripts_of(store) or ()
        stays = all(is_known(form, loop) and loop.iv not in form.values for form in forms)
        if stays and isinstance(store.value.type, Float32Type | Float64Type):
            states.setdefault(Use(store, 0), []).append(load.result)
    end = loop.block.last_op
    assert end is not None
    for place, argument in enumerate(loop.block.args[1:]):
        if isinstance(argument.type, Float32Type | Float64Type):
            states[Use(end, place)] = [argument]
    return states


def _has_vectors(results: tuple[SSAValue, ...]) -> bool:
    return any(isinstance(one.type, VectorType) for one in results)


def _are_coupled(loop: AffineLoop, states: States) -> bool:
    """Do most of them become what others were? Those that only add up are lanes."""
    coupled: set[Use] = set()
    for use, before in states.items():
        made = reach(loop.block, before)
        coupled |= {one for one in states if one != use and _value(one) in made}
    return 2 * len(coupled) > len(states)


def _value(use: Use) -> SSAValue:
    return use.operation.operands[use.index]


def _keep_apart(use: Use) -> None:
    apart = ApartOp(_value(use))
    apart.location = use.operation.location
    apart.result.name_hint = _value(use).name_hint
    assert use.operation.parent is not None
    use.operation.parent.insert_op_before(apart, use.operation)
    use.operation.operands[use.index] = apart.result
