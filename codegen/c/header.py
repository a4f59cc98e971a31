"""The header: types, index names, return codes, parameters, and each function with its contract."""

from eomc.codegen.c.language import C99
from eomc.codegen.c.limits import limit_declarations
from eomc.codegen.language.body import FunctionText
from eomc.codegen.language.comment import comment_block, comment_text, contract
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.entry_units import entry_unit
from eomc.codegen.plan.interface import EmittedFunction, IndexEnum, Interface
from eomc.codegen.plan.operations import summary
from eomc.codegen.templates.template import fill


def header(language: C99, bodies: dict[str, FunctionText], banner: str, extra: str = "") -> str:
    """Text of ``<model>.h``; ``extra`` are further declarations, the integrators'."""
    face = language.face
    return fill(
        "model.h",
        banner=banner,
        M=face.macro,
        m=face.prefix,
        real=face.real.name,
        status=_status_enum(face),
        indices="".join(_index_enum(face, index) + "\n" for index in face.indices)
        + limit_declarations(face),
        parameters=_parameters(face),
        functions="\n".join(_declaration(language, e, bodies) for e in face.entries) + extra,
    )


def _status_enum(face: Interface) -> str:
    lines = ["/* Return codes of all functions. */", "enum {"]
    rows = [f"{INDENT}{face.macro}_OK = 0"]
    rows += [f"{INDENT}{status.enumerator} = {status.value}" for status in face.statuses]
    lines += [",\n".join(rows), "};", ""]
    lines += ["/* The name of a return code. */"]
    lines += [f"const char *{face.prefix}_status_name(int code);", ""]
    return "\n".join(lines)


def _index_enum(face: Interface, index: IndexEnum) -> str:
    lines = [f"/* Order of the entries of {comment_text(index.array)}. */", "enum {"]
    for number, (name, entry) in enumerate(zip(index.enumerators, index.entries, strict=True)):
        unit = entry_unit(face, index.array, entry)
        remark = comment_text(f"{entry} [{unit}]" if unit not in ("", "1") else entry)
        lines.append(f"{INDENT}{name} = {number},  /* {remark} */")
    lines += [f"{INDENT}{index.count} = {len(index.entries)}", "};", ""]
    return "\n".join(lines)


def _parameters(face: Interface) -> str:
    if not face.members:
        return ""
    lines = ["/* Parameters that may be changed at run time. */", "typedef struct {"]
    for member in face.members:
        unit = f" [{member.parameter.units}]" if member.parameter.units else ""
        remark = comment_text(f"{member.parameter.description}{unit}".strip())
        remark = f"  /* {remark} */" if remark else ""
        lines.append(f"{INDENT}{face.real_type} {member.name};{remark}")
    lines += [f"}} {face.parameters_type};", "", "/* The values of the model file. */"]
    lines += [f"{face.parameters_type} {face.prefix}_default_parameters(void);", "", ""]
    return "\n".join(lines)


def _declaration(language: C99, entry: EmittedFunction, bodies: dict[str, FunctionText]) -> str:
    face = language.face
    function, body = entry.function, bodies[entry.name]
    lines = [*contract(face, entry), "", summary(body.operations)]
    lines.append(f"Stack: at most {body.stack} bytes in optimized code.")
    raised = {guard.code for guard in function.guards}
    codes = [status.enumerator for status in face.statuses if status.code in raised]
    if codes:
        lines.append(f"Returns 0, or {', '.join(codes)}; the outputs then mean nothing.")
    else:
        lines.append("Returns 0.")
    return comment_block(lines) + language.definition_head(entry) + ";\n"
