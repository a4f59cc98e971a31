"""The table of a model's shared library: ``<model>_table.c``, by which eomc calls any model.

The interface stands in ``binding/eomc_model.h``: functions behind one signature, routines (solvers,
integrators, rollouts), default parameters, names of return codes, and the manifest.
"""

import json
from collections.abc import Iterable, Sequence

from eomc.binding.files import INTERFACE, text
from eomc.codegen.c.arguments import with_parameters
from eomc.codegen.c.contact_step import ContactStep, contact_step
from eomc.codegen.c.implicit_integrator import implicit_integrators
from eomc.codegen.c.integrator import Integrator, integrators
from eomc.codegen.c.rollouts import Rollouts, all_rollouts, rollouts, signals
from eomc.codegen.c.routines import Solver, solver_rows
from eomc.codegen.plan.interface import EmittedFunction, Interface
from eomc.codegen.templates.template import fill

# Compilers must take strings of 4095 bytes, not longer ones; JSON escapes nearly double them.
_PIECE = 2000


def table_files(
    face: Interface, c_files: Sequence[str], manifest: str, lanes: int
) -> dict[str, str]:
    """The table and the header of its interface. A model of one C file is compiled with its table
    in one go: starting a compiler takes as long as compiling a small model."""
    included = c_files[0] if len(c_files) == 1 else f"{face.prefix}.h"
    return {
        INTERFACE: text(INTERFACE),
        f"{face.prefix}_table.c": table(face, included, manifest, lanes),
    }


def table(face: Interface, included: str, manifest: str, lanes: int) -> str:
    """Text of ``<model>_table.c``; `manifest` is the JSON text that it holds."""
    thunks = [_thunk(face, entry) for entry in face.entries]
    if lanes > 1:
        thunks += [_lanes_thunk(face, entry) for entry in face.entries]
        thunks.append(_transposing(face))
    routines = []
    for solver in solver_rows(face):
        thunks.append(_solver_thunk(face, solver))
        routines.append((solver.name, f"eomc_solve_{solver.name}"))
    for method in integrators(face):
        name, adaptive = method.tableau.name, method.tableau.is_adaptive
        thunks.append(_integrator_thunk(face, method, name, adaptive))
        routines.append((name, f"eomc_run_{name}"))
    for implicit in implicit_integrators(face):
        name = implicit.name
        thunks.append(_integrator_thunk(face, implicit.explicit, name, implicit.adaptive))
        routines.append((name, f"eomc_run_{name}"))
    if (step := contact_step(face)) is not None:
        for name in step.methods:
            thunks.append(_contact_thunk(face, step, name))
            routines.append((name, f"eomc_run_{name}"))
    for k, found in enumerate(all_rollouts(face) if lanes > 1 else ()):
        if k == 0:
            thunks.append(_signal(face, lanes))
        thunks.append(_rollouts_thunk(face, found, lanes))
        routines.append((f"{found.name}_rollouts", f"eomc_run_{found.name}_rollouts"))
    if lanes > 1 and step is not None and step.nq:
        for name in step.methods:
            thunks.append(_contact_rollouts_thunk(face, step, name, lanes))
            routines.append((f"{name}_rollouts", f"eomc_run_{name}_rollouts"))
    return fill(
        "table.c",
        m=face.prefix,
        included=included,
        lanes=lanes,
        thunks="\n".join(thunks),
        manifest=",\n    ".join(_pieces(manifest)),
        functions=_rows(_function_row(entry, lanes) for entry in face.entries),
        routines=_rows(f'{{"{name}", (void (*)(void)){call}}}' for name, call in routines),
        defaults=_defaults(face),
        to_lanes="eomc_to_lanes" if lanes > 1 else "NULL",
        from_lanes="eomc_from_lanes" if lanes > 1 else "NULL",
    )


def _rows(rows: Iterable[str]) -> str:
    """Rows of a table, each followed by a comma and a new line."""
    return "".join(f"{row},\n    " for row in rows)


def _function_row(entry: EmittedFunction, lanes: int) -> str:
    at_once = f"eomc_lanes_{entry.name}" if lanes > 1 else "NULL"
    return f'{{"{entry.name}", eomc_call_{entry.name}, {at_once}}}'


def _pieces(manifest: str) -> list[str]:
    """The manifest without its white space, as string literals."""
    compact = json.dumps(json.loads(manifest), separators=(",", ":"))
    return [_literal(compact[k : k + _PIECE]) for k in range(0, len(compact), _PIECE)]


def _literal(text: str) -> str:
    """A C string; json.dumps leaves ASCII alone. Two question marks would begin a trigraph."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?")
    return f'"{escaped}"'


# -- callers of one signature ----------------------------------------------------------------------


def _value(face: Interface, place: int) -> str:
    """A scalar that travels by value, at a place of an array of pointers."""
    return f"*(const {face.real_type} *)x[{place}]"


def _thunk(face: Interface, entry: EmittedFunction) -> str:
    """A caller of a function that takes its arguments as arrays of pointers."""
    count = len(entry.inputs)
    arguments = [
        _value(face, i) if port.by_value else f"x[{i}]" for i, port in enumerate(entry.inputs)
    ]
    arguments = with_parameters(face, arguments, f"x[{count}]")
    unused = "" if arguments else "    (void)x;\n"
    arguments += [f"y[{i}]" for i in range(len(entry.outputs))]
    return (
        f"static int eomc_call_{entry.name}(const void *const *x, void *const *y)\n{{\n{unused}"
        f"    return {entry.symbol}({', '.join(arguments)});\n}}\n"
    )


def _lanes_thunk(face: Interface, entry: EmittedFunction) -> str:
    """A caller of the function on several states at once."""
    inputs = len(entry.inputs) + bool(face.members)
    arguments = [f"x[{i}]" for i in range(inputs)]
    unused = "" if arguments else "    (void)x;\n"
    arguments += [*(f"y[{i}]" for i in range(len(entry.outputs))), "codes"]
    return (
        f"static int eomc_lanes_{entry.name}(\n"
        f"    const void *const *x, void *const *y, int *codes)\n{{\n{unused}"
        f"    return {entry.symbol}_lanes({', '.join(arguments)});\n}}\n"
    )


def _transposing(face: Interface) -> str:
    """Rows of states to lanes and back."""
    arguments = "const void *from, size_t size, size_t stride, void *to"
    return "\n".join(
        f"static void eomc_{way}_lanes({arguments})\n{{\n"
        f"    {face.prefix}_{way}_lanes(from, size, stride, to);\n}}\n"
        for way in ("to", "from")
    )


def _solver_thunk(face: Interface, solver: Solver) -> str:
    arguments = [f"y[{i}]" for i in range(len(solver.arrays))]
    arguments += [
        _value(face, i) if port.by_value else f"x[{i}]" for i, port in enumerate(solver.held)
    ]
    arguments = with_parameters(face, arguments, f"x[{len(solver.held)}]")
    arguments += ["order"] if solver.order else []
    arguments += ["rank"] if solver.order == "rank" else []
    arguments += [f"({face.real_type})tolerance", "max_steps"] if solver.iterates else []
    first = len(solver.arrays)
    arguments += [f"y[{first + i}]" for i in range(len(solver.outputs))]
    marks = {"solver": solver.name, "arguments": ", ".join(arguments)}
    return fill("run_solver.h", m=face.prefix, **marks)


def _integrator_thunk(face: Interface, method: Integrator, name: str, adaptive: bool) -> str:
    held = method.held
    # Of fixed steps, scalars too are rows.
    arguments = [
        _value(face, i) if adaptive and port.by_value else f"x[{i}]" for i, port in enumerate(held)
    ]
    arguments = with_parameters(face, ["q", "u", *arguments], f"x[{len(held)}]")
    arguments += [f"({face.real_type})t"] if method.timed and not adaptive else []
    template = "run_adaptive.h" if adaptive else "run_fixed.h"
    return fill(template, m=face.prefix, method=name, arguments=", ".join(arguments))


def _contact_thunk(face: Interface, step: ContactStep, method: str) -> str:
    held = step.held
    arguments = with_parameters(face, [f"x[{i}]" for i in range(len(held))], f"x[{len(held)}]")
    arguments = ["q", "u", *arguments, *([f"({face.real_type})t"] if step.timed else [])]
    marks = {"method": method, "arguments": ", ".join(arguments)}
    return fill("run_fixed.h", m=face.prefix, **marks)


def _rollouts_thunk(face: Interface, found: Rollouts, lanes: int) -> str:
    """Calls of the C function for one group of lanes after the other."""
    method, count, real = found.method, len(signals(face, found)), face.real_type
    arguments, feedback = [f"&at[{i}]" for i in range(count)], ""
    if found.tau is not None:
        arguments.append("references[0].rows == NULL ? NULL : &feedback")
        feedback = fill("run_rollouts_feedback.h", m=face.prefix, nu=method.nu)
    arguments += [*([f"({real})t"] if method.timed else []), f"({real})h", "steps", "every"]
    return fill(
        "run_rollouts.h",
        m=face.prefix,
        failed=fill("run_rollouts_failed.h", lanes=lanes),
        method=found.name,
        lanes=lanes,
        signals=count,
        most_signals=max(count, 1),
        nq=method.nq,
        width=method.width,
        arguments=", ".join([*arguments, "codes"]),
        feedback=feedback,
    )


def _signal(face: Interface, lanes: int) -> str:
    return fill("run_signal.h", m=face.prefix, lanes=lanes)


def _contact_rollouts_thunk(face: Interface, step: ContactStep, name: str, lanes: int) -> str:
    """The same of steps with contacts, in which a run that fails leaves the others alone."""
    count, real = len(step.held) + bool(face.members), face.real_type
    arguments = [f"&at[{i}]" for i in range(count)]
    arguments += [*([f"({real})t"] if step.timed else []), f"({real})h", "steps", "every"]
    alone = rollouts(face) is None and name == step.methods[0]
    return (f"{_signal(face, lanes)}\n" if alone else "") + fill(
        "run_rollouts.h",
        m=face.prefix,
        failed="        (void)status;\n        (void)bad;\n",
        method=name,
        lanes=lanes,
        signals=count,
        most_signals=count,
        nq=step.nq,
        width=step.width,
        arguments=", ".join([*arguments, "codes"]),
        feedback="",
    )


def _defaults(face: Interface) -> str:
    """The parameters struct read as an array of scalars, which the check makes certain."""
    if not face.members:
        return "(void)p;"
    size = f"{len(face.members)}*sizeof({face.real_type})"
    return (
        f"typedef char is_array[sizeof({face.parameters_type}) == {size} ? 1 : -1];\n"
        f"    (void)sizeof(is_array);\n"
        f"    *({face.parameters_type} *)p = {face.prefix}_default_parameters();"
    )
