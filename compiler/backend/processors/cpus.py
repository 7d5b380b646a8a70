"""The 64-bit x86 CPUs that LLVM 22 knows by name. llvmlite has no way to ask, and LLVM itself
only warns about an unknown one and goes on without vectors."""

_LEVELS = "x86-64 x86-64-v2 x86-64-v3 x86-64-v4"

_INTEL = """
    nocona core2 penryn bonnell atom silvermont slm goldmont goldmont-plus tremont nehalem corei7
    westmere sandybridge corei7-avx ivybridge core-avx-i haswell core-avx2 broadwell skylake
    skylake-avx512 skx cascadelake cooperlake cannonlake icelake-client icelake-server rocketlake
    tigerlake sapphirerapids emeraldrapids graniterapids graniterapids-d alderlake raptorlake
    meteorlake arrowlake arrowlake-s lunarlake pantherlake gracemont sierraforest grandridge
    clearwaterforest knl knm
"""

_AMD = """
    k8 athlon64 athlon-fx opteron k8-sse3 athlon64-sse3 opteron-sse3 amdfam10 barcelona btver1
    btver2 bdver1 bdver2 bdver3 bdver4 znver1 znver2 znver3 znver4 znver5
"""

CPU_NAMES = frozenset(f"{_LEVELS} {_INTEL} {_AMD}".split())
