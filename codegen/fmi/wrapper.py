"""C of the interface: the templates filled with what a layout says."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from string import Template

from eomc.codegen.c.contact_step import SETTINGS, ContactStep, contact_step
from eomc.codegen.c.implicit_integrator import DEFAULT_RHO, RHO, implicit_integrators
from eomc.codegen.c.integrator import Integrator, integrators
from eomc.codegen.fmi.description import Version
from eomc.codegen.fmi.latches import latch_marks
from eomc.codegen.fmi.variables import VariableLayout
from eomc.codegen.language.comment import comment_block
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.first_order import ADJOINT
from eomc.codegen.plan.interface import CONTACT_METHODS, Interface

FMU_SETTINGS = (100, 1e-12, 1e-2, 1, 0)
"""Of the solve for impulses: sweeps, tolerance, residual, Newton's method, no relaxation."""
METHOD = "rk4"
"""The integrator that Co-Simulation steps with unless another one is named."""


def wrapper(
    face: Interface,
    layout: VariableLayout,
    version: Version,
    token: str,
    method: str = METHOD,
    others: Mapping[tuple[str, ...], Interface] | None = None,
) -> str:
    """Text of ``<model>_fmi<version>.c``, which steps by the integrator of that name; `others` are
    the programs of other sets of closed latches."""
    known: dict[str, tuple[Integrator | ContactStep, str]] = {
        m.tableau.name: (m, m.tableau.title) for m in integrators(face)
    }
    known |= {m.name: (m.explicit, m.method.title) for m in implicit_integrators(face)}
    if (step := contact_step(face)) is not None:
        known |= {name: (step, CONTACT_METHODS[name]) for name in step.methods}
    if method not in known:
        raise EmissionError(f"{face.program.name!r} has no {method} to step with in Co-Simulation")
    found, title = known[method]
    places: dict[str, int] = {}
    for k, entry in enumerate(layout.system.held):
        places.setdefault(entry.array, layout.first_held + k)
    given = {name: f"v + {place}" for name, place in places.items()}
    given |= {SETTINGS: SETTINGS, RHO: repr(DEFAULT_RHO)}
    held = "".join(f"{given[port.argument.name]}, " for port in found.held)
    marks: dict[str, object] = {
        "m": face.prefix,
        "M": face.macro,
        "nx": layout.nx,
        "nw": len(layout.system.held),
        "np": len(face.members),
        "ny": layout.ny,
        "nq": found.nq,
        "switches": layout.system.switches,
        "first_rate": layout.first_rate,
        "first_held": layout.first_held,
        "first_parameter": layout.first_parameter,
        "step_place": layout.step_place,
        "first_output": layout.first_output,
        "size": layout.size,
        "token": token,
        "start": _starts(layout),
        "logger": version.logger,
        "p": "&p, " if face.members else "",
        "settings": _settings(face, layout),
        "load": _LOAD.format(m=face.prefix) if face.members else "",
        "held": held,
        "time": "t, " if found.timed else "",
        "method": title,
        "integrator": method,
        **_kept(layout),
    }
    marks |= dict.fromkeys(("refused", "declared", "includes"), "")
    if layout.latches:
        marks |= latch_marks(face, layout, others or {}, method, given)
    outputs = "outputs.c" if layout.ny else "no_outputs.c"
    marks["outputs"] = _fill(outputs, marks)
    marks["adjoint"] = _fill("adjoint.c", marks) if face.entry(ADJOINT) else ""
    marks["advance"] = _fill("latches.c" if layout.latches else "advance.c", marks)
    marks["absent"] = _fill("fmi3_absent.c", marks)
    marks["instance"] = _fill("instance.c", marks)
    marks["banner"] = comment_block(
        [f"{face.program.name} by FMI {version.name}.0, made by eomc."]
    ).rstrip()
    return _fill(version.template, marks)


def _kept(layout: VariableLayout) -> dict[str, object]:
    """Marks of impulses, or of the memory of a method, which lie behind the states while steps are
    taken."""
    count, first = len(layout.kept), layout.first_kept
    if not count:
        none = dict.fromkeys(("kept", "kept_in", "kept_out", "steps_only"), "")
        return {**none, "state_bytes": "sizeof x"}
    place, settings = f"{count}*sizeof(double)", ""
    if layout.impulses:
        values = ", ".join(map(repr, map(float, FMU_SETTINGS)))
        settings = f"    static const double {SETTINGS}[{len(FMU_SETTINGS)}] = {{{values}}};\n"
    return {
        "kept": f" + {count}",
        "kept_in": f"{settings}    memcpy(x + nStates, v + {first}, {place});\n",
        "kept_out": f"        memcpy(unit->value + {first}, x + nStates, {place});\n",
        "state_bytes": "nStates*sizeof(double)",
        "steps_only": " && purpose == forSteps" if layout.steps_only else "",
    }


_LOAD = "    const {m}_parameters p = settings(v);\n"


def _settings(face: Interface, layout: VariableLayout) -> str:
    """A function that gives the struct of tunable parameters, where there are any."""
    if not face.members:
        return ""
    lines = [
        f"    p.{member.name} = v[{layout.first_parameter + k}];"
        for k, member in enumerate(face.members)
    ]
    head = f"static {face.parameters_type} settings(const double *v)"
    return "\n".join(
        [head, "{", f"    {face.parameters_type} p;", *lines, "    return p;", "}\n\n"]
    )


def _fill(name: str, marks: dict[str, object]) -> str:
    text = (files("eomc.codegen.fmi.templates") / name).read_text(encoding="utf-8")
    return Template(text).substitute(marks)


def _starts(layout: VariableLayout) -> str:
    values = [variable.start or 0.0 for variable in layout.all[: layout.first_output]]
    return ",\n".join(f"    {value!r}" for value in values)
