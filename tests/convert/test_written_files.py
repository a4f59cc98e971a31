"""Models written for other programs: these programs, and eomc, read the same mechanics back."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dynamics.evaluation import value

import eomc
from eomc import Model
from eomc.binding.arrays import Array
from eomc.derive.equations import Equations
from eomc_published.formats.mujoco_witness import MujocoState, Witness

pytest.importorskip("mujoco", reason="MuJoCo (package mujoco) is not installed")
pytest.importorskip("yourdfpy", reason="reading URDF needs yourdfpy")

EXAMPLES = Path(__file__).parents[2] / "examples" / "models"
RIGID = (
    *("arm", "double_pendulum", "four_bar", "furuta", "panda", "pendulum"),
    *("planar_free_flyer", "quadcopter", "spatial_free_flyer", "spring_mass"),
)
STATES = 2
TOLERANCE = 1e-10


def read(path: Path | str, **options: Any) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return eomc.load(path, friction=False, **options)


@cache
def example(name: str) -> Model:
    """Mimic joints move freely: as coordinates of their own they stand in every format."""
    return read(EXAMPLES / f"{name}.toml", mimic=False)


def bare(model: Model, *kept: str, armature: bool = False) -> Model:
    """Without elements that act, but for the kinds `kept`, and without rotors."""
    model = model.copy()
    for word, table in model.acting().items():
        if word not in kept:
            table.clear()
    if not armature:
        for name, joint in model.joints.items():
            model.joints[name] = replace(joint, rotor_inertia=0)
    return model


def states(model: Model, seed: int = 43) -> list[MujocoState]:
    return list(Witness.states(type("Of", (), {"model": model})(), seed, STATES))  # type: ignore[arg-type]


@cache
def equations(model_id: int) -> Equations:
    return eomc.derive(_MODELS[model_id])


_MODELS: dict[int, Model] = {}


def mechanics(model: Model, state: MujocoState) -> dict[str, Array]:
    """Mass matrix and bias by the graph."""
    _MODELS[id(model)] = model
    made = equations(id(model))
    signals = {"r": state.control[: len(model.inputs)]} if model.inputs else {}
    return {
        "mass_matrix": value(made, "mass_matrix", q=state.q),
        "bias": value(made, "bias", q=state.q, u=state.u, **signals),
    }


def agree(expected: dict[str, Array], got: dict[str, Array]) -> None:
    for name, entries in expected.items():
        scale = np.abs(entries).max()
        assert np.abs(got[name] - entries).max() <= TOLERANCE * scale, name


def write(model: Model, path: Path) -> tuple[str, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return eomc.convert(model, path)


@pytest.mark.parametrize("name", RIGID)
@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".xml", ".toml"])
def test_eomc_reads_its_own_files(name: str, suffix: str, tmp_path: Path) -> None:
    model, path = example(name), tmp_path / f"a{suffix}"
    write(model, path)
    back = read(path)
    kept = {".urdf": (), ".sdf": ("joint_spring",)}.get(suffix)
    expected = model if kept is None else bare(model, *kept)
    if suffix == ".urdf":
        expected.gravity = (0, 0, -9.81)
    if suffix == ".xml" and name == "spring_mass":  # a spring by a law has no tendon
        expected = model.copy()
        del expected.springs["between"]
    assert len(back.coordinates) == len(model.coordinates)
    for state in states(model):
        agree(mechanics(expected, state), mechanics(back, state))
