"""The C files of a model: one, or several when the functions are large together."""

import re
from collections.abc import Iterable, Mapping

from eomc.codegen.c.limits import limit_definitions
from eomc.codegen.c.places import base_definition
from eomc.codegen.c.shared import shared_definitions
from eomc.codegen.c.sine_cosine import sine_cosine_definitions
from eomc.codegen.language.body import FunctionText
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill


def c_files(
    face: Interface,
    bodies: dict[str, FunctionText],
    file_limit: int,
    banner: str,
    extra: str = "",
    shared: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """``<model>.c``, then ``<model>_2.c`` ...; ``extra`` goes into the first, and into each what it
    uses of the definitions that loops share.

    Files of about `file_limit` statements compile independently of each other, at the same time.
    """
    groups: list[list[str]] = [[_status_names(face)]]
    if face.members:
        groups[0].append(_default_parameters(face))
    if face.program.limits:
        groups[0].append(limit_definitions(face))
    units = [unit for entry in face.entries for unit in bodies[entry.name].units]
    add_units(groups, units, file_limit)
    if extra:
        groups[0].append(extra)
    return {
        f"{face.prefix}.c" if number == 1 else f"{face.prefix}_{number}.c": c_file(
            face, banner, "\n".join(group).rstrip("\n"), shared or {}
        )
        for number, group in enumerate(groups, start=1)
    }


def add_units(groups: list[list[str]], units: Iterable[tuple[str, int]], file_limit: int) -> None:
    """Texts with their statements go to the last of `groups`, and to new ones where it is full."""
    filled = 0
    for text, statements in units:
        if filled and filled + statements > file_limit:
            groups.append([])
            filled = 0
        groups[-1].append(text)
        filled += statements


def c_file(face: Interface, banner: str, functions: str, shared: Mapping[str, str]) -> str:
    """One C file: the frame, what the ``functions`` lean on, and themselves."""
    if called := shared_definitions(shared, functions):
        functions = f"{called}\n{functions}"
    support = sine_cosine_definitions(face, functions)
    if f"{face.prefix}_base(" in functions:
        support = f"{support}\n{base_definition(face)}" if support else base_definition(face)
    return fill(
        "model.c",
        banner=banner,
        m=face.prefix,
        M=face.macro,
        support=f"{support}\n" if support else "",
        functions=functions,
    )


def _status_names(face: Interface) -> str:
    lines = [f"const char *{face.prefix}_status_name(int code)", "{"]
    lines += [f"{INDENT}const char *name;", f"{INDENT}switch (code) {{"]
    rows = [("OK", f"{face.macro}_OK")] + [(s.code, s.enumerator) for s in face.statuses]
    for code, enumerator in rows:
        lines += [f"{INDENT}case {enumerator}:", f'{INDENT * 2}name = "{_escaped(code)}";']
        lines.append(f"{INDENT * 2}break;")
    lines += [f"{INDENT}default:", f'{INDENT * 2}name = "unknown code";', f"{INDENT * 2}break;"]
    return "\n".join([*lines, f"{INDENT}}}", f"{INDENT}return name;", "}", ""])


def _escaped(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_ .-]", "_", text)


def _default_parameters(face: Interface) -> str:
    rows = ",\n".join(
        f"{INDENT * 2}.{member.name} = {literal(member.parameter.default, face.real)}"
        for member in face.members
    )
    return "\n".join(
        [
            f"{face.parameters_type} {face.prefix}_default_parameters(void)",
            "{",
            f"{INDENT}const {face.parameters_type} defaults = {{",
            rows,
            f"{INDENT}}};",
            f"{INDENT}return defaults;",
            "}",
            "",
        ]
    )
