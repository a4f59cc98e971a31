"""Limits of joints, speeds and forces in the header, read back through the library."""

import ctypes
import math
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import WARNINGS, compile_c

import eomc

MODELS = Path(__file__).parents[2] / "examples" / "models"


def limits(model: object, folder: Path, real: str = "double") -> dict[str, np.ndarray]:
    """Arrays that the header declares, as the library has them."""
    made = eomc.emit(model, folder, functions="mass_matrix", real=real)
    (header,) = made.glob("*.h")
    flags = (*WARNINGS, "-O0", "-fPIC", "-shared")
    sources = [path.name for path in made.glob("*.c")]
    library = ctypes.CDLL(str(compile_c(made, sources, "library.so", "gcc", *flags)))
    found = {}
    for line in header.read_text().splitlines():
        if line.startswith("extern const "):
            name, _, size = line.removesuffix("];").split()[-1].partition("[")
            kind = ctypes.c_double if real == "double" else ctypes.c_float
            array = (kind * int(size)).in_dll(library, name)
            found[name.removeprefix(f"{header.stem}_")] = np.array(array)
    return found


@pytest.mark.parametrize("real", ["double", "float"])
def test_of_the_panda_arm(real: str, tmp_path: Path) -> None:
    found = limits(MODELS / "panda.toml", tmp_path / "c", real)
    joints = eomc.load(MODELS / "panda.toml").joints.values()
    dtype = np.float64 if real == "double" else np.float32
    for name, word in (
        ("q_lower", "lower"),
        ("q_upper", "upper"),
        ("u_limit", "velocity_limit"),
        ("tau_limit", "effort_limit"),
    ):
        stated = [float(getattr(joint, word)[0]) for joint in joints]
        np.testing.assert_array_equal(found.pop(name), np.array(stated, dtype))
    assert not found


def test_where_some_and_where_none_are_limited(tmp_path: Path) -> None:
    model = eomc.Model("two")
    for name, parent in (("upper", "world"), ("lower", "upper")):
        model.body(name, mass=1, com=(0, 0, -0.5))
        given = {"upper": 1.5} if name == "lower" else {}
        model.joint(f"{name}_hinge", "revolute", parent=parent, child=name, axis=(0, 1, 0), **given)
    found = limits(model, tmp_path / "c")
    assert list(found) == ["q_upper"]
    np.testing.assert_array_equal(found["q_upper"], [math.inf, 1.5])
    header = eomc.emit(MODELS / "pendulum.toml", tmp_path / "none") / "pendulum.h"
    assert "extern const" not in header.read_text()
