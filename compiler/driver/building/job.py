"""What a command line of polyopt-cc asks for, as data."""

from __future__ import annotations

from dataclasses import field

from polyopt.driver.building.dependencies import Dependencies
from polyopt.driver.building.inputs import Input
from polyopt.driver.options.settings import Settings
from polyopt.support.record import record

SUFFIXES = {"llvm": ".ll", "optimised-llvm": ".ll", "asm": ".s", "obj": ".o"}
"""Of the files that products go to."""


@record
class Job:
    """`inputs` are files and words for the linker, in order; `arguments` are the program's. With
    `to_files` a product that has a suffix goes to a file named after its source.

    With `daz_ftz` numbers too small to be normal are zeros in the program; None: if the settings
    permit it, and no library is made.

    `cache` says where finished work is kept, in the word of `--cache=`. So many sources are made at
    a time as `jobs` says.

    `remarks` says what was done to nests, remarks of these kinds, `verdicts` of each loop; with
    `as_json` for other programs. `record` is the file with all remarks in clang's form, "" for one
    beside what is made.

    With `tells_headers` the files that a source includes are told, as they include each other.

    `system_words` are the options that the system's compiler gets for a file that it is given, and
    `assembler_words` those beyond for assembly."""

    inputs: tuple[Input, ...] = ()
    product: str = "executable"
    output: str | None = None
    to_files: bool = True
    link_options: tuple[str, ...] = ()
    daz_ftz: bool | None = None
    arguments: tuple[str, ...] = ()
    dependencies: Dependencies | None = None
    macros: bool = False
    with_markers: bool = True
    comments: bool = False
    tells_headers: bool = False
    save_temps: str | None = None
    fallback: bool = False
    system_words: tuple[str, ...] = ()
    assembler_words: tuple[str, ...] = ()
    remarks: bool = False
    remark_kinds: tuple[str, ...] = ("applied", "missed", "analysis")
    verdicts: bool = False
    as_json: bool = False
    record: str | None = None
    report: str | None = None
    time_passes: bool = False
    tells_totals: bool = False
    printed_passes: tuple[str, ...] = ()
    printed_before: tuple[str, ...] = ()
    print_changed: bool = False
    printed_functions: tuple[str, ...] = ()
    bisect: str | None = None
    verbose: bool = False
    dry: bool = False
    cache: str | None = None
    jobs: int = 1
    settings: Settings = field(default_factory=Settings)

    @property
    def files(self) -> list[str]:
        return [item.word for item in self.inputs if item.is_file]

    @property
    def sources(self) -> list[Input]:
        return [item for item in self.inputs if item.is_source]

    @property
    def reads_remarks(self) -> bool:
        """Whether anything is told of what was done to loops."""
        told = self.record is not None or self.report is not None
        return told or self.remarks or self.verdicts or self.as_json or self.tells_totals

    @property
    def flushes_denormals(self) -> bool:
        """As clang has it: a library does not change what holds in programs that load it."""
        if self.daz_ftz is not None:
            return self.daz_ftz
        return self.settings.unsafe_math and "-shared" not in self.link_options

    @property
    def goes_to_files(self) -> bool:
        """Whether nothing goes to standard output."""
        is_quiet = self.product == "nothing" or (self.to_files and self.product in SUFFIXES)
        has_only_rules = self.dependencies is not None and self.dependencies.only
        return (self.links or is_quiet) and not has_only_rules

    @property
    def links(self) -> bool:
        return self.product in ("executable", "run")
