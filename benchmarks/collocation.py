"""A reach of the Panda arm by direct collocation: compiled code against CasADi's own expressions.

    python -m benchmarks.collocation

The same problem (`eomc.systems.reference.autodiff.reach`), solver and start. By default IPOPT
approximates the Hessian; `exact` takes the compiled second derivatives and may end in another
minimum. Third row: mass matrix and bias as expressions, then CasADi's own solution of the linear
system, as one who has no forward dynamics writes it.
"""

from __future__ import annotations

from typing import Any

from benchmarks.cases import panda
from eomc.building import build
from eomc.derive.equations import derive
from eomc.systems.reference.autodiff.reach import Reach, solve


def _contenders(casadi: Any) -> dict[str, tuple[Any, bool]]:
    """Name -> forward dynamics, whether with exact second derivatives."""
    equations = derive(panda())
    model = build(equations)
    x = [casadi.SX.sym(name, 7) for name in ("q", "u", "tau")]
    mass, bias = (equations.function(name).to_casadi() for name in ("mass_matrix", "bias"))
    solved = casadi.solve(mass(x[0]), x[2] - bias(x[0], x[1]))
    return {
        "compiled": (model.casadi("forward_dynamics", second=False), False),
        "compiled, exact Hessian": (model.casadi("forward_dynamics"), True),
        "expressions": (equations.function("forward_dynamics").to_casadi(), False),
        "expressions of M and c": (casadi.Function("solved", x, [solved]), False),
    }


def _row(name: str, reach: Reach) -> str:
    numbers = f"{reach.iterations} | {reach.objective:.6f} | {1e3 * reach.iteration:.1f}"
    return f"| {name} | {numbers} | {1e6 * reach.jacobian:.0f} |"


def main() -> None:
    """Print the table."""
    import casadi

    print("| dynamics | iterations | objective | ms an iteration | Jacobian, microseconds |")
    print("| --- | --- | --- | --- | --- |")
    for name, (dynamics, exact) in _contenders(casadi).items():
        print(_row(name, solve(casadi, dynamics, exact=exact)), flush=True)


if __name__ == "__main__":
    main()
