"""A scheduler in 30 lines: rows before columns.

To walk along an array's rows is cheap and across them is dear. Of two loops, the one in which
fewer accesses go to another row with every iteration becomes the inner one.
"""

import islpy as isl

from polyopt import api


def schedule_far_first(
    scop: api.Scop, dependences: api.Dependences, options: api.SchedulerOptions
) -> isl.Schedule:
    """The SCoP's own order, or with its two outer loops in each other's place. polyopt checks what
    is returned: an order that breaks a dependence is dropped, and a remark says so."""
    tree = api.single_loops(api.read_tree(scop.schedule))
    try:
        swapped = api.interchange(tree, (), (0,))
    except api.CannotTransform:
        return scop.schedule
    order = api.build_schedule(scop.domain, swapped)
    pays = far_accesses(scop, swapped) < far_accesses(scop, tree)
    return order if pays and api.is_legal(scop, dependences, order) else scop.schedule


def far_accesses(scop: api.Scop, tree: api.Tree) -> int:
    """How many accesses go to another row with each iteration of the innermost loops."""
    matrices = api.AccessMatrices(scop)
    count = 0
    for statement in scop.statements:
        steps = api.steps_of(statement.name, api.members_below(tree, statement.name))
        for access in statement.accesses if steps else ():
            count += matrices.stride(statement.name, access, steps[-1]) == "far"
    return count
