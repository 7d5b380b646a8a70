"""Random C programs and configurations, to find what the compiler does wrong.

choices     what is drawn, and how often
scalars     C's arithmetic types; values: expressions whose behaviour C defines
memory      sizes, arrays, subscripts that stay inside; writer: the function that is written
loops, expressions, pieces, kernels, walks: what programs are put together from
program     a random program
harness     the data that it works on, and its calls, in this process and as C
"""

if __name__ != "polyopt.tools.fuzz":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.tools.fuzz'")
