"""Random trees closed by random loops: constrained accelerations and forces against Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")

from constraints.values import Values, near  # noqa: E402
from peers.pinocchio_tree import pinocchio_tree, se3  # noqa: E402
from peers.random_trees import random_coordinates, random_tree  # noqa: E402

from eomc.derive.model import Model, ModelError, Placement  # noqa: E402

CONTACTS = {"spherical": pin.ContactType.CONTACT_3D, "fixed": pin.ContactType.CONTACT_6D}


def _closed(model: Model, kind: str, q: np.ndarray, rng: np.random.Generator) -> None:
    """Add a joint between the last body and another one that is closed at q."""
    bodies = list(model.bodies)
    child = bodies[-1]
    parent = str(rng.choice(["world", *bodies[:-1]]))
    values = Values(model)
    a = np.eye(4) if parent == "world" else values(f"frame_{parent}_pose", q=q)
    b = values(f"frame_{child}_pose", q=q)
    inner = Placement(xyz=tuple(rng.normal(size=3)), rpy=tuple(rng.uniform(-1, 1, size=3)))
    outer = np.linalg.inv(b) @ a @ np.array(se3(inner).homogeneous)
    rotation = tuple(map(tuple, outer[:3, :3].tolist()))
    model.joint(
        "loop", kind, parent=parent, child=child, cut=True, placement=inner,
        child_placement=Placement(xyz=tuple(outer[:3, 3].tolist()), rotation=rotation),
    )  # fmt: skip


@settings(max_examples=30, derandomize=True, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    seed=st.integers(0, 2**32 - 1),
    joints=st.integers(3, 7),
    kind=st.sampled_from(sorted(CONTACTS)),
)
def test_constrained_dynamics_agree_with_pinocchio(seed: int, joints: int, kind: str) -> None:
    """Accelerations to 1e-8 of their size, and the force that closes the loop."""
    model = random_tree(seed, joints)
    rng = np.random.default_rng(seed)
    q = random_coordinates(model, rng)
    _closed(model, kind, q, rng)
    values = Values(model)
    try:
        g = values("constraint_jacobian", q=q)
    except ModelError:  # a loop that closes at this configuration alone
        assume(False)
    rows = 3 if kind == "spherical" else 6
    singular = np.linalg.svd(g, compute_uv=False)
    assume(len(g) == rows < g.shape[1] and singular[-1] > 1e-2 * singular[0])
    u = values.consistent(q, rng.normal(size=g.shape[1]))
    tau = rng.normal(size=g.shape[1])
    a, multipliers = values("constrained_dynamics", q=q, u=u, tau=tau, stabilization=[0.0])

    peer = pinocchio_tree(model)
    robot, data = peer.model, peer.model.createData()
    joint = model.joints["loop"]
    sides = [_side(robot, joint.parent, joint.placement)]
    sides.append(_side(robot, joint.child, joint.child_placement))
    contact = pin.RigidConstraintModel(
        CONTACTS[kind], robot, *sides[0], *sides[1], pin.ReferenceFrame.LOCAL
    )
    contacts, works = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    contacts.append(contact)
    works.append(contact.createData())
    pin.initConstraintDynamics(robot, data, contacts, works)
    exact = pin.ProximalSettings(1e-14, 1e-12, 50)
    theirs = pin.constraintDynamics(
        robot, data, peer.q(q), peer.u(u), peer.u_map @ tau, contacts, works, exact
    )
    assert near(peer.u(a), theirs, 1e-8)
    force = works[0].contact_force.linear  # on the first side, in its frame
    ours = values("joint_reactions", q=q, u=u, a=a, multipliers=multipliers)[-1]
    turned = _turned(values, model, q)
    assert near(-turned @ ours[:3], force, 1e-7)


def _side(robot: pin.Model, body: str, placement: Placement) -> tuple[int, pin.SE3]:
    if body == "world":
        return 0, se3(placement)
    frame = robot.frames[robot.getFrameId(body)]
    return frame.parentJoint, frame.placement * se3(placement)


def _turned(values: Values, model: Model, q: np.ndarray) -> np.ndarray:
    """Rotation from the child-side joint frame to the parent-side one."""
    joint = model.joints["loop"]
    places = []
    for body, placement in ((joint.parent, joint.placement), (joint.child, joint.child_placement)):
        pose = np.eye(4) if body == "world" else values(f"frame_{body}_pose", q=q)
        places.append(pose @ np.array(se3(placement).homogeneous))
    return (np.linalg.inv(places[0]) @ places[1])[:3, :3]
