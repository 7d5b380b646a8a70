"""Code size and control overhead, counted by hand."""

from polyopt.poly.cost.loop_cost import CodeSize, code_size, control
from polyopt.poly.loops.loop_tree import (
    Branch,
    Compare,
    Const,
    FloorDiv,
    Instance,
    Loop,
    Min,
    Name,
    Product,
    Sum,
)

# for (i = 0; i < min(n, 5); i++) for (j = 0; j < floor(i / 2); j++) if (j - 1 >= 0) S(2 * j);
NEST = (
    Loop(
        "i",
        Const(0),
        Min((Name("n"), Const(5))),
        1,
        (
            Loop(
                "j",
                Const(0),
                FloorDiv(Name("i"), 2),
                1,
                (
                    Branch(
                        Compare(Sum((Name("j"), Const(-1)))),
                        (Instance("S", (Product(2, Name("j")),)),),
                    ),
                ),
            ),
        ),
    ),
)


def test_size():
    """One minimum, one division, one sum and comparison, one product."""
    assert code_size(NEST) == CodeSize(loops=2, branches=1, instances=1, operations=5)


def test_control():
    """i = 0 ... 3 with 0, 0, 1, 1 iterations of j, all of them j = 0; i = 4 with j = 0, 1."""
    cost = control(NEST, {"n": 9})
    assert (cost.starts, cost.empty, cost.iterations) == (6, 2, 5 + 4)
    assert (cost.tests, cost.instances) == (4, 1)
    assert cost.work == 1 + 5 * 1 + 4 * 2 + 1
