"""Configurations where rows of constraints depend on one another, and solvers that refuse them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.optimize import least_squares

from eomc.binding.arrays import Array
from eomc.verifier.checks.compiled.batches import said
from eomc.verifier.subject.check import Comparison, NotApplicable, check
from eomc.verifier.subject.states import TestState
from eomc.verifier.subject.subject import Subject

SINGULAR = 1e-10
"""Smallest singular value of G, of the largest: far below what counts as dependent, 1.5e-8."""
_STARTS, _QUICK_STARTS = 6, 3
_TRIALS, _LARGEST = 60, 40
_CODE = "singular_constraints"


@check(
    "singular constraints",
    compares="that independent speeds, dependent coordinates and speeds, and dynamics by the "
    "orthogonal complement are refused where rows of G depend on one another; that nothing without "
    "constraints says so",
    reference="configurations where G^T l = 0 for some l of length 1, as roots that SciPy finds; "
    "singular values by NumPy; rows scaled alike",
    tolerance=f"the smallest singular value is below {SINGULAR:.0e} of the largest; each solver "
    f"says {_CODE}",
)
def singular_constraints(subject: Subject) -> Iterator[Comparison]:
    """In the configurations that are found from some of the states; many mechanisms have none."""
    if not subject.model.is_constrained:
        told = subject.model.manifest["functions"].items()
        saying = [name for name, of in told if _CODE in of["return_codes"]]
        yield Comparison(f"{_CODE} without any", "all states", np.inf if saying else 0.0, 0.0)
        return
    missing = {"integrate", "constraint_jacobian"} - subject.functions
    if missing:
        raise NotApplicable(f"no function {', '.join(sorted(missing))}")
    there = {entry["name"] for entry in subject.model.manifest.get("solvers", ())}
    asked = [name for name in _REFUSING if name in there]
    if not asked or "independent_speeds" not in there:
        raise NotApplicable("compiled without these solvers")
    if subject.nu + len(subject.model.output_names("constraint_jacobian")) > _LARGEST:
        raise NotApplicable(f"more than {_LARGEST} speeds and rows")
    for state in subject.regular[: _QUICK_STARTS if subject.quick else _STARTS]:
        order = subject.solved("independent_speeds", state)[0]
        found = _singular(subject, state)
        if found is None:
            continue
        for name in asked:
            if _REFUSING[name](subject, found):
                at = found.with_values(order=np.asarray(order))
                is_refused = _CODE in (said(partial(subject.solved, name, at)) or "")
                yield Comparison(name, state.label, 0.0 if is_refused else np.inf, 0.0)


def _singular(subject: Subject, start: TestState) -> TestState | None:
    """The state with a configuration nearby in which G has no full rank, if there is one."""
    left, sizes, _ = np.linalg.svd(_scaled(subject.gradients(start)))
    if not sizes.size or len(sizes) < len(left):
        return None

    def displaced(du: Array) -> TestState:
        return start.with_values(q=subject.call("integrate", start, du=du))

    def dependent(x: Array) -> Array:
        part = x[subject.nu :]
        rows = _scaled(subject.gradients(displaced(x[: subject.nu])))
        return np.append(part @ rows, part @ part - 1.0)

    begun = np.concatenate((np.zeros(subject.nu), left[:, -1]))
    try:
        found = least_squares(
            dependent, begun, xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=_TRIALS
        )
    except (FloatingPointError, ValueError):  # no value there: not to be found from this state
        return None
    state = displaced(found.x[: subject.nu])
    return state if _depends(subject.gradients(state)) else None


def _scaled(rows: Array) -> Array:
    """Rows of one size: one that is nothing holds nothing, but is none of the others."""
    found: Array = rows / np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-300)
    return found


def _depends(rows: Array) -> bool:
    """True if the rows have no full rank."""
    sizes = np.linalg.svd(_scaled(rows), compute_uv=False)
    return bool(sizes.size and sizes[-1] <= SINGULAR * sizes[0])


def _any(subject: Subject, state: TestState) -> bool:
    return True


def _of_positions(subject: Subject, state: TestState) -> bool:
    """True if a step is taken, and rows of positions alone depend on one another."""
    names = subject.model.output_names("constraint_jacobian")
    held = [names.index(name) for name in subject.model.output_names("constraint_residual")]
    residual = np.asarray(subject.call("constraint_residual", state))
    return bool(np.abs(residual).max() > 1e-6) and _depends(subject.gradients(state)[held])


_REFUSING: dict[str, Callable[[Subject, TestState], bool]] = {
    "independent_speeds": _any,
    "dependent_coordinates": _of_positions,
    "dependent_speeds": _any,
    "reduced_dynamics": _any,
}
"""Solvers that need G of full rank, and whether one does in a state."""
