"""Steps through M = L^T D L (see `dynamics.factor`): of numbers, and of rows of the matrices that
are solved for."""

from __future__ import annotations

from functools import cache

from eomc.derive.graph import Expression, RolledStep
from eomc.derive.rolled.layouts import NUMBER, numbers
from eomc.derive.rolled.step_builder import StepBuilder

MATRICES = ("by_q", "by_u", "by_tau")
"""Those that are solved for; the first two change their sign."""


@cache
def pivot_step() -> RolledStep:
    """The reciprocal of a pivot."""
    step = StepBuilder("pivot", "Reciprocal of a pivot.")
    d = step.take("diagonal", NUMBER)
    step.give("reciprocal", NUMBER, 1 / d)
    step.require_positive(d, "singular_mass_matrix")
    return step.step()


@cache
def product_step() -> RolledStep:
    """The product of two numbers."""
    step = StepBuilder("product", "Product of two numbers.")
    one, other = step.take("one", NUMBER), step.take("other", NUMBER)
    step.give("product", NUMBER, one * other)
    return step.step()


@cache
def unit_step() -> RolledStep:
    """One."""
    step = StepBuilder("unit", "One.")
    step.give("to", NUMBER, step.zero + 1)
    return step.step()


@cache
def less_step(width: int = 1) -> RolledStep:
    """A product off a number; or off those of a row."""
    name = "less" if width == 1 else f"less_by_{width}"
    step = StepBuilder(name, "A product off what is there.", width, ("total", "other"))
    total, factor, other = (step.take(name, NUMBER) for name in ("total", "factor", "other"))
    step.give("total", NUMBER, total - factor * other)
    return step.step()


# -- three matrices at once ------------------------------------------------------------------------


def _signed(matrix: str, value: Expression) -> Expression:
    return value if matrix == MATRICES[-1] else -value


@cache
def scale_step() -> RolledStep:
    """Entries of a row over its pivot, as what is on the other side."""
    step = StepBuilder("scale", "Entries over their pivot, on the other side.")
    reciprocal = step.take("reciprocal", NUMBER)
    for name in MATRICES:
        entry = step.take(name, NUMBER)
        step.give(name, NUMBER, entry * _signed(name, reciprocal))
    return step.step()


@cache
def less_of_each_step() -> RolledStep:
    """Products off entries of a row."""
    step = StepBuilder("less_of_each", "Products off entries of a row.")
    factor = step.take("factor", NUMBER)
    for name in MATRICES:
        entry, other = step.take(name, NUMBER), step.take(f"other_{name}", NUMBER)
        step.give(name, NUMBER, entry - factor * other)
    return step.step()


@cache
def begin_step(width: int, size: int, *, is_scaled: bool) -> RolledStep:
    """Columns of a row of the matrices, which are carried; over the pivot, on the other side."""
    step = StepBuilder(
        f"begin_{'scaled_' if is_scaled else ''}{size}_by_{width}",
        "Columns of a row, over its pivot, on the other side."
        if is_scaled
        else "Columns of a row.",
        width,
        ("carried", *MATRICES),
    )
    reciprocal = step.take("reciprocal", NUMBER) if is_scaled else None
    carried: list[Expression] = []
    for name in MATRICES:
        columns = step.take(name, numbers(size))
        if reciprocal is not None:
            columns = [entry * _signed(name, reciprocal) for entry in columns]
        carried += columns
    step.give("carried", numbers(len(carried)), carried)
    return step.step()


@cache
def less_rows_step(width: int, size: int) -> RolledStep:
    """Products of the columns of another row off those that are carried."""
    step = StepBuilder(
        f"less_rows_{size}_by_{width}",
        "Products of another row off the columns that are carried.",
        width,
        ("carried", *MATRICES),
    )
    carried, factor = (
        step.take("carried", numbers(len(MATRICES) * size)),
        step.take("factor", NUMBER),
    )
    others = [entry for name in MATRICES for entry in step.take(name, numbers(size))]
    less = [x - factor * other for x, other in zip(carried, others, strict=True)]
    step.give("carried", numbers(len(MATRICES) * size), less)
    return step.step()


@cache
def end_step(width: int, size: int) -> RolledStep:
    """Columns that were carried, to their row."""
    step = StepBuilder(
        f"end_{size}_by_{width}",
        "Columns that were carried, to their row.",
        width,
        ("carried", *MATRICES),
    )
    carried = step.take("carried", numbers(len(MATRICES) * size))
    for number, name in enumerate(MATRICES):
        step.give(name, numbers(size), carried[number * size : (number + 1) * size])
    return step.step()


@cache
def lay_step(width: int) -> RolledStep:
    """Columns that are in bounds."""
    step = StepBuilder(f"lay_by_{width}", "Columns, to the matrices.", width)
    for name in MATRICES:
        step.give(f"laid_{name}", NUMBER, step.take(name, NUMBER))
    return step.step()
