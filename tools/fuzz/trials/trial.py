"""One program in one configuration: compiled and run in this process, and compared.

The passes that configurations begin with are run once for those that have them in common
(`Prepared`); what differs is done in a child, which works on its own copy by being a fork. Each
outcome has one of `VERDICTS`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.backend.loaded.jit import NativeCode, load_objects
from polyopt.dialects.loop_facts import facts_of
from polyopt.driver.options.flags import read_settings
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.check_runtime import CheckFailed, Examiner, runtime_object
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.driver.units.module_texts import make_context
from polyopt.driver.units.room_options import pipeline_options
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import Unit, object_code, parse
from polyopt.ir.problem import copy_known, problems_in
from polyopt.pass_runs import Watch, run_passes
from polyopt.passes.exchange.exchange_files import Unsayable
from polyopt.pipeline import make_pass, steps_between
from polyopt.pipeline_options import LEVELS
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.effort import UNIT, Effort, effort
from polyopt.support.record import entity, record
from polyopt.support.remarks import Remarks, collect_remarks
from polyopt.tools.children import Limits, Outcome, Say, in_child, without_trace
from polyopt.tools.errors import explain
from polyopt.tools.fuzz.programs.layouts import DrawLayouts
from polyopt.tools.fuzz.programs.program import Program
from polyopt.tools.fuzz.trials.configurations import Configuration
from polyopt.tools.fuzz.trials.harness import Harness, Memory
from polyopt.tools.fuzz.trials.permute import permute_files
from polyopt.tools.fuzz.trials.reference import compare, compare_loosely, is_stable
from polyopt.tools.fuzz.trials.steps import DrawSteps

VERDICTS = (
    *("same", "refused", "unstable"),
    *("different", "internal error", "error", "crash", "hang", "memory"),
    *("half a file", "no message"),
)
FINDINGS = frozenset(VERDICTS[3:])
"""Those that are defects: of the compiler, or of this tool."""


@record
class TrialVerdict:
    """`what` says more of it; `became` counts what the compiler did; `script` are the steps."""

    name: str
    what: str = ""
    became: dict[str, int] = field(default_factory=dict[str, int])
    script: str = ""
    seconds: float = 0.0

    @property
    def is_finding(self) -> bool:
        return self.name in FINDINGS


@record
class Stage:
    """A module as it was parsed, or behind the pass that finds SCoPs (`is_found`), and what the
    passes up to there did and spent, with what it takes to ask what depends on what."""

    unit: Unit
    is_found: bool = False
    spent: Effort | None = None
    became: Counter[str] = field(default_factory=Counter[str])


@entity
class Prepared:
    """A program's module as it was parsed, and what is right; and where several configurations
    begin with the same passes, the module behind these, with what depends on what."""

    program: Program
    expected: Sequence[Sequence[Memory]]
    source: Unit
    stages: dict[tuple[str, ...], Stage] = field(default_factory=dict[tuple[str, ...], Stage])

    @classmethod
    def of(
        cls,
        program: Program,
        expected: Sequence[Sequence[Memory]],
        flags: Sequence[str],
        configurations: Sequence[Configuration] = (),
        say: Say = lambda _: None,
    ) -> Prepared:
        """`flags` are those that the front end knows."""
        say("parse")
        unit = parse(Source("program.c", program.text), read_settings(list(flags)), SourceMap())
        prepared = cls(program, expected, unit)
        shared = Counter(_first_passes(one) for one in configurations)
        for one in configurations:
            key = _first_passes(one)
            if shared[key] > 1 and key not in prepared.stages:
                say(f"detect SCoPs as {' '.join(one.words)}")
                prepared.stages[key] = _stage(unit, one)
        return prepared

    def stage(self, configuration: Configuration) -> Stage:
        """The latest that the configuration shares with others, as its own settings have it."""
        stage = self.stages.get(_first_passes(configuration), Stage(self.source))
        settings = read_settings(list(configuration.flags))
        return replace(stage, unit=replace(stage.unit, settings=settings))


def _stage(unit: Unit, configuration: Configuration) -> Stage:
    """The parsed module behind the passes that find its SCoPs, what depends on what in these
    known."""
    passes = _passes(_first_settings(configuration), configuration, "poly", until=FINDS)
    module, spent = unit.module.clone(), Effort(UNIT)
    with collect_remarks() as remarks:
        run_passes(module, make_context(), passes, Watch(verify=True), spent)
        with effort(account=spent):
            for _ in problems_in(module):
                pass
    found = replace(unit, module=module)
    return Stage(found, is_found=True, spent=spent, became=_became(remarks))


def _first_passes(configuration: Configuration) -> tuple[str, ...]:
    """The passes up to the one that finds SCoPs, with their options."""
    passes = _passes(_first_settings(configuration), configuration, "poly", until=FINDS)
    return tuple(str(one) for one in passes)


def _first_settings(configuration: Configuration) -> Settings:
    """Those under which it is compiled, but for the names of the files that will order it."""
    settings = read_settings(list(configuration.flags))
    if configuration.steps is not None:
        return replace(settings, script="")
    if configuration.form is not None:
        return replace(settings, imports=(configuration.form, ""), poly=None)
    return settings


def try_configuration(
    prepared: Prepared, configuration: Configuration, folder: Path, limits: Limits
) -> TrialVerdict:
    """Compile and run in a child."""
    outcome = in_child(lambda say: _try(prepared, configuration, folder, say), limits)
    return verdict_of(outcome)


def verdict_of(outcome: Outcome) -> TrialVerdict:
    """What an ending of the child means."""
    phase = f" ({outcome.phase})" if outcome.phase else ""
    match outcome.ending:
        case "returned":
            return TrialVerdict(**outcome.value, seconds=outcome.seconds)
        case "raised":
            return TrialVerdict("internal error", signature(outcome.detail) + phase)
        case "slow":
            return TrialVerdict("hang", f"{outcome.detail}{phase}")
        case "large":
            return TrialVerdict("memory", f"{outcome.detail}{phase}")
        case _:
            return TrialVerdict("crash", f"{outcome.detail}{phase}")


def signature(trace: str) -> str:
    """The exception and the innermost place of polyopt's that it went through."""
    lines = trace.strip().splitlines()
    places = re.findall(
        r'File "[^"]*?((?:compiler|dialects|passes)/[\w/]+\.py)", line (\d+)', trace
    )
    place = f" at {places[-1][0]}:{places[-1][1]}" if places else ""
    last = next(
        (s for s in reversed(lines) if re.match(r"[\w.]+(Error|Exception|:)", s)), lines[-1]
    )
    return f"{last[:200]}{place}"


def _try(
    prepared: Prepared, configuration: Configuration, folder: Path, say: Say
) -> dict[str, Any]:
    from xdsl.utils.exceptions import DiagnosticException

    script = ""
    with collect_remarks() as remarks:
        became = Counter[str]()
        try:
            stage = prepared.stage(configuration)
            became.update(stage.became)
            unit, script = compile_stage(stage, configuration, folder, say, became)
            became.update(f"step: {line.split()[0]}" for line in _steps_in(script))
            say("LLVM")
            code = _loaded(unit)
        except (CompileError, DiagnosticException) as error:
            return {"name": "error", "what": explain(error) or str(error), "script": script}
    became.update(_became(remarks))
    say("run")
    name, what = _compare(prepared, configuration, code)
    return {"name": name, "what": what, "became": dict(became), "script": script}


def _steps_in(script: str) -> list[str]:
    return [line for line in script.splitlines() if line and not line.startswith("scop ")]


def _loaded(unit: Unit) -> NativeCode:
    """Its code, with what it calls."""
    objects = [object_code(unit)]
    if unit.settings.check:
        objects.append(runtime_object(for_program=False))
    threads = chosen_runtime(unit.settings)
    if threads is not None:
        threads.load()
    return load_objects(objects)


def compile_unit(
    unit: Unit, configuration: Configuration, folder: Path, say: Say
) -> tuple[Unit, str]:
    """The parsed module lowered as the configuration says, and the script that it was done by."""
    return compile_stage(Stage(unit), configuration, folder, say, Counter())


def compile_stage(
    stage: Stage, configuration: Configuration, folder: Path, say: Say, became: Counter[str]
) -> tuple[Unit, str]:
    """The rest of it; `became` counts what is made."""
    stage, script = _with_schedule(stage, configuration, folder, say)
    stage = _with_layouts(stage, configuration, say)
    watch = Watch(verify=stage.unit.settings.verify_each)
    return _lower(stage, configuration, say, watch, became).unit, script


def _with_schedule(
    stage: Stage, configuration: Configuration, folder: Path, say: Say
) -> tuple[Stage, str]:
    """The stage with settings that name a script or files to import, made for it, in forks: isl
    keeps what it has found out of a set, and what costs less the second time may be done where it
    was not at first, within the same budget."""
    settings = stage.unit.settings
    if configuration.steps is not None:
        say("draw steps")
        # With a script of no steps the passes before and behind are those that it will meet.
        steps = configuration.steps
        copy = _copy(stage, replace(settings, script=""))

        def draw() -> list[str]:
            drawing = DrawSteps(steps, settings.parallel is not None)
            _lower(copy, configuration, say, level="schedule", then=(drawing,))
            return drawing.found

        script = "\n".join([*without_trace(draw), ""])
        path = folder / "script.steps"
        path.write_text(script, encoding="utf-8")
        return _as(stage, replace(settings, schedule=str(path))), script
    if configuration.form is not None:
        say("export")
        place = folder / configuration.form
        base = "isl" if configuration.permutation % 2 else "identity"
        exporting = replace(
            settings, poly=base, exports=((configuration.form, str(place)),), tile_sizes=()
        )
        copy = _copy(stage, exporting)

        def export() -> bool:
            try:
                _lower(copy, configuration, say, level="schedule")
                return place.exists()  # or there are no SCoPs
            except Unsayable:
                return False

        if not without_trace(export):
            return _as(stage, replace(settings, poly="identity")), ""
        importing = replace(settings, imports=(configuration.form, str(place)), poly=None)
        say("permute")
        for text in permute_files(place, configuration.form, configuration.permutation):
            try:
                copy = _copy(stage, importing)
                return _lower(copy, configuration, say, level="schedule"), text
            except CompileError:
                continue  # no legal schedule: the next is nearer to what was exported
        return _as(stage, importing), ""
    return stage, ""


def _with_layouts(stage: Stage, configuration: Configuration, say: Say) -> Stage:
    """The stage with settings that ask for other layouts, made for it."""
    if configuration.layouts is None:
        return stage
    say("draw layouts")
    settings = stage.unit.settings
    seed, copy = configuration.layouts, _copy(stage, settings)

    def draw() -> list[str]:
        drawing = DrawLayouts(seed)
        _lower(copy, configuration, say, level="poly", then=(drawing,))
        return drawing.found

    with collect_remarks():  # of what is only tried
        texts = without_trace(draw)
    added = tuple(("poly", text) for text in texts)
    return _as(stage, replace(settings, added_passes=(*settings.added_passes, *added)))


def _copy(stage: Stage, settings: Settings) -> Stage:
    unit = replace(stage.unit, module=copy_known(stage.unit.module), settings=settings)
    return replace(stage, unit=unit)


def _as(stage: Stage, settings: Settings) -> Stage:
    return replace(stage, unit=replace(stage.unit, settings=settings))


FINDS = "detect-scops"
"""The pass behind which nothing is shared."""


def _passes(
    settings: Settings,
    configuration: Configuration,
    level: str,
    begin: str = LEVELS[0],
    until: str | None = None,
    behind: str | None = None,
) -> list[ModulePass]:
    """From one level to another, with the options that the configuration gives them; not further
    than the pass `until`, or only those behind the pass `behind`."""
    options = pipeline_options(settings)
    steps = list(steps_between(options, begin, level))
    names = [step.name for step in steps]
    end = names.index(until) + 1 if until in names else len(steps)
    start = names.index(behind) + 1 if behind in names else 0
    return [_with_options(make_pass(step, options), configuration) for step in steps[start:end]]


def _lower(
    stage: Stage,
    configuration: Configuration,
    say: Say,
    watch: Watch = Watch(),
    became: Counter[str] | None = None,
    level: str = LEVELS[-1],
    then: Sequence[ModulePass] = (),
) -> Stage:
    """Run the rest of the passes up to a level, and `then` others."""
    unit = stage.unit
    behind = FINDS if stage.is_found else None
    passes = _passes(unit.settings, configuration, level, unit.level, behind=behind)

    def after(name: str, module: ModuleOp) -> None:
        say(f"after {name}")
        if became is not None and name in ("lower-transfers", "affine-stream"):
            _count_operations(module, name, became)

    say("lower")
    account = stage.spent and stage.spent.copy()
    run_passes(unit.module, make_context(), [*passes, *then], replace(watch, after=after), account)
    return replace(stage, unit=replace(unit, level=level), is_found=False, spent=None)


def _count_operations(module: ModuleOp, name: str, became: Counter[str]) -> None:
    for op in module.walk():
        if op.name.startswith("vector.") and name == "lower-transfers":
            became[op.name] += 1
        if name == "affine-stream" and facts_of(op).nontemporal:
            became["streamed stores"] += 1


def _with_options(item: ModulePass, configuration: Configuration) -> ModulePass:
    for option in configuration.pass_options:
        place, _, text = option.partition("=")
        name, _, key = place.partition(".")
        if name == item.name:
            if item.name == "affine-stream":
                item = replace(item, row=8)
            number = int(text) if text.isdecimal() else text
            value = {"true": True, "false": False}.get(text, number)
            item = replace(item, **{key.replace("-", "_"): value})
    return item


_WORDS = {
    "tiles": "tiled",
    "skewed": "skewed",
    "vector": "vectors",
    "lanes": "lanes",
    "statements together": "fused",
    "pipeline": "pipelines",
    "parallel": "parallel loops",
    "reduction": "reductions",
    "packed": "packed",
    "reversed": "reversed",
    "unrolled": "unrolled",
}


def _became(remarks: Remarks) -> Counter[str]:
    found = Counter[str](remarks.counters)
    for item in remarks.items:
        found[f"{item.kind}: {item.id}"] += 1
        _, is_in_threads, kind = item.message.partition(" in threads: ")
        if is_in_threads:
            found[f"in threads: {kind.split()[0]}"] += 1
        if item.kind == "applied":
            for word, name in _WORDS.items():
                if word in item.message:
                    found[name] += 1
    return found


def _compare(prepared: Prepared, configuration: Configuration, code: NativeCode) -> tuple[str, str]:
    harness = Harness(prepared.program)
    checks = "--check" in configuration.flags
    examine = Examiner(code, SourceMap()).examine if checks else lambda: None
    compared = 0
    for number, expected in enumerate(prepared.expected):
        if not configuration.is_exact and not is_stable(expected):
            continue
        found = harness.run(code.address, number)
        try:
            examine()
        except CheckFailed as difference:
            return "different", f"by --check, run {number}: {difference}"
        if configuration.is_exact:
            difference = compare(number, expected[0], found)
        else:
            difference = compare_loosely(number, expected, found)
        if difference is not None:
            return "different", str(difference)
        compared += 1
    return ("same", "") if compared else ("unstable", "")
