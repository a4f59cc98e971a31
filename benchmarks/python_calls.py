"""Forward dynamics called from Python: what the calls cost on top of the C."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.casadi_peer import casadi
from benchmarks.contender import Unavailable
from benchmarks.mechanism import Mechanism, mechanism
from benchmarks.sympy_peer import nanoseconds
from eomc.derive.model import Model


@dataclass(frozen=True)
class PythonCall:
    """Nanoseconds of one way to call forward dynamics from Python."""

    way: str
    call: float


def python_calls(model: Model, build: Path) -> list[PythonCall]:
    """Ours with NumPy arrays and full checks, and the peers that are installed."""
    numbers = mechanism(model)
    q, u, tau = np.random.default_rng(0).uniform(-1.5, 1.5, size=(3, numbers.size))
    compiled = eomc.build(model, functions=["forward_dynamics"], march_native=True)
    ours, out = compiled.forward_dynamics, np.empty(numbers.size)
    calls = [
        PythonCall("eomc, arrays in, new array out", nanoseconds(lambda: ours(q, u, tau))),
        PythonCall("eomc, `out=`", nanoseconds(lambda: ours(q, u, tau, out=out))),
    ]
    for peer in (_pinocchio, _casadi):
        try:
            calls += peer(numbers, (q, u, tau), build)
        except (ImportError, Unavailable):
            continue
    return calls


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
