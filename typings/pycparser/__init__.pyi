from pycparser import c_ast as c_ast
