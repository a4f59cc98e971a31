"""MuJoCo's own mechanics of a model file, in the coordinates and speeds of the model read.

A free joint of MuJoCo has its velocity in world axes, ours in the body's: with v = S(q) u,

    M_u = S^T M S,    c_u = S^T (M S' u + c).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model.model import Model


@dataclass(frozen=True)
class MujocoState:
    """Coordinates, speeds, accelerations and controls of a model of ours."""

    q: Array
    u: Array
    a: Array
    control: Array


class Witness:
    """The same file, read by MuJoCo alone, without contacts, limits, fluids and dry friction."""

    def __init__(self, path: Path, model: Model) -> None:
        import mujoco

        self.mujoco, self.model = mujoco, model
        self.m: Any = mujoco.MjModel.from_xml_path(str(path))
        self.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.m.opt.density = self.m.opt.viscosity = 0.0
        self.m.opt.wind[:] = 0.0
        self.d: Any = mujoco.MjData(self.m)
        self.joints = self._joints()

    def _joints(self) -> list[tuple[str, int]]:
        """Names of our joints in MuJoCo's order: they are declared in it."""
        moving = [joint.name for joint in self.model.joints.values() if joint.coordinates]
        assert len(moving) == self.m.njnt
        return list(zip(moving, range(self.m.njnt), strict=True))

    def states(self, seed: int, count: int) -> Iterator[MujocoState]:
        """Random ones, quaternions of length one."""
        random, model = np.random.default_rng(seed), self.model
        for _ in range(count):
            q = random.uniform(-1.0, 1.0, len(model.coordinates))
            for joint in model.joints.values():
                if joint.speeds and len(joint.coordinates) == len(joint.speeds) + 1:
                    at = [model.coordinates.index(name) for name in joint.coordinates[-4:]]
                    q[at] /= np.linalg.norm(q[at])
            u = random.uniform(-2.0, 2.0, len(model.speeds))
            a = random.uniform(-3.0, 3.0, len(model.speeds))
            control = random.uniform(-0.4, 0.4, len(model.inputs))
            yield MujocoState(q, u, a, control)

    def set(self, state: MujocoState) -> tuple[Array, Array]:
        """MuJoCo's state; S (nv, nu) and S' u (nv,)."""
        model, m, d = self.model, self.m, self.d
        coordinates = {name: k for k, name in enumerate(model.coordinates)}
        speeds = {name: k for k, name in enumerate(model.speeds)}
        shape, rate = np.zeros((m.nv, len(speeds))), np.zeros(m.nv)
        for name, index in self.joints:
            joint = model.joints[name]
            at = [coordinates[c] for c in joint.coordinates]
            along = [speeds[s] for s in joint.speeds]
            start, dof = int(m.jnt_qposadr[index]), int(m.jnt_dofadr[index])
            d.qpos[start : start + len(at)] = state.q[at]
            block = np.eye(len(along))
            if len(along) == 6:
                turn = np.zeros(9)
                self.mujoco.mju_quat2Mat(turn, state.q[at][3:])
                block[:3, :3] = turn.reshape(3, 3)
                v, w = state.u[along][:3], state.u[along][3:]
                rate[dof : dof + 3] = block[:3, :3] @ np.cross(w, v)
            shape[dof : dof + len(along), along] = block
        d.qvel[:] = shape @ state.u
        if m.nu:
            d.ctrl[:] = state.control
        return shape, rate

    def mechanics(self, state: MujocoState) -> dict[str, Array]:
        """Mass matrix, bias with springs, dampers and controls, both dynamics, in our speeds."""
        shape, rate = self.set(state)
        m, d = self.m, self.d
        self.mujoco.mj_forward(m, d)
        full = np.zeros((m.nv, m.nv))
        try:
            self.mujoco.mj_fullM(m, full, d.qM)
        except (TypeError, AttributeError):  # of later versions
            self.mujoco.mj_fullM(m, d, full)
        rest = d.qfrc_bias - d.qfrc_passive - d.qfrc_actuator
        mass = shape.T @ full @ shape
        bias = shape.T @ (full @ rate + rest)
        return {
            "mass_matrix": mass,
            "bias": bias,
            "inverse_dynamics": mass @ state.a + bias,
            "forward_dynamics": np.linalg.solve(mass, -bias),
        }
