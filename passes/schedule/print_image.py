"""poly-print-image: the array elements that each SCoP touches, and loops that visit each once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import islpy as isl
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.ir.problem import problems_in
from polyopt.poly.isl.budget import BudgetExceeded
from polyopt.poly.isl.lists import maps
from polyopt.poly.loops.loop_text import loop_text
from polyopt.poly.scanning.bounds import Unbounded
from polyopt.poly.scanning.footprint import footprint, fresh_parameters, instances_with
from polyopt.poly.schedule_tree import TILE, Band, Mark, Member, Tree, UnsupportedTree, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class PolyPrintImagePass(ModulePass):
    """Print what is read and what is written of each array, as a set, and loops that visit each of
    its elements once (C. Ancourt, F. Irigoin, Scanning polyhedra with DO loops, PPoPP 1991).

    `arrays` are those to look at, all of them where none is named. `at`: what the "scop" touches,
    or one "tile", whose number is parameters t0, t1, …, one for each loop over tiles. An image that
    costs more than `operations` is shown as the box around it.

    // star: read by a tile
    //   [n, t0, t1] -> { A[i0, i1] : … }
    //   for (c0 = …; c0 < …; c0++) // parallel
    """

    name = "poly-print-image"

    arrays: tuple[str, ...] = ()
    at: Literal["scop", "tile"] = "scop"
    operations: int = 200_000

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        problems = list(problems_in(op))
        known = {array.name for problem in problems for array in problem.scop.arrays}
        for array in self.arrays:
            if array not in known:
                raise CompileError(f"{self.name}: no static control part has an array {array!r}")
        for problem in problems:
            self._print(problem.scop)

    def _print(self, scop: Scop) -> None:
        instances = scop.domain.intersect_params(scop.known)
        if self.at == "tile":
            try:
                members = list(_tile_members(read_tree(scop.schedule)))
            except UnsupportedTree as error:
                print(f"// {scop.name}: {error}")
                return
            if not members:
                print(f"// {scop.name}: no loops over tiles")
                return
            names = fresh_parameters(scop, len(members))
            functions = [member.function for member in members]
            instances = instances_with(instances, functions, names)
        for writes, verb in ((False, "read"), (True, "written")):
            accesses = scop.accesses(writes=writes).intersect_domain(instances)
            by_array: dict[str, list[isl.Map]] = {}
            for one in maps(accesses):
                by_array.setdefault(one.get_tuple_name(isl.dim_type.out) or "", []).append(one)
            for array in sorted(by_array):
                if not self.arrays or array in self.arrays:
                    print(f"// {scop.name}: {verb} by the {self.at}")
                    self._print_image(by_array[array])

    def _print_image(self, relations: list[isl.Map]) -> None:
        try:
            found = footprint(relations, self.operations)
            loops = loop_text(found.loops(), "//   ")
        except (BudgetExceeded, Unbounded) as reason:
            print(f"//   not known: {reason}")
            return
        print(f"//   {found.touched.coalesce()}" if found.exact else "//   in a box:")
        print(loops, end="")


def _tile_members(tree: Tree) -> Iterator[Member]:
    """Those of the outermost bands over tiles, as far as these stand directly inside each other."""
    match tree:
        case Mark(name, Band(members, child)) if name == TILE:
            yield from members
            yield from _tile_members(child)
        case Mark(_, child):
            yield from _tile_members(child)
        case _:
            return
