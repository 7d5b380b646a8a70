"""The checkers of all directives of OpenMP, each for its topic, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.checking.openmp.check_openmp_blocks import BlockChecker
from polyopt.frontend.checking.openmp.check_openmp_cancel import CancelChecker
from polyopt.frontend.checking.openmp.check_openmp_for import LoopChecker
from polyopt.frontend.checking.openmp.check_openmp_tasks import TaskChecker
from polyopt.frontend.checking.openmp.check_openmp_teams import TeamsChecker

if TYPE_CHECKING:
    from polyopt.frontend.checking.statements.check_statements import StatementChecker


def openmp_checker(checker: Checker, statements: StatementChecker) -> OpenMPChecker:
    """For the directives of one function."""
    directives = OpenMPChecker(checker, statements)
    loops = LoopChecker(directives)
    TaskChecker(directives, loops)
    BlockChecker(directives)
    CancelChecker(directives)
    TeamsChecker(directives)
    return directives
