"""Pluto's schedule, by the program: OpenScop goes in, OpenScop comes out.

U. Bondhugula, A. Hartono, J. Ramanujam, P. Sadayappan, A practical automatic polyhedral program
optimization system, PLDI 2008; T. Grosser, Enabling polyhedral optimizations in LLVM, 2011, §6.4,
where the same goes on behind -fpluto. A `pluto` (or `polycc`, which calls one) that is on the PATH
reads the SCoP from standard input when its file is called "stdin", and writes it with its own
scatterings. It is asked not to tile, which would give statements other domains: its bands are
found again, and tiled here (`--poly=pluto+tile`). Nothing is believed: what comes back has to be
the same SCoP, and its order legal.
"""

from __future__ import annotations

import shutil
import subprocess

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.dependences import Dependences
from polyopt.poly.exchange.adoption import NotTheSame, adopted
from polyopt.poly.exchange.dates import NoDates, clan_dates_of, tree_of
from polyopt.poly.exchange.openscop_scop import description_of, openscop_of
from polyopt.poly.exchange.openscop_text import openscop_text, parse_openscop
from polyopt.poly.exchange.own_scop import describe
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.schedule_tree import UnsupportedTree, build_schedule
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.noted import note_unrepeatable
from polyopt.support.remarks import remark

PROGRAMS = ("pluto", "polycc")
FLAGS = ("--readscop", "--notile", "--noparallel", "--silent")
SECONDS = 60.0
_BEGIN, _END = "<OpenScop>", "</OpenScop>"
_FILE = "<pluto>"


def schedule_with_pluto(
    scop: Scop, dependences: Dependences, options: SchedulerOptions
) -> isl.Schedule:
    """Raises CompileError where there is no program, or it does not give a SCoP."""
    note_unrepeatable("another program chooses the order")
    domains = {one.name: one.domain for one in scop.statements}
    try:
        dates = clan_dates_of(scop.schedule, domains)
    except UnsupportedTree as error:
        remark("missed", "schedule-failed", f"nothing for Pluto: {error}", scop.span)
        return scop.schedule
    ours = describe(scop, {array.name: "double" for array in scop.arrays})
    iterators = {one.name: one.iterators for one in scop.statements}
    answer = _ask(openscop_text(openscop_of(ours, dates, iterators)), scop.name)
    found = parse_openscop(answer, _FILE)
    labels = [f"{name}'" for name in domains]
    if len(labels) != len(found.statements):
        raise CompileError(f"Pluto gives SCoP '{scop.name}' another number of statements")
    try:
        with budget("reading Pluto's schedule", options.operations):
            same = adopted(description_of(found, _FILE, labels), ours)
            known = {name: domain.intersect_params(scop.known) for name, domain in domains.items()}
            tree = tree_of(known, {one.name: one.schedule for one in same.statements})
            tree = merge_bands(tree, TreePosition((), dependences.validity))
            return build_schedule(scop.domain, tree)
    except NotTheSame as error:
        raise CompileError(f"Pluto gives another SCoP than '{scop.name}': {error}") from None
    except NoDates as error:
        raise CompileError(f"Pluto gives SCoP '{scop.name}' no schedule: {error}") from None
    except BudgetExceeded:
        remark("missed", "schedule-budget", "Pluto's order costs too much to read", scop.span)
        return scop.schedule


def _ask(text: str, name: str) -> str:
    program = next((path for one in PROGRAMS if (path := shutil.which(one))), None)
    if program is None:
        raise CompileError(
            f"there is no {' and no '.join(PROGRAMS)} on the PATH",
            hint="--poly=isl+tile is a scheduler like Pluto's, and built in",
        )
    try:
        done = subprocess.run(
            [program, *FLAGS, "stdin"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise CompileError(f"{program} takes more than {SECONDS:g} s for SCoP '{name}'") from None
    except OSError as error:
        raise CompileError(f"{program}: {error.strerror}") from None
    begin, end = done.stdout.find(_BEGIN), done.stdout.find(_END)
    if done.returncode or begin < 0 or end < begin:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        status = f"with status {done.returncode}" if done.returncode else "without a SCoP"
        raise CompileError(f"{program} ends {status} for SCoP '{name}': {said}")
    return done.stdout[begin : end + len(_END)] + "\n"
