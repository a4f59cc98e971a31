"""CasADi's interface of external functions, written around emitted C.

A library has the function, ``jac_`` its Jacobian, ``adj1_`` its gradient under weights and
``jac_adj1_`` the Jacobian of that: CasADi makes everything else of these. The names of the
functions beside them, the types and what may be 0 are CasADi's: *CasADi documentation*, sec. 5,
"Generating C-code" (external functions).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eomc.codegen.external.frame import fill
from eomc.derive.graph import ZERO, Argument, Function


@dataclass(frozen=True)
class CasadiArray:
    """An input or output of an external function.

    `source` is where it stands among those of the emitted function; None if that knows it not: an
    input that is ignored, an output of zeros. `entries` are row-major. `rows` and `columns` are the
    orders in which CasADi goes through them: entries of matrices are numbered by columns there.
    """

    name: str
    rows: Sequence[int]
    columns: Sequence[int]
    source: int | None
    entries: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.rows), len(self.columns)

    @property
    def nonzeros(self) -> list[tuple[int, int, int]]:
        """(row, column, place among the entries) of what is not zero, column by column."""
        if self.source is None:
            return []
        width = len(self.columns)
        found = [
            (i, j, row * width + column)
            for j, column in enumerate(self.columns)
            for i, row in enumerate(self.rows)
        ]
        return [entry for entry in found if self.entries[entry[2]] != ZERO]

    @property
    def places(self) -> list[int]:
        """Indices of the nonzero entries in the row-major array."""
        return [place for _, _, place in self.nonzeros]

    @property
    def pattern(self) -> list[int]:
        """Compressed columns: numbers of rows and columns, where columns begin, rows."""
        height, width = self.shape
        found = self.nonzeros
        if len(found) == height * width:
            return [height, width, 1]
        starts = [sum(column < j for _, column, _ in found) for j in range(width + 1)]
        return [height, width, *starts, *(row for row, _, _ in found)]


def _dense(argument: Argument, source: int | None, name: str) -> CasadiArray:
    """All entries count: CasADi wants gradients as dense as what they are by."""
    height, width = (*argument.shape, 1, 1)[:2]
    return CasadiArray(name, range(height), range(width), source, (1,) * (height * width))


def _by_columns(array: CasadiArray) -> list[int]:
    """Places of the entries of a row-major array as CasADi numbers them."""
    height, width = array.shape
    return [i * width + j for j in range(width) for i in range(height)]


def _block(
    argument: Argument, source: int, name: str, of: CasadiArray, by: CasadiArray
) -> CasadiArray:
    """The derivative of one array by another."""
    return CasadiArray(name, _by_columns(of), _by_columns(by), source, tuple(argument.entries))


def casadi_source(name: str, prefix: str, functions: Mapping[str, Function]) -> str:
    """The C file around the emitted functions ``value``, ``jacobian``, ... of `prefix`."""
    value = functions["value"]
    x = [_dense(a, k, a.name) for k, a in enumerate(value.inputs)]
    y = [_dense(a, k, a.name) for k, a in enumerate(value.outputs)]
    ignored = [_dense(a, None, f"out_{a.name}") for a in value.outputs]
    scalars = [not a.shape for a in functions["adjoint"].inputs]
    parts = [_function(name, f"{prefix}_value", scalars, x, y)]
    pairs = [(of, by) for of in y for by in x]
    blocks = [
        _block(a, k, a.name, *pair)
        for k, (a, pair) in enumerate(zip(functions["jacobian"].outputs, pairs, strict=True))
    ]
    parts.append(_function(f"jac_{name}", f"{prefix}_jacobian", scalars, [*x, *ignored], blocks))
    bars = functions["adjoint"].inputs[len(x) :]
    seeds = [_dense(a, len(x) + k, f"adj_{y[k].name}") for k, a in enumerate(bars)]
    adjoint = [_dense(a, k, f"adj_{x[k].name}") for k, a in enumerate(functions["adjoint"].outputs)]
    known = [*x, *ignored, *seeds]
    parts.append(_function(f"adj1_{name}", f"{prefix}_adjoint", scalars, known, adjoint))
    if "adjoint_jacobian" in functions:
        given = functions["adjoint_jacobian"].outputs
        second = list(_second(x, ignored, seeds, adjoint, given))
        blind = [CasadiArray(f"out_{a.name}", a.rows, a.columns, None) for a in adjoint]
        call = f"{prefix}_adjoint_jacobian"
        parts.append(_function(f"jac_adj1_{name}", call, scalars, [*known, *blind], second))
    largest = max(rows * columns for a in known for rows, columns in [a.shape])
    return fill("casadi_head.c", name=name, prefix=prefix, largest=largest) + "".join(parts)


def _second(
    x: Sequence[CasadiArray],
    ignored: Sequence[CasadiArray],
    seeds: Sequence[CasadiArray],
    adjoint: Sequence[CasadiArray],
    given: Sequence[Argument],
) -> Iterator[CasadiArray]:
    """Blocks of the Jacobian of the gradient: by inputs, by outputs (zero), by weights."""
    width = len(x) + len(seeds)
    for i, row in enumerate(adjoint):
        for j, column in enumerate([*x, *seeds]):
            if j == len(x):
                for blind in ignored:
                    name = f"jac_{row.name}_{blind.name}"
                    yield CasadiArray(name, _by_columns(row), _by_columns(blind), None)
            name = f"jac_{row.name}_{column.name}"
            yield _block(given[i * width + j], i * width + j, name, row, column)


def _function(
    name: str,
    call: str,
    scalars: Sequence[bool],
    inputs: Sequence[CasadiArray],
    outputs: Sequence[CasadiArray],
) -> str:
    """The text of one external function; `scalars` are inputs that the emitted one takes as
    numbers."""
    arguments, before, work = [], [], 0
    for source, k in sorted((a.source, k) for k, a in enumerate(inputs) if a.source is not None):
        height, width = inputs[k].shape
        if scalars[source]:
            arguments.append(f"arg[{k}] ? *arg[{k}] : 0.0")
        elif min(height, width) > 1:
            before.append(f"    by_rows(w + {work}, arg[{k}], {height}, {width});\n")
            arguments.append(f"w + {work}")
            work += height * width
        else:
            arguments.append(f"arg[{k}] ? arg[{k}] : zeros")
    sizes = {a.source: len(a.entries) for a in outputs if a.source is not None}
    offsets: dict[int | None, int] = {}
    for source in sorted(s for s in sizes if s is not None):
        offsets[source] = work
        arguments.append(f"w + {work}")
        work += sizes[source]
    patterns, copies = [], []
    for side, arrays in (("in", inputs), ("out", outputs)):
        for k, a in enumerate(arrays):
            patterns.append(_table("casadi_int", f"{name}_{side}{k}", a.pattern))
    for k, a in enumerate(outputs):
        if a.places:
            patterns.append(_table("int", f"{name}_places{k}", a.places))
            count = len(a.places)
            copies.append(
                f"    copy(res[{k}], w + {offsets[a.source]}, {name}_places{k}, {count});"
            )
    return fill(
        "casadi_function.c",
        name=name,
        call=call,
        inputs=len(inputs),
        outputs=len(outputs),
        input_names=", ".join(f'"{a.name}"' for a in inputs),
        output_names=", ".join(f'"{a.name}"' for a in outputs),
        patterns="\n".join(patterns),
        input_patterns=", ".join(f"{name}_in{k}" for k in range(len(inputs))),
        output_patterns=", ".join(f"{name}_out{k}" for k in range(len(outputs))),
        work=work,
        arguments=",\n        ".join(arguments),
        copies="\n".join(copies),
        before="".join(before),
    )


def _table(kind: str, name: str, numbers: Sequence[int]) -> str:
    lines = [", ".join(map(str, numbers[k : k + 16])) for k in range(0, len(numbers), 16)]
    return f"static const {kind} {name}[] = {{\n    " + ",\n    ".join(lines) + "};"
