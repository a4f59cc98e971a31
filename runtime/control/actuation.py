"""Rank of the actuators of a mechanism: if they can make every motion, and in how many ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.constraints.rank import numerical_rank
from eomc.runtime.control.actuated import Actuated
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import Values, initial_state, vector
from eomc.runtime.names.renamed import current_arguments


@dataclass(frozen=True)
class Actuation:
    """The rank of the actuators among the freedoms of a mechanism at a configuration.

    Attributes
    ----------
    actuators : tuple of str
    freedoms : number of independent speeds, those of all less the rank of the constraints
    rank : of the actuators' forces on the independent speeds
    speeds, constraints : number of all speeds, and the rank of the constraints
    """

    actuators: tuple[str, ...]
    freedoms: int
    rank: int
    speeds: int
    constraints: int

    @property
    def kind(self) -> str:
        """ "under-actuated", "properly actuated" or "redundantly actuated"."""
        if self.rank < self.freedoms:
            return "under-actuated"
        return "redundantly actuated" if self.rank < len(self.actuators) else "properly actuated"

    def __str__(self) -> str:
        return (
            f"{self.kind}: {len(self.actuators)} actuators of rank {self.rank}, {self.freedoms} "
            f"freedoms ({self.speeds} speeds, constraints of rank {self.constraints})"
        )


@current_arguments
def actuation(
    model: CompiledModel,
    q: Values = None,
    *,
    actuators: Sequence[str] | str | None = None,
    t: float = 0.0,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> Actuation:
    """The rank of K^T B: forces of the actuators on the independent speeds.

    B holds the generalized forces of a unit of each actuator, K spans the speeds that the
    constraints allow. With rank r, n_i freedoms and n_a actuators a mechanism is under-actuated if
    r < n_i: most motions are out of reach; properly actuated if r = n_i = n_a; redundantly actuated
    if r = n_i < n_a: infinitely many forces make the same motion (`allocate`).

    Reference: Spong, Underactuated mechanical systems, in *Control Problems in Robotics and
    Automation* (1998); Nahon and Angeles, Force optimization in redundantly-actuated closed
    kinematic chains, IEEE ICRA (1989).

    Parameters
    ----------
    model : CompiledModel
    q : (nq,) array or mapping of names to values
        Of a model with constraints the nearest configuration that satisfies them is taken.
    actuators : sequence of str, optional
        Names of inputs, or of speeds that a force acts on; by default all inputs, or all speeds of
        a model without inputs.
    t, inputs, prescribed, parameters : as of `assemble`

    Raises ValueError for unknown names and other shapes, AssemblyError if constraints stay open.

    >>> from eomc import Model, build
    >>> cart = Model("cart")
    >>> cart.body("cart", mass=1)
    >>> cart.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    >>> cart.body("pole", mass=1, com=(0, 0, 1))
    >>> cart.joint("swing", "revolute", parent="cart", child="pole", axis=(0, 1, 0))
    >>> print(actuation(build(cart), actuators="x"))
    under-actuated: 1 actuators of rank 1, 2 freedoms (2 speeds, constraints of rank 0)
    """
    excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
    mechanism = Actuated(excitation, actuators)
    time, state = float(vector("t", t, 1)[0]), initial_state(model, q, None)
    if model.is_constrained:
        state = assemble(
            model, state.q, t=time, inputs=inputs, prescribed=prescribed, parameters=parameters
        ).state
    values = mechanism.arguments(time, state)
    complement = mechanism.freedoms(values)
    reached = complement.T @ mechanism.forces(values)
    sizes = np.linalg.norm(reached, axis=0)
    rank = numerical_rank(reached / np.where(sizes > 0, sizes, 1.0))
    free = complement.shape[1]
    return Actuation(mechanism.names, free, rank, model.nu, model.nu - free)
