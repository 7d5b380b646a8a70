"""What pictures of a SCoP show, as plain data: a small sample of its instances, the order in which
they run, what depends on what among them, what they touch.

    draw_sample     -> sizes and instances     which few instances are shown
    running_order   -> events                  one after another, with their tiles
    arrows          -> pairs of instances      the dependences among them
    carried_pair    -> a pair of instances     one that a loop carries, where the sample has none
    touches         -> elements                what each reads and writes; how soon again

Nothing here draws; that is `polyopt.report`.
"""

if __name__ != "polyopt.poly.picture":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.picture'")
