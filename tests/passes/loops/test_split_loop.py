"""Innermost loops as several: which stores belong together, and what the parts keep."""

import cProfile

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import affine
from xdsl.dialects.builtin import UnitAttr

from polyopt.dialects.loop_facts import LOOP, LoopFacts, stated
from polyopt.passes.loops.split_loop import split_loop

VECTOR = "memref<?xf64>"
NAMES = "%A %B %C %D".split()


def loop_of(body: str, inits: str = "") -> affine.ForOp:
    arguments = ", ".join(f"{name} : {VECTOR} {{llvm.noalias}}" for name in NAMES)
    module = parse_affine(f"""
    func.func @f(%n : index, %f : f64, %i1 : i1, {arguments}) {{
      affine.for %i = 0 to %n {{ {body} }}
      return
    }}""")
    return next(op for op in module.walk() if isinstance(op, affine.ForOp))


def stored(loop: affine.ForOp) -> list[str]:
    stores = [op for op in loop.body.block.ops if isinstance(op, affine.StoreOp)]
    return [f"%{store.memref.name_hint}" for store in stores]


def load(name: str, array: str, at: str = "%i") -> str:
    return f"{name} = affine.load {array}[{at}] : {VECTOR}\n"


def store(value: str, array: str, at: str = "%i") -> str:
    return f"affine.store {value}, {array}[{at}] : {VECTOR}\n"


@pytest.mark.parametrize(
    ("body", "parts"),
    [
        (store("%f", "%A") + store("%f", "%B"), [["%A"], ["%B"]]),
        (load("%x", "%C") + store("%x", "%A") + store("%x", "%B"), [["%A"], ["%B"]]),
        (store("%f", "%A") + store("%f", "%A", "%i + 1"), []),
        (load("%x", "%A") + store("%x", "%B") + store("%f", "%A"), []),
        (store("%f", "%A") + load("%x", "%A") + store("%x", "%B"), []),
        (
            load("%x", "%A") + store("%x", "%B") + store("%f", "%A") + store("%f", "%D"),
            [["%B", "%A"], ["%D"]],
        ),
        (
            store("%f", "%A")
            + store("%f", "%B")
            + load("%x", "%A")
            + load("%y", "%B")
            + "%z = arith.addf %x, %y : f64\n"
            + store("%z", "%C"),
            [],
        ),
        (store("%f", "%A"), []),
        (store("%f", "%A") + store("%f", "%B") + "scf.if %i1 { scf.yield }\n", []),
    ],
)
def test_stores_that_meet_stay_together(body: str, parts: list[list[str]]):
    found = split_loop(loop_of(body))
    assert sorted(map(sorted, map(stored, found))) == sorted(map(sorted, parts))


def test_each_part_has_what_it_needs_and_no_more():
    body = load("%x", "%C") + "%y = arith.addf %x, %f : f64\n" + store("%y", "%A")
    first, second = split_loop(loop_of(body + load("%z", "%D") + store("%z", "%B")))
    names = [[op.name for op in part.body.block.ops] for part in (first, second)]
    assert names == [
        ["affine.load", "arith.addf", "affine.store", "affine.yield"],
        ["affine.load", "affine.store", "affine.yield"],
    ]


def test_what_is_said_of_the_whole_loop_is_not_said_of_its_parts():
    loop = loop_of(store("%f", "%A") + store("%f", "%B"))
    loop.attributes |= {**stated(LoopFacts("parallel")), "other": UnitAttr()}
    parts = split_loop(loop)
    assert [set(part.attributes) for part in parts] == [{"other"}, {"other"}]
    assert set(loop.attributes) == {LOOP, "other"}


def test_what_is_used_twice_is_looked_at_once():
    """2**n ways lead from the store to the load."""

    def calls(n: int) -> int:
        doubled = "".join(f"%x{k + 1} = arith.addf %x{k}, %x{k} : f64\n" for k in range(n))
        loop = loop_of(load("%x0", "%C") + doubled + store(f"%x{n}", "%A") + store("%f", "%B"))
        profile = cProfile.Profile()
        parts = profile.runcall(split_loop, loop)
        assert list(map(stored, parts)) == [["%A"], ["%B"]]
        return sum(one.callcount for one in profile.getstats())

    assert calls(16) < 3 * calls(8)
