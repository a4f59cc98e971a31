"""Every joint kind: what its record says agrees with what its motions do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from eomc.derive.joints.pose import neutral, pose, pose_and_subspace
from eomc.derive.joints.unwound import Unwound
from eomc.derive.language.value import value_of
from eomc.derive.model import Joint, Model, Placement, joint_kind, joint_kinds
from eomc.derive.topology.spanning_tree import reversed_joint

AXIS = (0.48, -0.6, 0.64)
WORDS: dict[str, Any] = {"pitch": 0.3, "radius": 0.2}
MOVING = [name for name in joint_kinds() if not joint_kind(name).rides]


def joint(name: str, axis: object = AXIS, **given: object) -> Joint:
    model = Model("m")
    model.parameter("p", 0.48)
    model.body("b", mass=1, inertia=(1, 1, 1))
    takes = joint_kind(name).takes
    if "axis" in takes:
        given = {"axis": axis, **given}
    own = {word: value for word, value in WORDS.items() if word in takes}
    model.joint("j", name, parent="world", child="b", **own, **given)
    return model.joints["j"]


def somewhere(name: str) -> list[float]:
    kind = joint_kind(name)
    values = np.random.default_rng(3).uniform(-1, 1, size=len(kind.coordinates))
    parts = np.array([x.unit == "1" for x in kind.coordinates], dtype=bool)
    values[parts] /= np.linalg.norm(values[parts]) if parts.any() else 1
    return values.tolist()


def matrix(place: Placement, **values: float) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3] = [[value_of(entry, values) for entry in row] for row in place.matrix]
    result[:3, 3] = [value_of(entry, values) for entry in place.xyz]
    return result


@pytest.mark.parametrize("name", MOVING)
def test_the_motions_take_the_declared_coordinates(name: str) -> None:
    made = joint(name)
    assert len(neutral(made)) == len(made.coordinates)
    if not isinstance(made.declaration, Unwound):  # its end is never at the pulley's centre
        assert pose(made, neutral(made)) == Placement()
    _, columns = pose_and_subspace(made, somewhere(name))
    assert len(columns) == len(made.speeds)
    assert made.declaration.sentence.endswith(".")


@pytest.mark.parametrize("name", [name for name in MOVING if joint_kind(name).rates])
def test_the_subspace_is_the_rate_of_the_pose(name: str) -> None:
    made, q, h = joint(name), somewhere(name), 1e-6
    here, columns = pose_and_subspace(made, q)
    for k, column in enumerate(columns):
        ends = [
            matrix(pose(made, [x + sign * h * (i == k) for i, x in enumerate(q)]))
            for sign in (1, -1)
        ]
        twist = np.linalg.inv(matrix(here)) @ (ends[0] - ends[1]) / (2 * h)
        spin = [twist[2, 1], twist[0, 2], twist[1, 0]]
        assert np.allclose(np.array(column, dtype=float), [*twist[:3, 3], *spin], atol=1e-9)


@pytest.mark.parametrize("name", [name for name in MOVING if joint_kind(name).turns_round])
def test_a_joint_turned_round_has_the_inverse_pose(name: str) -> None:
    made, q = joint(name), somewhere(name)
    back = q
    if joint_kind(name).quaternion(q):  # the axis of its turn is opposite by itself
        back = [q[0], *(-x for x in q[1:])]
    turned = matrix(pose(reversed_joint(made), back))
    assert np.allclose(turned @ matrix(pose(made, q)), np.eye(4), atol=1e-15)


@pytest.mark.parametrize("name", [name for name in MOVING if "axis" in joint_kind(name).takes])
def test_an_axis_of_parameters_is_the_same_axis(name: str) -> None:
    q = somewhere(name)
    given = joint(name, axis=("p", -0.6, "4*p/3"))
    if isinstance(given.declaration, Unwound):
        with_numbers, with_names = (matrix(pose(j, q), p=0.48) for j in (joint(name), given))
        assert np.trace(with_names[:3, :3]) == pytest.approx(np.trace(with_numbers[:3, :3]))
        return  # the direction of its string follows the largest number
    if name in ("planar", "planar_body"):  # in-plane directions follow the largest number
        q[:2] = 0.0, 0.0
    assert np.allclose(matrix(pose(given, q), p=0.48), matrix(pose(joint(name), q)), atol=1e-14)
