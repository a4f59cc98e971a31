"""Digital controllers against the difference equations that they make of a double integrator."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import eomc
from eomc.runtime.control import PD, Sampled
from eomc.runtime.control.signal import Noise, OnOff, Quantizer, RateLimit, Saturation
from eomc.runtime.errors import LawError

T, MASS, KP, KD = 0.1, 2.0, 8.0, 3.0
COUNT = 20


@pytest.fixture(scope="module")
def cart() -> eomc.CompiledModel:
    model = eomc.Model("cart", gravity=(0, 0, 0))
    model.body("cart", mass=MASS)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    return eomc.build(model)


def law(t: float, q: np.ndarray, u: np.ndarray) -> NDArray[np.float64]:
    return np.asarray(-KP * q - KD * u)


def flow(h: float, lag: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """x' = v, v' = f/m, f' = (c - f)/lag over h with c held: (x, v, f) to itself, and by c."""
    rate = np.zeros((4, 4))
    rate[0, 1] = 1
    if lag:
        rate[1, 2], rate[2, 2], rate[2, 3] = 1 / MASS, -1 / lag, 1 / lag
    else:
        rate[1, 3] = 1 / MASS
    whole = expm(rate * h)
    return whole[:3, :3], whole[:3, 3]


@pytest.mark.parametrize("method", [None, "DOP853", "LSODA", "rk4", "dopri"])
@pytest.mark.parametrize("delay", [0.0, 0.03, 0.1, 0.25])
def test_held_torques_make_a_difference_equation(
    cart: eomc.CompiledModel, method: str | None, delay: float
) -> None:
    """Between the instants of samples and of delayed torques the motion is a parabola."""
    times = np.arange(COUNT + 1) * T
    controller = Sampled(law, T, delay=delay)
    run = eomc.simulate(
        cart, {"x": 1.0}, t_span=times, controller=controller, method=method, rtol=1e-10
    )
    instants = sorted({*times.tolist(), *(times + delay).tolist()})
    x, commands, expected = np.array([1.0, 0.0, 0.0]), [], {}
    for start, end in itertools.pairwise(instants):
        if start in times:
            expected[start] = x[0]
            commands.append((start + delay, -KP * x[0] - KD * x[1]))
        acting = [command for since, command in commands if since <= start]
        a, b = flow(end - start)
        x = a @ x + b * (acting[-1] if acting else 0.0)
    found = run["x"][: len(expected)]
    assert found == pytest.approx(list(expected.values()), abs=1e-8 if method == "LSODA" else 1e-12)
    assert np.ptp(found) > 0.1


def test_the_default_is_compiled_if_torques_stay_between_instants(cart: eomc.CompiledModel) -> None:
    """The record is finer than the samples, the events lie between both."""

    def crossed(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(q[0])

    times = np.linspace(0, 3, 41)
    for lag, chosen in ((0.0, "dopri"), (0.07, "DOP853")):
        run, other = (
            eomc.simulate(
                cart,
                {"x": 1.0},
                t_span=times,
                events=crossed,
                method=method,
                controller=Sampled(law, T, delay=0.03, lag=lag),
            )
            for method in (None, "DOP853")
        )
        assert run.method == run.statistics["method"] == chosen
        assert run.q == pytest.approx(other.q, abs=1e-7)
        assert run.tau == pytest.approx(other.tau, abs=1e-6)
        assert run.events[0].t == pytest.approx(other.events[0].t, abs=1e-7)
        assert run.events[0].t.size > 0
    varying = eomc.simulate(
        cart, {"x": 1.0}, t_span=0.5, method=None, controller=Sampled(law, T), dense=True
    )
    assert varying.method == "DOP853"


def test_lag_of_first_order_is_solved_exactly_within_a_sample(cart: eomc.CompiledModel) -> None:
    times = np.arange(COUNT + 1) * T
    run = eomc.simulate(
        cart, {"x": 1.0}, t_span=times, controller=Sampled(law, T, lag=0.07), rtol=1e-12, atol=1e-13
    )
    a, b = flow(T, 0.07)
    x, rows = np.array([1.0, 0.0, 0.0]), []
    for _ in times:
        rows.append(x)
        x = a @ x + b * (-KP * x[0] - KD * x[1])
    assert run["x"] == pytest.approx(np.array(rows)[:, 0], abs=1e-11)
    assert run.tau[:-1, 0] == pytest.approx(np.array(rows)[:-1, 2], abs=1e-9)


def test_a_law_that_remembers_begins_every_run_anew(cart: eomc.CompiledModel) -> None:
    class Integral:
        """tau = -kp x - kd v - ki T sum x"""

        def at_samples(self, period):  # type: ignore[no-untyped-def]
            total = 0.0

            def step(t, q, u):  # type: ignore[no-untyped-def]
                nonlocal total
                total += period * q[0]
                return -KP * q - KD * u - 4.0 * total

            return step

    controller = Sampled(Integral(), 0.02)
    runs = [
        eomc.simulate(
            cart, {"x": 1.0}, t_span=20.0, tau=[5.0], controller=controller, method="dopri"
        )
        for _ in range(2)
    ]
    assert np.array_equal(runs[0].q, runs[1].q)
    assert abs(runs[0]["x"][-1]) < 1e-4  # the integral takes up the constant load
    plain = eomc.simulate(
        cart, {"x": 1.0}, t_span=20.0, tau=[5.0], controller=Sampled(law, 0.02), method="dopri"
    )
    assert plain["x"][-1] == pytest.approx(5.0 / KP, abs=1e-4)


def test_actuators_limit_in_their_order(cart: eomc.CompiledModel) -> None:
    actuators = (Saturation(4.0), RateLimit(20.0), Quantizer(0.5))
    controller = Sampled(law, T, actuators=actuators)
    run = eomc.simulate(cart, {"x": 1.0}, t_span=np.arange(11) * T, controller=controller)
    command, rows = 0.0, []
    for x, v in zip(run["x"], run.u[:, 0], strict=True):
        wanted = np.clip(-KP * x - KD * v, -4.0, 4.0)
        command += np.clip(wanted - command, -2.0, 2.0)
        rows.append(0.5 * np.round(command / 0.5))
    assert run.tau[:-1, 0].tolist() == rows[:-1]  # no sample is taken where the run ends
    assert min(rows) == -4.0


def test_thrusters_push_fully_or_not_at_all(cart: eomc.CompiledModel) -> None:
    controller = Sampled(law, 0.01, actuators=[OnOff(3.0, 1.0, hysteresis=0.5)])
    run = eomc.simulate(
        cart, {"x": 1.0}, t_span=10.0, step=0.01, controller=controller, method="dopri"
    )
    assert set(np.unique(run.tau)) == {-3.0, 0.0, 3.0}
    assert abs(run["x"][-1]) < 1.0 / KP + 0.05  # it ends within the dead zone


def test_noise_follows_the_seed(cart: eomc.CompiledModel) -> None:
    def run(seed: int) -> NDArray[np.float64]:
        sensors = {"q": [Noise(0.05)], "u": [Noise(relative=0.02)]}
        controller = Sampled(law, T, sensors=sensors, seed=seed)
        return eomc.simulate(cart, {"x": 1.0}, t_span=2.0, controller=controller, method="dopri").q

    assert np.array_equal(run(3), run(3))
    assert np.abs(run(3) - run(4)).max() > 1e-3


def test_measured_quaternions_stay_unit(tumbler: eomc.CompiledModel) -> None:
    seen = []

    def watch(t, q, u):  # type: ignore[no-untyped-def]
        seen.append(np.linalg.norm(np.asarray(q)[-4:]))
        return np.zeros(tumbler.nu)

    controller = Sampled(watch, 0.1, sensors={"q": [Noise(0.1)]})
    eomc.simulate(tumbler, t_span=1.0, controller=controller)
    assert len(seen) == 10
    assert seen == pytest.approx(np.ones(len(seen)), abs=1e-12)


def test_events_and_interpolants_go_across_instants(cart: eomc.CompiledModel) -> None:
    def passes(t, q, u):  # type: ignore[no-untyped-def]
        return q[0] - 0.5

    plain = eomc.simulate(cart, {"x": 1.0}, t_span=2.0, controller=Sampled(law, T), dense=True)
    run = eomc.simulate(
        cart, {"x": 1.0}, t_span=2.0, controller=Sampled(law, T), events=passes, dense=True
    )
    (events,) = run.events
    assert plain.at(float(events.t[0])).q[0] == pytest.approx(0.5, abs=1e-12)
    passes.terminal = True  # type: ignore[attr-defined]
    ended = eomc.simulate(
        cart, {"x": 1.0}, t_span=2.0, controller=Sampled(law, T), events=passes, dense=True
    )
    assert ended.t[-1] == events.t[0]
    assert ended["x"][-1] == pytest.approx(0.5, abs=1e-12)


def test_kinks_of_elements_are_found_across_instants() -> None:
    model = eomc.Model("cart", gravity=(0, 0, 0))
    model.body("cart", mass=MASS)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.stop("wall", "x", {"kind": "spring", "stiffness": 1e3}, lower=-0.5)
    walled = eomc.build(model)
    free = Sampled(lambda t, q, u: 0 * u, T)
    run = eomc.simulate(walled, {"x": 0.5}, {"x": -1.0}, t_span=2.0, controller=free)
    (found,) = run.switches.values()
    # Touched after 1 s, left half a period of the cart on the spring later.
    assert found == pytest.approx([1.0, 1.0 + np.pi * np.sqrt(MASS / 1e3)], abs=1e-7)


def test_a_loop_stays_closed_under_a_sampled_law() -> None:
    four_bar = eomc.build("examples/models/four_bar.toml")
    start = eomc.assemble(four_bar)
    held = Sampled(lambda t, q, u: -0.5 * u, 0.05)
    run = eomc.simulate(four_bar, start.q, t_span=1.0, controller=held)
    closed = [np.abs(four_bar.closure_residual(q)).max() for q in run.q]
    assert max(closed) < 1e-10
    assert run.energy[-1] < run.energy[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"period": 0.0}, "period is 0.0; give a positive time"),
        ({"period": 0.1, "delay": -1.0}, "delay is -1.0; give 0 or a positive time"),
        ({"period": 0.1, "sensors": {"z": []}}, "sensors: 'z' is not measured"),
        ({"period": 0.1, "lag": {"y": 1.0}}, "lag has no entry 'y'"),
        ({"period": 0.1, "actuators": [Saturation(-1.0)]}, "limit of 'x' is -1"),
        ({"period": 0.1, "actuators": [OnOff(1, 1, 2)]}, "hysteresis of 'x' is more than"),
        ({"period": np.nan}, "period: entry 0 is not finite"),
    ],
)
def test_what_is_wrong_is_named(
    cart: eomc.CompiledModel, arguments: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        eomc.simulate(cart, t_span=1.0, controller=Sampled(law, **arguments))  # type: ignore[arg-type]


def test_a_law_that_fails_is_named_with_its_time(cart: eomc.CompiledModel) -> None:
    def breaks(t, q, u):  # type: ignore[no-untyped-def]
        return [np.nan if t > 0.55 else 0.0]

    told = r"controller: torque at t = 0\.6 s: entry 0 is not finite, that of 'x' \(q: x = 0; u"
    for method, controller in (("DOP853", Sampled(breaks, T)), ("rk4", breaks)):
        with pytest.raises(LawError, match=told) as stopped:
            eomc.simulate(cart, t_span=1.0, controller=controller, method=method, step=0.1)
        before = stopped.value.until()
        assert isinstance(stopped.value, ValueError)
        assert (stopped.value.time, before.t[-1], before.count) == pytest.approx((0.6, 0.5, 6))


def test_a_law_of_the_package_is_sampled_like_any_other(cart: eomc.CompiledModel) -> None:
    run = eomc.simulate(
        cart, t_span=20.0, controller=Sampled(PD(cart, {"x": 0.3}, 8.0, 6.0), 0.05), method="dopri"
    )
    assert run["x"][-1] == pytest.approx(0.3, abs=1e-6)
