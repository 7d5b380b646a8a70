"""C becomes source IR, in four steps whose files bear their names:

text     preprocess: directives, conditional_groups, expansion_runs, pasting, header_search,
         token_lines, token_text
syntax   parse_c: syntax, gnu_syntax, gnu_spellings, gnu_nodes, openmp_syntax, openmp_pragmas
meaning  check_*, builtin_*, each a part of C (`checker` is what they share): typed_tree,
         typed_statements and openmp_tree are what they make; types in c_types, conversions,
         record_layout; values in literals, constants, extended; doubts in doubtful_*,
         uninitialised, warnings
IR       emit_*, each a part of the typed tree (`emission` is what they share): abi, ir_types,
         ir_builder, module_symbols, signature
"""

if __name__ != "polyopt.frontend":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend'")
