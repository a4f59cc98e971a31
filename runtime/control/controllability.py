"""Controllability of x' = A x + B v: how many directions of x the inputs reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.linearization.discretization import checked_system

# A direction is new if it sticks out of those reached before by more than this, relative to the
# balanced system.
_NEW = 1e-10


class ControllabilityError(ValueError):
    """The inputs do not reach a mode that they would have to."""


@dataclass(frozen=True)
class OutOfReach:
    """A mode that no input moves: its eigenvalue, and the state that takes the largest part."""

    eigenvalue: complex
    state: str

    def __str__(self) -> str:
        real, imaginary = self.eigenvalue.real, abs(self.eigenvalue.imag)
        if abs(real) < 1e-12 * imaginary:  # the rounding of an undamped mode
            real = 0.0
        pole = f"{real:.6g} +- {imaginary:.6g}i" if imaginary else f"{real:.6g}"
        return f"the mode at {pole} 1/s, mostly {self.state}"


@dataclass(frozen=True)
class Controllability:
    """Rank of [B, AB, ..., A^(n-1) B], and what lies beyond.

    Attributes
    ----------
    rank, order : int
        Dimension of what the inputs reach, and of x.
    uncontrollable : tuple of OutOfReach
        Modes that no input moves, complex pairs once.
    """

    rank: int
    order: int
    uncontrollable: tuple[OutOfReach, ...]

    @property
    def is_controllable(self) -> bool:
        """True if the inputs reach every state: full rank."""
        return self.rank == self.order

    @property
    def is_stabilizable(self) -> bool:
        """True if every mode that no input moves decays by itself."""
        return all(mode.eigenvalue.real < 0 for mode in self.uncontrollable)

    def __str__(self) -> str:
        if self.is_controllable:
            return f"controllable: rank {self.rank} of {self.order}"
        modes = "; ".join(map(str, self.uncontrollable))
        return f"rank {self.rank} of {self.order}; the inputs do not move {modes}"


def controllability(a: ArrayLike, b: ArrayLike, states: Sequence[str] = ()) -> Controllability:
    """Rank by orthogonal directions of the Krylov space of the balanced system.

    The columns of [B, AB, ..., A^(n-1) B] differ by the powers of the largest eigenvalue, so that
    their singular values tell little; directions found one after the other, each orthogonal to
    those before, keep their digits.

    Parameters
    ----------
    a, b : (n, n), (n, m)
    states : names of x, optional

    Raises ValueError for other shapes and numbers that are not finite.

    Reference: Paige, Properties of numerical algorithms related to computing controllability, IEEE
    Trans. Automatic Control 26 (1981).

    >>> print(controllability([[0, 1], [-4, 0]], [[0], [1]]))
    controllable: rank 2 of 2
    >>> print(controllability([[-3, 0], [0, -2]], [[0], [1]], ["heat", "flow"]))
    rank 1 of 2; the inputs do not move the mode at -3 1/s, mostly heat
    """
    import scipy.linalg

    system, inputs = checked_system(a, b)
    n = len(system)
    names = tuple(states) or tuple(f"x[{i}]" for i in range(n))
    if len(names) != n:
        raise ValueError(f"states: {len(names)} names for {n} states")
    balanced, scales = scipy.linalg.matrix_balance(system, permute=False)
    drive = np.linalg.solve(scales, inputs)
    drive = drive / np.where(np.abs(drive).max(axis=0) > 0, np.linalg.norm(drive, axis=0), 1.0)
    basis = _reached(balanced, drive)
    beyond = scipy.linalg.null_space(basis.T) if basis.shape[1] else np.eye(n)
    return Controllability(basis.shape[1], n, _modes(balanced, beyond, names))


def _reached(a: Array, b: Array) -> Array:
    """Orthonormal basis of the span of [B, AB, ...]."""
    scale = float(np.linalg.norm(a, 2)) or 1.0
    basis, front, size = np.zeros((len(a), 0)), b, 1.0
    while front.shape[1] and basis.shape[1] < len(a):
        for _ in range(2):  # twice is enough for orthogonality to rounding
            front = front - basis @ (basis.T @ front)
        left, values, _ = np.linalg.svd(front, full_matrices=False)
        new = left[:, values > _NEW * size]
        basis, front, size = np.hstack([basis, new]), a @ new, scale
    return basis


def _modes(a: Array, beyond: Array, names: tuple[str, ...]) -> tuple[OutOfReach, ...]:
    """Modes of the part of A that acts beyond what is reached."""
    if not beyond.shape[1]:
        return ()
    values, vectors = np.linalg.eig(beyond.T @ a @ beyond)
    shapes = np.abs(beyond @ vectors)
    return tuple(
        OutOfReach(complex(value), names[int(np.argmax(shape))])
        for value, shape in zip(values, shapes.T, strict=True)
        if value.imag >= 0
    )
