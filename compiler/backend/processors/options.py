"""What the back end is asked for: how hard to optimise, and for which machine."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from polyopt.backend.processors.cpus import CPU_NAMES
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.target import Target, split_machine

if TYPE_CHECKING:
    from polyopt.support.memory_models import PlaceModel

TRIPLE = "x86_64-unknown-linux-gnu"
DATA_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

LLVM_VERSIONS = (19, 20, 21, 22)
"""Whose text we can write; the last one is the version that we carry."""


@cache
def default_march() -> str:
    """x86-64-v3 where this CPU has AVX2, else the oldest x86-64."""
    return "x86-64-v3" if Target.host().vector_bits >= 256 else "x86-64"


@record
class BackendOptions:
    """`march` is "native", an x86-64 level or a CPU name, and features behind it
    (`split_machine`); "" is `default_march()`. `mtune` is a CPU too, "" is the same one.
    `size_level`: 1 is for size, 2 for that alone.

    `prefer_vector_width` in bits bounds LLVM's own vectorisers (None: LLVM decides).
    `openmp`: whose entry points threads go through, "libgomp" (GNU's) or "libomp" (LLVM's).
    `llvm_version`: LLVM's text is in the form that this version reads, None: our own.
    `control_flow`: what the CPU is to check (Intel's CET): "branch", "return", "full" for both.
    `pic` makes objects for shared libraries: exported symbols may be replaced at run time.
    """

    opt_level: int = 3
    march: str = ""
    prefer_vector_width: int | None = None
    pic: bool = False
    openmp: str = "libgomp"
    size_level: int = 0
    mtune: str = ""
    debug: bool = False
    visibility: str = "default"
    frame_pointer: bool = False
    unwind_tables: bool = False
    unwinds: bool = False
    stack_protector: str = "none"
    probes_stack: bool = False
    control_flow: str = "none"
    red_zone: bool = True
    null_is_valid: bool = False
    function_sections: bool = False
    data_sections: bool = False
    builtins: bool = True
    no_builtins: tuple[str, ...] = ()
    loop_vectorize: bool = True
    slp_vectorize: bool = True
    unroll_loops: bool = True
    llvm_version: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.opt_level <= 3:
            raise CompileError(f"optimisation level {self.opt_level} is not one of 0, 1, 2, 3")
        version = self.llvm_version
        if version is not None and version not in LLVM_VERSIONS:
            known = ", ".join(map(str, LLVM_VERSIONS))
            raise CompileError(f"no text for LLVM {version}: there is one for {known}")
        width = self.prefer_vector_width
        if width is not None and width not in (128, 256, 512):
            raise CompileError(f"preferred vector width {width} is not 128, 256 or 512")
        march, _ = split_machine(self.march)
        for name, flag, others in (
            (march, "-march", ("", "native")),
            (self.mtune, "-mtune", ("", "native", "generic", "intel")),
        ):
            if name not in CPU_NAMES and name not in others:
                raise CompileError(
                    f"unknown CPU '{name}' for {flag}",
                    hint=f"'native', an x86-64 level or a CPU name such as {_near(name)}",
                )

    def knows(self, name: str) -> bool:
        """Is the function of this name that of the C library?"""
        return self.builtins and name not in self.no_builtins

    @property
    def places_objects(self) -> bool:
        """Whether the distances between objects of a file are its own, and room may be spent."""
        return self.opt_level >= 2 and not self.size_level and not self.data_sections

    def target(self) -> Target:
        """The machine as the cost models see it."""
        return Target.named(self.march or default_march())

    def cpu(self) -> tuple[str, str]:
        """LLVM's name of the CPU and its list of features ("" where the name says all)."""
        march, more = split_machine(self.march or default_march())
        cpu, features = _native_cpu() if march == "native" else (march, "")
        return cpu, ",".join([*([features] if features else []), *more])

    def tuned_for(self) -> str:
        """LLVM's name of the CPU that instructions are ordered for."""
        if self.mtune == "native":
            return _native_cpu()[0]
        return "generic" if self.mtune == "intel" else self.mtune

    def place_model(self) -> PlaceModel:
        """How loads wait for stores to other places: of a CPU that is named and not AMD's, only at
        the same bytes of a page; in code for any of them, as the ones do that wait longest."""
        # A process that finds its code in the cache asks for no model, and waits for each import.
        from polyopt.support.core_model import CORE

        return CORE.places_within_a_line if self.is_intel else CORE.places

    @property
    def is_intel(self) -> bool:
        """Is it a CPU that is named, and not AMD's?"""
        return not self._scheduled_for().startswith((_AMD, *_ANY))

    def _scheduled_for(self) -> str:
        return self.tuned_for() if self.mtune else self.cpu()[0]

    def untaken_vectors(self) -> str:
        """What LLVM is told of a CPU that gathers and scatters no faster than element by element,
        as AMD's do from Zen to Zen 5: LLVM 22 counts two instructions (gcc's X86_TUNE_USE_GATHER
        leaves these out)."""
        is_slow = self._scheduled_for().startswith(_AMD)
        return "+prefer-no-gather,+prefer-no-scatter" if is_slow else ""

    def function_attributes(self) -> list[str]:
        """What holds for every function that is defined, in LLVM's words."""
        texts = [
            {0: "", 1: "optsize", 2: "minsize optsize"}[self.size_level],
            {"none": "", "some": "ssp", "strong": "sspstrong", "all": "sspreq"}[
                self.stack_protector
            ],
            "uwtable" if self.unwind_tables else "",
            '"probe-stack"="inline-asm"' if self.probes_stack else "",
            "" if self.red_zone else "noredzone",
            "null_pointer_is_valid" if self.null_is_valid else "",
            '"frame-pointer"="all"' if self.frame_pointer else "",
            f'"tune-cpu"="{self.tuned_for()}"' if self.mtune else "",
        ]
        if not self.builtins:
            texts.append('"no-builtins"')
        texts += [f'"no-builtin-{name}"' for name in self.no_builtins]
        return [text for text in texts if text]

    def module_flags(self) -> list[str]:
        """What holds for the whole module, as operands of LLVM's flags; where modules are linked
        that do not agree, the least holds."""
        kinds = {"full": ("branch", "return"), "none": ()}.get(
            self.control_flow, (self.control_flow,)
        )
        return [f'i32 8, !"cf-protection-{kind}", i32 1' for kind in kinds]


_AMD = "znver"
_ANY = ("generic", "x86-64")
"""Names of no CPU."""


def _near(name: str) -> str:
    from difflib import get_close_matches

    matches = get_close_matches(name, sorted(CPU_NAMES), n=3, cutoff=0.5)
    return ", ".join(matches or ["x86-64-v3", "x86-64-v4"])


@cache
def _native_cpu() -> tuple[str, str]:
    import llvmlite.binding as llvm

    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
