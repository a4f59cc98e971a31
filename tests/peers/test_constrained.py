"""Random loops: constrained dynamics of ours against Pinocchio's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")

from constraints.values import Values, near  # noqa: E402
from peers.correspondence import Correspondence  # noqa: E402
from peers.pinocchio_tree import pinocchio_tree, se3  # noqa: E402
from peers.random_trees import random_coordinates, random_placement, random_tree  # noqa: E402

from eomc.binding.arrays import Array  # noqa: E402
from eomc.derive.model import Joint, Model, Placement  # noqa: E402

CONTACTS = {"spherical": pin.ContactType.CONTACT_3D, "fixed": pin.ContactType.CONTACT_6D}
ROWS = {"spherical": 3, "fixed": 6}


def closed_tree(seed: int, joints: int, kind: str) -> tuple[Model, Array]:
    """A random tree, a joint between two of its bodies placed where they are at some q."""
    model = random_tree(seed, joints)
    rng = np.random.default_rng([seed, 2])
    q = random_coordinates(model, rng)
    values = Values(model)
    a, b = (str(name) for name in rng.choice(list(model.bodies), size=2, replace=False))
    near_side = random_placement(rng)
    pose_a, pose_b = (values(f"frame_{name}_pose", q=q) for name in (a, b))
    place = np.linalg.inv(pose_b) @ pose_a @ se3(near_side).homogeneous
    far_side = Placement(xyz=tuple(place[:3, 3].tolist()), rotation=place[:3, :3].tolist())
    model.joint(
        "loop", kind, parent=a, child=b, placement=near_side, child_placement=far_side, cut=True
    )
    return model, q


def constrained(peer: Correspondence, loop: Joint, state: dict[str, Array]) -> tuple[Array, Array]:
    """Pinocchio's accelerations and multipliers."""
    model, data = peer.model, peer.model.createData()
    sides = []
    for body, placement in ((loop.parent, loop.placement), (loop.child, loop.child_placement)):
        frame = model.frames[model.getFrameId(body)]
        sides.append((frame.parentJoint, frame.placement * se3(placement)))
    (joint1, place1), (joint2, place2) = sides
    contact = pin.RigidConstraintModel(
        CONTACTS[loop.kind], model, joint1, place1, joint2, place2, pin.ReferenceFrame.LOCAL
    )
    contacts = pin.StdVec_RigidConstraintModel()
    contacts.append(contact)
    datas = pin.StdVec_RigidConstraintData()
    datas.append(contact.createData())
    pin.initConstraintDynamics(model, data, contacts, datas)
    settings = pin.ProximalSettings(1e-14, 0.0, 1)
    q, u, tau = peer.q(state["q"]), peer.u(state["u"]), peer.u(state["tau"])
    a = pin.constraintDynamics(model, data, q, u, tau, contacts, datas, settings)
    return peer.force(np.array(a)), np.array(data.lambda_c)


@pytest.mark.slow
@pytest.mark.parametrize("kind", CONTACTS)
@settings(max_examples=15, phases=(Phase.generate,))
@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(3, 6))
def test_loops_agree_with_pinocchio(kind: str, seed: int, joints: int) -> None:
    """Accelerations to 1e-9, whatever the loop; the force that closes it as strong."""
    model, q = closed_tree(seed, joints, kind)
    singular = np.linalg.svd(_jacobian(model, q), compute_uv=False)
    # Pinocchio's needs independent rows.
    assume(len(singular) == ROWS[kind] and singular[-1] > 1e-3 * max(1.0, singular[0]))
    values = Values(model)
    rng = np.random.default_rng(seed)
    nu = len(values.equations.speeds)
    u = values.consistent(q, rng.normal(size=nu))
    state = {"q": q, "u": u, "tau": rng.normal(size=nu)}
    a, multipliers = values("constrained_dynamics", **state, stabilization=[0.0])
    expected, carried = constrained(pinocchio_tree(model), model.joints["loop"], state)
    assert near(a, expected, 1e-9)
    if kind == "spherical":  # the same three rows, in other axes
        assert np.linalg.norm(multipliers) == pytest.approx(np.linalg.norm(carried), rel=1e-8)


def _jacobian(model: Model, q: Array) -> Array:
    """Of the relative motion of the two sides of the loop, from frames of the open tree."""
    loop = model.joints["loop"]
    opened = model.copy()
    del opened.joints["loop"]
    opened.frame("near", body=loop.parent, placement=loop.placement)
    opened.frame("far", body=loop.child, placement=loop.child_placement)
    values = Values(opened)
    one, other = (values(f"frame_{name}_jacobian", q=q) for name in ("near", "far"))
    return (one - other)[: ROWS[loop.kind]]
