"""What the program itself says that parameters are: what is passed for them, and what global
variables begin with.

    int n = 101, steps = 20;   void f(int n, int steps) { … }   … f(n, steps); …

Nothing is promised by that, for others may call `f`, and change `n`: it is what to expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects.cmem import AddressOfOp, GlobalOp, ViewOp
from polyopt.dialects.inside import operations_in
from polyopt.ir.effects import constant_integer
from polyopt.ir.objects.named_symbols import is_only_loaded
from polyopt.passes.judge.callers import Calls
from polyopt.support.core_model import CORE
from polyopt.support.record import entity

_WIDENED = (arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)


@entity
class PassedNumbers:
    module: ModuleOp
    calls: Calls

    def of(self, values: Iterable[SSAValue]) -> dict[SSAValue, int]:
        """Of those that are said to be more than one: what is 0 or 1 is given its value later, or
        is a switch."""
        found: dict[SSAValue, int] = {}
        for value in values:
            number = self._number(value, CORE.nests.callers)
            if number is not None and 1 < number <= CORE.assumed.largest:
                found[value] = number
        return found

    def _number(self, value: SSAValue, callers: int) -> int | None:
        while isinstance(value.owner, _WIDENED):
            value = value.owner.input
        number = constant_integer(value)
        if number is not None:
            return number
        if isinstance(value, BlockArgument):
            return self._passed(value, callers)
        return self._begun(value.owner) if isinstance(value.owner, memref.LoadOp) else None

    def _passed(self, argument: BlockArgument, callers: int) -> int | None:
        """The greatest number of all calls; None where one of them passes what nobody knows."""
        block = argument.owner
        function = block.parent_op()
        if not callers or not isinstance(function, func.FuncOp) or not _is_entry(block, function):
            return None
        calls = self.calls.get(function.sym_name.data, ())
        passed = [self._number(one.arguments[argument.index], callers - 1) for one in calls]
        known = [one for one in passed if one is not None]
        return max(known) if known and len(known) == len(passed) else None

    def _begun(self, load: memref.LoadOp) -> int | None:
        """What a global variable begins with, of one to which the module writes nothing else."""
        view = load.memref.owner
        if not isinstance(view, ViewOp) or not isinstance(view.source.owner, AddressOfOp):
            return None
        name = view.source.owner.symbol.root_reference.data
        data = self._first_bytes.get(name)
        if data is None or not isa(load.res.type, IntegerType) or name in self._written:
            return None
        return int.from_bytes(data, "little", signed=True)

    @cached_property
    def _first_bytes(self) -> Mapping[str, bytes]:
        """Of variables that are one number."""
        found: dict[str, bytes] = {}
        for one in self.module.ops:
            if isinstance(one, GlobalOp) and one.size.value.data in (4, 8):
                data = one.initial_bytes()
                if data is not None:
                    found[one.sym_name.data] = data
        return found

    @cached_property
    def _written(self) -> set[str]:
        """Those whose address goes elsewhere than to loads."""
        found: set[str] = set()
        for address in operations_in(self.module, AddressOfOp):
            name = address.symbol.root_reference.data
            if name in self._first_bytes and not is_only_loaded(address):
                found.add(name)
        return found


def _is_entry(block: Block, function: func.FuncOp) -> bool:
    return function.body.first_block is block
