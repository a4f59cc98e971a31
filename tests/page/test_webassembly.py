"""The C of a model compiled to WebAssembly: the same bits as native C, and nothing around it."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page.wasm_module import WasmModule, wasmtime
from peers.robot_files import robot_file

import eomc
from eomc.building.live import live_model, page_functions
from eomc.building.sources import SourceOptions, sources
from eomc.codegen import wasm_compiler
from eomc.codegen.plan.errors import BuildError
from eomc.codegen.wasm_compiler import compile_wasm, find_wasm_compiler
from eomc.derive.graph.tuning import FILE_LIMIT, PIECE_SIZE
from eomc.runtime.model.state import reference_motion
from eomc.runtime.page import LiveModel
from eomc.systems.flexible_manipulator.model import FlexibleManipulator

pytestmark = pytest.mark.variants

STATES, STEPS = 60, 20
FIRST = "clang" if shutil.which("wasm-ld") else "ziglang"
COMPILERS = [
    pytest.param(
        "clang",
        marks=pytest.mark.skipif(not shutil.which("wasm-ld"), reason="clang and wasm-ld missing"),
    ),
    pytest.param(
        "ziglang",
        marks=pytest.mark.skipif(find_spec("ziglang") is None, reason="ziglang is not installed"),
    ),
]


@cache
def model(name: str) -> Any:
    """By name: a file of the examples, or the manipulator of so many units."""
    if name == "g1":
        return eomc.load(robot_file("g1_description/urdf/g1_29dof_rev_1_0.urdf"), base="floating")
    if name.startswith("manipulator"):
        return FlexibleManipulator(units=int(name.removeprefix("manipulator")), payload=0.0).model()
    return f"examples/models/{name}.toml"


@cache
def live(name: str, compiler: str) -> LiveModel:
    choice = SourceOptions(None, None, "double", None, False, 1, PIECE_SIZE, FILE_LIMIT, "wasm")
    return live_model(eomc.equations(model(name)), choice, compiler=compiler)


@cache
def native(name: str, march_native: bool = False) -> eomc.runtime.CompiledModel:
    functions = list(live(name, FIRST).manifest["functions"])
    flags = ["-O2"] if march_native else None
    return eomc.build(
        model(name), functions=functions, frames=[], march_native=march_native, flags=flags, lanes=1
    )


def states(compiled: Any, seed: int) -> dict[str, Any]:
    """Random values of all that functions take."""
    rng = np.random.default_rng(seed)
    q = compiled.random_configuration(rng)
    lengths = {
        port["name"]: port["shape"]
        for entry in compiled.manifest["functions"].values()
        for port in entry["inputs"]
    }
    given = {name: rng.normal(size=shape) for name, shape in lengths.items()}
    given |= {"q": q, "q0": q, "q1": compiled.random_configuration(rng)}
    if compiled.name == "flexible_manipulator":  # in orbit, units of some metres
        given |= {"q": np.array(compiled.manifest["metadata"]["neutral"]) + 1e-3 * given["u"]}
        given["q"][compiled.coordinates.index("orbit_r")] += 7e6
        lengths_near = reference_motion(compiled) + rng.random(len(compiled.prescribed))
        given |= {"s": lengths_near, "u": 1e-3 * given["u"]}
    return given


def differing(
    name: str, compiler: str, march_native: bool = False, p: Any = None, but: Sequence[str] = ()
) -> tuple[int, int]:
    """Differing 64-bit words of all functions and of a run, and the number of words."""
    compiled, module = native(name, march_native), WasmModule(live(name, compiler))
    given_p = {} if p is None else {"parameters": p}
    if p is not None:
        module.set_parameters(list(p.values()))
    wrong = count = 0
    for seed in range(STATES):
        given = states(compiled, seed)
        if compiled.is_constrained:
            q, u = compiled.project(given["q"], given["u"], **given_p)
            given |= {"q": np.array(q), "u": np.array(u)}
        for function, entry in compiled.manifest["functions"].items():
            if function in but:
                continue
            arguments = [given[port["name"]] for port in entry["inputs"]]
            found = compiled.function(function)(*arguments, **given_p)
            outputs = found if isinstance(found, tuple) else (found,)
            for a, b in zip(outputs, module.call(function, given), strict=True):
                wrong += int(np.sum(words(a) != words(b)))
                count += b.size
        (entry,) = [e for e in compiled.manifest["integrators"] if e["name"] == "rk4"]
        arguments = [given[n] for n in entry["inputs"]]
        h = 1e-3
        q, u = compiled.rk4(*arguments, h, STEPS, **given_p)[:2]
        for a, b in zip((q[-1], u[-1]), module.rk4(given, h, STEPS), strict=True):
            wrong += int(np.sum(words(a) != words(b)))
            count += b.size
    return wrong, count


def words(values: Any) -> Any:
    """Doubles as whole numbers: -0.0 and 0.0 differ, NaN equals itself."""
    return np.ascontiguousarray(values, dtype=np.float64).ravel().view(np.uint64)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", ["panda", "four_bar", "flexible_arm"])
def test_case_01_exports(name: str, compiler: str) -> None:
    made = live(name, compiler)
    module = wasmtime.Module(wasmtime.Engine(), made.wasm)
    names = {export.name for export in module.exports}
    assert not module.imports
    symbols = {entry["symbol"] for entry in made.manifest["functions"].values()}
    assert symbols | {"memory", "__heap_base"} <= names
    assert f"{name}_rk4" in names


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", ["double_pendulum", "panda"])
def test_case_02_bits_of_trees(name: str, compiler: str) -> None:
    wrong, count = differing(name, compiler)
    assert wrong == 0 and count > 2000


@pytest.mark.parametrize("compiler", COMPILERS)
def test_case_03_bits_of_a_loop(compiler: str) -> None:
    assert differing("four_bar", compiler)[0] == 0
    assert differing("four_bar", compiler, p={"k": 7.5})[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
def test_case_04_bits_with_exp(compiler: str) -> None:
    """The exponentials of telescopic beams: those of glibc and of musl round alike."""
    assert "exp(" in "".join(_c_text("manipulator3"))
    wrong, count = differing("manipulator3", compiler)
    assert wrong == 0 and count > 5000


@pytest.mark.slow
def test_case_05_bits_of_a_humanoid() -> None:
    """G1, afloat; those of 80 flexible units are a target of `python -m benchmarks`.

    The difference of quaternions takes an arc tangent of the library, where glibc and musl part.
    """
    wrong, count = differing("g1", FIRST, but=("difference",))
    assert wrong == 0 and count > 10_000


def _c_text(name: str) -> list[str]:
    choice = SourceOptions(None, None, "double", None, False, 1, PIECE_SIZE, FILE_LIMIT, "wasm")
    made = sources(eomc.equations(model(name)), ["forward_dynamics"], choice)
    return [made[file] for file in made.c_files if not file.startswith("musl_")]


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("wasm-ld"), reason="clang and wasm-ld missing")
def test_case_06_fused_multiply_adds_are_seen() -> None:
    """The comparison is not vacuous: rounding once instead of twice shows."""
    facts = Path("/proc/cpuinfo")
    if not facts.exists() or " fma " not in facts.read_text(encoding="utf-8"):
        pytest.skip("this machine has no fused multiply-add")
    assert differing("panda", "clang", march_native=True)[0] > 100


@pytest.mark.parametrize("compiler", COMPILERS)
def test_case_08_size(compiler: str) -> None:
    assert len(gzip.compress(live("panda", compiler).wasm, 9)) <= 14_000


@pytest.mark.slow
def test_case_08_size_of_a_humanoid() -> None:
    assert len(gzip.compress(live("g1", FIRST).wasm, 9)) <= 70_000


@pytest.mark.parametrize("compiler", COMPILERS)
def test_case_09_compiled_in_seconds(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With empty caches of eomc and of the compiler: one run of it, of so much C."""
    equations = eomc.equations(model("panda"))
    choice = SourceOptions(None, None, "double", None, False, 1, PIECE_SIZE, FILE_LIMIT, "wasm")
    made = sources(equations, page_functions(equations.function_names), choice)
    for name in ("EOMC_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    runs: list[Sequence[str]] = []
    run = wasm_compiler._run
    monkeypatch.setattr(wasm_compiler, "_run", lambda *given: runs.append(given) or run(*given))
    assert len(compile_wasm(made, compiler=compiler, cache_dir=tmp_path / "cache")) > 10_000
    assert len(runs) == 1
    assert sum(len(made[file]) for file in made.c_files) < 250_000  # characters


@pytest.mark.parametrize("compiler", COMPILERS)
def test_case_10_faster_than_real_time(compiler: str) -> None:
    """Instructions of Panda's step of 1 ms, of which a slow machine executes a million a ms."""
    module = WasmModule(live("panda", compiler), is_counting=True)
    q, steps = native("panda").random_configuration(10), 500
    end, _ = module.rk4({"q": q, "u": np.zeros(7), "tau": np.zeros(7)}, 1e-3, steps)
    assert np.isfinite(end).all() and np.abs(end - q).max() > 0.1
    assert 1000 < module.executed / steps < 30_000


@pytest.mark.slow
def test_the_work_of_an_implicit_step_does_not_depend_on_the_state() -> None:
    """Instructions of one step from random states: the same along a tree, where no rows are
    exchanged."""
    made = eomc.Model("walker", gravity=(0, 0, -9.81))
    made.body("trolley", mass=5)
    made.joint("x", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    for leg in range(4):
        made.body(f"leg_{leg}", mass=1, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
        made.joint(f"hip_{leg}", "revolute", parent="trolley", child=f"leg_{leg}", axis=(0, 1, 0))
        made.joint_spring(f"spring_{leg}", joint=f"hip_{leg}", stiffness=1e5)
    steps = ["integrate", "displacement_rates", "step_matrix"]
    module = WasmModule(eomc.build(made).live(steps), is_counting=True)
    rng, counts = np.random.default_rng(0), set()
    for _ in range(100):
        given = {name: rng.normal(size=5) for name in ("q", "u", "tau")}
        before = module.executed
        module.integrated("ros34pw2", given, 1e-3, 1)
        counts.add(module.executed - before)
    assert len(counts) == 1


def test_case_28_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("eomc.codegen.zig.PACKAGE", "no_such_package")
    with pytest.raises(BuildError, match=r"pip install 'eomc\[wasm\]'"):
        find_wasm_compiler()
    with pytest.raises(BuildError, match="valid are clang, ziglang"):
        find_wasm_compiler("emcc")


def test_pull_is_the_jacobians_transposed() -> None:
    """Case 19: J^T F of every body at random states."""
    compiled = eomc.build(model("panda"), functions=["pull", "poses"], frames=["link3", "link7"])
    rows = compiled.manifest["functions"]["pull"]["inputs"][1]["rows"]
    rng = np.random.default_rng(19)
    for _ in range(50):
        q = compiled.random_configuration(rng)
        wrench = np.zeros((len(rows), 6))
        expected = np.zeros(compiled.nu)
        for name in ("link3", "link7"):
            wrench[rows.index(name)] = rng.normal(size=6)
            expected += compiled.frame(name).jacobian(q).T @ wrench[rows.index(name)]
        assert np.allclose(compiled.pull(q, wrench), expected, rtol=1e-12, atol=1e-12)
