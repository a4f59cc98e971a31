"""Predictive control: linear chains with bounds, real-time iterations of a cart-pole.

Expected values: closed forms, condensed quadratic programs solved by DAQP and OSQP, and the
real-time iterations of acados with HPIPM and of NumPy with DAQP.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import emit_mpc, sampled_loop
from eomc.runtime import simulate
from eomc.runtime.control import Sampled
from eomc.runtime.optimal import OptimalControl, ocp
from eomc.runtime.predictive import MPC
from eomc_published.boards import qemu
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.control.subjects import compiled, described

PERIOD, UPRIGHT = 0.05, np.array([0, np.pi, 0, 0])
WEIGHTS, EFFORT = np.array([1, 10, 0.1, 0.1]), 0.01
START = np.array([0, np.pi - 0.3, 0, 0])
FORCE, SPEED = {"v": (-0.5, 0.5)}, {"speed(p)": (-0.4, 0.4)}


def linear(bounds: Mapping[str, Any], nodes: int = 20, **options: Any) -> MPC:
    """x = (p, y, p', y'), p'' = v, y'' = -4 y - v, samples of 0.1 s."""
    h = 0.1
    weights = {"p": 1.0, "speed(p)": 0.1, "y": 1.0, "speed(y)": 0.1, "v": 0.01}
    cost = {name: w / (2 * h) for name, w in weights.items()}
    problem = ocp(compiled("chain"), h * nodes, nodes, {}, cost=cost, bounds=bounds)
    return MPC(problem, linear=True, terminal="lqr", **options)


def upright(bound: float | None = 12.0) -> OptimalControl:
    """A cart-pole that is to stand, from 0.3 rad aside, over 1 s."""
    weights = dict(zip(("slider", "sway", "speed(slider)", "speed(sway)"), WEIGHTS, strict=True))
    cost: dict[str, Any] = {name: w / (2 * PERIOD) for name, w in weights.items()}
    cost |= {"sway": (cost["sway"], np.pi), "tau(slider)": EFFORT / (2 * PERIOD)}
    bounds = {} if bound is None else {"tau(slider)": (-bound, bound)}
    return ocp(
        compiled("cart_pole"), 1.0, 20, {"sway": np.pi - 0.3}, controls=["tau(slider)"],
        cost=cost, bounds=bounds,
    )  # fmt: skip


def _moved(law: MPC, x: Array, v: Array) -> Array:
    """The plant's next state: the linear model, or a step of the mechanism."""
    if law.spec["linear"]:
        return np.asarray(law.spec["linear"]["a"] @ x + law.spec["linear"]["b"] @ v)
    q, u = law.model.rk4_step(x[:2], x[2:], v, law.period)
    return np.concatenate([q, u])


def _loop(law: MPC, x: Array, samples: int) -> tuple[Array, Array]:
    """States (samples + 1, 4) and what the controller gave (samples,)."""
    sample, states, given = law.begin(), [np.asarray(x, dtype=float)], []
    for _ in range(samples):
        v = sample(states[-1][:2], states[-1][2:])
        given.append(v[0])
        states.append(_moved(law, states[-1], v))
    return np.array(states), np.array(given)


def _cost(states: Array, forces: Array) -> float:
    """Sum of weighted squares of the states that are sampled and of the forces."""
    x = states[:-1] - UPRIGHT
    return float(np.sum(x * x @ WEIGHTS) + EFFORT * np.sum(forces**2))


def case_20() -> Iterator[CaseCheck]:
    gain = np.array([6.743238605247, -7.914255284999, 6.687111467892, 0.506047657359])
    states = np.random.default_rng(20).normal(size=(5, 4))
    for nodes in (1, 5, 20):
        law = linear({}, nodes)
        found = [law.begin()(x[:2], x[2:])[0] for x in states]
        yield agrees(f"N = {nodes}: v = -K x", -states @ gain, found, 1e-11)
    trace = np.trace(law.spec["final_weight"])
    yield agrees("trace of P", 27.516981330366, trace, 1e-11)


def case_21() -> Iterator[CaseCheck]:
    order = [0, 2, 1, 3]  # p, p', y, y'
    start = np.array([1, 0.2, 0, 0])
    x, v = _loop(linear(FORCE), start, 60)
    tenth = (0.75, -0.5, 0.093788987259, -0.136394614024)
    last = (0.017547881203, -0.022620828088, -0.007635150578, -0.022137768569)
    yield agrees("|v| <= 0.5: state after 10 samples", tenth, x[10, order], 1e-8)
    yield agrees("after 60", last, x[60, order], 1e-8)
    yield agrees("sum of v^2", 4.810657908870, np.sum(v**2), 1e-8)
    x, v = _loop(linear(FORCE | SPEED), start, 60)
    tenth = (0.76, -0.4, 0.083921611509, -0.233749199601)
    yield agrees("|p'| <= 0.4 too: after 10 samples", tenth, x[10, order], 1e-8)
    yield agrees("sum of v^2", 3.447179494505, np.sum(v**2), 1e-8)
    law = MPC(upright(), terminal="lqr")
    times, digital = np.linspace(0, 3, 61), Sampled(law, PERIOD)
    loop = sampled_loop(described("cart_pole"), digital)
    in_c = loop.run({"sway": START[1]}, t_span=times, step=PERIOD)
    options: dict[str, Any] = {"method": "rk4", "step": PERIOD, "controller": digital}
    here = simulate(law.model, {"sway": START[1]}, t_span=times, **options)
    same = bool((in_c.q == here.q).all() and (in_c.tau == here.tau).all())
    yield holds("compiled loop and simulate", "the same bits", str(same), same)


def case_22() -> Iterator[CaseCheck]:
    x, v = _loop(MPC(upright(), terminal="lqr"), START, 40)
    known = {
        1: (12.0, 0.013626204776, 2.860478398171, 0.545896935384, 0.760974609121),
        2: (11.10074917316, 0.053652309499, 2.916660949875, 1.057442063601, 1.502093564075),
        5: (-2.475654949100, 0.228376160474, 3.141203700775, 1.075193084293, 1.213836081514),
        10: (-3.076068727051, 0.388158781400, 3.269270884271, 0.246847740346, 7.874464358e-4),
        20: (-0.416654976852, 0.339345998789, 3.181941079793, -0.267488215464, -0.160913563384),
        40: (0.257018253120, 0.087921408742, 3.123551191347, -0.169311997832, -2.7131056e-4),
    }
    for sample, expected in known.items():
        got = [v[sample - 1], *x[sample]]
        yield agrees(f"sample {sample}: v, then x", expected, got, 1e-9)
    yield agrees("cost of 40 samples", 12.601679410681, _cost(x, v), 1e-9)
    x, v = _loop(MPC(upright(), terminal="lqr", tolerance=1e-8), START, 40)
    yield agrees("tolerance 1e-8: cost", 12.601679410681, _cost(x, v), 1e-3)
    x, v = _loop(MPC(upright(None), terminal="lqr"), START, 40)
    yield agrees("without bound: first v", 16.335975356871, v[0], 1e-9)
    yield agrees("without bound: cost", 12.054965581538, _cost(x, v), 1e-9)
    law = MPC(upright(), terminal="lqr", iterations=12).begin()
    yield agrees("12 iterations: first v", 12.0, law(START[:2], START[2:])[0], 1e-9)
    planned = (11.115368293732, 3.888399608342, -0.218286749437)
    yield agrees("then, as planned", planned, law.plan()[1][:3, 0], 1e-9)


def case_23() -> Iterator[CaseCheck]:
    rng = np.random.default_rng(23)
    states = UPRIGHT + rng.normal(size=(10_000, 4)) * (0.5, 0.5, 2.0, 2.0)
    sample, most, wrong, unbounded = MPC(upright(), terminal="lqr").begin(), 0, 0, 0
    for x in states:
        sample.restart()
        v = sample.sample(x[:2], x[2:])[0]
        most = max(most, sample.iterations)
        wrong += sample.code not in ("OK", "not_converged")
        unbounded += not abs(v) <= 12.0
    yield at_most("iterations of the quadratic program", most, 30)
    yield at_most("samples of other codes", wrong, 0)
    for x in states:  # leaps of the state, after which the trajectory may begin anew
        unbounded += not abs(sample.sample(x[:2], x[2:])[0]) <= 12.0
    yield at_most("forces beyond the bound", unbounded, 0)
    for _ in range(2):
        sample.sample(START[:2], START[2:])
    yield holds("then the second sample of one state", "OK", sample.code, sample.code == "OK")


def case_24() -> Iterator[CaseCheck]:
    late = np.array([1, 0.2]), np.array([0.6, 0])
    sample = linear(FORCE | SPEED).begin()
    sample.sample(*late)
    label = f"{sample.code} at node {sample.failed[0]}, {sample.failed[1]}"
    known = "infeasible at node 1, speed(p)"
    yield holds("p' = 0.6", known, label, label == known)
    for rho in (100.0, 1000.0):
        sample = linear(FORCE | SPEED, soft={"speed(p)": rho}).begin()
        sample.sample(*late)
        excess = sample.plan()[0][:4, 2] - 0.4
        yield agrees(f"soft, rho = {rho:g}: violations", (0.15, 0.1, 0.05, 0.0), excess, 1e-8)
    _, hard = _loop(linear(FORCE | SPEED), np.array([1, 0.2, 0, 0]), 10)
    _, soft = _loop(linear(FORCE | SPEED, soft={"speed(p)": 1.0}), np.array([1, 0.2, 0, 0]), 10)
    yield agrees("rho above the largest multiplier: as the hard bound", hard, soft, 1e-8)


def case_25() -> Iterator[CaseCheck]:
    law = MPC(upright(), terminal="lqr")
    one, other, alone = law.begin(), law.begin(), law.begin()
    x, y, known, apart = START, UPRIGHT + 0.1, [], []
    for k in range(20):
        v, w = one(x[:2], x[2:]), other(y[:2], y[2:])
        known.append(v[0])
        apart.append(alone(x[:2], x[2:])[0])
        x, y = _moved(law, x, v), _moved(law, y, w)
        if k == 9:
            for q in ([np.nan, 1.0], [np.inf, 1.0]):
                lost = one.sample(q, x[2:])[0]
                safe = one.code == "not_finite" and abs(lost) <= 12.0
                yield holds("not finite", "a code and a safe force", f"{lost:.4g}", safe)
    yield agrees("two controllers, one disturbed, as one alone", apart, known, 0.0)


_MAIN = """
#include "board.h"
#include "mpc.h"

static void put(double number)
{{
    union {{ double number; unsigned long long bits; }} each;
    each.number = number;
    say_number(each.bits, 16);
    say(" ");
}}

static mpc_state state;
static double x[4] = {{{start}}}, rest[2], upright[2] = {{{upright}}}, tau[2];
static int code;

static void sample(void)
{{
    code = mpc_step(&state, x, &x[2], upright, rest, tau);
}}

int main(void)
{{
    unsigned most = 0;
    mpc_init(&state);
    for (int k = 0; k < 40; k++) {{
        double next[4];
        const unsigned stack = stack_of(sample);
        most = stack > most ? stack : most;
        {step}(x, &x[2], tau, {period}, next, &next[2]);
        put(tau[0]);
        for (int i = 0; i < 4; i++) {{
            x[i] = next[i];
            put(code == 0 ? x[i] : -1.0);
        }}
        say("\\n");
    }}
    say_number(most, 10);
    return 0;
}}
"""


def case_27() -> Iterator[CaseCheck]:
    law = MPC(upright(), terminal="lqr")
    x, v = _loop(law, START, 40)
    with tempfile.TemporaryDirectory() as place:
        folder = emit_mpc(law, Path(place) / "mpc")
        header = (folder / "mpc.h").read_text(encoding="utf-8")
        text = _numbers(folder, _MAIN, "double")
        (folder / "main.c").write_text(text, encoding="utf-8")
        program = qemu.build(qemu.M7, folder, ("mpc.c", "main.c"), "-O2")
        code, said = qemu.run(qemu.M7, program)
    yield holds("the board", "0", str(code), code == 0)
    *rows, stack = said.splitlines()
    bits = [[int(word, 16) for word in row.split()] for row in rows]
    there = np.array(bits, dtype=np.uint64).view(np.float64)
    here = np.hstack([v[:, None], x[1:]])
    same = bool(there.shape == here.shape and (there == here).all())
    yield holds("40 samples on a Cortex-M7 and here", "the same bits", str(same), same)
    stated = int(re.findall(r"Stack: at most (\d+) bytes", header)[-1])
    yield at_most("bytes of stack, those of the header", int(stack), stated)


_SINGLE = """
#include <stdio.h>
#include "mpc.h"

int main(void)
{{
    static mpc_state state;
    float x[4] = {{{start}}}, rest[2] = {{0}}, upright[2] = {{{upright}}};
    printf("%zu\\n", sizeof state);
    mpc_init(&state);
    for (int k = 0; k < 40; k++) {{
        float tau[2], next[4];
        const int code = mpc_step(&state, x, &x[2], upright, rest, tau);
        {step}(x, &x[2], tau, (float){period}, next, &next[2]);
        for (int i = 0; i < 4; i++) {{
            x[i] = next[i];
        }}
        printf("%.9g\\n", code == 0 ? (double)tau[0] : 1e9);
    }}
    return 0;
}}
"""


def _numbers(folder: Path, text: str, real: str) -> str:
    """A program around the emitted controller, its symbols and numbers filled in."""
    step = json.loads((folder / "mpc.json").read_text())["functions"]["rk4_step"]["symbol"]
    rows = {"start": START, "upright": UPRIGHT[:2]}
    label = {k: ", ".join(f"({real}){x!r}" for x in row.tolist()) for k, row in rows.items()}
    return text.format(step=step, period=PERIOD, **label)


def case_26() -> Iterator[CaseCheck]:
    law = MPC(upright(), terminal="lqr")
    with tempfile.TemporaryDirectory() as place:
        folder = emit_mpc(law, Path(place) / "mpc", real="float")
        header = (folder / "mpc.h").read_text(encoding="utf-8")
        text = _numbers(folder, _SINGLE, "float")
        (folder / "main.c").write_text(text, encoding="utf-8")
        strict = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-O2")
        command = ["gcc", *strict, "mpc.c", "main.c", "-lm", "-o", "single"]
        made = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
        yield holds("the compiler, with warnings as errors", "", made.stderr, not made.returncode)
        ran = subprocess.run(["./single"], cwd=folder, check=True, capture_output=True, text=True)
        names = subprocess.run(["nm", "-u", "single"], cwd=folder, check=True, capture_output=True)
    size, *forces = map(float, ran.stdout.split())
    stated = int(re.findall(r"State of the controller: (\d+) bytes", header)[0])
    yield agrees("bytes of the state, in single precision", stated, size, 0.0)
    yield at_most("these bytes", size, 10_000)
    uses = any(word in names.stdout.decode() for word in ("alloc", "free"))
    yield holds("memory", "none is asked for", str(uses), not uses)
    _, known = _loop(law, START, 40)
    yield agrees("forces of 40 samples, as in double precision", known, forces, 1e-3)


def case_28() -> Iterator[CaseCheck]:
    known = {0.0: (12.708006722, 12.708006722), 0.02: (16.241108497, 15.586489274),
             0.04: (24.856947831, 19.581333517)}  # fmt: skip
    for delay, costs in known.items():
        for predicted, cost in zip((0.0, delay), costs, strict=True):
            law = MPC(upright(), terminal="lqr", delay=predicted)
            run = simulate(
                law.model, {"sway": START[1]}, t_span=np.linspace(0, 3, 61), method="rk4",
                step=PERIOD, controller=Sampled(law, PERIOD, delay=delay),
            )  # fmt: skip
            x, sample = np.hstack([run.q, run.u]), law.begin()
            forces = np.array([sample(y[:2], y[2:])[0] for y in x[:-1]])
            label = f"{1e3 * delay:g} ms, {'predicted' if predicted else 'not predicted'}: cost"
            yield agrees(label, cost, _cost(x, forces), 1e-8)


def _case(number: int, title: str, check: Any, **options: Any) -> Case:
    source = "Rawlings, Mayne and Diehl, Model Predictive Control (2017)"
    return Case(number, title, source, "quadratic programs of other solvers", check,
                provenance="reconstructed", **options)  # fmt: skip


CASES = (
    _case(20, "predictive control without bounds is the regulator", case_20),
    _case(21, "a linear chain with bounded force and speed", case_21),
    _case(22, "real-time iterations of a cart-pole", case_22),
    _case(23, "ten thousand states", case_23),
    _case(24, "bounds that cannot be met, and soft ones", case_24),
    _case(25, "measurements that are not finite, two controllers", case_25),
    _case(26, "memory of the controller", case_26),
    _case(27, "the same samples on a Cortex-M7", case_27, slow=True, unavailable=qemu.MISSING),
    _case(28, "forces that act late", case_28),
)
