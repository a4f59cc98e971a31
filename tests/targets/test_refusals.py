"""What a language cannot say is refused by name, and no file appears."""

import shutil
from pathlib import Path

import pytest
from targets.languages import ran

import eomc
from eomc.codegen import EmissionError

PENDULUM = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"


@pytest.mark.parametrize(
    ("target", "name"),
    [("cpp", "std"), ("julia", "baremodule"), ("matlab", "parfor"), ("rust", "crate")],
)
def test_words_of_the_language_name_no_model(target: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(EmissionError, match=f"'{name}' means something else in target '{target}'"):
        eomc.emit(PENDULUM, tmp_path / "out", name=name, target=target)
    assert not list(tmp_path.iterdir())


def test_names_that_matlab_would_cut(tmp_path: Path) -> None:
    model = eomc.Model("arm")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    joint = "hinge_" + "x" * 60
    model.joint(joint, "revolute", parent="world", child="bob", axis=(0, 1, 0))
    with pytest.raises(EmissionError, match=f"'sin_{joint}' is too long a name in MATLAB"):
        eomc.emit(model, tmp_path / "out", target="matlab")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("target", ["cpp", "julia", "matlab"])
def test_scalar_types(target: str, tmp_path: Path) -> None:
    with pytest.raises(EmissionError, match="unknown scalar type 'float'; valid are double"):
        eomc.emit(PENDULUM, tmp_path / "out", real="float", target=target)


@pytest.mark.parametrize("target", ["cpp", "cuda", "julia", "matlab", "rust"])
def test_loops_over_bodies(target: str, tmp_path: Path) -> None:
    with pytest.raises(EmissionError, match=f"target '{target}' writes no loops over bodies"):
        eomc.emit(PENDULUM, tmp_path / "out", small=True, target=target)


def test_octave_refuses_arrays_of_another_size(tmp_path: Path) -> None:
    if shutil.which("octave-cli") is None:
        pytest.skip("octave-cli is not here")
    folder = eomc.emit(PENDULUM, tmp_path / "out", target="matlab")
    (folder / "main.m").write_text(
        "try\n  pendulum.mass_matrix([0, 1])\ncatch problem\n"
        "  printf('%s: %s', problem.identifier, problem.message)\nend\n"
    )
    said = ran("octave-cli", "--no-init-file", "--quiet", "main.m", folder=folder)
    assert said == "pendulum:size: q has 1 entries"
