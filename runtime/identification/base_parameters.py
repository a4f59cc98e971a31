"""Base parameters by numbers: what of the inertial numbers forces of motion can tell.

Columns of the regressor at random motions are chosen by QR with pivoting until those that are left
depend on the chosen ones, Y2 = Y1 K; forces depend on beta = pi1 + K pi2. Reference: Gautier,
*Numerical calculation of the base inertial parameters of robots*, J. Robotic Systems 8(4), 1991.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector

RANK = 1e-9
"""Of the largest column of what is left: what counts as none."""

_MORE = 5
"""Random motions beyond those that it takes."""


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Combinations of inertial numbers that forces depend on, none of them on the others.

    Attributes
    ----------
    names : tuple of str
        Those of the numbers that lead the combinations: ``"forearm.Jxx"``.
    parameters : tuple of str
        Of all inertial numbers pi, as of the function `inertial_parameters`.
    matrix : (number of names, number of parameters) array
        beta = matrix pi.
    """

    names: tuple[str, ...]
    parameters: tuple[str, ...]
    matrix: Array

    def __len__(self) -> int:
        return len(self.names)

    def of(self, pi: ArrayLike) -> Array:
        """beta (..., number of names) of inertial numbers (..., number of parameters)."""
        told: Array = np.asarray(pi, dtype=np.float64) @ self.matrix.T
        return told

    def regressor(self, Y: ArrayLike) -> Array:
        """The columns that lead: tau = regressor(Y) beta + b, shape (..., nu, number of names)."""
        places = [self.parameters.index(name) for name in self.names]
        return np.asarray(Y, dtype=np.float64)[..., places]

    def to_text(self) -> str:
        """One line ``forearm.Jxx + 0.09 hand.m + ...`` for each."""
        lines = []
        for name, row in zip(self.names, self.matrix, strict=True):
            others = [
                f"{'-' if share < 0 else '+'} {_factor(abs(share))}{other}"
                for share, other in zip(row, self.parameters, strict=True)
                if share and other != name
            ]
            lines.append(" ".join([name, *others]))
        return "\n".join(lines)


def _factor(share: float) -> str:
    text = f"{share:.6g}"
    return "" if text == "1" else f"{text} "


def base_parameters(model: CompiledModel, *, motions: int | None = None) -> BaseParameters:
    """Base parameters of a compiled model, found at `motions` random motions.

    Raises ValueError for a model with loops or constraints or with prescribed coordinates,
    AttributeError, with the reason, for one that has no regressor.

    >>> import eomc
    >>> sorted(base_parameters(eomc.build("examples/models/pendulum.toml")).names)
    ['rod.Jyy', 'rod.hx', 'rod.hz']
    """
    require_open(model)
    names = parameters_of(model)
    size = len(names) // max(model.nu, 1) + len(names) // 2 + _MORE
    if motions is not None:
        size = int(vector("motions", motions, 1)[0])
        if size * model.nu < len(names):
            least = -(-len(names) // model.nu)
            raise ValueError(
                f"motions: {size} cannot tell {len(names)} parameters; give at least {least}"
            )
    rng = np.random.default_rng(1)
    q = model.random_configuration(rng, size=size)
    u, a = rng.uniform(-2, 2, (2, size, model.nu))
    Y, _ = regressor_at(model, q, u, a)
    return independent(names, Y.reshape(-1, len(names)))


def independent(names: tuple[str, ...], Y: Array) -> BaseParameters:
    """Base parameters of a stacked regressor (forces, parameters)."""
    from scipy.linalg import qr, solve_triangular

    R, order = qr(Y, mode="r", pivoting=True)
    left = np.abs(np.diag(R))
    rank = int(np.sum(left > RANK * left.max(initial=0.0)))
    told = np.zeros((rank, len(names)))
    told[:, order[:rank]] = np.eye(rank)
    K = solve_triangular(R[:rank, :rank], R[:rank, rank:]) if rank else R[:0, rank:]
    told[:, order[rank:]] = np.where(np.abs(K) > RANK, K, 0)
    return BaseParameters(tuple(names[k] for k in order[:rank]), names, told)


def parameters_of(model: CompiledModel) -> tuple[str, ...]:
    """Names of the inertial numbers."""
    return model.output_names("inertial_parameters")


def require_open(model: CompiledModel) -> None:
    """Raise ValueError for what has more to tell than a tree under forces of its joints."""
    if not isinstance(model, CompiledModel):
        raise ValueError(f"model: give a compiled one (eomc.build), not {type(model).__name__}")
    if model.is_constrained:
        raise ValueError(
            f"model {model.name!r} has loops or constraints, whose forces nobody measures; "
            "identify an open tree: cut the loops and leave constraints out"
        )
    if model.prescribed:
        raise ValueError(
            f"model {model.name!r} has prescribed coordinates ({', '.join(model.prescribed)}); "
            "identify it with all of them free"
        )


def regressor_at(
    model: CompiledModel, q: Array, u: Array, a: Array, others: dict[str, Array] | None = None
) -> tuple[Array, Array]:
    """(Y, b) of motions; inputs, time and states of elements that matter to b are zero unless
    given."""
    given = {"q": q, "u": u, "a": a, **(others or {})}
    model.function("regressor")
    zeros = {"r": len(model.inputs), "z": len(model.element_states)}
    for name in model.inputs_of("regressor"):
        given.setdefault(name, np.zeros(zeros[name]) if name in zeros else np.asarray(0.0))
    Y, b = model.regressor(*(given[name] for name in model.inputs_of("regressor")))
    return Y, b
