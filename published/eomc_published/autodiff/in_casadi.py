"""Functions in CasADi: compiled ones by its external interface, and as its expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.derive.functions.core import CORE
from eomc_published.autodiff.reach import solve
from eomc_published.autodiff.subjects import (
    Array,
    arguments,
    compiled,
    equations,
    package,
    parameters,
    without,
)
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_MISSING = without("casadi", "CasADi")
_SOURCE = "CasADi's documentation, sec. 5"
_MODELS = ("double_pendulum", "top")


def _differences(function: Any, at: Array, step: float = 1e-5) -> Array:
    """Central ones, by Richardson's extrapolation."""

    def central(h: float, e: Array) -> Array:
        return np.asarray((function(at + h * e) - function(at - h * e)) / (2 * h))

    columns = [(4 * central(step / 2, e) - central(step, e)) / 3 for e in np.eye(at.size)]
    return np.array(columns).T


def case_22() -> Iterator[CaseCheck]:
    casadi = package("casadi")
    for name in _MODELS:
        external = compiled(name).casadi("forward_dynamics")
        x = arguments(name, "forward_dynamics")
        own = compiled(name).forward_dynamics(*x)
        given = [*x, *parameters(name)]
        got = np.array(external(*given)).ravel()
        if name == "double_pendulum":
            yield agrees(f"{name}: bits of the module", own, got, 0.0)
        else:  # coordinates are normalized once more
            yield agrees(f"{name}: the module", own, got, 1e-14, relative=True)
        flat = np.concatenate(given)
        z = casadi.MX.sym("z", flat.size)
        parts = casadi.vertsplit(z, [0, *np.cumsum([len(a) for a in given]).tolist()])
        y = external(*parts)
        w = np.random.default_rng(9).normal(size=own.size)
        value = casadi.Function("value", [z], [y])
        jacobian = np.array(casadi.Function("J", [z], [casadi.jacobian(y, z)])(flat))
        near = _differences(lambda at, f=value: np.array(f(at)).ravel(), flat)
        yield agrees(f"{name}: Jacobian against differences", near, jacobian, 1e-8, relative=True)
        curved, slope = casadi.hessian(casadi.dot(casadi.DM(w), y), z)
        both = casadi.Function("H", [z], [curved, slope])
        found = [np.array(part) for part in both(flat)]
        yield agrees(f"{name}: gradient", w @ jacobian, found[1].ravel(), 1e-12, relative=True)
        near = _differences(lambda at, f=both: np.array(f(at)[1]).ravel(), flat)
        yield agrees(f"{name}: Hessian against differences", near, found[0], 1e-8, relative=True)
        batch = [np.tile(a[:, None], 64) + 0.01 * np.arange(64) for a in given]
        serial, threads = (external.map(64, how)(*batch) for how in ("serial", "thread"))
        yield agrees(f"{name}: threads", np.array(serial), np.array(threads), 0.0)
    external = compiled("double_pendulum").casadi("inverse_dynamics")
    nothing = np.zeros(2)
    tail = parameters("double_pendulum")
    zero = external.call({"q": nothing, "p": tail[0]})["tau"]
    expected = np.array(external(nothing, nothing, nothing, *tail))
    yield agrees("arguments left out are zeros", expected, np.array(zero), 0.0)


def case_23() -> Iterator[CaseCheck]:
    casadi = package("casadi")
    external = compiled("panda").casadi("forward_dynamics", second=False)
    expressions = equations("panda").function("forward_dynamics").to_casadi()
    own, theirs = (solve(casadi, f, nodes=21) for f in (external, expressions))
    yield holds("IPOPT solves both", "yes", _yes(own.success and theirs.success), own.success)
    yield agrees("least effort", theirs.objective, own.objective, 1e-7)
    yield agrees("states along the reach", theirs.states, own.states, 1e-3, relative=True)


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def case_24() -> Iterator[CaseCheck]:
    package("casadi")
    for name in ("panda", "quadcopter", "four_bar", "switches"):
        functions = [f for f in CORE if f in equations(name).function_names]
        worst = 0.0
        for function in functions:
            x = arguments(name, function)
            own = compiled(name).function(function)(*x)
            own = own if isinstance(own, tuple) else (own,)
            written = equations(name).function(function)
            takes_p = any(a.name == "p" for a in written.inputs)
            given = [*x, *(parameters(name) if takes_p else ())]
            for y, got in zip(own, written.to_casadi().call(given), strict=True):
                gap = np.abs(np.array(got).reshape(np.shape(y)) - y).max(initial=0)
                worst = max(worst, float(gap) / max(1.0, float(np.abs(y).max(initial=0))))
        yield at_most(f"{name}: {len(functions)} functions, relative", worst, 1e-12)


CASES = (
    Case(
        22,
        "compiled functions in CasADi",
        _SOURCE,
        "values against the module's bits, first and second derivatives against differences, "
        "missing arguments, threads",
        case_22,
        unavailable=_MISSING,
    ),
    Case(
        23,
        "a reach by direct collocation",
        "Betts 2010, ch. 4",
        "Panda, 21 nodes, IPOPT: on compiled code as on expressions",
        case_23,
        slow=True,
        unavailable=_MISSING,
    ),
    Case(
        24,
        "core functions as expressions of CasADi",
        _SOURCE,
        "values against compiled code, loops, quaternions and switches among them",
        case_24,
        unavailable=_MISSING,
        slow=True,
    ),
)
