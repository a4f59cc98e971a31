"""Limits of joints, speeds and forces as constant arrays."""

import math

from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import Interface


def limit_declarations(face: Interface) -> str:
    """For the header; nothing where nothing is limited."""
    limits = face.program.limits
    if not limits:
        return ""
    lines = [
        "/* Limits that the model states, in the order of the entries; infinite where none. */"
    ]
    for name, values in limits.items():
        lines.append(f"extern const {face.real_type} {face.prefix}_{name}[{len(values)}];")
    return "\n".join(lines) + "\n\n"


def limit_definitions(face: Interface) -> str:
    """For the source file."""
    text = ""
    for name, values in face.program.limits.items():
        rows = "".join(f"{INDENT}{_limit(face, value)},\n" for value in values)
        text += f"const {face.real_type} {face.prefix}_{name}[{len(values)}] = {{\n{rows}}};\n\n"
    return text


def _limit(face: Interface, value: float) -> str:
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return literal(value, face.real)
