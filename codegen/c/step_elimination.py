"""Elimination of the matrix of an implicit step: dense, or along the tree of the mechanism.

Entries of speeds on different branches of a tree are zero, as in the mass matrix, unless a force
couples them. Eliminating from the leaves fills in nothing then. The pattern is read from the
expressions; the way that takes fewer operations is emitted. Along the tree rows are not exchanged.

Reference: Featherstone, *Rigid Body Dynamics Algorithms*, sec. 6.5.
"""

from dataclasses import dataclass

from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import EmittedFunction, Interface
from eomc.codegen.templates.template import fill
from eomc.derive.graph import Expression, Graph

_WORTH = 0.7
"""Of the dense operations: rows that are exchanged are worth the rest."""
_LOST = 1e-10
"""Of a diagonal entry: what is left of a pivot that elimination took away."""


@dataclass(frozen=True)
class StepElimination:
    """before : for each row those before it that it is eliminated from; empty if it is dense."""

    size: int
    before: tuple[tuple[int, ...], ...]

    @property
    def factor_operations(self) -> int:
        """Divisions, products and subtractions of a factorization."""
        if not self.before:
            return sum(k * (1 + 2 * k) for k in range(self.size))
        return sum(len(row) * (1 + 2 * len(row)) for row in self.before)

    @property
    def solve_operations(self) -> int:
        """The same of a solution."""
        if not self.before:
            return self.size * (2 * self.size - 1)
        return self.size + 4 * sum(map(len, self.before))


def step_elimination(graph: Graph, step_matrix: EmittedFunction) -> StepElimination:
    """The cheaper way of the matrix that the function gives."""
    port = next(port for port in step_matrix.outputs if port.argument.name == "E")
    size = port.argument.shape[0]
    entries = [Expression(graph, node) for node in port.argument.entries]
    rows = [
        {
            j
            for j in range(i)
            if not (entries[i * size + j].is_zero and entries[j * size + i].is_zero)
        }
        for i in range(size)
    ]
    for k in reversed(range(size)):
        for i in rows[k]:
            rows[i] |= {j for j in rows[k] if j < i}
    dense = StepElimination(size, ())
    along_tree = StepElimination(size, tuple(tuple(sorted(row)) for row in rows))
    is_cheaper = along_tree.factor_operations < _WORTH * dense.factor_operations
    return along_tree if is_cheaper else dense


def elimination_text(face: Interface, found: StepElimination) -> str:
    """C of the factorization and of a solution."""
    size = found.size
    marks: dict[str, object] = {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        "n": size,
        "size": size * size,
        "zero": literal(0, face.real),
    }
    if not found.before:
        return fill("implicit_elimination.c", **marks)
    first = [sum(map(len, found.before[:k])) for k in range(size + 1)]
    places = [place for row in found.before for place in row]
    marks |= {
        "first": ", ".join(map(str, first)),
        "ends": size + 1,
        "places": ", ".join(map(str, places)) or "0",
        "count": max(len(places), 1),
        "lost": literal(_LOST if face.real.bytes == 8 else 1e-5, face.real),
    }
    return fill("implicit_tree_elimination.c", **marks)
