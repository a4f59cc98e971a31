"""Names that a model accepts and that are no words: everything is judged under them."""

from __future__ import annotations

import pytest

import eomc
from eomc.derive.model import Model, Point
from eomc.verifier import Report

CHECKS = ["Newton-Euler", "rows", "loops", "constraints", "frames", "element outputs", "solvers"]


def mechanism(tag: str) -> Model:
    """A four-bar loop, a body on a rod's end, one of each named kind; `tag` ends every name."""
    model = Model("names", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 1.5)):
        model.body(name + tag, mass=length, com=(length / 2, 0, 0), inertia=(0.1, 0.2, 0.2))
    for name, parent, child, at, end in (
        ("a", "world", "crank", 0, 0),
        ("b", "crank", "coupler", 1, 0),
        ("d", "world", "rocker", 2, 0),
        ("c", "coupler", "rocker", 2, 1.5),
    ):
        base = parent if parent == "world" else parent + tag
        model.joint(
            name + tag,
            "revolute",
            parent=base,
            child=child + tag,
            axis=(0, 0, 1),
            cut=name == "c",
            placement=(at, 0, 0),
            child_placement=(end, 0, 0),
        )
    model.body("disc" + tag, mass=1, inertia=(0.1, 0.1, 0.1))
    model.joint("way" + tag, "planar", parent="world", child="disc" + tag, axis=(0, 0, 1))
    model.frame("tool" + tag, body="coupler" + tag, placement=(1, 0.2, 0))
    on_disc, tip = Point("disc" + tag, (0.1, 0.2, 0)), Point("coupler" + tag, (1, 0.2, 0))
    model.constraint("bar" + tag, "distance", a=Point("world", (0, -3, 0)), b=on_disc, length=3)
    model.cable("rope" + tag, [Point("world", (-1, 1, 0)), tip], length=1, modulus=20, width=0.1)
    model.spring("coil" + tag, a=Point("world", (0, 0, 0)), b=on_disc, stiffness=3, free_length=1)
    model.contact(
        "foot" + tag,
        shape={"kind": "sphere", "at": "disc" + tag, "radius": 0.2},
        surface={"kind": "plane", "at": "world", "normal": (0, 1, 0)},
        normal={"kind": "spring", "stiffness": 10},
        width=0.1,
    )
    return model


def report_of(tag: str) -> Report:
    """All that is judged by name."""
    return eomc.verify(mechanism(tag), quick=True, states=1, checks=CHECKS, flags="-O0")


@pytest.mark.slow
def test_elements_are_judged_under_their_declared_names() -> None:
    report = report_of(" of (left) tip-1.a")
    assert report.ok, str(report)
    assert all(outcome.comparisons for outcome in report.outcomes)
    judged = {c.of for outcome in report.outcomes for c in outcome.comparisons}
    names = {f"{name} of (left) tip-1.a" for name in ("frame tool", "loop c")}
    assert names <= judged


@pytest.mark.slow
@pytest.mark.parametrize("tag", [" left tip", "-1", ".1", ".force_x", ':3, "é"'])
def test_as_much_is_judged_as_under_plain_names(tag: str) -> None:
    report = eomc.verify(mechanism(tag), quick=True, states=2)
    assert report.ok, str(report)
    counts = [len(outcome.comparisons) for outcome in report.outcomes]
    plain = eomc.verify(mechanism(""), quick=True, states=2)
    assert counts == [len(outcome.comparisons) for outcome in plain.outcomes]
