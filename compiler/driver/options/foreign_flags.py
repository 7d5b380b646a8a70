"""Flags of gcc and clang for which polyopt has no use of its own.

Advice is ignored: it may make code faster or smaller, or output prettier, and a program means the
same without. What is always so here is ignored too. A demand that polyopt cannot meet is refused,
each with its reason: a program would mean something else, or lack what was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyopt.driver.options.flag_reading import Collected, Flag, Setter, Table
from polyopt.support.diagnostics import CompileError


def _ignore(_: Collected, __: str) -> None:
    pass


def _refuse(spelling: str, why: str) -> Setter:
    def refuse(_: Collected, value: str) -> None:
        raise CompileError(f"{spelling}{value}: {why}")

    return refuse


def _own_target(spelling: str) -> Setter:
    """The machine is named, as clang has it: ours by whichever name, no other one."""

    def read(_: Collected, value: str) -> None:
        machine, *others = value.split("-")
        system = others[-2:] if len(others) > 1 else others
        is_ours = machine in ("x86_64", "amd64") and system in (
            ["linux"],
            ["linux", "gnu"],
            *([vendor, "linux"] for vendor in ("pc", "unknown", "redhat", "suse", "none")),
        )
        if not is_ours:
            raise CompileError(
                f"{spelling}{value}: there is no code for this machine",
                hint="code is made for x86_64-linux-gnu only",
            )

    return read


def _ignored(why: str, words: str) -> Iterator[Flag]:
    """One flag for each word; `X=` takes a value, `X*` all that begins so, `[no-]` both ways."""
    for word in words.split():
        for spelling in _both_ways(word):
            yield _flag(spelling, why, _ignore, "ignored")


def _refused(why: str, words: str) -> Iterator[Flag]:
    for word in words.split():
        for spelling in _both_ways(word):
            plain = spelling.rstrip("*")
            yield _flag(spelling, why, _refuse(plain, why), "refused")


def _both_ways(word: str) -> list[str]:
    if "[no-]" not in word:
        return [word]
    return [word.replace("[no-]", ""), word.replace("[no-]", "no-")]


def _flag(spelling: str, why: str, set: Setter, treatment: str) -> Flag:
    plain = spelling.rstrip("*")
    metavar, shape = "", "alone"
    if spelling.endswith("="):
        metavar, shape = "VALUE", "joined"
    elif spelling.endswith("*"):
        metavar, shape = "…", "optional"
    return Flag(plain, why, set, metavar, shape, treatment)  # type: ignore[arg-type]


FOREIGN_FLAGS: Table = {
    "Advice of gcc and clang that is ignored": (
        *_ignored(
            "passes of other compilers",
            """
            -f[no-]tree-* -f[no-]ipa-* -f[no-]ira-* -f[no-]sched* -f[no-]sel-sched* -f[no-]loop-*
            -f[no-]graphite* -f[no-]gcse* -f[no-]cse-* -f[no-]var-tracking* -f[no-]reorder-*
            -f[no-]align-* -f[no-]split-* -f[no-]crossjumping -f[no-]dce -f[no-]dse
            -f[no-]code-hoisting -f[no-]combine-stack-adjustments -f[no-]compare-elim
            -f[no-]cprop-registers -f[no-]defer-pop -f[no-]devirtualize* -f[no-]early-inlining
            -f[no-]expensive-optimizations -f[no-]finite-loops -f[no-]forward-propagate
            -f[no-]function-cse -f[no-]guess-branch-probability -f[no-]hoist-adjacent-loads
            -f[no-]if-conversion* -f[no-]indirect-inlining -f[no-]inline -f[no-]inline-*
            -finline-limit= -f[no-]isolate-erroneous-paths* -f[no-]ivopts -f[no-]jump-tables
            -f[no-]lra-remat -f[no-]modulo-sched* -f[no-]move-loop-* -f[no-]optimize-*
            -f[no-]partial-inlining -f[no-]peel-loops -f[no-]peephole* -f[no-]plt
            -f[no-]predictive-commoning -f[no-]prefetch-loop-arrays -f[no-]rename-registers
            -f[no-]rerun-* -f[no-]schedule-* -f[no-]section-anchors -f[no-]shrink-wrap*
            -f[no-]simd-cost-model* -f[no-]single-pass* -f[no-]ssa-*
            -f[no-]stdarg-opt -f[no-]store-merging -f[no-]thread-jumps -f[no-]tracer
            -f[no-]unroll-all-loops -f[no-]unswitch-loops -f[no-]vect-cost-model*
            -f[no-]web -f[no-]keep-* -f[no-]merge-* -f[no-]branch-* -f[no-]caller-saves
            -f[no-]auto-inc-dec -f[no-]bit-tests
            -f[no-]version-loops-* -f[no-]lifetime-dse* -f[no-]live-range-shrinkage
            -f[no-]toplevel-reorder -f[no-]unit-at-a-time -f[no-]reroll-loops
            -mbranch-cost= -m[no-]vzeroupper -m[no-]accumulate-outgoing-args -m[no-]push-args
            -mstringop-strategy= -mmemcpy-strategy= -mmemset-strategy= -m[no-]align-stringops
            -m[no-]inline-* -m[no-]omit-leaf-frame-pointer -malign-* -mtune-ctrl= -mmove-max=
            -f[no-]allocation-dce -fallow-store-data-races -f[no-]check-data-deps
            -f[no-]delayed-branch -f[no-]delete-dead-exceptions -f[no-]force-addr
            -f[no-]limit-function-alignment -f[no-]printf-return-value -f[no-]ree
            -f[no-]regmove -f[no-]reschedule-modulo-scheduled-loops -f[no-]selective-scheduling*
            -f[no-]strength-reduce -f[no-]unsafe-loop-optimizations
            -f[no-]variable-expansion-in-unroller -f[no-]vpt -fno-live-patching
            -mcpu= -mveclibabi= -m[no-]prefer-avx128 -m[no-]sse2avx -m[no-]8bit-idiv
            -m[no-]skip-rax-setup -m[no-]call-ms2sysv-xlogues -m[no-]force-drap -m[no-]fused-madd
            -m[no-]dispatch-scheduler -mdump-tune-features
            -mstore-max= -m[no-]tls-direct-seg-refs -mtls-dialect= -m[no-]avx256-* -m[no-]ieee-fp
            -m[no-]stv -m[no-]relax* -mlarge-data-threshold= -mno-recip -fconserve-stack
            """,
        ),
        Flag(
            "--param",
            "bounds of other compilers' passes",
            _ignore,
            "NAME=VALUE",
            "separate",
            "ignored",
        ),
        Flag("--param=", "the same", _ignore, "NAME=VALUE", "joined", "ignored"),
        Flag(
            "--target=",
            "the machine that code is for: x86_64-linux-gnu, and refused if another",
            _own_target("--target="),
            "TRIPLE",
            "joined",
            "ignored",
        ),
        Flag("-target", "the same", _own_target("-target "), "TRIPLE", "separate", "ignored"),
        Flag("-mllvm", "an option of LLVM's passes", _ignore, "OPTION", "separate", "ignored"),
        *_ignored("of OpenMP nothing but simd, which is advice", "-f[no-]openmp-simd"),
        *_ignored(
            "instructions that no code is made of",
            """
            -m[no-]3dnow -m[no-]3dnowa -m[no-]amx-* -m[no-]avx5124fmaps -m[no-]avx5124vnniw
            -m[no-]avx512er -m[no-]avx512pf -m[no-]cldemote -m[no-]clzero -m[no-]enqcmd -m[no-]hle
            -m[no-]hreset -m[no-]lwp -m[no-]movdir64b -m[no-]movdiri -m[no-]mwait -m[no-]mwaitx
            -m[no-]pconfig -m[no-]pku -m[no-]prefetchwt1 -m[no-]ptwrite -m[no-]rdpid -m[no-]rtm
            -m[no-]serialize -m[no-]sgx -m[no-]tbm -m[no-]tsxldtrk -m[no-]uintr -m[no-]waitpkg
            -m[no-]wbnoinvd -m[no-]kl -m[no-]widekl
            """,
        ),
        *_ignored(
            "how messages look, and what is said of passes",
            """
            -f[no-]diagnostics-show-* -f[no-]diagnostics-generate-* -f[no-]diagnostics-parseable-*
            -f[no-]show-column -f[no-]show-source-location -f[no-]caret-diagnostics
            -fmessage-length= -ftabstop= -fmax-errors= -ferror-limit= -f[no-]spell-checking
            -fmacro-backtrace-limit= -ftrack-macro-expansion* -f[no-]opt-info*
            -ftime-report* -fmem-report -ftime-trace* -Q
            -Qunused-arguments -pedantic -pedantic-errors -f[no-]verbose-asm -f[no-]ident -Qy -Qn
            -f[no-]record-gcc-switches -f[no-]working-directory -fpch-* -f[no-]integrated-cc1
            -f[no-]analyzer* -f[no-]canonical-system-headers -fdiagnostics-path-format=
            -fdiagnostics-plain-output -f[no-]report-bug -fmax-include-depth= -fmem-report-wpa
            -f[no-]lto-report* -f[no-]lto-odr-type-merging
            -f[no-]diagnostics-urls* -fdiagnostics-minimum-margin-width= -f[no-]diagnostics-hotness*
            """,
        ),
        *_ignored(
            "where debug information says that files are",
            """
            -fdebug-prefix-map= -fmacro-prefix-map= -ffile-prefix-map= -fdebug-compilation-dir=
            -f[no-]debug-types-section -f[no-]eliminate-unused-debug-* -f[no-]standalone-debug
            -f[no-]limit-debug-info -f[no-]debug-info-for-profiling -f[no-]debug-macro
            -frandom-seed=
            """,
        ),
        *_ignored(
            "temporary files and pipes are not used",
            "-pipe -no-canonical-prefixes -canonical-prefixes -f[no-]integrated-as",
        ),
        *_ignored(
            "always so",
            """
            -m64 -msse -msse2 -mmmx -mfxsr -m80387 -mhard-float -mfpmath=sse -mcmodel=small
            -mlong-double-80 -mabi=sysv -mpreferred-stack-boundary=4 -masm=att -mglibc
            -mno-ms-bitfields -fno-trapv -fno-wrapv-pointer -fno-stack-usage
            -fno-math-errno -fno-trapping-math -fno-rounding-math -fno-signaling-nans
            -fno-short-enums -fno-pack-struct -fno-short-wchar
            -fno-non-call-exceptions -fno-asm-blocks -fno-lto -fno-lto-* -fno-sanitize*
            -fno-profile*
            -fno-instrument-functions -fno-split-stack -fno-stack-check -fno-test-coverage
            -fno-openacc -fno-ms-extensions -fno-plan9-extensions -fgnu89-inline -fno-gnu89-inline
            -fno-float-store -ffloat-store -fexcess-precision=fast -fexcess-precision=standard
            -fno-fast-math-errno -fno-leading-underscore -fdollars-in-identifiers
            -fwide-exec-charset=UTF-32 -fwide-exec-charset=UTF-32LE
            -fstack-reuse= -f[no-]strict-volatile-bitfields -fno-allow-store-data-races
            -fno-cf-protection -mno-cet -mno-shstk -mno-retpoline
            -mindirect-branch=keep -mfunction-return=keep
            -f[no-]semantic-interposition -ftrivial-auto-var-init=uninitialized -fno-harden-*
            -flto-partition= -fno-fat-lto-objects -fno-use-linker-plugin -fuse-linker-plugin
            -f[no-]strict-enums -f[no-]dwarf2-cfi-asm
            -f[no-]emulated-tls -f[no-]gnu-unique -f[no-]gnu-keywords -fno-gnu-tm
            -f[no-]visibility-inlines-hidden -f[no-]zero-initialized-in-bss -f[no-]access-control
            -ffp-model=precise -ffp-exception-behavior=ignore -fno-rtti -f[no-]color-*
            -fasm -fsigned-bitfields -fno-unsigned-bitfields -fextended-identifiers
            -fno-cond-mismatch
            -f[no-]lax-vector-conversions -f[no-]trampolines -f[no-]threadsafe-statics -frtti
            -fno-pcc-struct-return -fno-reg-struct-return -fno-single-precision-constant
            -fno-strict-flex-arrays -f[no-]sync-libcalls -f[no-]nothrow-opt -f[no-]check-new
            -m128bit-long-double -mfancy-math-387 -mno-fancy-math-387 -mfp-ret-in-387
            -fdenormal-fp-math=ieee -fno-honor-nans -fno-honor-infinities
            """,
        ),
    ),
    "Demands of gcc and clang that are refused": (
        *_refused(
            "there is no optimisation of a whole program at link time; leave it out",
            "-flto -flto= -ffat-lto-objects -fwhole-program",
        ),
        *_refused(
            "there are no run-time checks of this kind",
            "-fsanitize* -fcheck-pointer-bounds -fmudflap* -fstack-check* -ftrapv",
        ),
        *_refused(
            "there is no instrumented code",
            """
            -fprofile-* -fcoverage-mapping -ftest-coverage --coverage -fbranch-probabilities -pg
            -finstrument-functions* -fxray-instrument -mfentry -p -fpatchable-function-entry=
            -fauto-profile*
            """,
        ),
        *_refused(
            "the code would not have the protection that is asked for",
            """
            -mindirect-branch= -mfunction-return=
            -mretpoline* -mharden-sls= -ftrivial-auto-var-init= -fharden-* -fzero-call-used-regs=
            -fstack-protector-explicit -fsplit-stack -mshstk -mcet-switch -fstrict-flex-arrays=
            """,
        ),
        *_refused(
            "code is made for the 64-bit ABI of System V only",
            """
            -m32 -mx32 -m16 -mabi=ms -miamcu -msoft-float -mno-80387 -mgeneral-regs-only
            -mno-sse -mno-sse2 -mno-mmx -mfpmath=387 -mfpmath=both -mregparm= -mrtd
            -mcmodel=medium -mcmodel=large -mcmodel=kernel -mms-bitfields -mlong-double-64
            -mlong-double-128 -m96bit-long-double -mpreferred-stack-boundary= -mstackrealign
            -mincoming-stack-boundary= -malign-double -masm=intel
            """,
        ),
        *_refused(
            "types would have another size or sign",
            """
            -fshort-enums -fshort-wchar -fpack-struct
            -fpack-struct= -funsigned-bitfields -freg-struct-return -fpcc-struct-return
            -fsingle-precision-constant
            """,
        ),
        *_refused(
            "floating-point code does not keep what is asked for",
            """
            -frounding-math -fsignaling-nans -fmath-errno -ftrapping-math -mrecip -mrecip=
            -fexcess-precision= -ffp-model= -ffp-exception-behavior=
            -fdenormal-fp-math=
            """,
        ),
        *_refused("the macros that say what the compiler is are there", "-undef"),
        *_refused("comments of macros are not kept; -C keeps the others", "-CC"),
        *_refused(
            "sums of pointers are taken to stay in their objects; -fwrapv is about integers",
            "-fwrapv-pointer",
        ),
        *_refused("nobody writes down how much of the stack functions take", "-fstack-usage"),
        *_refused(
            "operations of functions of C that polyopt compiles throw nothing",
            "-fnon-call-exceptions",
        ),
        *_refused(
            "this language is not C as polyopt knows it",
            """
            -fopenacc -fms-extensions -fplan9-extensions -fgnu-tm -fblocks -fasm-blocks -fmodules
            -fleading-underscore -fplugin= -fobjc-arc -traditional -traditional-cpp -fgimple
            -fwide-exec-charset= -trigraphs
            """,
        ),
    ),
}
