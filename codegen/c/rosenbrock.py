"""Linearly implicit integrators in C, for programs that have the matrix of their steps.

A program with ``step_matrix`` and ``displacement_rates`` beside what explicit integrators call has
one integrator of fixed steps for each `Rosenbrock` method, and one of steps chosen by the error
where the method has an embedded solution. Inputs and states of elements are those of `Integrator`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from eomc.codegen.c.arguments import call_arguments, declared, passed_on, with_parameters
from eomc.codegen.c.constraints import PROJECTION_STEPS, projection, solvers
from eomc.codegen.c.integrator import (
    Integrator,
    coefficient_row,
    coefficient_rows,
    held_declarations,
    held_names,
    held_rows,
    integrators,
    normalized,
    off_constraints,
    paragraph,
    stage_calls,
    states_behind,
)
from eomc.codegen.c.language import array_declarator
from eomc.codegen.integrators import Rosenbrock, rosenbrock_methods
from eomc.codegen.language.body import Body, stack_bound
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import (
    ADAPTIVE_CODES,
    IMPLICIT_NEEDS,
    SINGULAR_STEP,
    Entry,
    Interface,
    asked_once,
)
from eomc.codegen.templates.template import fill


@dataclass(frozen=True)
class ImplicitIntegrator:
    """One method on one model.

    explicit : an explicit integrator of the model, whose state and inputs are the same
    """

    method: Rosenbrock
    explicit: Integrator
    step_matrix: Entry
    displacement_rates: Entry
    integrate: Entry
    adaptive: bool

    @property
    def name(self) -> str:
        """Of the C function, without the model's prefix."""
        return f"{self.method.name}_adaptive" if self.adaptive else self.method.name

    @property
    def outputs(self) -> tuple[str, ...]:
        """Arrays that the function of the matrix gives."""
        return tuple(port.argument.name for port in self.step_matrix.outputs)


@asked_once
def implicit_integrators(face: Interface) -> tuple[ImplicitIntegrator, ...]:
    """Those that ``face`` allows: none without the matrix of a step."""
    found = [face.entry(name) for name in IMPLICIT_NEEDS]
    entries = [entry for entry in found if entry is not None]
    explicit = integrators(face)
    if len(entries) < len(found) or not explicit or not explicit[0].nu:
        return ()
    return tuple(
        ImplicitIntegrator(method, explicit[0], *entries, adaptive)
        for method in rosenbrock_methods()
        for adaptive in ((False, True) if method.is_adaptive else (False,))
    )


def implicit_declarations(face: Interface, bodies: Mapping[str, Body]) -> str:
    """For the header."""
    return "".join(
        "\n" + fill(f"{_template(found)}.h", **_marks(face, found, _stack(face, found, bodies)))
        for found in implicit_integrators(face)
    )


def implicit_definitions(face: Interface) -> str:
    """For the source file."""
    found = implicit_integrators(face)
    if not found:
        return ""
    width = found[0].explicit.width
    sizes = {"n": width, "size": width * width, "zero": literal(0, face.real)}
    names = {"m": face.prefix, "M": face.macro, "f": face.real.suffix}
    texts = [fill("implicit_elimination.c", **sizes, **names)]
    texts += [fill(f"{_template(method)}.c", **_marks(face, method)) for method in found]
    return "\n" + "\n".join(texts)


def _template(found: ImplicitIntegrator) -> str:
    return "rosenbrock_adaptive" if found.adaptive else "rosenbrock"


def _stack(face: Interface, found: ImplicitIntegrator, bodies: Mapping[str, Body]) -> str:
    """Bound of the stack for the header: own arrays, and the deepest call."""
    base, stages = found.explicit, found.method.stages
    n, nu = base.width, base.nu
    matrices = sum(port.size for port in found.step_matrix.outputs)
    numbers = matrices + stages * (n + nu) + 4 * nu + 7 * n + 4 * base.nq
    called = [*base.entries, found.step_matrix, found.displacement_rates, found.integrate]
    called += [base.normalize] if base.normalize else []
    deepest = max(bodies[entry.name].stack for entry in called)
    most = stack_bound(numbers, face.real) + 3 * stack_bound(0, face.real) + deepest
    more = ", and what the projection of each step takes" if solvers(face) else ""
    return f"at most {most} bytes in optimized code{more}"


def _work(face: Interface, found: ImplicitIntegrator) -> str:
    n, stages = found.explicit.width, found.method.stages
    project = f", and projects with at most {PROJECTION_STEPS} steps of Newton's method"
    what = "each trial of a step, of which there are at most max_steps," if found.adaptive else ""
    return paragraph(
        f"Work: {what or 'each step'} factors one matrix of {n} rows, solves with it {stages} times"
        f" and evaluates the rates {stages} times{project if solvers(face) else ''}."
    )


def _marks(face: Interface, found: ImplicitIntegrator, stack: str = "") -> dict[str, object]:
    """Marks of both pairs of templates with their values."""
    method, base, one = found.method, found.explicit, literal(1, face.real)
    codes = {status.code: status.enumerator for status in face.statuses}
    names = held_names(base).values()
    rows = (f"const {face.real_type} {array_declarator(face, name, 0)}" for name in names)
    return {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        "method": method.name,
        "title": method.title,
        "stages": method.stages,
        "nq": base.nq,
        "nu": base.nu,
        "n": base.width,
        "all": base.nq + base.width,
        "estimates": base.nu + base.width,
        "size": base.width**2,
        "zero": literal(0, face.real),
        "one": one,
        "a": coefficient_rows(face, method.stage_weights, method.stages),
        "c": coefficient_rows(face, method.couplings, method.stages),
        "weights": coefficient_row(face, method.weights, method.stages),
        "gamma": literal(method.gamma, face.real),
        "exponent": literal(Fraction(1, method.order), face.real),
        "least_rtol": literal(Fraction(200, face.real.exact_integers), face.real),
        "resolution": literal(10 * Fraction(1, face.real.exact_integers), face.real),
        "behind": states_behind(base) + off_constraints(face),
        "work": _work(face, found),
        "stack": stack,
        "held": passed_on(face, names),
        "held_declarations": held_declarations(face, base),
        "held_rows": held_rows(face, base),
        "row_declarations": declared(face, rows),
        "time_declaration": f"{INDENT}{face.real_type} t,\n" if base.timed else "",
        "start": "t + " if base.timed else "",
        "normalized": " q is normalized after each step." if base.normalize else "",
        "singular_step": codes[SINGULAR_STEP],
        **{code: codes[code] for code in ADAPTIVE_CODES},
        **_stage_marks(face, found),
        **_end_marks(face, found),
        **_estimate_marks(face, found),
    }


def _stage_marks(face: Interface, found: ImplicitIntegrator) -> dict[str, object]:
    """The matrix, and the calls and products of a stage."""
    base, outputs = found.explicit, found.outputs
    real, speeds = face.real_type, base.nu
    stage = {"q": "q_stage", "u": "u_stage", "z": f"&u_stage[{speeds}]", "t": "t_stage"}
    start = {"q": "q", "u": "u", "z": f"&u[{speeds}]", "t": "t", "rate": "rate"}
    names = start | held_names(base)
    further = [port for port in found.step_matrix.outputs if port.argument.name != "E"]
    timed = "by_time" in outputs
    weights = ""
    for name, values in (("t_at", found.method.alpha), ("t_by", found.method.gammas)):
        if (name == "t_at" and base.timed) or (name == "t_by" and timed):
            row = coefficient_row(face, values, found.method.stages)
            weights += f"{INDENT}static const {real} {name}[{found.method.stages}] = {{{row}}};\n"
    massed = _loop(base.width, f"sum += mass[k*{base.width} + j]*w_rate[j];", "j", 3)
    answer = f"sum += response[k*{speeds} + j]*theta_rate[j];"
    if "response" in outputs:
        lines = [f"{INDENT}{real} sum = {literal(0, face.real)};"]
        lines += [*_loop(speeds, answer, "j", 1).splitlines(), f"{INDENT}du[i][k] = sum;"]
    else:
        lines = [f"{INDENT}du[i][k] = theta_rate[k]/rate;"]
    displaced = [f"for (int k = 0; k < {speeds}; k++) {{", *lines, "}"]
    return {
        "further_weights": weights,
        "matrices": "".join(f"{INDENT}{real} {p.argument.name}[{p.size}];\n" for p in further),
        "step_matrix": found.step_matrix.symbol,
        "step_matrix_arguments": call_arguments(face, found.step_matrix, names),
        "matrix_outputs": "".join(f", {port.argument.name}" for port in further),
        "stage_time": (
            f"{INDENT * 2}const {real} t_stage = t + t_at[i]*h;\n" if base.timed else ""
        ),
        "integrate": found.integrate.symbol,
        "displacement_rates": found.displacement_rates.symbol,
        "forward_dynamics": base.dynamics.symbol,
        "p": ", p" if face.members else "",
        **stage_calls(face, base, stage, f"&w_rate[{speeds}]", INDENT * 2),
        "right": "w_rate[k]" if "mass" not in outputs else literal(0, face.real),
        "massed": (massed if "mass" in outputs else "")
        + (f"{INDENT * 3}sum += t_by[i]*h*by_time[k];\n" if timed else ""),
        "displaced": "".join(f"{INDENT * 2}{line}\n" for line in displaced),
    }


def _loop(count: int, statement: str, index: str, depth: int) -> str:
    lines = (f"for (int {index} = 0; {index} < {count}; {index}++) {{", INDENT + statement, "}")
    return "".join(f"{INDENT * depth}{line}\n" for line in lines)


def _end_marks(face: Interface, found: ImplicitIntegrator) -> dict[str, object]:
    """From the end of the step to the manifold and the constraints."""
    base, most = found.explicit, literal(Fraction(1, 1000), face.real)
    unused = "" if base.timed else f"{INDENT}(void)t;\n"
    names = held_names(base) | {"t": "t + h"}
    return {
        "normalize": normalized(face, base, "q_next", "q_stage"),
        "project": projection(face, names, "q_next", "u_next", "u", most) + unused,
    }


def _estimate_marks(face: Interface, found: ImplicitIntegrator) -> dict[str, object]:
    """The estimate of the error, of methods that have one."""
    base, method, real = found.explicit, found.method, face.real_type
    count = base.nu + base.width
    # The displacement of the error, as coordinates.
    call = {"q": "q_next", "u": "estimate"} | held_names(base)
    if not method.is_adaptive:
        none = dict.fromkeys(
            ("estimated", "estimate_declaration", "estimate", "no_estimate", "unused_estimate"), ""
        )
        return none | {"coordinate_rates": base.rates.symbol, "coordinate_rates_arguments": ""}
    lines = []
    for name, size, place in (("du", base.nu, "k"), ("dw", base.width, f"{base.nu} + k")):
        lines += [
            f"for (int k = 0; k < {size}; k++) {{",
            f"{INDENT}estimate[{place}] = {literal(0, face.real)};",
            *_loop(method.stages, f"estimate[{place}] += e[i]*{name}[i][k];", "i", 1).splitlines(),
            "}",
        ]
    row = coefficient_row(face, method.error, method.stages)
    weights = f"{INDENT}static const {real} e[{method.stages}] = {{{row}}};\n"
    further = str(_stage_marks(face, found)["further_weights"])
    return {
        "estimated": ", with the error of the displacement, u and z",
        "estimate_declaration": f",\n{INDENT}{real} estimate[{face.macro}_RESTRICT {count}]",
        "further_weights": further + weights,
        "estimate": "".join(f"{INDENT}{line}\n" for line in lines),
        "no_estimate": f"{INDENT * 2}{real} estimate[{count}];\n",
        "unused_estimate": ", estimate",
        "coordinate_rates": base.rates.symbol,
        "coordinate_rates_arguments": ", ".join(
            with_parameters(face, [call[port.argument.name] for port in base.rates.inputs])
        ),
    }
