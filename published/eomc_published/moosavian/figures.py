"""Pictures of the reproduced cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer
from eomc_published.moosavian.dynamics import two_derivations
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.direct_path import DirectPath
from eomc_published.moosavian.formulations import vector_values
from eomc_published.moosavian.generation import operations
from eomc_published.moosavian.kinematics import INITIAL_ANGLES
from eomc_published.moosavian.motion import NEAREST, coasting, euler_angles, passage
from eomc_published.work import Figure

_DPI = 130
# Home position of the spatial arms and antenna; the thesis prints none.
_SPATIAL_POSE = np.radians([0, 0, 0, 0, 60, -100, 180, -60, 100, 0, 60])


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), layout="constrained")


def _skeleton(flyer: FreeFlyer, q: Array) -> tuple[list[Array], Array]:
    """Lines C_0 - joints - end of each manipulator, and all centres of mass (bodies, 3)."""
    path = DirectPath(Chain(flyer))
    chain = path.chain
    lines = []
    for m, arm in enumerate(flyer.manipulators, 1):
        bodies = [(m, i) for i in range(1, len(arm.links) + 1)]
        joints = [path.point(body, chain.l(body)) for body in bodies]
        points = [chain.reference, *joints, path.point(bodies[-1], chain.r(bodies[-1]))]
        lines.append(vector_values(chain.graph, points, q=q[None])[0])
    centers = [chain.reference + path.position[body] for body in chain.bodies]
    return lines, vector_values(chain.graph, centers, q=q[None])[0]


def draw_systems(path: Path) -> None:
    """Both systems: joints, centres of mass, the system's centre of mass."""
    figure = _figure(11, 5)
    start = np.concatenate([[-0.04849557, -0.06588084], INITIAL_ANGLES])
    spatial = np.concatenate([np.zeros(3), _SPATIAL_POSE])
    places = (
        (PLANAR, start, figure.add_subplot(1, 2, 1)),
        (SPATIAL, spatial, figure.add_subplot(1, 2, 2, projection="3d")),
    )
    for flyer, q, ax in places:
        size = 2 if flyer.planar else 3
        lines, centers = _skeleton(flyer, q)
        for arm, line in zip(flyer.manipulators, lines, strict=True):
            ax.plot(*line[:, :size].T, "o-", label=arm.name, markersize=5, linewidth=2)
        masses = [flyer.mass, *(link.mass for arm in flyer.manipulators for link in arm.links)]
        ax.scatter(
            *centers[:, :size].T,
            s=[3 * m**0.8 for m in masses],
            color="0.4",
            alpha=0.6,
            label="centres of mass",
        )
        whole = np.average(centers, axis=0, weights=masses)
        ax.plot(*whole[:size, None], "k+", markersize=12, label="system's CM")
        ax.set_title(flyer.description.split(":")[0])
        ax.set_xlabel("x [m]")
        ax.set_ylabel("y [m]")
        ax.set_aspect("equal")
        if not flyer.planar:
            ax.set_zlabel("z [m]")
        ax.legend(fontsize="small", loc="lower right" if flyer.planar else "upper right")
    figure.savefig(path, dpi=_DPI)


def draw_derivations(path: Path) -> None:
    """|dH| and |dC| of two derivations of the spatial system at one state."""
    from matplotlib.colors import LogNorm

    mass, nonlinear = two_derivations(1)
    shown = np.abs(np.column_stack([nonlinear[0], mass[0]]))
    figure = _figure(8, 6)
    ax = figure.subplots()
    masked = np.ma.masked_equal(shown, 0.0)
    image = ax.imshow(masked, norm=LogNorm(1e-18, 1e-12), cmap="viridis")
    figure.colorbar(image, label="absolute difference")
    ax.set_xticks(range(15), ["C", *(f"H{j}" for j in range(1, 15))], fontsize="small")
    ax.set_yticks(range(14), range(1, 15), fontsize="small")
    ax.set_title("Explicit model against Lagrange's equations of the energy (white: equal)")
    figure.savefig(path, dpi=_DPI)


def draw_conservation(path: Path) -> None:
    """Drift of momenta and energy, and the way of base and system's CM."""
    found = coasting(SPATIAL)
    t = found.run.t
    figure = _figure(11, 4.5)
    left, right = figure.subplots(1, 2)
    for label, values in (("linear momentum", found.linear), ("angular momentum", found.angular)):
        drift = np.linalg.norm(values - values[0], axis=1) / np.linalg.norm(values[0])
        left.semilogy(t[1:], np.maximum(drift[1:], 1e-16), label=label)
    energy = found.run["kinetic_energy"]
    left.semilogy(t[1:], np.maximum(np.abs(energy[1:] / energy[0] - 1), 1e-16), label="energy")
    left.set_xlabel("time [s]")
    left.set_ylabel("relative drift")
    left.legend(fontsize="small")
    right.plot(found.run.q[:, 0], found.run.q[:, 1], label="base")
    right.plot(found.center[:, 0], found.center[:, 1], label="system's CM")
    right.set_xlabel("x [m]")
    right.set_ylabel("y [m]")
    right.set_aspect("equal", "datalim")
    right.legend(fontsize="small")
    for ax in (left, right):
        ax.grid(alpha=0.3)
    figure.suptitle("Spatial free-flyer, free-floating")
    figure.savefig(path, dpi=_DPI)


def draw_singularity(path: Path) -> None:
    """Euler angles and Euler parameters while the pitch passes 90 degrees."""
    run = passage().run
    rows = run.t <= 2 * NEAREST
    t, kappa = run.t[rows], run.q[rows, 3:7]
    figure = _figure(11, 4.5)
    left, right = figure.subplots(1, 2)
    for angle, label in zip(
        np.degrees(euler_angles(kappa)).T, ("alpha", "beta", "gamma"), strict=True
    ):
        left.plot(t, angle, ".-", markersize=2, label=label)
    left.set_ylabel("Euler angles [deg]")
    for entry, label in zip(kappa.T, ("epsilon1", "epsilon2", "epsilon3", "eta"), strict=True):
        right.plot(t, entry, label=label)
    right.set_ylabel("Euler parameters")
    for ax in (left, right):
        ax.axvline(NEAREST, color="0.6", linewidth=0.8)
        ax.set_xlabel("time [s]")
        ax.grid(alpha=0.3)
        ax.legend(fontsize="small")
    figure.suptitle("Free motion whose pitch passes 90 degrees")
    figure.savefig(path, dpi=_DPI)


def draw_operations(path: Path) -> None:
    """Operations of H and C of the spatial system by derivation."""
    plain = {
        "plain SymPy with cse, energy": 14035,
        "plain SymPy with cse, barycentric": 11388,
        "plain SymPy with cse, direct": 6472,
    }
    counts = {**plain, **dict(sorted(operations().items(), key=lambda item: -item[1]))}
    figure = _figure(9, 4)
    ax = figure.subplots()
    colors = ["0.6" if name in plain else "C0" for name in counts]
    bars = ax.barh(list(counts), list(counts.values()), color=colors)
    ax.bar_label(bars, padding=3, fontsize="small")
    ax.invert_yaxis()
    ax.set_xlabel("operations of H (upper triangle) and C")
    ax.margins(x=0.1)
    figure.savefig(path, dpi=_DPI)


FIGURES = (
    Figure("systems", "The two free-flyers", (1,), draw_systems),
    Figure("derivations", "Two derivations of H and C (table 3.1)", (3,), draw_derivations),
    Figure("conservation", "Momenta and energy of a free-floating run", (11,), draw_conservation),
    Figure("singularity", "Through 90 degrees of pitch", (14,), draw_singularity),
    Figure("operations", "Operations of H and C", (17,), draw_operations),
)
