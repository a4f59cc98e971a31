"""Kernels and their runtime on a device that is the processor: the bits of the C, and refusals."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from targets.device_on_the_processor import Foreign, ProcessorDriver, compiled_by, on_processor

import eomc
from eomc.codegen.cuda.compiler import Assembled, Resources
from eomc.runtime.cuda.driver import CudaError
from eomc.runtime.cuda.kernels import CudaKernels

MODELS = Path(__file__).parents[2] / "examples" / "models"
DYNAMICS = ("forward_dynamics", "coordinate_rates", "normalize", "inverse_dynamics", "difference")
Array = NDArray[Any]


@cache
def pendulum(real: Any = "double") -> CudaKernels:
    equations = eomc.equations(MODELS / "double_pendulum.toml")
    functions = (*DYNAMICS, "mass_matrix", "midpoint_step")
    return on_processor(equations.program(functions=functions, tunable="all"), real)


@cache
def built(real: Any = "double") -> Any:
    functions = (*DYNAMICS, "mass_matrix", "midpoint_step")
    options: dict[str, Any] = {"functions": functions, "tunable": "all", "lanes": 2, "real": real}
    return eomc.build(MODELS / "double_pendulum.toml", **options)


def states(rows: int, *shape: int) -> Array:
    return np.random.default_rng(7).uniform(-2, 2, (rows, *shape))


def rows_of(history: Any) -> Array:
    """As the functions on the processor have it: state, record, entry."""
    return np.asarray(history.numpy().transpose(2, 0, 1))


@pytest.mark.parametrize("real", ["double", "float"])
def test_functions_have_the_bits_of_the_processor(real: Any) -> None:
    kernels, model = pendulum(real), built(real)
    q, u, tau = states(3, 2, 5).astype(kernels.dtype)
    p = {next(iter(model.parameters)): 1.25}
    a = kernels.forward_dynamics(*map(kernels.to_device, (q, u, tau)), parameters=p)
    assert a.dtype == kernels.dtype
    expected = model.forward_dynamics(q.T, u.T, tau.T, parameters=p)
    np.testing.assert_array_equal(a.numpy().T, expected)
    mass = kernels.mass_matrix(kernels.to_device(q))
    np.testing.assert_array_equal(mass.numpy().transpose(2, 0, 1), model.mass_matrix(q.T))
    assert not np.array_equal(expected, model.forward_dynamics(q.T, u.T, tau.T))


def test_arrays_of_other_libraries_are_read_and_written_in_place() -> None:
    pytest.importorskip("cuda.core")
    q, u, tau = states(3, 2, 6)
    out = np.zeros((2, 6))
    kernels = pendulum()
    kernels.forward_dynamics(*map(Foreign, (q, u, tau)), out=Foreign(out))
    np.testing.assert_array_equal(out.T, built().forward_dynamics(q.T, u.T, tau.T))


LAWS: dict[str, dict[str, Any]] = {
    "free": {},
    "proportional": {"kp": 3.0, "kd": (0.3, 0.4)},
    "computed torque": {"kp": 30.0, "kd": 3.0, "computed_torque": True},
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("method", ["rk4", "midpoint"])
def test_runs_have_the_bits_of_the_processor(method: str, law: str) -> None:
    kernels, model, steps = pendulum(), built(), 6
    q, u = states(2, 2, 3)
    tau, q_ref, a_ref = states(3, steps, 2, 3)
    u_ref = states(1, steps, 2)[0]
    device = {"q_ref": q_ref, "u_ref": u_ref[:, :, None], "a_ref": a_ref}
    host = {"q_ref": q_ref.transpose(2, 0, 1), "u_ref": u_ref, "a_ref": a_ref.transpose(2, 0, 1)}
    if not LAWS[law]:
        device = host = {}
    given = [kernels.to_device(each) for each in (q, u, tau)]
    found = getattr(kernels, f"{method}_rollouts")(
        *(*given, 0.01, steps),
        every=3,
        **{name: kernels.to_device(each) for name, each in device.items()},
        **LAWS[law],
    )
    expected = getattr(model, f"{method}_rollouts")(
        *(q.T, u.T, tau.transpose(2, 0, 1), 0.01, steps), every=3, **host, **LAWS[law]
    )
    for history, wanted in zip(found, expected, strict=True):
        np.testing.assert_array_equal(rows_of(history), wanted)


def test_runs_keep_quaternions_of_length_one_as_on_the_processor() -> None:
    functions = ("forward_dynamics", "coordinate_rates", "normalize")
    model = eomc.build(MODELS / "quadcopter.toml", functions=functions, lanes=2)
    program = eomc.equations(MODELS / "quadcopter.toml").program(functions=functions)
    kernels = on_processor(program)
    q = model.random_configuration(np.random.default_rng(2), size=3)
    u = np.random.default_rng(3).uniform(-1, 1, (3, model.nu))
    held = [np.zeros(port["shape"]) for port in kernels.rk4_rollouts.entry["zero_order_hold"]]
    given = [kernels.to_device(each) for each in (q.T, u.T, *(each[:, None] for each in held))]
    found = kernels.rk4_rollouts(*given, 0.02, 4, every=2)
    expected = model.rk4_rollouts(q, u, *held, 0.02, 4, every=2)
    np.testing.assert_array_equal(rows_of(found[0]), expected[0])
    np.testing.assert_array_equal(rows_of(found[1]), expected[1])


@pytest.mark.slow
def test_runs_of_loops_end_on_their_constraints_as_on_the_processor() -> None:
    model = eomc.build(MODELS / "four_bar.toml")
    kernels = on_processor(eomc.equations(MODELS / "four_bar.toml").program())
    start = eomc.assemble(model, model.initial_guess, {})
    q, u = np.asarray(start.q), np.asarray(start.u)
    given = [kernels.to_device(each[:, None]) for each in (q, u, np.zeros(model.nu))]
    found = kernels.rk4_rollouts(*given, 0.01, 20, every=20)
    expected = model.rk4(q, u, np.zeros(model.nu), 0.01, 20)
    np.testing.assert_array_equal(found[0].numpy()[-1, :, 0], expected[0][-1])
    assert np.abs(model.constraint_residual(found[0].numpy()[-1, :, 0])).max() < 1e-12
    assert np.abs(found[0].numpy()[-1, :, 0] - q).max() > 0.01


@pytest.mark.parametrize("method", ["moreau", "stewart_trinkle"])
def test_steps_with_rigid_contacts_have_the_bits_of_the_processor(method: str) -> None:
    made, kernels = balls()
    q = np.tile(made.neutral(), (3, 1))
    q[:, 2] = 0.05, 0.11, 0.5
    u = np.random.default_rng(5).uniform(-1, 1, (3, made.nu))
    entry = getattr(kernels, f"{method}_rollouts").entry
    z, settings = np.zeros((3, entry["nz"])), np.array([50, 1e-9, 1e-6, 1, 0])
    held = {"tau": np.zeros(made.nu), "settings": settings}
    rest = [held[port["name"]] for port in entry["zero_order_hold"]]
    device = [kernels.to_device(x) for x in (q.T, np.hstack((u, z)).T, *(r[:, None] for r in rest))]
    found = getattr(kernels, f"{method}_rollouts")(*device, 5e-3, 40, every=20)
    expected = getattr(made, f"{method}_rollouts")(q, u, z, *rest, 5e-3, 40, every=20)
    np.testing.assert_array_equal(rows_of(found[0]), expected[0])
    np.testing.assert_array_equal(rows_of(found[1]), np.concatenate(expected[1:], axis=2))
    assert np.abs(expected[2]).max() > 0  # it was touched


@cache
def balls() -> tuple[Any, CudaKernels]:
    functions = ("contact_equations", "integrate", "neutral")
    model = eomc.Model("ball", gravity=(0, 0, -9.81))
    model.body("ball", mass=2, inertia=(0.01, 0.02, 0.03))
    model.joint("free", "floating", parent="world", child="ball")
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "ball", "radius": 0.1},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "rigid", "restitution": 0.0},
        friction={"kind": "dry", "kinetic": 0.5},
    )
    made = eomc.build(model, functions=functions, lanes=2)
    program = eomc.equations(model).program(functions=functions[:2])
    return made, on_processor(program)


def test_a_run_that_fails_is_named_and_the_rest_of_its_history_is_not_a_number() -> None:
    kernels = pendulum()
    q, u, tau = (kernels.to_device(each) for each in states(3, 2, 3))
    stiff = {"q_ref": kernels.to_device(states(2, 1)), "u_ref": kernels.to_device(np.zeros((2, 1)))}
    options: dict[str, Any] = {**stiff, "kp": 1e6, "kd": 1e4}
    with pytest.raises(FloatingPointError, match="step_unsolved in state 0, one of 3 that failed"):
        kernels.midpoint_rollouts(q, u, tau, 0.01, 4, **options)
    found, _ = kernels.midpoint_rollouts(q, u, tau, 0.01, 4, **options, check=False)
    assert np.isnan(found.numpy()[-1]).all()
    assert np.isfinite(found.numpy()[0]).all()


def array(*shape: int) -> Any:
    return pendulum().to_device(np.zeros(shape))


# -- what is refused -------------------------------------------------------------------------------

BAD: dict[str, tuple[Any, str]] = {
    "on the host": (
        lambda: np.zeros((2, 4)),
        "'q' is on the host, and the kernels run on device 0",
    ),
    "of torch on the host": (lambda: Foreign(np.zeros((2, 4)), (1, 0)), "'q' is on the host"),
    "another device": (
        lambda: Foreign(np.zeros((2, 4)), (2, 1)),
        "'q' is on device 1, and the kernels run on device 0; arrays are not copied",
    ),
    "another type": (
        lambda: Foreign(np.zeros((2, 4), np.float32)),
        "'q' is of type float32, and the kernels take float64; arrays are not converted",
    ),
    "states first": (lambda: array(4, 2), r"expected \(2, 2\), the states last"),
    "with gaps": (
        lambda: Foreign(np.zeros((2, 8))[:, ::2]),
        r"strides \(8, 2\); expected \(2, 4\)",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_arrays_are_neither_copied_nor_converted(case: str) -> None:
    pytest.importorskip("cuda.core")
    make, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        pendulum().forward_dynamics(make(), array(2, 4), array(2, 4))


CALLS: dict[str, tuple[Any, type[Exception], str]] = {
    "too few": (lambda k: k.forward_dynamics(array(2, 4)), TypeError, r"takes \(q, u, tau\); 1 "),
    "unknown": (lambda k: k.forward_dynamic, AttributeError, "did you mean 'forward_dynamics'"),
    "parameter": (
        lambda k: k.mass_matrix(array(2, 4), parameters={"m3": 1}),
        ValueError,
        "has no parameter 'm3'; valid: g, m1",
    ),
    "records": (
        lambda k: k.rk4_rollouts(array(2, 4), array(2, 4), array(2, 1), 0.1, 5, every=2),
        ValueError,
        "5 steps of 0.1 s cannot be recorded every 2",
    ),
    "input": (
        lambda k: k.rk4_rollouts(array(2, 4), array(2, 4), array(3, 1), 0.1, 5),
        ValueError,
        r"'tau' has shape \(3, 1\); expected \(5, 2, 4\), or 1 in place of",
    ),
    "gains alone": (
        lambda k: k.rk4_rollouts(array(2, 4), array(2, 4), array(2, 1), 0.1, 5, kp=1),
        ValueError,
        "gains without 'q_ref'",
    ),
    "reference": (
        lambda k: k.rk4_rollouts(
            *(array(2, 4), array(2, 4), array(2, 1), 0.1, 5), q_ref=array(2, 1)
        ),
        ValueError,
        "feedback takes u_ref",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_calls_that_do_not_fit_are_refused(case: str) -> None:
    call, kind, words = CALLS[case]
    with pytest.raises(kind, match=words):
        call(pendulum())


def test_too_little_memory_is_said_with_what_there_is() -> None:
    small = ProcessorDriver(memory=10**6)
    with pytest.raises(
        CudaError, match=r"\(7, 100000\) takes 0.0056 GB, and device 0 has 0.001 GB"
    ):
        CudaKernels(*manifest(), small).empty(7, 100_000)


def test_a_kernel_whose_stack_has_no_room_is_named() -> None:
    driver = ProcessorDriver()
    kernels = CudaKernels(*manifest(), driver)
    q = kernels.to_device(np.zeros((2, 3)))
    driver.refuses = "out of memory"
    with pytest.raises(
        CudaError, match="mass_matrix with 0 bytes of stack a thread does not start"
    ):
        kernels.mass_matrix(q)


def test_code_of_another_architecture_is_refused() -> None:
    with pytest.raises(CudaError, match="are compiled for sm_80, and device 0 is sm_90"):
        CudaKernels(*manifest(), ProcessorDriver(), "sm_80")


def manifest() -> tuple[Any, Any]:
    kernels = pendulum()
    path = Path(kernels._module._name)
    return kernels.manifest, lambda architecture: (str(path).encode(), {})


def test_without_a_device_the_reason_is_the_driver_s() -> None:
    pytest.importorskip("cuda.bindings")
    with pytest.raises(CudaError, match="there is no CUDA device"):
        eomc.build(MODELS / "pendulum.toml").cuda("mass_matrix", device=99)


# -- from a built model ----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_built_model_has_kernels_that_are_kept_and_cut_shorter_where_registers_spill(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The compilers are stood in for: code of long pieces spills, that of short ones is the C++."""
    compilations: list[tuple[int, bool]] = []

    def assembled(source: str, architecture: str, *, fused: bool) -> Assembled:
        pieces = source.count("_piece_")
        compilations.append((pieces, fused))
        spills = 0 if pieces else 64
        resources = {"panda_inverse_dynamics": Resources(128, 0, spills, 0.25)}
        place = tmp_path / str(pieces)
        place.mkdir()
        (place / "panda.cu").write_text(source)
        return Assembled(compiled_by("panda", place)(architecture)[0], resources)

    monkeypatch.setattr("eomc.building.kernels.assembled", assembled)
    monkeypatch.setattr("eomc.runtime.cuda.driver.CudaDriver", ProcessorDriver)
    model = eomc.build(
        MODELS / "panda.toml", functions=["inverse_dynamics"], cache_dir=tmp_path / "kept"
    )
    kernels = model.cuda("inverse_dynamics", fused=False)
    assert [fused for _, fused in compilations] == [False, False]
    assert compilations[0][0] == 0 < compilations[1][0]
    assert kernels.resources["panda_inverse_dynamics"].spills == 0
    q, u, a = states(3, 7, 4)
    found = kernels.inverse_dynamics(*map(kernels.to_device, (q, u, a))).numpy()
    np.testing.assert_array_equal(found.T, model.inverse_dynamics(q.T, u.T, a.T))
    model.cuda("inverse_dynamics", fused=False)
    assert len(compilations) == 2  # the others were kept
    with pytest.raises(CudaError, match="are compiled for sm_80, and device 0 is sm_90"):
        model.cuda("inverse_dynamics", fused=False, architecture="sm_80")
    with pytest.raises(AttributeError, match="did you mean 'inverse_dynamics'"):
        model.cuda("invers_dynamics")
