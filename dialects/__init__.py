"""The dialects that polyopt adds to xDSL, and typed facts on operations of others:

    cmem      memory as C sees it (`cmem_*`)
    poly      static control parts: sets, access relations, a schedule tree (`poly_*`, `scop_facts`)
    contract  contractions, from the nest to register tiles (`contract_*`)
    pvec      vectors: what xDSL's `vector` has no operations for (`pvec_*`)
    team      threads; ompx: what `omp` lacks

`loop_facts` is what is known of an affine or scf loop, `loop_pragmas` and `serial_places` what the
source asks of it; `fact_places` says where each may stand. `canonical` has local rewrites, and the
`*_on_demand` keep what a run has no use for from being made.
"""

if __name__ != "polyopt.dialects":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.dialects'")
