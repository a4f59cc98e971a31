"""A rigid object that is held, as a controller knows it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.impedance.grasp import cross_matrix


@dataclass(frozen=True)
class MomentumSource:
    """Something that spins inside the object: a wheel, a gyroscope.

    Attributes
    ----------
    mass : m_s [kg], not counted in the object's
    at : (3,) r_s, from the object's centre of mass to that of the source, object's axes [m]
    momentum : (3,) L_s about the source's own centre of mass, constant in the object's axes [N m s]
    """

    mass: float = 0.0
    at: ArrayLike = field(default=(0.0, 0.0, 0.0))
    momentum: ArrayLike = field(default=(0.0, 0.0, 0.0))


@dataclass(frozen=True)
class GraspedObject:
    """M x'' + F_w = F_c + F_o + G F_e, x = (x_G, delta), of a rigid object.

        M   = [ (m + m_s) 1            -m_s R [r_s]x S     ]
              [ m_s S^T [r_s]x R^T      S^T (I_G + I_s) S  ]
        F_w = [ m_s R ([w]x [w]x r_s - [r_s]x S' delta')                                         ]
              [ S^T ([w]x I_G w + [w]x L_s + (I_G + I_s) S' delta' + m_s [r_s]x [w]x [w]x r_s)   ]

    with I_s = m_s (r_s.r_s 1 - r_s r_s^T) and the angular velocity w = S delta' in the object's
    axes. x_G is the centre of mass of the object without its source, in world axes; R turns the
    object's axes into world axes. Without a source M is block diagonal.

    Attributes
    ----------
    mass : m [kg]
    inertia : (3,) or (3, 3) I_G about the centre of mass, in the object's axes [kg m^2]
    source : MomentumSource, optional

    Reference: Moosavian 1996, equations 6.13 and 6.52 to 6.61.

    >>> ball = GraspedObject(2.0, [0.1, 0.1, 0.1])
    >>> M, F_w = ball.dynamics(np.eye(3), [0.0, 0.0, 1.0])
    >>> M.diagonal().tolist(), F_w.tolist()
    ([2.0, 2.0, 2.0, 0.1, 0.1, 0.1], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    """

    mass: float
    inertia: ArrayLike
    source: MomentumSource = MomentumSource()

    def dynamics(
        self,
        rotation: ArrayLike,
        omega: ArrayLike,
        rates: ArrayLike | None = None,
        drift: ArrayLike | None = None,
    ) -> tuple[Array, Array]:
        """M (6, 6) and F_w (6,), of numbers or of expressions.

        Parameters
        ----------
        rotation : (3, 3) R
        omega : (3,) w in the object's axes [rad/s]
        rates : (3, 3), optional
            S; the identity by default, the rotational speeds then being w itself.
        drift : (3,), optional
            S' delta' [rad/s^2]; zero by default.

        Raises ValueError for an inertia of another shape.
        """
        R, w = np.asarray(rotation), np.asarray(omega)
        S = np.eye(3) if rates is None else np.asarray(rates)
        moving = np.zeros(3) if drift is None else np.asarray(drift)
        I_G = np.asarray(self.inertia, dtype=np.float64)
        I_G = np.diag(I_G) if I_G.shape == (3,) else I_G
        if I_G.shape != (3, 3):
            raise ValueError(f"inertia has shape {I_G.shape}; give (3,) or (3, 3)")
        m_s, L_s = self.source.mass, np.asarray(self.source.momentum, dtype=np.float64)
        r = cross_matrix(self.source.at)
        whole = I_G - m_s * r @ r  # I_s = -m_s [r_s]x [r_s]x
        coupling = -m_s * R @ r @ S
        M = np.block([[(self.mass + m_s) * np.eye(3), coupling], [coupling.T, S.T @ whole @ S]])
        centripetal = m_s * np.cross(w, np.cross(w, np.asarray(self.source.at, dtype=np.float64)))
        pull = R @ (centripetal - m_s * r @ moving)
        moment = np.cross(w, I_G @ w + L_s) + whole @ moving + r @ centripetal
        return M, np.concatenate([pull, S.T @ moment])
