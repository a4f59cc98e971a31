"""Every system whose equations SymPy's own tests form, and PyDy's examples, through `from_sympy`,
against SymPy.

Accelerations and mass matrices, the derivatives of `Linearizer`, and a short run against the same
integrated from SymPy's matrices.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lagrange.formed_methods import Reference, formed_methods
from lagrange.systems_of_pydy import SYSTEMS as PYDY
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derive.language.errors import ModelError

PAGE = Path(__file__).parents[2] / "docs" / "lagrangian.md"

SYSTEMS = {
    "actuator": 2,
    "jointsmethod": 7,
    "kane": 12,
    "kane2": 5,
    "kane3": 1,
    "kane4": 6,
    "kane5": 1,
    "lagrange": 5,
    "lagrange2": 1,
    "linearize": 6,
    "models": 10,
    "system_class": 10,
}
"""Modules of SymPy's tests, and how many systems each forms at least."""

UNSUPPORTED = dict.fromkeys(
    ("test_sub_qdot2", "test_issue_24887"), "so the mass matrix is singular"
)
"""Tests whose system is refused, and what the refusal says: one has no bodies, the other a particle
that three angles turn, one of them about the line to it."""


def test_the_page_lists_what_is_refused() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| the \w+ of `(\w+)` of SymPy \|", text, re.M)) == set(UNSUPPORTED)


@pytest.mark.slow
@pytest.mark.parametrize("module", SYSTEMS)
def test_systems(module: str) -> None:
    place = f"sympy.physics.mechanics.tests.test_{module}"
    found = formed_methods(place, linearized=module != "kane3")
    assert len(found) >= SYSTEMS[module]
    failures = []
    for index, (name, method) in enumerate(found):
        try:
            _compare(method, index)
        except Exception as failure:
            expected = UNSUPPORTED.get(name)
            if expected is None or not isinstance(failure, ModelError):
                failures.append(f"{name}: {type(failure).__name__}: {failure}")
            else:
                assert expected in str(failure)
    assert not failures, "\n".join(failures)


@pytest.mark.slow
@pytest.mark.parametrize("form", PYDY, ids=lambda form: form.__name__)
def test_examples_of_pydy(form: Callable[[], Any]) -> None:
    _compare(form(), len(form.__name__))


def _compare(method: Any, place: int) -> None:
    unvalued = eomc.from_sympy(method)
    reference = Reference(method, unvalued.variables.inputs)
    known = {
        s: v
        for s, v in reference.constants.items()
        if s in {c.symbol for c in unvalued.variables.constants}
    }
    rest = {c.symbol: 0.9 for c in unvalued.variables.constants if c.symbol not in known}
    system = eomc.from_sympy(method, known | rest, name=f"system_{place}")
    model = eomc.build(system)
    rng = np.random.default_rng(place)
    for _ in range(3):
        q, u = (
            rng.uniform(0.2, 0.9, len(system.coordinates)),
            rng.uniform(0.2, 0.9, len(system.speeds)),
        )
        r = rng.uniform(-1, 1, len(system.inputs))
        if model.is_constrained:
            start = eomc.assemble(model, q, u)
            q, u = start.q, start.u
        _agrees(system, reference, q, u, r)
    _derivatives(system, reference, q, u, r)
    _runs(model, reference, q, u, r)


def _call(system: Any, name: str, **given: Any) -> Any:
    quantities = system.quantities(name)
    values = given | {"t": 0.0, "tau": np.zeros(len(system.speeds))}
    return [
        quantity.evaluate(*[values[a.name] for a in quantity.inputs]) for quantity in quantities
    ]


def _agrees(system: Any, reference: Reference, q: Any, u: Any, r: Any) -> None:
    """The accelerations to 1e-12, or what the condition of the matrix leaves of it."""
    n = len(u)
    whole, force, rates = reference.at(q, u, r)
    expected = np.linalg.solve(whole, force)[:n]
    (found,) = _call(system, "forward_dynamics", q=q, u=u, r=r)
    lost = max(1e-12, 1e-15 * np.linalg.cond(whole))
    np.testing.assert_allclose(found, expected, rtol=0, atol=lost * max(1, np.abs(expected).max()))
    (got,) = _call(system, "coordinate_rates", q=q, u=u, r=r)
    np.testing.assert_allclose(got, rates.astype(float), rtol=1e-12, atol=1e-12)
    (mass,) = _call(system, "mass_matrix", q=q, u=u, r=r)
    dependent = len(reference.method._udep) if reference.is_kane else 0
    free = n - dependent
    allowed = np.vstack([np.eye(free), np.zeros((dependent, free))])
    if dependent:
        allowed[free:] = -np.linalg.solve(whole[free:, free:], whole[free:, :free])
    rows = whole[:free, :n]
    np.testing.assert_allclose(allowed.T @ mass, rows, atol=1e-12 * np.abs(rows).max())


def _derivatives(system: Any, reference: Reference, q: Any, u: Any, r: Any) -> None:
    """Those of SymPy's `Linearizer`, which asks for a choice of coordinates under constraints."""
    if "constraints" in system.traits or len(q) > 4:
        return
    t, method = dynamicsymbols._t, reference.method
    rates, a = reference.rates(q, u, r)
    point: dict[Any, Any] = dict(zip([x.diff(t) for x in reference.u], a, strict=True))
    point |= dict(zip([x.diff(t) for x in reference.q], rates, strict=True))
    point |= dict(zip(reference.u, u, strict=True)) | dict(zip(reference.q, q, strict=True))
    point |= dict(zip(reference.inputs, r, strict=True)) | reference.constants
    if reference.is_kane and method._uaux:
        return
    chosen = {} if reference.is_kane else {"q_ind": reference.q, "qd_ind": reference.u}
    matrix = method.to_linearizer(**chosen).linearize(op_point=point, A_and_B=True, simplify=False)[
        0
    ]
    linear = np.array(matrix.subs(point).evalf(), dtype=float)
    by_q, by_u, _ = _call(system, "forward_dynamics_derivatives", q=q, u=u, r=r)
    n = len(q)
    directions = np.array(
        [
            (
                _call(system, "coordinate_rates", q=q, u=e, r=r)[0]
                - _call(system, "coordinate_rates", q=q, u=0 * e, r=r)[0]
            )
            for e in np.eye(len(u))
        ]
    ).T
    scale = max(1.0, np.abs(linear).max())
    np.testing.assert_allclose(by_q, linear[n:, :n] @ directions, atol=1e-9 * scale)
    np.testing.assert_allclose(by_u, linear[n:, n:], atol=1e-9 * scale)


def _runs(model: Any, reference: Reference, q: Any, u: Any, r: Any) -> None:
    """A fiftieth of a second from a consistent state."""
    run = eomc.simulate(
        model, q, u, t_span=0.02, inputs=r if len(r) else None, rtol=1e-11, atol=1e-12
    )

    def rates(time: float, x: Any) -> Any:
        return np.concatenate(reference.rates(x[: len(q)], x[len(q) :], r))

    other = solve_ivp(rates, (0, 0.02), np.concatenate([q, u]), "DOP853", rtol=1e-11, atol=1e-12)
    end = np.concatenate([run.final.q, run.final.u])
    np.testing.assert_allclose(end, other.y[:, -1], rtol=1e-8, atol=1e-9)
