"""Response to harmonic inputs: y = H(i omega) v."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.names.near_names import places_of

if TYPE_CHECKING:
    from eomc.runtime.linearization.linear_model import LinearModel

Complex = NDArray[np.complex128]

_RESONANT = 1e-13


@dataclass(frozen=True)
class FrequencyResponse:
    """H (n, ny, nv) at angular frequencies omega (n,) [rad/s]."""

    omega: Array
    H: Complex
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def between(self, output: str, input: str) -> Complex:
        """(n,) from one input to one output; ValueError for unknown names."""
        (row,) = places_of([output], self.outputs, "no output")
        (column,) = places_of([input], self.inputs, "no input")
        entry: Complex = self.H[:, row, column]
        return entry

    @property
    def magnitude(self) -> Array:
        """Absolute value of H."""
        return np.abs(self.H)

    @property
    def phase(self) -> Array:
        """Phase of H [rad], without jumps along omega."""
        return np.unwrap(np.angle(self.H), axis=0)

    def plot(self, output: str, input: str, ax: Any = None) -> Any:
        """Bode diagram; returns its two axes."""
        from eomc.runtime.plot.linear_models import bode

        return bode(self, output, input, ax)


def frequency_response(model: LinearModel, omega: ArrayLike) -> FrequencyResponse:
    """C (i omega - A)^-1 B + D.

    Raises ValueError for frequencies that are not finite, LinearizationError at an undamped
    resonance, where the response has no bound.
    """
    frequencies = np.atleast_1d(np.array(omega, dtype=float))
    if frequencies.ndim != 1 or not np.isfinite(frequencies).all():
        raise ValueError("omega: give finite angular frequencies [rad/s]")
    one = np.eye(len(model.A))
    size = float(np.abs(model.A).max(initial=0.0)) or 1.0
    rows = []
    for w in frequencies:
        system = 1j * w * one - model.A
        if len(one) and np.linalg.svd(system, compute_uv=False)[-1] <= _RESONANT * size:
            raise LinearizationError(
                f"{model.name!r}: omega = {w:.9g} rad/s is an undamped eigenfrequency; the "
                "response there has no bound"
            )
        rows.append(model.C @ np.linalg.solve(system, model.B.astype(complex)) + model.D)
    shape = (len(frequencies), len(model.outputs), len(model.inputs))
    return FrequencyResponse(
        frequencies, np.array(rows, dtype=complex).reshape(shape), model.inputs, model.outputs
    )
