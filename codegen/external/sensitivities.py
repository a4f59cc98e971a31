"""Runge-Kutta steps with their exact derivatives, written around the emitted rates of a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from eomc.codegen.external.frame import fill
from eomc.derive.equations.step_slopes import StepSlopes
from eomc.derive.graph import Function


def sensitivities_source(prefix: str, made: StepSlopes) -> str:
    """The C file around the functions ``rates`` and ``slopes`` of that prefix."""
    nx, np, nv = made.sizes
    places: dict[str, str] = {"t": "t", "p": "p"}
    for array, arrays in (("x", made.state), ("v", made.held)):
        offset = 0
        for a in arrays:
            places[a.name] = f"{array} + {offset}" if offset else array
            offset += len(a.entries)
    functions = made.functions()
    by_p, by_v = (_table(entries) for entries in (made.by_parameters, made.by_held))
    return fill(
        "sensitivities.c",
        prefix=prefix,
        state=", ".join(a.name for a in made.state),
        nx=nx,
        nv=nv,
        np=np,
        by_p=by_p,
        by_p_count=len(made.by_parameters),
        by_v=by_v,
        by_v_count=len(made.by_held),
        count=len(functions["slopes"].outputs[1].entries),
        factor_count=sum(1 + len(row) for row in made.factor or ()),
        rates=_call(prefix, functions["rates"], places, ("f",)),
        slopes=_call(prefix, functions["slopes"], places, ("f", "e", "l")),
        products="".join(f"    {line}\n" for line in _products(made)),
    )


def _table(entries: Sequence[tuple[int, int, int]]) -> str:
    return ", ".join(f"{{{i}, {j}, {k}}}" for i, j, k in entries) or "{0, 0, 0}"


def _products(made: StepSlopes) -> Iterator[str]:
    """t = more + A y, and M t = -(rows) of speeds: L^T y = rows, D z = y, L t = z."""
    for i, row in enumerate(made.by_state):
        terms = [f"y[{j}]" if k is None else f"e[{k}]*y[{j}]" for j, k in row]
        yield f"t[{i}] = {' + '.join([f'more[{i}]', *terms])};"
    if made.factor is None:
        return
    nq = len(made.state[0].entries)
    place = count()
    below = [[(f"t[{nq + i}]", f"l[{next(place)}]") for i in row] for row in made.factor]
    for k in reversed(range(len(below))):
        yield from (f"{x} -= {entry}*t[{nq + k}];" for x, entry in below[k])
    for k, row in enumerate(below):
        terms = [f"-l[{next(place)}]*t[{nq + k}]", *(f"{entry}*{x}" for x, entry in row)]
        yield f"t[{nq + k}] = {' - '.join(terms)};"


def _call(
    prefix: str, function: Function, places: dict[str, str], outputs: Sequence[str]
) -> str:
    given = [places[a.name] for a in function.inputs]
    return f"{prefix}_{function.name}({', '.join([*given, *outputs[: len(function.outputs)]])})"
