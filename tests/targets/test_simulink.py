"""The S-function, compiled with a stand-in for Simulink's header and called as Simulink would."""

import ctypes
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from small_programs.c_library import compile_c

import eomc
from eomc.binding.arrays import Array
from eomc.codegen import EmissionError

MODELS = Path(__file__).parents[2] / "examples" / "models"
STAND_IN = Path(__file__).parent / "simulink"


class Block:
    """An S-function with its parameters; raises ValueError as the block would show it."""

    def __init__(self, folder: Path, model: object, *parameters: Sequence[float]) -> None:
        if shutil.which("gcc") is None:
            pytest.skip("gcc is not here")
        eomc.emit(model, folder, target="simulink")
        flags = (
            f"-I{STAND_IN}",
            "-DMATLAB_MEX_FILE",
            "-std=c99",
            "-O1",
            "-ffp-contract=off",
            "-fPIC",
            "-shared",
        )
        files = sorted(path.name for path in folder.glob("*.c"))
        self.c = ctypes.CDLL(str(compile_c(folder, files, "block.so", "gcc", *flags, "-Wall")))
        self.c.make.restype = self.c.evaluate.restype = ctypes.c_char_p
        self.kept = [np.array(values, dtype=float) for values in parameters]
        lengths = (ctypes.c_size_t * len(parameters))(*map(len, parameters))
        addresses = (ctypes.c_void_p * len(parameters))(*(a.ctypes.data for a in self.kept))
        sizes = (ctypes.c_int * 200)()
        if failed := self.c.make(len(parameters), lengths, addresses, sizes):
            raise ValueError(failed.decode())
        self.nx, inputs, outputs, self.crossings = sizes[:4]
        self.inputs = list(sizes[4 : 4 + 2 * inputs : 2])
        self.feeds = list(sizes[5 : 4 + 2 * inputs : 2])
        self.outputs = list(sizes[4 + 2 * inputs : 4 + 2 * inputs + outputs])

    def start(self) -> Array:
        x = np.zeros(self.nx)
        self.c.states(ctypes.c_void_p(x.ctypes.data))
        return x

    def zero_crossings(self) -> Array:
        """Where rates and ports were asked for last."""
        zero = np.zeros(self.crossings)
        self.c.zero_crossings(ctypes.c_void_p(zero.ctypes.data))
        return zero

    def __call__(self, t: float, x: Array, w: Array) -> tuple[Array, list[Array]]:
        """Rates, and what each output port shows."""
        rates, shown = np.zeros(self.nx), np.zeros(sum(self.outputs))
        arrays = [
            ctypes.c_void_p(np.ascontiguousarray(a).ctypes.data) for a in (x, w, rates, shown)
        ]
        if failed := self.c.evaluate(ctypes.c_double(t), *arrays):
            raise ArithmeticError(failed.decode())
        return rates, np.split(shown, np.cumsum(self.outputs)[:-1])


def test_rates_and_ports_of_an_arm(tmp_path: Path) -> None:
    """Start, parameters, rates and output ports are those of the compiled model."""
    model = eomc.build(MODELS / "arm.toml")
    block = Block(tmp_path / "block", MODELS / "arm.toml", [0.1, 0.2, 0, 0], [2.5])
    np.testing.assert_array_equal(block.start(), [0.1, 0.2, 0, 0])
    assert (block.inputs, block.feeds, block.crossings) == ([2], [0], 0)
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, u, tau = rng.uniform(-2, 2, (3, 2))
        rates, (seen_q, seen_u, kinetic, potential, *_) = block(0.0, np.r_[q, u], tau)
        a = model.forward_dynamics(q, u, tau, parameters={"payload": 2.5})
        np.testing.assert_allclose(rates, [*u, *a], rtol=1e-14)
        np.testing.assert_array_equal(np.r_[seen_q, seen_u], np.r_[q, u])
        assert kinetic[0] == pytest.approx(
            model.kinetic_energy(q, u, parameters={"payload": 2.5}), 1e-14
        )
        assert potential[0] == pytest.approx(
            model.potential_energy(q, parameters={"payload": 2.5}), 1e-14
        )


def test_a_loop_runs_as_in_simulate(tmp_path: Path) -> None:
    """Integrated from outside, with constraints drawn back, it is the run of `simulate`."""
    model = eomc.build(MODELS / "four_bar.toml")
    start = eomc.assemble(model, {model.coordinates[0]: 0.6})
    x = np.r_[start.q, np.zeros(model.nu)]
    block = Block(tmp_path / "block", MODELS / "four_bar.toml", x, [], [10.0])
    w = np.zeros(sum(block.inputs))
    ran = solve_ivp(lambda t, x: block(t, x, w)[0], (0, 0.5), block.start(), rtol=1e-11, atol=1e-11)
    expected = eomc.simulate(model, start.q, t_span=[0, 0.5], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(ran.y[: model.nq, -1], expected.q[-1], atol=1e-7)


def test_contacts_open_and_close_at_crossings(tmp_path: Path) -> None:
    """Of two balls above a table, by their gaps."""
    model = eomc.Model("balls", gravity=(0, 0, -9.81))
    for name in ("one", "two"):
        model.body(name, mass=0.1)
        model.joint(f"fall_{name}", "prismatic", parent="world", child=name, axis=(0, 0, 1))
        model.contact(
            f"table_{name}",
            shape={"kind": "sphere", "at": name, "radius": 0.02},
            surface={"kind": "plane", "at": "world"},
            normal={"kind": "kelvin_voigt", "stiffness": 1e4, "damping": 3.0},
        )
    block = Block(tmp_path / "block", model, [0.5, 0.01, 0, 0])
    assert block.crossings == 2
    block(0.0, np.array([0.5, 0.01, 0, 0]), np.zeros(sum(block.inputs)))
    assert np.sort(np.abs(block.zero_crossings())) == pytest.approx([0.01, 0.48], rel=1e-12)


def test_quaternions_keep_their_length(tmp_path: Path) -> None:
    """Raw rates are orthogonal to the quaternion; a longer one turns the body alike."""
    model = eomc.build(MODELS / "quadcopter.toml")
    block = Block(tmp_path / "block", MODELS / "quadcopter.toml", [], [])
    rng = np.random.default_rng(2)
    x, w = rng.uniform(-1, 1, block.nx), rng.uniform(0, 2, sum(block.inputs))
    place = model.coordinates.index(next(name for name in model.coordinates if "qw" in name))
    turn = slice(place, place + 4)
    rates, _ = block(0.0, x, w)
    assert abs(rates[turn] @ x[turn]) < 1e-14
    longer = x.copy()
    longer[turn] *= 2
    others, _ = block(0.0, longer, w)
    np.testing.assert_allclose(others[model.nq :], rates[model.nq :], rtol=1e-12)


def test_bad_parameters_of_the_block_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"arm: the start has 4 numbers \(q\[2\], u\[2\]\)"):
        Block(tmp_path / "block", MODELS / "arm.toml", [0.1], [])
    with pytest.raises(ValueError, match="arm: the parameters are payload"):
        Block(tmp_path / "block", MODELS / "arm.toml", [], [1.0, 2.0])


def test_what_a_block_needs_is_told_before_a_file_is_written(tmp_path: Path) -> None:
    with pytest.raises(EmissionError, match="'simulink' needs the function 'coordinate_rates'"):
        eomc.emit(MODELS / "arm.toml", tmp_path / "x", functions="mass_matrix", target="simulink")
    assert not (tmp_path / "x").exists()
