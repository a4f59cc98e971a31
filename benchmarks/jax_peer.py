"""Forward dynamics inside JAX: compiled and pure, beside MuJoCo's MJX and Brax on the same robot.

python -m benchmarks --section jax
python -m benchmarks.jax_peer CONTENDER     one of them in a process of its own, as JSON

XLA fuses MJX's and Brax's chains of quaternion products so that each is computed again and again,
which makes them hundreds of times slower on a CPU; every contender is therefore also measured
without that pass, and the faster of the two counts.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import eomc
from benchmarks.cases import panda
from benchmarks.contender import Array, Unavailable
from benchmarks.mechanism import mechanism
from benchmarks.mujoco_peer import mjcf
from benchmarks.section import Section, Target
from benchmarks.timing import all_cores

STATES = 1024
TOLERANCE = 1e-9
_ROUNDS = 11
_FUSED = {"fused": "", "no fusion": "--xla_disable_hlo_passes=fusion"}

Dynamics = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class InJax:
    """Median seconds to trace and compile a batch of STATES, then microseconds a state."""

    contender: str
    passes: str
    compiling: float
    state: float


def _compiled(model: eomc.Model) -> Dynamics:
    module = eomc.build(model, functions=["forward_dynamics"], march_native=True, name="in_jax")
    return module.jax("forward_dynamics")  # type: ignore[no-any-return]


def _pure(model: eomc.Model) -> Dynamics:
    import jax

    return jax.vmap(eomc.equations(model).function("forward_dynamics").to_jax())  # type: ignore[no-any-return]


def _mjx(model: eomc.Model) -> Dynamics:
    """MJX's own steps to M and the bias alone, without what `mjx.forward` does about contacts."""
    import jax
    import mujoco
    from mujoco import mjx
    from mujoco.mjx._src import smooth

    known = mjx.put_model(mujoco.MjModel.from_xml_string(mjcf(mechanism(model))))
    blank = mjx.make_data(known)

    def dynamics(q: Any, u: Any, tau: Any) -> Any:
        data = blank.replace(qpos=q, qvel=u)
        for step in (smooth.kinematics, smooth.com_pos, smooth.crb, smooth.factor_m):
            data = step(known, data)
        data = smooth.rne(known, smooth.com_vel(known, data))
        return smooth.solve_m(known, data, tau - data.qfrc_bias)

    return jax.vmap(dynamics)  # type: ignore[no-any-return]


def _brax(model: eomc.Model) -> Dynamics:
    """Brax's generalized pipeline to M^-1 and the smooth forces, without its contacts."""
    import jax
    from brax import kinematics
    from brax.generalized import dynamics as smooth
    from brax.generalized import mass
    from brax.generalized.base import State
    from brax.io.mjcf import loads

    known = loads(mjcf(mechanism(model)))

    def dynamics(q: Any, u: Any, tau: Any) -> Any:
        state = State.init(q, u, *kinematics.forward(known, q, u))
        state = mass.matrix_inv(known, smooth.transform_com(known, state), 0)
        return state.mass_mx_inv @ smooth.forward(known, state, tau)

    return jax.vmap(dynamics)  # type: ignore[no-any-return]


_CONTENDERS: dict[str, Callable[[eomc.Model], Dynamics]] = {
    "eomc, compiled": _compiled,
    "eomc, pure jnp": _pure,
    "MJX": _mjx,
    "Brax": _brax,
}
_NEEDS = {"MJX": "mujoco.mjx", "Brax": "brax"}


def _measured(contender: str) -> dict[str, Any]:
    """In this process: compile, compare with the native module, time."""
    import jax

    jax.config.update("jax_enable_x64", True)
    model = panda()
    size = len(model.speeds)
    states = np.random.default_rng(size).uniform(-1.5, 1.5, size=(3, STATES, size))
    function = jax.jit(_CONTENDERS[contender](model))
    given = [jax.numpy.asarray(x) for x in states]
    start = time.perf_counter()
    ready = function.lower(*given).compile()
    compiling = time.perf_counter() - start
    native = eomc.build(model, functions=["forward_dynamics"], march_native=True, name="in_jax")
    expected = native.forward_dynamics(*states)
    error = _error(np.asarray(ready(*given)), expected)
    if not error < TOLERANCE:
        raise ArithmeticError(f"{contender} is off by {error:.1e}; not timed")
    rounds = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        ready(*given).block_until_ready()
        rounds.append(time.perf_counter() - start)
    return {"compiling": compiling, "state": 1e6 * float(np.median(rounds)) / STATES}


def _error(values: Array, expected: Array) -> float:
    return float(np.abs(values - expected).max() / np.abs(expected).max())


def _in_process(contender: str, passes: str) -> InJax | None:
    """In a process of its own, because XLA reads its flags once; None if it does not get there."""
    command = [sys.executable, "-m", "benchmarks.jax_peer", contender]
    surroundings = os.environ | {"XLA_FLAGS": _FUSED[passes], "JAX_PLATFORMS": "cpu"}
    ended = subprocess.run(
        command, env=surroundings, capture_output=True, text=True, check=False, timeout=600
    )
    if ended.returncode:
        print(f"{contender} left out: {ended.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    return InJax(contender, passes, **json.loads(ended.stdout.splitlines()[-1]))


def _is_there(contender: str) -> bool:
    module = _NEEDS.get(contender, "jax")
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def section() -> Section:
    """All contenders that are installed, each with the flags that suit it."""
    if not _is_there("eomc, compiled"):
        raise Unavailable("install jax, mujoco-mjx and brax for the functions inside JAX")
    rows: list[InJax] = []
    with all_cores():
        for contender in filter(_is_there, _CONTENDERS):
            tried = [_in_process(contender, passes) for passes in _FUSED]
            found = [row for row in tried if row is not None]
            rows += [min(found, key=lambda row: row.state)] if found else []
    by_name = {row.contender: row for row in rows}
    ours = by_name["eomc, compiled"]
    return Section(
        "Inside JAX",
        f"`python -m benchmarks --section jax`: forward dynamics of the Panda for {STATES} states "
        "in one call, `jit` of a batch on the CPU in double precision, all cores, each contender "
        "in a process of its own, wall-clock time. MJX and Brax run their own steps to the "
        "acceleration without contacts; everybody with XLA's fusion or without, whichever is "
        "faster; all agree to 1e-9.",
        ("contender", "XLA", "trace and compile, s", "a state, µs", "times eomc"),
        [
            (
                row.contender,
                row.passes,
                f"{row.compiling:.2f}",
                f"{row.state:.3g}",
                f"{row.state / ours.state:.3g}",
            )
            for row in rows
        ],
        [asdict(row) for row in rows],
        targets=[
            Target(
                f"Panda in JAX: forward dynamics, times {name}",
                by_name[name].state / ours.state,
                10,
            )
            for name in _NEEDS
            if name in by_name
        ],
    )


if __name__ == "__main__":
    print(json.dumps(_measured(sys.argv[1])))
