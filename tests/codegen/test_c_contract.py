"""Emitted C in the hands of C and C++ programmers."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from small_programs.c_library import COMPILERS, WARNINGS, compile_c
from small_programs.pendulum import pendulum
from small_programs.random_graph import CHOICES, random_program

from eomc.codegen import emit, write

pytestmark = pytest.mark.variants

ARM = shutil.which("arm-none-eabi-gcc")
STRICT = [*WARNINGS, "-Wshadow", "-Wdouble-promotion", "-Wmissing-prototypes"]
FEW = settings(max_examples=8)


@FEW
@given(CHOICES)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_random_programs_compile_without_warnings(tmp_path: Path, compiler, real, choices):
    program = random_program(choices, 6)
    for number, options in enumerate(({}, {"whole_limit": 1, "piece_size": 4})):
        sources = emit(program, real, **options)
        folder = write(sources, tmp_path / f"{real}{number}")
        compile_c(folder, sources.c_files, "model.o", compiler, *STRICT, "-O1", "-c")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("options", [{}, {"timed": True}, {"tunable": False}])
@pytest.mark.parametrize("real", ["double", "float"])
def test_model_with_integrator_compiles_without_warnings(tmp_path, compiler, options, real):
    sources = emit(pendulum(**options), real)
    folder = write(sources, tmp_path / "model")
    compile_c(folder, sources.c_files, "model.o", compiler, *STRICT, "-O2", "-c")


TWO_MODELS = """
#include "one.h"
#include "two.h"
#include <stdio.h>

int main(void)
{
    const double q[1] = {0.3}, u[1] = {-0.4}, tau[1] = {0.5};
    const float q_[1] = {0.3f}, u_[1] = {-0.4f}, tau_[1] = {0.5f};
    const one_parameters p = one_default_parameters();
    two_parameters p_ = two_default_parameters();
    double a[ONE_U_COUNT];
    float a_[TWO_U_COUNT];
    int status = one_forward_dynamics(q, u, tau, &p, a);
    status += two_forward_dynamics(q_, u_, tau_, &p_, a_);
    printf("%d %.17g %.9g", status, a[ONE_U_HINGE], (double)a_[TWO_U_HINGE]);
    p_.length = 0.0f;
    status = two_forward_dynamics(q_, u_, tau_, &p_, a_);
    printf(" %d %s", status == TWO_DEGENERATE_LENGTH, two_status_name(status));
    return 0;
}
"""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_double_and_a_float_model_in_one_program(tmp_path: Path, compiler):
    for prefix, real in (("one", "double"), ("two", "float")):
        write(emit(pendulum(), real, prefix=prefix), tmp_path)
    (tmp_path / "main.c").write_text(TWO_MODELS)
    files = ["one.c", "two.c", "main.c"]
    program = compile_c(tmp_path, files, "program", compiler, *WARNINGS, "-O2")
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    status, a, a_, fails, name = run.stdout.split()
    exact = (0.5 - 2 * 9.81 * 0.7 * 0.29552020666133955 + 0.04) / (2 * 0.49)
    assert (status, fails, name) == ("0", "1", "degenerate_length")
    assert float(a) == pytest.approx(exact, rel=1e-14)
    assert float(a_) == pytest.approx(exact, rel=1e-5)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
def test_header_in_cpp(tmp_path: Path):
    write(emit(pendulum(timed=True)), tmp_path)
    compile_c(tmp_path, ["pendulum.c"], "pendulum.o", "gcc", *WARNINGS, "-c")
    (tmp_path / "main.cpp").write_text(
        '#include "pendulum.h"\n#include "pendulum.h"\n'
        "int main() { double q[PENDULUM_Q_COUNT]; pendulum_parameters p = "
        "pendulum_default_parameters(); return pendulum_neutral(&p, q); }\n"
    )
    flags = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-std=c++11")
    program = compile_c(tmp_path, ["main.cpp", "pendulum.o"], "program", "g++", *flags)
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
@pytest.mark.parametrize("limit", [1, 1000])
def test_no_state_and_no_allocation(tmp_path: Path, limit):
    sources = emit(pendulum(timed=True), whole_limit=limit, piece_size=2)
    folder = write(sources, tmp_path / "model")
    compile_c(folder, sources.c_files, "model.o", "gcc", *WARNINGS, "-O2", "-c")
    listing = subprocess.run(
        ["nm", "model.o"], cwd=folder, capture_output=True, text=True, check=True
    ).stdout
    kinds: dict[str, set[str]] = {}
    for line in listing.splitlines():
        *_, kind, name = line.split()
        kinds.setdefault(kind, set()).add(name)
    assert not {"B", "b", "D", "d", "C"} & set(kinds), "writable data"
    math = {"sin", "cos", "sincos", "sqrt", "pow", "fmin", "fmax"}
    assert kinds["U"] <= math | {"_GLOBAL_OFFSET_TABLE_"}
    assert all(name.startswith("pendulum_") for name in kinds["T"])


@pytest.mark.skipif(ARM is None, reason="no arm-none-eabi-gcc")
@pytest.mark.parametrize("real", ["double", "float"])
def test_cortex_m(tmp_path: Path, real):
    sources = emit(pendulum(timed=True), real)
    folder = write(sources, tmp_path / "model")
    target = ("-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-d16", "-ffreestanding")
    compile_c(folder, sources.c_files, "model.o", str(ARM), *WARNINGS, *target, "-O2", "-c")


@pytest.mark.parametrize("limit", [10, 100_000])
def test_header_tells_a_bound_of_the_stack_and_at_most_three_times_it(tmp_path: Path, limit):
    """The bound against gcc's own account, on a program with many values alive at once."""
    program = random_program([(i * 7, i * 31, i * 17 + 3, i * 5) for i in range(400)], 200)
    sources = emit(program, whole_limit=limit, piece_size=100)
    folder = write(sources, tmp_path / "model")
    compile_c(folder, sources.c_files, "m.o", "gcc", *WARNINGS, "-O2", "-fstack-usage", "-c")
    stated = re.search(r"Stack: at most (\d+) bytes", sources["random.h"])
    assert stated is not None
    usage = [int(line.split("\t")[1]) for line in (folder / "m.su").read_text().splitlines()]
    measured = max(usage) if limit > 1000 else sum(sorted(usage)[-2:])
    assert measured <= int(stated[1]) <= 3 * measured + 300


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
def test_cmake_builds_a_library(tmp_path: Path):
    write(emit(pendulum()), tmp_path / "model")
    for command in (["cmake", "-S", "model", "-B", "out"], ["cmake", "--build", "out"]):
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert list((tmp_path / "out").glob("*pendulum.*"))
