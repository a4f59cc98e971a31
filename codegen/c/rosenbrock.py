"""Marks of the templates of linearly implicit methods."""

from fractions import Fraction

from eomc.codegen.c.arguments import with_parameters
from eomc.codegen.c.implicit_integrator import (
    ImplicitIntegrator,
    factoring,
    loop,
    projecting,
    stage_marks,
)
from eomc.codegen.c.integrator import coefficient_row, coefficient_rows, held_names, paragraph
from eomc.codegen.integrators import Rosenbrock
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import Interface


def rosenbrock_marks(
    face: Interface, found: ImplicitIntegrator, method: Rosenbrock
) -> dict[str, object]:
    """Coefficients, the stage and the estimate of the error."""
    base = found.explicit
    start = {"q": "q", "u": "u", "z": f"&u[{base.nu}]", "t": "t"}
    marks = {
        "stages": method.stages,
        "all": base.nq + base.width,
        "estimates": base.nu + base.width,
        "a": coefficient_rows(face, method.stage_weights, method.stages),
        "c": coefficient_rows(face, method.couplings, method.stages),
        "weights": coefficient_row(face, method.weights, method.stages),
        "gamma": literal(method.gamma, face.real),
        "exponent": literal(Fraction(1, method.order), face.real),
        "least_rtol": literal(Fraction(200, face.real.exact_integers), face.real),
        "resolution": literal(10 * Fraction(1, face.real.exact_integers), face.real),
        "work": _work(face, found),
        "displacement_rates": found.displacement_rates.symbol,
        "stage_time": (
            f"{INDENT * 2}const {face.real_type} t_stage = t + t_at[i]*h;\n" if base.timed else ""
        ),
        "further_weights": _times(face, found, method),
        "displaced": _displaced(face, found),
        **stage_marks(face, found, start),
    }
    if "by_time" in found.outputs:
        marks["massed"] = f"{marks['massed']}{INDENT * 3}sum += t_by[i]*h*by_time[k];\n"
    return marks | _estimate_marks(face, found, method, str(marks["further_weights"]))


def _work(face: Interface, found: ImplicitIntegrator) -> str:
    stages = found.method.stages
    what = "each trial of a step, of which there are at most max_steps," if found.adaptive else ""
    return paragraph(
        f"Work: {what or 'each step'} {factoring(found)} {stages} times; it evaluates the rates "
        f"{stages} times{projecting(face)}."
    )


def _times(face: Interface, found: ImplicitIntegrator, method: Rosenbrock) -> str:
    """Weights of time, as far as anything depends on it."""
    taken = {"t_at": found.explicit.timed, "t_by": "by_time" in found.outputs}
    values = {"t_at": method.alpha, "t_by": method.gammas}
    rows = {name: coefficient_row(face, row, method.stages) for name, row in values.items()}
    return "".join(
        f"{INDENT}static const {face.real_type} {name}[{method.stages}] = {{{rows[name]}}};\n"
        for name, is_taken in taken.items()
        if is_taken
    )


def _displaced(face: Interface, found: ImplicitIntegrator) -> str:
    """Statements that give the displacement of a stage."""
    speeds = found.explicit.nu
    lines = [f"{INDENT}du[i][k] = theta_rate[k]/rate;"]
    if "response" in found.outputs:
        answer = f"sum += response[k*{speeds} + j]*theta_rate[j];"
        lines = [f"{INDENT}{face.real_type} sum = {literal(0, face.real)};"]
        lines += [*loop(speeds, answer, "j", 1).splitlines(), f"{INDENT}du[i][k] = sum;"]
    lines = [f"for (int k = 0; k < {speeds}; k++) {{", *lines, "}"]
    return "".join(f"{INDENT * 2}{line}\n" for line in lines)


def _estimate_marks(
    face: Interface, found: ImplicitIntegrator, method: Rosenbrock, further: str
) -> dict[str, object]:
    """The estimate of the error, of methods that have one."""
    base, real = found.explicit, face.real_type
    count = base.nu + base.width
    # The displacement of the error, as coordinates.
    call = {"q": "q_next", "u": "estimate"} | held_names(base)
    if not method.is_adaptive:
        return dict.fromkeys(("estimated", "estimate_declaration", "estimate"), "")
    lines = []
    for name, size, place in (("du", base.nu, "k"), ("dw", base.width, f"{base.nu} + k")):
        lines += [
            f"for (int k = 0; k < {size}; k++) {{",
            f"{INDENT}estimate[{place}] = {literal(0, face.real)};",
            *loop(method.stages, f"estimate[{place}] += e[i]*{name}[i][k];", "i", 1).splitlines(),
            "}",
        ]
    row = coefficient_row(face, method.error, method.stages)
    weights = f"{INDENT}static const {real} e[{method.stages}] = {{{row}}};\n"
    return {
        "estimated": ", with the error of the displacement, u and z",
        "estimate_declaration": f",\n{INDENT}{real} estimate[{face.macro}_RESTRICT {count}]",
        "further_weights": further + weights,
        "estimate": "".join(f"{INDENT}{line}\n" for line in lines),
        "no_estimate": f"{INDENT}{real} estimate[{count}];\n",
        "unused_estimate": ", estimate",
        "coordinate_rates": base.rates.symbol,
        "coordinate_rates_arguments": ", ".join(
            with_parameters(face, [call[port.argument.name] for port in base.rates.inputs])
        ),
    }
