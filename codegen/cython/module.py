"""The Cython module: a table of the functions for a generic caller, and one short def each.

All checks, conversions and loops stand once, in ``templates/call.h`` (the fast path, on the NumPy
C API), ``templates/threads.h`` and ``templates/module.pyx`` (everything else). A function costs a
row of the table and a def, which keeps the wrapper of a large model small and quick to compile.
"""

from collections.abc import Mapping

from eomc.codegen.c.arguments import with_parameters
from eomc.codegen.cython.constraints import solver_functions
from eomc.codegen.cython.integrator import integrator_functions
from eomc.codegen.cython.port import indented, port_rows, struct_of_parameters
from eomc.codegen.cython.rollouts import rollout_function
from eomc.codegen.language.body import Body
from eomc.codegen.language.comment import comment_text
from eomc.codegen.plan.interface import Entry, Interface, Port
from eomc.codegen.templates.template import fill


def module(face: Interface, bodies: Mapping[str, Body], manifest: str, lanes: int) -> str:
    """Text of ``<model>_module.pyx``; ``manifest`` is the JSON text it shows as a dict."""
    text = fill(
        "module.pyx",
        m=face.prefix,
        real=face.real.name,
        dtype=face.real.dtype,
        title=_docstring_text(f"Equations of motion of {face.program.name}, made by eomc."),
        support=indented(_support(face, bodies, lanes)),
        ports=_most_ports(face),
        manifest=_literal(manifest),
        parameter_names=tuple(member.parameter.name for member in face.members),
        functions="\n".join(
            _definition(face, number, entry) for number, entry in enumerate(face.entries)
        ),
    )
    text += solver_functions(face)
    text += integrator_functions(face)
    return text + (rollout_function(face, bodies) if lanes > 1 else "")


def _most_ports(face: Interface) -> int:
    """Arguments of any function, parameters included."""
    return max([len(entry.ports) + 1 for entry in face.entries], default=1)


def _literal(text: str) -> str:
    return repr(text.rstrip("\n"))


def _docstring_text(text: str) -> str:
    return comment_text(text).replace("\\", "\\\\").replace('"', "'")


# -- tables for the generic caller ---------------------------------------------------------------


def _support(face: Interface, bodies: Mapping[str, Body], lanes: int) -> str:
    dimensions = [len(port.argument.shape) for entry in face.entries for port in entry.ports]
    generic = fill(
        "call.h",
        m=face.prefix,
        typenum=face.real.typenum,
        dimensions=max(dimensions, default=1) or 1,
        parameters=max(len(face.members), 1),
        lanes=lanes,
        ports=_most_ports(face),
    )
    generic += "\n" + fill("threads.h", m=face.prefix)
    texts = [_thunk(face, number, entry) for number, entry in enumerate(face.entries)]
    if lanes > 1:
        texts += [_lanes_thunk(face, number, entry) for number, entry in enumerate(face.entries)]
    rows = [
        _row(face, number, entry, bodies[entry.name], lanes)
        for number, entry in enumerate(face.entries)
    ]
    texts.append(
        "static const eomc_function eomc_functions[] = {\n    " + ",\n    ".join(rows) + "\n};\n"
    )
    texts.append(_set_defaults(face))
    return generic + "\n" + "\n".join(texts)


def _thunk(face: Interface, number: int, entry: Entry) -> str:
    """The ports of a function and a caller that takes its arguments as arrays of pointers."""
    arguments = [
        f"x[{i}][0]" if port.by_value else f"x[{i}]" for i, port in enumerate(entry.inputs)
    ]
    p = struct_of_parameters(face, len(arguments))
    arguments = with_parameters(face, arguments, p)
    unused = "" if arguments else "    (void)x;\n"
    arguments += [f"y[{i}]" for i in range(len(entry.outputs))]
    real = face.real_type
    return (
        f"static const eomc_port eomc_ports_{number}[] = {{\n"
        f"    {port_rows(face, entry.inputs, entry.outputs)}\n}};\n\n"
        f"static int eomc_call_{number}(const {real} *const *x, {real} *const *y)\n{{\n{unused}"
        f"    return {entry.symbol}({', '.join(arguments)});\n}}\n"
    )


def _lanes_thunk(face: Interface, number: int, entry: Entry) -> str:
    """A caller of the function on several states at once."""
    inputs = len(entry.inputs) + bool(face.members)
    arguments = [f"x[{i}]" for i in range(inputs)]
    unused = "" if arguments else "    (void)x;\n"
    arguments += [f"y[{i}]" for i in range(len(entry.outputs))]
    real = face.real_type
    return (
        f"static int eomc_call_lanes_{number}(\n"
        f"    const {real} *const *x, {real} *const *y, int *codes)\n{{\n{unused}"
        f"    return {entry.symbol}_lanes({', '.join([*arguments, 'codes'])});\n}}\n"
    )


def _row(face: Interface, number: int, entry: Entry, body: Body, lanes: int) -> str:
    inputs = len(entry.inputs) + bool(face.members)
    at_once = f"eomc_call_lanes_{number}" if lanes > 1 else "NULL"
    return (
        f'{{"{entry.name}", {inputs}, {len(entry.outputs)}, {int(bool(face.members))}, '
        f"{sum(body.operations.values())}, eomc_ports_{number}, eomc_call_{number}, {at_once}}}"
    )


def _set_defaults(face: Interface) -> str:
    """The parameters struct read as an array of scalars, which the check makes certain."""
    if not face.members:
        return "static void eomc_set_defaults(void)\n{\n    eomc_defaults[0] = 0;\n}\n"
    kind, real = face.parameters_type, face.real_type
    return (
        f"typedef char eomc_struct_is_array[sizeof({kind}) == sizeof(eomc_defaults) ? 1 : -1];\n\n"
        "static void eomc_set_defaults(void)\n{\n"
        f"    const {kind} p = {face.prefix}_default_parameters();\n"
        + "".join(
            f"    eomc_defaults[{i}] = ({real})p.{member.name};\n"
            for i, member in enumerate(face.members)
        )
        + "}\n"
    )


# -- what Python sees ----------------------------------------------------------------------------


def _definition(face: Interface, number: int, entry: Entry) -> str:
    names = [port.name for port in entry.inputs]
    keywords = ["p=None"] if face.members else []
    signature = ", ".join([*names, "*", *keywords, "out=None", "threads=None"])
    # Names of the module's own begin with an underscore: no function or argument does.
    values = names + (["p"] if face.members else [])
    lines = [f"def {entry.name}({signature}):", f'    """{_documentation(face, entry)}"""']
    lines.append(f"    cdef _PyObject *_values[{max(len(values), 1)}]")
    lines += [f"    _values[{i}] = <_PyObject *>{name}" for i, name in enumerate(values)]
    lines.append(f"    return _call(&_functions[{number}], _values, out, threads)")
    return "\n".join(lines) + "\n"


def _documentation(face: Interface, entry: Entry) -> str:
    function = entry.function
    lines = [function.description or function.name.replace("_", " "), ""]
    lines += [_port_text(port) for port in entry.inputs]
    if face.members:
        lines.append(f"p : ({len(face.members)},) tunable parameters, or a mapping of some of them")
    lines.append("returns")
    lines += ["    " + _port_text(port) for port in entry.outputs]
    codes = list(dict.fromkeys(guard.code for guard in function.guards))
    if codes:
        lines.append(f"raises FloatingPointError: {', '.join(codes)}")
    return "\n    ".join(map(_docstring_line, lines)).rstrip() + "\n    "


def _docstring_line(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return indent + _docstring_text(line)


def _port_text(port: Port) -> str:
    argument = port.argument
    shape = ", ".join(map(str, argument.shape))
    shape = f"({shape},)" if len(argument.shape) == 1 else f"({shape})"
    units = f" [{argument.units}]" if argument.units else ""
    return f"{port.name} : {shape if argument.shape else 'scalar'} {argument.description}{units}"
