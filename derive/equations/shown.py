"""Equations as HTML, where they are small enough to be read."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.derive.equations.named import NamedEquations

READ = (
    *("kinetic_energy", "potential_energy", "mass_matrix", "bias", "gravity"),
    *("constraint_residual", "constraint_jacobian"),
)
"""Quantities that a reader of the equations of motion looks for."""

_SMALL = 80
# Operations that fit on a line; more are written with shared subexpressions, one a line.
_LINE = 20


def equations_html(equations: NamedEquations[Any], most: int = _SMALL) -> str:
    """Each of `READ` of up to `most` operations, as MathML; of larger ones their size."""
    parts, large = [], []
    for name in READ:
        if name not in equations.kinds:
            continue
        for quantity in equations.quantities(name):
            operations = sum(quantity.operations.values())
            if operations > most:
                large.append(f"{name} ({quantity.flops} operations)")
                continue
            meaning = escape(equations.kinds[name].description)
            parts.append(f"<h3>{meaning}</h3>")
            parts.append(f'<div class="equation">{quantity.to_mathml(operations <= _LINE)}</div>')
    if large:
        told = escape(", ".join(large))
        parts.append(
            f'<p class="note">Too long to be read here: {told}; they are shared '
            "subexpressions by <code>eomc show</code>.</p>"
        )
    return "".join(parts)
