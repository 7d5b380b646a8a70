"""Loop transformations by hand: functions from a schedule tree to a schedule tree.

One topic in each file. None of them asks whether the new order is legal: that is asked of the
result, by `polyopt.poly.legality`, as of every schedule.

    ordering      interchange, permute          loops of a perfect nest change places
    blocking      strip_mine, tile, unroll      a loop over strips, and one in a strip
    reindexing    skew, shift, reverse, scale   a loop counts by another function
    fusing        fuse                          loops one after another become one
    distributing  distribute, reorder           one loop becomes several; what runs first
    splitting     split, peel                   some instances apart from the others
    time_maps     the same as maps from time to time

`places` says how a node of a tree is found and replaced, `names` which node the C name of a loop
means; `script`, `steps` and `by_hand` are the language in which a person says what to do.
"""

if __name__ != "polyopt.poly.transform":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.poly.transform'")
