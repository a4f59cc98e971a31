"""Arguments of emitted functions as C declarations.

Arrays are declared with their length. Inside C they are ``restrict``; the macro that says so is
empty in C++ and in compilers that do not know the notation.
"""

from eomc.codegen.interface import Interface, Port


def array_declarator(face: Interface, name: str, size: int | str) -> str:
    """``name[restrict size]``; the length is left out when it is zero, which C forbids to write."""
    if size == 0:
        return f"{name}[{face.macro}_RESTRICT]"
    return f"{name}[{face.macro}_RESTRICT {size}]"


def port_declaration(face: Interface, port: Port) -> str:
    """One argument of a function."""
    const = "" if port.is_output else "const "
    name = port.name if port.by_value else array_declarator(face, port.name, port.size)
    return f"{const}{face.real_type} {name}"


def parameters_argument(face: Interface) -> str:
    """The tunable parameters."""
    return f"const {face.parameters_type} *p"
