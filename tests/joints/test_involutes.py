"""Joints of strings that unwind, and their cables, beyond the acceptance cases."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.model import Model, ModelError

KINDS = ("involute", "involute_elongation", "involute_strain", "involute_length")


def ends(*kinds: str) -> Model:
    """A turning base with pulleys, and the end of a string on each."""
    model = Model("ends")
    model.parameter("r", 0.2, tunable=True)
    model.body("base", mass=2, com=(0.1, 0.2, 0.1), inertia=(0.3, 0.4, 0.5))
    model.joint("base", "revolute", parent="world", child="base", axis=(0, 1, 0))
    for k, kind in enumerate(kinds):
        model.body(kind, mass=0.5, com=(0.1, 0.05, 0.02), inertia=(0.01, 0.02, 0.03))
        model.joint(
            f"j{k}",
            kind,
            parent="base",
            child=kind,
            axis=(1, 2, 2),
            radius="r",
            placement=(0.3, 0, k),
            child_placement=(0.1, 0, 0),
        )
        if kind != "involute":
            model.involute_cable(f"c{k}", joint=f"j{k}", modulus=100, viscosity=2, width=0.05)
    return model


@pytest.mark.slow
def test_verification_judges_every_kind() -> None:
    report = eomc.verify(ends(*KINDS), quick=True)
    assert report.ok, report


@pytest.mark.parametrize("damping", ["pulls", "pushes"])
def test_where_a_string_comes_taut_is_told(damping: str) -> None:
    model = Model("winder", gravity=(0, 0, 0))
    model.body("end", mass=1)
    model.joint("string", "involute_strain", parent="world", child="end", radius=0.1)
    model.involute_cable("cable", joint="string", modulus=100, viscosity=2, damping=damping)
    built = eomc.build(model, flags=("-O0",))
    assert built.output_names("element_switches") == ("cable.taut",)
    for strain, rate, pull in ((0.01, 0.3, 0.01), (0.01, -0.6, -0.2), (-0.01, 0.3, -0.4)):
        told = float(np.squeeze(built.element_switches([6.0, strain], [0.0, rate])))
        assert told == pytest.approx(strain if damping == "pushes" else pull)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["involute", "involute_strain"])
def test_what_they_hold_in_a_loop_is_judged(kind: str) -> None:
    """Whatever whole turns are unwound."""
    model = Model("held", gravity=(0.3, 0.2, -9.81))
    for name in "ab":
        model.body(name, mass=1.1, com=(0.1, 0.2, -0.3), inertia=(0.11, 0.12, 0.13))
    model.joint("hinge", "revolute", parent="world", child="a", axis=(0, 0.6, 0.8))
    model.joint("free", "floating", parent="world", child="b")
    model.joint(
        "end",
        kind,
        parent="a",
        child="b",
        axis=(0, 0.6, 0.8),
        radius=0.2,
        cut=True,
        placement=(0.3, 0.1, 0.2),
        child_placement=(0.1, 0.2, 0),
    )
    checks = ["loops", "constraints", "functions on request"]
    report = eomc.verify(model, quick=True, states=3, checks=checks, flags=["-O0"])
    assert report.ok, report
    assert all(outcome.comparisons for outcome in report.outcomes)


def test_a_model_file_holds_them() -> None:
    model = ends(*KINDS)
    assert parse_toml(toml_text(model)) == model


def test_by_its_length_it_is_a_turn_a_shift_and_a_slide() -> None:
    """The composition of stock joints; the string of the other is no element there."""
    one, other = Model("one"), Model("other")
    for model in (one, other):
        model.body("end", mass=0.5, com=(0.1, 0.05, 0.02), inertia=(0.01, 0.02, 0.03))
    one.joint("j", "involute_length", parent="world", child="end", radius=0.2)
    other.body("arm")
    other.joint("turn", "revolute", parent="world", child="arm", axis=(0, 0, 1))
    other.joint(
        "slide", "prismatic", parent="arm", child="end", axis=(1, 0, 0), placement=(0, 0.2, 0)
    )
    state = np.random.default_rng(1).normal(size=(3, 2))
    first, second = (eomc.build(model).inverse_dynamics(*state) for model in (one, other))
    assert np.allclose(first, second, rtol=1e-13)


def test_a_strain_that_is_prescribed_is_frozen() -> None:
    """At zero strain it is the joint that does not stretch."""
    frozen, rigid = ends("involute_strain"), ends("involute")
    frozen.involute_cables.clear()  # a smooth law pulls at zero strain, too
    frozen.prescribed("j0_strain")
    q, u, a = np.array([[0.3, 7.0], [0.5, -0.2], [0.1, 0.4]])
    zero = np.zeros(1)
    held = eomc.build(frozen).inverse_dynamics(q, u, a, s=zero, s_rate=zero, s_acceleration=zero)
    assert np.allclose(held[:2], eomc.build(rigid).inverse_dynamics(q, u, a), rtol=1e-12)


def test_mistakes_are_told() -> None:
    with pytest.raises(ModelError, match=r"joint 'j': radius is -1; give a positive number"):
        model = Model("m")
        model.body("b", mass=1)
        model.joint("j", "involute", parent="world", child="b", radius=-1)
    model = ends("involute")
    model.involute_cable("c", joint="j0", modulus=1)
    with pytest.raises(
        ModelError, match=r"cable 'c': joint 'j0' is of kind 'involute'; valid: inv"
    ):
        model.validate()
    model = ends("involute_strain")
    model.involute_cable("c", joint="j1", modulus=1)
    with pytest.raises(ModelError, match=r"involute_cable 'c': unknown joint 'j1'"):
        model.validate()


def test_a_locked_string_has_no_cable() -> None:
    model = Model("m")
    model.body("b", mass=1, inertia=(1, 1, 1))
    model.joint("j", "involute_strain", parent="world", child="b", radius=0.2, locked=(7.0, 0.1))
    model.involute_cable("c", joint="j", modulus=1)
    model.body("bob", mass=1, inertia=(1, 1, 1))
    model.joint("turn", "revolute", parent="b", child="bob", axis=(1, 0, 0))
    assert eomc.equations(model).coordinates == ("turn",)
    assert not model.reduced().involute_cables


def test_a_link_that_is_prescribed_in_part_keeps_its_own_coordinates() -> None:
    """Only the strain of an involute is prescribed; its angle stays."""
    frozen = ends("involute_strain")
    frozen.prescribed("j0_strain")
    model = eomc.build(frozen)
    q, u = np.array([0.3, 7.0]), np.array([0.5, -0.2])
    assert np.array_equal(model.normalize(q), q)
    assert np.array_equal(model.coordinate_rates(q, u), u)
    assert np.allclose(model.integrate(q, u), q + u) and np.allclose(model.difference(q, q + u), u)
