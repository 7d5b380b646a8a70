"""A description in the names of another one of the same loops, if it is one of the same loops."""

from __future__ import annotations

from dataclasses import replace

from polyopt.poly.exchange.correspondence import (
    Names,
    corresponding_arrays,
    corresponding_names,
)
from polyopt.poly.exchange.description import Description
from polyopt.poly.exchange.own_scop import disagreement


class NotTheSame(Exception):
    """The descriptions are of different SCoPs, or of different versions of one."""


def adopted(theirs: Description, ours: Description, *, but_places: bool = False) -> Description:
    """`theirs` in our names, which it may have already; its schedules are its own. `ours` has the
    schedule of the source. Raises NotTheSame where anything else is not as we know it;
    `but_places`: where it has our names, the elements that are accessed may be others."""
    if {one.name for one in ours.statements} == {one.name for one in theirs.statements}:
        problem = disagreement(ours, theirs, but_places=but_places)
        if problem is not None:
            raise NotTheSame(problem)
        return theirs
    names = _names(ours, theirs)
    return replace(theirs, statements=tuple(map(names.of_statement, theirs.statements)))


def with_schedule(model: Description, ours: Description, scheduled: Description) -> Description:
    """`model` in its own names, with the schedule of `scheduled`, which is `ours` but for that;
    `ours` has the schedule of the source. Raises NotTheSame."""
    back = _names(ours, model).inverse()
    dates = {
        back.statements[one.name]: back.of_relation(one.schedule.intersect_domain(one.domain))
        for one in scheduled.statements
    }
    space = model.context.get_space()
    return replace(
        model,
        statements=tuple(
            replace(one, schedule=dates[one.name].align_params(space).gist_domain(one.domain))
            for one in model.statements
        ),
    )


def _names(ours: Description, theirs: Description) -> Names:
    names = corresponding_names(ours, theirs)
    if isinstance(names, str):
        raise NotTheSame(names)
    arrays = corresponding_arrays(ours, theirs, names)
    if not arrays.is_complete:
        others = ", ".join((*arrays.theirs_alone, *arrays.ours_alone))
        raise NotTheSame(f"{others} are not accessed alike")
    return names
