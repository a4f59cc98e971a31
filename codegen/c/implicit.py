"""Implicit integrators in C, for programs that have the matrix of their steps.

A program with ``step_matrix`` and ``displacement_rates`` beside what explicit integrators call has
one integrator of fixed steps for each implicit method, and one of steps chosen by the error where
the method has an embedded solution. A `StepFunction` takes the function of its step alone. Inputs
and states of elements are those of `Integrator`.
"""

from collections.abc import Mapping

from eomc.codegen.c import fixed_run
from eomc.codegen.c.arguments import call_arguments
from eomc.codegen.c.generalized_alpha import generalized_alpha_marks
from eomc.codegen.c.implicit_integrator import (
    FunctionSteps,
    ImplicitIntegrator,
    implicit_integrators,
    projecting,
    shared_marks,
    stack_text,
)
from eomc.codegen.c.integrator import advanced, held_names, paragraph
from eomc.codegen.c.rosenbrock import rosenbrock_marks
from eomc.codegen.c.step_elimination import elimination_text
from eomc.codegen.integrators import GeneralizedAlpha
from eomc.codegen.language.body import FunctionText
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill

Found = ImplicitIntegrator | FunctionSteps


def implicit_declarations(face: Interface, bodies: Mapping[str, FunctionText]) -> str:
    """For the header."""
    return "".join(
        "\n" + _declared(found, _marks(face, found, stack_text(face, found, bodies)))
        for found in implicit_integrators(face)
    )


def implicit_definitions(face: Interface) -> str:
    """For the source file."""
    found = implicit_integrators(face)
    solving = [method for method in found if isinstance(method, ImplicitIntegrator)]
    texts = [elimination_text(face, method.elimination) for method in solving[:1]]
    texts += [_defined(method, _marks(face, method)) for method in found]
    return "\n" + "\n".join(texts) if found else ""


def function_step_definitions(face: Interface) -> str:
    """One step of each method that steps by a function alone, without the loops over it."""
    return "\n".join(
        fill("step_function.c", **marks) + "\n" + fill("implicit_step.c", **marks)
        for found in implicit_integrators(face)
        if isinstance(found, FunctionSteps)
        for marks in [_marks(face, found)]
    )


def _sizes(found: Found) -> tuple[int, int]:
    """Of the arrays q and u."""
    return found.explicit.nq, found.explicit.width + len(found.memory)


def _declared(found: Found, marks: dict[str, object]) -> str:
    if found.adaptive:
        return fill("rosenbrock_adaptive.h", **marks)
    return fill("implicit_run.h", **marks) + fixed_run.declarations(marks, *_sizes(found))


def _defined(found: Found, marks: dict[str, object]) -> str:
    if found.adaptive:
        state, following = (f"q{end}[{marks['nq']}] u{end}[{marks['n']}]" for end in ("", "_next"))
        advance = advanced(marks, "trial", 6, state=state, next=following)
        return fill("rosenbrock_adaptive.c", **marks, advance=advance)
    names = ["rosenbrock.c", "implicit_step.c"]
    if isinstance(found, FunctionSteps):
        names[0] = "step_function.c"
    elif isinstance(found.method, GeneralizedAlpha):
        names = ["generalized_alpha.c"]
    texts = (fill(template, **marks) for template in names)
    return "\n".join(texts) + fixed_run.definitions(marks, *_sizes(found))


def _marks(face: Interface, found: Found, stack: str = "") -> dict[str, object]:
    marks = shared_marks(face, found, stack)
    if isinstance(found, FunctionSteps):
        return marks | _function_marks(face, found)
    if isinstance(found.method, GeneralizedAlpha):
        return marks | generalized_alpha_marks(face, found, found.method)
    return marks | rosenbrock_marks(face, found, found.method)


def _function_marks(face: Interface, found: FunctionSteps) -> dict[str, object]:
    base = found.explicit
    state = {"q": "q", "u": "u", "z": f"&u[{base.nu}]", "t": "t", "h": "h"}
    return {
        "step": found.step.symbol,
        "step_arguments": call_arguments(face, found.step, state | held_names(base)),
        "z_next": f", &u_next[{base.nu}]" if base.nz else "",
        "unsolved": "".join(
            f" * {status.enumerator} if Newton's method does not converge in its steps,\n"
            for status in face.statuses
            if status.code == "step_unsolved"
        ),
        "work": paragraph(f"Work: each step evaluates {found.step.symbol}{projecting(face)}."),
    }
