"""A robot from its model file to a compiled, checked, simulated module.

    python examples/demo.py [folder]

Takes the seven-joint Panda arm of `models/panda.toml`, derives its equations of motion, emits and
compiles C, lets the arm swing freely and then moves it under control, and checks along the way what
mechanics demands. Pictures, the emitted C and the table of checks are left in `demo-output/`. Exit
code 1 if any check fails.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from newton_euler import inverse_dynamics as newton_euler
from scipy.integrate import cumulative_simpson

import eomc
from eomc.codegen.compiler import find_compiler

MODEL_FILE = Path(__file__).parent / "models" / "panda.toml"
READY = np.array([0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785])
TARGET = np.array([0.9, 0.3, -0.5, -1.6, 0.4, 2.1, -0.6])
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion")


class Checks:
    """List of checks: name, value got, largest value allowed."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float]] = []

    def at_most(self, name: str, got: float, tolerance: float) -> None:
        """Note a check."""
        self.rows.append((name, float(got), tolerance))

    @property
    def passed(self) -> bool:
        """True if no value exceeds its tolerance (a nan does)."""
        return all(got <= tolerance for _, got, tolerance in self.rows)

    def table(self) -> str:
        """One line a check."""
        lines = [f"{'check':<66} {'got':>9} {'at most':>9}  verdict"]
        for name, got, tolerance in self.rows:
            verdict = "pass" if got <= tolerance else "FAIL"
            lines.append(f"{name:<66} {got:>9.1e} {tolerance:>9.1e}  {verdict}")
        return "\n".join(lines)


def relative(got: np.ndarray, expected: np.ndarray) -> float:
    """Largest deviation, in units of the largest expected entry."""
    return float(np.abs(got - expected).max() / np.abs(expected).max())


def central_difference(function, x: np.ndarray, h: float = 1e-6) -> np.ndarray:
    """Columns d function / d x_k by central differences."""
    columns = [(function(x + h * e) - function(x - h * e)) / (2 * h) for e in np.eye(x.size)]
    return np.stack(columns, axis=-1)


def check_algebra(panda: eomc.CompiledModel, model: eomc.Model, checks: Checks) -> None:
    """Identities at random states, all 1000 in one call each."""
    rng = np.random.default_rng(7)
    q = panda.random_configuration(rng, 1000)
    u, a = rng.normal(size=(2, 1000, panda.nu))
    M, tau = panda.mass_matrix(q), panda.inverse_dynamics(q, u, a)
    checks.at_most("mass matrix: asymmetry, 1000 states", np.abs(M - M.swapaxes(1, 2)).max(), 0.0)
    checks.at_most(
        "mass matrix: negative of the smallest eigenvalue", -np.linalg.eigvalsh(M).min(), 0.0
    )
    checks.at_most(
        "forward dynamics of inverse dynamics: a again",
        relative(panda.forward_dynamics(q, u, tau), a),
        1e-10,
    )
    assembled = np.einsum("nij,nj->ni", M, a) + panda.bias(q, u)
    checks.at_most("inverse dynamics: M a + c", relative(assembled, tau), 1e-12)
    checks.at_most(
        "kinetic energy: u.M.u / 2",
        relative(np.einsum("ni,nij,nj->n", u, M, u) / 2, panda.kinetic_energy(q, u)),
        1e-12,
    )
    textbook = np.array([newton_euler(model, *state) for state in zip(q[:100], u, a, strict=False)])
    checks.at_most(
        "inverse dynamics: textbook Newton-Euler in world axes, 100 states",
        relative(tau[:100], textbook),
        1e-12,
    )
    J = panda.frame("flange").jacobian(q)
    checks.at_most(
        "flange: velocity = J u",
        relative(np.einsum("nij,nj->ni", J, u), panda.frame("flange").velocity(q, u)),
        1e-12,
    )
    mass = sum(float(body.mass) for body in model.bodies.values())
    v = np.einsum("nij,nj->ni", panda.center_of_mass_jacobian(q), u)
    checks.at_most(
        "linear momentum: mass times velocity of the centre of mass",
        relative(mass * v, panda.momentum(q, u)[:, :3]),
        1e-12,
    )


def check_derivatives(panda: eomc.CompiledModel, checks: Checks) -> None:
    """Exact derivatives against central differences, whose own error sets the tolerance."""
    rng = np.random.default_rng(8)
    q, (u, tau) = READY, rng.normal(size=(2, panda.nu))
    a = panda.forward_dynamics(q, u, tau)
    expected = {
        "q": central_difference(lambda x: panda.forward_dynamics(x, u, tau), q),
        "u": central_difference(lambda x: panda.forward_dynamics(q, x, tau), u),
        "tau": central_difference(lambda x: panda.forward_dynamics(q, u, x), tau),
    }
    got = panda.forward_dynamics_derivatives(q, u, tau)
    for (name, by_difference), exact in zip(expected.items(), got, strict=True):
        checks.at_most(
            f"forward dynamics: derivative by {name}, central differences",
            relative(exact, by_difference),
            1e-7,
        )
    by_q, _, _ = panda.inverse_dynamics_derivatives(q, u, a)
    checks.at_most(
        "inverse dynamics: derivative by q, central differences",
        relative(by_q, central_difference(lambda x: panda.inverse_dynamics(x, u, a), q)),
        1e-7,
    )
    checks.at_most(
        "gravity: gradient of the potential energy, central differences",
        relative(panda.gravity(q), central_difference(lambda x: panda.potential_energy(x), q)),
        1e-7,
    )


def swing(panda: eomc.CompiledModel, checks: Checks) -> eomc.Trajectory:
    """The arm swings without any torque; energy and one momentum are conserved."""
    start = {"q": READY, "u": np.array([0.5, 0, 0, 0, 0, 0, 0])}
    run = eomc.simulate(panda, **start, t_span=4.0, rtol=1e-11, atol=1e-12)
    scale = run["kinetic_energy"].max()
    checks.at_most("free swing, 4 s: change of energy", np.ptp(run.energy) / scale, 1e-8)
    # The first axis and gravity are vertical, so nothing turns the arm about the vertical.
    momentum = run.evaluate("momentum")
    checks.at_most(
        "free swing, 4 s: change of angular momentum about the vertical",
        np.ptp(momentum[:, 5]) / np.abs(momentum[:, 3:]).max(),
        1e-8,
    )
    coarse, fine = (
        eomc.simulate(panda, **start, t_span=1.0, method="rk4", step=h).energy for h in (2e-3, 1e-3)
    )
    ratio = np.abs(coarse[-1] - coarse[0]) / np.abs(fine[-1] - fine[0])
    checks.at_most(
        "compiled RK4: half the step, energy error over 2**4 times smaller", 16.0 / ratio, 1.0
    )
    return run


class GravityCompensatedPD:
    """tau = Kp (q_d - q) + Kd (u_d - u) + g(q)   (Takegaki and Arimoto 1981)

    The desired posture goes from `start` to `target` in `duration` [s] on a polynomial of degree
    five that begins and ends at rest.
    """

    stiffness = np.array([600.0, 600, 600, 400, 150, 100, 50])
    damping = np.array([60.0, 60, 40, 30, 8, 5, 2])

    def __init__(
        self, panda: eomc.CompiledModel, start: np.ndarray, target: np.ndarray, duration: float
    ) -> None:
        self.panda = panda
        self.start, self.way, self.duration = start, target - start, duration

    def torque(self, t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Forces at time t [s] in the state (q, u)."""
        x = min(t / self.duration, 1.0)
        q_d = self.start + self.way * x**3 * (10 - 15 * x + 6 * x**2)
        u_d = self.way * 30 * x**2 * (1 - x) ** 2 / self.duration
        return self.stiffness * (q_d - q) + self.damping * (u_d - u) + self.panda.gravity(q)


def move(panda: eomc.CompiledModel, checks: Checks) -> eomc.Trajectory:
    """The arm goes from one posture to another under control."""
    controller = GravityCompensatedPD(panda, READY, TARGET, duration=2.0)
    run = eomc.simulate(panda, READY, t_span=4.0, controller=controller, step=2e-3)
    checks.at_most(
        "motion under control: distance from the target after 4 s [rad]",
        np.abs(run.q[-1] - TARGET).max(),
        1e-3,
    )
    for name, values, limits in (
        ("torque", run.tau, panda.effort_limits),
        ("speed", run.u, panda.velocity_limits),
    ):
        checks.at_most(
            f"motion under control: largest {name} over its limit",
            (np.abs(values) / limits).max(),
            1.0,
        )
    power = run.evaluate("power")
    gained = run.energy - run.energy[0]
    checks.at_most(
        "motion under control: work of the torques against energy gained",
        np.abs(cumulative_simpson(power, x=run.t, initial=0.0) - gained).max()
        / np.abs(gained).max(),
        1e-5,
    )
    return run


def check_sources(folder: Path, checks: Checks) -> None:
    """The emitted C satisfies a strict compiler, and holds only what a small controller has."""
    compiler = find_compiler(None)
    failed = 0
    for source in sorted(folder.glob("*.c")):
        command = [*compiler, *STRICT, "-fsyntax-only", source.name]
        failed += subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL).returncode != 0
    checks.at_most("emitted C: files refused under -Wall -Wextra -Werror -pedantic", failed, 0)


def draw(folder: Path, swung: eomc.Trajectory, moved: eomc.Trajectory) -> list[Path]:
    """Pictures of the two runs."""
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 7), sharex=True, layout="constrained")
    swung.plot(top, [f"joint{k}" for k in range(1, 5)])
    top.set(title="Panda swinging without torques or friction", ylabel="angles [rad]")
    swung.plot(bottom, "energy")
    pictures = [folder / "swing.png"]
    figure.savefig(pictures[-1], dpi=130)
    plt.close(figure)

    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    axes.semilogy(swung.t, np.abs(swung.energy - swung.energy[0]) + 1e-16)
    axes.set(xlabel="time [s]", ylabel="|E - E(0)| [J]", title="Free swing: error of the energy")
    axes.grid(alpha=0.3)
    pictures.append(folder / "energy_error.png")
    figure.savefig(pictures[-1], dpi=130)
    plt.close(figure)

    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 7), sharex=True, layout="constrained")
    moved.plot(top, "q")
    top.set_title("Panda under PD control with gravity compensation: joint angles")
    moved.plot(bottom, "tau")
    bottom.set_title("Torques")
    pictures.append(folder / "motion.png")
    figure.savefig(pictures[-1], dpi=130)
    plt.close(figure)
    return pictures


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    begin = time.perf_counter()
    model = eomc.load(MODEL_FILE)
    equations = eomc.equations(model)
    operations = equations.operations
    derived = time.perf_counter()
    sources = eomc.emit(model, folder / "panda")
    panda = eomc.build(model)
    built = time.perf_counter()
    print(f"{model.description} ({MODEL_FILE.name}): {panda.nq} coordinates")
    print(f"derived in {derived - begin:.2f} s, compiled or found in {built - derived:.2f} s")
    for name in ("inverse_dynamics", "mass_matrix", "forward_dynamics"):
        print(f"  {name:<18} {operations[name]:>5} additions, multiplications and divisions")

    check_algebra(panda, model, checks)
    check_derivatives(panda, checks)
    swung = swing(panda, checks)
    moved = move(panda, checks)
    check_sources(sources, checks)
    pictures = draw(folder, swung, moved)
    swung.to_csv(folder / "swing.csv")

    print(f"\n{checks.table()}\n")
    (folder / "checks.txt").write_text(checks.table() + "\n", encoding="utf-8")
    print("pictures:    ", *pictures)
    print("record:      ", folder / "swing.csv")
    print("emitted C:   ", sources)
    print("checks:      ", folder / "checks.txt")
    print("everything passed" if checks.passed else "A CHECK FAILED")
    return 0 if checks.passed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output")))
