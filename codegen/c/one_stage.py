"""Marks of the template of implicit methods of one stage."""

from fractions import Fraction

from eomc.codegen.c.implicit_integrator import (
    ImplicitIntegrator,
    factoring,
    projecting,
    stage_marks,
)
from eomc.codegen.c.integrator import paragraph
from eomc.codegen.integrators import OneStage
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import Interface


def one_stage_marks(
    face: Interface, found: ImplicitIntegrator, method: OneStage
) -> dict[str, object]:
    """The stage and Newton's steps."""
    base, real = found.explicit, face.real_type
    state = {"q": "q_stage", "u": "u_stage", "z": f"&u_stage[{base.nu}]", "t": "t_stage"}
    code = next(s.enumerator for s in face.statuses if s.code == "step_unsolved")
    unused = [name for name in found.outputs if name not in ("E", "mass")]
    unused += [] if base.timed else ["t"]
    return {
        "fraction": literal(method.fraction, face.real),
        "newton_steps": method.newton_steps,
        "tolerance": literal(Fraction(1, 10**6 if face.real.bytes == 8 else 10**4), face.real),
        "unsolved": f" * {code} if the last step of Newton's method changed more than rounding,\n",
        "work": paragraph(
            f"Work: each of {method.newton_steps} steps of Newton's method {factoring(found)}; it "
            f"evaluates the rates{projecting(face)}."
        ),
        "stage_time": f"{INDENT}const {real} t_stage = t + fraction*h;\n" if base.timed else "",
        "unused": "".join(f"{INDENT}(void){name};\n" for name in unused),
        **stage_marks(face, found, state),
    }
