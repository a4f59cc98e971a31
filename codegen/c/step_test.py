"""The part of a self test that runs a difference equation: from its start, sample after sample.

The rows to compare with were recorded beside the program, in its metadata.
"""

from collections.abc import Mapping
from typing import Any

from eomc.codegen.c.difference_step import STEP
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill

RECORDED = "recorded"
"""Entry of the metadata of a step: rows of its inputs and of its output, by name."""

TOLERANCE = {"double": 2.0**-30, "float": 2.0**-10}
"""Of the largest entry of the output: the record rounds otherwise, and steps remember it."""


def step_test(face: Interface) -> str:
    """A static function ``test_step``; empty without a record."""
    entry, told = face.entry(STEP), face.program.metadata.get(STEP)
    if entry is None or not isinstance(told, Mapping) or not told.get(RECORDED):
        return ""
    record: Mapping[str, list[list[float]]] = told[RECORDED]
    ports = [port for port in entry.inputs if port.argument.name in record]
    output = entry.outputs[-1].argument.name
    rows = record[output]
    if not rows or not rows[0]:
        return ""
    largest = max(abs(value) for row in rows for value in row)
    tables = "".join(_table(face, f"in_{k}", record[p.argument.name]) for k, p in enumerate(ports))
    return fill(
        "step_test.c",
        m=face.prefix,
        M=face.macro,
        count=len(rows),
        size=len(rows[0]),
        tables=tables + _table(face, "expected", rows),
        parameters=f"    const {face.parameters_type} p = {face.prefix}_default_parameters();\n"
        if face.members
        else "",
        seed=", 1u" if told.get("draws") else "",
        arguments="".join(
            f"in_{k}[k]{'[0]' if port.by_value else ''}, " for k, port in enumerate(ports)
        )
        + ("&p, " if face.members else ""),
        tolerance=literal(TOLERANCE[face.real.name] * max(largest, 1.0), face.real),
    )


def _table(face: Interface, name: str, rows: list[list[Any]]) -> str:
    lines = [f"    static const {face.real_type} {name}[{len(rows)}][{max(len(rows[0]), 1)}] = {{"]
    for row in rows:
        numbers = [literal(float(value), face.real) for value in row] or ["0"]
        parts = [", ".join(numbers[i : i + 4]) for i in range(0, len(numbers), 4)]
        lines.append(f"        {{{(',' + chr(10) + ' ' * 12).join(parts)}}},")
    return "\n".join([*lines, "    };", ""])
