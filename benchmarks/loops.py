"""Forward dynamics of a chain of four-bars by its number of loops.

    python -m benchmarks.loops            1, 2, 5, 10, ... 160 loops
    python -m benchmarks.loops 5 10       other numbers

Operations, derivation, compile time and nanoseconds a call at closed configurations (median and
quartiles of interleaved rounds, thread CPU time, one core), and the exponents that a power law fits
from 10 loops on. Instructions grow with the number of loops; but they stand one after another, so
that each call fetches all of them anew as soon as they are more than the first-level instruction
cache holds: time a loop steps up there, once. Beside it Pinocchio's constraintDynamics or lcaba,
whichever is faster, on the same loops up to 40, if it is installed: its wheel as it is, called from
Python with one contact of three rows a loop, of which one is redundant, so that they are
regularized, with 1e-9 and with 1e-6; nothing is timed that does not agree to 1e-6.
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
from benchmarks.section import Section, Target, exponent
from benchmarks.timing import ROUNDS, STATES, Timer, pin_to_one_core
from eomc.derive.model import Model
from eomc.systems.four_bar_chain import four_bar_chain

LOOPS = (1, 2, 5, 10, 20, 40, 80, 160)
_LEAST_FITTED, _AGREE = 10, 1e-6
# Pinocchio's time grows with the cube.
_MOST_OF_PEER = 40
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


Call = Callable[[Array, Array, Array], Array]


def pinocchio(model: Model) -> dict[str, Call]:
    """constraintDynamics and lcaba of the same chain, by name; none without Pinocchio."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    theirs = pin.Model()
    numbers = mechanism(model)
    theirs.gravity.linear = numbers.gravity
    joints: list[int] = []
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
    by_rows, by_joints = theirs.createData(), theirs.createData()
    pin.initConstraintDynamics(theirs, by_rows, contacts, datas)
    pin.computeJointMinimalOrdering(theirs, by_joints, contacts)

    def called(algorithm: Callable[..., Array], data: Any, mu: float) -> Call:
        settings = pin.ProximalSettings(1e-12, mu, 3)
        return lambda q, u, tau: algorithm(theirs, data, q, u, tau, contacts, datas, settings)

    return {
        "constraintDynamics": called(pin.constraintDynamics, by_rows, 1e-9),
        "lcaba": called(pin.lcaba, by_joints, 1e-6),
    }


def python_time(call: Call, packed: Array) -> float:
    """Median nanoseconds a call from Python, thread CPU time."""
    parts = [tuple(np.split(row, 3)) for row in packed]
    rounds = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for q, u, tau in parts:
            call(q, u, tau)
        rounds.append((time.thread_time() - start) / len(parts))
    return 1e9 * float(np.median(rounds))


def measured(loops: tuple[int, ...]) -> list[dict[str, Any]]:
    """Costs by the number of loops; `pinocchio_ns` is None where it is absent or disagrees."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        timer = Timer(Path(folder) / "timer")
        for number in loops:
            model = four_bar_chain(number)
            contender = ours(model, "forward_dynamics", Path(folder) / str(number))
            size = len(model.speeds)
            packed = states(model)
            row: dict[str, Any] = {"loops": number, "speeds": size}
            peers = pinocchio(model) if number <= _MOST_OF_PEER else {}
            found: dict[str, float] = {}
            errors: list[float] = []
            values = contender.values(packed, size) if peers else np.empty(0)
            for name, peer in peers.items():
                theirs = np.array([peer(*np.split(state, 3)) for state in packed])
                errors.append(float(np.abs(values - theirs).max() / np.abs(theirs).max()))
                if errors[-1] < _AGREE:
                    found[name] = python_time(peer, packed)
            best = min(found, key=found.__getitem__, default=None)
            (timing,) = timer.race([contender], packed, size)
            rows.append(
                row
                | {
                    "operations": contender.operations or 0,
                    "derive_s": contender.derive or 0.0,
                    "compile_s": contender.compile or 0.0,
                    "code_kB": (contender.code or 0) / 1e3,
                    "ns": timing.median,
                    "ns_low": timing.low,
                    "ns_high": timing.high,
                    "pinocchio": best,
                    "pinocchio_ns": found[best] if best else None,
                    "difference": min(errors, default=None),
                }
            )
    return rows


def section(loops: tuple[int, ...] = LOOPS) -> Section:
    """The table, and the powers of its growth."""
    rows = measured(loops)
    fitted = [row for row in rows if row["loops"] >= _LEAST_FITTED]
    powers = {}
    if len(fitted) > 1:
        sizes = [row["loops"] for row in fitted]
        powers = {
            words: exponent(sizes, [row[key] for row in fitted])
            for words, key in (("operations", "operations"), ("time", "ns"))
        }
    targets = [
        Target(f"four-bars: power of growth of the {words}", power, 1.1, at_most=True)
        for words, power in powers.items()
    ]
    return Section(
        "Loops",
        "`python -m benchmarks.loops`: forward dynamics of a chain of four-bars by its number, in "
        "C; beside it Pinocchio's `constraintDynamics` or `lcaba`, whichever is faster, from "
        "Python with its wheel as it is, one contact a loop.",
        (
            "loops",
            "speeds",
            "operations",
            "a loop",
            "derive, s",
            "compile, s",
            "kB",
            "ns a call",
            "Pinocchio from Python, ns",
        ),
        [_row(row) for row in rows],
        rows,
        [f"fitted exponent of the {words}: {power:.3f}" for words, power in powers.items()],
        targets,
    )


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    beside = "-" if row["difference"] is None else f"disagrees: {row['difference']:.1e}"
    if row["pinocchio_ns"] is not None:
        beside = f"{row['pinocchio_ns']:.0f}, {row['pinocchio']}"
    return (
        f"{row['loops']}",
        f"{row['speeds']}",
        f"{row['operations']}",
        f"{row['operations'] / row['loops']:.0f}",
        f"{row['derive_s']:.2f}",
        f"{row['compile_s']:.1f}",
        f"{row['code_kB']:.0f}",
        f"{row['ns']:.0f} ({row['ns_low']:.0f}, {row['ns_high']:.0f})",
        beside,
    )


def main(loops: tuple[int, ...]) -> None:
    """Print the table."""
    pin_to_one_core()
    print(section(loops).markdown())


if __name__ == "__main__":
    main(tuple(int(number) for number in sys.argv[1:]) or LOOPS)
