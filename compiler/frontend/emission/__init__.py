"""The typed tree becomes source IR.

`emission` is what the parts share, and what they find each other in by `emission_parts`;
`ir_builder` writes operations, `module_symbols` the names of the module, `signature` what is kept
of a function's C types, `stored_elements` says where values lie. `emit_program` begins. The rooms,
lowest first:

values       expressions, calls, complex numbers, bit-fields, initialisers, copies
statements   statements, and constructs of OpenMP's
"""

if __name__ != "polyopt.frontend.emission":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.emission'")
