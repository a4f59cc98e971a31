"""The manipulator's equations by velocity transformations, in NumPy straight from the thesis.

Shares nothing with the recursions of `eomc.derive` but the data of the model and the roots of the
beams: a second witness. Every function also takes complex coordinates, so that derivatives can be
had by complex steps.

    decoupled coordinates   qbar = (r_0, theta, psi_1, delta_1; D_i, eta_i, psi_i, delta_i, l_i)
    coupled coordinates     q    = (r_0, theta, psi_1, delta_1; d_i, alpha_i, psi_i, delta_i, l_i)

with the joint's place D_i in the inertial frame, the rotor's inertial angle eta_i, the inertial
angle psi_i and the length l_i of unit i = 2..N, the modal amplitudes delta_i; d_i is measured from
the tip of the body before, for i = 2 from the platform's centre. Reference: Caron, *Planar Dynamics
and Control of Space-Based Flexible Manipulators with Slewing and Deployable Links* (1996), ch. 2.
"""

from eomc_published.caron.velocity_transformations.equations import TransformedEquations
from eomc_published.caron.velocity_transformations.layout import BlockLayout

__all__ = ["BlockLayout", "TransformedEquations"]
