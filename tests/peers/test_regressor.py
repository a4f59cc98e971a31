"""The regressor of inverse dynamics against Pinocchio's."""

from __future__ import annotations

import numpy as np
import pytest

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")
pytest.importorskip("yourdfpy", reason="the reader of URDF files (package yourdfpy) is missing")

from peers.test_robots import CASES, call, random_state  # noqa: E402

import eomc  # noqa: E402

ORDER = (0, 1, 2, 3, 4, 6, 9, 5, 7, 8)
"""Of Pinocchio's (m, mcx, mcy, mcz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz), ours."""


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.name in ("panda", "UR5", "ANYmal, floating")],
    ids=lambda case: case.name,
)
def test_columns_of_moving_bodies(case: object) -> None:
    """Bodies whose frame is that of the joint that moves them, column by column."""
    model = case.model()
    peer = case.peer(model)
    compiled = eomc.build(model, functions=["regressor", "inertial_parameters"], flags=("-O0",))
    names = compiled.output_names("inertial_parameters")
    rng = np.random.default_rng(11)
    moved = [
        (joint.child, place)
        for joint in model.joints.values()
        if (place := peer.model.getJointId(joint.name)) < peer.model.njoints
        and f"{joint.child}.m" in names
    ]
    assert len(moved) >= 6
    for _ in range(3):
        state = random_state(model, rng)
        Y, _ = call(compiled, "regressor", state)
        theirs = pin.computeJointTorqueRegressor(
            peer.model,
            peer.model.createData(),
            *(peer.q(state["q"]), peer.u(state["u"]), peer.u(state["a"])),
        )
        for body, place in moved:
            first = names.index(f"{body}.m")
            columns = theirs[:, 10 * (place - 1) : 10 * place][:, ORDER]
            told = np.array([peer.force(column) for column in columns.T]).T
            size = np.abs(told).max()
            np.testing.assert_allclose(
                Y[:, first : first + 10], told, rtol=1e-10, atol=1e-11 * size
            )
