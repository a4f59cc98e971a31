"""Arguments of emitted functions as rows of the wrapper's C tables."""

import textwrap

from eomc.codegen.plan.interface import Interface, Port
from eomc.codegen.templates.template import fill


def indented(text: str) -> str:
    """C inside a pyx docstring; backslashes and quotes must survive Python's reading."""
    return textwrap.indent(text.replace("\\", "\\\\").rstrip("\n"), " " * 4)


def _port_row(name: str, shape: tuple[int, ...]) -> str:
    size = 1
    for extent in shape:
        size *= extent
    extents = ", ".join(map(str, shape)) or "0"
    return f'{{"{name}", {len(shape)}, {size}, {{{extents}}}}}'


def port_rows(face: Interface, inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> str:
    rows = [_port_row(port.name, port.argument.shape) for port in inputs]
    if face.members:
        rows.append(_port_row("p", (len(face.members),)))
    rows += [_port_row(port.name, port.argument.shape) for port in outputs]
    return ",\n    ".join(rows)


def port_table(face: Interface, name: str, inputs: tuple[Port, ...]) -> str:
    """The inputs of routines that share them, parameters included."""
    marks = {"inputs": len(inputs) + bool(face.members), "tunable": int(bool(face.members))}
    return fill("port_table.h", routines=name, rows=port_rows(face, inputs, ()), **marks)


def struct_of_parameters(face: Interface, place: int) -> str:
    """C text of the parameters that stand at a place of an array of pointers."""
    return f"(const {face.parameters_type} *)(const void *)x[{place}]"
