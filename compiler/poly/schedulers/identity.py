"""The identity scheduler: the order that the programmer wrote."""

from __future__ import annotations

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop


def schedule_identity(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    return scop.schedule
