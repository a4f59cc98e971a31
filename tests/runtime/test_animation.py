"""Films of mechanisms: where the sticks are, and what the files hold."""

import base64
import io
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageChops

import eomc
from eomc.runtime.picture.placed import PlacedPicture, placed
from eomc.runtime.plot.animation import _Film
from eomc.runtime.plot.arrows import at_times, largest
from eomc.runtime.plot.beside import checked
from eomc.runtime.plot.canvas import plane_of
from eomc.runtime.plot.film import _ffmpeg
from eomc.runtime.plot.strip import strip

MODELS = Path(__file__).parents[2] / "examples" / "models"


@pytest.fixture(scope="module")
def arm() -> eomc.Trajectory:
    model = eomc.build(MODELS / "arm.toml")
    return eomc.simulate(model, {"shoulder": 1.2, "elbow": 0.5}, t_span=1, step=0.05)


def _links(shown: PlacedPicture, body: str) -> list[np.ndarray]:
    """Middle lines (n, 2, 3) of the links of a body."""
    return [
        shown.at(body, solid.ends)
        for solid in shown.solids
        if solid.body == body and solid.ends is not None
    ]


def test_links_are_where_the_bodies_are(arm: eomc.Trajectory) -> None:
    shown = placed(arm, lines={"fore": (0.1, 0.0, 0.0)})
    (upper,), (fore,) = _links(shown, "upper"), _links(shown, "fore")
    shoulder, elbow = arm["shoulder"], arm["shoulder"] + arm["elbow"]
    zero = np.zeros_like(shoulder)
    joint = -0.4 * np.column_stack([np.sin(shoulder), zero, np.cos(shoulder)])
    assert upper[:, 0] == pytest.approx(np.zeros((21, 3)), abs=1e-12)
    assert upper[:, 1] == pytest.approx(joint, abs=1e-12)
    tip = joint - 0.35 * np.column_stack([np.sin(elbow), zero, np.cos(elbow)])
    assert fore[:, 0] == pytest.approx(joint, abs=1e-12)
    assert fore[:, 1] == pytest.approx(tip, abs=1e-12)
    assert shown.poses["tip"][:, :3, 3] == pytest.approx(tip, abs=1e-12)
    side = 0.1 * np.column_stack([np.cos(elbow), zero, -np.sin(elbow)])
    assert shown.lines[-1].points[:, 1] == pytest.approx(joint + side, abs=1e-12)
    assert plane_of(shown.skeleton) == (0, 2)


def test_a_bob_hangs_at_its_centre_of_mass(swing: eomc.CompiledModel) -> None:
    run = eomc.simulate(swing, [0.7], t_span=0.5, step=0.1)
    shown = placed(run)
    (line,) = _links(shown, "bob")
    lengths = np.linalg.norm(line[:, 1] - line[:, 0], axis=1)
    assert lengths == pytest.approx(np.full(6, 0.5))
    assert "sphere" in [solid.record["kind"] for solid in shown.solids if solid.body == "bob"]


def test_a_last_link_is_the_even_rod_of_its_inertia() -> None:
    """J = m l^2/12 about its middle: the rod ends at l from the joint."""
    model = eomc.Model("fork")
    model.parameter("l", 0.4, tunable=True)
    for name in ("left", "right"):
        model.body(name, mass=3, com=(0, 0, "-l/2"), inertia=("l**2/4", "l**2/4", 0))
        model.joint(name, "revolute", parent="world", child=name, axis=(0, 1, 0))
    compiled = eomc.build(model)
    assert compiled.manifest["metadata"]["bodies"][0] == {
        "name": "left",
        "mass": 3.0,
        "com": [0.0, 0.0, -0.2],
    }
    run = eomc.simulate(compiled, {"left": 0.5, "right": -0.3}, t_span=0.3, step=0.1)
    shown = placed(run)
    for name in ("left", "right"):
        tip = -0.4 * np.column_stack([np.sin(run[name]), 0 * run.t, np.cos(run[name])])
        (line,) = _links(shown, name)
        assert line[:, 1] == pytest.approx(tip, abs=1e-12)


def test_bodies_in_space_and_frames_on_them(chain: eomc.CompiledModel) -> None:
    run = eomc.simulate(chain, [0.5, 0.8], t_span=0.5, step=0.1)
    shown = placed(run)
    assert plane_of(shown.skeleton) is None
    assert {solid.body for solid in shown.solids} == {"world", "upper", "lower"}
    film = _Film("chain", run.t, shown, list(shown.description["frames"]), (20.0, -60.0))
    assert film.ax.name == "3d"


@pytest.mark.slow
def test_a_film_shows_the_motion(arm: eomc.Trajectory, tmp_path: Path) -> None:
    arm.animate(tmp_path / "arm.gif", fps=10, dpi=40)
    with Image.open(tmp_path / "arm.gif") as film:
        assert (film.n_frames, film.info["duration"], film.size) == (11, 100, (200, 200))
        pictures = []
        for row in range(film.n_frames):
            film.seek(row)
            pictures.append(film.convert("RGB"))
    for before, after in pairwise(pictures):
        assert ImageChops.difference(before, after).getbbox() is not None
    colours = [np.asarray(picture).astype(int) for picture in pictures]
    blue = [np.argwhere(colour[..., 2] > colour[..., 0] + 60) for colour in colours]
    assert min(map(len, blue)) > 20
    assert np.linalg.norm(blue[0].mean(axis=0) - blue[5].mean(axis=0)) > 5
    assert [path.name for path in tmp_path.iterdir()] == ["arm.gif"]


@pytest.mark.slow
def test_slow_motion_and_animated_png(arm: eomc.Trajectory, tmp_path: Path) -> None:
    arm.animate(tmp_path / "arm.png", fps=5, speed=0.5, trace=[], dpi=30)
    with Image.open(tmp_path / "arm.png") as film:
        assert film.n_frames == 11  # two seconds of film show one second of motion


@pytest.mark.slow
def test_a_film_as_a_page_holds_every_picture(arm: eomc.Trajectory, tmp_path: Path) -> None:
    arm.animate(tmp_path / "arm.html", fps=12.5, dpi=30)
    assert [path.name for path in tmp_path.iterdir()] == ["arm.html"]
    pictures = re.findall(r"data:image/png;base64,([^\"]+)\"", (tmp_path / "arm.html").read_text())
    assert len(pictures) == len(set(pictures)) == 13
    with Image.open(io.BytesIO(base64.b64decode(pictures[0].replace("\\", "")))) as picture:
        assert picture.size == (150, 150)


@pytest.mark.skipif(_ffmpeg() is None, reason="no ffmpeg here")
def test_a_film_as_video(arm: eomc.Trajectory, tmp_path: Path) -> None:
    path = tmp_path / "arm.mp4"
    arm.animate(path, fps=12.5, dpi=33)  # an odd number of pixels, which H.264 does not take
    told = subprocess.run(
        [str(_ffmpeg()), "-i", path, "-f", "null", "-"], capture_output=True, text=True
    ).stderr
    assert "h264" in told and "164x164" in told and "12.50 fps" in told
    assert re.findall(r"frame= *(\d+)", told)[-1] == "13"
    assert [entry.name for entry in tmp_path.iterdir()] == ["arm.mp4"]


def test_without_ffmpeg_a_video_says_what_is_missing(
    arm: eomc.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eomc.runtime.plot.film._ffmpeg", lambda: None)
    with pytest.raises(ValueError, match=r"ffmpeg, which is not here.*eomc\[film\].*\.gif"):
        arm.animate(tmp_path / "arm.mp4")
    # A program that fails is told of, and leaves nothing.
    monkeypatch.setattr("eomc.runtime.plot.film._ffmpeg", lambda: "false")
    with pytest.raises(OSError, match=r"ffmpeg failed|[Bb]roken pipe"):
        arm.animate(tmp_path / "arm.mp4")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("arm.avi", {}, "ends in .gif"),
        ("arm", {}, "ends in .gif"),
        ("a.gif", {"fps": 0}, "fps is 0"),
        ("a.gif", {"speed": np.nan}, "speed is nan"),
        ("a.gif", {"speed": 1e-4}, "raise speed"),
        ("a.gif", {"trace": "tpi"}, "did you mean 'tip'"),
        ("a.gif", {"shapes": {"hand": (0, 0, 1)}}, "no body or frame 'hand'"),
        ("a.gif", {"shapes": {"fore": [1, 2]}}, "finite points"),
    ],
)
def test_wrong_arguments_leave_no_file(
    arm: eomc.Trajectory, tmp_path: Path, name: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        arm.animate(tmp_path / name, **options)  # type: ignore[arg-type]
    assert not any(tmp_path.iterdir())


def test_a_record_without_model_cannot_be_drawn(arm: eomc.Trajectory, tmp_path: Path) -> None:
    arm.to_npz(tmp_path / "arm.npz")
    read = eomc.Trajectory.from_npz(tmp_path / "arm.npz")
    with pytest.raises(ValueError, match="need the model"):
        read.animate(tmp_path / "arm.gif")
    with pytest.raises(OSError):
        arm.animate(tmp_path / "nowhere" / "arm.gif")


def test_forces_are_arrows_from_where_they_act(arm: eomc.Trajectory) -> None:
    shown = placed(arm)
    where = shown.poses["fore"][:, :3, 3]
    push = np.outer(np.cos(arm.t), [0.0, 0.0, 20.0])
    forces = {"push": (where, push), "met": (np.array([1.0, 0.0, 0.5]), np.zeros(3))}
    pushed = at_times(forces, arm.t, arm.t)
    curves = arm.t, checked({"angles [rad]": {"shoulder": arm["shoulder"]}}, arm.t)
    film = _Film("arm", arm.t, shown, [], (20.0, -60.0), (pushed, largest(forces)), curves)
    film.show(2)
    (shaft, dot), (none, met) = film.arrows._parts
    start, end = np.array(shaft.get_data())[:, :2].T
    axes = film.canvas.axes
    assert np.allclose(start, where[8][axes])
    assert np.allclose(
        (end - start) / push[8][axes][1], (0.5 * film.canvas.half / 20) * np.eye(2)[1]
    )
    assert np.allclose(np.ravel(dot.get_data()), start)
    assert np.size(none.get_data()) == 0 and np.allclose(np.ravel(met.get_data()), (1.0, 0.5))
    assert film.beside is not None
    assert film.beside._clocks[0].get_xdata()[0] == arm.t[8]


def test_a_strip_shows_pictures_and_curves(arm: eomc.Trajectory, tmp_path: Path) -> None:
    push = (np.array([0.5, 0.0, 0.5]), np.tile([0.0, 0.0, 1.0], (arm.count, 1)))
    told = {"angles [rad]": {name: arm[name] for name in arm.coordinates}}
    strip(arm, tmp_path / "strip.png", [0.0, 0.5], arrows={"push": push}, beside=told, dpi=40)
    with Image.open(tmp_path / "strip.png") as image:
        assert image.size == (320, 264)
        assert len(np.unique(np.asarray(image))) > 10


def test_forces_and_curves_of_another_length_are_named(
    arm: eomc.Trajectory, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"arrows: vectors of 'push' have shape \(2,\)"):
        arm.animate(tmp_path / "film.gif", arrows={"push": (np.zeros(3), np.zeros(2))})
    with pytest.raises(ValueError, match=r"beside: curve 'x' of 'a' has shape \(3,\)"):
        arm.animate(tmp_path / "film.gif", beside={"a": {"x": np.zeros(3)}})
    assert not list(tmp_path.iterdir())
