"""C becomes source IR, in four steps, each a room; `parse_c` is the door, `preprocess_c` the one
behind the first step (`either_library`: whose headers they read), `options` what is asked of it,
`presence` what a text may ask. Lowest first, what all need:

tokens         text as tokens that know their places
language       types, numbers, conversions, the ABI: what needs no syntax
messages       warnings, errors, what pragmas say of them
tree           the typed tree

and the steps:

preprocessing  text -> tokens: directives, macros, headers (`include/` holds ours)
parsing        tokens -> pycparser's tree, with GNU C's grammar and OpenMP's directives
checking       -> the typed tree, each room a part of C; all errors come from here
emission       -> source IR
"""

if __name__ != "polyopt.frontend":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend'")
