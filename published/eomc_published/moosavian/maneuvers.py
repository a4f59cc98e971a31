"""Captures and touches as they are filmed: bodies, where they meet, forces, curves beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime import Trajectory
from eomc.runtime.plot.strip import strip
from eomc_published.moosavian import capture_planar, spatial_film
from eomc_published.moosavian.capture import PLANAR_CAPTURE, SPATIAL_CAPTURE, CaptureRun
from eomc_published.moosavian.cooperative import WALL, manipulation, models, object_motion, tips
from eomc_published.work import Figure


@dataclass(frozen=True)
class Maneuver:
    """A run, with forces and curves as `Trajectory.animate` takes them; `moments` are the times
    that a still shows."""

    run: Trajectory
    forces: Mapping[str, tuple[Array, Array]]
    curves: Mapping[str, Mapping[str, Array]]
    moments: tuple[float, ...]
    shapes: Mapping[str, Array] | None = None
    view: tuple[float, float] = (20.0, -60.0)

    def film(self, path: str | Path, **settings: object) -> None:
        """Write it as a film; settings as of `Trajectory.animate`."""
        shown: dict[str, Any] = {
            "beside": self.curves,
            "shapes": self.shapes,
            "view": self.view,
        } | settings
        self.run.animate(path, arrows=self.forces, **shown)

    def draw(self, path: Path) -> None:
        """Write it as a strip of pictures."""
        strip(
            self.run,
            path,
            self.moments,
            arrows=self.forces,
            beside=self.curves,
            shapes=self.shapes,
            view=self.view,
        )


def _joined(run: CaptureRun) -> Trajectory:
    """Chase and capture in one record."""
    first, second = run.chase.run, run.capture.run
    rows: dict[str, Any] = {
        name: np.concatenate([getattr(first, name), getattr(second, name)[1:]])
        for name in ("t", "q", "u", "tau", "r", "s", "s_rate", "s_acceleration", "z")
    }
    return replace(first, events=(), switches={}, dense=None, **rows)


@cache
def capture() -> Maneuver:
    """The planar capture under the transpose Jacobian: chase, and arms that meet the object."""
    flown, plan = capture_planar.with_transpose(), PLANAR_CAPTURE
    run, phases = _joined(flown), (flown.chase, flown.capture)
    model = run.model
    assert model is not None

    def over(rows: list[Array]) -> Array:
        return np.concatenate([rows[0], rows[1][1:]])

    base = model.frame("base").pose(run.q)
    thrust = over([phase.force("f_x", "f_y") for phase in phases])
    pushed = np.einsum("nij,nj->ni", base[:, :, :2], thrust)[:, :3]
    met = np.array([plan.object_at(t) for t in run.t.tolist()])
    planned = np.array([plan.base_position(t)[0] for t in run.t.tolist()])
    tips = np.array([model.frame(f"arm{m}_tip").pose(run.q)[:, :3, 3] for m in (1, 2)])
    away = np.linalg.norm((tips - met)[:, :, :2], axis=2)
    return Maneuver(
        run,
        {"thrust": (base[:, :3, 3], pushed), "object": (met, np.zeros(3))},
        {
            "base [m]": {
                "x": run.q[:, 0],
                "y": run.q[:, 1],
                "x, plan": planned[:, 0],
                "y, plan": planned[:, 1],
            },
            "error of the base [m]": {
                "x": run.q[:, 0] - planned[:, 0],
                "y": run.q[:, 1] - planned[:, 1],
            },
            "thrust [N]": {"x": thrust[:, 0], "y": thrust[:, 1]},
            "arms to object [m]": {"arm 1": away[0], "arm 2": away[1]},
        },
        (3.0, 9.0, plan.switch + 1.0, plan.duration),
    )


@cache
def touch() -> Maneuver:
    """Two arms bring an object to a wall under multiple impedance control (case 44)."""
    found = manipulation()
    near = slice(0, int(np.searchsorted(found.run.t, 4.0)), 10)
    arrays = ("t", "q", "u", "tau", "r", "z", "s", "s_rate", "s_acceleration")
    kept: dict[str, Any] = {name: getattr(found.run, name)[near] for name in arrays}
    run = replace(found.run, events=(), switches={}, dense=None, **kept)
    plant, t = models()[0], found.run.t[near]
    edge = plant.frame("end").pose(run.q)[:, :3, 3]
    wall = np.column_stack([found.force[near], *np.zeros((2, len(t)))])
    held = np.array([tips()(*row) for row in zip(t, run.q, run.u, run.tau, strict=True)])
    at = [plant.frame(name).pose(run.q)[:, :3, 3] for name in ("center", "tip2")]
    at[0] = at[0] + (at[0] - edge)  # where the first arm holds it, across from the edge
    grips = [np.column_stack([held[:, k : k + 2], np.zeros(len(t))]) for k in (0, 2)]
    wanted = np.array([object_motion(time)[0] for time in t.tolist()])
    center = found.center[near]
    return Maneuver(
        run,
        {"wall": (edge, wall), "arm 1": (at[0], grips[0]), "arm 2": (at[1], grips[1])},
        {
            "object [m]": {"x": center[:, 0], "x, plan": wanted[:, 0]},
            "error of the object [m]": {
                "x": wanted[:, 0] - center[:, 0],
                "y": wanted[:, 1] - center[:, 1],
            },
            "torques [N m]": {
                name: run.tau[:, k] for k, name in enumerate(run.speeds) if run.tau[:, k].any()
            },
            "force of contact [N]": {
                "wall": found.force[near],
                "estimate": np.interp(t, *found.estimate[:, :2].T),
            },
        },
        (0.05, 0.8, found.contact + 0.01, 3.9),
        {"world": np.array([[WALL, -0.4, 0.0], [WALL, 1.2, 0.0]])},
    )


@cache
def spatial_capture() -> Maneuver:
    """The end of the spatial capture under the transpose Jacobian: the arms meet a shaft."""
    found, plan = spatial_film.held(), SPATIAL_CAPTURE
    run, model = found.run, spatial_film.plant()
    base = model.frame("base").pose(run.q)
    pushed = np.einsum("nij,nj->ni", base[:, :3, :3], found.thrust)
    planned = np.array([plan.base_position(t)[0] for t in run.t.tolist()])
    met = np.array([plan.object_at(t) for t in run.t.tolist()])
    late = run.t >= plan.switch
    apart = {
        f"arm {m}": np.where(late, np.linalg.norm(tip - met, axis=1), np.nan)
        for m, tip in found.tips.items()
    }
    return Maneuver(
        run,
        {"thrust": (base[:, :3, 3], pushed)}
        | {f"arm {m}": found.pressed[m] for m in found.pressed},
        {
            "base, from where it begins [m]": {
                name: place[:, k] - planned[0, k]
                for k, axis in ((1, "y"), (2, "z"))
                for name, place in ((axis, run.q), (f"{axis}, plan", planned))
            },
            "off the plan [m]": {"base": np.linalg.norm(run.q[:, :3] - planned, axis=1)} | apart,
            "thrust [N]": {axis: found.thrust[:, k] for k, axis in enumerate("xyz")},
            "force of contact [N]": {
                f"arm {m}": np.linalg.norm(force, axis=1) for m, (_, force) in found.pressed.items()
            },
        },
        (54.5, plan.switch, 59.4, float(run.t[-1])),
        view=(5.0, -75.0),
    )


FIGURES = (
    Figure(
        "planar_capture_filmed",
        "The planar capture: bodies, thrust, plan and error",
        (21, 23),
        lambda path: capture().draw(path),
    ),
    Figure(
        "spatial_capture_filmed",
        "The end of the spatial capture: bodies, thrust, plan, error and force of contact",
        (29, 31),
        lambda path: spatial_capture().draw(path),
    ),
    Figure(
        "touch_filmed",
        "Two arms bring an object to a wall: bodies and forces of contact",
        (44, 45),
        lambda path: touch().draw(path),
    ),
)
