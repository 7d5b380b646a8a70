from pycparser import c_ast as c_ast
from pycparser import c_generator as c_generator
from pycparser import c_parser as c_parser
