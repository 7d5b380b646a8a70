"""The command line of polyopt-opt: xDSL's, and what is polyopt's in it.

Every dialect, pass and target of xDSL and of polyopt by name; reads `.mlir` and C. Beyond
`xdsl-opt`: errors are one message each, the output file appears whole or not at all, and
`--remarks` tells what the passes did.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from io import StringIO
from typing import IO, Any, ClassVar, NoReturn, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import Universe
from xdsl.utils.arg_spec import ArgSpecConvertible, parse_pipeline, parse_spec
from xdsl.xdsl_opt_main import xDSLOptMain

from polyopt.driver.building.totals import totals
from polyopt.pass_help import help_of_pass, list_of_passes
from polyopt.pass_specs import check_options, unknown
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.files import write_whole
from polyopt.support.remarks import collect_remarks
from polyopt.support.warnings import collect_warnings
from polyopt.tools.errors import run_tool
from polyopt.tools.idle_passes import idle_reason

BINARY = "polyopt-obj"
"""The target whose text stands for bytes."""


class PolyoptOptMain(xDSLOptMain):
    version_format: ClassVar[str] = f"polyopt-opt {version('polyopt')} on xDSL {{xdsl_version}}"

    def __init__(self, args: Sequence[str] | None = None):
        self.written = _KeptText()
        self.lines_above = 0
        super().__init__("polyopt modular optimizer driver", args)

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        arg_parser.prog = "polyopt-opt"
        arg_parser.error = _refuse
        super().register_all_arguments(arg_parser)
        arg_parser.add_argument(
            "--cflags",
            default="",
            metavar="FLAGS",
            help="Options of polyopt-cc for reading C, as one word: --cflags='-DN=8 -I include'",
        )
        arg_parser.add_argument(
            "--remarks",
            action="store_true",
            help="Say on standard error what the passes did to each loop nest, and why not more",
        )
        arg_parser.add_argument(
            "--statistics",
            action="store_true",
            help="Say on standard error how much was found, and how often each pass did something",
        )

        arg_parser.add_argument(
            "--list-passes", action=_Said, said=list_of_passes, help="Say what each pass is for"
        )
        arg_parser.add_argument(
            "--help-pass",
            action=_Said,
            said=help_of_pass,
            nargs=1,
            metavar="PASS",
            help="Say what one pass does, and what its options are",
        )

    @cached_property
    def universe(self) -> Universe:
        """What is there, looked for once: xDSL asks all installed packages for each kind anew."""
        return Universe.get_multiverse()

    def register_all_dialects(self) -> None:
        for name, dialect in self.universe.all_dialects.items():
            self.ctx.register_dialect(name, dialect)

    def register_all_passes(self) -> None:
        for name, made in self.universe.all_passes.items():
            self.register_pass(name, made)

    def register_all_targets(self) -> None:
        for name, target in self.universe.all_targets.items():
            self.available_targets.setdefault(name, target)

    def register_all_frontends(self) -> None:
        super().register_all_frontends()
        self.available_frontends["c"] = self.parse_c
        self.available_frontends["mlir"] = self.parse_mlir

    def parse_mlir(self, stream: IO[bytes]) -> ModuleOp:
        from polyopt.ir.placed_text import parse_module

        implicit = not self.args.no_implicit_module
        name, above = self.get_input_name(), self.lines_above
        return parse_module(self.ctx, stream.read(), name, implicit=implicit, above=above)

    def parse_c(self, stream: IO[bytes]) -> ModuleOp:
        from polyopt.driver.options.flags import read_settings
        from polyopt.driver.units.source import Source
        from polyopt.driver.units.unit import parse

        settings = read_settings(shlex.split(self.args.cflags))
        text = stream.read().decode(errors="surrogateescape")
        unit = parse(Source(self.get_input_name(), text), settings, SourceMap())
        for warning in unit.warnings:
            print(warning.render(unit.sources), file=sys.stderr)
        return unit.module

    def parse_chunk(
        self, chunk: IO[bytes], file_extension: str, start_offset: int = 0
    ) -> ModuleOp | None:
        """The module, whose values are defined before they are used: xDSL's verifier does not
        ask that, and passes follow a value to its operands for as long as there are any."""
        from polyopt.ir.checks.module_check import reading, verify

        self.lines_above = start_offset
        with reading(self.get_input_name()):
            module = super().parse_chunk(chunk, file_extension, start_offset)
            if module is not None and not self.args.disable_verify and file_extension != "c":
                verify(module)
        return module

    def setup_pipeline(self) -> None:
        """As xDSL's, once every name and option on the command line is known to be good."""
        for spec in parse_pipeline(self.args.passes):
            if spec.name not in self.available_passes:
                raise unknown("pass", spec.name, self.available_passes)
            check_options("pass", self.available_passes[spec.name](), spec)
        target = parse_spec(self.args.target)
        if target.parameters:
            entry = cast(
                Callable[[], type[ArgSpecConvertible]], self.available_targets[target.name]
            )
            check_options("target", entry(), target)
        super().setup_pipeline()
        looked = self.pipeline.callback

        def callback(
            previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
        ) -> None:
            if looked is not None:
                looked(previous, module, following)
            reason = None if following is None else idle_reason(following.name, module)
            if reason is not None:
                print(f"polyopt-opt: warning: {reason}", file=sys.stderr)

        self.pipeline = PassPipeline(self.pipeline.passes, callback)

    def apply_passes(self, prog: ModuleOp) -> None:
        """As xDSL's; facts on loops and operations are checked where operations are."""
        from polyopt.dialects.fact_places import check_facts

        if not self.args.disable_verify:
            check_facts(prog)
        super().apply_passes(prog)
        if not self.args.disable_verify:
            check_facts(prog)

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        path = self.args.input_file
        if path is not None and self.args.frontend is None:
            extension = path.rpartition(".")[2]
            if extension not in self.available_frontends:
                known = ", ".join(f".{name}" for name in self.available_frontends)
                raise CompileError(
                    f"{path}: no front end reads this kind of file",
                    hint=f"names end in {known}; -f chooses a front end for any name",
                )
        return super().prepare_input()

    def prepare_output(self) -> IO[str]:
        if parse_spec(self.args.target).name == BINARY and self.args.output_file is None:
            raise CompileError(f"-t {BINARY} makes a file, not text", hint="-o FILE names it")
        return sys.stdout if self.args.output_file is None else self.written

    def run(self) -> None:
        with collect_remarks() as remarks, collect_warnings() as warnings:
            super().run()
        for warning in warnings:
            print(warning.render(), file=sys.stderr)
        if self.args.output_file is not None:
            text = self.written.getvalue()
            is_binary = parse_spec(self.args.target).name == BINARY
            write_whole(self.args.output_file, text.encode("latin-1") if is_binary else text)
        if self.args.remarks:
            for item in remarks.by_place():
                print(item, file=sys.stderr)
        if self.args.statistics:
            print(totals(remarks), file=sys.stderr)


class _Said(argparse.Action):
    """An option that says something, and ends the tool."""

    def __init__(self, *args: Any, said: Callable[..., str], nargs: int = 0, **rest: Any):
        super().__init__(*args, nargs=nargs, **rest)
        self.said = said

    def __call__(self, parser: Any, namespace: Any, values: Any, option: str | None = None) -> None:
        print(self.said(*values))
        raise SystemExit(0)


class _KeptText(StringIO):
    """Text that outlives `close`: xDSL closes its output on failure too."""

    def close(self) -> None:
        pass


def _refuse(message: str) -> NoReturn:
    raise CompileError(message, hint="--help lists the options")


def run(arguments: Sequence[str]) -> int:
    """Do what the command line asks for; the exit status."""

    def body() -> int:
        PolyoptOptMain(arguments).run()
        return 0

    return run_tool("polyopt-opt", body)
