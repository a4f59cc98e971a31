"""Placements against SciPy's rotations, exactness of structural zeros, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from model.random_models import AXES, placements
from scipy.spatial.transform import Rotation

from eomc.derive.language.value import value_of
from eomc.derive.model import ModelError, Placement, Point, normal_directions
from eomc.derive.placement.directions import unit_vector
from eomc.derive.placement.rotation import Matrix3, from_axis_angle, rotate_inertia, snapped

VALUES = {"p0": 0.7, "p1": 1.3}


def numeric(matrix: Matrix3) -> np.ndarray:
    return np.array([[value_of(entry, VALUES) for entry in row] for row in matrix])


def homogeneous(place: Placement) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3] = numeric(place.matrix)
    result[:3, 3] = [value_of(entry, VALUES) for entry in place.xyz]
    return result


@given(st.tuples(*[st.floats(-4, 4)] * 3))
def test_rpy_turns_about_fixed_axes(rpy: tuple[float, float, float]) -> None:
    expected = Rotation.from_euler("xyz", rpy).as_matrix()
    assert np.allclose(numeric(Placement(rpy=rpy).matrix), expected, rtol=0, atol=1e-14)


@given(st.tuples(*[st.integers(-5, 5)] * 4).filter(any))
def test_quaternion_is_w_x_y_z_and_is_normalized(quaternion: tuple[int, ...]) -> None:
    w, x, y, z = quaternion
    expected = Rotation.from_quat([x, y, z, w]).as_matrix()
    placement = Placement(quaternion=(w, x, y, z))
    assert np.allclose(numeric(placement.matrix), expected, atol=1e-14)


@given(st.sampled_from(AXES), st.floats(-4, 4))
def test_axis_and_angle(axis: tuple[float, float, float], angle: float) -> None:
    unit = unit_vector(axis, "axis")
    expected = Rotation.from_rotvec(angle * np.array(unit, dtype=float)).as_matrix()
    assert np.allclose(numeric(from_axis_angle(unit, angle)), expected, atol=1e-14)


@given(placements(), placements())
def test_composition_and_inverse_are_those_of_homogeneous_matrices(
    a: Placement, b: Placement
) -> None:
    product = homogeneous(a) @ homogeneous(b)
    scale = 1 + np.abs(product).max()
    assert np.allclose(homogeneous(a @ b), product, rtol=0, atol=1e-12 * scale)
    identity = homogeneous(a) @ homogeneous(a.inverse())
    assert np.allclose(identity, np.eye(4), rtol=0, atol=1e-11 * scale)


def test_quarter_turns_are_exact() -> None:
    for angle in (math.pi / 2, "pi/2", sympy.pi / 2):
        matrix = Placement(rpy=(angle, 0, 0)).matrix
        assert matrix == ((1, 0, 0), (0, 0, -1), (0, 1, 0))
        assert all(isinstance(entry, int) for row in matrix for entry in row)


def test_symbolic_angle_stays_symbolic() -> None:
    angle = sympy.Symbol("alpha")
    c, s = sympy.cos(angle), sympy.sin(angle)
    assert Placement(rpy=(0, 0, "alpha")).matrix == ((c, -s, 0), (s, c, 0), (0, 0, 1))


def test_snapping_leaves_small_angles_alone() -> None:
    angle = 1e-6
    matrix = ((math.cos(angle), -angle, 0.0), (angle, math.cos(angle), 0.0), (0.0, 0.0, 1.0))
    result = snapped(matrix, 1e-11)
    assert result[0][0] == math.cos(angle) != 1
    assert result[2] == (0, 0, 1)


@given(st.tuples(*[st.floats(-3, 3)] * 3), st.tuples(*[st.floats(-1, 1)] * 6))
def test_inertia_rotates_as_a_tensor(rpy: tuple[float, ...], entries: tuple[float, ...]) -> None:
    xx, yy, zz, xy, xz, yz = entries
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    rotation = Rotation.from_euler("xyz", rpy).as_matrix()
    expected = rotation @ tensor @ rotation.T
    result = rotate_inertia(Placement(rpy=rpy).matrix, entries)  # type: ignore[arg-type]
    picked = [expected[i] for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    assert np.allclose(np.array(result, dtype=float), picked, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"xyz": (1, 2)}, "needs 3"),
        ({"xyz": "123"}, "3 numbers"),
        ({"xyz": (1, 2, float("nan"))}, "not finite"),
        ({"xyz": (1, 2, None)}, "NoneType"),
        ({"xyz": (1, 2, True)}, "no number"),
        ({"rpy": (0, 0, 0), "quaternion": (1, 0, 0, 0)}, "one of them"),
        ({"quaternion": (0, 0, 0, 0)}, "zero length"),
        ({"quaternion": (0.0, 0, 0, 0.0)}, "zero length"),
        ({"rotation": ((1, 0, 0), (0, 1, 0))}, "needs 3"),
        ({"rotation": ((1, 0, 0), (0, 1, 0), (0, 0, -1))}, "reflection"),
        ({"rotation": ((1, 0, 0), (0, 2, 0), (0, 0, 1))}, "orthonormal"),
        ({"rotation": 7}, "3 rows"),
    ],
)
def test_refusals(fields: dict[str, object], part: str) -> None:
    with pytest.raises(ModelError, match=part):
        Placement(**fields)  # type: ignore[arg-type]


def test_point_takes_text() -> None:
    assert Point("link", ("l/2", 0, 0)).xyz == (sympy.Symbol("l") / 2, 0, 0)
    with pytest.raises(ModelError, match="named by text"):
        Point(3)  # type: ignore[arg-type]


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: np.linalg.norm(v) > 1e-3))
def test_normal_directions_are_right_handed(vector: tuple[float, float, float]) -> None:
    axis = unit_vector(vector, "axis")
    first, second = (np.array(v, dtype=float) for v in normal_directions(axis))
    frame = np.array([first, second, np.array(axis, dtype=float)])
    assert np.allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1.0)


@given(st.tuples(*[st.floats(-1e150, 1e150)] * 3).filter(any))
def test_unit_vectors_stay_as_they_are(vector: tuple[float, float, float]) -> None:
    unit = unit_vector(vector, "axis")
    assert np.linalg.norm(np.array(unit, dtype=float)) == pytest.approx(1.0, abs=1e-14)
    assert unit_vector(unit, "axis") == unit


def test_symbolic_axis_is_normalized_once() -> None:
    a, b = sympy.symbols("a b")
    unit = unit_vector((a, b, 0), "axis")
    assert unit == (a / sympy.sqrt(a**2 + b**2), b / sympy.sqrt(a**2 + b**2), 0)
    assert unit_vector(unit, "axis") == unit
    turned = (sympy.cos(a), sympy.sin(a), 0)
    assert unit_vector(turned, "axis") == turned
