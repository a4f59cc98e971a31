"""Small code: functions as loops, in C."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import COMPILERS, Library
from small_programs.walker import walker

import eomc
from eomc.codegen import emit
from eomc.derive.equations import CORE
from eomc.derive.graph import Program, evaluate
from eomc.derive.model import Model

MODELS = Path(__file__).parents[2] / "examples" / "models"
DYNAMICS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "gravity")
LOOPED = (
    *DYNAMICS,
    *("kinetic_energy", "potential_energy", "momentum", "center_of_mass"),
    *("center_of_mass_jacobian", "inverse_dynamics_derivatives"),
    "forward_dynamics_derivatives",
)


def chain(joints: int) -> Model:
    """General links on turns about their axes."""
    from eomc.systems.chain import general_chain

    return general_chain(joints)


SYSTEMS = {
    "pendulum": lambda: eomc.load(MODELS / "pendulum.toml"),
    "panda": lambda: eomc.load(MODELS / "panda.toml"),
    "walker": walker,
}


def call(library: Library, program: Program, name: str, values: dict[str, np.ndarray]) -> list:
    function = next(f for f in program.functions if f.name == name)
    inputs: list[object] = [values[argument.name] for argument in function.inputs]
    if program.parameters:
        inputs.append([parameter.default for parameter in program.parameters])
    status, outputs = library.call(name, inputs, [len(out.entries) for out in function.outputs])
    assert status == 0
    return outputs


def expression(program: Program, name: str, values: dict[str, np.ndarray]) -> list[np.ndarray]:
    """The outputs as the unrolled expressions say."""
    function = next(f for f in program.functions if f.name == name)
    known: dict[object, float] = {p.symbol: p.default for p in program.parameters}
    for argument in function.inputs:
        known.update(zip(argument.entries, values[argument.name], strict=True))
    return [
        np.array(evaluate(program.graph, output.entries, known), dtype=float)
        for output in function.outputs
    ]


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_as_the_unrolled_expressions(
    c_library: Callable[..., Library], system: str, compiler: str
) -> None:
    """Without warnings, in both precisions."""
    program = eomc.equations(SYSTEMS[system]()).program(
        functions=(*LOOPED, "normalize"), small=True
    )
    assert all(function.rolled for function in program.functions[:-1])
    double, single = (c_library(program, real, compiler=compiler) for real in ("double", "float"))
    rng = np.random.default_rng(1)
    for _ in range(3):
        values = {
            argument.name: rng.uniform(-1, 1, len(argument.entries))
            for function in program.functions
            for argument in function.inputs
        }
        (values["q"],) = call(double, program, "normalize", values)
        for name in LOOPED:
            expected = expression(program, name, values)
            got, rough = (call(library, program, name, values) for library in (double, single))
            for known, own, short in zip(expected, got, rough, strict=True):
                scale = np.abs(known).max()
                assert np.abs(own - known).max() <= 1e-12 * scale, name
                assert np.abs(short - known).max() <= 1e-3 * scale, name
            assert max(np.abs(known).max() for known in expected) > 0


def code_of(text: str) -> str:
    """C without its tables."""
    return re.sub(r"^static const [^;]*;\n", "", text, flags=re.M)


def c_text(model: Model, functions: tuple[str, ...] = LOOPED) -> str:
    sources = emit(eomc.equations(model).program(functions=functions, name="chain", small=True))
    return "".join(sources[file] for file in sources.c_files)


@pytest.mark.slow
def test_code_does_not_grow_with_the_chain() -> None:
    """Ten joints or forty: only numbers of turns and lengths of arrays have more digits."""
    short, long = c_text(chain(10)), c_text(chain(40))
    assert len(code_of(short)) > 10_000
    assert len(code_of(long)) <= 1.005 * len(code_of(short))
    tables = [len(text) - len(code_of(text)) for text in (short, long)]
    assert tables[1] <= 4.5 * tables[0]  # in proportion to the bodies
    lines = emit(eomc.equations(chain(40)).program(functions=DYNAMICS, name="chain"))
    size = sum(len(lines[file]) for file in lines.c_files)
    assert size > 10 * len(c_text(chain(40), DYNAMICS))


@pytest.mark.slow
def test_the_same_bytes_in_every_process() -> None:
    code = (
        "import sys, hashlib, eomc\n"
        "from eomc.codegen import emit\n"
        "program = eomc.equations(eomc.load(sys.argv[1])).program(small=True)\n"
        "print(hashlib.sha256('|'.join(emit(program).values()).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code, MODELS / "spatial_free_flyer.toml"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1 and len(found.pop()) > 60


def test_build_keeps_the_contract(cache: Path) -> None:
    """The module has the same face, and says which functions are in loops."""
    model = eomc.load(MODELS / "arm.toml")
    names = ("inverse_dynamics", "forward_dynamics", "normalize")
    options = {"functions": names, "flags": ("-O1",), "cache_dir": cache}
    full, small = (eomc.build(model, small=small, **options) for small in (False, True))
    kept = ("symbol", "inputs", "outputs", "return_codes", "description")
    for name, facts in full.manifest["functions"].items():
        rolled = small.manifest["functions"][name]
        assert {k: facts[k] for k in kept} == {k: rolled[k] for k in kept}
        assert "loops" not in facts
        assert rolled.get("loops", False) == (name in LOOPED)
        if name in LOOPED:
            assert rolled["stack_bytes"] > 0 and rolled["operations"]["mul"] > 0
    assert full.manifest["return_codes"] == small.manifest["return_codes"]
    rng = np.random.default_rng(0)
    q, u = small.normalize(rng.uniform(-1, 1, (5, small.nq))), rng.uniform(-1, 1, (5, small.nu))
    tau = small.inverse_dynamics(q, u, 2 * u, parameters={"payload": 0.7})
    assert np.allclose(
        small.forward_dynamics(q, u, tau, parameters={"payload": 0.7}), 2 * u, atol=1e-9
    )
    assert np.allclose(
        full.inverse_dynamics(q, u, 2 * u, parameters={"payload": 0.7}), tau, atol=1e-11
    )


def test_integrators_and_laws_call_the_loops(c_library: Callable[..., Library]) -> None:
    """The rest of the C is written on top of them: the core of a model with its runs."""
    equations = eomc.equations(chain(3))
    functions = [name for name in CORE if name in equations.kinds] + ["computed_torque"]
    text = emit(equations.program(functions=functions, small=True))
    assert "_rk4(" in text[text.c_files[0]]
    c_library(equations.program(functions=functions, small=True))


def test_refusals() -> None:
    model = eomc.load(MODELS / "pendulum.toml")
    with pytest.raises(eomc.ModelError, match=r"lanes=4 .* small asks for loops"):
        eomc.build(model, small=True, lanes=4)
    with pytest.raises(eomc.ModelError, match="know of no bodies"):
        eomc.emit(eomc.equations(model).program(), small=True)
