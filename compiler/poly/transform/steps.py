"""The steps of the language, as one table: what each is called, takes, and does to the tree.

The form of a step is a regular expression over the kinds of its words (`script.Word.kind`); a step
that does not fit its form is answered by its usage. A loop is looked up in the tree as the steps
before have left it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import islpy as isl

from polyopt.poly.loops.loop_tree import THREADS, VECTORS
from polyopt.poly.schedule_tree import Sequence, Tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.distributing import distribute, reorder
from polyopt.poly.transform.fusing import fuse
from polyopt.poly.transform.localizing import Localized, localize
from polyopt.poly.transform.names import Names, iterator_names
from polyopt.poly.transform.ordering import interchange, permute
from polyopt.poly.transform.partition_steps import hexagons, hyperplanes, lattice
from polyopt.poly.transform.places import CannotTransform, node_at
from polyopt.poly.transform.promises import promise
from polyopt.poly.transform.reindexing import reverse, scale, shift, skew
from polyopt.poly.transform.script import ScriptStep, Word, suggestion
from polyopt.poly.transform.site import Site
from polyopt.poly.transform.splitting import peel, split
from polyopt.poly.transform.strips import strip_mine, tile, unroll
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record
class Form:
    """`shape` is what the kinds of the words, as one string, must match; `apply` gives the tree
    after the step, or the SCoP too if that is another one, or raises CannotTransform."""

    usage: str
    shape: str
    apply: Callable[[Site, ScriptStep], Tree | Localized]
    takes_condition: bool = False


def _interchange(site: Site, step: ScriptStep) -> Tree:
    first, second = map(site.loop, step.words)
    return interchange(site.tree, first, second)


def _permute(site: Site, step: ScriptStep) -> Tree:
    return permute(site.tree, [site.loop(word) for word in step.words])


def _tile(site: Site, step: ScriptStep) -> Tree:
    loops = [site.loop(word) for word in step.loops]
    sizes = step.numbers
    if len(sizes) != len(loops):
        raise CannotTransform(f"{len(loops)} loops and {len(sizes)} sizes")
    return tile(site.tree, loops, sizes)


def _strip(site: Site, step: ScriptStep) -> Tree:
    loop, size = step.words
    return strip_mine(site.tree, site.loop(loop), size.number)


def _unroll(site: Site, step: ScriptStep) -> Tree:
    loop, count = step.words
    return unroll(site.tree, site.loop(loop), count.number)


def _skew(site: Site, step: ScriptStep) -> Tree:
    loop, by, *factor = step.words
    return skew(site.tree, site.loop(loop), site.loop(by), factor[0].number if factor else 1)


def _shift(site: Site, step: ScriptStep) -> Tree:
    loop, amount = step.words
    return shift(site.tree, site.loop(loop), loop.address[0], amount.number)


def _reverse(site: Site, step: ScriptStep) -> Tree:
    return reverse(site.tree, site.loop(step.words[0]))


def _scale(site: Site, step: ScriptStep) -> Tree:
    loop, factor = step.words
    return scale(site.tree, site.loop(loop), factor.number)


def _fuse(site: Site, step: ScriptStep) -> Tree:
    return fuse(site.tree, site.siblings(step.words))


def _distribute(site: Site, step: ScriptStep) -> Tree:
    loop, *statements = step.words
    path = site.loop(loop)
    if not statements:
        return distribute(site.tree, path)
    if not isinstance(node_at(site.tree, (*path, 0)), Sequence):
        return distribute(site.tree, path)
    cuts = set[int]()
    for word in statements:
        leaf = site.leaf(word)
        if leaf[: len(path)] != path:
            raise CompileError(f"{word.text} is not in the loop {loop.text}", word.span)
        position = leaf[len(path) + 1]
        if position == 0:
            raise CompileError(f"nothing in the loop runs before {word.text}", word.span)
        cuts.add(position)
    return distribute(site.tree, path, cuts)


def _reorder(site: Site, step: ScriptStep) -> Tree:
    return reorder(site.tree, site.siblings(step.words))


def _peel(site: Site, step: ScriptStep) -> Tree:
    loop, end, count = step.words
    if end.text not in ("first", "last"):
        raise CompileError(f"'{end.text}' is neither 'first' nor 'last'", end.span)
    is_last = end.text == "last"
    return peel(site.tree, site.loop(loop), site.runs, count.number, last=is_last)


def _vectorize(site: Site, step: ScriptStep) -> Tree:
    return promise(site.tree, site.loop(step.words[0]), VECTORS)


def _parallel(site: Site, step: ScriptStep) -> Tree:
    return promise(site.tree, site.loop(step.words[0]), THREADS)


def _split(site: Site, step: ScriptStep) -> Tree:
    loop = site.loop(step.words[0])
    if step.condition is None:
        raise CompileError(
            "'split' needs a condition", step.name.span, "split LOOP where CONDITION"
        )
    first = isl.UnionSet.empty(site.scop.context.get_space())
    inside = {part.statement for part in site.names.parts if part.path[: len(loop)] == loop}
    for name in sorted(inside):
        first = first.union(_where(site.scop, name, step.condition))
    return split(site.tree, loop, site.runs, first)


def _where(scop: Scop, name: str, condition: Word) -> isl.UnionSet:
    """{ S[i] : condition }, over the C names of the statement's iterators and the parameters."""
    parameters = ", ".join(
        str(scop.context.get_dim_name(isl.dim_type.param, k))
        for k in range(scop.context.dim(isl.dim_type.param))
    )
    iterators = ", ".join(iterator_names(scop, name))
    try:
        if set(condition.text) & set("[]{}"):
            raise isl.Error("more than a condition")
        return isl.UnionSet(f"[{parameters}] -> {{ {name}[{iterators}] : {condition.text} }}")
    except isl.Error:
        raise CompileError(
            f"no condition on the loops around {name}: {condition.text}",
            condition.span,
            f"affine conditions as isl writes them, over the loops {iterators or '(none)'} and the "
            f"parameters {parameters or '(none)'}",
        ) from None


def _localize(site: Site, step: ScriptStep) -> Localized:
    loop, *arrays = step.words
    return localize(site.scop, site.tree, site.loop(loop), [word.text for word in arrays])


LARGEST = 1_000_000
"""The largest integer in a step: what loops count has to stay far below 2^63."""

STEPS: dict[str, Form] = {
    "interchange": Form("interchange LOOP LOOP", "LL", _interchange),
    "permute": Form("permute LOOP LOOP...", "L{2,}", _permute),
    "strip": Form("strip LOOP SIZE", "LN", _strip),
    "tile": Form("tile LOOP... SIZE...", "L+N+", _tile),
    "unroll": Form("unroll LOOP COUNT", "LN", _unroll),
    "skew": Form("skew LOOP LOOP [FACTOR]", "LLN?", _skew),
    "shift": Form("shift LOOP AMOUNT", "LN", _shift),
    "reverse": Form("reverse LOOP", "L", _reverse),
    "scale": Form("scale LOOP FACTOR", "LN", _scale),
    "fuse": Form("fuse PLACE PLACE...", "[LS]{2,}", _fuse),
    "distribute": Form("distribute LOOP [STATEMENT...]", "LS*", _distribute),
    "reorder": Form("reorder PLACE PLACE...", "[LS]{2,}", _reorder),
    "peel": Form("peel LOOP first|last COUNT", "LSN", _peel),
    "vectorize": Form("vectorize LOOP", "L", _vectorize),
    "parallel": Form("parallel LOOP", "L", _parallel),
    "split": Form("split LOOP where CONDITION", "L", _split, takes_condition=True),
    "localize": Form("localize LOOP [ARRAY...]", "LS*", _localize),
    "hexagons": Form("hexagons LOOP LOOP HEIGHT [WIDTH] [full] [dual]", "LLN{1,2}S{0,2}", hexagons),
    "hyperplanes": Form(
        "hyperplanes LOOP... FACTOR... SPACING... [full]", "L+N{2,}S?", hyperplanes
    ),
    "lattice": Form(
        "lattice LOOP... GENERATOR... [full] [dual] [where CONDITION]",
        "L+N+S{0,2}",
        lattice,
        takes_condition=True,
    ),
}


def check_form(step: ScriptStep) -> None:
    """Raise CompileError if there is no such step or it does not take these words."""
    form = STEPS.get(step.name.text)
    if form is None:
        hint = suggestion(step.name.text, [*STEPS, "print", "scop"])
        raise CompileError(f"unknown step '{step.name.text}'", step.name.span, hint)
    usage = f"usage: {form.usage}"
    odd = next((word for word in step.words if word.kind == "?"), None)
    if odd is not None:
        raise CompileError(f"'{odd.text}' is no loop, statement or integer", odd.span, usage)
    huge = next((w for w in step.words if w.kind == "N" and abs(w.number) > LARGEST), None)
    if huge is not None:
        raise CompileError(f"integers are at most {LARGEST}", huge.span)
    if not re.fullmatch(form.shape, "".join(word.kind for word in step.words)):
        raise CompileError(f"'{step.name.text}' does not take these words", step.name.span, usage)
    if step.condition is not None and not form.takes_condition:
        raise CompileError(f"'{step.name.text}' takes no condition", step.condition.span, usage)


def apply_step(scop: Scop, tree: Tree, step: ScriptStep, pairs: isl.UnionMap | None = None) -> Tree:
    """The tree after a step that changes no more than that. As `take_step`."""
    result = take_step(scop, tree, step, pairs)
    if isinstance(result, Localized):
        raise CompileError(
            f"'{step.text}' makes statements, where an order is asked for", step.name.span
        )
    return result


def take_step(
    scop: Scop, tree: Tree, step: ScriptStep, pairs: isl.UnionMap | None = None
) -> Tree | Localized:
    """What a step that has its form makes of the tree; CompileError, at a word of it, if it cannot
    be done. Where a step may choose an order, it is one that keeps `pairs`."""
    none = isl.UnionMap.empty(scop.context.get_space())
    site = Site(scop, tree, Names.of(scop, tree), none if pairs is None else pairs)
    try:
        return STEPS[step.name.text].apply(site, step)
    except CannotTransform as error:
        message = f"'{step.text}' cannot be done: {error.reason}"
        raise CompileError(message, step.name.span, error.hint) from None
