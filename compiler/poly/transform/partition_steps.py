"""The steps that tile by a partition of space: their words as tiles, and how a tile is run."""

from __future__ import annotations

from polyopt.poly.scanning.tile_functions import Tiles
from polyopt.poly.schedule_tree import Tree
from polyopt.poly.transform.partition import Inside, tile_by
from polyopt.poly.transform.places import CannotTransform
from polyopt.poly.transform.script import ScriptStep
from polyopt.poly.transform.shapes import hexagon_tiles, hyperplane_tiles, lattice_tiles
from polyopt.poly.transform.site import Site
from polyopt.support.diagnostics import CompileError


def hexagons(site: Site, step: ScriptStep) -> Tree:
    height, *width = step.numbers
    return _partition(site, step, hexagon_tiles(height, width[0] if width else height))


def hyperplanes(site: Site, step: ScriptStep) -> Tree:
    dimensions = len(step.loops)
    numbers = step.numbers
    if len(numbers) % (dimensions + 1):
        raise CannotTransform(
            f"{len(numbers)} numbers for {dimensions} loops",
            "for each family a factor for each loop, then the spacing",
        )
    spacings = numbers[dimensions :: dimensions + 1]
    normals = tuple(one for k, one in enumerate(numbers) if k % (dimensions + 1) < dimensions)
    return _partition(site, step, hyperplane_tiles(dimensions, normals, spacings))


def lattice(site: Site, step: ScriptStep) -> Tree:
    names = [word.address[1] or "" for word in step.loops]
    where = step.condition.text if step.condition is not None else None
    return _partition(site, step, lattice_tiles(names, step.numbers, where))


def _partition(site: Site, step: ScriptStep, tiles: Tiles) -> Tree:
    how = {word.text for word in step.words if word.kind == "S"}
    for word in step.words:
        if word.kind == "S" and word.text not in ("full", "dual"):
            raise CompileError(f"'{word.text}' is neither 'full' nor 'dual'", word.span)
    inside = Inside(full="full" in how, dual="dual" in how)
    loops = [site.loop(word) for word in step.loops]
    return tile_by(site.tree, loops, tiles, site.runs, site.pairs, inside)
