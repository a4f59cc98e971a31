"""A picture is derived for who shows it: it comes with the function `poses`."""

from __future__ import annotations

import pytest
from lagrange.example_systems import constrained_pendulum
from small_models.mechanisms import double_pendulum

import eomc


def test_a_manifest_holds_the_picture_only_beside_poses() -> None:
    equations = eomc.equations(double_pendulum())
    assert "picture" not in equations.program().metadata
    assert "picture" in equations.program(functions=["poses"]).metadata


def test_a_compiled_model_finds_its_picture_when_it_is_asked() -> None:
    compiled = eomc.build(double_pendulum(), functions=["neutral"])
    assert all("picture" not in manifest["metadata"] for manifest in compiled.manifests)
    assert compiled.picture()["bodies"] == ["upper", "lower"]
    assert any("picture" in manifest["metadata"] for manifest in compiled.manifests)


def test_a_model_without_bodies_has_none() -> None:
    compiled = eomc.build(constrained_pendulum(), functions=["neutral"])
    with pytest.raises(ValueError, match="no bodies or frames"):
        compiled.picture()
