"""Up to which iteration of a loop others depend on what it does, by the exact dependences.

    { [i] -> [i'] : i < i', i <= t + 63 }  and the like   ->   t + 63

It is sought among the greatest sources of each dependence, affine in what is known before the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl
from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import is_iterator
from polyopt.ir.affine.linear import Linear
from polyopt.support.record import record


@record(eq=False)
class Sources:
    """The iterators of a loop that something depends on: a set of one dimension."""

    iterators: isl.Set
    parameters: Mapping[str, SSAValue]

    @staticmethod
    def of(relation: isl.Map, level: int, parameters: Mapping[str, SSAValue]) -> Sources:
        """Of the loop that is so many levels within the outermost one of the sources' loops."""
        sources = relation.domain()
        behind = sources.dim(isl.dim_type.set) - level - 1
        sources = sources.project_out(isl.dim_type.set, level + 1, behind)
        return Sources(sources.project_out(isl.dim_type.set, 0, level), parameters)

    def forms(self) -> list[Linear]:
        """What the last of them may be, in some cases."""
        if not self.iterators.dim_has_upper_bound(isl.dim_type.set, 0):
            return []
        pieces = self.iterators.dim_max(0).get_pieces()
        forms = [_form(aff, self.parameters) for _, aff in pieces]
        return [form for form in forms if form is not None]

    def end_by(self, form: Linear) -> bool:
        """Whether none of them is behind `form`, in any case."""
        names = {value: name for name, value in self.parameters.items()}
        for value in form.values:
            names.setdefault(value, f"q{len(names)}")
        terms = [f"{factor} * {names[value]}" for value, factor in form.terms]
        limit = " + ".join([*terms, str(form.constant)])
        behind = isl.Set(f"[{', '.join(names.values())}] -> {{ [i] : i > {limit} }}")
        return self.iterators.intersect(behind).is_empty()


def last_source(sources: Sequence[Sources], uppers: Sequence[Linear]) -> Linear | None:
    """Behind which iteration there is none of them; None where that is at the end of the loop,
    which has these upper bounds, or not to be said. Of several, one that moves with a loop around:
    where the block ends, not where all of it does."""
    some = [one for one in sources if not one.iterators.is_empty()]
    forms = dict.fromkeys(form for one in some for form in one.forms())
    for form in sorted(forms, key=lambda form: not any(map(is_iterator, form.values))):
        is_at_end = any(not (upper - form).terms for upper in uppers)
        if not is_at_end and all(one.end_by(form) for one in some):
            return form
    return None


def _form(aff: isl.Aff, parameters: Mapping[str, SSAValue]) -> Linear | None:
    if aff.dim(isl.dim_type.div):
        return None
    result = Linear((), aff.get_constant_val().to_python())
    for position in range(aff.dim(isl.dim_type.param)):
        factor = aff.get_coefficient_val(isl.dim_type.param, position)
        name = aff.get_dim_name(isl.dim_type.param, position)
        if not factor.is_int() or name is None:
            return None
        result = result + Linear.of(parameters[name]) * factor.to_python()
    return result
