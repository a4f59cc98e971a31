"""Values over time from a table, for inputs of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

_KINDS = ("linear", "cubic")


class TableSignal:
    """A signal that is interpolated between the rows of a table.

    Before the first and after the last time it keeps their values. `kind` is "linear" or "cubic",
    the natural spline. It goes where `simulate` takes an input: as a function of (t, q, u).

    >>> force = TableSignal([0.0, 1.0, 3.0], [0.0, 10.0, 30.0])
    >>> float(force(2.0)), float(force(9.0))
    (20.0, 30.0)

    Raises
    ------
    ValueError
        For times that do not rise, other lengths, or what is not finite; it names the row.
    """

    def __init__(self, times: ArrayLike, values: ArrayLike, kind: str = "linear") -> None:
        self.times, self.values = np.asarray(times, float), np.asarray(values, float)
        if self.times.ndim != 1 or self.times.shape != self.values.shape or len(self.times) < 2:
            raise ValueError(
                f"times {self.times.shape} and values {self.values.shape}; give two columns of "
                "one length, of two rows at least"
            )
        finite = np.isfinite(self.times) & np.isfinite(self.values)
        if not np.all(finite):
            raise ValueError(f"row {int(np.argmin(finite)) + 1} is not finite")
        if np.any(np.diff(self.times) <= 0):
            row = int(np.argmax(np.diff(self.times) <= 0)) + 2
            raise ValueError(f"row {row}: the time {self.times[row - 1]:g} does not rise")
        if kind not in _KINDS:
            raise ValueError(f"kind is {kind!r}; valid: 'linear', 'cubic'")
        self.kind, self._spline = kind, None
        if kind == "cubic":
            from scipy.interpolate import CubicSpline

            self._spline = CubicSpline(self.times, self.values, bc_type="natural")

    @classmethod
    def read_csv(
        cls, path: str | Path, column: str, *, time: str = "t", kind: str = "linear"
    ) -> TableSignal:
        """The columns `time` and `column` of a file with a row of names.

        Raises ValueError naming the file, and the line where an entry is no number.
        """
        import csv

        with Path(path).open(newline="") as file:
            rows = csv.DictReader(file)
            known = rows.fieldnames or []
            for name in (time, column):
                if name not in known:
                    raise ValueError(f"{path}: no column {name!r}; it has {', '.join(known)}")
            pairs = []
            for row in rows:
                try:
                    pairs.append((float(row[time]), float(row[column])))
                except (TypeError, ValueError):
                    raise ValueError(
                        f"{path}:{rows.line_num}: {row[time]!r}, {row[column]!r}: no numbers"
                    ) from None
        try:
            times, values = np.array(pairs, dtype=float).reshape(-1, 2).T
            return cls(times, values, kind)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def __call__(self, t: ArrayLike, q: Any = None, u: Any = None) -> Any:
        """The value at t [s]."""
        inside = np.clip(t, self.times[0], self.times[-1])
        if self._spline is not None:
            return self._spline(inside)
        return np.interp(inside, self.times, self.values)
