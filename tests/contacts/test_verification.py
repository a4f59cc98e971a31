"""Contacts as `verify` sees them."""

from __future__ import annotations

import pytest

import eomc


@pytest.mark.slow
def test_contacts_are_verified() -> None:
    model = eomc.Model("sledge")
    model.body("sledge", mass=1, inertia=(0.1, 0.2, 0.25))
    model.joint("free", "floating", parent="world", child="sledge")
    model.contact(
        "ahead",
        shape={"kind": "ellipsoid", "at": "sledge", "semi_axes": (1, 0.5, 0.3)},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 100, "exponent": 1.5, "dissipation": 0.3},
        friction={
            "kind": "bristles",
            "stiffness": 10,
            "kinetic": 0.3,
            "static": 0.4,
            "stribeck_speed": 1,
            "damping": 0.1,
        },
        width=0.1,
    )
    report = eomc.verify(model, quick=True)
    assert report.ok, report
