"""What Pinocchio says that our functions give, at one state, in our order of coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pytest
from peers.correspondence import Correspondence

from eomc.binding.arrays import Array

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")

Values = dict[str, Array | float | tuple[Array, ...]]
_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def _symmetric(upper: Array) -> Array:
    """Pinocchio fills the upper triangle."""
    return np.triu(upper) + np.triu(upper, 1).T


def pinocchio_values(
    peer: Correspondence,
    state: Mapping[str, Array],
    frames: Iterable[str] = (),
    *,
    articulated: bool = True,
) -> Values:
    """All functions at q, u, a, tau, and the step du; derivatives and `frames` included.

    With `articulated`, forward dynamics and its derivatives are those of the articulated-body
    algorithm; else, and with mimic joints, which that lacks, they come from the mass matrix and the
    derivatives of inverse dynamics: da/dx = -M^-1 dtau/dx.
    """
    model, data = peer.model, peer.model.createData()
    q, u, a = peer.q(state["q"]), peer.u(state["u"]), peer.u(state["a"])
    mass = peer.matrix(_symmetric(pin.crba(model, data, q)))
    center = np.array(pin.centerOfMass(model, data, q))
    pin.computeCentroidalMomentum(model, data, q, u)
    linear = data.hg.linear
    angular = data.hg.angular + np.cross(center, linear)
    losses, _ = peer.losses(state["u"])
    bias = peer.force(pin.nonLinearEffects(model, data, q, u)) + losses
    reached = pin.integrate(model, q, peer.u(state["du"]))
    values: Values = {
        "inverse_dynamics": peer.force(pin.rnea(model, data, q, u, a)) + losses,
        "mass_matrix": mass,
        "bias": bias,
        "gravity": peer.force(pin.computeGeneralizedGravity(model, data, q)),
        "kinetic_energy": _kinetic_energy(model, q, u),
        "potential_energy": pin.computePotentialEnergy(model, data, q),
        "momentum": np.concatenate([linear, angular]),
        "center_of_mass": center,
        "center_of_mass_jacobian": peer.columns(pin.jacobianCenterOfMass(model, data, q)),
        "integrate": peer.q_back(reached),
    }
    inverse = _inverse_derivatives(peer, state["q"], state["u"], state["a"])
    values["inverse_dynamics_derivatives"] = (*inverse, mass)
    by_articulated_bodies = articulated and peer.is_permutation
    values |= (
        _articulated(peer, state) if by_articulated_bodies else _solved(peer, state, mass, bias)
    )
    for frame in frames:
        values |= _frame(peer, frame, q, u, a)
    return values


def _kinetic_energy(model: pin.Model, q: Array, u: Array) -> float:
    """Of the bodies, and of the rotors, which Pinocchio counts for some joint types only."""
    bare = pin.Model(model)
    bare.armature = np.zeros(model.nv)
    bodies = pin.computeKineticEnergy(bare, bare.createData(), q, u)
    return float(bodies + model.armature @ u**2 / 2)


def _articulated(peer: Correspondence, state: Mapping[str, Array]) -> Values:
    """Forward dynamics and its derivatives by the articulated-body algorithm."""
    losses, slope = peer.losses(state["u"])
    q, u, force = peer.q(state["q"]), peer.u(state["u"]), peer.u(state["tau"] - losses)
    data = peer.model.createData()
    a = np.array(pin.aba(peer.model, data, q, u, force))
    pin.computeABADerivatives(peer.model, data, q, u, force)
    by_tau = peer.matrix(_symmetric(data.Minv))
    by_u = peer.matrix(data.ddq_dv) - by_tau @ slope
    return {
        "forward_dynamics": peer.force(a),
        "forward_dynamics_derivatives": (peer.matrix(data.ddq_dq), by_u, by_tau),
    }


def _solved(peer: Correspondence, state: Mapping[str, Array], mass: Array, bias: Array) -> Values:
    """The same through M, scaled to unit diagonal: coordinates differ in inertia by orders."""
    scale = 1 / np.sqrt(np.diag(mass))
    by_tau = np.linalg.inv(mass * np.outer(scale, scale)) * np.outer(scale, scale)
    a = by_tau @ (state["tau"] - bias)
    at = _inverse_derivatives(peer, state["q"], state["u"], a)
    return {
        "forward_dynamics": a,
        "forward_dynamics_derivatives": (*(-by_tau @ columns for columns in at), by_tau),
    }


def residual(peer: Correspondence, at: Mapping[str, Array]) -> float:
    """By how much the motion at q, u and the acceleration a misses tau, by Pinocchio's inverse
    dynamics, relative to |M| |a| and the other forces."""
    model, data = peer.model, peer.model.createData()
    q, u, a = peer.q(at["q"]), peer.u(at["u"]), peer.u(at["a"])
    losses, _ = peer.losses(at["u"])
    taken = peer.force(pin.rnea(model, data, q, u, a)) + losses
    bias = peer.force(pin.nonLinearEffects(model, data, q, u)) + losses
    mass, norm = peer.matrix(_symmetric(pin.crba(model, data, q))), np.linalg.norm
    size = max(norm(mass) * norm(at["a"]), norm(bias), norm(at["tau"]))
    return float(norm(taken - at["tau"]) / size)


def worst_residual(peer: Correspondence, at: Mapping[str, Array], derivatives: object) -> float:
    """By how much da/d(q, u, tau) miss M da/dx + dtau/dx = 0, relative to |M| |da/dx|.

    M and the derivatives of inverse dynamics are Pinocchio's, at q, u and the acceleration a. Where
    da/dx vanishes exactly, what Pinocchio rounds is in proportion to M: hence to 1e-4 |M| at least.
    """
    mass = peer.matrix(_symmetric(pin.crba(peer.model, peer.model.createData(), peer.q(at["q"]))))
    solved = (*_inverse_derivatives(peer, at["q"], at["u"], at["a"]), -np.eye(len(mass)))
    norm = np.linalg.norm
    return max(
        float(norm(mass @ x + b) / max(norm(mass) * max(norm(x), 1e-4), norm(b)))
        for x, b in zip(np.asarray(derivatives), solved, strict=True)
    )


def _inverse_derivatives(peer: Correspondence, q: Array, u: Array, a: Array) -> list[Array]:
    """d tau / d(q, u) of inverse dynamics."""
    data = peer.model.createData()
    pin.computeRNEADerivatives(peer.model, data, peer.q(q), peer.u(u), peer.u(a))
    _, slope = peer.losses(u)
    return [peer.matrix(data.dtau_dq), peer.matrix(data.dtau_dv) + slope]


def _frame(peer: Correspondence, name: str, q: Array, u: Array, a: Array) -> Values:
    model, data = peer.model, peer.model.createData()
    frame = model.getFrameId(name)
    if frame >= model.nframes:
        raise LookupError(f"Pinocchio's model has no frame {name!r}")
    pin.forwardKinematics(model, data, q, u, a)
    pin.computeJointJacobians(model, data, q)
    pin.computeJointJacobiansTimeVariation(model, data, q, u)
    pin.updateFramePlacements(model, data)
    rate = pin.getFrameJacobianTimeVariation(model, data, frame, _AXES)
    return {
        f"frame_{name}_pose": data.oMf[frame].homogeneous,
        f"frame_{name}_velocity": pin.getFrameVelocity(model, data, frame, _AXES).vector,
        f"frame_{name}_acceleration": pin.getFrameClassicalAcceleration(
            model, data, frame, _AXES
        ).vector,
        f"frame_{name}_jacobian": peer.columns(pin.getFrameJacobian(model, data, frame, _AXES)),
        f"frame_{name}_jacobian_rate": peer.columns(rate),
    }
