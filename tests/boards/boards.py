"""Programs on Cortex-M boards that QEMU plays."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

BOARD = Path(__file__).parent / "board"
COMPILER = "arm-none-eabi-gcc"
QEMU = "qemu-system-arm"
TIME_LIMIT = 300
"""Seconds after which a program counts as hung."""


@dataclass(frozen=True)
class Board:
    """A machine of QEMU, and the flags for its processor."""

    machine: str
    cpu: str
    fpu: tuple[str, ...]

    @property
    def flags(self) -> tuple[str, ...]:
        return (f"-mcpu={self.cpu}", "-mthumb", *self.fpu)


M4 = Board("mps2-an386", "cortex-m4", ("-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"))
M7 = Board("mps2-an500", "cortex-m7", ("-mfpu=fpv5-d16", "-mfloat-abi=hard"))

ISO = ("-std=c99", "-ffp-contract=off", "-fno-math-errno")


def needs_boards() -> None:
    for tool in (COMPILER, QEMU):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here")


def build(
    board: Board, folder: Path, sources: Sequence[str], optimization: str, *flags: str
) -> Path:
    """Compile C files of a folder with the board's startup code."""
    program = folder / f"{board.cpu}{optimization}.elf"
    common = (*board.flags, *ISO, optimization, "-I.", f"-I{BOARD}", *flags)
    linked = ("-nostartfiles", "--specs=nosys.specs", "-T", str(BOARD / "board.ld"))
    files = (*sources, str(BOARD / "startup.c"))
    command = [COMPILER, *common, *files, *linked, "-lm", "-o", str(program)]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return program


def run(board: Board, program: Path) -> tuple[int, str]:
    """The code with which a program ends, and what it said."""
    semihosting = ("-semihosting-config", "enable=on,target=native")
    quiet = ("-nographic", "-monitor", "none", "-serial", "none")
    command = [QEMU, "-M", board.machine, *quiet, *semihosting, "-kernel", str(program)]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT
    )
    return result.returncode, result.stdout + result.stderr
