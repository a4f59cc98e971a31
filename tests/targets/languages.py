"""Programs in other languages that call every function at given states and print what they give.

Each language is a function (face, folder of emitted files, states) -> lines: of each state and
function the word ``failed``, or the entries of its outputs one after the other.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from eomc.codegen.plan.interface import EmittedFunction, Interface, Port

State = Mapping[str, Sequence[float]]
"""Entries of inputs by the names of their arguments."""


@dataclass(frozen=True)
class Run:
    """How a target's files are run, and by which tools.

    exact : whether the bits must be those of the C
    """

    program: Callable[[Interface, Path, Sequence[State]], str]
    tools: tuple[str, ...]
    exact: bool


def ran(*command: str | Path, folder: Path) -> str:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def values(state: State, port: Port) -> list[str]:
    return [repr(float(value)) for value in state[port.argument.name]]


CPP = ("-std=c++17", "-fno-exceptions", "-fno-rtti", "-ffp-contract=off", "-O0", "-Wall", "-Wextra")
CPP += ("-Werror", "-pedantic", "-Wconversion", "-Wshadow")


def cpp(face: Interface, folder: Path, states: Sequence[State]) -> str:
    calls, space = "", f"eomc::{face.prefix}"
    for state in states:
        for entry in face.entries:
            calls += "    {\n"
            for port in entry.inputs:
                listed = ", ".join(values(state, port))
                is_array = not port.by_value
                kind = f"std::array<double, {port.size}>" if is_array else "double"
                calls += f"        const {kind} {port.name}{{{listed}}};\n"
            for port in entry.outputs:
                calls += f"        std::array<double, {port.size}> {port.name};\n"
            names = [port.name for port in entry.inputs]
            names += [f"{space}::parameters<double>{{}}"] * bool(face.members)
            names += [port.name for port in entry.outputs]
            calls += f"        if ({space}::{entry.name}({', '.join(names)}) != "
            calls += f'{space}::status::ok) std::puts("failed"); else {{\n'
            for port in entry.outputs:
                calls += (
                    f'            for (double each : {port.name}) std::printf("%.17g ", each);\n'
                )
            calls += '            std::puts("");\n        }\n    }\n'
    text = f'#include "{face.prefix}.hpp"\n#include <cstdio>\nint main()\n{{\n{calls}}}\n'
    (folder / "main.cpp").write_text(text)
    ran("g++", *CPP, "main.cpp", "-o", "main", folder=folder)
    return ran(folder / "main", folder=folder)


def rust(face: Interface, folder: Path, states: Sequence[State]) -> str:
    calls = ""
    for state in states:
        for entry in face.entries:
            names = [", ".join(values(state, port)) for port in entry.inputs]
            names = [
                text if port.by_value else f"&[{text}]"
                for text, port in zip(names, entry.inputs, strict=True)
            ]
            names += ["&model::Parameters::default()"] * bool(face.members)
            names += [f"&mut {port.name}" for port in entry.outputs]
            calls += "    {\n"
            for port in entry.outputs:
                calls += f"        let mut {port.name} = [0.0; {port.size}];\n"
            calls += f"        if model::{entry.name}({', '.join(names)}).is_err() {{\n"
            calls += '            println!("failed");\n        } else {\n'
            for port in entry.outputs:
                calls += f'            for x in {port.name} {{ print!("{{:e}} ", x); }}\n'
            calls += "            println!();\n        }\n    }\n"
    (folder / "main.rs").write_text(f"#![allow(non_snake_case)]\nfn main() {{\n{calls}}}\n")
    release = re.search(r" 1\.(\d+)", ran("rustc", "--version", folder=folder))
    if release is not None and int(release[1]) < 80:
        pytest.skip("rustc is older than 1.80, the first that is told the features of a crate")
    edition = ("rustc", "--edition", "2021", "-D", "warnings")
    needs_std = "compile_error!" in (folder / "src/lib.rs").read_text()
    for features in ((), ("--cfg", 'feature="std"')):
        if features or not needs_std:
            ran(
                *edition,
                *features,
                "--crate-type",
                "lib",
                "--crate-name",
                "model",
                "src/lib.rs",
                "--check-cfg",
                'cfg(feature, values("std", "libm"))',
                folder=folder,
            )
    ran(*edition, "main.rs", "--extern", "model=libmodel.rlib", folder=folder)
    return ran(folder / "main", folder=folder)


def cuda(face: Interface, folder: Path, states: Sequence[State]) -> str:
    """All states at once, as C++ on the processor."""
    count = len(states)
    calls = ""
    for entry in face.entries:
        calls += "    {\n"
        for port in entry.inputs:
            rows = zip(*(values(state, port) for state in states), strict=True)
            listed = ", ".join(value for row in rows for value in row)
            calls += f"        const double {port.name}[] = {{{listed}}};\n"
        for port in entry.outputs:
            calls += f"        double {port.name}[{port.size * count}];\n"
        names = [port.name for port in entry.inputs]
        names += [f"{face.prefix}_parameters{{}}"] * bool(face.members)
        names += [port.name for port in entry.outputs]
        calls += f"        int codes[{count}];\n"
        calls += f"        {entry.symbol}({', '.join(names)}, codes, {count});\n"
        calls += f"        for (int k = 0; k < {count}; k++) {{\n"
        calls += '            if (codes[k]) std::printf("failed");\n            else {\n'
        for port in entry.outputs:
            calls += f"                for (int i = 0; i < {port.size}; i++)\n"
            calls += f'                    std::printf("%.17g ", {port.name}[i*{count} + k]);\n'
        calls += '            }\n            std::puts("");\n        }\n    }\n'
    text = f'#include "{face.prefix}.cu"\n#include <cstdio>\nint main()\n{{\n{calls}}}\n'
    (folder / "main.cpp").write_text(text)
    ran("g++", *CPP, "main.cpp", "-o", "main", folder=folder)
    lines = ran(folder / "main", folder=folder).splitlines()
    # Function by function there, state by state here.
    return "\n".join(line for k in range(count) for line in lines[k::count])


def octave(face: Interface, folder: Path, states: Sequence[State]) -> str:
    calls = ""
    for state in states:
        for entry in face.entries:
            names = ", ".join(f"[{', '.join(values(state, port))}]" for port in entry.inputs)
            outputs = ", ".join(f"out{i}" for i in range(len(entry.outputs)))
            calls += f"try\n  [{outputs}] = {face.prefix}.{entry.name}({names});\n"
            for i, port in enumerate(entry.outputs):
                # Row-major, as C has it.
                axes = len(port.argument.shape)
                order = ", ".join(str(axis) for axis in range(max(axes, 2), 0, -1))
                calls += f"  printf('%.17g ', permute(out{i}, [{order}]));\n"
            calls += "  printf('\\n');\ncatch problem\n"
            calls += f"  if strncmp(problem.identifier, '{face.prefix}:', {len(face.prefix) + 1})\n"
            calls += "    printf('failed\\n');\n  else\n    rethrow(problem);\n  end\nend\n"
    (folder / "main.m").write_text(calls)
    return ran("octave-cli", "--no-init-file", "--quiet", "main.m", folder=folder)


def mex(face: Interface, folder: Path, states: Sequence[State]) -> str:
    """Compiled by Octave, and called as the functions of MATLAB are."""
    command = f"addpath('{folder}'); build_{face.prefix}()"
    ran("octave-cli", "--no-init-file", "--quiet", "--eval", command, folder=folder)
    return octave(face, folder, states)


def julia(face: Interface, folder: Path, states: Sequence[State]) -> str:
    calls = f'include("{face.prefix}.jl")\n'
    for state in states:
        for entry in face.entries:
            names = []
            for port in entry.outputs:
                shape = ", ".join(map(str, port.argument.shape or (1,)))
                calls += f"{port.name} = zeros({shape})\n"
                names.append(port.name)
            for port in entry.inputs:
                listed = ", ".join(values(state, port))
                names.append(listed if port.by_value else f"[{listed}]")
            names += [f"{face.prefix}.Parameters()"] * bool(face.members)
            calls += f"try\n  {face.prefix}.{entry.name}!({', '.join(names)})\n"
            for port in entry.outputs:
                axes = ", ".join(str(a) for a in range(len(port.argument.shape or (1,)), 0, -1))
                calls += f'  for x in permutedims({port.name}, ({axes},)) print(x, " ") end\n'
            calls += '  println()\ncatch problem\n  println("failed")\nend\n'
    (folder / "main.jl").write_text(calls)
    return ran("julia", "--startup-file=no", "main.jl", folder=folder)


RUNS = {
    "cpp": Run(cpp, ("g++",), True),
    "cuda": Run(cuda, ("g++",), True),
    "julia": Run(julia, ("julia",), False),
    "matlab": Run(octave, ("octave-cli",), False),
    "mex": Run(mex, ("octave-cli", "mkoctfile"), True),
    "rust": Run(rust, ("rustc",), True),
}


def outputs(
    target: str, face: Interface, folder: Path, states: Sequence[State]
) -> list[list[tuple[EmittedFunction, list[float] | None]]]:
    """Of each state: each function with its numbers, None where it failed."""
    run = RUNS[target]
    for tool in run.tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here")
    lines = run.program(face, folder, states).splitlines()
    assert len(lines) == len(states) * len(face.entries)
    numbers = [None if line == "failed" else [float(x) for x in line.split()] for line in lines]
    size = len(face.entries)
    return [
        list(zip(face.entries, numbers[k * size : (k + 1) * size], strict=True))
        for k in range(len(states))
    ]
