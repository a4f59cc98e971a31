"""An implicit integrator on a model, and the marks that the templates of all of them share."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from eomc.codegen.c import fixed_run
from eomc.codegen.c.arguments import call_arguments
from eomc.codegen.c.constraints import PROJECTION_STEPS, projection, solvers
from eomc.codegen.c.integrator import (
    Integrator,
    held_names,
    integrators,
    normalized,
    off_constraints,
    stage_calls,
    states_behind,
)
from eomc.codegen.c.step_elimination import StepElimination, step_elimination
from eomc.codegen.integrators import GeneralizedAlpha, Rosenbrock, StepFunction, implicit_methods
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.interface import (
    ADAPTIVE_CODES,
    IMPLICIT_CODES,
    EmittedFunction,
    Interface,
    Port,
    asked_once,
    implicit_needs,
)
from eomc.derive.graph import ZERO, Argument


@dataclass(frozen=True)
class ImplicitIntegrator:
    """One method on one model.

    explicit : an explicit integrator of the model, whose state and inputs are the same; a
        `GeneralizedAlpha` method also takes `RHO`
    """

    method: Rosenbrock | GeneralizedAlpha
    explicit: Integrator
    step_matrix: EmittedFunction
    displacement_rates: EmittedFunction
    integrate: EmittedFunction
    adaptive: bool
    elimination: StepElimination

    @property
    def name(self) -> str:
        """Of the C function, without the model's prefix."""
        return f"{self.method.name}_adaptive" if self.adaptive else self.method.name

    @property
    def memory(self) -> tuple[str, ...]:
        """Names of what lies behind the state from step to step."""
        if not isinstance(self.method, GeneralizedAlpha):
            return ()
        rows = self.step_matrix.outputs[0].argument.rows
        return (*(f"alpha({name})" for name in rows), "is_started", "residual")

    @property
    def outputs(self) -> tuple[str, ...]:
        """Arrays that the function of the matrix gives."""
        return tuple(port.argument.name for port in self.step_matrix.outputs)


@dataclass(frozen=True)
class FunctionSteps:
    """A method whose step is one function, `step`, of a model; `explicit` as above."""

    method: StepFunction
    explicit: Integrator
    step: EmittedFunction
    adaptive = False
    memory: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Of the C function, without the model's prefix."""
        return self.method.name


RHO = "rho"
"""The input of `GeneralizedAlpha` methods beside those of others."""
DEFAULT_RHO = 0.8


def _with_rho(base: Integrator) -> Integrator:
    argument = Argument(RHO, (), (ZERO,), "share of the fastest modes that a step leaves")
    return replace(base, held=(*base.held, Port(RHO, argument, False)))


@asked_once
def implicit_integrators(face: Interface) -> tuple[ImplicitIntegrator | FunctionSteps, ...]:
    """Those that ``face`` allows: of each method if what its steps call is there."""
    explicit = integrators(face)
    if not explicit or not explicit[0].nu:
        return ()
    base, found = explicit[0], list[ImplicitIntegrator | FunctionSteps]()
    for method in implicit_methods():
        entries = [face.entry(name) for name in implicit_needs(method)]
        calls = [entry for entry in entries if entry is not None]
        if len(calls) < len(entries):
            continue
        if isinstance(method, StepFunction):
            found.append(FunctionSteps(method, base, calls[0]))
            continue
        own = _with_rho(base) if isinstance(method, GeneralizedAlpha) else base
        way = step_elimination(face.program.graph, calls[0])
        for adaptive in (False, True) if method.is_adaptive else (False,):
            matrix, rates, integrate = calls
            found.append(ImplicitIntegrator(method, own, matrix, rates, integrate, adaptive, way))
    return tuple(found)


def stack_text(
    face: Interface, found: ImplicitIntegrator | FunctionSteps, bodies: Mapping[str, FunctionText]
) -> str:
    """Bound of the stack for the header: own arrays, and the deepest call."""
    base, stages = found.explicit, found.method.stages
    n, nu = base.width, base.nu
    numbers = stages * (n + nu) + 4 * nu + 7 * n + 4 * base.nq
    if isinstance(found, FunctionSteps):
        called = [found.step]
    else:
        numbers += sum(port.size for port in found.step_matrix.outputs)
        called = [*base.entries, found.step_matrix, found.displacement_rates, found.integrate]
    called += [base.normalize] if base.normalize else []
    deepest = max(bodies[entry.name].stack for entry in called)
    most = stack_bound(numbers, face.real) + 3 * stack_bound(0, face.real) + deepest
    more = ", and what the projection of each step takes" if solvers(face) else ""
    return f"at most {most} bytes in optimized code{more}"


def factoring(found: ImplicitIntegrator) -> str:
    """The share of the matrix in the work of a step."""
    way, n = found.elimination, found.explicit.width
    where = "along the tree" if way.before else "as a dense matrix"
    return (
        f"factors {n} rows {where} ({way.factor_operations} operations) and solves with them "
        f"({way.solve_operations} operations)"
    )


def projecting(face: Interface) -> str:
    """The share of projections in the work of a step."""
    steps = f", and projects with at most {PROJECTION_STEPS} steps of Newton's method"
    return steps if solvers(face) else ""


def shared_marks(
    face: Interface, found: ImplicitIntegrator | FunctionSteps, stack: str
) -> dict[str, object]:
    """Names and numbers of the model and the method, arguments, and the end of a step."""
    method, base = found.method, found.explicit
    codes = {status.code: status.enumerator for status in face.statuses}
    return {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        "method": method.name,
        "title": method.title,
        "nq": base.nq,
        "nu": base.nu,
        "n": base.width,
        "size": base.width**2,
        "zero": literal(0, face.real),
        "one": literal(1, face.real),
        "behind": states_behind(base) + off_constraints(face),
        "stack": stack,
        **fixed_run.input_marks(face, base.held, base.timed),
        "normalized": " q is normalized after each step." if base.normalize else "",
        "no_estimate": "",
        "unused_estimate": "",
        "unsolved": "",
        **{code: codes[code] for code in (*ADAPTIVE_CODES, *IMPLICIT_CODES)},
        **_end_marks(face, found),
    }


def _end_marks(face: Interface, found: ImplicitIntegrator | FunctionSteps) -> dict[str, object]:
    """From the end of the step to the manifold and the constraints."""
    base, most = found.explicit, literal(Fraction(1, 1000), face.real)
    unused = "" if base.timed else f"{INDENT}(void)t;\n"
    names = held_names(base) | {"t": "t + h"}
    return {
        "normalize": normalized(face, base, "q_next", "q_stage"),
        "project": projection(face, names, "q_next", "u_next", "u", most) + unused,
    }


def stage_marks(
    face: Interface, found: ImplicitIntegrator, start: Mapping[str, str]
) -> dict[str, object]:
    """The matrix at the state that `start` names, and the calls and products of a stage."""
    base, speeds = found.explicit, found.explicit.nu
    stage = {"q": "q_stage", "u": "u_stage", "z": f"&u_stage[{speeds}]", "t": "t_stage"}
    names = {**start, "rate": "rate", **held_names(base)}
    further = [port for port in found.step_matrix.outputs if port.argument.name != "E"]
    has_mass = "mass" in found.outputs
    massed = loop(base.width, f"sum += mass[k*{base.width} + j]*w_rate[j];", "j", 3)
    declarations = (f"{face.real_type} {p.argument.name}[{p.size}];" for p in further)
    return {
        "matrices": "".join(f"{INDENT}{declaration}\n" for declaration in declarations),
        "step_matrix": found.step_matrix.symbol,
        "step_matrix_arguments": call_arguments(face, found.step_matrix, names),
        "matrix_outputs": "".join(f", {port.argument.name}" for port in further),
        "integrate": found.integrate.symbol,
        "forward_dynamics": base.dynamics.symbol,
        "p": ", p" if face.members else "",
        **stage_calls(face, base, stage, f"&w_rate[{speeds}]", INDENT * 2),
        "right": literal(0, face.real) if has_mass else "w_rate[k]",
        "massed": massed if has_mass else "",
    }


def loop(count: int, statement: str, index: str, depth: int) -> str:
    """Lines of C that repeat a statement."""
    lines = (f"for (int {index} = 0; {index} < {count}; {index}++) {{", INDENT + statement, "}")
    return "".join(f"{INDENT * depth}{line}\n" for line in lines)
