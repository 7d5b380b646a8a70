"""What is declared, lowest first.

check_types         the type that specifiers and declarators spell
check_attributes    GNU C's attributes
check_old_style     the parameters of functions as K&R wrote them
check_functions     functions: their declarations, and what is in them
check_declarations  objects, types, and which of all it is
check_program       the translation unit
"""

if __name__ != "polyopt.frontend.checking.declarations":
    raise ImportError(f"imported as {__name__!r}: use 'polyopt.frontend.checking.declarations'")
