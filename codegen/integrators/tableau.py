"""Explicit Runge-Kutta methods as data: their Butcher tableaus.

A method advances y' = f(t, y) by

    k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j),      y+ = y + h sum_i b_i k_i

A new method is one registered `Tableau` in a file of its own. The loops that run it stand once:
fixed steps in ``templates/runge_kutta.c``, steps chosen by the error in
``templates/adaptive_runge_kutta.c``. A method with an embedded solution for error control also
declares the polynomials of its continuous extension

    y(t + x h) ~ y + h sum_i b_i(x) k_i,      b_i(x) = sum_n interpolant_in x^(n + 1)

Reference: Hairer, Norsett and Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., sec.
II.1 to II.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

F = Fraction
Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Tableau:
    """Coefficients of one method, exact.

    name : a C identifier; "heun" becomes the function ``<model>_heun``
    order : of the result; the order conditions are checked up to order 4, for smooth quadratures
        beyond
    a : strictly lower triangular rows, the first one empty
    b : weights of the result
    embedded : weights of the embedded solution for error control, empty without one; the last
        stage is then the first one of the next step (its row of a is b)
    interpolant : coefficients of the continuous extension, a row for each stage
    stability_limit : largest h |lambda| of a fixed step that is still accurate, or of an adaptive
        step that is stable; `simulate` warns of stiffness beyond it
    title : for comments and the manifest

    Raises ValueError, which names the method and the condition that fails.
    """

    name: str
    order: int
    a: tuple[Row, ...]
    b: Row
    embedded: Row = ()
    interpolant: tuple[Row, ...] = ()
    stability_limit: float = 1.0
    title: str = ""

    def __post_init__(self) -> None:
        """Refuse a tableau that is no method of its order."""
        for problem in _faults(self):
            raise ValueError(f"integrator {self.name!r}: {problem}")

    @property
    def stages(self) -> int:
        """Number of stages, s."""
        return len(self.b)

    @property
    def c(self) -> Row:
        """Times of the stages as fractions of the step: the row sums of a."""
        return tuple(sum(row, F(0)) for row in self.a)

    @property
    def is_adaptive(self) -> bool:
        """True if steps are chosen by an error estimate."""
        return bool(self.embedded)

    @property
    def error(self) -> Row:
        """Weights of the error estimate: those of the result less the embedded ones."""
        return tuple(b - other for b, other in zip(self.b, self.embedded, strict=True))


def _faults(tableau: Tableau) -> Iterator[str]:
    """Sentences: why the coefficients are no method of the declared order."""
    a, b, stages = tableau.a, tableau.b, tableau.stages
    if not tableau.name.isidentifier():
        yield f"{tableau.name!r} is no identifier of C"
    if [len(row) for row in a] != list(range(stages)):
        yield f"a needs {stages} rows of 0, 1, ..., {stages - 1} coefficients, one for each of b"
        return
    for weights, which, order in (
        (b, "b", tableau.order),
        (tableau.embedded, "embedded", max(tableau.order - 1, 1)),
    ):
        if weights:
            yield from _order_faults(tableau, weights, which, order)
    if tableau.is_adaptive and a[-1] != b[:-1]:
        yield "an embedded method needs its last row of a equal to b: first same as last"
    if tableau.is_adaptive:
        ends = [sum(row, F(0)) for row in tableau.interpolant]
        # Published coefficients of continuous extensions are rounded, those of weights exact.
        if len(ends) != stages or any(
            abs(end - weight) > 1e-9 for end, weight in zip(ends, b, strict=True)
        ):
            yield "interpolant needs a row for each stage, with the sum of the row equal to b"


def _order_faults(tableau: Tableau, weights: Row, which: str, order: int) -> Iterator[str]:
    """Order conditions by rooted trees up to order 4, sum b c^(n - 1) = 1/n beyond."""
    if len(weights) != tableau.stages:
        yield f"{which} needs {tableau.stages} weights"
        return
    c = tableau.c

    def weighted(values: Row) -> Fraction:
        return sum((w * value for w, value in zip(weights, values, strict=True)), F(0))

    def inner(values: Row) -> Row:
        return tuple(
            sum((w * v for w, v in zip(row, values, strict=False)), F(0)) for row in tableau.a
        )

    def power(n: int) -> Row:
        return tuple(value**n for value in c)

    conditions = [(n, f"c^{n - 1}", power(n - 1), F(1, n)) for n in range(1, order + 1)]
    conditions += [
        (3, "a c", inner(c), F(1, 6)),
        (4, "c a c", tuple(x * y for x, y in zip(c, inner(c), strict=True)), F(1, 8)),
        (4, "a c^2", inner(power(2)), F(1, 12)),
        (4, "a a c", inner(inner(c)), F(1, 24)),
    ]
    for n, what, values, target in conditions:
        if n <= order and weighted(values) != target:
            what = f"sum {which} {what}"
            yield f"order {order} needs {what} = {target}, which is {weighted(values)}"
