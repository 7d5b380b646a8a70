"""Schedule trees from isl and back."""

import islpy as isl

from polyopt.poly.schedule_tree import Band, Leaf, build_schedule, read_tree


def test_bands_without_members_are_left_out():
    schedule = isl.Schedule.read_from_str(
        isl.DEFAULT_CONTEXT,
        '{ domain: "{ S[i] : 0 <= i < 4 }", child: { schedule: "[]", '
        'child: { schedule: "[{ S[i] -> [(-i)] }]", child: { schedule: "[]" } } } }',
    )
    tree = read_tree(schedule)
    assert isinstance(tree, Band)
    assert len(tree.members) == 1
    assert isinstance(tree.child, Leaf)
    domain = schedule.get_domain()
    again = build_schedule(domain, tree).get_map().intersect_domain(domain)
    assert again.is_equal(isl.UnionMap("{ S[i] -> [-i] : 0 <= i < 4 }"))
