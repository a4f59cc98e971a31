"""Marks of the template of implicit methods for accelerations."""

from fractions import Fraction

from eomc.codegen.c.arguments import call_arguments
from eomc.codegen.c.implicit_integrator import (
    ImplicitIntegrator,
    factoring,
    projecting,
    stage_marks,
)
from eomc.codegen.c.integrator import held_names, paragraph, stage_calls
from eomc.codegen.integrators import GeneralizedAlpha
from eomc.codegen.integrators.numerical_damping import Pair
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import Interface


def generalized_alpha_marks(
    face: Interface, found: ImplicitIntegrator, method: GeneralizedAlpha
) -> dict[str, object]:
    """The end of a step, at which its equations are solved, and what a step keeps for the next."""
    base = found.explicit
    end = {"q": "q_next", "u": "u_next", "z": f"&u_next[{base.nu}]", "t": "t_stage"}
    start = {"q": "q", "u": "u", "z": f"&u[{base.nu}]", "t": "t"}
    code = next(s.enumerator for s in face.statuses if s.code == "step_unsolved")
    unused = [name for name in found.outputs if name not in ("E", "mass", "by_displacement")]
    rates = f"&w_rate[{base.nu}]"
    return {
        **stage_marks(face, found, end),
        **stage_calls(face, base, end, rates, INDENT * 2),
        "start_arguments": call_arguments(face, base.dynamics, start | held_names(base)),
        "element_states_at_start": stage_calls(face, base, start, rates, INDENT)[
            "element_state_rates"
        ],
        "kept": base.width + len(found.memory),
        "started": 2 * base.width,
        "half": literal(Fraction(1, 2), face.real),
        "alpha_m": _of_rho(face, method.alpha_m),
        "alpha_f": _of_rho(face, method.alpha_f),
        "newton_steps": method.newton_steps,
        "tolerance": literal(Fraction(1, 10**6 if face.real.bytes == 8 else 10**4), face.real),
        "unsolved": f" * {code} if the last step of Newton's method changed more than rounding,\n",
        "work": paragraph(
            f"Work: each of {method.newton_steps} steps of Newton's method {factoring(found)}; it "
            f"evaluates the rates, and each step does so once more{projecting(face)}."
        ),
        "behind": paragraph(
            f"u holds the {base.width} speeds and states of elements; behind them as many alpha, "
            "which a step leaves to the next, 1 once they are known (at first zero: they are then "
            "the accelerations), and the largest residual of Newton's method so far."
        )
        + paragraph(
            f"rho, from {float(method.least_rho):g} to 1, is the share of the fastest modes that a "
            "step leaves."
        ),
        "unused": "".join(f"{INDENT}(void){name};\n" for name in unused),
    }


def _of_rho(face: Interface, pair: Pair) -> str:
    """(x + y rho)/(1 + rho)"""
    x, y, one = (literal(value, face.real) for value in (*pair, 1))
    return f"({x} + {y}*rho)/({one} + rho)"
