"""Who takes part: polyopt in its configurations, and the compilers found on this machine.

Every contender compiles the same source for the same processor (`-O3 -march=native`). In a fast
contest each peer takes part twice, as people get it who only say `-O3` and with `-ffast-math`; in
a strict one contraction is off for all, and all results have the same bits.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches

from polyopt.pipeline_options import POLY_CONFIGURATIONS, is_configuration, plugin_configurations
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

_COMMON = ("-O3", "-march=native")
_STRICT = ("-ffp-contract=off",)
_FAST = ("-ffast-math",)
_CLANG = ("clang", *(f"clang-{version}" for version in range(25, 13, -1)))
_POLLY = ("-mllvm", "-polly")
_STRIPMINE = (*_POLLY, "-mllvm", "-polly-vectorizer=stripmine")
_PLUTO = ("--tile", "--noparallel", "--silent")


@record
class Contender:
    """A compiler with its flags.

    `exact`: its results must have the bits of the reference. `without`: the flags that leave out
    what makes it special; the same object code with both sets of flags tells that it did not
    fire. `translate`: the source-to-source compiler that comes first (`translate source -o file`).
    `libraries` come last on the command line. `threads`: how many its programs are given, None: as
    many as the contest has.
    """

    name: str
    command: tuple[str, ...]
    flags: tuple[str, ...]
    exact: bool = False
    is_polyopt: bool = False
    without: tuple[str, ...] | None = None
    translate: tuple[str, ...] | None = None
    libraries: tuple[str, ...] = ("-lm",)
    threads: int | None = None

    def program_command(self, source: str, output: str, defines: Sequence[str]) -> list[str]:
        return [*self.command, *self.flags, *defines, source, "-o", output, *self.libraries]

    def object_command(self, source: str, output: str, defines: Sequence[str]) -> list[str]:
        return [*self.command, *self.flags, *defines, "-c", source, "-o", output]

    def plain(self) -> Contender | None:
        """This contender without what makes it special."""
        return None if self.without is None else replace(self, flags=self.without)

    def version(self) -> str:
        command = [*(self.translate or self.command)[:1], "--version"]
        if self.is_polyopt:
            command = [*self.command, "--version"]
        shown = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = shown.stdout.splitlines()
        return lines[0] if shown.returncode == 0 and lines else "unknown"


def polyopt_contenders(configurations: Sequence[str], *, fast: bool) -> list[Contender]:
    """`none` is polyopt with its polyhedral passes off."""
    result: list[Contender] = []
    for name in configurations:
        if not is_configuration(name):
            _check_known("configuration", name, (*POLY_CONFIGURATIONS, *plugin_configurations()))
        flags = (*_COMMON, *(_FAST if fast else _STRICT), f"--poly={name}")
        command = (sys.executable, "-m", "polyopt.tools.polyopt_cc", "--cache=off")
        result.append(Contender(f"polyopt:{name}", command, flags, not fast, is_polyopt=True))
    return result


def peer_contenders(names: Sequence[str] | None, *, fast: bool) -> list[Contender]:
    """Every peer on the PATH, or those that are named."""
    present = {peer.name: peer for peer in _find_peers(fast=fast)}
    for name in names or ():
        _check_known("peer", name, present)
    return [peer for name, peer in present.items() if names is None or name in names]


def reference_contender() -> Contender | None:
    """An unoptimised build by the first C compiler found: what is right."""
    for compiler in ("gcc", *_CLANG):
        if path := shutil.which(compiler):
            return Contender(f"{compiler} -O0", (path,), ("-O0", *_STRICT), exact=True)
    return None


def quick_reference(reference: Contender) -> Contender:
    """The same results sooner, for sizes at which an unoptimised program takes minutes."""
    return replace(reference, name="reference", flags=("-O2", *_STRICT))


def other_rounding(reference: Contender) -> Contender | None:
    """The same arithmetic rounded otherwise (by the x87 unit), to tell ill-conditioned results."""
    if not reference.name.startswith("gcc"):
        return None
    return replace(reference, name="gcc x87", flags=("-O1", "-mfpmath=387"))


def _find_peers(*, fast: bool) -> list[Contender]:
    modes = [("", (), False), ("-fast", _FAST, False)] if fast else [("", _STRICT, True)]
    _, mode, exact = modes[-1]
    peers: list[Contender] = []
    gcc = shutil.which("gcc")
    if gcc:
        peers += [Contender(f"gcc{s}", (gcc,), (*_COMMON, *m), e) for s, m, e in modes]
    clang = next(filter(None, map(shutil.which, _CLANG)), None)
    if clang:
        quiet = (*_COMMON, "-Wno-invalid-feature-combination")
        peers += [Contender(f"clang{s}", (clang,), (*quiet, *m), e) for s, m, e in modes]
        if _has_polly(clang):
            plain = (*quiet, *mode)
            for name, extra in (("polly", _POLLY), ("polly-stripmine", _STRIPMINE)):
                flags = (*plain, *extra)
                peers.append(Contender(name, (clang,), flags, exact, without=plain))
    if polycc := shutil.which("polycc"):
        translate, flags = (polycc, *_PLUTO), (*_COMMON, *mode)
        for name, compiler in (("gcc", gcc), ("clang", clang)):
            if compiler:
                pair = (f"pluto-{name}", (compiler,))
                peers.append(Contender(*pair, flags, exact, translate=translate))
    return peers


def _has_polly(clang: str) -> bool:
    command = [clang, *_POLLY, "-x", "c", "-fsyntax-only", "-"]
    tried = subprocess.run(command, input=b"int x;", capture_output=True, check=False)
    return tried.returncode == 0


def _check_known(kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"here: {', '.join(known) or 'none'}"
        raise CompileError(f"unknown {kind} '{name}'", hint=hint)
