"""Wanted tensions, slack cables, form finding, prestress, the hanging cable."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.runtime.errors import EquilibriumError


@pytest.fixture(scope="module")
def bead() -> eomc.CompiledModel:
    """A weight of 2 kg on a vertical slide, between a cable from above and one from below."""
    model = eomc.Model("bead")
    model.parameter("upper", 0.99, tunable=True)
    model.parameter("lower", 0.99, tunable=True)
    model.body("bead", mass=2)
    model.joint("z", "prismatic", parent="world", child="bead", axis=(0, 0, 1))
    for name, z in (("upper", 1), ("lower", -1)):
        end = eomc.Point("world", (0, 0, z))
        model.cable(f"{name}_cable", ["bead", end], length=name, modulus=1e4)
    return eomc.build(model)


def test_a_wanted_tension_gives_the_rest_length(bead: eomc.CompiledModel) -> None:
    """F = EA (l/l0 - 1) and F_upper = F_lower + m g, by hand."""
    wanted = {"upper_cable.tension": 120.0, "bead.z": 0.1}
    found = eomc.equilibrium(bead, targets=wanted, adjust=["upper", "lower"])
    assert found["z"] == pytest.approx(0.1, abs=1e-12)
    assert found["upper"] == pytest.approx(0.9 / (1 + 120 / 1e4), rel=1e-12)
    lower = 120 - 2 * 9.81
    assert found["lower"] == pytest.approx(1.1 / (1 + lower / 1e4), rel=1e-12)
    assert found.slack == ()
    assert found.as_dict()["outputs"]["lower_cable.tension"] == pytest.approx(lower)


def test_slack_cables_are_named(bead: eomc.CompiledModel) -> None:
    found = eomc.equilibrium(bead, parameters={"lower": 1.5})
    assert found.slack == ("lower_cable",)
    assert found.outputs["upper_cable.tension"] == pytest.approx(2 * 9.81)
    with pytest.raises(EquilibriumError, match="'lower_cable' is slack"):
        eomc.equilibrium(
            bead, parameters={"lower": 1.5}, targets={"lower_cable.tension": 5}, adjust=["lower"]
        )


def test_wishes_that_cannot_be_had(bead: eomc.CompiledModel) -> None:
    with pytest.raises(ValueError, match=r"targets: no 'upper_cable.tensoin'.*upper_cable.tension"):
        eomc.equilibrium(bead, targets={"upper_cable.tensoin": 1})
    with pytest.raises(ValueError, match="finite"):
        eomc.equilibrium(bead, targets={"bead.z": np.nan})
    with pytest.raises(EquilibriumError, match=r"stays (off|unbalanced)"):
        eomc.equilibrium(bead, targets={"bead.z": 0.3})


def test_prestress_of_a_constrained_and_a_grounded_model(bead: eomc.CompiledModel) -> None:
    found = eomc.runtime.prestress(eomc.equilibrium(bead))
    assert found.rank == 1
    assert np.allclose(np.abs(found.self_stress[:, 0]), np.sqrt(0.5))
    assert found.mechanisms.shape == (1, 0)
    with pytest.raises(ValueError, match="members: no 'upper'"):
        eomc.runtime.prestress(eomc.equilibrium(bead), members=["upper"])


NODES = {"left": (-1, 0, 0), "right": (1, 0, 0), "weight": (0.1, 0, -1)}
MEMBERS = {"a": ("left", "weight"), "b": ("right", "weight")}


def test_every_law_gives_the_same_form() -> None:
    """A weight of 3 N midway, 1.5 m below: q = 1, l = sqrt(1 + 1.5^2)."""
    length = np.hypot(1, 1.5)
    for laws in (
        {"force_densities": {"a": 1.0, "b": 1.0}},
        {"forces": {"a": length, "b": length}},
        {"lengths": {"a": length, "b": length}},
        {"elastic": dict.fromkeys("ab", (50.0, length - length / 50))},
        {"forces": {"a": length}, "force_densities": {"b": 1.0}},
    ):
        found = eomc.runtime.form_finding(
            NODES, MEMBERS, fixed=["left", "right"], loads={"weight": (0, 0, -3)}, **laws
        )  # type: ignore[arg-type]
        assert np.allclose(found.nodes["weight"], (0, 0, -1.5), atol=1e-11), laws
        assert np.allclose(list(found.forces.values()), length)


def test_a_swinging_net_has_a_mechanism_that_the_weight_stiffens() -> None:
    found = eomc.runtime.form_finding(
        NODES,
        MEMBERS,
        fixed=["left", "right"],
        lengths={"a": 1.5, "b": 1.5},
        loads={"weight": (0, 0, -3)},
    )
    swing = found.prestress()
    assert (swing.rank, swing.self_stress.shape[1], swing.mechanisms.shape[1]) == (2, 0, 1)
    # A rope of the height h: the stiffness of its swing is F/h.
    assert swing.stiffness[0] == pytest.approx(3 / np.sqrt(1.5**2 - 1))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"lengths": {"a": 1}}, "member 'b' stands in none"),
        ({"lengths": {"a": 1, "b": 1}, "forces": {"a": 1}}, "in forces and in lengths"),
        ({"lengths": {"c": 1}}, "lengths: no member 'c'"),
        ({"loads": {"left": (0, 0, 1)}}, "loads: no free node 'left'"),
        ({"fixed": ["middle"]}, "fixed: no node 'middle'"),
        ({"members": {"a": ("left", "left")}}, "names of two nodes"),
        ({"nodes": NODES | {"left": (0, 1)}}, "three finite numbers"),
    ],
)
def test_nets_that_are_none(changed: dict[str, object], message: str) -> None:
    good = {
        "nodes": NODES,
        "members": MEMBERS,
        "fixed": ["left", "right"],
        "lengths": {"a": 2, "b": 2},
    }
    with pytest.raises(ValueError, match=message):
        eomc.runtime.form_finding(**good | changed)  # type: ignore[arg-type]


def test_a_form_that_is_out_of_reach() -> None:
    with pytest.raises(EquilibriumError, match="no form near the start"):
        eomc.runtime.form_finding(
            NODES,
            MEMBERS,
            fixed=["left", "right"],
            lengths={"a": 0.5, "b": 0.5},
            loads={"weight": (0, 0, -3)},
        )


def test_a_hanging_cable_refuses_what_it_cannot_be() -> None:
    model = eomc.Model("line")
    model.body("buoy", mass=50)
    model.joint("buoy", "translational", parent="world", child="buoy")
    with pytest.raises(eomc.ModelError, match=r"catenary 'line'.*weight"):
        model.catenary("line", a="world", b="buoy", length=100, weight=0, modulus=5e5)
        eomc.equations(model)


def test_a_hanging_cable_stands_verification() -> None:
    model = eomc.Model("line")
    model.body("buoy", mass=50)
    model.joint("buoy", "translational", parent="world", child="buoy", placement=(85.0, 0, -20))
    model.catenary("line", a="world", b="buoy", length=100, weight=12, modulus=5e5)
    assert eomc.verify(model, quick=True).ok
