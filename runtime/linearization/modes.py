"""Eigenvalues, frequencies, damping ratios and mode shapes.

Of x' = A x, x = e^(lambda t): lambda = -zeta omega +- i omega sqrt(1 - zeta^2). Of M z'' + K z = 0
without damping, omega^2 are the eigenvalues of M^-1 K.

References: Meirovitch, *Analytical Methods in Vibrations* (1967); Trom (1990), chapters 3.3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import is_finite
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.model.small_matrices import lapack
from eomc.runtime.names.near_names import places_of

if TYPE_CHECKING:
    from eomc.runtime.linearization.linear_model import LinearModel

Complex = NDArray[np.complex128]

_TURN = 2 * np.pi
# Numbers of workspace a row with which LAPACK works in blocks.
_WORK = 40
# Asymmetry, relative, below which M and K are taken as symmetric.
_SYMMETRIC = 1e-12


def damped_frequency(eigenvalues: ArrayLike) -> Array:
    """``|Im lambda| / 2 pi`` [Hz]"""
    return np.asarray(np.abs(np.imag(eigenvalues)) / _TURN, dtype=np.float64)


def natural_frequency(eigenvalues: ArrayLike) -> Array:
    """``|lambda| / 2 pi`` [Hz]: the frequency without damping."""
    return np.asarray(np.abs(eigenvalues) / _TURN, dtype=np.float64)


def damping_ratio(eigenvalues: ArrayLike) -> Array:
    """``-Re lambda / |lambda|``, in [-1, 1]; 0 for a zero eigenvalue.

    >>> damping_ratio([-1 + 0j, 1j, 0, -3 + 4j]).tolist()
    [1.0, 0.0, 0.0, 0.6]
    """
    values = np.asarray(eigenvalues, dtype=complex)
    size = np.abs(values)
    return np.where(size > 0, -values.real / np.where(size > 0, size, 1.0), 0.0) + 0.0


def canonical_order(eigenvalues: Complex) -> NDArray[np.intp]:
    """By magnitude, conjugate pairs side by side, positive imaginary part first."""
    values = eigenvalues.tolist()
    scale = max(map(abs, values), default=0.0) or 1.0

    def rounded(part: float) -> float:
        # Members of a pair differ by rounding, and so do repeated roots: 1e-12 of the largest is
        # what a number of this size resolves.
        return part / scale + 4096.0

    def key(k: int) -> tuple[float, float, float, bool]:
        value = values[k]
        sizes = rounded(abs(value)), rounded(abs(value.imag)), rounded(-value.real)
        return *sizes, value.imag <= 0

    return np.array(sorted(range(len(values)), key=key), dtype=np.intp)


@dataclass(frozen=True)
class Modes:
    """Free motions z(t) = Re(shape e^(lambda t)) of a linear model, slowest first.

    Attributes
    ----------
    name : str
    coordinates : tuple of str
        Names of the rows of `shapes`: displacements of all coordinates, dependent ones included.
    eigenvalues : (n,) complex [rad/s]
    model : LinearModel
        What moves so.
    found : Eigensystem
        Eigenvectors as LAPACK gives them.
    """

    name: str
    coordinates: tuple[str, ...]
    eigenvalues: Complex
    model: LinearModel
    found: Eigensystem

    def __len__(self) -> int:
        return len(self.eigenvalues)

    @cached_property
    def vectors(self) -> Complex:
        """Eigenvectors x of A (nx, n), one a column."""
        return self.found.columns(self.found.right)

    @cached_property
    def left(self) -> Complex:
        """Left eigenvectors y (nx, n), y^H A = lambda y^H."""
        return self.found.columns(self.found.left)

    @cached_property
    def shapes(self) -> Complex:
        """Displacements of each mode (k, n), the largest of them 1."""
        return normalized(self.model.basis @ self.vectors[: len(self.model.coordinates)])

    @cached_property
    def condition(self) -> Array:
        """``|y| |x| / |y^H x|`` (n,), what rounding in A is amplified by; infinite for a
        defective root."""
        product = np.abs(np.einsum("ij,ij->j", self.left.conj(), self.vectors))
        lengths = np.linalg.norm(self.left, axis=0) * np.linalg.norm(self.vectors, axis=0)
        return np.where(product > 0, lengths / np.where(product > 0, product, 1.0), np.inf)

    @property
    def damped_frequency(self) -> Array:
        """``|Im lambda| / 2 pi`` [Hz]"""
        return damped_frequency(self.eigenvalues)

    @property
    def natural_frequency(self) -> Array:
        """``|lambda| / 2 pi`` [Hz]"""
        return natural_frequency(self.eigenvalues)

    @property
    def damping_ratio(self) -> Array:
        """``-Re lambda / |lambda|``"""
        return damping_ratio(self.eigenvalues)

    @property
    def magnitude(self) -> Array:
        """Absolute values of `shapes`, per coordinate and mode."""
        return np.abs(self.shapes)

    @property
    def phase(self) -> Array:
        """Phase of `shapes` [rad], zero where the magnitude is negligible."""
        angle = np.angle(self.shapes)
        return np.where(self.magnitude > 1e-12, angle, 0.0)

    @property
    def first_of_pairs(self) -> tuple[int, ...]:
        """Places of the modes without the conjugates: one of each pair, and all real ones."""
        return tuple(int(k) for k in np.flatnonzero(self.eigenvalues.imag >= 0))

    def dominant(self, mode: int) -> str:
        """The coordinate that moves most."""
        return self.coordinates[int(np.argmax(self.magnitude[:, mode]))]

    def shape(self, mode: int) -> dict[str, complex]:
        """Displacements of one mode by coordinate."""
        return dict(zip(self.coordinates, self.shapes[:, mode].tolist(), strict=True))

    def component(self, coordinate: str) -> Complex:
        """One coordinate in all modes; ValueError for an unknown one."""
        (place,) = places_of([coordinate], self.coordinates, "no coordinate")
        row: Complex = self.shapes[place]
        return row

    def table(self) -> list[dict[str, Any]]:
        """One row a mode, each of a pair: number, Re, Im, frequencies, ratio, dominant
        coordinate."""
        return [
            {
                "mode": k + 1,
                "real": float(value.real),
                "imaginary": float(value.imag),
                "damped_frequency": float(self.damped_frequency[k]),
                "natural_frequency": float(self.natural_frequency[k]),
                "damping_ratio": float(self.damping_ratio[k]),
                "dominant": self.dominant(k) if self.shapes.shape[0] else "",
            }
            for k, value in enumerate(self.eigenvalues)
        ]

    def animate(self, mode: int, path: Any, model: Any, **options: Any) -> None:
        """Write a film of one mode of the compiled `model`.

        Options are ``amplitude`` [rad or m] of the largest displacement, ``seconds`` that a period
        takes in the film, and those of `Trajectory.animate`.
        """
        from eomc.runtime.linearization.mode_animation import animate_mode

        animate_mode(self, mode, path, model, **options)

    def plot(self, mode: int, ax: Any = None) -> Any:
        """Bars of magnitude and marks of phase by coordinate; returns the axes."""
        from eomc.runtime.plot.linear_models import plot_mode_shape

        return plot_mode_shape(self, mode, ax)

    def _repr_html_(self) -> str:
        """For notebooks: frequencies and damping, a conjugate pair once."""
        from eomc.runtime.report.of_results import frequencies

        return frequencies(self)

    def __repr__(self) -> str:
        return f"<Modes of {self.name!r}: {len(self)} eigenvalues>"


def modes_of(model: LinearModel) -> Modes:
    """Eigenanalysis of the first-order form."""
    values, found = _eigensystem(model.A)
    return Modes(model.name, model.displacements, values[found.order], model, found)


@dataclass(frozen=True)
class Eigensystem:
    """Eigenvectors in pairs of real columns: real and imaginary part of the first of two.

    Attributes
    ----------
    left, right : (n, n)
    first : places of the first of each conjugate pair
    order : of the eigenvalues
    """

    left: Array
    right: Array
    first: NDArray[np.intp]
    order: NDArray[np.intp]

    def columns(self, pairs: Array) -> Complex:
        """Complex columns of `left` or `right`, in order."""
        found = pairs.astype(np.complex128)
        found.imag[:, self.first] = pairs[:, self.first + 1]
        found[:, self.first + 1] = found[:, self.first].conj()
        return found[:, self.order]


def _eigensystem(a: Array) -> tuple[Complex, Eigensystem]:
    """Of a real matrix."""
    if not is_finite(a):
        raise ValueError("A has entries that are not finite, and no eigenvalues")
    if not len(a):
        none = np.zeros(0, dtype=np.intp)
        return np.zeros(0, dtype=np.complex128), Eigensystem(a, a, none, none)
    real, imaginary, left, right, failed = lapack("dgeev")(a, lwork=_WORK * len(a))
    if failed:
        raise np.linalg.LinAlgError("the QR algorithm found not all eigenvalues of A")
    values = np.empty(len(a), dtype=np.complex128)
    values.real, values.imag = real, imaginary
    first = (imaginary > 0).nonzero()[0]
    return values, Eigensystem(left, right, first, canonical_order(values))


def normalized(vectors: Complex) -> Complex:
    """Columns whose largest entry is 1; a column of zeros stays."""
    vectors = np.array(vectors, dtype=complex)
    if not vectors.size:
        return vectors
    sizes = np.abs(vectors)
    # Of entries equal to rounding the first leads, so that the result does not flicker.
    leading = np.argmax(sizes > (1 - 1e-9) * sizes.max(axis=0), axis=0)
    lead = vectors[leading, np.arange(vectors.shape[1])]
    np.divide(vectors, lead, out=vectors, where=lead != 0)
    return vectors


@dataclass(frozen=True)
class UndampedModes:
    """Motions of M z'' + K z = 0.

    Attributes
    ----------
    coordinates : tuple of str
    squares : (n,)
        omega^2, rising; negative for a diverging motion.
    shapes : (k, n)
        Displacements, the largest of them 1.
    """

    coordinates: tuple[str, ...]
    squares: Array
    shapes: Array

    @property
    def natural_frequency(self) -> Array:
        """sqrt(omega^2) / 2 pi [Hz]; zero for modes that do not oscillate."""
        return np.sqrt(np.maximum(self.squares, 0.0)) / _TURN


def undamped_modes(mass: ArrayLike, stiffness: ArrayLike, names: Sequence[str]) -> UndampedModes:
    """Eigenvalues of M^-1 K. Raises LinearizationError where they are not real.

    >>> found = undamped_modes([[30, 20], [20, 35]], [[20, 0], [0, 196.2]], ["y", "theta"])
    >>> found.squares.round(8).tolist()
    [0.63569205, 9.49661564]
    """
    import scipy.linalg

    m, k = np.asarray(mass, dtype=float), np.asarray(stiffness, dtype=float)
    scale = float(np.abs(k).max(initial=0.0)) or 1.0
    if np.abs(k - k.T).max(initial=0.0) <= _SYMMETRIC * scale:
        squares, vectors = scipy.linalg.eigh((k + k.T) / 2, m)
    else:
        found, complex_vectors = scipy.linalg.eig(k, m)
        size = float(np.abs(found).max(initial=0.0)) or 1.0
        if np.abs(found.imag).max(initial=0.0) > 1e-9 * size:
            raise LinearizationError(
                "the stiffness matrix is not symmetric and M^-1 K has complex eigenvalues: "
                "circulatory forces act; use the first-order modes"
            )
        order = np.argsort(found.real, kind="stable")
        squares, vectors = found.real[order], complex_vectors.real[:, order]
    return UndampedModes(tuple(names), squares, normalized(vectors).real.copy())
