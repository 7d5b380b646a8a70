"""The checkers of all directives of OpenMP, each for its topic, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyopt.frontend.check_openmp import OpenMPChecker
from polyopt.frontend.check_openmp_blocks import BlockChecker
from polyopt.frontend.check_openmp_cancel import CancelChecker
from polyopt.frontend.check_openmp_for import LoopChecker
from polyopt.frontend.check_openmp_tasks import TaskChecker
from polyopt.frontend.check_openmp_teams import TeamsChecker
from polyopt.frontend.checker import Checker

if TYPE_CHECKING:
    from polyopt.frontend.check_statements import StatementChecker


def openmp_checker(checker: Checker, statements: StatementChecker) -> OpenMPChecker:
    """For the directives of one function."""
    directives = OpenMPChecker(checker, statements)
    loops = LoopChecker(directives)
    TaskChecker(directives, loops)
    BlockChecker(directives)
    CancelChecker(directives)
    TeamsChecker(directives)
    return directives
