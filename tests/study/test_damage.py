"""What is read back is what was written, or an error that names the file."""

from __future__ import annotations

import re
import sysconfig
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from eomc.runtime import Trajectory, study
from eomc.runtime.errors import LoadError
from eomc.runtime.study.results import opened
from eomc.runtime.study.shipped_model import ShippedModel


def flip(path: Path) -> None:
    """In the part of a file that holds the numbers."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "a bit": flip,
    "cut": cut,
    "zeros": zeros,
    "gone": Path.unlink,
}
NUMBERS = np.random.default_rng(1).normal(size=(50, 3))
SHARES = {"q": NUMBERS, "failed": np.zeros(50, bool), "count": np.arange(50)}
FILES = {
    "npz": ("runs-000001.npz",),
    "parquet": ("runs-000001.parquet",),
    "zarr": tuple(
        f"runs-000001.zarr/{file}" for file in ("zarr.json", "q/zarr.json", "q/c/0/0", "count/c/0")
    ),
}


def kept(folder: Path, form: str) -> None:
    results = opened(folder, 100, 50, 50, form, {"runs": {"seed": 1}})
    for share in range(2):
        results.keep(share, SHARES)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(("form", "file"), [(form, f) for form in FILES for f in FILES[form]])
def test_damaged_results_are_named(tmp_path: Path, form: str, file: str, damage: str) -> None:
    if form != "npz":
        pytest.importorskip({"zarr": "zarr", "parquet": "pyarrow"}[form])
    kept(tmp_path, form)
    read = study.read(tmp_path)
    for name, array in SHARES.items():
        assert np.array_equal(read[name], np.concatenate([array, array]))
    DAMAGES[damage](tmp_path / file)
    try:
        found = dict(study.read(tmp_path).parts())[50]
    except study.StudyError as error:
        assert re.search(r"runs-000001.* is damaged|50 to 99 are not done", str(error))
    else:  # a bit that holds nothing, as of a date
        assert damage == "a bit"
        assert file.endswith(".json")
        assert all(np.array_equal(found[name], SHARES[name]) for name in SHARES)


def test_an_array_that_is_gone_is_named(tmp_path: Path) -> None:
    """The rest of the file is whole."""
    kept(tmp_path, "npz")
    path = tmp_path / "runs-000001.npz"
    with np.load(path) as archive:
        np.savez(path, **{name: archive[name] for name in archive.files if name != "q"})
    with pytest.raises(study.StudyError, match="is not what was written"):
        dict(study.read(tmp_path).parts())


@pytest.mark.parametrize(
    ("old", "new"), [('"size": 100', '"size": 50'), ('"chunk": 50', '"chunk": 25')]
)
def test_a_changed_record_is_named(tmp_path: Path, old: str, new: str) -> None:
    kept(tmp_path, "npz")
    record = tmp_path / "study.json"
    text = record.read_text()
    assert old in text
    record.write_text(text.replace(old, new))
    with pytest.raises(study.StudyError, match=r"study.json is damaged"):
        study.read(tmp_path)


def trajectory() -> Trajectory:
    t = np.linspace(0, 1, 20)
    none = np.zeros((20, 0))
    return Trajectory(
        name="swing",
        t=t,
        q=np.sin(t)[:, None],
        u=np.cos(t)[:, None],
        tau=np.zeros((20, 1)),
        r=none,
        s=none,
        s_rate=none,
        s_acceleration=none,
        coordinates=("a",),
        speeds=("a",),
        inputs=(),
        prescribed=(),
        method="dop853",
    )


@pytest.mark.parametrize("damage", ["a bit", "cut", "zeros"])
def test_a_damaged_trajectory_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "swing.npz"
    trajectory().to_npz(path)
    assert np.array_equal(Trajectory.from_npz(path).q, trajectory().q)
    DAMAGES[damage](path)
    with pytest.raises(ValueError, match=r"swing.npz holds no trajectory"):
        Trajectory.from_npz(path)


@pytest.mark.parametrize("change", [{"q": NUMBERS[:20, :1]}, {"digest": None}, {"events[0].t": 0}])
def test_a_trajectory_with_other_arrays_is_named(tmp_path: Path, change: dict) -> None:
    path = tmp_path / "swing.npz"
    trajectory().to_npz(path)
    with np.load(path) as archive:
        arrays = {**{name: archive[name] for name in archive.files}, **change}
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match="it is damaged: not what was written"):
        Trajectory.from_npz(path)


def test_a_model_that_comes_damaged_is_refused() -> None:
    shipped = ShippedModel((("pendulum.so", b"0123"),), sysconfig.get_platform(), "of others")
    with pytest.raises(LoadError, match="came damaged"):
        shipped.model()
