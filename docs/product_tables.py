"""Operations of products with derivatives, counted on what is emitted for the Panda arm."""

from __future__ import annotations

from pathlib import Path

import eomc
from eomc.derive.graph import flops

PANDA = Path(__file__).parent.parent / "examples" / "models" / "panda.toml"
DYNAMICS = ("forward_dynamics", "inverse_dynamics")
PRODUCTS = ("vjp", "jvp", "hvp", "hessian")
WHOLE = {"inverse_dynamics": "tau", "forward_dynamics": "a"}


def products_block() -> str:
    """Times the function: products of both dynamics; whole second derivatives by their numbers."""
    equations = eomc.equations(eomc.load(PANDA))
    asked = [name for f in DYNAMICS for name in (f, *(f"{f}_{p}" for p in PRODUCTS))]
    tensors = [f"{f}_second_derivatives" for f in WHOLE]
    program = equations.program(functions=[*asked, *tensors])
    counts = {f.name: flops(program.graph, f.nodes) for f in program.functions}
    lines = [
        "| operations, times the function | $J^T w$ | $J\\,d$ | $H\\,d$ | `hessian` |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for f in DYNAMICS:
        ratios = [f"{counts[f'{f}_{p}'] / counts[f]:.1f}" for p in PRODUCTS]
        lines.append(f"| `{f}` | {' | '.join(ratios)} |")
    lines += ["", "| whole second derivatives | operations | of one `hessian` for each output |"]
    lines += ["| --- | ---: | ---: |"]
    for f in WHOLE:
        whole, one = counts[f"{f}_second_derivatives"], counts[f"{f}_hessian"]
        share = whole / (len(equations.model.speeds) * one)
        lines.append(f"| `{f}_second_derivatives` | {whole} | {share:.0%} |")
    return "\n".join(lines)
