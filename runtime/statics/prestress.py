"""States of self-stress, mechanisms, and whether the one stiffens the other.

With the elongations e = A^T d of members under displacements d, their tensions t load the
structure with -A t:

    A t = 0          states of self-stress, b - rank of them for b members
    A^T d = 0        mechanisms, n - rank for n displacements
    d^T K d > 0      a mechanism that the prestress stiffens: only the tensions are in it

Reference: Pellegrino and Calladine, *Matrix analysis of statically and kinematically indeterminate
frameworks*, Int. J. Solids Structures 22 (1986) 409.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.equilibria import Equilibrium
from eomc.runtime.equilibria.wanted import told_names
from eomc.runtime.linearization import linearize
from eomc.runtime.model.errors import EquilibriumError, numerical_errors
from eomc.runtime.names.near_names import near_names

_RANK = 1e-10
_NEUTRAL = 1e-9


@dataclass(frozen=True, eq=False)
class Prestress:
    """Self-stress, mechanisms and their stiffness of a structure of members, in one state.

    Attributes
    ----------
    members : tuple of str
    matrix : (n, b)
        Equilibrium matrix A: elongations are A^T times the displacements.
    rank : int
    self_stress : (b, b - rank)
        Tensions that balance without loads; orthonormal columns.
    mechanisms : (n, m)
        Displacements that stretch no member; columns orthonormal, along the principal axes of their
        stiffness.
    stiffness : (m,)
        Of the mechanisms under the tensions and loads of the state, ascending; 0 within rounding
        if neutral.
    """

    members: tuple[str, ...]
    matrix: Array
    rank: int
    self_stress: Array
    mechanisms: Array
    stiffness: Array

    @property
    def neutral(self) -> int:
        """Mechanisms of no stiffness, among them motions as one rigid body."""
        return int((self.stiffness == 0).sum())

    @property
    def is_stable(self) -> bool:
        """True if no mechanism has a negative stiffness."""
        return bool((self.stiffness >= 0).all())


def of_matrix(members: Sequence[str], matrix: Array, stiffness: Array, rigid: Array) -> Prestress:
    """The record by A and the stiffness matrix, without the displacements `rigid` (columns)."""
    left, values, right = np.linalg.svd(matrix)
    rank = int((values > _RANK * values.max(initial=0.0)).sum())
    moving = left[:, rank:]
    if rigid.shape[1]:
        basis = np.linalg.qr(rigid)[0]
        across = moving - basis @ (basis.T @ moving)
        sides, kept, _ = np.linalg.svd(across, full_matrices=False)
        moving = sides[:, kept > 1e-6]
    of_mechanisms = moving.T @ stiffness @ moving
    found, axes = np.linalg.eigh((of_mechanisms + of_mechanisms.T) / 2)
    size = float(np.abs(stiffness).max(initial=0.0))
    found = np.where(np.abs(found) > _NEUTRAL * size, found, 0.0)
    return Prestress(tuple(members), matrix, rank, right[rank:].T, moving @ axes, found)


@numerical_errors(EquilibriumError)
def prestress(state: Equilibrium, members: Sequence[str] | None = None) -> Prestress:
    """Self-stress and mechanisms of a compiled model in an equilibrium.

    Members are the elements that tell a length, or those of them that are named. Displacements are
    those of the linearization: of the independent coordinates where there are constraints. What a
    winch pays out counts as no elongation. Stiffness is the whole one of the model: that of gravity
    and of elements that are no members is in it.

    Raises ValueError for names of no such element.

    Examples
    --------
    A bead between two taut cables can move across them, and their tension holds it:

    >>> import eomc
    >>> model = eomc.Model("bead", gravity=(0, 0, 0))
    >>> model.body("bead", mass=1)
    >>> model.joint("bead", "translational", parent="world", child="bead")
    >>> for name, x in (("left", -1), ("right", 1)):
    ...     model.cable(name, ["bead", eomc.Point("world", (x, 0, 0))], length=0.98, modulus=98)
    >>> found = prestress(eomc.equilibrium(eomc.build(model)))
    >>> found.rank, abs(found.self_stress.T.round(3)).tolist()
    (1, [[0.707, 0.707]])
    >>> found.stiffness.round(9).tolist()  # 2 F/l each
    [4.0, 4.0]
    """
    model = state.model
    names = told_names(model)
    lengths = {n.rpartition(".")[0]: k for k, n in enumerate(names) if n.endswith(".length")}
    chosen = tuple(lengths) if members is None else tuple(members)
    for name in chosen:
        if name not in lengths:
            raise ValueError(f"members: no {name!r} that has a length; {near_names(name, lengths)}")
    linear = linearize(
        model,
        state,
        inputs=dict(state.inputs) or None,
        prescribed=state.prescribed,
        parameters=dict(state.parameters) or None,
        forces=state.forces,
    )
    around = Surroundings.of(
        model,
        inputs=dict(state.inputs) or None,
        prescribed=state.prescribed,
        parameters=dict(state.parameters) or None,
    )
    values = around.values(state.t, state.q, state.u, state.a, state.z)
    slopes = np.asarray(around.call("element_output_derivatives", values)[0])
    rows = []
    for name in chosen:
        paid = f"{name}.rest_length"
        rest = slopes[names.index(paid)] if paid in names else 0.0
        rows.append(slopes[lengths[name]] - rest)
    matrix = (np.array(rows).reshape(len(rows), model.nu) @ linear.basis).T
    return of_matrix(chosen, matrix, linear.stiffness, np.zeros((len(matrix), 0)))
