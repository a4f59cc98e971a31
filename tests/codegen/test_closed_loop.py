"""Closed loops in emitted C, run by a host program, against the controllers of the runtime."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from small_models.mechanisms import driven_arm
from small_programs.c_library import COMPILERS, WARNINGS, compile_c

import eomc
from eomc.codegen import EmissionError, Sources, emit, write
from eomc.derive.graph import Argument, Function, Graph, Program
from eomc.runtime.control import (
    LQR,
    PD,
    Combined,
    ComputedTorque,
    FeedbackLinearization,
    StateFeedback,
)

pytestmark = pytest.mark.variants

STEP, STEPS = 0.01, 120
LAWS = ("pd", "pd_with_gravity", "computed_torque", "state_feedback")

HOST = """
#include <stdio.h>
#include "{m}.h"
{arrays}
int main(void)
{{
    {m}_real q[] = {q}, u[] = {u}, tau[{nu}];
    {parameters}
    for (int i = 0; i < {steps}; i++) {{
        const int status = {symbol}(q, u, {arguments}{step}, tau);
        if (status != {M}_OK) {{
            fprintf(stderr, "%s\\n", {m}_status_name(status));
            return status;
        }}
        for (int k = 0; k < {nq}; k++) printf("%.17g ", q[k]);
        for (int k = 0; k < {nu}; k++) printf("%.17g ", u[k]);
        for (int k = 0; k < {nu}; k++) printf("%.17g ", tau[k]);
        printf("\\n");
    }}
    return 0;
}}
"""


def braces(values: ArrayLike) -> str:
    return "{" + ", ".join(float(x).hex() for x in np.ravel(values)) + "}"


def run_host(
    folder: Path, sources: Sources, law: str, q: ArrayLike, u: ArrayLike, **values: Any
) -> list[np.ndarray]:
    """q, u and tau after each step of the emitted closed loop."""
    m, content = sources.name, json.loads(sources[f"{sources.name}.json"])
    (loop,) = [loop for loop in content["closed_loops"] if loop["law"] == law]
    assert loop["inputs"][:2] == ["q", "u"]
    names = [name for name in loop["inputs"][2:] if name != "t"]
    rows = [np.ravel(values[name]) for name in names]
    arrays = [
        f"static const {m}_real {name}_[] = {braces(row)};"
        for name, row in zip(names, rows, strict=True)
    ]
    arguments = [f"{name}_" for name in names]
    parameters = ""
    if content["parameters"]:
        parameters = f"const {m}_parameters p = {m}_default_parameters();"
        arguments.append("&p")
    if "t" in loop["inputs"]:
        arguments.append(f"0.5 + i*{STEP!r}")
    text = HOST.format(
        m=m,
        M=m.upper(),
        arrays="\n".join(arrays),
        q=braces(q),
        u=braces(u),
        nq=np.size(q),
        nu=np.size(u),
        parameters=parameters,
        steps=STEPS,
        symbol=loop["symbol"],
        arguments="".join(f"{argument}, " for argument in arguments),
        step=repr(STEP),
    )
    write(sources, folder)
    (folder / "host.c").write_text(text)
    compile_c(folder, ["host.c", *sources.c_files], "host", "gcc", *WARNINGS, "-Wshadow", "-O2")
    result = subprocess.run(["./host"], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    table = np.array([row.split() for row in result.stdout.splitlines()], dtype=float)
    return np.split(table, [np.size(q), np.size(q) + np.size(u)], axis=1)


def agree(host: list[np.ndarray], run: eomc.Trajectory) -> None:
    q, u, tau = host
    np.testing.assert_allclose(q, run.q[1:], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(u, run.u[1:], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tau, run.tau[:-1], rtol=1e-12, atol=1e-11)
    assert np.ptp(run.q, axis=0).max() > 0.1


def satellite() -> eomc.Model:
    """A floating body with a jointed panel, in a weight that can be tuned."""
    model = eomc.Model("satellite", gravity=(0, 0, "-g"))
    model.parameter("g", 0.7, tunable=True)
    model.body("hub", mass=3.0, com=(0.1, 0, 0.05), inertia=(1.0, 1.3, 0.9))
    model.joint("base", "floating", parent="world", child="hub")
    model.body("panel", mass=0.5, com=(0, 0.6, 0), inertia=(0.1, 0.02, 0.1))
    place = eomc.Placement(xyz=(0, 0.4, 0))
    model.joint("hinge", "revolute", parent="hub", child="panel", axis=(1, 0, 0), placement=place)
    return model


@pytest.fixture(scope="module")
def body() -> tuple[eomc.CompiledModel, Sources]:
    model = satellite()
    built = eomc.build(model)
    return built, emit(eomc.equations(model).program([*built.functions, *LAWS]))


def controllers(model: eomc.CompiledModel, goal: np.ndarray) -> dict[str, Any]:
    rng = np.random.default_rng(4)
    kp, kd = rng.uniform(2, 8, (2, model.nu))
    values = {"kp": kp, "kd": kd, "q_d": goal, "u_d": np.zeros(model.nu), "a_d": np.zeros(model.nu)}
    on: dict[str, Any] = {"actuators": "all"}
    lqr = LQR(model, goal, 1.0, 0.2, **on)
    feedback = {"K": lqr.gain, "tau_d": lqr.forces} | values
    return {
        "pd": (PD(model, goal, kp, kd, **on), values),
        "pd_with_gravity": (PD(model, goal, kp, kd, gravity=True, **on), values),
        "computed_torque": (ComputedTorque(model, goal, kp, kd, **on), values),
        "state_feedback": (lqr, feedback),
    }


@pytest.mark.parametrize("law", LAWS)
def test_laws_of_all_speeds(
    body: tuple[eomc.CompiledModel, Sources], tmp_path: Path, law: str
) -> None:
    model, sources = body
    rng = np.random.default_rng(2)
    q, goal = model.random_configuration(rng, 2)
    u = rng.uniform(-1, 1, model.nu)
    controller, values = controllers(model, goal)[law]
    run = eomc.simulate(model, q, u, STEP * STEPS, step=STEP, method="rk4", controller=controller)
    agree(run_host(tmp_path, sources, law, run.q[0], u, **values), run)


def test_inputs_time_and_prescribed_motion_pass_through(tmp_path: Path) -> None:
    model = driven_arm()
    model.generalized_force("tide", "arm", "0.3*sin(4*t)")
    built = eomc.build(model)
    sources = emit(eomc.equations(model).program([*built.functions, "computed_torque"]))
    known = {"inputs": {"thrust": 0.4}, "prescribed": {"table": 0.3}}
    law = ComputedTorque(built, {"arm": 1.0}, 9.0, 5.0, **known)
    t = 0.5 + STEP * np.arange(STEPS + 1)
    run = eomc.simulate(built, t_span=t, method="rk4", controller=law, **known)
    host = run_host(
        tmp_path,
        sources,
        "computed_torque",
        run.q[0],
        run.u[0],
        q_d=[1.0],
        u_d=[0.0],
        a_d=[0.0],
        kp=[9.0],
        kd=[5.0],
        r=[0.4],
        s=[0.3],
        s_rate=[0.0],
        s_acceleration=[0.0],
    )
    agree(host, run)


def chain() -> eomc.Model:
    """Four links in a plane, two of them driven, springs in the other joints."""
    model = eomc.Model("chain")
    parent = "world"
    for k in range(1, 5):
        model.body(f"link{k}", mass=1.0, com=(0.2, 0, 0), inertia=(0.01, 0.01, 0.02))
        place = eomc.Placement(xyz=(0 if k == 1 else 0.4, 0, 0))
        model.joint(
            f"joint{k}",
            "revolute",
            parent=parent,
            child=f"link{k}",
            axis=(0, 1, 0),
            placement=place,
        )
        parent = f"link{k}"
    for k in (2, 4):
        model.joint_spring(f"spring{k}", joint=f"joint{k}", stiffness=20.0, damping=0.1)
    for k in (1, 3):
        model.servo_constraint(f"joint{k}")
    return model


@pytest.fixture(scope="module")
def arm() -> tuple[eomc.CompiledModel, Sources]:
    model = chain()
    laws = ["feedback_linearization", "combined_feedback"]
    built = eomc.build(model)
    return built, emit(eomc.equations(model).program([*built.functions, *laws]))


GOAL, KP, KD = [0.4, 0.0, -0.5, 0.0], [30.0, 0.0, 50.0, 0.0], [9.0, 0.0, 14.0, 0.0]
START = [0.1, 0.05, 0.2, -0.1]
MOTION: Mapping[str, ArrayLike] = {
    "q_d": GOAL,
    "u_d": np.zeros(4),
    "a_d": np.zeros(4),
    "kp": KP,
    "kd": KD,
}


def linearizing(model: eomc.CompiledModel, *joints: int) -> FeedbackLinearization:
    places = [k - 1 for k in joints]
    motion = {f"joint{k}": GOAL[k - 1] for k in joints}
    return FeedbackLinearization(model, motion, np.take(KP, places), np.take(KD, places))


@pytest.mark.parametrize("active", [(1, 1), (1, 0), (0, 1)])
def test_feedback_linearization(
    arm: tuple[eomc.CompiledModel, Sources], tmp_path: Path, active: tuple[int, int]
) -> None:
    model, sources = arm
    joints = [k for k, on in zip((1, 3), active, strict=True) if on]
    controller = linearizing(model, *joints)
    load = np.array([0.0, 0.2, -0.3, 0.1])

    def law(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        return load + controller.torque(t, q, u, known=load)

    run = eomc.simulate(model, START, t_span=STEP * STEPS, step=STEP, method="rk4", controller=law)
    host = run_host(
        tmp_path,
        sources,
        "feedback_linearization",
        START,
        np.zeros(4),
        tau=load,
        active=active,
        **MOTION,
    )
    agree(host, run)


def test_combined_feedback_before_and_after_the_switch(
    arm: tuple[eomc.CompiledModel, Sources], tmp_path: Path
) -> None:
    model, sources = arm
    gain = np.zeros((4, 8))
    gain[2] = [0.0, 0.3, 5.0, 0.2, 0.0, 0.05, 0.6, 0.02]
    regulator = StateFeedback(model, gain[[2]], GOAL, actuators=["joint3"], forces=[0.8])
    maneuver, hold = linearizing(model, 1, 3), linearizing(model, 1)
    tau_d = [0.0, 0.0, 0.8, 0.0]
    for number, (switch, k, forces, active) in enumerate(
        [(1e9, 0 * gain, np.zeros(4), (1, 1)), (0.0, gain, tau_d, (1, 0))]
    ):
        law = Combined(maneuver, hold, regulator, switch)
        run = eomc.simulate(
            model, START, t_span=STEP * STEPS, step=STEP, method="rk4", controller=law
        )
        host = run_host(
            tmp_path / str(number),
            sources,
            "combined_feedback",
            START,
            np.zeros(4),
            K=k,
            tau_d=forces,
            active=active,
            **MOTION,
        )
        agree(host, run)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_single_precision_compiles_without_warnings(tmp_path: Path, compiler: str) -> None:
    functions = ["forward_dynamics", "coordinate_rates", "normalize", *LAWS]
    sources = emit(eomc.equations(satellite()).program(functions), "float")
    write(sources, tmp_path)
    flags = [*WARNINGS, "-Wshadow", "-Wdouble-promotion", "-Wmissing-prototypes"]
    compile_c(tmp_path, sources.c_files, "model.o", compiler, *flags, "-O1", "-c")


def test_any_function_of_a_program_may_be_a_law() -> None:
    def program(output: str, size: int = 1) -> Program:
        g = Graph()

        def vector(name: str, *names: str) -> Argument:
            return Argument(name, (len(names),), tuple(map(g.symbol, names)))

        q, u, tau = vector("q", "x"), vector("u", "v"), vector("tau", "f")
        (x,), (v,), (f,) = q.entries, u.entries, tau.entries
        law = Argument(output, (size,), (g.neg(g.add(x, v)),) * size)
        functions = (
            Function("coordinate_rates", (q, u), (Argument("q_rate", (1,), (v,)),)),
            Function("forward_dynamics", (q, u, tau), (Argument("a", (1,), (f,)),)),
            Function("brake", (q, u), (law,), feeds="forward_dynamics"),
        )
        return Program("mass", g, functions)

    assert "mass_brake_closed_loop_step" in emit(program("tau"))["mass.c"]
    with pytest.raises(EmissionError, match="'brake' is to feed 'forward_dynamics', but gives"):
        emit(program("force"))
    with pytest.raises(EmissionError, match="'tau' has another size"):
        emit(program("tau", 2))
