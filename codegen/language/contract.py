"""The contract of a function as lines for the comment before it, alike in all languages."""

from eomc.codegen.plan.entry_units import argument_units
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port


def contract(face: Interface, entry: EmittedFunction) -> list[str]:
    """Text on the function, then a line for each argument: its shape, meaning, unit and entries."""
    function = entry.function
    lines = [function.description or function.name.replace("_", " "), ""]
    lines += [_port_line(face, "in ", port) for port in entry.inputs]
    if face.members:
        lines.append("in  p: tunable parameters")
    return lines + [_port_line(face, "out", port) for port in entry.outputs]


def _port_line(face: Interface, direction: str, port: Port) -> str:
    argument = port.argument
    shape = "".join([f"[{extent}]" for extent in argument.shape])
    text = f"{direction} {port.name}{shape}"
    if argument.description:
        text += f": {argument.description}"
    if argument.units:
        text += f" [{argument_units(face, argument)}]"
    if argument.rows:
        text += f"; {'rows ' if len(argument.shape) > 1 else ''}{', '.join(argument.rows)}"
    return text
