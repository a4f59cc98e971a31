"""Models that are written as files of other programs, as these programs and eomc read them back."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from eomc.derive.formats.convert import convert
from eomc.derive.formats.load import load
from eomc.derive.model.model import Model
from eomc_published.case import CaseCheck, at_most
from eomc_published.formats.compared import compiled, worst
from eomc_published.formats.mujoco_witness import Witness

#: Chains, trees, a free body, a loop, springs, inputs; `spring_mass` without its spring by a law.
MODELS = (
    *("arm", "double_pendulum", "four_bar", "furuta", "panda", "pendulum"),
    *("planar_free_flyer", "quadcopter", "spatial_free_flyer", "spring_mass"),
)
_FOLDER = Path(__file__).parents[1] / "models"
_FORMATS = (".urdf", ".sdf", ".xml", ".toml")


def example(name: str) -> Model:
    """An example, with mimic joints that move freely and without dry friction."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = load(_FOLDER / f"{name}.toml", mimic=False, friction=False)
    if name == "spring_mass":
        del model.springs["between"]
    return model


def _back(model: Model, path: Path) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        convert(model, path)
        return load(path, friction=False)


def read_by_mujoco() -> Iterator[CaseCheck]:
    """Mass matrix, bias and both dynamics of the model against MuJoCo's of the file."""
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            model, path = example(name), Path(folder) / f"{name}.xml"
            witness = Witness(path, _back(model, path))
            for function, deviation in worst(model, witness).items():
                if model.cuts() and function == "forward_dynamics":
                    continue  # MuJoCo holds loops by stiff springs
                yield at_most(f"{name}: {function}", deviation, 1e-10)


def read_back() -> Iterator[CaseCheck]:
    """Mass matrices, without the rotors that URDF and SDF do not say."""
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            model = example(name)
            rotors = any(joint.rotor_inertia != 0 for joint in model.joints.values())
            first = compiled(model, ("mass_matrix",))
            for suffix in _FORMATS if not rotors else (".xml", ".toml"):
                second = compiled(_back(model, Path(folder) / f"a{suffix}"), ("mass_matrix",))
                worst_of_all = 0.0
                for q in np.random.default_rng(43).uniform(-1, 1, (3, len(model.coordinates))):
                    expected = first.mass_matrix(first.normalize(q))
                    got = second.mass_matrix(second.normalize(q))
                    deviation = np.abs(got - expected).max() / np.abs(expected).max()
                    worst_of_all = max(worst_of_all, float(deviation))
                yield at_most(f"{name}{suffix}: mass matrix", worst_of_all, 1e-10)
