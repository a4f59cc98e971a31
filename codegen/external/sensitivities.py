"""Runge-Kutta steps with their exact derivatives, written around the emitted rates of a state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from eomc.codegen.external.frame import fill
from eomc.derive.graph import Function
from eomc.derive.graph.step_slopes import StepSlopes

PACK = 8
"""Doubles of the longest vectors."""


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
    nq = len(made.state[0].entries)
    rows = [i for i, _, _ in (*made.by_held, *made.by_parameters)]
    rows += [nq + speed for _, speeds in made.bodies for speed in speeds]
    more = {row: k for k, row in enumerate(dict.fromkeys(sorted(rows)))}
    has_known = any(min(columns) < 0 for columns, _ in made.bodies)
    by_p, by_v = (
        ", ".join(f"{{{more[i]}, {j}, {k}}}" for i, j, k in entries) or "{0, 0, 0}"
        for entries in (made.by_parameters, made.by_held)
    )
    return fill(
        "sensitivities.c",
        prefix=prefix,
        state=", ".join(a.name for a in made.state),
        nx=nx,
        nv=nv,
        nu=len(made.factor or ()),
        np=np,
        wide=-(-(np + has_known) // PACK) * PACK,
        more=len(more),
        by_p=by_p,
        by_p_count=len(made.by_parameters),
        by_v=by_v,
        by_v_count=len(made.by_held),
        bodies=len(made.bodies),
        columns=_table([_columns(columns, np) for columns, _ in made.bodies]),
        moved=_table([[len(speeds)] for _, speeds in made.bodies]),
        speeds=_table([[more[nq + k] for k in speeds] for _, speeds in made.bodies]),
        motions=sum(12 + 6 * len(speeds) for _, speeds in made.bodies),
        count=len(functions["slopes"].outputs[1].entries),
        factor_count=sum(1 + len(row) for row in made.factor or ()),
        rates=_call(prefix, functions["rates"], places, ("f",)),
        slopes=_call(prefix, functions["slopes"], places, ("f", "e", "l", "g")),
        products="".join(f"    {line}\n" for line in _products(made, more)),
    )


def _products(made: StepSlopes, more: Mapping[int, int]) -> Iterator[str]:
    """t = A y + more, and M t = -(rows) of speeds: L^T y = rows, D z = y, L t = z."""
    for i, row in enumerate(made.by_state):
        terms = [f"y[{j}]" if k is None else f"e[{k}]*y[{j}]" for j, k in row]
        if i in more:
            terms.append(f"more[{more[i]}*stride]")
        yield f"t[{i}] = {' + '.join(terms) or 'zero'};"
    if made.factor is None:
        return
    nq = len(made.state[0].entries)
    place = count()
    below = [[(f"t[{nq + i}]", f"l[{next(place)}]") for i in row] for row in made.factor]
    for k in reversed(range(len(below))):
        yield from (f"{x} -= {entry}*t[{nq + k}];" for x, entry in below[k])
    for k, entries in enumerate(below):
        less = [f"-l[{next(place)}]*t[{nq + k}]", *(f"{entry}*{x}" for x, entry in entries)]
        yield f"t[{nq + k}] = {' - '.join(less)};"


def _columns(columns: Sequence[int], count: int) -> list[int]:
    """Of ten numbers, those that are known behind all others, and whether they stand in a row."""
    in_row = list(columns) == list(range(columns[0], columns[0] + len(columns)))
    return [*(count if k < 0 else k for k in columns), int(in_row and columns[0] >= 0)]


def _table(rows: Sequence[Sequence[int]]) -> str:
    """Numbers of all rows; one 0 of none."""
    return ", ".join(str(x) for row in rows for x in row) or "0"


def _call(prefix: str, function: Function, places: dict[str, str], outputs: Sequence[str]) -> str:
    given = [places[a.name] for a in function.inputs]
    return f"{prefix}_{function.name}({', '.join([*given, *outputs[: len(function.outputs)]])})"
