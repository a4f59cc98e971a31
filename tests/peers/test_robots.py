"""Real robots: our compiled functions against Pinocchio's own reading of the same URDF file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

pin = pytest.importorskip("pinocchio", reason="Pinocchio (package pin) is not installed")
pytest.importorskip("yourdfpy", reason="the reader of URDF files (package yourdfpy) is missing")

from peers.comparison import breaches, worst_errors  # noqa: E402
from peers.correspondence import Correspondence  # noqa: E402
from peers.pinocchio_urdf import pinocchio_urdf  # noqa: E402
from peers.pinocchio_values import pinocchio_values  # noqa: E402
from peers.robot_files import robot_file  # noqa: E402

import eomc  # noqa: E402
from eomc.binding.arrays import Array  # noqa: E402

DERIVATIVES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")
STATES = 5
# What is compared does not depend on them; -O2 takes several times as long to compile.
FLAGS = ("-O0",)
FINGERS = ("panda_finger_joint1", "panda_finger_joint2")


@dataclass(frozen=True)
class Case:
    """A robot, how it is loaded, and the links whose kinematics are compared."""

    name: str
    file: str
    links: tuple[str, ...]
    floating: bool = False
    locked: tuple[str, ...] = ()
    mimic: bool = True
    damping: bool = False
    # Whether Pinocchio's articulated-body recursion is accurate enough to judge by.
    articulated: bool = True

    @property
    def path(self) -> Path:
        return robot_file(self.file)

    def model(self) -> eomc.Model:
        return eomc.load(
            self.path,
            base="floating" if self.floating else "fixed",
            locked=self.locked,
            mimic=self.mimic,
            damping=self.damping,
            friction=False,
            inertia="ignore",
            # The numbers of the file as they are: pi/2 with eleven digits is off by 5e-12, which
            # light links magnify a thousand times.
            snap=0,
        )

    def peer(self, model: eomc.Model) -> Correspondence:
        return pinocchio_urdf(
            self.path,
            model.coordinates,
            model.speeds,
            floating=self.floating,
            locked=self.locked,
            mimic=self.mimic,
            damping=self.damping,
        )


PANDA = "panda_description/urdf/panda.urdf"
G1 = "g1_description/urdf/g1_29dof_rev_1_0.urdf"
ANYMAL = "anymal_b_simple_description/robots/anymal.urdf"
TALOS = "talos_data/robots/talos_reduced.urdf"
ICUB = "icub_description/robots/icub.urdf"

HAND = ("panda_hand", "panda_link4", "panda_leftfinger")
CASES = (
    Case("panda", PANDA, HAND, locked=FINGERS, damping=True),
    Case("panda with mimicking fingers", PANDA, HAND),
    Case("panda with free fingers", PANDA, HAND, mimic=False, damping=True),
    Case("UR5", "ur_description/urdf/ur5_robot.urdf", ("ee_link", "forearm_link")),
    Case("ANYmal, fixed", ANYMAL, ("LF_FOOT", "RH_SHANK")),
    Case("G1, fixed", G1, ("left_wrist_yaw_link", "right_ankle_roll_link")),
    Case("Talos, fixed", TALOS, ("gripper_left_base_link", "leg_right_6_link")),
    # Light links on long chains, cond(M) = 1e6 to 1e9: from 40-digit arithmetic, Pinocchio's
    # articulated-body derivatives are off by up to 4e-8, ours and those through its M by 2e-11.
    Case("iCub, fixed", ICUB, ("l_hand", "r_ankle_2"), articulated=False),
    Case("ANYmal, floating", ANYMAL, ("LF_FOOT", "RH_SHANK"), floating=True),
    Case("G1, floating", G1, ("left_wrist_yaw_link", "torso_link"), floating=True),
    Case("Talos, floating", TALOS, ("gripper_left_base_link", "torso_2_link"), floating=True),
    Case("iCub, floating", ICUB, ("l_hand", "r_ankle_2"), floating=True, articulated=False),
)
SLOW = tuple(case for case in CASES if case.name.split(",")[0] in ("G1", "Talos", "iCub"))


def random_state(model: eomc.Model, rng: np.random.Generator) -> dict[str, Array]:
    """Anywhere within half a turn; the base anywhere, with a unit quaternion."""
    q = rng.uniform(-1.5, 1.5, size=len(model.coordinates))
    for k, name in enumerate(model.coordinates):
        if name == "root_qw":
            q[k : k + 4] = rng.normal(size=4)
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
    nu = len(model.speeds)
    state = {"q": q} | {name: rng.normal(size=nu) for name in ("u", "a")}
    state["tau"] = 10 * rng.normal(size=nu)
    state["du"] = rng.uniform(-1.5, 1.5, size=nu)
    return state


def forces_of_motion(
    peer: Correspondence, state: Mapping[str, Array], rng: np.random.Generator
) -> Array:
    """Forces under which the accelerations are of order one.

    Forces drawn at will throw light links about at 1e7 rad/s^2. That suits forward dynamics, whose
    answer is then as well-conditioned as M; its derivatives would be those of the throw alone.
    """
    q, u = peer.q(state["q"]), peer.u(state["u"])
    a = peer.u(rng.normal(size=peer.nu))
    return peer.force(pin.rnea(peer.model, peer.model.createData(), q, u, a))


def call(compiled: eomc.CompiledModel, name: str, state: Mapping[str, Array]) -> object:
    """A compiled function at `state`."""
    return compiled.function(name)(*[state[word] for word in compiled.inputs_of(name)])


def compare(case: Case, *, derivatives: bool) -> None:
    """Compile what Pinocchio has too and compare at random states."""
    model = case.model()
    peer = case.peer(model)
    rng = np.random.default_rng(7)
    links = () if derivatives else case.links
    compiled: eomc.CompiledModel | None = None
    for _ in range(STATES):
        state = random_state(model, rng)
        if derivatives:
            state["tau"] = forces_of_motion(peer, state, rng)
        values = pinocchio_values(peer, state, links, articulated=case.articulated)
        expected = {name: v for name, v in values.items() if (name in DERIVATIVES) == derivatives}
        if compiled is None:
            compiled = eomc.build(model, functions=expected, flags=FLAGS)
        ours = {name: call(compiled, name, state) for name in expected}
        if "integrate" in expected:
            ours["integrate"], expected["integrate"] = (
                peer.q(np.asarray(values["integrate"])) for values in (ours, expected)
            )
        assert not breaches(worst_errors(ours, expected))


EACH = pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case in SLOW else [])
        for case in CASES
    ],
)


@EACH
def test_functions_agree_with_pinocchio(case: Case) -> None:
    """Dynamics, mass matrix, energies, momentum, centre of mass, integration, frames: 1e-10."""
    compare(case, derivatives=False)


@EACH
def test_derivatives_agree_with_pinocchio(case: Case) -> None:
    """Derivatives of inverse and forward dynamics by q, u and forces: 1e-10.

    Those of the humanoids are tens of thousands of statements and take minutes to compile.
    """
    compare(case, derivatives=True)
