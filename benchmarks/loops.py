"""Forward dynamics of a chain of four-bars by its number of loops.

    python -m benchmarks.loops            1, 2, 5, 10, 20, 40 loops
    python -m benchmarks.loops 5 10       other numbers

Operations, derivation, compile time and nanoseconds a call at closed configurations (median and
quartiles of interleaved rounds, thread CPU time, one core), and the exponents that a power law fits
from 5 loops on. Beside it Pinocchio's constraintDynamics on the same loops, if it is installed: its
wheel as it is, called from Python with one contact of three rows a loop, of which one is redundant,
so that it is regularized with 1e-9; nothing is timed that does not agree to 1e-6.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.contender import Array
from benchmarks.mechanism import mechanism
from benchmarks.ours import ours
from benchmarks.timing import ROUNDS, STATES, Timer, pin_to_one_core
from eomc.derive.model import Model
from eomc.systems.four_bar_chain import four_bar_chain

LOOPS = (1, 2, 5, 10, 20, 40)
_LEAST_FITTED, _AGREE = 5, 1e-6
_SIGNS = {"left": 1, "top": -1, "right": 1}


def states(model: Model) -> Array:
    """Packed q, u, tau of closed loops, (STATES, 3 n)."""
    rng = np.random.default_rng(0)
    names = model.coordinates
    digits = [name.strip("abcdefghijklmnopqrstuvwxyz") for name in names]
    signs = np.array([_SIGNS[name[: -len(d)]] for name, d in zip(names, digits, strict=True)])
    loop = np.array([int(d) - 1 for d in digits])
    count = len(names) // 3
    at, rates = rng.uniform(-1, 1, size=(STATES, count)), rng.normal(size=(STATES, count))
    tau = rng.normal(size=(STATES, len(names)))
    return np.ascontiguousarray(np.hstack([signs * at[:, loop], signs * rates[:, loop], tau]))


def pinocchio(model: Model) -> Callable[[Array, Array, Array], Array] | None:
    """constraintDynamics of the same chain; None without Pinocchio."""
    try:
        import pinocchio as pin
    except ImportError:
        return None
    theirs = pin.Model()
    numbers = mechanism(model)
    theirs.gravity.linear = numbers.gravity
    joints = []
    for k, link in enumerate(numbers.links):
        placement = pin.SE3(link.rotation, link.offset)
        parent = 0 if link.parent < 0 else joints[link.parent]
        joints.append(theirs.addJoint(parent, pin.JointModelRZ(), placement, f"joint{k}"))
        body = pin.Inertia(link.mass, link.center, link.tensor)
        theirs.appendBodyToJoint(joints[-1], body, pin.SE3.Identity())
    at = {joint.child: joints[k] for k, joint in enumerate(model.tree())}
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for joint in model.cuts():
        sides = [
            (at[body], pin.SE3(np.eye(3), np.array([float(x) for x in place.xyz])))
            for body, place in (
                (joint.parent, joint.placement),
                (joint.child, joint.child_placement),
            )
        ]
        (first, near), (second, far) = sides
        contact = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, theirs, first, near, second, far, pin.ReferenceFrame.LOCAL
        )
        contacts.append(contact)
        datas.append(contact.createData())
    data = theirs.createData()
    pin.initConstraintDynamics(theirs, data, contacts, datas)
    settings = pin.ProximalSettings(1e-12, 1e-9, 3)

    def call(q: Array, u: Array, tau: Array) -> Any:
        return pin.constraintDynamics(theirs, data, q, u, tau, contacts, datas, settings)

    return call


def python_time(call: Callable[[Array, Array, Array], Array], packed: Array) -> float:
    """Median nanoseconds a call from Python, thread CPU time."""
    parts = [tuple(np.split(row, 3)) for row in packed]
    rounds = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for q, u, tau in parts:
            call(q, u, tau)
        rounds.append((time.thread_time() - start) / len(parts))
    return 1e9 * float(np.median(rounds))


def main(loops: tuple[int, ...]) -> None:
    """Print the table."""
    pin_to_one_core()
    counts, times = [], []
    print("| loops | speeds | operations | a loop | derive [s] | compile [s] | code [kB] | "
          "ns a call | Pinocchio from Python, ns |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        timer = Timer(Path(folder) / "timer")
        for number in loops:
            model = four_bar_chain(number)
            contender = ours(model, "forward_dynamics", Path(folder) / str(number))
            size = len(model.speeds)
            packed = states(model)
            peer, beside = pinocchio(model), "-"
            if peer is not None:
                values = contender.values(packed, size)
                theirs = np.array([peer(*np.split(row, 3)) for row in packed])
                error = np.abs(values - theirs).max() / np.abs(theirs).max()
                beside = f"disagrees: {error:.1e}"
                if error < _AGREE:
                    beside = f"{python_time(peer, packed):.0f}"
            (timing,) = timer.race([contender], packed, size)
            counts.append(contender.operations or 0)
            times.append(timing.median)
            print(
                f"| {number} | {size} | {counts[-1]} | {counts[-1] / number:.0f} | "
                f"{contender.derive or 0:.2f} | {contender.compile or 0:.1f} | "
                f"{(contender.code or 0) / 1e3:.0f} | {timing.median:.0f} "
                f"({timing.low:.0f}-{timing.high:.0f}) | {beside} |",
                flush=True,
            )
    fitted = [k for k, number in enumerate(loops) if number >= _LEAST_FITTED]
    if len(fitted) > 1:
        logs = np.log([loops[k] for k in fitted])
        for what, values in (("operations", counts), ("time", times)):
            slope = np.polyfit(logs, np.log([values[k] for k in fitted]), 1)[0]
            print(f"\nfitted exponent of the {what}: {slope:.3f}")


if __name__ == "__main__":
    main(tuple(int(number) for number in sys.argv[1:]) or LOOPS)
