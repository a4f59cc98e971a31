"""Elements that used to end in an error of another kind, or in none that names them."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import eomc
from eomc.derive.model import Model, ModelError


def _arm() -> Model:
    model = Model("arm", gravity=(0, 0, 0))
    model.body("link", mass=2, com=(0, 0, 1), inertia=(0.1, 0.1, 0.1))
    model.joint("hinge", "revolute", parent="world", child="link", axis=(0, 1, 0))
    return model


def test_a_potential_may_change_with_time() -> None:
    model = _arm()
    model.potential("swing", "3*hinge**2*cos(t)")
    arm = eomc.build(model)
    q, u, tau, t = np.array([0.2]), np.array([0.7]), np.array([0.0]), 0.4
    assert np.isclose(arm.potential_energy(q, t).item(), 3 * 0.04 * np.cos(t))
    rate = -3 * 0.04 * np.sin(t)  # of V at rest: power is the rate of T + V
    assert np.isclose(arm.power(q, u, tau, t).item(), rate)


def test_a_time_in_other_forces_is_none_of_the_potential() -> None:
    model = _arm()
    model.torque("motor", body="link", direction=(0, 1, 0), magnitude="sin(t)")
    found = eomc.equations(model).potential_energy
    assert [argument.name for argument in found.inputs] == ["q"]


def test_elements_take_their_arguments_by_place() -> None:
    model = _arm()
    model.torque("motor", "link", (0, 1, 0))
    model.joint_spring("coil", "hinge", 3, 0.1)
    model.spring("cord", "link", "world", 5)
    assert model.torques["motor"].body == "link"
    assert model.joint_springs["coil"].damping == 0.1 and model.springs["cord"].stiffness == 5


@pytest.mark.parametrize("rods", [5, "link", {"link": 3}, [("link",)]])
def test_rods_are_names_with_vectors(rods: object) -> None:
    with pytest.raises(ModelError, match="central_gravity 'sun': rods"):
        _arm().central_gravity("sun", mu=1, expansion="exact", rods=rods)


@pytest.mark.parametrize("arguments", [{"center": (0, 0, 1)}, {}, {"about": "link"}])
def test_a_body_fixed_at_the_attracting_mass_is_named(arguments: dict[str, object]) -> None:
    model = Model("stuck", gravity=(0, 0, 0))
    model.body("link", mass=2, inertia=(1, 1, 1))
    place = {"xyz": arguments.get("center", (0, 0, 0))}
    model.joint("hinge", "spherical", parent="world", child="link", placement=place)
    model.central_gravity("sun", mu=1, **arguments)
    with pytest.raises(ModelError, match="central_gravity 'sun': body 'link' stays at the centre"):
        _ = eomc.equations(model).potential_energy


def test_a_point_mass_at_the_attracting_mass_is_named() -> None:
    model = Model("stuck", gravity=(0, 0, 0))
    model.body("link", mass=2)
    model.joint("hinge", "revolute", parent="world", child="link", axis=(0, 0, 1), rotor_inertia=1)
    model.central_gravity("sun", mu=1, expansion="exact")
    with pytest.raises(ModelError, match="central_gravity 'sun': body 'link' stays at the centre"):
        _ = eomc.equations(model).potential_energy


def test_methods_of_a_model_tell_their_arguments() -> None:
    words = list(inspect.signature(Model.spring).parameters)
    assert words == [
        "self",
        "name",
        "a",
        "b",
        "stiffness",
        "damping",
        "free_length",
        "law",
        "source",
    ]
    assert list(inspect.signature(_arm().spring).parameters) == words[1:]
    assert "stiffness : [N/m]" in (Model.spring.__doc__ or "")
    assert (Model.frame.__doc__ or "").startswith("Declare a frame fixed in")


@pytest.mark.parametrize("given", ["spring", 5, None, object()])
def test_what_is_no_element_is_not_added(given: object) -> None:
    with pytest.raises(ModelError, match=r"model 'm': give an element, not \w+"):
        Model("m").add(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [5, None, ("b",)])
def test_names_that_are_no_text_are_unknown_names(given: object) -> None:
    with pytest.raises(ModelError, match=r"model 'm': no deformable body .*; there are none"):
        Model("m").rigidified(given)  # type: ignore[arg-type]
