"""Random C programs and configurations, to find what the compiler does wrong.

programs      random C programs whose behaviour C defines
trials        one program under several configurations, against the unoptimised compiler
campaigns     many trials: seeds, mutants, findings and their reduction
"""

if __name__ != "polyopt.tools.fuzz":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.fuzz'")
