"""Closed loops of the flexible manipulator in C, against the runtime's controllers."""

import subprocess
from dataclasses import replace
from functools import cache
from math import radians
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import WARNINGS, compile_c

import eomc
from eomc.codegen import Sources, emit, write
from eomc.runtime.control import LQR, Combined, FeedbackLinearization
from eomc.runtime.control.state_map import StateMap
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import RADIUS, RATE
from eomc_published.caron.controlled import ARM, CONTROLLED, FLEXIBLE, WEIGHTS, gains, rigid

STEP, STEPS = 0.02, 400
MOTION = {"d2": 30.0}
START = {
    "orbit_r": RADIUS,
    "orbit_psi": radians(-89.5),
    "alpha2": radians(50),
    "unit2_length": 10.0,
    "platform_y1": 0.05,
    "unit2_y1": 0.01,
}
GOAL = {"orbit_psi": radians(-90), "alpha2": radians(60), "unit2_length": 11.0}
EMITTED = ("forward_dynamics", "coordinate_rates", "normalize", "neutral", "mass_matrix")

MAIN = """
#include <stdio.h>
{includes}
int main(void)
{{
    double q[PLANT_Q_COUNT] = {q}, u[PLANT_U_COUNT] = {u}, tau[PLANT_U_COUNT] = {{0}};
    const double s[1] = {{30.0}}, zero[1] = {{0.0}};
    {declarations}
    for (int i = 0; i < {steps}; i++) {{
        int status;
        {body}
        for (int k = 0; k < PLANT_Q_COUNT; k++) printf("%.17g ", q[k]);
        for (int k = 0; k < PLANT_U_COUNT; k++) printf("%.17g ", u[k]);
        printf("\\n");
    }}
    return 0;
}}
"""


def driven(manipulator: FlexibleManipulator) -> eomc.Model:
    model = manipulator.model()
    for name in CONTROLLED:
        model.servo_constraint(name)
    return model


@cache
def built(manipulator: FlexibleManipulator) -> eomc.CompiledModel:
    return eomc.build(
        driven(manipulator), functions=(*EMITTED, "linearization", "inverse_dynamics", "difference")
    )


def sources(manipulator: FlexibleManipulator, name: str, *laws: str) -> Sources:
    program = eomc.equations(driven(manipulator)).program([*EMITTED[:3], *laws], name=name)
    return emit(program)


def row(names: tuple[str, ...], values: dict[str, float]) -> list[float]:
    return [values.get(name, 0.0) for name in names]


def array(values: object) -> str:
    return "{" + ", ".join(float(x).hex() for x in np.ravel(values)) + "}"


def run_c(folder: Path, parts: list[Sources], declarations: str, body: str) -> np.ndarray:
    """States after each step."""
    model = built(ARM)
    for part in parts:
        write(part, folder)
    text = MAIN.format(
        includes="\n".join(f'#include "{part.name}.h"' for part in parts),
        q=array(row(model.coordinates, START)),
        u=array(row(model.speeds, {"orbit_theta": RATE})),
        declarations=declarations,
        steps=STEPS,
        body=body,
    )
    (folder / "host.c").write_text(text)
    files = ["host.c", *(name for part in parts for name in part.c_files)]
    compile_c(folder, files, "host", "gcc", *WARNINGS, "-O1")
    result = subprocess.run(["./host"], cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return np.array([line.split() for line in result.stdout.splitlines()], dtype=float)


def agree(states: np.ndarray, law: FeedbackLinearization | Combined, tolerance: float) -> None:
    run = eomc.simulate(
        built(ARM),
        START,
        {"orbit_theta": RATE},
        t_span=STEP * STEPS,
        step=STEP,
        method="rk4",
        controller=law,
        prescribed=MOTION,
    )
    expected = np.hstack([run.q, run.u])[1:]
    scale = np.abs(expected).max(axis=0)
    assert (np.abs(states - expected) / scale).max() < tolerance
    # Slewing and deploying, with vibrations.
    assert np.ptp(run["unit2_length"]) > 0.1
    assert np.ptp(run["alpha2_twist"]) > 1e-3


def motion_arrays(model: eomc.CompiledModel, prefix: str) -> str:
    """The desired motion and gains for the emitted laws."""
    kp, kd = (dict(zip(CONTROLLED, each, strict=True)) for each in gains())
    rows = {
        "q_d": row(model.coordinates, GOAL),
        "u_d": row(model.speeds, {}),
        "a_d": row(model.speeds, {}),
        "kp": row(model.speeds, kp),
        "kd": row(model.speeds, kd),
    }
    return "\n    ".join(
        f"const double {prefix}{name}[] = {array(values)};" for name, values in rows.items()
    )


@pytest.mark.slow
def test_the_law_of_a_rigid_model_drives_the_flexible_plant(tmp_path: Path) -> None:
    """Two emitted models in one program, states passed on by the names of coordinates."""
    plant, known = built(ARM), built(rigid(ARM))
    declarations = motion_arrays(known, "") + (
        "\n    double x[RIGID_Q_COUNT], v[RIGID_U_COUNT], force[RIGID_U_COUNT];"
        "\n    const double none[RIGID_U_COUNT] = {0}, active[3] = {1, 1, 1};"
    )
    lines = [
        f"{to}[RIGID_{kind}_{name.upper()}] = {of}[PLANT_{kind}_{name.upper()}];"
        for to, of, kind, names in (
            ("x", "q", "Q", known.coordinates),
            ("v", "u", "U", known.speeds),
        )
        for name in names
    ]
    lines += [
        "status = rigid_feedback_linearization(x, v, none, q_d, u_d, a_d, kp, kd, active, "
        "s, zero, zero, force);",
        "if (status != 0) return status;",
        *(f"tau[PLANT_U_{n.upper()}] = force[RIGID_U_{n.upper()}];" for n in CONTROLLED),
        f"status = plant_rk4(q, u, tau, s, zero, zero, {STEP}, 1);",
        "if (status != 0) return status;",
    ]
    parts = [sources(ARM, "plant"), sources(rigid(ARM), "rigid", "feedback_linearization")]
    states = run_c(tmp_path, parts, declarations, "\n        ".join(lines))
    law = FeedbackLinearization(
        known, GOAL, *gains(), plant=StateMap(plant, known), prescribed=MOTION
    )
    agree(states, law, 1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("switched", [False, True])
def test_combined_law_in_one_step_function(tmp_path: Path, switched: bool) -> None:
    plant = built(ARM)
    floating = built(replace(ARM, gravity=False))
    hold = {name: GOAL[name] for name in ("orbit_psi", "unit2_length")}
    kp, kd = (dict(zip(CONTROLLED, each, strict=True)) for each in gains())

    def linearizing(wanted: dict[str, float]) -> FeedbackLinearization:
        return FeedbackLinearization(
            plant,
            wanted,
            [kp[name] for name in wanted],
            [kd[name] for name in wanted],
            prescribed=MOTION,
        )

    regulator = LQR(
        floating,
        {**GOAL, "orbit_r": RADIUS},
        WEIGHTS,
        1.0,
        speeds=FLEXIBLE,
        actuators=["platform_y1", "alpha2"],
        prescribed=MOTION,
        plant=StateMap(plant, floating),
    )
    law = Combined(linearizing(GOAL), linearizing(hold), regulator, 0.0 if switched else 1e9)
    gain = np.zeros((plant.nu, 2 * plant.nu))
    if switched:
        columns = [plant.speeds.index(name) for name in FLEXIBLE]
        for name, entries in zip(regulator.actuators, regulator.gain, strict=True):
            gain[plant.speeds.index(name), columns + [plant.nu + k for k in columns]] = entries
    active = [1, int(not switched), 1]
    declarations = motion_arrays(plant, "") + (
        f"\n    const double K[] = {array(gain)}, tau_d[PLANT_U_COUNT] = {{0}};"
        f"\n    const double active[] = {array(active)};"
    )
    body = (
        "status = plant_combined_feedback_closed_loop_step(q, u, q_d, u_d, a_d, kp, kd, tau_d, K, "
        f"active, s, zero, zero, {STEP}, tau);\n        if (status != 0) return status;"
    )
    states = run_c(tmp_path, [sources(ARM, "plant", "combined_feedback")], declarations, body)
    agree(states, law, 1e-11)
