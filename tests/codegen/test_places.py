"""Places from which pieces of a function count the work array: near, and hidden."""

import platform
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_programs.c_library import compile_c
from small_programs.recursion import recursion

import eomc
from eomc.codegen import emit, write
from eomc.codegen.plan.displacement import Block, places
from eomc.systems.chain import general_chain

MENTION = re.compile(r"\b(base\d+|work)\[(-?\d+)\]")


@pytest.fixture(scope="module")
def second_order():
    """C of a product with second derivatives of a chain, on plain numbers."""
    program = eomc.equations(general_chain(16)).program(functions=("inverse_dynamics_hvp",))
    return emit(program)


def test_most_of_a_piece_is_near(second_order):
    """Within a byte of their place, and nine in ten of the array's numbers are."""
    text = second_order["chain16.c"]
    pieces = re.findall(r"_piece_\d+\([^;{]*\)\n\{\n(.*?)\n\}\n", text, re.S)
    assert len(pieces) > 5
    bodies = [line for piece in pieces for line in piece.splitlines() if "_base(" not in line]
    mentions = [found for line in bodies for found in MENTION.findall(line)]
    near = [int(distance) for place, distance in mentions if place != "work"]
    assert all(-16 <= distance <= 15 for distance in near)
    assert len(near) > 0.9 * len(mentions) > 1000


@pytest.mark.slow
def test_machine_code_is_shorter(second_order, tmp_path: Path):
    """Than of the same text whose places compilers know."""
    if platform.machine() != "x86_64" or shutil.which("size") is None:
        pytest.skip("distances of a byte or of four are those of x86")
    hidden = write(second_order, tmp_path / "hidden")
    known = write(second_order, tmp_path / "known")
    source = known / "chain16.c"
    text = source.read_text()
    hiding = '    __asm__("" : "+r"(base));\n'
    assert text.count(hiding) == 1
    source.write_text(text.replace(hiding, ""))
    flags = ("-std=c99", "-O2", "-mfma", "-ffp-contract=fast", "-c")
    bytes_of = []
    for folder in (hidden, known):
        made = compile_c(folder, ["chain16.c"], "chain16.o", "gcc", *flags)
        told = subprocess.run(["size", made], capture_output=True, text=True, check=True).stdout
        bytes_of.append(int(told.splitlines()[1].split()[0]))
    assert bytes_of[0] < 0.95 * bytes_of[1]


@pytest.mark.slow
def test_an_input_may_have_the_name_of_a_place(c_library):
    """And the results stay those of the function in one."""
    program = recursion(60)
    (function,) = program.functions
    x = np.linspace(-0.6, 0.6, 24)
    _, (expected,) = c_library(program, whole_limit=10_000).call("f", [x], [24])
    inputs = (replace(function.inputs[0], name="base1"),)
    program = replace(program, functions=(replace(function, inputs=inputs),))
    parted = c_library(program, piece_size=200)
    _, (result,) = parted.call("f", [x], [24])
    np.testing.assert_array_equal(result, expected)


def test_few_places_at_a_time():
    """Blocks that all are touched all the time compete; those with most mentions are taken."""
    block = [Block("work", 32, number) for number in range(15)]
    found = places((k, block[n]) for k in range(40) for n in range(15) if k % (1 + n) == 0)
    assert [each for _, each in found] == block[:10]
    assert [each.middle for each in block[:2]] == [16, 48]
    assert places((line, block[0]) for line in range(3)) == [], "three bytes less, three times"
    ends = places((line, block[0]) for line in (0, 1, 2, 3, 500, 501, 502, 503))
    assert ends == [(range(4), block[0]), (range(500, 504), block[0])]


@pytest.mark.slow
def test_outputs_have_places_too():
    """Matrices of many entries are stored from near."""
    program = eomc.equations(general_chain(12)).program(functions=("forward_dynamics_derivatives",))
    text = emit(program)["chain12.c"]
    assert "chain12_base(&da_dtau[" in text and "chain12_base(&work[" in text
    far = [int(k) for k in re.findall(r"\bda_d\w+\[(\d+)\] = ", text)]
    near = re.findall(r"\bbase\d+\[-?\d+\] = ", text)
    assert len(near) > 4 * len(far) > 0


@pytest.mark.slow
def test_no_place_is_beyond_the_end(second_order):
    """Of an array: C knows no pointer there."""
    text = second_order["chain16.c"]
    pieces = [part for part in re.split(r"(?m)^static ", text) if "_base(&work[" in part]
    for piece in pieces:
        (length,) = {int(n) for n in re.findall(r"_real work\[(\d+)\]", piece)}
        assert max(int(k) for k in re.findall(r"_base\(&work\[(\d+)\]\)", piece)) <= length
    assert len(pieces) > 10
    program = eomc.equations(general_chain(13)).program(functions=("forward_dynamics_derivatives",))
    placed = re.findall(r"_base\(&da_d\w+\[(\d+)\]\)", emit(program)["chain13.c"])
    assert max(map(int, placed)) == 169, "and not 176, the middle of the last block"
