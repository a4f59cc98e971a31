"""A reach of the Panda arm by direct collocation: compiled code against CasADi's own expressions.

    python -m benchmarks --section collocation

The same problem (`eomc_published.autodiff.reach`), solver and start. By default IPOPT
approximates the Hessian; `exact` takes the compiled second derivatives and may end in another
minimum. Third row: mass matrix and bias as expressions, then CasADi's own solution of the linear
system, as one who has no forward dynamics writes it.
"""

from __future__ import annotations

from typing import Any

import eomc
from benchmarks.cases import panda
from benchmarks.contender import Unavailable
from benchmarks.section import Section
from eomc.building import build
from eomc_published.autodiff.reach import solve


def _contenders(casadi: Any) -> dict[str, tuple[Any, bool]]:
    """Name -> forward dynamics, whether with exact second derivatives."""
    equations = eomc.equations(panda())
    model = build(equations)
    x = [casadi.SX.sym(name, 7) for name in ("q", "u", "tau")]
    mass, bias = (equations.function(name).to_casadi() for name in ("mass_matrix", "bias"))
    solved = casadi.solve(mass(x[0]), x[2] - bias(x[0], x[1]))
    return {
        "compiled": (model.casadi("forward_dynamics", second=False), False),
        "compiled, exact Hessian": (model.casadi("forward_dynamics"), True),
        "CasADi's expressions, `to_casadi()`": (
            equations.function("forward_dynamics").to_casadi(),
            False,
        ),
        "M and c in CasADi, solved there": (casadi.Function("solved", x, [solved]), False),
    }


def section() -> Section:
    """The table."""
    try:
        import casadi
    except ImportError as reason:
        raise Unavailable("CasADi is not here: pip install 'eomc[casadi]'") from reason

    found = [
        (name, solve(casadi, dynamics, exact=exact))
        for name, (dynamics, exact) in _contenders(casadi).items()
    ]
    return Section(
        "Collocation",
        "`python -m benchmarks --section collocation`: a reach of the Panda arm, one problem, "
        "solver (IPOPT) and start for all.",
        ("dynamics", "iterations", "least effort", "an iteration, ms", "Jacobian of defects, µs"),
        [
            (
                name,
                str(reach.iterations),
                f"{reach.objective:.6f}",
                f"{1e3 * reach.iteration:.1f}",
                f"{1e6 * reach.jacobian:.0f}",
            )
            for name, reach in found
        ],
        [
            {
                "dynamics": name,
                "iterations": reach.iterations,
                "effort": reach.objective,
                "iteration_s": reach.iteration,
                "jacobian_s": reach.jacobian,
            }
            for name, reach in found
        ],
    )
