"""Internal coordinates out of the state: held for good, or moved as given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from dynamics.evaluation import value
from flexible.point_masses import Swarm
from flexible.swarm_systems import chain, state, whole_equations

import eomc
from eomc.derive.model import Mimic, Model, ModelError

pytestmark = pytest.mark.variants

COORDINATES = [7, 8, 9, 10, 11, 12, 13]
NAMES = ["hull_d0", "hull_d1", "hinge", "arm_d0", "arm_d1", "arm_d2", "ride"]


def without(place: int, *arrays: Any) -> list[Any]:
    return [np.delete(array, place) for array in arrays]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["declared", "rigidified"])
def test_a_held_coordinate_leaves_the_equations_of_the_rest(how: str) -> None:
    """Those of the whole model with the coordinate at its value, at rest, in its other rows."""
    q, u, a = state()
    q[11], u[10], a[10] = 0.2, 0.0, 0.0
    model = (
        chain(fixed={"d1": 0.2}) if how == "declared" else chain().rigidified("arm", {"d1": 0.2})
    )
    equations = eomc.equations(model)
    assert "arm_d1" not in equations.coordinates + equations.speeds
    (held,) = without(11, q)
    rates = without(10, u, a)
    whole = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    got = value(equations, "inverse_dynamics", q=held, u=rates[0], a=rates[1])
    assert got == pytest.approx(np.delete(whole, 10), rel=1e-12, abs=1e-12)
    mass = value(whole_equations(), "mass_matrix", q=q)
    got = value(equations, "mass_matrix", q=held)
    assert got == pytest.approx(np.delete(np.delete(mass, 10, 0), 10, 1), rel=1e-12, abs=1e-13)


@pytest.mark.slow
def test_a_body_held_altogether_is_rigid() -> None:
    model = chain().rigidified("arm").rigidified("hull")
    equations = eomc.equations(model)
    assert equations.speeds[6:] == ("hinge", "ride")
    q, u, a = state()
    q[[7, 8, 10, 11, 12]] = 0
    u[[6, 7, 9, 10, 11]] = a[[6, 7, 9, 10, 11]] = 0
    free = [*range(6), 8, 12]
    whole = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    got = value(equations, "inverse_dynamics", q=q[[*range(7), 9, 13]], u=u[free], a=a[free])
    assert got == pytest.approx(whole[free], rel=1e-12, abs=1e-12)


@pytest.mark.slow
def test_rest_is_the_value_held_unless_another_is_given() -> None:
    form = Swarm(3, 2, rest=0.25)
    for held, expected in ((True, 0.25), ({"d0": None}, 0.25), ({"d0": "1/8"}, 0.125)):
        model = Model("one")
        model.deformable("boom", form, fixed=held)
        values = dict(model.deformables["boom"].held)
        assert float(sympy.sympify(values["d0"])) == expected
    free = whole_equations().system(()).tree
    assert [free.coordinate_names[k] for k in COORDINATES] == NAMES


@pytest.mark.parametrize(
    "name", ["arm_d1", "ride", pytest.param("hull_d0", marks=pytest.mark.slow)]
)
def test_given_motion_of_an_internal_coordinate(name: str) -> None:
    """Elimination: the rows of the rest as in the whole model, that of the given motion as the
    force that it takes."""
    q, u, a = state()
    coordinate = whole_equations().coordinates.index(name)
    speed = whole_equations().speeds.index(name)
    model = chain()
    model.prescribed(name)
    equations = eomc.equations(model)
    given = {"s": [q[coordinate]], "s_rate": [u[speed]], "s_acceleration": [a[speed]]}
    rest = {"q": np.delete(q, coordinate), "u": np.delete(u, speed)}
    whole = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    got = value(equations, "inverse_dynamics", a=np.delete(a, speed), **rest, **given)
    assert got == pytest.approx(np.delete(whole, speed), rel=1e-12, abs=1e-12)
    tau = np.delete(whole, speed)
    forward = value(equations, "forward_dynamics", tau=tau, **rest, **given)
    assert forward == pytest.approx(np.delete(a, speed), rel=1e-11, abs=1e-11)
    force = value(equations, "prescribed_forces", tau=tau, **rest, **given)
    assert force == pytest.approx(whole[[speed]], rel=1e-11, abs=1e-11)


@pytest.mark.slow
def test_a_rider_locked_in_its_place_is_attached_there() -> None:
    model = chain()
    model.joints["ride"] = replace(model.joints["ride"], locked=(0.4,))
    q, u, a = state()
    q[13], u[12], a[12] = 0.4, 0.0, 0.0
    whole = value(whole_equations(), "inverse_dynamics", q=q, u=u, a=a)
    got = value(eomc.equations(model), "inverse_dynamics", q=q[:13], u=u[:12], a=a[:12])
    assert got == pytest.approx(whole[:12], rel=1e-12, abs=1e-12)
    model.joints["ride"] = replace(model.joints["ride"], locked=None, mimic=Mimic("hinge"))
    with pytest.raises(ModelError, match=r"joint 'ride': .*follows no joint"):
        eomc.equations(model)


def test_names_to_hold_or_prescribe_are_checked() -> None:
    with pytest.raises(ModelError, match=r"deformable 'arm': no coordinate 'd9'; .*'d0'"):
        chain(fixed={"d9": 0})
    with pytest.raises(ModelError, match="no deformable body 'payload'"):
        chain().rigidified("payload")
    model = chain(fixed={"d1": 0.2})
    model.prescribed("arm_d1")
    with pytest.raises(ModelError, match="arm_d1"):
        model.validate()


@pytest.mark.parametrize(
    ("length", "message"), [(-1, "less than slewing_length = 2"), (9, "more than both links")]
)
def test_a_telescope_is_held_at_a_length_it_can_have(length: float, message: str) -> None:
    model = Model("arm")
    links = {"slewing_length": 2, "slewing_mass": 1, "deployable_length": 2, "deployable_mass": 1}
    with pytest.raises(ModelError, match=rf"\d+: deformable 'boom': fixed: length is .*{message}"):
        model.deformable(
            "boom", "telescopic_beam", EI=3, length=3, fixed={"length": length}, **links
        )
    model.deformable("boom", "telescopic_beam", EI=3, length=3, **links)
    with pytest.raises(ModelError, match=f"deformable 'boom': fixed: length is .*{message}"):
        model.rigidified("boom", {"length": length})
    assert model.rigidified("boom", {"length": 4}).deformables["boom"].coordinates == ("boom_y1",)
