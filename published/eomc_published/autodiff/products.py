"""Products with derivatives: against whole Jacobians, complex steps, and their count."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import numpy as np

from eomc.derive.graph import evaluate, evaluate_mp, flops
from eomc_published.autodiff.subjects import Array, equations
from eomc_published.case import Case, CaseCheck, agrees, at_most

_STEP = mpmath.mpf("1e-15")
_THIRD = {"forward_dynamics": ("tau", "a_bar"), "inverse_dynamics": ("a", "tau_bar")}


def _operations(name: str, function: str) -> int:
    program = equations(name).program(functions=[function])
    return flops(program.graph, program.functions[0].nodes)


def _stepped(name: str, function: str, given: dict[str, Array]) -> Array:
    """Derivative along ``along_...`` by a complex step, in 40 digits."""
    program = equations(name).program(functions=[function])
    (made,) = program.functions
    values: dict[object, object] = {p.symbol: p.default for p in program.parameters}
    with mpmath.workdps(40):
        for argument in made.inputs:
            along = given.get(f"along_{argument.name}", np.zeros(len(argument.entries)))
            for node, x, d in zip(argument.entries, given[argument.name], along, strict=True):
                values[node] = mpmath.mpc(float(x), _STEP * float(d))
        nodes = [node for output in made.outputs for node in output.entries]
        found = evaluate_mp(program.graph, nodes, values, 40)
        return np.array([float(mpmath.im(value) / _STEP) for value in found])


def _value(name: str, function: str, given: dict[str, Array]) -> Array:
    """All outputs of a derived function, flat."""
    program = equations(name).program(functions=[function])
    (made,) = program.functions
    values: dict[object, object] = {}
    for argument in made.inputs:
        values.update(zip(argument.entries, given[argument.name], strict=True))
    nodes = [node for output in made.outputs for node in output.entries]
    return np.array([float(value) for value in evaluate(program.graph, nodes, values)])


def _along(parts: Array, along: Array) -> Array:
    """Change of the derivatives by q, u and a third array: [k][i][j] is by i, then along j."""
    q, u, third = np.split(along, 3)
    qq, uq, uu, other = parts
    by_q = qq @ q + np.einsum("kij,i->kj", uq, u) + np.einsum("kij,i->kj", other, third)
    changed: Array = np.ravel([by_q, uq @ q + uu @ u, other @ q])
    return changed


def case_36() -> Iterator[CaseCheck]:
    name, n, rng = "chain", 3, np.random.default_rng(1)
    for of, (third, weights) in _THIRD.items():
        arrays = ("q", "u", third, weights, "along_q", "along_u", f"along_{third}")
        given = dict(zip(arrays, rng.normal(size=(7, n)), strict=True))
        along = np.concatenate([given[array] for array in arrays[4:]])
        blocks = _value(name, f"{of}_derivatives", given).reshape(3, n, n)
        pulled = _value(name, f"{of}_vjp", given)
        expected = given[weights] @ np.hstack(list(blocks))
        yield agrees(f"{of}: J^T w", expected, pulled, 1e-11, relative=True)
        pushed = _value(name, f"{of}_jvp", given)
        yield agrees(f"{of}: J d", _stepped(name, of, given), pushed, 1e-11, relative=True)
        curved, stepped = _value(name, f"{of}_hvp", given), _stepped(name, f"{of}_vjp", given)
        yield agrees(f"{of}: H d", stepped, curved, 1e-10, relative=True)
        whole = _value(name, f"{of}_hessian", given).reshape(3 * n, 3 * n)
        yield agrees(f"{of}: whole H", stepped, whole @ along, 1e-10, relative=True)
        parts = _value(name, f"{of}_second_derivatives", given).reshape(4, n, n, n)
        curved, stepped = _along(parts, along), _stepped(name, f"{of}_derivatives", given)
        yield agrees(f"{of}: whole tensors", stepped, curved, 1e-10, relative=True)
        once = _operations("panda", of)
        for product_of, bound in (("vjp", 4.0), ("jvp", 4.0), ("hvp", 6.1)):
            times = _operations("panda", f"{of}_{product_of}") / once
            yield at_most(f"Panda, {of}_{product_of}: operations, times the function", times, bound)


CASES = (
    Case(
        36,
        "products with first and second derivatives",
        "Griewank and Walther 2008, sec. 3.3",
        "three links: against whole Jacobians and complex steps; Panda: operations at most four "
        "times the function, of second derivatives 6.1 times",
        case_36,
    ),
)
