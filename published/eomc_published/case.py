"""An acceptance case: a published statement, how it is checked, and what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

Provenance = Literal["stated", "reconstructed"]
"""Origin of an expected value: the source states it (or it is mathematics), or it was
recomputed from the source's data to fill a gap that the source leaves."""

_SHOWN = 4
# Longer arrays are told by their size: who wants them all evaluates the case.
_KEPT = 32


@dataclass(frozen=True)
class CaseCheck:
    """One comparison; `expected` and `got` are numbers, lists of them, or text."""

    quantity: str
    expected: Any
    got: Any
    tolerance: float | None
    passed: bool
    deviation: float | None = None

    @property
    def verdict(self) -> str:
        """ "pass" or "fail"."""
        return "pass" if self.passed else "fail"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "quantity": self.quantity,
            "expected": self.expected,
            "got": self.got,
            "tolerance": self.tolerance,
            "deviation": self.deviation,
            "verdict": self.verdict,
        }


def agrees(
    quantity: str, expected: ArrayLike, got: ArrayLike, tolerance: float, *, relative: bool = False
) -> CaseCheck:
    """Equal within `tolerance`; relative to the largest expected entry if `relative`.

    >>> agrees("mass", 69, 69.0000001, 1e-6).verdict
    'pass'
    """
    wanted, found = np.asarray(expected, dtype=float), np.asarray(got, dtype=float)
    if wanted.shape != found.shape:
        raise ValueError(f"{quantity}: shape {found.shape}, expected {wanted.shape}")
    scale = float(np.abs(wanted).max(initial=0.0)) if relative else 1.0
    deviation = float(np.abs(found - wanted).max(initial=0.0))
    deviation = deviation / scale if scale else deviation
    # A deviation that is not a number fails.
    passed = bool(deviation <= tolerance)
    return CaseCheck(quantity, _plain(wanted), _plain(found), tolerance, passed, _finite(deviation))


def at_most(quantity: str, got: float, bound: float) -> CaseCheck:
    """A deviation, or a count, that must not exceed `bound`.

    >>> at_most("largest difference", 2e-14, 1e-12).passed
    True
    """
    number = float(got)
    shown: Any = int(number) if number.is_integer() and abs(number) < 1e15 else _finite(number)
    return CaseCheck(quantity, f"<= {bound:.4g}", shown, float(bound), bool(number <= bound))


def holds(quantity: str, expected: str, got: str, passed: bool) -> CaseCheck:
    """A statement without a number."""
    return CaseCheck(quantity, expected, got, None, bool(passed))


def _plain(array: np.ndarray[Any, Any]) -> Any:
    if array.size > _KEPT:
        return f"{array.size} numbers up to {float(np.abs(array).max()):.6g}"
    return [_finite(v) for v in array.ravel().tolist()] if array.ndim else _finite(float(array))


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


@dataclass(frozen=True)
class CaseOutcome:
    """A case evaluated."""

    case: Case
    checks: tuple[CaseCheck, ...]
    seconds: float
    error: str = ""

    @property
    def passed(self) -> bool:
        """Every check passed, and there was one."""
        return not self.error and bool(self.checks) and all(c.passed for c in self.checks)

    @property
    def skipped(self) -> bool:
        """The source lacks what the case needs; see `Case.unavailable`."""
        return bool(self.case.unavailable)

    @property
    def failed(self) -> bool:
        """Neither passed nor skipped."""
        return not (self.passed or self.skipped)

    @property
    def verdict(self) -> str:
        """ "pass", "fail" or "skipped"."""
        if self.skipped:
            return "skipped"
        return "pass" if self.passed else "fail"

    @property
    def failures(self) -> str:
        """The checks that failed, a line each."""
        lines = [
            f"{c.quantity}: expected {shown(c.expected)}, got {shown(c.got)}, "
            f"tolerance {c.tolerance}"
            for c in self.checks
            if not c.passed
        ]
        return "\n".join([*lines, self.error] if self.error else lines) or "no check was made"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        case = self.case
        entry: dict[str, Any] = {
            "case": case.number,
            "title": case.title,
            "verdict": self.verdict,
            "source": case.source,
            "values": case.provenance,
            "how": case.how,
            "note": case.note,
            "seconds": round(self.seconds, 3),
            "checks": [check.as_dict() for check in self.checks],
        }
        if self.skipped:
            entry["reason"] = case.unavailable
        return entry | ({"error": self.error} if self.error else {})


@dataclass(frozen=True)
class Case:
    """A numbered acceptance case of a reference.

    Attributes
    ----------
    source : where the published work says so
    how : what is compared with what
    provenance : "stated" or "reconstructed"
    evaluate : yields the checks; called only when the case runs
    note : where physics and the published work differ, and what was done
    slow : takes longer than some seconds
    unavailable : why nothing can be compared, of a case whose data the source has lost; it is
        reported as skipped, with this reason, never as passed
    """

    number: int
    title: str
    source: str
    how: str
    evaluate: Callable[[], Iterable[CaseCheck]] = field(compare=False, repr=False)
    provenance: Provenance = "stated"
    note: str = ""
    slow: bool = False
    unavailable: str = ""

    def run(self) -> CaseOutcome:
        """Evaluate all checks; none of a case that is unavailable."""
        if self.unavailable:
            return CaseOutcome(self, (), 0.0)
        start = time.perf_counter()
        checks = tuple(self.evaluate())
        return CaseOutcome(self, checks, time.perf_counter() - start)


def shown(value: Any) -> str:
    """A value in a few characters.

    >>> shown([1.0, 2.0, 3.0, 4.0, 5.0])
    '1, 2, 3, ... (5)'
    """
    if isinstance(value, list):
        entries = [_number(entry) for entry in value]
        if len(entries) > _SHOWN:
            entries = [*entries[: _SHOWN - 1], f"... ({len(entries)})"]
        return ", ".join(entries)
    return _number(value)


def _number(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) else str(value)
