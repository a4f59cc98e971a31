"""Controllers, observers and shapers in C, step by step and in compiled loops, against Python."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from small_programs.c_library import WARNINGS, compile_c
from small_programs.controller_in_c import step_in_c

import eomc
from eomc.building.controller_program import controller_program
from eomc.codegen import EmissionError, write
from eomc.codegen.emit import emit_loop
from eomc.runtime.chance.normal import NormalStream, normal_quantile
from eomc.runtime.control import (
    LQR,
    PD,
    PID,
    ComputedTorque,
    LinearLaw,
    ObservedRegulator,
    Sampled,
    StateFeedback,
)
from eomc.runtime.control.controllability import ControllabilityError
from eomc.runtime.control.signal import LowPass, Noise, OnOff, Quantizer, RateLimit, Saturation
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Numeric, linear_equation
from eomc.runtime.trajectories import SineRamp
from eomc.runtime.trajectories.shaping import Shaped, zero_vibration, zero_vibration_derivative

pytestmark = pytest.mark.variants

T = 0.01
NAMES = ("a", "b")
Row = NDArray[np.float64]


def crane(load: float = 8.0) -> eomc.Model:
    """A trolley with a swinging load, whose mass can be tuned."""
    model = eomc.Model("crane")
    model.parameter("load", load, tunable=True)
    model.body("trolley", mass=5)
    model.joint("trolley", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    model.body("load", mass="load", com=(0, 0, -3))
    model.joint("swing", "revolute", parent="trolley", child="load", axis=(0, 1, 0))
    return model


@pytest.fixture(scope="module")
def swinging() -> eomc.CompiledModel:
    return eomc.build(crane())


SIGNALS = {
    "saturation": Saturation({"b": 0.7}),
    "rate limit": RateLimit({"a": 20.0}),
    "quantizer": Quantizer([0.25, 0.0]),
    "noise": Noise(0.1, [0.2, 0.0]),
    "on-off": OnOff({"a": 3.0}, 0.8, 0.3),
    "low pass": LowPass([0.03, 0.0]),
}


@pytest.mark.parametrize("kind", SIGNALS)
def test_a_signal_has_the_same_bits_step_in_c(tmp_path: Path, kind: str) -> None:
    signal = SIGNALS[kind]
    step = step_in_c(tmp_path, signal.equation(NAMES, T), seed=2**40 + 7)
    begun = signal.begin(NAMES, T, NormalStream(2**40 + 7))
    given = np.random.default_rng(1).normal(size=(400, 2))
    given[:8] = 0.125 * np.arange(-8, 8).reshape(8, 2)  # halves of the resolution among them
    expected = np.array([begun(row) for row in given])
    assert np.array_equal([step(row) for row in given], expected)
    assert not np.array_equal(expected, given)


@pytest.mark.parametrize("kind", sorted(SIGNALS.keys() - {"on-off"}))
def test_what_is_no_number_stays_none(tmp_path: Path, kind: str) -> None:
    """Nobody would know of it if it became a limit."""
    step = step_in_c(tmp_path, SIGNALS[kind].equation(NAMES, T))
    step(np.array([0.1, 0.2]))
    assert np.isnan(step(np.array([np.nan, 0.2]))).tolist() == [True, False]
    assert np.isnan(step(np.array([0.1, np.nan])))[1]


def test_normal_numbers_are_normal() -> None:
    special = pytest.importorskip("scipy.special")
    p = np.concatenate([np.linspace(1e-4, 1 - 1e-4, 501), 10.0 ** -np.arange(5, 16)])
    assert np.allclose(normal_quantile(p), special.ndtri(p), rtol=4e-15, atol=1e-16)
    drawn = NormalStream(3).standard_normal(100_000)
    moments = np.array([np.mean(drawn**k) for k in (1, 2, 3, 4)])
    deviations = np.sqrt(np.array([1, 2, 15, 96]) / drawn.size)
    assert (np.abs(moments - [0, 1, 0, 3]) < 3 * deviations).all()
    with pytest.raises(ValueError, match="seed is -1"):
        NormalStream(-1)


def sampled(law: Any, **options: Any) -> Sampled:
    """With one of everything that stands between a law and a mechanism."""
    return Sampled(
        law,
        T,
        sensors={"q": [Quantizer(1e-3)], "u": [Noise(0.01), LowPass(0.005)]},
        actuators=[RateLimit(2e4), Saturation({"trolley": 90.0})],
        seed=5,
        **options,
    )


def laws(model: eomc.CompiledModel) -> dict[str, Any]:
    regulator = LQR(model, {"trolley": 1.0}, [100, 300, 10, 10], 1e-2, actuators=["trolley"])
    moved = {"trolley": SineRamp(0.0, 1.0, 1.5)}
    return {
        "pid": PID(
            model,
            [1.0, 0.0],
            {"trolley": 60},
            {"trolley": 8},
            {"trolley": 50},
            filter=0.02,
            limit={"trolley": 40.0},
            tracking=0.5,
        ),
        "pd": PD(model, {"trolley": 1.0}, [40, 0], [30, 0], gravity=True),
        "computed torque": ComputedTorque(
            model,
            lambda t: (*np.array([moved["trolley"](t), (0, 0, 0)], float).T,),
            16.0,
            parameters={"load": 6.0},
        ),
        "lqr": regulator,
        "linear": LinearLaw(
            model,
            {"trolley": 1.0},
            [[-40.0]],
            [[1, 0, 0, 0]],
            [[-900], [0]],
            [[60, 0, 30, 0], [0, 0, 0, 0]],
        ),
        "observed regulator": ObservedRegulator(
            regulator, ["trolley", "swing"], [0, 0, 1, 1], [1e-6, 1e-6]
        ),
    }


LAWS = ("pid", "pd", "computed torque", "lqr", "linear", "observed regulator")


@pytest.mark.parametrize("kind", LAWS)
def test_the_compiled_loop_is_the_run_of_python(swinging: eomc.CompiledModel, kind: str) -> None:
    """The same samples, delays, lags and steps, on a plant with another load."""
    options: dict[str, Any] = {"delay": 0.004, "lag": {"trolley": 0.003}}
    if kind in ("pid", "lqr"):
        options = {"delay": 0.023}
    controller = sampled(laws(swinging)[kind], **options)
    loop = eomc.sampled_loop(crane(), controller, flags=("-O1",))
    times = np.linspace(0.0, 2.0, 88)  # of which few are instants of the controller
    for method, tolerance in (("rk4", 1e-12), ("dopri", 1e-9)):
        how: dict[str, Any] = {"t_span": times, "method": method, "step": 0.002, "rtol": 1e-9}
        how |= {"atol": 1e-11, "parameters": {"load": 9.0}}
        found = loop.run({"swing": 0.2}, **how)
        run = eomc.simulate(swinging, {"swing": 0.2}, controller=controller, **how)
        assert np.allclose(found.q, run.q, rtol=0, atol=tolerance)
        assert np.allclose(found.u, run.u, rtol=0, atol=10 * tolerance)
        assert np.allclose(found.tau, run.tau, rtol=0, atol=1e4 * tolerance)
        assert np.ptp(found.tau[:, 0]) > 1.0
        assert isinstance(found, type(run)) and list(found) == list(run)
        assert np.allclose(found.energy, run.energy, rtol=0, atol=1e5 * tolerance)
    assert np.ptp(found.q[:, 0]) > 0.1


def test_a_floating_body_is_measured_on_its_manifold() -> None:
    model = eomc.Model("satellite", gravity=(0, 0, 0))
    model.body("hub", mass=3.0, inertia=(1.0, 1.3, 0.9))
    model.joint("base", "floating", parent="world", child="hub")
    built = eomc.build(model)
    target = np.array([0.3, 0, 0, *np.array([4.0, 1, 2, 0]) / 21**0.5])
    law = Sampled(PD(built, target, 4.0, 3.0), 0.05, sensors={"q": [Noise(0.01)]}, seed=3)
    found = eomc.sampled_loop(model, law, flags=("-O0",)).run(t_span=2.0, step=0.02)
    run = eomc.simulate(built, t_span=found.t, controller=law, method="rk4", step=0.02)
    assert np.allclose(found.q, run.q, rtol=0, atol=1e-13)
    assert np.abs(found.q[-1] - target).max() < 0.1 < np.abs(found.q[0] - target).max()


def test_rollouts_are_runs_with_seeds_of_their_own(swinging: eomc.CompiledModel) -> None:
    controller = sampled(laws(swinging)["pid"])
    loop = eomc.sampled_loop(crane(), controller, flags=("-O1",))
    starts = np.array([[0.0, 0.1], [0.0, 0.1], [0.2, -0.1]])
    many = loop.rollouts(starts, np.zeros(2), t_span=1.0, step=0.005, seeds=[1, 2, 1], threads=2)
    alone = loop.run(starts[2], t_span=1.0, step=0.005, seed=1)
    assert many.q.shape == (3, 101, 2)
    assert np.array_equal(many.q[2], alone.q)
    assert np.array_equal(many.tau[2], alone.tau)
    assert len(many) == 3 and np.array_equal(many[2]["swing"], alone["swing"])
    assert np.abs(many.q[0] - many.q[1]).max() > 1e-5


def test_the_regulator_and_its_observer_have_poles_of_their_own(
    swinging: eomc.CompiledModel,
) -> None:
    """Separation: those of A - B K, and those of A - L C."""
    law = laws(swinging)["observed regulator"]
    a, b, gain = law.discrete(T)
    k, n = law.law.gain, len(a)
    whole = np.block([[a, -b @ k], [gain @ law.C, a - b @ k - gain @ law.C]])
    expected = np.concatenate([np.linalg.eigvals(a - b @ k), np.linalg.eigvals(a - gain @ law.C)])
    found = np.linalg.eigvals(whole)
    assert np.allclose(np.sort_complex(found), np.sort_complex(expected), atol=1e-6)
    assert np.abs(found).max() < 1
    assert len(found) == 2 * n


def test_a_law_of_python_control_is_a_law(swinging: eomc.CompiledModel) -> None:
    """A lead compensator designed there, in continuous and in discrete time."""
    control = pytest.importorskip("control")
    lead = control.ss(control.tf([30.0, 60.0], [0.05, 1.0]))
    both = control.append(lead, control.ss([], [], [], [[0.0]]))
    goal, period = {"trolley": 1.0}, 0.02
    laws = (
        LinearLaw.from_control(swinging, goal, both),
        LinearLaw.from_control(swinging, goal, control.c2d(both, period)),
    )
    sampled_laws = [law.equation(period).begin(operations=Numeric(law._call)) for law in laws]
    rng = np.random.default_rng(3)
    q = rng.normal(size=(50, 2))
    zero = np.zeros(2)
    found = [[law(row, zero, np.array([1.0, 0.0]), zero) for row in q] for law in sampled_laws]
    assert np.allclose(found[0], found[1], rtol=1e-9, atol=1e-9)
    _, expected = control.forced_response(
        control.c2d(lead, period), period * np.arange(50), 1.0 - q[:, 0]
    )
    assert np.allclose(np.array(found[0])[:, 0], expected, rtol=1e-9, atol=1e-9)
    with pytest.raises(ValueError, match=r"a period of 0.02 s, and is sampled at 0.01 s"):
        laws[1].equation(T)
    with pytest.raises(ValueError, match=r"D has shape \(1, 1\), expected \(2, 2\)"):
        LinearLaw.from_control(swinging, goal, lead)
    with pytest.raises(ValueError, match="discrete time of no period"):
        LinearLaw.from_control(swinging, goal, control.ss(both.A, both.B, both.C, both.D, True))


def test_an_integral_takes_up_what_is_not_known(swinging: eomc.CompiledModel) -> None:
    """And it winds up where nothing is taken back from it."""

    def overshoot(tracking: float) -> float:
        gains: Any = ({"trolley": 60}, {"trolley": 60}, {"trolley": 60})
        law = PID(swinging, [1.0, 0.0], *gains, limit=15.0, tracking=tracking)
        loop = eomc.sampled_loop(crane(), Sampled(law, T), flags=("-O1",))
        return float(loop.run(t_span=12.0, step=T).q[:, 0].max()) - 1.0

    assert overshoot(0.1) < 0.6 * overshoot(1e9)


@pytest.mark.parametrize("make", [zero_vibration, zero_vibration_derivative])
def test_a_shaper_in_c_shapes_as_the_profile_does(tmp_path: Path, make: Any) -> None:
    """Impulses on samples, and halfway between them where a line is exact."""
    shaper = make(np.pi / 0.35, 0.0)
    step = step_in_c(tmp_path, shaper.equation(["x", "y"], T, [0.0, 2.0]))
    shaped = Shaped(SineRamp([0.0, 2.0], [1.0, 5.0], 0.8), shaper)
    profile = shaped.profile
    times = T * np.arange(200)
    rows = np.array([step(row) for row in profile(times).position])
    assert np.allclose(rows, shaped(times).position, rtol=0, atol=1e-12)
    between = make(np.pi / 0.355, 0.0).equation(["x"], T).begin()
    ramp = np.array([between(np.array([t])).item() for t in times])
    late = float(shaper.amplitudes @ (shaper.times * 0.355 / 0.35))
    assert ramp[100:] == pytest.approx(times[100:] - late, abs=1e-12)


def test_single_precision_and_no_state(tmp_path: Path) -> None:
    noisy = step_in_c(tmp_path / "noise", Noise(0.5).equation(NAMES, T), real="float", seed=4)
    wide = Noise(0.5).begin(NAMES, T, NormalStream(4))
    assert noisy(np.ones(2)) == pytest.approx(wide(np.ones(2)), rel=1e-6)
    plain = step_in_c(
        tmp_path / "gain", linear_equation([], [], [], [[2, 0], [0, 3]], {"x": NAMES})
    )
    assert plain(np.ones(2)).tolist() == [2.0, 3.0]


def test_the_loop_compiles_without_warnings(swinging: eomc.CompiledModel, tmp_path: Path) -> None:
    program = eomc.equations(crane()).program()
    for law in ("computed torque", "lqr"):
        controller = controller_program(sampled(laws(swinging)[law]), crane(), "law")
        sources = emit_loop(program, controller)
        write(sources, tmp_path / law.replace(" ", "_"))
        for file, flag in itertools.product(("crane_law.c", "crane_law_call.c"), ("-O2",)):
            compile_c(
                tmp_path / law.replace(" ", "_"),
                [file],
                "x.o",
                "gcc",
                *WARNINGS,
                "-Wshadow",
                flag,
                "-c",
            )


def test_emitted_files(swinging: eomc.CompiledModel, tmp_path: Path) -> None:
    controller = sampled(laws(swinging)["computed torque"])
    folder = eomc.emit_controller(controller, tmp_path / "law", model=crane(), name="law")
    text = (folder / "law.h").read_text()
    assert "int law_step(" in text
    assert "void law_init(law_state *state);" in text  # the noise is of the simulation
    # What the law believes of the load, not what the model declares.
    assert ".load = 6.0" in (folder / "law.c").read_text()
    whole = eomc.emit_sampled_loop(crane(), controller, tmp_path / "loop", name="law")
    assert {"crane.c", "law.c", "crane_law.c", "crane_law.h"} <= {p.name for p in whole.iterdir()}


def wrong(swinging: eomc.CompiledModel) -> Sequence[tuple[type[Exception], str, Any]]:
    pid = laws(swinging)["pid"]
    other = eomc.Model("other")
    other.body("slide", mass=1)
    other.joint("slide", "prismatic", parent="world", child="slide", axis=(1, 0, 0))

    class Own:
        def begin(self, names: Any, period: float, rng: Any) -> Any:
            return lambda x: x

    lqr = laws(swinging)["lqr"]
    return (
        (
            NotEmittableError,
            "PID is no sampled controller",
            lambda: eomc.sampled_loop(crane(), pid),
        ),
        (
            NotEmittableError,
            "function has no difference equation",
            lambda: eomc.sampled_loop(crane(), Sampled(lambda t, q, u: 0 * u, T)),
        ),
        (
            NotEmittableError,
            "actuators: Own has no",
            lambda: eomc.sampled_loop(crane(), Sampled(pid, T, actuators=[Own()])),
        ),
        (
            NotEmittableError,
            "give the model",
            lambda: eomc.emit_controller(Sampled(pid, T), "nowhere"),
        ),
        (
            EmissionError,
            "the mechanism has slide",
            lambda: eomc.sampled_loop(other, Sampled(pid, T), model=crane()),
        ),
        (
            EmissionError,
            "both called 'crane'",
            lambda: eomc.sampled_loop(crane(), Sampled(pid, T), name="crane"),
        ),
        (
            ValueError,
            "measured: no state 'sving'; did you mean 'swing'",
            lambda: ObservedRegulator(lqr, ["sving"]),
        ),
        (
            ControllabilityError,
            "the measurements do not see",
            lambda: ObservedRegulator(lqr, ["swing"]),
        ),
        (ValueError, "gain has shape", lambda: ObservedRegulator(lqr, ["trolley"], gain=[1.0])),
        (ValueError, "PID: kp of 'trolley' is -1", lambda: PID(swinging, [0, 0], -1.0)),
        (ValueError, "PID: tracking is 0", lambda: PID(swinging, [0, 0], 1.0, tracking=0)),
        (ValueError, "period is 0", lambda: zero_vibration(2.0).equation(["x"], 0)),
    )


def test_what_cannot_be_is_named(swinging: eomc.CompiledModel) -> None:
    for error, told, make in wrong(swinging):
        with pytest.raises(error, match=told):
            make()


def test_runs_that_fail_say_when(swinging: eomc.CompiledModel) -> None:
    loop = eomc.sampled_loop(crane(), Sampled(laws(swinging)["pid"], T), flags=("-O0",))
    for told, wrong_arguments in (
        ("method is 'RK45'", {"t_span": 1.0, "method": "RK45"}),
        ("step is -1", {"t_span": 1.0, "step": -1}),
        ("give a positive duration", {"t_span": [1.0, 0.0]}),
        ("no tunable parameter 'lod'", {"t_span": 1.0, "parameters": {"lod": 1}}),
        ("seed is -1", {"t_span": 1.0, "seed": -1}),
        ("declares none", {"t_span": 1.0, "inputs": [1.0]}),
    ):
        with pytest.raises(ValueError, match=told):
            loop.run(**wrong_arguments)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seeds: 1 given for 2 runs"):
        loop.rollouts(np.zeros((2, 2)), np.zeros(2), t_span=1.0, seeds=[1])
    wild = StateFeedback(swinging, np.full((2, 4), 1e308), [0.0, 0.0])
    spoilt = eomc.sampled_loop(crane(), Sampled(wild, T), flags=("-O0",))
    with pytest.raises(eomc.runtime.errors.SimulationError, match="forces are not finite"):
        spoilt.run([100.0, 0.0], t_span=2.0, step=T)


def test_a_difference_equation_that_draws_needs_a_seed() -> None:
    with pytest.raises(ValueError, match="draws by chance"):
        Noise(1.0).equation(NAMES, T).begin()
    with pytest.raises(ValueError, match="B has shape"):
        linear_equation([[1]], [[1, 2]], [[1]], [[0]], {"x": ("a",)})
    assert isinstance(Noise(1.0).equation(NAMES, T), DifferenceEquation)
