"""Go2 and G1 as their files have them: dropped on their feet they stand, and again when pushed.

Springs and dampers of their joints, implicit in the step, hold a pose. Feet of Go2 are meshes, of
which both programs take the same hull; those of G1 are four spheres each.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.formats import load
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.steps.models import G

_MU, _DROP, _PUSH = 0.8, 0.03, 0.3
"""Coefficient of friction, height [m] and speed [m/s]."""
_STEPS: dict[str, Any] = {"method": "stewart_trinkle", "step": 1e-3, "contacts": {"sweeps": 1000}}
_TIMES = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
_STIFF = 0.5e-3
"""Time constant of MuJoCo's contacts [s], and five times its step."""


@dataclass
class Robot:
    """A robot of the package example-robot-data, with the pose that its springs hold."""

    file: str
    feet: str
    pose: Mapping[str, float]
    stiffness: float
    damping: float

    @cached_property
    def path(self) -> Path:
        """Of its file."""
        package = distribution("example-robot-data")
        (entry,) = (f for f in package.files or () if str(f).endswith(f"robots/{self.file}"))
        return Path(str(package.locate_file(entry)))

    def rest(self, joint: str) -> float:
        """Angle at which the spring of a joint is free."""
        return next((angle for word, angle in self.pose.items() if word in joint), 0.0)

    @cached_property
    def model(self) -> Any:
        """Floating, with feet that touch the ground and springs at its joints."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # hulls of 64 vertices
            model = load(
                self.path,
                base="floating",
                damping=False,
                friction=False,
                packages=self.path.parents[2],
                contacts=f"{self.feet}:ground",
                contact_laws={"friction": {"kind": "dry", "kinetic": _MU}},
            )
        for name in self.joints(model):
            model.joint_spring(
                f"{name}_pd",
                name,
                stiffness=self.stiffness,
                damping=self.damping,
                free_angle=self.rest(name),
            )
        return model

    def joints(self, model: Any) -> list[str]:
        """Names of those that move."""
        joints = model.joints.values()
        return [j.name for j in joints if j.coordinates and j.kind != "floating"]

    @cached_property
    def built(self) -> Any:
        """The same, compiled."""
        return build(self.model)

    @property
    def mass(self) -> float:
        """[kg]"""
        return sum(float(body.mass) for body in self.model.bodies.values())

    def least_gap(self, q: Any) -> float:
        """Of all sites [m]."""
        made = self.built
        outputs = zip(
            made.output_names("element_outputs"),
            np.asarray(made.element_outputs(q, np.zeros(made.nu))),
            strict=True,
        )
        gaps = [float(x) for name, x in outputs if ".gap" in name and "gap_rate" not in name]
        return min(gaps)

    @cached_property
    def start(self) -> np.ndarray:
        """In its pose, above the ground."""
        made = self.built
        q = np.asarray(made.neutral()).copy()
        for name in self.joints(self.model):
            q[made.coordinates.index(name)] = self.rest(name)
        q[made.coordinates.index("root_z")] += _DROP - self.least_gap(q)
        return q

    def by_mujoco(self) -> list[float]:
        """Heights of the base at the times, of steps of 0.1 ms with stiff contacts."""
        import mujoco
        from lxml import etree

        root = etree.parse(str(self.path)).getroot()
        for part in root.xpath("//visual | //collision"):
            part.getparent().remove(part)
        spec = mujoco.MjSpec.from_string(etree.tostring(root).decode())
        spec.compiler.fusestatic = False
        spec.worldbody.first_body().add_freejoint(name="root")
        moving = self.joints(self.model)
        for joint in spec.joints:
            if joint.name in moving:
                joint.stiffness, joint.damping = [self.stiffness, 0, 0], [self.damping, 0, 0]
                joint.springref, joint.limited = self.rest(joint.name), 0
                joint.frictionloss = 0
        law = {"friction": [_MU, 0, 0], "condim": 3, "solref": [_STIFF, 1]}
        law |= {"solimp": [0.95, 0.99, 1e-4, 0.5, 2], "contype": 0, "conaffinity": 1}
        for name, contact in self.model.contacts.items():
            shape, body = contact.shape, spec.body(contact.shape.at.body)
            at = [float(x) for x in shape.at.xyz]
            given: dict[str, Any] = {"type": mujoco.mjtGeom.mjGEOM_MESH, "meshname": name}
            if shape.word == "sphere":
                ball = mujoco.mjtGeom.mjGEOM_SPHERE
                given = {"type": ball, "size": [float(shape.radius), 0, 0], "pos": at}
            else:
                vertices = np.array(shape.vertices, dtype=float) + at
                spec.add_mesh(name=name, uservert=vertices.ravel())
            body.add_geom(mass=0, **given, **law)
        flat = {"type": mujoco.mjtGeom.mjGEOM_PLANE, "size": [9, 9, 1]}
        spec.worldbody.add_geom(**flat, **law | {"contype": 1, "conaffinity": 0})
        spec.option.timestep = _STIFF / 5
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        m = spec.compile()
        data, heights = mujoco.MjData(m), []
        data.qpos[:7] = self.start[:7]
        for name in moving:
            joint = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_JOINT, name)
            data.qpos[m.jnt_qposadr[joint]] = self.rest(name)
        for time in _TIMES:
            while data.time < time - _STIFF / 10:
                mujoco.mj_step(m, data)
            heights.append(float(data.qpos[2]))
        return heights


ROBOTS = {
    "Go2": Robot(
        "go2_description/urdf/go2.urdf", "*_foot", {"thigh": 0.8, "calf": -1.6}, 300.0, 10.0
    ),
    "G1": Robot(
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        "*_ankle_roll_link",
        {"hip_pitch": -0.3, "knee": 0.6, "ankle_pitch": -0.3},
        500.0,
        40.0,
    ),
}


def _robots() -> Iterator[CaseCheck]:
    for name, robot in ROBOTS.items():
        made, weight, h = robot.built, robot.mass * G, _STEPS["step"]
        run = simulate(made, robot.start, t_span=4, **_STEPS)
        heights = run.q[np.round(np.array(_TIMES) / h).astype(int), 2]
        yield agrees(f"{name}: heights beside MuJoCo", robot.by_mujoco(), heights, 4e-4)
        yield from _lawful(name, robot, run)
        forces = sum(run.contacts.forces[foot][-1, 0] for foot in run.contacts.names)
        yield agrees(f"{name}: forces at rest by weight", 1, forces / weight, 1e-7)
        impulse = sum(run.contacts.impulses[foot][:, 0].sum() for foot in run.contacts.names)
        yield agrees(f"{name}: vertical impulse by weight", 1, impulse / (4 * weight), 1e-7)
        u = np.zeros(made.nu)
        u[made.speeds.index("root_vx")] = _PUSH
        pushed = simulate(made, run.q[-1], u, t_span=5, **_STEPS)
        yield from _lawful(f"{name}, pushed", robot, pushed)
        centre = [np.asarray(made.center_of_mass(q)) for q in pushed.q[[0, 1, -2, -1]]]
        momentum = robot.mass * (centre[3] - centre[2] - centre[1] + centre[0])[:2] / h
        along = [
            sum(pushed.contacts.impulses[foot][2:, k].sum() for foot in pushed.contacts.names)
            for k in (1, 2)
        ]
        yield agrees(f"{name}, pushed: momentum along the ground", momentum, along, 1e-3)
        yield at_most(f"{name}, pushed: speed at the end", np.abs(pushed.u[-1]).max(), 1e-2)


def _lawful(name: str, robot: Robot, run: Any) -> Iterator[CaseCheck]:
    """Energy, cones, complementarity and gaps of a run."""
    yield at_most(f"{name}: energy gained in a step", np.diff(run.energy).max(), 1e-9)
    residual = run.contacts.residual / (robot.mass * G * _STEPS["step"])
    yield at_most(f"{name}: steps with a residual above 1e-8", (residual > 1e-8).sum(), 2)
    yield at_most(f"{name}: residual by the impulse of the weight", residual.max(), 1e-3)
    outside = max(
        float((np.hypot(p[:, 1], p[:, 2]) - _MU * p[:, 0]).max())
        for p in run.contacts.impulses.values()
    )
    yield at_most(f"{name}: impulse outside a cone", outside, 1e-9)
    depth = -min(robot.least_gap(q) for q in run.q[::20])
    yield at_most(f"{name}: depth", depth, 1e-5)


def _lacking() -> str:
    """The packages that are not here."""
    try:
        distribution("example-robot-data")
    except PackageNotFoundError:
        return "robots' files (package example-robot-data) are not installed"
    missing = [name for name in ("mujoco", "yourdfpy", "trimesh") if find_spec(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


CASES = (
    Case(
        34,
        "Go2 and G1 of their files stand, are dropped and pushed",
        "weight, momentum, energy, Coulomb's cones; MuJoCo 4.0, 0.1 ms, contacts of 0.5 ms",
        "collision shapes of URDF files on the ground; heights, impulses, energy",
        _robots,
        slow=True,
        unavailable=_lacking(),
    ),
)
