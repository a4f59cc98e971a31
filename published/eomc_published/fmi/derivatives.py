"""Directional and adjoint derivatives, by FMPy and by CasADi's importer."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from eomc_published.case import Case, CaseCheck, at_most
from eomc_published.fmi.unit import STANDARD, VERSIONS, WITHOUT, Instance, instance, unit, unpacked

Array = np.ndarray[Any, Any]
_CASADI = "" if find_spec("casadi") else "CasADi is not installed, the second importer"
_MOVED = {
    "quadcopter": ["flight_wx", "flight_vy", "rope_end_2"],
    "panda": ["panda_joint1", "panda_joint4"],
    "four_bar": [],
}


def _somewhere(one: Instance, name: str) -> None:
    """A state that moves, quaternions not of length one."""
    rng = np.random.default_rng(5)
    states = [*one.names("q."), *one.names("u.")]
    if name != "four_bar":  # off its loop too a unit has derivatives, but not where it starts
        one.set(states, one.get(states) + 0.3 * rng.normal(size=len(states)))
    forces = one.names("tau.")
    one.set(forces, rng.normal(size=len(forces)))


def _differences(one: Instance, unknowns: list[str], known: str) -> Array:
    """Central ones, by Richardson's extrapolation of two steps."""
    (start,) = one.get([known])

    def central(h: float) -> Array:
        values = []
        for sign in (1, -1):
            one.set([known], [start + sign * h])
            values.append(one.get(unknowns))
        one.set([known], [start])
        found: Array = (values[0] - values[1]) / (2 * h)
        return found

    h = 1e-3 * max(1.0, abs(start))
    first, second, third = central(h), central(h / 2), central(h / 4)
    fine, finer = (4 * second - first) / 3, (4 * third - second) / 3
    return (16 * finer - fine) / 15


def case_5() -> Iterator[CaseCheck]:
    for name in _MOVED:
        for version in VERSIONS:
            with instance(unit(name, version)) as one:
                _somewhere(one, name)
                unknowns = [*one.names("der("), *_outputs(one)]
                knowns = [*one.names("q."), *one.names("u."), *one.names("tau."), *one.names("r.")]
                knowns += one.names("p.")
                exact = np.array([one.directional(unknowns, [k], [1.0]) for k in knowns])
                near = np.array([_differences(one, unknowns, k) for k in knowns])
                size = np.abs(exact).max(axis=0) + 1
                worst = float((np.abs(exact - near) / size).max())
                yield at_most(
                    f"{name}, FMI {version}.0: against differences, relative", worst, 1e-8
                )
                if version == "3":
                    back = np.array([one.adjoint([name_], knowns, [1.0]) for name_ in unknowns])
                    gap = float((np.abs(back - exact.T) / size[:, None]).max())
                    yield at_most(f"{name}: adjoint against transpose, relative", gap, 1e-13)


def _outputs(one: Instance) -> list[str]:
    return [
        v.name
        for v in one.about.modelVariables
        if v.causality == "output" and v.initial == "calculated"
    ]


def case_10() -> Iterator[CaseCheck]:
    casadi: Any = import_module("casadi")
    for version in VERSIONS:
        folder = unpacked(unit("panda", version))
        system = casadi.DaeBuilder("panda", str(folder), {"debug": False})
        rates = system.create("f", ["x", "u"], ["ode"])
        jacobian = system.create("j", ["x", "u"], ["jac_ode_x"])
        rng = np.random.default_rng(8)
        x, u = rng.normal(size=system.nx()), rng.normal(size=system.nu())
        with instance(unit("panda", version)) as one:
            one.set([*one.names("q."), *one.names("u.")], x)
            one.set(one.names("tau."), u)
            own = one.get(one.names("der("))
        got = np.array(rates(x, u)).ravel()
        gap = float((np.abs(got - own) / (1 + np.abs(own))).max())
        yield at_most(f"FMI {version}.0: rates as FMPy reads them, relative", gap, 1e-14)
        exact, h = np.array(jacobian(x, u)), 1e-6
        near = np.array(
            [
                (np.array(rates(x + h * e, u)) - np.array(rates(x - h * e, u))).ravel() / (2 * h)
                for e in np.eye(len(x))
            ]
        ).T
        worst = float(np.abs(exact - near).max() / np.abs(exact).max())
        yield at_most(f"FMI {version}.0: jac_ode_x against differences, relative", worst, 1e-7)


CASES = (
    Case(
        5,
        "directional and adjoint derivatives",
        STANDARD,
        "of all rates and outputs by all states, inputs and parameters, against differences, each "
        "the other's transpose",
        case_5,
        unavailable=WITHOUT,
        slow=True,
    ),
    Case(
        10,
        "a second importer",
        "CasADi's DaeBuilder",
        "rates against FMPy, its Jacobian against differences",
        case_10,
        unavailable=WITHOUT or _CASADI,
        slow=True,
    ),
)
