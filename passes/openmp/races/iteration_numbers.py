"""Numbers of shared loops' iterations: which come later, and which are given to different threads.

Of a loop with chunks of a known size, numbers are those of chunks: what is in one chunk is one
thread's.
"""

from __future__ import annotations

import islpy as isl

from polyopt.passes.openmp.races.constructs import Construct
from polyopt.passes.openmp.races.part import Part
from polyopt.passes.openmp.races.reaches import Reach
from polyopt.poly.isl.numbers import val


def _numbers(part: Part, touch: Reach, construct: Construct | None) -> isl.Map:
    """{ S[i] -> [k] }: the numbers of iterations, or of chunks; for what the first thread does,
    0."""
    domain = touch.instances.domain
    affs = isl.PwAffList.alloc(isl.DEFAULT_CONTEXT, 1)
    count = 0
    for header in () if construct is None else construct.headers:
        assert construct is not None
        counter = part.space.counter(part.headers[header])
        missing = touch.instances.depth - counter.dim(isl.dim_type.in_)
        number = counter.add_dims(isl.dim_type.in_, missing)
        if construct.chunk not in (1, None) and len(construct.headers) == 1:
            number = number.scale_down_val(val(construct.chunk)).floor()
        affs, count = affs.add(number), count + 1
    if not count:
        local = isl.LocalSpace.from_space(part.space.space(touch.instances.depth))
        affs, count = affs.add(isl.PwAff.from_aff(isl.Aff.zero_on_domain(local))), 1
    source = part.space.space(touch.instances.depth)
    space = source.map_from_domain_and_range(part.space.space(count))
    result = isl.Map.from_multi_pw_aff(isl.MultiPwAff.from_pw_aff_list(space, affs))
    name = domain.get_tuple_name()
    return result.set_tuple_name(isl.dim_type.in_, name).intersect_domain(domain)


def given_later(
    part: Part, x: Reach, y: Reach, loop: Construct, *, is_exact: bool
) -> isl.Map | None:
    """{ s -> t : t has a greater number }, one that counts: of another chunk, or, for lanes
    (`is_exact`), of those that are done at once."""
    if len(loop.headers) > 1 and (loop.chunk != 1 or loop.safelen is not None):
        return None
    left, right = _numbers(part, x, loop), _numbers(part, y, loop)
    later = left.lex_lt_map(right)
    if is_exact and loop.safelen is not None:
        step = isl.Map.from_domain_and_range(left.range(), right.range())
        near = step.deltas_map().intersect_range(isl.Set(f"{{ [d] : 0 < d < {loop.safelen} }}"))
        later = later.intersect(
            left.apply_range(near.domain().unwrap()).apply_range(right.reverse())
        )
    return later


def different_threads(part: Part, x: Reach, y: Reach) -> isl.Map:
    """{ s -> t : some team gives them to two threads }; none where that is not known."""
    a, b = x.instances, y.instances
    everything = isl.Map.from_domain_and_range(a.domain, b.domain)
    nothing = everything.subtract(everything)
    makers = [one.maker for one in (x, y)]
    loops = [one for one in makers if one is not None and one.kind == "loop"]
    if any(loop.schedule in ("dynamic", "guided") for loop in loops):
        return everything
    if any(loop.chunk is None or not part.is_held(loop) for loop in loops):
        return nothing
    numbers = [_numbers(part, one, one.maker) for one in (x, y)]
    if any(one.dim(isl.dim_type.out) != 1 for one in numbers):
        return nothing
    left, right = numbers
    return left.lex_lt_map(right).union(left.lex_gt_map(right))
