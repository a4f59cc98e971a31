"""Comments in emitted code: text of the model, and the contract of a function."""

import re
import textwrap

from eomc.codegen.plan.entry_units import argument_units
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port

_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def comment_text(text: str) -> str:
    """``text`` without line breaks, comment delimiters, line splices and trigraphs.

    >>> comment_text("torque */ of\\nthe hinge")
    'torque * / of the hinge'
    """
    text = _CONTROL.sub(" ", text).replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
    return text.rstrip("\\ ")


def comment_block(lines: list[str]) -> str:
    """A block comment, long lines wrapped with a hanging indent."""
    return "/*\n" + "".join([f" * {line}".rstrip() + "\n" for line in _wrapped(lines)]) + " */\n"


def comment_lines(lines: list[str], mark: str) -> str:
    """The same in languages whose comments begin with a mark and end with the line."""
    return "".join([f"{mark} {line}".rstrip() + "\n" for line in _wrapped(lines)])


def _wrapped(lines: list[str]) -> list[str]:
    wrapped: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        wrapped += textwrap.wrap(
            comment_text(line),
            94,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        ) or [""]
    return wrapped


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
