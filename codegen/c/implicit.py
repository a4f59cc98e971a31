"""Implicit integrators in C, for programs that have the matrix of their steps.

A program with ``step_matrix`` and ``displacement_rates`` beside what explicit integrators call has
one integrator of fixed steps for each implicit method, and one of steps chosen by the error where
the method has an embedded solution. Inputs and states of elements are those of `Integrator`.
"""

from collections.abc import Mapping

from eomc.codegen.c import fixed_run
from eomc.codegen.c.implicit_integrator import (
    ImplicitIntegrator,
    implicit_integrators,
    shared_marks,
    stack_text,
)
from eomc.codegen.c.one_stage import one_stage_marks
from eomc.codegen.c.rosenbrock import rosenbrock_marks
from eomc.codegen.c.step_elimination import elimination_text
from eomc.codegen.integrators import OneStage
from eomc.codegen.language.body import FunctionText
from eomc.codegen.plan.interface import Interface
from eomc.codegen.templates.template import fill


def implicit_declarations(face: Interface, bodies: Mapping[str, FunctionText]) -> str:
    """For the header."""
    return "".join(
        "\n" + _declared(found, _marks(face, found, stack_text(face, found, bodies)))
        for found in implicit_integrators(face)
    )


def implicit_definitions(face: Interface) -> str:
    """For the source file."""
    found = implicit_integrators(face)
    if not found:
        return ""
    texts = [elimination_text(face, found[0].elimination)]
    texts += [_defined(method, _marks(face, method)) for method in found]
    return "\n" + "\n".join(texts)


def _declared(found: ImplicitIntegrator, marks: dict[str, object]) -> str:
    if found.adaptive:
        return fill("rosenbrock_adaptive.h", **marks)
    return fill("implicit_run.h", **marks) + fixed_run.declarations(
        marks, found.explicit.nq, found.explicit.width
    )


def _defined(found: ImplicitIntegrator, marks: dict[str, object]) -> str:
    if found.adaptive:
        return fill("rosenbrock_adaptive.c", **marks)
    trial = "one_stage.c" if isinstance(found.method, OneStage) else "rosenbrock.c"
    texts = (fill(template, **marks) for template in (trial, "implicit_step.c"))
    sizes = found.explicit.nq, found.explicit.width
    return "\n".join(texts) + fixed_run.definitions(marks, *sizes)


def _marks(face: Interface, found: ImplicitIntegrator, stack: str = "") -> dict[str, object]:
    marks = shared_marks(face, found, stack)
    if isinstance(found.method, OneStage):
        return marks | one_stage_marks(face, found, found.method)
    return marks | rosenbrock_marks(face, found, found.method)
