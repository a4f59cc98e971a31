"""What follows from a model is found once, and anew after every change."""

import warnings
from dataclasses import replace

import pytest

import eomc
from eomc.derive.model import Model, ModelError, validate


def arm() -> Model:
    model = Model("arm")
    for name, parent in (("upper", "world"), ("lower", "upper")):
        model.body(name, mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
        model.joint(f"to_{name}", "revolute", parent=parent, child=name, axis=(0, 1, 0))
    return model


def test_an_unchanged_model_keeps_its_snapshot() -> None:
    model = arm()
    assert model.snapshot() is model.snapshot() is model.copy().snapshot()
    assert model.tree() is not model.tree()


def test_dictionaries_that_are_edited_give_fresh_answers() -> None:
    model = arm()
    assert model.speeds == ("to_upper", "to_lower")
    model.joints["to_lower"] = replace(model.joints["to_lower"], locked=(0,))
    assert model.speeds == ("to_upper",)
    assert [joint.name for joint in model.reduced().tree()] == ["to_upper"]
    model.joints = dict(reversed(list(model.joints.items())))
    assert list(model.snapshot().model.joints) == ["to_lower", "to_upper"]
    model.joints["to_lower"] = replace(model.joints["to_lower"], locked=None)
    model.prescribed("to_upper")
    assert (model.speeds, model.prescribed_coordinates()) == (("to_lower",), {"to_upper"})
    del model.prescribed_motions["to_upper"]
    assert model.speeds == ("to_upper", "to_lower")


def test_loops_that_are_closed_and_opened_again() -> None:
    model = arm()
    assert not model.cuts()
    model.joint("tip", "revolute", parent="world", child="lower", axis=(0, 1, 0), cut=True)
    assert [joint.name for joint in model.cuts()] == ["tip"]
    del model.joints["tip"]
    assert not model.cuts()


def test_copies_part_from_their_model() -> None:
    model = arm()
    snapshot = model.snapshot()
    other = model.copy()
    other.body("tip", mass=1)
    other.joint("to_tip", "prismatic", parent="lower", child="tip", axis=(1, 0, 0))
    assert other.speeds == ("to_upper", "to_lower", "to_tip")
    assert model.snapshot() is snapshot
    model.reduced().joints.clear()
    assert len(model.reduced().joints) == 2


def test_gravity_changes_what_is_reduced() -> None:
    model = arm()
    assert model.reduced().gravity == (0, 0, -9.81)
    model.gravity = (0, 0, -1.62)
    assert model.reduced().gravity == (0, 0, -1.62)


def test_a_model_is_checked_once_until_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = []
    real = validate.validated
    monkeypatch.setattr(validate, "validated", lambda *a, **k: (checks.append(1), real(*a, **k)))
    model = arm()
    model.validate()
    eomc.equations(model)
    assert len(checks) == 1
    model.bodies["lower"] = replace(model.bodies["lower"], mass=-1)
    for _ in range(2):
        with pytest.raises(ModelError, match="mass is -1"):
            model.validate()
    assert len(checks) == 3


def test_a_warning_is_told_every_time_and_an_error_after_it() -> None:
    model = arm()
    model.bodies["lower"] = replace(model.bodies["lower"], inertia=(1, 0.1, 0.1, 0, 0, 0))
    model.validate(inertia="ignore")
    for _ in range(2):
        with pytest.warns(UserWarning, match="triangle"):
            model.validate(inertia="warn")
    with pytest.raises(ModelError, match="triangle"):
        model.validate()
    with warnings.catch_warnings(), pytest.raises(ModelError, match="valid: 'error'"):
        model.validate(inertia="loud")
