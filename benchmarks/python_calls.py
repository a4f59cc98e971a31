"""Forward dynamics called from Python: what the calls cost on top of the C."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.casadi_peer import casadi
from benchmarks.contender import Unavailable
from benchmarks.measure import random_states
from benchmarks.mechanism import Mechanism, mechanism
from benchmarks.mujoco_peer import mjcf
from benchmarks.ours import ours
from benchmarks.section import Section, Target
from benchmarks.sympy_peer import nanoseconds
from benchmarks.timing import Timer
from eomc.derive.model import Model


@dataclass(frozen=True)
class PythonCall:
    """Nanoseconds of one way to call forward dynamics from Python."""

    way: str
    call: float


TIMES_C = {"new array": 1.9, "out=": 1.5}
"""Most times of the C that a call from Python may take."""
_ROUNDS = 15
"""Of which each way shows its quickest: what else runs on a machine only adds."""


def python_calls(model: Model, build: Path) -> list[PythonCall]:
    """Ours in C and with NumPy arrays and full checks, and the peers that are installed."""
    numbers = mechanism(model)
    q, u, tau = np.random.default_rng(0).uniform(-1.5, 1.5, size=(3, numbers.size))
    compiled = eomc.build(model, functions=["forward_dynamics"], march_native=True, lanes=1)
    function, out = compiled.forward_dynamics, np.empty(numbers.size)
    in_c = ours(model, "forward_dynamics", build / "python_ours")
    packed = random_states(numbers.size, "forward_dynamics")
    # All three in turn, so that they meet the same machine.
    timer = Timer(build / "timer")
    rounds: list[tuple[float, ...]] = []
    for _ in range(_ROUNDS):
        (timing,) = timer.race([in_c], packed, numbers.size)
        # The function around each call is the benchmark's, not the user's.
        around = nanoseconds(lambda: None, 0.01, 3)
        rounds.append(
            (
                timing.median,
                nanoseconds(lambda: function(q, u, tau), 0.01, 3) - around,
                nanoseconds(lambda: function(q, u, tau, out=out), 0.01, 3) - around,
            )
        )
    names = ("eomc, in C", "eomc, arrays in, new array out", "eomc, `out=`")
    calls = [
        PythonCall(name, float(ns)) for name, ns in zip(names, np.min(rounds, axis=0), strict=True)
    ]
    for peer in (_pinocchio, _mujoco, _casadi):
        try:
            calls += peer(numbers, (q, u, tau), build)
        except (ImportError, Unavailable):
            continue
    return calls


def section(model: Model, build: Path) -> Section:
    """The table; what Python may cost on top of the C."""
    calls = python_calls(model, build)
    in_c = calls[0].call
    return Section(
        "From Python",
        "`python -m benchmarks --section python`: forward dynamics of the Panda arm, one state a "
        "call; the arguments are checked in full. Ours without the call of the benchmark's own "
        "function around them.",
        ("way", "ns a call", "times C"),
        [
            (call.way, f"{call.call:.0f}", f"{call.call / in_c:.2f}" if k < 3 else "")
            for k, call in enumerate(calls)
        ],
        [asdict(call) for call in calls],
        targets=[
            Target(f"Panda, from Python, {words}, times C", call.call / in_c, most, at_most=True)
            for (words, most), call in zip(TIMES_C.items(), calls[1:3], strict=True)
        ],
    )


def _pinocchio(numbers: Mechanism, state: tuple[np.ndarray, ...], _: Path) -> list[PythonCall]:
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = numbers.gravity
    kinds = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
    for k, link in enumerate(numbers.links):
        placement = pin.SE3(link.rotation, link.offset)
        joint = model.addJoint(link.parent + 1, kinds[link.axis](), placement, f"joint{k}")
        inertia = pin.Inertia(link.mass, link.center, link.tensor)
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    data = model.createData()
    return [PythonCall("Pinocchio, `pin.aba`", nanoseconds(lambda: pin.aba(model, data, *state)))]


def _mujoco(numbers: Mechanism, state: tuple[np.ndarray, ...], _: Path) -> list[PythonCall]:
    """With its whole forward pass, contacts and limits switched off."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf(numbers))
    data = mujoco.MjData(model)

    def call() -> None:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = state
        mujoco.mj_forward(model, data)

    return [PythonCall("MuJoCo, `mj_forward`", nanoseconds(call))]


def _casadi(numbers: Mechanism, state: tuple[np.ndarray, ...], build: Path) -> list[PythonCall]:
    import casadi as ca

    folder = build / "python_casadi"
    casadi(numbers, "forward_dynamics", folder)
    function = ca.external("peer", str(folder / "CasADi.so"))
    # The stubs of CasADi's buffers want what its code does not.
    buffer: Any
    buffer, evaluate = function.buffer()
    out = np.empty(numbers.size)
    for k, values in enumerate(state):
        buffer.set_arg(k, memoryview(values.data))
    buffer.set_res(0, memoryview(out.data))
    return [
        PythonCall("CasADi, raw buffers, no checks", nanoseconds(evaluate)),
        PythonCall("CasADi, arrays in, DM out", nanoseconds(lambda: function(*state))),
    ]
