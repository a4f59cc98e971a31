"""The Cython face of the integrators: the frames stand in ``templates/integrate*.pyx``."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from eomc.codegen.c.arguments import with_parameters
from eomc.codegen.c.integrator import Integrator, integrators
from eomc.codegen.cython.port import indented, port_table, struct_of_parameters
from eomc.codegen.plan.interface import Interface, Port
from eomc.codegen.templates.template import fill

_FIXED_TYPES = "_real *, _real *, const _real *const *, _real, _real, int, int, int *"
_ADAPTIVE_TYPES = (
    "_real *, _real *, const _real *const *, const _real *, int, _real, _real, int, _AdaptiveRun *"
)


def integrator_functions(face: Interface) -> str:
    """A Python function for each integrator of the model, and what they share."""
    methods = integrators(face)
    if not methods:
        return ""
    fixed = [method for method in methods if not method.tableau.is_adaptive]
    adaptive = [method for method in methods if method.tableau.is_adaptive]
    texts = [
        fill(
            "integrate.pyx",
            support=indented(
                port_table(face, "integrator", _state_ports(methods[0]) + methods[0].held)
            ),
        ),
        _behind(methods[0]),
        _functions(face, "integrate_fixed.pyx", fixed, _fixed_thunk, _FIXED_TYPES, _fixed),
        _functions(
            face, "integrate_adaptive.pyx", adaptive, _adaptive_thunk, _ADAPTIVE_TYPES, _adaptive
        ),
    ]
    return "".join(texts)


def _state_ports(method: Integrator) -> tuple[Port, ...]:
    """q, and the speeds with the states of elements behind them."""
    q, u = method.dynamics.inputs[:2]
    if not method.nz:
        return q, u
    entries = (*u.argument.entries, *method.dynamics.inputs[2].argument.entries)
    return q, replace(u, argument=replace(u.argument, shape=(method.width,), entries=entries))


def _behind(method: Integrator) -> str:
    """Python functions that put z behind u and take it away; nothing without z."""
    return fill("element_states.pyx", nu=method.nu, nz=method.nz) if method.nz else ""


def state_marks(method: Integrator, rows: str) -> dict[str, str]:
    """Marks by which a Python function takes, hands over and returns the state, in so many rows."""
    return {
        "state": ", ".join(method.state),
        "state_given": "q, _behind(u, z)" if method.nz else "q, u",
        "z": f", z : ({rows}, {method.nz})" if method.nz else "",
        "parted": "_parted(" if method.nz else "",
        "end": "))" if method.nz else ")",
    }


def _functions(
    face: Interface,
    template: str,
    methods: Sequence[Integrator],
    thunk: Callable[[Interface, Integrator], str],
    types: str,
    definition: Callable[[Interface, Integrator], str],
) -> str:
    """One Python function for each of the `methods`, which share a template."""
    if not methods:
        return ""
    names = [method.tableau.name for method in methods]
    return fill(
        template,
        m=face.prefix,
        support=indented("\n".join(thunk(face, method) for method in methods)),
        externs="".join(
            f'    int _run_{name} "eomc_run_{name}"({types}) noexcept nogil\n' for name in names
        ),
        functions="\n".join(definition(face, method) for method in methods),
    )


def _fixed_thunk(face: Interface, method: Integrator) -> str:
    held = [f"x[{i}]" for i in range(len(method.held))]
    times = ["t"] if method.timed else []
    arguments = with_parameters(face, ["q", "u", *held], struct_of_parameters(face, len(held)))
    return _thunk(face, method, "run_fixed.h", arguments + times)


def _adaptive_thunk(face: Interface, method: Integrator) -> str:
    # Scalars travel by value.
    held = [f"x[{i}][0]" if port.by_value else f"x[{i}]" for i, port in enumerate(method.held)]
    arguments = with_parameters(face, ["q", "u", *held], struct_of_parameters(face, len(held)))
    return _thunk(face, method, "run_adaptive.h", arguments)


def _thunk(face: Interface, method: Integrator, template: str, arguments: Sequence[str]) -> str:
    name = method.tableau.name
    return fill(template, m=face.prefix, method=name, arguments=", ".join(arguments))


def _fixed(face: Interface, method: Integrator) -> str:
    held = [port.name for port in method.held]
    arguments = [*method.state, *held, *(["t"] if method.timed else []), "h", "steps"]
    keywords = ["*", "p=None"] if face.members else []
    rows = "".join(f"\n    {port} : held inputs, one row or one a step" for port in held)
    t = "t" if method.timed else "0.0"
    return _definition(face, method, "fixed_run.pyx", arguments + keywords, rows, "steps + 1", t=t)


def _adaptive(face: Interface, method: Integrator) -> str:
    held = [port.name for port in method.held]
    keywords = ["*", "rtol=1e-8", "atol=1e-10", "h=0.0", "max_steps=10_000_000"]
    signature = with_parameters(face, [*method.state, *held, "times", *keywords], "p=None")
    rows = "".join(f"\n    {port} : inputs, held for the whole run" for port in held)
    return _definition(face, method, "adaptive_run.pyx", signature, rows, "n")


def _definition(
    face: Interface,
    method: Integrator,
    template: str,
    signature: Sequence[str],
    rows: str,
    count: str,
    **marks: str,
) -> str:
    return fill(
        template,
        method=method.tableau.name,
        title=method.tableau.title,
        signature=", ".join(signature),
        rows=rows,
        nq=method.nq,
        nu=method.nu,
        held=", ".join(port.name for port in method.held),
        p="p" if face.members else "None",
        **state_marks(method, count),
        **marks,
    )
