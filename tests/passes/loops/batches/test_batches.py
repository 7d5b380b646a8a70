"""affine-batches against the loops that it replaces: bit by bit, and nothing else is written."""

import numpy as np
import pytest
from oracles.affine_native import apply, compile_affine, parse_affine
from xdsl.dialects import affine

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.passes.loops.batches.batches import AffineBatchesPass
from polyopt.passes.loops.batches.find_batch import find_batch, may_be_recurrence
from polyopt.passes.loops.batches.instances import instances_of
from polyopt.passes.loops.batches.one_problem import OneProblem
from polyopt.support.core_model import CORE

RNG = np.random.default_rng(3)
SIZES = [0, 1, 3, 4, 5, 8, 13]
FOUR = AffineBatchesPass(march="x86-64-v3", force=True)
ROW = "memref<?xf64>"
PITCH = 40
"""Elements of a problem, some of which nobody touches."""


def module_of(body: str) -> str:
    return f"""
    func.func @f(%n : index, %c : f64, %A : {ROW} {{llvm.noalias}}, %B : {ROW} {{llvm.noalias}},
                 %C : {ROW} {{llvm.noalias}}) {{
      affine.for %b = 0 to %n {{ {body} }}
      return
    }}"""


def at(array: str, place: str) -> str:
    """An element of the own part of A or B."""
    return f"%{array}[%b * {PITCH} + {place}] : {ROW}"


def loop(name: str, low: str, high: str, body: str) -> str:
    return f"affine.for %{name} = {low} to {high} {{ {body} }}"


def update(target: str, reads: list[str], op: str = "subf", p: str = "") -> str:
    """`target = (read op read op …) * c`."""
    text = [f"%{p}r{k} = affine.load {one}" for k, one in enumerate(reads)]
    total = f"%{p}r0"
    for k in range(1, len(reads)):
        text.append(f"%{p}t{k} = arith.{op} {total}, %{p}r{k} : f64")
        total = f"%{p}t{k}"
    text.append(f"%{p}y = arith.mulf {total}, %c : f64")
    return " ".join([*text, f"affine.store %{p}y, {target}"])


BEHIND = "affine_map<(d0) -> (d0 + 1)>(%k)"
BELOW = "affine_map<(d0) -> (d0)>(%k)"

TRIANGLE = loop(
    "k",
    "0",
    "6",
    update(at("A", "%k * 7"), [at("A", "%k * 7"), at("B", "%k")], p="d")
    + loop(
        "i",
        BEHIND,
        "6",
        update(at("A", "%i * 6 + %k"), [at("A", "%i * 6 + %k"), at("A", "%k * 7")], p="c")
        + loop(
            "j",
            BEHIND,
            "6",
            update(
                at("A", "%i * 6 + %j"),
                [at("A", "%i * 6 + %j"), at("A", "%i * 6 + %k"), at("A", "%k * 6 + %j")],
            ),
        ),
    ),
)
VARIABLE = loop(
    "k",
    "1",
    "6",
    update(f"%C[2] : {ROW}", [at("A", "%k")], p="s")
    + loop(
        "i",
        "0",
        BELOW,
        update(f"%C[2] : {ROW}", [f"%C[2] : {ROW}", at("A", "%i * 2"), at("B", "%i + %k")]),
    )
    + update(at("A", "%k * 2"), [f"%C[2] : {ROW}", at("A", "%k * 2 - 1")], p="e"),
)
ROW_OF_ITS_OWN = (
    update(f"%C[1] : {ROW}", [at("A", "0")], p="s")
    + loop("i", "1", "9", update(f"%C[%i + 1] : {ROW}", [at("A", "%i"), f"%C[%i] : {ROW}"], p="u"))
    + loop("k", "1", "9", update(at("B", "9 - %k"), [f"%C[10 - %k] : {ROW}", at("B", "10 - %k")]))
)
SHARED = loop(
    "k", "1", "5", update(at("A", "%k * 3"), [at("A", "%k * 3 - 3"), f"%C[%k] : {ROW}"], "addf")
)
SPARSE = loop("k", "1", "7", update(at("A", "%k * 5 + 2"), [at("A", "%k * 5 - 3"), at("B", "%k")]))
BACKWARD = loop(
    "k", "0", "10", update(at("A", "18 - %k"), [at("A", "19 - %k"), at("B", "%k"), at("B", "3")])
)


def where(condition: str, places: str, then: str, orelse: str = "") -> str:
    """Of two places: the condition in terms of d0 and d1, which are these."""
    rest = f"{orelse} affine.yield" if orelse else ""
    return (
        f'"affine.if"({places}) <{{condition = affine_set<(d0, d1) : ({condition})>}}> '
        f"({{ {then} affine.yield }}, {{ {rest} }}) : (index, index) -> ()"
    )


DIAGONAL_APART = loop(
    "i",
    "0",
    "5",
    loop(
        "j",
        "0",
        "affine_map<(d0) -> (d0 + 1)>(%i)",
        update(f"%C[2] : {ROW}", [at("A", "%i * 6 + %j"), at("A", "%j * 7")], p="s")
        + where(
            "d0 - d1 == 0",
            "%i, %j",
            update(at("A", "%i * 7"), [f"%C[2] : {ROW}", at("A", "%i * 7")], p="d"),
            update(at("A", "%i * 6 + %j"), [f"%C[2] : {ROW}", at("A", "%j * 7")], p="e"),
        ),
    ),
)
LOOPS_BEHIND_A_TEST = loop(
    "i",
    "1",
    "8",
    where(
        "d0 - 3 >= 0, 6 - d1 >= 0",
        "%i, %i",
        loop("k", "0", "3", update(at("A", "%i"), [at("A", "%i"), at("A", "%i - 1")])),
    )
    + update(at("B", "%i"), [at("A", "%i"), at("A", "%i - 1")], p="e"),
)

SHAPES = {
    "a diagonal of its own": DIAGONAL_APART,
    "loops behind a test": LOOPS_BEHIND_A_TEST,
    "a triangle of a square": TRIANGLE,
    "a variable of each iteration": VARIABLE,
    "a row of each iteration": ROW_OF_ITS_OWN,
    "what all of them read": SHARED,
    "elements with gaps": SPARSE,
    "backward": BACKWARD,
}


def is_applied(text: str, each: AffineBatchesPass = FOUR) -> bool:
    return "vector<" in str(apply(parse_affine(text), [each]))


def check_equal(text: str, each: AffineBatchesPass) -> None:
    wanted = compile_affine(text, march=each.march)
    got = compile_affine(text, [each], march=each.march)
    for n in SIZES:
        arrays = [RNG.random((n + 1) * PITCH) for _ in range(3)]
        results = [[array.copy() for array in arrays] for _ in range(2)]
        wanted(n, 0.75, *results[0])
        got(n, 0.75, *results[1])
        for expected, result in zip(*results, strict=True):
            np.testing.assert_array_equal(result, expected, err_msg=str(n))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_bits(shape: str):
    text = module_of(SHAPES[shape])
    assert is_applied(text)
    check_equal(text, FOUR)


@pytest.mark.parametrize("shape", ["a triangle of a square", "a row of each iteration"])
def test_the_same_bits_on_this_machine(shape: str):
    check_equal(module_of(SHAPES[shape]), AffineBatchesPass(force=True))


REFUSED = {
    "a problem reads what the one before has written": loop(
        "k", "1", "5", update(at("A", "%k"), [at("A", f"%k - {PITCH + 1}"), at("A", "%k - 1")])
    ),
    "problems overlap": loop(
        "k", "1", f"{PITCH + 5}", update(at("A", "%k"), [at("A", "%k - 1"), at("B", "3")])
    ),
    "a variable goes from one to the next": update(
        f"%C[0] : {ROW}", [f"%C[0] : {ROW}", at("A", "0")], p="s"
    )
    + loop("k", "1", "5", update(at("A", "%k"), [at("A", "%k - 1"), f"%C[0] : {ROW}"])),
    "nothing waits for itself": loop("k", "1", "5", update(at("A", "%k"), [at("B", "%k - 1")])),
    "a sum waits only for itself": loop("k", "1", "5", update(at("A", "0"), [at("A", "0")])),
    "how long it runs is not known": loop(
        "k", "1", "%n", update(at("A", "%k"), [at("A", "%k - 1")])
    ),
    "the problems' number chooses a branch": loop(
        "k",
        "1",
        "5",
        where("d0 - d1 >= 0", "%b, %k", update(at("A", "%k"), [at("A", "%k - 1")])),
    ),
    "a branch divides": loop(
        "k",
        "1",
        "5",
        where("d0 floordiv 2 - 1 >= 0", "%k, %k", update(at("A", "%k"), [at("A", "%k - 1")])),
    ),
    "what is written in gaps is not all of a row": loop(
        "k",
        "1",
        "5",
        update(f"%C[%k * 2] : {ROW}", [at("A", "%k")], p="s")
        + update(at("A", "%k"), [at("A", "%k - 1"), f"%C[%k * 2] : {ROW}"]),
    ),
}


@pytest.mark.parametrize("shape", REFUSED)
def test_refused(shape: str):
    assert not is_applied(module_of(REFUSED[shape]))


def test_arrays_that_may_overlap():
    text = module_of(SPARSE).replace("{llvm.noalias}", "")
    assert not is_applied(text)


def test_too_many_instances():
    many = CORE.batches.most_instances + 1
    shape = loop("i", "0", f"{many}", SPARSE)
    module = parse_affine(module_of(shape))
    around = next(op for op in module.walk() if op.name == "affine.for")
    assert find_batch(around) is None  # type: ignore[arg-type]


def test_iterations_are_counted_as_they_would_run():
    """By loops inside whose bounds those around them move, and up to what is wanted to know."""
    block = _around(TRIANGLE).body.block
    count = sum(1 + sum(1 + (5 - k) for _ in range(k + 1, 6)) for k in range(6))
    assert instances_of(block, {}, count) == count
    assert instances_of(block, {}, count - 1) is None
    block = _around(REFUSED["how long it runs is not known"]).body.block
    assert instances_of(block, {}, count) is None


def test_iterations_behind_a_test_are_counted_where_it_holds():
    block = _around(LOOPS_BEHIND_A_TEST).body.block
    count = sum(1 + (3 if 3 <= i <= 6 else 0) for i in range(1, 8))
    assert instances_of(block, {}, count) == count
    assert instances_of(block, {}, count - 1) is None
    block = _around(REFUSED["the problems' number chooses a branch"]).body.block
    assert instances_of(block, {}, 100) == 4


@pytest.mark.parametrize("shape", [*SHAPES, *REFUSED])
def test_what_cannot_be_a_recurrence_is_none(shape: str):
    """What is asked of arrays never denies what is found of elements."""
    around = _around((SHAPES | REFUSED)[shape])
    problem = OneProblem(AffineLoop(around), CORE.batches.most_instances)
    is_one = problem.run() and problem.is_recurrence()
    assert may_be_recurrence([op for op in around.walk() if op is not around], around) >= is_one


@pytest.mark.parametrize("shape", SHAPES)
def test_private_arrays_have_an_order(shape: str):
    """That of a set would be that of addresses, and the code another each time."""
    batch = find_batch(_around(SHAPES[shape]))
    assert batch is not None
    assert isinstance(batch.private, tuple)
    assert batch.private == tuple(one for one in batch.problem.seen if one in batch.private)


@pytest.mark.parametrize("shape", ["nothing waits for itself", "a sum waits only for itself"])
def test_without_a_recurrence_nothing_is_run(shape: str):
    around = _around(REFUSED[shape])
    assert not may_be_recurrence([op for op in around.walk() if op is not around], around)


def _around(shape: str) -> affine.ForOp:
    module = parse_affine(module_of(shape))
    return next(op for op in module.walk() if isinstance(op, affine.ForOp))


def test_too_much_room():
    """Copies that are too large are not made, but by force."""
    long = loop(
        "k", "1", "7000", update("%A[%b * 8000 + %k] : " + ROW, ["%A[%b * 8000 + %k - 1] : " + ROW])
    )
    assert is_applied(module_of(long))
    assert not is_applied(module_of(long), AffineBatchesPass(march="x86-64-v3"))
