"""Passes run one after the other: timed, watched and verified, and defects named by their pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from polyopt.pass_needs import is_silent_without, need_of, operations_of
from polyopt.pipeline import ON_SCOPS
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import Effort, effort
from polyopt.support.record import record
from polyopt.support.timing import timed
from polyopt.universe import PASSES

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from polyopt.ir.checks.module_check import ModuleCheck
    from polyopt.ir.checks.scop_check import ScopCheck


class InvalidModule(Exception):
    """A pass has left a module that is not valid: a defect of ours. Nothing may be made of it."""


@record
class Watch:
    """What is looked at between the passes: `verify` checks the module after each one, dominance
    included; `before` and `after` are called with the name of the pass that will run, or has run.
    Static control parts are always verified, since an access that no relation describes would be
    moved about unseen."""

    verify: bool = False
    before: Callable[[str, ModuleOp], None] | None = None
    after: Callable[[str, ModuleOp], None] | None = None


@record
class LaterPass:
    """A pass that is loaded and made when it runs, and only then: not where a module has nothing
    of what it is about."""

    name: str
    make: Callable[[], ModulePass]

    def __str__(self) -> str:
        return str(self.make())


def run_passes(
    module: ModuleOp,
    context: Context,
    passes: Sequence[ModulePass | LaterPass],
    watch: Watch = Watch(),
    account: Effort | None = None,
) -> None:
    """Apply the passes in order; an exception that is a defect names the pass it came from. All
    of them together have one effort: a new one, or what those before them have left of one."""
    verification, contents = _Verification(watch.verify), _Contents(module)
    with effort(account=account):
        for item in passes:
            if isinstance(item, LaterPass):
                made = None if contents.have_nothing_for(item.name) else _made(item)
            else:
                made = item
            _run_pass(module, context, made or item.name, watch, verification)
            contents.may_have_changed |= made is not None


def _made(item: LaterPass) -> ModulePass:
    with timed("load the passes"):
        return item.make()


class _Contents:
    """What passes are about, and whether it is in the module: what is there may go again, but what
    is not comes only by another pass."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._names: frozenset[str] | None = None
        self.may_have_changed = False

    def have_nothing_for(self, name: str) -> bool:
        """Whether the named pass would leave no trace."""
        need = need_of(name)
        if need is None or not is_silent_without(name):
            return False
        if self._names is not None and need.is_met(self._names):
            return False
        if self._names is None or self.may_have_changed:
            self._names = operations_of(self._module)
            self.may_have_changed = False
        return not need.is_met(self._names)


def _run_pass(
    module: ModuleOp,
    context: Context,
    item: ModulePass | str,
    watch: Watch,
    verification: _Verification,
) -> None:
    """The pass, or no more than what is looked at around one of that name."""
    name = item if isinstance(item, str) else item.name
    if watch.before is not None:
        watch.before(name, module)
    if not isinstance(item, str):
        try:
            with timed(name):
                item.apply(context, module)
            verification.check(module, name)
        except Exception as error:
            error.add_note(f"in pass {name}")
            raise
    if watch.after is not None:
        watch.after(name, module)


class _Verification:
    def __init__(self, all_of_it: bool):
        self._all_of_it = all_of_it
        self._check: ModuleCheck | ScopCheck | None = None

    def check(self, module: ModuleOp, name: str) -> None:
        """Raise InvalidModule where what the named pass leaves is not valid."""
        if not self._all_of_it and name not in ON_SCOPS:
            return
        from xdsl.utils.exceptions import VerifyException

        from polyopt.ir.checks.module_check import ModuleCheck
        from polyopt.ir.checks.scop_check import ScopCheck

        self._check = self._check or (ModuleCheck() if self._all_of_it else ScopCheck())
        try:
            with timed("verify"):
                self._check.check(module)
        except VerifyException as error:
            way_out = "-fno-poly leaves the loops as they are"
            raise InvalidModule(f"it leaves an invalid module: {error}; {way_out}") from error


def check_pass_names(names: Sequence[str]) -> None:
    """Raise CompileError for a name that neither a pass of polyopt's has nor "all"."""
    for name in names:
        if name not in PASSES and name != "all":
            from difflib import get_close_matches

            close = get_close_matches(name, PASSES, n=1)
            known = f"did you mean '{close[0]}'?" if close else "--list-passes has the names"
            raise CompileError(f"unknown pass '{name}'", hint=known)
