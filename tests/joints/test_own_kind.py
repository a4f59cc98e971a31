"""A kind from outside the package is a full citizen: declared, written, closed, emitted, judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.geometry import MatrixRotation, unit
from eomc.derive.joints import Fixed, Step
from eomc.derive.joints.arguments import axis, fields, number
from eomc.derive.joints.closure import Closure, Hold, same_axis, same_point
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import angle, length
from eomc.derive.language.registry import kind
from eomc.derive.model import Joint, JointKind, Model, ModelError
from eomc.derive.motions.about_axis import Slide
from eomc.derive.tree.scalars import Scalars


@kind("test_boom")
class Boom(JointKind):
    """A turn about an axis and a slide along x, some way off."""

    arguments = fields(axis=axis(), offset=number("m", default=0))
    coordinates = (angle("luff"), length("reach"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        x, y, z = (unit(scalars(0), k) for k in range(3))
        step = Fixed(MatrixRotation((x, y, z)), x * scalars(joint.argument("offset")))
        return [*turn_about(scalars.vector(joint.direction)), step, Slide(x)]


@kind("test_eye")
class Eye(JointKind):
    """A turn about an axis, as a revolute joint without losses in loops."""

    arguments = fields(axis=axis())
    coordinates = (angle(),)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        return turn_about(scalars.vector(joint.direction))

    def holds(self, at: Closure) -> Iterator[Hold]:
        yield from same_point(at)
        yield from same_axis(at)


def crane(**given: Any) -> Model:
    model = Model("crane")
    model.parameter("l", 0.3)
    for name, parent in (("jib", "world"), ("load", "jib")):
        model.body(name, mass=2, inertia=(0.1, 0.2, 0.25), com=(0.1, 0, 0.2))
        model.joint(
            name,
            "test_boom",
            parent=parent,
            child=name,
            axis=(0, 0.6, 0.8),
            offset="l",
            placement=(0, 0, 1),
            **given,
        )
    return model


def test_a_model_file_holds_its_arguments() -> None:
    model = crane()
    text = toml_text(model)
    assert 'offset = "l"' in text
    assert parse_toml(text).joints == model.joints
    with pytest.raises(ModelError, match="joint 'load': unknown key 'ofset'; did you mean"):
        parse_toml(text.replace("offset", "ofset", 2).replace("ofset", "offset", 1))
    with pytest.raises(ModelError, match="unknown name 'w'"):
        parse_toml(text.replace('offset = "l"', 'offset = "w"'))
    with pytest.raises(ModelError, match="unknown key 'offset'"):
        model.joint("j", "revolute", parent="world", child="load", axis=(1, 0, 0), offset=1)


def test_verification_judges_it_free_and_locked() -> None:
    model = crane()
    model.body("hook", mass=1, inertia=(0.1, 0.1, 0.1))
    model.joint("hook", "test_boom", parent="load", child="hook", axis=(1, 0, 0), locked=(0.3, 0.4))
    report = eomc.verify(model, quick=True, checks=("Newton-Euler", "Lagrange", "manifold"))
    assert report.ok, report


def test_small_code_is_the_same() -> None:
    plain, small = eomc.build(crane()), eomc.build(crane(), small=True, name="crane_small")
    q, u, a = np.random.default_rng(1).normal(size=(3, 4))
    assert np.allclose(small.inverse_dynamics(q, u, a), plain.inverse_dynamics(q, u, a), rtol=1e-13)


def four_bar(kind: str, **given: Any) -> Model:
    model = Model("four_bar")
    for name in "abc":
        model.body(name, mass=1, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1))
    n = (0, 0, 1)
    model.joint("1", "revolute", parent="world", child="a", axis=n)
    model.joint("2", "revolute", parent="a", child="b", axis=n, placement=(1, 0, 0))
    model.joint("3", "revolute", parent="world", child="c", axis=n, placement=(1, 0.5, 0))
    model.joint(
        "4",
        kind,
        parent="b",
        child="c",
        axis=n,
        cut=True,
        placement=(1.2, 0, 0),
        child_placement=(1, 0, 0),
        **given,
    )
    return model


def test_it_closes_a_loop_if_it_says_what_it_holds() -> None:
    own, known = (eomc.equations(four_bar(kind)) for kind in ("test_eye", "revolute"))
    assert str(own.constraint_residual.to_sympy()) == str(known.constraint_residual.to_sympy())
    with pytest.raises(ModelError, match="does not say what damping and friction do"):
        four_bar("test_eye", damping=0.1).validate()
    model = four_bar("revolute")
    model.joints["4"] = replace(
        model.joints["4"], kind="test_boom", damping=(0, 0), friction=(0, 0)
    )
    with pytest.raises(ModelError, match=r"'test_boom' cannot close a loop; valid: .*revolute"):
        model.validate()


def _nut(axis: tuple[Any, ...], kind: str, **own: Any) -> Any:
    model = Model("nut")
    model.parameter("p", 0.6, tunable=True)
    model.body("nut", mass=2, com=(0.1, 0.2, 0.3), inertia=(0.3, 0.4, 0.5))
    model.joint("j", kind, parent="world", child="nut", axis=axis, **own)
    return eomc.build(model)


def test_a_screw_along_an_axis_of_parameters_moves_as_one_of_numbers() -> None:
    plain, given = (_nut(axis, "screw", pitch=0.2) for axis in ((0, 0.6, 0.8), (0, "p", 0.8)))
    state = np.random.default_rng(2).normal(size=(3, 1))
    assert np.allclose(plain.inverse_dynamics(*state), given.inverse_dynamics(*state), rtol=1e-12)


def test_a_plane_may_have_a_normal_of_parameters() -> None:
    plain, given = (_nut(axis, "planar_body") for axis in ((0, 0.6, 0.8), (0, "p", 0.8)))
    q = np.array([0.3, 0.4, 0.5])  # the directions in the plane differ, the inertia about it not
    inertia = plain.mass_matrix(q)[2, 2]
    assert np.isclose(inertia, given.mass_matrix(q)[2, 2], rtol=1e-12)
